//! [`Value`]: the tree that the reference decoder returns.

use gdvar::Kind;

/// Text as the engine stores it: character codes, without a byte order mark, up to a NUL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Text(pub Vec<u32>);

/// A number of a vector or of an array of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Component {
    /// The bits of an f32.
    Single(u32),
    /// The bits of an f64.
    Double(u64),
    /// A component or element that the format stores as an i32, as in Vector2i or PackedInt32Array.
    Int(i32),
    /// An element that the format stores as an i64, as in PackedInt64Array.
    Long(i64),
}

/// The type that a header declares for the children of a container.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Element {
    /// Any type.
    #[default]
    Untyped,
    /// Values of the type with this number.
    Builtin(u32),
    /// Objects of a class.
    Class(Text),
    /// Objects with a script.
    Script(Text),
}

/// A value. The reals of math types and packed arrays keep the width that they have in the bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nil.
    Nil,
    /// A Bool. Every word other than 0 is read as `true`.
    Bool(bool),
    /// An Int, which is stored as 32 or as 64 bits.
    Int(i64),
    /// The bits of a Float as an f64. A Float that is stored as an f32 is widened.
    Float(u64),
    /// A String or a StringName.
    Text(Kind, Text),
    /// A vector, rectangle, matrix or colour: its numbers in stream order.
    Math(Kind, Vec<Component>),
    /// A packed array of numbers: the number of them per element, and all of them.
    Packed(Kind, usize, Vec<Component>),
    /// A PackedByteArray.
    Bytes(Vec<u8>),
    /// A PackedStringArray.
    Strings(Vec<Text>),
    /// A NodePath.
    NodePath {
        /// The names between slashes.
        names: Vec<Text>,
        /// The names after colons.
        subnames: Vec<Text>,
        /// `true` if it begins with a slash.
        absolute: bool,
    },
    /// A RID.
    Rid(u64),
    /// A Callable, which contains nothing.
    Callable,
    /// A Signal.
    Signal(Text, u64),
    /// A null Object.
    NullObject,
    /// An Object as its id.
    ObjectId(u64),
    /// A whole Object.
    Object(Text, Vec<(Text, Value)>),
    /// An Image of Godot 2: format, mipmaps, width, height, pixels.
    Image([u32; 4], Vec<u8>),
    /// An InputEvent of Godot 2: kind, device, the rest.
    InputEvent(u32, i32, Vec<u8>),
    /// An array of values: its type, the declared element type, the elements.
    Array(Kind, Element, Vec<Value>),
    /// A Dictionary: the declared types of keys and values, the pairs.
    Dictionary(Element, Element, Vec<(Value, Value)>),
}

impl Value {
    /// Returns the kind. Every form of an Object has the kind `Object`.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Value::Nil => Kind::Nil,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Float(_) => Kind::Float,
            Value::Text(kind, _)
            | Value::Math(kind, _)
            | Value::Packed(kind, ..)
            | Value::Array(kind, ..) => *kind,
            Value::Bytes(_) => Kind::PackedByteArray,
            Value::Strings(_) => Kind::PackedStringArray,
            Value::NodePath { .. } => Kind::NodePath,
            Value::Rid(_) => Kind::Rid,
            Value::Callable => Kind::Callable,
            Value::Signal(..) => Kind::Signal,
            Value::NullObject | Value::ObjectId(_) | Value::Object(..) => Kind::Object,
            Value::Image(..) => Kind::Image,
            Value::InputEvent(..) => Kind::InputEvent,
            Value::Dictionary(..) => Kind::Dictionary,
        }
    }
}
