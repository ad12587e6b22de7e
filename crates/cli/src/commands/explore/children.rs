//! The children of one container, or the records of a file. A walk over them saves its position from time to time in a
//! [`Mark`], so that any child can be found again after a short walk.

use gdvar_view::VariantRef;

use crate::{
    commands::explore::{
        background_scan::BackgroundScan,
        child::{Child, RecordBytes, Thing},
        record_source::RecordSource,
        walk::Walk,
        work::Work,
    },
    diagnose::fault::Fault,
};

/// The number of bytes after which the next mark is set. A walk from one mark to the next takes less than a
/// millisecond.
const SPACING: usize = 64 << 10;

/// The number of children after which the next mark is set at the latest. The texts of a packed array need this limit:
/// their offsets are not known, so [`SPACING`] is never reached.
const STRIDE: u64 = 1024;

/// A saved walk. A copy of it continues at the child number `index`.
#[derive(Clone)]
pub(crate) struct Mark<'a> {
    /// The number of the next child.
    pub(crate) index: u64,
    /// The approximate position of the walk, as an offset in the record or file.
    offset: usize,
    walk: Walk<'a>,
    /// The previous child, if it is a container. The walk has to pass over it first.
    last: Option<VariantRef<'a>>,
}

/// The result of [`Children::get`].
#[allow(
    clippy::large_enum_variant,
    reason = "it is handed over, and never kept"
)]
pub(crate) enum ChildAnswer<'a> {
    Child(Child<'a>),
    /// The index is too large: there are only this many children.
    End(u64),
    /// The work was used up. The next call continues from here.
    Pending,
}

/// The children of one container, or the records of a file.
pub(crate) struct Children<'a> {
    record: RecordBytes<'a>,
    /// The marks in the order of the file. The first is before all children.
    marks: Vec<Mark<'a>>,
    /// The position after the last child that was asked for.
    near: Mark<'a>,
    /// An unfinished walk over `near.last`.
    scan: Option<BackgroundScan<'a>>,
    /// The number of children. `None` until it is known.
    count: Option<u64>,
}

