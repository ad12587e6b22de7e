//! Decides how the contents of a file are read: the bytes around the values, and the engine that wrote them.
//!
//! Nothing is chosen silently. A [`Decision`] says how certain it is, and if two ways to read the file are
//! equally good, [`Undecided`] holds both.

mod short;
mod survey;

use gdvar_view::Dialect;

pub use short::{first_bytes, without_doubt};
use survey::{Survey, choose};

use crate::{
    Engines, Framing, Hints,
    header::Header,
    known_formats::{self, KnownFormat},
    records::is_big_endian,
};

/// How contents are read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// What surrounds each value: a length, a line, or nothing.
    pub framing: Framing,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// How certain the dialect is.
    pub certainty: Certainty,
    /// The dialects that read every value identically, including `dialect`. Empty if no other dialect does.
    pub same: Vec<Dialect>,
    /// `true` if some values are known to be damaged.
    pub is_damaged: bool,
}

/// How certain a dialect is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// The caller named the dialect, or a layer determines it.
    Given,
    /// No other dialect that was tried reads everything.
    Certain,
    /// Several dialects read everything, as identical values.
    Same,
    /// Another dialect reads everything too, but is less plausible.
    Likely,
    /// No dialect reads everything; this one gets furthest.
    Furthest,
}

impl Certainty {
    /// Returns the short name: `given`, `certain`, `same`, `likely`, `furthest`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Given => "given",
            Certainty::Certain => "certain",
            Certainty::Same => "same",
            Certainty::Likely => "likely",
            Certainty::Furthest => "furthest",
        }
    }
}

/// The reason why it is unclear how contents are read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Undecided {
    /// There are no bytes.
    Empty,
    /// The file has a known format that contains no values.
    Known(&'static KnownFormat),
    /// Several framings are possible. Each comes with the dialects that read the file in this framing.
    Framings(Vec<(Framing, Vec<Dialect>)>),
    /// Either the file is one value of a type for which any bytes are valid, or values follow the game's own
    /// header.
    Header(Header),
    /// Several dialects read the file, as different values.
    Dialects(Framing, Vec<DialectChoice>),
    /// One value can be read, but the value takes less than a tenth of the file.
    Rest {
        /// The length of the value in bytes.
        read: usize,
        /// The dialect that reads it.
        dialect: Dialect,
    },
    /// No dialect reads any value. The framing is only the most likely guess.
    Unreadable(Framing),
}

impl Undecided {
    /// Returns the short name: `Empty`, `AmbiguousFraming`, `AmbiguousDialect`, `Unreadable`, or the name of
    /// a known format.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Undecided::Empty => "Empty",
            Undecided::Known(format) => format.name,
            Undecided::Framings(_) | Undecided::Header(_) => "AmbiguousFraming",
            Undecided::Dialects(..) => "AmbiguousDialect",
            Undecided::Rest { .. } | Undecided::Unreadable(_) => "Unreadable",
        }
    }
}

/// One of several ways to read a file, with the dialects that read it in this way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DialectChoice {
    /// The dialects that read the file in this way, with the same values.
    pub dialects: Vec<Dialect>,
    /// The first record that the other choices read differently, counted from 0.
    pub record: u64,
    /// The offset in that record of the value that differs.
    pub offset: usize,
}

/// Decides how to read `bytes`, the values of a file without its layers, header and trailer. Reads every value about
/// once for each possible dialect.
///
/// # Errors
/// Returns [`Undecided`] with all ways to read the bytes that remain possible.
pub fn detect(bytes: &[u8], hints: &Hints<'_>) -> Result<Decision, Box<Undecided>> {
    if let (Some(framing), Some(dialect)) = (hints.framing, hints.engines.given()) {
        return Ok(Decision {
            framing,
            dialect,
            certainty: Certainty::Given,
            same: Vec::new(),
            is_damaged: false,
        });
    }
    if bytes.is_empty() {
        return Err(Box::new(Undecided::Empty));
    }
    let framings = match hints.framing {
        Some(framing) => vec![framing],
        None => {
            if let Some(format) = known_formats::recognize(bytes) {
                return Err(Box::new(Undecided::Known(format)));
            }
            plausible(bytes)
        }
    };
    let dialects = hints.engines.candidates();
    let surveys = framings
        .into_iter()
        .map(|framing| Survey::new(bytes, framing, &dialects, hints))
        .collect();
    let survey = choose(bytes, surveys)?;
    if let Some(dialect) = hints.engines.given() {
        return Ok(Decision {
            framing: survey.framing,
            dialect,
            certainty: Certainty::Given,
            same: Vec::new(),
            is_damaged: survey.best().failed + survey.broken > 0,
        });
    }
    if survey.framing.is_text() && survey.broken == survey.found.records && hints.framing.is_none()
    {
        return Err(Box::new(Undecided::Known(&known_formats::TEXT)));
    }
    if hints.framing.is_none() && survey.leaves_nearly_all() {
        return Err(Box::new(Undecided::Rest {
            read: survey.best().read as usize,
            dialect: survey.best().dialect,
        }));
    }
    // Godot 2's Dictionary is Godot 3's PoolByteArray, with all pairs left after it. The user says which it is.
    if hints.engines == Engines::Auto && survey.leaves_data_in_all() {
        let rare = Survey::new(bytes, survey.framing, &Engines::Any.candidates(), hints);
        if rare.is_read_whole_by_one() {
            return Err(Box::new(rare.undecided_with(survey.best().dialect)));
        }
    }
    survey.decide()
}

/// Returns the framings that are possible at first sight. Binary values are never text, because every header
/// has zero bytes.
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
