//! Writes containers whose length is not known when they begin. Their count is corrected at the
//! end.

use gdvar_wire::Kind;

use crate::{
    error::WriteErrorKind,
    frame::{Frame, Shape},
    sink::Patch,
    writer::{Result, Writer},
};

/// A token for an open container of unknown length, to be given to [`Writer::end_growing`].
#[derive(Clone, Copy, Debug)]
#[must_use = "give it to end_growing(), or the count stays 0"]
pub struct Growing {
    /// The position of the count, as [`Patch::position`] returned it.
    at: u64,
    /// The number of open containers, this one included.
    depth: u32,
    /// `false` at the greatest depth, where no child is allowed.
    room: bool,
}

/// Containers of unknown length: the count is a placeholder until the end ([`docs/FORMAT.md` §4.1],
/// §4.2). Each costs a seek in a file, and no memory.
///
/// [`docs/FORMAT.md` §4.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#41-array
impl<S: Patch> Writer<S> {
    /// Begins an `Array` whose length becomes known at its end.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// let list = writer.begin_growing_array()?;
    /// for word in "to be or not".split(' ') {
    ///     writer.string(word)?;
    /// }
    /// assert_eq!(writer.end_growing(list)?, 4);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    pub fn begin_growing_array(&mut self) -> Result<Growing, S> {
        self.begin_growing(Kind::Array, Frame::growing_array)
    }

    /// Begins a `Dictionary` whose length becomes known at its end.
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    pub fn begin_growing_dict(&mut self) -> Result<Growing, S> {
        self.begin_growing(Kind::Dictionary, Frame::growing_dict)
    }

    /// Ends the innermost container, which must be `growing`. Patches the number of its elements or
    /// entries into the sink, and returns this number.
    ///
    /// # Errors
    ///
    /// Returns `ChildOpen` if `growing` is not the innermost container; `ExpectedValue` if the last
    /// key has no value; `Broken` after an error that cut the output; or the sink's error, after
    /// which the writer is broken. After the other errors the container stays open.
    pub fn end_growing(&mut self, growing: Growing) -> Result<u32, S> {
        let Growing { at, depth, room } = growing;
        let shape = self.shape();
        if shape == Shape::Broken {
            return Err(self.error(WriteErrorKind::Broken));
        }
        if self.depth != depth {
            return Err(self.child_open(depth));
        }
        let count = match shape {
            Shape::GrowingArray => self.now().grown(room),
            Shape::GrowingDict if self.left % 2 == 0 => self.now().grown(room) / 2,
            Shape::GrowingDict => return Err(self.error(WriteErrorKind::ExpectedValue)),
            _ => return Err(self.error(WriteErrorKind::WrongEnd)),
        };
        if let Err(error) = self.sink.patch(at, &count.to_le_bytes()) {
            return Err(self.break_off(WriteErrorKind::Sink(error)));
        }
        self.sink.release();
        self.close();
        Ok(count)
    }

    fn begin_growing(&mut self, kind: Kind, frame: fn(bool) -> Frame) -> Result<Growing, S> {
        let header = self.header(kind)?;
        let room = self.depth < u32::from(self.max_depth);
        let at = self.sink.position() + 4;
        self.sink.hold();
        if let Err(error) = self.begin(header, 0, 0, frame(room)) {
            self.sink.release();
            return Err(error);
        }
        Ok(Growing {
            at,
            depth: self.depth,
            room,
        })
    }
}
