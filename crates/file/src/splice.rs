//! Puts changed records back between the other bytes of the contents. `layers` puts the contents back into a
//! file.

use std::{collections::BTreeMap, fmt};

use crate::{
    Framing, Place, line,
    records::{Record, records_after},
};

/// The reason why a value cannot be put back. Each variant holds the index of the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SpliceError {
    /// There is no record with this index.
    NoRecord(u64),
    /// The bytes of the record are damaged.
    Damaged(u64),
    /// The file ends within the record, so that no length would be right for it.
    Cut(u64),
    /// The value is longer than a length of four bytes can express.
    TooLong(u64),
}

impl SpliceError {
    /// Returns the short name: `NoRecord`, `Damaged`, `Truncated`, `TooLarge`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SpliceError::NoRecord(_) => "NoRecord",
            SpliceError::Damaged(_) => "Damaged",
            SpliceError::Cut(_) => "Truncated",
            SpliceError::TooLong(_) => "TooLarge",
        }
    }
}

impl fmt::Display for SpliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpliceError::NoRecord(number) => write!(f, "there is no record {number}"),
            SpliceError::Damaged(number) => {
                write!(
                    f,
                    "the bytes of record {number} are damaged: there is no value to change"
                )
            }
            SpliceError::Cut(number) => {
                write!(
                    f,
                    "record {number} is cut: the file ends before its length says, and no length would be right for it"
                )
            }
            SpliceError::TooLong(number) => {
                write!(
                    f,
                    "the value is too long for record {number}: a length has four bytes"
                )
            }
        }
    }
}

impl std::error::Error for SpliceError {}

/// Returns `contents` with some records replaced. The records start after the first `header_len` bytes. `changes` maps
/// the index of a record to its new value. The length before a record is updated, and a line of hex or base64 is
/// encoded again; all other bytes are kept. Takes linear time.
///
/// # Errors
/// Returns the [`SpliceError`] of the first record that cannot be changed.
///
/// ```
/// use std::collections::BTreeMap;
/// use gdvar_file::{Framing, with_values};
///
/// let changes = BTreeMap::from([(1, &b"\x02\0\0\0\x07\0\0\0"[..])]);
/// let records = with_values(b"\x04\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0", 0, Framing::Len32, &changes);
/// assert_eq!(records.unwrap(), b"\x04\0\0\0\0\0\0\0\x08\0\0\0\x02\0\0\0\x07\0\0\0");
/// ```
pub fn with_values(
    contents: &[u8],
    header_len: usize,
    framing: Framing,
    changes: &BTreeMap<u64, &[u8]>,
) -> Result<Vec<u8>, SpliceError> {
    let mut out = Vec::with_capacity(contents.len());
    let (mut copied, mut made) = (0, 0);
    let values = contents.get(header_len..).unwrap_or_default();
    let mut all = records_after(values, framing, header_len);
    while made < changes.len() {
        let Some(record) = all.next() else { break };
        let Some(new) = changes.get(&record.index) else {
            continue;
        };
        made += 1;
        let (start, end) = place(contents, header_len, &record, all.position())?;
        let mut text = String::new();
        let (start, new) = match framing {
            Framing::Bare => (start, *new),
            Framing::Len32 | Framing::Len32Be => {
                out.extend_from_slice(&contents[copied..start - 4]);
                let len = u32::try_from(new.len());
                let len = len.map_err(|_| SpliceError::TooLong(record.index))?;
                out.extend_from_slice(&match framing {
                    Framing::Len32Be => len.to_be_bytes(),
                    _ => len.to_le_bytes(),
                });
                copied = start;
                (start, *new)
            }
            Framing::Hex | Framing::Base64 => {
                text.push_str(&match framing {
                    Framing::Hex if has_upper_digits(&contents[start..end]) => {
                        line::to_hex(new).to_uppercase()
                    }
                    Framing::Hex => line::to_hex(new),
                    _ => line::to_base64(new),
                });
                (start, text.as_bytes())
            }
        };
        out.extend_from_slice(&contents[copied..start]);
        out.extend_from_slice(new);
        copied = end;
    }
    let missing = |index: &&u64| records_after(values, framing, 0).all(|own| own.index != **index);
    if made < changes.len() {
        let first = changes.keys().find(missing);
        return Err(SpliceError::NoRecord(first.copied().unwrap_or_default()));
    }
    out.extend_from_slice(&contents[copied..]);
    Ok(out)
}

