//! The verdict on a record or file: does the engine read the bytes, what does it lose, would it write the same bytes?

use gdvar_file::records::Record;
use gdvar_view::{Change, Document, Mode, ReadOptions, verdict};
use serde::Serialize;

use crate::{
    diagnose::fault::{self, Fault},
    terminal::{
        exit::Exit,
        words::{count, plural},
    },
};

/// The verdict on a record.
pub(crate) struct Judged {
    /// The reason why the engine refuses the record. With `--strict`, also the first difference from what an engine
    /// writes.
    pub fault: Option<Fault>,
    /// `true` if the engine reads the record.
    pub read: bool,
    /// What is lost when the engine reads the record.
    pub changes: Vec<Lost>,
    /// `true` if strict mode accepts the record.
    pub strict: bool,
    /// The exit code for the record.
    pub exit: Exit,
}

impl Judged {
    /// Returns `true` if the engine refuses the record only because of its objects.
    pub(crate) fn needs_leave(&self) -> bool {
        self.exit == Exit::Refused
    }
}

/// A kind of loss in a record: something that the engine drops or changes when it reads the record.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Lost {
    pub(crate) change: &'static str,
    pub(crate) count: u64,
    pub(crate) record: u64,
    /// The offset from the start of the file, or in the value for lines of text.
    offset: usize,
    pub(crate) path: String,
    #[serde(skip)]
    pub(crate) key: Change,
}

impl Lost {
    /// Returns the stable name that programs read.
    pub(crate) fn name(&self) -> &'static str {
        self.change
    }
}

/// Judges a record by the options of the command line.
pub(crate) fn judge(record: &Record<'_>, options: ReadOptions) -> Judged {
    let document = Document::with_options(&record.bytes, options);
    let refuse = |fault: Fault| Judged {
        fault: Some(fault),
        read: false,
        changes: Vec::new(),
        strict: false,
        exit: fault::exit_code(
            fault,
            Document::with_options(&record.bytes, options.with_mode(Mode::Engine)),
        ),
    };
    if let Some(problem) = record.problem {
        return refuse(Fault::Problem(problem));
    }
    let verdict = verdict(document);
    if let Err(error) = verdict.read {
        return refuse(Fault::Read(error));
    }
    if let Err(error) = record.end() {
        return refuse(Fault::Read(error));
    }
    let changes: Vec<_> = verdict
        .changes()
        .map(|changed| Lost {
            change: changed.change.name(),
            count: changed.count,
            record: record.index,
            offset: record.place.base() + changed.first,
            path: document.locate(changed.first).to_string(),
            key: changed.change,
        })
        .collect();
    let asked = options.mode() == Mode::Strict;
    let finding = verdict.strict.err().filter(|_| asked).map(Fault::Read);
    let is_ok = changes.is_empty() && finding.is_none();
    Judged {
        fault: finding,
        read: true,
        changes,
        strict: verdict.strict.is_ok(),
        exit: if is_ok { Exit::Fine } else { Exit::Findings },
    }
}

/// The verdict on a file, summed over its records.
#[derive(Default, Serialize)]
pub(crate) struct Verdict {
    /// `true` if the engine reads all records without loss.
    pub ok: bool,
    /// The number of records that the engine reads.
    pub read: u64,
    /// The number of records that the engine refuses.
    pub refused: u64,
    /// The kinds of losses, each with its first place.
    pub changes: Vec<Lost>,
    /// The number of records that the engine reads, but would write differently.
    pub not_strict: u64,
    /// The number of records with a loss.
    pub lossy: u64,
    /// The number of records that the engine refuses unless the game allows objects.
    pub objects: u64,
}

impl Verdict {
    /// Returns the verdict on no records.
    pub(crate) fn new() -> Verdict {
        Verdict {
            ok: true,
            ..Verdict::default()
        }
    }

    /// Adds the verdict on a record.
    pub(crate) fn add(&mut self, judged: &Judged) {
        self.ok &= judged.read && judged.changes.is_empty();
        self.read += u64::from(judged.read);
        self.refused += u64::from(!judged.read);
        self.objects += u64::from(judged.needs_leave());
        self.lossy += u64::from(!judged.changes.is_empty());
        self.not_strict += u64::from(judged.read && !judged.strict);
        for lost in &judged.changes {
            match self.changes.iter_mut().find(|known| known.key == lost.key) {
                Some(known) => known.count += lost.count,
                None => self.changes.push(lost.clone()),
            }
        }
    }

    /// Returns `true` if there are bytes after a value that the engine does not read.
    pub(crate) fn leaves_bytes(&self) -> bool {
        self.changes
            .iter()
            .any(|lost| lost.key == Change::TrailingBytes)
    }

    /// Returns the verdict as text: `ok`, or the problem.
    pub(crate) fn words(&self) -> String {
        let all = self.read + self.refused;
        match (self.refused, self.lossy) {
            (0, 0) => "ok".to_owned(),
            (0, lossy) => format!(
                "{} of {} read with losses",
                count(lossy),
                plural(all, "record")
            ),
            (refused, _) => format!("{refused} bad of {}", plural(all, "record")),
        }
    }
}

/// Describes a loss that occurred `many` times.
pub(crate) fn words(change: Change, many: u64) -> String {
    match change {
        Change::TrailingBytes => format!(
            "{} after the value, which the engine does not read",
            plural(many, "byte")
        ),
        Change::RepeatedKeys => format!(
            "{} with a key that was there before: the engine keeps the last",
            if many == 1 {
                "an entry".to_owned()
            } else {
                format!("{} entries", count(many))
            }
        ),
        Change::EmbeddedNul => format!("the rest of {} after a NUL", plural(many, "text")),
        Change::Padding => format!("padding that is not zero, of {}", plural(many, "value")),
        Change::ObjectIds => format!(
            "{}: only the id was stored, which means nothing in another run",
            plural(many, "object")
        ),
        Change::Callables => format!("{}: nothing of it was stored", plural(many, "Callable")),
        _ => format!("{}, {} times", change.name(), many),
    }
}

/// The line of `--json` about a record.
#[derive(Serialize)]
pub(crate) struct RecordLine<'a> {
    pub(crate) schema: u32,
    pub(crate) file: &'a str,
    pub(crate) record: u64,
    /// `true` if the engine reads the record without loss. With `--strict`, an engine must also write the same bytes.
    pub(crate) ok: bool,
    /// `true` if the engine reads the record.
    pub(crate) read: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// The name of what happened to the file, if that explains the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<&'a str>,
    /// What is lost when the engine reads the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lost: Vec<Lost>,
}

impl<'a> RecordLine<'a> {
    /// Creates the line about a record that is read without problems.
    pub(crate) fn fine(file: &'a str, record: u64) -> RecordLine<'a> {
        RecordLine {
            schema: 1,
            file,
            record,
            ok: true,
            read: true,
            error: None,
            offset: None,
            path: None,
            cause: None,
            lost: Vec::new(),
        }
    }
}
