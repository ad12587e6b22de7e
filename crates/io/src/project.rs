//! `project.binary`: the settings of an exported game ([`docs/FORMAT.md` §7.2]).
//!
//! [`docs/FORMAT.md` §7.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#72-projectbinary

use std::convert::Infallible;

use gdvar_view::{Document, ReadOptions, VariantRef};
use gdvar_write::{Target, Writer};

use crate::{
    Error, FileErrorKind,
    records::PrefixOrder,
    words::{missing, need_word},
};

pub(crate) const MAGIC: &[u8; 4] = b"ECFG";

/// One setting: its name, and its value as bytes that were not read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// The name of the setting: `section/name`.
    pub key: &'a str,
    /// The bytes of the setting's value.
    pub bytes: &'a [u8],
    /// The offset of the value in the file.
    pub offset: usize,
}

impl<'a> Entry<'a> {
    /// Returns the value, validated once to its end. The engine drops a setting whose value it
    /// cannot read and continues with the next; a caller can do the same and report it. The engine
    /// allows whole objects here, which needs [`Objects::Inert`](gdvar_view::Objects::Inert).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Document::validate`], with offsets relative to [`Entry::offset`].
    pub fn value(&self, options: ReadOptions) -> Result<VariantRef<'a>, gdvar_view::Error> {
        let document = Document::with_options(self.bytes, options);
        document.validate()?;
        document.root()
    }
}

/// One setting with an unchecked name. The engine drops a setting whose name is not UTF-8, and
/// keeps the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawEntry<'a> {
    /// The bytes of the setting's name.
    pub key: &'a [u8],
    /// The offset of the name in the file.
    pub key_offset: usize,
    /// The bytes of the setting's value.
    pub bytes: &'a [u8],
    /// The offset of the value in the file.
    pub offset: usize,
}

/// The settings of a `project.binary`, in file order. The iterator borrows names and values from
/// the file and allocates nothing, whatever count the header declares. It checks that a name is
/// UTF-8, and does not read the value.
///
/// ```
/// use gdvar_io::project::{Project, ProjectWriter};
/// use gdvar_view::{Dialect, Objects, ReadOptions};
/// use gdvar_write::Target;
///
/// let mut writer = ProjectWriter::new(Target::GODOT_4);
/// writer.setting("application/config/name", |value| value.string("Vale of Ash"))?;
/// let file = writer.finish();
///
/// let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
/// for entry in Project::open(&file)? {
///     let entry = entry?;
///     match entry.value(options) {
///         Ok(value) => assert_eq!(value.as_str(), Some("Vale of Ash")),
///         Err(error) => eprintln!("{} is skipped: {error}", entry.key),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Project<'a> {
    bytes: &'a [u8],
    at: usize,
    left: u32,
}

impl<'a> Project<'a> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// Returns [`BadMagic`](FileErrorKind::BadMagic), [`Truncated`](FileErrorKind::Truncated).
    pub fn open(bytes: &'a [u8]) -> Result<Project<'a>, Error> {
        if !bytes.starts_with(MAGIC) {
            let expected = *MAGIC;
            return Err(Error::new(0, FileErrorKind::BadMagic { expected }));
        }
        let left = need_word(bytes, 4)?;
        Ok(Project { bytes, at: 8, left })
    }

    /// Returns how many settings are left, according to the header.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.left
    }

    /// Returns the next setting, or `None` at the end. After [`BadName`](FileErrorKind::BadName)
    /// the next call continues with the next setting; after another error it returns `None`.
    ///
    /// # Errors
    ///
    /// Returns [`Truncated`](FileErrorKind::Truncated), [`BadName`](FileErrorKind::BadName).
    pub fn try_next(&mut self) -> Result<Option<Entry<'a>>, Error> {
        let Some(raw) = self.try_next_raw()? else {
            return Ok(None);
        };
        let RawEntry { bytes, offset, .. } = raw;
        let key = std::str::from_utf8(raw.key).map_err(|error| {
            let at = raw.key_offset + error.valid_up_to();
            Error::new(at as u64, FileErrorKind::BadName)
        })?;
        Ok(Some(Entry { key, bytes, offset }))
    }

    /// Returns the next setting without checking its name. Returns `None` at the end and after an
    /// error.
    ///
    /// # Errors
    ///
    /// Returns [`Truncated`](FileErrorKind::Truncated).
    pub fn try_next_raw(&mut self) -> Result<Option<RawEntry<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        let left = std::mem::take(&mut self.left) - 1;
        let key_offset = self.at + 4;
        let key = self.field()?;
        let offset = self.at + 4;
        let bytes = self.field()?;
        self.left = left;
        Ok(Some(RawEntry {
            key,
            key_offset,
            bytes,
            offset,
        }))
    }

    /// Returns the bytes after the settings returned so far. The engine ignores the bytes after the
    /// last setting.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads a length and that many bytes.
    fn field(&mut self) -> Result<&'a [u8], Error> {
        let len = need_word(self.bytes, self.at)?;
        let start = self.at + 4;
        let rest = &self.bytes[start..];
        let bytes = rest
            .get(..len as usize)
            .ok_or_else(|| missing(self.bytes, start, len.into()))?;
        self.at = start + bytes.len();
        Ok(bytes)
    }
}

impl<'a> Iterator for Project<'a> {
    type Item = Result<Entry<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// Writes a `project.binary` into memory.
#[derive(Clone, Debug)]
pub struct ProjectWriter {
    file: Vec<u8>,
    count: u32,
    target: Target,
}

impl ProjectWriter {
    /// Creates a file without settings.
    #[must_use]
    pub fn new(target: impl Into<Target>) -> ProjectWriter {
        ProjectWriter {
            file: [&MAGIC[..], &[0; 4]].concat(),
            count: 0,
            target: target.into(),
        }
    }

    /// Adds a setting; `value` writes its value. The engine expects `_custom_features`, if it is
    /// present, as the first setting.
    ///
    /// # Errors
    ///
    /// Returns the error that the closure returns, or the writer's error if the closure does not
    /// write a complete value. In both cases no setting is added.
    pub fn setting(
        &mut self,
        key: &str,
        value: impl FnOnce(&mut Writer<&mut Vec<u8>>) -> Result<(), gdvar_write::Error<Infallible>>,
    ) -> Result<(), gdvar_write::Error<Infallible>> {
        let start = self.file.len();
        self.key(key);
        let written =
            crate::records::frame(&mut self.file, self.target, PrefixOrder::Little, value);
        if written.is_err() {
            self.file.truncate(start);
            self.count -= 1;
        }
        written
    }

    /// Adds a setting whose value is already encoded. The bytes are not checked.
    pub fn setting_bytes(&mut self, key: &str, value: &[u8]) {
        self.key(key);
        self.counted(value);
    }

    /// Adds a setting whose value is already encoded, with a name that need not be UTF-8. Nothing
    /// is checked.
    pub fn setting_raw(&mut self, key: &[u8], value: &[u8]) {
        self.count += 1;
        self.counted(key);
        self.counted(value);
    }

    /// Returns the bytes of the file with all settings.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.file[4..8].copy_from_slice(&self.count.to_le_bytes());
        self.file
    }

    fn key(&mut self, key: &str) {
        self.count += 1;
        self.counted(key.as_bytes());
    }

    fn counted(&mut self, bytes: &[u8]) {
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.file.extend_from_slice(&len.to_le_bytes());
        self.file.extend_from_slice(bytes);
    }
}
