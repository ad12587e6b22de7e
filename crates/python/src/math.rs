//! Vectors, boxes, matrices and colours: frozen classes that are compared and hashed by their numbers.
//! Without arguments, a class has the same numbers as in the engine: zeros, or the identity.

use std::hash::{DefaultHasher, Hash, Hasher};

use gdvar_view::{Kind, Math, Numbers};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError},
    prelude::*,
    types::{PyDict, PyFloat, PyInt, PyTuple},
};

use crate::{error, range};

/// The type of a component.
trait Component: Copy {
    fn bits(self) -> u64;
    fn text(self) -> String;

    /// Converts a number, if it fits the components of `class`.
    fn take(value: &Bound<'_, PyAny>, class: &str, wide: bool) -> PyResult<Self>;
}

impl Component for f64 {
    fn bits(self) -> u64 {
        // In Python 0.0 and -0.0 are equal.
        if self == 0.0 { 0 } else { self.to_bits() }
    }

    fn text(self) -> String {
        format!("{self:?}")
    }

    fn take(value: &Bound<'_, PyAny>, class: &str, wide: bool) -> PyResult<f64> {
        let number: f64 = value.extract()?;
        if !wide && !range::is_single(number) {
            let message = range::single_misfit(number, &format!("a float of a {class}"));
            return Err(PyOverflowError::new_err(message));
        }
        Ok(number)
    }
}

impl Component for i32 {
    fn bits(self) -> u64 {
        f64::from(self).bits()
    }

    fn text(self) -> String {
        self.to_string()
    }

    fn take(value: &Bound<'_, PyAny>, class: &str, _: bool) -> PyResult<i32> {
        range::int(value, || format!("a number of a {class}"))
    }
}

/// The type of a field: one number, or a class of several numbers.
trait FieldValue<T> {
    fn take(numbers: &[T], at: &[usize], wide: bool) -> Self;
}

impl FieldValue<f64> for f64 {
    fn take(numbers: &[f64], at: &[usize], _: bool) -> f64 {
        at.first()
            .and_then(|&at| numbers.get(at))
            .copied()
            .unwrap_or_default()
    }
}

impl FieldValue<i32> for i32 {
    fn take(numbers: &[i32], at: &[usize], _: bool) -> i32 {
        at.first()
            .and_then(|&at| numbers.get(at))
            .copied()
            .unwrap_or_default()
    }
}

fn hash(numbers: &[impl Component]) -> u64 {
    let mut hasher = DefaultHasher::new();
    numbers
        .iter()
        .for_each(|number| number.bits().hash(&mut hasher));
    hasher.finish()
}

fn repr(name: &str, numbers: &[impl Component], wide: bool) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| number.text()).collect();
    let wide = if wide { ", wide=True" } else { "" };
    format!("{name}({}{wide})", numbers.join(", "))
}

