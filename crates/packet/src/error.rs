//! [`Error`]: why a packet was refused, and at which byte.

use core::fmt;

/// Why a packet was refused, and at which byte.
///
/// An error is `Copy` and has at most 24 bytes. The message is made when it is displayed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    offset: usize,
    kind: PacketErrorKind,
}

const _: () = assert!(size_of::<Error>() <= 24);

impl Error {
    #[cold]
    pub(crate) const fn new(offset: usize, kind: PacketErrorKind) -> Error {
        Error { offset, kind }
    }

    #[cold]
    pub(crate) fn truncated(offset: usize, missing: usize) -> Error {
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Error::new(offset, PacketErrorKind::Truncated { missing })
    }

    /// Wraps an error of the value that begins at `start`.
    #[cold]
    pub(crate) fn value(start: usize, error: gdvar_view::Error) -> Error {
        let offset = start.saturating_add(error.offset());
        Error::new(offset, PacketErrorKind::Value(error.kind()))
    }

    /// The offset of the first byte of the faulty field, counted from the start of the bytes that
    /// were parsed.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// What is wrong, without the offset.
    #[must_use]
    pub const fn kind(self) -> PacketErrorKind {
        self.kind
    }

    /// Returns `true` if the bytes end too early. A receiver of a stream may wait for more.
    #[must_use]
    pub const fn is_truncated(self) -> bool {
        matches!(
            self.kind,
            PacketErrorKind::Truncated { .. }
                | PacketErrorKind::Value(gdvar_view::ErrorKind::Truncated { .. })
        )
    }

    /// Returns the same error with `start` added to its offset: for bytes that begin at `start` in
    /// a longer buffer.
    #[must_use]
    pub const fn at(self, start: usize) -> Error {
        Error {
            offset: self.offset.saturating_add(start),
            kind: self.kind,
        }
    }
}

/// What is wrong with a packet or its transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PacketErrorKind {
    /// The bytes end before the field does.
    Truncated {
        /// At least this many bytes are missing.
        missing: u32,
    },
    /// A value in the packet is not valid.
    Value(gdvar_view::ErrorKind),
    /// The engine has no command with this number.
    UnknownCommand {
        /// The unknown number. Numbers above 255 are reported as 255.
        number: u8,
    },
    /// The code for the size of the node id is 3, which has no meaning.
    BadNodeIdSize,
    /// The path of a call begins outside the packet or before the arguments.
    BadPathOffset {
        /// The offset that the packet gives for the path.
        offset: u32,
    },
    /// A name or path does not end with a NUL.
    MissingNul,
    /// A length exceeds the rest of the packet, or what its field may hold.
    BadLength {
        /// The length that the packet gives.
        length: u32,
    },
    /// Bytes follow the end of the packet's contents.
    TrailingBytes {
        /// The number of these bytes.
        count: u32,
    },
    /// The datagram is compressed. [`Unpacker::body`](crate::enet::Unpacker::body) unpacks it.
    Compressed,
    /// No possible compression can unpack the datagram.
    NotUnpacked,
    /// Several compressions can unpack the datagram, and no datagram of its connection has decided
    /// between them yet.
    #[cfg(feature = "alloc")]
    Undecided(crate::compression::Candidates),
    /// The datagram is an encrypted DTLS record.
    Dtls,
    /// A fragment is invalid, or the fragments of a packet contradict each other.
    BadFragment,
    /// The WebSocket frame is forbidden by RFC 6455, or needs an extension.
    BadFrame,
    /// A packet or message is longer than the limits allow:
    /// [`SessionLimits`](crate::SessionLimits), or the `DebuggerLimits` of a debugger session.
    OverLimit,
    /// The debugger's message does not have the layout of its engine. In Godot 4 this is an Array
    /// of a name, an optional thread and arguments. In Godot 3 it is a name, a count and arguments.
    BadDebuggerMessage,
    /// An argument of the debugger's message is missing, or of another type than the engines send.
    BadDebuggerArgument {
        /// The position among the arguments, from 0.
        index: u32,
    },
    /// The stream is not from a game: its first value is neither the Array of Godot 4 nor the
    /// String of Godot 3.
    NotADebuggedGame,
    /// An edit makes the packet longer than its transport can carry in place of the original.
    TooLong {
        /// The length after the edit, in bytes.
        len: u32,
        /// The longest that is possible: [`SessionEvent::max_len`](crate::SessionEvent::max_len).
        most: u32,
    },
    /// The rule of a [`PacketEditor`](crate::PacketEditor) replaces a component of a vector or an
    /// element of a packed array. Only whole values can be replaced.
    PartOfValue,
    /// It cannot be decided whether a rule of a [`PacketEditor`](crate::PacketEditor) applies to
    /// the packet, because its filter asks for something that is not known.
    Unclear {
        /// `true` if the rule hides or drops something. The packet should not be sent on then.
        hides: bool,
    },
}

