//! Values as base64: `Marshalls.variant_to_base64` and `base64_to_variant` ([`docs/FORMAT.md` §7]).
//!
//! [`docs/FORMAT.md` §7]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#7-envelopes

use std::sync::LazyLock;

use data_encoding::{BASE64, Encoding, Specification};

use crate::{Error, FileErrorKind};

/// Accepts the standard and the URL-safe alphabet, and ignores blanks. The caller must remove the
/// padding.
static LOOSE: LazyLock<Encoding> = LazyLock::new(|| {
    let mut spec = Specification::new();
    spec.symbols
        .push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    spec.translate.from.push_str("-_");
    spec.translate.to.push_str("+/");
    spec.ignore.push_str(" \t\r\n");
    spec.encoding().expect("the symbols are a power of two")
});

/// Returns the text that `Marshalls.variant_to_base64` returns for a value with these bytes: one
/// line, padded.
///
/// ```
/// assert_eq!(gdvar_io::base64::encode(&[2, 0, 0, 0, 5, 0, 0, 0]), "AgAAAAUAAAA=");
/// ```
#[must_use]
pub fn encode(value: &[u8]) -> String {
    BASE64.encode(value)
}

/// Decodes a value from base64. Accepts the text that the engines write, and the changes that other
/// tools make to it: line breaks and blanks anywhere, missing padding, `-` instead of `+`, and `_`
/// instead of `/`. The time is linear in the length of `text`.
///
/// ```
/// assert_eq!(gdvar_io::base64::decode(b"AgAAAAUAAAA=")?, [2, 0, 0, 0, 5, 0, 0, 0]);
/// # Ok::<(), gdvar_io::Error>(())
/// ```
///
/// # Errors
///
/// Returns [`NotBase64`](FileErrorKind::NotBase64) at the first character outside the alphabet, or
/// if the last group or its padding is invalid.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, Error> {
    let text = text.trim_ascii_end();
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let refuse = |at: usize| Error::new(at as u64, FileErrorKind::NotBase64);
    // A group of four has at most two characters of padding.
    if padding > 2 {
        return Err(refuse(text.len() - padding));
    }
    let digits = &text[..text.len() - padding];
    LOOSE.decode(digits).map_err(|error| refuse(error.position))
}
