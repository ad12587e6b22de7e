//! Bytes that engine mode refuses: `docs/FORMAT.md` §6, column "lenient".

use super::Set;
use super::samples::sample;
use super::scalars::with_bits;
use crate::assembler::{Assembler, BIT_16, SHARED};
use serde_json::{Value, json};

pub(super) fn add(set: &mut Set) {
    truncated(set);
    unknown_types(set);
    lengths(set);
    counts(set);
    invalid_text(set);
    node_paths(set);
    depth(set);
    if set.is_godot2() {
        godot2(set);
    } else {
        objects(set);
        missing_byte_padding(set);
    }
}

fn int(int: i32) -> Value {
    json!({"Int": int.to_string()})
}

/// §6 rows 1, 2, 10, 18, 21, 34 and 38: every type, cut at several offsets.
fn truncated(set: &mut Set) {
    for len in 0..4 {
        set.reject(format!("truncated/header-{len}"), vec![0; len], "Truncated");
    }
    for name in set.column.types() {
        let whole = set.value(&sample(set.column, name));
        // Nil, RID and the null object of Godot 2 consist of a header only.
        let mut cuts = vec![2, 4, 7, whole.len() - 4, whole.len() - 1];
        cuts.retain(|cut| *cut < whole.len());
        cuts.sort_unstable();
        cuts.dedup();
        for cut in cuts {
            let id = format!("truncated/{}-{cut}", name.to_lowercase());
            set.reject(id, whole[..cut].to_vec(), "Truncated");
            if cut >= 4 && whole.len() > 4 {
                let bytes = set.bytes().header("Array", 0).word(2).value(&int(1));
                let bytes = bytes.raw(&whole[..cut]).done();
                set.reject(
                    format!("truncated/array-{}-{cut}", name.to_lowercase()),
                    bytes,
                    "Truncated",
                );
            }
        }
    }
    // Wide numbers, cut in their upper half.
    for name in ["Int", "Float"] {
        for cut in [4, 6] {
            let bytes = set.bytes().header(name, BIT_16).raw(&[1; 6][..cut]).done();
            set.reject(
                format!("truncated/{}-wide-{cut}", name.to_lowercase()),
                bytes,
                "Truncated",
            );
        }
    }
    // Text whose padding is missing, at the end and before another value.
    for text in [&b"a"[..], b"ab", b"abc", b"abcde"] {
        let bytes = set
            .bytes()
            .header("String", 0)
            .word(text.len() as u32)
            .raw(text)
            .done();
        set.reject(
            format!("truncated/string-no-padding-{}", text.len()),
            bytes,
            "Truncated",
        );
    }
    let bytes = set
        .bytes()
        .header("PackedStringArray", 0)
        .word(1)
        .word(2)
        .raw(b"a\0")
        .done();
    set.reject("truncated/packedstringarray-no-padding", bytes, "Truncated");
    let bytes = set
        .bytes()
        .header("String", 0)
        .word(0x7fff_fffc)
        .raw(b"abcd")
        .done();
    set.reject("truncated/string-length-huge", bytes, "Truncated");
    // A key without a value, and a value that stops after its header.
    let head = set.bytes().header("Dictionary", 0).word(1);
    set.reject(
        "truncated/dictionary-no-value",
        head.clone().value(&int(1)).done(),
        "Truncated",
    );
    let cut = head.value(&int(1)).header("Int", 0).done();
    set.reject("truncated/dictionary-value-header", cut, "Truncated");
    // More elements than there are bytes.
    for name in ["Array", "Dictionary"] {
        for count in [2, 0x1000, 0x7fff_ffff, SHARED | 3, u32::MAX] {
            let bytes = set
                .bytes()
                .header(name, 0)
                .word(count)
                .value(&int(1))
                .done();
            let id = format!("truncated/{}-count-{count:08x}", name.to_lowercase());
            set.reject(id, bytes, "Truncated");
        }
    }
}

