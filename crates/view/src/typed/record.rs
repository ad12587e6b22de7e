//! Records: dictionaries whose keys are known.
//!
//! - [`key`]: the names of the fields
//! - [`in_order`]: fields one after the other, as they are expected
//! - [`any_order`]: fields noted in one pass, then taken
//!
//! A `Record` names its keys and takes its fields from anything that gives fields, so its lines are
//! compiled twice. [`in_order`] compares each key with bytes made ready at compile time and each value with the header that
//! most have; one look at the length serves all fields up to the next text. A record that does not fit leaves that way for
//! [`any_order`], out of line, which notes in one pass where each field stands: rare forms, another order, keys that repeat
//! (the last wins, as in the engine), are missing or more than expected.
//!
//! Rejected: one closure for both ways, because a compiler puts only what is called once into its caller, and what the rare
//! way needs takes the registers from the usual one.

use crate::{
    error::Error,
    typed::{
        from_variant::{
            FromVariant,
            convert::{LEVELS, Place, by_convert, enter, expected},
        },
        mismatch::Mismatch,
    },
    value::variant::VariantRef,
    walk::{children::Children, items::ArrayIter, pairs::DictIter},
};

mod any_order;
mod in_order;
pub(crate) mod key;

pub(crate) use key::Key;

/// A struct that a Dictionary of known keys is read into.
///
/// `#[derive(Record)]` of the feature `derive` writes the implementation, with the attributes that
/// [gdvar-derive](https://docs.rs/gdvar-derive) lists:
///
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use gdvar_view::Record;
///
/// #[derive(Record)]
/// struct Unit<'a> {
///     name: &'a str,
///     hp: i32,
///     #[record(default)]
///     boss: bool,
/// }
/// ```
///
/// By hand it is a list of keys and the fields in the same order:
///
/// ```
/// use gdvar_view::{Dialect, Document, Fields, GetError, Key, Mismatch, Record};
///
/// struct Unit<'a> {
///     name: &'a str,
///     hp: i32,
///     boss: bool,
/// }
///
/// impl<'a> Record<'a> for Unit<'a> {
///     const KEYS: &'static [Key] = &Key::all(["name", "hp", "boss"]);
///
///     #[inline(always)]
///     fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
///         Ok(Unit {
///             name: fields.next()?,
///             hp: fields.next()?,
///             // Not every unit has it.
///             boss: fields.optional()?.unwrap_or(false),
///         })
///     }
/// }
///
/// /// All units of a save that is an array of them.
/// fn units(save: &[u8]) -> Result<Vec<Unit<'_>>, Mismatch> {
///     Document::new(save, Dialect::GODOT_4).root()?.read()
/// }
/// # let unit = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0name\x04\0\0\0\x03\0\0\0Ann\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// # let mut save = b"\x1c\0\0\0\x02\0\0\0".to_vec();
/// # save.extend(unit);
/// # save.extend(unit);
/// let units = units(&save)?;
/// assert_eq!((units.len(), units[1].name, units[1].hp, units[1].boss), (2, "Ann", 80, false));
/// # Ok::<(), Mismatch>(())
/// ```
///
/// A record is a [`FromVariant`] type, so it can be a field of another one, or an element of a `Vec`.
/// [`ArrayIter::for_each_record`] reads the records of an array without keeping them, [`DictIter::read`]
/// one packet.
///
/// Fields that stand in the order of the keys and are all there is cost little more than their bytes; optional
/// ones may be left out. Keys may be Strings or, in Godot 4, StringNames. Where the order is another, or there
/// are other pairs, or a field has a rarer form, one pass over the pairs notes where each field stands; as with
/// [`DictRef::get`](crate::DictRef::get) the last of repeated keys wins.
pub trait Record<'a>: Sized {
    /// The keys of the fields, in the order in which they are expected.
    const KEYS: &'static [Key];

    /// Takes the fields in the order of the keys.
    ///
    /// It may be called twice for a record, so it should do nothing but read. Mark it
    /// `#[inline(always)]`: then it becomes a part of the loop over an array, which a compiler would
    /// not make of it by itself.
    ///
    /// # Errors
    /// If a field that it needs is missing or of another type: pass on what [`Fields`] gave. A value that is of
    /// the right type and still wrong is an error by [`Fields::refuse`].
    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch>;
}

/// The fields of a record while it is read: what [`Record::read`] takes them from.
pub trait Fields<'a>: sealed::Sealed {
    /// The next field as a Rust type: [`FromVariant`] has the table.
    ///
    /// # Errors
    /// If it is not there, or not of that type.
    fn next<T: FromVariant<'a>>(&mut self) -> Result<T, Mismatch>;

    /// The next field, `None` if it is not there. One that may be null besides is an
    /// `optional::<Option<T>>()?.flatten()`.
    ///
    /// # Errors
    /// If it is there and not of that type.
    fn optional<T: FromVariant<'a>>(&mut self) -> Result<Option<T>, Mismatch>;

    /// An error that says why the field taken last is wrong, although it is of the right type: its key, its
    /// place, and that reason.
    fn refuse(&self, why: &'static str) -> Mismatch;
}

