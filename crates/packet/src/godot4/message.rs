//! [`Message`]: writes packets of Godot 4.

use gdvar_write::{Measure, Sink};

use super::{COMMAND_MASK, DELTA, NODE_SIZE_SHIFT, RAW_CALL, SYNC, WIDE_METHOD};
use crate::{
    arg::Arg,
    encode::{Encode, WriteError, measured, put, put_name, word},
    name::Name,
    node_ref::{NodeRef, PATH_BIT},
};

/// A packet to be written. The bytes are the ones that Godot 4.6 writes for the same contents, with
/// one exception: the engine loses the argument of a call whose only argument is an empty
/// PackedByteArray; it is kept here.
///
/// ```
/// use gdvar_packet::{Arg, Encode, godot4::Message};
///
/// let call = Message::Call { node: "Net".into(), method: 1, args: &[Arg::from(100)] };
/// let mut buffer = [0; 64];
/// assert_eq!(call.encode_into(&mut buffer)?, b"\x20\x09\0\0\x80\x01\x01\x02\x64Net\0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// A call: see [`Call`](super::Call).
    Call {
        /// The node. Use its path until the receiver has confirmed an id.
        node: NodeRef<'a>,
        /// The number, as [`Call::method_id`](super::Call::method_id) returns it.
        method: u16,
        /// The arguments, at most 255. The short form is used for no argument, or one
        /// PackedByteArray that is not empty.
        args: &'a [Arg<'a>],
    },
    /// See [`SimplifyPath`](super::SimplifyPath).
    SimplifyPath(super::SimplifyPath<'a>),
    /// See [`ConfirmPath`](super::ConfirmPath).
    ConfirmPath(super::ConfirmPath),
    /// The bytes of `send_bytes`.
    Raw(&'a [u8]),
    /// See [`Spawn`](super::Spawn).
    Spawn {
        /// The index in the spawner's list of scenes, or `None` for its spawn function.
        scene: Option<u8>,
        /// The id of the spawner's path.
        spawner: u32,
        /// The id of the new node, for later packets.
        net_id: u32,
        /// The ids of its synchronizers.
        syncs: &'a [u32],
        /// The name of the new node.
        name: Name<'a>,
        /// The argument of the spawn function. Not written for a scene.
        custom: Arg<'a>,
        /// The initial properties, of all synchronizers one after the other.
        state: &'a [Arg<'a>],
    },
    /// Removes a spawned node.
    Despawn {
        /// The id that the SPAWN gave to the node.
        net_id: u32,
    },
    /// See [`Sync`](super::Sync).
    Sync {
        /// The number of this SYNC, which grows.
        time: u16,
        /// The properties of each synchronizer.
        entries: &'a [Properties<'a>],
    },
    /// See [`Delta`](super::Delta).
    Delta {
        /// The synchronizers. The mask of each says which watched properties are sent.
        entries: &'a [(u64, Properties<'a>)],
    },
    /// See [`Sys`](super::Sys).
    Sys(super::Sys<'a>),
}

/// The properties of one synchronizer.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'a> {
    /// The id of the synchronizer.
    pub net_id: u32,
    /// The values of the properties, in order.
    pub values: &'a [Arg<'a>],
}

impl Encode for Message<'_> {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        match *self {
            Message::Call { node, method, args } => call(node, method, args, sink),
            Message::SimplifyPath(simplify) => {
                put(&[1], sink)?;
                put_name(simplify.md5, sink)?;
                put(&simplify.id.to_le_bytes(), sink)?;
                put_name(simplify.path.as_bytes(), sink)
            }
            Message::ConfirmPath(confirm) => {
                put(&[2, confirm.matches.into()], sink)?;
                put(&confirm.id.to_le_bytes(), sink)
            }
            Message::Raw(bytes) => {
                put(&[3], sink)?;
                put(bytes, sink)
            }
            Message::Spawn {
                scene,
                spawner,
                net_id,
                syncs,
                name,
                custom,
                state,
            } => {
                put(&[4, scene.unwrap_or(u8::MAX)], sink)?;
                put(&spawner.to_le_bytes(), sink)?;
                put(&net_id.to_le_bytes(), sink)?;
                put(&word(syncs.len())?.to_le_bytes(), sink)?;
                put(&word(name.as_bytes().len() + 1)?.to_le_bytes(), sink)?;
                syncs
                    .iter()
                    .try_for_each(|id| put(&id.to_le_bytes(), sink))?;
                put_name(name.as_bytes(), sink)?;
                if scene.is_none() {
                    sized(&[custom], sink)?;
                }
                values(state, sink)
            }
            Message::Despawn { net_id } => {
                put(&[5], sink)?;
                put(&net_id.to_le_bytes(), sink)
            }
            Message::Sync { time, entries } => {
                put(&[SYNC], sink)?;
                put(&time.to_le_bytes(), sink)?;
                entries.iter().try_for_each(|entry| {
                    put(&entry.net_id.to_le_bytes(), sink)?;
                    sized(entry.values, sink)
                })
            }
            Message::Delta { entries } => {
                put(&[SYNC | DELTA], sink)?;
                entries.iter().try_for_each(|(mask, entry)| {
                    put(&entry.net_id.to_le_bytes(), sink)?;
                    put(&mask.to_le_bytes(), sink)?;
                    sized(entry.values, sink)
                })
            }
            Message::Sys(sys) => system(sys, sink),
        }
    }
}

