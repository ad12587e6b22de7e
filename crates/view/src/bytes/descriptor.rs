//! The element types of a typed Array or Dictionary: the words or names between the header word and the count
//! (`docs/FORMAT.md` §4.3).

use gdvar_wire::{ElementTyping, HeaderWord, Kind, SHARED_BIT, TypeId};

use crate::{
    bytes::{
        field::{Padding, StringField, string_field, word},
        text,
    },
    error::{Error, ErrorKind, NonCanonical},
    options::{Objects, ReadOptions},
};

/// An element type, as the bytes name it (`docs/FORMAT.md` §4.3).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Descriptor {
    None,
    Builtin(TypeId),
    Class(StringField),
    Script(StringField),
}

/// Reads the element type at `at`. Returns it and the offset after it.
pub(crate) fn descriptor(
    bytes: &[u8],
    at: usize,
    typing: ElementTyping,
    options: ReadOptions,
) -> Result<(Descriptor, usize), Error> {
    match typing {
        ElementTyping::None => Ok((Descriptor::None, at)),
        ElementTyping::Builtin => {
            let id = word(bytes, at)?;
            if id >= u32::from(options.dialect().type_count()) {
                return Err(Error::new(at, ErrorKind::BadElementType { id }));
            }
            if id == 0 {
                if options.is_strict() {
                    let what = NonCanonical::UntypedDescriptor;
                    return Err(Error::new(at, ErrorKind::NonCanonical(what)));
                }
                return Ok((Descriptor::None, at + 4));
            }
            Ok((Descriptor::Builtin(TypeId(id as u8)), at + 4))
        }
        ElementTyping::Class => {
            let field = string_field(bytes, at, options, Padding::Value)?;
            if options.is_strict() && text::engine_text(field.raw(bytes)).is_empty() {
                let what = NonCanonical::EmptyClassName;
                return Err(Error::new(at, ErrorKind::NonCanonical(what)));
            }
            Ok((Descriptor::Class(field), field.end))
        }
        ElementTyping::Script => {
            let field = string_field(bytes, at, options, Padding::Value)?;
            // Unless objects are allowed, the engine discards the path without reading it.
            let is_path = || text::engine_text(field.raw(bytes)).starts_with(b"res://");
            if options.objects() == Objects::Inert && !is_path() {
                return Err(Error::new(at, ErrorKind::BadScriptPath));
            }
            Ok((Descriptor::Script(field), field.end))
        }
    }
}

/// Reads the element type of a typed array of Pandemonium 5: a word, and for objects also a StringName value,
/// unless the header says that objects are ids (`docs/FORMAT.md` §4.3). Returns the type and the offset after
/// it.
pub(crate) fn pandemonium_descriptor(
    bytes: &[u8],
    at: usize,
    header: HeaderWord,
    options: ReadOptions,
) -> Result<(Descriptor, usize), Error> {
    let raw = word(bytes, at)?;
    let dialect = options.dialect();
    let strict = options.is_strict();
    if strict && raw & SHARED_BIT != 0 {
        return Err(Error::new(at, ErrorKind::SharedBit));
    }
    let id = raw & !SHARED_BIT;
    let is_object = dialect
        .type_id(Kind::Object)
        .is_some_and(|object| id == u32::from(object.0));
    if is_object && !header.flags().object_as_id() {
        let name = HeaderWord(word(bytes, at + 4)?);
        if dialect.kind(name.type_id()) != Some(Kind::StringName) {
            return Err(Error::new(at + 4, ErrorKind::BadClassName));
        }
        if strict && !dialect.is_canonical_header(name) {
            return Err(Error::new(at + 4, ErrorKind::ReservedBits(name)));
        }
        let field = string_field(bytes, at + 8, options, Padding::Value)?;
        return Ok((Descriptor::Class(field), field.end));
    }
    if strict {
        if header.flags().object_as_id() && !is_object {
            return Err(Error::new(at - 4, ErrorKind::ReservedBits(header)));
        }
        if id >= u32::from(dialect.type_count()) {
            return Err(Error::new(at, ErrorKind::BadElementType { id }));
        }
    }
    let descriptor = match u8::try_from(id) {
        Ok(0) => Descriptor::None,
        // The engine does not check the number. No value fits a type that does not exist.
        Ok(id) => Descriptor::Builtin(TypeId(id)),
        Err(_) => Descriptor::Builtin(TypeId(u8::MAX)),
    };
    Ok((descriptor, at + 4))
}
