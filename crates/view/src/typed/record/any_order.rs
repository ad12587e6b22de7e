//! Records whose fields are in another form than most, in another order, or not all there.
//!
//! One pass over the pairs notes where the value of each field stands; then the record takes its fields
//! from there. A key is looked for by its hash, wherever it is expected: a processor guesses wrong which of two
//! ways finds it, and that takes longer than the hash.

use super::{Fields, Key, Record, key, sealed::Sealed};
use crate::{
    bytes::common::{self, Words},
    error::Error,
    typed::{
        from_variant::{
            FromVariant,
            convert::{Place, expected},
        },
        mismatch::{Mismatch, MismatchKind},
    },
    value::string::StrRef,
    walk::{children::Children, keys::equality, pairs::DictIter, skip},
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
    #[inline]
    fn next<T: FromVariant<'a>>(&mut self) -> Result<T, Mismatch> {
        match self.optional()? {
            Some(field) => Ok(field),
            None => Err(self.missing()),
        }
    }

    #[inline]
    fn optional<T: FromVariant<'a>>(&mut self) -> Result<Option<T>, Mismatch> {
        if self.taken >= self.keys.len() {
            return Ok(None);
        }
        let n = self.taken % NOTED;
        if n == 0 && self.taken > 0 {
            self.note(&mut self.pairs.clone());
        }
        self.taken += 1;
        let Some(at) = self.at.get(n).copied().filter(|at| *at > 0) else {
            return Ok(None);
        };
        let rest = self.place.bytes.get(at..).unwrap_or_default();
        if self.place.expects() {
            let header = rest.first_chunk().map(|raw| u32::from_le_bytes(*raw));
            // Nobody asks for the end of the value here.
            if let Some((field, _)) = header.and_then(|header| T::expect(header, rest, self.place))
            {
                return Ok(Some(field));
            }
        }
        self.convert(rest).map(Some)
    }

    #[cold]
    fn refuse(&self, why: &'static str) -> Mismatch {
        let last = self.taken.saturating_sub(1);
        let at = self.at.get(last % NOTED).copied().filter(|at| *at > 0);
        let at = at.unwrap_or(self.pairs.owner().offset());
        self.under(Mismatch::new(at, MismatchKind::Refused(why)))
    }
}

impl<'a> AnyOrder<'_, 'a> {
    /// The value at the start of `rest`, by its handle.
    #[inline(never)]
    fn convert<T: FromVariant<'a>>(&mut self, rest: &'a [u8]) -> Result<T, Mismatch> {
        let value = self.place.handle(rest).inspect_err(|error| {
            self.error = self.error.or(Some(*error));
        });
        value
            .map_err(Mismatch::from)
            .and_then(|value| T::convert(value, self.place.levels))
            .map_err(|mismatch| self.under(mismatch))
    }

    /// Names the field that was taken last.
    #[cold]
    fn under(&self, mismatch: Mismatch) -> Mismatch {
        let last = self.taken.checked_sub(1);
        match last.and_then(|last| self.keys.get(last)) {
            Some(key) => mismatch.under(key.name()),
            None => mismatch,
        }
    }

    #[cold]
    fn missing(&self) -> Mismatch {
        let at = self.pairs.owner().offset();
        self.under(Mismatch::new(at, MismatchKind::Missing))
    }

    /// Notes where the values of the fields from `taken` on stand, as many as there is room for. All pairs
    /// are taken.
    fn note(&mut self, pairs: &mut Children<'a>) {
        let first = self.taken;
        if first > 0 {
            self.forget();
        }
        if let Some(end) = self.note_plain(first, pairs) {
            pairs.jump(end, 0);
            return;
        }
        self.forget();
        let mut left = DictIter(pairs.clone());
        loop {
            match left.try_next() {
                Ok(Some((key, value))) => {
                    if equality::is_text_kind(key.kind(), key.dialect()) {
                        let raw = key.as_text().map_or(&[][..], StrRef::raw);
                        self.found(raw, raw.len(), first, value.offset());
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        *pairs = left.0;
    }

    /// Forgets all that was noted.
    fn forget(&mut self) {
        let fields = self.keys.len().min(NOTED);
        if let Some(noted) = self.at.get_mut(..fields) {
            noted.fill(0);
        }
    }

    /// Notes values as [`note`](AnyOrder::note) does, over pairs that are plain, without handles. Returns the
    /// end of the pairs.
    fn note_plain(&mut self, first: usize, pairs: &Children<'a>) -> Option<usize> {
        let (at, left) = expected(pairs)?;
        let (bytes, options, depth) = (self.place.bytes, self.place.options, self.place.depth);
        let dialect = options.dialect();
        let (words, names_are_keys) = (Words::of(dialect), dialect.string_names_equal_strings());
        let mut rest = bytes.get(at..)?;
        for _ in 0..left / 2 {
            let (header, len) = common::words(rest.first_chunk()?);
            if !words.is_text(header) {
                return None;
            }
            let value = rest.get(common::text_end(rest, 8, len)?..)?;
            if header == common::STRING || names_are_keys {
                let at = bytes.len() - value.len();
                self.found(rest.get(8..)?, len as usize, first, at);
            }
            rest = skip::common_value(bytes, value, options, depth)?;
        }
        Some(bytes.len() - rest.len())
    }

    /// Notes the value at `at`, if its key, the first `len` bytes of `text`, is one of the fields from `first`
    /// on. The last of repeated keys wins.
    #[inline(always)]
    fn found(&mut self, text: &[u8], len: usize, first: usize, at: usize) {
        let found = key::find(self.keys, text, len);
        let place = found.and_then(|n| n.checked_sub(first));
        if let Some(noted) = place.and_then(|n| self.at.get_mut(n)) {
            *noted = at;
        }
    }
}

/// The pairs that are left as a record; all are taken. The first error of the bytes says that they were not.
#[inline(never)]
pub(super) fn read<'a, R: Record<'a>>(
    left: &mut Children<'a>,
    levels: u8,
) -> Result<Result<R, Mismatch>, Error> {
    let pairs = left.clone();
    let mut fields = AnyOrder {
        keys: R::KEYS,
        taken: 0,
        place: Place::of(&pairs, levels),
        pairs: &pairs,
        at: [0; NOTED],
        error: None,
    };
    fields.note(left);
    if let Some(error) = fields.error {
        return Err(error);
    }
    let record = R::read(&mut fields);
    fields.error.map_or(Ok(record), Err)
}
