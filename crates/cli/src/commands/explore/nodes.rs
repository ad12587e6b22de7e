//! Which containers are open, and the way from one visible row to the next.

use std::collections::BTreeMap;

use crate::commands::explore::{
    children::{Children, Got, Mark, Work},
    walk::Child,
};

/// The place of a row in the tree: the number of the record, of the child in it, and so on.
pub(crate) type Trail = Vec<u64>;

/// The children below a row.
pub(crate) enum Next {
    Row(Trail),
    /// It was the last one.
    End,
    /// The values between have to be walked over, and the work was not enough for that.
    Pending,
}

/// An open container, or the file.
pub(crate) struct Node<'a> {
    pub(crate) children: Children<'a>,
    open: BTreeMap<u64, Node<'a>>,
}

impl<'a> Node<'a> {
    /// With nothing open in it.
    pub(crate) fn new(children: Children<'a>) -> Node<'a> {
        Node {
            children,
            open: BTreeMap::new(),
        }
    }

    /// The open container at a place.
    pub(crate) fn at(&mut self, trail: &[u64]) -> Option<&mut Node<'a>> {
        trail
            .iter()
            .try_fold(self, |node, index| node.open.get_mut(index))
    }

    /// Returns `true` if the row there is open.
    pub(crate) fn is_open(&mut self, trail: &[u64]) -> bool {
        !trail.is_empty() && self.at(trail).is_some()
    }

    /// The child at a place below open containers.
    pub(crate) fn child(&mut self, trail: &[u64], work: &mut Work) -> Got<'a> {
        let Some((&index, before)) = trail.split_last() else {
            return Got::End(0);
        };
        match self.at(before) {
            Some(node) => node.children.get(index, work),
            None => Got::End(0),
        }
    }

    /// The child there, however long it takes.
    pub(crate) fn get(&mut self, trail: &[u64]) -> Option<Child<'a>> {
        match self.child(trail, &mut Work(Work::ALL)) {
            Got::Child(child) => Some(child),
            Got::End(_) | Got::Pending => None,
        }
    }

    /// Opens a container.
    pub(crate) fn open(&mut self, trail: &[u64]) -> bool {
        let Some(child) = self.get(trail).filter(Child::can_open) else {
            return false;
        };
        let (Some(value), Some((&index, before))) = (child.value(), trail.split_last()) else {
            return false;
        };
        if let Some(node) = self.at(before) {
            let new = || Node::new(Children::of(value, child.place));
            node.open.entry(index).or_insert_with(new);
        }
        true
    }

    /// Closes a container, with all that is open in it.
    pub(crate) fn close(&mut self, trail: &[u64]) {
        if let Some((index, before)) = trail.split_last() {
            if let Some(node) = self.at(before) {
                node.open.remove(index);
            }
        }
    }

    /// Opens what is around a place; `marks` are those of a walk that came there, level by level.
    pub(crate) fn reveal(&mut self, trail: &[u64], marks: Vec<Vec<Mark<'a>>>) {
        let mut marks = marks.into_iter();
        for len in 0..trail.len() {
            if len > 0 && !self.open(&trail[..len]) {
                return;
            }
            if let (Some(node), Some(marks)) = (self.at(&trail[..len]), marks.next()) {
                node.children.learn(marks);
            }
        }
    }

    /// All that is open.
    pub(crate) fn opened(&self) -> Vec<Trail> {
        let mut all = Vec::new();
        let mut left: Vec<(Trail, &Node<'a>)> = vec![(Vec::new(), self)];
        while let Some((trail, node)) = left.pop() {
            for (index, inner) in &node.open {
                let mut below = trail.clone();
                below.push(*index);
                all.push(below.clone());
                left.push((below, inner));
            }
        }
        all
    }

    /// The row below.
    pub(crate) fn next(&mut self, trail: &[u64], work: &mut Work) -> Next {
        let mut next = trail.to_vec();
        if self.is_open(trail) {
            next.push(0);
            match self.child(&next, work) {
                Got::Child(_) => return Next::Row(next),
                Got::Pending => return Next::Pending,
                Got::End(_) => drop(next.pop()),
            }
        }
        while let Some(index) = next.pop() {
            next.push(index + 1);
            match self.child(&next, work) {
                Got::Child(_) => return Next::Row(next),
                Got::Pending => return Next::Pending,
                Got::End(_) => drop(next.pop()),
            }
        }
        Next::End
    }

    /// The row above.
    pub(crate) fn previous(&mut self, trail: &[u64]) -> Option<Trail> {
        let mut above = trail.to_vec();
        let index = above.pop()?;
        if index == 0 {
            return Some(above).filter(|above| !above.is_empty());
        }
        above.push(index - 1);
        self.deepest(&mut above);
        Some(above)
    }

    /// Goes to the last visible row in what is there.
    fn deepest(&mut self, trail: &mut Trail) {
        while self.is_open(trail) {
            let node = self.at(trail);
            let last = node.and_then(|node| node.children.last(&mut Work(Work::ALL)));
            let Some(last) = last else { return };
            trail.push(last);
            if self.get(trail).is_none() {
                trail.pop();
                return;
            }
        }
    }

    /// A step of the way to the last visible row: none while there is more to walk over. The trail is that
    /// of a container, at first of the file.
    pub(crate) fn towards_end(&mut self, trail: &mut Trail, work: &mut Work) -> bool {
        loop {
            if !trail.is_empty() && !self.is_open(trail) {
                return true;
            }
            let last = self
                .at(trail)
                .map(|node| node.children.last(work))
                .unwrap_or(Some(0));
            match last {
                Some(last) => trail.push(last),
                None => return false,
            }
            if self.get(trail).is_none() {
                trail.pop();
                return true;
            }
        }
    }
}
