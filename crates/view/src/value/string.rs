//! [`StrRef`]: text in the bytes.

use core::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    iter::FusedIterator,
    str,
};

use gdvar_wire::{Kind, TextRules, WideCode, wide_code};

use crate::{
    bytes::{
        head::{self, Head},
        text::{BOM, as_str, check_rules, engine_text, is_text},
    },
    error::{Error, ErrorKind},
    options::ReadOptions,
    value::variant::VariantRef,
};

impl<'a> VariantRef<'a> {
    /// Returns the text of a String or a StringName, in O(1), because the text is not validated yet. `None` for
    /// other kinds.
    #[inline]
    #[must_use]
    pub fn as_text(self) -> Option<StrRef<'a>> {
        if !matches!(self.kind(), Kind::String | Kind::StringName) {
            return None;
        }
        let value = self.bytes().get(self.offset()..)?;
        let (head, rest) = value.split_first_chunk::<8>()?;
        let len = (u64::from_le_bytes(*head) >> 32) as usize;
        let raw = rest.get(..len)?;
        Some(StrRef::new(raw, self.offset() + 8, self.options()))
    }

    /// Returns the text of a String or a StringName, validated, in O(n). `None` for other kinds, and for text
    /// that is not UTF-8.
    #[inline]
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        self.as_text()?.to_str().ok()
    }

    /// A `Signal`: its name, and the instance id of its object. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_signal(self) -> Option<(StrRef<'a>, u64)> {
        let head = self.head_of(Kind::Signal)?;
        let id = head::array(self.bytes(), head.next.checked_sub(8)?)?;
        Some((self.text(head)?, u64::from_le_bytes(id)))
    }

    /// The text of a value whose payload starts with a string field.
    #[inline]
    pub(super) fn text(self, head: Head) -> Option<StrRef<'a>> {
        let raw = self
            .bytes()
            .get(head.body..head.body + head.count as usize)?;
        Some(StrRef::new(raw, head.body, self.options()))
    }
}

/// Text in the bytes: a String, a StringName, the name of a property or class, an element of a
/// PackedStringArray, a name in a NodePath.
///
/// Its text is the part that the engine reads: without a byte order mark at the start, and up to the first
/// NUL ([`docs/FORMAT.md` §6], rows 14 and 15). [`StrRef::raw`] gives all bytes. Nothing is validated before
/// [`StrRef::to_str`] or [`StrRef::check`] is called. Comparisons, order and hash use
/// [`StrRef::as_bytes`].
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// // "Ann", with a NUL and a byte after it
/// let bytes = b"\x04\0\0\0\x05\0\0\0Ann\0!\0\0\0";
/// let name = Document::new(bytes, Dialect::GODOT_4).root()?.as_text().unwrap();
/// assert_eq!(name.to_str()?, "Ann");
/// assert_eq!(name.raw(), b"Ann\0!");
/// # Ok::<(), gdvar_view::Error>(())
/// ```
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
#[derive(Clone, Copy)]
pub struct StrRef<'a> {
    raw: &'a [u8],
    offset: usize,
    rules: TextRules,
    /// True if `raw` is exactly the text: it has no NUL, and a byte order mark at its start belongs to it.
    // Names inside a NodePath of the old format are pieces. The engine drops only the mark at the
    // start of the whole path.
    is_piece: bool,
}

impl<'a> StrRef<'a> {
    pub(crate) fn new(raw: &'a [u8], offset: usize, options: ReadOptions) -> StrRef<'a> {
        let rules = options.dialect().text_rules();
        StrRef {
            raw,
            offset,
            rules,
            is_piece: false,
        }
    }

    /// A part of a text, cut out after the byte order mark and the NUL were dropped.
    pub(crate) fn piece(raw: &'a [u8], offset: usize, options: ReadOptions) -> StrRef<'a> {
        StrRef {
            is_piece: true,
            ..StrRef::new(raw, offset, options)
        }
    }

    /// The same text with its byte order mark, if it starts with one. For writing the text again: the
    /// engine drops the mark when it reads, but writes one that it is given ([`docs/FORMAT.md` §5]).
    ///
    /// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
    #[inline]
    #[must_use]
    pub fn with_mark(self) -> StrRef<'a> {
        if self.is_piece || !self.raw.starts_with(BOM) {
            return self;
        }
        let end = memchr::memchr(0, self.raw).unwrap_or(self.raw.len());
        StrRef {
            raw: self.raw.get(..end).unwrap_or(self.raw),
            is_piece: true,
            ..self
        }
    }

    /// All bytes, including a byte order mark, a NUL, and the bytes after the NUL.
    #[must_use]
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Returns the bytes of the text, not validated. This takes O(n), for one search for a NUL.
    #[must_use]
    pub fn as_bytes(self) -> &'a [u8] {
        if self.is_piece {
            return self.raw;
        }
        engine_text(self.raw)
    }

