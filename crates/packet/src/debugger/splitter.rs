//! [`Splitter`]: finds the messages in the bytes of a game.

use alloc::vec::Vec;
use core::ops::Range;

use gdvar_view::{Dialect, Document};

use super::{session::DebuggerLimits, version::GameVersion};
use crate::error::{Error, PacketErrorKind};

/// The size of the length before a record, in bytes.
const PREFIX: usize = 4;
/// The shortest record: a prefix, and a value without contents.
const SHORTEST: usize = 8;
/// The type number of an Array in Godot 4, and of a String in Godot 3 and Godot 4.
const ARRAY: u8 = 28;
const STRING: u8 = 4;

/// The kind of the record that a game of Godot 3 must send next.
#[derive(Clone, Debug)]
enum Awaited {
    Name,
    Count {
        name: Range<usize>,
    },
    Args {
        name: Range<usize>,
        start: usize,
        len: usize,
        left: usize,
    },
}

/// A part of the buffer that is complete.
#[derive(Debug)]
pub(super) enum Piece {
    /// A record of Godot 4, without its length.
    Record(Range<usize>),
    /// A message of Godot 3: the value of its name, and the records of its arguments.
    Sequence {
        name: Range<usize>,
        args: Range<usize>,
        len: usize,
    },
    /// A record that is invalid, or that Godot 3 does not send at this point. It is skipped.
    Damaged(Error),
}

/// Collects bytes until messages are complete. The time is linear in the number of bytes.
#[derive(Clone, Debug)]
pub(super) struct Splitter {
    pub(super) buffer: Vec<u8>,
    /// The offset of the buffer in the stream.
    pub(super) start: usize,
    /// The offset in the buffer up to which records were split.
    seen: usize,
    /// The offset in the buffer up to which messages were returned.
    done: usize,
    awaited: Awaited,
    pub(super) version: Option<GameVersion>,
}

impl Splitter {
    pub(super) const fn new() -> Splitter {
        Splitter {
            buffer: Vec::new(),
            start: 0,
            seen: 0,
            done: 0,
            awaited: Awaited::Name,
            version: None,
        }
    }

    /// Drops the messages that were returned.
    pub(super) fn forget_done(&mut self) {
        self.buffer.drain(..self.done);
        self.start = self.start.saturating_add(self.done);
        self.seen -= self.done;
        let done = core::mem::take(&mut self.done);
        let back = |range: &mut Range<usize>| *range = range.start - done..range.end - done;
        match &mut self.awaited {
            Awaited::Name => {}
            Awaited::Count { name } => back(name),
            Awaited::Args { name, start, .. } => {
                back(name);
                *start -= done;
            }
        }
    }

    fn error(&self, at: usize, kind: PacketErrorKind) -> Error {
        Error::new(at, kind).at(self.start)
    }

    /// Returns the next complete message, or `None` if more bytes are needed.
    ///
    /// # Errors
    /// Fails if the stream cannot be followed any further: a length or a count is above the limits,
    /// or the first value is not from a game.
    pub(super) fn next(&mut self, limits: DebuggerLimits) -> Result<Option<Piece>, Error> {
        loop {
            let at = self.seen;
            let Some(prefix) = self.buffer.get(at..).and_then(<[u8]>::first_chunk) else {
                return Ok(None);
            };
            let len = u32::from_le_bytes(*prefix) as usize;
            // In Godot 3 the limit counts all records of a message together.
            if (at - self.done).saturating_add(len) > limits.message_len {
                // The first words of another protocol, such as "GET ", are huge lengths.
                let kind = match self.version {
                    Some(_) => PacketErrorKind::OverLimit,
                    None => PacketErrorKind::NotADebuggedGame,
                };
                return Err(self.error(at, kind));
            }
            let value = at + PREFIX..at + PREFIX + len;
            // The first byte of the value shows the engine. No need to wait for the rest of a long
            // record.
            if self.version.is_none() && len >= PREFIX {
                let Some(&first) = self.buffer.get(value.start) else {
                    return Ok(None);
                };
                self.version = Some(match first {
                    ARRAY => GameVersion::Godot4,
                    STRING => GameVersion::Godot3,
                    _ => return Err(self.error(value.start, PacketErrorKind::NotADebuggedGame)),
                });
            }
            if value.end > self.buffer.len() {
                return Ok(None);
            }
            self.seen = value.end;
            if self.version != Some(GameVersion::Godot3) {
                self.done = value.end;
                return Ok(Some(Piece::Record(value)));
            }
            if let Some(piece) = self.record_of_godot3(value, limits)? {
                return Ok(Some(piece));
            }
        }
    }

    fn record_of_godot3(
        &mut self,
        value: Range<usize>,
        limits: DebuggerLimits,
    ) -> Result<Option<Piece>, Error> {
        let bytes = &self.buffer[value.clone()];
        let document = Document::new(bytes, Dialect::GODOT_3);
        let root = match document.validate().and_then(|_| document.root()) {
            Ok(root) => root,
            Err(error) => return Ok(Some(self.skip(Error::value(value.start, error)))),
        };
        let awaited = core::mem::replace(&mut self.awaited, Awaited::Name);
        self.awaited = match awaited {
            Awaited::Name if root.as_str().is_some() => Awaited::Count { name: value },
            Awaited::Count { name } => {
                let count = root.as_i64().and_then(|count| usize::try_from(count).ok());
                let Some(len) = count else {
                    let kind = PacketErrorKind::BadDebuggerMessage;
                    return Ok(Some(self.skip(Error::new(value.start, kind))));
                };
                if len > limits.message_len / SHORTEST {
                    return Err(self.error(value.start, PacketErrorKind::OverLimit));
                }
                let start = value.end;
                Awaited::Args {
                    name,
                    start,
                    len,
                    left: len,
                }
            }
            Awaited::Args {
                name,
                start,
                len,
                left,
            } => Awaited::Args {
                name,
                start,
                len,
                left: left - 1,
            },
            Awaited::Name => {
                let kind = PacketErrorKind::BadDebuggerMessage;
                return Ok(Some(self.skip(Error::new(value.start, kind))));
            }
        };
        let Awaited::Args {
            name,
            start,
            len,
            left: 0,
        } = &self.awaited
        else {
            return Ok(None);
        };
        let piece = Piece::Sequence {
            name: name.clone(),
            args: *start..self.seen,
            len: *len,
        };
        self.awaited = Awaited::Name;
        self.done = self.seen;
        Ok(Some(piece))
    }

    /// Skips everything that was read so far, and waits for the name of a message.
    fn skip(&mut self, error: Error) -> Piece {
        self.awaited = Awaited::Name;
        self.done = self.seen;
        Piece::Damaged(error.at(self.start))
    }
}
