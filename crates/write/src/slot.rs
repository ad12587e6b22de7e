//! [`Slot`]: a place for exactly one value. Writing the value consumes the slot, so the compiler
//! checks nesting and order.

use core::fmt;

use gdvar_wire::{
    Element, Kind,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};

use crate::{
    error::WriteErrorKind,
    legacy::ImageParts,
    math::Real,
    sink::Sink,
    text::NodePathParts,
    writer::{Result, Writer},
};

/// A place for exactly one value. Every method consumes it. Use slots when handwritten code writes
/// a value whose form is known; parsers and serializers call the [`Writer`].
///
/// A slot borrows the container that it is in, so the container cannot be used until the slot is:
///
/// ```
/// use gdvar_write::{Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// let mut save = writer.root().dict(2)?;
/// save.key("name")?.string("Ann")?;
/// let mut path = save.key("path")?.array(2)?;
/// path.push().int(3)?;
/// path.push().int(5)?;
/// path.end()?;
/// save.end()?;
/// let bytes = writer.finish()?;
/// # assert_eq!(bytes.len(), 68);
/// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
/// ```
///
/// A slot cannot be used twice:
///
/// ```compile_fail,E0382
/// use gdvar_write::{Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// let slot = writer.root();
/// slot.int(1).unwrap();
/// slot.int(2).unwrap(); // error: use of moved value
/// ```
///
/// A container cannot be used while one of its children is being written:
///
/// ```compile_fail,E0499
/// use gdvar_write::{Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// let mut outer = writer.root().array(2).unwrap();
/// let mut inner = outer.push().array(1).unwrap();
/// outer.push().int(2).unwrap(); // error: `outer` is still borrowed by `inner`
/// inner.push().int(1).unwrap();
/// ```
///
/// The writer counts what types cannot see: if a slot or container is dropped early, the next use
/// of its parent reports it, or at the latest [`Writer::finish`](crate::Writer::finish).
#[must_use = "a slot writes nothing until one of its methods is called"]
pub struct Slot<'a, S: Sink> {
    pub(crate) writer: &'a mut Writer<S>,
    /// The number of containers that are open where the slot is.
    depth: u32,
}

/// A place for the key of an entry. Each method writes the key and returns the [`Slot`] of its
/// value.
///
/// ```
/// use gdvar_write::{Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// let mut scores = writer.root().dict(2)?;
/// scores.entry().int(1)?.string("gold")?;
/// scores.entry().int(2)?.string("silver")?;
/// scores.end()?;
/// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
/// ```
#[must_use = "a slot writes nothing until one of its methods is called"]
pub struct KeySlot<'a, S: Sink> {
    writer: &'a mut Writer<S>,
    depth: u32,
}

impl<S: Sink> Writer<S> {
    /// Returns the slot of the whole value. Slots let the compiler check nesting and order.
    #[inline]
    pub fn root(&mut self) -> Slot<'_, S> {
        Slot::new(self, 0)
    }

    /// Returns the next slot in the innermost open container, to continue with [`Slot`]s after
    /// calls such as [`Writer::begin_array`]. In a Dictionary, keys and values alternate.
    #[inline]
    pub fn slot(&mut self) -> Slot<'_, S> {
        let depth = self.depth;
        Slot::new(self, depth)
    }
}

impl<'a, S: Sink> Slot<'a, S> {
    #[inline(always)]
    pub(crate) fn new(writer: &'a mut Writer<S>, depth: u32) -> Slot<'a, S> {
        Slot { writer, depth }
    }

    /// Checks that no child of this container is still open.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<(), S> {
        if self.writer.depth != self.depth {
            return Err(self.writer.child_open(self.depth));
        }
        Ok(())
    }
}

impl<'a, S: Sink> KeySlot<'a, S> {
    #[inline(always)]
    pub(crate) fn new(writer: &'a mut Writer<S>, depth: u32) -> KeySlot<'a, S> {
        KeySlot { writer, depth }
    }

    /// Checks that no child is open and that the key before has its value.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<(), S> {
        if self.writer.depth != self.depth {
            return Err(self.writer.child_open(self.depth));
        }
        if self.writer.left % 2 != 0 {
            return Err(self.writer.error(WriteErrorKind::ExpectedValue));
        }
        Ok(())
    }

