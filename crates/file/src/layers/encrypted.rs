//! Files of `open_encrypted` and `open_encrypted_with_pass`: `GDEC`.

use gdvar_io::encrypted::{Form, Key, decrypt, encrypt, file_len};

use super::{FoundLayer, LayerKind, PeelError, SecretKey, WrapError};
use crate::Hints;

pub(super) fn peel(
    bytes: &[u8],
    is_godot4: bool,
    hints: &Hints<'_>,
) -> Result<FoundLayer, PeelError> {
    let key = hints.key.and_then(|ask| ask()).ok_or(PeelError::Locked)?;
    let contents = decrypt(bytes, &key, hints.limits(bytes.len()))?;
    let key = SecretKey(key);
    Ok((LayerKind::Encrypted { is_godot4, key }, contents))
}

/// Returns the bytes after the encrypted file.
pub(super) fn trailer<'a>(bytes: &'a [u8], hints: &Hints<'_>) -> &'a [u8] {
    let len = file_len(bytes, hints.limits(bytes.len())).unwrap_or(u64::MAX);
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    bytes.get(len..).unwrap_or_default()
}

pub(super) fn wrap(
    is_godot4: bool,
    key: &Key,
    contents: &[u8],
    iv: Option<[u8; 16]>,
) -> Result<Vec<u8>, WrapError> {
    let form = match (is_godot4, iv) {
        (false, _) => Form::Godot3,
        (true, Some(iv)) => Form::Godot4 { iv },
        #[cfg(feature = "random")]
        (true, None) => Form::godot4().map_err(|_| WrapError::NoRandom)?,
        #[cfg(not(feature = "random"))]
        (true, None) => return Err(WrapError::NoRandom),
    };
    Ok(encrypt(contents, key, form))
}
