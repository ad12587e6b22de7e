//! The losses of a style: what it could not say.

use std::fmt;

/// A part of a value that JSON in some style does not say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Loss {
    /// The type: a vector is an array, a StringName a text.
    Type,
    /// Infinity or no number, which JSON has not: null.
    NotFinite,
    /// Digits of a float, or the sign of a zero.
    Digits,
    /// A key that is no String, written as text.
    Key,
    /// A key that is in its Dictionary already, or has the text of another: readers of JSON keep one value of two.
    RepeatedKey,
    /// That reals have 64 bits: they are read as those of a single-precision engine, unless the target is told.
    Width,
    /// An object, or the number of one.
    Object,
    /// The number of a RID, or a signal.
    Handle,
    /// The names of a NodePath, where one is empty or has a `/` or `:` in it.
    Path,
    /// A character that is none, such as half of a surrogate pair.
    Text,
}

impl Loss {
    /// All of them.
    pub const ALL: [Loss; 10] = [
        Loss::Type,
        Loss::NotFinite,
        Loss::Digits,
        Loss::Key,
        Loss::RepeatedKey,
        Loss::Width,
        Loss::Object,
        Loss::Handle,
        Loss::Path,
        Loss::Text,
    ];

    /// For a list: `types`, `keys that are no text`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Type => "types",
            Loss::NotFinite => "numbers that are not finite",
            Loss::Digits => "digits of floats",
            Loss::Key => "keys that are no text",
            Loss::RepeatedKey => "keys that are there already",
            Loss::Width => "widths of 64-bit reals",
            Loss::Object => "objects",
            Loss::Handle => "RIDs and signals",
            Loss::Path => "names in paths",
            Loss::Text => "characters that are none",
        }
    }
}

/// How much was lost. [`fmt::Display`] makes a line of it: `3 types, 1 objects`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    counts: [u64; Loss::ALL.len()],
}

impl Report {
    /// How often this was lost.
    #[must_use]
    pub fn count(&self, loss: Loss) -> u64 {
        self.counts[loss as usize]
    }

    /// Returns `true` if nothing was lost.
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }

    pub(crate) fn merge(&mut self, other: Report) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    pub(crate) fn add(&mut self, loss: Loss) {
        self.counts[loss as usize] += 1;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for loss in Loss::ALL {
            if self.count(loss) > 0 {
                let comma = if first { "" } else { ", " };
                write!(f, "{comma}{} {}", self.count(loss), loss.name())?;
                first = false;
            }
        }
        if first {
            f.write_str("nothing")
        } else {
            Ok(())
        }
    }
}
