//! The types that typed containers name for their elements (`docs/FORMAT.md` §4.3).

use gdvar_wire::Kind;

use crate::{
    bytes::{
        descriptor::{Descriptor, descriptor, pandemonium_descriptor},
        head::StringField,
    },
    value::{string::StrRef, variant::VariantRef},
};

/// The type that a typed container names for its elements (`docs/FORMAT.md` §4.3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ElementType<'a> {
    /// Anything.
    Untyped,
    /// Values of a type, by its number; the kind is `None` where the dialect has no such type,
    /// which only Pandemonium 5 lets pass.
    Builtin(gdvar_wire::TypeId, Option<Kind>),
    /// Objects of a native class. `EncodedObjectAsID` where the engine was not allowed to write
    /// objects.
    Class(StrRef<'a>),
    /// Objects with a script, by its path.
    Script(StrRef<'a>),
}

impl ElementType<'_> {
    /// True if a value of that kind may stand in the container. The engines convert or drop
    /// what does not fit; here it is kept and strict mode refuses it (`docs/FORMAT.md` §6, row 37).
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

/// The descriptors of a container: of its elements or keys, and of its values.
pub(crate) fn descriptors(value: VariantRef<'_>, kind: Kind) -> Option<(Descriptor, Descriptor)> {
    let (bytes, options, header) = (value.bytes(), value.options(), value.header());
    let at = value.offset() + 4;
    match kind {
        Kind::Array | Kind::Dictionary if options.dialect().has_typed_containers() => {
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

/// The descriptors of a container without types.
pub(crate) const UNTYPED: (Descriptor, Descriptor) = (Descriptor::None, Descriptor::None);
