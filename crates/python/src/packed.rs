//! Packed arrays: views of the bytes that they were read from.

use gdvar_view::{
    F32, F64, I32, I64, Kind, Packed, Real,
    layout::{self, Number},
    math,
};
use gdvar_write::{Error, Writer};
use pyo3::{
    exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError},
    ffi as python,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyFloat, PyInt, PyList, PySlice, PyTuple},
};

use crate::{
    buffer,
    ffi::{self, Layout},
    range,
};

/// The type of the numbers in a packed array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumberType {
    Byte,
    Int32,
    Int64,
    Float32,
    Float64,
}

impl NumberType {
    pub(crate) const fn size(self) -> usize {
        match self {
            NumberType::Byte => 1,
            NumberType::Int32 | NumberType::Float32 => 4,
            NumberType::Int64 | NumberType::Float64 => 8,
        }
    }

    /// Returns the format code of the module struct. On little-endian hosts the code has no prefix, because a
    /// memoryview can only index formats without a prefix.
    const fn format(self) -> &'static std::ffi::CStr {
        if cfg!(target_endian = "big") {
            return match self {
                NumberType::Byte => c"B",
                NumberType::Int32 => c"<i",
                NumberType::Int64 => c"<q",
                NumberType::Float32 => c"<f",
                NumberType::Float64 => c"<d",
            };
        }
        match self {
            NumberType::Byte => c"B",
            NumberType::Int32 => c"i",
            NumberType::Int64 => c"q",
            NumberType::Float32 => c"f",
            NumberType::Float64 => c"d",
        }
    }

    fn of(self, raw: &[u8]) -> IntOrFloat {
        fn le<const N: usize>(raw: &[u8]) -> [u8; N] {
            raw.first_chunk().copied().unwrap_or([0; N])
        }
        match self {
            NumberType::Byte => IntOrFloat::Int(raw.first().copied().unwrap_or(0).into()),
            NumberType::Int32 => IntOrFloat::Int(i32::from_le_bytes(le(raw)).into()),
            NumberType::Int64 => IntOrFloat::Int(i64::from_le_bytes(le(raw))),
            NumberType::Float32 => {
                IntOrFloat::Float(gdvar_view::widen(f32::from_le_bytes(le(raw))))
            }
            NumberType::Float64 => IntOrFloat::Float(f64::from_le_bytes(le(raw))),
        }
    }
}

enum IntOrFloat {
    Int(i64),
    Float(f64),
}

/// A packed array of numbers, vectors or colours. It keeps the bytes alive from which it was read, and copies
/// nothing: ``numpy.asarray(packed)`` and ``memoryview(packed)`` use the same bytes.
#[pyclass(frozen, module = "gdvar", sequence)]
pub(crate) struct PackedArray {
    owner: Py<PyBytes>,
    start: usize,
    len: usize,
    pub(crate) kind: Kind,
    pub(crate) item: NumberType,
    parts: usize,
    layout: Layout,
}

/// Returns the type of the numbers of a kind, and how many of them form an element. If `wide`, the reals of
/// vectors have 64 bits. Returns `None` for any kind that is not a packed array of numbers.
pub(crate) fn layout_of(kind: Kind, wide: bool) -> Option<(NumberType, usize)> {
    let item = match layout::numbers(kind)?.0 {
        Number::U8 => NumberType::Byte,
        Number::I32 => NumberType::Int32,
        Number::I64 => NumberType::Int64,
        Number::F32 => NumberType::Float32,
        Number::F64 => NumberType::Float64,
        Number::Real if wide => NumberType::Float64,
        Number::Real => NumberType::Float32,
        Number::Int => return None,
    };
    let parts = kind.element_components();
    (parts > 0).then_some((item, parts))
}

