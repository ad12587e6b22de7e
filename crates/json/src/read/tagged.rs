//! Reads [`Style::Tagged`](crate::Style::Tagged).

use std::borrow::Cow;

use gdvar_text::Number;
use gdvar_write::{
    ElementType, ImageParts, Real,
    wire::{Kind, TypeId, layout, math, wide_bytes},
};

use super::{ChildSyntax, JsonReader, Result};
use crate::{
    error::ReadErrorKind,
    lexer::{Lexer, Scalar},
    write::{element_len, transposed},
};

/// Reads a text in quotes, or an object that lists the codes of the characters:
/// `{"codes":[104,105]}`.
pub(super) fn text(lexer: &mut Lexer<'_>) -> Result<Vec<u8>> {
    if lexer.peek() == b'"' {
        return Ok(lexer.text()?.into_owned().into_bytes());
    }
    lexer.expect(b'{', "a text")?;
    member(lexer, true, "codes", "\"codes\"")?;
    lexer.expect(b'[', "'['")?;
    let mut bytes = Vec::new();
    let mut first = true;
    while lexer.more(first, b']', "',' or ']'")? {
        first = false;
        let code = lexer.number()?.parse().map_err(|_| ReadErrorKind::Number)?;
        let (one, len) = wide_bytes(code);
        bytes.extend_from_slice(&one[..len]);
    }
    lexer.expect(b'}', "'}'")?;
    Ok(bytes)
}

/// Reads the name of a member and the colon. The name must be `name`.
fn member(lexer: &mut Lexer<'_>, first: bool, name: &str, what: &'static str) -> Result<()> {
    if !first {
        lexer.expect(b',', what)?;
    }
    let start = lexer.pos;
    if lexer.text()? != name {
        lexer.pos = start;
        return Err(ReadErrorKind::Expected(what));
    }
    lexer.expect(b':', "':'")
}

/// Reads a whole number, with or without quotes.
fn int<T: std::str::FromStr>(lexer: &mut Lexer<'_>) -> Result<T> {
    let text: Cow<'_, str> = match lexer.scalar()? {
        Scalar::Number(number) => number.into(),
        Scalar::Text(text) => text,
        _ => return Err(ReadErrorKind::Expected("a number")),
    };
    text.parse().map_err(|_| match Number::parse(&text) {
        // The number exceeds 64 bits. Types narrower than Int have another message.
        Err(error) if is_digits(&text) => error.into(),
        _ => ReadErrorKind::Number,
    })
}

/// Returns `true` if a text is a whole number of any size.
pub(super) fn is_digits(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn texts(lexer: &mut Lexer<'_>) -> Result<Vec<Vec<u8>>> {
    lexer.expect(b'[', "'['")?;
    let mut all = Vec::new();
    while lexer.more(all.is_empty(), b']', "',' or ']'")? {
        all.push(text(lexer)?);
    }
    Ok(all)
}

fn hex(lexer: &mut Lexer<'_>) -> Result<Vec<u8>> {
    let text = lexer.text()?;
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
    bytes.ok_or(ReadErrorKind::Expected(
        "hexadecimal digits, two for each byte",
    ))
}

enum TaggedElement {
    Untyped,
    Builtin(Kind),
    Class(String),
    Script(String),
}

impl TaggedElement {
    fn written(&self) -> ElementType<'_> {
        match self {
            TaggedElement::Untyped => ElementType::Untyped,
            TaggedElement::Builtin(kind) => ElementType::Builtin(*kind),
            TaggedElement::Class(name) => ElementType::Class(name),
            TaggedElement::Script(path) => ElementType::Script(path),
        }
    }
}

fn element(reader: &mut JsonReader<'_>) -> Result<TaggedElement> {
    if reader.lexer.peek() == b'n' {
        reader.lexer.scalar()?;
        return Ok(TaggedElement::Untyped);
    }
    reader.lexer.expect(b'{', "a type of elements")?;
    let name = reader.lexer.text()?;
    reader.lexer.expect(b':', "':'")?;
    let utf8 = |bytes| String::from_utf8(bytes).map_err(|_| ReadErrorKind::NotUtf8);
    let element = match &*name {
        "builtin" => {
            let id = TypeId(int(&mut reader.lexer)?);
            let kind = reader.out.target().dialect().kind(id);
            TaggedElement::Builtin(kind.ok_or(ReadErrorKind::UnknownType)?)
        }
        "class" => TaggedElement::Class(utf8(text(&mut reader.lexer)?)?),
        "script" => TaggedElement::Script(utf8(text(&mut reader.lexer)?)?),
        _ => return Err(ReadErrorKind::UnknownType),
    };
    reader.lexer.expect(b'}', "'}'")?;
    Ok(element)
}

