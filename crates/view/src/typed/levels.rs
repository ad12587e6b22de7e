//! The containers around the place where a walk is, as the path that leads there.

use core::fmt;

use smallvec::SmallVec;

use crate::{
    typed::path::{
        key::SimpleKey,
        quote::{fmt_name, fmt_quoted},
    },
    value::{string::StrRef, variant::VariantRef},
    walk::{event::Role, keys::equality::is_text_kind},
};

/// The number of levels that are named: a longer path helps nobody, and the walk has to fit into a
/// small stack.
const SHOWN: usize = 64;

/// The open containers from the outermost inwards: displays as the path to the child that the walk is at.
#[derive(Clone)]
pub(crate) struct Levels<'a> {
    shown: SmallVec<[Level<'a>; SHOWN]>,
    /// `true` if the walk is deeper than levels are named.
    cut: bool,
}

/// An open container and the child that the walk is at.
#[derive(Clone, Copy)]
struct Level<'a> {
    is_dict: bool,
    /// The number of values below that it were begun; those of a dictionary are keys and values in
    /// turn.
    begun: u32,
    /// The last key.
    key: Option<VariantRef<'a>>,
    /// The property whose value comes or came last.
    name: Option<StrRef<'a>>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new() -> Levels<'a> {
        Levels {
            shown: SmallVec::new(),
            cut: false,
        }
    }

    /// The walk comes to the next step; so many containers are open.
    pub(crate) fn step(&mut self, open: usize) {
        self.shown.truncate(open);
        self.cut = open > SHOWN;
    }

    /// The container that the step belongs to, unless it is too deep to be named.
    fn last(&mut self) -> Option<&mut Level<'a>> {
        if self.cut {
            return None;
        }
        self.shown.last_mut()
    }

    /// The step is a value in that place.
    pub(crate) fn value(&mut self, value: VariantRef<'a>, role: Role) {
        if let Some(level) = self.last() {
            level.begun += 1;
            if role == Role::Key {
                level.key = Some(value);
            }
        }
    }

    /// The step is the name of a property.
    pub(crate) fn property(&mut self, name: StrRef<'a>) {
        if let Some(level) = self.last() {
            level.name = Some(name);
        }
    }

    /// The step is a child that cannot be read.
    pub(crate) fn unreadable(&mut self) {
        if let Some(level) = self.last() {
            level.begun += 1;
        }
    }

    /// The walk goes into the container that the last step was; so many were open before.
    pub(crate) fn enter(&mut self, container: VariantRef<'a>, open: usize) {
        if open < SHOWN {
            self.shown.push(Level {
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
        let mut spots = self.shown.iter().filter_map(Level::spot);
        spots.try_for_each(|spot| spot.fmt(f))?;
        if self.cut { f.write_str("…") } else { Ok(()) }
    }
}

impl<'a> Level<'a> {
    /// The child that the walk is at.
    fn spot(&self) -> Option<Spot<'a>> {
        if let Some(name) = self.name {
            return Some(Spot::Property(name));
        }
        let last = self.begun.checked_sub(1)?;
        Some(match self.key {
            _ if !self.is_dict => Spot::Element(last),
            Some(key) if last % 2 == 1 => Spot::Value(last / 2, key),
            _ => Spot::Key(last / 2),
        })
    }
}

/// The place of a child in its container: displays as the step of a path that leads there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot<'a> {
    /// An element of an array, packed or not.
    Element(u32),
    /// The value of the n-th pair, under that key.
    Value(u32, VariantRef<'a>),
    /// The key of the n-th pair.
    Key(u32),
    /// The value of a property.
    Property(StrRef<'a>),
}

impl fmt::Display for Spot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Spot::Element(n) => write!(f, "[{n}]"),
            Spot::Key(pair) => write!(f, "{{{pair}:key}}"),
            Spot::Property(name) => match name.to_str() {
                Ok(name) => fmt_name(name.chars(), f),
                Err(_) => write!(f, "[{name:?}]"),
            },
            Spot::Value(pair, key) => match (key.as_str(), key.as_i64(), SimpleKey::of(key)) {
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
            },
        }
    }
}
