//! Reads [`Style::Native`](crate::Style::Native).

use std::borrow::Cow;

use gdvar_text::Number;
use gdvar_write::{ElementType, WriteErrorKind, wire::Kind};

use super::{ChildSyntax, JsonReader, Result, tagged::is_digits};
use crate::{error::ReadErrorKind, lexer::Scalar, write::kind_of};

/// The members of an object that determine its value.
#[derive(Default)]
struct Head<'a> {
    name: Option<Cow<'a, str>>,
    element: Option<Cow<'a, str>>,
    key: Option<Cow<'a, str>>,
    value: Option<Cow<'a, str>>,
    /// The JSON offset of the object's list of arguments or properties.
    list: Option<usize>,
}

fn element(name: Option<&str>) -> ElementType<'_> {
    match name {
        None => ElementType::Untyped,
        Some(path) if path.starts_with("res://") => ElementType::Script(path),
        Some(name) => match kind_of(name) {
            Some(kind) => ElementType::Builtin(kind),
            None => ElementType::Class(name),
        },
    }
}

/// Reads the members of an object that determine its value. Of the object's list, only the offset
/// is found. If the type comes before the list, stops at the list. Otherwise reads to the end of
/// the object, and returns this end as well.
fn head<'a>(reader: &mut JsonReader<'a>) -> Result<(Head<'a>, Option<usize>)> {
    let mut head = Head::default();
    let mut first = true;
    while reader.lexer.more(first, b'}', "',' or '}'")? {
        first = false;
        let member = reader.lexer.text()?;
        reader.lexer.expect(b':', "':' after the name")?;
        match &*member {
            "type" => head.name = Some(reader.lexer.text()?),
            "elem_type" => head.element = Some(reader.lexer.text()?),
            "key_type" => head.key = Some(reader.lexer.text()?),
            "value_type" => head.value = Some(reader.lexer.text()?),
            "args" | "props" => {
                reader.lexer.peek();
                head.list = Some(reader.lexer.pos);
                if head.name.is_some() {
                    return Ok((head, None));
                }
                reader.lexer.skip()?;
            }
            _ => reader.lexer.skip()?,
        }
    }
    let end = reader.lexer.pos;
    if let Some(list) = head.list {
        reader.lexer.pos = list;
    }
    Ok((head, Some(end)))
}

pub(super) fn value(reader: &mut JsonReader<'_>) -> Result<bool> {
    if reader.lexer.eat(b'[') {
        let count_at = reader.out.begin(|writer| writer.begin_array(0))?;
        reader.push(ChildSyntax::List, count_at, 0);
        return Ok(false);
    }
    if reader.lexer.eat(b'{') {
        return object(reader);
    }
    match reader.lexer.scalar()? {
        Scalar::Null => reader.out.write(|writer| writer.nil())?,
        Scalar::Bool(flag) => reader.out.write(|writer| writer.bool(flag))?,
        Scalar::Number(_) => {
            return Err(ReadErrorKind::Expected(
                "\"i:…\" or \"f:…\": numbers are texts in this style",
            ));
        }
        Scalar::Text(text) => scalar(reader, &text)?,
    }
    Ok(true)
}

/// Reads a text that begins with its type, such as `i:80`.
fn scalar(reader: &mut JsonReader<'_>, text: &str) -> Result<()> {
    let (prefix, rest) = text.split_once(':').unwrap_or(("", text));
    match prefix {
        "i" => {
            let out_of_range = WriteErrorKind::OutOfRange { kind: Kind::Int };
            let int = rest.parse().map_err(|_| match is_digits(rest) {
                true => ReadErrorKind::Write(out_of_range),
                false => ReadErrorKind::Number,
            })?;
            reader.out.write(|writer| writer.int(int))?;
        }
        "f" => {
            let mut float: f64 = rest.parse().map_err(|_| ReadErrorKind::Number)?;
            if rest.bytes().any(|byte| byte.is_ascii_digit()) {
                float = Number::parse_float(rest)?;
            }
            reader.float(float)?;
        }
        "s" => reader.out.text(Kind::String, rest.as_bytes())?,
        "sn" => reader.out.text(Kind::StringName, rest.as_bytes())?,
        "np" => reader.out.node_path(rest.as_bytes())?,
        _ => {
            return Err(ReadErrorKind::Expected(
                "\"s:\", \"sn:\", \"np:\", \"i:\" or \"f:\" in front of the text",
            ));
        }
    }
    Ok(())
}