impl PackedArray {
    pub(crate) fn new(
        owner: Py<PyBytes>,
        start: usize,
        len: usize,
        kind: Kind,
        item: NumberType,
        parts: usize,
    ) -> PackedArray {
        let each = item.size();
        let layout = Layout::new(len / (each * parts), parts, each);
        PackedArray {
            owner,
            start,
            len,
            kind,
            item,
            parts,
            layout,
        }
    }

    /// Returns the bytes of the elements.
    pub(crate) fn bytes<'py>(&'py self, py: Python<'py>) -> &'py [u8] {
        let all = self.owner.bind(py).as_bytes();
        all.get(self.start..self.start + self.len)
            .unwrap_or_default()
    }

    pub(crate) fn is_wide(&self) -> bool {
        self.item == NumberType::Float64 && self.kind != Kind::PackedFloat64Array
    }

    fn count(&self) -> usize {
        self.len / (self.item.size() * self.parts)
    }

    fn slice(&self, py: Python<'_>, slice: &Bound<'_, PySlice>) -> PyResult<PackedArray> {
        let slice = slice.indices(self.count() as isize)?;
        let size = self.item.size() * self.parts;
        let of = |owner: Py<PyBytes>, start, len| {
            PackedArray::new(owner, start, len, self.kind, self.item, self.parts)
        };
        let first = slice.start.max(0) as usize;
        if slice.step == 1 || slice.slicelength == 0 {
            let start = self.start + first * size;
            return Ok(of(
                self.owner.clone_ref(py),
                start,
                slice.slicelength * size,
            ));
        }
        let bytes = self.bytes(py);
        let places = (0..slice.slicelength as isize).map(|n| slice.start + n * slice.step);
        let picked = places.map(|place| place as usize * size);
        let picked = picked.filter_map(|start| bytes.get(start..start + size));
        let owner = PyBytes::new(py, &picked.collect::<Vec<_>>().concat());
        let len = owner.as_bytes().len();
        Ok(of(owner.unbind(), 0, len))
    }

    fn element<'py>(&self, py: Python<'py>, raw: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let number = |raw: &[u8]| match self.item.of(raw) {
            IntOrFloat::Int(int) => PyInt::new(py, int).into_any(),
            IntOrFloat::Float(float) => PyFloat::new(py, float).into_any(),
        };
        if self.parts == 1 {
            return Ok(number(raw));
        }
        let all: Vec<_> = raw.chunks_exact(self.item.size()).map(number).collect();
        Ok(PyTuple::new(py, all)?.into_any())
    }
}

#[pymethods]
impl PackedArray {
    /// Creates an array of a kind such as ``PackedInt32Array`` from numbers, tuples of numbers or a buffer of
    /// such numbers.
    #[new]
    #[pyo3(signature = (kind, items = None, *, wide = false))]
    fn make(
        py: Python<'_>,
        kind: &str,
        items: Option<&Bound<'_, PyAny>>,
        wide: bool,
    ) -> PyResult<PackedArray> {
        let found = Kind::from_name(kind).and_then(|kind| Some((kind, layout_of(kind, wide)?)));
        let Some((kind, (item, parts))) = found else {
            let message = format!("there is no packed array of numbers named {kind}");
            return Err(PyValueError::new_err(message));
        };
        let mut bytes = Vec::new();
        if let Some(items) = items {
            if !buffer::copy(items, item, parts, &mut bytes)? {
                for element in items.try_iter()? {
                    put(&element?, kind, item, &mut bytes)?;
                }
            }
        }
        if bytes.len() % (item.size() * parts) != 0 {
            let message = format!("{} has elements of {parts} numbers", kind.name());
            return Err(PyValueError::new_err(message));
        }
        let owner = PyBytes::new(py, &bytes).unbind();
        Ok(PackedArray::new(owner, 0, bytes.len(), kind, item, parts))
    }

    /// The name of its type, such as ``PackedInt32Array``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// True if reals have 64 bits although single-precision engines use 32 bits in this array.
    #[getter]
    fn wide(&self) -> bool {
        self.is_wide()
    }

    fn __len__(&self) -> usize {
        self.count()
    }

