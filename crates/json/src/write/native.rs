//! Writes [`Style::Native`](crate::Style::Native).

use std::io;

use gdvar_text::{double_text, exact_path_text, path_text};
use gdvar_view::{ElementType, Kind, Objects, VariantRef};

use super::{
    Begun, ChildSyntax, Out, Result,
    engine_number::engine_reads,
    is_untyped, kind_of,
    leaf::{numbers, transposed},
    type_name,
};
use crate::report::Loss;

/// Formats a float as the engine's `String(float)` does: up to 14 digits after the point.
fn string_of(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if value.fract() == 0.0 && (-TWO_63..TWO_63).contains(&value) {
        return format!("{}.0", value as i64);
    }
    let size = value.abs();
    let before_point = if size > 10.0 {
        size.log10().floor() as i32
    } else {
        0
    };
    // If more than 14 digits precede the point, the engine's printf uses its default of 6.
    let places = usize::try_from(14 - before_point).unwrap_or(6);
    let mut text = format!("{value:.places$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').len());
        if text.ends_with('.') {
            text.push('0');
        }
    }
    text
}

impl<W: io::Write> Out<W> {
    /// Writes a component as the engine's `JSON.stringify` does with full precision. If `is_wide`, the engine reads it
    /// with 64 bits.
    fn component(&mut self, value: f64, is_wide: bool) -> Result<()> {
        if value.is_nan() {
            self.lose(Loss::NotFinite);
            self.put("null")
        } else if value.is_infinite() {
            self.put(if value > 0.0 { "1e99999" } else { "-1e99999" })
        } else if value == 0.0 {
            if value.is_sign_negative() {
                self.lose(Loss::Digits);
            }
            self.put("0.0")
        } else {
            let text = double_text(value);
            if is_wide && engine_reads(text.as_str()) != value {
                self.lose(Loss::Digits);
            }
            self.number(&text)
        }
    }

    fn typed(&mut self, name: &str, element: ElementType<'_>) -> Result<()> {
        let kind = match element {
            ElementType::Untyped | ElementType::Builtin(_, None | Some(Kind::Nil)) => {
                return Ok(());
            }
            ElementType::Builtin(_, Some(kind)) => type_name(kind),
            ElementType::Class(text) | ElementType::Script(text) => {
                // The engine reads this name back as a script or as a builtin type.
                let is_path = text.as_bytes().starts_with(b"res://");
                let is_type = text.to_str().is_ok_and(|text| kind_of(text).is_some());
                let is_script = matches!(element, ElementType::Script(_));
                if is_type || is_path != is_script {
                    self.lose(Loss::Type);
                }
                self.put(name)?;
                self.escaped_ref(text)?;
                return self.put("\"");
            }
        };
        self.put(name)?;
        self.put(kind)?;
        self.put("\"")
    }
}