impl PacketErrorKind {
    /// The stable name of the kind, without its numbers. Programs can rely on it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PacketErrorKind::Truncated { .. } => "Truncated",
            PacketErrorKind::Value(kind) => kind.name(),
            PacketErrorKind::UnknownCommand { .. } => "UnknownCommand",
            PacketErrorKind::BadNodeIdSize => "BadNodeIdSize",
            PacketErrorKind::BadPathOffset { .. } => "BadPathOffset",
            PacketErrorKind::MissingNul => "MissingNul",
            PacketErrorKind::BadLength { .. } => "BadLength",
            PacketErrorKind::TrailingBytes { .. } => "TrailingBytes",
            PacketErrorKind::Compressed => "Compressed",
            PacketErrorKind::NotUnpacked => "NotUnpacked",
            #[cfg(feature = "alloc")]
            PacketErrorKind::Undecided(_) => "Undecided",
            PacketErrorKind::Dtls => "Dtls",
            PacketErrorKind::BadFragment => "BadFragment",
            PacketErrorKind::BadFrame => "BadFrame",
            PacketErrorKind::OverLimit => "OverLimit",
            PacketErrorKind::BadDebuggerMessage => "BadDebuggerMessage",
            PacketErrorKind::BadDebuggerArgument { .. } => "BadDebuggerArgument",
            PacketErrorKind::NotADebuggedGame => "NotADebuggedGame",
            PacketErrorKind::TooLong { .. } => "TooLong",
            PacketErrorKind::PartOfValue => "PartOfValue",
            PacketErrorKind::Unclear { .. } => "Unclear",
        }
    }
}

impl fmt::Display for PacketErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PacketErrorKind::Truncated { missing } => {
                write!(f, "the packet ends too early, at least {missing} more bytes are needed")
            }
            PacketErrorKind::Value(kind) => write!(f, "a value cannot be read: {kind}"),
            PacketErrorKind::UnknownCommand { number } => write!(
                f,
                "there is no command {number}; is it another engine's packet, or no packet of Godot's?"
            ),
            PacketErrorKind::BadNodeIdSize => f.write_str("a node id is of one, two or four bytes, not of size 3"),
            PacketErrorKind::BadPathOffset { offset } => write!(
                f,
                "the path of the node should begin at byte {offset}, which is outside the packet or before the arguments"
            ),
            PacketErrorKind::MissingNul => f.write_str("a name or path does not end with a NUL"),
            PacketErrorKind::BadLength { length } => {
                write!(f, "a length of {length} is more than there is room for")
            }
            PacketErrorKind::TrailingBytes { count } => {
                write!(f, "{count} bytes follow the packet's contents")
            }
            PacketErrorKind::Compressed => {
                f.write_str("the datagram is compressed; unpack it before asking for its commands")
            }
            PacketErrorKind::NotUnpacked => f.write_str(
                "the compression of the connection makes no sense of the datagram; is the feature `compression` off, or is it not ENet?",
            ),
            #[cfg(feature = "alloc")]
            PacketErrorKind::Undecided(candidates) => {
                f.write_str("no datagram of the connection shows how it is compressed; this one may be")?;
                for (n, one) in candidates.iter().enumerate() {
                    write!(f, "{} {}", if n == 0 { "" } else { " or" }, one.name())?;
                }
                Ok(())
            }
            PacketErrorKind::Dtls => f.write_str(
                "the datagram is encrypted with DTLS and cannot be read; switch DTLS off in the game to see its packets",
            ),
            PacketErrorKind::BadFragment => {
                f.write_str("the fragments of a packet contradict each other, or themselves")
            }
            PacketErrorKind::BadFrame => f.write_str(
                "the WebSocket frame is not allowed by RFC 6455 without extensions; was the start of the stream missed?",
            ),
            PacketErrorKind::OverLimit => f.write_str("more is in flight than the limits of the session allow"),
            PacketErrorKind::BadDebuggerMessage => {
                f.write_str("a message of the debugger is an array: name, thread, arguments")
            }
            PacketErrorKind::BadDebuggerArgument { index } => write!(
                f,
                "argument {index} of the debugger's message is missing, or of another type than the engines send"
            ),
            PacketErrorKind::NotADebuggedGame => f.write_str(
                "the first value is neither Godot 4's array nor Godot 3's text; was the program started with --remote-debug?",
            ),
            PacketErrorKind::TooLong { len, most } => write!(
                f,
                "the edit makes {len} bytes of the packet, and its carrier has room for {most}"
            ),
            PacketErrorKind::PartOfValue => f.write_str(
                "the rule names a component of a vector, or an element of a packed array; only the whole value can be replaced: leave out the last step of the path",
            ),
            PacketErrorKind::Unclear { .. } => f.write_str(
                "a rule may be for it: the packet cannot be read, or the name that the rule asks for is not known",
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at byte {:#x}: {}",
            self.kind.name(),
            self.offset,
            self.kind
        )
    }
}

gdvar_view::debug_is_display!(Error);

impl core::error::Error for Error {}
