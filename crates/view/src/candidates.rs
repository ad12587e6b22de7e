//! Under which dialects a buffer can be read at all.

use gdvar_wire::Dialect;

use crate::{document::Document, error::Error, options::ReadOptions, walk::events::Event};

/// How a buffer reads under one dialect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reading {
    /// The dialect.
    pub dialect: Dialect,
    /// Whether the whole buffer is one value that a correct encoder of the dialect writes; else
    /// what is wrong. Quirks of early releases are forgiven, objects are let in.
    pub outcome: Result<(), Error>,
    /// How many values were read, up to the error if there is one.
    pub values: u64,
    /// How many floats among them are NaN, subnormal or above 1e30 in size: rare in real data, and
    /// what counts and text look like when they are misread as floats.
    pub odd_floats: u64,
}

impl Reading {
    /// Whether the buffer can be of this dialect.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.outcome.is_ok()
    }
}

/// The readings of one buffer, in the order of [`Dialect::ALL`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidates {
    readings: [Reading; 7],
}

impl Candidates {
    /// All seven readings.
    #[must_use]
    pub const fn all(&self) -> &[Reading; 7] {
        &self.readings
    }

    /// The dialects that the buffer can be of. Several are common: plain values look the same in
    /// all of them (`docs/FORMAT.md` §1.4).
    pub fn possible(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(|reading| reading.is_possible())
    }

    /// The only dialect possible, if there is just one.
    #[must_use]
    pub fn only(&self) -> Option<Dialect> {
        let mut possible = self.possible();
        match (possible.next(), possible.next()) {
            (Some(reading), None) => Some(reading.dialect),
            _ => None,
        }
    }
}

/// Reads a bare value under every dialect, strictly, and says which readings are possible and on
/// what evidence. It never guesses: choosing among several is the caller's. One walk a dialect.
///
/// ```
/// use gdvar_view::{Dialect, candidates};
///
/// // An empty Array of Godot 4: type 28, no type of Godot 3.
/// let possible = candidates(&[28, 0, 0, 0, 0, 0, 0, 0]);
/// assert!(possible.possible().any(|reading| reading.dialect == Dialect::GODOT_4));
/// assert!(!possible.possible().any(|reading| reading.dialect == Dialect::GODOT_3));
/// ```
#[must_use]
pub fn candidates(bytes: &[u8]) -> Candidates {
    Candidates {
        readings: Dialect::ALL.map(|dialect| read(bytes, dialect)),
    }
}

fn read(bytes: &[u8], dialect: Dialect) -> Reading {
    let options = ReadOptions::any_release(dialect);
    let mut reading = Reading {
        dialect,
        outcome: Ok(()),
        values: 0,
        odd_floats: 0,
    };
    let mut events = Document::with_options(bytes, options).events();
    loop {
        match events.try_next() {
            Ok(Some(Event::Value(value))) => {
                reading.values += 1;
                reading.odd_floats += u64::from(crate::walk::keys::odd_components(value));
            }
            Ok(Some(Event::Begin(_))) => reading.values += 1,
            Ok(Some(_)) => {}
            Ok(None) => return reading,
            Err(error) => {
                reading.outcome = Err(error);
                return reading;
            }
        }
    }
}
