//! [`Page`]: a buffer for text on its way to a sink.

use core::{fmt, str};

use crate::{
    error::TextError,
    number::{INT_LEN, NumberText, write_int},
    sink::Sink,
};

/// A page of at least this many bytes is passed to the sink.
const FULL: usize = 4096;

/// Collects pieces of text and passes them to a sink in pages. Most pieces are a few bytes long,
/// and calling the sink for each costs more than copying them: a megabyte of bytes is printed in
/// 3.6 ms instead of 13.4 (`gdvar-benches --only text`).
///
/// Writing a piece never fails. The first error of the sink is kept until the end, and the sink
/// gets nothing after it.
pub(crate) struct Page<'s> {
    sink: &'s mut dyn Sink,
    /// The current page: whole characters in UTF-8.
    bytes: Vec<u8>,
    /// The number of bytes that were passed to the sink.
    passed: usize,
    result: fmt::Result,
}

/// A sink of any type, wrapped in a type of known size.
struct Lent<'s, S: ?Sized>(&'s mut S);

impl<S: Sink + ?Sized> Sink for Lent<'_, S> {
    fn write_text(&mut self, text: &str) -> fmt::Result {
        self.0.write_text(text)
    }

    fn write_wide(&mut self, code: u32) -> fmt::Result {
        self.0.write_wide(code)
    }
}

/// Collects the text that `write` produces, and passes all of it to `sink`. If `write` fails, the
/// text before the error is passed on as well.
pub(crate) fn on_page<S: Sink + ?Sized>(
    sink: &mut S,
    write: impl FnOnce(&mut Page<'_>) -> Result<(), TextError>,
) -> Result<(), TextError> {
    let mut page = Page {
        sink: &mut Lent(sink),
        bytes: Vec::new(),
        passed: 0,
        result: Ok(()),
    };
    let written = write(&mut page);
    page.turn();
    written.and(page.result.map_err(TextError::from))
}

impl Page<'_> {
    /// Appends a piece of text.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        self.utf8(text.as_bytes());
    }

    /// Appends a character.
    pub(crate) fn char(&mut self, char: char) {
        self.text(char.encode_utf8(&mut [0; 4]));
    }

    /// Appends whole characters in UTF-8. If the bytes are not UTF-8, passing on the page is an
    /// error.
    #[inline]
    pub(crate) fn utf8(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.turn_if_full();
    }

    /// Appends the text of a number.
    #[inline]
    pub(crate) fn number(&mut self, number: &NumberText) {
        let (bytes, len) = number.parts();
        // Copies the whole buffer and cuts it, because a copy of constant size needs no call.
        let end = self.bytes.len() + len;
        self.bytes.extend_from_slice(bytes);
        self.bytes.truncate(end);
        self.turn_if_full();
    }

    /// Appends an integer in decimal. The digits are written in place, because a copy would have to
    /// wait for each of them.
    #[inline]
    pub(crate) fn int(&mut self, value: i64) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; INT_LEN]);
        if let Some(room) = self.bytes.last_chunk_mut() {
            let len = write_int(value, room);
            self.bytes.truncate(start + len);
        }
        self.turn_if_full();
    }

    /// Appends a character that is not a Unicode scalar value.
    pub(crate) fn wide(&mut self, code: u32) {
        self.turn();
        // Counted as three bytes, the size of a surrogate.
        self.passed += 3;
        if self.result.is_ok() {
            self.result = self.sink.write_wide(code);
        }
    }

    /// Returns the number of bytes so far.
    pub(crate) fn written(&self) -> usize {
        self.passed + self.bytes.len()
    }

    /// Returns the error of the sink, if the sink has refused a page. The caller can then stop,
    /// because the sink gets nothing more.
    pub(crate) fn check(&self) -> fmt::Result {
        self.result
    }

    #[inline]
    fn turn_if_full(&mut self) {
        if self.bytes.len() >= FULL {
            self.turn();
        }
    }

    /// Passes the page to the sink and begins another one.
    #[inline(never)]
    fn turn(&mut self) {
        if self.result.is_ok() && !self.bytes.is_empty() {
            let text = str::from_utf8(&self.bytes).map_err(|_| fmt::Error);
            self.result = text.and_then(|text| self.sink.write_text(text));
        }
        self.passed += self.bytes.len();
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use core::fmt;

    use super::{FULL, on_page};
    use crate::{error::TextError, sink::Sink};

    /// A sink that records its pieces, and fails after `most` of them.
    struct Pieces {
        pieces: Vec<String>,
        most: usize,
    }

    impl Sink for Pieces {
        fn write_text(&mut self, text: &str) -> fmt::Result {
            if self.pieces.len() == self.most {
                return Err(fmt::Error);
            }
            self.pieces.push(text.to_owned());
            Ok(())
        }

        fn write_wide(&mut self, code: u32) -> fmt::Result {
            self.write_text(&format!("<{code:x}>"))
        }
    }

    fn pieces(most: usize) -> Pieces {
        let pieces = Vec::new();
        Pieces { pieces, most }
    }

    #[test]
    fn pages_are_the_pieces_in_their_order() {
        let (mut sink, mut all) = (pieces(usize::MAX), String::new());
        let written = on_page(&mut sink, |page| {
            for n in 0..3000 {
                page.int(n);
                page.text(" é ");
                all += &format!("{n} é ");
                if n == 2000 {
                    page.wide(0xd800);
                    all += "<d800>";
                }
            }
            Ok(())
        });
        assert_eq!((written, sink.pieces.concat()), (Ok(()), all));
        let longest = sink.pieces.iter().map(String::len).max();
        assert!(longest < Some(FULL + 32), "{longest:?}");
        assert!(sink.pieces.len() < 10);
    }

    #[test]
    fn nothing_follows_what_the_sink_did_not_take() {
        let mut sink = pieces(2);
        let line = "x".repeat(FULL);
        let mut checked = Vec::new();
        let written = on_page(&mut sink, |page| {
            for _ in 0..5 {
                page.text(&line);
                checked.push(page.check().is_ok());
            }
            assert_eq!(page.written(), 5 * FULL);
            Ok(())
        });
        assert_eq!((written, sink.pieces.len()), (Err(TextError::Fmt), 2));
        assert_eq!(checked, [true, true, false, false, false]);
    }

    #[test]
    fn what_stands_before_an_error_is_handed_on() {
        let mut sink = pieces(9);
        let written = on_page(&mut sink, |page| {
            page.text("before");
            Err(TextError::Fmt)
        });
        assert_eq!(written, Err(TextError::Fmt));
        assert_eq!(sink.pieces, ["before"]);
    }
}
