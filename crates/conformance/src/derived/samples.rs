//! Sample values: numbers, texts, and one value of every type.

use crate::assembler::Column;
use serde_json::{Value, json};

/// 1.0, 2.0, … 16.0 as bits of f32.
pub(super) const COUNT: [&str; 16] = [
    "3f800000", "40000000", "40400000", "40800000", "40a00000", "40c00000", "40e00000", "41000000",
    "41100000", "41200000", "41300000", "41400000", "41500000", "41600000", "41700000", "41800000",
];

/// −0.0, largest, smallest, … as bits of f32.
pub(super) const EDGES: [&str; 9] = [
    "80000000", "7f7fffff", "80000001", "3dcccccd", "ff7fffff", "00800000", "bf800000", "00000000",
    "007fffff",
];

/// Infinities and NaNs, also signalling ones and ones with a payload, as bits of f32.
pub(super) const NONFINITE: [&str; 7] = [
    "7fc00000", "ff800000", "7f800000", "7fa00001", "ffc12345", "7fffffff", "ff800001",
];

/// 32-bit integers.
pub(super) const INTS: [i32; 9] = [
    0,
    -1,
    i32::MAX,
    i32::MIN,
    1,
    0x0102_0304,
    -65_536,
    255,
    1_000_000,
];

/// Texts of every length modulo 4, and texts outside ASCII.
pub(super) const TEXTS: [&str; 12] = [
    "",
    "a",
    "ab",
    "abc",
    "abcd",
    "abcde",
    "é",
    "a€",
    "😀",
    "日本語",
    "tab\tline\n",
    "\u{10ffff}",
];

/// Makes a value of a fixed-size type of reals. Its components are taken from `reals` in turn.
pub(super) fn of_reals(name: &str, reals: &[&str]) -> Value {
    let mut reals = reals.iter().cycle();
    let mut take = |count| -> Vec<&str> { reals.by_ref().take(count).copied().collect() };
    let body = match name {
        "Vector2" => json!(take(2)),
        "Vector3" => json!(take(3)),
        "Vector4" | "Rect2" | "Plane" | "Quaternion" | "Color" => json!(take(4)),
        "AABB" => json!(take(6)),
        "Transform2D" => json!({"x": take(2), "y": take(2), "origin": take(2)}),
        "Basis" => json!({"x": take(3), "y": take(3), "z": take(3)}),
        "Transform3D" => json!({
            "basis": {"x": take(3), "y": take(3), "z": take(3)},
            "origin": take(3),
        }),
        "Projection" => json!({"x": take(4), "y": take(4), "z": take(4), "w": take(4)}),
        _ => panic!("no type of reals {name}"),
    };
    json!({name: body})
}

/// Makes a vector of integers. Its components are the numbers of [`INTS`] from `start` on.
pub(super) fn of_ints(name: &str, start: usize) -> Value {
    let size = match name {
        "Vector2i" => 2,
        "Vector3i" => 3,
        "Vector4i" | "Rect2i" => 4,
        _ => panic!("no type of integers {name}"),
    };
    json!({name: ints(start, size)})
}

fn ints(start: usize, count: usize) -> Vec<i32> {
    INTS.iter()
        .cycle()
        .skip(start)
        .take(count)
        .copied()
        .collect()
}

