//! [`FromVariant`]: the Rust types that a value can be read as.
//!
//! - [`convert`]: what the implementations share
//! - [`scalars`], [`texts`]: bool, numbers, text
//! - [`handles`]: math types, views of packed arrays and containers
//! - [`sequences`]: tuples, arrays, vectors, maps
//! - [`glam`]: the types of glam

use gdvar_wire::Dialect;

use crate::{
    bytes::common,
    typed::mismatch::Mismatch,
    value::variant::VariantRef,
    walk::{children::Children, skip},
};

pub(crate) mod convert;
#[cfg(any(feature = "glam-033", feature = "glam-034"))]
mod glam;
mod handles;
mod scalars;
mod sequences;
mod texts;

use convert::{LEVELS, ReadContext, by_convert, expected};

/// A Rust type that a value can be read as, with [`VariantRef::read`],
/// [`Document::get_as`](crate::Document::get_as) or as a field of a [`Record`](crate::Record).
///
/// Kinds are not converted into each other: an Int is not read as `f64`.
///
/// | Rust type | value |
/// |---|---|
/// | `bool` | Bool |
/// | `i8` … `i64`, `isize`, `u8` … `u64`, `usize` | Int in the range of the type |
/// | `f64`, `f32` | Float; `f32` rounds as a single-precision engine does |
/// | `&str`, [`StrRef`](crate::StrRef), `String`, `Cow<str>` | String or StringName |
/// | [`Vector2<f64>`](crate::math::Vector2) and the other math types, `f64` | the same type, in either width |
/// | [`Vector2<f32>`](crate::math::Vector2) and the other math types, `f32` or `i32` | the same type in 32 bits |
/// | the math types of glam (features `glam-033` and `glam-034`) | as the math type of the same numbers |
/// | `(A,)` to tuples of eight, `[T; N]` | Array of this length |
/// | `Vec<T>` | Array; for `u8`, `i32`, `i64`, `f32`, `f64`, `String` and `Cow<str>` also the packed array |
/// | `BTreeMap<K, V>`, `HashMap<K, V>` | Dictionary; the last of repeated keys wins |
/// | `Option<T>` | null, which gives `None`, or a value for `T` |
/// | a [`Record`](crate::Record) | Dictionary with its keys |
/// | `&[u8]`, [`PackedRef<T>`](crate::PackedRef), [`PackedStrings`](crate::PackedStrings) | packed array of this element type |
/// | `&[i32]`, `&[i64]`, `&[f32]`, `&[f64]` | packed array whose address is aligned for the slice |
/// | [`ArrayRef`](crate::ArrayRef), [`DictRef`](crate::DictRef), [`ObjectRef`](crate::ObjectRef), [`NodePathRef`](crate::NodePathRef) | Array, Dictionary, Object, NodePath, without their contents |
/// | [`VariantRef`] | any value |
///
/// `String`, `Cow`, `Vec` and `BTreeMap` need the feature `alloc`, `HashMap` needs `std`.
///
/// # Types of your own
///
/// A struct is a [`Record`](crate::Record). Implement this trait for newtypes and enums. They can then be
/// fields of records and elements of `Vec`s too:
///
/// ```
/// use gdvar_view::{Dialect, Document, FromVariant, Mismatch, VariantRef};
///
/// #[derive(PartialEq, Debug)]
/// enum Team {
///     Red,
///     Blue,
/// }
///
/// impl<'a> FromVariant<'a> for Team {
///     fn from_variant(value: VariantRef<'a>) -> Result<Self, Mismatch> {
///         match value.read()? {
///             "red" => Ok(Team::Red),
///             "blue" => Ok(Team::Blue),
///             _ => Err(Mismatch::refused(value, "there is no such team")),
///         }
///     }
/// }
///
/// // ["blue", "teal"]
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0blue\x04\0\0\0\x04\0\0\0teal";
/// let root = Document::new(bytes, Dialect::GODOT_4).root()?;
/// let wrong = root.read::<Vec<Team>>().unwrap_err();
/// assert_eq!(wrong.to_string(), "there is no such team at byte 0x14");
/// assert_eq!(root.as_array().unwrap().get(0)?.unwrap().read::<Team>()?, Team::Blue);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A record with a field of such a type is always read in one pass over its pairs, not by the faster
/// comparison with the expected order. `#[record(try_from = "…")]` and `#[record(with = "…")]` of the derive
/// keep the faster way.
///
/// Types that contain themselves, such as a record with a `Vec` of itself, are read 64 levels deep; deeper values are
/// refused. The same limit applies inside your own implementations: the depth limit of the value that they get is
/// lowered to the levels that are left.
#[diagnostic::on_unimplemented(
    message = "no value can be read as `{Self}`",
    label = "`FromVariant` is not implemented for this type",
    note = "derive or implement `Record` for a struct that is read from a Dictionary, and implement \
            `FromVariant` for any other type of your own"
)]
pub trait FromVariant<'a>: Sized {
    /// Reads `value` as this type. To call it, use [`VariantRef::read`].
    ///
    /// # Errors
    /// Fails if `value` is of another kind, outside the range or of another length, or if `value` or a value
    /// inside it is damaged. [`Mismatch::refused`] makes an error with a reason of your own.
    fn from_variant(value: VariantRef<'a>) -> Result<Self, Mismatch>;

    #[doc(hidden)]
    /// Reads the value through its handle, after its expected form was tried. Recursion may go `levels` deeper.
    #[inline]
    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        by_user(value, levels)
    }

    #[doc(hidden)]
    /// The header word of the expected form, if all values of that form have the same one.
    #[inline(always)]
    fn header(dialect: Dialect) -> Option<u32> {
        let _ = dialect;
        None
    }

    #[doc(hidden)]
    /// [`FromVariant::expect`] for a value whose header word is [`FromVariant::header`].
    #[inline(always)]
    fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let _ = (value, context);
        None
    }

    #[doc(hidden)]
    /// Reads the value at the start of `value`, the tail of the buffer, if it has the expected form. Nearly all values
    /// of the type have this form. `header` is the first word of the value. Returns the value and the bytes after it.
    ///
    /// `None` leaves the value to [`FromVariant::convert`]. Types of users always return `None`: their code
    /// could start an attempt of its own inside this one, so the number of attempts would double with each
    /// level.
    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        match Self::header(context.options.dialect()) {
            Some(own) if own == header => Self::headed(value, context),
            _ => None,
        }
    }

    #[doc(hidden)]
    /// Reads the value at the start of the bytes, if it has the expected form. Unlike [`FromVariant::expect`],
    /// returns only the result and not the bytes after the value.
    #[inline]
    fn at((context, value): (ReadContext<'a>, &'a [u8])) -> Option<Self> {
        let header = u32::from_le_bytes(*value.first_chunk()?);
        Self::expect(header, value, context).map(|(found, _)| found)
    }

    #[doc(hidden)]
    /// Reads the next child of a container. `None` at the end, and after a damaged child.
    #[inline]
    fn next_of(children: &mut Children<'a>, levels: u8) -> Option<Result<Self, Mismatch>> {
        if let Some((end, child)) = next_expected(children, levels) {
            children.jump_one(end);
            return Some(Ok(child));
        }
        match children.next_value() {
            Ok(child) => child.map(|child| Self::convert(child, levels)),
            Err(error) => Some(Err(error.into())),
        }
    }

    #[doc(hidden)]
    /// The elements of a packed array of this type; `None` if `value` is not one.
    #[cfg(feature = "alloc")]
    fn packed(value: VariantRef<'a>) -> Option<Result<alloc::vec::Vec<Self>, Mismatch>> {
        let _ = value;
        None
    }
}

