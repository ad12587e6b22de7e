//! Describes a value on one line for people: its name, its type, and its content if that is short. Children are not
//! shown; `notation` prints a whole value on one line.

use std::fmt::Write;

use gdvar_view::{
    Dialect, ElementType, Kind, Math, NodePathRef, Numbers, ObjectRef, PathTarget, Step, StrRef,
    VariantRef,
};

use crate::terminal::{
    safe_text::{is_safe, short_name},
    words::{count, plural},
};

/// The limits for how much of a value is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// The largest number of characters of a text.
    pub text: usize,
    /// The largest number of elements of a packed array.
    pub items: usize,
}

impl Cut {
    /// The limits for a line of a tree.
    pub(crate) const LINE: Cut = Cut { text: 60, items: 8 };
    /// No limits.
    pub(crate) const NONE: Cut = Cut {
        text: usize::MAX,
        items: usize::MAX,
    };
}

/// Shortens a name for a message.
pub(crate) fn name(text: StrRef<'_>) -> String {
    let text = String::from_utf8_lossy(text.as_bytes());
    short_name(&text)
}

/// The length of `… 120 000 characters more`.
const ELLIPSIS: usize = 26;

/// Once the elements in a line take this many bytes, no more are added.
const WIDE: usize = 72;

/// Formats a text with quotes, escaped and cut.
pub(crate) fn quoted(text: StrRef<'_>, cut: Cut) -> String {
    let mut out = match text.to_str() {
        Ok(text) => quoted_str(text, cut),
        Err(_) => {
            let text: String = text
                .codes()
                .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect();
            quoted_str(&text, cut)
        }
    };
    let hidden = behind_nul(text);
    if hidden > 0 {
        let _ = write!(out, " (and {} after a NUL)", plural(hidden as u64, "byte"));
    }
    out
}

/// Formats bytes as text, including those that an engine drops.
pub(crate) fn quoted_bytes(bytes: &[u8], cut: Cut) -> String {
    quoted_str(&String::from_utf8_lossy(bytes), cut)
}

/// Returns the number of bytes after the NUL at which the engines end a text. The NUL itself is not counted, because it
/// ends each element of a packed array.
pub(crate) fn behind_nul(text: StrRef<'_>) -> usize {
    let raw = text.raw();
    let end = memchr::memchr(0, raw).map_or(raw.len(), |nul| nul + 1);
    raw.len() - end
}