/// Makes a packed array of `len` elements. The first few differ from each other.
pub(super) fn packed(name: &str, len: usize) -> Value {
    let body = match name {
        "PackedByteArray" => {
            let hex: Vec<_> = (0..len)
                .map(|at| format!("{:02x}", (at * 37 + 129) % 256))
                .collect();
            json!(hex.concat())
        }
        "PackedInt32Array" => json!(ints(0, len)),
        "PackedInt64Array" => {
            let longs = [i64::MIN, -1, 0, i64::MAX, 1 << 32, -(1 << 31)]
                .iter()
                .cycle();
            json!(longs.take(len).map(i64::to_string).collect::<Vec<_>>())
        }
        "PackedFloat32Array" => json!(reals(0, len)),
        "PackedFloat64Array" => {
            let reals = ["3fb999999999999a", "7ff0000000000001", "8000000000000000"]
                .iter()
                .cycle();
            json!(reals.take(len).collect::<Vec<_>>())
        }
        "PackedStringArray" => json!(TEXTS.iter().cycle().take(len).collect::<Vec<_>>()),
        "PackedVector2Array" => json!(rows(len, 2, reals)),
        "PackedVector3Array" => json!(rows(len, 3, reals)),
        "PackedVector4Array" | "PackedColorArray" => json!(rows(len, 4, reals)),
        "PoolVector2iArray" => json!(rows(len, 2, ints)),
        "PoolVector3iArray" => json!(rows(len, 3, ints)),
        "PoolVector4iArray" => json!(rows(len, 4, ints)),
        _ => panic!("no packed array {name}"),
    };
    json!({name: body})
}

fn reals(start: usize, count: usize) -> Vec<&'static str> {
    let all = COUNT
        .iter()
        .zip(EDGES.iter().cycle())
        .zip(NONFINITE.iter().cycle());
    let all: Vec<_> = all
        .flat_map(|((count, edge), other)| [*count, *edge, *other])
        .collect();
    all.iter()
        .cycle()
        .skip(start)
        .take(count)
        .copied()
        .collect()
}

fn rows<T>(len: usize, size: usize, row: fn(usize, usize) -> Vec<T>) -> Vec<Vec<T>> {
    (0..len).map(|at| row(at * size, size)).collect()
}

/// Returns a sample value of the type `name`. Containers are not empty, and the value needs no
/// padding at its end. An Object is an instance id, or null in Godot 2.
pub(super) fn sample(column: Column, name: &str) -> Value {
    match name {
        "Nil" => json!({"Nil": null}),
        "Bool" => json!({"Bool": true}),
        "Int" => json!({"Int": "42"}),
        "Float" => json!({"Float": {"bits": "3fe0000000000000"}}),
        "String" => json!({"String": "text"}),
        // Differs from the text of the String sample, because in some engines equal texts would be the same
        // key.
        "StringName" => json!({"StringName": "name"}),
        "Vector2i" | "Vector3i" | "Vector4i" | "Rect2i" => of_ints(name, 1),
        "NodePath" => node_path(&["root", "node"], &["abcd"], true),
        "RID" => json!({"RID": "0"}),
        "Object" if column == Column::G2 => json!({"Object": null}),
        "Object" => json!({"ObjectId": "1288"}),
        "Array" => json!({"Array": [{"Int": "1"}]}),
        "Dictionary" => json!({"Dictionary": [[{"Int": "1"}, {"Bool": true}]]}),
        "Image" => image(4, 0, [1, 1], "ff8000ff"),
        "InputEvent" => event(1, 0, "0000000241000000"),
        "PackedStringArray" => json!({name: ["abc", "def"]}),
        _ if name.ends_with("Array") => packed(name, 4),
        _ => of_reals(name, &COUNT),
    }
}

/// Makes a tagged NodePath.
pub(super) fn node_path(names: &[&str], subnames: &[&str], absolute: bool) -> Value {
    json!({"NodePath": {"names": names, "subnames": subnames, "absolute": absolute}})
}

/// Makes a tagged Image, which only Godot 2 has.
pub(super) fn image(format: i32, mipmaps: i32, size: [i32; 2], data: &str) -> Value {
    let [width, height] = size;
    json!({"Image": {
        "format": format, "mipmaps": mipmaps, "width": width, "height": height, "data": data,
    }})
}

/// Makes a tagged InputEvent, which only Godot 2 has.
pub(super) fn event(kind: i32, device: i32, body: &str) -> Value {
    json!({"InputEvent": {"kind": kind, "device": device, "body": body}})
}
