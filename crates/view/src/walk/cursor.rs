//! [`Cursor`]: reads values in the order of the bytes, without a handle for each.

use gdvar_wire::{Body, Dialect, Kind, Limits, widen};

use crate::{
    bytes::{
        common::{self, Pending, Rest, Words},
        field::{self, Padding},
        head::{self, BodyForm},
        text,
    },
    error::Error,
    options::ReadOptions,
    value::{element::field_text, string::StrRef, variant::VariantRef},
    walk::skip,
};

/// A position in the bytes, at the start of a value. A method that *takes* the value returns it and moves the
/// cursor to the next one. Made for writing decoders, such as gdvar's serde support.
///
/// Use a cursor to read everything in the order of the bytes. A cursor reads nothing twice: after the children
/// of a container it is already at the container's end, which a handle has to find with another walk. For a few
/// values out of many use [`VariantRef`]; for printing and conversion use [`Events`](crate::Events).
///
/// A method that takes a value returns `None` and does not move if the next value is of another kind. To read a
/// container, enter it, take each of its children, and leave it; the caller counts the children. A cursor does
/// not check the rules of strict mode, so in strict mode validate the bytes first.
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
    /// The bytes from the next value on.
    rest: &'a [u8],
    options: ReadOptions,
    depth: u16,
    array: u32,
    dict: u32,
    /// The header word of a StringName, or of a String if the dialect has no StringNames.
    string_name: u32,
    /// The type number of an Object, or of null if the dialect has no objects.
    object: u8,
}

