//! A value that was read comes back unchanged, or is refused with a message that helps: owned, and
//! through serde.
#![cfg(feature = "serde")]

use std::collections::{BTreeMap, HashMap, VecDeque};

use gdvar::{
    Dialect, Document, Objects, ReadOptions, Variant,
    math::{Vector2, Vector3},
    variant,
    write::{Precision, Target},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

const DOUBLE: Vector3<f64> = Vector3::new(1_234_567.123_456_789, f64::MAX, 0.1);

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect()
}

/// A Dictionary of one key, as `var_to_bytes({key: value})` of Godot 4 writes it.
fn dictionary(key: &str, value: &str) -> Vec<u8> {
    hex(&format!("1b000000 01000000 {key} {value}"))
}

#[track_caller]
fn echo<T: DeserializeOwned + Serialize>(bytes: &[u8]) {
    let value: T = gdvar::serde::from_slice(bytes).unwrap();
    assert_eq!(gdvar::serde::to_vec(&value).unwrap(), bytes);
}

#[test]
fn doubles_stay_doubles() {
    let save = variant!({ "pos": DOUBLE });
    let bytes = save.to_vec(Target::GODOT_4).unwrap();
    assert_eq!(Variant::from_slice(&bytes, Dialect::GODOT_4), Ok(save));

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Save {
        pos: Vector3<f64>,
    }
    let save = Save { pos: DOUBLE };
    let bytes = gdvar::serde::to_vec(&save).unwrap();
    assert_eq!(gdvar::serde::from_slice::<Save>(&bytes).unwrap(), save);
    echo::<Save>(&bytes);

    let error = gdvar::serde::to_vec_with(&save, Target::GODOT_3).unwrap_err();
    assert!(error.to_string().contains("Precision::Single"), "{error}");
    let single = Target::GODOT_3.with_precision(Precision::Single);
    assert!(gdvar::serde::to_vec_with(&save, single).is_ok());
}

// {Vector2i(3, -1): "grass"}
const TILE_KEY: &str = "06000000 03000000 ffffffff";
const GRASS: &str = "04000000 05000000 6772617373000000";

#[test]
fn cells_are_keys_as_themselves() {
    let bytes = dictionary(TILE_KEY, GRASS);
    echo::<HashMap<Vector2<i32>, String>>(&bytes);
    echo::<BTreeMap<Vector2<i32>, String>>(&bytes);

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Tuples {
        #[serde(with = "gdvar::serde::math")]
        tiles: HashMap<(i32, i32), String>,
    }
    echo::<Tuples>(&bytes);
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Lists {
        #[serde(with = "gdvar::serde::math")]
        tiles: BTreeMap<[i32; 2], String>,
    }
    echo::<Lists>(&bytes);
    echo::<HashMap<gdvar::serde::Math<(i32, i32)>, String>>(&bytes);
}

#[test]
fn a_vector_is_no_list_unless_asked() {
    // Otherwise it would be written as an Array, and the game would find no tile.
    let bytes = dictionary(TILE_KEY, GRASS);
    let refused = gdvar::serde::from_slice::<HashMap<(i32, i32), String>>(&bytes).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "${0:key}, at byte 0x8: expected a list, found a Vector2i, and a list would be written as an \
         Array; use the type of gdvar::math, or mark the field with #[serde(with = \
         \"gdvar::serde::math\")] (keys and elements: gdvar::serde::Math)"
    );
    let point = variant!([Vector3::new(1.0_f32, 2.0, 3.0)]);
    let point = point.to_vec(Target::GODOT_4).unwrap();
    assert!(gdvar::serde::from_slice::<Vec<[f32; 3]>>(&point).is_err());
    assert!(gdvar::serde::from_slice::<Vec<Vec<f64>>>(&point).is_err());
    echo::<Vec<gdvar::serde::Math<[f32; 3]>>>(&point);
    // PackedVector2Array([Vector2(1, 2)])
    let packed = hex("23000000 01000000 0000803f 00000040");
    assert!(gdvar::serde::from_slice::<Vec<(f32, f32)>>(&packed).is_err());
}

