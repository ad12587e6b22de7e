//! Decodes the head of any value: its kind, its size and its padding, and finds every error in them. The only
//! other code that decides where a value ends is [`common`](super::common), for values with a common header.

use gdvar_wire::{
    HeaderWord, Kind, NODE_PATH_ABSOLUTE, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY, SHARED_BIT,
    fits_f32,
    layout::{self, MAX_SIZE, MIN_PAIR, MIN_PROPERTY, MIN_STRING, MIN_VALUE},
    pad4,
};

use crate::{
    bytes::{
        descriptor::{descriptor, pandemonium_descriptor},
        field::{check_count, check_padding, end_of},
        layer, text,
    },
    error::{Error, ErrorKind, NonCanonical},
    options::{Objects, ReadOptions},
};

// Exported from here too, because code that reads heads also reads words and strings.
pub(crate) use crate::bytes::field::{Padding, StringField, array, remaining, string_field, word};

/// What follows the fixed part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyForm {
    /// Nothing: the value ends at `next`.
    Leaf,
    /// `count` bytes of text at `body`. The value ends at `next`.
    Text,
    /// `count` string fields, whose text ends in a NUL by convention.
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

/// The part of a value that is read in constant time. (Only the class name of an object takes longer: its
/// text is searched for a NUL.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) form: BodyForm,
    /// True if the payload is 64 bits wide, or if an object is only an id.
    pub(crate) wide: bool,
    /// The number of elements, strings, children, pairs, properties or bytes of text.
    pub(crate) count: u32,
    /// The offset of the elements or of the text; for other forms the offset after the header word.
    pub(crate) body: usize,
    /// The end of a value without strings and children; else the offset of the first string field or child.
    pub(crate) next: usize,
}

/// Reads the count of an Array or Dictionary and removes the shared bit of Godot 2. `min` is the size of the
/// smallest child.
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

/// Reads a count. Engines read a negative count as 0; strict mode refuses it (`docs/FORMAT.md` §6, rows 17
/// and 28).
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

/// Chooses the error for an unknown type number: if the first word is the length of all other bytes, it
/// probably is a length prefix.
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

/// Reads the head of the value at `at`, whose depth is `depth`. This function makes every decision about
/// headers, options and errors. For values with a common header [`common::decode`](super::common::decode) is
/// faster.
///
/// ```text
/// depth      over the limit                       → DepthExceeded
/// type       unknown in the dialect               → UnknownType
/// header     odd bits, in strict mode or Godot 2  → ReservedBits
/// size       fixed by the table                   → end after it; strict mode checks the number
///            packed: count * element size         → end after it
///            any other                            → by kind: a length, a count with types before it, …
/// an error at offset 0 of a file that Godot or a packer wrote → Packed, with advice
/// ```
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

/// Does the work of [`any_head`], except that it never returns [`ErrorKind::Packed`].
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
        form: BodyForm::Leaf,
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
                form: BodyForm::Items,
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
                form: BodyForm::Pairs,
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
                form: BodyForm::Items,
                wide,
                count,
                body,
                next: at + 4,
            })
        }
        Kind::PackedStringArray => {
            let count = forgiving_count(bytes, body, options, MIN_STRING)?;
            let form = BodyForm::PackedStrings;
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
        // These have a fixed payload or are packed arrays of fixed elements, and were returned above. They
        // are listed so that a new kind does not compile before it can be read.
        Kind::Nil
        | Kind::Bool
        | Kind::Int
        | Kind::Float
        | Kind::Vector2
        | Kind::Vector2i
        | Kind::Rect2
        | Kind::Rect2i
        | Kind::Vector3
        | Kind::Vector3i
        | Kind::Transform2D
        | Kind::Vector4
        | Kind::Vector4i
        | Kind::Plane
        | Kind::Quaternion
        | Kind::Aabb
        | Kind::Basis
        | Kind::Transform3D
        | Kind::Projection
        | Kind::Color
        | Kind::Rid
        | Kind::Callable
        | Kind::PackedByteArray
        | Kind::PackedInt32Array
        | Kind::PackedInt64Array
        | Kind::PackedFloat32Array
        | Kind::PackedFloat64Array
        | Kind::PackedVector2Array
        | Kind::PackedVector2iArray
        | Kind::PackedVector3Array
        | Kind::PackedVector3iArray
        | Kind::PackedVector4Array
        | Kind::PackedVector4iArray
        | Kind::PackedColorArray => Ok(leaf(body)),
    }
}

/// True if the payload is 64 bits wide, by the header or by an option.
#[inline]
pub(crate) fn is_wide(header: HeaderWord, kind: Kind, options: ReadOptions) -> bool {
    options.dialect().is_wide(header)
        || options.has_wide_vector4() && matches!(kind, Kind::Vector4 | Kind::Projection)
}

/// Returns the size of the payload of `kind`, or `None` if the size is not fixed. The size comes from the
/// dialect's table, unless an option makes vectors wide.
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

fn text_head(kind: Kind, wide: bool, field: StringField, next: usize) -> Head {
    Head {
        kind,
        form: BodyForm::Text,
        wide,
        count: field.len as u32,
        body: field.start,
        next,
    }
}

/// Checks what strict mode demands of a number or bool. `at` is the offset of the payload.
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

/// Reads a packed array of elements of `size` bytes. `at` is the offset of its count (`docs/FORMAT.md` §3.4).
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
            // Engines do not check that the last padding is there (§6, row 19).
            next = bytes.len();
        }
    }
    let form = BodyForm::Leaf;
    Ok(Head {
        kind,
        form,
        wide,
        count,
        body,
        next,
    })
}

/// Reads a NodePath. `at` is the offset of its first word (`docs/FORMAT.md` §4.5).
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
        let field = StringField {
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
        // In the engines the sum wraps around, and they read something else (§6, row 33).
        return Err(Error::new(at, ErrorKind::InvalidLength { value: first }));
    };
    let next = at + 12;
    check_count(bytes, at, next, count, MIN_STRING)?;
    let kind = Kind::NodePath;
    Ok(Head {
        kind,
        form: BodyForm::Names,
        wide: false,
        count,
        body: at,
        next,
    })
}

/// Reads an Object. `at` is the offset of its header (`docs/FORMAT.md` §4.4).
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
        form: BodyForm::Leaf,
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
    let form = BodyForm::Properties;
    Ok(Head {
        kind,
        form,
        wide: false,
        count,
        body,
        next: class.end + 4,
    })
}
