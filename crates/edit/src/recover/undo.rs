//! Undoes a conversion of line ends or encoding by a program that took the file for text.

/// A text conversion that damaged a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mangling {
    /// `count` times, 0A was replaced by 0D 0A: Windows line ends, FTP, git.
    ReturnsAdded {
        /// The number of replacements.
        count: usize,
    },
    /// `count` times, a 0D before 0A was removed.
    ReturnsTaken {
        /// The number of removed bytes.
        count: usize,
    },
    /// `count` bytes above 7F were read as characters of Latin-1 or Windows-1252, and written as UTF-8.
    Utf8 {
        /// The number of converted bytes.
        count: usize,
    },
}

/// A file as it was before the conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undone {
    /// The contents before the conversion.
    pub bytes: Vec<u8>,
    /// The conversion that was reversed.
    pub mangling: Mangling,
}

/// The number of places at which inserting a single 0D is tried.
const PLACES: usize = 256;

/// Undoes a text conversion of `bytes`, and returns the result if `reads` accepts it. This is the
/// only proof: `reads` must return `true` only if all bytes are right. This function calls `reads`
/// at most three times, and up to 256 times more if a single 0D seems to be missing.
///
/// Returns `None` if `reads` accepts none of the results.
///
/// ```
/// use gdvar_edit::{Mangling, Dialect, Document, undo};
///
/// // store_var(10), sent as text: 0A became 0D 0A
/// let sent = b"\x08\0\0\0\x02\0\0\0\x0d\x0a\0\0\0";
/// let reads = |bytes: &[u8]| {
///     let value = bytes.get(4..).unwrap_or_default();
///     bytes.first() == Some(&8) && Document::new(value, Dialect::GODOT_4).validate() == Ok(8)
///         && value.len() == 8
/// };
/// let undone = undo(sent, reads).unwrap();
/// assert_eq!(undone.mangling, Mangling::ReturnsAdded { count: 1 });
/// assert_eq!(undone.bytes, b"\x08\0\0\0\x02\0\0\0\x0a\0\0\0");
/// ```
pub fn undo(bytes: &[u8], mut reads: impl FnMut(&[u8]) -> bool) -> Option<Undone> {
    let undone = [without_returns(bytes), from_utf8(bytes)];
    let whole = undone.into_iter().flatten();
    let mut whole = whole.filter(|undone| undone.bytes.len() != bytes.len());
    if let Some(found) = whole.find(|undone| reads(&undone.bytes)) {
        return Some(found);
    }
    with_returns(bytes, reads)
}

/// Removes the 0D before each 0A. `None` if a 0A has no 0D before it.
fn without_returns(bytes: &[u8]) -> Option<Undone> {
    let mut undone = Vec::with_capacity(bytes.len());
    let mut count = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                undone.extend_from_slice(line.strip_suffix(b"\r")?);
                undone.push(b'\n');
                count += 1;
            }
            None => undone.extend_from_slice(line),
        }
    }
    let mangling = Mangling::ReturnsAdded { count };
    Some(Undone {
        bytes: undone,
        mangling,
    })
}

/// Decodes the bytes as UTF-8 and turns each character into one byte. `None` if that is impossible.
fn from_utf8(bytes: &[u8]) -> Option<Undone> {
    let text = std::str::from_utf8(bytes).ok()?;
    let undone: Option<Vec<u8>> = text.chars().map(byte_of).collect();
    let undone = undone?;
    let count = undone.iter().filter(|byte| !byte.is_ascii()).count();
    Some(Undone {
        bytes: undone,
        mangling: Mangling::Utf8 { count },
    })
}

/// Returns the byte for `char` in Latin-1, or otherwise in Windows-1252.
fn byte_of(char: char) -> Option<u8> {
    /// The characters 80 to 9F of Windows-1252; 0 if a byte has no character.
    const WINDOWS: [u16; 32] = [
        0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
        0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
        0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
    ];
    u8::try_from(char).ok().or_else(|| {
        let code = u16::try_from(u32::from(char)).ok()?;
        let place = WINDOWS.iter().position(|known| *known == code)?;
        u8::try_from(0x80 + place).ok()
    })
}

/// Inserts a 0D before every 0A. If `reads` refuses the result, tries each place alone, and returns the
/// result if exactly one place works.
fn with_returns(bytes: &[u8], mut reads: impl FnMut(&[u8]) -> bool) -> Option<Undone> {
    let places: Vec<usize> = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at)
        .collect();
    // The bytes have a 0D before a 0A, which the conversion would have removed.
    if places.is_empty() || bytes.windows(2).any(|pair| pair == b"\r\n") {
        return None;
    }
    let with = |chosen: &[usize]| {
        let mut undone = Vec::with_capacity(bytes.len() + chosen.len());
        let mut from = 0;
        for at in chosen {
            undone.extend_from_slice(&bytes[from..*at]);
            undone.push(b'\r');
            from = *at;
        }
        undone.extend_from_slice(&bytes[from..]);
        undone
    };
    let all = with(&places);
    if reads(&all) {
        let mangling = Mangling::ReturnsTaken {
            count: places.len(),
        };
        return Some(Undone {
            bytes: all,
            mangling,
        });
    }
    let mut found = None;
    for place in places.iter().take(PLACES) {
        let undone = with(&[*place]);
        if reads(&undone) {
            if found.is_some() {
                return None;
            }
            found = Some(undone);
        }
    }
    found.map(|bytes| Undone {
        bytes,
        mangling: Mangling::ReturnsTaken { count: 1 },
    })
}
