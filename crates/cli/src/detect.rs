//! What stands around the values, and which engine's they are: found out, never guessed.

use gdvar_view::{Dialect, Document, Error, ErrorKind, Event, Mode, Objects, ReadOptions};

use crate::{
    brief,
    foreign::{self, Foreign},
    notation,
    progress::Progress,
    records::{Framing, Place, Record, is_big_endian, records},
};

/// What the command line says about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// The dialect, unless it is to be found out.
    pub dialect: Option<Dialect>,
    /// The framing, unless it is to be found out.
    pub framing: Option<Framing>,
}

/// How the file is going to be read.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What stands around the values.
    pub framing: Framing,
    /// Whose values they are.
    pub dialect: Dialect,
    /// How sure that is.
    pub sure: Sure,
    /// Dialects under which every value would be the same, this one included; else empty.
    pub same: Vec<Dialect>,
    /// Records that no dialect can read.
    pub damaged: u64,
}

/// How sure the dialect is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sure {
    /// The command line says so.
    Given,
    /// No other dialect reads all of it.
    Certain,
    /// Several dialects read it, as the very same values.
    Same,
    /// No other dialect reads all of it, but it is not quite what an engine writes.
    Likely,
}

/// Why there is no plan.
#[derive(Debug)]
pub(crate) enum Undecided {
    /// There are no bytes.
    Empty,
    /// It is something else, known by its first bytes.
    Foreign(&'static Foreign),
    /// Several framings are possible.
    Framings(Vec<(Framing, Vec<Dialect>, String)>),
    /// Several dialects are possible, as different values.
    Dialects(Framing, Vec<Choice>),
    /// No dialect reads any of it to the end; how far each got, best first.
    Unreadable(Framing, Vec<Attempt>),
}

/// One of several possible readings.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The dialects that read it so.
    pub dialects: Vec<Dialect>,
    /// Which record differs first from the other readings.
    pub record: u64,
    /// Where in it.
    pub path: String,
    /// What stands there in this reading.
    pub sample: String,
}

/// How far a dialect got.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The dialect.
    pub dialect: Dialect,
    /// Bytes of values that it could read.
    pub read: u64,
    /// Of so many.
    pub of: u64,
    /// The first record that it cannot read.
    pub record: u64,
    /// Where that is.
    pub place: Place,
    /// What is wrong; the offset counts from the start of the value.
    pub error: Error,
    /// Its path.
    pub path: String,
}

fn loose_options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).objects(Objects::Inert)
}

/// Whether a record is one value of the dialect and nothing else.
fn reads(record: &Record<'_>, options: ReadOptions, progress: &Progress) -> bool {
    record.cut.is_none() && record.walk(options, progress) == Ok(record.bytes.len())
}

/// After so many records without a readable one, the framing is another.
const HOPELESS: u64 = 100;

/// What reading all records under a framing showed.
struct Survey {
    framing: Framing,
    /// The dialects that read every record that can be read at all.
    alive: Vec<Dialect>,
    /// Records that some dialect reads to the end.
    readable: u64,
    /// Records that none does.
    damaged: u64,
    /// Whether some were only readable as the engines do it, not strictly.
    loose: bool,
    /// Bytes in all records.
    total: u64,
    /// By dialect, where it failed first; the bytes read are counted up to the end of the survey.
    attempts: Vec<Attempt>,
}

impl Survey {
    fn is_clean(&self) -> bool {
        self.readable > 0 && self.damaged == 0 && !self.alive.is_empty()
    }

    /// How its values can be read.
    fn options(&self) -> fn(Dialect) -> ReadOptions {
        if self.loose {
            loose_options
        } else {
            ReadOptions::any_release
        }
    }

    /// The share of bytes that the best dialect reads, in thousandths.
    fn score(&self) -> u64 {
        let best = self.attempts.iter().map(|attempt| attempt.read).max();
        best.unwrap_or(self.total) * 1000 / self.total.max(1)
    }
}

