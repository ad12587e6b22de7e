//! [`Location`]: from a byte offset to the path of the value there.

use core::fmt;

use crate::{
    options::ReadOptions,
    path::levels::Levels,
    walk::{event::Event, events::Events},
};

/// The path of the value that a byte belongs to: displays as `$.player.inventory[3]`, in the notation of
/// [`Path`](crate::Path). For error messages; made by [`Document::locate`](crate::Document::locate).
///
/// Each time a `Location` is displayed, it walks over the bytes up to the offset, in O(n) and without
/// allocation. If the bytes cannot be read that far, it displays the path of the value that is damaged. An
/// offset after the outermost value displays as `$`. Only the outermost 64 containers are named; `…` follows if
/// there are more.
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

    /// Walks up to the byte and returns the containers that it is in.
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
                // The offset is after the outermost value.
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
