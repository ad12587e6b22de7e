//! Recognizes the usual mistakes about the framing of a value.
//!
//! The first thing that people get wrong is whether a file holds records or one bare value, and the
//! reader's error is then misleading. The bytes are examined for a [`Mistake`] only after an error,
//! so reading valid files costs nothing more.

use std::fmt;

use gdvar_view::{Dialect, Document, PrefixOrder, ReadOptions, frames};

/// The real framing of bytes that were read with another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mistake {
    /// The bytes are one value without a length, but were read as records.
    Bare {
        /// A dialect that reads the value to its end.
        dialect: Dialect,
    },
    /// The bytes are records, but were read as one value.
    Framed {
        /// The byte order of the lengths.
        order: PrefixOrder,
        /// The number of records.
        records: u32,
    },
    /// The bytes are records with lengths in the other byte order.
    Order {
        /// The byte order to use.
        order: PrefixOrder,
    },
}

impl Mistake {
    /// Explains why bytes could not be read as records with this byte order, or returns `None` if
    /// no mistake is recognized. Walks the bytes up to seven times, so call it only to explain an
    /// error.
    ///
    /// ```
    /// use gdvar_io::records::{Mistake, PrefixOrder};
    ///
    /// // var_to_bytes("hi"): four bytes of length would not begin with a type number.
    /// let bytes = b"\x04\0\0\0\x02\0\0\0hi\0\0";
    /// let mistake = Mistake::of_records(bytes, PrefixOrder::Little);
    /// assert!(matches!(mistake, Some(Mistake::Bare { .. })));
    /// ```
    #[must_use]
    pub fn of_records(bytes: &[u8], order: PrefixOrder) -> Option<Mistake> {
        let other = match order {
            PrefixOrder::Little => PrefixOrder::Big,
            PrefixOrder::Big => PrefixOrder::Little,
        };
        // Tested first, because a length that fits a value is the stronger evidence: three words
        // may be a vector in some dialect. The end may be missing, so the first record decides.
        if let Ok(Some(first)) = frames(bytes, other).try_next() {
            if !first.is_cut() && one_value(first.bytes).is_some() {
                return Some(Mistake::Order { order: other });
            }
        }
        let dialect = one_value(bytes)?;
        Some(Mistake::Bare { dialect })
    }

    /// Explains why bytes could not be read as one value without a length, or returns `None` if no
    /// mistake is recognized. Reads the lengths of the records, and not their values.
    ///
    /// ```
    /// use gdvar_io::records::{Mistake, PrefixOrder};
    ///
    /// let file = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0"; // store_var(5)
    /// let mistake = Mistake::of_value(file).unwrap();
    /// assert_eq!(mistake, Mistake::Framed { order: PrefixOrder::Little, records: 1 });
    /// ```
    #[must_use]
    pub fn of_value(bytes: &[u8]) -> Option<Mistake> {
        [PrefixOrder::Little, PrefixOrder::Big]
            .into_iter()
            .find_map(|order| {
                let records = whole_records(bytes, order)?;
                Some(Mistake::Framed { order, records })
            })
    }
}

/// Returns a dialect in which all the bytes are one value.
fn one_value(bytes: &[u8]) -> Option<Dialect> {
    Dialect::ALL.into_iter().find(|&dialect| {
        let document = Document::with_options(bytes, ReadOptions::any_release(dialect));
        document.validate() == Ok(bytes.len())
    })
}

/// Returns the number of records, if the bytes are whole records of at least four bytes and nothing
/// else.
fn whole_records(bytes: &[u8], order: PrefixOrder) -> Option<u32> {
    let mut all = frames(bytes, order);
    let mut count = 0_u32;
    while let Some(frame) = all.try_next().ok()? {
        if frame.is_cut() || frame.bytes.len() < 4 {
            return None;
        }
        count = count.saturating_add(1);
    }
    (count > 0).then_some(count)
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Mistake::Bare { dialect } => write!(
                f,
                "no records: all of it is one value without a length, as var_to_bytes makes it; read it as a bare value ({dialect})"
            ),
            Mistake::Framed { order, records } => write!(
                f,
                "no bare value: it splits into {records} record{} by length prefixes{}, as store_var writes them; read it as records",
                if records == 1 { "" } else { "s" },
                match order {
                    PrefixOrder::Little => "",
                    PrefixOrder::Big => " in big-endian order",
                }
            ),
            Mistake::Order { order } => write!(
                f,
                "the lengths are in the other byte order; read it with PrefixOrder::{order:?}"
            ),
        }
    }
}
