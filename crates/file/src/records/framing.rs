//! The bytes around each value of a file.

use gdvar_view::PrefixOrder;

/// The bytes around the values of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Framing {
    /// One value and nothing else, as `var_to_bytes` returns it.
    Bare,
    /// Each value after its length in four bytes, as `store_var` writes it (`docs/FORMAT.md` §7.1).
    Len32,
    /// The same with big-endian lengths: `big_endian` was set (Godot 3: `endian_swap`).
    Len32Be,
    /// One value a line, as hexadecimal digits.
    Hex,
    /// One value a line, as base64.
    Base64,
}

impl Framing {
    /// All of them.
    pub const ALL: [Framing; 5] = [
        Framing::Bare,
        Framing::Len32,
        Framing::Len32Be,
        Framing::Hex,
        Framing::Base64,
    ];

    /// The byte order of the lengths, or `None` if there are no lengths.
    #[must_use]
    pub const fn order(self) -> Option<PrefixOrder> {
        match self {
            Framing::Len32 => Some(PrefixOrder::Little),
            Framing::Len32Be => Some(PrefixOrder::Big),
            Framing::Bare | Framing::Hex | Framing::Base64 => None,
        }
    }

    /// The short name: `bare`, `len32`, `len32be`, `hex`, `base64`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Framing::Bare => "bare",
            Framing::Len32 => "len32",
            Framing::Len32Be => "len32be",
            Framing::Hex => "hex",
            Framing::Base64 => "base64",
        }
    }

    /// The framing of that [name](Framing::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Framing> {
        Framing::ALL
            .into_iter()
            .find(|framing| framing.name() == name)
    }

    /// A phrase for people who do not know the name.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Framing::Bare => "a value without anything around it, as var_to_bytes makes it",
            Framing::Len32 => "each value after its length, as store_var writes it",
            Framing::Len32Be => {
                "each value after its big-endian length, as store_var writes it with big_endian (Godot 3: endian_swap)"
            }
            Framing::Hex => "one value a line, in hex",
            Framing::Base64 => "one value a line, in base64",
        }
    }

    /// Returns `true` if values are lines of text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Framing::Hex | Framing::Base64)
    }
}
