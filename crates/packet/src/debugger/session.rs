//! [`Session`]: the editor's end of a connection to a game.

use alloc::vec::Vec;

use gdvar_view::{Dialect, Document};

use super::{
    Message,
    args::Args,
    content::{Content, GameMessage},
    names::{self, MessageName},
    parse,
    request::{Request, RequestError},
    splitter::{Piece, Splitter},
    version::GameVersion,
};
use crate::error::{Error, PacketErrorKind};

/// The number of the main thread.
const MAIN: i64 = 1;

/// How much memory a game can make a session use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DebuggerLimits {
    /// The longest message in bytes. The engines' buffers hold 8 MiB.
    pub message_len: usize,
}

impl DebuggerLimits {
    /// Sets the longest message, in bytes.
    #[must_use]
    pub const fn with_message_len(self, message_len: usize) -> DebuggerLimits {
        DebuggerLimits { message_len }
    }
}

impl Default for DebuggerLimits {
    fn default() -> DebuggerLimits {
        DebuggerLimits {
            message_len: 16 << 20,
        }
    }
}

/// The editor's end of a connection to a game that was started with `--remote-debug`.
///
/// A session does no input or output: give it the bytes that arrive ([`Session::receive`]), and send
/// the bytes that [`Session::request`] writes. The first message shows the engine. The session
/// remembers whether the game is in a break, and refuses requests that the engine would not answer
/// then.
///
/// Memory: the bytes of an incomplete message, at most [`DebuggerLimits::message_len`]. While a
/// message is reported, its lists take about ten times the length of the message.
///
/// ```
/// use gdvar_packet::debugger::{Content, GameVersion, Request, Session};
///
/// // The first message of a game of Godot 3 that prints "hi".
/// let bytes = b"\x10\0\0\0\x04\0\0\0\x06\0\0\0output\0\0\x08\0\0\0\x02\0\0\0\x01\0\0\0\
/// \x1c\0\0\0\x13\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hi\0\0\x02\0\0\0\0\0\0\0";
/// let mut session = Session::new();
/// let mut printed = String::new();
/// session.receive(bytes, |message| {
///     if let Content::Output(texts) = &message.content {
///         printed += texts[0].text;
///     }
/// })?;
/// assert_eq!((printed.as_str(), session.version()), ("hi", Some(GameVersion::Godot3)));
///
/// let mut out = Vec::new();
/// session.request(Request::Tree, &mut out)?;
/// assert_eq!(out.len(), 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    splitter: Splitter,
    limits: DebuggerLimits,
    failed: Option<Error>,
    stop: Option<Stop>,
}

/// The break that the game is in: which thread stopped, and whether a script was running.
#[derive(Clone, Copy, Debug)]
struct Stop {
    thread: i64,
    has_stack: Option<bool>,
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// Creates a session for a game that connects now.
    #[must_use]
    pub fn new() -> Session {
        Session {
            splitter: Splitter::new(),
            limits: DebuggerLimits::default(),
            failed: None,
            stop: None,
        }
    }

    /// Replaces the limits of the session.
    #[must_use]
    pub fn with_limits(self, limits: DebuggerLimits) -> Session {
        Session { limits, ..self }
    }

    /// The layout of the game's messages. `None` before the first one.
    #[must_use]
    pub const fn version(&self) -> Option<GameVersion> {
        self.splitter.version
    }

    /// Returns `true` while the game is in a break.
    #[must_use]
    pub const fn is_in_break(&self) -> bool {
        self.stop.is_some()
    }

