//! The types that typed containers require, and what becomes of a value there: it is written unchanged, or
//! converted to the type, or it is an error, because the game may lose it (`docs/FORMAT.md` §4.3).

use gdvar_view::Kind;
use gdvar_write::ElementType;
use pyo3::{
    prelude::*,
    types::{PyBool, PyFloat, PyInt, PyString},
};

use crate::types::{Types, is};

/// An element type that comes from Python: its kind and its name. `None` for an untyped container.
pub(crate) struct ElementTypeName(Option<(String, String)>);

impl ElementTypeName {
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<ElementTypeName> {
        if value.is_none() {
            return Ok(ElementTypeName(None));
        }
        Ok(ElementTypeName(Some(value.extract()?)))
    }

    pub(crate) fn as_type(&self) -> Result<ElementType<'_>, Misfit> {
        let Some((kind, name)) = &self.0 else {
            return Ok(ElementType::Untyped);
        };
        match kind.as_str() {
            "class" => Ok(ElementType::Class(name)),
            "script" => Ok(ElementType::Script(name)),
            "builtin" => match Kind::from_name(name) {
                Some(kind) => Ok(ElementType::Builtin(kind)),
                None => Err(Misfit("NoType", format!("there is no type named {name}"))),
            },
            other => Err(Misfit(
                "NoType",
                format!("a type of elements is builtin, class or script, not {other}"),
            )),
        }
    }
}

/// What a typed container requires.
pub(crate) struct Requirements {
    pub(crate) keys: Option<Required>,
    /// The elements of an array, or the values of a Dictionary.
    pub(crate) values: Option<Required>,
}

impl Requirements {
    /// Returns what an Array requires. `None` if it holds any value.
    pub(crate) fn array(element: ElementType<'_>) -> Option<Box<Requirements>> {
        Requirements::new(None, Required::new(element, "an Array"))
    }

    /// Returns what an array of Pandemonium 5 requires. One without a type holds nothing but null there.
    pub(crate) fn pandemonium_array(element: ElementType<'_>) -> Option<Box<Requirements>> {
        let holder = "an Array";
        let null = || Required {
            kind: Kind::Nil,
            name: Kind::Nil.name().to_owned(),
            holder,
        };
        let values = Required::new(element, holder).unwrap_or_else(null);
        Requirements::new(None, Some(values))
    }

    /// Returns what a Dictionary requires. `None` if it holds any keys and values.
    pub(crate) fn dict(
        keys: ElementType<'_>,
        values: ElementType<'_>,
    ) -> Option<Box<Requirements>> {
        let keys = Required::new(keys, "a Dictionary with keys");
        let values = Required::new(values, "a Dictionary with values");
        Requirements::new(keys, values)
    }

    fn new(keys: Option<Required>, values: Option<Required>) -> Option<Box<Requirements>> {
        let is_typed = keys.is_some() || values.is_some();
        is_typed.then(|| Box::new(Requirements { keys, values }))
    }
}

/// The type that a typed container requires of its elements, its keys or its values.
pub(crate) struct Required {
    kind: Kind,
    name: String,
    /// What has the type, for messages: `an Array`, `a Dictionary with keys`.
    holder: &'static str,
}

/// A value as the type that its container requires.
pub(crate) enum Converted<'a> {
    Int(i64),
    Float(f64),
    String(&'a str),
    StringName(&'a str),
}

/// The reason why a container cannot hold a value: the code of the error, and its message.
pub(crate) struct Misfit(pub(crate) &'static str, pub(crate) String);

impl Required {
    fn new(element: ElementType<'_>, holder: &'static str) -> Option<Required> {
        let (kind, name) = match element {
            ElementType::Untyped | ElementType::Builtin(Kind::Nil) => return None,
            ElementType::Builtin(kind) => (kind, kind.name()),
            ElementType::Class("") => (Kind::Object, Kind::Object.name()),
            ElementType::Class(name) | ElementType::Script(name) => (Kind::Object, name),
        };
        Some(Required {
            kind,
            name: name.to_owned(),
            holder,
        })
    }

    /// Returns `true` if ints or floats are required.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Int | Kind::Float)
    }

    /// Converts a value to the required type as edits do: an int to a float and a float to an int if both are
    /// the same number, a String to a StringName, and the other way round. `None` if the value is written
    /// unchanged, as every `Int` and `Float` of the package.
    pub(crate) fn convert<'a>(
        &self,
        value: &'a Bound<'_, PyAny>,
        types: &Types,
    ) -> Result<Option<Converted<'a>>, Misfit> {
        let text = || value.cast::<PyString>().ok()?.to_str().ok();
        Ok(match self.kind {
            Kind::Float if is_int(value) && !is(value, &types.int) => {
                let int = value.extract::<i64>().ok();
                let same = int.filter(|&int| int as f64 as i128 == i128::from(int));
                same.map(|int| Converted::Float(int as f64))
            }
            Kind::Int if !is(value, &types.float) => match value.cast::<PyFloat>() {
                Ok(float) => Some(Converted::Int(self.int(float.value())?)),
                Err(_) => None,
            },
            Kind::String if is(value, &types.string_name) => text().map(Converted::String),
            Kind::StringName if !is(value, &types.string_name) => text().map(Converted::StringName),
            _ => None,
        })
    }

    /// Returns the int that a float was meant to be. From 2⁵³ on several ints round to one float.
    fn int(&self, float: f64) -> Result<i64, Misfit> {
        const MOST: i64 = (1 << f64::MANTISSA_DIGITS) - 1;
        let int = float as i64;
        if (int as f64).to_bits() == float.to_bits() && (-MOST..=MOST).contains(&int) {
            return Ok(int);
        }
        let Required { name, holder, .. } = self;
        let (first, last) = (i64::MIN, i64::MAX);
        let message = format!(
            "{holder} of {name} holds ints from {first} to {last}, beyond {MOST} as int, not {float:?}"
        );
        Err(Misfit("OutOfRange", message))
    }

    /// Checks that the container holds `value`, which is written as `found`.
    pub(crate) fn check(
        &self,
        found: Option<Kind>,
        value: &Bound<'_, PyAny>,
    ) -> Result<(), Misfit> {
        if found.is_some_and(|found| self.kind.holds(found)) {
            return Ok(());
        }
        let Required { name, holder, .. } = self;
        let (found, value) = (found.map_or("such value", Kind::name), describe(value));
        Err(Misfit(
            "WrongElement",
            format!("{holder} of {name} holds no {found}: {value}"),
        ))
    }
}

fn is_int(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>()
}

/// Describes a value for a message.
fn describe(value: &Bound<'_, PyAny>) -> String {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_string_lossy();
        return match text.chars().count() {
            0..=40 => format!("{text:?}"),
            many => format!("a String of {many} characters"),
        };
    }
    let is_number = value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>();
    if let Some(repr) = value.repr().ok().filter(|_| is_number || value.is_none()) {
        return repr.to_string();
    }
    let class = value.get_type();
    let class = class
        .name()
        .map_or_else(|_| "object".to_owned(), |name| name.to_string());
    let article = if class.starts_with(['A', 'E', 'I', 'O']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {class}")
}
