//! [`Request`]: what the editor asks of a game.

use alloc::vec::Vec;
use core::fmt;

use gdvar_view::Kind;
use gdvar_write::Writer;

use super::{names, version::GameVersion};
use crate::{arg::Arg, encode::WriteError};

/// What the editor asks of a game. The answers are [`Content`](super::Content)s.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Request<'a> {
    /// Asks for the scene tree. The answer is [`Content::Tree`](super::Content::Tree).
    Tree,
    /// Asks for an object with its properties. The answer is
    /// [`Content::Object`](super::Content::Object).
    Inspect {
        /// The number of the instance, from the tree or a value.
        id: i64,
    },
    /// Sets a property. The game does not answer.
    Set {
        /// The number of the instance.
        id: i64,
        /// The name. `Members/speed`, as in an inspected object, is allowed too.
        property: &'a str,
        /// The new value.
        value: Arg<'a>,
    },
    /// Stops the game. The answer is [`Content::Break`](super::Content::Break).
    Break,
    /// Continues the game. The answer is [`Content::Resumed`](super::Content::Resumed).
    Continue,
    /// Continues to the next line, which may be in a called function.
    Step,
    /// Continues to the next line of this function.
    Next,
    /// Continues to the end of this function. Godot 4 only.
    Out,
    /// Asks for the running functions. The answer is [`Content::Stack`](super::Content::Stack).
    Stack,
    /// Asks for the variables of a function. The answer is
    /// [`Content::VariableCount`](super::Content::VariableCount), then
    /// [`Content::Variable`](super::Content::Variable)s.
    Variables {
        /// The position in the stack, where 0 is the innermost function.
        level: u32,
    },
    /// Switches a breakpoint on or off. The game does not answer.
    Breakpoint {
        /// The path of the script: `res://main.gd`.
        file: &'a str,
        /// The line, from 1.
        line: u32,
        /// Whether the breakpoint is on.
        is_on: bool,
    },
    /// Computes an expression where the game has stopped. The answer is
    /// [`Content::Variable`](super::Content::Variable) with the scope `Evaluation`. Godot 4 only.
    Evaluate {
        /// The expression, as for the engine's `Expression`.
        expression: &'a str,
        /// The position in the stack, where 0 is the innermost function.
        level: u32,
    },
    /// Switches the profiler on or off. While it is on, the game sends
    /// [`Content::Profile`](super::Content::Profile).
    Profile {
        /// Whether the profiler is on.
        is_on: bool,
        /// The highest number of functions that the game reports for each frame.
        functions: u16,
    },
    /// Any other message. It is sent unchecked.
    Other {
        /// The engine's name of the message.
        name: &'a str,
        /// The arguments, in the order that the engine expects.
        args: &'a [Arg<'a>],
    },
}

/// Why a request cannot be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RequestError {
    /// The game has not sent a message yet, so its engine is not known.
    NoGame,
    /// The engine has no such request.
    Unsupported,
    /// The game has to be in a break.
    NotInBreak,
    /// The game is in a break, but no script is running. The engines report errors then, and 4.6.3
    /// leaves the break after [`Request::Evaluate`].
    NoStack,
    /// The game is in a break, and reads this request only while it runs.
    InBreak,
    /// A value or text is longer than the format can hold.
    TooLong,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestError::NoGame => {
                "the game has not said anything yet, so its engine is not known"
            }
            RequestError::Unsupported => {
                "the game's engine has no such request: Godot 3 has neither `evaluate` nor `out`"
            }
            RequestError::NotInBreak => "the game is running; break it first",
            RequestError::NoStack => {
                "no script is running in this break; set a breakpoint in a function"
            }
            RequestError::InBreak => "the game is in a break; continue it first",
            RequestError::TooLong => "the value is longer than a message can be",
        })
    }
}

impl core::error::Error for RequestError {}

impl<'a> Request<'a> {
    /// Returns `true` if the game answers this request only while it is in a break.
    pub(super) const fn needs_break(self) -> bool {
        matches!(
            self,
            Request::Continue
                | Request::Step
                | Request::Next
                | Request::Out
                | Request::Stack
                | Request::Variables { .. }
                | Request::Evaluate { .. }
        )
    }

    /// Returns `true` if the request needs a running function.
    pub(super) const fn needs_stack(self) -> bool {
        matches!(self, Request::Variables { .. } | Request::Evaluate { .. })
    }

