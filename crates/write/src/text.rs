//! Writes texts, and the values made of texts: names, paths, signals.

use gdvar_wire::{Kind, NODE_PATH_ABSOLUTE, NODE_PATH_NEW_FORMAT, TextRules, WideCode, wide_code};

use crate::{
    error::{Error, WriteErrorKind},
    scalars::word_pair,
    short_text::ShortText,
    sink::Sink,
    writer::{Result, Writer},
};

/// The parts of a `NodePath`: `/root/A:b:c` is absolute, has the names `root` and `A`, and the
/// sub-names `b` and `c` ([`docs/FORMAT.md` §4.5]).
///
/// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodePathParts<'a> {
    /// The names, which slashes separate in text.
    pub names: &'a [&'a str],
    /// The sub-names, which follow colons in text.
    pub subnames: &'a [&'a str],
    /// `true` if the path begins with a slash.
    pub absolute: bool,
}

/// Text ([`docs/FORMAT.md` §3.2], §3.3) is written as its length, its UTF-8, and zeros up to a
/// multiple of four.
///
/// Texts of up to 24 bytes are checked and copied in words. Longer texts take one pass to find NULs
/// and one copy. All methods fail with `EmbeddedNul` or `TooLarge`, and with the errors of every
/// value: `TooMany`, `Complete`, `ExpectedProperty`, `DepthExceeded`, `Broken`, `Sink`.
///
/// [`docs/FORMAT.md` §3.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#32-string-field
impl<S: Sink> Writer<S> {
    /// Writes a `String`. A leading byte order mark is written, although engines drop it when they
    /// read ([`docs/FORMAT.md` §5]).
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.string("Hello")?;
    /// assert_eq!(writer.finish()?, b"\x04\0\0\0\x05\0\0\0Hello\0\0\0");
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `EmbeddedNul` or `TooLarge` for a text that cannot be written. Also fails if no value
    /// may be written here, or with the sink's error.
    ///
    /// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
    #[inline(always)]
    pub fn string(&mut self, text: &str) -> Result<(), S> {
        // String has the type number 4 in every dialect (`docs/FORMAT.md` §1.1).
        self.text_value(4, text.as_bytes())
    }

    /// Writes a `StringName`. Only Godot 4 and Pandemonium have it.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` in any other dialect, and `EmbeddedNul` or `TooLarge` for a text that
    /// cannot be written. Also fails if no value may be written here, or with the sink's error.
    #[inline]
    pub fn string_name(&mut self, text: &str) -> Result<(), S> {
        let header = self.header(Kind::StringName)?;
        self.text_value(header.0, text.as_bytes())
    }

    /// Writes a `String` from its bytes. Godot 2 and 3 read lone surrogates and numbers that are
    /// not code points, which a `&str` cannot hold. For these engines this method accepts every
    /// text that they read ([`docs/FORMAT.md` §6], rows 12 and 13). For other engines the bytes
    /// must be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns `InvalidText` for bytes that the engine would refuse, and `EmbeddedNul` or `TooLarge`
    /// for a text that cannot be written. Also fails if no value may be written here, or with the
    /// sink's error.
    ///
    /// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
    pub fn string_bytes(&mut self, text: &[u8]) -> Result<(), S> {
        self.check_encoding(text)?;
        self.text_value(4, text)
    }

    /// Writes a `NodePath` from its parts.
    ///
    /// ```
    /// use gdvar_write::{NodePathParts, Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.node_path(&NodePathParts {
    ///     names: &["root", "Player"],
    ///     subnames: &["position"],
    ///     absolute: true,
    /// })?;
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `EmbeddedNul` or `TooLarge` for a text that cannot be written. Also fails if no value
    /// may be written here, or with the sink's error.
    pub fn node_path(&mut self, path: &NodePathParts<'_>) -> Result<(), S> {
        // Checks all names before the first byte, so that a bad name does not cut the output.
        for name in path.names.iter().chain(path.subnames) {
            self.check_text(name.as_bytes())?;
        }
        let names = path.names.iter().map(|name| name.as_bytes());
        let subnames = path.subnames.iter().map(|name| name.as_bytes());
        self.node_path_from(names, subnames, path.absolute)
    }

    /// Writes a `NodePath` from iterators over its names and sub-names, without a slice. The items
    /// are texts, or bytes that [`Writer::string_bytes`] would take.
    ///
    /// # Errors
    ///
    /// Returns `InvalidText`, `EmbeddedNul` or `TooLarge` for a name that cannot be written;
    /// `TooMany` or `TooFew` if an iterator gives more or fewer items than its length. These errors
    /// cut the output and leave the writer [broken](WriteErrorKind::Broken). Also fails if no value
    /// may be written here, or with the sink's error.
    pub fn node_path_from<N, M>(&mut self, names: N, subnames: M, absolute: bool) -> Result<(), S>
    where
        N: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        M: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
    {
        let (names, subnames) = (names.into_iter(), subnames.into_iter());
        let header = self.header(Kind::NodePath)?;
        let name_count = self.count(names.len())?;
        let subname_count = self.count(subnames.len())?;
        self.take_value()?;
        let flags = if absolute { NODE_PATH_ABSOLUTE } else { 0 };
        let mut head = [0; 16];
        head[..8].copy_from_slice(&word_pair(header.0, NODE_PATH_NEW_FORMAT | name_count));
        head[8..].copy_from_slice(&word_pair(subname_count, flags));
        self.put(&head)?;
        self.exactly(names, |writer, name| writer.text_field(name.as_ref()))?;
        self.exactly(subnames, |writer, name| writer.text_field(name.as_ref()))
    }

