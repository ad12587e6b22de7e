//! [`Levels`]: the containers that a walk has open, displayed as a path.

use core::fmt;

use smallvec::SmallVec;

use crate::{
    path::{
        quote::{fmt_name, fmt_quoted},
        simple_key::SimpleKey,
    },
    value::{string::StrRef, variant::VariantRef},
    walk::{event::Role, keys::equality::is_text_kind},
};

/// The number of levels that are displayed. A longer path helps nobody, and the levels are on the
/// stack, which may be small.
const SHOWN: usize = 64;

/// The open containers of a walk, outermost first. Displays as the path of the current child.
#[derive(Clone)]
pub(crate) struct Levels<'a> {
    shown: SmallVec<[ShownLevel<'a>; SHOWN]>,
    /// True if the walk is deeper than [`SHOWN`].
    is_cut: bool,
}

/// An open container, and its current child.
#[derive(Clone, Copy)]
struct ShownLevel<'a> {
    is_dict: bool,
    /// The number of children begun so far. In a Dictionary keys and values count separately.
    begun: u32,
    /// The last key, in a Dictionary.
    key: Option<VariantRef<'a>>,
    /// The last property name, in an object.
    name: Option<StrRef<'a>>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new() -> Levels<'a> {
        Levels {
            shown: SmallVec::new(),
            is_cut: false,
        }
    }

    /// Call this first for each event, with the number of containers that were open before the
    /// event.
    pub(crate) fn step(&mut self, open: usize) {
        self.shown.truncate(open);
        self.is_cut = open > SHOWN;
    }

    /// The innermost open container; `None` if it is too deep to be displayed.
    fn last(&mut self) -> Option<&mut ShownLevel<'a>> {
        if self.is_cut {
            return None;
        }
        self.shown.last_mut()
    }

    /// Records a value as the current child.
    pub(crate) fn value(&mut self, value: VariantRef<'a>, role: Role) {
        if let Some(level) = self.last() {
            level.begun += 1;
            if role == Role::Key {
                level.key = Some(value);
            }
        }
    }

    /// Records the name of the next property.
    pub(crate) fn property(&mut self, name: StrRef<'a>) {
        if let Some(level) = self.last() {
            level.name = Some(name);
        }
    }

    /// Records that the next child cannot be read.
    pub(crate) fn unreadable(&mut self) {
        if let Some(level) = self.last() {
            level.begun += 1;
        }
    }

    /// Records that `container` was opened while `open` other containers were open.
    pub(crate) fn enter(&mut self, container: VariantRef<'a>, open: usize) {
        if open < SHOWN {
            self.shown.push(ShownLevel {
                is_dict: container.as_dict().is_some(),
                begun: 0,
                key: None,
                name: None,
            });
        }
    }
}

impl fmt::Display for Levels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        let mut steps = self.shown.iter().filter_map(ShownLevel::child);
        steps.try_for_each(|step| step.fmt(f))?;
        if self.is_cut {
            f.write_str("…")
        } else {
            Ok(())
        }
    }
}

impl<'a> ShownLevel<'a> {
    /// The current child; `None` before the first.
    fn child(&self) -> Option<ChildPlace<'a>> {
        if let Some(name) = self.name {
            return Some(ChildPlace::Property(name));
        }
        let last = self.begun.checked_sub(1)?;
        Some(match self.key {
            _ if !self.is_dict => ChildPlace::Element(last),
            Some(key) if last % 2 == 1 => ChildPlace::Value(last / 2, key),
            _ => ChildPlace::Key(last / 2),
        })
    }
}

/// Where a child is in its container. Displays as the step of a path that leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChildPlace<'a> {
    /// The n-th element of an array, packed or not.
    Element(u32),
    /// The value of the n-th pair, and its key.
    Value(u32, VariantRef<'a>),
    /// The key of the n-th pair.
    Key(u32),
    /// The value of the property of this name.
    Property(StrRef<'a>),
}

impl fmt::Display for ChildPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ChildPlace::Element(n) => write!(f, "[{n}]"),
            ChildPlace::Key(pair) => write!(f, "{{{pair}:key}}"),
            ChildPlace::Property(name) => match name.to_str() {
                Ok(name) => fmt_name(name.chars(), f),
                Err(_) => write!(f, "[{name:?}]"),
            },
            ChildPlace::Value(pair, key) => {
                match (key.as_str(), key.as_i64(), SimpleKey::of(key)) {
                    (Some(name), ..) if is_text_kind(key.kind(), key.dialect()) => {
                        fmt_name(name.chars(), f)
                    }
                    (Some(name), ..) => {
                        f.write_str("[&")?;
                        fmt_quoted(name.chars(), f)?;
                        f.write_str("]")
                    }
                    (_, Some(int), _) => write!(f, "[{int}]"),
                    (.., Some(key)) => write!(f, "[{key}]"),
                    _ => write!(f, "{{{pair}}}"),
                }
            }
        }
    }
}