pub(super) fn value(reader: &mut JsonReader<'_>) -> Result<bool> {
    reader.lexer.expect(b'{', "'{' and the name of a type")?;
    reader.lexer.peek();
    let start = reader.lexer.pos;
    let mut tag = reader.lexer.text()?;
    reader.lexer.expect(b':', "':' after the name")?;
    // A first member `gdvar` of the outermost object is a note of the command. It is skipped.
    if tag == "gdvar" && reader.open.is_empty() {
        reader.lexer.skip()?;
        reader.lexer.expect(b',', "',' and the name of a type")?;
        tag = reader.lexer.text()?;
        reader.lexer.expect(b':', "':' after the name")?;
    }
    if container(reader, &tag)? {
        return Ok(false);
    }
    match &*tag {
        "Raw" => {
            let bytes = hex(&mut reader.lexer)?;
            reader.out.bytes.extend_from_slice(&bytes);
            reader.raw = true;
        }
        "ObjectId" => {
            reader.let_id_in()?;
            let id = int(&mut reader.lexer)?;
            reader.out.write(|writer| writer.object_id(id))?;
        }
        "Int32" => {
            let int = int(&mut reader.lexer)?;
            reader.out.write(|writer| writer.int_i32(int))?;
        }
        "Int64" => {
            let int = int(&mut reader.lexer)?;
            reader.out.write(|writer| writer.int_i64(int))?;
        }
        "Float32" => {
            let float = float(&mut reader.lexer)?;
            reader
                .out
                .write(|writer| writer.float_f32(gdvar_write::wire::narrow(float)))?;
        }
        "Float64" => {
            let float = float(&mut reader.lexer)?;
            reader.out.write(|writer| writer.float_f64(float))?;
        }
        name => match Kind::from_name(name) {
            Some(kind) => leaf(reader, kind)?,
            None => {
                reader.lexer.pos = start;
                return Err(ReadErrorKind::UnknownType);
            }
        },
    }
    reader.lexer.expect(b'}', "'}' after the value")?;
    Ok(true)
}

/// If the tag is a container, begins it and returns `true`.
fn container(reader: &mut JsonReader<'_>, tag: &str) -> Result<bool> {
    let braces = match tag {
        "Array" | "Dictionary" => 1,
        "Object" if reader.lexer.peek() == b'n' => return Ok(false),
        "Object" | "TypedArray" | "PackedTypedArray" | "TypedDictionary" | "RawArray"
        | "RawDictionary" => {
            reader.lexer.expect(b'{', "'{'")?;
            2
        }
        _ => return Ok(false),
    };
    let lexer = &mut reader.lexer;
    let (form, count_at) = match tag {
        "Array" => (
            ChildSyntax::List,
            Some(reader.out.begin(|writer| writer.begin_array(0))?),
        ),
        "Dictionary" => (
            ChildSyntax::Pairs,
            Some(reader.out.begin(|writer| writer.begin_dict(0))?),
        ),
        "Object" => {
            member(lexer, true, "class", "\"class\"")?;
            let class = String::from_utf8(text(lexer)?).map_err(|_| ReadErrorKind::NotUtf8)?;
            member(lexer, false, "props", "\"props\"")?;
            reader.let_object_in()?;
            let at = reader.out.begin(|writer| writer.begin_object(&class, 0))?;
            (ChildSyntax::PairProps, Some(at))
        }
        "TypedDictionary" => {
            member(lexer, true, "key", "\"key\"")?;
            let key = element(reader)?;
            member(&mut reader.lexer, false, "value", "\"value\"")?;
            let value = element(reader)?;
            member(&mut reader.lexer, false, "entries", "\"entries\"")?;
            let at = reader
                .out
                .begin(|writer| writer.begin_typed_dict(key.written(), value.written(), 0))?;
            (ChildSyntax::Pairs, Some(at))
        }
        "TypedArray" | "PackedTypedArray" => {
            member(lexer, true, "elem", "\"elem\"")?;
            let element = element(reader)?;
            member(&mut reader.lexer, false, "items", "\"items\"")?;
            let own = if tag == "TypedArray" {
                Kind::TypedArray
            } else {
                Kind::PackedTypedArray
            };
            let godot4 = own == Kind::TypedArray && !reader.out.target().can_write(own);
            let at = reader.out.begin(|writer| {
                if godot4 {
                    writer.begin_typed_array(element.written(), 0)
                } else {
                    writer.begin_pandemonium_typed_array(own, element.written(), 0)
                }
            })?;
            (ChildSyntax::List, Some(at))
        }
        _ => {
            member(lexer, true, "head", "\"head\"")?;
            let head = hex(lexer)?;
            let dict = tag == "RawDictionary";
            let (list, what) = if dict {
                ("entries", "\"entries\"")
            } else {
                ("items", "\"items\"")
            };
            member(lexer, false, list, what)?;
            reader.out.bytes.extend_from_slice(&head);
            reader.raw = true;
            (
                if dict {
                    ChildSyntax::Pairs
                } else {
                    ChildSyntax::List
                },
                None,
            )
        }
    };
    reader.lexer.expect(b'[', "'['")?;
    reader.push(form, count_at.unwrap_or(0), braces);
    if let Some(frame) = reader.open.last_mut() {
        frame.count_at = count_at;
    }
    Ok(true)
}

