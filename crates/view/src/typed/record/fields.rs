//! [`Record`] and [`Fields`]: what a record implements, and what it takes its fields from.

use super::key::Key;
use crate::typed::{from_variant::FromVariant, mismatch::Mismatch};

/// A struct that is read from a Dictionary with known keys: the fastest way to read packets and saves
/// of a known form.
///
/// `#[derive(Record)]` (feature `derive`) implements this trait; [gdvar-derive](https://docs.rs/gdvar-derive)
/// lists the attributes:
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
/// By hand, list the keys, and take the fields in the same order:
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
///             // Only some units have it.
///             boss: fields.optional()?.unwrap_or(false),
///         })
///     }
/// }
///
/// /// Reads a save that is an array of units.
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
/// Every record is a [`FromVariant`] type: it can be a field of another record, or the element of a
/// `Vec`. [`ArrayIter::for_each_record`](crate::ArrayIter::for_each_record) reads an array of records without keeping them,
/// [`DictIter::read`](crate::DictIter::read) reads one packet.
///
/// Keys may be Strings or, in Godot 4, StringNames. Unknown keys are ignored. As with
/// [`DictRef::get`](crate::DictRef::get) the last of repeated keys wins.
///
/// A record is fastest if its pairs are in the order of the keys, without other pairs; optional fields
/// may be left out. Otherwise one more pass over the pairs finds the fields first.
pub trait Record<'a>: Sized {
    /// The keys of the fields, in the order in which they are expected.
    const KEYS: &'static [Key];

    /// Takes the fields in the order of the keys.
    ///
    /// This may be called twice for one record, so it should do nothing but read. Mark it `#[inline(always)]`:
    /// only then does the compiler inline it into the loop over an array.
    ///
    /// # Errors
    /// Return the errors of [`Fields`] unchanged: a required field is missing or of another type. For a
    /// value of the right type that is still wrong, return [`Fields::refuse`].
    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch>;
}

/// The fields of a record, from which [`Record::read`] takes them one by one, in the order of [`Record::KEYS`].
/// This trait is sealed: other crates cannot implement it.
pub trait Fields<'a>: sealed::Sealed {
    /// Takes the next field, as a Rust type: [`FromVariant`] has the table.
    ///
    /// # Errors
    /// Fails if the field is missing or does not fit the type.
    fn next<T: FromVariant<'a>>(&mut self) -> Result<T, Mismatch>;

    /// Takes the next field, or `None` if it is missing. If the field may also be null, use
    /// `optional::<Option<T>>()?.flatten()`.
    ///
    /// # Errors
    /// Fails if the field is there and does not fit the type.
    fn optional<T: FromVariant<'a>>(&mut self) -> Result<Option<T>, Mismatch>;

    /// Makes an error that refuses the field taken last for the reason `why`, although it fits its type. The
    /// error has the key and offset of the field.
    fn refuse(&self, why: &'static str) -> Mismatch;
}

pub(super) mod sealed {
    /// Only this crate implements [`Fields`](super::Fields).
    pub trait Sealed {}
}
