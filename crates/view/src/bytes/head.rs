//! The decision about any value: its kind, its size, its padding, and every error. Nothing else advances through bytes,
//! but [`plain`](super::plain) for values whose header says nothing unusual.

use gdvar_wire::{
    HeaderWord, Kind, NODE_PATH_ABSOLUTE, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY, SHARED_BIT,
    fits_f32,
    layout::{self, MAX_SIZE, MIN_PAIR, MIN_PROPERTY, MIN_STRING, MIN_VALUE},
    pad4,
};

use crate::{
    bytes::{
        descriptor::{descriptor, pandemonium_descriptor},
        layer, text,
    },
    error::{Error, ErrorKind, NonCanonical},
    options::{Objects, ReadOptions},
};

/// The part of a value behind its fixed part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Nothing: the value ends at `next`.
    Leaf,
    /// The value ends at `next`; `count` bytes of text stand at `body`.
    Text,
    /// `count` string fields, each with a NUL by convention.
    PackedStrings,
    /// `count` string fields.
    Names,
    /// `count` values.
    Items,
    /// `count` pairs of values.
    Pairs,
    /// `count` pairs of a string field and a value.
    Properties,
}

/// The part of a value that can be read in constant time (but for the length of a class name).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) form: Form,
    /// The payload is 64 bits wide, or the object is an id.
    pub(crate) wide: bool,
    /// The number of elements, names, items, pairs or bytes of text.
    pub(crate) count: u32,
    /// The first byte of the elements or of the text; else the first byte after the header.
    pub(crate) body: usize,
    /// The end of a leaf; else the offset of the first string field or child.
    pub(crate) next: usize,
}

/// The place of a string field: `start..start + len`, padding up to `end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) end: usize,
}

impl Field {
    /// The text's bytes.
    #[inline]
    pub(crate) fn raw(self, bytes: &[u8]) -> &[u8] {
        bytes
            .get(self.start..self.start + self.len)
            .unwrap_or_default()
    }
}

/// The owner of a padding: engines differ in what they leave unset (`docs/FORMAT.md` §1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Padding {
    /// A string that is a value of its own, or in a packed array.
    Value,
    /// A name in a NodePath.
    Name,
}

#[inline]
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> Result<u32, Error> {
    match array(bytes, at) {
        Some(word) => Ok(u32::from_le_bytes(word)),
        None => Err(Error::truncated(at, 4 - remaining(bytes, at).min(4))),
    }
}

#[inline]
pub(crate) fn remaining(bytes: &[u8], at: usize) -> usize {
    bytes.len().saturating_sub(at)
}

/// The end of `size` bytes at `at`, if the buffer holds them.
#[inline]
fn end_of(bytes: &[u8], at: usize, size: usize) -> Result<usize, Error> {
    let left = remaining(bytes, at);
    if size > left {
        return Err(Error::truncated(at, size - left));
    }
    Ok(at + size)
}

/// A count of children of at least `min` bytes each: it must not exceed what the buffer can hold,
/// so that nobody ever reserves memory on the word of a stranger (`docs/FORMAT.md` §3.5).
#[inline]
fn check_count(bytes: &[u8], at: usize, first: usize, count: u32, min: usize) -> Result<(), Error> {
    let left = remaining(bytes, first);
    let least = (count as usize).saturating_mul(min);
    if least > left {
        return Err(Error::truncated(at, least - left));
    }
    Ok(())
}

/// True if strict mode does not look at the padding of a string, or of a name in a NodePath, because engines leave it
/// unset (`docs/FORMAT.md` §1.2).
pub(crate) fn ignores_padding(options: ReadOptions, whose: Padding) -> bool {
    let dialect = options.dialect();
    dialect.leaves_padding_unset()
        || match whose {
            Padding::Value => options.has_early_padding(),
            // No engine writes the dialect of a document, so none leaves anything unset.
            Padding::Name => !options.wants_zero_node_path_padding() && dialect.is_of_an_engine(),
        }
}

/// Strict mode: padding must be zero, where engines write it.
fn check_padding(
    bytes: &[u8],
    from: usize,
    to: usize,
    options: ReadOptions,
    whose: Padding,
) -> Result<(), Error> {
    if !ignores_padding(options, whose) {
        let padding = bytes.get(from..to).unwrap_or_default();
        if let Some(at) = padding.iter().position(|&byte| byte != 0) {
            return Err(Error::new(from + at, ErrorKind::NonZeroPadding));
        }
    }
    Ok(())
}

