//! Writes the text that the engines print.

use core::fmt;

use gdvar_view::{DictRef, ElementType, Kind, Objects, ReadOptions, StrRef, VariantRef};
use gdvar_wire::Notation;

use crate::{
    coerce::{Target, as_string, coerce, packed_element},
    dict::{SortedEntry, entries, merged},
    error::TextError,
    leaf::Leaf,
    notation::{array_brackets, type_name},
    outline::{Children, Item, Outline},
    page::{Page, on_page},
    shown::Shown,
    sink::Sink,
    string::{Escape, write_escaped, write_quoted, write_str_ref},
    write_leaf::{List, write_common, write_element, write_leaf},
};

/// From Godot 3.6 on, a container inside this many others is printed as if it were empty.
const DEEPEST: usize = 101;

/// Writes the text that `var_to_str` of Godot 4.6 or `var2str` of Godot 3 prints, character for
/// character.
///
/// The text shows what the engine *decodes* from the bytes: repeated keys are merged, dictionary
/// keys are sorted by the engine's comparison, elements that do not fit a typed array are converted
/// or dropped ([`docs/FORMAT.md` §4.3]), and 64-bit components are shown in single precision.
/// Except in Godot 3.2, containers inside 101 others are shown empty. A whole object is printed
/// with the properties in its bytes, where the engine prints all properties of the class.
///
/// Time is linear in the size of the value, plus the sorting of keys. Memory grows by 56 bytes for
/// each child of a container that contains other containers.
///
/// ```
/// use gdvar_text::{Notation, write_godot};
/// use gdvar_view::{Dialect, Document};
///
/// // {"b": [1, 2.0], "a": Vector2(10, 20)}
/// let bytes = b"\x1b\0\0\0\x02\0\0\0\
///     \x04\0\0\0\x01\0\0\0b\0\0\0\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x03\0\0\0\0\0\0\x40\
///     \x04\0\0\0\x01\0\0\0a\0\0\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";
/// let value = Document::new(bytes, Dialect::GODOT_4).root()?;
/// let mut text = String::new();
/// write_godot(&mut text, value, Notation::Godot4)?;
/// assert_eq!(text, "{\n\"a\": Vector2(10, 20),\n\"b\": [1, 2.0]\n}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`TextError::Read`] if any part of the value cannot be read; nothing has been written
/// then. Returns [`TextError::Fmt`] if the sink fails.
///
/// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
pub fn write_godot<S: Sink + ?Sized>(
    out: &mut S,
    value: VariantRef<'_>,
    notation: Notation,
) -> Result<(), TextError> {
    let mut outline = Outline::of(value)?;
    outline.merge_keys(|outline, dict| merged(outline, dict, notation));
    let Some(root) = outline.root() else {
        return Ok(());
    };
    on_page(out, |page| {
        let mut printer = Printer {
            page,
            outline: &outline,
            notation,
            options: value.options(),
            open: Vec::new(),
        };
        printer.value(Shown::of(root))?;
        while !printer.open.is_empty() {
            printer.step()?;
            printer.page.check()?;
        }
        Ok(())
    })
}

/// Displays a value as [`write_godot`] writes it. If the bytes cannot be read, displaying fails.
#[derive(Clone, Copy, Debug)]
pub struct Godot<'a> {
    value: VariantRef<'a>,
    notation: Notation,
}

impl<'a> Godot<'a> {
    /// Creates a `Display` of `value` in the notation of its own dialect.
    #[must_use]
    pub fn new(value: VariantRef<'a>) -> Godot<'a> {
        Godot {
            value,
            notation: value.dialect().notation(),
        }
    }

    /// Displays the value in another notation.
    #[must_use]
    pub const fn with_notation(self, notation: Notation) -> Godot<'a> {
        Godot { notation, ..self }
    }
}

impl fmt::Display for Godot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_godot(f, self.value, self.notation).map_err(|_| fmt::Error)
    }
}

/// An open container.
enum EngineContainer<'o, 'a> {
    Array {
        children: Children<'o, 'a>,
        target: Target,
        first: bool,
        typed: bool,
    },
    Dict {
        entries: std::vec::IntoIter<SortedEntry<'a>>,
        target: Target,
        /// The entry whose key was written and whose value is next.
        value: Option<SortedEntry<'a>>,
        first: bool,
        typed: bool,
    },
    Object {
        children: Children<'o, 'a>,
        first: bool,
    },
}

