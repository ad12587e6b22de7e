//! How Godot's own types pass through serde. The implementations of `Serialize` and `Deserialize`
//! here and in other crates follow the rules in this module, and so does the format of
//! `gdvar-serde`.
//!
//! Each type is a newtype struct with a reserved name. `gdvar-serde` knows these names and reads or
//! writes the content as the value that the name says. To other formats it is a newtype struct like
//! any other: human-readable formats see `{"type": …, "args": […]}`, the shape of the engine's
//! `JSON.from_native`; compact formats see the bare content.
//!
//! A reader that accepts anything gets this shape too, wrapped in a `Some`. The `Some`
//! distinguishes it from a Dictionary with the same members, even after serde has buffered it for
//! `flatten` or an untagged enum. A reader that wants a whole value asks by the name [`RAW`] and is
//! given the buffer and the value's offset in it, so nothing recurses and nothing is lost. A whole
//! value is written under the name [`VARIANT`].
//!
//! Rejected: magic map keys, which every other format would show; field numbers instead of names,
//! because serde's field list contains aliases too.

use alloc::{string::String, vec::Vec};
use core::{fmt, marker::PhantomData};

use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
    ser::SerializeStruct,
};

use crate::{Kind, narrow};

const NARROW: u8 = b':';
const WIDE: u8 = b';';
const FIRST: u8 = b'0';

macro_rules! names {
    ($separator:ident: $($n:literal)*) => {
        [$({
            const RAW: [u8; 8] = [b'$', b'g', b'd', b'v', b'a', b'r', $separator, FIRST + $n];
            match core::str::from_utf8(&RAW) {
                Ok(name) => name,
                Err(_) => "",
            }
        },)*]
    };
}

macro_rules! all_names {
    ($($n:literal)*) => {
        static NAMES: [[&str; KINDS]; 2] = [names!(NARROW: $($n)*), names!(WIDE: $($n)*)];
        const KINDS: usize = [$($n),*].len();
    };
}

all_names! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
    25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45
}

const _: () = assert!(KINDS == Kind::ALL.len());

/// The newtype name under which the bytes of a whole value, of any kind, pass without conversion.
pub const RAW: &str = "$gdvar:~";

/// The newtype name under which a whole value is written if other formats show that value in a
/// different shape. Inside this newtype the serializer of `gdvar-serde` answers `is_human_readable`
/// with `true`, outside of it with `false`. Any other serializer gives the same answer twice. The
/// value compares the two answers and so recognises `gdvar-serde`, even where a layer such as
/// `erased_serde` hides the serializer's type.
pub const VARIANT: &str = "$gdvar:v";

/// The map key under which a [`RAW`] value is passed.
pub const RAW_KEY: &str = "$gdvar::raw";

/// Returns the newtype name of `kind`. `wide` asks for the name of the 64-bit form of its reals.
#[inline]
#[must_use]
pub fn name(kind: Kind, wide: bool) -> &'static str {
    NAMES[usize::from(wide)][kind as usize]
}

/// Returns the kind that the newtype name `name` means, and `true` if the reals have 64 bits.
/// Returns `None` if `name` is not the name of a kind.
#[inline(always)]
#[must_use]
pub fn kind(name: &str) -> Option<(Kind, bool)> {
    match *name.as_bytes() {
        [b'$', b'g', b'd', b'v', b'a', b'r', separator, n] => {
            let kind = *Kind::ALL.get(usize::from(n.wrapping_sub(FIRST)))?;
            Some((kind, separator == WIDE))
        }
        _ => None,
    }
}

/// Returns, for each component in the engine's listing order, its position in the stream. Returns
/// `None` if the two orders are the same. They differ only for Basis and Transform3D: the bytes
/// hold a matrix by rows, the engine lists it by columns.
#[must_use]
pub const fn engine_order(kind: Kind) -> Option<&'static [usize]> {
    match kind {
        Kind::Basis => Some(&[0, 3, 6, 1, 4, 7, 2, 5, 8]),
        Kind::Transform3D => Some(&[0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10, 11]),
        _ => None,
    }
}

