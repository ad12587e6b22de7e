//! The bytes around the values, and how the file is going to be read. Which engine's values they are is
//! found out by [`gdvar_view::Detector`].

#[cfg(test)]
mod tests;

use gdvar_view::{Choice, Detection, Detector, Dialect, Document, Objects, ReadOptions, Reading};

use crate::{
    args::DialectArg,
    brief,
    foreign::{self, Foreign},
    header::Header,
    notation,
    progress::Progress,
    records::{Framing, Record, is_big_endian, records},
};

/// The choices of the command line about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The dialect, or which ones are possible.
    pub dialect: DialectArg,
    /// The framing, unless it is to be found out.
    pub framing: Option<Framing>,
}

/// How the file is going to be read.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The bytes around the values.
    pub framing: Framing,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// How sure that is.
    pub sure: Sure,
    /// Dialects under which every value would be the same, this one included; else empty.
    pub same: Vec<Dialect>,
    /// `true` if something in it is known to be damaged.
    pub damaged: bool,
}

/// How sure the dialect is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sure {
    /// The command line says so.
    Given,
    /// No other engine that was tried reads all of it.
    Certain,
    /// Several engines read it, as the very same values.
    Same,
    /// Another engine reads it too, but not as well.
    Likely,
    /// No engine reads all of it; this one gets furthest.
    Furthest,
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
    /// It is one value that any bytes could be, or values after a header of the game's own.
    Header(Header),
    /// Several dialects are possible, as different values.
    Dialects(Framing, Vec<Possible>),
    /// One value can be read, and nearly all of the file comes after it.
    Rest {
        /// The bytes of the value.
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
    /// The dialects that read it so.
    pub dialects: Vec<Dialect>,
    /// Which record differs first from the other readings.
    pub record: u64,
    /// The path in it.
    pub path: String,
    /// The value there in this reading.
    pub sample: String,
}

/// After so many records without a readable one, the framing is another.
const HOPELESS: u64 = 100;

/// The result of reading all records under a framing.
struct Survey {
    framing: Framing,
    found: Detection,
    /// Records that could not be cut out of the file whole.
    broken: u64,
    /// Bytes of the file; those that the looked-at lines stand for, if it is text.
    total: u64,
}

/// How well a file reads under a framing; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    /// Every record is a value to its last byte.
    Exact,
    /// Behind some values stand zeros.
    Zeros,
    /// Behind some values stand other bytes.
    Data,
    /// Some records cannot be read, others are values to their last byte.
    Damaged,
    /// Records cannot be read, but some start like a value; or all are values in front of other bytes, and
    /// something speaks against such values.
    Broken,
    /// One bare value in front of other bytes, which may as well be the length of a damaged record: of no
    /// engine in particular and odd, or longer than any type number.
    Length,
    /// No byte of it is a value.
    Nothing,
}

/// Decides how to read a file.
pub(crate) fn detect(
    bytes: &[u8],
    wanted: Wanted,
    progress: &Progress,
) -> Result<Plan, Box<Undecided>> {
    if let (Some(framing), Some(dialect)) = (wanted.framing, wanted.dialect.given()) {
        return Ok(Plan {
            framing,
            dialect,
            sure: Sure::Given,
            same: Vec::new(),
            damaged: false,
        });
    }
    if bytes.is_empty() {
        return Err(Box::new(Undecided::Empty));
    }
    let framings = match wanted.framing {
        Some(framing) => vec![framing],
        None => {
            if let Some(foreign) = foreign::recognize(bytes) {
                return Err(Box::new(Undecided::Foreign(foreign)));
            }
            plausible(bytes)
        }
    };
    let dialects = wanted.dialect.candidates();
    let surveys = framings
        .into_iter()
        .map(|framing| Survey::new(bytes, framing, &dialects, progress))
        .collect();
    let survey = choose(bytes, surveys)?;
    if let Some(dialect) = wanted.dialect.given() {
        return Ok(Plan {
            framing: survey.framing,
            dialect,
            sure: Sure::Given,
            same: Vec::new(),
            damaged: survey.best().failed + survey.broken > 0,
        });
    }
    if survey.framing.is_text() && survey.broken == survey.found.records && wanted.framing.is_none()
    {
        return Err(Box::new(Undecided::Foreign(&foreign::TEXT)));
    }
    if wanted.framing.is_none() && survey.leaves_nearly_all() {
        let dialect = survey.best().dialect;
        return Err(Box::new(Undecided::Rest {
            read: survey.best().read as usize,
            value: sample(bytes, survey.framing, dialect),
        }));
    }
    survey.decide(bytes)
}

