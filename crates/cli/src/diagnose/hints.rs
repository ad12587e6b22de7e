//! Gives advice about common mistakes.

use gdvar_file::{
    known_formats,
    records::{Framing, Record, is_big_endian, records},
};
use gdvar_io::records::Mistake;
use gdvar_view::{
    Choice, Detector, Dialect, Document, ErrorKind, Limits, Mode, Objects, PrefixOrder, ReadOptions,
};

use crate::{diagnose::report::Note, terminal::words};

/// How a file was read when an error occurred.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    /// The values of the file: its contents without layers, header and trailer.
    pub file: &'a [u8],
    /// The framing in use.
    pub framing: Framing,
    /// The options in use.
    pub options: ReadOptions,
    /// `true` if the command line names the dialect.
    pub dialect_given: bool,
    /// `true` if the command line names the framing.
    pub framing_given: bool,
    /// `true` if this is the first message about the file.
    pub first: bool,
}

/// Returns notes and advice about an error in a record. Walks the record once or twice more, and the file too if this
/// is the first message about it.
pub(crate) fn about(
    case: Case<'_>,
    record: &Record<'_>,
    kind: ErrorKind,
    offset: usize,
) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(declared) = record.cut {
        notes.push(Note::fact(format!(
            "length prefix says {} follow, {} do",
            words::plural(declared.into(), "byte"),
            record.bytes.len()
        )));
    }
    match kind {
        ErrorKind::ObjectsNotAllowed if case.options.objects() != Objects::Deny => {
            notes.push(Note::fact(
                "the engines refuse whole objects too, unless the game allows them (allow_objects)",
            ));
            notes.push(Note::help(
                "run again with --objects inert: objects are shown as data, never made",
            ));
            return notes;
        }
        ErrorKind::ObjectsNotAllowed => return notes,
        ErrorKind::DepthExceeded { limit } => {
            if limit >= Limits::ENGINE.max_depth {
                notes.push(Note::fact(
                    "Godot 4 refuses it too; Godot 3.2 reads some 10000 levels",
                ));
            }
            notes.push(Note::help("allow more with --max-depth"));
            return notes;
        }
        _ => {}
    }
    if case.options.mode() == Mode::Strict {
        let engine = case.options.with_mode(Mode::Engine);
        if Document::with_options(&record.bytes, engine)
            .validate()
            .is_ok()
        {
            notes.push(Note::fact(format!(
                "{} itself reads this; only --strict minds it",
                case.options.dialect().title()
            )));
        }
    }
    if case.first && wrong_framing(case, &mut notes) {
        return notes;
    }
    wrong_dialect(case, record, offset, &mut notes);
    let is_strict = case.options.mode() == Mode::Strict;
    // If not even the first value can be read, there is nothing to rescue.
    let is_begun = offset > 0 || record.index > 0;
    let has_help = notes.iter().any(|note| matches!(note, Note::Help(_)));
    if case.first && !is_strict && is_begun && !has_help {
        let is_one = records(case.file, case.framing).nth(1).is_none();
        match (case.framing.is_text(), is_one) {
            (false, _) => notes.push(Note::help("gdvar recover rescues what can still be read")),
            (true, true) => notes.push(Note::help(format!(
                "gdvar recover --encoding {} rescues what can still be read",
                case.framing.name()
            ))),
            // No advice is needed: the other lines are read anyway.
            (true, false) => {}
        }
    }
    notes
}