/// What human-readable formats write for a value: a struct with the fields `type`, the name of the
/// kind, and `args`.
#[derive(Debug)]
pub struct Tagged<A> {
    /// The kind of the value.
    pub kind: Kind,
    /// The value's parts, a sequence.
    pub args: A,
}

impl<A: Serialize> Serialize for Tagged<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tagged = serializer.serialize_struct("Variant", 2)?;
        tagged.serialize_field("type", self.kind.name())?;
        tagged.serialize_field("args", &self.args)?;
        tagged.end()
    }
}

/// The content of a newtype: `args` for human-readable formats, `compact` for others.
#[derive(Debug)]
pub struct Content<A, C> {
    /// The kind of the value.
    pub kind: Kind,
    /// What human-readable formats get: the value's parts, a sequence.
    pub args: A,
    /// What compact formats get.
    pub compact: C,
}

impl<A: Serialize, C: Serialize> Content<A, C> {
    /// Serializes the content as the newtype of its kind.
    ///
    /// # Errors
    ///
    /// Returns the serializer's error.
    #[inline(always)]
    pub fn pass<S: Serializer>(&self, wide: bool, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(name(self.kind, wide), self)
    }
}

impl<A: Serialize, C: Serialize> Serialize for Content<A, C> {
    #[inline(always)]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            let (kind, args) = (self.kind, &self.args);
            return Tagged { kind, args }.serialize(serializer);
        }
        self.compact.serialize(serializer)
    }
}

/// Bytes that serialize as bytes; serde would write a slice as a sequence.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Serialize for Bytes<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// A type of Godot that can be read from serde's data model. Each method is one input shape; a type
/// implements those that fit it.
pub trait Native<'de>: Sized {
    /// The kind of value that the type holds.
    const KIND: Kind;
    /// `true` if the type holds its reals as `f64`, `false` if as `f32`.
    const WIDE: bool = false;

    /// Reads the content from a compact format: calls the method of `deserializer` that fits the
    /// type.
    ///
    /// # Errors
    ///
    /// Returns the deserializer's error.
    fn ask<D: Deserializer<'de>>(
        deserializer: D,
        visitor: NativeVisitor<Self>,
    ) -> Result<Self, D::Error>;

    /// Reads the value from a sequence of parts. If `listed` is `true`, the parts come in the
    /// engine's listing order, otherwise in stream order.
    ///
    /// # Errors
    ///
    /// Fails if the parts do not fit the type.
    fn from_seq<A: SeqAccess<'de>>(parts: A, listed: bool) -> Result<Self, A::Error> {
        let _ = (parts, listed);
        Err(unfit(de::Unexpected::Seq, Self::KIND))
    }

    /// Reads the value from bytes that live as long as the input.
    ///
    /// # Errors
    ///
    /// Fails if the bytes do not fit the type.
    fn from_borrowed_bytes<E: de::Error>(bytes: &'de [u8]) -> Result<Self, E> {
        Self::from_bytes(bytes)
    }

    /// Reads the value from bytes that are only lent for the call.
    ///
    /// # Errors
    ///
    /// Fails if the bytes do not fit the type.
    fn from_bytes<E: de::Error>(bytes: &[u8]) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Bytes(bytes), Self::KIND))
    }

    /// Reads the value from text that lives as long as the input.
    ///
    /// # Errors
    ///
    /// Fails if the text does not fit the type.
    fn from_borrowed_str<E: de::Error>(text: &'de str) -> Result<Self, E> {
        Self::from_str(text)
    }

    /// Reads the value from text that is only lent for the call.
    ///
    /// # Errors
    ///
    /// Fails if the text does not fit the type.
    fn from_str<E: de::Error>(text: &str) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Str(text), Self::KIND))
    }

    /// Reads the value from a number.
    ///
    /// # Errors
    ///
    /// Fails if the number does not fit the type.
    fn from_u64<E: de::Error>(number: u64) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Unsigned(number), Self::KIND))
    }

    /// Reads the value from a signed number.
    ///
    /// # Errors
    ///
    /// Fails if the number does not fit the type.
    fn from_i64<E: de::Error>(number: i64) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Signed(number), Self::KIND))
    }
}