impl<'a> Children<'a> {
    /// Creates the list of the records of a file.
    pub(crate) fn of_file(source: &'a RecordSource<'a>) -> Children<'a> {
        let file = RecordBytes {
            bytes: source.input,
            base: 0,
        };
        Children::new(Walk::Records(source.walk()), 0, file)
    }

    /// Creates the list of the children of `value`, which is in `record`.
    pub(crate) fn of(value: VariantRef<'a>, record: RecordBytes<'a>) -> Children<'a> {
        Children::new(Walk::of(value), value.offset(), record)
    }

    fn new(walk: Walk<'a>, offset: usize, record: RecordBytes<'a>) -> Children<'a> {
        let first = Mark {
            index: 0,
            offset,
            walk,
            last: None,
        };
        Children {
            record,
            marks: vec![first.clone()],
            near: first,
            scan: None,
            count: None,
        }
    }

    /// Returns the child number `index`, and takes the bytes that are walked over from `work`.
    pub(crate) fn get(&mut self, index: u64, work: &mut Work) -> ChildAnswer<'a> {
        if let Some(count) = self.count.filter(|&count| index >= count) {
            return ChildAnswer::End(count);
        }
        let mut slot = self.marks.partition_point(|mark| mark.index <= index);
        let mut here = self.marks[slot - 1].clone();
        let mut since = (here.index, here.offset);
        if self.near.index <= index && self.near.index > here.index {
            here = self.near.clone();
        }
        let direct = here.walk.direct_len();
        if let Some(len) = direct {
            if index >= len {
                self.count = Some(len);
                return ChildAnswer::End(len);
            }
            here.index = index;
        }
        loop {
            if let Some(last) = here.last {
                if !self.pass_over(&mut here.walk, last, work) {
                    self.near = here;
                    return ChildAnswer::Pending;
                }
                here.last = None;
            }
            let before = here.clone();
            let Some(child) = here.walk.next(here.index, self.record) else {
                self.count = Some(here.index);
                self.near = before;
                return ChildAnswer::End(here.index);
            };
            here.index += 1;
            here.last = child.value().filter(|value| value.has_children());
            let offset = offset(&child, &here.walk);
            work.take(offset.saturating_sub(here.offset).max(16));
            here.offset = offset;
            let far = offset.saturating_sub(since.1) >= SPACING || before.index >= since.0 + STRIDE;
            if far && direct.is_none() {
                since = (before.index, offset);
                self.marks.insert(slot, Mark { offset, ..before });
                slot += 1;
            }
            if matches!(child.thing, Thing::Broken(_)) && !matches!(here.walk, Walk::Records(_)) {
                self.count = Some(here.index);
            }
            if here.index > index {
                self.near = here;
                return ChildAnswer::Child(child);
            }
            if work.0 == 0 {
                self.near = here;
                return ChildAnswer::Pending;
            }
        }
    }

    /// Moves `walk` to the end of `last`, the container that it returned last. Returns `false` if the work was used up
    /// first.
    fn pass_over(&mut self, walk: &mut Walk<'a>, last: VariantRef<'a>, work: &mut Work) -> bool {
        let begun = self.scan.take();
        let begun = begun.filter(|scan| scan.start == last.offset());
        let mut scan = match begun {
            Some(scan) => scan,
            None if work.0 == Work::ALL => {
                walk.pass(&Walk::of(last));
                return true;
            }
            None => BackgroundScan::new(last),
        };
        match scan.go(self.record, work) {
            Some(inner) => {
                walk.pass(&inner);
                true
            }
            None => {
                self.scan = Some(scan);
                false
            }
        }
    }

    /// Returns the number of the last child, or 0 if there are no children. Returns `None` if the work was used up
    /// first.
    pub(crate) fn last(&mut self, work: &mut Work) -> Option<u64> {
        match self.get(u64::MAX, work) {
            ChildAnswer::End(count) => Some(count.saturating_sub(1)),
            ChildAnswer::Child(_) | ChildAnswer::Pending => None,
        }
    }

    /// Returns how far the walk has come, as an offset in the record.
    pub(crate) fn reached(&self) -> usize {
        let inside = self.scan.as_ref().map_or(0, |scan| scan.at);
        inside.max(self.near.offset)
    }

    /// Adopts the marks of another walk over the same children, if there are more of them.
    pub(crate) fn learn(&mut self, marks: Vec<Mark<'a>>) {
        if marks.len() > self.marks.len() {
            self.marks = marks;
        }
    }

    /// Returns the marks up to child number `index`, for another walk over the same children.
    pub(crate) fn marks_to(&self, index: u64) -> Vec<Mark<'a>> {
        let slot = self.marks.partition_point(|mark| mark.index <= index);
        self.marks[..slot].to_vec()
    }

    /// Returns all marks, for another walk over the same children.
    pub(crate) fn into_marks(self) -> Vec<Mark<'a>> {
        self.marks
    }

    /// Moves past the last child that was asked for. `inner` is a walk over the children of that child, and is at its
    /// end.
    pub(crate) fn pass(&mut self, inner: &Children<'a>) {
        self.near.walk.pass(&inner.near.walk);
        self.near.last = None;
    }

    #[cfg(test)]
    pub(crate) fn marks(&self) -> usize {
        self.marks.len()
    }
}

/// Returns roughly where the walk is after taking `child`: the offset of the value, or of the array that contains an
/// element. For a record it is the offset in the file after it; for a fault without an offset, 0.
fn offset(child: &Child<'_>, walk: &Walk<'_>) -> usize {
    match (walk, child.thing) {
        (Walk::Records(all), _) => all.position(),
        (_, Thing::Value(value)) => value.offset(),
        (_, Thing::Part(_, owner)) => owner.offset(),
        (_, Thing::Broken(Fault::Read(error))) => error.offset(),
        (_, Thing::Broken(_)) => 0,
    }
}
