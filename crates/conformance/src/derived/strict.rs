//! Bytes that engine mode accepts and strict mode refuses: `docs/FORMAT.md` §6, column "strict".

use super::Set;
use super::math::REALS;
use super::samples::{COUNT, of_reals, sample};
use super::scalars::with_bits;
use crate::assembler::{BIT_16, SHARED};
use serde_json::{Value, json};

pub(super) fn add(set: &mut Set) {
    for word in [2, 0x100, 0x8000_0000, u32::MAX] {
        let bytes = set.bytes().header("Bool", 0).word(word).done();
        set.reject(format!("bool/word-{word:08x}"), bytes, "InvalidBool");
    }
    inside_containers(set);
    trailing(set);
    embedded_nul(set);
    duplicate_keys(set);
    packed_strings(set);
    let bytes = set.bytes().header("NodePath", 0).word(0x8000_0000).word(0);
    for flags in [4_u32, 5, 0x8000_0000] {
        let bytes = bytes.clone().word(flags).done();
        set.reject(format!("nodepath/flags-{flags:08x}"), bytes, "ReservedBits");
    }
    if set.is_godot2() {
        foreign_text(set);
    } else {
        header_bits(set);
        non_canonical(set);
        padding(set);
        shared_bit(set);
        objects(set);
        bytes_without_padding(set);
    }
}

fn int(int: i32) -> Value {
    json!({"Int": int.to_string()})
}

fn text(text: &str) -> Value {
    json!({"String": text})
}

fn inside_containers(set: &mut Set) {
    let bad = set.bytes().header("Bool", 0).word(2).done();
    let bytes = set
        .bytes()
        .header("Array", 0)
        .word(2)
        .value(&int(1))
        .raw(&bad)
        .done();
    set.reject("bool/in-array", bytes, "InvalidBool");
    let bytes = set
        .bytes()
        .header("Dictionary", 0)
        .word(1)
        .raw(&bad)
        .value(&int(1))
        .done();
    set.reject("bool/as-key", bytes, "InvalidBool");
    let bytes = set
        .bytes()
        .header("Dictionary", 0)
        .word(1)
        .value(&int(1))
        .raw(&bad)
        .done();
    set.reject("bool/as-value", bytes, "InvalidBool");
}

/// §6 row 24: bytes after the value.
fn trailing(set: &mut Set) {
    for name in [
        "Nil",
        "Int",
        "String",
        "Vector3",
        "NodePath",
        "RID",
        "PackedInt32Array",
    ] {
        for extra in [1, 4, 12] {
            let bytes = set
                .bytes()
                .value(&sample(set.column, name))
                .raw(&vec![0; extra])
                .done();
            set.reject(
                format!("trailing/{}-{extra}", name.to_lowercase()),
                bytes,
                "TrailingBytes",
            );
        }
    }
    for name in ["Array", "Dictionary"] {
        let bytes = set
            .bytes()
            .value(&sample(set.column, name))
            .value(&int(5))
            .done();
        set.reject(
            format!("trailing/{}", name.to_lowercase()),
            bytes,
            "TrailingBytes",
        );
    }
}

/// §6 row 14: a NUL inside a text.
fn embedded_nul(set: &mut Set) {
    for name in ["String", "StringName"]
        .into_iter()
        .filter(|name| set.has(name))
        .collect::<Vec<_>>()
    {
        for (id, text) in [
            ("inside", &b"a\0b"[..]),
            ("first", b"\0ab"),
            ("last", b"abc\0"),
        ] {
            let bytes = set.bytes().header(name, 0).field(text).done();
            set.reject(
                format!("nul/{}-{id}", name.to_lowercase()),
                bytes,
                "EmbeddedNul",
            );
        }
    }
    let head = set
        .bytes()
        .header("NodePath", 0)
        .word(0x8000_0001)
        .word(1)
        .word(0);
    let bytes = head.clone().field(b"a\0b").field(b"c").done();
    set.reject("nul/nodepath-name", bytes, "EmbeddedNul");
    let bytes = head.field(b"ab").field(b"c\0").done();
    set.reject("nul/nodepath-subname", bytes, "EmbeddedNul");
}

