//! Records whose fields stand in the order in which they are expected, in the form that most have. Optional
//! fields may be left out.

use gdvar_wire::Dialect;

use super::{Fields, Key, Record, sealed::Sealed};
use crate::{
    bytes::common::{self, Words},
    typed::{
        from_variant::{FromVariant, convert::Place},
        mismatch::{Mismatch, MismatchKind},
    },
};

/// A record while it is read, which may stand at the `END` of the buffer. It leaves this only by value, so that
/// the compiler can keep it in registers.
struct InOrder<'a, const END: bool> {
    keys: &'static [Key],
    /// The number of fields that were asked for.
    taken: usize,
    /// The number of pairs that were taken; [`GIVEN_UP`] once a field was another one.
    pairs: usize,
    /// The bytes from the next pair on; none once a field was another one.
    rest: &'a [u8],
    place: Place<'a>,
    /// See [`name_bits`].
    name: u64,
}

/// More pairs than any record has.
const GIVEN_UP: usize = usize::MAX;

/// Nobody sees it: the record is read again, in any order, and fails there with a reason.
const AGAIN: Mismatch = Mismatch::new(0, MismatchKind::Missing);

impl<const END: bool> Sealed for InOrder<'_, END> {}

impl<'a, const END: bool> Fields<'a> for InOrder<'a, END> {
    #[inline(always)]
    fn next<T: FromVariant<'a>>(&mut self) -> Result<T, Mismatch> {
        let found = self.expect();
        let Some((field, behind)) = found else {
            return Err(self.give_up());
        };
        self.taken += 1;
        self.pairs += 1;
        self.rest = behind;
        Ok(field)
    }

    #[inline(always)]
    fn optional<T: FromVariant<'a>>(&mut self) -> Result<Option<T>, Mismatch> {
        let Some(key) = self.keys.get(self.taken) else {
            return Err(self.give_up());
        };
        self.taken += 1;
        let Some((header, value)) = key.pass::<true>(self.rest, self.name, None, 0) else {
            return Ok(None);
        };
        let Some((field, behind)) = T::expect(header, value, self.place) else {
            return Err(self.give_up());
        };
        self.pairs += 1;
        self.rest = behind;
        Ok(Some(field))
    }

    #[inline(always)]
    fn refuse(&self, _: &'static str) -> Mismatch {
        AGAIN
    }
}

/// Tells the compiler that whatever calls it is rare, which it would not think of a dozen branches in
/// a row.
#[cold]
#[inline(never)]
fn rare() {
    core::hint::black_box(());
}

impl<'a, const END: bool> InOrder<'a, END> {
    /// The record is not in order. No further field is found, and the record never counts as whole, whatever
    /// its code does with the error.
    #[inline(always)]
    fn give_up(&mut self) -> Mismatch {
        rare();
        (self.rest, self.pairs) = (&[], GIVEN_UP);
        AGAIN
    }

    /// The next field, if it is the one that is expected, and the bytes behind it.
    #[inline(always)]
    fn expect<T: FromVariant<'a>>(&self) -> Option<(T, &'a [u8])> {
        let key = self.keys.get(self.taken)?;
        let expected = T::header(self.place.options.dialect());
        let fields = self.keys.len() - self.taken;
        let (header, value) = key.pass::<END>(self.rest, self.name, expected, fields)?;
        if expected.is_some() {
            return T::headed(value, self.place);
        }
        T::expect(header, value, self.place)
    }
}

/// The bits in which the header of a StringName differs from that of a String, if both are one key.
#[inline(always)]
fn name_bits(dialect: Dialect) -> u64 {
    if !dialect.string_names_equal_strings() {
        return 0;
    }
    u64::from(Words::of(dialect).name ^ common::STRING)
}

/// The record of so many pairs, the first at the start of `rest`, if all were taken in order, and the bytes
/// behind it.
#[inline(always)]
pub(super) fn read<'a, R: Record<'a>, const END: bool>(
    rest: &'a [u8],
    count: usize,
    place: Place<'a>,
) -> Option<(R, &'a [u8])> {
    let mut fields = InOrder::<END> {
        keys: R::KEYS,
        taken: 0,
        pairs: 0,
        rest,
        place: place.once(),
        name: name_bits(place.options.dialect()),
    };
    let record = R::read(&mut fields).ok()?;
    let is_whole = fields.taken == R::KEYS.len() && fields.pairs == count;
    is_whole.then_some((record, fields.rest))
}

/// The header of an untyped Dictionary.
#[inline(always)]
pub(super) fn head(place: Place<'_>) -> u32 {
    Words::of(place.options.dialect()).dict
}

/// As [`read`], of the Dictionary at the start of `rest`, if it has that head and not more pairs than the
/// record has fields. `place` is that of the pairs.
#[inline(always)]
pub(super) fn read_dict<'a, R: Record<'a>, const END: bool>(
    rest: &'a [u8],
    place: Place<'a>,
    head: u32,
) -> Option<(R, &'a [u8])> {
    let (raw, rest) = rest.split_first_chunk()?;
    let (header, count) = common::words(raw);
    if header != head || count as usize > R::KEYS.len() {
        return None;
    }
    read::<R, END>(rest, count as usize, place)
}
