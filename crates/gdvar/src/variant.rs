//! [`Variant`]: a value that owns its content.
//!
//! A `Variant` has 32 bytes. Texts are `smol_str`s: 23 bytes, enough for nearly every key and name,
//! are stored inline, and `smol_str` brings no other packages. Wide reals and rare values are boxed.
//! An untyped container is just a `Vec`. Rejected: `compact_str`, which brings six packages, and
//! `String`, which allocates for each key.

use gdvar_view::{
    ElementType, Kind, Real,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};

use crate::{Array, Dictionary, text::Text};

/// Reals in the width that they have in the bytes. 64-bit reals are boxed, because only
/// double-precision engines write them.
type Of<S, D> = Real<S, Box<D>>;

/// A packed array of elements of either width.
type PackedOf<S, D> = Box<Real<Vec<S>, Vec<D>>>;

/// A value of any dialect that owns its content: for building, changing and keeping values.
///
/// Reading with [`VariantRef`](crate::VariantRef) needs no tree; build one if a value has to
/// outlive its buffer or to be changed. There is a variant for every kind of every dialect, and
/// reals keep their width. Bytes that an encoder of the dialect wrote are reproduced exactly. Of
/// other bytes only the meaning is kept: the widths of ints and floats follow from their values
/// ([`docs/FORMAT.md` §5]), and text after a NUL is dropped.
///
/// ```
/// use gdvar::{Dialect, Variant, variant, write::Target};
///
/// let save = variant!({ "name": "Ann", "hp": 100, "inventory": ["sword", null] });
/// let bytes = save.to_vec(Target::GODOT_4)?;
/// assert_eq!(Variant::from_slice(&bytes, Dialect::GODOT_4)?, save);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A `Variant` takes 32 bytes. Texts of up to 23 bytes are stored inside it and need no allocation.
/// Large and rare variants are boxed, as in the engine.
///
/// | to | write |
/// |---|---|
/// | read a child | `v["party"][0]["gold"]`, which is null if there is none; [`Variant::get`], [`Variant::get_path`] |
/// | change a child | `v["gold"] = 3.into()`, `v["gold"] += 1`, [`Variant::get_mut`], [`Variant::get_path_mut`], [`Variant::set_path`] |
/// | get a Rust value | [`as_i64`](Variant::as_i64) and other getters, `i64::try_from(&v)`, `v == 3` |
/// | make a value | `Variant::from(3)`, [`variant!`](crate::variant) |
/// | iterate over a container | [`as_array`](Variant::as_array), which is a `Vec`, [`as_dict`](Variant::as_dict) |
///
/// Two variants are equal if they have the same kind and the same bits in every number, so a NaN
/// equals itself and 0.0 is not -0.0. Comparisons with Rust numbers follow Rust's rules.
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Variant {
    /// `null`.
    #[default]
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `String`.
    String(Text),
    /// `Vector2`.
    Vector2(Of<Vector2<f32>, Vector2<f64>>),
    /// `Vector2i`.
    Vector2i(Vector2<i32>),
    /// `Rect2`.
    Rect2(Of<Rect2<f32>, Rect2<f64>>),
    /// `Rect2i`.
    Rect2i(Rect2<i32>),
    /// `Vector3`.
    Vector3(Of<Vector3<f32>, Vector3<f64>>),
    /// `Vector3i`.
    Vector3i(Vector3<i32>),
    /// `Transform2D`.
    Transform2D(Box<Real<Transform2D<f32>, Transform2D<f64>>>),
    /// `Vector4`.
    Vector4(Of<Vector4<f32>, Vector4<f64>>),
    /// `Vector4i`.
    Vector4i(Vector4<i32>),
    /// `Plane`.
    Plane(Of<Plane<f32>, Plane<f64>>),
    /// `Quaternion`.
    Quaternion(Of<Quaternion<f32>, Quaternion<f64>>),
    /// `AABB`.
    Aabb(Box<Real<Aabb<f32>, Aabb<f64>>>),
    /// `Basis`.
    Basis(Box<Real<Basis<f32>, Basis<f64>>>),
    /// `Transform3D`.
    Transform3D(Box<Real<Transform3D<f32>, Transform3D<f64>>>),
    /// `Projection`.
    Projection(Box<Real<Projection<f32>, Projection<f64>>>),
    /// `Color`.
    Color(Color<f32>),
    /// `Image` of Godot 2.
    Image(Box<Image>),
    /// `StringName`.
    StringName(Text),
    /// `NodePath`.
    NodePath(Box<NodePath>),
    /// `RID`.
    Rid(u64),
    /// `Object`.
    Object(Object),
    /// `InputEvent` of Godot 2.
    InputEvent(Box<InputEvent>),
    /// `Callable`.
    Callable,
    /// `Signal`.
    Signal(Box<Signal>),
    /// `Dictionary`.
    Dictionary(Dictionary),
    /// `Array`, and the typed arrays of Pandemonium 5.
    Array(Array),
    /// `PackedByteArray`.
    PackedByteArray(Vec<u8>),
    /// `PackedInt32Array`.
    PackedInt32Array(Vec<i32>),
    /// `PackedInt64Array`.
    PackedInt64Array(Vec<i64>),
    /// `PackedFloat32Array`.
    PackedFloat32Array(Vec<f32>),
    /// `PackedFloat64Array`.
    PackedFloat64Array(Vec<f64>),
    /// `PackedStringArray`.
    PackedStringArray(Vec<Text>),
    /// `PackedVector2Array`.
    PackedVector2Array(PackedOf<Vector2<f32>, Vector2<f64>>),
    /// `PoolVector2iArray` of Pandemonium.
    PackedVector2iArray(Vec<Vector2<i32>>),
    /// `PackedVector3Array`.
    PackedVector3Array(PackedOf<Vector3<f32>, Vector3<f64>>),
    /// `PoolVector3iArray` of Pandemonium.
    PackedVector3iArray(Vec<Vector3<i32>>),
    /// `PackedVector4Array`.
    PackedVector4Array(PackedOf<Vector4<f32>, Vector4<f64>>),
    /// `PoolVector4iArray` of Pandemonium.
    PackedVector4iArray(Vec<Vector4<i32>>),
    /// `PackedColorArray`.
    PackedColorArray(Vec<Color<f32>>),
}

