//! Writes a value to the tape that JavaScript reads.

use gdvar_view::{
    Cursor, Document, ElementType, Error, Kind, Math, Mode, Numbers, Packed, Real, StrRef,
    VariantRef,
};

use crate::{
    keys::{Keys, keeps_its_place},
    state::State,
    tape::{cell, op},
};

/// JavaScript decodes text in blocks of this many bytes, and cuts strings out of them. The size is limited
/// because a string keeps its whole block alive.
const BLOCK: usize = (1 << 16) - 1;

/// A text of more bytes stays in the input, and JavaScript decodes it separately.
const LONG: usize = 4096;

/// A text of up to this many bytes is copied without a function call.
const SHORT: usize = 24;

/// A container whose children are being decoded.
pub(crate) struct OpenContainer {
    /// The number of children left to write. A pair counts as two.
    left: u64,
    form: ContainerForm,
    /// The index on the tape of the container's cell.
    at: usize,
    /// The index in `Keys` of the last remembered key of this container. `u32::MAX` before the first.
    last: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum ContainerForm {
    Items,
    /// A Dictionary. So far all its keys can be property names of a JavaScript object.
    Object,
    Pairs,
    Properties,
}

/// Writes a document to the tape of the answer, and returns the size of its value in bytes. This function
/// refuses the same documents as `Document::validate`. In strict mode it calls `validate` first, because only
/// that checks everything. Otherwise each step checks what it reads.
pub(crate) fn decode<'d>(document: Document<'d>, state: &'d mut State) -> Result<usize, Error> {
    if document.options().mode() == Mode::Strict {
        document.validate()?;
    }
    let mut to = OutputTape {
        cells: std::mem::take(&mut state.tape),
        text: std::mem::take(&mut state.out),
        blocks: std::mem::take(&mut state.blocks),
        keys: &mut state.keys,
        input: document.bytes(),
        block: 0,
        start: 0,
        units: 0,
    };
    // A file of small values needs about this number of cells.
    to.cells.reserve(document.bytes().len() / 8);
    let mut cursor = document.cursor();
    let open = &mut state.open;
    open.clear();
    loop {
        // The next item is a key, a property name, or another value.
        let mut is_key = false;
        if let Some(innermost) = open.last_mut() {
            if innermost.left == 0 {
                if innermost.form == ContainerForm::Object {
                    to.cells[innermost.at] += u64::from(op::OBJECT) - u64::from(op::MAP);
                }
                cursor.leave();
                open.pop();
                if open.is_empty() {
                    break;
                }
                continue;
            }
            innermost.left -= 1;
            match innermost.form {
                ContainerForm::Properties if innermost.left % 2 == 1 => {
                    let name = cursor.property()?;
                    to.name(name)?;
                    continue;
                }
                ContainerForm::Object | ContainerForm::Pairs => is_key = innermost.left % 2 == 1,
                _ => {}
            }
            if is_key && to.key(&mut cursor, innermost)? {
                continue;
            }
        }
        if let Some(opened) = to.value(&mut cursor)? {
            open.push(opened);
        }
        if open.is_empty() {
            break;
        }
    }
    to.end_block();
    to.put(op::END, 0, 0);
    (state.tape, state.out, state.blocks) = (to.cells, to.text, to.blocks);
    Ok(cursor.offset())
}

struct OutputTape<'d> {
    cells: Vec<u64>,
    text: Vec<u8>,
    blocks: Vec<u32>,
    keys: &'d mut Keys,
    /// The whole input.
    input: &'d [u8],
    /// The index of the block that is being filled.
    block: u32,
    /// The offset in `text` at which this block starts.
    start: usize,
    /// The number of UTF-16 units in this block.
    units: u32,
}