    /// Appends the request to `out`, with its length before it.
    pub(super) fn write(
        self,
        version: GameVersion,
        thread: i64,
        out: &mut Vec<u8>,
    ) -> Result<(), RequestError> {
        let names = names::requests(version);
        let functions = Arg::Int(match self {
            Request::Profile { functions, .. } => functions.into(),
            _ => 0,
        });
        let mut args: [Arg<'a>; 3] = [Arg::Nil; 3];
        let mut put = |values: &[Arg<'a>]| {
            args[..values.len()].copy_from_slice(values);
            values.len()
        };
        let (name, len) = match self {
            Request::Tree => (names.tree, 0),
            Request::Inspect { id } => (names.inspect, put(&[Arg::Int(id)])),
            Request::Set {
                id,
                property,
                value,
            } => (names.set, put(&[Arg::Int(id), Arg::Text(property), value])),
            Request::Break => ("break", 0),
            Request::Continue => ("continue", 0),
            Request::Step => ("step", 0),
            Request::Next => ("next", 0),
            Request::Out => (names.out.ok_or(RequestError::Unsupported)?, 0),
            Request::Stack => ("get_stack_dump", 0),
            Request::Variables { level } => {
                ("get_stack_frame_vars", put(&[Arg::Int(level.into())]))
            }
            Request::Breakpoint { file, line, is_on } => (
                "breakpoint",
                put(&[Arg::Text(file), Arg::Int(line.into()), Arg::Bool(is_on)]),
            ),
            Request::Evaluate { expression, level } => (
                names.evaluate.ok_or(RequestError::Unsupported)?,
                put(&[Arg::Text(expression), Arg::Int(level.into())]),
            ),
            Request::Profile { is_on: true, .. } if version.is_godot3() => {
                (names.profile_on, put(&[functions]))
            }
            Request::Profile { is_on: false, .. } if version.is_godot3() => (names.profile_off, 0),
            // Godot 4 takes the number of functions in an Array of options.
            Request::Profile { is_on, .. } => (names.profile_on, put(&[Arg::Bool(is_on)])),
            Request::Other { name, args } => {
                return record(version, thread, name, args, None, out);
            }
        };
        let options = match self {
            Request::Profile { is_on: true, .. } if !version.is_godot3() => Some(functions),
            _ => None,
        };
        record(version, thread, name, &args[..len], options, out)
    }
}

/// Writes a record with its length. Since Godot 4.2 it is an Array of name, thread and an Array of
/// arguments; in Godot 4.0 and 4.1 the thread is missing; in Godot 3 it is one Array of the name
/// and the arguments. If there are `options`, the last argument is an Array with `options` as its
/// only element.
fn record(
    version: GameVersion,
    thread: i64,
    name: &str,
    args: &[Arg<'_>],
    options: Option<Arg<'_>>,
    out: &mut Vec<u8>,
) -> Result<(), RequestError> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let written = values(version, thread, name, args, options, out);
    let len = u32::try_from(out.len() - start - 4).ok();
    let (Ok(()), Some(len)) = (written, len) else {
        out.truncate(start);
        return Err(RequestError::TooLong);
    };
    out[start..start + 4].copy_from_slice(&len.to_le_bytes());
    Ok(())
}

fn values(
    version: GameVersion,
    thread: i64,
    name: &str,
    args: &[Arg<'_>],
    options: Option<Arg<'_>>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError<core::convert::Infallible>> {
    let target = version.target();
    let count = args.len() + usize::from(options.is_some());
    // Writes the header of an Array of `len` elements.
    let array = |len: usize, out: &mut Vec<u8>| {
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        let array = version.dialect().type_id(Kind::Array);
        let array = array.map_or(0, |id| u32::from(id.0));
        out.extend_from_slice(&array.to_le_bytes());
        out.extend_from_slice(&len.to_le_bytes());
    };
    match version {
        GameVersion::Godot3 => array(1 + count, out),
        GameVersion::Godot4WithoutThreads => array(2, out),
        GameVersion::Godot4 => array(3, out),
    }
    Writer::new(&mut *out, target).string(name)?;
    if version == GameVersion::Godot4 {
        Writer::new(&mut *out, target).int(thread)?;
    }
    if version != GameVersion::Godot3 {
        array(count, out);
    }
    for arg in args {
        arg.write_ordinary(out, target)?;
    }
    if let Some(option) = options {
        array(1, out);
        option.write_ordinary(out, target)?;
    }
    Ok(())
}
