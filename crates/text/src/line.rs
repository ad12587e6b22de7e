//! Writes a value on one line, for people.

use gdvar_view::{Document, ElementType, Event, Kind, StrRef, VariantRef};
use gdvar_wire::Notation;

use crate::{
    coerce::Target,
    engine::write_type,
    error::TextError,
    leaf::Leaf,
    number::{float_text, real_text},
    packed::elements,
    page::{Page, on_page},
    sink::Sink,
    string::{Escape, write_escaped, write_path, write_str_ref},
};

/// Options of [`write_line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineOptions {
    notation: Option<Notation>,
    names: Option<Notation>,
    max_len: usize,
    max_children: usize,
}

impl LineOptions {
    /// Creates options that write everything, in the notation of the value's own dialect.
    #[must_use]
    pub const fn new() -> LineOptions {
        LineOptions {
            notation: None,
            names: None,
            max_len: usize::MAX,
            max_children: usize::MAX,
        }
    }

    /// Sets the notation of names and numbers.
    #[must_use]
    pub const fn with_notation(self, notation: Notation) -> LineOptions {
        LineOptions {
            notation: Some(notation),
            ..self
        }
    }

    /// Sets the engine whose type names are written, independently of the notation of numbers:
    /// `PoolByteArray` and `Quat` with all digits, which Godot 3 does not print.
    ///
    /// ```
    /// use gdvar_text::{LineOptions, Notation, write_line};
    /// use gdvar_view::{Dialect, Document};
    ///
    /// // Quat(0.1, 0, 0, 1)
    /// let bytes = b"\x0a\0\0\0\xcd\xcc\xcc\x3d\0\0\0\0\0\0\0\0\0\0\x80\x3f";
    /// let value = Document::new(bytes, Dialect::GODOT_3).root()?;
    /// let options = LineOptions::new().with_notation(Notation::Godot4);
    /// let mut line = String::new();
    /// write_line(&mut line, value, options.with_names(Notation::Godot3_6))?;
    /// assert_eq!(line, "Quat(0.1, 0, 0, 1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_names(self, notation: Notation) -> LineOptions {
        LineOptions {
            names: Some(notation),
            ..self
        }
    }

    /// Limits the length: what follows after `max_len` bytes of text is folded. The text can be a
    /// little longer, because open containers are closed and a number is never cut.
    #[must_use]
    pub const fn with_max_len(self, max_len: usize) -> LineOptions {
        LineOptions { max_len, ..self }
    }

    /// Limits the children: what follows after `max_children` elements, pairs or properties of one
    /// container is folded.
    #[must_use]
    pub const fn with_max_children(self, max_children: usize) -> LineOptions {
        LineOptions {
            max_children,
            ..self
        }
    }
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions::new()
    }
}

/// Writes a value on one line, for people: the engine's notation without line breaks, in wire
/// order, with repeated keys.
///
/// Nothing is sorted, merged or converted: the line shows the bytes, while
/// [`write_godot`](crate::write_godot) shows what the engine makes of them. Line breaks and other
/// characters that would disturb the line are escaped. A limit shortens the text, but not the time
/// to read the value.
///
/// ```
/// use gdvar_text::{LineOptions, write_line};
/// use gdvar_view::{Dialect, Document};
///
/// // {"hp": 80, "pos": Vector2(10, 20)}
/// let bytes = b"\x1b\0\0\0\x02\0\0\0\
///     \x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
///     \x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";
/// let value = Document::new(bytes, Dialect::GODOT_4).root()?;
/// let mut line = String::new();
/// write_line(&mut line, value, LineOptions::new())?;
/// assert_eq!(line, r#"{"hp": 80, "pos": Vector2(10, 20)}"#);
///
/// line.clear();
/// write_line(&mut line, value, LineOptions::new().with_max_children(1))?;
/// assert_eq!(line, r#"{"hp": 80, … 1 more}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`TextError::Read`] if the end of the value cannot be found, or if a part that is shown
/// cannot be read. Some text may have been written then. Returns [`TextError::Fmt`] if the sink
/// fails.
pub fn write_line<S: Sink + ?Sized>(
    out: &mut S,
    value: VariantRef<'_>,
    options: LineOptions,
) -> Result<(), TextError> {
    let notation = options.notation.unwrap_or(value.dialect().notation());
    on_page(out, |page| {
        let mut line = Line {
            page,
            notation,
            names: options.names.unwrap_or(notation),
            options,
            least: 0,
        };
        if !value.has_children() {
            return line.leaf(Leaf::of(value));
        }
        // A walk is large, and finding the value's end takes another one. Two functions keep them
        // out of one stack frame.
        let document = Document::with_options(value.raw()?, value.options());
        line.tree(document, value.offset())
    })
}

/// An open container.
struct LineContainer {
    /// The number of elements, pairs or properties that are not begun yet.
    left: usize,
    shown: usize,
    close: Close,
    pairs: bool,
    /// In a Dictionary, `true` if the key has been written and its value is next.
    at_value: bool,
}