/// §6 row 3: type numbers that the dialect does not have.
fn unknown_types(set: &mut Set) {
    for id in [
        set.column.first_invalid(),
        set.column.first_invalid() + 1,
        64,
        128,
        255,
    ] {
        let unknown = set.bytes().word(u32::from(id)).raw(&[0; 16]);
        let unknown = unknown.done();
        let array = set.bytes().header("Array", 0).word(1).raw(&unknown).done();
        let key = set
            .bytes()
            .header("Dictionary", 0)
            .word(1)
            .raw(&unknown)
            .done();
        let value = set
            .bytes()
            .header("Dictionary", 0)
            .word(1)
            .value(&int(1))
            .raw(&unknown)
            .done();
        set.reject(format!("type/{id}"), unknown, "UnknownType");
        set.reject(format!("type/{id}-in-array"), array, "UnknownType");
        set.reject(format!("type/{id}-as-key"), key, "UnknownType");
        set.reject(format!("type/{id}-as-value"), value, "UnknownType");
    }
}

/// §6 row 9: invalid lengths of texts, in every place where a text can be.
fn lengths(set: &mut Set) {
    for length in [0x8000_0000, 0xffff_ffff, 0x7fff_ffff, 0x7fff_fffd] {
        for (place, start) in text_places(set) {
            let bytes = start.word(length).raw(b"abcd").done();
            set.reject(
                format!("{place}-length-{length:08x}"),
                bytes,
                "InvalidLength",
            );
        }
    }
}

/// Returns the beginnings of values up to a place where a string field follows. The rest of the value does
/// not matter, because the text is already wrong.
fn text_places(set: &Set) -> Vec<(&'static str, Assembler)> {
    let path = |names: u32, subnames| {
        set.bytes()
            .header("NodePath", 0)
            .word(0x8000_0000 | names)
            .word(subnames)
            .word(0)
    };
    let mut places = vec![
        ("string/text", set.bytes().header("String", 0)),
        ("nodepath/name", path(2, 0).field(b"abc")),
        ("nodepath/subname", path(1, 1).field(b"a")),
        (
            "packedstringarray/text",
            set.bytes()
                .header("PackedStringArray", 0)
                .word(2)
                .field(b"a\0"),
        ),
        (
            "dictionary/key",
            set.bytes()
                .header("Dictionary", 0)
                .word(1)
                .header("String", 0),
        ),
    ];
    if set.has("StringName") {
        places.push(("stringname/text", set.bytes().header("StringName", 0)));
    }
    if !set.is_godot2() {
        let object = set.bytes().header("Object", 0);
        places.push(("object/class", object.clone()));
        places.push(("object/property", object.field(b"Node").word(1)));
    }
    places
}

/// §6 row 18: invalid counts of packed arrays.
fn counts(set: &mut Set) {
    for name in set
        .column
        .types()
        .filter(|name| name.ends_with("Array") && *name != "Array")
    {
        let group = name.to_lowercase();
        let with = |set: &Set, count| set.bytes().header(name, 0).word(count).raw(&[0; 8]).done();
        set.reject(
            format!("{group}/count-0000000b"),
            with(set, 11),
            "Truncated",
        );
        if name == "PackedStringArray" {
            set.reject(
                format!("{group}/count-7fffffff"),
                with(set, 0x7fff_ffff),
                "Truncated",
            );
            continue;
        }
        for count in [0x8000_0000, 0xffff_ffff] {
            set.reject(
                format!("{group}/count-{count:08x}"),
                with(set, count),
                "InvalidLength",
            );
        }
        // More than 2^31 − 1 bytes, for elements of 4 bytes and more.
        let (error, count) = match name {
            "PackedByteArray" => ("Truncated", 0x4000_0000),
            _ => ("InvalidLength", 0x4000_0000),
        };
        set.reject(
            format!("{group}/count-{count:08x}"),
            with(set, count),
            error,
        );
    }
}

