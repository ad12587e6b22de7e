//! Dialects: the engine generations, each with its own table of type numbers.

use core::{fmt, str::FromStr};

use crate::{
    Flags, HeaderWord, Kind, Notation, TypeId, layout,
    plain::{self, Plain},
    tables,
};

#[cfg(test)]
mod tests;

/// An engine generation: its type numbers and the layouts of the payloads.
///
/// The bytes do not say which dialect they are in, and the same bytes mean different things in two dialects
/// ([`docs/FORMAT.md` §1]). The caller therefore always names the dialect. A dialect is one byte, an index into
/// `const` tables.
///
/// ```
/// use gdvar_wire::{Dialect, Kind};
///
/// let dialect: Dialect = "godot3".parse()?;
/// assert_eq!(dialect, Dialect::GODOT_3);
/// assert_eq!(dialect.type_id(Kind::Array).unwrap().0, 19);
/// assert!(dialect.type_id(Kind::StringName).is_none());
/// # Ok::<(), gdvar_wire::UnknownDialect>(())
/// ```
///
/// [`docs/FORMAT.md` §1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#1-dialects
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dialect(u8);

/// How an engine decodes text ([`docs/FORMAT.md` §6], rows 12 and 13).
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextRules {
    /// Well-formed UTF-8 only.
    Utf8,
    /// Also surrogates, numbers above U+10FFFF, sequences of five and six bytes and most overlong
    /// ones, as Godot 3 and earlier do.
    Wide,
}

/// Marks a payload without a fixed size. No fixed payload is 255 bytes long.
const VARIES: u8 = 255;

struct Table {
    traits: Traits,
    /// The text notation of the dialect's default engine. A dialect without a tested engine has the notation of the
    /// most similar engine.
    notation: Notation,
    /// The kind of each type number, which is the low byte of the header.
    kinds: [Option<Kind>; 256],
    /// The type number of each kind; 255 if the dialect lacks the type.
    ids: [u8; Kind::COUNT],
    /// The first unused type number.
    type_count: u8,
    /// The flag bits that have a meaning, by type number.
    flags: [u16; 256],
    /// The payload size by type number, without and with the 64-bit flag; 255 if it varies.
    sizes: [[u8; 2]; 256],
    /// Indexed by `plain::index`: the type number and the two flags of a plain header.
    plain: [Plain; plain::ENTRIES],
}

/// The properties of a dialect other than its list of types. The methods of [`Dialect`] explain them.
struct Traits {
    name: &'static str,
    title: &'static str,
    rid_has_id: bool,
    wide_math: bool,
    typed_containers: bool,
    objects: bool,
    whole_word_header: bool,
    old_node_paths: bool,
    mainstream: bool,
    by_engine: bool,
    early_releases: bool,
    hashes_bits: bool,
    encryption_vector: bool,
    text: TextRules,
}

const fn table(order: &[Kind], notation: Notation, traits: Traits) -> Table {
    let mut kinds = [None; 256];
    let mut ids = [u8::MAX; Kind::COUNT];
    let mut flags = [0; 256];
    let mut sizes = [[VARIES; 2]; 256];
    let mut id = 0;
    while id < order.len() {
        let kind = order[id];
        kinds[id] = Some(kind);
        ids[kind as usize] = id as u8;
        flags[id] = match kind {
            Kind::Int | Kind::Float => Flags::WIDE.0,
            Kind::Object if traits.objects => Flags::AS_ID.0,
            Kind::TypedArray | Kind::PackedTypedArray => Flags::AS_ID.0,
            Kind::Array if traits.typed_containers => 0b11,
            Kind::Dictionary if traits.typed_containers => 0b1111,
            _ if traits.wide_math && kind.has_reals() => Flags::WIDE.0,
            _ => 0,
        };
        if let Some(size) = layout::fixed_payload(kind, false, traits.rid_has_id) {
            sizes[id] = [size as u8; 2];
        }
        if flags[id] & Flags::WIDE.0 != 0 {
            if let Some(size) = layout::fixed_payload(kind, true, traits.rid_has_id) {
                sizes[id][1] = size as u8;
            }
        }
        id += 1;
    }
    Table {
        traits,
        notation,
        kinds,
        ids,
        type_count: order.len() as u8,
        flags,
        sizes,
        plain: plain::table(order, &flags, &sizes),
    }
}

/// The properties of most dialects; `table_of` overrides some of them.
const PLAIN: Traits = Traits {
    name: "",
    title: "",
    rid_has_id: false,
    wide_math: false,
    typed_containers: false,
    objects: true,
    whole_word_header: false,
    old_node_paths: false,
    mainstream: false,
    by_engine: true,
    early_releases: false,
    hashes_bits: false,
    encryption_vector: false,
    text: TextRules::Utf8,
};

