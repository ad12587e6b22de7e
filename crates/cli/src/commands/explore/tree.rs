//! The tree of rows: which containers are open, and which row follows another.

use std::collections::BTreeMap;

use crate::commands::explore::{
    child::Child,
    children::{ChildAnswer, Children, Mark},
    work::Work,
};

/// The position of a row in the tree: the number of its record, of the child in that record, and so on.
pub(crate) type RowPath = Vec<u64>;

/// The result of [`Tree::next`].
pub(crate) enum Next {
    Row(RowPath),
    /// The given row is the last one.
    End,
    /// The work was used up before the next row was found.
    Pending,
}

/// The children of the file (at the empty path) and of all open containers.
pub(crate) struct Tree<'a> {
    open: BTreeMap<RowPath, Children<'a>>,
}

impl<'a> Tree<'a> {
    /// Creates a tree with these records, with nothing open.
    pub(crate) fn new(records: Children<'a>) -> Tree<'a> {
        Tree {
            open: BTreeMap::from([(RowPath::new(), records)]),
        }
    }

    /// Returns the children of an open container. `None` if it is closed.
    pub(crate) fn children(&mut self, row: &[u64]) -> Option<&mut Children<'a>> {
        self.open.get_mut(row)
    }

    pub(crate) fn is_open(&self, row: &[u64]) -> bool {
        !row.is_empty() && self.open.contains_key(row)
    }

    /// Returns the child at `row`. The container that it is in has to be open.
    pub(crate) fn child(&mut self, row: &[u64], work: &mut Work) -> ChildAnswer<'a> {
        let children = row
            .split_last()
            .and_then(|(&index, above)| Some((index, self.children(above)?)));
        match children {
            Some((index, children)) => children.get(index, work),
            None => ChildAnswer::End(0),
        }
    }

    /// Returns the child at a row, without a limit on the work.
    pub(crate) fn get(&mut self, row: &[u64]) -> Option<Child<'a>> {
        match self.child(row, &mut Work(Work::ALL)) {
            ChildAnswer::Child(child) => Some(child),
            ChildAnswer::End(_) | ChildAnswer::Pending => None,
        }
    }

    /// Opens a container. Returns `false` if it has no children.
    pub(crate) fn open(&mut self, row: &[u64]) -> bool {
        let child = self.get(row).filter(Child::can_open);
        let Some((child, value)) = child.and_then(|child| Some((child, child.value()?))) else {
            return false;
        };
        let children = || Children::of(value, child.record);
        self.open.entry(row.to_vec()).or_insert_with(children);
        true
    }

    /// Closes a container and all containers in it.
    pub(crate) fn close(&mut self, row: &[u64]) {
        self.open.retain(|open, _| !open.starts_with(row));
    }

    /// Opens or closes a container. Returns `false` if it has no children.
    pub(crate) fn toggle(&mut self, row: &[u64]) -> bool {
        if self.is_open(row) {
            self.close(row);
            return true;
        }
        self.open(row)
    }

    /// Opens the containers that `row` is in. `marks` are the marks of a walk to the row, for each container, outermost
    /// first. With them, the tree finds the row without a second walk.
    pub(crate) fn reveal(&mut self, row: &[u64], marks: Vec<Vec<Mark<'a>>>) {
        let mut marks = marks.into_iter();
        for len in 0..row.len() {
            if len > 0 && !self.open(&row[..len]) {
                return;
            }
            if let (Some(children), Some(marks)) = (self.children(&row[..len]), marks.next()) {
                children.learn(marks);
            }
        }
    }

    /// Returns all open containers, each after the container that it is in.
    pub(crate) fn opened(&self) -> Vec<RowPath> {
        self.open.keys().skip(1).cloned().collect()
    }

    /// Returns the row below `row`.
    pub(crate) fn next(&mut self, row: &[u64], work: &mut Work) -> Next {
        let mut next = row.to_vec();
        if self.is_open(row) {
            next.push(0);
        } else if let Some(index) = next.last_mut() {
            *index += 1;
        }
        loop {
            match self.child(&next, work) {
                ChildAnswer::Child(_) => return Next::Row(next),
                ChildAnswer::Pending => return Next::Pending,
                ChildAnswer::End(_) => {}
            }
            next.pop();
            match next.last_mut() {
                Some(index) => *index += 1,
                None => return Next::End,
            }
        }
    }

    /// Returns the row above `row`. `None` at the first row.
    pub(crate) fn previous(&mut self, row: &[u64]) -> Option<RowPath> {
        let mut above = row.to_vec();
        let index = above.pop()?;
        if index > 0 {
            above.push(index - 1);
            self.towards_end(&mut above, &mut Work(Work::ALL));
        }
        Some(above).filter(|above| !above.is_empty())
    }

    /// Moves `row` to the last visible row inside it. The empty path means the file. Returns `false` if the work was
    /// used up first; the next call continues.
    pub(crate) fn towards_end(&mut self, row: &mut RowPath, work: &mut Work) -> bool {
        while let Some(children) = self.children(row) {
            let Some(last) = children.last(work) else {
                return false;
            };
            row.push(last);
            if self.get(row).is_none() {
                row.pop();
                return true;
            }
        }
        true
    }
}
