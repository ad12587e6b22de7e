//! Records: Dictionaries with known keys, read into structs.
//!
//! - [`fields`], [`key`]: what a record implements, and the names of its fields
//! - [`in_order`]: the fast way, for fields in the order of the keys
//! - [`any_order`]: the general way, for all other records
//!
//! A `Record` takes its fields from an `impl Fields`. Two types implement `Fields`, so the record's code is
//! compiled twice. [`in_order`] compares each key with bytes prepared at compile time, and each header with the
//! one that the field's type expects. One bounds check serves all fields up to the next text. If a field does
//! not fit, [`any_order`] reads the record again, out of line: it first finds the offsets of all fields in one
//! pass. So the order does not matter, keys may repeat (the last wins, as in the engine), be missing or be
//! unknown, and values may have rare forms.
//!
//! *Rejected:* one closure for both ways. A compiler inlines a closure only if it is called once, and
//! the general way would take registers from the fast one.

use crate::{
    error::Error,
    typed::{
        from_variant::{
            FromVariant,
            convert::{LEVELS, ReadContext, by_convert, enter, expected},
        },
        mismatch::Mismatch,
    },
    value::variant::VariantRef,
    walk::{children::Children, items::ArrayIter, pairs::DictIter},
};

mod any_order;
pub(crate) mod fields;
mod in_order;
pub(crate) mod key;

use fields::Record;

impl<'a, R: Record<'a>> FromVariant<'a> for R {
    by_convert!();

    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        let dict = value.as_dict();
        let not_one = || Mismatch::of_kind(value, gdvar_wire::Kind::Dictionary);
        let levels = enter(value, levels)?;
        any_order::read(&mut dict.ok_or_else(not_one)?.iter().0, levels)?
    }

    #[inline]
    fn expect(_: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let context = context.inside()?;
        in_order::read_dict::<R, true>(value, context, in_order::head(context))
    }

    #[inline]
    fn next_of(children: &mut Children<'a>, levels: u8) -> Option<Result<Self, Mismatch>> {
        next_record(children, levels)
    }
}

/// Reads the pairs that are left as a record, and consumes all of them. An `Err` of the outer `Result` means
/// that the bytes are damaged; then some pairs were not consumed.
#[inline(always)]
fn pairs<'a, R: Record<'a>>(
    pairs: &mut Children<'a>,
    levels: u8,
) -> Result<Result<R, Mismatch>, Error> {
    pairs.settle()?;
    if let Some((at, left)) = expected(pairs) {
        let context = ReadContext::of(pairs, levels);
        let rest = context.bytes.get(at..).unwrap_or_default();
        let count = left as usize / 2;
        if count <= R::KEYS.len() {
            if let Some((record, after)) = in_order::read::<R, true>(rest, count, context) {
                pairs.jump(context.offset(after), 0);
                return Ok(Ok(record));
            }
        }
    }
    any_order::read(pairs, levels)
}

/// Reads the next child as a record: first in the fast way, which needs the keys in the order of the fields, then
/// in any other form. Returns `None` after the last child. An `Err` is a child that does not fit `R`, or damaged
/// bytes.
#[inline(always)]
fn next_record<'a, R: Record<'a>>(
    children: &mut Children<'a>,
    levels: u8,
) -> Option<Result<R, Mismatch>> {
    if let Some(record) = ordered_record(children, levels) {
        return Some(Ok(record));
    }
    any_record(children, levels).transpose().map(|next| next?)
}

/// Reads the next child as a record, if its pairs have the order of the fields.
#[inline(always)]
fn ordered_record<'a, R: Record<'a>>(children: &mut Children<'a>, levels: u8) -> Option<R> {
    let (at, 1..) = expected(children)? else {
        return None;
    };
    let context = ReadContext::of(children, levels).inside()?;
    let rest = context.bytes.get(at..)?;
    let (record, after) = in_order::read_dict::<R, true>(rest, context, in_order::head(context))?;
    children.jump_one(context.offset(after));
    Some(record)
}

/// Reads the next child as a record of any form. An `Err` of the outer `Result` means that the bytes are
/// damaged; the iteration over the children then ends.
#[cold]
#[inline(never)]
fn any_record<'a, R: Record<'a>>(
    children: &mut Children<'a>,
    levels: u8,
) -> Result<Option<Result<R, Mismatch>>, Error> {
    let Some(child) = children.next_value()? else {
        return Ok(None);
    };
    let (Some(dict), Ok(levels)) = (child.as_dict(), enter(child, levels)) else {
        return Ok(Some(R::convert(child, levels)));
    };
    let mut pairs = dict.iter().0;
    let record = any_order::read(&mut pairs, levels);
    children.pass(&pairs)?;
    record.map(Some)
}

