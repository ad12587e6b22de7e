//! Writes [`Style::Tagged`](crate::Style::Tagged).

use std::io;

use gdvar_text::double_text;
use gdvar_view::{Document, ElementType, Kind, StrRef, VariantRef};
use gdvar_write::{Writer, transcode_value, wire::TypeId};

use super::{
    Begun, ChildSyntax, Out, Result, is_plain,
    leaf::{LeafNumbers, element_len, numbers, transposed},
};

/// Writes a text in quotes, or as a list of codes if one of them is not a Unicode character. A
/// leading byte order mark is written as a character.
pub(super) fn text<W: io::Write>(out: &mut Out<W>, text: StrRef<'_>) -> Result<()> {
    let text = text.with_mark();
    if is_plain(text.raw()) || text.to_str().is_ok() {
        return out.quoted_ref(text);
    }
    text.check()?;
    if text.codes().all(|code| char::from_u32(code).is_some()) {
        return out.quoted_ref(text);
    }
    out.put("{\"codes\":[")?;
    for (n, code) in text.codes().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        write!(out.out, "{comma}{code}")?;
    }
    out.put("]}")
}

fn texts<'a, W: io::Write>(
    out: &mut Out<W>,
    all: impl Iterator<Item = std::result::Result<StrRef<'a>, gdvar_view::Error>>,
) -> Result<()> {
    out.put("[")?;
    for (n, one) in all.enumerate() {
        if n > 0 {
            out.put(",")?;
        }
        text(out, one?)?;
    }
    out.put("]")
}

type Scratch<'s> = Writer<&'s mut Vec<u8>>;

