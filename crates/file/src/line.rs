//! One line of hex or base64, in the forms that tools print.

use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};

/// Hexadecimal digits in upper and lower case. Spaces, tabs and colons are ignored.
static HEX: LazyLock<Encoding> = LazyLock::new(|| {
    let mut spec = Specification::new();
    spec.symbols.push_str("0123456789abcdef");
    spec.translate.from.push_str("ABCDEF");
    spec.translate.to.push_str("abcdef");
    spec.ignore.push_str(" \t:");
    spec.encoding().expect("the symbols are a power of two")
});

/// Decodes a line of hex, with or without `0x`, spaces and colons.
///
/// # Errors
/// Returns the column of the first character that does not fit, from 0.
pub fn from_hex(line: &[u8]) -> Result<Vec<u8>, usize> {
    let digits = line
        .strip_prefix(b"0x")
        .or_else(|| line.strip_prefix(b"0X"))
        .unwrap_or(line);
    let skipped = line.len() - digits.len();
    HEX.decode(digits).map_err(|error| error.position + skipped)
}

/// Decodes a line of base64 in either alphabet, with or without padding.
///
/// # Errors
/// Returns the column of the first character that does not fit, from 0.
pub fn from_base64(line: &[u8]) -> Result<Vec<u8>, usize> {
    gdvar_io::base64::decode(line).map_err(|error| error.offset() as usize)
}

/// Encodes bytes as lower-case digits on one line, without a line end.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

/// Encodes bytes as padded base64 on one line, without a line end.
#[must_use]
pub fn to_base64(bytes: &[u8]) -> String {
    gdvar_io::base64::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_in_all_its_forms() {
        for line in ["02000aFF", "02 00 0A ff", "02:00:0a:ff", "0x02000aff"] {
            assert_eq!(from_hex(line.as_bytes()), Ok(vec![2, 0, 10, 255]), "{line}");
        }
        assert_eq!(from_hex(b""), Ok(vec![]));
        assert_eq!(from_hex(b"020x"), Err(3));
        assert!(from_hex(b"020").is_err());
        assert_eq!(to_hex(&[2, 255]), "02ff");
    }

    #[test]
    fn base64_in_all_its_forms() {
        for line in ["AgAK/w==", "AgAK/w", "AgAK_w=="] {
            assert_eq!(
                from_base64(line.as_bytes()),
                Ok(vec![2, 0, 10, 255]),
                "{line}"
            );
        }
        assert!(from_base64(b"Ag*K").is_err());
        assert!(from_base64(b"====").is_err());
        assert_eq!(to_base64(&[2, 0, 10, 255]), "AgAK/w==");
    }
}
