//! From a byte to the path of the value it belongs to.

use core::fmt;

use smallvec::SmallVec;

use crate::{
    options::ReadOptions,
    typed::path,
    value::{string::StrRef, variant::VariantRef},
    walk::events::{Event, Events, Role},
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
        levels.iter().try_for_each(|level| level.fmt(f))?;
        if cut { f.write_str("…") } else { Ok(()) }
    }
}

impl Level<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name {
            return match name.to_str() {
                Ok(name) => path::fmt_name(name, f),
                Err(_) => write!(f, "[{name:?}]"),
            };
        }
        let Some(last) = self.begun.checked_sub(1) else {
            return Ok(());
        };
        let pair = last / 2;
        match self.key {
            _ if !self.is_dict => write!(f, "[{last}]"),
            Some(key) if last % 2 == 1 => match (key.as_str(), key.as_i64()) {
                (Some(name), _) => path::fmt_name(name, f),
                (_, Some(int)) => write!(f, "[{int}]"),
                _ => write!(f, "{{{pair}}}"),
            },
            _ => write!(f, "{{{pair}:key}}"),
        }
    }
}
