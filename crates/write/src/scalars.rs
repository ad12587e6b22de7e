//! Writes values that consist of a header and at most one number.

use gdvar_wire::{Flags, HeaderWord, Kind, TypeId, narrow, widen};

use crate::{
    error::WriteErrorKind,
    sink::Sink,
    target::{IntRule, Precision},
    writer::{Result, Writer},
};

// These four have the same type number in every dialect (`docs/FORMAT.md` §1.1).
const NIL: u32 = 0;
pub(crate) const BOOL: u32 = 1;
const INT: TypeId = TypeId(2);
const FLOAT: TypeId = TypeId(3);

/// Values of fixed size ([`docs/FORMAT.md` §3.1]).
///
/// Each method writes one value with one call of [`Sink::put`]. The method fails with `TooMany`,
/// `Complete`, `ExpectedProperty`, `DepthExceeded` or `Broken` if no value may be written here, and
/// with the sink's error if the sink fails.
///
/// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
impl<S: Sink> Writer<S> {
    /// Writes `null`: four bytes.
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    #[inline]
    pub fn nil(&mut self) -> Result<(), S> {
        self.take_value()?;
        self.put(&NIL.to_le_bytes())
    }

    /// Writes a `bool`: a word of 0 or 1.
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    #[inline(always)]
    pub fn bool(&mut self, value: bool) -> Result<(), S> {
        self.take_value()?;
        self.put(&word_pair(BOOL, u32::from(value)))
    }

    /// Writes an `int` in the width that the target's engine uses: 32 bits if it fits, else 64 with
    /// a flag; always 64 for Godot 3.0 ([`docs/FORMAT.md` §5]).
    ///
    /// # Errors
    ///
    /// Returns `IntTooWide` if Godot 2 cannot hold the number. Also fails if no value may be
    /// written here, or with the sink's error.
    ///
    /// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
    #[inline(always)]
    pub fn int(&mut self, value: i64) -> Result<(), S> {
        match i32::try_from(value) {
            Ok(value) if self.target.int_rule() != IntRule::Always64 => self.int_i32(value),
            _ => self.wide_int(value),
        }
    }

    /// Writes an `int` in 32 bits, whatever the target's rule. Use it to keep the width of a value
    /// that was read.
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    #[inline(always)]
    pub fn int_i32(&mut self, value: i32) -> Result<(), S> {
        self.take_value()?;
        self.put(&int_bytes(value))
    }

    /// Writes an `int` in 64 bits, whatever the target's rule. Use it to keep the width of a value
    /// that was read. Every engine but Godot 2 reads it ([`docs/FORMAT.md` §6], row 7).
    ///
    /// # Errors
    ///
    /// Returns `IntTooWide` for Godot 2. Also fails if no value may be written here, or with the
    /// sink's error.
    ///
    /// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
    #[inline]
    pub fn int_i64(&mut self, value: i64) -> Result<(), S> {
        self.wide_int(value)
    }

    #[inline(never)]
    fn wide_int(&mut self, value: i64) -> Result<(), S> {
        if self.target.int_rule() == IntRule::Always32 {
            return Err(self.error(WriteErrorKind::IntTooWide { value }));
        }
        self.take_value()?;
        self.put(&wide_int_bytes(value))
    }

    /// Writes a `float` in the width that the target's engine uses ([`docs/FORMAT.md` §5]): in 32
    /// bits if they hold an equal number (−0.0 and the infinities included), otherwise in 64 bits
    /// with a flag. A NaN takes 64 bits, and its bits are kept.
    ///
    /// With [`IntRule::Always32`], as for Godot 2, every float takes 32 bits. A value that would
    /// change is then an error, unless [`Precision::Single`] allows rounding, as the engine itself
    /// does.
    ///
    /// # Errors
    ///
    /// With `Always32`, returns `FloatTooWide` for a value that 32 bits do not hold, unless
    /// [`Precision::Single`] allows rounding. Also fails if no value may be written here, or with the sink's error.
    ///
    /// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
    #[inline(always)]
    pub fn float(&mut self, value: f64) -> Result<(), S> {
        let short = value as f32;
        if f64::from(short) == value {
            return self.float_f32(short);
        }
        if self.target.int_rule() == IntRule::Always32 {
            return self.rounded(value);
        }
        self.float_f64(value)
    }

    /// Writes a float that 32 bits do not hold, for a target without wider floats.
    #[cold]
    fn rounded(&mut self, value: f64) -> Result<(), S> {
        let short = narrow(value);
        let same = widen(short).to_bits() == value.to_bits();
        if same || self.target.precision() == Precision::Single {
            return self.float_f32(short);
        }
        let bits = value.to_bits();
        Err(self.error(WriteErrorKind::FloatTooWide { bits }))
    }