fn float(lexer: &mut Lexer<'_>) -> Result<f64> {
    lexer.expect(b'{', "'{'")?;
    let mut bits = None;
    let mut first = true;
    while lexer.more(first, b'}', "',' or '}'")? {
        first = false;
        let name = lexer.text()?;
        lexer.expect(b':', "':'")?;
        if name == "bits" {
            let text = lexer.text()?;
            bits = Some(u64::from_str_radix(&text, 16).map_err(|_| ReadErrorKind::Number)?);
        } else {
            lexer.skip()?;
        }
    }
    bits.map(f64::from_bits)
        .ok_or(ReadErrorKind::Expected("the member \"bits\""))
}

/// Reads the numbers of nested arrays and named groups, and returns them in stream order. The
/// groups may have any order in the JSON: `x`, `y`, `z`, `w`, `origin` is the stream order.
fn numbers<'a>(lexer: &mut Lexer<'a>) -> Result<Vec<Cow<'a, str>>> {
    const ORDER: [&str; 5] = ["x", "y", "z", "w", "origin"];
    let mut all: Vec<(usize, Cow<'a, str>)> = Vec::new();
    let (mut open, mut group) = (0u32, 0);
    loop {
        match lexer.peek() {
            b'[' | b'{' => {
                open += 1;
                lexer.pos += 1;
            }
            b']' | b'}' if open > 0 => {
                open -= 1;
                lexer.pos += 1;
            }
            b',' if open > 0 => lexer.pos += 1,
            _ => {
                let text: Cow<'a, str> = match lexer.scalar()? {
                    Scalar::Number(number) => number.into(),
                    Scalar::Text(text) => text,
                    _ => return Err(ReadErrorKind::Expected("numbers")),
                };
                if lexer.eat(b':') {
                    group = ORDER.iter().position(|name| *name == text).unwrap_or(0);
                } else {
                    all.push((group, text));
                }
            }
        }
        if open == 0 {
            break;
        }
    }
    all.sort_by_key(|(group, _)| *group);
    Ok(all.into_iter().map(|(_, text)| text).collect())
}

