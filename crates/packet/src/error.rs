//! Errors in packets, and their places.

use core::fmt;

/// Why a packet was refused, and at which of its bytes.
///
/// It is small and `Copy`; the message is made when it is displayed.
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

    /// A value that the reader of values refused; it counts from `start`.
    #[cold]
    pub(crate) fn value(start: usize, error: gdvar_view::Error) -> Error {
        let offset = start.saturating_add(error.offset());
        Error::new(offset, PacketErrorKind::Value(error.kind()))
    }

    /// The first byte of the field at fault, counted from the start of the bytes that were given.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The kind of error.
    #[must_use]
    pub const fn kind(self) -> PacketErrorKind {
        self.kind
    }

    /// Returns `true` if the bytes end too early: a receiver of a stream may wait for more.
    #[must_use]
    pub const fn is_truncated(self) -> bool {
        matches!(
            self.kind,
            PacketErrorKind::Truncated { .. }
                | PacketErrorKind::Value(gdvar_view::ErrorKind::Truncated { .. })
        )
    }

    /// This error in bytes where these begin at `start`.
    #[must_use]
    pub const fn at(self, start: usize) -> Error {
        Error {
            offset: self.offset.saturating_add(start),
            kind: self.kind,
        }
    }
}

/// The kinds of errors in a packet or its carrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PacketErrorKind {
    /// The bytes end before the field does.
    Truncated {
        /// The number of bytes that are missing at least.
        missing: u32,
    },
    /// A value in the packet cannot be read.
    Value(gdvar_view::ErrorKind),
    /// The engine has no command with that number.
    UnknownCommand {
        /// The number.
        number: u8,
    },
    /// The size of a node id is given as 3, which stands for nothing.
    BadNodeIdSize,
    /// The path of a call would begin outside the packet, or before the arguments.
    BadPathOffset {
        /// The place where it would begin.
        offset: u32,
    },
    /// A text does not end with a NUL.
    MissingNul,
    /// A length that is more than what is left of the packet, or than what its field may be.
    BadLength {
        /// The length.
        length: u32,
    },
    /// Bytes behind the end of the packet's contents.
    TrailingBytes {
        /// The number that was announced.
        count: u32,
    },
    /// The datagram is compressed, and was not unpacked.
    Compressed,
    /// No compression makes sense of the datagram.
    NotUnpacked,
    /// Several compressions read the datagram, and none of its connection decided so far which one it is.
    #[cfg(feature = "alloc")]
    Undecided(crate::enet::Candidates),
    /// The datagram is a record of DTLS, which is encrypted.
    Dtls,
    /// The pieces of a packet contradict each other.
    BadFragment,
    /// A WebSocket frame that the protocol forbids, or that needs an extension.
    BadFrame,
    /// More is in flight than the limits allow.
    OverLimit,
    /// A message of the debugger is not an array of a name, a thread and arguments.
    BadDebuggerMessage,
    /// A packet is longer behind an edit than its carrier can hand on in the place of the old one.
    TooLong {
        /// The number of bytes that it would have.
        len: u32,
        /// The most bytes that it may have: [`Item::max_len`](crate::Item::max_len).
        most: u32,
    },
    /// A rule of a [`PacketEditor`](crate::PacketEditor) may be for the packet or not: its filter asks for what nobody
    /// can tell.
    Unclear {
        /// `true` if the rule hides or drops something: the packet should not be handed on.
        hides: bool,
    },
}

impl PacketErrorKind {
    /// The name, without figures. Stable, for machines.
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
            PacketErrorKind::TooLong { .. } => "TooLong",
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
            PacketErrorKind::TooLong { len, most } => write!(
                f,
                "the edit makes {len} bytes of the packet, and its carrier has room for {most}"
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