    /// Returns an element; or for a slice a packed array, which shares the bytes unless the slice has a step.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(Bound::new(py, self.slice(py, slice)?)?.into_any());
        }
        let Ok(index) = index.extract::<isize>() else {
            let class = index.get_type().name()?;
            let message = format!("an index is an int or a slice, not {class}");
            return Err(PyTypeError::new_err(message));
        };
        let size = self.item.size() * self.parts;
        let index = if index < 0 {
            index + self.count() as isize
        } else {
            index
        };
        let start = usize::try_from(index)
            .ok()
            .and_then(|index| index.checked_mul(size));
        let raw = start.and_then(|start| self.bytes(py).get(start..start.checked_add(size)?));
        match raw {
            Some(raw) => self.element(py, raw),
            None => Err(PyIndexError::new_err("there is no such element")),
        }
    }

    /// Returns a copy with another kind, other items or another width, for ``copy.replace``.
    #[pyo3(signature = (*, kind = None, items = None, wide = None))]
    fn __replace__(
        slf: &Bound<'_, Self>,
        kind: Option<&str>,
        items: Option<&Bound<'_, PyAny>>,
        wide: Option<bool>,
    ) -> PyResult<PackedArray> {
        let own = slf.get();
        PackedArray::make(
            slf.py(),
            kind.unwrap_or(own.kind.name()),
            Some(items.unwrap_or(slf.as_any())),
            wide.unwrap_or(own.is_wide()),
        )
    }

    /// Returns the elements as a list of numbers or tuples.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for raw in self.bytes(py).chunks_exact(self.item.size() * self.parts) {
            list.append(self.element(py, raw)?)?;
        }
        Ok(list)
    }

    /// Returns a copy of the bytes of the elements.
    fn tobytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.bytes(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = 8;
        let size = self.item.size() * self.parts;
        let mut all = Vec::new();
        for raw in self.bytes(py).chunks_exact(size).take(shown) {
            all.push(self.element(py, raw)?.repr()?.to_string());
        }
        if self.count() > shown {
            all.push(format!("… {} elements", self.count()));
        }
        let wide = if self.is_wide() { ", wide=True" } else { "" };
        Ok(format!("{}([{}]{wide})", self.kind.name(), all.join(", ")))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast::<PackedArray>() {
            let other = other.get();
            return Ok(self.kind == other.kind
                && self.item == other.item
                && self.bytes(py) == other.bytes(py));
        }
        if let Ok(other) = other.cast::<PyBytes>() {
            return Ok(self.item == NumberType::Byte && self.bytes(py) == other.as_bytes());
        }
        match other.cast::<PyList>() {
            Ok(other) => self.tolist(py)?.eq(other),
            Err(_) => Ok(false),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, self.bytes(py)).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PickledArray<'py>)> {
        let own = slf.get();
        static REBUILD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let rebuild = REBUILD.import(slf.py(), "gdvar._gdvar", "_packed")?;
        Ok((
            rebuild.clone(),
            (own.kind.name(), own.tobytes(slf.py()), own.is_wide()),
        ))
    }

    // SAFETY: Python defines this method as unsafe; `ffi` does all the work.
    unsafe fn __getbuffer__(
        slf: &Bound<'_, Self>,
        view: *mut python::Py_buffer,
        flags: std::ffi::c_int,
    ) -> PyResult<()> {
        let own = slf.get();
        let format = own.item.format();
        // SAFETY: Python passes a view to fill. The bytes and the layout live as long as the array, which the
        // view keeps alive, and never change.
        unsafe {
            ffi::fill_view(
                view,
                flags,
                slf.as_any(),
                own.bytes(slf.py()),
                &own.layout,
                format,
            )
        }
    }
}

/// The name, bytes and width of a pickled array.
type PickledArray<'py> = (&'static str, Bound<'py, PyBytes>, bool);

