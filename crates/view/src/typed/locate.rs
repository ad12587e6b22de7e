//! From a byte to the path of the value it belongs to.

use core::fmt;

use crate::{
    options::ReadOptions,
    typed::levels::Levels,
    walk::{event::Event, events::Events},
};

/// The place of a byte: displays as a path such as `$.player.inventory[3]`, in the notation of
/// [`Path`](crate::Path). Use this when a person is told of an error; programs have the offset.
///
/// The bytes are walked up to there each time it is displayed: O(n), no allocation. In bytes that
/// cannot be read that far it names the value that could not be read.
#[derive(Clone, Copy, Debug)]
pub struct Location<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    offset: usize,
}

impl<'a> Location<'a> {
    pub(crate) const fn new(bytes: &'a [u8], options: ReadOptions, offset: usize) -> Location<'a> {
        Location {
            bytes,
            options,
            offset,
        }
    }

    /// The containers around the byte.
    fn levels(self) -> Levels<'a> {
        let mut levels = Levels::new();
        let mut events = Events::new(self.bytes, 0, self.options, 0, true);
        loop {
            let open = events.open();
            let step = events.try_next();
            levels.step(open);
            match step {
                Ok(Some(event @ (Event::Value(value) | Event::Begin(value)))) => {
                    levels.value(value, events.role());
                    if value.offset() <= self.offset && self.offset < events.position() {
                        return levels;
                    }
                    if matches!(event, Event::Begin(_)) {
                        levels.enter(value, open);
                    }
                }
                Ok(Some(Event::Property(name))) => {
                    levels.property(name);
                    if self.offset < events.position() {
                        return levels;
                    }
                }
                Ok(Some(Event::End)) => {}
                // Behind the outermost value.
                Ok(None) => return Levels::new(),
                Err(_) => {
                    levels.unreadable();
                    return levels;
                }
            }
        }
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.levels().fmt(f)
    }
}