/// The text that ends a container.
#[derive(Clone, Copy)]
enum Close {
    Array,
    TypedArray,
    Dict,
    TypedDict,
    Object,
}

impl Close {
    const fn text(self) -> &'static str {
        match self {
            Close::Array => "]",
            Close::TypedArray => "])",
            Close::Dict => "}",
            Close::TypedDict => "})",
            Close::Object => ")",
        }
    }
}

struct Line<'p, 's> {
    page: &'p mut Page<'s>,
    notation: Notation,
    /// The notation that type names are written in.
    names: Notation,
    options: LineOptions,
    /// The number of bytes of a text that are written even if the line is full.
    least: usize,
}

/// A key or name of up to this length is never cut, because a cut one looks like a damaged value.
const WHOLE_KEY: usize = 40;

impl Line<'_, '_> {
    fn full(&self) -> bool {
        self.page.written() >= self.options.max_len
    }

    fn more(&mut self, count: usize) {
        self.page.text("… ");
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.page.int(count);
        self.page.text(" more");
    }

    #[inline(never)]
    fn tree(&mut self, document: Document<'_>, start: usize) -> Result<(), TextError> {
        let mut events = document.events();
        let mut open: Vec<LineContainer> = Vec::new();
        while let Some(event) = events.try_next().map_err(|error| error.at(start))? {
            self.page.check()?;
            // Writes what precedes a child: a comma, a colon, or the end if the rest is folded.
            if let Some(parent) = open.last_mut() {
                if parent.at_value {
                    parent.at_value = false;
                    if !matches!(event, Event::Property(_)) && parent.pairs {
                        self.page.text(": ");
                    }
                } else if !matches!(event, Event::End) {
                    if parent.shown > 0 {
                        self.page.text(", ");
                    }
                    if parent.shown >= self.options.max_children || self.full() {
                        let (left, close) = (parent.left, parent.close);
                        if self.full() {
                            self.fold_all(&open);
                            return Ok(());
                        }
                        self.more(left);
                        self.page.text(close.text());
                        open.pop();
                        self.pass(&mut events, &event, start)?;
                        continue;
                    }
                    parent.shown += 1;
                    parent.left -= 1;
                    parent.at_value = parent.pairs || matches!(event, Event::Property(_));
                }
                self.least = if parent.at_value { WHOLE_KEY } else { 0 };
            }
            match event {
                Event::Property(name) => {
                    self.quoted(name)?;
                    self.page.text(": ");
                }
                Event::Value(value) => self.leaf(Leaf::of(value))?,
                Event::Begin(value) => open.push(self.begin(value)?),
                Event::End => {
                    if let Some(closed) = open.pop() {
                        self.page.text(closed.close.text());
                    }
                }
            }
        }
        Ok(())
    }

    /// Skips the rest of a container. Its next child has already been reported.
    fn pass(
        &self,
        events: &mut gdvar_view::Events<'_>,
        event: &Event<'_>,
        start: usize,
    ) -> Result<(), TextError> {
        let outside = events.open() - 1 - usize::from(matches!(event, Event::Begin(_)));
        while events.open() > outside {
            events.try_next().map_err(|error| error.at(start))?;
        }
        Ok(())
    }

    /// Closes all open containers, and writes for each how many of its children are not shown.
    fn fold_all(&mut self, open: &[LineContainer]) {
        for (n, container) in open.iter().enumerate().rev() {
            if container.left > 0 {
                // The comma in the innermost container has already been written.
                if n + 1 < open.len() && container.shown > 0 {
                    self.page.text(", ");
                }
                self.more(container.left);
            }
            self.page.text(container.close.text());
        }
    }

    fn begin(&mut self, value: VariantRef<'_>) -> Result<LineContainer, TextError> {
        let mut opened = LineContainer {
            left: 0,
            shown: 0,
            close: Close::Array,
            pairs: false,
            at_value: false,
        };
        if let Some(array) = value.as_array() {
            opened.left = array.len();
            if Target::of(array.element_type()) != Target::Any {
                opened.close = Close::TypedArray;
                self.page.text("Array[");
                self.type_name(value, array.element_type())?;
                self.page.text("](");
            }
            self.page.text("[");
        } else if let Some(dict) = value.as_dict() {
            opened.left = dict.len();
            opened.pairs = true;
            opened.close = Close::Dict;
            let (key, item) = (dict.key_type(), dict.value_type());
            if Target::of(key) != Target::Any || Target::of(item) != Target::Any {
                opened.close = Close::TypedDict;
                self.page.text("Dictionary[");
                self.type_name(value, key)?;
                self.page.text(", ");
                self.type_name(value, item)?;
                self.page.text("](");
            }
            self.page.text("{");
        } else if let Some(object) = value.as_object() {
            opened.left = object.len();
            opened.close = Close::Object;
            self.page.text("Object(");
            if let Some(class) = object.class() {
                write_str_ref(self.page, class, Escape::Line)?;
            }
            if opened.left > 0 {
                self.page.text(", ");
            }
        }
        Ok(opened)
    }