fn quoted_str(text: &str, cut: Cut) -> String {
    let mut out = String::from("\"");
    // The part that is left out must be longer than the words that say so.
    let short = text
        .chars()
        .nth(cut.text.saturating_add(ELLIPSIS))
        .is_none();
    let shown = if short { usize::MAX } else { cut.text };
    let mut chars = text.chars();
    for c in chars.by_ref().take(shown) {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_safe(c) => out.push(c),
            c if u32::from(c) > 0xffff => {
                let _ = write!(out, "\\U{:06x}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    out.push('"');
    let rest = chars.count();
    if rest > 0 {
        let _ = write!(out, "… {} more", plural(rest as u64, "character"));
    }
    out
}

fn element(of: ElementType<'_>) -> String {
    match of {
        ElementType::Untyped => "Variant".to_owned(),
        ElementType::Builtin(_, Some(kind)) => scalar_name(kind).to_owned(),
        ElementType::Builtin(id, None) => format!("type {id}"),
        ElementType::Class(class) => name(class),
        ElementType::Script(path) => quoted(path, Cut::LINE),
    }
}

/// Returns the name of a value's type in its engine.
pub(crate) fn kind(value: VariantRef<'_>) -> &'static str {
    kind_name(value.dialect(), value.kind())
}

/// Returns the name of a type in the engines of `dialect`: `PoolByteArray` and `Quat` in Godot 3.
pub(crate) fn kind_name(dialect: Dialect, kind: Kind) -> &'static str {
    kind.name_in(dialect.notation())
}

/// Returns the name of a type in scripts: `bool`, `int`, `float`.
pub(crate) fn scalar_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        kind => kind.name(),
    }
}

/// Returns the name of a value's type, including its element types or its class: `Array[int]`, `Object Node2D`.
pub(crate) fn type_of(value: VariantRef<'_>) -> String {
    let untyped = ElementType::Untyped;
    if let Some(array) = value
        .as_array()
        .filter(|array| array.element_type() != untyped)
    {
        return format!("{}[{}]", kind(value), element(array.element_type()));
    }
    if let Some(dict) = value.as_dict() {
        let types = (dict.key_type(), dict.value_type());
        if types != (untyped, untyped) {
            return format!("Dictionary[{}, {}]", element(types.0), element(types.1));
        }
    }
    match value.as_object().and_then(|object| object.class()) {
        Some(class) => format!("Object {}", name(class)),
        None => kind(value).to_owned(),
    }
}

/// Describes a container without its children: `Dictionary(17)`, `Array[int](4)`, `Object Node2D(3)`.
pub(crate) fn head(value: VariantRef<'_>) -> String {
    let named = type_of(value);
    let object = || value.as_object().filter(|object| object.class().is_some());
    let children = (value.as_array().map(|array| array.len()))
        .or_else(|| value.as_dict().map(|dict| dict.len()))
        .or_else(|| object().map(|object| object.len()));
    match (children, value.packed_len()) {
        (Some(len), _) => format!("{named}({})", count(len as u64)),
        (None, Some(len)) => format!("{named}[{}]", count(len as u64)),
        (None, None) => named,
    }
}

/// Formats the components of a vector, matrix or colour, in the order in which Godot prints them. `None` for other
/// values.
pub(crate) fn components(value: VariantRef<'_>) -> Option<Vec<String>> {
    Some(numbers(&Math::of(value)?))
}

fn numbers(math: &Math) -> Vec<String> {
    fn texts<T: Copy>(all: &[T], len: usize, text: fn(T) -> String) -> Vec<String> {
        all.iter().take(len).map(|&number| text(number)).collect()
    }
    match math.numbers() {
        Numbers::Ints(all) => texts(all, math.len(), |number| number.to_string()),
        Numbers::Singles(all) => texts(all, math.len(), real_text),
        Numbers::Doubles(all) => texts(all, math.len(), real_text),
    }
}

/// Formats a number inside a vector: `1` rather than `1.0`.
pub(crate) fn real_text<R: std::fmt::Debug>(real: R) -> String {
    let text = format!("{real:?}").to_lowercase();
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Formats a float so that it looks different from an int. If 32 bits can hold its value, it gets the digits of a
/// 32-bit float.
pub(crate) fn float_text(float: f64) -> String {
    if gdvar_wire::fits_f32(float) {
        format!("{:?}", gdvar_wire::narrow(float))
    } else {
        format!("{float:?}").to_lowercase()
    }
}

fn node_path(path: NodePathRef<'_>, cut: Cut) -> String {
    if let Some(text) = path.old_text() {
        return format!("^{}", quoted(text, cut));
    }
    let part = |text: StrRef<'_>| text.to_str().unwrap_or("?").to_owned();
    let names: Vec<_> = path.names().flatten().map(part).collect();
    let mut text = if path.is_absolute() { "/" } else { "" }.to_owned() + &names.join("/");
    for subname in path.subnames().flatten() {
        text.push(':');
        text.push_str(&part(subname));
    }
    format!("^{}", quoted_str(&text, cut))
}

fn object(object: ObjectRef<'_>) -> String {
    match object.id() {
        _ if object.is_null() => "null".to_owned(),
        Some(id) => format!("Object(id {id})"),
        None => head(object.value()),
    }
}

/// Lists elements of a packed array, up to the limits of `cut`.
fn items(value: VariantRef<'_>, len: usize, cut: Cut) -> String {
    let shown = if len <= cut.items.saturating_add(2) {
        len
    } else {
        cut.items
    };
    let inner = Cut {
        text: if cut.text == usize::MAX { cut.text } else { 24 },
        ..cut
    };
    let mut strings = value.as_strings().map(|strings| strings.iter().flatten());
    let mut out = String::new();
    for n in 0..shown {
        let item = match &mut strings {
            Some(strings) => strings.next().map(Item::Text),
            None => packed_item(value, n),
        };
        if n > 0 {
            out.push_str(", ");
        }
        let item = item.map_or_else(String::new, |item| item.text(inner));
        // Eight vectors are too long for a line. But a short last element takes less room than the words that replace
        // it.
        let more = format!("… {} more", count((len - n) as u64));
        let is_short = n + 1 == len && item.len() <= more.len();
        if cut.items < usize::MAX && out.len() > WIDE && !is_short {
            out.push_str(&more);
            return out;
        }
        out.push_str(&item);
    }
    if shown < len {
        let _ = write!(out, ", … {} more", count((len - shown) as u64));
    }
    out
}

/// A part of a value, such as an element of a packed array or a component.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    Number(String),
    /// A vector, matrix or colour: the name of its type, and its components.
    Vector(&'static str, Vec<String>),
    Text(StrRef<'a>),
}

impl<'a> Item<'a> {
    /// Converts a part to the form that is printed.
    pub(crate) fn of(part: PathTarget<'a>) -> Item<'a> {
        match part {
            PathTarget::Text(text) => Item::Text(text),
            PathTarget::Int(int) => Item::Number(int.to_string()),
            PathTarget::Math(math) if math.len() == 1 => Item::Number(numbers(&math).concat()),
            PathTarget::Math(math) => Item::Vector(math.kind().name(), numbers(&math)),
        }
    }

    /// Formats the part in Godot's notation.
    pub(crate) fn text(&self, cut: Cut) -> String {
        match self {
            Item::Number(number) => number.clone(),
            Item::Vector(name, components) => format!("{name}({})", components.join(", ")),
            Item::Text(text) => quoted(*text, cut),
        }
    }
}

/// Returns one element of a packed array. Takes O(1), or O(n) for strings.
fn packed_item(value: VariantRef<'_>, index: usize) -> Option<Item<'_>> {
    let index = i64::try_from(index).ok()?;
    value.part(Step::Index(index)).map(Item::of)
}

/// Describes a value without its children.
pub(crate) fn leaf(value: VariantRef<'_>, cut: Cut) -> String {
    if let Some(components) = components(value) {
        return format!("{}({})", kind(value), components.join(", "));
    }
    if let Some(len) = value.packed_len() {
        return match len {
            0 => head(value),
            _ => format!("{}({})", head(value), items(value, len, cut)),
        };
    }
    match value.kind() {
        Kind::Nil => "null".to_owned(),
        Kind::Bool => value.as_bool().unwrap_or_default().to_string(),
        Kind::Int => value.as_i64().unwrap_or_default().to_string(),
        Kind::Float => float_text(value.as_f64().unwrap_or_default()),
        Kind::String => value
            .as_text()
            .map_or_else(String::new, |text| quoted(text, cut)),
        Kind::StringName => value
            .as_text()
            .map_or_else(String::new, |text| format!("&{}", quoted(text, cut))),
        Kind::NodePath => value
            .as_node_path()
            .map_or_else(String::new, |path| node_path(path, cut)),
        Kind::Rid => format!("RID({})", value.as_rid().unwrap_or_default()),
        Kind::Object => value.as_object().map_or_else(String::new, object),
        Kind::Callable => "Callable()".to_owned(),
        Kind::Signal => match value.as_signal() {
            Some((name, id)) => format!("Signal({}, object {id})", quoted(name, cut)),
            None => String::new(),
        },
        Kind::Image => match value.as_image() {
            Some(image) => format!(
                "Image({} x {}, format {}, {})",
                image.width,
                image.height,
                image.format,
                plural(image.data.len() as u64, "byte")
            ),
            None => String::new(),
        },
        Kind::InputEvent => match value.as_input_event() {
            Some(event) => format!("InputEvent(kind {}, device {})", event.kind, event.device),
            None => String::new(),
        },
        _ => head(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_escaped() {
        for c in ['\u{1b}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{feff}'] {
            let code = format!("\"a\\u{:04x}b\"", u32::from(c));
            assert_eq!(quoted_str(&format!("a{c}b"), Cut::NONE), code);
        }
        assert_eq!(quoted_str("\u{e0041}", Cut::NONE), "\"\\U0e0041\"");
    }

    #[test]
    fn what_is_left_out_is_longer_than_the_words_about_it() {
        let cut = Cut::LINE;
        for len in 0..200 {
            let text = "x".repeat(len);
            let short = quoted_str(&text, cut);
            assert!(short.chars().count() <= len + 2, "{short}");
        }
        assert!(quoted_str(&"x".repeat(200), cut).ends_with("\"… 140 characters more"));
    }
}
