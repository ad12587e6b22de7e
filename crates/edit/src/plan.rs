//! [`Plan`]: which bytes are replaced by which, worked out and ready to be written.

use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::BTreeMap,
    io::{self, Write},
};

use gdvar_view::PrefixOrder;
use gdvar_write::Sink;

use crate::error::{EditErrorKind, Error};

/// Old bytes from `start` to `end`, and what takes their place.
#[derive(Clone, Debug)]
pub struct Splice<'p> {
    /// The first old byte that is replaced.
    pub start: usize,
    /// The first old byte behind; equal to `start` where bytes are only added.
    pub end: usize,
    /// The new bytes; none where old ones are only removed.
    pub bytes: Cow<'p, [u8]>,
    /// How deep the change is nested: at one place what ends a deeper container comes first.
    pub(crate) depth: u16,
    /// Which edit it belongs to.
    pub(crate) edit: usize,
    /// The word with the count of the container that gets or loses a child by it.
    pub(crate) count: Option<(usize, Grows)>,
}

/// `true` if a container gets a child or loses one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grows {
    More,
    Less,
}

/// Changes worked out: which bytes of the old ones are replaced by which. It is small, borrows the old
/// bytes and the new values, and is written as often as wanted.
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
    /// Puts replaced spans in order and adds the counts that follow from them. Spans must not overlap.
    pub(crate) fn new(bytes: &'p [u8], mut splices: Vec<Splice<'p>>) -> Result<Plan<'p>, Error> {
        // For each count by how much it grows, and the first edit that changes it.
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
        // If something is added and something replaced at one place, the new stands in front.
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

    /// The replaced spans in the order of the old bytes. Everything between them stays.
    #[must_use]
    pub fn splices(&self) -> &[Splice<'p>] {
        &self.splices
    }

    /// Returns `true` if nothing changes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let same = |one: &Splice<'_>| self.bytes.get(one.start..one.end) == Some(&*one.bytes);
        self.splices.iter().all(same)
    }

    /// Returns `true` if every span is replaced by as many bytes: then a file can be changed in
    /// place.
    #[must_use]
    pub fn keeps_length(&self) -> bool {
        let same = |one: &Splice<'_>| one.end - one.start == one.bytes.len();
        self.splices.iter().all(same)
    }

    /// The number of bytes of the result.
    #[must_use]
    pub fn len(&self) -> usize {
        let gone: usize = self.splices.iter().map(|one| one.end - one.start).sum();
        let come: usize = self.splices.iter().map(|one| one.bytes.len()).sum();
        self.bytes.len() - gone + come
    }

    /// The result, piece by piece: old bytes and new ones in turn.
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

    /// Puts the result into a sink. Takes no memory of its own.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn put<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.pieces().try_for_each(|piece| sink.put(piece))
    }

    /// Writes the result. Takes no memory of its own.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        self.pieces().try_for_each(|piece| to.write_all(piece))
    }

    /// The result in memory.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.len());
        self.pieces().for_each(|piece| out.extend_from_slice(piece));
        out
    }

    /// This plan for a file in which the old bytes begin at `at`. With an order of bytes, the four bytes in
    /// front are the length of the record and are mended.
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
    /// [`EditErrorKind::TooLarge`] if the record would be longer than its length can say.
    ///
    /// # Panics
    /// If there is no room for a length in front of `at`, or the file is shorter than that.
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

    /// Both plans in one: those of two records of a file.
    ///
    /// # Panics
    /// If the other one is for another buffer, or does not follow this one in it.
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

/// The bit that Godot 2 sets in counts (`docs/FORMAT.md` §4.2).
const SHARED: u32 = 1 << 31;

pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
    word.map_or(0, |word| u32::from_le_bytes(*word))
}
