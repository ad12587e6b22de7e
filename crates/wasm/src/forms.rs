//! Converts values to and from other forms: JSON, Godot's notation, another engine's bytes. Lists
//! differences.

use std::fmt::Write;

use gdvar_edit::{Change, DiffOptions, diff};
use gdvar_json::{ReadOptions, Style};
use gdvar_text::{ParseOptions, TextError, parse_godot, write_godot};
use gdvar_view::{Document, Engine, Objects, VariantRef};
use gdvar_write::{Target, Writer, transcode};

use crate::{
    failure::{Failure, quote},
    show::line,
    state::State,
};

fn style(number: u32) -> Style {
    match number {
        0 => Style::Plain,
        1 => Style::Native,
        _ => Style::Tagged,
    }
}

/// Writes a value as JSON, followed by a description of what was lost (empty if nothing was). Word 0 is the
/// offset of the description in `out`.
pub(crate) fn to_json(value: VariantRef<'_>, form: u32, state: &mut State) -> Result<(), Failure> {
    let report = gdvar_json::write(value, style(form), &mut state.out);
    let report = report.map_err(|error| match error {
        gdvar_json::WriteError::Read(error) => Failure::from(error),
        other => Failure::new("Json", other),
    })?;
    let lost = if report.is_lossless() {
        String::new()
    } else {
        report.to_string()
    };
    state.words[0] = state.out.len() as u32;
    state.out.extend_from_slice(lost.as_bytes());
    Ok(())
}

/// Converts JSON to bytes.
pub(crate) fn from_json(json: &[u8], form: u32, target: Target) -> Result<Vec<u8>, Failure> {
    let options = ReadOptions::new(style(form), target).with_objects(Objects::Inert);
    gdvar_json::read(json, &options).map_err(|error| Failure::new("Json", error))
}

/// Returns the text that `var_to_str` of `release` prints. Without a release, uses the notation of the
/// value's dialect.
pub(crate) fn to_text(value: VariantRef<'_>, release: Option<Engine>) -> Result<String, Failure> {
    let notation = release.map_or(value.dialect().notation(), Engine::notation);
    let mut text = String::new();
    match write_godot(&mut text, value, notation) {
        Ok(()) => Ok(text),
        Err(TextError::Read(error)) => Err(Failure::from(error)),
        Err(error) => Err(Failure::new("Text", error)),
    }
}

/// Converts Godot's notation to bytes.
pub(crate) fn from_text(text: &str, target: Target) -> Result<Vec<u8>, Failure> {
    let options = ParseOptions::new(target)
        .with_objects(Objects::Inert)
        .with_whole(true);
    let parsed = parse_godot(text, &options).map_err(|error| Failure::new("Text", error))?;
    Ok(parsed.bytes)
}

/// Converts the value for another engine. Writes its bytes, followed by a report as JSON. Word 0 is the
/// offset of the report in `out`.
pub(crate) fn convert(
    document: Document<'_>,
    target: Target,
    state: &mut State,
) -> Result<(), Failure> {
    let mut writer = Writer::new(std::mem::take(&mut state.out), target);
    let report = transcode(document, &mut writer).map_err(|error| match error {
        gdvar_write::TranscodeError::Read(error) => Failure::read(document, error),
        gdvar_write::TranscodeError::Write(error) => Failure::from(error),
    })?;
    state.out = writer.finish()?;
    state.words[0] = state.out.len() as u32;
    let mut json = String::from("[");
    for (n, entry) in report.entries().iter().enumerate() {
        json.push_str(if n > 0 { ",{" } else { "{" });
        let _ = write!(
            json,
            "\"count\":{},\"type\":\"{}\",\"what\":",
            entry.count, entry.kind
        );
        quote(&entry.loss.to_string(), &mut json);
        json.push_str(",\"first\":");
        quote(&document.locate(entry.first).to_string(), &mut json);
        json.push('}');
    }
    json.push(']');
    state.out.extend_from_slice(json.as_bytes());
    Ok(())
}

/// Returns at most `most` differences between two documents, as JSON.
pub(crate) fn differences(
    old: Document<'_>,
    new: Document<'_>,
    most: u32,
) -> Result<String, Failure> {
    let (from, to) = (old.root()?, new.root()?);
    let mut json = String::from("[");
    for (n, difference) in diff(from, to, DiffOptions::new())
        .take(most as usize)
        .enumerate()
    {
        let difference = difference?;
        json.push_str(if n > 0 { ",{\"path\":" } else { "{\"path\":" });
        quote(difference.path(), &mut json);
        let mut put = |name: &str, value: VariantRef<'_>| {
            let _ = write!(json, ",\"{name}\":");
            line(value, 200).map(|line| quote(&line, &mut json))
        };
        let change = match difference.change() {
            Change::Set { from, to } => {
                put("from", from)?;
                put("to", to)?;
                "set"
            }
            Change::Added { value } => {
                put("to", value)?;
                "added"
            }
            Change::Removed { value } => {
                put("from", value)?;
                "removed"
            }
            Change::Moved { value, to } => {
                put("from", value)?;
                let _ = write!(json, ",\"place\":{to}");
                "moved"
            }
            _ => "other",
        };
        let _ = write!(json, ",\"change\":\"{change}\"}}");
    }
    json.push(']');
    Ok(json)
}
