//! [`ContainerSerializer`]: writes the children of an open container.

use alloc::{format, string::String};

use gdvar_wire::Kind;
use gdvar_write::{ElementType, Growing, Writer};
use serde_core::{Serialize, ser};

use super::{Output, Result, ValueSerializer};
use crate::Error;

/// An open Array or Dictionary.
pub(crate) struct ContainerSerializer<'w, S: Output> {
    writer: &'w mut Writer<S>,
    /// The position of the count, if the length was unknown when the container began.
    growing: Option<Growing>,
    /// The number of elements or pairs that have begun, for error messages.
    begun: u32,
    /// If the container is the content of a variant, the name of the variant. The Dictionary that
    /// contains it is then open, too.
    variant: Option<&'static str>,
}

/// Returns the path step that leads to a key.
#[cold]
pub(super) fn step(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(is_plain) {
        return format!(".{name}");
    }
    format!("[{name:?}]")
}

impl<'w, S: Output> ContainerSerializer<'w, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(writer: &'w mut Writer<S>) -> ContainerSerializer<'w, S> {
        ContainerSerializer {
            writer,
            growing: None,
            begun: 0,
            variant: None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn array(
        writer: &'w mut Writer<S>,
        len: Option<usize>,
    ) -> Result<ContainerSerializer<'w, S>> {
        let Some(len) = len else {
            let growing = writer.begin_growing_array().map_err(Error::write)?;
            let growing = Some(growing);
            return Ok(ContainerSerializer {
                growing,
                ..ContainerSerializer::new(writer)
            });
        };
        writer.begin_array(len).map_err(Error::write)?;
        Ok(ContainerSerializer::new(writer))
    }

    #[cold]
    pub(super) fn typed_array(
        writer: &'w mut Writer<S>,
        kind: Kind,
        len: Option<usize>,
    ) -> Result<ContainerSerializer<'w, S>> {
        let Some(len) = len else {
            return Err(Error::text("a typed Array needs to know its length first"));
        };
        let element = ElementType::Builtin(kind);
        let begun = writer.begin_typed_array(element, len);
        begun.map_err(Error::write)?;
        Ok(ContainerSerializer::new(writer))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dict(
        writer: &'w mut Writer<S>,
        len: Option<usize>,
    ) -> Result<ContainerSerializer<'w, S>> {
        let Some(len) = len else {
            let growing = writer.begin_growing_dict().map_err(Error::write)?;
            let growing = Some(growing);
            return Ok(ContainerSerializer {
                growing,
                ..ContainerSerializer::new(writer)
            });
        };
        writer.begin_dict(len).map_err(Error::write)?;
        Ok(ContainerSerializer::new(writer))
    }

    /// Creates a serializer for a container that has already begun.
    pub(super) fn begun(writer: &'w mut Writer<S>) -> ContainerSerializer<'w, S> {
        ContainerSerializer::new(writer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_variant(mut self, variant: &'static str) -> ContainerSerializer<'w, S> {
        self.variant = Some(variant);
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let n = self.begun;
        self.begun = n.wrapping_add(1);
        match value.serialize(ValueSerializer::new(self.writer)) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.at(error, &format!("[{n}]"))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.writer.string(name).map_err(Error::write)?;
        match value.serialize(ValueSerializer::new(self.writer)) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.at(error, &step(name))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let n = self.begun;
        self.begun = n.wrapping_add(1);
        match key.serialize(ValueSerializer::new(self.writer)) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.at(error, &format!("{{{n}:key}}"))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match value.serialize(ValueSerializer::new(self.writer)) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.pair_at(error)),
        }
    }

    #[cold]
    #[inline(never)]
    fn pair_at(&self, error: Error) -> Error {
        let n = self.begun.wrapping_sub(1);
        self.at(error, &format!("{{{n}}}"))
    }

    #[cold]
    fn at(&self, error: Error, step: &str) -> Error {
        let error = error.inside(step);
        match self.variant {
            Some(variant) => error.inside(&self::step(variant)),
            None => error,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<()> {
        match self.growing {
            None => self.writer.end().map_err(Error::write)?,
            Some(growing) => {
                self.writer.end_growing(growing).map_err(Error::write)?;
            }
        }
        if self.variant.is_some() {
            self.writer.end().map_err(Error::write)?;
        }
        Ok(())
    }
}

/// Implements serde's traits for sequences and tuples, which are all Arrays.
macro_rules! items {
    ($($kind:ident::$method:ident;)*) => {$(
        impl<S: Output> ser::$kind for ContainerSerializer<'_, S> {
            type Ok = ();
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<()> {
                self.close()
            }
        }
    )*};
}
items! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
    SerializeTupleVariant::serialize_field;
}

impl<S: Output> ser::SerializeMap for ContainerSerializer<'_, S> {
    type Ok = ();
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key(key)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.value(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<()> {
        self.key(key)?;
        match value.serialize(ValueSerializer::new(self.writer)) {
            Ok(()) => Ok(()),
            // A text key says more in the message than its number.
            Err(error) => {
                let name = key.serialize(super::text_only::TextOnly::default()).ok();
                Err(match name.and_then(|name| String::from_utf8(name).ok()) {
                    Some(name) => self.at(error, &step(&name)),
                    None => self.pair_at(error),
                })
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<()> {
        self.close()
    }
}

/// Implements serde's traits for structs, which are Dictionaries with names as keys.
macro_rules! fields {
    ($($kind:ident;)*) => {$(
        impl<S: Output> ser::$kind for ContainerSerializer<'_, S> {
            type Ok = ();
            type Error = Error;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.field(name, value)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<()> {
                self.close()
            }
        }
    )*};
}
fields! { SerializeStruct; SerializeStructVariant; }