pub(super) fn leaf<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<()> {
    let kind = value.kind();
    match kind {
        Kind::Nil => out.put("null"),
        Kind::Bool => {
            let flag = value.as_bool().unwrap_or_default();
            out.put(if flag { "true" } else { "false" })
        }
        Kind::Int => {
            out.put("\"i:")?;
            out.int(value.as_i64().unwrap_or_default())?;
            out.put("\"")
        }
        Kind::Float => {
            let float = value.as_f64().unwrap_or_default();
            let text = string_of(float);
            let again = match float.is_infinite() {
                true => float,
                false => engine_reads(&text),
            };
            let nan = float.is_nan() && float.to_bits() == f64::NAN.to_bits();
            if again.to_bits() != float.to_bits() && !nan {
                out.lose(Loss::Digits);
            }
            write!(out.out, "\"f:{text}\"")?;
            Ok(())
        }
        Kind::String | Kind::StringName => {
            out.put(if kind == Kind::String {
                "\"s:"
            } else {
                "\"sn:"
            })?;
            if let Some(text) = value.as_text() {
                out.escaped_ref(text)?;
            }
            out.put("\"")
        }
        Kind::NodePath => {
            let path = value.as_node_path();
            let text = path.map(path_text).transpose()?;
            if path.map(exact_path_text).transpose()?.flatten().is_none() {
                out.lose(Loss::Path);
            }
            out.put("\"np:")?;
            out.escaped(&text.unwrap_or_default())?;
            out.put("\"")
        }
        Kind::Rid | Kind::Callable | Kind::Signal => {
            let empty = match kind {
                Kind::Rid => value.as_rid() == Some(0),
                Kind::Signal => {
                    let signal = value.as_signal();
                    signal.is_none_or(|(name, id)| name.as_bytes().is_empty() && id == 0)
                }
                _ => true,
            };
            if !empty {
                out.lose(Loss::Handle);
            }
            write!(out.out, "{{\"type\":\"{}\"}}", kind.name())?;
            Ok(())
        }
        Kind::Object => {
            if value.as_object().is_some_and(|object| !object.is_null()) {
                out.lose(Loss::Object);
            }
            out.put("null")
        }
        Kind::PackedStringArray => {
            out.put("{\"type\":\"PackedStringArray\",\"args\":[")?;
            if let Some(strings) = value.as_strings() {
                for (n, text) in strings.iter().enumerate() {
                    out.put(if n > 0 { "," } else { "" })?;
                    out.quoted_ref(text?)?;
                }
            }
            out.put("]}")
        }
        _ => {
            let Some(numbers) = numbers(value) else {
                // Only Godot 2 has the other kinds.
                out.lose(Loss::Type);
                return out.put("null");
            };
            if value.is_wide() && kind.has_reals() && value.packed_len() != Some(0) {
                out.lose(Loss::Width);
            }
            out.put("{\"type\":\"")?;
            out.put(kind.name())?;
            out.put("\",\"args\":[")?;
            match numbers.widened() {
                Ok(ints) => {
                    for (n, int) in ints.into_iter().enumerate() {
                        if n > 0 {
                            out.put(",")?;
                        }
                        // The engine reads these numbers as floats.
                        let is_large = int.unsigned_abs() > 1 << 53;
                        if is_large && engine_reads(&int.to_string()) as i128 != i128::from(int) {
                            out.lose(Loss::Digits);
                        }
                        out.int(int)?;
                    }
                }
                Err(mut reals) => {
                    transposed(kind, &mut reals);
                    // 32 bits are rounded to the right number.
                    let is_wide = kind == Kind::PackedFloat64Array;
                    for (n, real) in reals.into_iter().enumerate() {
                        if n > 0 {
                            out.put(",")?;
                        }
                        out.component(real, is_wide)?;
                    }
                }
            }
            out.put("]}")
        }
    }
}

/// Returns `true` if the elements of a container are objects of a class and whole objects are not
/// allowed. The engine does not write such a container.
fn needs_leave(value: VariantRef<'_>) -> bool {
    let class = |element| matches!(element, ElementType::Class(_) | ElementType::Script(_));
    value.options().objects() != Objects::Inert
        && (value
            .as_array()
            .is_some_and(|array| class(array.element_type()))
            || value
                .as_dict()
                .is_some_and(|dict| class(dict.key_type()) || class(dict.value_type())))
}

pub(super) fn begin<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<Begun> {
    if needs_leave(value) {
        out.lose(Loss::Object);
        out.put("null")?;
        return Ok(Begun::Whole);
    }
    if let Some(dict) = value.as_dict() {
        out.put("{\"type\":\"Dictionary\"")?;
        out.typed(",\"key_type\":\"", dict.key_type())?;
        out.typed(",\"value_type\":\"", dict.value_type())?;
    } else if let Some(array) = value.as_array() {
        // Pandemonium's packed arrays with a type in the bytes are read back as typed Arrays.
        if value.kind() == Kind::PackedTypedArray {
            out.lose(Loss::Type);
        }
        if is_untyped(array.element_type()) {
            out.put("[")?;
            return Ok(Begun::open(ChildSyntax::List, "]"));
        }
        out.put("{\"type\":\"Array\"")?;
        out.typed(",\"elem_type\":\"", array.element_type())?;
    } else {
        out.put("{\"type\":\"")?;
        if let Some(class) = value.as_object().and_then(|object| object.class()) {
            // The engine reads an object with this class name back as a value of that type.
            if class.to_str().is_ok_and(|class| kind_of(class).is_some()) {
                out.lose(Loss::Type);
            }
            out.escaped_ref(class)?;
        }
        out.put("\",\"props\":[")?;
        return Ok(Begun::open(ChildSyntax::List, "]}"));
    }
    out.put(",\"args\":[")?;
    Ok(Begun::open(ChildSyntax::List, "]}"))
}
