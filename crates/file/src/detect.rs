//! How the contents of a file are read: the bytes around the values, and the engine that wrote them.
//!
//! Nothing is chosen in silence. A [`Decision`] says how sure it is, and where two readings are equally good
//! [`Undecided`] carries both.

mod short;
mod survey;

use gdvar_view::{Dialect, Objects, ReadOptions};

pub use short::{first_bytes, without_doubt};
use survey::{Survey, choose};

use crate::{
    Framing, Hints,
    header::Header,
    known_formats::{self, KnownFormat},
    records::is_big_endian,
};

/// How contents are read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// The bytes around the values.
    pub framing: Framing,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// How sure the dialect is.
    pub certainty: Certainty,
    /// The dialects that read every value the same, `dialect` included; empty if there is no other.
    pub same: Vec<Dialect>,
    /// `true` if some values are known to be damaged.
    pub is_damaged: bool,
}

/// How sure a dialect is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// The caller says so.
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

impl Certainty {
    /// The short name: `given`, `certain`, `same`, `likely`, `furthest`.
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

/// Why it is not clear how contents are read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Undecided {
    /// There are no bytes.
    Empty,
    /// It is a format without values.
    Known(&'static KnownFormat),
    /// Several framings are possible: each with the dialects that read it.
    Framings(Vec<(Framing, Vec<Dialect>)>),
    /// It is one value that any bytes could be, or values after a header of the game's own.
    Header(Header),
    /// Several dialects read it, as different values.
    Dialects(Framing, Vec<DialectChoice>),
    /// One value can be read, and nearly all of the file comes after it.
    Rest {
        /// The bytes of the value.
        read: usize,
        /// The dialect that reads it.
        dialect: Dialect,
    },
    /// No engine reads any value. The framing is the likeliest one.
    Unreadable(Framing),
}

impl Undecided {
    /// The short name: `Empty`, `AmbiguousFraming`, `AmbiguousDialect`, `Unreadable`, or the name of a known format.
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

/// One of several possible readings by different engines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DialectChoice {
    /// The dialects that read it so.
    pub dialects: Vec<Dialect>,
    /// The first record that differs from the other readings, counted from 0.
    pub record: u64,
    /// The offset in that record of the value that differs.
    pub offset: usize,
}

/// Decides how to read `bytes`, the contents without layers and header. Reads every value about once for each
/// engine that is possible.
///
/// # Errors
/// [`Undecided`] with all readings that are left.
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
    survey.decide()
}

/// The framings that are possible by a glance at the bytes. The zero bytes that every header has are not text.
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

/// Objects are let in, because what they are is decided later.
fn options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}