/// Collects the numbers of a class from its arguments. The arguments are in stream order, nested or flat, or
/// named by field. Missing numbers keep their defaults.
fn collect<T: Component, const N: usize>(
    args: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
    class: &str,
    fields: &[(&str, &[usize])],
    default: [T; N],
    wide: bool,
) -> PyResult<[T; N]> {
    let mut numbers = default;
    let mut len = 0;
    let mut put = |value: &Bound<'_, PyAny>| {
        if let Some(place) = numbers.get_mut(len) {
            *place = T::take(value, class, wide)?;
        }
        len += 1;
        PyResult::Ok(())
    };
    for arg in args {
        each(&arg, &mut put)?;
    }
    let is_whole = len == N || len == 0 || class == "Color" && len == 3;
    let named = named.filter(|named| !named.is_empty());
    if !is_whole && (named.is_none() || len > N) {
        let message = format!("{class} has {N} numbers, not {len}");
        return Err(PyTypeError::new_err(message));
    }
    for (name, value) in named.into_iter().flatten() {
        let name: String = name.extract()?;
        let Some((_, places)) = fields.iter().find(|(field, _)| *field == name) else {
            let known: Vec<&str> = fields.iter().map(|(field, _)| *field).collect();
            let message = format!("{class} has no {name}; it has {}", known.join(", "));
            return Err(PyTypeError::new_err(message));
        };
        if places.iter().any(|place| *place < len) {
            let message = format!("{class}: {name} is given twice");
            return Err(PyTypeError::new_err(message));
        }
        let mut at = 0;
        each(&value, &mut |value| {
            if let Some(place) = places.get(at).and_then(|place| numbers.get_mut(*place)) {
                *place = T::take(value, class, wide)?;
            }
            at += 1;
            Ok(())
        })?;
        if at != places.len() {
            let message = format!("{name} of a {class} has {} numbers, not {at}", places.len());
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(numbers)
}

/// Returns what pickle needs to create a value again: its class and the arguments. A `wide` value needs a
/// keyword argument, for which pickle has a separate function.
fn reduced<'py, T: Component + IntoPyObject<'py>, const N: usize>(
    value: &Bound<'py, PyAny>,
    numbers: &[T; N],
    wide: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = value.py();
    let class = value.get_type();
    let numbers = PyTuple::new(py, *numbers)?;
    if !wide {
        return (class, numbers).into_pyobject(py);
    }
    let named = PyDict::new(py);
    named.set_item("wide", true)?;
    let make = py.import("copyreg")?.getattr("__newobj_ex__")?;
    (make, (class, numbers, named)).into_pyobject(py)
}

/// Passes a number, or each number of an iterable, to `put`.
fn each(
    value: &Bound<'_, PyAny>,
    put: &mut impl FnMut(&Bound<'_, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    // Asking a number for its elements makes an exception.
    if value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>() {
        return put(value);
    }
    match value.try_iter() {
        Ok(parts) => {
            for part in parts {
                put(&part?)?;
            }
            Ok(())
        }
        Err(_) => put(value),
    }
}

macro_rules! math {
    ($($(#[$doc:meta])* $name:ident: $item:ty, $n:literal, $numbers:ident $(= $default:expr)?, {
        $($field:ident: $part:ident [$($at:literal),+],)*
    })*) => {
        $(
            $(#[$doc])*
            #[pyclass(frozen, module = "gdvar")]
            #[derive(Clone, Copy)]
            pub(crate) struct $name {
                pub(crate) numbers: [$item; $n],
                pub(crate) wide: bool,
            }

            impl FieldValue<$item> for $name {
                fn take(numbers: &[$item], at: &[usize], wide: bool) -> $name {
                    let number = |n: usize| at.get(n).and_then(|&at| numbers.get(at)).copied();
                    $name { numbers: std::array::from_fn(|n| number(n).unwrap_or_default()), wide }
                }
            }

            #[pymethods]
            impl $name {
                #[new]
                #[pyo3(signature = (*numbers, wide = false, **named))]
                fn new(
                    numbers: &Bound<'_, PyTuple>,
                    wide: bool,
                    named: Option<&Bound<'_, PyDict>>,
                ) -> PyResult<$name> {
                    let default = math!(@default [<$item>::default(); $n] $(, $default)?);
                    let fields: &[(&str, &[usize])] = &[$((stringify!($field), &[$($at),+])),*];
                    let name = stringify!($name);
                    let numbers = collect(numbers, named, name, fields, default, wide)?;
                    Ok($name { numbers, wide })
                }

                /// The fields, for ``match``.
                #[classattr]
                fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
                    PyTuple::new(py, [$(stringify!($field)),*])
                }

                /// Returns a copy with other fields, for ``copy.replace``.
                #[pyo3(signature = (**changes))]
                fn __replace__(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<$name> {
                    let mut wide = self.wide;
                    let changes = changes.map(|changes| changes.copy()).transpose()?;
                    if let Some(changes) = &changes {
                        if let Some(own) = changes.get_item("wide")? {
                            wide = own.extract()?;
                            changes.del_item("wide")?;
                        }
                        let fields: &[(&str, &[usize])] = &[$((stringify!($field), &[$($at),+])),*];
                        let none = PyTuple::empty(changes.py());
                        let name = stringify!($name);
                        let numbers = collect(&none, Some(changes), name, fields, self.numbers, wide)?;
                        return Ok($name { numbers, wide });
                    }
                    Ok(*self)
                }

                $(
                    #[getter]
                    fn $field(&self) -> $part {
                        FieldValue::take(&self.numbers, &[$($at),+], self.wide)
                    }
                )*

                /// True if each number takes 64 bits, as double-precision engines write them.
                #[getter]
                fn wide(&self) -> bool {
                    self.wide
                }

                fn __repr__(&self) -> String {
                    repr(stringify!($name), &self.numbers, self.wide)
                }

                fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                    other.cast::<$name>().is_ok_and(|other| self.numbers == other.get().numbers)
                }

                fn __hash__(&self) -> u64 {
                    hash(&self.numbers)
                }

                fn __len__(&self) -> usize {
                    $n
                }

                fn __getitem__(&self, index: isize) -> PyResult<$item> {
                    let index = if index < 0 { index + $n } else { index };
                    let place = usize::try_from(index).ok().and_then(|index| self.numbers.get(index));
                    place.copied().ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such component"))
                }

                fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                    reduced(slf.as_any(), &slf.get().numbers, slf.get().wide)
                }

                /// Returns the numbers as a numpy array.
                #[pyo3(signature = (dtype = None, copy = None))]
                fn __array__<'py>(
                    &self,
                    py: Python<'py>,
                    dtype: Option<Bound<'py, PyAny>>,
                    copy: Option<bool>,
                ) -> PyResult<Bound<'py, PyAny>> {
                    let _ = copy;
                    let dtype = match dtype {
                        Some(dtype) => dtype,
                        None => pyo3::types::PyString::new(py, math!(@dtype $numbers self.wide)).into_any(),
                    };
                    py.import("numpy")?.getattr("array")?.call1((self.numbers.to_vec(), dtype))
                }
            }
        )*

        /// Converts a math value to an object of its class.
        pub(crate) fn from_math<'py>(py: Python<'py>, math: &Math) -> PyResult<Bound<'py, PyAny>> {
            let wide = matches!(math.numbers(), Numbers::Doubles(_));
            Ok(match math.kind() {
                $(Kind::$name => {
                    let mut numbers = [<$item>::default(); $n];
                    math!(@fill $numbers numbers math);
                    Bound::new(py, $name { numbers, wide })?.into_any()
                })*
                kind => return Err(error::decode_message(py, "UnknownType", format!("{} is not a math type", kind.name()))),
            })
        }

        /// Returns the kind of a math class, its numbers as bytes, and `true` if they have 64 bits.
        pub(crate) fn to_math(value: &Bound<'_, PyAny>) -> Option<(Kind, Vec<u8>, bool)> {
            $(if let Ok(math) = value.cast_exact::<$name>() {
                let math = math.get();
                return Some((Kind::$name, math!(@bytes $numbers math), math!(@is_wide $numbers math)));
            })*
            None
        }

        /// Adds the classes to the module, and registers their `__reduce__` with pickle. Otherwise pickle
        /// would look up the method of each value, which takes as long as all the rest.
        pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let register = module.py().import("copyreg")?.getattr("pickle")?;
            $(
                module.add_class::<$name>()?;
                let class = module.py().get_type::<$name>();
                register.call1((&class, class.getattr("__reduce__")?))?;
            )*
            Ok(())
        }
    };
    (@default $zeros:expr) => { $zeros };
    (@default $zeros:expr, $default:expr) => { $default };
    (@fill ints $numbers:ident $math:ident) => {
        if let Numbers::Ints(all) = $math.numbers() {
            $numbers.iter_mut().zip(all).for_each(|(to, from)| *to = *from);
        }
    };
    (@fill $reals:ident $numbers:ident $math:ident) => {
        $numbers.iter_mut().zip($math.iter()).for_each(|(to, from)| *to = from);
    };
    (@dtype ints $wide:expr) => { { let _ = $wide; "i4" } };
    (@dtype singles $wide:expr) => { { let _ = $wide; "f4" } };
    (@dtype reals $wide:expr) => { if $wide { "f8" } else { "f4" } };
    (@bytes ints $math:ident) => { $math.numbers.iter().flat_map(|int| int.to_le_bytes()).collect() };
    (@bytes singles $math:ident) => {
        $math.numbers.iter().flat_map(|&real| gdvar_view::narrow(real).to_le_bytes()).collect()
    };
    (@bytes reals $math:ident) => {
        if $math.wide {
            $math.numbers.iter().flat_map(|real| real.to_le_bytes()).collect()
        } else {
            $math.numbers.iter().flat_map(|&real| gdvar_view::narrow(real).to_le_bytes()).collect()
        }
    };
    (@is_wide reals $math:ident) => { $math.wide };
    (@is_wide $other:ident $math:ident) => { false };
}