    /// Writes a `Signal`: its name and the instance id of its object. Godot 4 only.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` in any other dialect, and `EmbeddedNul` or `TooLarge` for a name that
    /// cannot be written. Also fails if no value may be written here, or with the sink's error.
    pub fn signal(&mut self, name: &str, object_id: u64) -> Result<(), S> {
        let header = self.header(Kind::Signal)?;
        self.text_value(header.0, name.as_bytes())?;
        self.put(&object_id.to_le_bytes())
    }

    #[inline(always)]
    fn text_value(&mut self, header: u32, text: &[u8]) -> Result<(), S> {
        let Some(short) = ShortText::new(text) else {
            return self.long_text_value(header, text);
        };
        if short.has_nul {
            return Err(self.embedded_nul());
        }
        self.take_value()?;
        let words = short.behind(word_pair(header, text.len() as u32));
        self.put_short(words, value_len(text))
    }

    #[inline(never)]
    fn long_text_value(&mut self, header: u32, text: &[u8]) -> Result<(), S> {
        self.check_text(text)?;
        self.take_value()?;
        let head = word_pair(header, text.len() as u32);
        self.put_run(&head, text, padding(text.len()))
    }

    /// Writes a string field. The text must have been checked.
    #[inline]
    pub(crate) fn put_text(&mut self, text: &[u8]) -> Result<(), S> {
        let len = text.len() as u32;
        let zeros = padding(text.len());
        match ShortText::new(text) {
            Some(short) => self.put_short(short.behind_len(len), 4 + text.len() + zeros),
            None => self.put_run(&len.to_le_bytes(), text, zeros),
        }
    }

    /// Checks and writes a string field inside a value. An error cuts the output.
    fn text_field(&mut self, text: &[u8]) -> Result<(), S> {
        let checked = self
            .check_text(text)
            .and_then(|()| self.check_encoding(text));
        if let Err(error) = checked {
            return Err(self.break_off(error.into_kind()));
        }
        self.put_text(text)
    }

    /// Writes each item with `put`. Fails if the iterator gives more or fewer items than its
    /// length.
    #[inline]
    pub(crate) fn exactly<I: ExactSizeIterator>(
        &mut self,
        mut items: I,
        mut put: impl FnMut(&mut Self, I::Item) -> Result<(), S>,
    ) -> Result<(), S> {
        for missing in (1..=items.len()).rev() {
            match items.next() {
                Some(item) => put(self, item)?,
                None => {
                    let missing = missing as u32;
                    return Err(self.break_off(WriteErrorKind::TooFew { missing }));
                }
            }
        }
        match items.next() {
            Some(_) => Err(self.break_off(WriteErrorKind::TooMany)),
            None => Ok(()),
        }
    }

    /// Refuses a text that the engine would cut at a NUL or could not hold.
    #[inline(always)]
    pub(crate) fn check_text(&self, text: &[u8]) -> Result<(), S> {
        if text.contains(&0) {
            return Err(self.embedded_nul());
        }
        self.check_size(text.len())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn embedded_nul(&self) -> Error<S::Error> {
        self.error(WriteErrorKind::EmbeddedNul)
    }

    pub(crate) fn check_encoding(&self, text: &[u8]) -> Result<(), S> {
        let valid = match self.dialect().text_rules() {
            TextRules::Utf8 => core::str::from_utf8(text).is_ok(),
            TextRules::Wide => is_wide_text(text),
        };
        if valid {
            return Ok(());
        }
        let dialect = self.dialect();
        Err(self.error(WriteErrorKind::InvalidText { dialect }))
    }
}

/// Returns the encoded size of a text with its header.
#[inline(always)]
pub(crate) fn value_len(text: &[u8]) -> usize {
    8 + text.len() + padding(text.len())
}

/// Writes a text with `header` to the start of `room` and returns its size, or `None` if it does
/// not fit or has a NUL.
#[cold]
#[inline(never)]
pub(crate) fn text_into(room: &mut [u8], header: u32, text: &[u8]) -> Option<usize> {
    let len = value_len(text);
    let (head, body) = room.get_mut(..len)?.split_first_chunk_mut()?;
    if text.contains(&0) {
        return None;
    }
    *head = word_pair(header, text.len() as u32);
    let (body, zeros) = body.split_at_mut(text.len());
    body.copy_from_slice(text);
    zeros.fill(0);
    Some(len)
}

/// Returns how many zeros pad `len` bytes to a multiple of four.
#[inline]
pub(crate) fn padding(len: usize) -> usize {
    len.wrapping_neg() & 3
}

/// Returns `true` if Godot 3 can decode the text (`docs/FORMAT.md` §6, rows 12 and 13).
fn is_wide_text(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        match wide_code(rest) {
            WideCode::Code { len, .. } => rest = &rest[len..],
            WideCode::End => return true,
            WideCode::Malformed => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_what_godot_3_reads() {
        for good in [
            &b"\xed\xa0\x80"[..],
            b"\xe0\x9f\xbf",
            b"\xf0\x8f\xbf\xbf",
            b"\xf7\xbf\xbf\xbf",
            b"\xf8\x88\x80\x80\x80",
            b"\xfd\xbf\xbf\xbf\xbf\xbf",
            "a\u{e9}\u{1f600}".as_bytes(),
        ] {
            assert!(is_wide_text(good), "{good:x?}");
        }
        for bad in [
            &b"\x80"[..],
            b"\xc0\x80",
            b"\xc1\xbf",
            b"\xe0\x80\x80",
            b"\xf0\x80\x80\x80",
            b"\xc3",
            b"\xc3a",
            b"\xed\xa0",
            b"\xfe",
            b"\xff",
        ] {
            assert!(!is_wide_text(bad), "{bad:x?}");
        }
    }
}
