//! Records whose fields stand in the order in which they are expected, in the form that most have.

use super::{Fields, Key, Place, Record, any_order, sealed::Sealed};
use crate::{bytes::plain::Words, typed::from_variant::FromVariant};

/// What is left of a record, which may stand at the `END` of the buffer. It leaves this only by value,
/// so that the compiler can keep it in registers.
struct InOrder<'a, const END: bool> {
    keys: &'static [Key],
    /// How many fields were taken.
    taken: usize,
    /// What begins with the next pair; nothing once a field was another one.
    rest: &'a [u8],
    place: Place<'a>,
    /// See [`Place::name`].
    name: u64,
}

impl<const END: bool> Sealed for InOrder<'_, END> {}

impl<'a, const END: bool> Fields<'a> for InOrder<'a, END> {
    #[inline(always)]
    fn next<T: FromVariant<'a>>(&mut self) -> Option<T> {
        let found = self.expect();
        let Some((field, behind)) = found else {
            rare();
            self.rest = &[];
            return None;
        };
        self.taken += 1;
        self.rest = behind;
        Some(field)
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
    /// The next field, if it is the one that is expected, and what is behind it.
    #[inline(always)]
    fn expect<T: FromVariant<'a>>(&self) -> Option<(T, &'a [u8])> {
        let key = self.keys.get(self.taken)?;
        let expected = T::header(self.place.options.get_dialect());
        let fields = self.keys.len() - self.taken;
        let (header, value) = key.pass::<END>(self.rest, self.name, expected, fields)?;
        if expected.is_some() {
            return T::headed(value, self.place.spot(value));
        }
        if T::EXPECTS {
            return T::expect(header, value, self.place.spot(value));
        }
        let (field, behind) = any_order::value(self.place, value).ok()?;
        Some((field?, behind))
    }
}

/// The record of the pairs that `rest` begins with, if all were taken in order, and what is behind
/// it.
#[inline(always)]
pub(super) fn read<'a, R: Record<'a>, const END: bool>(
    rest: &'a [u8],
    place: Place<'a>,
    name: u64,
) -> Option<(R, &'a [u8])> {
    let mut fields = InOrder::<END> {
        keys: R::KEYS,
        taken: 0,
        rest,
        place,
        name,
    };
    let record = R::read(&mut fields)?;
    (fields.taken == R::KEYS.len()).then_some((record, fields.rest))
}

/// What an untyped Dictionary of as many pairs as the record has fields begins with.
#[inline(always)]
pub(super) fn head<'a, R: Record<'a>>(place: Place<'a>) -> u64 {
    let dict = Words::of(place.options.get_dialect()).dict;
    u64::from(dict) | (R::KEYS.len() as u64) << 32
}

/// The same as [`read`] of the Dictionary that `rest` begins with, if it has that head.
#[inline(always)]
pub(super) fn read_dict<'a, R: Record<'a>, const END: bool>(
    rest: &'a [u8],
    place: Place<'a>,
    head: u64,
) -> Option<(R, &'a [u8])> {
    let (raw, rest) = rest.split_first_chunk()?;
    if u64::from_le_bytes(*raw) != head {
        return None;
    }
    read::<R, END>(rest, place, place.name())
}
