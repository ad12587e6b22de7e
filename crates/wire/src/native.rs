//! How Godot's own types pass through serde: what their `Serialize` and `Deserialize`, here and in
//! other crates, agree on with the format of `gdvar-serde`.
//!
//! Each type is a newtype struct of a name that nobody else uses. That format knows the names and
//! gives and takes what is inside as the kind it stands for. To other formats it is a newtype
//! struct like any other: those for people see `{"type": …, "args": […]}`, the shape of the engine's
//! `JSON.from_native`; compact ones see what is inside.
//!
//! A reader that takes anything gets that form too, as a `Some`, so that it can be told from a Dictionary of the same form,
//! also after serde's buffering for `flatten` and untagged enums. A whole value asks by the name [`RAW`] and is handed its
//! place: no recursion, nothing lost; it is written under the name [`VARIANT`]. Rejected: magic map keys, which every
//! other format would show; numbers of fields instead of names, because aliases are in serde's list of names too.

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

/// The name of a whole value, of any kind, that is handed over as it stands.
pub const RAW: &str = "$gdvar:~";

/// The name under which a whole value is written that has a form of its own for other formats. `gdvar-serde`'s
/// serializer answers `is_human_readable` inside of this newtype with `true` and around it with `false`; any other
/// serializer gives the same answer twice. So the value knows for whom it is written, also where a layer such as
/// `erased_serde` hides the serializer's type.
pub const VARIANT: &str = "$gdvar:v";

/// The key under which [`RAW`] is handed over.
pub const RAW_KEY: &str = "$gdvar::raw";

/// The newtype's name of a kind; `wide` where its reals are given or wanted in 64 bits.
#[inline]
#[must_use]
pub fn name(kind: Kind, wide: bool) -> &'static str {
    NAMES[usize::from(wide)][kind as usize]
}

/// The kind that a newtype's name stands for, and whether it is wide.
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

/// The place of each component of a Basis or Transform3D, which stand row after row in the bytes,
/// where the engine lists them column after column.
#[must_use]
pub const fn engine_order(kind: Kind) -> Option<&'static [usize]> {
    match kind {
        Kind::Basis => Some(&[0, 3, 6, 1, 4, 7, 2, 5, 8]),
        Kind::Transform3D => Some(&[0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10, 11]),
        _ => None,
    }
}

/// The form that formats for people see.
#[derive(Debug)]
pub struct Tagged<A> {
    /// The type.
    pub kind: Kind,
    /// The value's parts: a sequence.
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

/// A newtype's content: `args` for people, `compact` for others.
#[derive(Debug)]
pub struct Content<A, C> {
    /// The type.
    pub kind: Kind,
    /// For people.
    pub args: A,
    /// For others.
    pub compact: C,
}

impl<A: Serialize, C: Serialize> Content<A, C> {
    /// Serializes it as the newtype of its kind.
    ///
    /// # Errors
    /// Those of the serializer.
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

/// Bytes, which serde takes for a sequence otherwise.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Serialize for Bytes<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// The forms that one of Godot's types can be read from. Each has only those that fit it.
pub trait Native<'de>: Sized {
    /// The kind that it is read as.
    const KIND: Kind;
    /// `true` if it wants its reals in 64 bits.
    const WIDE: bool = false;

    /// Asks a compact format for what is inside.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn ask<D: Deserializer<'de>>(
        deserializer: D,
        visitor: NativeVisitor<Self>,
    ) -> Result<Self, D::Error>;

