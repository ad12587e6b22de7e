//! Records of TLS and DTLS, which are named and not read.

/// The bytes in front of a record of DTLS: type, version, epoch, number, length.
const DTLS_HEAD: usize = 13;
/// The bytes in front of a record of TLS: type, version, length.
#[cfg(feature = "capture")]
const TLS_HEAD: usize = 5;
/// The most bytes of an encrypted record (RFC 5246, 6.2.3).
#[cfg(feature = "capture")]
const MAX_RECORD: usize = (1 << 14) + 2048;

/// From change_cipher_spec to heartbeat.
const fn is_type(first: u8) -> bool {
    matches!(first, 20..=24)
}

/// Returns `true` if a datagram begins with a whole record of DTLS 1.0 or 1.2, as 1.3 has it for its handshake. No
/// datagram of ENet and no value of `put_var` does: their third byte would be a command 13 or 15, or their second one 0.
pub(crate) fn is_dtls(datagram: &[u8]) -> bool {
    let [first, 0xfe, 0xff | 0xfd, .., high, low] = *datagram.get(..DTLS_HEAD).unwrap_or_default()
    else {
        return false;
    };
    let len = usize::from(u16::from_be_bytes([high, low]));
    is_type(first) && DTLS_HEAD + len <= datagram.len()
}

/// Returns `true` if a segment of TCP begins as a record of TLS does.
#[cfg(feature = "capture")]
pub(crate) fn is_tls(segment: &[u8]) -> bool {
    let [first, 3, 0..=4, high, low] = *segment.get(..TLS_HEAD).unwrap_or_default() else {
        return false;
    };
    let len = usize::from(u16::from_be_bytes([high, low]));
    is_type(first) && (1..=MAX_RECORD).contains(&len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_from_games() {
        // A ClientHello's head: DTLS 1.0, as OpenSSL and mbedTLS begin; and one of an encrypted record.
        let mut hello = [22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0];
        assert!(is_dtls(&hello));
        hello[..3].copy_from_slice(&[23, 0xfe, 0xfd]);
        assert!(is_dtls(&hello));
        // Cut, of another version, a NodePath of put_var.
        assert!(!is_dtls(&hello[..16]));
        hello[1] = 3;
        assert!(!is_dtls(&hello));
        assert!(!is_dtls(&[
            22, 0, 0, 0, 1, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0
        ]));
        assert!(!is_dtls(&[]));
    }

    #[cfg(feature = "capture")]
    #[test]
    fn segments_of_tls_are_told_from_games() {
        assert!(is_tls(&[22, 3, 1, 2, 0, 1, 0]));
        assert!(is_tls(&[23, 3, 3, 0, 40, 9]));
        assert!(!is_tls(&[22, 3, 1, 0xff, 0xff]));
        assert!(!is_tls(b"GET / HTTP/1.1\r\n"));
        assert!(!is_tls(&[0x82, 0x05, 1, 2, 3]));
    }
}