    /// Writes a `float` in 32 bits and keeps its bits, a NaN's too. Use it to keep the width of a
    /// value that was read.
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    #[inline(always)]
    pub fn float_f32(&mut self, value: f32) -> Result<(), S> {
        self.take_value()?;
        self.put(&f32_bytes(value))
    }

    /// Writes a `float` in 64 bits and keeps its bits. Use it to keep the width of a value that was
    /// read.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for Godot 2, which has no such form. Also fails if no value may be
    /// written here, or with the sink's error.
    #[inline(always)]
    pub fn float_f64(&mut self, value: f64) -> Result<(), S> {
        if self.target.int_rule() == IntRule::Always32 {
            return Err(self.unrepresentable(Kind::Float));
        }
        self.take_value()?;
        self.put(&f64_bytes(value))
    }

    /// Writes a `RID`: header and number for Godot 4, the bare header for other engines.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for a number other than 0 if the dialect does not store it. Also
    /// fails if no value may be written here, or with the sink's error.
    pub fn rid(&mut self, id: u64) -> Result<(), S> {
        let header = self.header(Kind::Rid)?;
        if self.dialect().rid_has_id() {
            self.take_value()?;
            return self.put(&word_and_8(header, id.to_le_bytes()));
        }
        if id != 0 {
            return Err(self.unrepresentable(Kind::Rid));
        }
        self.take_value()?;
        self.put(&header.0.to_le_bytes())
    }

    /// Writes an object as its instance id, as the engines do without full objects
    /// ([`docs/FORMAT.md` §4.4]). An id of 0 means null, and `null` is written for it.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for Godot 2. Also fails if no value may be written here, or with
    /// the sink's error.
    ///
    /// [`docs/FORMAT.md` §4.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#44-object
    pub fn object_id(&mut self, id: u64) -> Result<(), S> {
        let header = self.header(Kind::Object)?;
        if !self.dialect().has_object_payload() {
            return Err(self.unrepresentable(Kind::Object));
        }
        if id == 0 {
            return self.nil();
        }
        self.take_value()?;
        let header = HeaderWord::new(header.type_id(), Flags::AS_ID);
        self.put(&word_and_8(header, id.to_le_bytes()))
    }

    /// Writes an object that is null or freed. For Godot 2 this is a bare Object header, which
    /// reads as null; for all other engines it is the same as [`Writer::nil`]
    /// ([`docs/FORMAT.md` §4.4]).
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    ///
    /// [`docs/FORMAT.md` §4.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#44-object
    pub fn null_object(&mut self) -> Result<(), S> {
        if self.dialect().has_object_payload() {
            return self.nil();
        }
        let header = self.header(Kind::Object)?;
        self.take_value()?;
        self.put(&header.0.to_le_bytes())
    }

    /// Writes a `Callable`: a bare header, which reads back as the empty Callable. Godot 4 only.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` in other dialects. Also fails if no value may be written here, or
    /// with the sink's error.
    pub fn callable(&mut self) -> Result<(), S> {
        let header = self.header(Kind::Callable)?;
        self.take_value()?;
        self.put(&header.0.to_le_bytes())
    }
}

#[inline(always)]
pub(crate) fn int_bytes(value: i32) -> [u8; 8] {
    word_pair(HeaderWord::new(INT, Flags::NONE).0, value as u32)
}

#[inline(always)]
pub(crate) fn wide_int_bytes(value: i64) -> [u8; 12] {
    word_and_8(HeaderWord::new(INT, Flags::WIDE), value.to_le_bytes())
}

#[inline(always)]
pub(crate) fn f32_bytes(value: f32) -> [u8; 8] {
    word_pair(HeaderWord::new(FLOAT, Flags::NONE).0, value.to_bits())
}

#[inline(always)]
pub(crate) fn f64_bytes(value: f64) -> [u8; 12] {
    word_and_8(HeaderWord::new(FLOAT, Flags::WIDE), value.to_le_bytes())
}

/// Returns two words as little-endian bytes.
#[inline]
pub(crate) fn word_pair(first: u32, second: u32) -> [u8; 8] {
    (u64::from(second) << 32 | u64::from(first)).to_le_bytes()
}

#[inline]
fn word_and_8(header: HeaderWord, payload: [u8; 8]) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&header.0.to_le_bytes());
    bytes[4..].copy_from_slice(&payload);
    bytes
}
