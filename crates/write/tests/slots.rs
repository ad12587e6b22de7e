//! Every form of every value through slots gives the bytes of docs/FORMAT.md: as an element, as a
//! key of a dictionary, and by the writer's own method.
#![cfg(feature = "std")]

use gdvar_write::{
    ElementType, Error, ImageParts, IoSink, KeySlot, Measure, NodePathParts, Precision, SeekSink,
    Slot, Target, WriteErrorKind, Writer,
    wire::{
        F32, Kind,
        math::{
            Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
            Vector2, Vector3, Vector4,
        },
    },
};

type Never = core::convert::Infallible;
type Bytes = Writer<Vec<u8>>;
type Done = Result<(), Error<Never>>;
type Keyed<'a> = Result<Slot<'a, Vec<u8>>, Error<Never>>;

/// Formats bytes as hex in stream order. docs/FORMAT.md shows them with blanks between the words.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
fn is(target: Target, expected: &str, write: &dyn Fn(&mut Bytes) -> Done) {
    let mut w = Writer::new(Vec::new(), target);
    write(&mut w).unwrap();
    assert_eq!(hex(&w.finish().unwrap()), expected.replace(' ', ""));
}

/// Writes a value with the writer, in a slot, and as a key; checks that it is refused while a child
/// is open.
fn everywhere(
    target: Target,
    expected: &str,
    call: &dyn Fn(&mut Bytes) -> Done,
    slot: &dyn Fn(Slot<'_, Vec<u8>>) -> Done,
    key: &dyn for<'a> Fn(KeySlot<'a, Vec<u8>>) -> Keyed<'a>,
) {
    let id = |kind| target.dialect().type_id(kind).unwrap().0;
    let (array, dict) = (id(Kind::Array), id(Kind::Dictionary));
    is(target, expected, call);
    is(target, expected, &|w| slot(w.root()));
    let twice = format!("{array:02x}000000 02000000 {expected} {expected}");
    is(target, &twice, &|w| {
        let mut items = w.root().array(2)?;
        slot(items.push())?;
        slot(items.push())?;
        items.end()
    });
    let as_key = format!("{dict:02x}000000 01000000 {expected} 01000000 01000000");
    is(target, &as_key, &|w| {
        let mut pairs = w.root().dict(1)?;
        key(pairs.entry())?.bool(true)?;
        pairs.end()
    });

    let open = WriteErrorKind::ChildOpen {
        open: 2,
        expected: 1,
    };
    let mut w = Writer::new(Vec::new(), target);
    let mut items = w.root().array(2).unwrap();
    let _ = items.push().array(1).unwrap();
    assert_eq!(slot(items.push()).unwrap_err().into_kind(), open);
    let mut w = Writer::new(Vec::new(), target);
    let mut pairs = w.root().dict(2).unwrap();
    let _ = pairs.key("a").unwrap();
    let error = key(pairs.entry()).unwrap_err();
    assert_eq!(error.into_kind(), WriteErrorKind::ExpectedValue);
    let mut w = Writer::new(Vec::new(), target);
    let mut pairs = w.root().dict(2).unwrap();
    let _ = pairs.key("a").unwrap().array(1).unwrap();
    assert_eq!(key(pairs.entry()).unwrap_err().into_kind(), open);
}

macro_rules! values {
    ($target:expr; $($expected:literal $method:ident($($arg:expr),*);)*) => {$(
        everywhere(
            $target,
            $expected,
            &|w| w.$method($($arg),*),
            &|slot| slot.$method($($arg),*),
            &|key| key.$method($($arg),*),
        );
    )*};
}

const PATH: NodePathParts<'_> = NodePathParts {
    names: &["A", "B"],
    subnames: &["c"],
    absolute: false,
};
const COLOR: Color<f32> = Color {
    r: 0.25,
    g: 0.5,
    b: 0.75,
    a: 1.0,
};
/// Object ids of reference-counted objects have the highest bit (docs/FORMAT.md §4.4).
const ID: u64 = 0x8000_0006_0400_05ad;