#[cold]
fn unfit<E: de::Error>(found: de::Unexpected<'_>, kind: Kind) -> E {
    E::invalid_type(found, &kind.name())
}

/// Reads a value of the type `T`.
///
/// # Errors
///
/// Fails if the input holds something else, or with the deserializer's error.
#[inline(always)]
pub fn deserialize<'de, T: Native<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(name(T::KIND, T::WIDE), NativeVisitor::new())
}

/// Builds a `T` from whichever shape the input has.
#[derive(Debug)]
pub struct NativeVisitor<T>(PhantomData<T>);

impl<T> NativeVisitor<T> {
    /// Creates a visitor, which has no state.
    #[inline]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "nobody needs it")]
    pub const fn new() -> NativeVisitor<T> {
        NativeVisitor(PhantomData)
    }
}

impl<'de, T: Native<'de>> Visitor<'de> for NativeVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::KIND.name())
    }

    #[inline(always)]
    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<T, A::Error> {
        T::from_seq(parts, false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut value = None;
        while let Some(key) = map.next_key::<Member>()? {
            match key {
                Member::Type => match map.next_value_seed(Its(T::KIND))? {
                    None => {}
                    Some(found) => {
                        return Err(unfit(de::Unexpected::Other(found.name()), T::KIND));
                    }
                },
                // Reals of 64 bits would be narrowed without a check, and the loss would go
                // unnoticed.
                Member::Wide => {
                    if map.next_value()? && !T::WIDE {
                        return Err(too_wide(T::KIND));
                    }
                }
                Member::Args => value = Some(map.next_value::<Args<T>>()?.0),
            }
        }
        value.ok_or_else(|| de::Error::missing_field("args"))
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(self);
        }
        T::ask(deserializer, self)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    #[inline(always)]
    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<T, E> {
        T::from_borrowed_bytes(bytes)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        T::from_bytes(bytes)
    }

    #[inline(always)]
    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<T, E> {
        T::from_borrowed_str(text)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::from_str(text)
    }

    #[inline]
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        T::from_u64(number)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        T::from_i64(number)
    }
}

/// The error for buffered 64-bit reals that a type with 32-bit reals would have to take.
#[cold]
fn too_wide<E: de::Error>(kind: Kind) -> E {
    E::custom(format_args!(
        "the reals of this {kind} have 64 bits; ask for the type of f64"
    ))
}

/// The members of an object that describes a value: the two of [`Tagged`], and `wide`.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// The member `"type"`.
    Type,
    /// The member `"args"`.
    Args,
    /// The member `"wide"`: `true` if the reals have 64 bits.
    Wide,
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Member, D::Error> {
        struct Names;
        impl Visitor<'_> for Names {
            type Value = Member;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"type\" or \"args\"")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Member, E> {
                match name {
                    "type" => Ok(Member::Type),
                    "args" => Ok(Member::Args),
                    "wide" => Ok(Member::Wide),
                    _ => Err(E::unknown_field(name, &["type", "args", "wide"])),
                }
            }
        }
        deserializer.deserialize_identifier(Names)
    }
}

/// Reads the name of a kind and compares it with the expected kind. Returns `None` if they are
/// equal, otherwise the kind that was found. An unknown name is an error.
struct Its(Kind);

impl<'de> DeserializeSeed<'de> for Its {
    type Value = Option<Kind>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Kind>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Its {
    type Value = Option<Kind>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of one of Godot's types")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Option<Kind>, E> {
        if name == self.0.name() {
            return Ok(None);
        }
        let found = Kind::ALL.iter().find(|kind| kind.name() == name);
        let unknown = || E::invalid_value(de::Unexpected::Str(name), &self);
        found.map(|kind| Some(*kind)).ok_or_else(unknown)
    }
}

/// Reads the value under `"args"`.
struct Args<T>(T);