const _: () = assert!(size_of::<Variant>() <= 32);

/// An `Image` of Godot 2 with undecoded pixels ([`docs/FORMAT.md` §3.3]).
///
/// [`docs/FORMAT.md` §3.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#33-variable-size-scalars
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Image {
    /// The number of the pixel format.
    pub format: u32,
    /// The number of mipmaps.
    pub mipmaps: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels in the given format, not decoded.
    pub data: Vec<u8>,
}

/// An `InputEvent` of Godot 2 with an undecoded body ([`docs/FORMAT.md` §3.3]).
///
/// [`docs/FORMAT.md` §3.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#33-variable-size-scalars
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct InputEvent {
    /// The number of the event type.
    pub kind: u32,
    /// The number of the device.
    pub device: i32,
    /// The bytes that follow.
    pub body: Vec<u8>,
}

/// A `NodePath`. `/root/A:b` is absolute; its names are `root` and `A`, and its only sub-name is
/// `b` ([`docs/FORMAT.md` §4.5]).
///
/// ```
/// use gdvar::{Variant, tree::NodePath};
///
/// let path: NodePath = "/root/A:b".parse()?;
/// assert_eq!((path.absolute, path.names.len(), path.subnames.len()), (true, 2, 1));
/// assert_eq!(Variant::from(path).to_string(), r#"NodePath("/root/A:b")"#);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
///
/// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct NodePath {
    /// The names, which slashes separate in text.
    pub names: Vec<Text>,
    /// The sub-names, which follow colons in text.
    pub subnames: Vec<Text>,
    /// `true` if the path begins at the root.
    pub absolute: bool,
}

/// A `Signal`: its name and the instance id of its object.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signal {
    /// The signal's name.
    pub name: Text,
    /// The object's instance id.
    pub object_id: u64,
}

/// An `Object`, as inert data ([`docs/FORMAT.md` §4.4]). The enum is exhaustive: the format has no
/// other form of an object.
///
/// [`docs/FORMAT.md` §4.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#44-object
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Object {
    /// A null object.
    #[default]
    Null,
    /// An instance id.
    Id(u64),
    /// A class with properties.
    Full(Box<FullObject>),
}

/// A whole object: a class and its properties.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FullObject {
    /// The name of the class.
    pub class: Text,
    /// The names and values in the order of the bytes.
    pub properties: Vec<(Text, Variant)>,
}

impl FullObject {
    /// Returns the value of a property, or `None` if the object does not have it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Variant> {
        let is_it = |(own, _): &&(Text, Variant)| *own == *name;
        self.properties
            .iter()
            .rev()
            .find(is_it)
            .map(|(_, value)| value)
    }

    /// Returns a mutable reference to the value of a property, or `None` if the object does not have
    /// it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Variant> {
        let is_it = |(own, _): &&mut (Text, Variant)| *own == *name;
        self.properties
            .iter_mut()
            .rev()
            .find(is_it)
            .map(|(_, value)| value)
    }
}

