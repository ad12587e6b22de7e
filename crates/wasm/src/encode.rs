//! Encodes a value from a tape that JavaScript wrote.

use gdvar_view::{
    Dialect, Document, Kind, Limits, Objects, ReadOptions, layout, narrow, wide_bytes, widen,
};
use gdvar_write::{
    ElementType, Precision, Target, Writer,
    wire::{Flags, HeaderWord, pad4},
};

use crate::{failure::Failure, options::depth_limits, tape::op};

type VecWriter = Writer<Vec<u8>>;

/// An error, and the index of the first cell of the value that was being written.
pub(crate) struct EncodeError {
    pub(crate) cell: usize,
    pub(crate) failure: Failure,
}

/// Writes the value on `tape` for `target`.
pub(crate) fn encode(tape: &[u8], target: Target, max_depth: u32) -> Result<Vec<u8>, EncodeError> {
    let limits = depth_limits(max_depth).unwrap_or(Limits::ENGINE);
    let mut from = InputTape { tape, at: 0 };
    let mut to = Writer::with_limits(Vec::new(), target, limits);
    let mut last = 0;
    let done = write(&mut from, &mut to, &mut last);
    let done = done.and_then(|()| {
        if 8 * from.at == tape.len() {
            Ok(())
        } else {
            Err(broken())
        }
    });
    let done = done.and_then(|()| to.finish().map_err(Failure::from));
    done.map_err(|failure| EncodeError {
        cell: last,
        failure,
    })
}

/// An open container: the number of children left to write, and whether they are properties.
struct OpenContainer {
    left: u64,
    named: bool,
}

fn write(from: &mut InputTape<'_>, to: &mut VecWriter, last: &mut usize) -> Result<(), Failure> {
    let mut open: Vec<OpenContainer> = Vec::new();
    loop {
        if let Some(innermost) = open.last_mut() {
            if innermost.left == 0 {
                to.end()?;
                open.pop();
                if open.is_empty() {
                    return Ok(());
                }
                continue;
            }
            innermost.left -= 1;
            if innermost.named && innermost.left % 2 == 1 {
                let name = from.text(to.dialect())?;
                to.property_bytes(&name)?;
                continue;
            }
        }
        *last = from.at;
        open.extend(value(from, to)?);
        if open.is_empty() {
            return Ok(());
        }
    }
}

/// Writes a value without children, or begins a container.
#[inline(always)]
fn value(from: &mut InputTape<'_>, to: &mut VecWriter) -> Result<Option<OpenContainer>, Failure> {
    let (op, n, hi) = from.next()?;
    let count = hi as usize;
    let mut open = None;
    let children = |left, named| Some(OpenContainer { left, named });
    match op {
        op::NIL => to.nil()?,
        op::FALSE => to.bool(false)?,
        op::TRUE => to.bool(true)?,
        op::INT => to.int(i64::from(hi as i32))?,
        op::INT64 => to.int(from.word()? as i64)?,
        op::FLOAT => to.float(from.float()?)?,
        op::UTF8 | op::UTF16 => {
            from.back();
            let text = from.text(to.dialect())?;
            to.string_bytes(&text)?;
        }
        op::STRING_NAME => {
            let name = from.utf8(to.dialect())?;
            to.string_name(name)?;
        }
        op::ARRAY => {
            to.begin_array(count)?;
            open = children(u64::from(hi), false);
        }
        op::TYPED_ARRAY => {
            let element = from.element(to.dialect())?;
            // Pandemonium has separate types for typed arrays.
            let own = to.dialect().type_id(Kind::TypedArray).is_some();
            let form = match (own, n) {
                (_, 2) => Some(Kind::PackedTypedArray),
                (true, _) => Some(Kind::TypedArray),
                (false, _) => None,
            };
            match form {
                Some(form) => to.begin_pandemonium_typed_array(form, element, count)?,
                None => to.begin_typed_array(element, count)?,
            }
            open = children(u64::from(hi), false);
        }
        op::OBJECT | op::MAP => {
            to.begin_dict(count)?;
            open = children(2 * u64::from(hi), false);
        }
        op::TYPED_MAP => {
            let key = from.element(to.dialect())?;
            let of = from.element(to.dialect())?;
            to.begin_typed_dict(key, of, count)?;
            open = children(2 * u64::from(hi), false);
        }
        op::GODOT_OBJECT => {
            let class = from.utf8(to.dialect())?;
            to.begin_object(class, count)?;
            open = children(2 * u64::from(hi), true);
        }
        op::NULL_OBJECT => to.null_object()?,
        op::OBJECT_ID => to.object_id(from.word()?)?,
        op::RID => to.rid(from.word()?)?,
        op::CALLABLE => to.callable()?,
        op::SIGNAL => {
            let id = from.word()?;
            to.signal(from.utf8(to.dialect())?, id)?;
        }
        op::NODE_PATH => {
            let subnames = from.word()? as usize;
            let mut texts = Vec::new();
            for _ in 0..count + subnames {
                texts.push(from.text(to.dialect())?);
            }
            let (names, subnames) = texts.split_at(count);
            to.node_path_from(names, subnames, n == 1)?;
        }
        op::MATH => math(kind(n & 0xff)?, n >> 8 != 0, from, count, to)?,
        op::PACKED => {
            let wide = from.word()? != 0;
            packed(kind(n)?, wide, from.bytes(count)?, to)?;
        }
        op::PACKED_STRINGS => {
            let mut texts = Vec::new();
            for _ in 0..count {
                texts.push(from.text(to.dialect())?);
            }
            to.packed_strings_bytes(&texts)?;
        }
        op::RAW => {
            let bytes = from.bytes(count)?;
            let options = ReadOptions::new(to.dialect()).with_objects(Objects::Inert);
            let document = Document::with_options(bytes, options);
            if document.validate().map_err(Failure::from)? != bytes.len() {
                return Err(Failure::new(
                    "NotAValue",
                    "raw bytes are more than one value",
                ));
            }
            to.raw_bytes(bytes)?;
        }
        _ => return Err(broken()),
    }
    Ok(open)
}