fn basis() -> Basis<f32> {
    Basis::from_columns(
        Vector3::from([1.0, 2.0, 3.0]),
        Vector3::from([4.0, 5.0, 6.0]),
        Vector3::from([7.0, 8.0, 9.0]),
    )
}

/// 1, 2, 3, …
fn count<const N: usize>() -> [f32; N] {
    std::array::from_fn(|n| n as f32 + 1.0)
}

/// The examples of docs/FORMAT.md §9, and what follows from §1.1 and §3 where there is no example.
#[test]
fn values_of_godot_4() {
    // The examples are of a single-precision engine.
    values! { Target::GODOT_4.with_precision(gdvar_write::Precision::Single);
        "00000000" nil();
        "01000000 00000000" bool(false);
        "01000000 01000000" bool(true);
        "02000000 ffffffff" int(-1);
        "02000100 00000080 00000000" int(2_147_483_648);
        "02000000 00000080" int(-2_147_483_648);
        "02000100 ffffff7f ffffffff" int(-2_147_483_649);
        "02000000 ffffff7f" int(2_147_483_647);
        "02000000 07000000" int_i32(7);
        "02000100 07000000 00000000" int_i64(7);
        "03000000 0000003f" float(0.5);
        "03000100 9a999999 9999b93f" float(0.1);
        "03000000 00000080" float(-0.0);
        "03000000 0000807f" float(f64::INFINITY);
        "03000100 00000000 0000f87f" float(f64::NAN);
        "03000000 cdcccc3d" float_f32(0.1);
        "03000100 00000000 0000e03f" float_f64(0.5);
        "04000000 05000000 48656c6c 6f000000" string("Hello");
        "04000000 00000000" string("");
        "04000000 04000000 f09f9880" string("😀");
        "04000000 05000000 48656c6c 6f000000" string_bytes(b"Hello");
        "15000000 03000000 61626300" string_name("abc");
        "16000000 02000080 01000000 00000000 01000000 41000000 01000000 42000000 01000000 63000000"
            node_path(&PATH);
        "16000000 02000080 00000000 01000000 04000000 726f6f74 02000000 61620000"
            node_path_from(["root", "ab"], [""; 0], true);
        "16000000 02000080 02000000 00000000 01000000 61000000 01000000 62000000 01000000 63000000 01000000 64000000"
            node_path_from([b"a", b"b"], [b"c", b"d"], false);
        "1a000000 0e000000 73637269 70745f63 68616e67 65640000 ad050004 06000080"
            signal("script_changed", ID);
        "19000000" callable();
        "17000000 88776655 44332211" rid(0x1122_3344_5566_7788);
        "18000100 ad050004 06000080" object_id(ID);
        "00000000" object_id(0);
        "00000000" null_object();
        "05000000 0000803f 00000040" vector2(Vector2::from(count()));
        "05000000 0000803f 00000040" vector2(Vector2 { x: 1.0_f64, y: 2.0 });
        "09000000 0000803f 00000040 00004040" vector3(Vector3::from(count()));
        "0c000000 0000803f 00000040 00004040 00008040" vector4(Vector4::from(count()));
        "07000000 0000803f 00000040 00004040 00008040" rect2(Rect2::from(count()));
        "0e000000 0000803f 00000040 00004040 00008040" plane(Plane::from(count()));
        "0f000000 0000803f 00000040 00004040 00008040" quaternion(Quaternion::from(count()));
        "10000000 0000803f 00000040 00004040 00008040 0000a040 0000c040" aabb(Aabb::from(count()));
        "0b000000 0000803f 00000040 00004040 00008040 0000a040 0000c040"
            transform2d(Transform2D::from(count()));
        "11000000 0000803f 00008040 0000e040 00000040 0000a040 00000041 00004040 0000c040 00001041"
            basis(basis());
        "12000000 0000803f 00008040 0000e040 00000040 0000a040 00000041 00004040 0000c040 00001041 00002041 00003041 00004041"
            transform3d(Transform3D { basis: basis(), origin: Vector3::from([10.0, 11.0, 12.0]) });
        "13000000 0000803f 00000040 00004040 00008040 0000a040 0000c040 0000e040 00000041 00001041 00002041 00003041 00004041 00005041 00006041 00007041 00008041"
            projection(Projection::from(count()));
        "06000000 01000000 feffffff" vector2i(Vector2::from([1, -2]));
        "0a000000 01000000 02000000 03000000" vector3i(Vector3::from([1, 2, 3]));
        "0d000000 01000000 02000000 03000000 fcffffff" vector4i(Vector4::from([1, 2, 3, -4]));
        "08000000 01000000 02000000 03000000 fcffffff" rect2i(Rect2::from([1, 2, 3, -4]));
        "14000000 0000803e 0000003f 0000403f 0000803f" color(COLOR);
        "1d000000 05000000 01020304 ff000000" packed_bytes(&[1, 2, 3, 4, 255]);
        "1e000000 02000000 01000000 feffffff" packed_i32(&[1, -2]);
        "1f000000 02000000 01000000 00000000 feffffff ffffffff" packed_i64(&[1, -2]);
        "20000000 02000000 0000803f 00000040" packed_f32(&[1.0, 2.0]);
        "21000000 01000000 9a999999 9999b93f" packed_f64(&[0.1]);
        "23000000 01000000 0000803f 00000040" packed_vector2(&[Vector2::from(count())]);
        "24000000 01000000 0000803f 00000040 00004040" packed_vector3(&[Vector3::from(count())]);
        "26000000 01000000 0000803f 00000040 00004040 00008040"
            packed_vector4(&[Vector4::from(count())]);
        "25000000 01000000 0000803e 0000003f 0000403f 0000803f" packed_colors(&[COLOR]);
        "22000000 04000000 04000000 61626300 01000000 00000000 05000000 61626364 00000000 03000000 c3a90000"
            packed_strings(["abc", "", "abcd", "é"]);
        "22000000 02000000 04000000 61626300 01000000 00000000"
            packed_strings_bytes([&b"abc"[..], b""]);
        "23000000 01000000 0000803f 00000040"
            packed_le(Kind::PackedVector2Array, &[Vector2 { x: F32::new(1.0), y: F32::new(2.0) }]);
        "02000000 07000000" raw_bytes(&[2, 0, 0, 0, 7, 0, 0, 0]);
        "00000000" raw_bytes(&[0; 4]);
    }
}

