//! [`merge`]: combines two changes of one value.

use std::collections::{HashMap, HashSet};

use gdvar_view::{Document, Error as ReadError, ReadOptions};

use crate::{
    container::Name, diff::DiffOptions, edit::Edit, error::Error, key::KeyQuery, patch::Patch,
    path_builder::step, plan::Splice, resolve::Op,
};

/// A change of our side and a change of their side that exclude each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The path of our change: in the old value, or of a key that we add. If no path can name that key, the
    /// path of its Dictionary.
    pub path: String,
    /// The path of their change: the same path, a path inside our value, or the path of a container
    /// that contains our value.
    pub theirs: String,
}

/// Two changes of one value, combined.
#[derive(Clone, Debug)]
pub struct Merged<'a> {
    edit: Edit<'a>,
    conflicts: Vec<Conflict>,
}

impl<'a> Merged<'a> {
    /// Returns the combined changes, as edits of the old value. A conflict is resolved in favour of `ours`.
    #[must_use]
    pub const fn edit(&self) -> &Edit<'a> {
        &self.edit
    }

    /// Returns the pairs of changes that exclude each other. [`Merged::edit`] contains our change
    /// of each pair.
    #[must_use]
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }
}

/// The reason why two values cannot be merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeError {
    /// One of the values cannot be read.
    Read(ReadError),
    /// A change cannot be applied to the old value.
    Edit(Error),
}

impl core::fmt::Display for MergeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            MergeError::Read(error) => error.fmt(f),
            MergeError::Edit(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MergeError {}

impl From<ReadError> for MergeError {
    fn from(error: ReadError) -> MergeError {
        MergeError::Read(error)
    }
}

impl From<Error> for MergeError {
    fn from(error: Error) -> MergeError {
        MergeError::Edit(error)
    }
}

/// Combines two changed versions of one value. Changes made by one side only, and identical changes of both
/// sides, are taken. If both sides changed the same value differently, or one changed a value and the other a
/// part of it, our change is taken and a [`Conflict`] is reported. Two additions at one place of an array
/// also conflict; additions to a Dictionary conflict only under the same key. If there are conflicts, pairs that
/// moved stay in their old places. All three have the dialect of `base`: the bytes of another one mean other values.
///
/// ```
/// use gdvar_edit::{Dialect, Document, merge};
///
/// // [1], which becomes [2] here and [3] there
/// let head = b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0";
/// let all = [1, 2, 3].map(|n| [&head[..], &[n, 0, 0, 0]].concat());
/// let [base, ours, theirs] = all.each_ref().map(|one| Document::new(one, Dialect::GODOT_4));
/// let merged = merge(base, ours, theirs)?;
/// assert_eq!(merged.conflicts()[0].path, "$[0]");
/// # Ok::<(), gdvar_edit::MergeError>(())
/// ```
///
/// # Errors
/// Returns an error if a part of one of the values cannot be read, or if a change cannot be made to
/// the old value.
pub fn merge<'a>(
    base: Document<'a>,
    ours: Document<'_>,
    theirs: Document<'_>,
) -> Result<Merged<'a>, MergeError> {
    let merged = merge_by(DiffOptions::exact(), base, ours, theirs)?;
    if merged.conflicts.is_empty() {
        return Ok(merged);
    }
    // A key that was removed and set again with another value has moved. In an exact difference its Dictionary is
    // replaced as a whole, and conflicts with every change in it. So does one with a new NodePath as a key. So the
    // order of the pairs is given up, and keys are compared by their bytes.
    let in_place = merge_by(DiffOptions::exact().in_place(), base, ours, theirs);
    Ok(in_place.unwrap_or(merged))
}

fn merge_by<'a>(
    options: DiffOptions,
    base: Document<'a>,
    ours: Document<'_>,
    theirs: Document<'_>,
) -> Result<Merged<'a>, MergeError> {
    let ours = Patch::by(options, base, ours)?;
    let theirs = Patch::by(options, base, theirs)?;
    let (our_ops, their_ops) = (ours.ops(false), theirs.ops(false));
    let our_edit = Edit::of(base, our_ops.clone());
    let their_edit = Edit::of(base, their_ops.clone());
    let (our_splices, their_splices) = (our_edit.splices()?, their_edit.splices()?);
    let (our_work, their_work) = (work(&our_splices), work(&their_splices));
    let (mut dropped, mut told) = (HashSet::new(), HashSet::new());
    let mut conflicts = Vec::new();
    let splices = [&our_splices[..], &their_splices[..]];
    for (our, their) in clashes(splices, &our_ops, &their_ops, base.options()) {
        dropped.insert(their);
        if our_work.get(&our) != their_work.get(&their) && told.insert(their) {
            conflicts.push(Conflict {
                path: path_of(&our_ops[our], base.options()),
                theirs: path_of(&their_ops[their], base.options()),
            });
        }
    }
    let kept = their_ops.iter().enumerate();
    let kept = kept.filter(|(n, _)| !dropped.contains(n));
    let mut ops = our_ops.clone();
    ops.extend(kept.map(|(_, op)| op.clone()));
    let edit = Edit::of(base, ops);
    Ok(Merged { edit, conflicts })
}

