//! The messages between a Godot 4 game and the editor: the stream of `--remote-debug`.
//!
//! The stream consists of records: a little-endian length of four bytes, and an Array of a name,
//! the number of a thread (since Godot 4.2) and the arguments
//! (`core/debugger/remote_debugger_peer.cpp`). [`frames`](gdvar_view::frames) splits a stream into
//! records. The layout is in [`docs/PACKETS.md` §5].
//!
//! [`Session`] (feature `alloc`) is the editor's end of a connection to a game of Godot 4 or Godot
//! 3: it turns the bytes of the game into typed [messages](GameMessage), and [requests](Request)
//! into bytes. It does no input or output itself. The layouts of its messages are in
//! [`docs/DEBUGGER.md`].
//!
//! [`docs/PACKETS.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#5-others
//! [`docs/DEBUGGER.md`]: https://github.com/gdvar/gdvar/blob/main/docs/DEBUGGER.md

#[cfg(feature = "alloc")]
mod args;
#[cfg(feature = "alloc")]
mod content;
#[cfg(feature = "alloc")]
mod monitors;
#[cfg(feature = "alloc")]
mod names;
#[cfg(feature = "alloc")]
mod parse;
#[cfg(feature = "alloc")]
mod request;
#[cfg(feature = "alloc")]
mod session;
#[cfg(feature = "alloc")]
mod splitter;
#[cfg(feature = "alloc")]
mod version;

use gdvar_view::{ArrayRef, Dialect, Document, VariantRef};

#[cfg(feature = "alloc")]
pub use self::{
    args::{ArgIter, Args},
    content::{
        Content, FunctionTime, GameError, GameMessage, ObjectInfo, OutputKind, OutputText,
        ProfileFrame, PropertyInfo, RemoteNode, StackFrame, StackVariable, VariableScope,
    },
    monitors::monitor_names,
    request::{Request, RequestError},
    session::{DebuggerLimits, Session},
    version::GameVersion,
};
use crate::error::{Error, PacketErrorKind};

/// One message between a game and the editor.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    name: &'a str,
    thread: Option<i64>,
    args: ArrayRef<'a>,
}

impl<'a> Message<'a> {
    /// Reads one record, without the length before it, and validates all of it.
    ///
    /// # Errors
    /// Fails if the record is not one value, or not an Array of two or three elements: name,
    /// optional thread, arguments.
    pub fn parse(bytes: &'a [u8]) -> Result<Message<'a>, Error> {
        let document = Document::new(bytes, Dialect::GODOT_4);
        let at = |error| Error::value(0, error);
        document.validate().map_err(at)?;
        let root = document.root().map_err(at)?;
        let bad = Error::new(0, PacketErrorKind::BadDebuggerMessage);
        let array = root.as_array().ok_or(bad)?;
        let mut items = array.iter();
        let mut next = || items.try_next().map_err(at)?.ok_or(bad);
        let name = next()?.as_str().ok_or(bad)?;
        let (thread, args) = match array.len() {
            2 => (None, next()?),
            3 => (Some(next()?.as_i64().ok_or(bad)?), next()?),
            _ => return Err(bad),
        };
        let args = args.as_array().ok_or(bad)?;
        Ok(Message { name, thread, args })
    }

    /// The name, such as `output` or `scene:scene_tree`.
    #[must_use]
    pub const fn name(self) -> &'a str {
        self.name
    }

    /// The sending or receiving thread, where 1 is the main thread. `None` before Godot 4.2.
    #[must_use]
    pub const fn thread(self) -> Option<i64> {
        self.thread
    }

    /// The arguments. [`Message::fields`] gives their names, too.
    #[must_use]
    pub const fn args(self) -> ArrayRef<'a> {
        self.args
    }

    /// The arguments with their names. The name is `""` if it is unknown: see [`Fields::of`].
    pub fn fields(self) -> impl Iterator<Item = Result<(&'static str, VariantRef<'a>), Error>> {
        let mut names = Fields::of(self.name).names();
        self.args.iter().map(move |value| {
            let value = value.map_err(|error| Error::value(0, error))?;
            Ok((names.next().unwrap_or_default(), value))
        })
    }
}

/// The names of a message's arguments: a fixed start, then a group that repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields {
    /// The names of the first arguments.
    pub first: &'static [&'static str],
    /// The names that repeat for the remaining arguments.
    pub repeated: &'static [&'static str],
}

impl Fields {
    /// The names of the arguments of `message` in Godot 4 (`core/debugger/debugger_marshalls.cpp`,
    /// `core/debugger/remote_debugger.cpp`, `scene/debugger/scene_debugger.cpp`). Empty for an
    /// unknown message.
    #[must_use]
    pub const fn of(message: &str) -> Fields {
        let (first, repeated): (&[&str], &[&str]) = match message.as_bytes() {
            b"set_pid" => (&["pid"], &[]),
            b"output" => (&["texts", "kinds"], &[]),
            b"error" => (
                &[
                    "hour",
                    "minute",
                    "second",
                    "millisecond",
                    "source_file",
                    "source_function",
                    "source_line",
                    "error",
                    "description",
                    "is_warning",
                    "callstack_size",
                ],
                &["file", "function", "line"],
            ),
            b"stack_dump" => (&["size"], &["file", "line", "function"]),
            b"scene:scene_tree" => (
                &[],
                &["child_count", "name", "class", "id", "scene", "view_flags"],
            ),
            _ => (&[], &[]),
        };
        Fields { first, repeated }
    }

    /// The names in order. Infinite if some of them repeat.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let repeated = self.repeated.iter().cycle();
        self.first.iter().chain(repeated).copied()
    }
}