/// The type of a typed container's children, from its header ([`docs/FORMAT.md` §4.3]). The enum is
/// exhaustive: the two bits of the header have no other meaning.
///
/// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum OwnedElementType {
    /// Any value. The container has no type.
    #[default]
    Untyped,
    /// Values of one kind.
    Builtin(Kind),
    /// Objects of a class.
    Class(Box<Text>),
    /// Objects with the script at this path.
    Script(Box<Text>),
}

impl From<ElementType<'_>> for OwnedElementType {
    fn from(borrowed: ElementType<'_>) -> OwnedElementType {
        match borrowed {
            ElementType::Untyped | ElementType::Builtin(_, None) => OwnedElementType::Untyped,
            ElementType::Builtin(_, Some(kind)) => OwnedElementType::Builtin(kind),
            ElementType::Class(name) => OwnedElementType::Class(Box::new(name.into())),
            // An engine that reads this path without permission for objects uses this class instead.
            ElementType::Script(path) if !path.as_bytes().starts_with(b"res://") => {
                OwnedElementType::Class(Box::new("EncodedObjectAsID".into()))
            }
            ElementType::Script(path) => OwnedElementType::Script(Box::new(path.into())),
        }
    }
}

/// The kind of an array. Only Pandemonium has other kinds than `Array`. Like [`Kind`], the enum is
/// exhaustive, so that the compiler finds all code that a new kind of array concerns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ArrayForm {
    /// `Array`; in Godot 4 it may have an element type.
    #[default]
    Plain,
    /// `TypedArray` of Pandemonium 5.
    Typed,
    /// `PackedTypedArray` of Pandemonium 5.
    PackedTyped,
}

impl Variant {
    /// Returns the kind, which means the same in every dialect.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Variant::Nil => Kind::Nil,
            Variant::Bool(_) => Kind::Bool,
            Variant::Int(_) => Kind::Int,
            Variant::Float(_) => Kind::Float,
            Variant::String(_) => Kind::String,
            Variant::Vector2(_) => Kind::Vector2,
            Variant::Vector2i(_) => Kind::Vector2i,
            Variant::Rect2(_) => Kind::Rect2,
            Variant::Rect2i(_) => Kind::Rect2i,
            Variant::Vector3(_) => Kind::Vector3,
            Variant::Vector3i(_) => Kind::Vector3i,
            Variant::Transform2D(_) => Kind::Transform2D,
            Variant::Vector4(_) => Kind::Vector4,
            Variant::Vector4i(_) => Kind::Vector4i,
            Variant::Plane(_) => Kind::Plane,
            Variant::Quaternion(_) => Kind::Quaternion,
            Variant::Aabb(_) => Kind::Aabb,
            Variant::Basis(_) => Kind::Basis,
            Variant::Transform3D(_) => Kind::Transform3D,
            Variant::Projection(_) => Kind::Projection,
            Variant::Color(_) => Kind::Color,
            Variant::Image(_) => Kind::Image,
            Variant::StringName(_) => Kind::StringName,
            Variant::NodePath(_) => Kind::NodePath,
            Variant::Rid(_) => Kind::Rid,
            Variant::Object(_) => Kind::Object,
            Variant::InputEvent(_) => Kind::InputEvent,
            Variant::Callable => Kind::Callable,
            Variant::Signal(_) => Kind::Signal,
            Variant::Dictionary(_) => Kind::Dictionary,
            Variant::Array(array) => match array.form() {
                ArrayForm::Plain => Kind::Array,
                ArrayForm::Typed => Kind::TypedArray,
                ArrayForm::PackedTyped => Kind::PackedTypedArray,
            },
            Variant::PackedByteArray(_) => Kind::PackedByteArray,
            Variant::PackedInt32Array(_) => Kind::PackedInt32Array,
            Variant::PackedInt64Array(_) => Kind::PackedInt64Array,
            Variant::PackedFloat32Array(_) => Kind::PackedFloat32Array,
            Variant::PackedFloat64Array(_) => Kind::PackedFloat64Array,
            Variant::PackedStringArray(_) => Kind::PackedStringArray,
            Variant::PackedVector2Array(_) => Kind::PackedVector2Array,
            Variant::PackedVector2iArray(_) => Kind::PackedVector2iArray,
            Variant::PackedVector3Array(_) => Kind::PackedVector3Array,
            Variant::PackedVector3iArray(_) => Kind::PackedVector3iArray,
            Variant::PackedVector4Array(_) => Kind::PackedVector4Array,
            Variant::PackedVector4iArray(_) => Kind::PackedVector4iArray,
            Variant::PackedColorArray(_) => Kind::PackedColorArray,
        }
    }

    /// Returns `true` for Nil and for a null object.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        matches!(self, Variant::Nil | Variant::Object(Object::Null))
    }
}