fn singles(all: &[Cow<'_, str>]) -> Result<Vec<f32>> {
    let one = |text: &Cow<'_, str>| u32::from_str_radix(text, 16).map(f32::from_bits);
    let all: std::result::Result<_, _> = all.iter().map(one).collect();
    all.map_err(|_| ReadErrorKind::Number)
}

fn doubles(all: &[Cow<'_, str>]) -> Result<Vec<f64>> {
    let one = |text: &Cow<'_, str>| u64::from_str_radix(text, 16).map(f64::from_bits);
    let all: std::result::Result<_, _> = all.iter().map(one).collect();
    all.map_err(|_| ReadErrorKind::Number)
}

fn leaf(reader: &mut JsonReader<'_>, kind: Kind) -> Result<()> {
    let lexer = &mut reader.lexer;
    match kind {
        Kind::Nil | Kind::Callable | Kind::Object => {
            if lexer.scalar()? != Scalar::Null {
                return Err(ReadErrorKind::Expected("null"));
            }
            reader.out.write(|writer| match kind {
                Kind::Nil => writer.nil(),
                Kind::Callable => writer.callable(),
                _ => writer.null_object(),
            })?;
        }
        Kind::Bool => match lexer.scalar()? {
            Scalar::Bool(flag) => reader.out.write(|writer| writer.bool(flag))?,
            _ => return Err(ReadErrorKind::Expected("true or false")),
        },
        Kind::Int => {
            let int = int(lexer)?;
            reader.out.write(|writer| writer.int(int))?;
        }
        Kind::Float => {
            let float = float(lexer)?;
            reader.out.write(|writer| writer.float(float))?;
        }
        Kind::String | Kind::StringName => {
            let text = text(lexer)?;
            reader.out.text(kind, &text)?;
        }
        Kind::Rid => {
            let id = int(lexer)?;
            reader.out.write(|writer| writer.rid(id))?;
        }
        Kind::NodePath => {
            lexer.expect(b'{', "'{'")?;
            member(lexer, true, "names", "\"names\"")?;
            let names = texts(lexer)?;
            member(lexer, false, "subnames", "\"subnames\"")?;
            let subnames = texts(lexer)?;
            member(lexer, false, "absolute", "\"absolute\"")?;
            let absolute = lexer.scalar()? == Scalar::Bool(true);
            lexer.expect(b'}', "'}'")?;
            reader
                .out
                .write(|writer| writer.node_path_from(&names, &subnames, absolute))?;
        }
        Kind::Signal => {
            lexer.expect(b'{', "'{'")?;
            member(lexer, true, "name", "\"name\"")?;
            let name = String::from_utf8(text(lexer)?).map_err(|_| ReadErrorKind::NotUtf8)?;
            member(lexer, false, "object_id", "\"object_id\"")?;
            let id = int(lexer)?;
            lexer.expect(b'}', "'}'")?;
            reader.out.write(|writer| writer.signal(&name, id))?;
        }
        Kind::PackedStringArray => {
            let texts = texts(lexer)?;
            reader.out.texts(&texts)?;
        }
        Kind::PackedByteArray => {
            let bytes = hex(lexer)?;
            reader.out.write(|writer| writer.packed_bytes(&bytes))?;
        }
        Kind::Image => image(reader)?,
        Kind::InputEvent => {
            lexer.expect(b'{', "'{'")?;
            member(lexer, true, "kind", "\"kind\"")?;
            let sort = int(lexer)?;
            member(lexer, false, "device", "\"device\"")?;
            let device = int(lexer)?;
            member(lexer, false, "body", "\"body\"")?;
            let body = hex(lexer)?;
            lexer.expect(b'}', "'}'")?;
            reader
                .out
                .write(|writer| writer.input_event(sort, device, &body))?;
        }
        Kind::Array | Kind::Dictionary | Kind::TypedArray | Kind::PackedTypedArray => {
            return Err(ReadErrorKind::UnknownType);
        }
        _ => components(reader, kind)?,
    }
    Ok(())
}

fn image(reader: &mut JsonReader<'_>) -> Result<()> {
    let lexer = &mut reader.lexer;
    lexer.expect(b'{', "'{'")?;
    member(lexer, true, "format", "\"format\"")?;
    let format = int(lexer)?;
    member(lexer, false, "mipmaps", "\"mipmaps\"")?;
    let mipmaps = int(lexer)?;
    member(lexer, false, "width", "\"width\"")?;
    let width = int(lexer)?;
    member(lexer, false, "height", "\"height\"")?;
    let height = int(lexer)?;
    member(lexer, false, "data", "\"data\"")?;
    let data = hex(lexer)?;
    lexer.expect(b'}', "'}'")?;
    Ok(reader.out.write(|writer| {
        writer.image(&ImageParts {
            format,
            mipmaps,
            width,
            height,
            data: &data,
        })
    })?)
}

/// Writes a math type or a packed array of numbers.
fn components(reader: &mut JsonReader<'_>, kind: Kind) -> Result<()> {
    let all = numbers(&mut reader.lexer)?;
    let each = element_len(kind).max(1);
    let expected = kind.component_count();
    let fits = if expected > 0 {
        all.len() == expected
    } else {
        all.len() % each == 0
    };
    if !fits {
        return Err(ReadErrorKind::Components {
            kind,
            found: u32::try_from(all.len()).unwrap_or(u32::MAX),
        });
    }
    match kind {
        _ if matches!(
            layout::numbers(kind),
            Some((layout::Number::I32 | layout::Number::I64, _))
        ) =>
        {
            let target = reader.out.target();
            let one = |text: &Cow<'_, str>| {
                let number = Number::parse(text)?;
                number.check(kind, target)?;
                Ok(number)
            };
            let ints: Result<Vec<Number>> = all.iter().map(one).collect();
            return reader.construct(kind, &ints?, each);
        }
        Kind::Color | Kind::PackedColorArray => {
            let all = singles(&all)?;
            let color = |c: &[f32]| math::Color::from([c[0], c[1], c[2], c[3]]);
            let colors: Vec<math::Color<f32>> = all.chunks_exact(4).map(color).collect();
            reader.out.write(|writer| match (kind, &colors[..]) {
                (Kind::Color, [color]) => writer.color(*color),
                _ => writer.packed_colors(&colors),
            })?;
        }
        Kind::PackedFloat32Array => {
            let all = singles(&all)?;
            reader.out.write(|writer| writer.packed_f32(&all))?;
        }
        Kind::PackedFloat64Array => {
            let all = doubles(&all)?;
            reader.out.write(|writer| writer.packed_f64(&all))?;
        }
        _ if all.iter().any(|bits| bits.len() > 8) => reals(reader, kind, doubles(&all)?)?,
        _ => reals(reader, kind, singles(&all)?)?,
    }
    Ok(())
}

fn reals<R: Real>(reader: &mut JsonReader<'_>, kind: Kind, mut all: Vec<R>) -> Result<()> {
    transposed(kind, &mut all);
    Ok(reader.out.reals(kind, &all)?)
}
