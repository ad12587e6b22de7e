//! Writes the notation without loss, for [`parse_godot`](crate::parse_godot) and the engines.

use gdvar_view::{
    ArrayRef, DictRef, Document, ElementType, Event, Kind, NodePathRef, Objects, StrRef, VariantRef,
};
use gdvar_wire::Notation;

use crate::{
    engine::write_type,
    error::TextError,
    leaf::Leaf,
    number::{NumberText, double_text, real_text},
    packed::elements,
    page::{Page, on_page},
    parse::names::{Manner, is_name},
    sink::Sink,
    string::exact_path_text,
};

type Result = std::result::Result<(), TextError>;

/// Writes a value so that [`parse_godot`](crate::parse_godot), `str_to_var` and `str2var` read back
/// exactly this value, if the notation of the value's dialect can express it. Entries are in wire
/// order, floats have all their digits, and the text is one line.
///
/// For some values no text is read correctly by the engines. These values get forms that
/// [`parse_godot`](crate::parse_godot) reads and the engines refuse:
///
/// | value | text |
/// |---|---|
/// | an element type that is a class whose name is not an identifier, or is the name of another type | `Array[&"A:b"]([])`, `Array[&"int"]([])` |
/// | an object of such a class | `Object(&"A:b", "hp": 3)` |
/// | a NodePath with an empty name, or with `/` or `:` in a name | `NodePath(["a/b"], ["x"], false)` |
/// | a signal with a name or an id | `Signal("hit", 7)` |
/// | a RID of Godot 3, infinity and NaN in its vectors | `RID()`, `1e999`, `nan` |
///
/// A byte order mark in front of a text becomes `\ufeff`. The engines drop it when they read bytes, but
/// read it in text and write it again.
///
/// The text loses the bits of a NaN, the widths of numbers and reals, and forms that no engine
/// writes. If the script of an element type is not a `res://` path, the text names the class
/// `EncodedObjectAsID`, as a reader without permission for objects does. An `Image` or `InputEvent`
/// of Godot 2 becomes a name that no parser accepts.
///
/// | | [`write_exact`] | [`write_line`](crate::write_line) | [`write_godot`](crate::write_godot) |
/// |---|---|---|---|
/// | for | reading back | people | comparing with the engine |
/// | keys | in wire order | in wire order | sorted |
/// | `-0.0`, infinities | kept | as the engine prints them | as the engine prints them |
/// | floats of Godot 3 | all digits | six digits | six digits |
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot, write_exact};
/// use gdvar_view::{Dialect, Document};
///
/// // -0.1 as a Float of Godot 3
/// let bytes = b"\x03\0\x01\0\x9a\x99\x99\x99\x99\x99\xb9\xbf";
/// let mut text = String::new();
/// write_exact(&mut text, Document::new(bytes, Dialect::GODOT_3).root()?)?;
/// assert_eq!(text, "-0.1");
/// assert_eq!(parse_godot(&text, &ParseOptions::new(Dialect::GODOT_3))?.bytes, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`TextError::Read`] if a part cannot be read; some text may have been written then.
/// Returns [`TextError::Fmt`] if the sink fails.
pub fn write_exact<S: Sink + ?Sized>(out: &mut S, value: VariantRef<'_>) -> Result {
    on_page(out, |page| {
        let mut exact = Exact {
            page,
            notation: value.dialect().notation(),
        };
        if !value.has_children() {
            return exact.leaf(Leaf::of(value), value.is_wide());
        }
        // A walk takes much stack, and finding the value's end needs another walk. They are in two
        // functions, so that they do not share a stack frame.
        let document = Document::with_options(value.raw()?, value.options());
        exact.tree(document)
    })
}

/// An open container.
struct ExactContainer {
    close: &'static str,
    /// `true` if keys and values alternate.
    pairs: bool,
    children: usize,
}

struct Exact<'p, 's> {
    page: &'p mut Page<'s>,
    notation: Notation,
}

impl Exact<'_, '_> {
    fn tree(&mut self, document: Document<'_>) -> Result {
        let mut events = document.events();
        let mut open: Vec<ExactContainer> = Vec::new();
        while let Some(event) = events.try_next()? {
            self.page.check()?;
            if matches!(event, Event::End) {
                if let Some(closed) = open.pop() {
                    self.page.text(closed.close);
                }
                continue;
            }
            if let Some(parent) = open.last_mut() {
                let value = parent.pairs && parent.children % 2 == 1;
                let first = parent.children == 0;
                parent.children += 1;
                if value {
                    self.page.text(": ");
                } else if !first {
                    self.page.text(", ");
                }
            }
            match event {
                Event::Property(name) => self.quoted(name)?,
                Event::Value(value) => self.leaf(Leaf::of(value), value.is_wide())?,
                Event::Begin(value) => {
                    let (close, pairs) = self.begin(value)?;
                    open.push(ExactContainer {
                        close,
                        pairs,
                        children: 0,
                    });
                }
                Event::End => {}
            }
        }
        Ok(())
    }