impl<'a> Cursor<'a> {
    /// Returns a cursor at the outermost value of `bytes`.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], options: ReadOptions) -> Cursor<'a> {
        Cursor::at(bytes, 0, options, 0)
    }

    /// Returns a cursor at the start of `value`.
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
                .map_or(common::STRING, |id| id.0.into()),
            object: options.dialect().type_id(Kind::Object).map_or(0, |id| id.0),
        }
    }

    /// The whole buffer, including the bytes that were taken.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The options with which the bytes are read.
    #[must_use]
    pub fn options(&self) -> ReadOptions {
        self.options
    }

    /// Changes the limits, from the next value on.
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

    /// Converts a number of bytes left, as [`Cursor::left`] returns it, to an offset.
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

    /// Returns a handle of the next value, without taking it.
    ///
    /// # Errors
    /// Fails if the head of the value cannot be read.
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

    /// Takes the next value, of any kind. Its text is not validated.
    ///
    /// # Errors
    /// Fails if the end of the value cannot be found.
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

    /// Takes null. `false`, and nothing is taken, if the next value is not null. A null object does not
    /// count as null.
    #[inline(always)]
    pub fn nil(&mut self) -> bool {
        let after = common::nil(self.rest);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// True if the next value is null, perhaps with odd header bits, or an object, which may be a null object.
    #[inline(always)]
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        match self.rest.first() {
            Some(&id) => id == 0 || id == self.object,
            None => true,
        }
    }

    /// Returns the kind of the next value by its header alone. `None` if the header has unusual bits or is cut,
    /// or if its kind needs a full decode: [`Cursor::value`] reads it then.
    #[inline(always)]
    #[must_use]
    pub fn common_kind(&self) -> Option<Kind> {
        let header = u32::from_le_bytes(*self.rest.first_chunk()?);
        let entry = self.dialect().plain(header);
        (entry.body != Body::Rare).then_some(entry.kind)
    }

    /// Takes a `bool`. `None`, and nothing is taken, if the next value is not a Bool or has odd header bits:
    /// [`Cursor::value`] reads it then.
    #[inline(always)]
    pub fn bool(&mut self) -> Option<bool> {
        let (common::BOOL, word) = common::pair(self.rest, 0)? else {
            return None;
        };
        self.take(8)?;
        Some(word != 0)
    }

    /// Takes an `int` of either width. `None`, and nothing is taken, if the next value is not an Int or has odd
    /// header bits: [`Cursor::value`] reads it then.
    #[inline(always)]
    pub fn int(&mut self) -> Option<i64> {
        match common::pair(self.rest, 0)? {
            (common::INT, word) => {
                self.take(8)?;
                Some(i64::from(word as i32))
            }
            (common::WIDE_INT, _) => {
                let raw = self.rest.get(4..)?.first_chunk()?;
                self.take(12)?;
                Some(i64::from_le_bytes(*raw))
            }
            _ => None,
        }
    }

    /// Takes a `float` of either width. `None`, and nothing is taken, if the next value is not a Float or has
    /// odd header bits: [`Cursor::value`] reads it then.
    #[inline(always)]
    pub fn float(&mut self) -> Option<f64> {
        match common::pair(self.rest, 0)? {
            (common::FLOAT, word) => {
                self.take(8)?;
                Some(widen(f32::from_bits(word)))
            }
            (common::WIDE_FLOAT, _) => {
                let raw = self.rest.get(4..)?.first_chunk()?;
                self.take(12)?;
                Some(f64::from_le_bytes(*raw))
            }
            _ => None,
        }
    }

    /// Takes a String or StringName as the engine reads it. `None`, and nothing is taken, if the next value
    /// is of another kind.
    ///
    /// # Errors
    /// Fails if the text cannot be read, or is not UTF-8.
    #[inline(always)]
    pub fn text(&mut self) -> Result<Option<&'a str>, Error> {
        match self.fast_text() {
            Some(text) => Ok(Some(text)),
            None => self.any_text(false),
        }
    }

    /// Takes a String or StringName like [`Cursor::text`], but keeps a byte order mark at its start.
    ///
    /// # Errors
    /// Returns the errors of [`Cursor::text`].
    #[inline(always)]
    pub fn marked_text(&mut self) -> Result<Option<&'a str>, Error> {
        match self.fast_text() {
            Some(text) => Ok(Some(text)),
            None => self.any_text(true),
        }
    }

    #[inline(always)]
    fn fast_text(&mut self) -> Option<&'a str> {
        let (word, len) = common::pair(self.rest, 0)?;
        if word != common::STRING && word != self.string_name {
            return None;
        }
        let (text, after) = text::unchanged_str(self.rest, len)?;
        self.rest = after;
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

    /// Takes a String or StringName if it is `name`. `false` does not prove that the next value is
    /// another text: it may be `name` in an unusual form.
    #[inline(always)]
    pub fn name(&mut self, name: &str) -> bool {
        self.try_name(name).is_some()
    }

    #[inline(always)]
    fn try_name(&mut self, name: &str) -> Option<()> {
        let (word, len) = common::pair(self.rest, 0)?;
        if !(word == common::STRING || word == self.string_name) || len as usize != name.len() {
            return None;
        }
        let size = common::text_end(self.rest, 8, len)?;
        let raw = self.rest.get(8..8 + name.len())?;
        if !same(raw, name.as_bytes()) {
            return None;
        }
        self.take(size)
    }

    /// Takes a String or StringName if it is one of `names`, and returns the index of that name. The names are
    /// compared from index `from` to the end, then from the first one; the first match is returned. As with
    /// [`Cursor::name`], `None` does not prove that the text is none of them.
    #[inline]
    pub fn one_of(&mut self, names: &[&str], from: usize) -> Option<usize> {
        let (word, len) = common::pair(self.rest, 0)?;
        if !(word == common::STRING || word == self.string_name) {
            return None;
        }
        let size = common::text_end(self.rest, 8, len)?;
        let raw = self.rest.get(8..8 + len as usize)?;
        let is_it = |name: &&str| name.len() == raw.len() && same(raw, name.as_bytes());
        let (before, after) = names.split_at_checked(from)?;
        let place = match after.iter().position(is_it) {
            Some(place) => from + place,
            None => before.iter().position(is_it)?,
        };
        self.take(size)?;
        Some(place)
    }

    /// Enters a Dictionary and returns the number of its pairs. `None`, and nothing is taken, if the next
    /// value is of another kind.
    ///
    /// # Errors
    /// Fails if the head of the Dictionary cannot be read, or its children would be too deep.
    #[inline(always)]
    pub fn enter_dict(&mut self) -> Result<Option<u32>, Error> {
        if let Some(count) = self.enter_untyped_dict() {
            return Ok(Some(count));
        }
        self.enter_any(BodyForm::Pairs)
    }

    /// Enters an Array, typed or not, and returns the number of its elements. `None`, and nothing is taken, if
    /// the next value is of another kind.
    ///
    /// # Errors
    /// Returns the errors of [`Cursor::enter_dict`].
    #[inline(always)]
    pub fn enter_array(&mut self) -> Result<Option<u32>, Error> {
        if let Some(count) = self.fast_count(self.array, 4) {
            return Ok(Some(count));
        }
        self.enter_any(BodyForm::Items)
    }

    /// Enters an untyped Array. `None` for any other value, and for an array with odd header bits.
    #[inline(always)]
    pub fn enter_untyped_array(&mut self) -> Option<u32> {
        self.fast_count(self.array, 4)
    }

    /// Enters an untyped Dictionary. `None` for any other value, and for a Dictionary with odd header bits.
    #[inline(always)]
    pub fn enter_untyped_dict(&mut self) -> Option<u32> {
        self.fast_count(self.dict, 8)
    }

    /// Enters an object that is written with its properties, and returns their number. `None`, and nothing is
    /// taken, if the next value is anything else.
    ///
    /// # Errors
    /// Returns the errors of [`Cursor::enter_dict`].
    pub fn enter_object(&mut self) -> Result<Option<u32>, Error> {
        self.enter_any(BodyForm::Properties)
    }

    #[inline(always)]
    fn fast_count(&mut self, header: u32, least: u64) -> Option<u32> {
        let (word, count) = common::pair(self.rest, 0)?;
        // A count with the shared bit of Godot 2 takes the slow path.
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

    /// Enters a container without unusual header bits, untyped or with builtin element types.
    #[inline]
    fn enter_typed(&mut self, form: BodyForm) -> Option<u32> {
        if self.options.forbids_shortcuts() {
            return None;
        }
        let depth = self.options.inside(self.depth)?;
        let common = common::decode(self.rest, self.dialect())?;
        let Rest::Children(Pending { left, is_dict }) = common.rest else {
            return None;
        };
        let is_it = match form {
            BodyForm::Items => !is_dict,
            BodyForm::Pairs => is_dict,
            _ => false,
        };
        if !is_it {
            return None;
        }
        self.take(common.size)?;
        self.depth = depth;
        Some(left >> u32::from(is_dict))
    }

    #[inline(never)]
    fn enter_any(&mut self, form: BodyForm) -> Result<Option<u32>, Error> {
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
            // Reading the first child gives the right error: it is too deep.
            self.value()?;
        }
        Ok(Some(head.count))
    }

    /// Leaves the container entered last. All its children must have been taken.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Takes the name of a property.
    ///
    /// # Errors
    /// Fails if the name cannot be read.
    pub fn property(&mut self) -> Result<StrRef<'a>, Error> {
        let field = field::string_field(self.bytes, self.offset(), self.options, Padding::Value)?;
        // The owner is a placeholder: only its options are used.
        let owner = VariantRef::nothing(self.bytes, self.options);
        self.rest = self.bytes.get(field.end..).unwrap_or_default();
        Ok(field_text(owner, field))
    }

    /// Takes a value of kind `kind`, if its payload has a fixed size. Returns the payload, and `true` if its
    /// numbers have 64 bits. `None`, and nothing is taken, if the next value is of another kind.
    ///
    /// # Errors
    /// Fails if the head of the value cannot be read.
    #[inline(always)]
    pub fn payload(&mut self, kind: Kind) -> Result<Option<(&'a [u8], bool)>, Error> {
        match self.fast_payload(kind) {
            Some(payload) => Ok(Some((payload, false))),
            None => self.any_payload(kind),
        }
    }

    #[inline(always)]
    fn fast_payload(&mut self, kind: Kind) -> Option<&'a [u8]> {
        let id = self.dialect().type_id(kind)?;
        let (word, rest) = self.rest.split_first_chunk()?;
        if u32::from_le_bytes(*word) != u32::from(id.0) || self.options.forbids_shortcuts() {
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
        if head.kind != kind || head.form != BodyForm::Leaf {
            return Ok(None);
        }
        let payload = self.bytes.get(head.body..head.next).unwrap_or_default();
        self.rest = self.bytes.get(head.next..).unwrap_or_default();
        Ok(Some((payload, head.wide)))
    }
}