#[test]
fn values_that_only_other_engines_have() {
    values! { Target::PANDEMONIUM_5;
        "22000000 01000000 01000000 feffffff" packed_vector2i(&[Vector2::from([1, -2])]);
        "24000000 01000000 01000000 02000000 03000000" packed_vector3i(&[Vector3::from([1, 2, 3])]);
        "26000000 01000000 01000000 02000000 03000000 04000000"
            packed_vector4i(&[Vector4::from([1, 2, 3, 4])]);
        "16000000" rid(0);
    }
    let image = ImageParts {
        format: 4,
        mipmaps: 3,
        width: 1,
        height: 2,
        data: &[10, 255],
    };
    values! { Target::GODOT_2.with_precision(Precision::Single);
        "0f000000 04000000 03000000 01000000 02000000 02000000 0aff0000" image(&image);
        "13000000 01000000 feffffff 14000000 00000002 41000000"
            input_event(1, -2, &[0, 0, 0, 2, 0x41, 0, 0, 0]);
        "12000000" null_object();
        "03000000 cdcccc3d" float(0.1);
        "04000000 03000000 eda08000" string_bytes(b"\xed\xa0\x80");
        // In the old format, without padding (docs/FORMAT.md §4.5).
        "10000000 01000000 61" raw_bytes(&[16, 0, 0, 0, 1, 0, 0, 0, b'a']);
    }
}

