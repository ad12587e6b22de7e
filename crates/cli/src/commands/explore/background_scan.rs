//! Over a container of gigabytes a piece at a time, so that keys are heard meanwhile.

use gdvar_view::VariantRef;

use crate::commands::explore::{
    children::Work,
    walk::{Place, Walk},
};

/// Values that are nested deeper than this are passed in one go. Children that are walked over one by one take longer.
const LEVELS: usize = 3;

/// A container that is being walked over.
pub(crate) struct BackgroundScan<'a> {
    /// The place at which it begins.
    pub(crate) of: usize,
    /// The place of the walk, about.
    pub(crate) at: usize,
    levels: Vec<(Walk<'a>, u64)>,
}

impl<'a> BackgroundScan<'a> {
    /// From its first child on.
    pub(crate) fn new(value: VariantRef<'a>) -> BackgroundScan<'a> {
        BackgroundScan {
            of: value.offset(),
            at: value.offset(),
            levels: vec![(Walk::of(value), 0)],
        }
    }

    /// Goes on for a while; at the end the walk that stands there.
    pub(crate) fn go(&mut self, place: Place<'a>, work: &mut Work) -> Option<Walk<'a>> {
        while work.0 > 0 {
            let depth = self.levels.len();
            let (walk, next) = self.levels.last_mut()?;
            if let Some(child) = walk.next(*next, place) {
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
