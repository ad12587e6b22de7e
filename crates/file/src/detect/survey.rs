//! Reads all records of a file under one framing, in each possible dialect.

use gdvar_view::{Choice, Detection, Detector, Dialect, DialectFit, Document};

use super::{Certainty, Decision, DialectChoice, Undecided};
use crate::{Framing, Hints, is_value, options, records::records};

/// If more records than this are broken before the dialect is decided, the framing must be wrong, and the rest is not
/// read.
const HOPELESS: u64 = 100;

/// The result of reading all records under one framing.
pub(super) struct Survey {
    pub(super) framing: Framing,
    pub(super) found: Detection,
    /// The number of records whose bytes are incomplete or unreadable in this framing.
    pub(super) broken: u64,
    /// The length of the file; for text, the number of decoded bytes.
    total: u64,
}

/// How well a framing fits a file. The smallest variant is the best fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    /// Every record is exactly one value.
    Exact,
    /// Some values are followed by zeros.
    Zeros,
    /// Some values are followed by other bytes.
    Data,
    /// Some records cannot be read; others are exactly one value.
    Damaged,
    /// No record is exactly one value, and some records cannot be read. Or some values are followed by other bytes, and
    /// the values are implausible, which is a sign of a wrong framing.
    Broken,
    /// One bare value followed by other bytes, but the first word is more likely the length of a damaged
    /// record: the value is implausible, or the word is larger than any type number.
    Length,
    /// No value can be read.
    Nothing,
}

/// Chooses the framing with the best [`Fit`]. If several framings fit equally well, returns [`Undecided::Framings`].
pub(super) fn choose(bytes: &[u8], mut surveys: Vec<Survey>) -> Result<Survey, Box<Undecided>> {
    // Returns `true` if the file may be one truncated record whose value is complete.
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
    // The length of a short first record, 8 for an int, is also the type number of a value that any bytes make.
    // A damaged record after a whole one reads more than that value.
    let most_of_damaged = { surveys.iter() }
        .filter(|survey| survey.framing == Framing::Len32 && survey.fit(bytes) == Fit::Damaged)
        .map(|survey| survey.best().read)
        .max();
    let is_record = |survey: &Survey| {
        let read = 2 * survey.best().read;
        survey.framing == Framing::Bare && most_of_damaged.is_some_and(|damaged| read < damaged)
    };
    // The detector reads a long value to its end only if two dialects begin to read it.
    let is_exact = |survey: &&Survey| survey.fit(bytes) == Fit::Exact;
    let is_bare = |survey: &Survey| survey.framing == Framing::Bare;
    let is_cut_value = (is_cut || surveys.iter().filter(is_exact).count() > 1) && {
        surveys.iter().filter(is_exact)
    }
    .any(|survey| is_bare(survey) && !is_value(bytes, &[survey.best().dialect]));
    let rank = |survey: &Survey| match survey.fit(bytes) {
        Fit::Exact if is_cut_value && is_bare(survey) => (Fit::Length, survey.unread()),
        Fit::Data if is_record(survey) => (Fit::Length, survey.unread()),
        Fit::Exact if has_better && survey.framing == Framing::Bare && survey.best().odd > 0 => {
            (Fit::Length, survey.unread())
        }
        fit @ (Fit::Exact | Fit::Zeros | Fit::Data) => (fit, survey.best().odd),
        fit => (fit, survey.unread()),
    };
    surveys.sort_by_key(|survey| (rank(survey), survey.framing != Framing::Bare));
    let first = rank(&surveys[0]);
    let is_alike = |survey: &&Survey| {
        // A complete bare value, or a truncated record whose value is complete: both are possible.
        rank(survey) == first || is_cut && first.0 == Fit::Exact
    };
    let alike = surveys.iter().filter(is_alike);
    if first.0 < Fit::Damaged && alike.clone().count() > 1 {
        let mut choices = Vec::new();
        for survey in alike {
            for dialects in survey.groups() {
                choices.push((survey.framing, dialects));
            }
        }
        return Err(Box::new(Undecided::Framings(choices)));
    }
    Ok(surveys.swap_remove(0))
}

