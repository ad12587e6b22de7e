//! Decodes a [`Variant`].

mod in_order;
mod names;

use std::mem;

use gdvar_view::{
    Cursor, Dialect, Document, Element, Error, ErrorKind, Event, Events, Mode, Packed, PackedRef,
    Real, StrRef, VariantRef,
};

use crate::{
    Array, Dictionary, Kind, ReadOptions, Variant,
    text::Text,
    variant::{ArrayForm, FullObject, Image, InputEvent, NodePath, Object, Signal},
};

impl Variant {
    /// Reads one bare value, which must take up all of the bytes. Whole objects are refused, as by
    /// the engines' default, `Document` and `gdvar-serde`. To read them as data, give
    /// [`Variant::from_slice_with`] `ReadOptions` with [`Objects::Inert`](crate::Objects::Inert).
    ///
    /// ```
    /// use gdvar::{Dialect, ErrorKind, Variant};
    ///
    /// // 7, and four bytes more.
    /// let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    /// let error = Variant::from_slice(&bytes, Dialect::GODOT_4).unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (8, ErrorKind::TrailingBytes { count: 4 }));
    /// let (value, rest) = Variant::from_prefix(&bytes, Dialect::GODOT_4)?;
    /// assert_eq!((value, rest), (7.into(), &[0; 4][..]));
    /// # Ok::<(), gdvar::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails at the first thing that the dialect's engine would refuse, or at the first byte after
    /// the value.
    pub fn from_slice(bytes: &[u8], dialect: Dialect) -> Result<Variant, Error> {
        Variant::from_slice_with(bytes, ReadOptions::new(dialect))
    }

    /// Reads one bare value with options. The value must take up all of the bytes. With a depth
    /// limit above the engines' 1024, dropping or cloning the result can exhaust a thread's stack.
    ///
    /// # Errors
    ///
    /// Fails at the first thing that the options do not allow, or at the first byte after the
    /// value.
    pub fn from_slice_with(bytes: &[u8], options: ReadOptions) -> Result<Variant, Error> {
        let (value, rest) = Variant::read(Document::with_options(bytes, options))?;
        if rest > 0 {
            return Err(trailing(Document::with_options(bytes, options), rest));
        }
        Ok(value)
    }

    /// Reads the value that the bytes begin with, as the engines do, and returns it with the bytes
    /// after it. `options` is a [`Dialect`] or [`ReadOptions`]. Even in strict mode other bytes may
    /// follow.
    ///
    /// # Errors
    ///
    /// Fails at the first thing in the value that the options do not allow.
    pub fn from_prefix(
        bytes: &[u8],
        options: impl Into<ReadOptions>,
    ) -> Result<(Variant, &[u8]), Error> {
        let document = Document::with_options(bytes, options.into());
        let (value, rest) = if document.options().mode() == Mode::Strict {
            // The root of a strict document would refuse the rest.
            let root = document.cursor().value()?;
            walked(|| root.events(), bytes.len())?
        } else {
            Variant::read(document)?
        };
        let (_, rest) = bytes.split_at(bytes.len() - rest);
        Ok((value, rest))
    }

    /// Reads the value at the start of a document. Returns the value and the number of bytes after
    /// it. In strict mode it is an error if bytes follow the value.
    fn read(document: Document<'_>) -> Result<(Variant, usize), Error> {
        if in_order::can(document.options()) {
            let mut cursor = document.cursor();
            if let Ok(value) = in_order::read(&mut cursor) {
                return Ok((value, cursor.left()));
            }
        }
        // Strict mode checks more. After an error, this walk finds the reason.
        walked(|| document.events(), document.bytes().len())
    }

    /// Copies a borrowed value with its content, in one linear walk and without recursion. The copy
    /// takes 32 bytes for each value, plus its texts and arrays, and never more than a fixed factor
    /// of the bytes.
    ///
    /// # Errors
    ///
    /// Fails if part of the content cannot be read.
    pub fn from_ref(value: VariantRef<'_>) -> Result<Variant, Error> {
        if in_order::can(value.options()) {
            if let Ok(value) = in_order::read(&mut Cursor::of(value)) {
                return Ok(value);
            }
        }
        let rest = value.raw().map_or(0, <[u8]>::len);
        built(&mut value.events(), rest)
    }
}