/// Returns `true` if the calls that `put` makes on a writer for the dialect of `value` produce
/// exactly the bytes `raw`.
fn writes(
    raw: &[u8],
    value: VariantRef<'_>,
    scratch: &mut Vec<u8>,
    put: impl FnOnce(&mut Scratch<'_>) -> bool,
) -> bool {
    scratch.clear();
    put(&mut Writer::new(&mut *scratch, value.dialect())) && *scratch == raw
}

/// Returns the tag that gives the width of a number. `None` if no width leads to these bytes.
fn width(value: VariantRef<'_>, raw: &[u8], scratch: &mut Vec<u8>) -> Option<&'static str> {
    let mut written =
        |put: &dyn Fn(&mut Scratch<'_>) -> bool| writes(raw, value, scratch, |writer| put(writer));
    if let Some(int) = value.as_i64() {
        return if written(&|writer| writer.int(int).is_ok()) {
            Some("Int")
        } else if written(&|writer| i32::try_from(int).is_ok_and(|int| writer.int_i32(int).is_ok()))
        {
            Some("Int32")
        } else {
            written(&|writer| writer.int_i64(int).is_ok()).then_some("Int64")
        };
    }
    let float = value.as_f64()?;
    if written(&|writer| writer.float(float).is_ok()) {
        Some("Float")
    } else if written(&|writer| writer.float_f32(gdvar_write::wire::narrow(float)).is_ok()) {
        Some("Float32")
    } else {
        written(&|writer| writer.float_f64(float).is_ok()).then_some("Float64")
    }
}

impl<W: io::Write> Out<W> {
    /// Writes ints in decimal and floats as the hexadecimal digits of their bits in quotes,
    /// separated by commas and in brackets.
    fn bits(&mut self, numbers: &LeafNumbers, range: std::ops::Range<usize>) -> Result<()> {
        self.put("[")?;
        for n in range.clone() {
            if n > range.start {
                self.put(",")?;
            }
            match numbers {
                LeafNumbers::Ints(all) => self.int(all[n])?,
                LeafNumbers::Singles(all) => self.quoted_hex(&all[n].to_bits().to_be_bytes())?,
                LeafNumbers::Doubles(all) => self.quoted_hex(&all[n].to_bits().to_be_bytes())?,
            }
        }
        self.put("]")
    }

    fn quoted_hex(&mut self, bytes: &[u8]) -> Result<()> {
        self.put("\"")?;
        self.hex(bytes)?;
        self.put("\"")
    }

    /// Writes components in groups, each with its name.
    fn groups(
        &mut self,
        numbers: &LeafNumbers,
        from: usize,
        names: &[&str],
        len: usize,
    ) -> Result<()> {
        for (n, name) in names.iter().enumerate() {
            self.put(if n > 0 { ",\"" } else { "{\"" })?;
            self.put(name)?;
            self.put("\":")?;
            self.bits(numbers, from + n * len..from + (n + 1) * len)?;
        }
        self.put("}")
    }
}

pub(super) fn leaf<W: io::Write>(
    out: &mut Out<W>,
    value: VariantRef<'_>,
    scratch: &mut Vec<u8>,
) -> Result<()> {
    let raw = value.raw()?;
    let kind = value.kind();
    let tag = match kind {
        Kind::Int | Kind::Float => width(value, raw, scratch),
        // An empty array has no elements that would show the width.
        _ if value.is_wide() && value.packed_len() == Some(0) => None,
        _ => writes(raw, value, scratch, |writer| {
            transcode_value(value, writer).is_ok()
        })
        .then_some(kind.name()),
    };
    let Some(tag) = tag else {
        // A value that is kept as raw bytes must still be valid.
        Document::with_options(raw, value.options())
            .validate()
            .map_err(|error| error.at(value.offset()))?;
        out.put("{\"Raw\":")?;
        out.quoted_hex(raw)?;
        return out.put("}");
    };
    let id = value.as_object().and_then(|object| object.id());
    let tag = if id.is_some() { "ObjectId" } else { tag };
    out.put("{\"")?;
    out.put(tag)?;
    out.put("\":")?;
    content(out, value)?;
    out.put("}")
}

fn content<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<()> {
    let kind = value.kind();
    if let Some(flag) = value.as_bool() {
        return out.put(if flag { "true" } else { "false" });
    }
    if let Some(int) = value.as_i64() {
        out.put("\"")?;
        out.int(int)?;
        return out.put("\"");
    }
    if let Some(float) = value.as_f64() {
        out.put("{\"bits\":")?;
        out.quoted_hex(&float.to_bits().to_be_bytes())?;
        out.put(",\"dec\":\"")?;
        out.number(&double_text(float))?;
        return out.put("\"}");
    }
    if let Some(one) = value.as_text() {
        return text(out, one);
    }
    if let Some(path) = value.as_node_path() {
        out.put("{\"names\":")?;
        texts(out, path.names())?;
        out.put(",\"subnames\":")?;
        texts(out, path.subnames())?;
        write!(out.out, ",\"absolute\":{}}}", path.is_absolute())?;
        return Ok(());
    }
    if let Some(id) = value.as_rid().or_else(|| value.as_object()?.id()) {
        write!(out.out, "\"{id}\"")?;
        return Ok(());
    }
    if let Some((name, id)) = value.as_signal() {
        out.put("{\"name\":")?;
        text(out, name)?;
        write!(out.out, ",\"object_id\":\"{id}\"}}")?;
        return Ok(());
    }
    if let Some(strings) = value.as_strings() {
        return texts(out, strings.iter());
    }
    if let Some(image) = value.as_image() {
        let (format, mipmaps) = (image.format, image.mipmaps);
        let (width, height) = (image.width, image.height);
        write!(
            out.out,
            "{{\"format\":{format},\"mipmaps\":{mipmaps},\"width\":{width},\"height\":{height},\"data\":"
        )?;
        out.quoted_hex(image.data)?;
        return out.put("}");
    }
    if let Some(event) = value.as_input_event() {
        let (sort, device) = (event.kind, event.device);
        write!(out.out, "{{\"kind\":{sort},\"device\":{device},\"body\":")?;
        out.quoted_hex(event.body)?;
        return out.put("}");
    }
    if kind == Kind::PackedByteArray {
        return out.quoted_hex(value.as_bytes().unwrap_or_default());
    }
    let Some(mut all) = numbers(value) else {
        return out.put("null");
    };
    match &mut all {
        LeafNumbers::Ints(_) => {}
        LeafNumbers::Singles(all) => transposed(kind, all),
        LeafNumbers::Doubles(all) => transposed(kind, all),
    }
    let count = match &all {
        LeafNumbers::Ints(all) => all.len(),
        LeafNumbers::Singles(all) => all.len(),
        LeafNumbers::Doubles(all) => all.len(),
    };
    match (kind, element_len(kind)) {
        (Kind::Transform2D, _) => out.groups(&all, 0, &["x", "y", "origin"], 2),
        (Kind::Basis, _) => out.groups(&all, 0, &["x", "y", "z"], 3),
        (Kind::Transform3D, _) => {
            out.put("{\"basis\":")?;
            out.groups(&all, 0, &["x", "y", "z"], 3)?;
            out.put(",\"origin\":")?;
            out.bits(&all, 9..12)?;
            out.put("}")
        }
        (Kind::Projection, _) => out.groups(&all, 0, &["x", "y", "z", "w"], 4),
        (Kind::PackedInt64Array, _) => {
            out.put("[")?;
            if let LeafNumbers::Ints(ints) = &all {
                for (n, int) in ints.iter().enumerate() {
                    out.put(if n > 0 { ",\"" } else { "\"" })?;
                    out.int(*int)?;
                    out.put("\"")?;
                }
            }
            out.put("]")
        }
        (_, 0 | 1) => out.bits(&all, 0..count),
        (_, len) => {
            out.put("[")?;
            for start in (0..count).step_by(len) {
                if start > 0 {
                    out.put(",")?;
                }
                out.bits(&all, start..start + len)?;
            }
            out.put("]")
        }
    }
}

fn element<W: io::Write>(out: &mut Out<W>, element: ElementType<'_>) -> Result<()> {
    match element {
        ElementType::Untyped => out.put("null"),
        ElementType::Builtin(TypeId(id), _) => {
            write!(out.out, "{{\"builtin\":{id}}}")?;
            Ok(())
        }
        ElementType::Class(name) => {
            out.put("{\"class\":")?;
            text(out, name)?;
            out.put("}")
        }
        ElementType::Script(path) => {
            out.put("{\"script\":")?;
            text(out, path)?;
            out.put("}")
        }
    }
}

/// Returns the bytes before the first child of a container. `bytes` starts at the container.
fn head<'b>(value: VariantRef<'_>, bytes: &'b [u8]) -> Result<&'b [u8]> {
    let first = if let Some(array) = value.as_array() {
        array.iter().try_next()?.map(VariantRef::offset)
    } else if let Some(dict) = value.as_dict() {
        dict.iter().try_next()?.map(|(key, _)| key.offset())
    } else {
        None
    };
    let end = match first {
        Some(first) => first,
        None => value.end()?,
    };
    Ok(&bytes[..end - value.offset()])
}

/// Converts an element type for the writer. `None` if the writer has no such type.
fn written(element: ElementType<'_>) -> Option<gdvar_write::ElementType<'_>> {
    Some(match element {
        ElementType::Untyped => gdvar_write::ElementType::Untyped,
        ElementType::Builtin(_, kind) => gdvar_write::ElementType::Builtin(kind?),
        ElementType::Class(name) => gdvar_write::ElementType::Class(name.to_str().ok()?),
        ElementType::Script(path) => gdvar_write::ElementType::Script(path.to_str().ok()?),
    })
}

/// Returns `true` if the engine would write the same bytes before the first child.
fn is_canonical_head(value: VariantRef<'_>, head: &[u8], scratch: &mut Vec<u8>) -> bool {
    if let Some(array) = value.as_array() {
        let (kind, len) = (value.kind(), array.len());
        let Some(element) = written(array.element_type()) else {
            return false;
        };
        return writes(head, value, scratch, |writer| {
            let begun = match kind {
                Kind::Array => writer.begin_typed_array(element, len),
                kind => writer.begin_pandemonium_typed_array(kind, element, len),
            };
            begun.is_ok()
        });
    }
    value.as_dict().is_some_and(|dict| {
        let (Some(keys), Some(values)) = (written(dict.key_type()), written(dict.value_type()))
        else {
            return false;
        };
        writes(head, value, scratch, |writer| {
            writer.begin_typed_dict(keys, values, dict.len()).is_ok()
        })
    })
}

/// Returns `true` if an object and the names of its properties are encoded as an engine encodes
/// them. Walks over the whole object.
fn is_canonical_object(value: VariantRef<'_>, bytes: &[u8]) -> Result<bool> {
    let Some(object) = value.as_object() else {
        return Ok(false);
    };
    let Some(class) = object.class() else {
        return Ok(false);
    };
    let own = |at: usize| &bytes[at - value.offset()..];
    let mut at = value.offset() + 4;
    if !is_field(own(at), class) || !value.dialect().is_canonical_header(value.header()) {
        return Ok(false);
    }
    at += 4 + class.as_bytes().len().next_multiple_of(4);
    if own(at)[..4] != (object.len() as u32).to_le_bytes() {
        return Ok(false);
    }
    at += 4;
    for property in object.iter() {
        let (name, child) = property?;
        let len = 4 + name.as_bytes().len().next_multiple_of(4);
        if child.offset() != at + len || !is_field(own(at), name) {
            return Ok(false);
        }
        at = child.end()?;
    }
    Ok(true)
}

/// Returns `true` if `bytes` are a length, the text in UTF-8, and padding of zeros. Godot 3 also
/// accepts overlong characters, which a Rust string cannot hold.
fn is_field(bytes: &[u8], text: StrRef<'_>) -> bool {
    let own = text.as_bytes();
    if std::str::from_utf8(own).is_err() {
        return false;
    }
    let padded = own.len().next_multiple_of(4);
    bytes
        .get(..4)
        .is_some_and(|len| *len == (own.len() as u32).to_le_bytes())
        && bytes
            .get(4..4 + own.len())
            .is_some_and(|found| found == own)
        && bytes[4 + own.len()..4 + padded]
            .iter()
            .all(|byte| *byte == 0)
}

/// Writes the beginning of a container. `bytes` starts at the container and ends with the document.
pub(super) fn begin<W: io::Write>(
    out: &mut Out<W>,
    value: VariantRef<'_>,
    bytes: &[u8],
    scratch: &mut Vec<u8>,
) -> Result<Begun> {
    if value.as_object().is_some() {
        if !is_canonical_object(value, bytes)? {
            out.put("{\"Raw\":")?;
            out.quoted_hex(value.raw()?)?;
            out.put("}")?;
            return Ok(Begun::Whole);
        }
    } else {
        let head = head(value, bytes)?;
        if !is_canonical_head(value, head, scratch) {
            return raw_begin(out, value, head);
        }
    }
    if let Some(array) = value.as_array() {
        if value.kind() == Kind::Array && array.element_type() == ElementType::Untyped {
            out.put("{\"Array\":[")?;
            return Ok(Begun::open(ChildSyntax::List, "]}"));
        }
        let own = value.kind() != Kind::Array && value.kind() != Kind::TypedArray;
        let tag = if own {
            value.kind().name()
        } else {
            "TypedArray"
        };
        write!(out.out, "{{\"{tag}\":{{\"elem\":")?;
        element(out, array.element_type())?;
        out.put(",\"items\":[")?;
        return Ok(Begun::open(ChildSyntax::List, "]}}"));
    }
    if let Some(dict) = value.as_dict() {
        if dict.key_type() == ElementType::Untyped && dict.value_type() == ElementType::Untyped {
            out.put("{\"Dictionary\":[")?;
            return Ok(Begun::open(ChildSyntax::Pairs, "]}"));
        }
        out.put("{\"TypedDictionary\":{\"key\":")?;
        element(out, dict.key_type())?;
        out.put(",\"value\":")?;
        element(out, dict.value_type())?;
        out.put(",\"entries\":[")?;
        return Ok(Begun::open(ChildSyntax::Pairs, "]}}"));
    }
    out.put("{\"Object\":{\"class\":")?;
    if let Some(class) = value.as_object().and_then(|object| object.class()) {
        text(out, class)?;
    }
    out.put(",\"props\":[")?;
    Ok(Begun::open(ChildSyntax::Pairs, "]}}"))
}

/// Begins a container whose head no engine writes. The head, which is all bytes before the first
/// child, is kept raw.
fn raw_begin<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>, head: &[u8]) -> Result<Begun> {
    let (tag, list, form) = match value.as_dict() {
        Some(_) => ("RawDictionary", "entries", ChildSyntax::Pairs),
        None => ("RawArray", "items", ChildSyntax::List),
    };
    write!(out.out, "{{\"{tag}\":{{\"head\":")?;
    out.quoted_hex(head)?;
    write!(out.out, ",\"{list}\":[")?;
    Ok(Begun::open(form, "]}}"))
}