mod sealed {
    /// Keeps the ways to read fields in this crate.
    pub trait Sealed {}
}

impl<'a, R: Record<'a>> FromVariant<'a> for R {
    by_convert!();

    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        let dict = value.as_dict();
        let not_one = || Mismatch::of_kind(value, gdvar_wire::Kind::Dictionary);
        let levels = enter(value, levels)?;
        any_order::read(&mut dict.ok_or_else(not_one)?.iter().0, levels)?
    }

    #[inline]
    fn expect(_: u32, value: &'a [u8], place: Place<'a>) -> Option<(Self, &'a [u8])> {
        let place = place.inside()?;
        in_order::read_dict::<R, true>(value, place, in_order::head(place))
    }

    #[inline]
    fn next_of(children: &mut Children<'a>, levels: u8) -> Option<Result<Self, Mismatch>> {
        next_record(children, levels)
    }
}

/// The pairs that are left as a record. The first error says that they were not all taken.
#[inline(always)]
fn pairs<'a, R: Record<'a>>(
    pairs: &mut Children<'a>,
    levels: u8,
) -> Result<Result<R, Mismatch>, Error> {
    pairs.settle()?;
    if let Some((at, left)) = expected(pairs) {
        let place = Place::of(pairs, levels);
        let rest = place.bytes.get(at..).unwrap_or_default();
        let count = left as usize / 2;
        if count <= R::KEYS.len() {
            if let Some((record, behind)) = in_order::read::<R, true>(rest, count, place) {
                pairs.jump(place.offset(behind), 0);
                return Ok(Ok(record));
            }
        }
    }
    any_order::read(pairs, levels)
}

/// The next child as a record.
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

/// The next child as a record, if its fields are in order.
#[inline(always)]
fn ordered_record<'a, R: Record<'a>>(children: &mut Children<'a>, levels: u8) -> Option<R> {
    let (at, 1..) = expected(children)? else {
        return None;
    };
    let place = Place::of(children, levels).inside()?;
    let rest = place.bytes.get(at..)?;
    let (record, behind) = in_order::read_dict::<R, true>(rest, place, in_order::head(place))?;
    children.jump_one(place.offset(behind));
    Some(record)
}

/// The next child as a record, whatever its form. The first error says that the children end there.
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
    /// Reads the pairs that are left as a record. All are taken: with
    /// [`pass`](crate::ArrayIter::pass) the walk of what the record is in goes on behind it.
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
    ///         // Not every packet has the second.
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
    /// If a field that the record needs is missing or of another type, or a pair is unreadable.
    #[inline(always)]
    pub fn read<R: Record<'a>>(&mut self) -> Result<R, Mismatch> {
        pairs(&mut self.0, LEVELS)?
    }
}

impl<'a> ArrayIter<'a> {
    /// The next element as a record: `None` at the end, and once an element could not be read
    /// ([`Mismatch::unreadable`]). After any other error the next element follows.
    #[inline(always)]
    pub fn next_record<R: Record<'a>>(&mut self) -> Option<Result<R, Mismatch>> {
        next_record(&mut self.0, LEVELS)
    }

    /// Reads all elements that are left as records, as [`next_record`](ArrayIter::next_record) does,
    /// and gives each to `each`: the fastest way to read an array of records that are alike. An element that
    /// is no such record is given as the error that says why.
    ///
    /// # Errors
    /// If an element cannot be read. `each` has the elements before it then.
    #[inline(always)]
    pub fn for_each_record<R: Record<'a>>(
        &mut self,
        mut each: impl FnMut(Result<R, Mismatch>),
    ) -> Result<(), Error> {
        loop {
            let place = Place::of(&self.0, LEVELS).inside();
            if let (Some((at, mut left)), Some(place)) = (expected(&self.0), place) {
                // The place is kept in local variables while records are in order.
                let mut rest = place.bytes.get(at..).unwrap_or_default();
                let head = in_order::head(place);
                while left > 0 {
                    let Some((record, behind)) = in_order::read_dict::<R, false>(rest, place, head)
                    else {
                        break;
                    };
                    (rest, left) = (behind, left - 1);
                    each(Ok(record));
                }
                self.0.jump(place.offset(rest), left);
                // Those at the very end may be in order, too.
                if left > 0 && rest.len() > key::room(R::KEYS.len()) {
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

    /// The next element as a record, out of line.
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