/// Returns the error for `count` bytes after a value. If `document` begins with a length prefix,
/// returns `LengthPrefixed` instead.
#[cold]
fn trailing(document: Document<'_>, count: usize) -> Error {
    if let Some(length) = document.length_prefix() {
        return Error::new(0, ErrorKind::LengthPrefixed { length });
    }
    let offset = document.bytes().len() - count;
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    Error::new(offset, ErrorKind::TrailingBytes { count })
}

/// Starts a walk with `begin`, over a buffer of `bytes` bytes, and reads its value. Returns the
/// value and the number of bytes after it.
///
/// The walk's state takes 12 KiB of stack. It is created here, so that a caller that reads in
/// another way does not reserve stack for it.
#[inline(never)]
fn walked<'a>(begin: impl FnOnce() -> Events<'a>, bytes: usize) -> Result<(Variant, usize), Error> {
    let mut events = begin();
    let value = built(&mut events, bytes)?;
    // The padding of a last text may be missing.
    Ok((value, bytes.saturating_sub(events.position())))
}

/// Reads the value of a walk over at most `bytes` bytes.
fn built(events: &mut Events<'_>, bytes: usize) -> Result<Variant, Error> {
    let mut room = Room(bytes / 4);
    let mut open: Vec<Unfinished> = Vec::new();
    while let Some(event) = events.try_next()? {
        let done = match event {
            Event::Value(value) => leaf(value)?,
            Event::Begin(value) => {
                open.push(Unfinished::new(value, &mut room));
                continue;
            }
            Event::Property(name) => {
                if let Some(innermost) = open.last_mut() {
                    innermost.name(name.into());
                }
                continue;
            }
            Event::End => match open.pop() {
                Some(closed) => closed.done(),
                None => break,
            },
        };
        match open.last_mut() {
            Some(innermost) => innermost.add(done),
            None => {
                // In strict mode the document must end with its value.
                events.try_next()?;
                return Ok(done);
            }
        }
    }
    // Not reached: the walk ends with the outermost value, which was returned above.
    Ok(Variant::Nil)
}

/// The number of values that the unread bytes can hold, at four bytes each. Containers reserve
/// memory for the children that they declare only within this number, and each subtracts its share.
/// So nested containers cannot reserve memory for the same bytes again and again.
struct Room(usize);

impl Room {
    fn take(&mut self, count: usize) -> usize {
        let count = count.min(self.0);
        self.0 -= count;
        count
    }
}

/// A container whose children are being read.
enum Unfinished {
    Items(Array),
    /// The complete pairs, and the key whose value comes next.
    Pairs(Dictionary, Option<Variant>),
    /// The complete properties, and the name of the next one.
    Properties(Box<FullObject>, Text),
}

impl Unfinished {
    fn new(value: VariantRef<'_>, room: &mut Room) -> Unfinished {
        if let Some(dict) = value.as_dict() {
            let room = room.take(2 * dict.len()) / 2;
            let open = Dictionary::with_capacity(room)
                .with_types(dict.key_type().into(), dict.value_type().into())
                .with_shared(dict.is_shared() && has_shared(value));
            return Unfinished::Pairs(open, None);
        }
        if let Some(array) = value.as_array() {
            let form = match value.kind() {
                Kind::TypedArray => ArrayForm::Typed,
                Kind::PackedTypedArray => ArrayForm::PackedTyped,
                _ => ArrayForm::Plain,
            };
            let open = Array::with_capacity(room.take(array.len()))
                .with_element_type(array.element_type().into())
                .with_form(form)
                .with_shared(array.is_shared() && has_shared(value));
            return Unfinished::Items(open);
        }
        let class = value.as_object().and_then(|object| object.class());
        let object = FullObject {
            class: class.map(Text::from).unwrap_or_default(),
            properties: Vec::new(),
        };
        Unfinished::Properties(Box::new(object), Text::default())
    }

