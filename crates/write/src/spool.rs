//! Writes containers of unknown length into sinks that cannot go back and correct a count: the
//! container is written to memory first.

use core::convert::Infallible;

use alloc::vec::Vec;
use gdvar_wire::{Kind, Limits};

use crate::{
    error::{Error, WriteErrorKind},
    frame::{Frame, Shape},
    scalars::word_pair,
    sink::Sink,
    slot::Slot,
    slots::{ArraySlots, DictSlots},
    writer::{Result, Writer},
};

/// The sink of the inner writer: the caller's memory.
type Spool<'v> = &'v mut Vec<u8>;

impl<S: Sink> Slot<'_, S> {
    /// Writes an `Array` of unknown length. `fill` writes the elements into `scratch`, which is
    /// cleared first; then the header, the count and the elements go to the sink. The cost is the
    /// memory of this array and one more copy. Keep the vector to use it again.
    ///
    /// All elements stay in memory until the array is whole, so spool arrays that are small.
    ///
    /// ```
    /// use gdvar_write::{IoSink, Target, Writer};
    ///
    /// # fn main() -> std::io::Result<()> {
    /// # let socket = Vec::new();
    /// let mut scratch = Vec::new();
    /// let mut writer = Writer::new(IoSink::new(socket), Target::GODOT_4);
    /// let count = writer.root().spooled_array(&mut scratch, |words| {
    ///     for word in "to be or not".split(' ') {
    ///         words.push().string(word)?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(count, 4);
    /// # writer.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that `fill` returns; `ChildOpen` if `fill` leaves a container open;
    /// `TooLarge` if the array is larger than the engines can hold. Also fails if no value may be
    /// written here, or with the sink's error. The sink gets nothing unless all elements were
    /// written.
    pub fn spooled_array(
        self,
        scratch: &mut Vec<u8>,
        fill: impl FnOnce(&mut ArraySlots<'_, Spool<'_>>) -> core::result::Result<(), Error<Infallible>>,
    ) -> Result<u32, S> {
        self.spool(Kind::Array, scratch, Frame::growing_array, |writer| {
            fill(&mut ArraySlots::new(writer))
        })
    }

    /// Writes a `Dictionary` of unknown length; `fill` writes its entries into `scratch`. See
    /// [`Slot::spooled_array`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Slot::spooled_array`], and `ExpectedValue` if the last key has no
    /// value.
    pub fn spooled_dict(
        self,
        scratch: &mut Vec<u8>,
        fill: impl FnOnce(&mut DictSlots<'_, Spool<'_>>) -> core::result::Result<(), Error<Infallible>>,
    ) -> Result<u32, S> {
        self.spool(Kind::Dictionary, scratch, Frame::growing_dict, |writer| {
            fill(&mut DictSlots::new(writer))
        })
    }

    fn spool(
        self,
        kind: Kind,
        scratch: &mut Vec<u8>,
        frame: fn(bool) -> Frame,
        fill: impl FnOnce(&mut Writer<Spool<'_>>) -> core::result::Result<(), Error<Infallible>>,
    ) -> Result<u32, S> {
        self.check()?;
        let outer = self.writer;
        let header = outer.header(kind)?;
        // Depth 0 of the spool is the depth of the elements.
        let levels = u32::from(outer.max_depth).checked_sub(outer.depth + 1);
        let limits = Limits::ENGINE.with_max_depth(levels.unwrap_or(0) as u16);
        scratch.clear();
        let mut inner = Writer::with_limits(&mut *scratch, outer.target, limits);
        inner.set_now(frame(levels.is_some()));

        let behind_head = outer.position() + 8;
        let count = fill(&mut inner)
            .and_then(|()| inner.spooled(levels.is_some()))
            .map_err(|error| match levels {
                None => outer_depth(outer),
                Some(_) => error.widen(behind_head),
            })?;
        outer.check_size(scratch.len())?;
        outer.take_value()?;
        outer.put_run(&word_pair(header.0, count), scratch, 0)?;
        Ok(count)
    }
}

#[cold]
fn outer_depth<S: Sink>(outer: &Writer<S>) -> Error<S::Error> {
    outer.error(WriteErrorKind::DepthExceeded {
        limit: outer.max_depth,
    })
}

impl Writer<Spool<'_>> {
    /// Returns the number of children that were spooled.
    fn spooled(&self, room: bool) -> core::result::Result<u32, Error<Infallible>> {
        if self.depth != 0 {
            return Err(self.child_open(0));
        }
        match self.shape() {
            Shape::GrowingArray => Ok(self.now().grown(room)),
            Shape::GrowingDict if self.left % 2 == 0 => Ok(self.now().grown(room) / 2),
            Shape::GrowingDict => Err(self.error(WriteErrorKind::ExpectedValue)),
            _ => Err(self.error(WriteErrorKind::Broken)),
        }
    }
}