/// The plan of [`detect`] where nothing is to be weighed: one engine reads the file to its last byte under one framing,
/// no other engine does, and the other framing cuts it into nothing whole. None in all other cases. Takes a
/// quarter of the time: of a hundred thousand small files, finding out is most of the work.
pub(crate) fn plain(bytes: &[u8], wanted: Wanted) -> Option<Plan> {
    if wanted.framing.is_some() || foreign::recognize(bytes).is_some() || is_big_endian(bytes) {
        return None;
    }
    let dialects = wanted.dialect.candidates();
    let pairs = [Framing::Len32, Framing::Bare].into_iter();
    let pairs = pairs.flat_map(|framing| dialects.iter().map(move |&dialect| (framing, dialect)));
    let mut fitting = pairs.filter(|&(framing, dialect)| is_whole(bytes, framing, dialect));
    let (framing, dialect) = fitting.next()?;
    if fitting.next().is_some() {
        return None;
    }
    if framing == Framing::Bare {
        // A record that is cut where its value is; records with something behind each value.
        let behind = bytes.get(4..).unwrap_or_default();
        let is_cut = dialects
            .iter()
            .any(|&own| is_whole(behind, Framing::Bare, own));
        let are_records = records(bytes, Framing::Len32)
            .all(|record| record.problem.is_none() && record.cut.is_none());
        if is_cut || are_records {
            return None;
        }
    }
    let sure = match wanted.dialect.given() {
        Some(_) => Sure::Given,
        None => Sure::Certain,
    };
    Some(Plan {
        framing,
        dialect,
        sure,
        same: Vec::new(),
        damaged: false,
    })
}

/// Returns `true` if there are records, and each is a value to its last byte.
fn is_whole(bytes: &[u8], framing: Framing, dialect: Dialect) -> bool {
    let mut all = records(bytes, framing).peekable();
    all.peek().is_some()
        && all.all(|record| {
            let document = Document::with_options(&record.bytes, options(dialect));
            record.problem.is_none()
                && record.cut.is_none()
                && document
                    .validate()
                    .is_ok_and(|len| len == record.bytes.len())
        })
}

/// Decides by the first bytes of a large file, about `len` of them: if one engine reads these, under one
/// framing, and no other does. None where there is a doubt, or damage.
pub(crate) fn glance(bytes: &[u8], wanted: Wanted, len: usize) -> Option<Plan> {
    let framings = match wanted.framing {
        Some(framing) if framing.is_text() => return None,
        Some(framing) => vec![framing],
        None => vec![Framing::Len32, Framing::Len32Be, Framing::Bare],
    };
    let dialects = wanted.dialect.candidates();
    let all = framings.into_iter().flat_map(|framing| {
        let pair = move |&dialect: &Dialect| (framing, dialect);
        dialects.iter().map(pair)
    });
    let mut fitting = all.filter(|&(framing, dialect)| starts_well(bytes, framing, dialect, len));
    let (framing, dialect) = fitting.next()?;
    let sure = match wanted.dialect.given() {
        Some(_) => Sure::Given,
        None => Sure::Certain,
    };
    fitting.next().is_none().then_some(Plan {
        framing,
        dialect,
        sure,
        same: Vec::new(),
        damaged: false,
    })
}

