//! [`Cursor`]: values taken in the order of the bytes, without handles.

use gdvar_wire::{Body, Dialect, Kind, Limits, widen};

use crate::{
    bytes::{
        head::{self, Form, Padding},
        plain::{self, Pending, Rest, Words},
        text,
    },
    error::Error,
    options::ReadOptions,
    value::{element::field_text, string::StrRef, variant::VariantRef},
    walk::skip,
};

/// Stands before a value and takes it, then stands before the next: what a decoder of one's own is built on,
/// as gdvar's serde is.
///
/// Use a cursor when all of what is read is wanted, in the order of the bytes: nothing is passed twice,
/// because there is no handle that would have to be passed. For a few values out of many use
/// [`VariantRef`], for printing and conversion [`Events`](crate::Events).
///
/// A method that takes a value gives `None`, and takes nothing, if something else stands here. Values
/// are taken whole; a container is entered, its children are taken, and it is left again. The caller
/// counts the children. In strict mode the bytes have to be validated beforehand.
///
/// ```
/// use gdvar_view::{Cursor, Dialect, Document, Error};
///
/// /// {"hp": 80, …}: the sum of all ints.
/// fn sum(packet: &[u8]) -> Result<i64, Error> {
///     let mut cursor = Document::new(packet, Dialect::GODOT_4).cursor();
///     let mut sum = 0;
///     for _ in 0..cursor.enter_dict()?.unwrap_or(0) {
///         cursor.skip()?;
///         match cursor.int() {
///             Some(int) => sum += int,
///             None => cursor.skip()?,
///         }
///     }
///     Ok(sum)
/// }
/// # let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// # assert_eq!(sum(packet), Ok(80));
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// From the next value on.
    rest: &'a [u8],
    options: ReadOptions,
    depth: u16,
    array: u32,
    dict: u32,
    /// The header of a StringName; that of a String where there is none.
    string_name: u32,
    /// The type number of an Object; that of null where there is none.
    object: u8,
}