fn survey(bytes: &[u8], framing: Framing, dialects: &[Dialect], progress: &Progress) -> Survey {
    let mut survey = Survey {
        framing,
        alive: dialects.to_vec(),
        readable: 0,
        damaged: 0,
        loose: false,
        total: 0,
        attempts: Vec::new(),
    };
    let mut all = records(bytes, framing);
    while let Some(record) = all.next() {
        progress.at(all.position());
        survey.add(&record, dialects, progress);
        let hopeless = survey.readable == 0 && survey.damaged > HOPELESS;
        if survey.alive.is_empty() || hopeless {
            break;
        }
    }
    survey
}

impl Survey {
    fn add(&mut self, record: &Record<'_>, dialects: &[Dialect], progress: &Progress) {
        // An empty line holds no value, and says nothing about the others.
        if record.problem.is_none() && record.bytes.is_empty() && self.framing.is_text() {
            return;
        }
        let len = record.bytes.len() as u64;
        self.total += len;
        if record.problem.is_some() {
            self.damaged += 1;
            return;
        }
        let by = |options: fn(Dialect) -> ReadOptions, among: &[Dialect]| -> Vec<Dialect> {
            among
                .iter()
                .copied()
                .filter(|&dialect| reads(record, options(dialect), progress))
                .collect()
        };
        let mut able = by(ReadOptions::any_release, &self.alive);
        if able.is_empty() {
            able = by(loose_options, &self.alive);
            self.loose |= !able.is_empty();
        }
        let damaged = able.is_empty() && {
            let others: Vec<_> = dialects
                .iter()
                .copied()
                .filter(|dialect| !self.alive.contains(dialect))
                .collect();
            by(loose_options, &others).is_empty()
        };
        for dialect in self.alive.clone() {
            if !able.contains(&dialect) {
                self.fail(dialect, record);
            }
        }
        for attempt in &mut self.attempts {
            if able.contains(&attempt.dialect) {
                attempt.read += len;
            }
        }
        if damaged {
            self.damaged += 1;
        } else {
            self.readable += 1;
            self.alive = able;
        }
    }

    /// Notes how far a dialect gets in a record that it cannot read.
    fn fail(&mut self, dialect: Dialect, record: &Record<'_>) {
        let document = Document::with_options(&record.bytes, loose_options(dialect));
        let Err(error) = furthest(document, record) else {
            return;
        };
        let read = error.offset().min(record.bytes.len()) as u64;
        if let Some(attempt) = self.attempts.iter_mut().find(|one| one.dialect == dialect) {
            attempt.read += read;
            return;
        }
        let before = self.total - record.bytes.len() as u64;
        self.attempts.push(Attempt {
            dialect,
            read: before + read,
            of: 0,
            record: record.index,
            place: record.place,
            error,
            path: document.locate(error.offset()).to_string(),
        });
    }
}

/// Why a record is not one whole value: what the engine minds, else bytes behind the value.
fn furthest(document: Document<'_>, record: &Record<'_>) -> Result<(), Error> {
    document.validate()?;
    document.strict().validate()?;
    if record.cut.is_some() {
        // Readable, but the prefix promises more.
        let end = record.bytes.len();
        return Document::new(&record.bytes[end..], Dialect::GODOT_4)
            .validate()
            .map(|_| ())
            .map_err(|error| error.at(end));
    }
    Ok(())
}

/// Decides how to read a file.
pub(crate) fn detect(
    bytes: &[u8],
    wanted: Wanted,
    progress: &Progress,
) -> Result<Plan, Box<Undecided>> {
    if let (Some(framing), Some(dialect)) = (wanted.framing, wanted.dialect) {
        return Ok(Plan {
            framing,
            dialect,
            sure: Sure::Given,
            same: Vec::new(),
            damaged: 0,
        });
    }
    if bytes.is_empty() {
        return Err(Box::new(Undecided::Empty));
    }
    let given;
    let dialects: &[Dialect] = match wanted.dialect {
        Some(dialect) => {
            given = [dialect];
            &given
        }
        None => &Dialect::ALL,
    };
    let framings = match wanted.framing {
        Some(framing) => vec![framing],
        None => {
            if let Some(foreign) = foreign::recognize(bytes) {
                return Err(Box::new(Undecided::Foreign(foreign)));
            }
            plausible(bytes)
        }
    };
    let mut surveys: Vec<Survey> = framings
        .into_iter()
        .map(|framing| survey(bytes, framing, dialects, progress))
        .collect();
    let survey = match choose(bytes, &mut surveys, dialects.len() == 1) {
        Err(undecided) if wanted.framing.is_none() && says_nothing(&undecided) => {
            return Err(Box::new(Undecided::Foreign(&foreign::TEXT)));
        }
        result => result?,
    };
    if wanted.dialect.is_some() {
        return Ok(Plan {
            framing: survey.framing,
            dialect: dialects[0],
            sure: Sure::Given,
            same: Vec::new(),
            damaged: survey.damaged,
        });
    }
    decide(bytes, &survey)
}

