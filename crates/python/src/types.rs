//! The classes of `gdvar._types`, looked up once.

use std::convert::Infallible;

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyString, PyType},
};

macro_rules! types {
    ($($field:ident: $name:literal,)*) => {
        pub(crate) struct Types {
            $(pub(crate) $field: Py<PyType>,)*
        }

        impl Types {
            fn load(py: Python<'_>) -> PyResult<Types> {
                let module = py.import("gdvar._types")?;
                Ok(Types { $($field: module.getattr($name)?.cast_into::<PyType>()?.unbind(),)* })
            }
        }
    };
}

types! {
    string_name: "StringName",
    int: "Int",
    float: "Float",
    element_type: "ElementType",
    array: "Array",
    dictionary: "Dictionary",
    pairs: "Pairs",
    node_path: "NodePath",
    rid: "RID",
    callable: "Callable",
    signal: "Signal",
    object_id: "ObjectId",
    object: "Object",
    raw: "Raw",
}

static TYPES: PyOnceLock<Types> = PyOnceLock::new();

impl Types {
    pub(crate) fn get(py: Python<'_>) -> PyResult<&Types> {
        TYPES.get_or_try_init(py, || Types::load(py))
    }
}

/// Returns `true` if a value is of this class, and not of one that inherits from it.
pub(crate) fn is(value: &Bound<'_, PyAny>, class: &Py<PyType>) -> bool {
    value.get_type().as_ptr() == class.as_ptr()
}

/// A cache of recent texts and of what Python has for them, because records repeat the same keys and names.
pub(crate) struct TextCache<'a, 'py, T = PyString> {
    slots: Vec<Option<(&'a str, Bound<'py, T>)>>,
}

const SLOTS: usize = 512;

impl<'a, 'py, T> TextCache<'a, 'py, T> {
    pub(crate) fn new() -> Self {
        TextCache { slots: Vec::new() }
    }

    /// Returns what `make` made of this text if it was used recently, and otherwise makes it.
    #[inline]
    fn get_or_make<E>(
        &mut self,
        text: &'a str,
        make: impl FnOnce() -> Result<Bound<'py, T>, E>,
    ) -> Result<Bound<'py, T>, E> {
        let bytes = text.as_bytes();
        if bytes.len() > 64 {
            return make();
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let ends = match (bytes.first(), bytes.get(bytes.len() / 2), bytes.last()) {
            (Some(&a), Some(&b), Some(&c)) => {
                usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16 | bytes.len() << 24
            }
            _ => 0,
        };
        let place = ends.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize) >> (usize::BITS - 9);
        match self.slots.get_mut(place) {
            Some(Some((own, made))) if *own == text => Ok(made.clone()),
            Some(slot) => {
                let made = make()?;
                *slot = Some((text, made.clone()));
                Ok(made)
            }
            None => make(),
        }
    }
}

impl<'a, 'py> TextCache<'a, 'py> {
    /// Returns the text as a Python str. If the text was used recently, it is the same object.
    #[inline]
    pub(crate) fn get(&mut self, py: Python<'py>, text: &'a str) -> Bound<'py, PyString> {
        let Ok(string) = self.get_or_make(text, || Ok::<_, Infallible>(PyString::new(py, text)));
        string
    }
}

impl<'a, 'py> TextCache<'a, 'py, PyAny> {
    /// Returns the text as a StringName. If the text was used recently, it is the same object: an engine has
    /// each StringName once too, and pickle then writes it once.
    #[inline]
    pub(crate) fn string_name(
        &mut self,
        py: Python<'py>,
        types: &Types,
        text: &'a str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.get_or_make(text, || types.string_name.bind(py).call1((text,)))
    }
}
