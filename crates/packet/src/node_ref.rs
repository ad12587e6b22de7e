//! [`NodeRef`]: how a packet names the node that it is for.

use crate::{
    byte_reader::ByteReader,
    error::{Error, PacketErrorKind},
    name::Name,
};

/// How a packet names the node of a call ([`docs/PACKETS.md` §2]).
///
/// [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeRef<'a> {
    /// The id that the sender gave to the node's path in a SIMPLIFY_PATH.
    Id(u32),
    /// The path relative to the root of the multiplayer API, without `/root/`: `Net`. Senders use
    /// it until the receiver has confirmed an id.
    Path(Name<'a>),
}

impl<'a> From<&'a str> for NodeRef<'a> {
    fn from(path: &'a str) -> NodeRef<'a> {
        NodeRef::Path(Name::new(path.as_bytes()))
    }
}

impl From<u32> for NodeRef<'_> {
    fn from(id: u32) -> Self {
        NodeRef::Id(id)
    }
}

/// A flag in four-byte ids. If it is set in a node id, the other bits are the offset of the node's
/// path at the end of the packet. If it is set in the id of a synchronizer, the other bits are the
/// id of the synchronizer's path.
pub(crate) const PATH_BIT: u32 = 0x8000_0000;

/// Splits a packet at `offset` into the path at its end and everything before it. The path may not
/// begin before `args`.
pub(crate) fn path_at_end(
    bytes: &[u8],
    offset: u32,
    args: usize,
) -> Result<(NodeRef<'_>, &[u8]), Error> {
    let start = offset as usize;
    let body = match bytes.get(..start) {
        Some(body) if start >= args && start < bytes.len() => body,
        _ => return Err(Error::new(1, PacketErrorKind::BadPathOffset { offset })),
    };
    let path = ByteReader::new(bytes, start).last_name()?;
    Ok((NodeRef::Path(path), body))
}
