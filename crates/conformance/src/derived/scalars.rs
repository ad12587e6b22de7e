//! Vectors of Nil, Bool, numbers, texts, NodePath and RID.

use super::Set;
use super::samples::{TEXTS, node_path};
use crate::assembler::{BIT_16, SHARED};
use serde_json::{Value, json};

pub(super) fn add(set: &mut Set) {
    set.canonical("nil", json!({"Nil": null}));
    for bool in [false, true] {
        set.canonical(format!("bool/{bool}"), json!({"Bool": bool}));
    }
    for word in [2, 0x100, 0x8000_0000, u32::MAX] {
        let bytes = set.bytes().header("Bool", 0).word(word);
        set.accepted(
            format!("bool/word-{word:08x}"),
            bytes,
            json!({"Bool": true}),
        );
    }
    set.canonical("rid/empty", json!({"RID": "0"}));
    set.canonical(
        "rid/in-array",
        json!({"Array": [{"RID": "0"}, {"Int": "1"}, {"RID": "0"}]}),
    );
    let pairs = json!([[{"RID": "0"}, {"String": "rid"}]]);
    set.canonical("rid/as-key", json!({"Dictionary": pairs}));
    numbers(set);
    texts(set);
    foreign_text(set);
    node_paths(set);
    ignored_header_bits(set);
}

fn numbers(set: &mut Set) {
    let narrow = [
        0,
        1,
        -1,
        7,
        127,
        128,
        -129,
        65_535,
        65_536,
        -65_536,
        i32::MAX,
        i32::MIN,
    ];
    for int in narrow {
        set.canonical(format!("int/{int}"), json!({"Int": int.to_string()}));
    }
    let wide = [
        1 << 31,
        -(1 << 31) - 1,
        u32::MAX.into(),
        1 << 53,
        i64::MAX,
        i64::MIN,
    ];
    for int in wide {
        let value = json!({"Int": int.to_string()});
        if set.is_godot2() {
            // §1.5: read but never written.
            let bytes = set.bytes().header("Int", BIT_16).long(int as u64);
            set.accepted(format!("int/{int}"), bytes, value);
        } else {
            set.canonical(format!("int/{int}"), value);
        }
    }
    for int in [0_i64, 5, -1] {
        let bytes = set.bytes().header("Int", BIT_16).long(int as u64);
        set.accepted(
            format!("int/wide/{int}"),
            bytes,
            json!({"Int": int.to_string()}),
        );
    }

    let float = |real: f64| json!({"Float": {"bits": format!("{:016x}", real.to_bits())}});
    let narrow = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        16_777_216.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let narrow_limits = [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), 0.1].map(f64::from);
    for real in narrow.into_iter().chain(narrow_limits) {
        set.canonical(format!("float/{:016x}", real.to_bits()), float(real));
    }
    let nan = f64::from_bits(0xfff8_0000_0000_0001);
    for real in [0.1, 16_777_217.0, 1e39, f64::MAX, f64::from_bits(1), nan] {
        let id = format!("float/{:016x}", real.to_bits());
        if set.is_godot2() {
            let bytes = set.bytes().header("Float", BIT_16).long(real.to_bits());
            set.accepted(id, bytes, float(real));
        } else {
            set.canonical(id, float(real));
        }
    }
    for real in [-0.0_f64, 1.0] {
        let bytes = set.bytes().header("Float", BIT_16).long(real.to_bits());
        set.accepted(
            format!("float/wide/{:016x}", real.to_bits()),
            bytes,
            float(real),
        );
    }
    // A NaN as an f32. It is canonical only in a dialect without 64-bit floats.
    for (word, wide) in [
        (0x7fc0_0000_u32, 0x7ff8_0000_0000_0000),
        (0xffc1_2345, 0xfff8_2468_a000_0000),
    ] {
        let (id, value) = (
            format!("float/narrow-nan/{word:08x}"),
            float(f64::from_bits(wide)),
        );
        if set.is_godot2() {
            set.canonical(id, value);
        } else {
            let bytes = set.bytes().header("Float", 0).word(word);
            set.accepted(id, bytes, value);
        }
    }
}

fn texts(set: &mut Set) {
    for (at, text) in TEXTS.iter().enumerate() {
        set.canonical(format!("string/{at:02}"), json!({"String": text}));
    }
    set.canonical(
        "string/long",
        json!({"String": "0123456789 ßあ😀".repeat(40)}),
    );
    for (at, text) in TEXTS.iter().enumerate() {
        set.canonical(format!("stringname/{at:02}"), json!({"StringName": text}));
    }
    for name in ["String", "StringName"] {
        if !set.has(name) {
            continue;
        }
        let group = name.to_lowercase();
        for (id, bytes, text) in [
            ("bom", &b"\xef\xbb\xbfabc"[..], "abc"),
            ("bom-twice", b"\xef\xbb\xbf\xef\xbb\xbfa", "\u{feff}a"),
            ("nul-inside", b"a\0b", "a"),
            ("nul-first", b"\0ab", ""),
            ("nul-then-invalid", b"ab\0\xff", "ab"),
        ] {
            let bytes = set.bytes().header(name, 0).field(bytes);
            set.accepted(format!("{group}/{id}"), bytes, json!({name: text}));
        }
        for (fill, text) in [(0xff, "a"), (0xaa, "hello"), (0x01, "ab")] {
            let bytes = set
                .bytes()
                .header(name, 0)
                .dirty_field(text.as_bytes(), fill);
            set.accepted(
                format!("{group}/padding-{fill:02x}"),
                bytes,
                json!({name: text}),
            );
        }
    }
}

