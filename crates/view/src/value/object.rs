//! Object: a class name and properties, or an id.

use gdvar_wire::Kind;

use crate::{
    bytes::head::{self, BodyForm, Head, Padding},
    value::{element::field_text, string::StrRef, variant::VariantRef},
};

/// An Object: null, an instance id, or a class name with properties. Never instantiated
/// (`docs/FORMAT.md` §4.4).
#[derive(Clone, Copy, Debug)]
pub struct ObjectRef<'a> {
    value: VariantRef<'a>,
    head: Head,
}

impl<'a> VariantRef<'a> {
    /// An `Object` in any of its forms.
    #[inline]
    #[must_use]
    pub fn as_object(self) -> Option<ObjectRef<'a>> {
        let head = self.head_of(Kind::Object)?;
        Some(ObjectRef::new(self, head))
    }
}

impl<'a> ObjectRef<'a> {
    /// The offset of the name of the first property.
    pub(crate) const fn first(self) -> usize {
        self.head.next
    }

    fn new(value: VariantRef<'a>, head: Head) -> ObjectRef<'a> {
        ObjectRef { value, head }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// True if it reads back as null: id 0, an empty class name, or any object of Godot 2.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.head.form == BodyForm::Leaf && self.id().is_none_or(|id| id == 0)
    }

    /// The instance id, if that is its form. In Godot 4 bit 63 marks reference-counted objects.
    #[must_use]
    pub fn id(self) -> Option<u64> {
        if !self.head.wide {
            return None;
        }
        head::array(self.value.bytes(), self.head.body).map(u64::from_le_bytes)
    }

    /// The class name of a whole object.
    #[must_use]
    pub fn class(self) -> Option<StrRef<'a>> {
        if self.head.form != BodyForm::Properties {
            return None;
        }
        let at = self.value.offset() + 4;
        let options = self.value.options();
        let field = head::string_field(self.value.bytes(), at, options, Padding::Value).ok()?;
        Some(field_text(self.value, field))
    }

    /// The number of properties.
    #[must_use]
    pub const fn len(self) -> usize {
        match self.head.form {
            BodyForm::Properties => self.head.count as usize,
            _ => 0,
        }
    }

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}