impl<'a> Cursor<'a> {
    /// Before the outermost value of these bytes.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], options: ReadOptions) -> Cursor<'a> {
        Cursor::at(bytes, 0, options, 0)
    }

    /// Before that value.
    #[inline]
    #[must_use]
    pub fn of(value: VariantRef<'a>) -> Cursor<'a> {
        Cursor::at(
            value.bytes(),
            value.offset(),
            value.options(),
            value.depth(),
        )
    }

    #[inline]
    fn at(bytes: &'a [u8], at: usize, options: ReadOptions, depth: u16) -> Cursor<'a> {
        let words = Words::of(options.dialect());
        Cursor {
            bytes,
            rest: bytes.get(at..).unwrap_or_default(),
            options,
            depth,
            array: words.array,
            dict: words.dict,
            string_name: options
                .dialect()
                .type_id(Kind::StringName)
                .map_or(plain::STRING, |id| id.0.into()),
            object: options.dialect().type_id(Kind::Object).map_or(0, |id| id.0),
        }
    }

    /// All of the bytes, those that were taken included.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How the bytes are read.
    #[must_use]
    pub fn options(&self) -> ReadOptions {
        self.options
    }

    /// This cursor under other limits, from the next value on.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Cursor<'a> {
        self.options = self.options.with_limits(limits);
        self
    }

    /// The dialect of the bytes.
    #[inline]
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.options.dialect()
    }

    /// The number of bytes that are left.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The offset at which so many bytes are left.
    #[inline]
    #[must_use]
    pub fn offset_of(&self, left: usize) -> usize {
        self.bytes.len() - left
    }

    /// The offset of the next value.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset_of(self.rest.len())
    }

    /// The next value; it is not taken.
    ///
    /// # Errors
    /// If its head cannot be read.
    #[inline(never)]
    pub fn value(&self) -> Result<VariantRef<'a>, Error> {
        let head = head::any_head(self.bytes, self.offset(), self.options, self.depth)?;
        Ok(VariantRef::known(
            self.bytes,
            self.offset(),
            self.options,
            self.depth,
            (head.kind, head.wide),
        ))
    }

    /// Takes the next value, whatever it is, without looking at its text.
    ///
    /// # Errors
    /// Whatever makes it unreadable.
    pub fn skip(&mut self) -> Result<(), Error> {
        let end = skip::value(self.bytes, self.offset(), self.options, self.depth)?;
        self.rest = self.bytes.get(end..).unwrap_or_default();
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, size: usize) -> Option<()> {
        self.rest = self.rest.get(size..)?;
        Some(())
    }

    /// Takes null. `false`, and nothing is taken, if something else stands here; a null object is
    /// something else.
    #[inline(always)]
    pub fn nil(&mut self) -> bool {
        let behind = plain::nil(self.rest);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    /// True if the value here can be read as null: null itself, also with an odd header, or an
    /// object.
    #[inline(always)]
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        match self.rest.first() {
            Some(&id) => id == 0 || id == self.object,
            None => true,
        }
    }

    /// The kind of the value here, if its header says nothing unusual; `None` says nothing. Bytes behind
    /// the header are not looked at.
    #[inline(always)]
    #[must_use]
    pub fn plain_kind(&self) -> Option<Kind> {
        let header = u32::from_le_bytes(*self.rest.first_chunk()?);
        let entry = self.dialect().plain(header);
        (entry.body != Body::Rare).then_some(entry.kind)
    }

    /// Takes a `bool`. `None`, and nothing is taken, if something else stands here or it has an odd
    /// header: then [`Cursor::value`] tells.
    #[inline(always)]
    pub fn bool(&mut self) -> Option<bool> {
        let (plain::BOOL, word) = plain::pair(self.rest, 0)? else {
            return None;
        };
        self.take(8)?;
        Some(word != 0)
    }

    /// Takes an `int` of either width; otherwise as [`Cursor::bool`].
    #[inline(always)]
    pub fn int(&mut self) -> Option<i64> {
        match plain::pair(self.rest, 0)? {
            (plain::INT, word) => {
                self.take(8)?;
                Some(i64::from(word as i32))
            }
            (plain::WIDE_INT, _) => {
                let raw = self.rest.get(4..)?.first_chunk()?;
                self.take(12)?;
                Some(i64::from_le_bytes(*raw))
            }
            _ => None,
        }
    }

    /// Takes a `float` of either width; otherwise as [`Cursor::bool`].
    #[inline(always)]
    pub fn float(&mut self) -> Option<f64> {
        match plain::pair(self.rest, 0)? {
            (plain::FLOAT, word) => {
                self.take(8)?;
                Some(widen(f32::from_bits(word)))
            }
            (plain::WIDE_FLOAT, _) => {
                let raw = self.rest.get(4..)?.first_chunk()?;
                self.take(12)?;
                Some(f64::from_le_bytes(*raw))
            }
            _ => None,
        }
    }

    /// Takes a String or StringName as the engine reads it. `None`, and nothing is taken, if something
    /// else stands here.
    ///
    /// # Errors
    /// If it cannot be read, or is not UTF-8.
    #[inline(always)]
    pub fn text(&mut self) -> Result<Option<&'a str>, Error> {
        match self.plain_text() {
            Some(text) => Ok(Some(text)),
            None => self.any_text(false),
        }
    }

    /// [`Cursor::text`] with the byte order mark that it may begin with.
    ///
    /// # Errors
    /// As [`Cursor::text`].
    #[inline(always)]
    pub fn marked_text(&mut self) -> Result<Option<&'a str>, Error> {
        match self.plain_text() {
            Some(text) => Ok(Some(text)),
            None => self.any_text(true),
        }
    }

    #[inline(always)]
    fn plain_text(&mut self) -> Option<&'a str> {
        let (word, len) = plain::pair(self.rest, 0)?;
        if word != plain::STRING && word != self.string_name {
            return None;
        }
        let (text, behind) = text::plain_str(self.rest, len)?;
        self.rest = behind;
        Some(text)
    }

    #[inline(never)]
    fn any_text(&mut self, with_mark: bool) -> Result<Option<&'a str>, Error> {
        let Some(text) = self.value()?.as_text() else {
            return Ok(None);
        };
        let text = if with_mark { text.with_mark() } else { text };
        let text = text.to_str()?;
        self.skip()?;
        Ok(Some(text))
    }

    /// Takes a String or StringName if it is this name. `false` says nothing: it may be this name in
    /// another form.
    #[inline(always)]
    pub fn name(&mut self, name: &str) -> bool {
        self.try_name(name).is_some()
    }

    #[inline(always)]
    fn try_name(&mut self, name: &str) -> Option<()> {
        let (word, len) = plain::pair(self.rest, 0)?;
        if !(word == plain::STRING || word == self.string_name) || len as usize != name.len() {
            return None;
        }
        let size = plain::text_end(self.rest, 8, len)?;
        let raw = self.rest.get(8..8 + name.len())?;
        if !same(raw, name.as_bytes()) {
            return None;
        }
        self.take(size)
    }

    /// Takes a String or StringName if it is one of these names, and gives its place among them. They are
    /// compared from the place `from` on, then from the first; of equal names the first one that is met is
    /// given. `None` says as little as with [`Cursor::name`].
    #[inline]
    pub fn one_of(&mut self, names: &[&str], from: usize) -> Option<usize> {
        let (word, len) = plain::pair(self.rest, 0)?;
        if !(word == plain::STRING || word == self.string_name) {
            return None;
        }
        let size = plain::text_end(self.rest, 8, len)?;
        let raw = self.rest.get(8..8 + len as usize)?;
        let is_it = |name: &&str| name.len() == raw.len() && same(raw, name.as_bytes());
        let (before, behind) = names.split_at_checked(from)?;
        let place = match behind.iter().position(is_it) {
            Some(place) => from + place,
            None => before.iter().position(is_it)?,
        };
        self.take(size)?;
        Some(place)
    }

    /// Enters a Dictionary and gives the number of its pairs. `None`, and nothing is taken, if
    /// something else stands here.
    ///
    /// # Errors
    /// If its head cannot be read, or its children would stand too deep.
    #[inline(always)]
    pub fn enter_dict(&mut self) -> Result<Option<u32>, Error> {
        if let Some(count) = self.enter_plain_dict() {
            return Ok(Some(count));
        }
        self.enter_any(Form::Pairs)
    }

    /// Enters an array of any form and gives the number of its elements; otherwise as
    /// [`Cursor::enter_dict`].
    ///
    /// # Errors
    /// As [`Cursor::enter_dict`].
    #[inline(always)]
    pub fn enter_array(&mut self) -> Result<Option<u32>, Error> {
        if let Some(count) = self.plain_count(self.array, 4) {
            return Ok(Some(count));
        }
        self.enter_any(Form::Items)
    }

    /// Enters an untyped Array. `None` says nothing: it may be one with an odd header.
    #[inline(always)]
    pub fn enter_plain_array(&mut self) -> Option<u32> {
        self.plain_count(self.array, 4)
    }

    /// Enters an untyped Dictionary. `None` says nothing: it may be one with an odd header.
    #[inline(always)]
    pub fn enter_plain_dict(&mut self) -> Option<u32> {
        self.plain_count(self.dict, 8)
    }

    /// Enters a whole object and gives the number of its properties; otherwise as
    /// [`Cursor::enter_dict`].
    ///
    /// # Errors
    /// As [`Cursor::enter_dict`].
    pub fn enter_object(&mut self) -> Result<Option<u32>, Error> {
        self.enter_any(Form::Properties)
    }

    #[inline(always)]
    fn plain_count(&mut self, header: u32, least: u64) -> Option<u32> {
        let (word, count) = plain::pair(self.rest, 0)?;
        // A count with the shared bit of Godot 2 is not plain.
        let fits =
            count <= i32::MAX as u32 && least * u64::from(count) <= self.rest.len() as u64 - 8;
        if word != header || !fits {
            return None;
        }
        let depth = self.options.inside(self.depth)?;
        self.take(8)?;
        self.depth = depth;
        Some(count)
    }

    /// Enters a container whose elements are of a builtin type.
    #[inline]
    fn enter_typed(&mut self, form: Form) -> Option<u32> {
        if self.options.is_special() {
            return None;
        }
        let depth = self.options.inside(self.depth)?;
        let plain = plain::look(self.rest, self.dialect())?;
        let Rest::Children(Pending { left, is_dict }) = plain.rest else {
            return None;
        };
        let is_it = match form {
            Form::Items => !is_dict,
            Form::Pairs => is_dict,
            _ => false,
        };
        if !is_it {
            return None;
        }
        self.take(plain.size)?;
        self.depth = depth;
        Some(left >> u32::from(is_dict))
    }

    #[inline(never)]
    fn enter_any(&mut self, form: Form) -> Result<Option<u32>, Error> {
        if let Some(count) = self.enter_typed(form) {
            return Ok(Some(count));
        }
        let head = head::any_head(self.bytes, self.offset(), self.options, self.depth)?;
        if head.form != form {
            return Ok(None);
        }
        self.rest = self.bytes.get(head.next..).unwrap_or_default();
        self.depth = self.depth.saturating_add(1);
        if head.count > 0 && !self.options.admits(self.depth) {
            // The first child says what is wrong.
            self.value()?;
        }
        Ok(Some(head.count))
    }

    /// Leaves the container entered last; all its children must have been taken.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Takes the name of a property.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn property(&mut self) -> Result<StrRef<'a>, Error> {
        let field = head::string_field(self.bytes, self.offset(), self.options, Padding::Value)?;
        // For the options alone.
        let owner = VariantRef::nothing(self.bytes, self.options);
        self.rest = self.bytes.get(field.end..).unwrap_or_default();
        Ok(field_text(owner, field))
    }

    /// Takes a value of that kind, which is a fixed number of bytes: its payload, and whether it is
    /// 64 bits wide. `None`, and nothing is taken, if something else stands here.
    ///
    /// # Errors
    /// If its head cannot be read.
    #[inline(always)]
    pub fn payload(&mut self, kind: Kind) -> Result<Option<(&'a [u8], bool)>, Error> {
        match self.plain_payload(kind) {
            Some(payload) => Ok(Some((payload, false))),
            None => self.any_payload(kind),
        }
    }

    #[inline(always)]
    fn plain_payload(&mut self, kind: Kind) -> Option<&'a [u8]> {
        let id = self.dialect().type_id(kind)?;
        let (word, rest) = self.rest.split_first_chunk()?;
        if u32::from_le_bytes(*word) != u32::from(id.0) || self.options.is_special() {
            return None;
        }
        let size = self.dialect().fixed_payload(id, false)?;
        let (payload, rest) = rest.split_at_checked(size)?;
        self.rest = rest;
        Some(payload)
    }

    #[inline(never)]
    fn any_payload(&mut self, kind: Kind) -> Result<Option<(&'a [u8], bool)>, Error> {
        let head = head::any_head(self.bytes, self.offset(), self.options, self.depth)?;
        if head.kind != kind || head.form != Form::Leaf {
            return Ok(None);
        }
        let payload = self.bytes.get(head.body..head.next).unwrap_or_default();
        self.rest = self.bytes.get(head.next..).unwrap_or_default();
        Ok(Some((payload, head.wide)))
    }
}

