//! Elements of packed arrays: little-endian types of alignment 1 and their native counterparts.
//!
//! The types and the supertraits of [`Element`] come from zerocopy. A new major version of zerocopy
//! is therefore a new major version of gdvar; using the types does not require naming zerocopy.

use core::fmt::Debug;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::math::{Color, Vector2, Vector3, Vector4};

/// A little-endian `f32` at any address.
pub type F32 = zerocopy::little_endian::F32;
/// A little-endian `f64` at any address.
pub type F64 = zerocopy::little_endian::F64;
/// A little-endian `i32` at any address.
pub type I32 = zerocopy::little_endian::I32;
/// A little-endian `i64` at any address.
pub type I64 = zerocopy::little_endian::I64;
/// A little-endian `u64` at any address.
pub type U64 = zerocopy::little_endian::U64;

/// An element of a packed array in its wire layout ([`docs/FORMAT.md` §3.4]).
///
/// Elements have alignment 1 because a packed array may begin at any address (§3, rule 3).
///
/// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
pub trait Element:
    FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + Debug + PartialEq + 'static
{
    /// The element in the host's byte order and alignment.
    type Native: FromBytes + Immutable + KnownLayout + Copy + Debug + PartialEq + 'static;

    /// Returns the element in the host's byte order.
    fn get(self) -> Self::Native;

    /// Returns the wire form of a native element.
    fn new(native: Self::Native) -> Self;
}

impl Element for u8 {
    type Native = u8;
    #[inline]
    fn get(self) -> u8 {
        self
    }
    #[inline]
    fn new(native: u8) -> u8 {
        native
    }
}

macro_rules! scalar {
    ($($le:ty => $native:ty),*) => {$(
        impl Element for $le {
            type Native = $native;
            #[inline]
            fn get(self) -> $native {
                <$le>::get(self)
            }
            #[inline]
            fn new(native: $native) -> $le {
                <$le>::new(native)
            }
        }
    )*};
}
scalar!(F32 => f32, F64 => f64, I32 => i32, I64 => i64);

macro_rules! vectors {
    ($($name:ident)*) => {$(
        impl<T: Element> Element for $name<T> {
            type Native = $name<T::Native>;
            #[inline]
            fn get(self) -> Self::Native {
                self.map(T::get)
            }
            #[inline]
            fn new(native: Self::Native) -> Self {
                native.map(T::new)
            }
        }
    )*};
}
vectors! { Vector2 Vector3 Vector4 Color }
