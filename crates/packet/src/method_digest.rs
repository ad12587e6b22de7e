//! [`method_digest`]: the MD5 of a node's remote methods.

use md5::{Digest, Md5};

/// The MD5 of the concatenated names, as hexadecimal digits ([`docs/PACKETS.md` §2]).
///
/// [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4
pub(crate) fn method_digest(names: impl IntoIterator<Item = impl AsRef<[u8]>>) -> [u8; 32] {
    let mut md5 = Md5::new();
    names.into_iter().for_each(|name| md5.update(name));
    let mut digits = [0; 32];
    for (two, byte) in digits.chunks_exact_mut(2).zip(md5.finalize()) {
        two[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
        two[1] = b"0123456789abcdef"[usize::from(byte & 15)];
    }
    digits
}
