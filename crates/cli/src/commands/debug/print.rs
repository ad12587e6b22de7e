//! Formats messages of the game and answers to verbs, as text and as JSON lines.

use std::fmt::Write as _;

use gdvar_packet::debugger::{
    Content, GameError, GameMessage, OutputKind, StackFrame, VariableScope,
};
use gdvar_view::{Found, VariantRef};
use serde_json::{Value, json};

use crate::show::{json_lines, notation, value};

/// Formats a value for people, in Godot's notation.
pub(super) fn text_of(value: VariantRef<'_>) -> String {
    // Cannot fail, because the session validated the value.
    let text = notation::line(value).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

pub(super) fn json_of(value: VariantRef<'_>) -> Value {
    let json = value::json(Found::Value(value)).unwrap_or_default();
    serde_json::from_slice(&json).unwrap_or_default()
}

/// Appends a line of JSON.
pub(super) fn put_json(out: &mut Vec<u8>, mut line: Value) {
    line["schema"] = 1.into();
    // Writing into memory cannot fail.
    let _ = json_lines::line(out, &line);
}

pub(super) const fn scope_name(scope: VariableScope) -> &'static str {
    match scope {
        VariableScope::Local => "local",
        VariableScope::Member => "member",
        VariableScope::Global => "global",
        _ => "result",
    }
}

pub(super) fn stack_json(frames: &[StackFrame<'_>]) -> Vec<Value> {
    let frames = frames.iter();
    frames
        .map(|frame| json!({"file": frame.file, "line": frame.line, "function": frame.function}))
        .collect()
}

pub(super) fn stack_text(frames: &[StackFrame<'_>], indent: &str) -> String {
    let mut out = String::new();
    for (level, frame) in frames.iter().enumerate() {
        let StackFrame {
            file,
            line,
            function,
        } = frame;
        let _ = writeln!(out, "{indent}#{level} {function}  {file}:{line}");
    }
    out
}

fn error_json(error: &GameError<'_>) -> Value {
    json!({
        "event": "error",
        "warning": error.is_warning,
        "error": error.error,
        "description": error.description,
        "file": error.file,
        "line": error.line,
        "function": error.function,
        "milliseconds": error.milliseconds,
        "stack": stack_json(&error.stack),
    })
}

fn error_text(error: &GameError<'_>) -> String {
    let head = match error.is_warning {
        true => "WARNING",
        false => "ERROR",
    };
    let mut out = match error.description {
        "" => format!("{head}: {}\n", error.error),
        description => format!("{head}: {description} ({})\n", error.error),
    };
    let _ = writeln!(
        out,
        "  at {}  {}:{}",
        error.function, error.file, error.line
    );
    out + &stack_text(&error.stack, "  ")
}

/// Appends a message to `out` if it is not an answer to a verb.
pub(super) fn unasked(out: &mut Vec<u8>, message: &GameMessage<'_>, is_json: bool) {
    let json = match &message.content {
        Content::Output(texts) => {
            for text in texts {
                if is_json {
                    let kind = match text.kind {
                        OutputKind::Error => "error",
                        OutputKind::Rich => "rich",
                        _ => "text",
                    };
                    put_json(
                        out,
                        json!({"event": "output", "kind": kind, "text": text.text}),
                    );
                } else {
                    out.extend_from_slice(text.text.as_bytes());
                    // The engine's first line already ends with a line end.
                    if !text.text.ends_with('\n') {
                        out.push(b'\n');
                    }
                }
            }
            return;
        }
        Content::Error(error) if is_json => error_json(error),
        Content::Error(error) => {
            out.extend_from_slice(error_text(error).as_bytes());
            return;
        }
        Content::Break {
            can_continue,
            reason,
            ..
        } if is_json => json!({"event": "break", "reason": reason, "can_continue": can_continue}),
        Content::Break { reason: "", .. } => {
            out.extend_from_slice(b"-- break\n");
            return;
        }
        Content::Break { reason, .. } => {
            out.extend_from_slice(format!("-- break: {reason}\n").as_bytes());
            return;
        }
        Content::Resumed if is_json => json!({"event": "resumed"}),
        Content::Damaged(error) if is_json => json!({
            "event": "damaged",
            "error": error.kind().name(),
            "offset": error.offset(),
        }),
        Content::Damaged(error) => {
            out.extend_from_slice(format!("-- a message cannot be read: {error}\n").as_bytes());
            return;
        }
        _ => return,
    };
    put_json(out, json);
}
