//! The children of one container: any of them can be asked for, and few are walked over to get there.

use gdvar_view::VariantRef;

use crate::{
    commands::explore::{
        background_scan::BackgroundScan,
        source::Source,
        walk::{Child, Place, Thing, Walk},
    },
    diagnose::fault::Fault,
};

/// A mark is set where so many bytes were walked over since the one before: for two gigabytes there are
/// 32 768 of them at most, and from one to the next it takes less than a millisecond.
const SPACING: usize = 64 << 10;

/// Or where so many children were: texts of packed arrays do not tell where they are.
const STRIDE: u64 = 1024;

/// Stands before a child.
#[derive(Clone)]
pub(crate) struct Mark<'a> {
    /// Which child comes next.
    pub(crate) index: u64,
    /// The place of the walk, about.
    offset: usize,
    walk: Walk<'a>,
    /// The container handed out last, which has to be walked over before the next child.
    last: Option<VariantRef<'a>>,
}

/// The answer to a question for a child.
#[allow(
    clippy::large_enum_variant,
    reason = "it is handed over, and never kept"
)]
pub(crate) enum Got<'a> {
    /// It is there.
    Child(Child<'a>),
    /// There are only so many.
    End(u64),
    /// The work was not enough to get there; what was done is not lost.
    Pending,
}

/// How much may be walked over before the user is looked after again, in bytes and children.
#[derive(Debug)]
pub(crate) struct Work(pub(crate) usize);

impl Work {
    /// As much as it takes.
    pub(crate) const ALL: usize = usize::MAX;

    pub(crate) fn take(&mut self, work: usize) {
        if self.0 < Work::ALL {
            self.0 = self.0.saturating_sub(work);
        }
    }
}

/// The children of one container, or the records of a file.
pub(crate) struct Children<'a> {
    place: Place<'a>,
    /// In the order of the file; the first stands before all children.
    marks: Vec<Mark<'a>>,
    /// Behind the child that was asked for last.
    near: Mark<'a>,
    /// How far the container is walked over that `near` handed out.
    scan: Option<BackgroundScan<'a>>,
    /// The number of children, once the last one was seen.
    count: Option<u64>,
}

impl<'a> Children<'a> {
    /// Of a file.
    pub(crate) fn of_file(source: &'a Source<'a>) -> Children<'a> {
        let place = Place {
            bytes: source.input,
            base: 0,
        };
        Children::new(Walk::Records(source.records()), 0, place)
    }

    /// Of a value.
    pub(crate) fn of(value: VariantRef<'a>, place: Place<'a>) -> Children<'a> {
        Children::new(Walk::of(value), value.offset(), place)
    }

    fn new(walk: Walk<'a>, offset: usize, place: Place<'a>) -> Children<'a> {
        let first = Mark {
            index: 0,
            offset,
            walk,
            last: None,
        };
        Children {
            place,
            marks: vec![first.clone()],
            near: first,
            scan: None,
            count: None,
        }
    }

    /// The child at that place.
    pub(crate) fn get(&mut self, index: u64, work: &mut Work) -> Got<'a> {
        if let Some(count) = self.count.filter(|&count| index >= count) {
            return Got::End(count);
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
                return Got::End(len);
            }
            here.index = index;
        }
        loop {
            if let Some(last) = here.last {
                if !self.pass_over(&mut here.walk, last, work) {
                    self.near = here;
                    return Got::Pending;
                }
                here.last = None;
            }
            let before = here.clone();
            let Some(child) = here.walk.next(here.index, self.place) else {
                self.count = Some(here.index);
                self.near = before;
                return Got::End(here.index);
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
                return Got::Child(child);
            }
            if work.0 == 0 {
                self.near = here;
                return Got::Pending;
            }
        }
    }

    /// Lets a walk pass the container that it handed out last; false if the work was not enough.
    fn pass_over(&mut self, walk: &mut Walk<'a>, last: VariantRef<'a>, work: &mut Work) -> bool {
        let begun = self.scan.take();
        let begun = begun.filter(|scan| scan.of == last.offset());
        let mut scan = match begun {
            Some(scan) => scan,
            None if work.0 == Work::ALL => {
                walk.pass(&Walk::of(last));
                return true;
            }
            None => BackgroundScan::new(last),
        };
        match scan.go(self.place, work) {
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

    /// The place of the last child.
    pub(crate) fn last(&mut self, work: &mut Work) -> Option<u64> {
        match self.get(u64::MAX, work) {
            Got::End(count) => Some(count.saturating_sub(1)),
            Got::Child(_) | Got::Pending => None,
        }
    }

    /// How far a walk to the end has come, in bytes of the record.
    pub(crate) fn reached(&self) -> usize {
        let inside = self.scan.as_ref().map_or(0, |scan| scan.at);
        inside.max(self.near.offset)
    }

    /// Marks that another walk over the same children set.
    pub(crate) fn learn(&mut self, marks: Vec<Mark<'a>>) {
        if marks.len() > self.marks.len() {
            self.marks = marks;
        }
    }

    /// Those marks that lead to a child, for another walk over the same.
    pub(crate) fn marks_to(&self, index: u64) -> Vec<Mark<'a>> {
        let slot = self.marks.partition_point(|mark| mark.index <= index);
        self.marks[..slot].to_vec()
    }

    /// Marks, for another one of the same.
    pub(crate) fn into_marks(self) -> Vec<Mark<'a>> {
        self.marks
    }

    /// Goes on behind the child that was asked for last, whose own children were walked to their end.
    pub(crate) fn pass(&mut self, inner: &Children<'a>) {
        self.near.walk.pass(&inner.near.walk);
        self.near.last = None;
    }

    #[cfg(test)]
    pub(crate) fn marks(&self) -> usize {
        self.marks.len()
    }
}

/// The place at which a child begins.
fn offset(child: &Child<'_>, walk: &Walk<'_>) -> usize {
    match (walk, child.thing) {
        (Walk::Records(all), _) => all.position(),
        (_, Thing::Value(value)) => value.offset(),
        (_, Thing::Part(_, owner)) => owner.offset(),
        (_, Thing::Broken(Fault::Read(error))) => error.offset(),
        (_, Thing::Broken(_)) => 0,
    }
}