/// A value taken apart into bytes and numbers, to pass through an interface that knows nothing else, such
/// as serde's. [`Parts::value`] puts it together again.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// All of the buffer.
    pub bytes: &'a [u8],
    /// The offset of the value.
    pub offset: u64,
    /// The options it is read with, and its depth.
    pub reading: u64,
}

impl<'a> Parts<'a> {
    /// The parts of that value.
    #[must_use]
    pub fn of(value: VariantRef<'a>) -> Parts<'a> {
        Parts {
            bytes: value.bytes(),
            offset: value.offset() as u64,
            reading: u64::from(value.options().bits()) | u64::from(value.depth()) << 32,
        }
    }

    /// The value again. Parts that were made up are bytes like any others.
    ///
    /// # Errors
    /// If its head cannot be read.
    pub fn value(self) -> Result<VariantRef<'a>, Error> {
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let offset = offset.min(self.bytes.len());
        let options = ReadOptions::from_bits(self.reading as u32);
        let depth = (self.reading >> 32) as u16;
        Ok(VariantRef::new(self.bytes, offset, options, depth)?.0)
    }
}

/// Compares texts of one length. Most names are short: then two loads that may overlap
/// cost less than a call.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    macro_rules! ends {
        ($n:literal) => {
            (a.first_chunk::<$n>(), a.last_chunk::<$n>())
                == (b.first_chunk::<$n>(), b.last_chunk::<$n>())
        };
    }
    match a.len() {
        8..=16 => ends!(8),
        4..=7 => ends!(4),
        2..=3 => ends!(2),
        _ => a == b,
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
