//! Parses the arguments of messages.

use alloc::vec::Vec;

use gdvar_view::VariantRef;

use super::{
    args::{ArgIter, Args},
    content::{
        Content, FunctionTime, GameError, ObjectInfo, OutputKind, OutputText, ProfileFrame,
        PropertyInfo, RemoteNode, StackFrame, StackVariable, VariableScope,
    },
    names::MessageName,
    version::GameVersion,
};
use crate::error::{Error, PacketErrorKind};

/// `PROPERTY_USAGE_CATEGORY` and `PROPERTY_USAGE_GROUP`: 128 and 64 in Godot 4, 256 and 128 in
/// Godot 3.
const HEADINGS_4: i64 = 128 | 64;
const HEADINGS_3: i64 = 256 | 128;

/// Reads the arguments of a message one after the other.
struct Arguments<'a> {
    rest: ArgIter<'a>,
    index: u32,
    start: usize,
}

impl<'a> Arguments<'a> {
    fn new(args: Args<'a>, start: usize) -> Arguments<'a> {
        Arguments {
            rest: args.iter(),
            index: 0,
            start,
        }
    }

    fn take<T>(&mut self, read: impl FnOnce(VariantRef<'a>) -> Option<T>) -> Result<T, Error> {
        let value = self.rest.next().and_then(read);
        let error = PacketErrorKind::BadDebuggerArgument { index: self.index };
        self.index += 1;
        value.ok_or(Error::new(self.start, error))
    }

    fn any(&mut self) -> Result<VariantRef<'a>, Error> {
        self.take(Some)
    }

    fn text(&mut self) -> Result<&'a str, Error> {
        self.take(VariantRef::as_str)
    }

    fn int(&mut self) -> Result<i64, Error> {
        self.take(VariantRef::as_i64)
    }

    fn bool(&mut self) -> Result<bool, Error> {
        self.take(VariantRef::as_bool)
    }

    fn number(&mut self) -> Result<f64, Error> {
        self.take(VariantRef::as_number)
    }

    fn is_done(&self) -> bool {
        self.rest.clone().next().is_none()
    }

    /// Reads how many arguments follow, and returns the number of items, which have `group`
    /// arguments each. The number needs no limit: reading the items fails where the arguments end.
    fn count(&mut self, group: i64) -> Result<i64, Error> {
        self.take(|value| value.as_i64().filter(|count| *count >= 0))
            .map(|count| count / group)
    }

    /// Reads the `frames` stack frames of an error. Each consists of file, function and line, in
    /// this order.
    fn error_stack(&mut self, frames: i64) -> Result<Vec<StackFrame<'a>>, Error> {
        let mut stack = Vec::new();
        for _ in 0..frames {
            let (file, function) = (self.text()?, self.text()?);
            let line = self.int()?;
            stack.push(StackFrame {
                file,
                line,
                function,
            });
        }
        Ok(stack)
    }
}

fn elements<'a>(value: VariantRef<'a>) -> Option<Args<'a>> {
    value.as_array().map(Args::of_array)
}

