//! [`Plan`]: the byte ranges that edits replace, with their new bytes.

use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::BTreeMap,
    io::{self, Write},
};

use gdvar_view::PrefixOrder;
use gdvar_write::Sink;

use crate::error::{EditErrorKind, Error};

/// A range of old bytes, and the bytes that replace it.
#[derive(Clone, Debug)]
pub struct Splice<'p> {
    /// The start of the replaced range.
    pub start: usize,
    /// The end of the replaced range. Equal to `start` if bytes are only inserted.
    pub end: usize,
    /// The new bytes. Empty if bytes are only removed.
    pub bytes: Cow<'p, [u8]>,
    /// The depth of the changed container. Among splices at one offset, the deepest comes first.
    pub(crate) depth: u16,
    /// The index of the edit that made the splice.
    pub(crate) edit: usize,
    /// The offset of the container's count and how it changes, if the edit adds or removes a child.
    pub(crate) count: Option<(usize, Grows)>,
}

/// How a change affects the number of children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grows {
    More,
    Less,
}

/// The result of planning edits: the byte ranges to replace, and the new bytes. A plan is small, borrows the
/// old bytes and the new values, and can be written any number of times.
///
/// ```
/// use gdvar_edit::{Dialect, Document, Edit};
///
/// // [1, 2]
/// let old = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0";
/// let mut edit = Edit::new(Document::new(old, Dialect::GODOT_4));
/// edit.set("[1]", b"\x02\0\0\0\x07\0\0\0");
/// let plan = edit.plan()?;
/// assert!(plan.keeps_length());
/// let mut file = old.to_vec(); // or `FileExt::write_at` in the file itself
/// for splice in plan.splices() {
///     file[splice.start..splice.end].copy_from_slice(&splice.bytes);
/// }
/// assert_eq!(file, plan.to_vec());
/// # Ok::<(), gdvar_edit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan<'p> {
    bytes: &'p [u8],
    splices: Vec<Splice<'p>>,
}

