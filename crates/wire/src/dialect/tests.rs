//! Compares the tables that the compiler computes with the tables of `docs/FORMAT.md`, which are
//! copied here by hand. The tables are computed once more while the test runs.

extern crate std;

use core::hint::black_box;
use std::vec::Vec;

use super::{Dialect, Table, VARIES, table_of};
use crate::{
    Body,
    Kind::{self, *},
    TextRules,
};

/// The columns of §1.1 in the order of the document.
const COLUMNS: [Dialect; 7] = [
    Dialect::GODOT_2,
    Dialect::GODOT_3,
    Dialect::GODOT_4_DOCS,
    Dialect::GODOT_4,
    Dialect::PANDEMONIUM_3,
    Dialect::PANDEMONIUM_4,
    Dialect::PANDEMONIUM_5,
];

/// The type number of a type that the dialect lacks.
const NO: u8 = 255;

/// The payload size: column P of §3.1.
enum Size {
    /// A fixed number of bytes.
    Bytes(u8),
    /// Numbers of 4 bytes, or of 8 with the flag, in every dialect: Int and Float.
    Number,
    /// This many reals, of 8 bytes each with Godot 4's flag.
    Reals(u8),
    /// 8 bytes in Godot 4, else none.
    Id,
    /// Given by a length or count.
    Varies,
    /// Given by a length or count; Godot 4's flag widens the elements.
    VariesWithReals,
}
use Size::{Bytes, Id, Number, Reals, Varies, VariesWithReals};

#[rustfmt::skip]
const TYPES: [(Kind, [u8; 7], Size); 46] = [
    (Nil,                  [ 0,  0,  0,  0,  0,  0,  0], Bytes(0)),
    (Bool,                 [ 1,  1,  1,  1,  1,  1,  1], Bytes(4)),
    (Int,                  [ 2,  2,  2,  2,  2,  2,  2], Number),
    (Float,                [ 3,  3,  3,  3,  3,  3,  3], Number),
    (String,               [ 4,  4,  4,  4,  4,  4,  4], Varies),
    (Vector2,              [ 5,  5,  5,  5,  5,  7,  7], Reals(2)),
    (Vector2i,             [NO, NO, NO,  6,  6,  8,  8], Bytes(8)),
    (Rect2,                [ 6,  6,  6,  7,  7,  5,  5], Reals(4)),
    (Rect2i,               [NO, NO, NO,  8,  8,  6,  6], Bytes(16)),
    (Vector3,              [ 7,  7,  7,  9,  9,  9,  9], Reals(3)),
    (Vector3i,             [NO, NO, NO, 10, 10, 10, 10], Bytes(12)),
    (Transform2D,          [ 8,  8,  8, 11, 11, 18, 18], Reals(6)),
    (Vector4,              [NO, NO, NO, 12, NO, 11, 11], Reals(4)),
    (Vector4i,             [NO, NO, NO, 13, NO, 12, 12], Bytes(16)),
    (Plane,                [ 9,  9,  9, 14, 12, 13, 13], Reals(4)),
    (Quaternion,           [10, 10, 10, 15, 13, 14, 14], Reals(4)),
    (Aabb,                 [11, 11, 11, 16, 14, 15, 15], Reals(6)),
    (Basis,                [12, 12, 12, 17, 15, 16, 16], Reals(9)),
    (Transform3D,          [13, 13, 13, 18, 16, 17, 17], Reals(12)),
    (Projection,           [NO, NO, NO, 19, NO, 19, 19], Reals(16)),
    (Color,                [14, 14, 14, 20, 17, 20, 20], Bytes(16)),
    (Image,                [15, NO, NO, NO, NO, NO, NO], Varies),
    (StringName,           [NO, NO, NO, 21, 21, 24, 24], Varies),
    (NodePath,             [16, 15, 15, 22, 18, 21, 21], Varies),
    (Rid,                  [17, 16, 16, 23, 19, 22, 22], Id),
    (Object,               [18, 17, 17, 24, 20, 23, 23], Varies),
    (InputEvent,           [19, NO, NO, NO, NO, NO, NO], Varies),
    (Callable,             [NO, NO, NO, 25, NO, NO, NO], Bytes(0)),
    (Signal,               [NO, NO, NO, 26, NO, NO, NO], Varies),
    (Dictionary,           [20, 18, 18, 27, 22, 25, 25], Varies),
    (Array,                [21, 19, 19, 28, 23, 26, 26], Varies),
    (TypedArray,           [NO, NO, NO, NO, NO, NO, 27], Varies),
    (PackedTypedArray,     [NO, NO, NO, NO, NO, NO, 28], Varies),
    (PackedByteArray,      [22, 20, 20, 29, 24, 27, 29], Varies),
    (PackedInt32Array,     [23, 21, 21, 30, 25, 28, 30], Varies),
    (PackedInt64Array,     [NO, NO, 22, 31, NO, NO, NO], Varies),
    (PackedFloat32Array,   [24, 22, 23, 32, 26, 29, 31], Varies),
    (PackedFloat64Array,   [NO, NO, 24, 33, NO, NO, NO], Varies),
    (PackedStringArray,    [25, 23, 25, 34, 27, 30, 32], Varies),
    (PackedVector2Array,   [26, 24, 26, 35, 28, 31, 33], VariesWithReals),
    (PackedVector2iArray,  [NO, NO, NO, NO, 29, 32, 34], Varies),
    (PackedVector3Array,   [27, 25, 27, 36, 30, 33, 35], VariesWithReals),
    (PackedVector3iArray,  [NO, NO, NO, NO, 31, 34, 36], Varies),
    (PackedVector4Array,   [NO, NO, NO, 38, NO, 35, 37], VariesWithReals),
    (PackedVector4iArray,  [NO, NO, NO, NO, NO, 36, 38], Varies),
    (PackedColorArray,     [28, 26, 28, 37, 32, 37, 39], Varies),
];