/// Returns `true` if nothing is wrong with the values in the first bytes.
fn starts_well(bytes: &[u8], framing: Framing, dialect: Dialect, len: usize) -> bool {
    let mut seen = 0;
    for record in records(bytes, framing) {
        if record.problem.is_some() || record.cut.is_some() {
            return false;
        }
        let mut events = Document::with_options(&record.bytes, options(dialect)).events();
        loop {
            match events.try_next() {
                _ if seen + events.position() > len => return true,
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return false,
            }
        }
        seen += events.position();
        if events.position() < record.bytes.len() {
            return false;
        }
    }
    seen > 0
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

/// The one framing under which the file makes most sense.
fn choose(bytes: &[u8], mut surveys: Vec<Survey>) -> Result<Survey, Box<Undecided>> {
    // One record that is cut where its value is.
    let is_cut = |survey: &Survey| {
        survey.framing == Framing::Len32
            && survey.best().read + 4 == survey.total
            && survey.broken == 1
            // Values are multiples of four bytes.
            && bytes.first().is_some_and(|low| low % 4 == 0)
    };
    let is_cut = surveys.iter().any(is_cut);
    let makes_sense = |survey: &Survey| survey.fit(bytes) <= Fit::Data && survey.best().odd == 0;
    let has_better = is_cut || surveys.iter().any(makes_sense);
    let rank = |survey: &Survey| match survey.fit(bytes) {
        Fit::Exact if has_better && survey.framing == Framing::Bare && survey.best().odd > 0 => {
            (Fit::Length, survey.unread())
        }
        fit @ (Fit::Exact | Fit::Zeros | Fit::Data) => (fit, survey.best().odd),
        fit => (fit, survey.unread()),
    };
    surveys.sort_by_key(|survey| (rank(survey), survey.framing != Framing::Bare));
    let first = rank(&surveys[0]);
    let is_alike = |survey: &&Survey| {
        // A bare value to its last byte, or a record that is cut where its value is: both are possible.
        rank(survey) == first || is_cut && first.0 == Fit::Exact
    };
    let alike = surveys.iter().filter(is_alike);
    if first.0 < Fit::Damaged && alike.clone().count() > 1 {
        let mut choices = Vec::new();
        for survey in alike {
            for dialects in survey.groups() {
                let sample = sample(bytes, survey.framing, dialects[0]);
                choices.push((survey.framing, dialects, sample));
            }
        }
        return Err(Box::new(Undecided::Framings(choices)));
    }
    Ok(surveys.swap_remove(0))
}

impl Survey {
    fn new(bytes: &[u8], framing: Framing, dialects: &[Dialect], progress: &Progress) -> Survey {
        let mut detector = Detector::new(dialects);
        let (mut broken, mut decoded) = (0, 0);
        let mut all = records(bytes, framing);
        while let Some(record) = all.next() {
            progress.at(all.position());
            // An empty line holds no value, and says nothing about the others.
            if record.problem.is_none() && record.bytes.is_empty() && framing.is_text() {
                continue;
            }
            decoded += record.bytes.len();
            match (record.problem, record.cut) {
                (None, None) => detector.add(&record.bytes),
                (_, declared) => {
                    broken += 1;
                    detector.add_cut(&record.bytes, declared.unwrap_or(0) as usize);
                }
            }
            let is_done = match framing {
                // The other prefixes take no time, and say whether they are prefixes at all.
                Framing::Len32 | Framing::Len32Be => false,
                _ => detector.is_decided(),
            };
            if is_done || broken > HOPELESS && !detector.is_decided() {
                break;
            }
        }
        Survey {
            framing,
            found: detector.finish(),
            broken,
            total: if framing.is_text() {
                decoded
            } else {
                bytes.len()
            } as u64,
        }
    }

    fn best(&self) -> Reading {
        self.found.readings()[0]
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        let best = self.best();
        let exact = self.found.records - best.failed - best.data_left - best.zeros_left;
        let fit = if best.read == 0 || self.found.records == 0 {
            Fit::Nothing
        } else if exact == 0 && best.failed + self.broken > 0 {
            Fit::Broken
        } else if best.failed > 0 || self.broken > 0 {
            Fit::Damaged
        } else if best.data_left > 0 {
            Fit::Data
        } else if best.zeros_left > 0 {
            Fit::Zeros
        } else {
            Fit::Exact
        };
        let leaves = matches!(fit, Fit::Zeros | Fit::Data);
        let is_given = self.found.readings().len() == 1;
        match fit {
            _ if !leaves => fit,
            _ if self.framing == Framing::Bare && self.starts_with_length(bytes) => Fit::Length,
            _ if best.odd == 0 => fit,
            _ if self.framing == Framing::Bare && !is_given => Fit::Length,
            _ => Fit::Broken,
        }
    }

    /// Returns `true` if the first word looks as if it were the length of a record and no type number: more than any
    /// of those, and the file holds as many bytes or ends within a value.
    fn starts_with_length(&self, bytes: &[u8]) -> bool {
        let Some((&prefix, rest)) = bytes.split_first_chunk() else {
            return false;
        };
        let len = u32::from_le_bytes(prefix) as usize;
        let is_cut = |reading: &Reading| {
            let value = Document::with_options(rest, options(reading.dialect)).validate();
            value.is_err_and(|error| error.is_truncated())
        };
        let holds = || len <= rest.len() || self.found.readings().iter().any(is_cut);
        len >= 40 && len % 4 == 0 && holds()
    }

    /// Returns `true` if all that can be read is one value in front of nine tenths of the file: then the file is
    /// something else that happens to start like a value.
    fn leaves_nearly_all(&self) -> bool {
        const SHORT: u64 = 64;
        let is_read = self.best().failed == 0 && self.best().data_left > 0;
        self.framing == Framing::Bare && is_read && self.total > SHORT && self.unread() > 900
    }

    /// The share of the file that the best dialect does not read, in thousandths.
    fn unread(&self) -> u64 {
        1000 - self.best().read * 1000 / self.total.max(1)
    }

    /// The dialects that are possible, by the values they give.
    fn groups(&self) -> Vec<Vec<Dialect>> {
        let mut groups: Vec<(u8, Vec<Dialect>)> = Vec::new();
        for reading in self.found.possible() {
            let group = reading.group();
            match groups.iter_mut().find(|(own, _)| *own == group) {
                Some((_, dialects)) => dialects.push(reading.dialect),
                None => groups.push((group, vec![reading.dialect])),
            }
        }
        groups.into_iter().map(|(_, dialects)| dialects).collect()
    }

    /// The one dialect, or several that give the same values.
    fn decide(&self, bytes: &[u8]) -> Result<Plan, Box<Undecided>> {
        let (dialect, sure) = match self.found.choice() {
            Choice::Certain(dialect) => (dialect, Sure::Certain),
            Choice::Likely(dialect) => (dialect, Sure::Likely),
            Choice::Same(dialect) => (dialect, Sure::Same),
            Choice::Furthest(dialect) => (dialect, Sure::Furthest),
            Choice::None => return Err(Box::new(Undecided::Unreadable(self.framing))),
            Choice::Ambiguous => {
                let choices = self.groups().into_iter();
                let choices = choices.map(|dialects| self.possible(bytes, dialects));
                let choices = choices.collect();
                return Err(Box::new(Undecided::Dialects(self.framing, choices)));
            }
        };
        let same: Vec<_> = self.found.same().collect();
        Ok(Plan {
            framing: self.framing,
            dialect,
            sure,
            same: if same.len() > 1 { same } else { Vec::new() },
            damaged: self.best().failed + self.broken > 0,
        })
    }

    fn possible(&self, bytes: &[u8], dialects: Vec<Dialect>) -> Possible {
        let own = |reading: &&Reading| dialects.contains(&reading.dialect);
        let readings = || self.found.readings().iter();
        let difference = readings()
            .filter(own)
            .find_map(|reading| reading.difference);
        let any = || readings().find_map(|reading| reading.difference);
        let (record, offset) = difference.or_else(any).unwrap_or_default();
        let (path, sample) = value_at(bytes, self.framing, record, offset, dialects[0]);
        Possible {
            dialects,
            record,
            path,
            sample,
        }
    }
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
        text += &format!(" and {}", brief::plural(more, "more record"));
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