/// Builds the table of dialect `number`. The compiler runs this.
const fn table_of(number: u8) -> Table {
    match number {
        0 => table(
            tables::GODOT_4,
            Notation::Godot4,
            Traits {
                name: "godot4",
                title: "Godot 4",
                rid_has_id: true,
                wide_math: true,
                typed_containers: true,
                mainstream: true,
                encryption_vector: true,
                ..PLAIN
            },
        ),
        1 => table(
            tables::GODOT_3,
            Notation::Godot3_6,
            Traits {
                name: "godot3",
                title: "Godot 3",
                mainstream: true,
                early_releases: true,
                hashes_bits: true,
                text: TextRules::Wide,
                ..PLAIN
            },
        ),
        2 => table(
            tables::GODOT_2,
            Notation::Godot3_6,
            Traits {
                name: "godot2",
                title: "Godot 2",
                objects: false,
                whole_word_header: true,
                old_node_paths: true,
                text: TextRules::Wide,
                ..PLAIN
            },
        ),
        3 => table(
            tables::GODOT_4_DOCS,
            Notation::Godot4,
            Traits {
                name: "godot4-docs",
                title: "the outdated Godot 4 document",
                by_engine: false,
                encryption_vector: true,
                ..PLAIN
            },
        ),
        4 => table(
            tables::PANDEMONIUM_3,
            Notation::Godot3_6,
            Traits {
                name: "pandemonium3",
                title: "Pandemonium 3",
                ..PLAIN
            },
        ),
        5 => table(
            tables::PANDEMONIUM_4,
            Notation::Godot3_6,
            Traits {
                name: "pandemonium4",
                title: "Pandemonium 4",
                ..PLAIN
            },
        ),
        _ => table(
            tables::PANDEMONIUM_5,
            Notation::Godot3_6,
            Traits {
                name: "pandemonium5",
                title: "Pandemonium 5",
                ..PLAIN
            },
        ),
    }
}

/// The table of each dialect, by number. There are eight, so that an index of three bits needs no bounds check.
static TABLES: [Table; 8] = [
    table_of(0),
    table_of(1),
    table_of(2),
    table_of(3),
    table_of(4),
    table_of(5),
    table_of(6),
    table_of(7),
];

impl Dialect {
    /// Godot 4.0 to 4.6, single and double precision: 39 types.
    pub const GODOT_4: Dialect = Dialect(0);
    /// Godot 3.0 to 3.6, and old Pandemonium: 27 types.
    pub const GODOT_3: Dialect = Dialect(1);
    /// Godot 1 to 2.1: 29 types.
    pub const GODOT_2: Dialect = Dialect(2);
    /// The type table of the outdated Godot 4 document: 29 types. No engine ever wrote it, but
    /// clients were built from it ([`docs/FORMAT.md` §1.3]).
    ///
    /// [`docs/FORMAT.md` §1.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#13-godot4-docs-was-never-real
    pub const GODOT_4_DOCS: Dialect = Dialect(3);
    /// Pandemonium 3.5 to 3.7: 33 types.
    pub const PANDEMONIUM_3: Dialect = Dialect(4);
    /// Pandemonium 3.8 to 4.9: 38 types.
    pub const PANDEMONIUM_4: Dialect = Dialect(5);
    /// Pandemonium 5: 40 types.
    pub const PANDEMONIUM_5: Dialect = Dialect(6);

    /// All seven, the most used first.
    pub const ALL: [Dialect; 7] = [
        Dialect::GODOT_4,
        Dialect::GODOT_3,
        Dialect::GODOT_2,
        Dialect::GODOT_4_DOCS,
        Dialect::PANDEMONIUM_3,
        Dialect::PANDEMONIUM_4,
        Dialect::PANDEMONIUM_5,
    ];

    /// Returns the dialect's position in [`Dialect::ALL`].
    ///
    /// ```
    /// use gdvar_wire::Dialect;
    ///
    /// let number = Dialect::GODOT_3.number();
    /// assert_eq!(Dialect::from_number(number), Some(Dialect::GODOT_3));
    /// assert_eq!(Dialect::ALL[usize::from(number)], Dialect::GODOT_3);
    /// assert_eq!(Dialect::from_number(7), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the dialect at position `number` of [`Dialect::ALL`], or `None` after its end.
    #[inline]
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Dialect> {
        if (number as usize) < Dialect::ALL.len() {
            Some(Dialect(number))
        } else {
            None
        }
    }

