//! Walks over a large container in steps, so that the keyboard can be read between them.

use gdvar_view::VariantRef;

use crate::commands::explore::{child::RecordBytes, walk::Walk, work::Work};

/// Values nested deeper than this are skipped at once, which is faster than child by child.
const LEVELS: usize = 3;

/// A container that is being walked over.
pub(crate) struct BackgroundScan<'a> {
    /// The offset of the container in its record.
    pub(crate) start: usize,
    /// The offset in the record of the last value that was reached.
    pub(crate) at: usize,
    /// For each level, the walk and the number of its next child.
    levels: Vec<(Walk<'a>, u64)>,
}

impl<'a> BackgroundScan<'a> {
    pub(crate) fn new(value: VariantRef<'a>) -> BackgroundScan<'a> {
        BackgroundScan {
            start: value.offset(),
            at: value.offset(),
            levels: vec![(Walk::of(value), 0)],
        }
    }

    /// Continues until the container ends or `work` is used up. Returns the walk at the end of the container, or `None`
    /// if the end was not reached.
    pub(crate) fn go(&mut self, record: RecordBytes<'a>, work: &mut Work) -> Option<Walk<'a>> {
        while work.0 > 0 {
            let depth = self.levels.len();
            let (walk, next) = self.levels.last_mut()?;
            if let Some(child) = walk.next(*next, record) {
                *next += 1;
                let Some(value) = child.value() else { continue };
                work.take(value.offset().saturating_sub(self.at).max(16));
                self.at = value.offset();
                if depth < LEVELS && value.has_children() {
                    self.levels.push((Walk::of(value), 0));
                }
                continue;
            }
            let (inner, _) = self.levels.pop()?;
            match self.levels.last_mut() {
                Some((outer, _)) => outer.pass(&inner),
                None => return Some(inner),
            }
        }
        None
    }
}