/// The flags of §2 and §2.1.
fn flags(kind: Kind, size: &Size, dialect: Dialect) -> u16 {
    let godot4 = dialect == Dialect::GODOT_4;
    match (kind, size) {
        (_, Number) => 1,
        (_, Reals(_) | VariesWithReals) if godot4 => 1,
        // In Godot 2 an Object is its header alone (§1.5).
        (Object, _) if dialect != Dialect::GODOT_2 => 1,
        (TypedArray | PackedTypedArray, _) => 1,
        (Array, _) if godot4 => 3,
        (Dictionary, _) if godot4 => 15,
        _ => 0,
    }
}

/// The payload size without and with the 64-bit flag.
fn payload(size: &Size, dialect: Dialect) -> [u8; 2] {
    let godot4 = dialect == Dialect::GODOT_4;
    match *size {
        Bytes(bytes) => [bytes; 2],
        Number => [4, 8],
        Reals(reals) if godot4 => [4 * reals, 8 * reals],
        Reals(reals) => [4 * reals; 2],
        Id if godot4 => [8; 2],
        Id => [0; 2],
        Varies | VariesWithReals => [VARIES; 2],
    }
}

/// The payload after a plain header according to the document: its form and the size that belongs
/// to it.
fn body(kind: Kind, size: &Size, dialect: Dialect, flags: u16) -> (Body, u8) {
    let wide = usize::from(flags & 1);
    let words = 4 * (flags & 1) as u8 + (flags & 4) as u8;
    let reals = 4 << wide;
    match kind {
        String | StringName => (Body::Text, 0),
        Array => (Body::Array, 8 + words),
        Dictionary => (Body::Dictionary, 8 + words),
        PackedStringArray => (Body::Strings, 0),
        NodePath => (Body::Names, 0),
        PackedByteArray => (Body::Packed, 1),
        PackedInt32Array | PackedFloat32Array => (Body::Packed, 4),
        PackedInt64Array | PackedFloat64Array | PackedVector2iArray => (Body::Packed, 8),
        PackedVector3iArray => (Body::Packed, 12),
        PackedVector4iArray | PackedColorArray => (Body::Packed, 16),
        PackedVector2Array => (Body::Packed, 2 * reals),
        PackedVector3Array => (Body::Packed, 3 * reals),
        PackedVector4Array => (Body::Packed, 4 * reals),
        Image | Object | InputEvent | Signal | TypedArray | PackedTypedArray => (Body::Rare, 0),
        _ => (Body::Fixed, 4 + payload(size, dialect)[wide]),
    }
}

