//! [`Framing`]: what surrounds each value of a file.

use gdvar_view::PrefixOrder;

/// What surrounds each value of a file: a length, a line, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Framing {
    /// One value and nothing else, as `var_to_bytes` returns it.
    Bare,
    /// Each value after its length in four bytes, as `store_var` writes it ([`docs/FORMAT.md` §7.1]).
    ///
    /// [`docs/FORMAT.md` §7.1]:
    /// https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values
    Len32,
    /// Like `Len32` with big-endian lengths: `big_endian` was set (Godot 3: `endian_swap`).
    Len32Be,
    /// One value per line, in hexadecimal digits.
    Hex,
    /// One value per line, in base64.
    Base64,
}

impl Framing {
    /// All framings.
    pub const ALL: [Framing; 5] = [
        Framing::Bare,
        Framing::Len32,
        Framing::Len32Be,
        Framing::Hex,
        Framing::Base64,
    ];

    /// Returns the byte order of the lengths, or `None` if there are no lengths.
    #[must_use]
    pub const fn order(self) -> Option<PrefixOrder> {
        match self {
            Framing::Len32 => Some(PrefixOrder::Little),
            Framing::Len32Be => Some(PrefixOrder::Big),
            Framing::Bare | Framing::Hex | Framing::Base64 => None,
        }
    }

    /// Returns the short name: `bare`, `len32`, `len32be`, `hex`, `base64`.
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

    /// Returns the framing with the given [name](Framing::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Framing> {
        Framing::ALL
            .into_iter()
            .find(|framing| framing.name() == name)
    }

    /// Returns a phrase for people who do not know the name.
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
