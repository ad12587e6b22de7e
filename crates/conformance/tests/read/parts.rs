//! Setting parts of values, such as `xform.basis.x` or `points[1].y`: every part that a path shows, of every type, in
//! every dialect, against bytes that are put together here.

use gdvar::{
    Dialect, Document, Kind, Objects, ReadOptions, Variant,
    edit::{Edit, EditErrorKind},
    path::{Found, Path, PathTarget},
    write::{Precision, Target},
};

/// The names that scripts have for parts.
const NAMES: [&str; 15] = [
    "x", "y", "z", "w", "r", "g", "b", "a", "position", "size", "end", "origin", "basis", "normal",
    "d",
];

/// How wide a number is, and whether it is an int.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Width {
    U8,
    I32,
    I64,
    F32,
    F64,
}

impl Width {
    fn bytes(self, number: f64) -> Vec<u8> {
        match self {
            Width::U8 => vec![number as u8],
            Width::I32 => (number as i32).to_le_bytes().to_vec(),
            Width::I64 => (number as i64).to_le_bytes().to_vec(),
            Width::F32 => (number as f32).to_le_bytes().to_vec(),
            Width::F64 => number.to_le_bytes().to_vec(),
        }
    }
}

/// The number of numbers of a type, or of an element of a packed array, and how wide they are: from
/// `docs/FORMAT.md` §3.1 and §3.4.
fn shape(kind: Kind, wide: bool) -> Option<(usize, Width)> {
    let real = if wide { Width::F64 } else { Width::F32 };
    Some(match kind {
        Kind::Vector2 | Kind::PackedVector2Array => (2, real),
        Kind::Vector3 | Kind::PackedVector3Array => (3, real),
        Kind::Vector4 | Kind::Quaternion | Kind::Plane | Kind::Rect2 | Kind::PackedVector4Array => {
            (4, real)
        }
        Kind::Transform2D | Kind::Aabb => (6, real),
        Kind::Basis => (9, real),
        Kind::Transform3D => (12, real),
        Kind::Projection => (16, real),
        Kind::Color | Kind::PackedColorArray => (4, Width::F32),
        Kind::Vector2i | Kind::PackedVector2iArray => (2, Width::I32),
        Kind::Vector3i | Kind::PackedVector3iArray => (3, Width::I32),
        Kind::Vector4i | Kind::Rect2i | Kind::PackedVector4iArray => (4, Width::I32),
        Kind::PackedByteArray => (1, Width::U8),
        Kind::PackedInt32Array => (1, Width::I32),
        Kind::PackedInt64Array => (1, Width::I64),
        Kind::PackedFloat32Array => (1, Width::F32),
        Kind::PackedFloat64Array => (1, Width::F64),
        _ => return None,
    })
}