/// Creates a packed array from its bytes, for pickle.
#[pyfunction]
pub(crate) fn _packed(kind: &str, data: &Bound<'_, PyBytes>, wide: bool) -> PyResult<PackedArray> {
    let found = Kind::from_name(kind).and_then(|kind| Some((kind, layout_of(kind, wide)?)));
    match found {
        Some((kind, (item, parts))) => {
            let len = data.as_bytes().len() / (item.size() * parts) * (item.size() * parts);
            Ok(PackedArray::new(
                data.clone().unbind(),
                0,
                len,
                kind,
                item,
                parts,
            ))
        }
        None => Err(PyValueError::new_err(format!(
            "there is no packed array named {kind}"
        ))),
    }
}

/// Appends a number, or the numbers of one element.
fn put(
    value: &Bound<'_, PyAny>,
    kind: Kind,
    item: NumberType,
    bytes: &mut Vec<u8>,
) -> PyResult<()> {
    if let Ok(parts) = value.try_iter() {
        for part in parts {
            put_number(&part?, kind, item, bytes)?;
        }
        return Ok(());
    }
    put_number(value, kind, item, bytes)
}

fn put_number(
    value: &Bound<'_, PyAny>,
    kind: Kind,
    item: NumberType,
    bytes: &mut Vec<u8>,
) -> PyResult<()> {
    let what = || format!("a number of a {}", kind.name());
    match item {
        NumberType::Byte => bytes.push(range::int(value, what)?),
        NumberType::Int32 => bytes.extend(range::int::<i32>(value, what)?.to_le_bytes()),
        NumberType::Int64 => bytes.extend(range::int::<i64>(value, what)?.to_le_bytes()),
        NumberType::Float32 => {
            let number: f64 = value.extract()?;
            if !range::is_single(number) {
                let message = range::single_misfit(number, &what());
                return Err(PyOverflowError::new_err(message));
            }
            bytes.extend(gdvar_view::narrow(number).to_le_bytes());
        }
        NumberType::Float64 => bytes.extend(value.extract::<f64>()?.to_le_bytes()),
    }
    Ok(())
}

/// The texts of a PackedStringArray.
#[pyclass(frozen, module = "gdvar", sequence)]
pub(crate) struct PackedStringArray {
    pub(crate) all: Py<PyTuple>,
}

#[pymethods]
impl PackedStringArray {
    #[new]
    #[pyo3(signature = (items = None))]
    fn make(py: Python<'_>, items: Option<&Bound<'_, PyAny>>) -> PyResult<PackedStringArray> {
        let mut all = Vec::new();
        if let Some(items) = items {
            for item in items.try_iter()? {
                all.push(item?);
            }
        }
        Ok(PackedStringArray {
            all: PyTuple::new(py, all)?.unbind(),
        })
    }