    fn type_name(
        &mut self,
        value: VariantRef<'_>,
        element_type: ElementType<'_>,
    ) -> Result<(), TextError> {
        match element_type {
            // The type as the bytes have it, not as an engine would change it.
            ElementType::Class(name) => write_str_ref(self.page, name, Escape::Line),
            ElementType::Script(path) => self.quoted(path),
            other => write_type(self.page, other, value.options(), self.notation),
        }
    }

    fn quoted(&mut self, text: StrRef<'_>) -> Result<(), TextError> {
        self.page.text("\"");
        let room = self.options.max_len.saturating_sub(self.page.written());
        let room = room.max(self.least);
        match text.to_str() {
            Ok(whole) if whole.len() > room => {
                let end = (0..=room)
                    .rev()
                    .find(|&end| whole.is_char_boundary(end))
                    .unwrap_or(0);
                write_escaped(self.page, &whole[..end], Escape::Line);
                self.page.text("…");
            }
            _ => write_str_ref(self.page, text, Escape::Line)?,
        }
        self.page.text("\"");
        Ok(())
    }

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), TextError> {
        match leaf {
            Leaf::Nil | Leaf::NullObject => self.page.text("null"),
            Leaf::Bool(flag) => self.page.text(if flag { "true" } else { "false" }),
            Leaf::Int(int) => self.page.int(int),
            Leaf::Float(float) => self.page.number(&float_text(float, self.notation)),
            Leaf::Text(kind, text) => {
                if kind == Kind::StringName {
                    self.page.text("&");
                }
                self.quoted(text)?;
            }
            Leaf::Path(path) | Leaf::TextOfPath(path) => {
                self.page.text("NodePath(\"");
                write_path(self.page, path, Escape::Line, self.notation)?;
                self.page.text("\")");
            }
            Leaf::PathOfText(text) => self.quoted(text)?,
            Leaf::Reals(kind, reals) => {
                self.page.text(kind.name_in(self.names));
                self.page.text("(");
                self.reals(&reals[..kind.component_count()]);
                self.page.text(")");
            }
            Leaf::Ints(kind, ints) => {
                self.page.text(kind.name_in(self.names));
                self.page.text("(");
                self.ints(&ints[..kind.component_count()]);
                self.page.text(")");
            }
            Leaf::Rid(0) => self.page.text("RID()"),
            Leaf::Rid(id) => self.number_in("RID(", id),
            Leaf::ObjectId(id, _) => self.number_in("EncodedObjectAsID(", id),
            Leaf::Callable => self.page.text("Callable()"),
            Leaf::Signal(name, id) => {
                self.page.text("Signal(");
                self.page.text(unsigned(id, &mut [0; 20]));
                self.page.text(", ");
                self.quoted(name)?;
                self.page.text(")");
            }
            Leaf::Other(value) | Leaf::ArrayOfPacked(value) => self.packed(value)?,
        }
        Ok(())
    }

    /// Writes the id of an object as an unsigned number, as it is in the bytes.
    fn number_in(&mut self, before: &str, id: u64) {
        self.page.text(before);
        self.page.text(unsigned(id, &mut [0; 20]));
        self.page.text(")");
    }

    fn reals(&mut self, reals: &[f64]) {
        for (n, real) in reals.iter().enumerate() {
            if n > 0 {
                self.page.text(", ");
            }
            self.page.number(&real_text(*real, self.notation));
        }
    }

    fn ints(&mut self, ints: &[i32]) {
        for (n, int) in ints.iter().enumerate() {
            if n > 0 {
                self.page.text(", ");
            }
            self.page.int(i64::from(*int));
        }
    }

    fn packed(&mut self, value: VariantRef<'_>) -> Result<(), TextError> {
        self.page.text(value.kind().name_in(self.names));
        self.page.text("(");
        let count = value.packed_len().unwrap_or(0);
        let Some(elements) = elements(value) else {
            self.page.text(")");
            return Ok(());
        };
        for (n, element) in elements.enumerate() {
            if n > 0 {
                self.page.text(", ");
            }
            if n >= self.options.max_children || self.full() {
                self.more(count - n);
                break;
            }
            match element? {
                Leaf::Int(int) => self.page.int(int),
                Leaf::Float(float) => self.reals(&[float]),
                Leaf::Reals(kind, reals) => self.reals(&reals[..kind.component_count()]),
                Leaf::Ints(kind, ints) => self.ints(&ints[..kind.component_count()]),
                other => self.leaf(other)?,
            }
        }
        self.page.text(")");
        Ok(())
    }
}

fn unsigned(mut number: u64, digits: &mut [u8; 20]) -> &str {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return core::str::from_utf8(&digits[at..]).unwrap_or_default();
        }
    }
}
