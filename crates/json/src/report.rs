//! [`Report`]: what was lost because a style cannot express it.

use std::fmt;

/// A property of a value that a style of JSON cannot express.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Loss {
    /// The type. For example a vector becomes an array, a StringName a text, and an `Array[int]` an
    /// untyped array.
    Type,
    /// Infinity or NaN, which JSON does not have. It becomes null.
    NotFinite,
    /// Digits of a number, or the sign of a zero. In native JSON the ints of a packed array too: the
    /// engine reads them as floats.
    Digits,
    /// A key that is not a String, written as text.
    Key,
    /// A key that repeats an earlier one or its text. Readers of JSON keep only one of the values.
    RepeatedKey,
    /// The 64-bit width of reals. The reals are read back with 32 bits, unless the target asks for
    /// 64.
    Width,
    /// An object, or its id.
    Object,
    /// The id of a RID, or a signal.
    Handle,
    /// The names of a NodePath, if one is empty or contains `/` or `:`.
    Path,
    /// A character code that is not a Unicode character, such as half of a surrogate pair.
    Text,
    /// A byte order mark in front of a text, which the engines drop when they read it.
    Mark,
}

impl Loss {
    /// All losses.
    pub const ALL: [Loss; 11] = [
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
        Loss::Mark,
    ];

    /// Returns the name of this loss in the plural: `types`, `keys that are not text`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Type => "types",
            Loss::NotFinite => "numbers that are not finite",
            Loss::Digits => "digits of numbers",
            Loss::Key => "keys that are not text",
            Loss::RepeatedKey => "keys that are there already",
            Loss::Width => "widths of 64-bit reals",
            Loss::Object => "objects",
            Loss::Handle => "RIDs and signals",
            Loss::Path => "names in paths",
            Loss::Text => "invalid characters",
            Loss::Mark => "byte order marks",
        }
    }

    /// Returns the name of this loss in the singular: `type`, `key that is not text`.
    #[must_use]
    pub const fn singular(self) -> &'static str {
        match self {
            Loss::Type => "type",
            Loss::NotFinite => "number that is not finite",
            Loss::Digits => "number with fewer digits",
            Loss::Key => "key that is not text",
            Loss::RepeatedKey => "key that is there already",
            Loss::Width => "width of a 64-bit real",
            Loss::Object => "object",
            Loss::Handle => "RID or signal",
            Loss::Path => "name in a path",
            Loss::Text => "invalid character",
            Loss::Mark => "byte order mark",
        }
    }
}

/// The number of losses of each kind. [`fmt::Display`] prints a line: `3 types, 1 object`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    counts: [u64; Loss::ALL.len()],
}

impl Report {
    /// Returns the number of losses of one kind.
    #[must_use]
    pub fn count(&self, loss: Loss) -> u64 {
        self.counts[loss as usize]
    }

    /// Returns `true` if nothing was lost.
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }

    pub(crate) fn add(&mut self, loss: Loss) {
        self.counts[loss as usize] += 1;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for loss in Loss::ALL {
            let count = self.count(loss);
            if count > 0 {
                let comma = if first { "" } else { ", " };
                let name = if count == 1 {
                    loss.singular()
                } else {
                    loss.name()
                };
                write!(f, "{comma}{count} {name}")?;
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