    fn name(&mut self, next: Text) {
        if let Unfinished::Properties(_, name) = self {
            *name = next;
        }
    }

    #[inline]
    fn add(&mut self, child: Variant) {
        match self {
            Unfinished::Items(items) => items.push(child),
            Unfinished::Pairs(dict, key) => match key.take() {
                Some(key) => dict.pairs_mut().push((key, child)),
                None => *key = Some(child),
            },
            Unfinished::Properties(object, name) => {
                object.properties.push((mem::take(name), child));
            }
        }
    }

    fn done(self) -> Variant {
        match self {
            Unfinished::Items(items) => Variant::Array(items),
            Unfinished::Pairs(dict, _) => Variant::Dictionary(dict.settled()),
            Unfinished::Properties(object, _) => Variant::Object(Object::Full(object)),
        }
    }
}

/// Returns `true` if the shared bit has a meaning: in Godot 2, which wrote it. Other engines ignore
/// it (`docs/FORMAT.md` §6, row 20).
fn has_shared(value: VariantRef<'_>) -> bool {
    value.dialect().has_shared_containers()
}

fn leaf(value: VariantRef<'_>) -> Result<Variant, Error> {
    Ok(match value.kind() {
        Kind::NodePath => node_path(value)?.into(),
        Kind::PackedStringArray => {
            let texts: Result<_, Error> = match value.as_strings() {
                Some(texts) => texts.iter().map(|text| text.map(Text::from)).collect(),
                None => Ok(Vec::new()),
            };
            Variant::PackedStringArray(texts?)
        }
        _ => match value.as_packed() {
            Some(packed) => copy(packed),
            // A handle exists only for a value that was read, so this cannot be `None`.
            None => scalar(value).unwrap_or_default(),
        },
    })
}

fn node_path(value: VariantRef<'_>) -> Result<NodePath, Error> {
    let Some(path) = value.as_node_path() else {
        return Ok(NodePath::default());
    };
    let text = |name: Result<StrRef<'_>, Error>| name.map(Text::from);
    Ok(NodePath {
        names: path.names().map(text).collect::<Result<_, Error>>()?,
        subnames: path.subnames().map(text).collect::<Result<_, Error>>()?,
        absolute: path.is_absolute(),
    })
}

fn scalar(value: VariantRef<'_>) -> Option<Variant> {
    macro_rules! reals {
        ($value:expr) => {
            match $value {
                Real::Single(value) => value.into(),
                Real::Double(value) => value.into(),
            }
        };
    }
    Some(match value.kind() {
        Kind::Bool => Variant::Bool(value.as_bool()?),
        Kind::Int => Variant::Int(value.as_i64()?),
        Kind::Float => Variant::Float(value.as_f64()?),
        Kind::String => Variant::String(value.as_text()?.into()),
        Kind::StringName => Variant::StringName(value.as_text()?.into()),
        Kind::Vector2 => reals!(value.as_vector2_real()?),
        Kind::Vector2i => Variant::Vector2i(value.as_vector2i()?),
        Kind::Rect2 => reals!(value.as_rect2_real()?),
        Kind::Rect2i => Variant::Rect2i(value.as_rect2i()?),
        Kind::Vector3 => reals!(value.as_vector3_real()?),
        Kind::Vector3i => Variant::Vector3i(value.as_vector3i()?),
        Kind::Transform2D => reals!(value.as_transform2d_real()?),
        Kind::Vector4 => reals!(value.as_vector4_real()?),
        Kind::Vector4i => Variant::Vector4i(value.as_vector4i()?),
        Kind::Plane => reals!(value.as_plane_real()?),
        Kind::Quaternion => reals!(value.as_quaternion_real()?),
        Kind::Aabb => reals!(value.as_aabb_real()?),
        Kind::Basis => reals!(value.as_basis_real()?),
        Kind::Transform3D => reals!(value.as_transform3d_real()?),
        Kind::Projection => reals!(value.as_projection_real()?),
        Kind::Color => Variant::Color(value.as_color()?),
        Kind::Rid => Variant::Rid(value.as_rid()?),
        Kind::Callable => Variant::Callable,
        Kind::Object => Variant::Object(match value.as_object()?.id() {
            Some(0) | None => Object::Null,
            Some(id) => Object::Id(id),
        }),
        Kind::Signal => {
            let (name, object_id) = value.as_signal()?;
            Variant::from(Signal {
                name: name.into(),
                object_id,
            })
        }
        Kind::Image => {
            let image = value.as_image()?;
            Variant::from(Image {
                format: image.format,
                mipmaps: image.mipmaps,
                width: image.width,
                height: image.height,
                data: image.data.to_owned(),
            })
        }
        Kind::InputEvent => {
            let event = value.as_input_event()?;
            let (kind, device, body) = (event.kind, event.device, event.body.to_owned());
            Variant::from(InputEvent { kind, device, body })
        }
        Kind::Nil => Variant::Nil,
        // These have children, or their own functions above.
        Kind::NodePath
        | Kind::Dictionary
        | Kind::Array
        | Kind::TypedArray
        | Kind::PackedTypedArray
        | Kind::PackedByteArray
        | Kind::PackedInt32Array
        | Kind::PackedInt64Array
        | Kind::PackedFloat32Array
        | Kind::PackedFloat64Array
        | Kind::PackedStringArray
        | Kind::PackedVector2Array
        | Kind::PackedVector2iArray
        | Kind::PackedVector3Array
        | Kind::PackedVector3iArray
        | Kind::PackedVector4Array
        | Kind::PackedVector4iArray
        | Kind::PackedColorArray => return None,
    })
}