/// §6 rows 12 and 13: text that is not UTF-8, and code points that engines refuse.
fn invalid_text(set: &mut Set) {
    let mut invalid = vec![
        ("stray", &b"a\x80"[..]),
        ("fe", b"\xfe"),
        ("ff", b"a\xffb"),
        ("cut-2", b"\xc3"),
        ("cut-3", b"a\xe2\x82"),
        ("cut-4", b"\xf0\x9f\x98"),
        ("bad-continuation-2", b"\xc3\x28"),
        ("bad-continuation-3", b"\xe0\xa0\x41"),
        ("bad-continuation-4", b"\xf0\x9f\x41\x80"),
        ("c080", b"\xc0\x80"),
        ("c1bf", b"\xc1\xbf"),
        ("e08080", b"\xe0\x80\x80"),
        ("f0808080", b"\xf0\x80\x80\x80"),
    ];
    if !set.is_godot2() {
        invalid.extend([
            ("surrogate-high", &b"\xed\xa0\x80"[..]),
            ("surrogate-low", b"\xed\xb0\x80"),
            ("surrogate-pair", b"\xed\xa0\xbd\xed\xb8\x80"),
            ("overlong-3", b"\xe0\x9f\xbf"),
            ("overlong-4", b"\xf0\x8f\xbf\xbf"),
            ("above-10ffff", b"\xf4\x90\x80\x80"),
            ("5-bytes", b"\xfb\xbf\xbf\xbf\xbf"),
            ("6-bytes", b"\xfc\x84\x80\x80\x80\x80"),
        ]);
    }
    for (id, text) in invalid {
        let bytes = set.bytes().header("String", 0).field(text).done();
        set.reject(format!("utf8/string-{id}"), bytes, "InvalidUtf8");
    }
    for (place, start) in text_places(set) {
        // Completes the value: another value follows a key or property, and a count of zero follows a
        // class.
        let packed = place.starts_with("packed");
        let bytes = start.field(if packed { b"a\xffb\0" } else { b"a\xffb" });
        let more = place == "dictionary/key" || place.starts_with("object/");
        let bytes = if more {
            bytes.word(0).done()
        } else {
            bytes.done()
        };
        set.reject(format!("{place}-invalid-utf8"), bytes, "InvalidUtf8");
    }
}

/// §6 rows 10, 30 and 33: node paths that are cut, in the old format, or with counts that overflow.
fn node_paths(set: &mut Set) {
    let head = |set: &Set, first, subnames: u32, flags| {
        set.bytes()
            .header("NodePath", 0)
            .word(first)
            .word(subnames)
            .word(flags)
    };
    for (names, subnames) in [
        (0x7fff_ffff, 0x8000_0001),
        (1, 0xffff_ffff),
        (0x4000_0000, 0xc000_0000),
    ] {
        let bytes = head(set, 0x8000_0000 | names, subnames, 0).done();
        set.reject(format!("nodepath/wrap-{names:08x}"), bytes, "InvalidLength");
    }
    let bytes = head(set, 0x8000_0002, 0, 0).field(b"a").done();
    set.reject("nodepath/name-missing", bytes, "Truncated");
    let bytes = head(set, 0x8000_0001, 1, 0).field(b"a").done();
    set.reject("nodepath/subname-missing", bytes, "Truncated");
    let bytes = head(set, 0x8000_0001, 0, 2).field(b"a").done();
    set.reject("nodepath/flag2-missing", bytes, "Truncated");
    let bytes = head(set, 0x8000_0001, 0, 0).word(1).raw(b"a").done();
    set.reject("nodepath/no-padding", bytes, "Truncated");
    let bytes = head(set, 0x8000_0000 | 0x7000_0000, 0, 0)
        .field(b"a")
        .done();
    set.reject("nodepath/names-huge", bytes, "Truncated");
    if set.is_godot2() {
        let bytes = set
            .bytes()
            .header("NodePath", 0)
            .word(5)
            .raw(b"abcd")
            .done();
        set.reject("nodepath/old-cut", bytes, "Truncated");
    } else {
        for path in ["", "a/b", "/root/ab", "abcdefghijkl"] {
            let bytes = set
                .bytes()
                .header("NodePath", 0)
                .field(path.as_bytes())
                .raw(&[0; 8])
                .done();
            set.reject(format!("nodepath/old-{}", path.len()), bytes, "OldNodePath");
        }
    }
}

