//! [`Sink`] and [`Bytes`]: the destinations of text.

use core::fmt;
use std::io;

/// A destination that takes text piece by piece.
///
/// Every [`core::fmt::Write`] is a sink. [`Bytes`] is another one, for text that is not Unicode.
pub trait Sink {
    /// Writes a piece of text.
    ///
    /// # Errors
    ///
    /// Fails if the text could not be written.
    fn write_text(&mut self, text: &str) -> fmt::Result;

    /// Writes a character that is not a Unicode scalar value. Strings of Godot 3 can hold
    /// surrogates and numbers above U+10FFFF ([`docs/FORMAT.md` §5], String, `G3`).
    ///
    /// By default a surrogate becomes the escape `\ud800`, which `str2var` of Godot 3 reads, and
    /// any other number becomes U+FFFD.
    ///
    /// # Errors
    ///
    /// Fails if the character could not be written.
    ///
    /// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
    fn write_wide(&mut self, code: u32) -> fmt::Result {
        if (0xd800..0xe000).contains(&code) {
            self.write_text("\\u")?;
            for shift in [12, 8, 4, 0] {
                let digit = char::from_digit(code >> shift & 15, 16).unwrap_or('0');
                self.write_text(digit.encode_utf8(&mut [0; 4]))?;
            }
            Ok(())
        } else {
            self.write_text("\u{fffd}")
        }
    }
}

impl<W: fmt::Write + ?Sized> Sink for W {
    #[inline]
    fn write_text(&mut self, text: &str) -> fmt::Result {
        self.write_str(text)
    }
}

/// A sink that writes bytes. Characters beyond Unicode are written as Godot 3 writes them to a text
/// file: in UTF-8's scheme, extended to larger numbers ([`docs/FORMAT.md` §5]).
///
/// ```
/// use gdvar_text::{Bytes, Notation, write_godot};
/// use gdvar_view::{Dialect, Document};
///
/// // A String of Godot 3: "a" and a lone surrogate.
/// let value = Document::new(b"\x04\0\0\0\x04\0\0\0a\xed\xa0\x80", Dialect::GODOT_3).root()?;
/// let mut bytes = Bytes::new(Vec::new());
/// write_godot(&mut bytes, value, Notation::Godot3_6)?;
/// assert_eq!(bytes.finish()?, b"\"a\xed\xa0\x80\"");
///
/// let mut text = String::new();
/// write_godot(&mut text, value, Notation::Godot3_6)?;
/// assert_eq!(text, r#""a\ud800""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[derive(Debug)]
pub struct Bytes<W> {
    writer: W,
    error: Option<io::Error>,
}

impl<W: io::Write> Bytes<W> {
    /// Creates a sink that writes to `writer`, a few thousand bytes at a time.
    pub const fn new(writer: W) -> Self {
        Self {
            writer,
            error: None,
        }
    }

    /// Returns the writer, after everything has been written.
    ///
    /// # Errors
    ///
    /// Returns the first error of the writer, which also caused
    /// [`TextError::Fmt`](crate::TextError).
    pub fn finish(self) -> io::Result<W> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.writer),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> fmt::Result {
        self.writer.write_all(bytes).map_err(|error| {
            self.error.get_or_insert(error);
            fmt::Error
        })
    }
}

impl<W: io::Write> Sink for Bytes<W> {
    #[inline]
    fn write_text(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes())
    }

    fn write_wide(&mut self, code: u32) -> fmt::Result {
        let tail = match code {
            0..0x80 => 0,
            0x80..0x800 => 1,
            0x800..0x1_0000 => 2,
            0x1_0000..0x20_0000 => 3,
            0x20_0000..0x400_0000 => 4,
            _ => 5,
        };
        let mut bytes = [0; 6];
        let lead = if tail == 0 {
            0
        } else {
            !(0xff_u8 >> (tail + 1))
        };
        for (n, byte) in bytes.iter_mut().take(tail + 1).enumerate() {
            let part = (code >> (6 * (tail - n))) as u8;
            *byte = if n == 0 {
                lead | (part & (0x7f >> tail))
            } else {
                0x80 | (part & 0x3f)
            };
        }
        self.write(&bytes[..=tail])
    }
}