#[cfg(feature = "glam-034")]
#[test]
fn types_of_glam_are_vectors() {
    use glam_034::{Affine3A, IVec2, Quat, Vec2, Vec3};

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Unit {
        #[serde(with = "gdvar::serde::glam")]
        pos: Vec3,
        #[serde(with = "gdvar::serde::glam")]
        turn: Quat,
        #[serde(with = "gdvar::serde::glam")]
        frame: Affine3A,
        #[serde(with = "gdvar::serde::glam")]
        target: Option<Vec2>,
        #[serde(with = "gdvar::serde::glam")]
        marks: Vec<Vec2>,
        #[serde(with = "gdvar::serde::glam")]
        tiles: HashMap<IVec2, u8>,
        #[serde(with = "gdvar::serde::packed")]
        path: Vec<Vec2>,
    }
    let unit = Unit {
        pos: Vec3::new(1.0, 2.0, 3.0),
        turn: Quat::from_xyzw(0.0, 0.0, 0.0, 1.0),
        frame: Affine3A::from_translation(Vec3::X),
        target: None,
        marks: vec![Vec2::X],
        tiles: HashMap::from([(IVec2::new(3, -1), 7)]),
        path: vec![Vec2::Y; 2],
    };
    let bytes = gdvar::serde::to_vec(&unit).unwrap();
    assert_eq!(gdvar::serde::from_slice::<Unit>(&bytes).unwrap(), unit);
    let root = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
    let kinds: Vec<String> = root
        .as_dict()
        .unwrap()
        .iter()
        .map(|pair| pair.unwrap().1.kind().to_string())
        .collect();
    let expected = [
        "Vector3",
        "Quaternion",
        "Transform3D",
        "Nil",
        "Array",
        "Dictionary",
        "PackedVector2Array",
    ];
    assert_eq!(kinds, expected);
    let tiles = root.as_dict().unwrap().get("tiles").unwrap().unwrap();
    let (cell, _) = tiles.as_dict().unwrap().iter().next().unwrap().unwrap();
    assert_eq!(cell.as_vector2i(), Some(Vector2::new(3, -1)));
}

#[cfg(feature = "mint")]
#[test]
fn types_of_mint_are_vectors() {
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Place(#[serde(with = "gdvar::serde::math")] mint::Point3<f32>);
    echo::<Place>(
        &variant!(Vector3::new(1.0_f32, 2.0, 3.0))
            .to_vec(Target::GODOT_4)
            .unwrap(),
    );
}

#[test]
fn bytes_go_to_json_and_back() {
    let bytes = hex("1d000000 03000000 01020300"); // PackedByteArray([1, 2, 3])
    let json: serde_json::Value = gdvar::serde::from_slice(&bytes).unwrap();
    assert_eq!(
        json,
        serde_json::json!({ "type": "PackedByteArray", "args": [1, 2, 3] })
    );
    // What looks like a Godot type may be somebody's data, so a Variant has another form in JSON.
    assert!(serde_json::from_value::<Variant>(json).is_err());
    let value = Variant::from_slice(&bytes, Dialect::GODOT_4).unwrap();
    let json = serde_json::to_value(&value).unwrap();
    let back: Variant = serde_json::from_value(json).unwrap();
    assert_eq!(back.to_vec(Target::GODOT_4).unwrap(), bytes);

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "do")]
    enum Packet {
        Blob {
            #[serde(with = "gdvar::serde::packed")]
            data: Vec<u8>,
        },
    }
    let packet = Packet::Blob {
        data: vec![1, 2, 3],
    };
    let bytes = gdvar::serde::to_vec(&packet).unwrap();
    assert_eq!(gdvar::serde::from_slice::<Packet>(&bytes).unwrap(), packet);
}

#[test]
fn lists_of_every_sort_are_packed() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Lists {
        #[serde(with = "gdvar::serde::packed")]
        bytes: Vec<u8>,
        #[serde(with = "gdvar::serde::packed")]
        few: [f32; 3],
        #[serde(with = "gdvar::serde::packed")]
        queue: VecDeque<i64>,
        #[serde(with = "gdvar::serde::packed")]
        names: Option<Vec<String>>,
        #[serde(with = "gdvar::serde::packed")]
        none: Option<Vec<i32>>,
    }
    let mut queue = VecDeque::from([2, 3]);
    queue.push_front(1);
    let lists = Lists {
        bytes: vec![9],
        few: [0.5; 3],
        queue,
        names: Some(vec!["Ann".to_owned()]),
        none: None,
    };
    let bytes = gdvar::serde::to_vec(&lists).unwrap();
    assert_eq!(gdvar::serde::from_slice::<Lists>(&bytes).unwrap(), lists);
    let root = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
    let kinds = ["bytes", "few", "queue", "names", "none"].map(|key| {
        let value = root.as_dict().unwrap().get(key).unwrap().unwrap();
        value.kind().to_string()
    });
    assert_eq!(
        kinds,
        [
            "PackedByteArray",
            "PackedFloat32Array",
            "PackedInt64Array",
            "PackedStringArray",
            "Nil"
        ]
    );
    let short = gdvar::serde::to_vec(&HashMap::from([(
        "few",
        variant!(Variant::PackedFloat32Array(vec![1.0])),
    )]))
    .unwrap();
    #[derive(Deserialize, Debug)]
    struct Few {
        #[serde(with = "gdvar::serde::packed")]
        #[allow(dead_code)]
        few: [f32; 3],
    }
    let error = gdvar::serde::from_slice::<Few>(&short).unwrap_err();
    assert!(error.to_string().starts_with("$.few, at byte"), "{error}");
}