/// Parses the arguments of a message. `start` is the offset of the message in the stream.
pub(super) fn content<'a>(
    message: MessageName,
    version: GameVersion,
    args: Args<'a>,
    start: usize,
) -> Result<Content<'a>, Error> {
    let mut all = Arguments::new(args, start);
    let all = &mut all;
    let is_godot3 = version.is_godot3();
    Ok(match message {
        MessageName::Process => Content::Process(all.int()?),
        MessageName::Output if is_godot3 => {
            let mut texts = Vec::new();
            while !all.is_done() {
                let mut line = Arguments::new(all.take(elements)?, start);
                let text = line.text()?;
                let kind = kind(line.int()?);
                texts.push(OutputText { text, kind });
            }
            Content::Output(texts)
        }
        MessageName::Output => {
            let texts = all.take(VariantRef::as_strings)?;
            let kinds = all.take(VariantRef::as_i32s)?;
            let mut out = Vec::new();
            for (text, code) in texts.iter().zip(kinds.iter()) {
                let bad = Error::new(start, PacketErrorKind::BadDebuggerArgument { index: 0 });
                let text = text.and_then(|text| text.to_str()).map_err(|_| bad)?;
                let kind = kind(code.into());
                out.push(OutputText { text, kind });
            }
            Content::Output(out)
        }
        MessageName::Error => Content::Error(match is_godot3 {
            true => error3(all, start)?,
            false => error4(all)?,
        }),
        MessageName::Break => Content::Break {
            can_continue: all.bool()?,
            reason: all.text()?,
            has_stack: match all.is_done() {
                true => None,
                false => Some(all.bool()?),
            },
        },
        MessageName::Resumed => Content::Resumed,
        MessageName::Stack => Content::Stack(match is_godot3 {
            true => stack3(all)?,
            false => stack4(all)?,
        }),
        MessageName::VariableCount => {
            Content::VariableCount(usize::try_from(all.count(1)?).unwrap_or(usize::MAX))
        }
        MessageName::Variable | MessageName::Evaluation => {
            let name = all.text()?;
            let scope = scope(all.int()?);
            // 4.6 sends the number of the value's type before the value.
            let value = match args.len() {
                3 => all.any()?,
                _ => all.any().and_then(|_| all.any())?,
            };
            Content::Variable(StackVariable { name, scope, value })
        }
        MessageName::Tree => {
            let mut nodes = Vec::new();
            while !all.is_done() {
                let children = all.int()?;
                let (name, class) = (all.text()?, all.text()?);
                let id = all.int()?;
                let mut scene = "";
                if !is_godot3 {
                    scene = all.text()?;
                    all.int()?; // Flags of visibility.
                }
                nodes.push(RemoteNode {
                    children,
                    name,
                    class,
                    id,
                    scene,
                });
            }
            Content::Tree(nodes)
        }
        MessageName::Object if args.is_empty() => Content::NoObject,
        MessageName::Object => {
            let (id, class) = (all.int()?, all.text()?);
            let headings = match is_godot3 {
                true => HEADINGS_3,
                false => HEADINGS_4,
            };
            let mut properties = Vec::new();
            for property in all.take(elements)? {
                let bad = Error::new(start, PacketErrorKind::BadDebuggerArgument { index: 2 });
                let mut parts = Arguments::new(elements(property).ok_or(bad)?, start);
                let name = parts.text()?;
                parts.int()?; // The type.
                parts.int()?; // The hint.
                parts.text()?; // Its text.
                let usage = parts.int()?;
                properties.push(PropertyInfo {
                    name,
                    usage,
                    value: parts.any()?,
                    is_heading: usage & headings != 0,
                });
            }
            Content::Object(ObjectInfo {
                id,
                class,
                properties,
            })
        }
        MessageName::Monitors => {
            let values = match is_godot3 {
                true => all.take(elements)?,
                false => args,
            };
            Content::Monitors(values.iter().map(VariantRef::as_number).collect())
        }
        MessageName::MonitorNames => {
            let names = all.take(elements)?;
            let mut names = Arguments::new(names, start);
            let mut out = Vec::new();
            while !names.is_done() {
                out.push(names.text()?);
            }
            Content::MonitorNames(out)
        }
        MessageName::Function => Content::Function {
            signature: all.text()?,
            id: all.int()?,
        },
        MessageName::Profile => Content::Profile(profile(all, is_godot3)?),
        MessageName::ProfileTotal => Content::ProfileTotal(profile(all, is_godot3)?),
    })
}

const fn kind(code: i64) -> OutputKind {
    match code {
        1 => OutputKind::Error,
        2 => OutputKind::Rich,
        _ => OutputKind::Text,
    }
}

const fn scope(code: i64) -> VariableScope {
    match code {
        0 => VariableScope::Local,
        1 => VariableScope::Member,
        2 => VariableScope::Global,
        _ => VariableScope::Evaluation,
    }
}

/// Reads hours, minutes, seconds and milliseconds, and returns all of them in milliseconds.
fn time(all: &mut Arguments<'_>) -> Result<i64, Error> {
    let mut time: i64 = 0;
    for most in [60, 60, 1000, 1] {
        time = time.saturating_add(all.int()?).saturating_mul(most);
    }
    Ok(time)
}