/// Returns the path of an edit: for one that adds a key, the path of that key if it has one.
fn path_of(op: &Op, options: ReadOptions) -> String {
    let Op::InsertPair {
        path, before, key, ..
    } = op
    else {
        return op.path().to_owned();
    };
    let key = Document::with_options(key, options).root();
    let step = key.map(|key| step(Name::Key(key), *before));
    // The number of a pair would lead to another pair, because the new one is not there yet.
    let step = step.ok().filter(|step| !step.starts_with('{'));
    path.clone() + &step.unwrap_or_default()
}

/// For each edit, the byte ranges that it replaces and the new bytes.
type Work<'s> = HashMap<usize, Vec<(usize, usize, &'s [u8])>>;

fn work<'s>(splices: &'s [Splice<'_>]) -> Work<'s> {
    let mut work = Work::new();
    for one in splices {
        let entry = work.entry(one.edit).or_default();
        entry.push((one.start, one.end, &*one.bytes));
    }
    work
}

/// A key that an edit adds, for comparison with others: the path of its container, and the key as the engine
/// compares it, or its bytes if only the engine can compare it.
type AddedKey<'o> = (&'o str, Result<KeyQuery<'o>, &'o [u8]>);

/// Returns the key that an edit adds, if any.
fn added_key(op: &Op, options: ReadOptions) -> Option<AddedKey<'_>> {
    let Op::InsertPair { path, key, .. } = op else {
        return None;
    };
    let root = Document::with_options(key, options).root();
    let query = root.ok().and_then(KeyQuery::of_key);
    Some((path, query.ok_or(key)))
}

/// Returns the pairs of edits, one of each side, that touch the same bytes. O(n log n) plus one step for each
/// pair. `splices` are ours and theirs.
fn clashes(
    splices: [&[Splice<'_>]; 2],
    our_ops: &[Op],
    their_ops: &[Op],
    options: ReadOptions,
) -> Vec<(usize, usize)> {
    let [ours, theirs] = splices;
    let mut found = Vec::new();
    // First the insertions: two conflict at the same place of an array, or under the same key.
    let places = |splices: &[Splice<'_>], ops: &[Op]| {
        let mut places: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        for one in splices.iter().filter(|one| one.start == one.end) {
            let Some((count, _)) = one.count else {
                continue;
            };
            if !matches!(ops[one.edit], Op::InsertPair { .. }) {
                places.entry((one.start, count)).or_default().push(one.edit);
            }
        }
        places
    };
    let our_places = places(ours, our_ops);
    for (place, their) in places(theirs, their_ops) {
        let Some(our) = our_places.get(&place) else {
            continue;
        };
        // The n-th of ours conflicts with the n-th of theirs. If one side has more, its rest conflicts with
        // the last of the other.
        let last = our.last().copied().unwrap_or_default();
        let our = our.iter().copied().chain(std::iter::repeat(last));
        found.extend(our.zip(their));
    }
    let mut keys = HashMap::new();
    for (edit, op) in our_ops.iter().enumerate() {
        if let Some(key) = added_key(op, options) {
            keys.insert(key, edit);
        }
    }
    for (edit, op) in their_ops.iter().enumerate() {
        let our = added_key(op, options).and_then(|key| keys.get(&key));
        found.extend(our.map(|our| (*our, edit)));
    }
    // Then the replaced ranges: two edits conflict if one replaces a range in which the other replaces bytes
    // or changes a count.
    let spans = |splices: &[Splice<'_>]| {
        let mut all: Vec<(usize, usize, usize)> = Vec::new();
        for one in splices.iter().filter(|one| one.end > one.start) {
            all.push((one.start, one.end, one.edit));
        }
        all.sort_unstable();
        all
    };
    let points = |splices: &[Splice<'_>]| {
        let mut all: Vec<(usize, usize, usize)> = Vec::new();
        for one in splices {
            if one.end > one.start {
                all.push((one.start, one.end, one.edit));
            }
            all.extend(one.count.map(|(at, _)| (at, at + 4, one.edit)));
        }
        all.sort_unstable();
        all
    };
    for (our, their) in overlaps(&spans(ours), &points(theirs)) {
        found.push((our, their));
    }
    for (their, our) in overlaps(&spans(theirs), &points(ours)) {
        found.push((our, their));
    }
    found.sort_unstable();
    found
}

/// Returns the pairs of overlapping ranges. The ranges in `spans` do not overlap each other.
fn overlaps(
    spans: &[(usize, usize, usize)],
    others: &[(usize, usize, usize)],
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for &(start, end, other) in others {
        let first = spans.partition_point(|span| span.1 <= start);
        let over = spans.iter().skip(first).take_while(|span| span.0 < end);
        found.extend(over.map(|span| (span.2, other)));
    }
    found
}
