//! [`Document`]: the bytes of one value, with the options for reading them.

use core::fmt;

use gdvar_wire::{Dialect, Limits};

use crate::{
    error::Error,
    options::{Objects, ReadOptions},
    path::{Path, locate::Location, parse::PathError},
    typed::{from_variant::FromVariant, mismatch::Mismatch},
    value::variant::VariantRef,
    walk::{cursor::Cursor, events::Events, validate},
};

/// The bytes of one value, with the options for reading them: where all reading starts.
///
/// The bytes are a bare value: the result of `var_to_bytes`, a packet, or one record of a file that
/// `store_var` wrote ([`frames`](crate::frames) splits the file into records). A document is
/// `Copy`, borrows the bytes, and reads nothing until a method is called.
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// // {"hp": 80}
/// let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let document = Document::new(bytes, Dialect::GODOT_4);
/// assert_eq!(document.validate()?, bytes.len());
/// assert_eq!(document.get("hp")?.unwrap().as_i64(), Some(80));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
}

impl<'a> Document<'a> {
    /// Creates a document that is read with the default options for `dialect`: [`ReadOptions::new`].
    #[must_use]
    pub const fn new(bytes: &'a [u8], dialect: Dialect) -> Document<'a> {
        Document::with_options(bytes, ReadOptions::new(dialect))
    }

    /// Creates a document that is read with `options`.
    #[must_use]
    pub const fn with_options(bytes: &'a [u8], options: ReadOptions) -> Document<'a> {
        Document { bytes, options }
    }

    /// The document in strict mode, which accepts only what a correct encoder writes, without bytes after
    /// the value: [`Mode::Strict`](crate::Mode::Strict). Every way to read it refuses other bytes, except
    /// [`Document::cursor`] and [`Document::wire_fields`], which stop at the first fault that they meet.
    #[must_use]
    pub const fn strict(self) -> Document<'a> {
        Document {
            bytes: self.bytes,
            options: self.options.strict(),
        }
    }

    /// The document with another policy on objects.
    #[must_use]
    pub const fn with_objects(self, objects: Objects) -> Document<'a> {
        Document {
            bytes: self.bytes,
            options: self.options.with_objects(objects),
        }
    }

    /// The document with another depth limit.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Document<'a> {
        Document {
            bytes: self.bytes,
            options: self.options.with_limits(limits),
        }
    }

    /// Returns all bytes of the document, also those after its value.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the options with which the document is read.
    #[must_use]
    pub const fn options(self) -> ReadOptions {
        self.options
    }

    /// Returns the outermost value. This takes O(1): only its header, and its size or count, are checked. The
    /// values inside it are read and checked when they are asked for.
    ///
    /// Strict mode validates the whole document first, as [`Document::validate`] does and in the same time,
    /// because some faults are in no value that is read: bytes after the value, a repeated key. So a strict
    /// document that is read lazily, by path or into a type is valid. Keep the root for many reads.
    ///
    /// # Errors
    /// Fails if the header or the size is wrong. In strict mode, returns the first error in the bytes.
    #[inline]
    pub fn root(self) -> Result<VariantRef<'a>, Error> {
        if self.options.is_strict() {
            self.check()?;
        }
        Ok(VariantRef::new(self.bytes, 0, self.options, 0)?.0)
    }

    /// [`Document::validate`] outside of the callers of [`Document::root`], which is inlined.
    #[inline(never)]
    fn check(self) -> Result<(), Error> {
        self.validate().map(drop)
    }

    /// Returns a cursor at the outermost value, in O(1); nothing is read yet.
    #[inline]
    #[must_use]
    pub fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.bytes, self.options)
    }

    /// Returns the first word, if it is the exact length of the rest and the rest is one valid value. Then the
    /// bytes are a record of `store_var` with its length, not a bare value ([`docs/FORMAT.md` §7.1]). Use this
    /// for messages about bytes that cannot be read.
    ///
    /// This takes one walk over the bytes if the length matches, otherwise O(1).
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document};
    ///
    /// let file = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0"; // store_var(5)
    /// assert_eq!(Document::new(file, Dialect::GODOT_4).length_prefix(), Some(8));
    /// assert_eq!(Document::new(&file[4..], Dialect::GODOT_4).length_prefix(), None);
    /// ```
    ///
    /// [`docs/FORMAT.md` §7.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values
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

    /// Iterates over all values in the order of the bytes, and validates them. Nothing is read yet.
    #[inline(always)]
    #[must_use]
    pub fn events(self) -> Events<'a> {
        Events::new(self.bytes, 0, self.options, 0, true)
    }

    /// Validates the whole value: bounds, counts, depth, text, and in strict mode everything else
    /// ([`docs/FORMAT.md` §6]). Returns the number of bytes of the value. Engine mode ignores the bytes
    /// after it, strict mode refuses them.
    ///
    /// This is one walk, linear in the bytes. With the feature `alloc`, strict mode also searches each
    /// Dictionary for repeated keys, in O(n log n).
    ///
    /// # Errors
    /// Returns the first error in the bytes.
    ///
    /// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
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

    /// Returns the value at `path`, such as `player.inventory[3].name`; [`Path`] describes the notation.
    /// `Ok(None)` if there is no value there.
    ///
    /// This parses `path`, and then takes as long as [`VariantRef::get_path`]. To look up one path in many
    /// documents, parse it once. In strict mode, each call validates the document: for many look-ups, ask the
    /// [root](Document::root).
    ///
    /// # Errors
    /// Returns [`GetError::Path`] if the text is not a path, [`GetError::Read`] if a value on the
    /// way is damaged.
    pub fn get(self, path: &str) -> Result<Option<VariantRef<'a>>, GetError> {
        let path = Path::parse(path)?;
        Ok(self.root()?.get_path(&path)?)
    }

    /// Reads the value at `path` as a Rust type ([`FromVariant`]). `Ok(None)` if there is no such value.
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
    /// Returns the errors of [`Document::get`], and [`GetError::Type`] if the value does not fit
    /// the type.
    pub fn get_as<T: FromVariant<'a>>(self, path: &str) -> Result<Option<T>, GetError> {
        match self.get(path)? {
            Some(value) => Ok(Some(value.read()?)),
            None => Ok(None),
        }
    }

    /// Returns the path of the value to which the byte at `offset` belongs, for messages about an [`Error`] or
    /// a [`Mismatch`]. This takes O(1): the bytes are walked when the result is displayed.
    #[must_use]
    pub const fn locate(self, offset: usize) -> Location<'a> {
        Location::new(self.bytes, self.options, offset)
    }
}

/// Why [`Document::get`] or [`Document::get_as`] failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GetError {
    /// The text is not a path.
    Path(PathError),
    /// The value, or one on the way to it, is damaged.
    Read(Error),
    /// The value does not fit the type that was asked for.
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
