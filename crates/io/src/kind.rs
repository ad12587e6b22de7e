//! [`sniff`]: recognizes the envelope of a file by its first bytes.

use crate::{compressed, project, script, words::word};

/// The magic of encrypted files, which are recognized even without the feature that decrypts them.
pub(crate) const GDEC: &[u8; 4] = b"GDEC";

/// The kind of a file, judged by its first bytes. Not `#[non_exhaustive]`: code that opens files should
/// learn of a new envelope from the compiler, because a `_` arm would take its bytes for values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Envelope {
    /// Written by `open_compressed`: [`Compressed`](crate::compressed::Compressed) reads it.
    Compressed {
        /// The number of the compression mode in the file's header (its second word). It is not
        /// checked, so it may name no known mode. `u32::MAX` if the file ends before it.
        mode: u32,
    },
    /// Written by `open_encrypted` or `open_encrypted_with_pass` of Godot 3 or Pandemonium.
    Encrypted3,
    /// Written by the same functions of Godot 4.
    Encrypted4,
    /// `project.binary`: [`Project`](crate::project::Project) reads it.
    Project,
    /// A compiled script (`.gdc`): [`Script`](crate::script::Script) reads its constants.
    Script,
    /// None of these: records, a bare value, or something else.
    Other,
}

/// Returns the envelope of a file. Reads eight bytes and checks nothing after them. Sources:
/// [`docs/FORMAT.md` §7.2] to §7.4 and §7.7.
///
/// No bare value and no record begins like an envelope: read as a type number or a length, each of
/// the four magics is above a thousand million.
///
/// ```
/// use gdvar_io::{Envelope, sniff};
///
/// assert_eq!(sniff(b"GDEC\x01\0\0\0"), Envelope::Encrypted3);
/// assert_eq!(sniff(b"\x08\0\0\0\x02\0\0\0"), Envelope::Other);
/// ```
///
/// [`docs/FORMAT.md` §7.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#72-projectbinary
#[must_use]
pub fn sniff(bytes: &[u8]) -> Envelope {
    let second = word(bytes, 4);
    match bytes.first_chunk() {
        Some(compressed::MAGIC) => Envelope::Compressed {
            mode: second.unwrap_or(u32::MAX),
        },
        Some(GDEC) if second == Some(1) => Envelope::Encrypted3,
        Some(GDEC) => Envelope::Encrypted4,
        Some(project::MAGIC) => Envelope::Project,
        Some(script::MAGIC) => Envelope::Script,
        _ => Envelope::Other,
    }
}
