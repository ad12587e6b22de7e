//! Bytes as accidents leave them: never written, or changed by a program that took them for text.

use gdvar_edit::{Mangling, undo};

use crate::brief::plural;

/// A run of bytes that are all alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Blank {
    /// 00 or FF.
    pub byte: u8,
    /// The place where it begins.
    pub start: usize,
    /// Its length in bytes.
    pub len: usize,
    /// `true` if it reaches to the end of the file.
    pub to_end: bool,
}

/// Shorter runs stand in healthy files, too.
const BLANK: usize = 16;

impl Blank {
    /// The run that begins at `start`, if it is one. Linear in its length.
    pub(crate) fn at(bytes: &[u8], start: usize) -> Option<Blank> {
        let rest = bytes.get(start..)?;
        let byte = *rest.first().filter(|byte| [0, 0xff].contains(*byte))?;
        let len = run_len(rest, byte);
        (len >= BLANK).then_some(Blank {
            byte,
            start,
            len,
            to_end: len == rest.len(),
        })
    }

    /// The run at the end of the bytes, if there is one. Linear in its length.
    pub(crate) fn at_end(bytes: &[u8]) -> Option<Blank> {
        let byte = *bytes.last().filter(|byte| [0, 0xff].contains(*byte))?;
        let mut start = bytes.len();
        for chunk in bytes.rchunks(CHUNK) {
            if !all(chunk, byte) {
                start -= chunk.iter().rev().take_while(|&&one| one == byte).count();
                break;
            }
            start -= chunk.len();
        }
        Blank::at(bytes, start)
    }
}

impl std::fmt::Display for Blank {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Blank { byte, len, .. } = *self;
        let len = plural(len as u64, "byte");
        let what = match (self.start, self.to_end) {
            (0, true) => "the whole file",
            (_, true) => "the rest of the file",
            (_, false) => "a part of the file",
        };
        write!(
            f,
            "{what}, {len}, is nothing but {byte:02X}: it was never written, or wiped"
        )
    }
}

/// Bytes that are compared at once.
const CHUNK: usize = 256;

/// The number of bytes in front that are that byte.
fn run_len(bytes: &[u8], byte: u8) -> usize {
    let whole = bytes.chunks(CHUNK).take_while(|chunk| all(chunk, byte));
    let len = whole.map(<[u8]>::len).sum();
    let rest = &bytes[len..];
    len + rest.iter().take_while(|&&one| one == byte).count()
}

/// Without a way out in the middle, so that the compiler compares many bytes at a time.
fn all(chunk: &[u8], byte: u8) -> bool {
    chunk
        .iter()
        .fold(0, |different, one| different | (one ^ byte))
        == 0
}

/// The fate of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// It was not written to its end.
    Blank(Blank),
    /// Each 0A was replaced by 0D 0A, this many times.
    Newlines(usize),
    /// Each 0D before a 0A was taken away, this many times.
    Returns(usize),
    /// Bytes were replaced by U+FFFD; so many.
    Replaced(usize),
    /// Each byte above 7F was taken for a character of Latin-1 and written as UTF-8; so many.
    Latin1(usize),
}

impl Cause {
    /// For machines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cause::Blank(_) => "Blank",
            Cause::Newlines(_) | Cause::Returns(_) => "NewlinesConverted",
            Cause::Replaced(_) => "ReplacedByUtf8",
            Cause::Latin1(_) => "Latin1ToUtf8",
        }
    }

    /// For people.
    pub(crate) fn message(self) -> String {
        let times = |count| plural(count as u64, "time");
        match self {
            Cause::Blank(blank) => blank.to_string(),
            Cause::Newlines(count) => format!(
                "a program that converts line ends put 0D in front of every 0A, {}",
                times(count)
            ),
            Cause::Returns(count) => format!(
                "a program that converts line ends took away 0D in front of 0A, {}",
                times(count)
            ),
            Cause::Replaced(count) => format!(
                "a program took the file for text and replaced what is no UTF-8 by EF BF BD (U+FFFD), {}",
                times(count)
            ),
            Cause::Latin1(count) => format!(
                "a program took the file for Latin-1 and wrote it as UTF-8, which changed {}",
                plural(count as u64, "byte")
            ),
        }
    }

    /// The next thing to do.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Cause::Blank(_) => {
                "the machine stopped before the file was written, or the disk was full: what comes before may be whole"
            }
            Cause::Newlines(_) | Cause::Returns(_) => {
                "gdvar recover undoes it if nothing else is damaged; send the file as binary from then on (FTP, -text in .gitattributes)"
            }
            Cause::Replaced(_) => {
                "the bytes are lost: take a copy that was never opened or sent as text"
            }
            Cause::Latin1(_) => "gdvar recover undoes it; send the file as binary from then on",
        }
    }
}

impl From<Mangling> for Cause {
    fn from(mangling: Mangling) -> Cause {
        match mangling {
            Mangling::ReturnsAdded { count } => Cause::Newlines(count),
            Mangling::ReturnsTaken { count } => Cause::Returns(count),
            Mangling::Utf8 { count } => Cause::Latin1(count),
        }
    }
}

/// The fate of a file with an error in its bytes, by the traces that it leaves. `reads` says
/// whether changed bytes could be read. Linear.
pub(crate) fn of_file(bytes: &[u8], reads: impl Fn(&[u8]) -> bool) -> Option<Cause> {
    // By chance, one 0A in 256 has a 0D in front.
    let converted = converted_ends(bytes).filter(|count| *count >= 8);
    if let Some(count) = converted {
        return Some(Cause::Newlines(count));
    }
    if let Some(undone) = undo(bytes, reads) {
        return Some(undone.mangling.into());
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let replaced = text.matches(char::REPLACEMENT_CHARACTER).count();
    (replaced > 0).then_some(Cause::Replaced(replaced))
}

/// The number of 0A, if each has a 0D in front.
fn converted_ends(bytes: &[u8]) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'\n', bytes);
    ends.try_fold(0, |count, end| {
        let before = end.checked_sub(1).and_then(|at| bytes.get(at));
        (before == Some(&b'\r')).then_some(count + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_measured_to_their_last_byte() {
        for len in [15, 16, 255, 256, 257, 1000] {
            for byte in [0, 0xff] {
                let bytes = [&[1, 2, 3][..], &vec![byte; len]].concat();
                let blank = (len >= BLANK).then_some(Blank {
                    byte,
                    start: 3,
                    len,
                    to_end: true,
                });
                assert_eq!(Blank::at(&bytes, 3), blank);
                assert_eq!(Blank::at_end(&bytes), blank);
                let more = [&bytes[..], &[7]].concat();
                assert_eq!(Blank::at_end(&more), None);
                let inside = blank.map(|blank| Blank {
                    to_end: false,
                    ..blank
                });
                assert_eq!(Blank::at(&more, 3), inside);
            }
        }
        assert_eq!(Blank::at(&[7; 100], 0), None);
    }
}