fn kind(n: u32) -> Result<Kind, Failure> {
    Kind::ALL.get(n as usize).copied().ok_or_else(broken)
}

#[cold]
fn broken() -> Failure {
    Failure::new(
        "BrokenTape",
        "the tape that JavaScript wrote is malformed; please report this",
    )
}

/// Writes the components in the width that the target requires. If the target requires none, the components
/// keep the width in which they were read.
fn math(
    kind: Kind,
    given_wide: bool,
    from: &mut InputTape<'_>,
    count: usize,
    to: &mut VecWriter,
) -> Result<(), Failure> {
    let wide = is_wide(kind, given_wide, to.target());
    let is_int = kind.has_ints();
    let mut bytes = Vec::new();
    for _ in 0..count {
        let component = from.float()?;
        if wide {
            bytes.extend_from_slice(&component.to_le_bytes());
        } else if is_int {
            bytes.extend_from_slice(&(component as i32).to_le_bytes());
        } else {
            bytes.extend_from_slice(&narrow(component).to_le_bytes());
        }
    }
    to.math_le(kind, wide, &bytes)?;
    Ok(())
}

/// Returns `true` if reals of this kind are written with 64 bits.
fn is_wide(kind: Kind, given_wide: bool, target: Target) -> bool {
    kind.has_reals()
        && match target.precision() {
            Precision::Single => false,
            Precision::Double => true,
            Precision::AsGiven => given_wide && target.dialect().has_wide_math(),
        }
}

/// Writes a packed array. `bytes` are the elements as in JavaScript's memory, which is always little-endian.
fn packed(kind: Kind, given_wide: bool, bytes: &[u8], to: &mut VecWriter) -> Result<(), Failure> {
    let target = to.target();
    let (Some(id), true) = (target.dialect().type_id(kind), target.can_write(kind)) else {
        let title = target.dialect().title();
        return Err(Failure::new(
            "Unrepresentable",
            format_args!("{title} has no {kind}"),
        ));
    };
    let wide = is_wide(kind, given_wide, target);
    let converted: Vec<u8>;
    let bytes = match (kind.has_reals() && given_wide, wide) {
        (true, false) => {
            let all = bytes.chunks_exact(8).filter_map(|raw| raw.first_chunk());
            let all = all.map(|raw| narrow(f64::from_le_bytes(*raw)));
            converted = all.flat_map(f32::to_le_bytes).collect();
            &converted
        }
        (false, true) => {
            let all = bytes.chunks_exact(4).filter_map(|raw| raw.first_chunk());
            let all = all.map(|raw| widen(f32::from_le_bytes(*raw)));
            converted = all.flat_map(f64::to_le_bytes).collect();
            &converted
        }
        _ => bytes,
    };
    let Some(size) = layout::packed_element(kind, wide) else {
        return Err(broken());
    };
    if bytes.len() % size != 0 {
        let message = format!(
            "{} bytes are not a whole number of elements of a {kind}",
            bytes.len()
        );
        return Err(Failure::new("WrongElement", message));
    }
    let flags = if wide { Flags::WIDE } else { Flags::NONE };
    let mut value = Vec::with_capacity(8 + pad4(bytes.len()));
    value.extend_from_slice(&HeaderWord::new(id, flags).0.to_le_bytes());
    value.extend_from_slice(&((bytes.len() / size) as u32).to_le_bytes());
    value.extend_from_slice(bytes);
    value.resize(8 + pad4(bytes.len()), 0);
    to.raw_bytes(&value)?;
    Ok(())
}