/// §6 row 22: keys that the engines consider equal.
fn duplicate_keys(set: &mut Set) {
    let float = |bits: &str| json!({"Float": {"bits": bits}});
    let mut equal = vec![
        ("string", text("k"), text("k")),
        ("int", int(5), int(5)),
        ("nil", json!({"Nil": null}), json!({"Nil": null})),
        (
            "float",
            float("3fe0000000000000"),
            float("3fe0000000000000"),
        ),
        ("zero", float("0000000000000000"), float("8000000000000000")),
        ("nan", float("7ff8000000000000"), float("7ff8000020000000")),
        (
            "array",
            json!({"Array": [int(1), text("a")]}),
            json!({"Array": [int(1), text("a")]}),
        ),
        (
            "vector2",
            of_reals("Vector2", &COUNT),
            of_reals("Vector2", &COUNT),
        ),
    ];
    for name in ["PackedInt32Array", "Color", "NodePath", "Dictionary"] {
        equal.push((name, sample(set.column, name), sample(set.column, name)));
    }
    if set.has("StringName") {
        let name = sample(set.column, "StringName");
        equal.push(("stringname", name.clone(), name));
    }
    for (id, first, second) in equal {
        let id = id.to_lowercase();
        let pairs = json!([[first, int(1)], [text("other"), int(2)], [second, int(3)]]);
        let dictionary = json!({"Dictionary": pairs});
        let nested = json!({"Array": [int(0), dictionary]});
        set.reject(
            format!("duplicate/{id}"),
            set.value(&dictionary),
            "DuplicateKey",
        );
        set.reject(
            format!("duplicate/{id}-nested"),
            set.value(&nested),
            "DuplicateKey",
        );
    }
}

/// §6 rows 16 and 17: elements without a NUL, and counts that engines read as negative.
fn packed_strings(set: &mut Set) {
    let head = |set: &Set, count| set.bytes().header("PackedStringArray", 0).word(count);
    for (id, bytes) in [
        ("abc", head(set, 1).field(b"abc")),
        ("empty", head(set, 1).field(b"")),
        ("second", head(set, 2).packed_string(b"a").field(b"bcd")),
    ] {
        set.reject(
            format!("packedstringarray/no-nul-{id}"),
            bytes.done(),
            "NonCanonical",
        );
    }
    for count in [0x8000_0000, u32::MAX] {
        let id = format!("packedstringarray/count-{count:08x}");
        set.reject(id, head(set, count).done(), "InvalidLength");
    }
}

/// §6 row 13: strict mode of Godot 2 also requires UTF-8.
fn foreign_text(set: &mut Set) {
    for (id, text) in [
        ("surrogate", &b"\xed\xa0\x80"[..]),
        ("surrogate-pair", b"\xed\xa0\xbd\xed\xb8\x80"),
        ("overlong-3", b"\xe0\x9f\xbf"),
        ("overlong-4", b"\xf0\x8f\xbf\xbf"),
        ("above-10ffff", b"\xf4\x90\x80\x80"),
        ("5-bytes", b"\xfb\xbf\xbf\xbf\xbf"),
    ] {
        let bytes = set.bytes().header("String", 0).field(text).done();
        set.reject(format!("utf8/{id}"), bytes, "InvalidUtf8");
    }
}

/// §6 rows 4, 5 and 6: header bits that no encoder sets.
fn header_bits(set: &mut Set) {
    for name in set.column.types() {
        let whole = set.value(&sample(set.column, name));
        for bits in [0x100, 0x8000, 1 << 17, 1 << 31] {
            let id = format!("header-bits/{}-{bits:08x}", name.to_lowercase());
            set.reject(id, with_bits(&whole, bits), "ReservedBits");
        }
        if !matches!(name, "Int" | "Float" | "Object") {
            let id = format!("header-bits/{}-flag", name.to_lowercase());
            set.reject(id, with_bits(&whole, BIT_16), "ReservedBits");
        }
    }
    for name in REALS
        .into_iter()
        .filter(|name| set.has(name))
        .collect::<Vec<_>>()
    {
        // Eight bytes for each real, as Godot 4 would read it, are also refused.
        let whole = set.value(&of_reals(name, &COUNT));
        let bytes = [with_bits(&whole, BIT_16), vec![0; whole.len() - 4]].concat();
        let nested = set.bytes().header("Array", 0).word(1).raw(&bytes).done();
        set.reject(
            format!("header-bits/{}-in-array", name.to_lowercase()),
            nested,
            "ReservedBits",
        );
    }
}