impl<'a> DictIter<'a> {
    /// Reads the pairs that are left as a record, and consumes all of them. After this call,
    /// [`pass`](crate::ArrayIter::pass) on the outer iterator continues after the Dictionary without another
    /// walk.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Fields, Key, Mismatch, Record};
    ///
    /// struct Hit(i32, bool);
    ///
    /// impl<'a> Record<'a> for Hit {
    ///     const KEYS: &'static [Key] = &Key::all(["damage", "crit"]);
    ///
    ///     #[inline(always)]
    ///     fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
    ///         // Only some packets have the second field.
    ///         Ok(Hit(fields.next()?, fields.optional()?.unwrap_or(false)))
    ///     }
    /// }
    ///
    /// fn hit(packet: &[u8]) -> Result<Option<Hit>, Mismatch> {
    ///     match Document::new(packet, Dialect::GODOT_4).root()?.as_dict() {
    ///         Some(packet) => packet.iter().read().map(Some),
    ///         None => Ok(None),
    ///     }
    /// }
    /// # let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x06\0\0\0damage\0\0\x02\0\0\0\x50\0\0\0";
    /// assert!(matches!(hit(packet)?, Some(Hit(80, false))));
    /// # Ok::<(), Mismatch>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a required field is missing, a field does not fit its type, or a pair is damaged.
    #[inline(always)]
    pub fn read<R: Record<'a>>(&mut self) -> Result<R, Mismatch> {
        pairs(&mut self.0, LEVELS)?
    }
}

impl<'a> ArrayIter<'a> {
    /// Reads the next element as a record. `None` at the end, and after a damaged element
    /// ([`Mismatch::unreadable`]). After any other error the iteration continues with the next element.
    #[inline(always)]
    pub fn next_record<R: Record<'a>>(&mut self) -> Option<Result<R, Mismatch>> {
        next_record(&mut self.0, LEVELS)
    }

    /// Reads all elements that are left as records, and calls `each` with them: the fastest way to read
    /// an array of records of one form. An element that does not fit is passed to `each` as an error.
    ///
    /// # Errors
    /// Fails if an element is damaged. `each` was called with the elements before it.
    #[inline(always)]
    pub fn for_each_record<R: Record<'a>>(
        &mut self,
        mut each: impl FnMut(Result<R, Mismatch>),
    ) -> Result<(), Error> {
        loop {
            let context = ReadContext::of(&self.0, LEVELS).inside();
            if let (Some((at, mut left)), Some(context)) = (expected(&self.0), context) {
                // Position and count are in local variables, so that they stay in registers.
                let mut rest = context.bytes.get(at..).unwrap_or_default();
                let head = in_order::head(context);
                while left > 0 {
                    let Some((record, after)) =
                        in_order::read_dict::<R, false>(rest, context, head)
                    else {
                        break;
                    };
                    (rest, left) = (after, left - 1);
                    each(Ok(record));
                }
                self.0.jump(context.offset(rest), left);
                // `read_dict::<R, false>` refuses records close to the end of the buffer. Such a record may
                // still be valid, so `one_record` tries it.
                if left > 0 && rest.len() > key::checked_bytes(R::KEYS.len()) {
                    match any_record(&mut self.0, LEVELS)? {
                        Some(record) => each(record),
                        None => return Ok(()),
                    }
                    continue;
                }
            }
            match self.one_record()? {
                Some(record) => each(record),
                None => return Ok(()),
            }
        }
    }

    /// Reads the next element as a record, out of line.
    #[cold]
    #[inline(never)]
    fn one_record<R: Record<'a>>(&mut self) -> Result<Option<Result<R, Mismatch>>, Error> {
        if let Some(record) = ordered_record(&mut self.0, LEVELS) {
            return Ok(Some(Ok(record)));
        }
        any_record(&mut self.0, LEVELS)
    }
}

/// Uses of `#[derive(Record)]` that do not compile.
///
/// ```compile_fail
/// #[derive(gdvar_view::Record)]
/// struct Misspelt { #[record(renmae = "x")] at: i32 }
/// ```
/// ```compile_fail
/// #[derive(gdvar_view::Record)]
/// struct Twice { x: i32, #[record(rename = "x")] y: i32 }
/// ```
/// ```compile_fail
/// #[derive(gdvar_view::Record)]
/// enum Either { A { x: i32 } }
/// ```
/// ```compile_fail
/// #[derive(gdvar_view::Record)]
/// struct Foreign { at: core::time::Duration }
/// ```
/// ```
/// #[derive(gdvar_view::Record)]
/// struct Fine { #[record(rename = "x")] at: i32 }
/// ```
#[cfg(all(doctest, feature = "derive"))]
mod refused {}

#[cfg(all(test, feature = "alloc"))]
mod tests;
