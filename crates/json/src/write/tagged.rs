//! [`Style::Tagged`](crate::Style::Tagged).

use std::io;

use gdvar_text::{Builder, double_text};
use gdvar_view::{Document, ElementType, Kind, StrRef, VariantRef};
use gdvar_write::{Precision, Target, Writer, transcode_value, wire::TypeId};

use super::{
    Begun, Form, Out, Result,
    leaf::{Numbers, element_len, numbers, transposed},
};

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // A String takes any text.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Writes a text: in quotes, or as numbers if some are not characters. A leading byte order mark is
/// a character like any other.
pub(super) fn text<W: io::Write>(out: &mut Out<W>, text: StrRef<'_>) -> Result<()> {
    text.check()?;
    let text = text.with_mark();
    if let Ok(text) = text.to_str() {
        return out.quoted(text);
    }
    let chars: Option<String> = text.codes().map(char::from_u32).collect();
    if let Some(text) = chars {
        return out.quoted(&text);
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

/// Returns the bytes that the target's engine writes for a value, with reals in their present
/// width.
fn canonical(value: VariantRef<'_>) -> Option<Vec<u8>> {
    let target = Target::from(value.dialect()).with_precision(Precision::AsGiven);
    let mut writer = Writer::new(Vec::new(), target);
    transcode_value(value, &mut writer).ok()?;
    writer.finish().ok()
}

/// Returns the tag for the width of a number, or `None` if the engine would choose the same width.
fn width(value: VariantRef<'_>, raw: &[u8]) -> Option<&'static str> {
    let target = Target::from(value.dialect());
    let written = |put: &dyn Fn(&mut Writer<&mut Vec<u8>>) -> bool| {
        let mut bytes = Vec::new();
        put(&mut Writer::new(&mut bytes, target)) && bytes == raw
    };
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
    /// Writes numbers as bits, separated by commas.
    fn bits(&mut self, numbers: &Numbers, range: std::ops::Range<usize>) -> Result<()> {
        self.put("[")?;
        for n in range.clone() {
            if n > range.start {
                self.put(",")?;
            }
            match numbers {
                Numbers::Ints(all) => write!(self.out, "{}", all[n])?,
                Numbers::Singles(all) => write!(self.out, "\"{:08x}\"", all[n].to_bits())?,
                Numbers::Doubles(all) => write!(self.out, "\"{:016x}\"", all[n].to_bits())?,
            }
        }
        self.put("]")
    }

    /// Writes groups of components, each under its name.
    fn groups(&mut self, numbers: &Numbers, from: usize, names: &[&str], len: usize) -> Result<()> {
        for (n, name) in names.iter().enumerate() {
            let comma = if n > 0 { "," } else { "{" };
            write!(self.out, "{comma}\"{name}\":")?;
            self.bits(numbers, from + n * len..from + (n + 1) * len)?;
        }
        self.put("}")
    }
}

pub(super) fn leaf<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<()> {
    let raw = value.raw()?;
    let kind = value.kind();
    let tag = match kind {
        Kind::Int | Kind::Float => width(value, raw),
        // An empty array does not show how wide its elements would be.
        _ if value.is_wide() && value.packed_len() == Some(0) => None,
        _ => canonical(value)
            .filter(|bytes| bytes == raw)
            .map(|_| kind.name()),
    };
    let Some(tag) = tag else {
        // A value that is kept as raw bytes must be readable too.
        Document::with_options(raw, value.options())
            .validate()
            .map_err(|error| error.at(value.offset()))?;
        return out.put(&format!("{{\"Raw\":\"{}\"}}", hex(raw)));
    };
    let id = value.as_object().and_then(|object| object.id());
    let tag = if id.is_some() { "ObjectId" } else { tag };
    write!(out.out, "{{\"{tag}\":")?;
    content(out, value)?;
    out.put("}")
}

fn content<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>) -> Result<()> {
    let kind = value.kind();
    if let Some(flag) = value.as_bool() {
        return out.put(if flag { "true" } else { "false" });
    }
    if let Some(int) = value.as_i64() {
        write!(out.out, "\"{int}\"")?;
        return Ok(());
    }
    if let Some(float) = value.as_f64() {
        let (bits, text) = (float.to_bits(), double_text(float));
        write!(out.out, "{{\"bits\":\"{bits:016x}\",\"dec\":\"{text}\"}}")?;
        return Ok(());
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
        let (format, mipmaps, data) = (image.format, image.mipmaps, hex(image.data));
        let (width, height) = (image.width, image.height);
        write!(
            out.out,
            "{{\"format\":{format},\"mipmaps\":{mipmaps},\"width\":{width},\"height\":{height},\"data\":\"{data}\"}}"
        )?;
        return Ok(());
    }
    if let Some(event) = value.as_input_event() {
        let (sort, device, body) = (event.kind, event.device, hex(event.body));
        write!(
            out.out,
            "{{\"kind\":{sort},\"device\":{device},\"body\":\"{body}\"}}"
        )?;
        return Ok(());
    }
    if kind == Kind::PackedByteArray {
        return out.quoted(&hex(value.as_bytes().unwrap_or_default()));
    }
    let Some(mut all) = numbers(value) else {
        return out.put("null");
    };
    match &mut all {
        Numbers::Ints(_) => {}
        Numbers::Singles(all) => transposed(kind, all),
        Numbers::Doubles(all) => transposed(kind, all),
    }
    let count = match &all {
        Numbers::Ints(all) => all.len(),
        Numbers::Singles(all) => all.len(),
        Numbers::Doubles(all) => all.len(),
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
            if let Numbers::Ints(ints) = &all {
                for (n, int) in ints.iter().enumerate() {
                    let comma = if n > 0 { "," } else { "" };
                    write!(out.out, "{comma}\"{int}\"")?;
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

/// Returns the bytes before the first child. `bytes` begins with the container.
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

/// Returns an element type for the writer, or `None` if the writer has none like it.
fn written(element: ElementType<'_>) -> Option<gdvar_write::ElementType<'_>> {
    Some(match element {
        ElementType::Untyped => gdvar_write::ElementType::Untyped,
        ElementType::Builtin(_, kind) => gdvar_write::ElementType::Builtin(kind?),
        ElementType::Class(name) => gdvar_write::ElementType::Class(name.to_str().ok()?),
        ElementType::Script(path) => gdvar_write::ElementType::Script(path.to_str().ok()?),
    })
}

/// Returns the bytes that the target's engine writes before the first child, or `None` if it writes
/// no container like this.
fn canonical_head(value: VariantRef<'_>) -> Option<Vec<u8>> {
    let mut builder = Builder::new(Target::from(value.dialect()));
    let (at, count) = if let Some(array) = value.as_array() {
        let element = written(array.element_type())?;
        let kind = value.kind();
        let begun = builder.begin(|writer| match kind {
            Kind::Array => writer.begin_typed_array(element, 0),
            kind => writer.begin_pandemonium_typed_array(kind, element, 0),
        });
        (begun.ok()?, array.len())
    } else {
        let dict = value.as_dict()?;
        let (keys, values) = (written(dict.key_type())?, written(dict.value_type())?);
        let begun = builder.begin(|writer| writer.begin_typed_dict(keys, values, 0));
        (begun.ok()?, dict.len())
    };
    builder.set_count(at, count).ok()?;
    Some(builder.bytes)
}

/// Returns `true` if an object and the names of its properties are encoded as an engine does. Walks
/// over all of the object.
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

/// Returns `true` if `bytes` are a length, the text in UTF-8, and zeros. Godot 3 also accepts
/// longer forms of characters, which a Rust string would not keep.
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

/// Writes the beginning of a container. `bytes` begins with the container and runs to the end of
/// the document.
pub(super) fn begin<W: io::Write>(
    out: &mut Out<W>,
    value: VariantRef<'_>,
    bytes: &[u8],
) -> Result<Begun> {
    if value.as_object().is_some() {
        if !is_canonical_object(value, bytes)? {
            out.put(&format!("{{\"Raw\":\"{}\"}}", hex(value.raw()?)))?;
            return Ok(Begun::Whole);
        }
    } else {
        let head = head(value, bytes)?;
        if canonical_head(value).as_deref() != Some(head) {
            return raw_begin(out, value, head);
        }
    }
    if let Some(array) = value.as_array() {
        if value.kind() == Kind::Array && array.element_type() == ElementType::Untyped {
            out.put("{\"Array\":[")?;
            return Ok(Begun::open(Form::List, "]}"));
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
        return Ok(Begun::open(Form::List, "]}}"));
    }
    if let Some(dict) = value.as_dict() {
        if dict.key_type() == ElementType::Untyped && dict.value_type() == ElementType::Untyped {
            out.put("{\"Dictionary\":[")?;
            return Ok(Begun::open(Form::Pairs, "]}"));
        }
        out.put("{\"TypedDictionary\":{\"key\":")?;
        element(out, dict.key_type())?;
        out.put(",\"value\":")?;
        element(out, dict.value_type())?;
        out.put(",\"entries\":[")?;
        return Ok(Begun::open(Form::Pairs, "]}}"));
    }
    out.put("{\"Object\":{\"class\":")?;
    if let Some(class) = value.as_object().and_then(|object| object.class()) {
        text(out, class)?;
    }
    out.put(",\"props\":[")?;
    Ok(Begun::open(Form::Pairs, "]}}"))
}

/// Begins a container that no engine writes in this form: the bytes before its first child are kept
/// raw.
fn raw_begin<W: io::Write>(out: &mut Out<W>, value: VariantRef<'_>, head: &[u8]) -> Result<Begun> {
    let head = hex(head);
    if value.as_dict().is_some() {
        write!(
            out.out,
            "{{\"RawDictionary\":{{\"head\":\"{head}\",\"entries\":["
        )?;
        return Ok(Begun::open(Form::Pairs, "]}}"));
    }
    write!(out.out, "{{\"RawArray\":{{\"head\":\"{head}\",\"items\":[")?;
    Ok(Begun::open(Form::List, "]}}"))
}