struct Printer<'p, 's, 'o, 'a> {
    page: &'p mut Page<'s>,
    outline: &'o Outline<'a>,
    notation: Notation,
    options: ReadOptions,
    open: Vec<EngineContainer<'o, 'a>>,
}

impl<'a> Printer<'_, '_, '_, 'a> {
    fn too_deep(&self) -> bool {
        self.notation != Notation::Godot3_2 && self.open.len() >= DEEPEST
    }

    /// Writes a value without conversion. Of a container, writes only the beginning.
    fn item(&mut self, item: Item<'a>) -> Result<(), TextError> {
        if write_common(self.page, item.value, self.notation)? {
            return Ok(());
        }
        self.value(Shown::of(item))
    }

    /// Writes a value. Of a container, writes only the beginning.
    fn value(&mut self, value: Shown<'a>) -> Result<(), TextError> {
        match value {
            Shown::Leaf(leaf) => {
                if let (Leaf::ObjectId(..), true) = (leaf, self.too_deep()) {
                    self.page.text("null");
                    return Ok(());
                }
                write_leaf(self.page, leaf, self.notation)
            }
            Shown::PackedFrom(kind, item) => {
                let mut children = self.outline.children(item);
                let mut list = List::constructor(self.page, self.notation, kind);
                let escape = Escape::short(self.notation);
                while let Some(child) = children.next() {
                    if let (Kind::PackedStringArray, Some(text)) =
                        (kind, as_string(Shown::of(child)))
                    {
                        list.comma();
                        list.page.text("\"");
                        write_escaped(list.page, &text, escape);
                        list.page.text("\"");
                        continue;
                    }
                    let element = packed_element(Shown::of(child), kind);
                    write_element(&mut list, element, escape, self.notation)?;
                }
                list.end();
                Ok(())
            }
            Shown::Tree(item) => {
                if let Some(array) = item.value.as_array() {
                    self.begin_array(item, array.element_type())
                } else if let Some(dict) = item.value.as_dict() {
                    self.begin_dict(item, dict)
                } else {
                    self.begin_object(item)
                }
            }
        }
    }

    fn begin_array(
        &mut self,
        item: Item<'a>,
        element_type: ElementType<'a>,
    ) -> Result<(), TextError> {
        let target = Target::of(element_type);
        let typed = target != Target::Any;
        if typed {
            self.page.text("Array[");
            write_type(self.page, element_type, self.options, self.notation)?;
            self.page.text("](");
        }
        if self.too_deep() {
            self.page.text(if typed { "[])" } else { "[]" });
            return Ok(());
        }
        self.page.text(array_brackets(self.notation).0);
        let children = self.outline.children(item);
        self.open.push(EngineContainer::Array {
            children,
            target,
            first: true,
            typed,
        });
        Ok(())
    }

    fn begin_dict(&mut self, item: Item<'a>, dict: DictRef<'a>) -> Result<(), TextError> {
        let (key, value) = (dict.key_type(), dict.value_type());
        let typed = Target::of(key) != Target::Any || Target::of(value) != Target::Any;
        if typed {
            self.page.text("Dictionary[");
            write_type(self.page, key, self.options, self.notation)?;
            self.page.text(", ");
            write_type(self.page, value, self.options, self.notation)?;
            self.page.text("](");
        }
        if self.too_deep() {
            self.page.text(if typed { "{})" } else { "{}" });
            return Ok(());
        }
        let target = Target::of(key);
        let entries = entries(self.outline, item, target, self.notation);
        if entries.is_empty() {
            self.page.text(match self.notation {
                Notation::Godot4 => "{}",
                Notation::Godot3_6 => "{\n}",
                Notation::Godot3_2 => "{\n\n}",
            });
            self.page.text(if typed { ")" } else { "" });
            return Ok(());
        }
        self.page.text("{\n");
        self.open.push(EngineContainer::Dict {
            entries: entries.into_iter(),
            target,
            value: None,
            first: true,
            typed,
        });
        Ok(())
    }

    fn begin_object(&mut self, item: Item<'a>) -> Result<(), TextError> {
        if self.too_deep() {
            self.page.text("null");
            return Ok(());
        }
        self.page.text("Object(");
        if let Some(class) = item.value.as_object().and_then(|object| object.class()) {
            write_str_ref(self.page, class, Escape::None)?;
        }
        self.page.text(",");
        let children = self.outline.children(item);
        self.open.push(EngineContainer::Object {
            children,
            first: true,
        });
        Ok(())
    }

    /// Writes the next child of the innermost container, or its end.
    fn step(&mut self) -> Result<(), TextError> {
        match self.open.last_mut() {
            None => Ok(()),
            Some(EngineContainer::Array {
                children,
                target,
                first,
                typed,
            }) => {
                while let Some(child) = children.next() {
                    let common = target.keeps(child.value.kind());
                    let shown = if common {
                        None
                    } else {
                        match coerce(Shown::of(child), *target) {
                            None => continue,
                            shown => shown,
                        }
                    };
                    if !core::mem::take(first) {
                        self.page.text(", ");
                    }
                    return match shown {
                        Some(shown) => self.value(shown),
                        None => self.item(child),
                    };
                }
                let typed = *typed;
                self.open.pop();
                self.page.text(array_brackets(self.notation).1);
                self.page.text(if typed { ")" } else { "" });
                Ok(())
            }
            Some(EngineContainer::Dict {
                entries,
                target,
                value,
                first,
                typed,
            }) => {
                if let Some(entry) = value.take() {
                    self.page.text(": ");
                    return match entry.value() {
                        Some(value) => self.item(value),
                        None => {
                            self.page.text("null");
                            Ok(())
                        }
                    };
                }
                if let Some(entry) = entries.next() {
                    let (key, target) = (entry.raw_key(), *target);
                    *value = Some(entry);
                    if !core::mem::take(first) {
                        self.page.text(",\n");
                    }
                    return if target.keeps(key.value.kind()) {
                        self.item(key)
                    } else {
                        self.value(entry.key(target))
                    };
                }
                let typed = *typed;
                self.open.pop();
                self.page.text(if typed { "\n})" } else { "\n}" });
                Ok(())
            }
            Some(EngineContainer::Object { children, first }) => {
                let Some((name, child)) = children.next_property() else {
                    self.open.pop();
                    self.page.text(")\n");
                    return Ok(());
                };
                if !core::mem::take(first) {
                    self.page.text(",");
                }
                let mut script = false;
                if let Some(name) = name {
                    script = name == *"script";
                    // The engines do not escape property names.
                    write_quoted(self.page, name, Escape::None)?;
                    self.page.text(":");
                }
                match child.value.as_text() {
                    // In the bytes a script is a path. In the engine it is a resource.
                    Some(path) if script && self.notation == Notation::Godot4 => {
                        write_resource(self.page, path)
                    }
                    _ => self.value(Shown::of(child)),
                }
            }
        }
    }
}