/// Reads a tape that JavaScript wrote.
struct InputTape<'t> {
    tape: &'t [u8],
    /// The index of the next cell.
    at: usize,
}

impl<'t> InputTape<'t> {
    #[inline(always)]
    fn word(&mut self) -> Result<u64, Failure> {
        let rest = self.tape.get(8 * self.at..).ok_or_else(broken)?;
        let word = rest.first_chunk().ok_or_else(broken)?;
        self.at += 1;
        Ok(u64::from_le_bytes(*word))
    }

    #[inline(always)]
    fn next(&mut self) -> Result<(u8, u32, u32), Failure> {
        let word = self.word()?;
        Ok((word as u8, word as u32 >> 8, (word >> 32) as u32))
    }

    #[inline(always)]
    fn back(&mut self) {
        self.at -= 1;
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64, Failure> {
        self.word().map(f64::from_bits)
    }

    #[inline(always)]
    fn bytes(&mut self, len: usize) -> Result<&'t [u8], Failure> {
        let rest = self.tape.get(8 * self.at..).ok_or_else(broken)?;
        let bytes = rest.get(..len).ok_or_else(broken)?;
        self.at += len.div_ceil(8);
        Ok(bytes)
    }

    /// Reads a text as UTF-8. Half of a surrogate pair becomes the bytes that Godot 3 writes for it, if
    /// `dialect` has Godot 3's text rules. For other dialects it is an error.
    #[inline(always)]
    fn text(&mut self, dialect: Dialect) -> Result<std::borrow::Cow<'t, [u8]>, Failure> {
        let (op, _, len) = self.next()?;
        match op {
            op::UTF8 => self.bytes(len as usize).map(Into::into),
            op::UTF16 => {
                let raw = self.bytes(2 * len as usize)?;
                let units = raw
                    .chunks_exact(2)
                    .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
                let mut bytes = Vec::new();
                for code in char::decode_utf16(units) {
                    let code = match code {
                        Ok(c) => u32::from(c),
                        Err(lone) if dialect.text_rules() == gdvar_view::TextRules::Wide => {
                            u32::from(lone.unpaired_surrogate())
                        }
                        Err(_) => {
                            let title = dialect.title();
                            let message = format!(
                                "the text has half of a surrogate pair, which {title} cannot hold"
                            );
                            return Err(Failure::new("InvalidText", message));
                        }
                    };
                    let (six, len) = wide_bytes(code);
                    bytes.extend_from_slice(&six[..len]);
                }
                Ok(bytes.into())
            }
            _ => Err(broken()),
        }
    }

    /// Reads a text that must be UTF-8.
    fn utf8(&mut self, dialect: Dialect) -> Result<&'t str, Failure> {
        let (op, _, len) = self.next()?;
        if op != op::UTF8 {
            let title = dialect.title();
            let message =
                format!("the name has half of a surrogate pair, which {title} cannot hold");
            return Err(Failure::new("InvalidText", message));
        }
        std::str::from_utf8(self.bytes(len as usize)?).map_err(|_| broken())
    }

    fn element(&mut self, dialect: Dialect) -> Result<ElementType<'t>, Failure> {
        let (op, n, _) = self.next()?;
        Ok(match op {
            op::UNTYPED => ElementType::Untyped,
            op::BUILTIN => ElementType::Builtin(kind(n)?),
            op::CLASS => ElementType::Class(self.utf8(dialect)?),
            op::SCRIPT => ElementType::Script(self.utf8(dialect)?),
            _ => return Err(broken()),
        })
    }
}