impl<'de, T: Native<'de>> Deserialize<'de> for Args<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Args<T>, D::Error> {
        struct Listed<T>(PhantomData<T>);
        impl<'de, T: Native<'de>> Visitor<'de> for Listed<T> {
            type Value = Args<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of what a {} is made of", T::KIND.name())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Args<T>, A::Error> {
                T::from_seq(parts, true).map(Args)
            }
        }
        deserializer.deserialize_seq(Listed(PhantomData))
    }
}

/// A component of a vector, and the type through which serde reads it.
pub trait Component: Copy + Default {
    /// The type that serde reads. It refuses a number that the component cannot hold.
    type Read: for<'de> Deserialize<'de> + Into<Self>;
}

impl Component for i32 {
    type Read = i32;
}

impl Component for i64 {
    type Read = i64;
}

impl Component for f64 {
    type Read = f64;
}

impl Component for f32 {
    type Read = Single;
}

/// An `f32`. serde's own implementation turns `1e300` into an infinity; this type refuses it.
#[derive(Clone, Copy, Debug)]
pub struct Single(f32);

impl From<Single> for f32 {
    #[inline(always)]
    fn from(single: Single) -> f32 {
        single.0
    }
}

impl<'de> Deserialize<'de> for Single {
    #[inline(always)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Single, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Single;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number that 32 bits can hold")
            }
            #[inline(always)]
            fn visit_f32<E>(self, number: f32) -> Result<Single, E> {
                Ok(Single(number))
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Single, E> {
                let single = narrow(number);
                if single.is_infinite() && number.is_finite() {
                    return Err(E::invalid_value(de::Unexpected::Float(number), &self));
                }
                Ok(Single(single))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Single, E> {
                Ok(Single(number as f32))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Single, E> {
                Ok(Single(number as f32))
            }
        }
        deserializer.deserialize_f32(Number)
    }
}

/// The message for a NodePath with an empty name, or with `/` or `:` in a name: its text would be
/// another path.
pub const NO_PATH_TEXT: &str =
    "this NodePath has no text that leads back to it: a name in it is empty, or has '/' or ':'";

/// Reads part number `n` of a sequence.
///
/// # Errors
///
/// Fails if the sequence has ended.
#[inline(always)]
pub fn part<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    parts: &mut A,
    n: usize,
    kind: Kind,
) -> Result<T, A::Error> {
    match parts.next_element()? {
        Some(part) => Ok(part),
        None => Err(wrong_length(n, kind)),
    }
}

/// Checks that the sequence ends after `n` parts.
///
/// # Errors
///
/// Fails if there is another part.
#[inline(always)]
pub fn no_more<'de, A: SeqAccess<'de>>(
    parts: &mut A,
    n: usize,
    kind: Kind,
) -> Result<(), A::Error> {
    match parts.next_element::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(wrong_length(n + 1, kind)),
    }
}

#[cold]
fn wrong_length<E: de::Error>(n: usize, kind: Kind) -> E {
    struct Expected(Kind);
    impl de::Expected for Expected {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "the parts of a {}", self.0.name())
        }
    }
    E::invalid_length(n, &Expected(kind))
}

/// Reads all parts of a sequence.
///
/// # Errors
///
/// Returns the first error of a part.
pub fn all<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(mut parts: A) -> Result<Vec<T>, A::Error> {
    // A size hint may be a stranger's claim, so it reserves 4096 elements at most.
    let mut all = Vec::with_capacity(parts.size_hint().unwrap_or(0).min(4096));
    while let Some(part) = parts.next_element()? {
        all.push(part);
    }
    Ok(all)
}

/// Reads a sequence of exactly one text.
///
/// # Errors
///
/// Fails if the sequence has no element, or more than one.
pub fn only_text<'de, A: SeqAccess<'de>>(mut parts: A, kind: Kind) -> Result<String, A::Error> {
    let text = part(&mut parts, 0, kind)?;
    no_more(&mut parts, 1, kind)?;
    Ok(text)
}
