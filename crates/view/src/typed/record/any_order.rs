//! [`AnyOrder`]: the general way to read a record, whatever the order and form of its fields.
//!
//! One pass over the pairs stores the offset of the value of each field. Then the record takes its fields from
//! these offsets. Every key is found by its hash. A test for the expected key first would be mispredicted so
//! often that it costs more than the hash.

use super::{
    fields::{Fields, Record, sealed::Sealed},
    key::{self, Key},
};
use crate::{
    bytes::common::{self, Words},
    error::Error,
    typed::{
        from_variant::{
            FromVariant,
            convert::{ReadContext, expected},
        },
        mismatch::{Mismatch, MismatchKind},
    },
    value::string::StrRef,
    walk::{children::Children, keys::equality, pairs::DictIter, skip},
};

/// The most fields found in one pass over the pairs. A larger record takes one pass per 64 fields.
const FIELDS_PER_PASS: usize = 64;

/// The fields of a record, by the offsets of their values.
struct AnyOrder<'k, 'a> {
    keys: &'static [Key],
    /// The number of fields taken so far, found or not.
    taken: usize,
    context: ReadContext<'a>,
    /// An iterator over the pairs, before the first.
    pairs: &'k Children<'a>,
    /// For each field of this pass, the offset of its value. 0 is a missing field: no value is at 0,
    /// because the header of the Dictionary comes before it.
    offsets: [usize; FIELDS_PER_PASS],
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
        let n = self.taken % FIELDS_PER_PASS;
        if n == 0 && self.taken > 0 {
            self.find_fields(&mut self.pairs.clone());
        }
        self.taken += 1;
        let Some(at) = self.offsets.get(n).copied().filter(|at| *at > 0) else {
            return Ok(None);
        };
        let rest = self.context.bytes.get(at..).unwrap_or_default();
        if self.context.expects() {
            let header = rest.first_chunk().map(|raw| u32::from_le_bytes(*raw));
            // The end of the value is not needed.
            if let Some((field, _)) =
                header.and_then(|header| T::expect(header, rest, self.context))
            {
                return Ok(Some(field));
            }
        }
        self.convert(rest).map(Some)
    }

    #[cold]
    fn refuse(&self, why: &'static str) -> Mismatch {
        let last = self.taken.saturating_sub(1);
        let at = self
            .offsets
            .get(last % FIELDS_PER_PASS)
            .copied()
            .filter(|at| *at > 0);
        let at = at.unwrap_or(self.pairs.owner().offset());
        self.under(Mismatch::new(at, MismatchKind::Refused(why)))
    }
}

impl<'a> AnyOrder<'_, 'a> {
    /// Reads the value at the start of `rest` through its handle.
    #[inline(never)]
    fn convert<T: FromVariant<'a>>(&mut self, rest: &'a [u8]) -> Result<T, Mismatch> {
        let value = self.context.handle(rest).inspect_err(|error| {
            self.error = self.error.or(Some(*error));
        });
        value
            .map_err(Mismatch::from)
            .and_then(|value| T::convert(value, self.context.levels))
            .map_err(|mismatch| self.under(mismatch))
    }

    /// Adds the key of the field taken last to the error.
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

    /// Stores the offsets of the fields from `taken` on, up to [`FIELDS_PER_PASS`] of them.
    /// Consumes all pairs.
    fn find_fields(&mut self, pairs: &mut Children<'a>) {
        let first = self.taken;
        if first > 0 {
            self.clear_offsets();
        }
        if let Some(end) = self.find_without_handles(first, pairs) {
            pairs.jump(end, 0);
            return;
        }
        self.clear_offsets();
        let mut left = DictIter(pairs.clone());
        loop {
            match left.try_next() {
                Ok(Some((key, value))) => {
                    if equality::is_text_kind(key.kind(), key.dialect()) {
                        let raw = key.as_text().map_or(&[][..], StrRef::raw);
                        self.store(raw, raw.len(), first, value.offset());
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

    fn clear_offsets(&mut self) {
        let fields = self.keys.len().min(FIELDS_PER_PASS);
        if let Some(offsets) = self.offsets.get_mut(..fields) {
            offsets.fill(0);
        }
    }

    /// Does [`find_fields`](AnyOrder::find_fields) for pairs with common headers, without handles. Returns
    /// the end of the pairs, or `None` if a pair needs a handle.
    fn find_without_handles(&mut self, first: usize, pairs: &Children<'a>) -> Option<usize> {
        let (at, left) = expected(pairs)?;
        let (bytes, options, depth) =
            (self.context.bytes, self.context.options, self.context.depth);
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
                self.store(rest.get(8..)?, len as usize, first, at);
            }
            rest = skip::common_value(bytes, value, options, depth)?;
        }
        Some(bytes.len() - rest.len())
    }

    /// Stores the offset `at` of a value if its key is one of the fields from `first` on. The key is the
    /// first `len` bytes of `text`. The last of repeated keys wins.
    #[inline(always)]
    fn store(&mut self, text: &[u8], len: usize, first: usize, at: usize) {
        let found = key::find(self.keys, text, len);
        let slot = found.and_then(|n| n.checked_sub(first));
        if let Some(offset) = slot.and_then(|n| self.offsets.get_mut(n)) {
            *offset = at;
        }
    }
}

/// Reads the pairs that are left as a record, and consumes all of them. An `Err` of the outer `Result` means
/// that the bytes are damaged; then some pairs were not consumed.
#[inline(never)]
pub(super) fn read<'a, R: Record<'a>>(
    left: &mut Children<'a>,
    levels: u8,
) -> Result<Result<R, Mismatch>, Error> {
    let pairs = left.clone();
    let mut fields = AnyOrder {
        keys: R::KEYS,
        taken: 0,
        context: ReadContext::of(&pairs, levels),
        pairs: &pairs,
        offsets: [0; FIELDS_PER_PASS],
        error: None,
    };
    fields.find_fields(left);
    if let Some(error) = fields.error {
        return Err(error);
    }
    let record = R::read(&mut fields);
    fields.error.map_or(Ok(record), Err)
}
