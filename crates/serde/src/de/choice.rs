//! Reads enums: the name of a variant, alone or as the only key of a Dictionary.

use serde_core::{
    Deserializer,
    de::{self, DeserializeSeed, EnumAccess, VariantAccess, Visitor},
};

use super::{ValueDeserializer, borrowed};
use crate::Error;

/// The name of a variant without content.
pub(super) struct Named<'de>(pub(super) &'de str);

impl<'de> EnumAccess<'de> for Named<'de> {
    type Error = Error;
    type Variant = Nothing;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Nothing), Error> {
        Ok((seed.deserialize(borrowed(self.0))?, Nothing))
    }
}

/// The `VariantAccess` of a variant that is stored as a name alone. Only a unit variant can be read
/// from it.
pub(super) struct Nothing;

#[cold]
fn lacks_content(expected: &str) -> Error {
    de::Error::invalid_type(
        de::Unexpected::Other(
            "nothing but its name; it belongs into a Dictionary, as the only key",
        ),
        &expected,
    )
}

impl<'de> VariantAccess<'de> for Nothing {
    type Error = Error;

    #[inline]
    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        Err(lacks_content("the content of a variant"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(lacks_content("the content of a tuple variant"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        Err(lacks_content("the fields of a struct variant"))
    }
}

/// The only pair of a Dictionary: the name of a variant, and its content.
pub(super) struct Single<'r, 'de>(pub(super) &'r mut ValueDeserializer<'de>);

impl<'r, 'de> EnumAccess<'de> for Single<'r, 'de> {
    type Error = Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant = self.0.give(seed)?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Single<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        // Some writers write a unit variant with null as its content.
        self.0.give(core::marker::PhantomData::<()>)
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.0.give(seed)
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        let before = self.0.serial.left();
        self.0
            .deserialize_seq(visitor)
            .map_err(|error| error.or_at(self.0.serial.offset_of(before)))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let before = self.0.serial.left();
        self.0
            .deserialize_struct("", fields, visitor)
            .map_err(|error| error.or_at(self.0.serial.offset_of(before)))
    }
}