fn system<S: Sink>(sys: super::Sys<'_>, sink: &mut S) -> Result<(), WriteError<S::Error>> {
    let (number, peer, bytes): (u8, Option<i32>, &[u8]) = match sys {
        super::Sys::Auth(data) => (0, None, data),
        super::Sys::AddPeer(peer) => (1, Some(peer), &[]),
        super::Sys::DelPeer(peer) => (2, Some(peer), &[]),
        super::Sys::Relay { peer, packet } => (3, Some(peer), packet),
    };
    put(&[7, number], sink)?;
    if let Some(peer) = peer {
        put(&peer.to_le_bytes(), sink)?;
    }
    put(bytes, sink)
}

fn call<S: Sink>(
    node: NodeRef<'_>,
    method: u16,
    args: &[Arg<'_>],
    sink: &mut S,
) -> Result<(), WriteError<S::Error>> {
    let raw = match args {
        [] => Some(&[][..]),
        // The engine would read an empty one as no argument at all.
        [Arg::Bytes(bytes)] if !bytes.is_empty() => Some(*bytes),
        _ => None,
    };
    let count = u8::try_from(args.len()).map_err(|_| WriteError::TooLong {
        len: args.len(),
        most: u8::MAX.into(),
    })?;
    let (wide, method_size) = match method > u8::MAX.into() {
        true => (WIDE_METHOD, 2),
        false => (0, 1),
    };
    let (id, node_size) = match node {
        NodeRef::Id(id) if id <= u8::MAX.into() => (id, 0),
        NodeRef::Id(id) if id <= u16::MAX.into() => (id, 1),
        NodeRef::Id(id) => (id & !PATH_BIT, 2),
        NodeRef::Path(_) => {
            let args = match raw {
                Some(bytes) => bytes.len(),
                None => 1 + size_of_values(args)?,
            };
            (word(1 + 4 + method_size + args)? | PATH_BIT, 2)
        }
    };
    let head =
        (node_size as u8) << NODE_SIZE_SHIFT | wide | if raw.is_some() { RAW_CALL } else { 0 };
    debug_assert_eq!(head & COMMAND_MASK, 0);
    put(&[head], sink)?;
    put(&id.to_le_bytes()[..1 << node_size], sink)?;
    put(&method.to_le_bytes()[..method_size], sink)?;
    match raw {
        Some(bytes) => put(bytes, sink)?,
        None => {
            put(&[count], sink)?;
            values(args, sink)?;
        }
    }
    match node {
        NodeRef::Path(path) => put_name(path.as_bytes(), sink),
        NodeRef::Id(_) => Ok(()),
    }
}

fn values<S: Sink>(args: &[Arg<'_>], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    args.iter().try_for_each(|arg| arg.write_compact(sink))
}

fn size_of_values<E>(args: &[Arg<'_>]) -> Result<usize, WriteError<E>> {
    let mut measure = Measure::new();
    values(args, &mut measure).map_err(measured)?;
    Ok(measure.len() as usize)
}

/// Writes the size of the values in bytes, then the values.
fn sized<S: Sink>(args: &[Arg<'_>], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    let size = word(size_of_values(args)?)?;
    put(&size.to_le_bytes(), sink)?;
    values(args, sink)
}