/// Copies the elements in a loop over a slice, which is as fast as the memory. The bytes need no
/// alignment.
fn vec<T: Element>(all: PackedRef<'_, T>) -> Vec<T::Native> {
    all.as_le().iter().map(|element| element.get()).collect()
}

fn copy(packed: Packed<'_>) -> Variant {
    macro_rules! reals {
        ($all:expr) => {
            match $all {
                Real::Single(all) => Variant::packed(vec(all)),
                Real::Double(all) => Variant::packed(vec(all)),
            }
        };
    }
    match packed {
        Packed::Bytes(bytes) => Variant::PackedByteArray(bytes.to_owned()),
        Packed::Int32(all) => Variant::PackedInt32Array(vec(all)),
        Packed::Int64(all) => Variant::PackedInt64Array(vec(all)),
        Packed::Float32(all) => Variant::PackedFloat32Array(vec(all)),
        Packed::Float64(all) => Variant::PackedFloat64Array(vec(all)),
        Packed::Vector2(all) => reals!(all),
        Packed::Vector2i(all) => Variant::PackedVector2iArray(vec(all)),
        Packed::Vector3(all) => reals!(all),
        Packed::Vector3i(all) => Variant::PackedVector3iArray(vec(all)),
        Packed::Vector4(all) => reals!(all),
        Packed::Vector4i(all) => Variant::PackedVector4iArray(vec(all)),
        Packed::Color(all) => Variant::PackedColorArray(vec(all)),
    }
}

#[cfg(test)]
mod tests {
    use gdvar_view::{Dialect, ReadOptions};
    use gdvar_write::Target;

    use crate::Variant;

    #[test]
    fn what_is_read_can_be_written() {
        // A Dictionary whose value type is the script "". An engine without permission for whole
        // objects ignores the path, and prints Dictionary[Variant, EncodedObjectAsID]({}).
        let bytes = b"\x1b\0\x0c\0\0\0\0\0\0\0\0\0";
        let options = ReadOptions::new(Dialect::GODOT_4);
        let value = Variant::from_slice_with(bytes, options).expect("the engine reads it");
        let again = value.to_vec(Target::GODOT_4).expect("so it can be written");
        let expected = b"\x1b\0\x08\0\x11\0\0\0EncodedObjectAsID\0\0\0\0\0\0\0";
        assert_eq!(again, expected);
    }
}
