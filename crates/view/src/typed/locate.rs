//! From a byte to the path of the value it belongs to.

use core::fmt;

use smallvec::SmallVec;

use crate::{
    options::ReadOptions,
    typed::path::{
        key::SimpleKey,
        quote::{fmt_name, fmt_quoted},
    },
    value::{string::StrRef, variant::VariantRef},
    walk::{
        events::{Event, Events, Role},
        keys::is_text_kind,
    },
};

/// The place of a byte: displays as a path such as `$.player.inventory[3]`, in the notation of
/// [`Path`](crate::Path).
///
/// The bytes are walked up to there each time it is displayed: O(n), no allocation. In bytes that
/// cannot be read that far it names the value that could not be read.
#[derive(Clone, Copy, Debug)]
pub struct Location<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    offset: usize,
}

/// An open container and the child that the walk is at.
#[derive(Clone, Copy)]
struct Level<'a> {
    is_dict: bool,
    /// How many values below it were begun; those of a dictionary are keys and values in turn.
    begun: u32,
    /// The last key.
    key: Option<VariantRef<'a>>,
    /// The property whose value comes or came last.
    name: Option<StrRef<'a>>,
}

/// How many levels are named: a longer path helps nobody, and the walk has to fit into a small
/// stack.
const SHOWN: usize = 64;

type Levels<'a> = SmallVec<[Level<'a>; SHOWN]>;

impl<'a> Location<'a> {
    pub(crate) const fn new(bytes: &'a [u8], options: ReadOptions, offset: usize) -> Location<'a> {
        Location {
            bytes,
            options,
            offset,
        }
    }

    /// The containers around the byte from the outermost inwards, and whether there are more.
    fn levels(self) -> (Levels<'a>, bool) {
        let mut levels = Levels::new();
        let mut events = Events::new(self.bytes, 0, self.options, 0, true);
        loop {
            let open = events.open();
            let step = events.try_next();
            // The container that the step belongs to, unless it is too deep to be named.
            let level = if open <= SHOWN {
                levels.last_mut()
            } else {
                None
            };
            match step {
                Ok(Some(Event::Value(value) | Event::Begin(value))) => {
                    if let Some(level) = level {
                        level.begun += 1;
                        if events.role() == Role::Key {
                            level.key = Some(value);
                        }
                    }
                    if value.offset() <= self.offset && self.offset < events.position() {
                        return (levels, open > SHOWN);
                    }
                    if events.open() > open && open < SHOWN {
                        let is_dict = value.as_dict().is_some();
                        levels.push(Level {
                            is_dict,
                            begun: 0,
                            key: None,
                            name: None,
                        });
                    }
                }
                Ok(Some(Event::Property(name))) => {
                    if let Some(level) = level {
                        level.name = Some(name);
                    }
                    if self.offset < events.position() {
                        return (levels, open > SHOWN);
                    }
                }
                Ok(Some(Event::End)) => levels.truncate(events.open()),
                // Behind the outermost value.
                Ok(None) => return (Levels::new(), false),
                Err(_) => {
                    // It is the next child that could not be read.
                    if let Some(level) = level {
                        level.begun += 1;
                    }
                    return (levels, open > SHOWN);
                }
            }
        }
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        let (levels, cut) = self.levels();
        let mut spots = levels.iter().filter_map(Level::spot);
        spots.try_for_each(|spot| spot.fmt(f))?;
        if cut { f.write_str("…") } else { Ok(()) }
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