/// A string field (`docs/FORMAT.md` §3.2). Its text is not looked at.
#[inline]
pub(crate) fn string_field(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    whose: Padding,
) -> Result<Field, Error> {
    let len = word(bytes, at)?;
    if len as usize > MAX_SIZE - 3 {
        return Err(Error::new(at, ErrorKind::InvalidLength { value: len }));
    }
    let len = len as usize;
    let start = at + 4;
    let end = end_of(bytes, start, pad4(len))?;
    if options.is_strict() {
        check_padding(bytes, start + len, end, options, whose)?;
    }
    Ok(Field { start, len, end })
}

/// The count word of an Array or Dictionary, without the shared bit.
fn container_count(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    min: usize,
) -> Result<u32, Error> {
    let raw = word(bytes, at)?;
    if raw & SHARED_BIT != 0 && options.is_strict() && !options.dialect().has_shared_containers() {
        return Err(Error::new(at, ErrorKind::SharedBit));
    }
    let count = raw & !SHARED_BIT;
    check_count(bytes, at, at + 4, count, min)?;
    Ok(count)
}

/// A count of which the engines take a negative one for none; strict mode refuses it
/// (`docs/FORMAT.md` §6, rows 17 and 28).
fn forgiving_count(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    min: usize,
) -> Result<u32, Error> {
    let raw = word(bytes, at)?;
    if raw > i32::MAX as u32 {
        if options.is_strict() {
            return Err(Error::new(at, ErrorKind::InvalidLength { value: raw }));
        }
        return Ok(0);
    }
    check_count(bytes, at, at + 4, raw, min)?;
    Ok(raw)
}

/// No type has that number; where the number is the length of all that follows, that is why.
#[cold]
fn unknown_type(bytes: &[u8], at: usize, header: HeaderWord) -> Error {
    let length = header.0;
    let kind = if at == 0 && bytes.len().checked_sub(4) == Some(length as usize) {
        ErrorKind::LengthPrefixed { length }
    } else {
        ErrorKind::UnknownType(header.type_id())
    };
    Error::new(at, kind)
}

/// Reads what stands at `at`, a value of that depth, whatever it is: the decision for every header, option
/// and error. For plain values [`plain::look`](super::plain::look) is faster.
#[inline(never)]
pub(crate) fn any_head(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    depth: u16,
) -> Result<Head, Error> {
    decide(bytes, at, options, depth).map_err(|error| match at {
        0 => layer::of(bytes).map_or(error, |layer| Error::new(0, ErrorKind::Packed(layer))),
        _ => error,
    })
}

/// [`any_head`] without a look at files that values are packed into.
#[inline(always)]
fn decide(bytes: &[u8], at: usize, options: ReadOptions, depth: u16) -> Result<Head, Error> {
    if !options.admits(depth) {
        let limit = options.max_depth();
        return Err(Error::new(at, ErrorKind::DepthExceeded { limit }));
    }
    let header = HeaderWord(word(bytes, at)?);
    let dialect = options.dialect();
    let Some(kind) = dialect.kind(header.type_id()) else {
        return Err(unknown_type(bytes, at, header));
    };
    if !dialect.is_canonical_header(header)
        && (options.is_strict() || dialect.compares_whole_header())
    {
        return Err(Error::new(at, ErrorKind::ReservedBits(header)));
    }
    let wide = is_wide(header, kind, options);
    let body = at + 4;
    let leaf = |next| Head {
        kind,
        form: Form::Leaf,
        wide,
        count: 0,
        body,
        next,
    };

    if let Some(size) = fixed_payload(header, kind, wide, options) {
        let next = end_of(bytes, body, size)?;
        if options.is_strict() {
            check_scalar(bytes, body, kind, wide, options)?;
        }
        return Ok(leaf(next));
    }
    if let Some(size) = layout::packed_element(kind, wide) {
        return packed(bytes, body, kind, wide, size, options);
    }
    match kind {
        Kind::String | Kind::StringName => {
            let field = string_field(bytes, body, options, Padding::Value)?;
            Ok(text_head(kind, wide, field, field.end))
        }
        Kind::Array => {
            let mut at = body;
            if dialect.has_typed_containers() {
                (_, at) = descriptor(bytes, at, header.flags().element_typing(), options)?;
            }
            let count = container_count(bytes, at, options, MIN_VALUE)?;
            Ok(Head {
                kind,
                form: Form::Items,
                wide,
                count,
                body,
                next: at + 4,
            })
        }
        Kind::Dictionary => {
            let mut at = body;
            if dialect.has_typed_containers() {
                (_, at) = descriptor(bytes, at, header.flags().element_typing(), options)?;
                (_, at) = descriptor(bytes, at, header.flags().value_typing(), options)?;
            }
            let count = container_count(bytes, at, options, MIN_PAIR)?;
            Ok(Head {
                kind,
                form: Form::Pairs,
                wide,
                count,
                body,
                next: at + 4,
            })
        }
        Kind::TypedArray | Kind::PackedTypedArray => {
            let (_, at) = pandemonium_descriptor(bytes, body, header, options)?;
            let count = container_count(bytes, at, options, MIN_VALUE)?;
            Ok(Head {
                kind,
                form: Form::Items,
                wide,
                count,
                body,
                next: at + 4,
            })
        }
        Kind::PackedStringArray => {
            let count = forgiving_count(bytes, body, options, MIN_STRING)?;
            let form = Form::PackedStrings;
            Ok(Head {
                kind,
                form,
                wide,
                count,
                body: body + 4,
                next: body + 4,
            })
        }
        Kind::NodePath => node_path(bytes, body, options),
        Kind::Object => object(bytes, at, header, options),
        Kind::Signal => {
            let field = string_field(bytes, body, options, Padding::Value)?;
            let next = end_of(bytes, field.end, 8)?;
            Ok(text_head(kind, wide, field, next))
        }
        Kind::Image => {
            end_of(bytes, body, 16)?;
            let field = string_field(bytes, body + 16, options, Padding::Value)?;
            Ok(leaf(field.end))
        }
        Kind::InputEvent => {
            end_of(bytes, body, 12)?;
            let size = word(bytes, body + 8)?;
            if size < 12 || size as usize > MAX_SIZE {
                return Err(Error::new(
                    body + 8,
                    ErrorKind::InvalidLength { value: size },
                ));
            }
            end_of(bytes, body, size as usize).map(leaf)
        }
        // All others have a fixed payload or are packed arrays of fixed elements.
        _ => Ok(leaf(body)),
    }
}

