//! How a file is going to be read: the decision of `gdvar-file`, with a description of each possible reading.

use gdvar_file::{
    Decision, Hints, KnownFormat, Layer, detect as file_detect,
    records::{Framing, Record, records},
};
use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{
    args::DialectArg,
    input::header::Header,
    show::notation,
    terminal::{progress::Progress, words},
};

/// The choices of the command line about reading a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadChoices {
    /// The dialect, or the possible ones.
    pub dialect: DialectArg,
    /// The framing, if it is named.
    pub framing: Option<Framing>,
}

impl ReadChoices {
    /// The same, for the library.
    pub(crate) fn hints<'h>(self) -> Hints<'h> {
        let hints = Hints::new().with_engines(self.dialect.engines());
        match self.framing {
            Some(framing) => hints.with_framing(framing),
            None => hints,
        }
    }
}

/// How the file is going to be read.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The bytes around the values.
    pub framing: Framing,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// How certain this is.
    pub sure: Sure,
    /// Dialects under which every value would be the same, this one included; else empty.
    pub same: Vec<Dialect>,
    /// `true` if damage was noticed.
    pub damaged: bool,
}

pub(crate) use gdvar_file::Certainty as Sure;

impl From<Decision> for Plan {
    fn from(decision: Decision) -> Plan {
        Plan {
            framing: decision.framing,
            dialect: decision.dialect,
            sure: decision.certainty,
            same: decision.same,
            damaged: decision.is_damaged,
        }
    }
}

/// Why there is no plan.
#[derive(Debug)]
pub(crate) enum Undecided {
    /// There are no bytes.
    Empty,
    /// It is another kind of file, recognised by its first bytes.
    Known(&'static KnownFormat),
    /// Several framings are possible.
    Framings(Vec<(Framing, Vec<Dialect>, String)>),
    /// It is one value that any bytes could be, or values after a header of the game's own.
    Header(Header),
    /// Several dialects are possible, as different values.
    Dialects(Framing, Vec<Possible>),
    /// One value can be read, and nearly all of the file comes after it.
    Rest {
        /// The length of the value.
        read: usize,
        /// A line about it.
        value: String,
    },
    /// No engine reads any value.
    Unreadable(Framing),
}

/// One of several possible readings.
#[derive(Debug)]
pub(crate) struct Possible {
    /// The dialects with this reading.
    pub dialects: Vec<Dialect>,
    /// Which record differs first from the other readings.
    pub record: u64,
    /// The path in it.
    pub path: String,
    /// The value there in this reading.
    pub sample: String,
}

/// Decides how to read a file. `layer` had to find out the dialect, if there is one.
pub(crate) fn detect(
    bytes: &[u8],
    wanted: ReadChoices,
    layer: Option<&Layer>,
    progress: &Progress,
) -> Result<Plan, Box<Undecided>> {
    let report = |position| progress.at(position);
    let mut hints = wanted.hints();
    hints.progress = Some(&report);
    match file_detect(bytes, &hints) {
        Ok(decision) => Ok(decision.with_layer(layer).into()),
        Err(undecided) => Err(Box::new(described(bytes, *undecided))),
    }
}

/// The possible readings, each with a line about a value.
fn described(bytes: &[u8], undecided: gdvar_file::Undecided) -> Undecided {
    use gdvar_file::Undecided as Other;
    match undecided {
        Other::Empty => Undecided::Empty,
        Other::Known(format) => Undecided::Known(format),
        Other::Header(header) => Undecided::Header(header),
        Other::Framings(choices) => {
            let choices = choices.into_iter().map(|(framing, dialects)| {
                let sample = sample(bytes, framing, dialects[0]);
                (framing, dialects, sample)
            });
            Undecided::Framings(choices.collect())
        }
        Other::Dialects(framing, choices) => {
            let choices = choices.into_iter().map(|choice| {
                let (record, first) = (choice.record, choice.dialects[0]);
                let (path, sample) = value_at(bytes, framing, record, choice.offset, first);
                Possible {
                    dialects: choice.dialects,
                    record,
                    path,
                    sample,
                }
            });
            Undecided::Dialects(framing, choices.collect())
        }
        Other::Rest { read, dialect } => Undecided::Rest {
            read,
            value: sample(bytes, Framing::Bare, dialect),
        },
        Other::Unreadable(framing) => Undecided::Unreadable(framing),
        _ => Undecided::Unreadable(Framing::Bare),
    }
}

/// As [`detect`], but returns `None` if there is any doubt. Four times as fast.
pub(crate) fn plain(bytes: &[u8], wanted: ReadChoices) -> Option<Plan> {
    gdvar_file::detect::without_doubt(bytes, &wanted.hints()).map(Plan::from)
}

/// Decides by about the first `len` bytes of a large file. `None` if there is a doubt or damage.
pub(crate) fn glance(bytes: &[u8], wanted: ReadChoices, len: usize) -> Option<Plan> {
    gdvar_file::detect::first_bytes(bytes, &wanted.hints(), len).map(Plan::from)
}

fn options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

/// The first record on one line.
fn sample(bytes: &[u8], framing: Framing, dialect: Dialect) -> String {
    let mut all = records(bytes, framing);
    let Some(record) = all.next() else {
        return String::new();
    };
    let (_, mut text) = in_record(&record, 0, dialect);
    let more = all.count() as u64;
    if more > 0 {
        text += &format!(" and {}", words::plural(more, "more record"));
    }
    text
}

/// The path of a value and a line about it.
fn value_at(
    bytes: &[u8],
    framing: Framing,
    index: u64,
    offset: usize,
    dialect: Dialect,
) -> (String, String) {
    match records(bytes, framing).nth(index as usize) {
        Some(record) => in_record(&record, offset, dialect),
        None => Default::default(),
    }
}

fn in_record(record: &Record<'_>, offset: usize, dialect: Dialect) -> (String, String) {
    let document = Document::with_options(&record.bytes, options(dialect));
    let path = document.locate(offset).to_string();
    let bytes = record.bytes.get(offset..).unwrap_or_default();
    let sample = Document::with_options(bytes, options(dialect)).root();
    let sample = sample.map(|value| notation::start(value, 60));
    (path, sample.unwrap_or_default())
}