/// Containers with types, by the examples of docs/FORMAT.md §9.
#[test]
fn typed_containers_and_objects() {
    let ints = ElementType::Builtin(Kind::Int);
    let strings = ElementType::Builtin(Kind::String);
    let script = ElementType::Script("res://item.gd");
    let g4 = Target::GODOT_4;
    is(
        g4,
        "1c000100 02000000 02000000 02000000 01000000 02000000 02000000",
        &|w| {
            let mut items = w.root().typed_array(ints, 2)?;
            items.push().int(1)?;
            items.push().int(2)?;
            items.end()
        },
    );
    let without_flag = "1c000100 05000000 01000000 05000100 00000000 0000f03f 00000000 00000040";
    let double = g4.with_precision(gdvar_write::Precision::Double);
    is(double, without_flag, &|w| {
        let points = ElementType::Builtin(Kind::Vector2);
        let mut items = w.root().typed_array(points, 1)?;
        items.push().vector2(Vector2 { x: 1.0_f32, y: 2.0 })?;
        items.end()
    });
    is(g4, "1c000200 04000000 4e6f6465 00000000", &|w| {
        w.root().typed_array(ElementType::Class("Node"), 0)?.end()
    });
    is(
        g4,
        "1b000d00 04000000 0d000000 7265733a 2f2f6974 656d2e67 64000000 01000000 04000000 01000000 6b000000 00000000",
        &|w| {
            let mut pairs = w.root().typed_dict(strings, script, 1)?;
            pairs.key("k")?.nil()?;
            pairs.end()
        },
    );
    is(
        g4,
        "1b000400 02000000 01000000 04000000 01000000 61000000 02000000 01000000",
        &|w| {
            let mut pairs = w.root().typed_dict(ElementType::Untyped, ints, 1)?;
            pairs.key("a")?.int(1)?;
            pairs.end()
        },
    );
    is(
        g4,
        "18000000 0a000000 52656643 6f756e74 65640000 01000000 06000000 73637269 70740000 00000000",
        &|w| {
            let mut object = w.root().object("RefCounted", 1)?;
            object.property("script")?.nil()?;
            object.end()
        },
    );
    let p5 = Target::PANDEMONIUM_5;
    let node = ElementType::Class("Node");
    is(p5, "1b000000 02000000 01000000 02000000 01000000", &|w| {
        let mut items = w
            .root()
            .pandemonium_typed_array(Kind::TypedArray, ints, 1)?;
        items.push().int(1)?;
        items.end()
    });
    is(p5, "1b000100 17000000 00000000", &|w| {
        let objects = ElementType::Builtin(Kind::Object);
        w.root()
            .pandemonium_typed_array(Kind::TypedArray, objects, 0)?
            .end()
    });
    is(
        p5,
        "1b000000 17000000 18000000 04000000 4e6f6465 00000000",
        &|w| {
            w.root()
                .pandemonium_typed_array(Kind::TypedArray, node, 0)?
                .end()
        },
    );
    is(
        p5,
        "1c000000 03000000 02000000 03000000 0000003f 03000000 cdcccc3d",
        &|w| {
            let floats = ElementType::Builtin(Kind::Float);
            let mut items = w
                .root()
                .pandemonium_typed_array(Kind::PackedTypedArray, floats, 2)?;
            items.push().float_f32(0.5)?;
            items.push().float_f32(0.1)?;
            items.end()
        },
    );
    // Untyped is number 0.
    is(p5, "1c000000 00000000 00000000", &|w| {
        w.root()
            .pandemonium_typed_array(Kind::PackedTypedArray, ElementType::Untyped, 0)?
            .end()
    });
    // Neither a plain array nor a script's type has such a form.
    for (kind, element) in [(Kind::Array, ints), (Kind::TypedArray, script)] {
        let mut w = Writer::new(Vec::new(), p5);
        let error = w
            .root()
            .pandemonium_typed_array(kind, element, 0)
            .map(drop)
            .unwrap_err();
        let dialect = p5.dialect();
        let expected = WriteErrorKind::Unrepresentable { kind, dialect };
        assert_eq!(error.kind(), &expected);
    }
}