/// §6 row 13: text that Godot 2 accepts although it is not UTF-8.
fn foreign_text(set: &mut Set) {
    if !set.is_godot2() {
        return;
    }
    let codes = |codes: &[u32]| json!({"codes": codes});
    let overlong: Value = "\u{7ff}".into();
    for (id, bytes, text) in [
        ("surrogate", &b"\xed\xa0\x80"[..], codes(&[0xd800])),
        (
            "surrogates",
            b"a\xed\xa0\xbd\xed\xb8\x80",
            codes(&[0x61, 0xd83d, 0xde00]),
        ),
        ("above-10ffff", b"\xf4\x90\x80\x80", codes(&[0x11_0000])),
        ("5-bytes", b"\xfb\xbf\xbf\xbf\xbf", codes(&[0x03ff_ffff])),
        ("overlong", b"\xe0\x9f\xbf", overlong),
    ] {
        let bytes = set.bytes().header("String", 0).field(bytes);
        set.accepted(format!("string/{id}"), bytes, json!({"String": text}));
    }
}

fn node_paths(set: &mut Set) {
    for (at, (names, subnames, absolute)) in [
        (&[][..], &[][..], false),
        (&["."], &[], false),
        (&["root"], &[], true),
        (&["root", "ab"], &[], true),
        (&["..", "..", "Näme"], &[], false),
        (&["a", "b"], &["c", "d"], false),
        (&["a"], &["position", "x", "y"], true),
        (&[], &["position"], false),
        (&["日本", "語😀"], &["ü"], false),
        (&[], &[], true),
        (&["", "a"], &[""], false),
    ]
    .into_iter()
    .enumerate()
    {
        set.canonical(
            format!("nodepath/{at:02}"),
            node_path(names, subnames, absolute),
        );
    }
    let head = |set: &Set, names: u32, subnames: u32, flags| {
        set.bytes()
            .header("NodePath", 0)
            .word(0x8000_0000 | names)
            .word(subnames)
            .word(flags)
    };
    // §4.5: if bit 1 of the flags is set, one more subname follows.
    let bytes = head(set, 1, 0, 2).field(b"a").field(b"pos");
    set.accepted(
        "nodepath/flag2-property",
        bytes,
        node_path(&["a"], &["pos"], false),
    );
    let bytes = head(set, 1, 1, 3).field(b"a").field(b"pos").field(b"x");
    set.accepted(
        "nodepath/flag3-property",
        bytes,
        node_path(&["a"], &["pos", "x"], true),
    );
    let bytes = head(set, 0, 0, 2).field(b"prop");
    set.accepted(
        "nodepath/flag2-only",
        bytes,
        node_path(&[], &["prop"], false),
    );
    let bytes = head(set, 1, 0, 0xffff_fffd).field(b"a");
    set.accepted("nodepath/flags-high", bytes, node_path(&["a"], &[], true));
    let bytes = head(set, 2, 1, 0)
        .dirty_field(b"a", 0x55)
        .field(b"bcde")
        .dirty_field(b"fg", 0xff);
    set.accepted(
        "nodepath/padding",
        bytes,
        node_path(&["a", "bcde"], &["fg"], false),
    );
    let bytes = head(set, 1, 0, 0).field(b"a/b:c");
    set.accepted(
        "nodepath/separators",
        bytes,
        node_path(&["a/b:c"], &[], false),
    );
}

/// §6 rows 4 and 5: header bits above the type number that have no meaning, and that all but Godot
/// 2 ignore.
fn ignored_header_bits(set: &mut Set) {
    if set.is_godot2() {
        return;
    }
    for name in [
        "Nil", "Bool", "Int", "Float", "String", "Color", "RID", "Object", "NodePath",
    ] {
        let value = super::samples::sample(set.column, name);
        for bits in [0x0000_ff00_u32, 0x0010_0000, 0xfffe_0000] {
            let bytes = with_bits(&set.value(&value), bits);
            let bytes = set.bytes().raw(&bytes);
            let id = format!("header-bits/{}-{bits:08x}", name.to_lowercase());
            set.accepted(id, bytes, value.clone());
        }
    }
    for name in [
        "Nil",
        "Bool",
        "String",
        "RID",
        "NodePath",
        "Array",
        "Dictionary",
    ] {
        let value = super::samples::sample(set.column, name);
        let bytes = set.bytes().raw(&with_bits(&set.value(&value), BIT_16));
        set.accepted(
            format!("header-bits/{}-flag", name.to_lowercase()),
            bytes,
            value,
        );
    }
    for name in ["Array", "Dictionary"] {
        // §4.1: the shared bit is masked off.
        let value = super::samples::sample(set.column, name);
        let mut bytes = set.value(&value);
        bytes[7] |= (SHARED >> 24) as u8;
        let bytes = set.bytes().raw(&bytes);
        set.accepted(format!("{}/shared-bit", name.to_lowercase()), bytes, value);
    }
}

/// Sets bits of the header word.
pub(super) fn with_bits(bytes: &[u8], bits: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (byte, bits) in bytes.iter_mut().zip(bits.to_le_bytes()) {
        *byte |= bits;
    }
    bytes
}
