//! Packed arrays: `docs/FORMAT.md` §3.4.

use super::Set;
use super::samples::packed;
use serde_json::json;

pub(super) fn add(set: &mut Set) {
    for name in set
        .column
        .types()
        .filter(|name| name.ends_with("Array") && *name != "Array")
    {
        for len in [0, 1, 2, 5, 13] {
            set.canonical(format!("{}/{len}", name.to_lowercase()), packed(name, len));
        }
    }
    bytes(set);
    strings(set);
}

fn bytes(set: &mut Set) {
    for hex in ["00", "ff00ff", "01020304", "000000000000"] {
        set.canonical(
            format!("packedbytearray/{hex}"),
            json!({"PackedByteArray": hex}),
        );
    }
    let dirty = set
        .bytes()
        .header("PackedByteArray", 0)
        .dirty_field(b"abc", 0xaa);
    set.accepted(
        "packedbytearray/padding-aa",
        dirty,
        json!({"PackedByteArray": "616263"}),
    );
    if !set.is_godot2() {
        // §6 row 19: at the very end the padding may be missing.
        for len in [1, 2, 3, 5] {
            let data = &b"abcde"[..len];
            let bytes = set
                .bytes()
                .header("PackedByteArray", 0)
                .word(len as u32)
                .raw(data);
            let value = json!({"PackedByteArray": &"6162636465"[..2 * len]});
            set.accepted(format!("packedbytearray/no-padding-{len}"), bytes, value);
        }
    }
}

fn strings(set: &mut Set) {
    let name = "PackedStringArray";
    for (id, texts) in [
        ("one-empty", &[""][..]),
        ("empties", &["", "", ""]),
        ("é", &["é", "ünï"]),
    ] {
        set.canonical(format!("packedstringarray/{id}"), json!({name: texts}));
    }
    let head = |set: &Set, count| set.bytes().header(name, 0).word(count);
    let bytes = head(set, 3).field(b"abc").field(b"").packed_string(b"d");
    set.accepted(
        "packedstringarray/no-nul",
        bytes,
        json!({name: ["abc", "", "d"]}),
    );
    let bytes = head(set, 2).field(b"a\0b\0").field(b"c\0\xff");
    set.accepted(
        "packedstringarray/nul-inside",
        bytes,
        json!({name: ["a", "c"]}),
    );
    let bytes = head(set, 2)
        .dirty_field(b"a\0", 0x55)
        .dirty_field(b"bcd", 0xff);
    set.accepted(
        "packedstringarray/padding",
        bytes,
        json!({name: ["a", "bcd"]}),
    );
    // §6 row 17: a negative count is read as zero.
    for count in [0x8000_0000, 0xffff_ffff] {
        let bytes = head(set, count);
        set.accepted(
            format!("packedstringarray/count-{count:08x}"),
            bytes,
            json!({name: []}),
        );
    }
}