/// A value as bytes and two numbers, to pass through an interface that takes nothing else, such as serde's.
/// [`PayloadWords::value`] makes it a value again.
#[derive(Clone, Copy, Debug)]
pub struct PayloadWords<'a> {
    /// The whole buffer.
    pub bytes: &'a [u8],
    /// The offset of the value.
    pub offset: u64,
    /// The options that the value is read with in the lower 32 bits, and its depth above them.
    pub reading: u64,
}

impl<'a> PayloadWords<'a> {
    /// Splits `value` into its buffer and two numbers.
    #[must_use]
    pub fn of(value: VariantRef<'a>) -> PayloadWords<'a> {
        PayloadWords {
            bytes: value.bytes(),
            offset: value.offset() as u64,
            reading: u64::from(value.options().bits()) | u64::from(value.depth()) << 32,
        }
    }

    /// Makes the value again. Numbers that do not come from [`PayloadWords::of`] do no harm: they may give
    /// another value or an error.
    ///
    /// # Errors
    /// Fails if the head of the value cannot be read.
    pub fn value(self) -> Result<VariantRef<'a>, Error> {
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let offset = offset.min(self.bytes.len());
        let options = ReadOptions::from_bits(self.reading as u32);
        let depth = (self.reading >> 32) as u16;
        Ok(VariantRef::new(self.bytes, offset, options, depth)?.0)
    }
}

/// Compares texts of equal length. Most names are short: two loads that may overlap cost less than a call.
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
