//! Opens any bytes as an encrypted file, and encrypts any contents. Nothing may panic, decrypting must return
//! what was encrypted, and another key must be refused.

use gdvar_io::{
    FileErrorKind, Limits,
    encrypted::{Form, Key, decrypt, encrypt},
};

use super::Input;
use crate::vectors::hex;

/// Encrypts the contents of strict inputs, and opens the others as files.
///
/// # Panics
/// If contents differ after they were encrypted and decrypted, another key or a cut file is
/// accepted, or an error has an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let limits = Limits::new(1 << 20);
    let key = Key::from_bytes([input.choice as u8; 32]);
    if !input.rules.strict {
        if let Err(error) = decrypt(input.bytes, &key, limits) {
            assert!(error.offset() <= input.bytes.len() as u64, "{error}");
        }
        return;
    }
    let contents = input.bytes;
    let iv = [(input.choice >> 8) as u8; 16];
    for form in [Form::Godot3, Form::Godot4 { iv }] {
        let file = encrypt(contents, &key, form);
        let again = decrypt(&file, &key, limits);
        assert!(
            again.as_deref() == Ok(contents),
            "{form:?}: {}",
            hex(contents)
        );
        // With few bytes, a wrong key may give the right bytes by chance.
        if contents.len() >= 16 {
            let other = Key::from_bytes([!(input.choice as u8); 32]);
            let refused = decrypt(&file, &other, limits).map_err(|error| error.kind());
            assert_eq!(refused, Err(FileErrorKind::WrongKey), "{form:?}");
        }
        for len in [0, 3, 4, 8, file.len() / 2, file.len() - 1] {
            let cut = decrypt(&file[..len.min(file.len())], &key, limits);
            assert!(cut.is_err() || len >= file.len(), "{form:?} cut to {len}");
        }
    }
}