/// docs/FORMAT.md §5: the engine writes the mark, and drops it when it reads.
#[test]
fn a_byte_order_mark_is_kept() {
    // var_to_bytes("\ufeffhi"), and as a key.
    let text = "04000000 05000000 efbbbf6869000000";
    let bytes = hex(text);
    echo::<String>(&bytes);
    echo::<Variant>(&bytes);
    let owned = Variant::from_slice(&bytes, Dialect::GODOT_4).unwrap();
    assert_eq!(owned.to_vec(Target::GODOT_4).unwrap(), bytes);
    assert_eq!(
        gdvar::serde::from_slice::<&str>(&bytes).unwrap(),
        "\u{feff}hi"
    );
    let pair = dictionary(text, "02000000 07000000");
    echo::<HashMap<String, i64>>(&pair);
    let owned = Variant::from_slice(&pair, Dialect::GODOT_4).unwrap();
    assert_eq!(owned.to_vec(Target::GODOT_4).unwrap(), pair);
    // A key is looked up by the name that a script would find, without the byte order mark.
    #[derive(Deserialize)]
    struct Pair {
        hi: i64,
    }
    assert_eq!(gdvar::serde::from_slice::<Pair>(&pair).unwrap().hi, 7);
}

/// docs/FORMAT.md §6, row 20: Godot 4 ignores the shared bit of Godot 2.
#[test]
fn the_shared_bit_means_nothing_to_later_engines() {
    let odd = hex("1c000000 00000080");
    let owned = Variant::from_slice(&odd, Dialect::GODOT_4).unwrap();
    assert_eq!(owned, variant!([]));
    assert_eq!(
        owned.to_vec(Target::GODOT_4).unwrap(),
        hex("1c000000 00000000")
    );
    // Godot 2 wrote it, and gets it back: Array is number 21 there.
    let shared = hex("15000000 00000080");
    let owned = Variant::from_slice(&shared, Dialect::GODOT_2).unwrap();
    assert_eq!(owned.to_vec(Target::GODOT_2).unwrap(), shared);
}

/// Every way to read has the same default.
#[test]
fn whole_objects_are_let_in_by_name_only() {
    // An object of class Node without properties.
    let object = hex("18000000 04000000 4e6f6465 00000000");
    let document = Document::new(&object, Dialect::GODOT_4);
    let kind = document.validate().unwrap_err().kind();
    assert_eq!(kind.name(), "ObjectsNotAllowed");
    let owned = Variant::from_slice(&object, Dialect::GODOT_4);
    assert_eq!(owned.unwrap_err().kind(), kind);
    let read = gdvar::serde::from_slice::<Variant>(&object).unwrap_err();
    assert_eq!(read.read_error(), Some(kind));
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let owned = Variant::from_slice_with(&object, options).unwrap();
    assert_eq!(owned.to_vec(Target::GODOT_4).unwrap(), object);
}