#[test]
fn plain_headers_have_defined_flags_only_and_say_what_follows() {
    for (column, dialect) in COLUMNS.into_iter().enumerate() {
        // Every type number, the numbers after the last one, stray bits, and all flags.
        for word in (0..=0x1ff).flat_map(|id| (0..64).map(move |flags| id | flags << 16)) {
            let known = |(kind, numbers, size): &(Kind, [u8; 7], Size)| {
                let (number, own) = (numbers[column], (word >> 16) as u16);
                let fits = number != NO
                    && u32::from(number) == word & 0xffff
                    && own & !flags(*kind, size, dialect) == 0;
                // Typed containers of classes and scripts name them by text, so they are not plain.
                (fits && own & 0b1010 == 0).then(|| (*kind, body(*kind, size, dialect, own)))
            };
            let found = TYPES.iter().find_map(known);
            let (kind, (body, size)) = found
                .filter(|(_, (body, _))| *body != Body::Rare)
                .unwrap_or((Nil, (Body::Rare, 0)));
            let plain = dialect.plain(word);
            let who = (dialect, word);
            assert_eq!(
                (plain.kind, plain.body, plain.size),
                (kind, body, size),
                "{who:x?}"
            );
            let wide =
                word >> 16 & 1 != 0 && !matches!(body, Body::Rare | Body::Array | Body::Dictionary);
            assert_eq!(plain.wide, wide, "{who:x?}");
        }
        for bit in (8..32).filter(|bit| ![16, 18].contains(bit)) {
            assert_eq!(dialect.plain(2 | 1 << bit).body, Body::Rare);
        }
    }
}

#[test]
fn tables_are_those_of_the_document() {
    assert_eq!(TYPES.len(), Kind::COUNT);
    for (column, dialect) in COLUMNS.into_iter().enumerate() {
        let made = table_of(black_box(dialect.0));
        let mut seen = 0;
        for (kind, numbers, size) in &TYPES {
            let number = numbers[column];
            let who = (dialect, kind);
            assert_eq!(made.ids[*kind as usize], number, "{who:?}");
            if number == NO {
                continue;
            }
            let at = usize::from(number);
            assert_eq!(made.kinds[at], Some(*kind), "{who:?}");
            assert_eq!(made.flags[at], flags(*kind, size, dialect), "{who:?}");
            assert_eq!(made.sizes[at], payload(size, dialect), "{who:?}");
            seen += 1;
        }
        // Numbers after the last one belong to no type.
        assert_eq!(made.type_count, seen, "{dialect}");
        for id in usize::from(seen)..256 {
            assert_eq!((made.kinds[id], made.flags[id]), (None, 0));
            assert_eq!(made.sizes[id], [VARIES; 2]);
        }
        // The table built at compile time has the same ids and flags.
        let Table { ids, flags, .. } = dialect.table();
        assert_eq!((ids, flags), (&made.ids, &made.flags));
    }
}

#[test]
fn traits_are_those_of_the_document() {
    let (utf8, wide) = (TextRules::Utf8, TextRules::Wide);
    // In this order: a RID's number (§3.1), reals of 64 bits (§2.3), typed containers (§4.3),
    // objects with content (§4.4), the header compared whole (§1.5), the shared bit (§4.2), and how
    // text is read (§6, row 13).
    let expected = [
        ("godot2", [false, false, false, false, true, true], wide),
        ("godot3", [false, false, false, true, false, false], wide),
        (
            "godot4-docs",
            [false, false, false, true, false, false],
            utf8,
        ),
        ("godot4", [true, true, true, true, false, false], utf8),
        (
            "pandemonium3",
            [false, false, false, true, false, false],
            utf8,
        ),
        (
            "pandemonium4",
            [false, false, false, true, false, false],
            utf8,
        ),
        (
            "pandemonium5",
            [false, false, false, true, false, false],
            utf8,
        ),
    ];
    for (dialect, (name, flags, text)) in COLUMNS.into_iter().zip(expected) {
        let made = table_of(black_box(dialect.0)).traits;
        let found = [
            made.rid_has_id,
            made.wide_math,
            made.typed_containers,
            made.objects,
            made.whole_word_header,
            made.old_node_paths,
        ];
        assert_eq!((made.name, found, made.text), (name, flags, text));
    }
}

/// Numbers and padding (`docs/FORMAT.md` §1.2), the document (§1.3), keys (§6, row 22).
#[test]
fn traits_that_one_or_two_dialects_have() {
    let with = |has: fn(Dialect) -> bool| -> Vec<&str> {
        let all = COLUMNS.into_iter().filter(|dialect| has(*dialect));
        all.map(Dialect::name).collect()
    };
    assert_eq!(with(Dialect::has_shared_containers), ["godot2"]);
    assert_eq!(with(Dialect::has_narrow_numbers_only), ["godot2"]);
    assert_eq!(with(Dialect::leaves_padding_unset), ["godot2"]);
    assert_eq!(with(Dialect::has_early_releases), ["godot3"]);
    assert_eq!(with(Dialect::hashes_bits_of_keys), ["godot3"]);
    assert_eq!(with(Dialect::is_mainstream), ["godot3", "godot4"]);
    assert_eq!(
        with(Dialect::encrypts_with_vector),
        ["godot4-docs", "godot4"]
    );
    assert_eq!(with(|dialect| !dialect.is_of_an_engine()), ["godot4-docs"]);
}