    /// The number of bytes that are held until the rest of their message arrives.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.splitter.buffer.len()
    }

    /// Takes bytes from the game, in pieces of any size, and calls `each` for every message that is
    /// complete. The time is linear in the number of bytes.
    ///
    /// A message that cannot be read is reported as [`Content::Damaged`], and the next one follows.
    /// Godot 3 sends all variables of a function in one message; `each` is then called once for
    /// each variable, as for Godot 4.
    ///
    /// # Errors
    /// Fails if the stream cannot be followed any further: a length is above the limits, or the
    /// stream is not from a game. The offset of the error is the offset in the stream. Every later
    /// call fails with the same error.
    pub fn receive(
        &mut self,
        bytes: &[u8],
        mut each: impl FnMut(&GameMessage<'_>),
    ) -> Result<(), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.splitter.buffer.extend_from_slice(bytes);
        let result = self.messages(&mut each);
        self.splitter.forget_done();
        if let Err(error) = result {
            self.failed = Some(error);
            self.splitter.buffer = Vec::new();
        }
        result
    }

    fn messages(&mut self, each: &mut impl FnMut(&GameMessage<'_>)) -> Result<(), Error> {
        while let Some(piece) = self.splitter.next(self.limits)? {
            let Session { splitter, stop, .. } = self;
            let mut each = |message: &GameMessage<'_>| {
                follow(stop, message);
                each(message);
            };
            let version = splitter.version.unwrap_or(GameVersion::Godot4);
            match piece {
                Piece::Damaged(error) => each(&damaged(error)),
                Piece::Record(range) => {
                    let start = splitter.start.saturating_add(range.start);
                    match Message::parse(&splitter.buffer[range]) {
                        Err(error) => each(&damaged(error.at(start))),
                        Ok(message) => {
                            let version = match message.thread() {
                                Some(_) => GameVersion::Godot4,
                                None => GameVersion::Godot4WithoutThreads,
                            };
                            splitter.version = Some(version);
                            let args = Args::of_array(message.args());
                            give(version, message.name(), message.thread(), args, start, each);
                        }
                    }
                }
                Piece::Sequence { name, args, len } => {
                    let start = splitter.start.saturating_add(name.start);
                    let root = Document::new(&splitter.buffer[name], Dialect::GODOT_3).root();
                    match root.ok().and_then(gdvar_view::VariantRef::as_str) {
                        Some(name) => {
                            let args = Args::of_records(&splitter.buffer[args], len);
                            give(version, name, None, args, start, each);
                        }
                        None => {
                            let kind = PacketErrorKind::BadDebuggerMessage;
                            each(&damaged(Error::new(start, kind)));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends the bytes of a request to `out`.
    ///
    /// # Errors
    /// Fails if the engine is not known yet, has no such request, or would not answer the request
    /// now, or if a value is too long for a message. `out` is unchanged then.
    pub fn request(&self, request: Request<'_>, out: &mut Vec<u8>) -> Result<(), RequestError> {
        let version = self.version().ok_or(RequestError::NoGame)?;
        let thread = match self.stop {
            None if request.needs_break() => return Err(RequestError::NotInBreak),
            Some(stop) if request.needs_stack() && stop.has_stack == Some(false) => {
                return Err(RequestError::NoStack);
            }
            // In a break, Godot 3 takes this for another message, and forgets it.
            Some(_) if matches!(request, Request::Profile { .. }) => {
                return Err(RequestError::InBreak);
            }
            // A second break would end the first.
            Some(_) if matches!(request, Request::Break) => return Err(RequestError::InBreak),
            Some(stop) if request.needs_break() => stop.thread,
            _ => MAIN,
        };
        request.write(version, thread, out)
    }
}

/// Updates `stop` after a message: whether the game is in a break, and whether a script was
/// running.
fn follow(stop: &mut Option<Stop>, message: &GameMessage<'_>) {
    match &message.content {
        Content::Break { has_stack, .. } => {
            *stop = Some(Stop {
                thread: message.thread.unwrap_or(MAIN),
                has_stack: *has_stack,
            });
        }
        Content::Resumed => *stop = None,
        Content::Stack(frames) => {
            if let Some(stop) = stop {
                stop.has_stack = Some(!frames.is_empty());
            }
        }
        _ => {}
    }
}

fn damaged(error: Error) -> GameMessage<'static> {
    GameMessage {
        name: "",
        thread: None,
        args: Args::empty(),
        content: Content::Damaged(error),
    }
}

/// Parses the arguments of a message and passes the typed message to `each`.
fn give(
    version: GameVersion,
    name: &str,
    thread: Option<i64>,
    args: Args<'_>,
    start: usize,
    mut each: impl FnMut(&GameMessage<'_>),
) {
    let mut one = |content| {
        each(&GameMessage {
            name,
            thread,
            args,
            content,
        });
    };
    let content = match names::message(version, name) {
        None => Ok(Content::Other),
        Some(MessageName::VariableCount) if version.is_godot3() => {
            match parse::variables3(args, start) {
                Ok(variables) => {
                    one(Content::VariableCount(variables.len()));
                    variables.into_iter().map(Content::Variable).for_each(one);
                    return;
                }
                Err(error) => Err(error),
            }
        }
        Some(message) => parse::content(message, version, args, start),
    };
    one(content.unwrap_or_else(Content::Damaged));
}