/// §6 rows 7 and 31: 64 bits for a number that fits 32, and an undefined flag of node paths.
fn non_canonical(set: &mut Set) {
    for int in [0_i64, 5, -1, i32::MAX.into(), i32::MIN.into()] {
        let bytes = set.bytes().header("Int", BIT_16).long(int as u64).done();
        set.reject(format!("int/wide-{int}"), bytes, "NonCanonical");
    }
    for real in [
        0.0,
        -0.0,
        1.0,
        f64::INFINITY,
        f64::from(f32::MAX),
        f64::from(0.1_f32),
    ] {
        let bytes = set
            .bytes()
            .header("Float", BIT_16)
            .long(real.to_bits())
            .done();
        set.reject(
            format!("float/wide-{:016x}", real.to_bits()),
            bytes,
            "NonCanonical",
        );
    }
    let wide = set.bytes().header("Int", BIT_16).long(5).done();
    let bytes = set
        .bytes()
        .header("Dictionary", 0)
        .word(1)
        .value(&text("k"))
        .raw(&wide)
        .done();
    set.reject("int/wide-in-dictionary", bytes, "NonCanonical");
    let head = set.bytes().header("NodePath", 0).word(0x8000_0001).word(0);
    for flags in [2, 3] {
        let bytes = head.clone().word(flags).field(b"a").field(b"pos").done();
        set.reject(format!("nodepath/flag-{flags}"), bytes, "NonCanonical");
    }
}

/// §6 row 11: padding that is not zero. It is allowed only in paths.
fn padding(set: &mut Set) {
    for (fill, len) in [(0xff, 1), (0x01, 2), (0xaa, 3)] {
        let text = &b"abc"[..len];
        for name in ["String", "StringName", "PackedByteArray"] {
            if set.has(name) {
                let bytes = set.bytes().header(name, 0).dirty_field(text, fill).done();
                set.reject(
                    format!("padding/{}-{len}", name.to_lowercase()),
                    bytes,
                    "NonZeroPadding",
                );
            }
        }
    }
    let head = set.bytes().header("PackedStringArray", 0).word(2);
    let bytes = head.dirty_field(b"a\0", 0x40).packed_string(b"bcd").done();
    set.reject("padding/packedstringarray", bytes, "NonZeroPadding");
    let bytes = set
        .bytes()
        .header("String", 0)
        .word(2)
        .raw(b"ab\0\x01")
        .done();
    set.reject("padding/last-byte", bytes, "NonZeroPadding");
    let dirty = set
        .bytes()
        .header("String", 0)
        .dirty_field(b"a", 0xff)
        .done();
    let bytes = set
        .bytes()
        .header("Array", 0)
        .word(2)
        .value(&int(1))
        .raw(&dirty)
        .done();
    set.reject("padding/in-array", bytes, "NonZeroPadding");
    let bytes = set
        .bytes()
        .header("Dictionary", 0)
        .word(1)
        .raw(&dirty)
        .value(&int(1))
        .done();
    set.reject("padding/key", bytes, "NonZeroPadding");
}

/// §6 row 20: the shared bit of Godot 2 in a count.
fn shared_bit(set: &mut Set) {
    for name in ["Array", "Dictionary"] {
        let group = name.to_lowercase();
        let bytes = set.bytes().header(name, 0).word(SHARED).done();
        let nested = set.bytes().header("Array", 0).word(1).raw(&bytes).done();
        set.reject(format!("shared/{group}-empty"), bytes, "SharedBit");
        set.reject(format!("shared/{group}-nested"), nested, "SharedBit");
        let bytes = set
            .bytes()
            .header(name, 0)
            .word(SHARED | 1)
            .value(&int(1))
            .value(&int(2));
        let mut bytes = bytes.done();
        if name == "Array" {
            bytes.truncate(16);
        }
        set.reject(format!("shared/{group}-one"), bytes, "SharedBit");
    }
}

/// §6 rows 11, 27 and 28: the id 0, negative counts of properties, and padding of names.
fn objects(set: &mut Set) {
    let bytes = set.bytes().header("Object", BIT_16).long(0).done();
    set.reject("object-id/0", bytes, "NonCanonical");
    let object = set.bytes().header("Object", 0);
    for count in [0x8000_0000, u32::MAX] {
        let bytes = object.clone().field(b"Node").word(count).done();
        set.reject(format!("object/count-{count:08x}"), bytes, "InvalidLength");
    }
    let bytes = object.clone().dirty_field(b"Node2", 0xff).word(0).done();
    set.reject("object/class-padding", bytes, "NonZeroPadding");
    let bytes = object
        .field(b"Node")
        .word(1)
        .dirty_field(b"ab", 0x20)
        .value(&int(1))
        .done();
    set.reject("object/property-padding", bytes, "NonZeroPadding");
}

/// §6 row 19: a byte array without its padding.
fn bytes_without_padding(set: &mut Set) {
    for len in [1, 2, 3, 5] {
        let data = &b"abcde"[..len];
        let bytes = set
            .bytes()
            .header("PackedByteArray", 0)
            .word(len as u32)
            .raw(data)
            .done();
        set.reject(
            format!("packedbytearray/no-padding-{len}"),
            bytes,
            "Truncated",
        );
    }
}