    #[inline]
    const fn table(self) -> &'static Table {
        &TABLES[(self.0 & 7) as usize]
    }

    /// Returns the name used on the command line: `godot4`, `godot3`, `godot2`, `godot4-docs`,
    /// `pandemonium3`, `pandemonium4`, `pandemonium5`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.table().traits.name
    }

    /// Returns the name used in sentences: `Godot 4`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.table().traits.title
    }

    /// Returns the text notation of the dialect's default engine ([`Engine::of`](crate::Engine::of)).
    /// Dialects without a tested engine have the nearest notation: Godot 4's for the outdated
    /// document of Godot 4, Godot 3.6's for Godot 2 and the forks.
    ///
    /// ```
    /// use gdvar_wire::{Dialect, Notation};
    /// assert_eq!(Dialect::GODOT_4.notation(), Notation::Godot4);
    /// assert_eq!(Dialect::GODOT_3.notation(), Notation::Godot3_6);
    /// assert_eq!(Dialect::PANDEMONIUM_3.notation(), Notation::Godot3_6);
    /// ```
    #[must_use]
    pub const fn notation(self) -> Notation {
        self.table().notation
    }

    /// Returns the kind that has the type number `id` in this dialect, or `None` if `id` is [`Dialect::type_count`]
    /// or more.
    #[inline]
    #[must_use]
    pub const fn kind(self, id: TypeId) -> Option<Kind> {
        self.table().kinds[id.0 as usize]
    }

    /// Returns the type number of `kind`, or `None` if the dialect lacks this kind.
    #[inline]
    #[must_use]
    pub const fn type_id(self, kind: Kind) -> Option<TypeId> {
        match self.table().ids[kind as usize] {
            u8::MAX => None,
            id => Some(TypeId(id)),
        }
    }

    /// Returns the number of types, which is also the first invalid type number.
    #[must_use]
    pub const fn type_count(self) -> u8 {
        self.table().type_count
    }

    /// Returns the flag bits that have a meaning for the type number `id`. No encoder sets other bits.
    #[inline]
    #[must_use]
    pub const fn defined_flags(self, id: TypeId) -> Flags {
        Flags(self.table().flags[id.0 as usize])
    }

    /// Returns `true` if a header has only bits that this dialect defines: bits 8–15 are clear and
    /// no undefined flag is set.
    #[inline]
    #[must_use]
    pub const fn is_canonical_header(self, header: HeaderWord) -> bool {
        header.unused_bits() == 0 && header.flags().0 & !self.defined_flags(header.type_id()).0 == 0
    }

    /// Returns `true` if `header` says that the payload consists of 64-bit numbers.
    #[inline]
    #[must_use]
    pub const fn is_wide(self, header: HeaderWord) -> bool {
        let id = header.type_id();
        // On containers and objects this bit has another meaning.
        let has_widths = match self.kind(id) {
            Some(Kind::Int | Kind::Float) => true,
            Some(kind) => kind.has_reals(),
            None => false,
        };
        has_widths && header.flags().0 & self.defined_flags(id).0 & Flags::WIDE.0 != 0
    }

    /// Returns `true` if a RID has its number as payload: Godot 4 only ([`docs/FORMAT.md` §3.1]).
    ///
    /// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
    #[must_use]
    pub const fn rid_has_id(self) -> bool {
        self.table().traits.rid_has_id
    }

    /// Returns `true` if the 64-bit flag applies to math types: Godot 4 only
    /// ([`docs/FORMAT.md` §2.3]).
    ///
    /// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
    #[must_use]
    pub const fn has_wide_math(self) -> bool {
        self.table().traits.wide_math
    }

    /// Returns `true` if Array and Dictionary headers may carry element types: Godot 4 only
    /// ([`docs/FORMAT.md` §4.3]).
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    #[must_use]
    pub const fn has_typed_containers(self) -> bool {
        self.table().traits.typed_containers
    }

    /// Returns `true` if an Object has a payload (id or properties). In Godot 2 an Object is only a header, which is
    /// read as null ([`docs/FORMAT.md` §4.4]).
    ///
    /// [`docs/FORMAT.md` §4.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#44-object
    #[must_use]
    pub const fn has_object_payload(self) -> bool {
        self.table().traits.objects
    }

    /// Returns `true` if the engine compares the whole header word with the type number, so that a
    /// stray bit makes the type unknown: Godot 2 ([`docs/FORMAT.md` §1.5]).
    ///
    /// [`docs/FORMAT.md` §1.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#15-godot2-in-short
    #[must_use]
    pub const fn compares_whole_header(self) -> bool {
        self.table().traits.whole_word_header
    }

    /// Returns `true` if the dialect uses the shared bit of counts, and NodePath's old format and
    /// property flag: Godot 2 ([`docs/FORMAT.md` §4.2], §4.5).
    ///
    /// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
    #[must_use]
    pub const fn has_old_node_paths(self) -> bool {
        self.table().traits.old_node_paths
    }

    /// Returns `true` if counts of Arrays and Dictionaries have a bit that says whether they are
    /// shared: Godot 2 ([`docs/FORMAT.md` §4.2]). Other dialects ignore the bit.
    ///
    /// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
    #[must_use]
    pub const fn has_shared_containers(self) -> bool {
        self.table().traits.old_node_paths
    }

    /// Returns `true` if ints and floats are always written in 32 bits: Godot 2
    /// ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn has_narrow_numbers_only(self) -> bool {
        self.table().traits.old_node_paths
    }

    /// Returns `true` if every release left padding uninitialised: Godot 2
    /// ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn leaves_padding_unset(self) -> bool {
        self.table().traits.old_node_paths
    }

    /// Returns `true` if early releases wrote differently: Godot 3.0 to 3.1.1 left padding
    /// uninitialised, and 3.0 wrote every int in 64 bits ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn has_early_releases(self) -> bool {
        self.table().traits.early_releases
    }

    /// Returns `true` if keys that are containers are compared as in Godot 3: reals of packed
    /// arrays by their bits, NaN equal to NaN, and no Dictionary equal to another
    /// ([`docs/FORMAT.md` §6], row 22).
    ///
    /// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
    #[must_use]
    pub const fn hashes_bits_of_keys(self) -> bool {
        self.table().traits.hashes_bits
    }

    /// Returns `true` if encrypted files have an initialization vector: Godot 4 and its outdated document. In the
    /// other dialects an encrypted file has a word for the mode ([`docs/FORMAT.md` §7.4]).
    ///
    /// [`docs/FORMAT.md` §7.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#74-encrypted-file-gdec
    #[must_use]
    pub const fn encrypts_with_vector(self) -> bool {
        self.table().traits.encryption_vector
    }

    /// Returns `true` if some engine writes this dialect. Only [`Dialect::GODOT_4_DOCS`] gives `false`: its type
    /// numbers come from an outdated document ([`docs/FORMAT.md` §1.3]).
    ///
    /// [`docs/FORMAT.md` §1.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#13-godot4-docs-was-never-real
    #[must_use]
    pub const fn is_of_an_engine(self) -> bool {
        self.table().traits.by_engine
    }

    /// Returns `true` for the dialects of Godot 3 and 4, the most widely used. Detection prefers
    /// them.
    #[must_use]
    pub const fn is_mainstream(self) -> bool {
        self.table().traits.mainstream
    }

    /// Returns `true` if a String and a StringName with equal text are the same Dictionary key:
    /// Godot 4 ([`docs/FORMAT.md` §6], row 22).
    ///
    /// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
    #[must_use]
    pub const fn string_names_equal_strings(self) -> bool {
        self.table().traits.typed_containers
    }

    /// Returns how the engine decodes text.
    #[inline]
    #[must_use]
    pub const fn text_rules(self) -> TextRules {
        self.table().traits.text
    }

    /// Returns the payload size of a type with a fixed size, or `None` for other types and unknown numbers
    /// ([`docs/FORMAT.md` §3.1]). `wide` is the 64-bit flag, which is ignored where it has no meaning.
    ///
    /// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
    #[inline]
    #[must_use]
    pub const fn fixed_payload(self, id: TypeId, wide: bool) -> Option<usize> {
        match self.table().sizes[id.0 as usize][wide as usize] {
            VARIES => None,
            size => Some(size as usize),
        }
    }

    /// Looks up the header word of a value in a table of 2 KiB. The entry says the kind, the form of the payload and
    /// its size. Its form is [`Body::Rare`](crate::Body::Rare) if the table has no answer, as for a flag that the
    /// type does not have; the reader must then decode the header itself. Readers call this for every value.
    ///
    /// ```
    /// use gdvar_wire::{Body, Dialect, Kind};
    ///
    /// // A Vector2 of 64-bit reals.
    /// let plain = Dialect::GODOT_4.plain(5 | 1 << 16);
    /// assert_eq!((plain.kind, plain.body, plain.size), (Kind::Vector2, Body::Fixed, 20));
    /// // Godot 3 has no such flag.
    /// assert_eq!(Dialect::GODOT_3.plain(5 | 1 << 16).body, Body::Rare);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn plain(self, header: u32) -> Plain {
        match plain::index(header) {
            Some(index) => self.table().plain[index],
            None => Plain::RARE,
        }
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that names no dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown dialect; there are ")?;
        for (n, dialect) in Dialect::ALL.iter().enumerate() {
            if n > 0 {
                f.write_str(", ")?;
            }
            f.write_str(dialect.name())?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Dialect, UnknownDialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
            .ok_or(UnknownDialect)
    }
}
