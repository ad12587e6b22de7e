//! Records whose fields are in another form than most, or in another order.

use super::{Fields, Key, Place, Record, sealed::Sealed};
use crate::{
    bytes::{
        head,
        plain::{self, Rest},
    },
    error::Error,
    typed::from_variant::FromVariant,
    value::variant::VariantRef,
    walk::{children::Children, keys, pairs::DictIter, skip},
};

/// What is left of a record.
struct AnyOrder<'k, 'a> {
    keys: &'static [Key],
    /// How many fields were asked for.
    taken: usize,
    /// As long as all fields came in their order: what begins with the next pair.
    rest: Option<&'a [u8]>,
    place: Place<'a>,
    /// All pairs, to search for fields that do not come in order.
    pairs: &'k Children<'a>,
    error: Option<Error>,
}

impl Sealed for AnyOrder<'_, '_> {}

impl<'a> Fields<'a> for AnyOrder<'_, 'a> {
    fn next<T: FromVariant<'a>>(&mut self) -> Option<T> {
        let key = self.keys.get(self.taken)?;
        self.taken += 1;
        let found = match self.rest {
            Some(rest) => field(self.place, rest, key).map(|found| {
                self.rest = found.as_ref().map(|(_, behind)| *behind);
                found.and_then(|(field, _)| field)
            }),
            None => search(self.pairs, key.name),
        };
        found.unwrap_or_else(|error| {
            (self.rest, self.error) = (None, Some(error));
            None
        })
    }
}

/// What is behind the key with which `rest` begins, if it is a String of that name.
pub(super) fn pass_name<'a>(rest: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let (word, len) = plain::pair(rest, 0)?;
    let size = plain::text_end(rest, 8, len)?;
    let is_name = word == plain::STRING && rest.get(8..8 + len as usize)? == name.as_bytes();
    rest.get(size..).filter(|_| is_name)
}

/// A field, if it is of the kind that was asked for, and what is behind it.
type Found<'a, T> = (Option<T>, &'a [u8]);

/// A field, if it has its place.
fn field<'a, T: FromVariant<'a>>(
    place: Place<'a>,
    rest: &'a [u8],
    key: &Key,
) -> Result<Option<Found<'a, T>>, Error> {
    let behind = key.pass::<true>(rest, None, 1).map(|(_, behind)| behind);
    let Some(found) = behind.or_else(|| pass_name(rest, key.name)) else {
        return Ok(None);
    };
    let header = found.first_chunk().map(|raw| u32::from_le_bytes(*raw));
    match header.and_then(|header| T::expect(header, found, place.spot(found))) {
        Some((field, behind)) => Ok(Some((Some(field), behind))),
        None => value(place, found).map(Some),
    }
}

/// The value of any kind that `rest` begins with, as a field.
#[inline(never)]
pub(super) fn value<'a, T: FromVariant<'a>>(
    place: Place<'a>,
    rest: &'a [u8],
) -> Result<Found<'a, T>, Error> {
    let Place {
        bytes,
        options,
        depth,
    } = place;
    let at = bytes.len() - rest.len();
    let plain = plain::look(rest, options.get_dialect());
    if let Some(plain) = plain.filter(|plain| matches!(plain.rest, Rest::Nothing | Rest::Text(_))) {
        let value = VariantRef::plain(bytes, at, options, depth, plain);
        let behind = rest.get(plain.size..).unwrap_or_default();
        return Ok((T::from_variant(value), behind));
    }
    let head = head::any_head(bytes, at, options, depth)?;
    let end = skip::value(bytes, at, options, depth)?;
    let value = VariantRef::known(bytes, at, options, depth, (head.kind, head.wide));
    Ok((T::from_variant(value), bytes.get(end..).unwrap_or_default()))
}

/// A field wherever it is.
#[inline(never)]
fn search<'a, T: FromVariant<'a>>(pairs: &Children<'a>, name: &str) -> Result<Option<T>, Error> {
    let mut pairs = DictIter(pairs.clone());
    let mut found = None;
    while let Some((key, value)) = pairs.try_next()? {
        if keys::is_text(key, name) {
            found = Some(value);
        }
    }
    Ok(found.and_then(T::from_variant))
}

/// The pairs that are left as a record; all are taken.
#[cold]
#[inline(never)]
pub(super) fn read<'a, R: Record<'a>>(left: &mut DictIter<'a>) -> Result<Option<R>, Error> {
    let pairs = left.0.clone();
    let place = Place::of(&pairs);
    let mut fields = AnyOrder {
        keys: R::KEYS,
        taken: 0,
        rest: left.ordered(R::KEYS.len()),
        place,
        pairs: &pairs,
        error: None,
    };
    if fields.rest.is_some() {
        let record = R::read(&mut fields);
        let is_whole = fields.taken == R::KEYS.len();
        if let (true, Some(rest)) = (is_whole, fields.rest) {
            left.0.jump(place.bytes.len() - rest.len(), 0);
            return Ok(record);
        }
        (fields.taken, fields.rest, fields.error) = (0, None, None);
    }
    let record = R::read(&mut fields);
    while left.try_next()?.is_some() {}
    fields.error.map_or(Ok(record), Err)
}