fn error4<'a>(all: &mut Arguments<'a>) -> Result<GameError<'a>, Error> {
    Ok(GameError {
        milliseconds: time(all)?,
        file: all.text()?,
        function: all.text()?,
        line: all.int()?,
        error: all.text()?,
        description: all.text()?,
        is_warning: all.bool()?,
        stack: {
            let frames = all.count(3)?;
            all.error_stack(frames)?
        },
    })
}

fn error3<'a>(all: &mut Arguments<'a>, start: usize) -> Result<GameError<'a>, Error> {
    let mut parts = Arguments::new(all.take(elements)?, start);
    let milliseconds = time(&mut parts)?;
    let (function, file) = (parts.text()?, parts.text()?);
    Ok(GameError {
        milliseconds,
        file,
        function,
        line: parts.int()?,
        error: parts.text()?,
        description: parts.text()?,
        is_warning: parts.bool()?,
        stack: {
            let frames = all.count(3)?;
            all.error_stack(frames)?
        },
    })
}

fn stack4<'a>(all: &mut Arguments<'a>) -> Result<Vec<StackFrame<'a>>, Error> {
    let frames = all.count(3)?;
    let mut stack = Vec::new();
    for _ in 0..frames {
        stack.push(StackFrame {
            file: all.text()?,
            line: all.int()?,
            function: all.text()?,
        });
    }
    Ok(stack)
}

/// Reads the stack of Godot 3: Dictionaries with the keys `file`, `line`, `function` and `id`,
/// which is 0.
fn stack3<'a>(all: &mut Arguments<'a>) -> Result<Vec<StackFrame<'a>>, Error> {
    let mut stack = Vec::new();
    while !all.is_done() {
        stack.push(all.take(|value| {
            let mut frame = StackFrame {
                file: "",
                line: 0,
                function: "",
            };
            for pair in value.as_dict()?.iter() {
                let (key, value) = pair.ok()?;
                match key.as_str()? {
                    "file" => frame.file = value.as_str()?,
                    "line" => frame.line = value.as_i64()?,
                    "function" => frame.function = value.as_str()?,
                    _ => {}
                }
            }
            Some(frame)
        })?);
    }
    Ok(stack)
}

fn profile(all: &mut Arguments<'_>, is_godot3: bool) -> Result<ProfileFrame, Error> {
    let frame = all.int()?;
    let [
        frame_time,
        process_time,
        physics_time,
        physics_frame_time,
        script_time,
    ] = [
        all.number()?,
        all.number()?,
        all.number()?,
        all.number()?,
        all.number()?,
    ];
    let servers = all.count(1)?;
    let mut functions = Vec::new();
    let frames = if is_godot3 {
        let frames = all.count(1)?;
        for _ in 0..servers {
            all.text()?;
            all.any()?;
        }
        frames
    } else {
        for _ in 0..servers {
            all.text()?;
            for _ in 0..all.count(1)? {
                all.any()?;
            }
        }
        all.count(5)?
    };
    for _ in 0..frames {
        let (id, calls) = (all.int()?, all.int()?);
        let (one, other) = (all.number()?, all.number()?);
        // Godot 3 sends the total time first.
        let (self_time, total_time) = match is_godot3 {
            true => (other, one),
            false => (one, other),
        };
        if !is_godot3 {
            all.number()?; // In the engine's own functions.
        }
        functions.push(FunctionTime {
            id,
            calls,
            self_time,
            total_time,
        });
    }
    Ok(ProfileFrame {
        frame,
        frame_time,
        process_time,
        physics_time,
        physics_frame_time,
        script_time,
        functions,
    })
}

/// Reads the variables of Godot 3, which one message contains. Locals, members and globals each
/// have a count, and then that many pairs of name and value.
pub(super) fn variables3<'a>(
    args: Args<'a>,
    start: usize,
) -> Result<Vec<StackVariable<'a>>, Error> {
    let mut all = Arguments::new(args, start);
    let mut variables = Vec::new();
    for code in 0..3 {
        for _ in 0..all.count(1)? {
            variables.push(StackVariable {
                name: all.text()?,
                scope: scope(code),
                value: all.any()?,
            });
        }
    }
    Ok(variables)
}
