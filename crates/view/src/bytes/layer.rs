//! Recognizes compressed, encrypted and other files that contain values, by their first bytes, so that the
//! error for such a file can name its format.

use crate::error::Layer;

/// The first bytes of each kind of file.
const MAGICS: [(&[u8], Layer); 8] = [
    (b"GCPF", Layer::Compressed),
    (b"GDEC", Layer::Encrypted),
    (b"\x1f\x8b\x08", Layer::Gzip),
    (b"\x28\xb5\x2f\xfd", Layer::Zstandard),
    (b"PK\x03\x04", Layer::Zip),
    (b"PK\x05\x06", Layer::Zip),
    (b"RSRC", Layer::Resource),
    (b"RSCC", Layer::Resource),
];

/// The file format that `bytes` begin with. `None` if they begin with none of [`MAGICS`].
#[cold]
pub(super) fn of(bytes: &[u8]) -> Option<Layer> {
    let found = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic));
    found.map(|(_, layer)| *layer)
}