/// A value whose numbers are 1, 2, 3 …, and where they begin; a packed array has 3 elements.
fn value(dialect: Dialect, kind: Kind, wide: bool) -> Option<(Vec<u8>, usize, usize, Width)> {
    let (count, width) = shape(kind, wide)?;
    let number = u32::from(dialect.type_id(kind)?.0) | u32::from(wide) << 16;
    let mut bytes = number.to_le_bytes().to_vec();
    let is_packed = kind.name().ends_with("Array");
    let mut start = 4;
    let mut numbers = count;
    if is_packed {
        bytes.extend(3_u32.to_le_bytes());
        (start, numbers) = (8, 3 * count);
    }
    for n in 0..numbers {
        bytes.extend(width.bytes(n as f64 + 1.0));
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let document = Document::with_options(&bytes, ReadOptions::new(dialect));
    let root = document
        .root()
        .ok()
        .filter(|root| root.kind() == kind && root.is_wide() == wide);
    let is_read = root.is_some() && document.validate() == Ok(bytes.len());
    is_read.then_some((bytes, start, numbers, width))
}

/// The numbers that a part shows.
fn shown(part: PathTarget<'_>) -> Vec<f64> {
    match part {
        PathTarget::Int(int) => vec![int as f64],
        PathTarget::Math(math) => math.iter().collect(),
        PathTarget::Text(_) => Vec::new(),
    }
}

/// The paths of all parts of a value.
fn parts(document: Document<'_>, is_packed: bool) -> Vec<String> {
    let root = document.root().expect("a value");
    let mut all = Vec::new();
    let mut open: Vec<String> = match is_packed {
        true => ["[0]", "[1]", "[2]", "[-1]", "[-3]", "[3]", "[-4]"]
            .map(str::to_owned)
            .to_vec(),
        false => NAMES.map(|name| format!(".{name}")).to_vec(),
    };
    while let Some(path) = open.pop() {
        let parsed = format!("${path}");
        let parsed = Path::parse(&parsed).expect("a path");
        if let Some(Found::Part(_)) = root.find_path(&parsed).expect("it can be read") {
            open.extend(NAMES.map(|name| format!("{path}.{name}")));
            all.push(format!("${path}"));
        }
    }
    all
}

/// A value for a part: numbers from 50 on, in the bytes of that type.
fn new(dialect: Dialect, part: PathTarget<'_>, wide: bool) -> (Vec<u8>, Vec<f64>) {
    let kind = part.kind();
    let count = shown(part).len();
    let numbers: Vec<f64> = (0..count).map(|n| n as f64 + 50.0).collect();
    let width = match kind {
        Kind::Int => Width::I32,
        Kind::Float => Width::F32,
        kind => shape(kind, wide).expect("it is made of numbers").1,
    };
    let flag = u32::from(wide && width == Width::F64) << 16;
    let number = u32::from(dialect.type_id(kind).expect("it has parts of it").0) | flag;
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend(numbers.iter().flat_map(|number| width.bytes(*number)));
    (bytes, numbers)
}

#[test]
fn every_part_that_a_path_shows_can_be_set() {
    let mut set = 0;
    let mut kinds = std::collections::BTreeSet::new();
    for dialect in Dialect::ALL {
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        for kind in Kind::ALL {
            for wide in [false, true] {
                let Some((old, start, count, width)) = value(dialect, *kind, wide) else {
                    continue;
                };
                kinds.insert(*kind);
                let document = Document::with_options(&old, options);
                let is_packed = start == 8;
                for path in parts(document, is_packed) {
                    let what = format!("{dialect} {kind} {wide} {path}");
                    let root = document.root().expect("a value");
                    let parsed = Path::parse(&path).expect("a path");
                    let found = root.find_path(&parsed).expect("it can be read");
                    let Some(Found::Part(part)) = found else {
                        panic!("{what}")
                    };
                    let (value, numbers) = new(dialect, part, wide);
                    let mut expected = old.clone();
                    let mut put = |place: usize, number: f64| {
                        assert!(place < count, "{what}");
                        let bytes = width.bytes(number);
                        let at = start + place * bytes.len();
                        expected[at..at + bytes.len()].copy_from_slice(&bytes);
                    };
                    // The numbers are 1, 2, 3 …: what a part shows says which they are. The end of a box is the sum
                    // of its position and its size, which lies half of the box further on.
                    for (was, number) in shown(part).iter().zip(&numbers) {
                        if path.contains("end") {
                            let half = count / 2;
                            let from = (*was as usize - half) / 2;
                            put(from - 1 + half, number - from as f64);
                        } else {
                            put(*was as usize - 1, *number);
                        }
                    }
                    let mut edit = Edit::new(document);
                    edit.set(&path, &value);
                    let result = edit
                        .plan()
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_eq!(result.to_vec(), expected, "{what}");
                    // The same by way of the tree.
                    let tree = Variant::from_slice_with(&expected, options).expect("a value");
                    let target = Target::from(dialect).with_precision(Precision::AsGiven);
                    assert_eq!(
                        tree.to_vec(target).expect("it is written"),
                        expected,
                        "{what}"
                    );
                    set += 1;
                }
            }
        }
    }
    // All kinds that are made of several numbers, and all packed arrays but those of texts.
    let all = Kind::ALL
        .iter()
        .filter(|kind| shape(**kind, false).is_some());
    let missing: Vec<_> = all.filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(set > 1000, "{set}");
}

/// `["a", "bcd"]` as each engine writes it: with a NUL that is not counted, or none.
#[test]
fn texts_of_packed_arrays_can_be_set() {
    for dialect in Dialect::ALL {
        let strings = |texts: &[&str]| {
            let target = Target::from(dialect);
            let texts = texts.iter().map(|text| (*text).into()).collect();
            Variant::PackedStringArray(texts)
                .to_vec(target)
                .expect("it is written")
        };
        let text = Variant::from("longer than it was").to_vec(Target::from(dialect));
        let text = text.expect("it is written");
        let old = strings(&["a", "bcd", "efghi"]);
        let document = Document::new(&old, dialect);
        for (path, expected) in [
            ("[0]", ["longer than it was", "bcd", "efghi"]),
            ("[1]", ["a", "longer than it was", "efghi"]),
            ("[-1]", ["a", "bcd", "longer than it was"]),
        ] {
            let mut edit = Edit::new(document);
            edit.set(path, &text);
            let result = edit.plan().expect("an edit").to_vec();
            assert_eq!(result, strings(&expected), "{dialect} {path}");
        }
        let mut edit = Edit::new(document);
        edit.set("[3]", &text);
        let kind = edit.plan().expect_err("there is none").kind();
        assert!(matches!(kind, EditErrorKind::NoPlace { .. }), "{kind}");
    }
}

#[test]
fn what_does_not_fit_into_a_part_is_refused() {
    let int = |int: i64| [&0x1_0002_u32.to_le_bytes()[..], &int.to_le_bytes()].concat();
    let float = |float: f64| [&0x1_0003_u32.to_le_bytes()[..], &float.to_le_bytes()].concat();
    let text = b"\x04\0\0\0\x01\0\0\0a\0\0\0".to_vec();
    let cases = [
        (Kind::PackedByteArray, "[0]", int(256), "range"),
        (Kind::PackedByteArray, "[0]", int(-1), "range"),
        (Kind::PackedByteArray, "[0]", float(1.5), "range"),
        (Kind::PackedByteArray, "[0]", float(255.0), ""),
        (Kind::PackedInt32Array, "[0]", int(1 << 31), "range"),
        (Kind::PackedInt32Array, "[0]", int(-(1 << 31)), ""),
        (Kind::PackedInt64Array, "[0]", int(i64::MAX), ""),
        (Kind::PackedInt64Array, "[0]", float(1e19), "range"),
        (Kind::PackedFloat32Array, "[0]", float(1e39), "range"),
        (Kind::PackedFloat32Array, "[0]", float(f64::INFINITY), ""),
        (Kind::PackedFloat32Array, "[0]", float(0.1), ""),
        (Kind::PackedFloat32Array, "[0]", int(16_777_217), "range"),
        (Kind::PackedFloat64Array, "[0]", int(i64::MAX), "range"),
        (Kind::Vector2i, ".x", float(2.5), "range"),
        (Kind::Rect2i, ".end.x", int(i64::from(i32::MIN)), "range"),
        (Kind::Vector2, ".x", text.clone(), "type"),
        (Kind::Transform3D, ".origin", int(5), "type"),
        (Kind::PackedVector2Array, "[0]", float(5.0), "type"),
        (Kind::PackedByteArray, "[3]", int(1), "place"),
        (Kind::Vector2, ".z", int(1), "place"),
        (Kind::Vector2, ".x.x", int(1), "place"),
    ];
    for (kind, path, new, refusal) in cases {
        let (old, ..) = value(Dialect::GODOT_4, kind, false).expect("it is there");
        let mut edit = Edit::new(Document::new(&old, Dialect::GODOT_4));
        edit.set(path, &new);
        let told = match edit.plan().map_err(|error| error.kind()) {
            Ok(_) => "",
            Err(EditErrorKind::PartRange { .. }) => "range",
            Err(EditErrorKind::PartType { .. }) => "type",
            Err(EditErrorKind::NoPlace { .. }) => "place",
            Err(other) => panic!("{kind} {path}: {other}"),
        };
        assert_eq!(told, refusal, "{kind} {path} {new:?}");
    }
}

/// Several parts of one value in one go; what takes part in both is refused.
#[test]
fn parts_of_one_value_are_set_together() {
    let (old, ..) = value(Dialect::GODOT_4, Kind::Aabb, false).expect("it is there");
    let seven = b"\x02\0\0\0\x07\0\0\0";
    for (paths, is_fine) in [
        (["$.position.x", "$.size.y"], true),
        (["$.position.x", "$.end.y"], true),
        (["$.position.x", "$.end.x"], false),
        (["$.size.x", "$.end.x"], false),
        (["$.size.x", "$.size.x"], false),
    ] {
        let mut edit = Edit::new(Document::new(&old, Dialect::GODOT_4));
        edit.set(paths[0], seven).set(paths[1], seven);
        let plan = edit.plan();
        assert_eq!(plan.is_ok(), is_fine, "{paths:?}");
        if let Err(error) = plan {
            assert!(
                matches!(error.kind(), EditErrorKind::Overlap { .. }),
                "{error}"
            );
        }
    }
}
