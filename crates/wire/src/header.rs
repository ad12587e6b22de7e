//! The first four bytes of every value: a type number and flags.

use core::fmt;

/// The word that begins every value ([`docs/FORMAT.md` §2]).
///
/// Bits 0–7 are the type number, bits 8–15 are unused, bits 16–31 are flags whose meaning depends
/// on the type.
///
/// [`docs/FORMAT.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#2-header-word
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeaderWord(pub u32);

impl HeaderWord {
    /// Creates a header from a type number and flags.
    #[must_use]
    pub const fn new(type_id: TypeId, flags: Flags) -> HeaderWord {
        HeaderWord(type_id.0 as u32 | (flags.0 as u32) << 16)
    }

    /// Returns the type number. The engines use only the lowest byte, whatever their documents say.
    #[must_use]
    pub const fn type_id(self) -> TypeId {
        TypeId(self.0 as u8)
    }

    /// Returns the flags, the upper half of the word.
    #[must_use]
    pub const fn flags(self) -> Flags {
        Flags((self.0 >> 16) as u16)
    }

    /// Returns bits 8–15, which every encoder leaves zero.
    #[must_use]
    pub const fn unused_bits(self) -> u8 {
        (self.0 >> 8) as u8
    }
}

impl fmt::Debug for HeaderWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HeaderWord({:#010x})", self.0)
    }
}

/// A type number from the wire. Its meaning depends on the [`Dialect`](crate::Dialect); see
/// [`Dialect::kind`](crate::Dialect::kind).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u8);

impl fmt::Debug for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeId({})", self.0)
    }
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The upper half of a header word. Bit 0 here is bit 16 of the word.
///
/// The same bit has a different meaning for each type. Call only the method that fits the kind of
/// the value ([`docs/FORMAT.md` §2]).
///
/// [`docs/FORMAT.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#2-header-word
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// No flag is set, as in most headers.
    pub const NONE: Flags = Flags(0);
    /// The payload is 64 bits wide: Int, Float, and the math types of Godot 4.
    pub const WIDE: Flags = Flags(1);
    /// For an Object, the payload is its instance id. For a typed array of Pandemonium 5, the class
    /// of its objects is omitted.
    pub const AS_ID: Flags = Flags(1);

    /// Returns `true` if the payload is 64 bits wide.
    #[must_use]
    pub const fn is_64(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns `true` if the payload of an Object is its instance id.
    #[must_use]
    pub const fn object_as_id(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns how an Array's elements (Godot 4.3 and later) or a Dictionary's keys (4.4 and later)
    /// are typed.
    #[must_use]
    pub const fn element_typing(self) -> ElementTyping {
        ElementTyping::from_bits(self.0)
    }

    /// Returns how a Dictionary's values are typed (Godot 4.4 and later).
    #[must_use]
    pub const fn value_typing(self) -> ElementTyping {
        ElementTyping::from_bits(self.0 >> 2)
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flags({:#06x})", self.0)
    }
}

/// Which type descriptor lies between the header and the count of a typed container
/// ([`docs/FORMAT.md` §4.3]).
///
/// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ElementTyping {
    /// No descriptor; the container takes any value.
    #[default]
    None,
    /// A type number.
    Builtin,
    /// The name of a native class.
    Class,
    /// The `res://` path of a script.
    Script,
}

impl ElementTyping {
    const fn from_bits(bits: u16) -> ElementTyping {
        match bits & 3 {
            0 => ElementTyping::None,
            1 => ElementTyping::Builtin,
            2 => ElementTyping::Class,
            _ => ElementTyping::Script,
        }
    }

    /// Returns the two flag bits that select this descriptor, shifted to bits 0 and 1.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self as u16
    }
}
