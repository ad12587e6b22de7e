//! Copies values that were read, byte for byte.

use gdvar_view::VariantRef;

use super::error::TranscodeError;
use crate::{sink::Sink, slot::Slot, writer::Writer};

impl<S: Sink> Writer<S> {
    /// Copies a value that was read, byte for byte. A proxy can change one field of a message this
    /// way and let the rest pass. The value must have the writer's dialect. Copying takes one walk
    /// to find the end of the value, and one copy.
    ///
    /// Bytes that no encoder writes, such as padding that is not zero, are copied too;
    /// [`transcode_value`](crate::transcode_value) writes the canonical form instead.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for a value of another dialect, the reader's error for a damaged
    /// value, and the errors of [`Writer::raw_bytes`].
    pub fn raw(&mut self, value: VariantRef<'_>) -> Result<(), TranscodeError<S::Error>> {
        if value.dialect() != self.dialect() {
            return Err(self.unrepresentable(value.kind()).into());
        }
        Ok(self.raw_bytes(value.raw()?)?)
    }
}

impl<S: Sink> Slot<'_, S> {
    /// Copies a value that was read, see [`Writer::raw`].
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document};
    /// use gdvar_write::{Target, Writer};
    ///
    /// // ["hp", 80]: the second element passes, the first is replaced.
    /// let old = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
    /// let array = Document::new(old, Dialect::GODOT_4).root()?.as_array().unwrap();
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// let mut out = writer.root().array(2)?;
    /// out.push().string("mp")?;
    /// out.push().raw(array.get(1)?.unwrap())?;
    /// out.end()?;
    /// assert_eq!(writer.finish()?[20..], old[20..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::raw`], and `ChildOpen` if a container inside the slot's
    /// container is still open.
    pub fn raw(self, value: VariantRef<'_>) -> Result<(), TranscodeError<S::Error>> {
        self.check()?;
        self.writer.raw(value)
    }
}
