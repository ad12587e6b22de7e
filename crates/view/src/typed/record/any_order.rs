//! Records whose fields are in another form than most, in another order, or not all there.
//!
//! One pass over the pairs notes where the value of each field stands; then the record takes its fields
//! from there. A key is looked for from the field behind the one found last: where the order is the
//! expected one, with fields left out or others in between, that is one comparison a pair.

use super::{Fields, Key, Place, Record, sealed::Sealed};
use crate::{
    bytes::{
        plain::{self, Rest},
        text,
    },
    error::Error,
    typed::from_variant::FromVariant,
    value::{string::StrRef, variant::VariantRef},
    walk::{children::Children, keys, pairs::DictIter, skip},
};

/// The most fields that are noted in one pass. A record of more takes another pass for each so many.
const NOTED: usize = 64;

/// The fields of a record, by where their values stand.
struct AnyOrder<'k, 'a> {
    keys: &'static [Key],
    /// The number of fields that were asked for.
    taken: usize,
    place: Place<'a>,
    /// Before the first pair.
    pairs: &'k Children<'a>,
    /// Offsets of the values of the fields of the pass; 0 for one that is not there, as the header of
    /// the Dictionary stands at 0 or later.
    at: [usize; NOTED],
    error: Option<Error>,
}

impl Sealed for AnyOrder<'_, '_> {}

impl<'a> Fields<'a> for AnyOrder<'_, 'a> {
    fn next<T: FromVariant<'a>>(&mut self) -> Option<T> {
        if self.taken >= self.keys.len() {
            return None;
        }
        let n = self.taken % NOTED;
        if n == 0 && self.taken > 0 {
            self.note(&mut DictIter(self.pairs.clone()));
        }
        self.taken += 1;
        let at = self.at.get(n).copied().filter(|at| *at > 0)?;
        let rest = self.place.bytes.get(at..)?;
        if !self.place.options.is_special() {
            let header = rest.first_chunk().map(|raw| u32::from_le_bytes(*raw))?;
            if let Some((field, _)) = T::expect(header, rest, self.place.spot(rest)) {
                return Some(field);
            }
        }
        // Nobody asks for the end of the value here.
        match self.place.handle(rest) {
            Ok(value) => T::from_variant(value),
            Err(error) => {
                self.error = self.error.or(Some(error));
                None
            }
        }
    }
}

impl<'a> AnyOrder<'_, 'a> {
    /// Notes where the values of the fields from `taken` on stand, as many as there is room for. All pairs
    /// are taken.
    fn note(&mut self, pairs: &mut DictIter<'a>) {
        let keys = self.keys.get(self.taken..).unwrap_or_default();
        let keys = keys.get(..NOTED).unwrap_or(keys);
        if let Some(end) = self.note_plain(keys, pairs) {
            pairs.0.jump(end, 0);
            return;
        }
        self.at = [0; NOTED];
        let mut expected = 0;
        loop {
            match pairs.try_next() {
                Ok(Some((key, value))) => {
                    if keys::is_text_kind(key.kind(), key.dialect()) {
                        let raw = key.as_text().map_or(&[][..], StrRef::raw);
                        self.found(keys, raw, &mut expected, value.offset());
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    self.error = Some(error);
                    return;
                }
            }
        }
    }

    /// Notes values as [`note`](AnyOrder::note) does, over pairs that are plain, without handles. Returns the
    /// end of the pairs.
    fn note_plain(&mut self, keys: &[Key], pairs: &DictIter<'a>) -> Option<usize> {
        let (at, left) = pairs.0.plainly()?;
        let Place {
            bytes,
            options,
            depth,
        } = self.place;
        let (dialect, room) = (options.get_dialect(), options.room(depth)?);
        self.at = [0; NOTED];
        let mut rest = bytes.get(at..)?;
        let mut expected = 0;
        for _ in 0..left / 2 {
            let key = plain::look(rest, dialect)?;
            let Rest::Text(len) = key.rest else {
                return None;
            };
            let value = rest.get(key.size..)?;
            if keys::is_text_kind(key.kind, dialect) {
                let raw = rest.get(8..8 + len as usize)?;
                self.found(keys, raw, &mut expected, bytes.len() - value.len());
            }
            rest = skip::few(value, dialect, room)?;
        }
        Some(bytes.len() - rest.len())
    }

    /// Notes a value, if its key is one of the fields, looked for from the expected one on. The last of
    /// repeated keys wins.
    #[inline(always)]
    fn found(&mut self, fields: &[Key], raw: &[u8], expected: &mut usize, value: usize) {
        let is_it = |field: &Key| text::is_text(raw, field.name.as_bytes());
        let (before, after) = fields.split_at_checked(*expected).unwrap_or((fields, &[]));
        let found = after.iter().position(is_it).map(|n| *expected + n);
        if let Some(n) = found.or_else(|| before.iter().position(is_it)) {
            *expected = n + 1;
            if let Some(at) = self.at.get_mut(n) {
                *at = value;
            }
        }
    }
}

/// A field, if it is of the kind that was asked for, and what is behind it.
type Found<'a, T> = (Option<T>, &'a [u8]);

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
    let value = place.handle(rest)?;
    let end = skip::value(bytes, value.offset(), options, depth)?;
    Ok((T::from_variant(value), bytes.get(end..).unwrap_or_default()))
}

impl<'a> Place<'a> {
    /// The value that `rest` begins with.
    fn handle(self, rest: &'a [u8]) -> Result<VariantRef<'a>, Error> {
        let Place {
            bytes,
            options,
            depth,
        } = self;
        let at = bytes.len() - rest.len();
        if !options.is_special() {
            if let Some(plain) = plain::look(rest, options.get_dialect()) {
                return Ok(VariantRef::plain(bytes, at, options, depth, plain));
            }
        }
        Ok(VariantRef::new(bytes, at, options, depth)?.0)
    }
}

/// The pairs that are left as a record; all are taken.
#[inline(never)]
pub(super) fn read<'a, R: Record<'a>>(left: &mut DictIter<'a>) -> Result<Option<R>, Error> {
    let pairs = left.0.clone();
    let mut fields = AnyOrder {
        keys: R::KEYS,
        taken: 0,
        place: Place::of(&pairs),
        pairs: &pairs,
        at: [0; NOTED],
        error: None,
    };
    fields.note(left);
    let record = R::read(&mut fields);
    fields.error.map_or(Ok(record), Err)
}