/// Whether not a single line of a text was even hex or base64.
fn says_nothing(undecided: &Undecided) -> bool {
    matches!(undecided, Undecided::Unreadable(framing, attempts)
        if framing.is_text() && attempts.is_empty())
}

/// The framings that a file can have by its looks. Text never holds the zero bytes that every
/// header has.
fn plausible(bytes: &[u8]) -> Vec<Framing> {
    let is_text = bytes
        .iter()
        .all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    if is_text {
        vec![Framing::Hex, Framing::Base64]
    } else if is_big_endian(bytes) {
        vec![Framing::Len32Be]
    } else {
        vec![Framing::Len32, Framing::Bare]
    }
}

/// The one framing under which the file makes sense.
fn choose(
    bytes: &[u8],
    surveys: &mut Vec<Survey>,
    dialect_given: bool,
) -> Result<Survey, Box<Undecided>> {
    // What reads strictly is worth more than what the engines just tolerate.
    for strictly in [true, false] {
        let clean: Vec<usize> = (0..surveys.len())
            .filter(|&n| surveys[n].is_clean() && !(strictly && surveys[n].loose))
            .collect();
        match clean[..] {
            [] => {}
            [only] => return Ok(surveys.swap_remove(only)),
            _ => {
                let mut choices = Vec::new();
                for &n in &clean {
                    let survey = &surveys[n];
                    for (dialects, _) in groups(bytes, survey) {
                        let sample = sample(bytes, survey.framing, dialects[0]);
                        choices.push((survey.framing, dialects, sample));
                    }
                }
                return Err(Box::new(Undecided::Framings(choices)));
            }
        }
    }
    let alone = surveys.iter().position(|survey| {
        survey.framing == Framing::Bare
            && dialect_given
            && has_value_in_front(bytes, survey.alive[0])
    });
    if let (Some(alone), true) = (alone, surveys.iter().all(|survey| survey.readable == 0)) {
        return Ok(surveys.swap_remove(alone));
    }
    // Damaged in any case: what makes most sense is what the messages are about.
    let best = (0..surveys.len())
        .max_by_key(|&n| {
            (
                surveys[n].readable > 0,
                surveys[n].score(),
                surveys.len() - n,
            )
        })
        .unwrap_or(0);
    let mut best = surveys.swap_remove(best);
    if best.readable == 0 && !dialect_given || best.alive.is_empty() {
        let total = best.total;
        best.attempts
            .sort_by_key(|attempt| std::cmp::Reverse(attempt.read));
        for attempt in &mut best.attempts {
            attempt.of = total;
        }
        return Err(Box::new(Undecided::Unreadable(best.framing, best.attempts)));
    }
    Ok(best)
}

/// Whether a value stands in front of bytes that its engine ignores, and it does not look as if that
/// were the length of a damaged record.
fn has_value_in_front(bytes: &[u8], dialect: Dialect) -> bool {
    let read = |bytes| Document::with_options(bytes, loose_options(dialect)).validate();
    let Some((&prefix, rest)) = bytes.split_first_chunk() else {
        return false;
    };
    let len = u32::from_le_bytes(prefix) as usize;
    // Below that it may be a type number. A record that is cut off is a value that is cut off.
    let is_cut =
        || read(rest).is_err_and(|error| matches!(error.kind(), ErrorKind::Truncated { .. }));
    let is_length = len >= 40 && len % 4 == 0 && (len <= rest.len() || is_cut());
    !is_length && read(bytes).is_ok()
}

/// The first record on one line.
fn sample(bytes: &[u8], framing: Framing, dialect: Dialect) -> String {
    let mut all = records(bytes, framing);
    let Some(record) = all.next() else {
        return String::new();
    };
    let root = Document::with_options(&record.bytes, loose_options(dialect)).root();
    let mut text = root.map_or_else(|_| String::new(), |root| notation::start(root, 60));
    let more = all.count() as u64;
    if more > 0 {
        text += &format!(" and {}", brief::plural(more, "more record"));
    }
    text
}