    /// Writes a key of any kind, containers included. `put` gets the slot for it.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// let mut board = writer.root().dict(1)?;
    /// let value = board.entry().with(|key| {
    ///     let mut cell = key.array(2)?;
    ///     cell.push().int(1)?;
    ///     cell.push().int(2)?;
    ///     cell.end()
    /// })?;
    /// value.string("king")?;
    /// board.end()?;
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that `put` returns; `TooFew` if `put` writes nothing; `ChildOpen` if `put`
    /// leaves a container open; `ExpectedValue` if the key before has no value yet.
    pub fn with(self, put: impl FnOnce(Slot<'_, S>) -> Result<(), S>) -> Result<Slot<'a, S>, S> {
        self.check()?;
        put(Slot::new(self.writer, self.depth))?;
        let value = Slot::new(self.writer, self.depth);
        value.check()?;
        if value.writer.left % 2 == 0 {
            return Err(value.writer.error(WriteErrorKind::TooFew { missing: 1 }));
        }
        Ok(value)
    }
}

impl<S: Sink> fmt::Debug for Slot<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot")
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

impl<S: Sink> fmt::Debug for KeySlot<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySlot")
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

/// Gives slots every method of the writer that writes one whole value.
macro_rules! values {
    ($($what:literal $method:ident $([$($generic:ident: $bound:path),*])? ($($arg:ident: $ty:ty),*);)*) => {
        impl<S: Sink> Slot<'_, S> {$(
            #[doc = concat!("Writes ", $what, ", see [`Writer::", stringify!($method), "`].")]
            ///
            /// # Errors
            ///
            /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the
            /// slot's container is still open.
            #[inline(always)]
            pub fn $method $(<$($generic: $bound),*>)? (self, $($arg: $ty),*) -> Result<(), S> {
                self.check()?;
                self.writer.$method($($arg),*)
            }
        )*}

        impl<'a, S: Sink> KeySlot<'a, S> {$(
            #[doc = concat!(
                "Writes ", $what, " as the key, see [`Writer::", stringify!($method), "`], and gives the slot of its value."
            )]
            ///
            /// # Errors
            ///
            /// Returns the errors of the writer's method, `ChildOpen` if a container inside the
            /// slot's container is still open, and `ExpectedValue` if the key before has no value
            /// yet.
            #[inline(always)]
            pub fn $method $(<$($generic: $bound),*>)? (self, $($arg: $ty),*) -> Result<Slot<'a, S>, S> {
                self.check()?;
                self.writer.$method($($arg),*)?;
                Ok(Slot::new(self.writer, self.depth))
            }
        )*}
    };
}

values! {
    "`null`" nil();
    "a `bool`" bool(value: bool);
    "an `int`" int(value: i64);
    "an `int` in 32 bits" int_i32(value: i32);
    "an `int` in 64 bits" int_i64(value: i64);
    "a `float`" float(value: f64);
    "a `float` in 32 bits" float_f32(value: f32);
    "a `float` in 64 bits" float_f64(value: f64);
    "a `String`" string(text: &str);
    "a `String` given by its bytes" string_bytes(text: &[u8]);
    "a `StringName`" string_name(text: &str);
    "a `NodePath`" node_path(path: &NodePathParts<'_>);
    "a `NodePath`" node_path_from [
        N: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        M: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>
    ] (names: N, subnames: M, absolute: bool);
    "a `Signal`" signal(name: &str, object_id: u64);
    "a `Callable`" callable();
    "a `RID`" rid(id: u64);
    "an object's id" object_id(id: u64);
    "a null object" null_object();
    "a `Vector2`" vector2 [R: Real] (value: Vector2<R>);
    "a `Vector3`" vector3 [R: Real] (value: Vector3<R>);
    "a `Vector4`" vector4 [R: Real] (value: Vector4<R>);
    "a `Rect2`" rect2 [R: Real] (value: Rect2<R>);
    "a `Plane`" plane [R: Real] (value: Plane<R>);
    "a `Quaternion`" quaternion [R: Real] (value: Quaternion<R>);
    "an `AABB`" aabb [R: Real] (value: Aabb<R>);
    "a `Transform2D`" transform2d [R: Real] (value: Transform2D<R>);
    "a `Basis`" basis [R: Real] (value: Basis<R>);
    "a `Transform3D`" transform3d [R: Real] (value: Transform3D<R>);
    "a `Projection`" projection [R: Real] (value: Projection<R>);
    "a `Vector2i`" vector2i(value: Vector2<i32>);
    "a `Vector3i`" vector3i(value: Vector3<i32>);
    "a `Vector4i`" vector4i(value: Vector4<i32>);
    "a `Rect2i`" rect2i(value: Rect2<i32>);
    "a `Color`" color(value: Color<f32>);
    "a `PackedByteArray`" packed_bytes(values: &[u8]);
    "a `PackedInt32Array`" packed_i32(values: &[i32]);
    "a `PackedInt64Array`" packed_i64(values: &[i64]);
    "a `PackedFloat32Array`" packed_f32(values: &[f32]);
    "a `PackedFloat64Array`" packed_f64(values: &[f64]);
    "a `PackedVector2Array`" packed_vector2 [R: Real] (values: &[Vector2<R>]);
    "a `PackedVector3Array`" packed_vector3 [R: Real] (values: &[Vector3<R>]);
    "a `PackedVector4Array`" packed_vector4 [R: Real] (values: &[Vector4<R>]);
    "a `PoolVector2iArray`" packed_vector2i(values: &[Vector2<i32>]);
    "a `PoolVector3iArray`" packed_vector3i(values: &[Vector3<i32>]);
    "a `PoolVector4iArray`" packed_vector4i(values: &[Vector4<i32>]);
    "a `PackedColorArray`" packed_colors(values: &[Color<f32>]);
    "a `PackedStringArray`" packed_strings [I: IntoIterator<Item: AsRef<str>, IntoIter: ExactSizeIterator>] (texts: I);
    "a `PackedStringArray` given by bytes" packed_strings_bytes [I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>] (texts: I);
    "a packed array of wire elements" packed_le [T: Element] (kind: Kind, values: &[T]);
    "an `Image`" image(image: &ImageParts<'_>);
    "an `InputEvent`" input_event(sort: u32, device: i32, body: &[u8]);
    "an encoded value" raw_bytes(value: &[u8]);
}
