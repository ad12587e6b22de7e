//! [`Style::Plain`](crate::Style::Plain).

use std::io;

use gdvar_text::{
    LineOptions, Notation, TextError, double_text, float_text, path_text, write_line,
};
use gdvar_view::{ArrayRef, DictRef, Kind, Math, Numbers, PathTarget, VariantRef};
use gdvar_write::wire::widen;

use super::{
    Begun, ChildSyntax, Out, Result, is_plain, is_untyped,
    leaf::{LeafNumbers, element_len, numbers},
    names::KeyText,
};
use crate::{error::WriteError, report::Loss};

/// Returns a value in Godot's notation.
fn notation(value: VariantRef<'_>) -> Result<String> {
    let mut text = String::new();
    match write_line(&mut text, value, LineOptions::new()) {
        Ok(()) => Ok(text),
        Err(TextError::Read(error)) => Err(WriteError::Read(error)),
        // A String takes any text.
        Err(TextError::Fmt) => Ok(text),
    }
}

impl<W: io::Write> Out<W> {
    fn double(&mut self, value: f64) -> Result<()> {
        if value.is_finite() {
            return self.number(&double_text(value));
        }
        self.lose(Loss::NotFinite);
        self.put("null")
    }

    fn single(&mut self, value: f32) -> Result<()> {
        // The engine's text of a zero has no sign.
        if value == 0.0 {
            return self.double(widen(value));
        }
        if value.is_finite() {
            return self.number(&float_text(widen(value), Notation::Godot4));
        }
        self.lose(Loss::NotFinite);
        self.put("null")
    }

    /// Writes the numbers in `all` as one JSON array. If `len` is above 1, groups them into inner
    /// arrays of `len` numbers.
    fn numbers<T: Copy>(
        &mut self,
        all: &[T],
        len: usize,
        mut one: impl FnMut(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        self.put("[")?;
        for (n, value) in all.iter().enumerate() {
            match n % len {
                _ if n == 0 && len > 1 => self.put("[")?,
                _ if n == 0 => {}
                0 if len > 1 => self.put("],[")?,
                _ => self.put(",")?,
            }
            one(self, *value)?;
        }
        self.put(if len > 1 && !all.is_empty() {
            "]]"
        } else {
            "]"
        })
    }
}

/// Writes an element of a packed array, or a component.
pub(super) fn part<W: io::Write>(out: &mut Out<W>, part: PathTarget<'_>) -> Result<()> {
    let math = match part {
        PathTarget::Text(text) => return out.quoted_ref(text),
        PathTarget::Int(int) => return out.int(int),
        PathTarget::Math(math) => math,
    };
    match (math.len(), math.numbers()) {
        (1, Numbers::Ints([one, ..])) => out.int((*one).into()),
        (1, Numbers::Singles([one, ..])) => out.single(*one),
        (1, Numbers::Doubles([one, ..])) => out.double(*one),
        _ => components(out, &math),
    }
}

/// Writes the components of a math type as an array.
fn components<W: io::Write>(out: &mut Out<W>, math: &Math) -> Result<()> {
    let len = math.len();
    match math.numbers() {
        Numbers::Ints(all) => out.numbers(&all[..len], 1, |out, one| out.int(one.into())),
        Numbers::Singles(all) => out.numbers(&all[..len], 1, Out::single),
        Numbers::Doubles(all) => out.numbers(&all[..len], 1, Out::double),
    }
}

pub(super) fn leaf<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<()> {
    let kind = value.kind();
    match kind {
        Kind::Nil => return out.put("null"),
        Kind::Bool => {
            let flag = value.as_bool().unwrap_or_default();
            return out.put(if flag { "true" } else { "false" });
        }
        Kind::Int => return out.int(value.as_i64().unwrap_or_default()),
        Kind::Float => return out.double(value.as_f64().unwrap_or_default()),
        Kind::String => {}
        Kind::Object => {
            let null = value.as_object().is_none_or(|object| object.is_null());
            if null {
                return out.put("null");
            }
            out.lose(Loss::Object);
        }
        _ => out.lose(Loss::Type),
    }
    if let Some(text) = value.as_text() {
        return out.quoted_ref(text);
    }
    if let Some(path) = value.as_node_path() {
        return out.quoted(&path_text(path)?);
    }
    if let Some(strings) = value.as_strings() {
        out.put("[")?;
        for (n, text) in strings.iter().enumerate() {
            out.put(if n > 0 { "," } else { "" })?;
            out.quoted_ref(text?)?;
        }
        return out.put("]");
    }
    if let Some(math) = Math::of(value) {
        return components(out, &math);
    }
    let len = element_len(kind).max(1);
    match numbers(value) {
        Some(LeafNumbers::Ints(ints)) => out.numbers(&ints, len, Out::int),
        Some(LeafNumbers::Singles(all)) => out.numbers(&all, len, Out::single),
        Some(LeafNumbers::Doubles(all)) => out.numbers(&all, len, Out::double),
        None => out.quoted(&notation(value)?),
    }
}

/// Converts a key to text, because JSON has only text keys.
pub(super) fn key<'a, W: io::Write>(
    out: &mut Out<W>,
    value: VariantRef<'a>,
) -> Result<KeyText<'a>> {
    let Some(text) = value.as_text() else {
        out.lose(Loss::Key);
        return Ok(KeyText::Other(notation(value)?));
    };
    if value.kind() != Kind::String {
        out.lose(Loss::Type);
    }
    if is_plain(text.raw()) {
        return Ok(KeyText::Plain(text.raw()));
    }
    Ok(KeyText::Other(match text.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => out.characters(text)?,
    }))
}

pub(super) fn begin<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<Begun> {
    match value.kind() {
        Kind::Dictionary => {
            let typed =
                |dict: DictRef<'_>| !(is_untyped(dict.key_type()) && is_untyped(dict.value_type()));
            if value.as_dict().is_some_and(typed) {
                out.lose(Loss::Type);
            }
            out.put("{")?;
            Ok(Begun::open(ChildSyntax::Members, "}"))
        }
        Kind::Object => {
            out.lose(Loss::Object);
            out.put("{\"@class\":\"")?;
            if let Some(class) = value.as_object().and_then(|object| object.class()) {
                out.escaped_ref(class)?;
            }
            out.put("\"")?;
            Ok(Begun::Open {
                form: ChildSyntax::Members,
                close: "}",
                children: 2,
            })
        }
        kind => {
            // The typed arrays of Pandemonium are kinds of their own.
            let typed = |array: ArrayRef<'_>| !is_untyped(array.element_type());
            if kind != Kind::Array || value.as_array().is_some_and(typed) {
                out.lose(Loss::Type);
            }
            out.put("[")?;
            Ok(Begun::open(ChildSyntax::List, "]"))
        }
    }
}