/// A slot outside the innermost container refuses every value.
#[test]
fn containers_are_not_begun_where_a_child_is_open() {
    let open = |open| WriteErrorKind::<Never>::ChildOpen { open, expected: 1 };
    let ints = ElementType::Builtin(Kind::Int);
    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    let mut items = w.root().array(3).unwrap();
    items.push().nil().unwrap();
    let _ = items.push().array(1).unwrap();
    let mut scratch = Vec::new();
    for refused in [
        items.push().array(0).map(drop),
        items.push().dict(0).map(drop),
        items.push().typed_array(ints, 0).map(drop),
        items.push().typed_dict(ints, ints, 0).map(drop),
        items.push().object("A", 0).map(drop),
        items.push().growing_array().map(drop),
        items.push().growing_dict().map(drop),
        items.push().array_from([1], |slot, n| slot.int(n)),
        items
            .push()
            .spooled_array(&mut scratch, |_| Ok(()))
            .map(drop),
        items
            .push()
            .spooled_dict(&mut scratch, |_| Ok(()))
            .map(drop),
    ] {
        let error = refused.unwrap_err();
        // The array, null, and the head of the inner one.
        assert_eq!((error.kind(), error.position()), (&open(2), 20));
    }
    assert_eq!(items.end().unwrap_err().kind(), &open(2));
    let error = w.root().pandemonium_typed_array(Kind::TypedArray, ints, 0);
    let outermost = WriteErrorKind::ChildOpen {
        open: 2,
        expected: 0,
    };
    assert_eq!(error.map(drop).unwrap_err().kind(), &outermost);

    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    let mut object = w.root().object("A", 2).unwrap();
    let _ = object.property("a").unwrap().dict(1).unwrap();
    assert_eq!(object.property("b").map(drop).unwrap_err().kind(), &open(2));
    assert_eq!(object.end().unwrap_err().kind(), &open(2));

    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    let mut pairs = w.root().growing_dict().unwrap();
    let _ = pairs.key("a").unwrap().array(1).unwrap();
    assert_eq!(pairs.end().unwrap_err().kind(), &open(2));
    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    let mut items = w.root().growing_array().unwrap();
    let _ = items.push().array(1).unwrap();
    assert_eq!(items.end().unwrap_err().kind(), &open(2));
}

/// A log shows this when a slot is printed.
#[test]
fn debug_output_tells_the_depth() {
    let mut w = Writer::new(Measure::new(), Target::GODOT_3);
    assert_eq!(format!("{:?}", w.root()), "Slot { depth: 0, .. }");
    let mut items = w.root().array(3).unwrap();
    assert_eq!(format!("{items:?}"), "ArraySlots { depth: 1, .. }");
    let mut pairs = items.push().dict(1).unwrap();
    assert_eq!(format!("{pairs:?}"), "DictSlots { depth: 2, .. }");
    assert_eq!(format!("{:?}", pairs.entry()), "KeySlot { depth: 2, .. }");
    let object = pairs.key("a").unwrap().object("A", 0).unwrap();
    assert_eq!(format!("{object:?}"), "ObjectSlots { depth: 3, .. }");
    object.end().unwrap();
    pairs.end().unwrap();
    let mut growing = items.push().growing_array().unwrap();
    assert_eq!(format!("{growing:?}"), "GrowingArray { depth: 2, .. }");
    let inner = growing.push().growing_dict().unwrap();
    assert_eq!(format!("{inner:?}"), "GrowingDict { depth: 3, .. }");
    inner.end().unwrap();
    growing.end().unwrap();
    // Two heads, a String of one letter, an object of a class of one letter, two more heads.
    assert_eq!(
        format!("{w:?}"),
        "Writer { sink: Measure { len: 60 }, target: Target { dialect: Dialect(godot3), minor: 6, \
         precision: AsGiven, int_rule: Shortest }, position: 60, depth: 1, .. }"
    );
    w.burst(|burst| {
        assert_eq!(format!("{burst:?}"), "Burst { depth: 1, .. }");
        Ok(())
    })
    .unwrap();
    let mut w = Writer::new(IoSink::new(Vec::<u8>::new()), Target::GODOT_4);
    w.bool(true).unwrap();
    assert_eq!(
        format!("{:?}", w.into_sink()),
        "IoSink { inner: [], collected: 8, .. }"
    );
    let sink = SeekSink::new(std::io::Cursor::new(vec![1_u8])).unwrap();
    assert_eq!(
        format!("{sink:?}"),
        "SeekSink { out: IoSink { inner: Cursor { inner: [1], pos: 0 }, collected: 0, .. }, start: 0 }"
    );
}