fn write_resource(page: &mut Page<'_>, path: StrRef<'_>) -> Result<(), TextError> {
    page.text("Resource(");
    write_quoted(page, path, Escape::Multiline)?;
    page.text(")");
    Ok(())
}

/// Writes the element type of a container. Without permission to create objects, the engine
/// replaces every class by `EncodedObjectAsID` (`docs/FORMAT.md` §4.3).
pub(crate) fn write_type(
    page: &mut Page<'_>,
    element_type: ElementType<'_>,
    options: ReadOptions,
    notation: Notation,
) -> Result<(), TextError> {
    let whole = options.objects() == Objects::Inert;
    match element_type {
        ElementType::Untyped => page.text("Variant"),
        ElementType::Builtin(_, Some(kind)) if Target::of(element_type) != Target::Object => {
            page.text(type_name(notation, kind));
        }
        ElementType::Builtin(_, None) => page.text("<unknown>"),
        _ if !whole => page.text("EncodedObjectAsID"),
        ElementType::Builtin(..) => page.text("Object"),
        ElementType::Class(name) if name.as_bytes().is_empty() => page.text("Object"),
        ElementType::Class(name) => write_str_ref(page, name, Escape::None)?,
        ElementType::Script(path) => write_resource(page, path)?,
    }
    Ok(())
}