    /// Writes the beginning of a container. Returns the text that ends it, and `true` if it holds
    /// pairs.
    fn begin(
        &mut self,
        value: VariantRef<'_>,
    ) -> std::result::Result<(&'static str, bool), TextError> {
        if let Some(array) = value.as_array() {
            return Ok((self.begin_array(value, array)?, false));
        }
        if let Some(dict) = value.as_dict() {
            return Ok((self.begin_dict(value, dict)?, true));
        }
        self.page.text("Object(");
        if let Some(class) = value.as_object().and_then(|object| object.class()) {
            // `EncodedObjectAsID` would be read as an id.
            self.class(class, |name| is_name(name) && name != "EncodedObjectAsID")?;
        }
        // The comma is written even if there are no properties.
        self.page.text(", ");
        Ok((")", true))
    }

    fn begin_array(
        &mut self,
        value: VariantRef<'_>,
        array: ArrayRef<'_>,
    ) -> std::result::Result<&'static str, TextError> {
        let element = array.element_type();
        if value.kind() == Kind::Array && element == ElementType::Untyped {
            self.page.text("[");
            return Ok("]");
        }
        let packed = value.kind() == Kind::PackedTypedArray;
        self.page.text(if packed {
            "PackedTypedArray["
        } else {
            "Array["
        });
        self.element(value, element)?;
        self.page.text("]([");
        Ok("])")
    }

    fn begin_dict(
        &mut self,
        value: VariantRef<'_>,
        dict: DictRef<'_>,
    ) -> std::result::Result<&'static str, TextError> {
        let (key, item) = (dict.key_type(), dict.value_type());
        if key == ElementType::Untyped && item == ElementType::Untyped {
            self.page.text("{");
            return Ok("}");
        }
        self.page.text("Dictionary[");
        self.element(value, key)?;
        self.page.text(", ");
        self.element(value, item)?;
        self.page.text("]({");
        Ok("})")
    }

    /// Writes an element type. A class is written by its own name, which needs no permission for
    /// objects.
    fn element(&mut self, value: VariantRef<'_>, element: ElementType<'_>) -> Result {
        match element {
            ElementType::Class(name) if !name.as_bytes().is_empty() => {
                let manner = Manner::of(value.dialect());
                let is_class = |name: &str| is_name(name) && manner.is_class(name);
                self.class(name, is_class)
            }
            // Only a reader without permission for objects accepts this path, and it names this
            // class instead.
            ElementType::Script(path) if !path.as_bytes().starts_with(b"res://") => {
                self.page.text("EncodedObjectAsID");
                Ok(())
            }
            ElementType::Script(path) => {
                self.page.text("Resource(");
                self.quoted(path)?;
                self.page.text(")");
                Ok(())
            }
            _ => {
                let options = value.options().with_objects(Objects::Inert);
                write_type(self.page, element, options, self.notation)
            }
        }
    }

    /// Writes the name of a class, in quotes if it would otherwise be read as something else.
    fn class(&mut self, name: StrRef<'_>, is_class: impl Fn(&str) -> bool) -> Result {
        name.check()?;
        match name.to_str() {
            Ok(name) if is_class(name) => self.page.text(name),
            _ => {
                self.page.text("&");
                self.quoted(name)?;
            }
        }
        Ok(())
    }

    /// Writes a path as text. If the text would be read as another path, writes the names of the
    /// path one by one.
    fn node_path(&mut self, path: NodePathRef<'_>) -> Result {
        self.page.text("NodePath(");
        if let Some(text) = path.old_text() {
            self.quoted(text)?;
            self.page.text(")");
            return Ok(());
        }
        if let Some(text) = exact_path_text(path)? {
            self.page.text("\"");
            self.escaped(&text);
            self.page.text("\")");
            return Ok(());
        }
        let parts: std::result::Result<Vec<_>, _> = path.parts().collect();
        let parts = parts?;
        let (names, subnames) = parts.split_at(parts.len().min(path.name_count() as usize));
        for parts in [names, subnames] {
            self.page.text("[");
            for (n, part) in parts.iter().enumerate() {
                self.comma(n);
                self.quoted(*part)?;
            }
            self.page.text("], ");
        }
        let absolute = path.is_absolute();
        self.page.text(if absolute { "true)" } else { "false)" });
        Ok(())
    }

    fn leaf(&mut self, leaf: Leaf<'_>, wide: bool) -> Result {
        match leaf {
            Leaf::Nil | Leaf::NullObject => self.page.text("null"),
            Leaf::Bool(flag) => self.page.text(if flag { "true" } else { "false" }),
            Leaf::Int(int) => self.page.int(int),
            Leaf::Float(float) => self.float(float),
            Leaf::Text(kind, text) => {
                if kind == Kind::StringName {
                    self.page.text("&");
                }
                self.quoted(text)?;
            }
            Leaf::Path(path) => self.node_path(path)?,
            Leaf::Reals(kind, all) => {
                self.page.text(kind.name_in(self.notation));
                self.page.text("(");
                for (n, real) in all.iter().take(kind.component_count()).enumerate() {
                    self.real(n, *real, wide);
                }
                self.page.text(")");
            }
            Leaf::Ints(kind, all) => {
                self.page.text(kind.name_in(self.notation));
                self.page.text("(");
                for (n, int) in all.iter().take(kind.component_count()).enumerate() {
                    self.int(n, i64::from(*int));
                }
                self.page.text(")");
            }
            Leaf::Rid(0) => self.page.text("RID()"),
            Leaf::Rid(id) => {
                self.page.text("RID(");
                self.page.int(id as i64);
                self.page.text(")");
            }
            Leaf::ObjectId(id, _) => {
                self.page.text("Object(EncodedObjectAsID, \"object_id\": ");
                self.page.int(id as i64);
                self.page.text(")");
            }
            Leaf::Callable => self.page.text("Callable()"),
            Leaf::Signal(name, id) if name.as_bytes().is_empty() && id == 0 => {
                self.page.text("Signal()");
            }
            Leaf::Signal(name, id) => {
                self.page.text("Signal(");
                self.quoted(name)?;
                self.page.text(", ");
                self.page.int(id as i64);
                self.page.text(")");
            }
            Leaf::Other(value) => self.packed(value)?,
            // Only conversions create these leaves, and `write_exact` makes no conversions.
            Leaf::PathOfText(_) | Leaf::TextOfPath(_) | Leaf::ArrayOfPacked(_) => {}
        }
        Ok(())
    }

    /// Writes a packed array, or a type of Godot 2 that the notation lacks.
    fn packed(&mut self, value: VariantRef<'_>) -> Result {
        let Some(elements) = elements(value) else {
            // No parser accepts this text, so it cannot be taken for another value.
            self.page.text(value.kind().name());
            self.page.text("()");
            return Ok(());
        };
        let doubles = value.kind() == Kind::PackedFloat64Array || value.is_wide();
        self.page.text(value.kind().name_in(self.notation));
        self.page.text("(");
        for (n, element) in elements.enumerate() {
            match element? {
                Leaf::Text(_, text) => {
                    self.comma(n);
                    self.quoted(text)?;
                }
                Leaf::Float(float) => self.real(n, float, doubles),
                Leaf::Reals(kind, all) => {
                    for (m, real) in all.iter().take(kind.component_count()).enumerate() {
                        self.real(n + m, *real, doubles);
                    }
                }
                Leaf::Ints(kind, all) => {
                    for (m, int) in all.iter().take(kind.component_count()).enumerate() {
                        self.int(n + m, i64::from(*int));
                    }
                }
                Leaf::Int(int) => self.int(n, int),
                _ => {}
            }
        }
        self.page.text(")");
        Ok(())
    }

    fn float(&mut self, float: f64) {
        if float.is_finite() || float.is_nan() {
            self.page.number(&double_text(float));
        } else {
            self.infinity(float);
        }
    }

    /// Writes an infinity. Godot 3 reads a negative infinity only in the form of digits, so both
    /// infinities are written as digits for it.
    fn infinity(&mut self, float: f64) {
        self.page.text(match (self.notation, float > 0.0) {
            (Notation::Godot4, true) => "inf",
            (Notation::Godot4, false) => "-inf",
            (_, true) => "1e999",
            (_, false) => "-1e999",
        });
    }

    /// Writes the comma before component or element `n`, unless it is the first.
    fn comma(&mut self, n: usize) {
        self.page.text(if n > 0 { ", " } else { "" });
    }

    fn int(&mut self, n: usize, int: i64) {
        self.comma(n);
        self.page.int(int);
    }

    fn real(&mut self, n: usize, real: f64, wide: bool) {
        self.comma(n);
        if real.is_infinite() {
            return self.infinity(real);
        }
        if real == 0.0 && real.is_sign_negative() {
            return self.page.text("-0.0");
        }
        let text: NumberText = if wide {
            double_text(real)
        } else {
            // The digits of the value as an `f32`.
            real_text(real, Notation::Godot4)
        };
        let text = text.as_str();
        self.page.text(text.strip_suffix(".0").unwrap_or(text));
    }

    fn quoted(&mut self, text: StrRef<'_>) -> Result {
        text.check()?;
        self.page.text("\"");
        // The engines drop a mark when they read bytes, and keep it when they read text.
        if text.with_mark().as_bytes().len() > text.as_bytes().len() {
            self.page.text("\\ufeff");
        }
        if let Ok(text) = text.to_str() {
            self.escaped(text);
        } else {
            for code in text.codes() {
                match char::from_u32(code) {
                    Some(character) => self.escaped(character.encode_utf8(&mut [0; 4])),
                    None => self.page.text(&format!("\\u{code:04x}")),
                }
            }
        }
        self.page.text("\"");
        Ok(())
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest
            .bytes()
            .position(|b| b < b' ' || b == b'"' || b == b'\\')
        {
            self.page.text(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.page.text("\\\""),
                b'\\' => self.page.text("\\\\"),
                b'\n' => self.page.text("\\n"),
                b'\t' => self.page.text("\\t"),
                b'\r' => self.page.text("\\r"),
                code => self.page.text(&format!("\\u{code:04x}")),
            }
            rest = &rest[at + 1..];
        }
        self.page.text(rest);
    }
}
