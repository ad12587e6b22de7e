//! [`Message`]: writes packets of Godot 3.

use gdvar_write::{Measure, Sink, Target};

use crate::{
    arg::Arg,
    encode::{Encode, WriteError, measured, put, put_name, word},
    name::Name,
    node_ref::{NodeRef, PATH_BIT},
};

/// A packet to be written. The bytes are the ones that Godot 3.6 writes for the same contents.
///
/// ```
/// use gdvar_packet::{Arg, Encode, Name, godot3::Message};
///
/// let call = Message::Call { node: 1.into(), method: Name::new(b"hit"), args: &[Arg::from(100)] };
/// let mut buffer = [0; 64];
/// assert_eq!(call.encode_into(&mut buffer)?, b"\0\x01\0\0\0hit\0\x01\x02\0\0\0\x64\0\0\0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// Calls a method.
    Call {
        /// The node. Use its path until the receiver has confirmed an id.
        node: NodeRef<'a>,
        /// The name of the method to call.
        method: Name<'a>,
        /// The arguments, at most 255.
        args: &'a [Arg<'a>],
    },
    /// Sets a property.
    Set {
        /// The node that has the property.
        node: NodeRef<'a>,
        /// The name of the property to set.
        property: Name<'a>,
        /// The new value.
        value: Arg<'a>,
    },
    /// Gives an id to a path.
    SimplifyPath {
        /// The id that the sender uses instead of the path after the receiver's CONFIRM_PATH.
        id: u32,
        /// The path of the node, relative to the root node.
        path: Name<'a>,
    },
    /// Confirms that a path was found.
    ConfirmPath {
        /// The path of the node, relative to the root node.
        path: Name<'a>,
    },
    /// The bytes of `send_bytes`.
    Raw(&'a [u8]),
}

impl Encode for Message<'_> {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        match *self {
            Message::Call { node, method, args } => {
                let count = u8::try_from(args.len()).map_err(|_| WriteError::TooLong {
                    len: args.len(),
                    most: u8::MAX.into(),
                })?;
                call(0, node, method, &[count], args, sink)
            }
            Message::Set {
                node,
                property,
                value,
            } => call(1, node, property, &[], &[value], sink),
            Message::SimplifyPath { id, path } => {
                put(&[2], sink)?;
                put(&id.to_le_bytes(), sink)?;
                put_name(path.as_bytes(), sink)
            }
            Message::ConfirmPath { path } => {
                put(&[3], sink)?;
                put_name(path.as_bytes(), sink)
            }
            Message::Raw(bytes) => {
                put(&[4], sink)?;
                put(bytes, sink)
            }
        }
    }
}

fn call<S: Sink>(
    command: u8,
    node: NodeRef<'_>,
    name: Name<'_>,
    count: &[u8],
    args: &[Arg<'_>],
    sink: &mut S,
) -> Result<(), WriteError<S::Error>> {
    let id = match node {
        NodeRef::Id(id) => id & !PATH_BIT,
        NodeRef::Path(_) => {
            let mut measure = Measure::new();
            values(args, &mut measure).map_err(measured)?;
            let args = count.len() + measure.len() as usize;
            word(5 + name.as_bytes().len() + 1 + args)? | PATH_BIT
        }
    };
    put(&[command], sink)?;
    put(&id.to_le_bytes(), sink)?;
    put_name(name.as_bytes(), sink)?;
    put(count, sink)?;
    values(args, sink)?;
    match node {
        NodeRef::Path(path) => put_name(path.as_bytes(), sink),
        NodeRef::Id(_) => Ok(()),
    }
}

fn values<S: Sink>(args: &[Arg<'_>], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    args.iter()
        .try_for_each(|arg| arg.write_ordinary(sink, Target::GODOT_3))
}
