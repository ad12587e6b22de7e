//! [`Choice`]: if `open` refuses a file because there are several ways to read it, each way is a `Choice` with the
//! hints that select it. `detect` finds the possible ways.

use gdvar_view::{Detector, Dialect, Document, Objects, ReadOptions};

use crate::{Framing, NotOpened, PeelError, Peeled, Record, Undecided, records::records_after};

/// The hints that choose one of several ways to read a file. A hint that is `None` is not needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// What surrounds each value: a length, a line, or nothing.
    pub framing: Option<Framing>,
    /// The first of the dialects that read the file in this way.
    pub dialect: Option<Dialect>,
    /// The length of the header before the values.
    pub skip: Option<usize>,
    /// The first record that another choice reads differently, counted from 0.
    pub record: u64,
    /// The offset in that record of the value that differs.
    pub offset: usize,
}

impl Undecided {
    /// Returns the possible ways to read the file; empty if there is nothing to choose.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        let choice = Choice {
            framing: None,
            dialect: None,
            skip: None,
            record: 0,
            offset: 0,
        };
        match self {
            Undecided::Framings(all) => {
                let own = |(framing, dialects): &(Framing, Vec<Dialect>)| Choice {
                    framing: Some(*framing),
                    dialect: dialects.first().copied(),
                    ..choice
                };
                all.iter().map(own).collect()
            }
            Undecided::Header(header) => vec![
                Choice {
                    framing: Some(Framing::Bare),
                    ..choice
                },
                Choice {
                    framing: header.framing,
                    skip: Some(header.len),
                    ..choice
                },
            ],
            Undecided::Dialects(framing, all) => {
                let own = |own: &crate::DialectChoice| Choice {
                    framing: Some(*framing),
                    dialect: own.dialects.first().copied(),
                    record: own.record,
                    offset: own.offset,
                    ..choice
                };
                all.iter().map(own).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Choice {
    /// Returns the record that another choice reads differently, and the options with which this choice reads
    /// it. `file` is the file that was peeled.
    #[must_use]
    pub fn record<'a>(
        self,
        peeled: &'a Peeled,
        file: &'a [u8],
    ) -> Option<(Record<'a>, ReadOptions)> {
        let skip = self.skip.unwrap_or(peeled.header_len);
        let framing = self.framing.unwrap_or(Framing::Bare);
        let mut all = records_after(peeled.contents(file).get(skip..)?, framing, skip);
        let record = all.find(|record| record.index == self.record)?;
        let read = |&dialect: &Dialect| Document::new(&record.bytes, dialect).validate().is_ok();
        let likely = || Detector::AUTO.into_iter().find(read);
        let options = ReadOptions::new(self.dialect.or_else(likely)?);
        Some((record, options.with_objects(Objects::Inert)))
    }
}

impl PeelError {
    /// Returns the short name: `PasswordNeeded`, `NotEncoded`, `TooManyLayers`, `SkipTooLong`, or the name of
    /// the damage.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            PeelError::Locked => "PasswordNeeded",
            PeelError::Bytes(error) => error.kind().name(),
            PeelError::Constant(_, error) => error.kind().name(),
            #[cfg(feature = "resources")]
            PeelError::Resource(error) => error.kind().name(),
            PeelError::NotEncoded(..) => "NotEncoded",
            PeelError::TooDeep => "TooManyLayers",
            PeelError::SkipTooLong { .. } => "SkipTooLong",
            PeelError::Document(..) => "BadText",
        }
    }
}

impl NotOpened {
    /// Returns the short name of the reason.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            NotOpened::Layer(error) => error.name(),
            NotOpened::Undecided(undecided, _) => undecided.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engines, Hints, NotOpened, Opened, open};

    fn hints(choice: super::Choice) -> Hints<'static> {
        Hints {
            framing: choice.framing,
            engines: choice.dialect.map_or(Engines::Auto, Engines::Given),
            skip: choice.skip,
            ..Hints::new()
        }
    }

    #[test]
    fn each_choice_opens_the_file_in_another_way() {
        // store_var(null), or a String; a Plane of Godot 4, or a Color of Godot 3.
        let files: [(&[u8], &str); 2] = [
            (b"\x04\0\0\0\0\0\0\0", "AmbiguousFraming"),
            (
                b"\x0e\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\x80\x3f\0\0\x80\x3f",
                "AmbiguousDialect",
            ),
        ];
        for (file, name) in files {
            let error = open(file, &Hints::new()).expect_err(name);
            assert_eq!(error.name(), name);
            let NotOpened::Undecided(undecided, _) = error else {
                panic!("{name}")
            };
            let choices = undecided.choices();
            assert!(choices.len() > 1, "{choices:?}");
            let mut decisions = Vec::new();
            for choice in choices {
                let opened = open(file, &hints(choice)).expect("a choice");
                let decision = |opened: &Opened<'_>| format!("{:?}", opened.decision());
                assert!(!decisions.contains(&decision(&opened)), "{decisions:?}");
                decisions.push(decision(&opened));
            }
        }
    }
}