/// Reads a value by the user's [`FromVariant::from_variant`], at most `levels` deeper. The limit is in the
/// value's options, because users' code passes nothing else on.
fn by_user<'a, T: FromVariant<'a>>(value: VariantRef<'a>, levels: u8) -> Result<T, Mismatch> {
    let (options, depth) = (value.options(), value.depth());
    let options = options.at_most_below(depth, levels);
    T::from_variant(VariantRef::new(value.bytes(), value.offset(), options, depth)?.0)
}

/// Reads the next child if it has the expected form. Returns the offset after the child, and the value that was read.
#[inline(always)]
fn next_expected<'a, T: FromVariant<'a>>(
    children: &Children<'a>,
    levels: u8,
) -> Option<(usize, T)> {
    let (at, 1..) = expected(children)? else {
        return None;
    };
    let context = ReadContext::of(children, levels).for_attempt();
    let rest = context.bytes.get(at..)?;
    let (header, _) = common::words(rest.first_chunk()?);
    let (child, after) = T::expect(header, rest, context)?;
    Some((context.offset(after), child))
}

impl<'a> ReadContext<'a> {
    /// Reads the value at the start of `rest` through a handle, as a type that contains no other types. Returns
    /// the result and the bytes after the value.
    #[inline(never)]
    pub(crate) fn value<T: FromVariant<'a>>(self, rest: &'a [u8]) -> Option<(T, &'a [u8])> {
        let value = self.handle(rest).ok()?;
        let end = skip::value(self.bytes, value.offset(), self.options, self.depth).ok()?;
        let field = T::convert(value, 0).ok()?;
        Some((field, self.bytes.get(end..)?))
    }
}

impl<'a> VariantRef<'a> {
    /// Reads the value as a Rust type. [`FromVariant`] has the table of types.
    ///
    /// This takes one pass over the value. Memory is allocated only for the Rust type, if that needs any.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document};
    ///
    /// // [1, 2, 300]
    /// let bytes = b"\x1c\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\x02\0\0\0\x2c\x01\0\0";
    /// let root = Document::new(bytes, Dialect::GODOT_4).root()?;
    /// assert_eq!(root.read::<[i32; 3]>()?, [1, 2, 300]);
    /// let wrong = root.read::<(u8, u8, u8)>().unwrap_err();
    /// assert_eq!(wrong.to_string(), "the int 300 does not fit the type that was asked for at byte 0x18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the value does not fit the type, or is damaged: [`Mismatch`].
    pub fn read<T: FromVariant<'a>>(self) -> Result<T, Mismatch> {
        if let Some(found) = ReadContext::before(self).and_then(T::at) {
            return Ok(found);
        }
        T::convert(self, LEVELS)
    }
}

impl<'a> FromVariant<'a> for VariantRef<'a> {
    by_convert!();

    fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
        Ok(value)
    }

    #[inline(always)]
    fn expect(_: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        context.value(value)
    }
}

impl<'a, T: FromVariant<'a>> FromVariant<'a> for Option<T> {
    by_convert!();

    #[inline]
    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        if value.is_nil() {
            return Ok(None);
        }
        T::convert(value, levels).map(Some)
    }

    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        if header == common::NIL {
            return Some((None, value.get(4..)?));
        }
        let (found, rest) = T::expect(header, value, context)?;
        Some((Some(found), rest))
    }
}

#[cfg(all(test, feature = "alloc", feature = "std"))]
mod tests;
