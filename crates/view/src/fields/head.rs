//! The fields of a head, as far as they can be read.

use gdvar_wire::{
    ElementTyping, HeaderWord, Kind, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY, SHARED_BIT, layout,
    pad4,
};

use crate::{
    bytes::{head, text},
    fields::{
        part::{WireField, WireOwner, WirePart},
        queue::Queue,
    },
    options::ReadOptions,
};

/// The strings after a head: elements of a PackedStringArray, or names of a NodePath.
#[derive(Clone, Copy)]
pub(super) struct Strings {
    next: u32,
    count: u32,
    /// The number of strings that are names. All others are sub-names.
    names: Option<u32>,
}

impl Strings {
    pub(super) const NONE: Strings = Strings {
        next: 0,
        count: 0,
        names: None,
    };

    /// Returns whether the next string is an element, a name or a sub-name. `None` if none is left.
    pub(super) fn next(&mut self) -> Option<WireOwner> {
        if self.next == self.count {
            return None;
        }
        let n = self.next;
        self.next += 1;
        Some(match self.names {
            None => WireOwner::Element(n),
            Some(names) if n < names => WireOwner::Name(n),
            Some(names) => WireOwner::SubName(n - names),
        })
    }
}

/// Divides bytes into fields. Its methods return `None` if a field is cut off or begins after `until`.
pub(super) struct Layout<'a, 'q> {
    bytes: &'a [u8],
    at: usize,
    /// The offset of the wrong byte. Fields that start after it are not reported.
    until: usize,
    queue: &'q mut Queue,
}

impl<'a, 'q> Layout<'a, 'q> {
    pub(super) fn new(
        bytes: &'a [u8],
        at: usize,
        until: usize,
        queue: &'q mut Queue,
    ) -> Layout<'a, 'q> {
        Layout {
            bytes,
            at,
            until,
            queue,
        }
    }

    /// The end of the last field.
    pub(super) const fn end(&self) -> usize {
        self.at
    }

