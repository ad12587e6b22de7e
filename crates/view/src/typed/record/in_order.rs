//! [`InOrder`]: the fast way to read a record. Its fields have the order of the keys and their expected
//! form; optional fields may be missing.

use gdvar_wire::Dialect;

use super::{
    fields::{Fields, Record, sealed::Sealed},
    key::Key,
};
use crate::{
    bytes::common::{self, Words},
    typed::{
        from_variant::{FromVariant, convert::ReadContext},
        mismatch::{Mismatch, MismatchKind},
    },
};

/// A record that is being read. With `END`, the record may be close to the end of the buffer.
// Only inlined functions take a reference to it, so that the compiler can keep it in registers.
struct InOrder<'a, const END: bool> {
    keys: &'static [Key],
    /// The number of fields taken so far, found or not.
    taken: usize,
    /// The number of pairs that were consumed, or [`GIVEN_UP`].
    pairs: usize,
    /// The bytes from the next pair on. Empty after giving up.
    rest: &'a [u8],
    context: ReadContext<'a>,
    /// See [`name_bits`].
    name_bits: u64,
}

/// Stored in `pairs` after a field that is not the expected one: this way has given up on the record.
const GIVEN_UP: usize = usize::MAX;

/// An error that is never reported: after it the record is read again, in any order. If that fails too, its
/// error has the real reason.
const AGAIN: Mismatch = Mismatch::new(0, MismatchKind::Missing);

impl<const END: bool> Sealed for InOrder<'_, END> {}

impl<'a, const END: bool> Fields<'a> for InOrder<'a, END> {
    #[inline(always)]
    fn next<T: FromVariant<'a>>(&mut self) -> Result<T, Mismatch> {
        let found = self.expect();
        let Some((field, after)) = found else {
            return Err(self.give_up());
        };
        self.taken += 1;
        self.pairs += 1;
        self.rest = after;
        Ok(field)
    }

    #[inline(always)]
    fn optional<T: FromVariant<'a>>(&mut self) -> Result<Option<T>, Mismatch> {
        let Some(key) = self.keys.get(self.taken) else {
            return Err(self.give_up());
        };
        self.taken += 1;
        let Some((header, value)) = key.strip::<true>(self.rest, self.name_bits, None, 0) else {
            return Ok(None);
        };
        let Some((field, after)) = T::expect(header, value, self.context) else {
            return Err(self.give_up());
        };
        self.pairs += 1;
        self.rest = after;
        Ok(Some(field))
    }

    #[inline(always)]
    fn refuse(&self, _: &'static str) -> Mismatch {
        AGAIN
    }
}

/// Marks its callers as cold. The compiler would not assume that a dozen branches in a row are all rarely
/// taken.
#[cold]
#[inline(never)]
fn rare() {
    core::hint::black_box(());
}

impl<'a, const END: bool> InOrder<'a, END> {
    /// Gives up on the record. No further field will be found, and the record will not be accepted, even
    /// if its code ignores the error.
    #[inline(always)]
    fn give_up(&mut self) -> Mismatch {
        rare();
        (self.rest, self.pairs) = (&[], GIVEN_UP);
        AGAIN
    }

    /// The next field and the bytes after it, if its key and form are the expected ones.
    #[inline(always)]
    fn expect<T: FromVariant<'a>>(&self) -> Option<(T, &'a [u8])> {
        let key = self.keys.get(self.taken)?;
        let expected = T::header(self.context.options.dialect());
        let fields = self.keys.len() - self.taken;
        let (header, value) = key.strip::<END>(self.rest, self.name_bits, expected, fields)?;
        if expected.is_some() {
            return T::headed(value, self.context);
        }
        T::expect(header, value, self.context)
    }
}

/// The bits in which the headers of StringName and String differ; 0 if they are different keys in this
/// dialect.
#[inline(always)]
fn name_bits(dialect: Dialect) -> u64 {
    if !dialect.string_names_equal_strings() {
        return 0;
    }
    u64::from(Words::of(dialect).name ^ common::STRING)
}

/// Reads a record of `count` pairs from the start of `rest`. Returns the record and the bytes after it, or
/// `None` if its pairs are not in the order of the fields.
#[inline(always)]
pub(super) fn read<'a, R: Record<'a>, const END: bool>(
    rest: &'a [u8],
    count: usize,
    context: ReadContext<'a>,
) -> Option<(R, &'a [u8])> {
    let mut fields = InOrder::<END> {
        keys: R::KEYS,
        taken: 0,
        pairs: 0,
        rest,
        context: context.for_attempt(),
        name_bits: name_bits(context.options.dialect()),
    };
    let record = R::read(&mut fields).ok()?;
    let is_complete = fields.taken == R::KEYS.len() && fields.pairs == count;
    is_complete.then_some((record, fields.rest))
}

/// The header word of an untyped Dictionary.
#[inline(always)]
pub(super) fn head(context: ReadContext<'_>) -> u32 {
    Words::of(context.options.dialect()).dict
}

/// Reads the Dictionary at the start of `rest` as a record. `context` is the context of the pairs. Returns
/// `None` if the header is not `head`, if there are more pairs than fields, or if [`read`] returns `None`.
#[inline(always)]
pub(super) fn read_dict<'a, R: Record<'a>, const END: bool>(
    rest: &'a [u8],
    context: ReadContext<'a>,
    head: u32,
) -> Option<(R, &'a [u8])> {
    let (raw, rest) = rest.split_first_chunk()?;
    let (header, count) = common::words(raw);
    if header != head || count as usize > R::KEYS.len() {
        return None;
    }
    read::<R, END>(rest, count as usize, context)
}