impl<'p> Plan<'p> {
    /// Adds a splice for each container whose count changes, and sorts all splices. Refuses splices that
    /// overlap.
    pub(crate) fn new(bytes: &'p [u8], mut splices: Vec<Splice<'p>>) -> Result<Plan<'p>, Error> {
        // For each offset of a count: by how much it grows, and the first edit that changes it.
        let mut counts: BTreeMap<usize, (i64, usize)> = BTreeMap::new();
        for one in &splices {
            if let Some((at, grows)) = one.count {
                let entry = counts.entry(at).or_insert((0, one.edit));
                entry.0 += match grows {
                    Grows::More => 1,
                    Grows::Less => -1,
                };
            }
        }
        for (at, (delta, edit)) in counts {
            let old = word(bytes, at);
            let (shared, count) = (old & SHARED, i64::from(old & !SHARED) + delta);
            let new = u32::try_from(count).ok().filter(|new| new & SHARED == 0);
            let new = new.ok_or_else(|| Error::new(edit, at, EditErrorKind::TooLarge))?;
            splices.push(Splice {
                start: at,
                end: at + 4,
                bytes: (new | shared).to_le_bytes().to_vec().into(),
                depth: 0,
                edit,
                count: None,
            });
        }
        // At one offset, insertions come before replacements.
        splices.sort_by_key(|one| (one.start, one.end > one.start, Reverse(one.depth), one.edit));
        let mut furthest: Option<&Splice<'_>> = None;
        for one in &splices {
            if let Some(before) = furthest.filter(|before| before.end > one.start) {
                let other = before.edit;
                return Err(Error::new(
                    one.edit,
                    one.start,
                    EditErrorKind::Overlap { other },
                ));
            }
            if furthest.is_none_or(|before| one.end > before.end) {
                furthest = Some(one);
            }
        }
        Ok(Plan { bytes, splices })
    }

    /// Returns the replaced ranges, sorted by offset. Everything between them is kept.
    #[must_use]
    pub fn splices(&self) -> &[Splice<'p>] {
        &self.splices
    }

    /// Returns `true` if the result is identical to the old bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let same = |one: &Splice<'_>| self.bytes.get(one.start..one.end) == Some(&*one.bytes);
        self.splices.iter().all(same)
    }

    /// Returns `true` if every range is replaced by the same number of bytes, so that a file can be changed
    /// in place.
    #[must_use]
    pub fn keeps_length(&self) -> bool {
        let same = |one: &Splice<'_>| one.end - one.start == one.bytes.len();
        self.splices.iter().all(same)
    }

    /// Returns the length of the result in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        let gone: usize = self.splices.iter().map(|one| one.end - one.start).sum();
        let come: usize = self.splices.iter().map(|one| one.bytes.len()).sum();
        self.bytes.len() - gone + come
    }

    /// Iterates over the result in pieces: kept old bytes and new bytes. No piece is empty.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.splices.iter().map(|one| one.end));
        let ends = self.splices.iter().map(|one| one.start);
        let ends = ends.chain(std::iter::once(self.bytes.len()));
        let new = self.splices.iter().map(|one| &*one.bytes);
        let new = new.chain(std::iter::once(&[][..]));
        let old = starts.zip(ends).map(|(start, end)| &self.bytes[start..end]);
        old.zip(new)
            .flat_map(|(old, new)| [old, new])
            .filter(|piece| !piece.is_empty())
    }

    /// Writes the result to a sink, without allocating.
    ///
    /// # Errors
    /// Returns the error of the sink.
    pub fn put<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.pieces().try_for_each(|piece| sink.put(piece))
    }

    /// Writes the result, without allocating.
    ///
    /// # Errors
    /// Returns the error of the writer.
    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        self.pieces().try_for_each(|piece| to.write_all(piece))
    }

    /// Returns the result as a vector.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.len());
        self.pieces().for_each(|piece| out.extend_from_slice(piece));
        out
    }

    /// Converts the plan to one for a whole file in which the old bytes begin at `at`. If `order` is given,
    /// the four bytes before `at` are the record's length, and are adjusted.
    ///
    /// ```
    /// use gdvar_edit::{Dialect, Document, Edit, PrefixOrder};
    ///
    /// // store_var([])
    /// let file = b"\x08\0\0\0\x1c\0\0\0\0\0\0\0";
    /// let mut edit = Edit::new(Document::new(&file[4..], Dialect::GODOT_4));
    /// edit.append("", b"\0\0\0\0");
    /// let plan = edit.plan()?.in_file(file, 4, Some(PrefixOrder::Little))?;
    /// assert_eq!(plan.to_vec(), b"\x0c\0\0\0\x1c\0\0\0\x01\0\0\0\0\0\0\0");
    /// # Ok::<(), gdvar_edit::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`EditErrorKind::TooLarge`] if the record would exceed the largest length.
    ///
    /// # Panics
    /// Panics if the file is shorter than the record at `at`, or if the length word has to change
    /// and fewer than four bytes precede `at`.
    pub fn in_file(
        mut self,
        file: &'p [u8],
        at: usize,
        order: Option<PrefixOrder>,
    ) -> Result<Plan<'p>, Error> {
        assert!(
            file.len() >= at + self.bytes.len(),
            "the file has the record"
        );
        let len = self.len();
        for one in &mut self.splices {
            (one.start, one.end) = (one.start + at, one.end + at);
        }
        if let Some(order) = order.filter(|_| len != self.bytes.len()) {
            let first = self.splices.first().map_or(0, |one| one.edit);
            let too_large = Error::new(first, at - 4, EditErrorKind::TooLarge);
            let word = i32::try_from(len).map_err(|_| too_large)?;
            let bytes = match order {
                PrefixOrder::Little => word.to_le_bytes(),
                PrefixOrder::Big => word.to_be_bytes(),
            };
            let prefix = Splice {
                start: at - 4,
                end: at,
                bytes: bytes.to_vec().into(),
                depth: 0,
                edit: first,
                count: None,
            };
            self.splices.insert(0, prefix);
        }
        self.bytes = file;
        Ok(self)
    }

    /// Joins two plans for one buffer, such as for two records of a file.
    ///
    /// # Panics
    /// Panics if `other` is for another buffer, or has a splice before the end of this plan.
    #[must_use]
    pub fn then(mut self, other: Plan<'p>) -> Plan<'p> {
        assert!(std::ptr::eq(self.bytes, other.bytes), "plans of one file");
        let end = self.splices.last().map_or(0, |one| one.end);
        let start = other.splices.first().map_or(end, |one| one.start);
        assert!(start >= end, "in the order of the file");
        self.splices.extend(other.splices);
        self
    }
}

/// The bit that Godot 2 sets in counts ([`docs/FORMAT.md` §4.2]).
///
/// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
const SHARED: u32 = 1 << 31;

/// Returns the word at `at`, or 0 if the bytes end before it.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
    word.map_or(0, |word| u32::from_le_bytes(*word))
}