    fn take(&mut self, len: usize, part: WirePart, of: WireOwner) -> Option<&'a [u8]> {
        if self.at > self.until {
            return None;
        }
        let taken = self.bytes.get(self.at..)?.get(..len)?;
        if len > 0 {
            let (start, end) = (self.at, self.at + len);
            self.queue.push(WireField::new(start, end, part, of));
            self.at = end;
        }
        Some(taken)
    }

    fn word(&mut self, part: WirePart, of: WireOwner) -> Option<u32> {
        let raw = self.take(4, part, of)?;
        raw.first_chunk().copied().map(u32::from_le_bytes)
    }

    /// Takes a string field (`docs/FORMAT.md` §3.2, §3.4).
    pub(super) fn string(&mut self, of: WireOwner) -> Option<&'a [u8]> {
        self.padded(WirePart::Text, of)
    }

    /// Takes a length word, that many bytes, and their padding.
    fn padded(&mut self, part: WirePart, of: WireOwner) -> Option<&'a [u8]> {
        let len = self.word(WirePart::Length, of)? as usize;
        let start = self.at;
        let raw = self.bytes.get(start..)?.get(..len)?;
        // If the padding is cut off, the text is unreadable too.
        self.bytes.get(start..)?.get(..pad4(len))?;
        let nul = usize::from(matches!(of, WireOwner::Element(_)) && raw.last() == Some(&0));
        self.take(len - nul, part, of)?;
        self.take(nul, WirePart::Nul, of)?;
        self.take(pad4(len) - len, WirePart::Padding, of)?;
        Some(raw)
    }

    /// Takes the whole head of a value, and returns the strings that follow it (`docs/FORMAT.md` §3, §4).
    pub(super) fn head(&mut self, options: ReadOptions) -> Option<Strings> {
        use WirePart::{Count, Elements, Header, InstanceId, Length, Padding, Payload};
        let dialect = options.dialect();
        let header = HeaderWord(head::word(self.bytes, self.at).ok()?);
        let kind = dialect.kind(header.type_id())?;
        self.word(Header, WireOwner::Value)?;
        let wide = head::is_wide(header, kind, options);
        if let Some(size) = head::fixed_payload(header, kind, wide, options) {
            self.take(size, Payload, WireOwner::Value)?;
            return Some(Strings::NONE);
        }
        if let Some(size) = layout::packed_element(kind, wide) {
            let count = self.word(Count, WireOwner::Value)? as usize;
            let len = count.checked_mul(size)?;
            self.take(len, Elements, WireOwner::Value)?;
            // The last padding of a buffer may be missing (§6, row 19).
            let padding = (pad4(len) - len).min(head::remaining(self.bytes, self.at));
            self.take(padding, Padding, WireOwner::Value)?;
            return Some(Strings::NONE);
        }
        match kind {
            Kind::String | Kind::StringName => {
                self.string(WireOwner::Value)?;
            }
            Kind::Array | Kind::Dictionary => {
                let flags = header.flags();
                if dialect.has_typed_containers() {
                    let is_dict = kind == Kind::Dictionary;
                    let of = if is_dict {
                        WireOwner::KeyType
                    } else {
                        WireOwner::ElementType
                    };
                    self.descriptor(flags.element_typing(), of)?;
                    if is_dict {
                        self.descriptor(flags.value_typing(), WireOwner::ValueType)?;
                    }
                }
                self.word(Count, WireOwner::Value)?;
            }
            Kind::TypedArray | Kind::PackedTypedArray => {
                let id = self.word(WirePart::TypeNumber, WireOwner::ElementType)? & !SHARED_BIT;
                let object = dialect.type_id(Kind::Object);
                let is_object = object.is_some_and(|object| id == u32::from(object.0));
                if is_object && !header.flags().object_as_id() {
                    self.word(Header, WireOwner::ClassName)?;
                    self.string(WireOwner::ClassName)?;
                }
                self.word(Count, WireOwner::Value)?;
            }
            Kind::PackedStringArray => {
                let count = self.word(Count, WireOwner::Value)?;
                return Some(Strings {
                    next: 0,
                    // A negative count means 0 (§6, row 17).
                    count: i32::try_from(count).map_or(0, i32::unsigned_abs),
                    names: None,
                });
            }
            Kind::NodePath => return self.node_path(),
            Kind::Object if !dialect.has_object_payload() => {}
            Kind::Object if header.flags().object_as_id() => {
                self.take(8, InstanceId, WireOwner::Value)?;
            }
            Kind::Object => {
                let class = self.string(WireOwner::ClassName)?;
                if !text::engine_text(class).is_empty() {
                    self.word(Count, WireOwner::Value)?;
                }
            }
            Kind::Signal => {
                self.string(WireOwner::SignalName)?;
                self.take(8, InstanceId, WireOwner::Value)?;
            }
            Kind::Image => {
                self.word(WirePart::Format, WireOwner::Value)?;
                self.word(WirePart::MipmapCount, WireOwner::Value)?;
                self.word(WirePart::Width, WireOwner::Value)?;
                self.word(WirePart::Height, WireOwner::Value)?;
                self.padded(Payload, WireOwner::Value)?;
            }
            Kind::InputEvent => {
                self.word(WirePart::EventKind, WireOwner::Value)?;
                self.word(WirePart::Device, WireOwner::Value)?;
                let len = self.word(Length, WireOwner::Value)? as usize;
                self.take(len.checked_sub(12)?, WirePart::Body, WireOwner::Value)?;
            }
            // These have a fixed payload or are packed arrays of fixed elements, and were taken above.
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
            | Kind::PackedColorArray => {}
        }
        Some(Strings::NONE)
    }

    /// Takes an element type between header and count (`docs/FORMAT.md` §4.3).
    fn descriptor(&mut self, typing: ElementTyping, of: WireOwner) -> Option<()> {
        match typing {
            ElementTyping::None => {}
            ElementTyping::Builtin => {
                self.word(WirePart::TypeNumber, of)?;
            }
            ElementTyping::Class | ElementTyping::Script => {
                self.string(of)?;
            }
        }
        Some(())
    }

    /// Takes the fields after the header of a NodePath (`docs/FORMAT.md` §4.5).
    fn node_path(&mut self) -> Option<Strings> {
        let first = head::word(self.bytes, self.at).ok()?;
        if first & NODE_PATH_NEW_FORMAT == 0 {
            self.word(WirePart::Length, WireOwner::Value)?;
            self.take(first as usize, WirePart::Text, WireOwner::Value)?;
            return Some(Strings::NONE);
        }
        self.word(WirePart::NameCount, WireOwner::Value)?;
        let subnames = self.word(WirePart::SubNameCount, WireOwner::Value)?;
        let flags = self.word(WirePart::Flags, WireOwner::Value)?;
        let names = first & !NODE_PATH_NEW_FORMAT;
        let property = u32::from(flags & NODE_PATH_PROPERTY != 0);
        Some(Strings {
            next: 0,
            count: names.checked_add(subnames)?.checked_add(property)?,
            names: Some(names),
        })
    }
}
