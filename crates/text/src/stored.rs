//! Writes text for documents: in the engine's layout, without loss.

use gdvar_view::{Document, ElementType, Event, Objects, StrRef, VariantRef};
use gdvar_wire::Notation;

use crate::{
    engine::write_type,
    error::TextError,
    exact::write_exact,
    leaf::Leaf,
    notation::array_brackets,
    page::{Page, on_page},
    parse::{ParseOptions, parse_godot, reference},
    sink::Sink,
    string::{Escape, write_quoted},
    write_leaf::{write_common, write_leaf},
};

type Result = std::result::Result<(), TextError>;

/// Writes a value in the layout of `ConfigFile.save` and `ResourceSaver.save`: each pair of a Dictionary is
/// on its own line, and in Godot 3 there are spaces inside the brackets.
///
/// The text differs from [`write_godot`](crate::write_godot) where the engine's own text loses
/// something. Pairs keep their order, and elements of typed containers are not converted. A number
/// or text that does not read back from the engine's text gets the form of [`write_exact`]. An
/// object that [`ParseOptions::with_references`] made of a reference (class `Resource`,
/// `ExtResource` or `SubResource`) is written as a reference again.
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot, write_stored};
/// use gdvar_view::{Dialect, Document, Objects};
///
/// let options = ParseOptions::new(Dialect::GODOT_3).with_objects(Objects::Inert).with_references(true);
/// let value = parse_godot(r#"{"b":[ExtResource(1)],"a":0.12345678}"#, &options)?;
/// let document = Document::new(&value.bytes, Dialect::GODOT_3).with_objects(Objects::Inert);
/// let mut text = String::new();
/// write_stored(&mut text, document.root()?)?;
/// assert_eq!(text, "{\n\"b\": [ ExtResource( 1 ) ],\n\"a\": 0.12345678\n}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`TextError::Read`] if a part cannot be read; some text may have been written then.
/// Returns [`TextError::Fmt`] if the sink fails.
pub fn write_stored<S: Sink + ?Sized>(out: &mut S, value: VariantRef<'_>) -> Result {
    write(out, value, false)
}

/// Writes a value as [`write_stored`] does, but so that every release of the engine reads it, if a text
/// for that exists. Only infinities of Godot 3 differ: 3.6 reads `inf_neg`, and `inf` in a vector or
/// packed array, but 3.2 refuses the whole file. These become `-1e999` and `1e999`, which both read.
/// No text of a NaN in a vector or packed array is read by 3.2.
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot, write_stored, write_stored_portable};
/// use gdvar_view::{Dialect, Document};
///
/// let value = parse_godot("Vector2( inf, 1 )", &ParseOptions::new(Dialect::GODOT_3))?;
/// let document = Document::new(&value.bytes, Dialect::GODOT_3);
/// let (mut own, mut portable) = (String::new(), String::new());
/// write_stored(&mut own, document.root()?)?;
/// write_stored_portable(&mut portable, document.root()?)?;
/// assert_eq!(own, "Vector2( inf, 1 )");
/// assert_eq!(portable, "Vector2(1e999, 1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`write_stored`].
pub fn write_stored_portable<S: Sink + ?Sized>(out: &mut S, value: VariantRef<'_>) -> Result {
    write(out, value, true)
}

fn write<S: Sink + ?Sized>(out: &mut S, value: VariantRef<'_>, is_portable: bool) -> Result {
    on_page(out, |page| {
        let mut stored = Stored {
            page,
            notation: value.dialect().notation(),
            is_portable,
        };
        if !value.has_children() {
            return stored.leaf(value);
        }
        stored.tree(Document::with_options(value.raw()?, value.options()))
    })
}

/// An open container.
struct Open {
    form: Form,
    close: &'static str,
    children: usize,
}

#[derive(Clone, Copy)]
enum Form {
    Array,
    Dictionary,
    Object,
}

impl Open {
    /// Returns the text that separates the next child from the one before.
    fn separator(&mut self) -> &'static str {
        let count = self.children;
        self.children += 1;
        match self.form {
            Form::Array if count > 0 => ", ",
            Form::Dictionary if count % 2 == 1 => ": ",
            Form::Dictionary if count > 0 => ",\n",
            Form::Object if count % 2 == 1 => ":",
            Form::Object if count > 0 => ",",
            _ => "",
        }
    }
}

struct Stored<'p, 's> {
    page: &'p mut Page<'s>,
    notation: Notation,
    /// True if every release of the engine must read the text.
    is_portable: bool,
}

impl Stored<'_, '_> {
    fn tree(&mut self, document: Document<'_>) -> Result {
        let mut events = document.events();
        let mut open: Vec<Open> = Vec::new();
        while let Some(event) = events.try_next()? {
            self.page.check()?;
            if matches!(event, Event::End) {
                if let Some(closed) = open.pop() {
                    self.page.text(closed.close);
                }
                continue;
            }
            if let Some(parent) = open.last_mut() {
                self.page.text(parent.separator());
            }
            match event {
                Event::Property(name) => write_quoted(self.page, name, Escape::Multiline)?,
                Event::Value(value) => self.leaf(value)?,
                Event::Begin(value) => match self.reference(value)? {
                    true => events.pass_children()?,
                    false => open.push(self.begin(value)?),
                },
                Event::End => {}
            }
        }
        Ok(())
    }