/// §6 row 23: a leaf inside 1025 containers.
fn depth(set: &mut Set) {
    let key = json!({"key": {"Int": "7"}});
    for depth in [1025, 3000] {
        for (id, step) in [("array", json!("[]")), ("dictionary", key.clone())] {
            let nest = json!({"Nest": {"steps": vec![step; depth], "leaf": {"Nil": null}}});
            set.reject(
                format!("depth/{id}-{depth}"),
                set.value(&nest),
                "DepthExceeded",
            );
        }
    }
    // Depth through keys: each dictionary is the key of the one around it.
    let link = set.bytes().header("Dictionary", 0).word(1).done();
    let mut bytes = link.repeat(1025);
    bytes.resize(bytes.len() + 4 * 1026, 0);
    set.reject("depth/keys-1025", bytes, "DepthExceeded");
}

/// §6 row 25: objects that are not permitted. Also objects that are cut, or refused although they are
/// permitted.
fn objects(set: &mut Set) {
    let object = |class: &str, props: Value| json!({"Object": {"class": class, "props": props}});
    let node = object("Node", json!([["script", {"Nil": null}]]));
    for (id, value) in [
        ("alone", node.clone()),
        ("no-properties", object("Reference", json!([]))),
        ("in-array", json!({"Array": [{"Int": "1"}, node]})),
        (
            "in-dictionary",
            json!({"Dictionary": [[{"Int": "1"}, node]]}),
        ),
        ("as-key", json!({"Dictionary": [[node, {"Int": "1"}]]})),
    ] {
        set.reject(
            format!("not-allowed/{id}"),
            set.value(&value),
            "ObjectsNotAllowed",
        );
    }
    let bytes = set.bytes().header("Object", 0).field(b"").done();
    set.reject("not-allowed/empty-class", bytes, "ObjectsNotAllowed");
    let whole = set.value(&node);
    for cut in [4, 8, 12, 16, whole.len() - 4] {
        set.reject(
            format!("object/truncated-{cut}"),
            whole[..cut].to_vec(),
            "Truncated",
        );
    }
    let bytes = set
        .bytes()
        .header("Object", 0)
        .field(b"Node")
        .word(0x7fff_ffff)
        .done();
    set.reject("object/count-7fffffff", bytes, "Truncated");
    let unknown = set
        .bytes()
        .header("Object", 0)
        .field(b"Node")
        .word(1)
        .field(b"a")
        .word(0xff);
    set.reject("object/unknown-type", unknown.done(), "UnknownType");
}

/// §6 row 19: a byte array without its padding is refused if anything follows it.
fn missing_byte_padding(set: &mut Set) {
    let bytes = set.bytes().header("Array", 0).word(2);
    let bytes = bytes.header("PackedByteArray", 0).word(1).raw(b"a").done();
    set.reject("truncated/array-of-unpadded", bytes, "Truncated");
}

/// Godot 2 compares the whole header word. Only the type number may be set, and in numbers also `FLAG_64`.
fn godot2(set: &mut Set) {
    for name in set.column.types() {
        let whole = set.value(&sample(set.column, name));
        for bits in [0x100, 0x8000, BIT_16, BIT_16 | 0x100, 1 << 17, 1 << 31] {
            if bits == BIT_16 && matches!(name, "Int" | "Float") {
                continue;
            }
            let id = format!("header-bits/{}-{bits:08x}", name.to_lowercase());
            set.reject(id, with_bits(&whole, bits), "ReservedBits");
        }
    }
    let id = set.bytes().header("Object", BIT_16).long(1288).done();
    set.reject("header-bits/object-id", id, "ReservedBits");
    let words = |set: &Set, last: u32| {
        let head = set
            .bytes()
            .header("Image", 0)
            .word(0)
            .word(0)
            .word(1)
            .word(1);
        head.word(last).raw(&[0; 4]).done()
    };
    set.reject(
        "image/length-ffffffff",
        words(set, u32::MAX),
        "InvalidLength",
    );
    set.reject(
        "image/length-80000000",
        words(set, 1 << 31),
        "InvalidLength",
    );
    set.reject("image/length-00000005", words(set, 5), "Truncated");
    let event = |set: &Set, size: u32| {
        let head = set.bytes().header("InputEvent", 0).word(1).word(0);
        head.word(size).raw(&[0; 4]).done()
    };
    for size in [0, 11, 1 << 31, u32::MAX] {
        set.reject(
            format!("inputevent/size-{size:08x}"),
            event(set, size),
            "InvalidLength",
        );
    }
    set.reject("inputevent/size-00000014", event(set, 20), "Truncated");
}