math! {
    /// Two floats.
    Vector2: f64, 2, reals, { x: f64 [0], y: f64 [1], }
    /// Two ints.
    Vector2i: i32, 2, ints, { x: i32 [0], y: i32 [1], }
    /// Three floats.
    Vector3: f64, 3, reals, { x: f64 [0], y: f64 [1], z: f64 [2], }
    /// Three ints.
    Vector3i: i32, 3, ints, { x: i32 [0], y: i32 [1], z: i32 [2], }
    /// Four floats.
    Vector4: f64, 4, reals, { x: f64 [0], y: f64 [1], z: f64 [2], w: f64 [3], }
    /// Four ints.
    Vector4i: i32, 4, ints, { x: i32 [0], y: i32 [1], z: i32 [2], w: i32 [3], }
    /// A rectangle: position, then size.
    Rect2: f64, 4, reals, { position: Vector2 [0, 1], size: Vector2 [2, 3], }
    /// A rectangle of ints: position, then size.
    Rect2i: i32, 4, ints, { position: Vector2i [0, 1], size: Vector2i [2, 3], }
    /// A plane: normal, then distance.
    Plane: f64, 4, reals, { normal: Vector3 [0, 1, 2], d: f64 [3], }
    /// A rotation; without arguments the identity.
    Quaternion: f64, 4, reals = [0.0, 0.0, 0.0, 1.0], { x: f64 [0], y: f64 [1], z: f64 [2], w: f64 [3], }
    /// A box: position, then size.
    Aabb: f64, 6, reals, { position: Vector3 [0, 1, 2], size: Vector3 [3, 4, 5], }
    /// A 3×3 matrix in row order; x, y and z are its columns, as in scripts.
    Basis: f64, 9, reals = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], { x: Vector3 [0, 3, 6], y: Vector3 [1, 4, 7], z: Vector3 [2, 5, 8], }
    /// The columns x and y, then the origin.
    Transform2D: f64, 6, reals = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0], { x: Vector2 [0, 1], y: Vector2 [2, 3], origin: Vector2 [4, 5], }
    /// A basis in row order, then the origin.
    Transform3D: f64, 12, reals = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], {
        basis: Basis [0, 1, 2, 3, 4, 5, 6, 7, 8], origin: Vector3 [9, 10, 11],
    }
    /// Four columns.
    Projection: f64, 16, reals = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], {
        x: Vector4 [0, 1, 2, 3], y: Vector4 [4, 5, 6, 7], z: Vector4 [8, 9, 10, 11], w: Vector4 [12, 13, 14, 15],
    }
    /// A colour: red, green, blue, and alpha, which defaults to 1.
    Color: f64, 4, singles = [0.0, 0.0, 0.0, 1.0], { r: f64 [0], g: f64 [1], b: f64 [2], a: f64 [3], }
}
