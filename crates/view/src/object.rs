//! Object: a class name and properties, or an id.

use crate::{
    children::Children,
    cursor::{self, Form, Head, Padding},
    element_type::field_text,
    error::Error,
    text::StrRef,
    variant::VariantRef,
};

/// An Object: null, an instance id, or a class name with properties. Never instantiated
/// (`docs/FORMAT.md` §4.4).
#[derive(Clone, Copy, Debug)]
pub struct ObjectRef<'a> {
    value: VariantRef<'a>,
    head: Head,
}

impl<'a> ObjectRef<'a> {
    pub(crate) fn new(value: VariantRef<'a>, head: Head) -> ObjectRef<'a> {
        ObjectRef { value, head }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Whether it reads back as null: id 0, an empty class name, or any object of Godot 2.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.head.form == Form::Leaf && self.id().is_none_or(|id| id == 0)
    }

    /// The instance id, if that is its form. In Godot 4 bit 63 marks reference-counted objects.
    #[must_use]
    pub fn id(self) -> Option<u64> {
        if !self.head.wide {
            return None;
        }
        cursor::array(self.value.bytes(), self.head.body).map(u64::from_le_bytes)
    }

    /// The class name of a whole object.
    #[must_use]
    pub fn class(self) -> Option<StrRef<'a>> {
        if self.head.form != Form::Properties {
            return None;
        }
        let at = self.value.offset() + 4;
        let options = self.value.options();
        let field = cursor::string_field(self.value.bytes(), at, options, Padding::Value).ok()?;
        Some(field_text(self.value, field))
    }

    /// How many properties.
    #[must_use]
    pub const fn len(self) -> usize {
        match self.head.form {
            Form::Properties => self.head.count as usize,
            _ => 0,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The properties in order.
    #[inline]
    #[must_use]
    pub fn iter(self) -> PropertyIter<'a> {
        PropertyIter(Children::new(self.value, self.head.next, self.len() as u64))
    }

    /// The property of that name: O(n). The last of repeated names wins. `Ok(None)` if there is
    /// none.
    ///
    /// # Errors
    /// Whatever makes a property unreadable.
    pub fn get(self, name: &str) -> Result<Option<VariantRef<'a>>, Error> {
        let mut found = None;
        let mut properties = self.iter();
        while let Some((key, value)) = properties.try_next()? {
            if key == *name {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

impl<'a> IntoIterator for ObjectRef<'a> {
    type Item = Result<(StrRef<'a>, VariantRef<'a>), Error>;
    type IntoIter = PropertyIter<'a>;

    fn into_iter(self) -> PropertyIter<'a> {
        self.iter()
    }
}

/// The properties of an [`ObjectRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct PropertyIter<'a>(pub(crate) Children<'a>);

impl<'a> PropertyIter<'a> {
    /// The next property.
    ///
    /// # Errors
    /// Whatever makes it, or the one before it, unreadable.
    pub fn try_next(&mut self) -> Result<Option<(StrRef<'a>, VariantRef<'a>)>, Error> {
        let Some(name) = self.0.next_name()? else {
            return Ok(None);
        };
        Ok(self.0.next_value()?.map(|value| (name, value)))
    }
}

impl<'a> Iterator for PropertyIter<'a> {
    type Item = Result<(StrRef<'a>, VariantRef<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