    /// Reads it from numbers or other parts; `listed` if they are in the engine's order.
    ///
    /// # Errors
    /// If they do not fit.
    fn from_seq<A: SeqAccess<'de>>(parts: A, listed: bool) -> Result<Self, A::Error> {
        let _ = (parts, listed);
        Err(unfit(de::Unexpected::Seq, Self::KIND))
    }

    /// Reads it from bytes that live as long as the input.
    ///
    /// # Errors
    /// If they do not fit.
    fn from_borrowed_bytes<E: de::Error>(bytes: &'de [u8]) -> Result<Self, E> {
        Self::from_bytes(bytes)
    }

    /// Reads it from bytes that are gone afterwards.
    ///
    /// # Errors
    /// If they do not fit.
    fn from_bytes<E: de::Error>(bytes: &[u8]) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Bytes(bytes), Self::KIND))
    }

    /// Reads it from text that lives as long as the input.
    ///
    /// # Errors
    /// If it does not fit.
    fn from_borrowed_str<E: de::Error>(text: &'de str) -> Result<Self, E> {
        Self::from_str(text)
    }

    /// Reads it from text that is gone afterwards.
    ///
    /// # Errors
    /// If it does not fit.
    fn from_str<E: de::Error>(text: &str) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Str(text), Self::KIND))
    }

    /// Reads it from a number.
    ///
    /// # Errors
    /// If it does not fit.
    fn from_u64<E: de::Error>(number: u64) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Unsigned(number), Self::KIND))
    }

    /// Reads it from a signed number.
    ///
    /// # Errors
    /// If it does not fit.
    fn from_i64<E: de::Error>(number: i64) -> Result<Self, E> {
        Err(unfit(de::Unexpected::Signed(number), Self::KIND))
    }
}

#[cold]
fn unfit<E: de::Error>(found: de::Unexpected<'_>, kind: Kind) -> E {
    E::invalid_type(found, &kind.name())
}

/// Reads one of Godot's types.
///
/// # Errors
/// If something else stands there, and those of the deserializer.
#[inline(always)]
pub fn deserialize<'de, T: Native<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(name(T::KIND, T::WIDE), NativeVisitor::new())
}

/// Makes one of Godot's types of whatever form it comes in.
#[derive(Debug)]
pub struct NativeVisitor<T>(PhantomData<T>);

impl<T> NativeVisitor<T> {
    /// For that type.
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
                // Nobody could tell whether something is lost when serde narrows them.
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

/// Reals of 64 bits come where 32 are wanted, and by way of a copy that serde made.
#[cold]
fn too_wide<E: de::Error>(kind: Kind) -> E {
    E::custom(format_args!(
        "the reals of this {kind} have 64 bits; ask for the type of f64"
    ))
}

/// The members of [`Tagged`].
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// `"type"`.
    Type,
    /// `"args"`.
    Args,
    /// `"wide"`.
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

/// The name of a kind that most probably is this one: `None` if it is.
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

/// The value under `"args"`.
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

/// A number of a vector, and how it is read.
pub trait Component: Copy + Default {
    /// Reads the number, or refuses what it cannot hold.
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

/// An `f32`. serde's own makes an infinity of `1e300`; this refuses it.
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

/// What is said of a NodePath with empty names, or with a `/` or `:` in a name: as text it would be another path.
pub const NO_PATH_TEXT: &str =
    "this NodePath has no text that leads back to it: a name in it is empty, or has '/' or ':'";

/// The next of so many parts.
///
/// # Errors
/// If there is none.
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

/// Refuses more parts than a type has.
///
/// # Errors
/// If there is one more.
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

/// All parts, as many as there are.
///
/// # Errors
/// Those of the parts.
pub fn all<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(mut parts: A) -> Result<Vec<T>, A::Error> {
    // Never more than a page on somebody's word.
    let mut all = Vec::with_capacity(parts.size_hint().unwrap_or(0).min(4096));
    while let Some(part) = parts.next_element()? {
        all.push(part);
    }
    Ok(all)
}

/// The only text among the parts.
///
/// # Errors
/// If there is none, or more.
pub fn only_text<'de, A: SeqAccess<'de>>(mut parts: A, kind: Kind) -> Result<String, A::Error> {
    let text = part(&mut parts, 0, kind)?;
    no_more(&mut parts, 1, kind)?;
    Ok(text)
}