impl Survey {
    pub(super) fn new(
        bytes: &[u8],
        framing: Framing,
        dialects: &[Dialect],
        hints: &Hints<'_>,
    ) -> Survey {
        let mut detector = Detector::new(dialects);
        let (mut broken, mut decoded) = (0, 0);
        let mut all = records(bytes, framing);
        while let Some(record) = all.next() {
            hints.report(all.position());
            // An empty line contains no value.
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
                // Checking the remaining lengths costs little, and shows whether they are lengths at all.
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

    pub(super) fn best(&self) -> DialectFit {
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

    /// Returns `true` if the first word is probably the length of a record: the word is larger than any type number,
    /// and the file either has that many bytes or ends within a value.
    fn starts_with_length(&self, bytes: &[u8]) -> bool {
        let Some((&prefix, rest)) = bytes.split_first_chunk() else {
            return false;
        };
        let len = u32::from_le_bytes(prefix) as usize;
        let is_cut = |reading: &DialectFit| {
            let value = Document::with_options(rest, options(reading.dialect)).validate();
            value.is_err_and(|error| error.is_truncated())
        };
        let holds = || len <= rest.len() || self.found.readings().iter().any(is_cut);
        len >= 40 && len % 4 == 0 && holds()
    }

    /// Returns `true` if only one value at the start can be read, and this value takes less than a tenth of the file.
    /// The file is then something else that happens to start like a value.
    pub(super) fn leaves_nearly_all(&self) -> bool {
        const SHORT: u64 = 64;
        let is_read = self.best().failed == 0 && self.best().data_left > 0;
        self.framing == Framing::Bare && is_read && self.total > SHORT && self.unread() > 900
    }

    /// Returns `true` if the best dialect reads a value in each record, and leaves data after each.
    pub(super) fn leaves_data_in_all(&self) -> bool {
        let best = self.best();
        best.data_left > 0 && best.data_left == self.found.records && self.broken == 0
    }

    /// Returns `true` if some dialect reads all records to their last bytes.
    pub(super) fn is_read_whole_by_one(&self) -> bool {
        let is_whole = |one: &DialectFit| one.failed + one.data_left + one.zeros_left == 0;
        self.broken == 0 && self.found.readings().iter().any(is_whole)
    }

    /// Returns the share of the file that the best dialect does not read, in thousandths.
    fn unread(&self) -> u64 {
        1000 - self.best().read * 1000 / self.total.max(1)
    }

    /// Returns the possible dialects, grouped by the values that they give.
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

    /// Chooses one dialect, or several that give the same values.
    pub(super) fn decide(&self) -> Result<Decision, Box<Undecided>> {
        let (dialect, certainty) = match self.found.choice() {
            Choice::Certain(dialect) => (dialect, Certainty::Certain),
            Choice::Likely(dialect) => (dialect, Certainty::Likely),
            Choice::Same(dialect) => (dialect, Certainty::Same),
            Choice::Furthest(dialect) => (dialect, Certainty::Furthest),
            Choice::None => return Err(Box::new(Undecided::Unreadable(self.framing))),
            Choice::Ambiguous => return Err(Box::new(self.undecided(self.groups()))),
        };
        let same: Vec<_> = self.found.same().collect();
        Ok(Decision {
            framing: self.framing,
            dialect,
            certainty,
            same: if same.len() > 1 { same } else { Vec::new() },
            is_damaged: self.best().failed + self.broken > 0,
        })
    }

    fn undecided(&self, groups: Vec<Vec<Dialect>>) -> Undecided {
        let choices = groups.into_iter().map(|dialects| self.possible(dialects));
        Undecided::Dialects(self.framing, choices.collect())
    }

    /// Returns the possible dialects and `dialect` as choices.
    pub(super) fn undecided_with(&self, dialect: Dialect) -> Undecided {
        let mut groups = self.groups();
        if !groups.iter().flatten().any(|own| *own == dialect) {
            groups.push(vec![dialect]);
        }
        self.undecided(groups)
    }

    fn possible(&self, dialects: Vec<Dialect>) -> DialectChoice {
        let own = |reading: &&DialectFit| dialects.contains(&reading.dialect);
        let readings = || self.found.readings().iter();
        let difference = readings()
            .filter(own)
            .find_map(|reading| reading.difference);
        let any = || readings().find_map(|reading| reading.difference);
        let (record, offset) = difference.or_else(any).unwrap_or_default();
        DialectChoice {
            dialects,
            record,
            offset,
        }
    }
}
