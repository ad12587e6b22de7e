//! Writes values without children, including packed arrays, as the engines do.

use gdvar_view::{Kind, Packed, VariantRef};
use gdvar_wire::Notation;

use crate::{
    error::TextError,
    leaf::Leaf,
    notation::{array_brackets, parentheses},
    number::{NumberText, float_text, int_text, real_text},
    packed::elements,
    page::Page,
    string::{Escape, write_parsed_path, write_path, write_quoted},
};

/// Writes a value of a common kind exactly as the engine does. Returns `false`, with nothing
/// written, for other kinds.
pub(crate) fn write_common(
    page: &mut Page<'_>,
    value: VariantRef<'_>,
    notation: Notation,
) -> Result<bool, TextError> {
    match value.kind() {
        Kind::Nil => page.text("null"),
        Kind::Bool | Kind::Int | Kind::Float => {
            if let Some(int) = value.as_i64() {
                page.int(int);
            } else if let Some(float) = value.as_f64() {
                page.number(&float_text(float, notation));
            } else if let Some(flag) = value.as_bool() {
                page.text(if flag { "true" } else { "false" });
            } else {
                return Ok(false);
            }
        }
        Kind::String => match value.as_text() {
            Some(text) => write_quoted(page, text, Escape::Multiline)?,
            None => return Ok(false),
        },
        Kind::StringName => match value.as_text() {
            Some(text) => {
                page.text("&");
                write_quoted(page, text, Escape::short(notation))?;
            }
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes a leaf exactly as the engine does.
pub(crate) fn write_leaf(
    page: &mut Page<'_>,
    leaf: Leaf<'_>,
    notation: Notation,
) -> Result<(), TextError> {
    let short = Escape::short(notation);
    match leaf {
        Leaf::Nil | Leaf::NullObject => page.text("null"),
        Leaf::Bool(value) => page.text(if value { "true" } else { "false" }),
        // The engines also print the numbers of objects and RIDs as signed.
        Leaf::Int(value) => page.int(value),
        Leaf::Float(value) => page.number(&float_text(value, notation)),
        Leaf::Text(Kind::StringName, text) => {
            page.text("&");
            write_quoted(page, text, short)?;
        }
        Leaf::Text(_, text) => write_quoted(page, text, Escape::Multiline)?,
        Leaf::TextOfPath(path) => {
            page.text("\"");
            write_path(page, path, Escape::Multiline, notation)?;
            page.text("\"");
        }
        Leaf::PathOfText(text) => {
            page.text("NodePath(\"");
            write_parsed_path(page, text, short)?;
            page.text("\")");
        }
        Leaf::Path(path) => {
            page.text("NodePath(\"");
            write_path(page, path, short, notation)?;
            page.text("\")");
        }
        Leaf::Reals(kind, reals) => {
            let mut list = List::constructor(page, notation, kind);
            for real in reals.iter().take(kind.component_count()) {
                list.number(&real_text(*real, notation));
            }
            list.end();
        }
        Leaf::Ints(kind, ints) => {
            let mut list = List::constructor(page, notation, kind);
            for int in ints.iter().take(kind.component_count()) {
                list.int(i64::from(*int));
            }
            list.end();
        }
        // Godot 3 prints nothing for a RID.
        Leaf::Rid(_) if notation != Notation::Godot4 => {}
        Leaf::Rid(0) => page.text("RID()"),
        Leaf::Rid(id) => {
            page.text("RID(");
            page.int(id as i64);
            page.text(")");
        }
        Leaf::ObjectId(id, _) => {
            page.text("Object(EncodedObjectAsID,\"object_id\":");
            page.int(id as i64);
            page.text(",\"script\":null)\n");
        }
        Leaf::Callable => page.text("Callable()"),
        Leaf::Signal(..) => page.text("Signal()"),
        Leaf::Other(value) => write_packed(page, value, notation)?,
        Leaf::ArrayOfPacked(value) => write_packed_as_array(page, value, notation)?,
    }
    Ok(())
}

/// Writes a list: items with commas between them, in parentheses or brackets.
pub(crate) struct List<'p, 's> {
    pub(crate) page: &'p mut Page<'s>,
    close: &'static str,
    first: bool,
}

impl<'p, 's> List<'p, 's> {
    /// Writes the beginning of a constructor, such as `Vector2(`.
    pub(crate) fn constructor(page: &'p mut Page<'s>, notation: Notation, kind: Kind) -> Self {
        let (open, close) = parentheses(notation);
        page.text(kind.name_in(notation));
        page.text(open);
        List {
            page,
            close,
            first: true,
        }
    }

    /// Writes the beginning of an array, `[`.
    pub(crate) fn array(page: &'p mut Page<'s>, notation: Notation) -> Self {
        let (open, close) = array_brackets(notation);
        page.text(open);
        List {
            page,
            close,
            first: true,
        }
    }

    pub(crate) fn comma(&mut self) {
        if !self.first {
            self.page.text(", ");
        }
        self.first = false;
    }

    pub(crate) fn int(&mut self, int: i64) {
        self.comma();
        self.page.int(int);
    }

    pub(crate) fn number(&mut self, number: &NumberText) {
        self.comma();
        self.page.number(number);
    }

    pub(crate) fn end(self) {
        self.page.text(self.close);
    }
}

/// Writes one element of a packed array: bare components, without a constructor.
pub(crate) fn write_element(
    list: &mut List<'_, '_>,
    element: Leaf<'_>,
    escape: Escape,
    notation: Notation,
) -> Result<(), TextError> {
    match element {
        Leaf::Int(int) => list.int(int),
        Leaf::Float(float) => list.number(&real_text(float, notation)),
        Leaf::Reals(kind, reals) => {
            for real in reals.iter().take(kind.component_count()) {
                list.number(&real_text(*real, notation));
            }
        }
        Leaf::Ints(kind, ints) => {
            for int in ints.iter().take(kind.component_count()) {
                list.int(i64::from(*int));
            }
        }
        Leaf::Text(_, text) => {
            list.comma();
            write_quoted(list.page, text, escape)?;
        }
        other => {
            list.comma();
            write_leaf(list.page, other, notation)?;
        }
    }
    Ok(())
}

/// Writes bytes as decimal numbers.
fn write_bytes(list: &mut List<'_, '_>, bytes: &[u8]) {
    let words: [NumberText; 256] = core::array::from_fn(|byte| int_text(byte as i64));
    for byte in bytes {
        list.number(&words[usize::from(*byte)]);
    }
}

/// Writes a packed array. Of a type that only Godot 2 has, writes the name without content.
pub(crate) fn write_packed(
    page: &mut Page<'_>,
    value: VariantRef<'_>,
    notation: Notation,
) -> Result<(), TextError> {
    let mut list = List::constructor(page, notation, value.kind());
    if let Some(Packed::Bytes(bytes)) = value.as_packed() {
        write_bytes(&mut list, bytes);
    } else {
        let escape = Escape::short(notation);
        for element in elements(value).into_iter().flatten() {
            write_element(&mut list, element?.narrowed(), escape, notation)?;
        }
    }
    list.end();
    Ok(())
}

/// Writes a packed array that the engine has converted to an Array.
pub(crate) fn write_packed_as_array(
    page: &mut Page<'_>,
    value: VariantRef<'_>,
    notation: Notation,
) -> Result<(), TextError> {
    let mut list = List::array(page, notation);
    for element in elements(value).into_iter().flatten() {
        list.comma();
        write_leaf(list.page, element?.narrowed(), notation)?;
    }
    list.end();
    Ok(())
}
