//! Converts bytes to Python's values: one walk with a cursor, without recursion and without an intermediate
//! tree.

use gdvar_view::{Cursor, Document, ElementType, Error, Kind, Math, Packed, StrRef, VariantRef};
use pyo3::{
    prelude::*,
    types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

use crate::{
    error,
    exact::{ExactContainer, has_plain_head, has_text_head, is_canonical, name_bytes},
    math::{from_math, to_math},
    packed::{PackedArray, parts},
    paused::Paused,
    types::{TextCache, Types},
};

/// The options for conversion to Python values.
#[derive(Clone, Copy)]
pub(crate) struct How {
    /// `true` to keep the widths of numbers, and to return a value as bytes if an engine would encode it
    /// differently.
    pub(crate) exact: bool,
}

/// A container that is being read.
struct PartialContainer<'a, 'py> {
    form: ContainerKind<'py>,
    /// The number of values left to read; a pair counts as two.
    left: u64,
    /// The index of the container's first value on the stack of values.
    start: usize,
    /// Only with `exact`.
    exact: Option<ExactContainer<'a>>,
}

enum ContainerKind<'py> {
    /// An array. If it is typed, with the element type and the kind.
    Array(Option<(Bound<'py, PyAny>, Kind)>),
    Dict(Option<PairTypes<'py>>),
    Object(Bound<'py, PyAny>),
}

/// The types of keys and values.
type PairTypes<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

struct Decoder<'a, 'py> {
    py: Python<'py>,
    types: &'py Types,
    cursor: Cursor<'a>,
    owner: &'a Bound<'py, PyBytes>,
    how: How,
    texts: TextCache<'a, 'py>,
    string_names: TextCache<'a, 'py, PyAny>,
    /// The built-in element types of typed containers so far: one object each.
    elements: Vec<(Kind, Bound<'py, PyAny>)>,
    values: Vec<Bound<'py, PyAny>>,
    frames: Vec<PartialContainer<'a, 'py>>,
}

/// The reason why decoding stopped.
pub(crate) enum Stop {
    Read(Error),
    Python(PyErr),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Read(error)
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Python(error)
    }
}

type Result<T> = std::result::Result<T, Stop>;

/// Reads the value at the cursor. Returns the value, and the offset after it. `owner` is the bytes object
/// that the cursor reads.
pub(crate) fn value<'py>(
    py: Python<'py>,
    cursor: Cursor<'_>,
    owner: &Bound<'py, PyBytes>,
    how: How,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let document = Document::with_options(cursor.bytes(), cursor.options());
    let is_root = cursor.offset() == 0;
    let _paused = Paused::new(py, cursor.bytes().len());
    let mut decoder = Decoder {
        py,
        types: Types::get(py)?,
        cursor,
        owner,
        how,
        texts: TextCache::new(),
        string_names: TextCache::new(),
        elements: Vec::new(),
        values: Vec::new(),
        frames: Vec::new(),
    };
    match decoder.run() {
        Ok(value) => Ok((value, decoder.cursor.offset())),
        Err(Stop::Python(error)) => Err(error),
        // Report the error that validation finds first, which may differ from the one found here.
        Err(Stop::Read(error)) => Err(match document.validate() {
            Err(first) if is_root => error::decode(py, document, first),
            _ => error::decode(py, document, error),
        }),
    }
}

impl<'a, 'py> Decoder<'a, 'py> {
    fn run(&mut self) -> Result<Bound<'py, PyAny>> {
        self.one(false)?;
        loop {
            let Some(top) = self.frames.last_mut() else {
                return match self.values.pop() {
                    Some(value) => Ok(value),
                    None => Err(error::decode_message(self.py, "Truncated", String::new()).into()),
                };
            };
            if top.left == 0 {
                self.close()?;
                continue;
            }
            top.left -= 1;
            let is_key = match top.form {
                ContainerKind::Array(_) => false,
                ContainerKind::Dict(_) => top.left & 1 == 1,
                ContainerKind::Object(_) => {
                    self.property()?;
                    false
                }
            };
            self.one(is_key)?;
        }
    }

    /// Reads the name of the next property.
    fn property(&mut self) -> Result<()> {
        let from = self.cursor.offset();
        let name = self.cursor.property()?;
        let name = self.text(name)?;
        let bytes = self.cursor.bytes().get(from..self.cursor.offset());
        if let Some(exact) = self.exact() {
            let text = name.cast::<PyString>().ok();
            let text = text.and_then(|text| text.to_str().ok());
            exact.same &= text.map(name_bytes).as_deref() == bytes;
        }
        self.values.push(name);
        Ok(())
    }

    /// Reads the next value. If it is a container, reads only its header and opens it.
    #[inline]
    fn one(&mut self, is_key: bool) -> Result<()> {
        if self.how.exact {
            return self.any(is_key);
        }
        let py = self.py;
        let value = match self.cursor.common_kind() {
            Some(Kind::Int) => self.cursor.int().map(|int| PyInt::new(py, int).into_any()),
            Some(Kind::Float) => self
                .cursor
                .float()
                .map(|float| PyFloat::new(py, float).into_any()),
            Some(Kind::Bool) => self
                .cursor
                .bool()
                .map(|bool| PyBool::new(py, bool).to_owned().into_any()),
            Some(Kind::String) => match self.cursor.text() {
                Ok(Some(text)) if is_key => Some(self.texts.get(py, text).into_any()),
                Ok(Some(text)) => Some(PyString::new(py, text).into_any()),
                _ => None,
            },
            Some(Kind::Nil) if self.cursor.nil() => Some(py.None().into_bound(py)),
            Some(Kind::Dictionary) if self.is_untyped() => match self.cursor.enter_dict()? {
                Some(count) => {
                    self.enter(ContainerKind::Dict(None), 2 * u64::from(count));
                    return Ok(());
                }
                None => None,
            },
            Some(Kind::Array) => match self.cursor.enter_untyped_array() {
                Some(count) => {
                    self.enter(ContainerKind::Array(None), count.into());
                    return Ok(());
                }
                None => None,
            },
            _ => None,
        };
        match value {
            Some(value) => {
                self.values.push(value);
                Ok(())
            }
            None => self.any(is_key),
        }
    }

    /// Returns `true` if the header consists of nothing but a type number.
    #[inline]
    fn is_untyped(&self) -> bool {
        let bytes = self.cursor.bytes();
        let at = self.cursor.offset();
        matches!(bytes.get(at + 1..at + 4), Some([0, 0, 0]))
    }

    fn enter(&mut self, form: ContainerKind<'py>, left: u64) {
        self.frames.push(PartialContainer {
            form,
            left,
            start: self.values.len(),
            exact: None,
        });
    }

    /// Returns what `exact` has to know about the innermost container.
    fn exact(&mut self) -> Option<&mut ExactContainer<'a>> {
        self.frames.last_mut()?.exact.as_mut()
    }

    /// Reads a value of any type. If it is a container, reads only its header and opens it. This is the
    /// general path of [`Decoder::one`].
    fn any(&mut self, is_key: bool) -> Result<()> {
        let value = self.cursor.value()?;
        if let Some(exact) = self.exact() {
            let (keys, values) = exact.types;
            exact.same &= if is_key { keys } else { values }.admits(value.kind());
        }
        if !value.has_children() {
            self.cursor.skip()?;
            let made = self.leaf(value)?;
            self.values.push(made);
            return Ok(());
        }
        if self.how.exact && !has_plain_head(value, self.cursor.bytes()) || !has_text_head(value)? {
            self.cursor.skip()?;
            let made = self.raw(value)?;
            self.values.push(made);
            return Ok(());
        }
        if let Some(dict) = value.as_dict() {
            let (keys, values) = (dict.key_type(), dict.value_type());
            let types = match (keys, values) {
                (ElementType::Untyped, ElementType::Untyped) => None,
                (keys, values) => Some((self.element(keys)?, self.element(values)?)),
            };
            self.cursor.enter_dict()?;
            self.enter(ContainerKind::Dict(types), 2 * dict.len() as u64);
        } else if let Some(array) = value.as_array() {
            let element = match (value.kind(), array.element_type()) {
                (Kind::Array, ElementType::Untyped) => None,
                (kind, element) => Some((self.element(element)?, kind)),
            };
            self.cursor.enter_array()?;
            self.enter(ContainerKind::Array(element), array.len() as u64);
        } else if let Some(object) = value.as_object() {
            let class = match object.class() {
                Some(class) => self.text(class)?,
                None => self.py.None().into_bound(self.py),
            };
            self.cursor.enter_object()?;
            self.enter(ContainerKind::Object(class), object.len() as u64);
        }
        if self.how.exact {
            if let Some(frame) = self.frames.last_mut() {
                frame.exact = Some(ExactContainer::new(value));
            }
        }
        Ok(())
    }

    /// Closes the innermost container and combines its values.
    fn close(&mut self) -> Result<()> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        self.cursor.leave();
        let py = self.py;
        if let Some(exact) = frame.exact.filter(|exact| !exact.same) {
            self.values.truncate(frame.start);
            let raw = self.whole(exact)?;
            self.values.push(raw);
            return Ok(());
        }
        let made = match frame.form {
            ContainerKind::Array(element) => {
                let list = PyList::new(py, self.values.drain(frame.start..))?;
                match element {
                    None => list.into_any(),
                    Some((element, kind)) => {
                        self.types
                            .array
                            .bind(py)
                            .call1((list, element, kind.name()))?
                    }
                }
            }
            ContainerKind::Dict(types) => self.dict(frame.start, types)?,
            ContainerKind::Object(class) => {
                let properties = PyDict::new(py);
                let mut values = self.values.drain(frame.start..);
                let mut count = 0;
                while let (Some(name), Some(value)) = (values.next(), values.next()) {
                    properties.set_item(name, value)?;
                    count += 1;
                }
                drop(values);
                match frame.exact {
                    // A Python dict cannot hold a name twice.
                    Some(exact) if properties.len() != count => self.whole(exact)?,
                    _ => self.types.object.bind(py).call1((class, properties))?,
                }
            }
        };
        self.values.push(made);
        Ok(())
    }

    /// Returns a container that ends at the cursor as bytes.
    fn whole(&self, exact: ExactContainer<'_>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = self.cursor.bytes().get(exact.start..self.cursor.offset());
        let raw = PyBytes::new(self.py, bytes.unwrap_or_default());
        let raw = (raw, exact.kind.name());
        self.types.raw.bind(self.py).call1(raw)
    }

    fn dict(&mut self, start: usize, types: Option<PairTypes<'py>>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let pairs = self.values.get(start..).unwrap_or_default();
        let count = pairs.len() / 2;
        let dict = PyDict::new(py);
        let mut fits = true;
        for pair in pairs.chunks_exact(2) {
            if let [key, value] = pair {
                fits &= is_key(key) && dict.set_item(key, value).is_ok();
            }
        }
        // The engines also treat repeated texts as one key, and keep the last value.
        let fits = fits && (dict.len() == count || !self.how.exact && are_texts(pairs));
        if fits {
            self.values.truncate(start);
            return match types {
                None => Ok(dict.into_any()),
                Some((keys, values)) => self.types.dictionary.bind(py).call1((dict, keys, values)),
            };
        }
        let list = PyList::empty(py);
        for pair in pairs.chunks_exact(2) {
            list.append(PyTuple::new(py, pair)?)?;
        }
        self.values.truncate(start);
        let (keys, values) =
            types.unwrap_or_else(|| (py.None().into_bound(py), py.None().into_bound(py)));
        self.types.pairs.bind(py).call1((list, keys, values))
    }

    /// Returns the text with its byte order mark if the marks are kept.
    fn as_read(&self, text: StrRef<'a>) -> StrRef<'a> {
        if self.how.exact {
            text.with_mark()
        } else {
            text
        }
    }

    /// Returns a text as a str, or as raw bytes if a str cannot hold it.
    fn text(&mut self, text: StrRef<'a>) -> Result<Bound<'py, PyAny>> {
        let py = self.py;
        match self.as_read(text).to_str() {
            Ok(text) => Ok(self.texts.get(py, text).into_any()),
            Err(_) => raw_text(py, self.types, text),
        }
    }
    fn element(&mut self, element: ElementType<'a>) -> Result<Bound<'py, PyAny>> {
        let (py, class) = (self.py, self.types.element_type.bind(self.py));
        Ok(match element {
            ElementType::Untyped => py.None().into_bound(py),
            ElementType::Builtin(_, Some(kind)) => {
                if let Some((_, made)) = self.elements.iter().find(|(own, _)| *own == kind) {
                    return Ok(made.clone());
                }
                let made = class.call1(("builtin", kind.name()))?;
                self.elements.push((kind, made.clone()));
                made
            }
            ElementType::Builtin(id, None) => class.call1(("builtin", id.to_string()))?,
            ElementType::Class(name) => class.call1(("class", self.text(name)?))?,
            ElementType::Script(path) => class.call1(("script", self.text(path)?))?,
        })
    }

    fn raw(&self, value: VariantRef<'a>) -> Result<Bound<'py, PyAny>> {
        let bytes = value.raw()?;
        Document::with_options(bytes, value.options())
            .validate()
            .map_err(|error| error.at(value.offset()))?;
        let raw = PyBytes::new(self.py, bytes);
        Ok(self
            .types
            .raw
            .bind(self.py)
            .call1((raw, value.kind().name()))?)
    }

    fn leaf(&mut self, value: VariantRef<'a>) -> Result<Bound<'py, PyAny>> {
        let (py, types) = (self.py, self.types);
        if self.how.exact {
            if let Some(number) = self.number(value)? {
                return Ok(number);
            }
            if !is_canonical(value)? {
                return self.raw(value);
            }
        }
        if value.is_nil() {
            return Ok(py.None().into_bound(py));
        }
        if let Some(bool) = value.as_bool() {
            return Ok(PyBool::new(py, bool).to_owned().into_any());
        }
        if let Some(int) = value.as_i64() {
            return Ok(PyInt::new(py, int).into_any());
        }
        if let Some(float) = value.as_f64() {
            return Ok(PyFloat::new(py, float).into_any());
        }
        if let Some(text) = value.as_text() {
            if text.to_str().is_err() {
                text.check()?;
                return self.raw(value);
            }
            return match (value.kind(), self.as_read(text).to_str()) {
                (Kind::StringName, Ok(name)) => {
                    Ok(self.string_names.string_name(py, types, name)?)
                }
                _ => self.text(text),
            };
        }
        if let Some(math) = Math::of(value) {
            let made = from_math(py, &math)?;
            // Python's floats are doubles, which cannot hold a signalling NaN of 32 bits.
            let payload = self
                .cursor
                .bytes()
                .get(value.offset() + 4..)
                .unwrap_or_default();
            let is_same = |(_, bytes, _): (Kind, Vec<u8>, bool)| payload.starts_with(&bytes);
            if self.how.exact && !to_math(&made).is_some_and(is_same) {
                return self.raw(value);
            }
            return Ok(made);
        }
        if let Some(packed) = value.as_packed() {
            return Ok(Bound::new(py, self.packed(value, packed))?.into_any());
        }
        if let Some(strings) = value.as_strings() {
            let mut all = Vec::new();
            for text in strings {
                all.push(self.text(text?)?);
            }
            let all = PyTuple::new(py, all)?;
            return Ok(
                Bound::new(py, crate::packed::PackedStringArray { all: all.unbind() })?.into_any(),
            );
        }
        if let Some(path) = value.as_node_path() {
            let mut names = Vec::new();
            for name in path.parts() {
                names.push(self.text(name?)?);
            }
            let count = path.name_count() as usize;
            let (names, subnames) = names.split_at_checked(count).unwrap_or_default();
            let (names, subnames) = (PyTuple::new(py, names)?, PyTuple::new(py, subnames)?);
            return Ok(types
                .node_path
                .bind(py)
                .call1((names, subnames, path.is_absolute()))?);
        }
        if let Some(id) = value.as_rid() {
            return Ok(types.rid.bind(py).call1((id,))?);
        }
        if let Some((name, id)) = value.as_signal() {
            if name.to_str().is_err() {
                name.check()?;
                return self.raw(value);
            }
            let name = self.text(name)?;
            return Ok(types.signal.bind(py).call1((name, id))?);
        }
        if value.kind() == Kind::Callable {
            return Ok(types.callable.bind(py).call0()?);
        }
        if let Some(id) = value.as_object().and_then(|object| object.id()) {
            return Ok(types.object_id.bind(py).call1((id,))?);
        }
        self.raw(value)
    }

    /// Returns an int or a float with its width. `None` if an engine would encode it differently.
    fn number(&self, value: VariantRef<'a>) -> Result<Option<Bound<'py, PyAny>>> {
        let (py, types) = (self.py, self.types);
        let bits = if value.is_wide() { 64 } else { 32 };
        // A value whose header has unused bits is kept as bytes.
        if value.header().0 & !0x1_00ff != 0 {
            return Ok(None);
        }
        if let Some(int) = value.as_i64() {
            return Ok(Some(types.int.bind(py).call1((int, bits))?));
        }
        match value.as_f64() {
            Some(float) if bits == 32 && float.is_nan() => Ok(None),
            Some(float) => Ok(Some(types.float.bind(py).call1((float, bits))?)),
            None => Ok(None),
        }
    }

    fn packed(&self, value: VariantRef<'a>, packed: Packed<'a>) -> PackedArray {
        let (bytes, item, parts) = parts(packed);
        let start = bytes
            .as_ptr()
            .addr()
            .saturating_sub(self.cursor.bytes().as_ptr().addr());
        PackedArray::new(
            self.owner.clone().unbind(),
            start,
            bytes.len(),
            value.kind(),
            item,
            parts,
        )
    }
}

/// Returns `true` if a Python dict can hold the key without confusing it with another key.
fn is_key(key: &Bound<'_, PyAny>) -> bool {
    // Unhashable keys are found when they are inserted.
    !key.is_instance_of::<PyList>() && !key.is_instance_of::<PyDict>()
}

fn are_texts(pairs: &[Bound<'_, PyAny>]) -> bool {
    pairs
        .iter()
        .step_by(2)
        .all(|key| key.is_exact_instance_of::<PyString>())
}

/// Returns a text that a str cannot hold as raw bytes.
fn raw_text<'py>(py: Python<'py>, types: &Types, text: StrRef<'_>) -> Result<Bound<'py, PyAny>> {
    text.check()?;
    let raw = PyBytes::new(py, text.as_bytes());
    Ok(types.raw.bind(py).call1((raw, "text"))?)
}

/// Returns the name of a property: a str, or raw bytes if a str cannot hold it.
pub(crate) fn property<'py>(
    py: Python<'py>,
    name: StrRef<'_>,
) -> std::result::Result<Bound<'py, PyAny>, Stop> {
    match name.to_str() {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => raw_text(py, Types::get(py)?, name),
    }
}