    /// The name of its type: ``PackedStringArray``.
    #[getter]
    fn kind(&self) -> &'static str {
        Kind::PackedStringArray.name()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.all.bind(py).len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.all.bind(py).as_any().get_item(index)?;
        if index.is_instance_of::<PySlice>() {
            let all = found.cast_into::<PyTuple>()?.unbind();
            return Ok(Bound::new(py, PackedStringArray { all })?.into_any());
        }
        Ok(found)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
        self.all.bind(py).as_any().try_iter()
    }

    /// Returns a copy with other texts, for ``copy.replace``.
    #[pyo3(signature = (*, items = None))]
    fn __replace__(
        slf: &Bound<'_, Self>,
        items: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PackedStringArray> {
        PackedStringArray::make(slf.py(), Some(items.unwrap_or(slf.as_any())))
    }

    /// Returns the texts as a list.
    fn tolist<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.all.bind(py).to_list()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("PackedStringArray({})", self.tolist(py).repr()?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<PackedStringArray>() {
            Ok(other) => self.all.bind(py).eq(other.get().all.bind(py)),
            Err(_) => self.tolist(py).eq(other),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.all.bind(py).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Bound<'py, PyTuple>,)) {
        (
            slf.get_type().into_any(),
            (slf.get().all.bind(slf.py()).clone(),),
        )
    }
}

/// Returns the bytes of a packed array, the type of its numbers, and the number of numbers in an element.
pub(crate) fn parts(packed: Packed<'_>) -> (&[u8], NumberType, usize) {
    macro_rules! real {
        ($real:expr, $parts:literal) => {
            match $real {
                Real::Single(all) => (all.as_bytes(), NumberType::Float32, $parts),
                Real::Double(all) => (all.as_bytes(), NumberType::Float64, $parts),
            }
        };
    }
    match packed {
        Packed::Bytes(bytes) => (bytes, NumberType::Byte, 1),
        Packed::Int32(all) => (all.as_bytes(), NumberType::Int32, 1),
        Packed::Int64(all) => (all.as_bytes(), NumberType::Int64, 1),
        Packed::Float32(all) => (all.as_bytes(), NumberType::Float32, 1),
        Packed::Float64(all) => (all.as_bytes(), NumberType::Float64, 1),
        Packed::Vector2(all) => real!(all, 2),
        Packed::Vector3(all) => real!(all, 3),
        Packed::Vector4(all) => real!(all, 4),
        Packed::Vector2i(all) => (all.as_bytes(), NumberType::Int32, 2),
        Packed::Vector3i(all) => (all.as_bytes(), NumberType::Int32, 3),
        Packed::Vector4i(all) => (all.as_bytes(), NumberType::Int32, 4),
        Packed::Color(all) => (all.as_bytes(), NumberType::Float32, 4),
    }
}

/// Writes a packed array from its bytes.
pub(crate) fn write_numbers(
    writer: &mut Writer<Vec<u8>>,
    kind: Kind,
    item: NumberType,
    bytes: &[u8],
) -> Result<(), Error<core::convert::Infallible>> {
    fn of<T: gdvar_view::Element>(
        writer: &mut Writer<Vec<u8>>,
        kind: Kind,
        bytes: &[u8],
    ) -> Result<(), Error<core::convert::Infallible>> {
        let elements = <[T]>::ref_from_bytes(bytes).unwrap_or_default();
        writer.packed_le(kind, elements)
    }
    use gdvar_view::math::{Vector2, Vector3, Vector4};
    use zerocopy::FromBytes;

    let wide = item == NumberType::Float64;
    match kind {
        Kind::PackedByteArray => writer.packed_bytes(bytes),
        Kind::PackedInt32Array => of::<I32>(writer, kind, bytes),
        Kind::PackedInt64Array => of::<I64>(writer, kind, bytes),
        Kind::PackedFloat32Array => of::<F32>(writer, kind, bytes),
        Kind::PackedFloat64Array => of::<F64>(writer, kind, bytes),
        Kind::PackedVector2Array if wide => of::<Vector2<F64>>(writer, kind, bytes),
        Kind::PackedVector2Array => of::<Vector2<F32>>(writer, kind, bytes),
        Kind::PackedVector3Array if wide => of::<Vector3<F64>>(writer, kind, bytes),
        Kind::PackedVector3Array => of::<Vector3<F32>>(writer, kind, bytes),
        Kind::PackedVector4Array if wide => of::<Vector4<F64>>(writer, kind, bytes),
        Kind::PackedVector4Array => of::<Vector4<F32>>(writer, kind, bytes),
        Kind::PackedVector2iArray => of::<Vector2<I32>>(writer, kind, bytes),
        Kind::PackedVector3iArray => of::<Vector3<I32>>(writer, kind, bytes),
        Kind::PackedVector4iArray => of::<Vector4<I32>>(writer, kind, bytes),
        Kind::PackedColorArray => of::<math::Color<F32>>(writer, kind, bytes),
        // Bytes are no elements of another kind, so this is the error for it.
        kind => of::<u8>(writer, kind, bytes),
    }
}