/// Returns `true` if a line of hex is written with upper-case digits: the last letter among them decides.
fn has_upper_digits(line: &[u8]) -> bool {
    let last = line.iter().rfind(|byte| byte.is_ascii_alphabetic());
    last.is_some_and(u8::is_ascii_uppercase)
}

/// Returns the start and the end of a record's value. `position` is the number of bytes that were passed
/// after the header, including the record and its line end.
fn place(
    contents: &[u8],
    header_len: usize,
    record: &Record<'_>,
    position: usize,
) -> Result<(usize, usize), SpliceError> {
    if record.problem.is_some() {
        return Err(SpliceError::Damaged(record.index));
    }
    if record.cut.is_some() {
        return Err(SpliceError::Cut(record.index));
    }
    Ok(match record.place {
        Place::Byte(start) => (start, start + record.bytes.len()),
        Place::Line(_) => {
            let line = &contents[..header_len + position];
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let start =
                memchr::memrchr(b'\n', &line[header_len..]).map_or(0, |end| end + 1) + header_len;
            let text = line[start..].trim_ascii_start();
            (
                line.len() - text.len(),
                line.len() - text.len() + text.trim_ascii_end().len(),
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NIL: &[u8] = &[0; 4];
    const INT: &[u8] = b"\x02\0\0\0\x05\0\0\0";

    fn changed(
        contents: &[u8],
        skip: usize,
        framing: Framing,
        number: u64,
    ) -> Result<Vec<u8>, SpliceError> {
        with_values(contents, skip, framing, &BTreeMap::from([(number, INT)]))
    }

    #[test]
    fn all_other_bytes_stay_in_every_framing() {
        let cases: [(Framing, &[u8], u64, &[u8]); 6] = [
            (
                Framing::Bare,
                b"HEAD\0\0\0\0",
                0,
                b"HEAD\x02\0\0\0\x05\0\0\0",
            ),
            (
                Framing::Len32,
                b"HEAD\x04\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0",
                0,
                b"HEAD\x08\0\0\0\x02\0\0\0\x05\0\0\0\x04\0\0\0\x01\0\0\0",
            ),
            (
                Framing::Len32Be,
                b"HEAD\0\0\0\x04\0\0\0\0\0\0\0\x04\x01\0\0\0tail",
                1,
                b"HEAD\0\0\0\x04\0\0\0\0\0\0\0\x08\x02\0\0\0\x05\0\0\0tail",
            ),
            (
                Framing::Hex,
                b"HEAD# a log\n  0x00000000\r\n\n01000000",
                0,
                b"HEAD# a log\n  0200000005000000\r\n\n01000000",
            ),
            (
                Framing::Hex,
                b"HEAD00000000\n\n01000000",
                2,
                b"HEAD00000000\n\n0200000005000000",
            ),
            (Framing::Base64, b"HEADAAAAAA==\n", 0, b"HEADAgAAAAUAAAA=\n"),
        ];
        for (framing, before, number, after) in cases {
            assert_eq!(
                changed(before, 4, framing, number).as_deref(),
                Ok(after),
                "{framing:?}"
            );
        }
        let both = BTreeMap::from([(0, INT), (1, NIL)]);
        let two = b"\x04\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0";
        let found = with_values(two, 0, Framing::Len32, &both).expect("two records");
        assert_eq!(
            found,
            b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x04\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0"
        );
    }

    #[test]
    fn a_refused_change_says_why() {
        let cut = b"\x04\0\0\0\0\0\0\0\x08\0\0\0\x01\0\0\0";
        assert_eq!(changed(cut, 0, Framing::Len32, 1), Err(SpliceError::Cut(1)));
        assert_eq!(
            changed(cut, 0, Framing::Len32, 2),
            Err(SpliceError::NoRecord(2))
        );
        assert_eq!(
            changed(b"zz\n00000000", 0, Framing::Hex, 0),
            Err(SpliceError::Damaged(0))
        );
        assert_eq!(
            changed(b"\0\0\0\0", 0, Framing::Bare, 1),
            Err(SpliceError::NoRecord(1))
        );
    }
}