/// Dialects that give the same values, and where they first differ from another group: the record
/// and the offset in it.
type Group = (Vec<Dialect>, Option<(u64, usize)>);

/// The possible dialects, by the values they give.
fn groups(bytes: &[u8], survey: &Survey) -> Vec<Group> {
    let options = survey.options();
    let mut groups: Vec<Group> = Vec::new();
    for &dialect in &survey.alive {
        let mut first_difference = None;
        let mut own = None;
        for (n, (dialects, _)) in groups.iter().enumerate() {
            let (a, b) = (options(dialects[0]), options(dialect));
            let difference = compare(bytes, survey.framing, a, b);
            if difference.is_none() {
                own = Some(n);
                break;
            }
            first_difference = first_difference.or(difference);
        }
        match own {
            Some(n) => groups[n].0.push(dialect),
            None => groups.push((vec![dialect], first_difference)),
        }
    }
    groups
}

/// The one dialect, or several that give the same values.
fn decide(bytes: &[u8], survey: &Survey) -> Result<Plan, Box<Undecided>> {
    let options = survey.options();
    let groups = groups(bytes, survey);
    if let [(dialects, _)] = &groups[..] {
        let sure = if dialects.len() > 1 {
            Sure::Same
        } else if survey.loose {
            Sure::Likely
        } else {
            Sure::Certain
        };
        return Ok(Plan {
            framing: survey.framing,
            dialect: dialects[0],
            sure,
            same: if dialects.len() > 1 {
                dialects.clone()
            } else {
                Vec::new()
            },
            damaged: survey.damaged,
        });
    }
    // The first group is shown where the second one differs from it.
    let first = groups.get(1).and_then(|(_, difference)| *difference);
    let choices = groups
        .into_iter()
        .map(|(dialects, difference)| {
            let (record, offset) = difference.or(first).unwrap_or_default();
            let options = options(dialects[0]);
            let (path, sample) = value_at(bytes, survey.framing, record, offset, options);
            Choice {
                dialects,
                record,
                path,
                sample,
            }
        })
        .collect();
    Err(Box::new(Undecided::Dialects(survey.framing, choices)))
}

/// Where two readings give different values first: the record and the offset in it. The same kind
/// over the same bytes is the same value in all dialects.
fn compare(bytes: &[u8], framing: Framing, a: ReadOptions, b: ReadOptions) -> Option<(u64, usize)> {
    for record in records(bytes, framing) {
        let mut left = Document::with_options(&record.bytes, a).events();
        let mut right = Document::with_options(&record.bytes, b).events();
        loop {
            let start = left.position();
            let same = match (left.try_next(), right.try_next()) {
                (Ok(None), Ok(None)) | (Err(_), Err(_)) => break,
                (Ok(Some(a)), Ok(Some(b))) => same_event(a, b),
                _ => false,
            };
            if !same || left.position() != right.position() {
                return Some((record.index, start));
            }
        }
    }
    None
}

fn same_event(a: Event<'_>, b: Event<'_>) -> bool {
    match (a, b) {
        (Event::Value(a), Event::Value(b)) | (Event::Begin(a), Event::Begin(b)) => {
            a.kind() == b.kind() && a.offset() == b.offset()
        }
        (Event::Property(a), Event::Property(b)) => a == b,
        (Event::End, Event::End) => true,
        _ => false,
    }
}

/// The path of a value and a line about it.
fn value_at(
    bytes: &[u8],
    framing: Framing,
    index: u64,
    offset: usize,
    options: ReadOptions,
) -> (String, String) {
    let Some(record) = records(bytes, framing).nth(index as usize) else {
        return Default::default();
    };
    let document = Document::with_options(&record.bytes, options);
    let path = document.locate(offset).to_string();
    let bytes = record.bytes.get(offset..).unwrap_or_default();
    let engine = Document::with_options(bytes, options.mode(Mode::Engine));
    let sample = engine.root().map(|value| notation::start(value, 60));
    (path, sample.unwrap_or_default())
}