impl OutputTape<'_> {
    #[inline(always)]
    fn put(&mut self, op: u8, n: u32, hi: u32) {
        self.cells.push(cell(op, n, hi));
    }

    #[inline(always)]
    fn word(&mut self, word: u64) {
        self.cells.push(word);
    }

    /// Reads a key if it is a String. Returns `false` for any other key.
    #[inline(always)]
    fn key(&mut self, cursor: &mut Cursor<'_>, dict: &mut OpenContainer) -> Result<bool, Error> {
        if cursor.common_kind() == Some(Kind::String) {
            if let Some((number, text, plain)) = self.keys.expected(dict.last) {
                if cursor.name(text) {
                    self.put(op::KEY, 0, number);
                    dict.last = number;
                    if !plain {
                        dict.form = ContainerForm::Pairs;
                    }
                    return Ok(true);
                }
            }
            // For a text that only Godot 3's wider rules accept, this fails and does not move the cursor.
            if let Ok(Some(text)) = cursor.text() {
                let plain = match self.keys.number(text, dict.last) {
                    Some((number, plain)) => {
                        self.put(op::KEY, 0, number);
                        dict.last = number;
                        plain
                    }
                    None => {
                        self.str(text);
                        keeps_its_place(text)
                    }
                };
                if !plain {
                    dict.form = ContainerForm::Pairs;
                }
                return Ok(true);
            }
        }
        dict.form = ContainerForm::Pairs;
        Ok(false)
    }

    /// Reads one value. If it is a container, opens and returns it.
    #[inline(always)]
    fn value(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<OpenContainer>, Error> {
        match cursor.common_kind() {
            Some(Kind::Int) => {
                if let Some(int) = cursor.int() {
                    self.int(int);
                    return Ok(None);
                }
            }
            Some(Kind::Float) => {
                if let Some(float) = cursor.float() {
                    self.float(float);
                    return Ok(None);
                }
            }
            Some(Kind::Bool) => {
                if let Some(bool) = cursor.bool() {
                    self.put(if bool { op::TRUE } else { op::FALSE }, 0, 0);
                    return Ok(None);
                }
            }
            Some(Kind::Nil) if cursor.nil() => {
                self.put(op::NIL, 0, 0);
                return Ok(None);
            }
            Some(Kind::String) => {
                if let Ok(Some(text)) = cursor.text() {
                    self.str(text);
                    return Ok(None);
                }
            }
            Some(Kind::Array) => {
                if let Some(count) = cursor.enter_untyped_array() {
                    return Ok(Some(self.open(
                        op::ARRAY,
                        count.into(),
                        ContainerForm::Items,
                    )));
                }
            }
            Some(Kind::Dictionary) => {
                if let Some(count) = cursor.enter_untyped_dict() {
                    let children = 2 * u64::from(count);
                    return Ok(Some(self.open(op::MAP, children, ContainerForm::Object)));
                }
            }
            _ => {}
        }
        self.any(cursor)
    }

    /// Begins an untyped container with `left` children.
    #[inline(always)]
    fn open(&mut self, op: u8, left: u64, form: ContainerForm) -> OpenContainer {
        let at = self.cells.len();
        let count = if form == ContainerForm::Items {
            left
        } else {
            left / 2
        };
        self.put(op, 0, count as u32);
        OpenContainer {
            left,
            form,
            at,
            last: u32::MAX,
        }
    }

    /// Reads any value. This is the general path of `value`, which reads common values itself: null, bools,
    /// ints, floats, Strings and untyped containers.
    #[inline(never)]
    fn any(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<OpenContainer>, Error> {
        let value = cursor.value()?;
        if let Some(opened) = self.begin(value, cursor)? {
            return Ok(Some(opened));
        }
        let mark = self.cells.len();
        if self.leaf(value)?.is_none() {
            self.cells.truncate(mark);
            self.raw(value)?;
        }
        cursor.skip()?;
        Ok(None)
    }

    #[inline(never)]
    fn begin(
        &mut self,
        value: VariantRef<'_>,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<OpenContainer>, Error> {
        let at = self.cells.len();
        let (left, form) = if let Some(array) = value.as_array() {
            let sort = match value.kind() {
                Kind::TypedArray => 1,
                Kind::PackedTypedArray => 2,
                _ => 0,
            };
            let count = array.len() as u32;
            let element = array.element_type();
            if sort == 0 && element == ElementType::Untyped {
                self.put(op::ARRAY, 0, count);
            } else {
                self.put(op::TYPED_ARRAY, sort, count);
                if self.element(element)?.is_none() {
                    self.cells.truncate(at);
                    return Ok(None);
                }
            }
            cursor.enter_array()?;
            (array.len() as u64, ContainerForm::Items)
        } else if let Some(dict) = value.as_dict() {
            let count = dict.len() as u32;
            let (key, of) = (dict.key_type(), dict.value_type());
            let form = if key == ElementType::Untyped && of == ElementType::Untyped {
                self.put(op::MAP, 0, count);
                ContainerForm::Object
            } else {
                self.put(op::TYPED_MAP, 0, count);
                if self.element(key)?.is_none() || self.element(of)?.is_none() {
                    self.cells.truncate(at);
                    return Ok(None);
                }
                ContainerForm::Pairs
            };
            cursor.enter_dict()?;
            (2 * dict.len() as u64, form)
        } else if let Some(object) = value.as_object().filter(|_| value.has_children()) {
            self.put(op::GODOT_OBJECT, 0, object.len() as u32);
            let class = object.class();
            match class {
                Some(class) if as_utf16(class).is_some() => self.text(class)?,
                _ => {
                    self.cells.truncate(at);
                    return Ok(None);
                }
            };
            cursor.enter_object()?;
            (2 * object.len() as u64, ContainerForm::Properties)
        } else {
            return Ok(None);
        };
        Ok(Some(OpenContainer {
            left,
            form,
            at,
            last: u32::MAX,
        }))
    }

    /// Writes an element type. Returns `None` if the type number has no meaning.
    fn element(&mut self, element: ElementType<'_>) -> Result<Option<()>, Error> {
        match element {
            ElementType::Untyped => self.put(op::UNTYPED, 0, 0),
            ElementType::Builtin(_, Some(kind)) => self.put(op::BUILTIN, kind as u32, 0),
            ElementType::Builtin(_, None) => return Ok(None),
            ElementType::Class(name) => {
                self.put(op::CLASS, 0, 0);
                return self.text(name);
            }
            ElementType::Script(path) => {
                self.put(op::SCRIPT, 0, 0);
                return self.text(path);
            }
        }
        Ok(Some(()))
    }

    #[inline(always)]
    fn int(&mut self, int: i64) {
        match i32::try_from(int) {
            Ok(int) => self.put(op::INT, 0, int as u32),
            Err(_) => {
                self.put(op::INT64, 0, 0);
                self.word(int as u64);
            }
        }
    }

    #[inline(always)]
    fn float(&mut self, float: f64) {
        self.cells
            .extend_from_slice(&[cell(op::FLOAT, 0, 0), float.to_bits()]);
    }

    /// Writes a value without children. Returns `None` if JavaScript has no form for it.
    #[inline(never)]
    fn leaf(&mut self, value: VariantRef<'_>) -> Result<Option<()>, Error> {
        let kind = value.kind();
        if let Some(math) = Math::of(value) {
            let len = math.len();
            let wide = u32::from(matches!(math.numbers(), Numbers::Doubles(_)));
            self.put(op::MATH, kind as u32 | wide << 8, len as u32);
            match math.numbers() {
                Numbers::Ints(all) => self.floats(all.get(..len), f64::from),
                Numbers::Singles(all) => self.floats(all.get(..len), f64::from),
                Numbers::Doubles(all) => self.floats(all.get(..len), f64::from),
            }
            return Ok(Some(()));
        }
        match kind {
            Kind::Nil => self.put(op::NIL, 0, 0),
            Kind::Bool => {
                let op = if value.as_bool() == Some(true) {
                    op::TRUE
                } else {
                    op::FALSE
                };
                self.put(op, 0, 0);
            }
            Kind::Int => self.int(value.as_i64().unwrap_or(0)),
            Kind::Float => self.float(value.as_f64().unwrap_or(0.0)),
            Kind::String | Kind::StringName => {
                if kind == Kind::StringName {
                    self.put(op::STRING_NAME, 0, 0);
                }
                let Some(text) = value.as_text() else {
                    return Ok(None);
                };
                return self.text(text);
            }
            Kind::NodePath => return self.node_path(value),
            Kind::Rid => {
                self.put(op::RID, 0, 0);
                self.word(value.as_rid().unwrap_or(0));
            }
            // A whole object whose class is no valid text.
            Kind::Object if value.has_children() => return Ok(None),
            Kind::Object => match value.as_object().and_then(|object| object.id()) {
                Some(id) if id != 0 => {
                    self.put(op::OBJECT_ID, 0, 0);
                    self.word(id);
                }
                _ => self.put(op::NULL_OBJECT, 0, 0),
            },
            Kind::Callable => self.put(op::CALLABLE, 0, 0),
            Kind::Signal => {
                let Some((name, id)) = value.as_signal() else {
                    return Ok(None);
                };
                self.put(op::SIGNAL, 0, 0);
                self.word(id);
                return self.text(name);
            }
            Kind::PackedStringArray => {
                let Some(texts) = value.as_strings() else {
                    return Ok(None);
                };
                self.put(op::PACKED_STRINGS, 0, texts.len() as u32);
                for text in texts {
                    if self.text(text?)?.is_none() {
                        return Ok(None);
                    }
                }
            }
            kind if kind.is_packed() => return self.packed(value),
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    fn floats<T: Copy>(&mut self, all: Option<&[T]>, float: fn(T) -> f64) {
        let all = all.unwrap_or_default();
        let bits = all.iter().map(|&number| float(number).to_bits());
        self.cells.extend(bits);
    }

    fn node_path(&mut self, value: VariantRef<'_>) -> Result<Option<()>, Error> {
        let Some(path) = value.as_node_path() else {
            return Ok(None);
        };
        self.put(op::NODE_PATH, path.is_absolute().into(), path.name_count());
        self.word(path.subname_count().into());
        for name in path.parts() {
            if self.text(name?)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn packed(&mut self, value: VariantRef<'_>) -> Result<Option<()>, Error> {
        let (raw, wide) = match value.as_packed() {
            Some(Packed::Bytes(bytes)) => (bytes, false),
            Some(Packed::Int32(all)) => (all.as_bytes(), false),
            Some(Packed::Int64(all)) => (all.as_bytes(), false),
            Some(Packed::Float32(all)) => (all.as_bytes(), false),
            Some(Packed::Float64(all)) => (all.as_bytes(), false),
            Some(Packed::Vector2(Real::Single(all))) => (all.as_bytes(), false),
            Some(Packed::Vector2(Real::Double(all))) => (all.as_bytes(), true),
            Some(Packed::Vector3(Real::Single(all))) => (all.as_bytes(), false),
            Some(Packed::Vector3(Real::Double(all))) => (all.as_bytes(), true),
            Some(Packed::Vector4(Real::Single(all))) => (all.as_bytes(), false),
            Some(Packed::Vector4(Real::Double(all))) => (all.as_bytes(), true),
            Some(Packed::Vector2i(all)) => (all.as_bytes(), false),
            Some(Packed::Vector3i(all)) => (all.as_bytes(), false),
            Some(Packed::Vector4i(all)) => (all.as_bytes(), false),
            Some(Packed::Color(all)) => (all.as_bytes(), false),
            None => return Ok(None),
        };
        // The elements follow the header and the count.
        let at = value.offset() + 8;
        self.put(op::PACKED, value.kind() as u32, at as u32);
        self.word(raw.len() as u64 | u64::from(wide) << 32);
        Ok(Some(()))
    }

    fn raw(&mut self, value: VariantRef<'_>) -> Result<(), Error> {
        let raw = value.raw()?;
        // The text in it has not been checked yet.
        Document::with_options(raw, value.options()).validate()?;
        let len = raw.len() as u64;
        self.put(op::RAW, value.kind() as u32, value.offset() as u32);
        self.word(len);
        Ok(())
    }

    /// Writes a text of any engine. Returns `None`, with nothing written, if a JavaScript string cannot hold
    /// it.
    #[inline(never)]
    fn text(&mut self, text: StrRef<'_>) -> Result<Option<()>, Error> {
        if let Ok(utf8) = text.to_str() {
            self.str(utf8);
            return Ok(Some(()));
        }
        text.check()?;
        let Some(units) = as_utf16(text) else {
            return Ok(None);
        };
        self.put(op::UTF16, 0, units.len() as u32);
        for four in units.chunks(4) {
            let word = |word, (n, &unit): (usize, &u16)| word | u64::from(unit) << (16 * n);
            self.word(four.iter().enumerate().fold(0, word));
        }
        Ok(Some(()))
    }

    /// Writes the name of a property. One that a JavaScript string cannot hold is written as the bytes of its
    /// length and text, which are a String without its type.
    #[inline(never)]
    fn name(&mut self, name: StrRef<'_>) -> Result<(), Error> {
        if self.text(name)?.is_none() {
            let start = name.offset() as u32 - 4;
            self.put(op::RAW, Kind::String as u32, start);
            self.word(4 + name.raw().len() as u64);
        }
        Ok(())
    }

    /// Writes a UTF-8 text that is a part of the input.
    #[inline(always)]
    fn str(&mut self, text: &str) {
        let offset = text.as_ptr() as usize - self.input.as_ptr() as usize;
        if text.len() > LONG {
            self.put(op::UTF8, 0, offset as u32);
            self.word(text.len() as u64);
            return;
        }
        if self.text.len() - self.start + text.len() > BLOCK {
            self.end_block();
        }
        let units = if text.is_ascii() {
            text.len()
        } else {
            text.encode_utf16().count()
        };
        self.put(op::TEXT, units as u32, self.block << 16 | self.units);
        self.units += units as u32;
        // Most texts are short. Copying a fixed size needs no call, and the surplus is removed afterwards.
        match self.input.get(offset..offset + SHORT) {
            Some(more) if text.len() <= SHORT => {
                let end = self.text.len() + text.len();
                let mut fixed = [0; SHORT];
                fixed.copy_from_slice(more);
                self.text.extend_from_slice(&fixed);
                self.text.truncate(end);
            }
            _ => self.text.extend_from_slice(text.as_bytes()),
        }
    }

    fn end_block(&mut self) {
        self.start = self.text.len();
        self.blocks.push(self.start as u32);
        self.block += 1;
        self.units = 0;
    }
}

/// Converts a text to UTF-16. Returns `None` if the UTF-16 would be read back as another text, or if a code
/// needs more than 16 bits and is no character.
fn as_utf16(text: StrRef<'_>) -> Option<Vec<u16>> {
    let mut units: Vec<u16> = Vec::new();
    for code in text.codes() {
        match char::from_u32(code) {
            Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            None => {
                let unit = u16::try_from(code).ok()?;
                let joins = |high: u16, low: u16| {
                    (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low)
                };
                if units.last().is_some_and(|&last| joins(last, unit)) {
                    return None;
                }
                units.push(unit);
            }
        }
    }
    Some(units)
}
