//! [`Flows`]: what each receiver got from each synchronizer.

use alloc::{collections::BTreeMap, vec::Vec};
use core::time::Duration;

use super::{Losses, property::LastValues};
use crate::traffic::{Direction, SessionEvent};

/// The limit for flows. A flow is a pair of a synchronizer and a receiver; its last values are
/// remembered.
pub(super) const FLOWS: usize = 65_536;

/// A receiver, and the sender to whom the ids in the packets belong: link, direction, sender and
/// target. Link and direction are not enough: a client sends the server packets for the server, and
/// packets that the server relays to other clients.
pub(super) type Receiver = (u32, Direction, Option<i32>, Option<i32>);

pub(super) const fn receiver(event: &SessionEvent<'_>) -> Receiver {
    (event.link, event.direction, event.source, event.target)
}

/// What one receiver got from a synchronizer.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// The id of the synchronizer. `None` if the flow was forgotten.
    id: Option<u32>,
    /// The index of the flow that came after this one last time. The next packet probably has the
    /// same order.
    next: usize,
    /// The index of the synchronizer in `Rows::synchronizers`.
    pub(super) row: usize,
    pub(super) last: Option<LastSync>,
    pub(super) always: LastValues,
    pub(super) watched: LastValues,
}

/// The last SYNC of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastSync {
    pub(super) time: Duration,
    pub(super) frame: u16,
    pub(super) losses: Losses,
}

/// The flows of one receiver.
#[derive(Debug, Default)]
pub(super) struct Flows {
    flows: Vec<Flow>,
    /// The indices of forgotten flows.
    free: Vec<usize>,
    by_id: BTreeMap<u32, usize>,
    /// The index of the flow that was found last.
    last: usize,
}

impl Flows {
    /// Finds the flow of the synchronizer `id`, for [`Flows::found`] to return. Returns `false` if
    /// there is none.
    pub(super) fn has(&mut self, id: u32) -> bool {
        let hint = self.flows.get(self.last).map_or(0, |last| last.next);
        if self.flows.get(hint).is_some_and(|flow| flow.id == Some(id)) {
            self.last = hint;
            return true;
        }
        let Some(&place) = self.by_id.get(&id) else {
            return false;
        };
        if let Some(last) = self.flows.get_mut(self.last) {
            last.next = place;
        }
        self.last = place;
        true
    }

    /// The flow that was found or added last.
    pub(super) fn found(&mut self) -> Option<&mut Flow> {
        self.flows.get_mut(self.last)
    }

    /// Adds a flow for the synchronizer `id`, which must not have a flow yet. [`Flows::found`] then
    /// returns the new flow.
    pub(super) fn add(&mut self, id: u32, row: usize) {
        let flow = Flow {
            id: Some(id),
            row,
            ..Flow::default()
        };
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.flows.push(Flow::default());
                self.flows.len() - 1
            }
        };
        if let Some(free) = self.flows.get_mut(place) {
            *free = flow;
            self.by_id.insert(id, place);
            self.last = place;
        }
    }

    /// Forgets a flow. Returns the size of its last values in bytes, or `None` if there is no flow
    /// of `id`.
    pub(super) fn forget(&mut self, id: u32) -> Option<usize> {
        let place = self.by_id.remove(&id)?;
        self.free.push(place);
        let flow = core::mem::take(self.flows.get_mut(place)?);
        Some(flow.always.bytes() + flow.watched.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_found_in_any_order_and_after_others_are_gone() {
        let mut flows = Flows::default();
        assert!(!flows.has(7));
        let row = |flows: &mut Flows, id: u32| flows.has(id).then(|| flows.found().unwrap().row);
        for id in [7, 3, 9] {
            flows.add(id, id as usize);
        }
        for id in [7, 3, 9, 7, 3, 9, 9, 3, 7] {
            assert_eq!(row(&mut flows, id), Some(id as usize));
        }
        assert_eq!(flows.forget(3), Some(0));
        assert_eq!(flows.forget(3), None);
        assert_eq!(row(&mut flows, 3), None);
        flows.add(4, 4);
        for id in [7, 4, 9, 4] {
            assert_eq!(row(&mut flows, id), Some(id as usize));
        }
        assert_eq!(row(&mut flows, 3), None);
    }
}
