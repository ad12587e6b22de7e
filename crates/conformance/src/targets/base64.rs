//! Any text as base64, and any bytes in it: what is encoded is decoded again, and what is decoded
//! once is decoded from its usual form as well.

use gdvar_io::base64::{decode, encode};

use super::Input;

/// # Panics
/// If a promise is broken.
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
