//! [`Recovered`]: what is left of a value, and what was lost.

use std::ops::Range;

use gdvar_view::{Document, Error as ReadError, Event, ReadOptions, Role};

use crate::plan::{Plan, Splice};

/// The children that one container lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The path of the container.
    pub path: String,
    /// The index of the first lost child.
    pub from: usize,
    /// The number of lost children. They follow each other.
    pub count: usize,
    /// The number of children that the container had before the damage.
    pub of: usize,
}

/// What is left of a value.
#[derive(Clone, Debug)]
pub struct Recovered<'a> {
    pub(super) plan: Option<Plan<'a>>,
    pub(super) lost: Vec<Lost>,
    pub(super) skipped: Vec<Range<usize>>,
    pub(super) gone: Option<usize>,
    pub(super) damage: Option<ReadError>,
    pub(super) damaged: Option<String>,
}

impl<'a> Recovered<'a> {
    /// Returns the edits that turn the damaged bytes into a valid value. `None` if nothing can be
    /// kept, for example because the outermost value has no children or its header is damaged.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan<'a>> {
        self.plan.as_ref()
    }

    /// Returns the containers that lost children, the outermost first. Containers inside lost children are
    /// not listed.
    #[must_use]
    pub fn lost(&self) -> &[Lost] {
        &self.lost
    }

    /// Returns the bytes that are left out, counted from the start of the value.
    #[must_use]
    pub fn skipped(&self) -> &[Range<usize>] {
        &self.skipped
    }

    /// Returns the number of lost values. `None` if it is unknown, because a lost child may have had
    /// children.
    #[must_use]
    pub const fn gone(&self) -> Option<usize> {
        self.gone
    }

    /// Returns the number of values that are left, not counting keys. Builds the recovered value in memory
    /// and walks it once.
    #[must_use]
    pub fn kept(&self, options: ReadOptions) -> usize {
        let Some(plan) = &self.plan else {
            return 0;
        };
        let bytes = plan.to_vec();
        let mut events = Document::with_options(&bytes, options).events();
        let mut count = 0;
        let mut key = 0_usize;
        while let Ok(Some(event)) = events.try_next() {
            match event {
                Event::Value(_) => count += usize::from(key == 0 && events.role() != Role::Key),
                // Everything inside a key belongs to the key.
                Event::Begin(_) if key > 0 || events.role() == Role::Key => key += 1,
                Event::Begin(_) => count += 1,
                Event::End => key = key.saturating_sub(1),
                Event::Property(_) => {}
            }
        }
        count
    }

    /// Returns the first error of the damaged bytes, or `None` if they are valid.
    #[must_use]
    pub const fn damage(&self) -> Option<ReadError> {
        self.damage
    }

    /// Returns the path of the damaged value, if it is known.
    #[must_use]
    pub fn damaged(&self) -> Option<&str> {
        self.damaged.as_deref()
    }

    /// Returns `true` if the bytes were valid.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.damage.is_none()
    }
}

/// Makes a splice that replaces the bytes from `start` to `end` and changes no count.
pub(super) fn splice(start: usize, end: usize, bytes: Vec<u8>) -> Splice<'static> {
    Splice {
        start,
        end,
        bytes: bytes.into(),
        depth: 0,
        edit: 0,
        count: None,
    }
}
