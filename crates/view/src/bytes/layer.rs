//! Files that a value is often packed into, told by their first bytes: for the message about bytes that are no value.

use crate::error::Layer;

/// The first bytes of each.
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

/// The kind of file that begins with these bytes, if it is one of those.
#[cold]
pub(super) fn of(bytes: &[u8]) -> Option<Layer> {
    let found = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic));
    found.map(|(_, layer)| *layer)
}
