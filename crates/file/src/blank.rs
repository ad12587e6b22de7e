//! Runs of a single byte, which remain where a file was never written or was wiped.

/// A run of equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blank {
    /// The byte that repeats: 00 or FF.
    pub byte: u8,
    /// The offset of the run's first byte.
    pub start: usize,
    /// The length of the run in bytes.
    pub len: usize,
    /// `true` if the run ends at the end of the file.
    pub to_end: bool,
}

/// The least length of a run. Shorter runs also occur in healthy files.
pub(crate) const BLANK: usize = 16;

impl Blank {
    /// Returns the run at `start` if it is at least 16 bytes long. Takes time linear in the length of the run.
    #[must_use]
    pub fn at(bytes: &[u8], start: usize) -> Option<Blank> {
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

    /// Returns the run at the end of `bytes` if it is at least 16 bytes long. Takes time linear in the length of the
    /// run.
    #[must_use]
    pub fn at_end(bytes: &[u8]) -> Option<Blank> {
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

/// The number of bytes that are compared at once.
const CHUNK: usize = 256;

/// Returns the number of leading bytes that equal `byte`.
fn run_len(bytes: &[u8], byte: u8) -> usize {
    let whole = bytes.chunks(CHUNK).take_while(|chunk| all(chunk, byte));
    let len = whole.map(<[u8]>::len).sum();
    let rest = &bytes[len..];
    len + rest.iter().take_while(|&&one| one == byte).count()
}

/// Returns `true` if all bytes of `chunk` equal `byte`. The loop has no early exit, so that the compiler compares many
/// bytes at a time.
fn all(chunk: &[u8], byte: u8) -> bool {
    chunk
        .iter()
        .fold(0, |different, one| different | (one ^ byte))
        == 0
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
