//! [`Document`]: bytes and how to read them.

use core::fmt;

use gdvar_wire::{Dialect, Limits};

use crate::{
    error::Error,
    options::{Objects, ReadOptions},
    typed::{
        checked::Checked,
        from_variant::FromVariant,
        locate::Location,
        mismatch::Mismatch,
        path::{Path, PathError},
    },
    value::variant::VariantRef,
    walk::{cursor::Cursor, events::Events, validate},
};

/// One bare value (`var_to_bytes`, a datagram, a frame of a save) and how to read it. Making one
/// costs nothing.
///
/// For files of `store_var` records see [`frames`](crate::frames).
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
}

impl<'a> Document<'a> {
    /// Reads as the dialect's engine does, without whole objects.
    #[must_use]
    pub const fn new(bytes: &'a [u8], dialect: Dialect) -> Document<'a> {
        Document::with_options(bytes, ReadOptions::new(dialect))
    }

    /// Reads with those options.
    #[must_use]
    pub const fn with_options(bytes: &'a [u8], options: ReadOptions) -> Document<'a> {
        Document { bytes, options }
    }

    /// The document in strict mode: only what a correct encoder writes, and nothing behind it.
    #[must_use]
    pub const fn strict(self) -> Document<'a> {
        Document {
            bytes: self.bytes,
            options: self.options.strict(),
        }
    }

    /// The document with that policy on objects.
    #[must_use]
    pub const fn with_objects(self, objects: Objects) -> Document<'a> {
        Document {
            bytes: self.bytes,
            options: self.options.with_objects(objects),
        }
    }

    /// The document under those limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Document<'a> {
        Document {
            bytes: self.bytes,
            options: self.options.with_limits(limits),
        }
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The options.
    #[must_use]
    pub const fn options(self) -> ReadOptions {
        self.options
    }

    /// The outermost value, lazily: O(1), only its own header and size are checked.
    ///
    /// # Errors
    /// If that header cannot be read.
    #[inline]
    pub fn root(self) -> Result<VariantRef<'a>, Error> {
        Ok(VariantRef::new(self.bytes, 0, self.options, 0)?.0)
    }

    /// A cursor before the outermost value: O(1), nothing is looked at yet.
    #[inline]
    #[must_use]
    pub fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.bytes, self.options)
    }

    /// The first word, if it is the length of one whole value that follows, as in files of `store_var`: for
    /// messages about bytes that are not what was expected. One walk where the length fits, else O(1).
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document};
    ///
    /// let file = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0"; // store_var(5)
    /// assert_eq!(Document::new(file, Dialect::GODOT_4).length_prefix(), Some(8));
    /// assert_eq!(Document::new(&file[4..], Dialect::GODOT_4).length_prefix(), None);
    /// ```
    #[cold]
    #[must_use]
    pub fn length_prefix(self) -> Option<u32> {
        let (word, rest) = self.bytes.split_first_chunk()?;
        let length = u32::from_le_bytes(*word);
        if length as usize != rest.len() {
            return None;
        }
        let mut events = Document::with_options(rest, self.options).events();
        events.drain(&mut ()).ok()?;
        (events.position() == rest.len()).then_some(length)
    }

    /// A walk over all of it.
    #[inline(always)]
    #[must_use]
    pub fn events(self) -> Events<'a> {
        Events::new(self.bytes, 0, self.options, 0, true)
    }

    /// Validates all of it: bounds, counts, depth, text, and in strict mode the rest. Returns how
    /// many bytes the value takes; engine mode ignores what follows. One linear walk.
    ///
    /// # Errors
    /// The first thing in the bytes that the options do not let pass.
    pub fn validate(self) -> Result<usize, Error> {
        if let Some(end) = validate::small(self.bytes, self.options) {
            return Ok(end);
        }
        self.validate_any()
    }

    #[inline(never)]
    fn validate_any(self) -> Result<usize, Error> {
        let mut events = self.events();
        events.drain(&mut ())?;
        Ok(events.position())
    }

    /// Validates all of it, after which reading cannot fail any more: [`Checked`].
    ///
    /// # Errors
    /// As [`Document::validate`].
    pub fn check(self) -> Result<Checked<VariantRef<'a>>, Error> {
        self.validate()?;
        self.root().map(Checked::new)
    }

    /// The value at a path, lazily: `player.inventory[3].name`. See [`Path`] for the notation.
    ///
    /// # Errors
    /// If the text is no path, or if a value on the way cannot be read. A missing one is
    /// `Ok(None)`.
    pub fn get(self, path: &str) -> Result<Option<VariantRef<'a>>, GetError> {
        let path = Path::parse(path)?;
        Ok(self.root()?.get_path(&path)?)
    }

    /// The value at a path as a Rust type ([`FromVariant`]); `Ok(None)` if there is none.
    ///
    /// ```
    /// # use gdvar_view::{Dialect, Document};
    /// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
    /// let doc = Document::new(bytes, Dialect::GODOT_4);
    /// assert_eq!(doc.get_as::<i64>("hp")?, Some(80));
    /// assert_eq!(doc.get_as::<i64>("mp")?, None);
    /// let wrong = doc.get_as::<&str>("hp").unwrap_err();
    /// assert_eq!(wrong.to_string(), "expected String, found Int at byte 0x14");
    /// # Ok::<(), gdvar_view::GetError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Document::get`]; [`GetError::Type`] if the value is not of that type.
    pub fn get_as<T: FromVariant<'a>>(self, path: &str) -> Result<Option<T>, GetError> {
        match self.get(path)? {
            Some(value) => Ok(Some(value.read()?)),
            None => Ok(None),
        }
    }

    /// Which value a byte belongs to, as a path that can be displayed: for messages about an
    /// [`Error`]. Walks the bytes up to there when it is displayed, not before.
    #[must_use]
    pub const fn locate(self, offset: usize) -> Location<'a> {
        Location::new(self.bytes, self.options, offset)
    }
}

/// Why [`Document::get`] or [`Document::get_as`] failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GetError {
    /// The text is no path.
    Path(PathError),
    /// A value on the way cannot be read.
    Read(Error),
    /// The value is not of the type that was asked for.
    Type(Mismatch),
}

impl From<Mismatch> for GetError {
    fn from(error: Mismatch) -> GetError {
        match error.unreadable() {
            Some(error) => GetError::Read(error),
            None => GetError::Type(error),
        }
    }
}

impl From<PathError> for GetError {
    fn from(error: PathError) -> GetError {
        GetError::Path(error)
    }
}

impl From<Error> for GetError {
    fn from(error: Error) -> GetError {
        GetError::Read(error)
    }
}

impl fmt::Display for GetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GetError::Path(error) => error.fmt(f),
            GetError::Read(error) => error.fmt(f),
            GetError::Type(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for GetError {}