/// `file.store_var(value)` is the length and the value.
#[test]
fn a_file_of_store_var_is_recognized() {
    let mut seen = 0;
    for n in [1_usize, 3, 20, 25, 300, 70_000] {
        let list: Vec<Variant> = (0..n as i64).map(Variant::from).collect();
        let value = variant!({ "list": list });
        let bytes = value.to_vec(Target::GODOT_4).unwrap();
        let file = [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat();
        let expected = format!(
            "the first word, {}, is the length of what follows, as store_var and put_var \
             write it; read the bytes as records, or without their first \
             four",
            bytes.len()
        );
        #[derive(Deserialize, Debug)]
        struct Save {
            #[allow(dead_code)]
            list: Vec<i64>,
        }
        let error = gdvar::serde::from_slice::<Save>(&file).unwrap_err();
        assert_eq!(error.to_string(), format!("$, at byte 0x0: {expected}"));
        // Some lengths are the header of another type; for the others every reader recognizes a
        // length.
        let document = Document::new(&file, Dialect::GODOT_4);
        assert_eq!(document.length_prefix(), Some(bytes.len() as u32));
        if Dialect::GODOT_4
            .kind(gdvar::write::wire::TypeId(file[0]))
            .is_some()
        {
            continue;
        }
        seen += 1;
        let owned = Variant::from_slice(&file, Dialect::GODOT_4).unwrap_err();
        assert!(owned.to_string().ends_with(&expected), "{owned}");
        assert_eq!(document.root().unwrap_err(), owned);
        assert_eq!(document.validate().unwrap_err(), owned);
    }
    assert!(seen >= 3, "{seen}");
}

/// docs/FORMAT.md §1.2: builds of Godot 4.0 and 4.1 with `precision=double` wrote a Vector4 of 64 bits without a flag.
#[test]
fn a_vector4_that_does_not_say_its_width_is_read_with_the_option() {
    let mut bytes = vec![28, 0, 0, 0, 2, 0, 0, 0, 12, 0, 0, 0];
    for number in [1.5_f64, -2.0, 1e300, 0.0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([2, 0, 0, 0, 7, 0, 0, 0]);
    // As many bytes follow as another value would have.
    bytes.extend([0; 16]);
    let options = ReadOptions::new(Dialect::GODOT_4).with_unflagged_vector4_is_f64(true);
    let (value, _) = Variant::from_prefix(&bytes, options).unwrap();
    let expected = gdvar::math::Vector4 {
        x: 1.5,
        y: -2.0,
        z: 1e300,
        w: 0.0,
    };
    assert_eq!(value[0].as_vector4_f64(), Some(expected));
    assert_eq!(value[1].as_i64(), Some(7));
    let reading = gdvar::serde::ReadWith::from(options).allow_trailing_bytes();
    let read: (gdvar::math::Vector4<f64>, i64) =
        gdvar::serde::from_slice_with(&bytes, reading).unwrap();
    assert_eq!(read, (expected, 7));
}

#[cfg(all(feature = "glam-033", feature = "glam-034", feature = "mint"))]
#[test]
fn math_types_of_other_libraries_come_out_of_variants() {
    use gdvar::error::WrongKind;

    let value = variant!(glam_034::Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(
        glam_033::Vec3::try_from(&value),
        Ok(glam_033::Vec3::new(1.0, 2.0, 3.0))
    );
    assert_eq!(
        glam_034::DVec3::try_from(&value),
        Ok(glam_034::DVec3::new(1.0, 2.0, 3.0))
    );
    assert_eq!(
        mint::Point3::<f32>::try_from(&value),
        Ok([1.0, 2.0, 3.0].into())
    );
    assert_eq!(variant!(mint::Vector3::from([1.0_f32, 2.0, 3.0])), value);
    let wrong: Result<glam_034::Vec2, WrongKind> = value.try_into();
    let text = "expected a Vector2 of 32-bit reals, found a Vector3";
    assert_eq!(wrong.unwrap_err().to_string(), text);
    let turned = glam_033::Affine3A::from_rotation_y(0.5);
    assert_eq!(glam_033::Affine3A::try_from(variant!(turned)), Ok(turned));
}

/// The engine's own bytes of typed arrays are in `testdata`; docs/FORMAT.md §4.3 has their header.
#[cfg(feature = "serde")]
#[test]
fn derived_structs_write_typed_arrays() {
    use gdvar::serde::typed;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Lists {
        #[serde(with = "typed")]
        ints: Vec<i64>,
        #[serde(with = "typed")]
        none: [String; 0],
        #[serde(with = "typed")]
        cells: Option<Vec<Vector2<i32>>>,
    }
    let lists = Lists {
        ints: vec![1, 2],
        none: [],
        cells: Some(vec![Vector2::new(3, 4)]),
    };
    let bytes = gdvar::serde::to_vec(&lists).unwrap();
    let value = Variant::from_slice(&bytes, Dialect::GODOT_4).unwrap();
    assert_eq!(
        value.to_string(),
        "{\"ints\": Array[int]([1, 2]), \"none\": Array[String]([]), \"cells\": Array[Vector2i]([Vector2i(3, 4)])}"
    );
    assert_eq!(value.to_vec(Target::GODOT_4).unwrap(), bytes);
    assert_eq!(gdvar::serde::from_slice::<Lists>(&bytes).unwrap(), lists);
    assert_eq!(gdvar::tree::to_variant(&lists).unwrap(), value);
    // Other formats see a plain list.
    let json = serde_json::to_string(&lists).unwrap();
    assert_eq!(
        json,
        r#"{"ints":[1,2],"none":[],"cells":[{"type":"Vector2i","args":[3,4]}]}"#
    );
    let error = gdvar::serde::to_vec_with(&lists, Target::GODOT_4.with_minor(2)).unwrap_err();
    assert_eq!(error.path(), Some("$.ints"));
}
