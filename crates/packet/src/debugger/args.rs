//! [`Args`]: the arguments of a message, for both engines.

use gdvar_view::{ArrayRef, Dialect, Document, Frames, PrefixOrder, VariantRef, frames};

/// The validated arguments of a message: the elements of an Array (Godot 4), or records (Godot 3).
///
/// `Args` is `Copy`, borrows the bytes of the message, and allocates nothing.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    source: Source<'a>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Array(ArrayRef<'a>),
    Records(&'a [u8]),
}

impl<'a> Args<'a> {
    pub(super) const fn empty() -> Args<'a> {
        Args {
            source: Source::Records(&[]),
            len: 0,
        }
    }

    pub(super) fn of_array(array: ArrayRef<'a>) -> Args<'a> {
        Args {
            source: Source::Array(array),
            len: array.len(),
        }
    }

    /// Creates the arguments from `len` records whose values are validated already.
    pub(super) const fn of_records(bytes: &'a [u8], len: usize) -> Args<'a> {
        Args {
            source: Source::Records(bytes),
            len,
        }
    }

    /// The number of arguments. O(1).
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// Returns `true` if there are no arguments.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns the arguments in order. Iterating over all of them takes O(n).
    #[must_use]
    pub fn iter(self) -> ArgIter<'a> {
        ArgIter(match self.source {
            Source::Array(array) => Rest::Array(array.iter()),
            Source::Records(bytes) => Rest::Records(frames(bytes, PrefixOrder::Little)),
        })
    }
}

impl<'a> IntoIterator for Args<'a> {
    type Item = VariantRef<'a>;
    type IntoIter = ArgIter<'a>;

    fn into_iter(self) -> ArgIter<'a> {
        self.iter()
    }
}

/// Iterator over arguments, from [`Args::iter`].
#[derive(Clone, Debug)]
pub struct ArgIter<'a>(Rest<'a>);

#[derive(Clone, Debug)]
enum Rest<'a> {
    Array(gdvar_view::ArrayIter<'a>),
    Records(Frames<'a>),
}

impl<'a> Iterator for ArgIter<'a> {
    type Item = VariantRef<'a>;

    // The values were validated, so no error ends the iteration early.
    fn next(&mut self) -> Option<VariantRef<'a>> {
        match &mut self.0 {
            Rest::Array(values) => values.try_next().ok()?,
            Rest::Records(records) => {
                let record = records.try_next().ok()??;
                Document::new(record.bytes, Dialect::GODOT_3).root().ok()
            }
        }
    }
}