    /// The offset of the text in the buffer, after a byte order mark.
    pub(crate) fn text_offset(self) -> usize {
        if self.raw.starts_with(BOM) && !self.is_piece {
            self.offset + BOM.len()
        } else {
            self.offset
        }
    }

    /// The offset of [`StrRef::raw`] in the buffer.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// Returns the text as a `str`, validated, in O(n).
    ///
    /// # Errors
    /// Returns [`InvalidUtf8`](ErrorKind::InvalidUtf8), at the first byte that is not UTF-8. Godot
    /// 3 and Godot 2 accept some text that is not UTF-8; [`StrRef::codes`] gives it.
    #[inline]
    pub fn to_str(self) -> Result<&'a str, Error> {
        as_str(self.as_bytes()).ok_or_else(|| self.invalid())
    }

    /// The error at the first byte that is not UTF-8.
    #[cold]
    fn invalid(self) -> Error {
        let text = self.as_bytes();
        let valid = str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
        Error::new(self.text_offset() + valid, ErrorKind::InvalidUtf8)
    }

    /// The characters of the text as numbers, decoded by the rules of the dialect. In Godot 3 and Godot 2 they
    /// may be surrogates, or more than U+10FFFF. The iterator ends where the text is malformed.
    #[must_use]
    pub fn codes(self) -> Codes<'a> {
        let text = self.as_bytes();
        let end = match (self.rules, str::from_utf8(text)) {
            (TextRules::Utf8, Err(error)) => error.valid_up_to(),
            _ => text.len(),
        };
        Codes {
            text: text.get(..end).unwrap_or_default(),
        }
    }

    /// Checks, in O(n), that the engine of the dialect reads this text.
    ///
    /// # Errors
    /// Returns [`InvalidUtf8`](ErrorKind::InvalidUtf8) if the engine refuses the text.
    pub fn check(self) -> Result<(), Error> {
        check_rules(self.as_bytes(), self.text_offset(), self.rules)
    }
}

impl PartialEq<str> for StrRef<'_> {
    /// Compares bytes; nothing is validated.
    fn eq(&self, other: &str) -> bool {
        if self.is_piece {
            return self.raw == other.as_bytes();
        }
        is_text(self.raw, other.as_bytes())
    }
}

impl PartialEq<&str> for StrRef<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<StrRef<'_>> for str {
    fn eq(&self, other: &StrRef<'_>) -> bool {
        *other == *self
    }
}

impl PartialEq<StrRef<'_>> for &str {
    fn eq(&self, other: &StrRef<'_>) -> bool {
        *other == **self
    }
}

impl PartialEq for StrRef<'_> {
    fn eq(&self, other: &StrRef<'_>) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for StrRef<'_> {}

impl PartialOrd for StrRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares bytes. For UTF-8 this is the order of the characters.
impl Ord for StrRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for StrRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl AsRef<[u8]> for StrRef<'_> {
    /// Does the same as [`StrRef::as_bytes`].
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Debug for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_str() {
            Ok(text) => fmt::Debug::fmt(text, f),
            Err(_) => write!(f, "b\"{}\"", self.as_bytes().escape_ascii()),
        }
    }
}

/// Iterates over the characters of a [`StrRef`] as numbers: made by [`StrRef::codes`].
#[derive(Clone, Debug)]
pub struct Codes<'a> {
    text: &'a [u8],
}

impl Iterator for Codes<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match wide_code(self.text) {
            WideCode::Code { code, len } => {
                self.text = self.text.get(len..).unwrap_or_default();
                Some(code)
            }
            WideCode::End | WideCode::Malformed => None,
        }
    }

    /// The upper bound is the number of bytes left, because a character takes at least one byte.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.text.len()))
    }
}

impl FusedIterator for Codes<'_> {}
