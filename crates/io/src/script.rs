//! Compiled scripts, `.gdc`: their constants ([`docs/FORMAT.md` §7.7]).
//!
//! [`docs/FORMAT.md` §7.7]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#77-compiled-gdscript

mod code;

use std::borrow::Cow;

use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{
    Error, FileErrorKind, Limits, compressed,
    words::{missing, need_word},
};

pub use code::ScriptToken;

pub(crate) const MAGIC: &[u8; 4] = b"GDSC";

/// The format version of Godot 3.0 to 3.6.
const GODOT_3: u32 = 13;
/// The format version of Godot 4.3 and 4.4.
const GODOT_4_3: u32 = 100;
/// The format version of Godot 4.5 and later.
const GODOT_4_5: u32 = 101;

/// One literal of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant<'a> {
    /// The bytes of the literal's value.
    pub bytes: &'a [u8],
    /// The offset of the value in [`Script::contents`].
    pub offset: usize,
}

/// A compiled script. It contains each literal of its source text once, as a value, and each name
/// once.
///
/// ```no_run
/// use gdvar_io::{Limits, script::Script};
/// use gdvar_view::Document;
///
/// let file = std::fs::read("player.gdc")?;
/// let script = Script::open(&file, Limits::FILE)?;
/// for constant in script.constants() {
///     let value = Document::new(constant?.bytes, script.dialect()).root()?;
///     println!("{} {:?}", value.kind(), value.as_str());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Script<'a> {
    version: u32,
    identifiers: u32,
    constants: u32,
    contents: Cow<'a, [u8]>,
    /// The offset of the first name in `contents`.
    first_name: usize,
    /// The offset of the first constant in `contents`.
    start: usize,
}

impl<'a> Script<'a> {
    /// Reads the header and skips the names. The time is linear in the number of names. A
    /// compressed script is unpacked, within the limit.
    ///
    /// # Errors
    ///
    /// Returns [`BadMagic`](FileErrorKind::BadMagic), [`Truncated`](FileErrorKind::Truncated), and
    /// [`UnknownVersion`](FileErrorKind::UnknownVersion) for all but 13 (Godot 3), 100 (4.3) and
    /// 101 (4.5). For compressed scripts, also returns [`NotBuilt`](FileErrorKind::NotBuilt) without the
    /// feature `zstd`, [`TooLong`](FileErrorKind::TooLong),
    /// [`Impossible`](FileErrorKind::Impossible), [`BadBlock`](FileErrorKind::BadBlock). An error
    /// after the header has an offset in [`Script::contents`].
    pub fn open(file: &'a [u8], limits: Limits) -> Result<Script<'a>, Error> {
        if !file.starts_with(MAGIC) {
            let expected = *MAGIC;
            return Err(Error::new(0, FileErrorKind::BadMagic { expected }));
        }
        let version = need_word(file, 4)?;
        let (contents, counts, first_name) = match version {
            GODOT_3 => (Cow::Borrowed(file), 8, 24),
            GODOT_4_3 | GODOT_4_5 => {
                // Lines and tokens follow the two counts. Version 100 has an unused word in
                // between.
                let header = if version == GODOT_4_3 { 20 } else { 16 };
                match need_word(file, 8)? {
                    0 => (Cow::Borrowed(file), 12, 12 + header),
                    len => (Cow::Owned(unpack(file, len, limits)?), 0, header),
                }
            }
            _ => return Err(Error::new(4, FileErrorKind::UnknownVersion { version })),
        };
        let identifiers = need_word(&contents, counts)?;
        let constants = need_word(&contents, counts + 4)?;
        // The length of a name counts bytes in Godot 3, and characters of four bytes in Godot 4.
        let unit = if version == GODOT_3 { 1 } else { 4 };
        let mut start = first_name;
        for _ in 0..identifiers {
            let len = u64::from(need_word(&contents, start)?) * unit;
            start += 4;
            let rest = (contents.len() - start) as u64;
            if len > rest {
                return Err(missing(&contents, start, len));
            }
            // Not greater than the number of bytes that are left, as tested above.
            start += len as usize;
        }
        Ok(Script {
            version,
            identifiers,
            constants,
            contents,
            first_name,
            start,
        })
    }

    /// Returns the version of the format: 13, 100 or 101.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Returns the dialect of the constants.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self.version {
            GODOT_3 => Dialect::GODOT_3,
            _ => Dialect::GODOT_4,
        }
    }

    /// Returns the number of names.
    #[must_use]
    pub const fn identifiers(&self) -> u32 {
        self.identifiers
    }

    /// Returns the bytes to which offsets refer: the file itself, or for a compressed script the
    /// unpacked part after its header.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// Returns `true` if the script was compressed.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        matches!(self.contents, Cow::Owned(_))
    }

    /// Returns the constants, in the order of their first occurrence in the source text. The file
    /// does not store their lengths, so each constant is read to its end to find the next one.
    #[must_use]
    pub fn constants(&self) -> Constants<'_> {
        Constants {
            contents: &self.contents,
            at: self.start,
            left: self.constants,
            dialect: self.dialect(),
        }
    }
}

/// The iterator of [`Script::constants`]. It ends after an error.
#[derive(Clone, Debug)]
pub struct Constants<'a> {
    contents: &'a [u8],
    at: usize,
    left: u32,
    dialect: Dialect,
}

impl<'a> Constants<'a> {
    /// Returns how many constants are left, according to the header.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.left
    }

    /// Returns the next constant, or `None` at the end. An object is an error; the engine does not
    /// load a script with one either.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Document::validate`], with offsets in [`Script::contents`].
    pub fn try_next(&mut self) -> Result<Option<Constant<'a>>, gdvar_view::Error> {
        if self.left == 0 {
            return Ok(None);
        }
        let left = std::mem::take(&mut self.left) - 1;
        let options = ReadOptions::new(self.dialect).with_objects(Objects::Ids);
        let rest = &self.contents[self.at..];
        let len = Document::with_options(rest, options)
            .validate()
            .map_err(|error| error.at(self.at))?;
        let offset = self.at;
        self.at += len;
        self.left = left;
        let bytes = &rest[..len];
        Ok(Some(Constant { bytes, offset }))
    }
}

impl<'a> Iterator for Constants<'a> {
    type Item = Result<Constant<'a>, gdvar_view::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// Unpacks the compressed part of a script, which begins at offset 12. `length` is its unpacked
/// length.
fn unpack(file: &[u8], length: u32, limits: Limits) -> Result<Vec<u8>, Error> {
    let limit = limits.max_len;
    if length > limit {
        return Err(Error::new(8, FileErrorKind::TooLong { length, limit }));
    }
    compressed::unpack_one(compressed::Mode::Zstd, &file[12..], length as usize)
        .map_err(|kind| Error::new(12, kind))
}
