//! Reverses a patch: computes the index that each child has after the patch, and the paths to it.

use std::collections::HashMap;

use gdvar_view::{Path, Step};

use super::entry::{At, PatchEntry};

/// How a patch changes the children of one container.
#[derive(Default)]
struct Shift {
    is_array: bool,
    /// The number of children before the patch.
    of: usize,
    /// The sorted indices of the old children that are removed or moved away, each with the end of the run of such
    /// children that it is in.
    gone: Vec<(usize, usize)>,
    /// The insertions: the index of the old child before which each goes, and the index of its entry.
    /// Sorted.
    come: Vec<(usize, usize)>,
}

impl Shift {
    /// Returns the index, after the patch, of the old child `nth`, which must not be removed or
    /// moved.
    fn kept(&self, nth: usize) -> usize {
        let gone = self.gone.partition_point(|(one, _)| *one < nth);
        let come = self.come.partition_point(|(place, _)| *place <= nth);
        nth.saturating_sub(gone).saturating_add(come)
    }

    /// Returns the index of the child that `entry` inserts before the old child `before`.
    fn put(&self, before: usize, entry: usize) -> usize {
        let gone = self.gone.partition_point(|(one, _)| *one < before);
        let come = self.come.partition_point(|one| *one < (before, entry));
        before.saturating_sub(gone).saturating_add(come)
    }

    /// Returns the number of children after the patch.
    fn len(&self) -> usize {
        let come = self.of.saturating_add(self.come.len());
        come.saturating_sub(self.gone.len())
    }

    /// Returns the index, after the patch, of the child before which the old child `nth` must be put
    /// back.
    fn back(&self, nth: usize) -> usize {
        let mut next = nth.saturating_add(1);
        let at = self.gone.partition_point(|(one, _)| *one < next);
        if let Some((_, end)) = self.gone.get(at).filter(|(one, _)| *one == next) {
            next = *end;
        }
        match next < self.of {
            true => self.kept(next),
            false => self.len(),
        }
    }
}

/// The shifts of each container, by its path.
type Shifts = HashMap<String, Shift>;

/// Returns the entries that undo `entries`.
pub(super) fn reversed(entries: &[PatchEntry]) -> Vec<PatchEntry> {
    let mut shifts = Shifts::new();
    for (n, entry) in entries.iter().enumerate() {
        let (at, come, gone, key) = match entry {
            PatchEntry::Set { .. } => continue,
            PatchEntry::Added { at, new } => (at, Some(at.nth), None, &new.key),
            PatchEntry::Removed { at, old } => (at, None, Some(at.nth), &old.key),
            PatchEntry::Moved { at, to, old } => (at, Some(*to), Some(at.nth), &old.key),
        };
        let shift = shifts.entry(normal(&at.container)).or_default();
        (shift.is_array, shift.of) = (key.is_none(), at.of);
        shift.come.extend(come.map(|place| (place, n)));
        shift
            .gone
            .extend(gone.map(|gone| (gone, gone.saturating_add(1))));
    }
    for shift in shifts.values_mut() {
        shift.gone.sort_unstable();
        let mut next: Option<(usize, usize)> = None;
        for gone in shift.gone.iter_mut().rev() {
            if let Some((_, end)) = next.filter(|(one, _)| *one == gone.1) {
                gone.1 = end;
            }
            next = Some(*gone);
        }
        shift.come.sort_unstable();
    }
    // The reversed entries, each with the old index of the child that it puts back. Insertions at one
    // place must have this sequence.
    let mut all: Vec<(usize, PatchEntry)> = Vec::new();
    for (n, entry) in entries.iter().enumerate() {
        let place = |at: &At, nth: fn(&Shift, usize, usize) -> usize, old: usize| {
            let shift = shifts.get(&normal(&at.container));
            At {
                container: moved(&at.container, &shifts),
                nth: shift.map_or(old, |shift| nth(shift, old, n)),
                of: shift.map_or(at.of, Shift::len),
            }
        };
        let back: fn(&Shift, usize, usize) -> usize = |shift, old, _| shift.back(old);
        all.push(match entry {
            PatchEntry::Set { path, from, to } => {
                let path = moved(path, &shifts);
                let (from, to) = (to.clone(), from.clone());
                (0, PatchEntry::Set { path, from, to })
            }
            PatchEntry::Added { at, new } => {
                let (at, old) = (place(at, Shift::put, at.nth), new.clone());
                (0, PatchEntry::Removed { at, old })
            }
            PatchEntry::Removed { at, old } => {
                let (to, new) = (place(at, back, at.nth), old.clone());
                (at.nth, PatchEntry::Added { at: to, new })
            }
            PatchEntry::Moved { at, to, old } => {
                let (from, old) = (place(at, Shift::put, *to), old.clone());
                let to = place(at, back, at.nth).nth;
                (at.nth, PatchEntry::Moved { at: from, to, old })
            }
        });
    }
    all.sort_by_key(|(old, _)| *old);
    all.into_iter().map(|(_, entry)| entry).collect()
}

/// Normalises a path, so that paths to one place are the same text.
fn normal(path: &str) -> String {
    Path::parse(path).map_or_else(|_| path.to_owned(), |path| path.to_string())
}

/// Returns the path, after the patch, of the value at `path`.
fn moved(path: &str, shifts: &Shifts) -> String {
    let Ok(steps) = Path::parse(path) else {
        return path.to_owned();
    };
    let (mut old, mut new) = ("$".to_owned(), "$".to_owned());
    for step in steps.steps() {
        let shift = shifts.get(&old);
        old += &step.to_string();
        let step = match (shift, *step) {
            (Some(shift), Step::Index(nth)) if shift.is_array => {
                let nth = usize::try_from(nth).map_or(nth, |nth| shift.kept(nth) as i64);
                Step::Index(nth)
            }
            (Some(shift), Step::PairValue(nth)) if !shift.is_array => {
                let kept = shift.kept(nth as usize);
                Step::PairValue(u32::try_from(kept).unwrap_or(nth))
            }
            (_, step) => step,
        };
        new += &step.to_string();
    }
    new
}
