//! Writes [`Style::Plain`](crate::Style::Plain).

use std::io;

use gdvar_text::{
    LineOptions, Notation, TextError, double_text, float_text, path_text, write_line,
};
use gdvar_view::{Kind, VariantRef};
use gdvar_write::wire::widen;

use super::{
    Begun, ChildSyntax, Out, Result,
    leaf::{LeafNumbers, element_len, numbers},
};
use crate::{error::WriteError, report::Loss};

/// Returns the text of a value in Godot's notation.
fn notation(value: VariantRef<'_>) -> Result<String> {
    let mut text = String::new();
    match write_line(&mut text, value, LineOptions::new()) {
        Ok(()) => Ok(text),
        Err(TextError::Read(error)) => Err(WriteError::Read(error)),
        // Writing to a String cannot fail.
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
        if value.is_finite() {
            return self.number(&float_text(widen(value), Notation::Godot4));
        }
        self.lose(Loss::NotFinite);
        self.put("null")
    }

    /// Writes numbers in arrays of `len` numbers each.
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
    let len = element_len(kind).max(1);
    match numbers(value) {
        Some(LeafNumbers::Ints(ints)) => out.numbers(&ints, len, Out::int),
        Some(LeafNumbers::Singles(all)) => out.numbers(&all, len, Out::single),
        Some(LeafNumbers::Doubles(all)) => out.numbers(&all, len, Out::double),
        None => out.quoted(&notation(value)?),
    }
}

/// Writes a key as text, because JSON has no other keys.
pub(super) fn key<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<()> {
    if let Some(text) = value.as_text() {
        if value.kind() != Kind::String {
            out.lose(Loss::Type);
        }
        return out.quoted_ref(text);
    }
    out.lose(Loss::Key);
    out.quoted(&notation(value)?)
}

pub(super) fn begin<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<Begun> {
    match value.kind() {
        Kind::Dictionary => {
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
        _ => {
            out.put("[")?;
            Ok(Begun::open(ChildSyntax::List, "]"))
        }
    }
}