/// True if the payload is 64 bits wide.
#[inline]
pub(crate) fn is_wide(header: HeaderWord, kind: Kind, options: ReadOptions) -> bool {
    options.dialect().is_wide(header)
        || options.has_wide_vector4() && matches!(kind, Kind::Vector4 | Kind::Projection)
}

/// The payload of a fixed size, by the dialect's table unless an option makes it wide.
#[inline]
pub(crate) fn fixed_payload(
    header: HeaderWord,
    kind: Kind,
    wide: bool,
    options: ReadOptions,
) -> Option<usize> {
    if options.has_wide_vector4() {
        return layout::fixed_payload(kind, wide, options.dialect().rid_has_id());
    }
    options.dialect().fixed_payload(header.type_id(), wide)
}

fn text_head(kind: Kind, wide: bool, field: Field, next: usize) -> Head {
    Head {
        kind,
        form: Form::Text,
        wide,
        count: field.len as u32,
        body: field.start,
        next,
    }
}

/// The strict rules for numbers and bools; `at` is the payload.
#[inline]
pub(crate) fn check_scalar(
    bytes: &[u8],
    at: usize,
    kind: Kind,
    wide: bool,
    options: ReadOptions,
) -> Result<(), Error> {
    let refuse = |what| Err(Error::new(at - 4, ErrorKind::NonCanonical(what)));
    let is_narrow = options.dialect().has_narrow_numbers_only();
    match kind {
        Kind::Bool => {
            let value = word(bytes, at)?;
            if value > 1 {
                return Err(Error::new(at, ErrorKind::InvalidBool { value }));
            }
        }
        Kind::Int if wide => {
            let value = i64::from_le_bytes(array(bytes, at).unwrap_or_default());
            if is_narrow || (i32::try_from(value).is_ok() && !options.has_wide_ints()) {
                return refuse(NonCanonical::WideInt);
            }
        }
        Kind::Float if wide => {
            let value = f64::from_le_bytes(array(bytes, at).unwrap_or_default());
            if is_narrow || fits_f32(value) {
                return refuse(NonCanonical::WideFloat);
            }
        }
        Kind::Float => {
            let value = f32::from_le_bytes(array(bytes, at).unwrap_or_default());
            if value.is_nan() && !is_narrow {
                return refuse(NonCanonical::NarrowNan);
            }
        }
        _ => {}
    }
    Ok(())
}

