//! [`ObjectRef`]: a class name and properties, or an id.

use gdvar_wire::Kind;

use crate::{
    bytes::head::{self, BodyForm, Head, Padding},
    value::{element::field_text, string::StrRef, variant::VariantRef},
};

/// An Object ([`docs/FORMAT.md` §4.4]): null, an instance id, or a whole object, which is a class name with
/// properties. An `ObjectRef` is inert data; nothing is instantiated or loaded.
///
/// A whole object is refused unless the options allow it: [`Objects::Inert`](crate::Objects::Inert).
///
/// [`docs/FORMAT.md` §4.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#44-object
#[derive(Clone, Copy, Debug)]
pub struct ObjectRef<'a> {
    value: VariantRef<'a>,
    head: Head,
}

impl<'a> VariantRef<'a> {
    /// Returns the value as an Object (null, an id or a whole object), in O(1). `None` for other kinds.
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

    /// The object as a value.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Returns `true` if the engine reads the object as null: id 0, an empty class name, or any object of Godot 2.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.head.form == BodyForm::Leaf && self.id().is_none_or(|id| id == 0)
    }

    /// The instance id; `None` for a whole object. The id means something only in the run of the game that
    /// wrote the bytes. In Godot 4 bit 63 marks reference-counted objects.
    #[must_use]
    pub fn id(self) -> Option<u64> {
        if !self.head.wide {
            return None;
        }
        head::array(self.value.bytes(), self.head.body).map(u64::from_le_bytes)
    }

    /// The class name of a whole object; `None` for null and for an id.
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

    /// The number of properties; 0 for null and for an id.
    #[must_use]
    pub const fn len(self) -> usize {
        match self.head.form {
            BodyForm::Properties => self.head.count as usize,
            _ => 0,
        }
    }

    /// Returns `true` if there are no properties.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}
