//! Writes the two types that only Godot 2 has: Image and InputEvent.

use gdvar_wire::Kind;

use crate::{
    error::WriteErrorKind,
    scalars::word_pair,
    sink::Sink,
    text::padding,
    writer::{Result, Writer},
};

/// An `Image` of Godot 2 with undecoded pixels ([`docs/FORMAT.md` §3.3]).
///
/// [`docs/FORMAT.md` §3.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#33-variable-size-scalars
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImageParts<'a> {
    /// The number of the pixel format.
    pub format: u32,
    /// The number of mipmaps.
    pub mipmaps: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels in the given format.
    pub data: &'a [u8],
}

/// Types of Godot 2 alone ([`docs/FORMAT.md` §3.3]).
///
/// [`docs/FORMAT.md` §3.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#33-variable-size-scalars
impl<S: Sink> Writer<S> {
    /// Writes an `Image`. Godot 2 only.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` in other dialects, and `TooLarge` if the pixels are more than the
    /// engines can hold. Also fails if no value may be written here, or with the sink's error.
    pub fn image(&mut self, image: &ImageParts<'_>) -> Result<(), S> {
        let header = self.header(Kind::Image)?;
        self.check_size(image.data.len())?;
        self.take_value()?;
        let len = image.data.len() as u32;
        let mut head = [0; 24];
        head[..8].copy_from_slice(&word_pair(header.0, image.format));
        head[8..16].copy_from_slice(&word_pair(image.mipmaps, image.width));
        head[16..].copy_from_slice(&word_pair(image.height, len));
        self.put_run(&head, image.data, padding(image.data.len()))
    }

    /// Writes an `InputEvent`: `sort` is the number of its type, and `body` is what an event of
    /// this type contains, a whole number of words. Godot 2 only.
    ///
    /// # Errors
    ///
    /// Returns `NotAValue` for a body that is not a multiple of four, `Unrepresentable` in other
    /// dialects, or `TooLarge` if the body is longer than the engines can hold. Also fails if no
    /// value may be written here, or with the sink's error.
    pub fn input_event(&mut self, sort: u32, device: i32, body: &[u8]) -> Result<(), S> {
        let header = self.header(Kind::InputEvent)?;
        if body.len() % 4 != 0 {
            return Err(self.error(WriteErrorKind::NotAValue { len: body.len() }));
        }
        self.check_size(body.len())?;
        self.take_value()?;
        // The length includes the three words before the body.
        let len = body.len() as u32 + 12;
        let mut head = [0; 16];
        head[..8].copy_from_slice(&word_pair(header.0, sort));
        head[8..].copy_from_slice(&word_pair(device as u32, len));
        self.put_run(&head, body, 0)
    }
}