/// A packed array of elements of a fixed size; `at` is its count word (`docs/FORMAT.md` §3.4).
#[inline]
fn packed(
    bytes: &[u8],
    at: usize,
    kind: Kind,
    wide: bool,
    size: usize,
    options: ReadOptions,
) -> Result<Head, Error> {
    let count = word(bytes, at)?;
    let total = (count as usize).saturating_mul(size);
    if total > MAX_SIZE {
        return Err(Error::new(at, ErrorKind::InvalidLength { value: count }));
    }
    let body = at + 4;
    let mut next = end_of(bytes, body, total)?;
    if kind == Kind::PackedByteArray {
        let padded = body + pad4(total);
        if padded <= bytes.len() {
            if options.is_strict() {
                check_padding(bytes, next, padded, options, Padding::Value)?;
            }
            next = padded;
        } else if options.is_strict() {
            return Err(Error::truncated(next, padded - bytes.len()));
        } else {
            // The engines do not look whether the last padding is there (§6, row 19).
            next = bytes.len();
        }
    }
    let form = Form::Leaf;
    Ok(Head {
        kind,
        form,
        wide,
        count,
        body,
        next,
    })
}

/// A NodePath; `at` is its first word (`docs/FORMAT.md` §4.5).
fn node_path(bytes: &[u8], at: usize, options: ReadOptions) -> Result<Head, Error> {
    let first = word(bytes, at)?;
    let dialect = options.dialect();
    if first & NODE_PATH_NEW_FORMAT == 0 {
        if !dialect.has_old_node_paths() {
            return Err(Error::new(at, ErrorKind::OldNodePath));
        }
        let len = first as usize;
        let start = at + 4;
        // Godot 2 does not skip padding here.
        let next = end_of(bytes, start, len)?;
        let field = Field {
            start,
            len,
            end: next,
        };
        return Ok(text_head(Kind::NodePath, false, field, next));
    }
    end_of(bytes, at, 12)?;
    let names = first & !NODE_PATH_NEW_FORMAT;
    let subnames = word(bytes, at + 4)?;
    let flags = word(bytes, at + 8)?;
    if options.is_strict() {
        if flags & NODE_PATH_PROPERTY != 0 && !dialect.has_old_node_paths() {
            let what = NonCanonical::PropertyFlag;
            return Err(Error::new(at + 8, ErrorKind::NonCanonical(what)));
        }
        if flags & !(NODE_PATH_ABSOLUTE | NODE_PATH_PROPERTY) != 0 {
            return Err(Error::new(
                at + 8,
                ErrorKind::ReservedBits(HeaderWord(flags)),
            ));
        }
    }
    let property = u64::from(flags & NODE_PATH_PROPERTY != 0);
    let count = u64::from(names) + u64::from(subnames) + property;
    let Some(count) = u32::try_from(count).ok().filter(|&n| n <= i32::MAX as u32) else {
        // The engines let the sum wrap around and read something else (§6, row 33).
        return Err(Error::new(at, ErrorKind::InvalidLength { value: first }));
    };
    let next = at + 12;
    check_count(bytes, at, next, count, MIN_STRING)?;
    let kind = Kind::NodePath;
    Ok(Head {
        kind,
        form: Form::Names,
        wide: false,
        count,
        body: at,
        next,
    })
}

/// An Object; `at` is its header (`docs/FORMAT.md` §4.4).
fn object(
    bytes: &[u8],
    at: usize,
    header: HeaderWord,
    options: ReadOptions,
) -> Result<Head, Error> {
    let kind = Kind::Object;
    let body = at + 4;
    let by_id = header.flags().object_as_id() && options.dialect().has_object_payload();
    let leaf = |next| Head {
        kind,
        form: Form::Leaf,
        wide: by_id,
        count: 0,
        body,
        next,
    };
    let null = || Error::new(at, ErrorKind::NonCanonical(NonCanonical::NullObject));
    if options.objects() == Objects::Deny {
        return Err(Error::new(at, ErrorKind::ObjectsNotAllowed));
    }
    if !options.dialect().has_object_payload() {
        return Ok(leaf(body));
    }
    if by_id {
        let next = end_of(bytes, body, 8)?;
        if options.is_strict() && array(bytes, body) == Some([0; 8]) {
            return Err(null());
        }
        return Ok(leaf(next));
    }
    if options.objects() != Objects::Inert {
        return Err(Error::new(at, ErrorKind::ObjectsNotAllowed));
    }
    let class = string_field(bytes, body, options, Padding::Value)?;
    if text::engine_text(class.raw(bytes)).is_empty() {
        if options.is_strict() {
            return Err(null());
        }
        return Ok(leaf(class.end));
    }
    let count = forgiving_count(bytes, class.end, options, MIN_PROPERTY)?;
    let form = Form::Properties;
    Ok(Head {
        kind,
        form,
        wide: false,
        count,
        body,
        next: class.end + 4,
    })
}
