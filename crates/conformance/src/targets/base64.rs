//! Reads any text as base64, and encodes any bytes. Bytes must be the same after encoding and decoding. Text
//! that can be decoded must give the same bytes again after it is encoded in the usual form.

use gdvar_io::base64::{decode, encode};

use super::Input;

/// Checks the bytes as base64 text, and as bytes to encode.
///
/// # Panics
/// If bytes differ after they were encoded and decoded, or if an error has an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let text = encode(input.bytes);
    assert_eq!(decode(text.as_bytes()).as_deref(), Ok(input.bytes));
    match decode(input.bytes) {
        Ok(bytes) => assert_eq!(decode(encode(&bytes).as_bytes()).as_ref(), Ok(&bytes)),
        Err(error) => assert!(error.offset() <= input.bytes.len() as u64, "{error}"),
    }
}
