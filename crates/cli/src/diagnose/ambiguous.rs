//! The messages about files that can be read in several ways, or cannot be read in any way.

use gdvar_file::{DialectChoice, Header, Undecided, records::Framing};
use gdvar_view::Dialect;

use crate::{
    diagnose::{
        diagnosis::Reason,
        readings,
        report::{Note, Report},
    },
    input::{bytes::Input, header},
    terminal::{exit::Exit, words},
};

pub(crate) fn framings_report<'a>(
    input: &Input,
    choices: &[(Framing, Vec<Dialect>)],
) -> Report<'a> {
    let mut notes: Vec<Note> = choices
        .iter()
        .map(|(framing, dialects)| {
            let sample = readings::sample(input, *framing, dialects[0]);
            let names = names(dialects).join(", ");
            Note::fact(format!("as {} of {names}: {sample}", framing.name()))
        })
        .collect();
    let meanings: Vec<_> = Framing::ALL
        .iter()
        .filter(|framing| choices.iter().any(|(one, _)| one == *framing))
        .map(|framing| format!("--framing {} ({})", framing.name(), framing.meaning()))
        .collect();
    notes.push(Note::help(format!("choose {}", meanings.join(" or "))));
    Report::of_file(
        "AmbiguousFraming",
        "the bytes make sense with and without length prefixes",
        &input.name,
        notes,
    )
}

/// Returns a line that says why there is not exactly one way to read a file.
pub(crate) fn words(undecided: &Undecided) -> String {
    match undecided {
        Undecided::Empty => "the file is empty".to_owned(),
        Undecided::Known(known) => format!("this is {}", known.what),
        Undecided::Framings(_) | Undecided::Header(_) | Undecided::Dialects(..) => {
            "several readings are possible; gdvar check lists them".to_owned()
        }
        _ => "no engine reads it as values".to_owned(),
    }
}

/// Returns the report about a file that is either one value, or values after the game's own header.
pub(crate) fn header_report<'a>(input: &Input, found: Header) -> Report<'a> {
    Report::of_file(
        "AmbiguousFraming",
        "the whole file can be one value, or values after a header of the game's own",
        &input.name,
        vec![
            Note::fact(format!(
                "from byte 0 it is one value of {}, and any bytes could be that",
                words::plural(input.len() as u64, "byte")
            )),
            Note::Note(header::describe(found.len, found.framing)),
            Note::help(format!(
                "choose --skip {} (the values after the header) or --framing bare (the one value)",
                found.len
            )),
        ],
    )
}

/// Returns the report about a file that starts with a value, but consists mostly of unknown bytes.
pub(crate) fn rest_report<'a>(input: &Input, read: usize, dialect: Dialect) -> Report<'a> {
    let value = readings::sample(input, Framing::Bare, dialect);
    let rest = words::plural((input.len() - read) as u64, "byte");
    let mut report = Report::of_file(
        "Unreadable",
        format!(
            "the first {read} bytes could be a value, {value}, but the {rest} after it are nothing known"
        ),
        &input.name,
        vec![Note::help(
            "if the game wrote something in front of the values, pass its length with --skip; to read the first value \
             all the same, add --framing bare",
        )],
    );
    Reason::lead(Reason::of_unreadable(input, Framing::Bare), &mut report);
    report
}

pub(crate) fn dialects_report<'a>(
    input: &Input,
    framing: Framing,
    choices: &[DialectChoice],
) -> Report<'a> {
    let mut notes = Vec::new();
    for choice in choices {
        let (path, sample) = readings::difference(input, framing, choice);
        let record = if choice.record > 0 {
            format!("record {}, ", choice.record)
        } else {
            String::new()
        };
        notes.push(Note::fact(format!(
            "{}: {record}{path} is {sample}",
            names(&choice.dialects).join(", ")
        )));
    }
    let first = choices.first().and_then(|choice| choice.dialects.first());
    if let Some(first) = first {
        notes.push(Note::help(format!(
            "name the engine that wrote it, for instance --dialect {first}"
        )));
    }
    Report::of_file(
        "AmbiguousDialect",
        format!(
            "the bytes mean different things to different engines, and all of it is possible (as {})",
            framing.name()
        ),
        &input.name,
        notes,
    )
}

pub(crate) fn names(dialects: &[Dialect]) -> Vec<&'static str> {
    dialects.iter().map(|dialect| dialect.name()).collect()
}

pub(crate) fn unreadable_report<'a>(input: &Input, framing: Framing) -> Report<'a> {
    let mut report = Report::of_file(
        "Unreadable",
        format!(
            "no engine reads even the first value (taken as {}, {})",
            framing.name(),
            framing.meaning()
        ),
        &input.name,
        vec![Note::help(
            "is this a file of values at all? It may be encrypted or compressed by the game itself, or start with \
             something else: pass the length of that with --skip",
        )],
    );
    Reason::lead(Reason::of_unreadable(input, framing), &mut report);
    report
}

/// Returns the exit code for a file that can be read in several ways, or cannot be read.
pub(crate) fn of_undecided(undecided: &Undecided) -> Exit {
    match undecided {
        Undecided::Framings(_) | Undecided::Header(_) | Undecided::Dialects(..) => Exit::Ambiguous,
        _ => Exit::Malformed,
    }
}