/// Adds notes if the file seems to be read with the wrong framing. Returns `true` if it added notes.
fn wrong_framing(case: Case<'_>, notes: &mut Vec<Note>) -> bool {
    if case.framing.is_text() {
        let mut all = records(case.file, case.framing);
        let first = all.find(|record| !record.bytes.is_empty());
        let is_framed = first.is_some_and(|record| {
            let len = record
                .bytes
                .first_chunk()
                .map(|len| u32::from_le_bytes(*len));
            len.is_some_and(|len| len > 0 && len as usize + 4 == record.bytes.len())
        });
        if is_framed {
            let name = case.framing.name();
            notes.push(Note::fact("the first four bytes are the length of the others: this is a record of store_var or put_var"));
            notes.push(Note::help(format!(
                "try --encoding {name} --framing len32, or leave the first four bytes off"
            )));
        }
        return is_framed;
    }
    if let Some(known) = known_formats::recognize(case.file) {
        notes.push(Note::fact(format!("this looks like {}", known.what)));
        notes.push(Note::help(known.help));
        return true;
    }
    match case.framing {
        Framing::Bare => looks_framed(case.file, notes) || looks_like_text(case, notes),
        Framing::Len32 if is_big_endian(case.file) => {
            notes.push(Note::fact(
                "the lengths are big-endian: big_endian (Godot 3: endian_swap) was set",
            ));
            notes.push(Note::help("try --framing len32be"));
            true
        }
        Framing::Len32 | Framing::Len32Be => {
            let options = case
                .options
                .with_mode(Mode::Engine)
                .with_objects(Objects::Inert);
            let whole = Document::with_options(case.file, options).validate();
            if whole == Ok(case.file.len()) {
                notes.push(Note::help(
                    "the file reads completely as one value without a length: try --framing bare",
                ));
                return true;
            }
            if let Some(dialect) = reads_completely(case.file, None) {
                notes.push(Note::help(format!(
                    "the file reads completely as one value without a length: try --framing bare --dialect {dialect}"
                )));
                return true;
            }
            looks_like_text(case, notes)
        }
        Framing::Hex | Framing::Base64 => false,
    }
}

fn looks_framed(file: &[u8], notes: &mut Vec<Note>) -> bool {
    let Some(Mistake::Framed { order, records }) = Mistake::of_value(file) else {
        return false;
    };
    let first = file.first_chunk().copied().unwrap_or_default();
    let (first, framing) = match order {
        PrefixOrder::Little => (u32::from_le_bytes(first), Framing::Len32),
        PrefixOrder::Big => (u32::from_be_bytes(first), Framing::Len32Be),
    };
    if records == 1 {
        notes.push(Note::fact(format!(
            "the first word, {first:#x}, equals the bytes that follow: this looks length-prefixed"
        )));
    } else {
        notes.push(Note::fact(format!(
            "the file splits into {} by length prefixes",
            words::plural(records.into(), "record")
        )));
    }
    notes.push(Note::help(format!("try --framing {}", framing.name())));
    true
}

fn looks_like_text(case: Case<'_>, notes: &mut Vec<Note>) -> bool {
    let start = &case.file[..case.file.len().min(4096)];
    if !start
        .iter()
        .all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
    {
        return false;
    }
    for framing in [Framing::Hex, Framing::Base64] {
        let first = records(case.file, framing).next();
        if first.is_some_and(|record| record.problem.is_none()) {
            notes.push(Note::help(format!(
                "this is text that could be {}: try --framing {}",
                framing.name(),
                framing.name()
            )));
            return true;
        }
    }
    false
}

/// Returns the dialect that reads a value to its last byte and better than all others. `None` if there is none, or if
/// `own` reads it as well.
fn reads_completely(value: &[u8], own: Option<Dialect>) -> Option<Dialect> {
    let mut detector = Detector::new(&Detector::ANY);
    detector.add(value);
    let found = detector.finish();
    let (Choice::Certain(dialect) | Choice::Likely(dialect) | Choice::Same(dialect)) =
        found.choice()
    else {
        return None;
    };
    let is_own = |same| Some(same) == own;
    let is_exact = found.readings().first()?.is_exact();
    (is_exact && !found.same().any(is_own)).then_some(dialect)
}

/// Adds advice if another dialect reads the record completely, or if not even the first value of the file can be read.
fn wrong_dialect(case: Case<'_>, record: &Record<'_>, offset: usize, notes: &mut Vec<Note>) {
    if !case.dialect_given || record.cut.is_some() {
        return;
    }
    let own = case.options.dialect();
    if let Some(dialect) = reads_completely(&record.bytes, Some(own)) {
        notes.push(Note::help(format!(
            "it reads completely as {dialect}: try --dialect {dialect}"
        )));
    } else if offset == 0 && record.index == 0 && !case.framing_given {
        notes.push(Note::help(
            "not even the first value can be read; is this a file of values at all?",
        ));
    }
}
