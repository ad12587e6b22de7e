//! [`WireField`]: some bytes and their name, in the words of `docs/FORMAT.md`.

use core::fmt;

/// A field: bytes that belong together. Displays as its name, such as `length of class name`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WireField {
    /// The offset of its first byte, from the start of the buffer.
    pub start: usize,
    /// The offset after its last byte. A field has at least one byte.
    pub end: usize,
    /// The role of the field in the layout of the value.
    pub part: WirePart,
    /// The text or type that the field is a part of, if the value has several.
    pub of: WireOwner,
}

impl WireField {
    pub(super) const fn new(start: usize, end: usize, part: WirePart, of: WireOwner) -> WireField {
        WireField {
            start,
            end,
            part,
            of,
        }
    }

    /// The number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.end - self.start
    }

    /// Always false: a field has at least one byte.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// The role of a field in the layout of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum WirePart {
    /// The word at the start of every value (§2).
    Header,
    /// The payload of a value of fixed size (§3.1), or the pixels of an Image (§3.3).
    Payload,
    /// The number of bytes that follow (§3.2).
    Length,
    /// UTF-8 (§3.2).
    Text,
    /// The byte that ends an element of a PackedStringArray (§3.4).
    Nul,
    /// Bytes up to a multiple of four (§3, rule 2).
    Padding,
    /// The number of elements, pairs or properties that follow (§3.4, §4).
    Count,
    /// The elements of a packed array, all of them (§3.4).
    Elements,
    /// The type number between the header and the count of a typed container (§4.3).
    TypeNumber,
    /// The number of names that a NodePath has, and bit 31 (§4.5).
    NameCount,
    /// The number of sub-names of a NodePath (§4.5).
    SubNameCount,
    /// The flags of a NodePath (§4.5).
    Flags,
    /// The id of an object (§4.4), also in a Signal (§3.3).
    InstanceId,
    /// The pixel format of an Image (§3.3).
    Format,
    /// The mipmaps of an Image (§3.3).
    MipmapCount,
    /// The width of an Image (§3.3).
    Width,
    /// The height of an Image (§3.3).
    Height,
    /// The kind of an InputEvent (§3.3).
    EventKind,
    /// The device of an InputEvent (§3.3).
    Device,
    /// The rest of an InputEvent (§3.3).
    Body,
    /// Bytes after the outermost value, which engines ignore (§6, row 24).
    Trailing,
    /// Bytes that cannot be read: from the first error to the end of the buffer.
    Unread,
}

impl WirePart {
    /// Every part, in the order of declaration.
    pub const ALL: &'static [WirePart] = &[
        WirePart::Header,
        WirePart::Payload,
        WirePart::Length,
        WirePart::Text,
        WirePart::Nul,
        WirePart::Padding,
        WirePart::Count,
        WirePart::Elements,
        WirePart::TypeNumber,
        WirePart::NameCount,
        WirePart::SubNameCount,
        WirePart::Flags,
        WirePart::InstanceId,
        WirePart::Format,
        WirePart::MipmapCount,
        WirePart::Width,
        WirePart::Height,
        WirePart::EventKind,
        WirePart::Device,
        WirePart::Body,
        WirePart::Trailing,
        WirePart::Unread,
    ];

    /// The name in `docs/FORMAT.md`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            WirePart::Header => "header",
            WirePart::Payload => "payload",
            WirePart::Length => "length",
            WirePart::Text => "text",
            WirePart::Nul => "NUL",
            WirePart::Padding => "padding",
            WirePart::Count => "count",
            WirePart::Elements => "elements",
            WirePart::TypeNumber => "type number",
            WirePart::NameCount => "name count",
            WirePart::SubNameCount => "sub-name count",
            WirePart::Flags => "flags",
            WirePart::InstanceId => "instance id",
            WirePart::Format => "format",
            WirePart::MipmapCount => "mipmap count",
            WirePart::Width => "width",
            WirePart::Height => "height",
            WirePart::EventKind => "kind",
            WirePart::Device => "device",
            WirePart::Body => "body",
            WirePart::Trailing => "trailing bytes",
            WirePart::Unread => "unread",
        }
    }
}

impl fmt::Display for WirePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text or type that a field is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum WireOwner {
    /// The value itself.
    Value,
    /// The element type of an array (§4.3).
    ElementType,
    /// The type of the keys of a Dictionary (§4.3).
    KeyType,
    /// The type of the values of a Dictionary (§4.3).
    ValueType,
    /// The class of an Object (§4.4), or of the elements of a typed array of Pandemonium 5 (§4.3).
    ClassName,
    /// The name of a property (§4.4).
    PropertyName,
    /// The name of a Signal (§3.3).
    SignalName,
    /// A name of a NodePath, counted from 0 (§4.5).
    Name(u32),
    /// A sub-name of a NodePath, counted from 0 (§4.5).
    SubName(u32),
    /// An element of a PackedStringArray, counted from 0 (§3.4).
    Element(u32),
}

impl fmt::Display for WireOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireOwner::Value => f.write_str("value"),
            WireOwner::ElementType => f.write_str("element type"),
            WireOwner::KeyType => f.write_str("key type"),
            WireOwner::ValueType => f.write_str("value type"),
            WireOwner::ClassName => f.write_str("class name"),
            WireOwner::PropertyName => f.write_str("property name"),
            WireOwner::SignalName => f.write_str("signal name"),
            WireOwner::Name(n) => write!(f, "name {n}"),
            WireOwner::SubName(n) => write!(f, "sub-name {n}"),
            WireOwner::Element(n) => write!(f, "element {n}"),
        }
    }
}

impl fmt::Display for WireField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.part, self.of) {
            (part, WireOwner::Value) | (part @ (WirePart::Padding | WirePart::Nul), _) => {
                f.write_str(part.name())
            }
            (WirePart::Text | WirePart::TypeNumber, of) => of.fmt(f),
            (part, of) => write!(f, "{part} of {of}"),
        }
    }
}