fn object(reader: &mut JsonReader<'_>) -> Result<bool> {
    let (head, end) = head(reader)?;
    let name = head.name.as_deref();
    let name = name.ok_or(ReadErrorKind::Expected("the member \"type\""))?;
    let kind = kind_of(name);
    match kind {
        Some(Kind::Rid) => {
            reader.out.write(|writer| writer.rid(0))?;
            return finish(reader, &head, end);
        }
        Some(Kind::Callable) => {
            reader.out.write(|writer| writer.callable())?;
            return finish(reader, &head, end);
        }
        Some(Kind::Signal) => {
            reader.out.write(|writer| writer.signal("", 0))?;
            return finish(reader, &head, end);
        }
        _ => {}
    }
    if head.list.is_none() {
        return Err(ReadErrorKind::Expected("the member \"args\""));
    }
    reader.lexer.expect(b'[', "'[' and the arguments")?;
    let (form, count_at) = match kind {
        Some(Kind::Dictionary) => {
            let (key, value) = (element(head.key.as_deref()), element(head.value.as_deref()));
            let at = reader
                .out
                .begin(|writer| writer.begin_typed_dict(key, value, 0))?;
            (ChildSyntax::Flat, at)
        }
        Some(Kind::Array) => {
            let element = element(head.element.as_deref());
            let at = if reader.out.target().can_write(Kind::TypedArray) {
                let kind = Kind::TypedArray;
                reader
                    .out
                    .begin(|writer| writer.begin_pandemonium_typed_array(kind, element, 0))?
            } else {
                reader
                    .out
                    .begin(|writer| writer.begin_typed_array(element, 0))?
            };
            (ChildSyntax::List, at)
        }
        None => {
            reader.let_object_in()?;
            let at = reader.out.begin(|writer| writer.begin_object(name, 0))?;
            (ChildSyntax::FlatProps, at)
        }
        Some(kind) => {
            arguments(reader, kind)?;
            return close(reader, end);
        }
    };
    reader.push(form, count_at, u8::from(end.is_none()));
    if let Some(frame) = reader.open.last_mut() {
        frame.resume = end;
    }
    Ok(false)
}

/// Ends the JSON object of a type without arguments (RID, Callable, Signal), and returns `true`. If
/// the object has a list of arguments, the list is skipped.
fn finish(reader: &mut JsonReader<'_>, head: &Head<'_>, end: Option<usize>) -> Result<bool> {
    if head.list.is_some() && end.is_none() {
        reader.lexer.skip()?;
    }
    close(reader, end)
}

fn close(reader: &mut JsonReader<'_>, end: Option<usize>) -> Result<bool> {
    match end {
        Some(end) => reader.lexer.pos = end,
        None => reader.lexer.expect(b'}', "'}' after the arguments")?,
    }
    Ok(true)
}

/// Reads the numbers or texts of a value without children. The opening `[` has been read.
fn arguments(reader: &mut JsonReader<'_>, kind: Kind) -> Result<()> {
    if kind == Kind::PackedStringArray {
        let mut texts = Vec::new();
        while reader.lexer.more(texts.is_empty(), b']', "',' or ']'")? {
            texts.push(reader.lexer.text()?.into_owned().into_bytes());
        }
        return Ok(reader.out.texts(&texts)?);
    }
    let each = crate::write::element_len(kind);
    if kind.component_count() == 0 && each == 0 {
        return Err(ReadErrorKind::UnknownType);
    }
    let mut numbers = Vec::new();
    while reader.lexer.more(numbers.is_empty(), b']', "',' or ']'")? {
        numbers.push(if reader.lexer.peek() == b'n' {
            // The engine prints `null` for NaN, and reads it back as zero.
            reader.lexer.scalar()?;
            Number::Int(0)
        } else {
            let text = reader.lexer.number()?;
            let number = reader.number(text)?;
            if let Err(error) = number.check(kind, reader.out.target()) {
                reader.lexer.pos -= text.len();
                return Err(error.into());
            }
            number
        });
    }
    let components = if kind == Kind::Basis { 9 } else { 12 };
    if matches!(kind, Kind::Basis | Kind::Transform3D) && numbers.len() == components {
        crate::write::transposed(kind, &mut numbers);
    }
    reader.construct(kind, &numbers, each.max(1))
}