    /// Writes the beginning of a container.
    fn begin(&mut self, value: VariantRef<'_>) -> std::result::Result<Open, TextError> {
        let (form, close) = if let Some(array) = value.as_array() {
            let (begin, end) = array_brackets(self.notation);
            let element = array.element_type();
            if element == ElementType::Untyped {
                self.page.text(begin);
                (Form::Array, end)
            } else {
                self.page.text("Array[");
                self.element(value, element)?;
                self.page.text("]([");
                (Form::Array, "])")
            }
        } else if let Some(dict) = value.as_dict() {
            let (key, item) = (dict.key_type(), dict.value_type());
            let typed = key != ElementType::Untyped || item != ElementType::Untyped;
            if typed {
                self.page.text("Dictionary[");
                self.element(value, key)?;
                self.page.text(", ");
                self.element(value, item)?;
                self.page.text("](");
            }
            let empty = dict.is_empty() && self.notation == Notation::Godot4;
            self.page.text(if empty { "{" } else { "{\n" });
            let close = match (empty, dict.is_empty(), typed) {
                (true, _, true) => "})",
                (true, _, false) | (_, true, false) => "}",
                (_, _, true) => "\n})",
                _ => "\n}",
            };
            (Form::Dictionary, close)
        } else {
            self.page.text("Object(");
            if let Some(class) = value.as_object().and_then(|object| object.class()) {
                crate::string::write_str_ref(self.page, class, Escape::None)?;
            }
            self.page.text(",");
            (Form::Object, ")\n")
        };
        Ok(Open {
            form,
            close,
            children: 0,
        })
    }

    /// Writes an object that represents a reference. Returns `false`, with nothing written, for any other
    /// object.
    fn reference(&mut self, value: VariantRef<'_>) -> std::result::Result<bool, TextError> {
        let Some(object) = value.as_object() else {
            return Ok(false);
        };
        let class = object.class().and_then(|class| class.to_str().ok());
        let Some(class @ ("Resource" | "ExtResource" | "SubResource")) = class else {
            return Ok(false);
        };
        let mut texts = Vec::new();
        let mut properties = object.iter();
        while let Some((name, value)) = properties.try_next()? {
            match (name.to_str(), value.as_text()) {
                (Ok(name), Some(text)) if texts.len() < 2 => texts.push((name, text)),
                _ => return Ok(false),
            }
        }
        let texts: Vec<StrRef<'_>> = match (class, &texts[..]) {
            ("Resource", [("path", path)]) => vec![*path],
            ("Resource", [("uid", uid), ("path", path)]) => vec![*uid, *path],
            ("ExtResource" | "SubResource", [("id", id)]) => vec![*id],
            _ => return Ok(false),
        };
        self.page.text(class);
        self.page.text("(");
        match (self.notation, texts[0].to_str()) {
            (Notation::Godot3_6 | Notation::Godot3_2, Ok(id))
                if class != "Resource" && is_number(id) =>
            {
                self.page.text(" ");
                self.page.text(id);
                self.page.text(" ");
            }
            _ => {
                for (n, text) in texts.iter().enumerate() {
                    self.page.text(if n > 0 { ", " } else { "" });
                    write_quoted(self.page, *text, Escape::Multiline)?;
                }
            }
        }
        self.page.text(")");
        Ok(true)
    }

    /// Writes an element type. If the type is a reference, it is stored as the path of a script.
    fn element(&mut self, value: VariantRef<'_>, element: ElementType<'_>) -> Result {
        if let ElementType::Script(path) = element {
            if let Some((name, id)) = path.to_str().ok().and_then(reference::type_reference) {
                self.page.text(&format!("{name}(\"{id}\")"));
                return Ok(());
            }
        }
        let options = value.options().with_objects(Objects::Inert);
        write_type(self.page, element, options, self.notation)
    }

    /// Writes a value without children as the engine does. If the engine's text would read back as another
    /// value, writes it exactly; also if another release refuses the engine's text, but not the exact one.
    fn leaf(&mut self, value: VariantRef<'_>) -> Result {
        let mut text = String::new();
        on_page(&mut text, |page| {
            match write_common(page, value, self.notation)? {
                true => Ok(()),
                false => write_leaf(page, Leaf::of(value), self.notation),
            }
        })?;
        let options = ParseOptions::new(value.dialect())
            .with_objects(Objects::Inert)
            .with_whole(true);
        let read = parse_godot(&text, &options);
        let is_same = read.is_ok_and(|read| value.raw().is_ok_and(|raw| raw == read.bytes));
        // For Godot 3 these are the rules of 3.2, the strictest release.
        let engine = options.with_engine_rules(true);
        let is_read = |text: &str| !self.is_portable || parse_godot(text, &engine).is_ok();
        if is_same && is_read(&text) {
            self.page.text(&text);
            return Ok(());
        }
        let mut exact = String::new();
        write_exact(&mut exact, value)?;
        self.page.text(match is_same && !is_read(&exact) {
            true => &text,
            false => &exact,
        });
        Ok(())
    }
}

/// Returns `true` for an id that is a number, as Godot 3 assigns them.
fn is_number(id: &str) -> bool {
    let digits = id.bytes().all(|byte| byte.is_ascii_digit());
    digits && !id.is_empty() && id.len() < 10 && (id == "0" || !id.starts_with('0'))
}
