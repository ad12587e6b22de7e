//! [`ElementType`]: the type that a typed container declares (`docs/FORMAT.md` §4.3).

use gdvar_wire::{Flags, Kind};

use crate::{
    bytes::{
        descriptor::{Descriptor, descriptor, pandemonium_descriptor},
        head::StringField,
    },
    value::{string::StrRef, variant::VariantRef},
};

/// The type that a container declares for its elements, keys or values ([`docs/FORMAT.md` §4.3]).
///
/// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ElementType<'a> {
    /// None: values of all types are allowed.
    Untyped,
    /// A type, by its number in the bytes and by its kind. The kind is `None` if the dialect has no such
    /// type; only Pandemonium 5 accepts that.
    Builtin(gdvar_wire::TypeId, Option<Kind>),
    /// Objects of a native class, by its name. The name is `EncodedObjectAsID` if the engine was not
    /// allowed to write objects.
    Class(StrRef<'a>),
    /// Objects with a script, by its `res://` path.
    Script(StrRef<'a>),
}

impl ElementType<'_> {
    /// Returns `true` if a container of this type may hold a value of `kind`. For an
    /// object only the kind is checked, not the class.
    ///
    /// The engines convert or drop a value that does not fit. gdvar keeps it, and strict mode refuses it
    /// ([`docs/FORMAT.md` §6], row 37).
    ///
    /// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
    #[must_use]
    pub fn admits(self, kind: Kind) -> bool {
        match self {
            ElementType::Untyped => true,
            ElementType::Builtin(_, Some(Kind::Object))
            | ElementType::Class(_)
            | ElementType::Script(_) => Kind::Object.holds(kind),
            ElementType::Builtin(_, own) => own.is_some_and(|own| own.holds(kind)),
        }
    }
}

pub(crate) fn element_type<'a>(value: VariantRef<'a>, descriptor: Descriptor) -> ElementType<'a> {
    match descriptor {
        Descriptor::None => ElementType::Untyped,
        Descriptor::Builtin(id) => ElementType::Builtin(id, value.dialect().kind(id)),
        Descriptor::Class(field) => ElementType::Class(field_text(value, field)),
        Descriptor::Script(field) => ElementType::Script(field_text(value, field)),
    }
}

pub(crate) fn field_text(value: VariantRef<'_>, field: StringField) -> StrRef<'_> {
    StrRef::new(field.raw(value.bytes()), field.start, value.options())
}

/// The type descriptors of a container: for its elements or keys, and for its values.
pub(crate) fn descriptors(value: VariantRef<'_>, kind: Kind) -> Option<(Descriptor, Descriptor)> {
    let (bytes, options, header) = (value.bytes(), value.options(), value.header());
    let at = value.offset() + 4;
    match kind {
        Kind::Array | Kind::Dictionary
            if header.flags() != Flags::NONE && options.dialect().has_typed_containers() =>
        {
            let typing = header.flags().element_typing();
            let (first, at) = descriptor(bytes, at, typing, options).ok()?;
            if kind == Kind::Array {
                return Some((first, Descriptor::None));
            }
            let typing = header.flags().value_typing();
            let (second, _) = descriptor(bytes, at, typing, options).ok()?;
            Some((first, second))
        }
        Kind::TypedArray | Kind::PackedTypedArray => {
            let (first, _) = pandemonium_descriptor(bytes, at, header, options).ok()?;
            Some((first, Descriptor::None))
        }
        _ => Some(UNTYPED),
    }
}

/// The descriptors of an untyped container.
pub(crate) const UNTYPED: (Descriptor, Descriptor) = (Descriptor::None, Descriptor::None);
