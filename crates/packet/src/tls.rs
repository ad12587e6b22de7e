//! TLS and DTLS records: recognized, but not decrypted.

/// The header of a DTLS record: type, version, epoch, number, length.
const DTLS_HEAD: usize = 13;
/// The header of a TLS record: type, version, length.
#[cfg(feature = "capture")]
const TLS_HEAD: usize = 5;
/// The longest encrypted record (RFC 5246, 6.2.3).
#[cfg(feature = "capture")]
const MAX_RECORD: usize = (1 << 14) + 2048;

/// True for the record types from change_cipher_spec to heartbeat.
const fn is_type(first: u8) -> bool {
    matches!(first, 20..=24)
}

/// Returns `true` if `datagram` begins with a complete record of DTLS 1.0 or 1.2 (or of a DTLS 1.3
/// handshake). No ENet datagram and no value of `put_var` begins like this: the third byte would be
/// ENet command 13 or 15, and the second byte of a value is 0.
pub(crate) fn is_dtls(datagram: &[u8]) -> bool {
    let [first, 0xfe, 0xff | 0xfd, .., high, low] = *datagram.get(..DTLS_HEAD).unwrap_or_default()
    else {
        return false;
    };
    let len = usize::from(u16::from_be_bytes([high, low]));
    is_type(first) && DTLS_HEAD + len <= datagram.len()
}

/// Returns `true` if `segment` begins like a TLS record.
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
    fn dtls_records_are_recognized() {
        // The header of a ClientHello of DTLS 1.0, as OpenSSL and mbedTLS send it first, then the
        // header of an encrypted record.
        let mut hello = [22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0];
        assert!(is_dtls(&hello));
        hello[..3].copy_from_slice(&[23, 0xfe, 0xfd]);
        assert!(is_dtls(&hello));
        // A cut record, another version, and a NodePath of `put_var`.
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
    fn tls_segments_are_recognized() {
        assert!(is_tls(&[22, 3, 1, 2, 0, 1, 0]));
        assert!(is_tls(&[23, 3, 3, 0, 40, 9]));
        assert!(!is_tls(&[22, 3, 1, 0xff, 0xff]));
        assert!(!is_tls(b"GET / HTTP/1.1\r\n"));
        assert!(!is_tls(&[0x82, 0x05, 1, 2, 3]));
    }
}
