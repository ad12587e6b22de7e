//! Godot's types in other serde formats: what human-readable formats hold, what compact formats hold,
//! and the error for anything else.

use arbitrary::Arbitrary;
use gdvar::{
    Dialect, Document,
    math::{Basis, Color, NotAffine, Projection, Transform3D, Vector2, Vector3, Vector4},
    serde::{ObjectId, Rid, StringName},
    tree::{NodePath, Text},
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{
        DeserializeOwned, IntoDeserializer, Visitor,
        value::{BorrowedBytesDeserializer, BytesDeserializer, Error, SeqDeserializer},
    },
    forward_to_deserialize_any,
};

fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        // Cuts off the line and the column, which serde_json adds.
        text.split(" at line ")
            .next()
            .unwrap_or_default()
            .to_owned()
    })
}

fn vector(text: &str) -> Result<Vector2<f32>, String> {
    json(text)
}

#[test]
fn formats_for_people_hold_types_and_arguments() {
    let point = Vector2 { x: 1.0, y: 2.0 };
    for text in [
        r#"{"type": "Vector2", "args": [1, 2]}"#,
        r#"{"args": [1, 2], "type": "Vector2"}"#,
        r#"{"type": "Vector2", "wide": false, "args": [1, 2]}"#,
        // Nobody has to name the type where it is known.
        r#"{"args": [1, 2]}"#,
        "[1, 2]",
    ] {
        assert_eq!(vector(text), Ok(point), "{text}");
    }
    // As scripts list it the columns of a Basis follow each other; in the bytes its rows do
    // (docs/FORMAT.md §3.1).
    let (x, y, z) = (
        Vector3::from([1.0, 2.0, 3.0]),
        Vector3::from([4.0, 5.0, 6.0]),
        Vector3::from([7.0, 8.0, 9.0]),
    );
    let basis: Basis<f32> = Basis::from_columns(x, y, z);
    assert_eq!((basis.x(), basis.y(), basis.z()), (x, y, z));
    let rows = [1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0];
    assert_eq!(<[f32; 9]>::from(basis), rows);
    assert_eq!(
        json(r#"{"type": "Basis", "args": [1, 2, 3, 4, 5, 6, 7, 8, 9]}"#),
        Ok(basis)
    );
    assert_eq!(json("[1, 4, 7, 2, 5, 8, 3, 6, 9]"), Ok(basis));
    let origin = Vector3::from([10.0, 11.0, 12.0]);
    assert_eq!(
        json(r#"{"type": "Transform3D", "args": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}"#),
        Ok(Transform3D { basis, origin })
    );
    assert_eq!(
        serde_json::to_string(&Transform3D { basis, origin }).expect("it is numbers"),
        r#"{"type":"Transform3D","args":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]}"#
    );
    let path = NodePath {
        names: vec!["A".into(), "B".into()],
        subnames: vec!["c".into()],
        absolute: true,
    };
    assert_eq!(
        json(r#"{"type": "NodePath", "args": ["/A/B:c"]}"#),
        Ok(path.clone())
    );
    assert_eq!(json(r#""/A/B:c""#), Ok(path.clone()));
    assert_eq!(json(r#"[true, 2, "A", "B", "c"]"#), Ok(path));
    assert_eq!(json(r#"{"args": ["hp"]}"#), Ok(StringName("hp".to_owned())));
    // Ids are unsigned (§4.4); scripts show them as signed numbers.
    assert_eq!(json("-2"), Ok(ObjectId(u64::MAX - 1)));
    assert_eq!(json(r#"{"type": "RID", "args": [7]}"#), Ok(Rid(7)));
}

/// docs/FORMAT.md §4.5: names of a path may hold anything. Written as text, such a path would be read
/// as another path.
#[test]
fn what_has_no_text_is_refused_by_formats_for_people() {
    let path = |names: &[&str], subnames: &[&str]| NodePath {
        names: names.iter().map(|&name| name.into()).collect(),
        subnames: subnames.iter().map(|&name| name.into()).collect(),
        absolute: false,
    };
    for odd in [
        path(&["a/b"], &[]),
        path(&["a", ""], &[]),
        path(&["a:b"], &[]),
        path(&["a"], &[""]),
        path(&["a"], &["b:c"]),
    ] {
        let refused = serde_json::to_string(&odd).expect_err("another path");
        assert!(refused.to_string().contains("has no text"), "{refused}");
        let bytes = gdvar::serde::to_vec(&odd).expect("itself");
        assert_eq!(
            gdvar::serde::from_slice::<NodePath>(&bytes).expect("itself"),
            odd
        );
        let refused = gdvar::serde::from_slice::<serde_json::Value>(&bytes).expect_err("no text");
        assert!(refused.to_string().contains("has no text"), "{refused}");
    }
    // U+D800, which Godot 3 takes for a character (§6, row 13).
    let wide = [4, 0, 0, 0, 3, 0, 0, 0, 0xed, 0xa0, 0x80, 0];
    let text: Text = gdvar::serde::from_slice_with(&wide, Dialect::GODOT_3).expect("text");
    assert_eq!(
        gdvar::serde::to_vec_with(&text, Dialect::GODOT_3).expect("text"),
        wide
    );
    let refused = serde_json::to_string(&text).expect_err("no characters");
    assert!(refused.to_string().contains("not UTF-8"), "{refused}");
}

#[test]
fn what_does_not_fit_is_named() {
    for (text, message) in [
        ("5", "invalid type: integer `5`, expected Vector2"),
        ("-5", "invalid type: integer `-5`, expected Vector2"),
        (r#""x""#, "invalid type: string \"x\", expected Vector2"),
        ("true", "invalid type: boolean `true`, expected Vector2"),
        ("[1]", "invalid length 1, expected the parts of a Vector2"),
        (
            "[1, 2, 3]",
            "invalid length 3, expected the parts of a Vector2",
        ),
        (
            r#"{"type": "Vector3", "args": [1, 2]}"#,
            "invalid type: Vector3, expected Vector2",
        ),
        (
            r#"{"type": "Vector2", "args": []}"#,
            "invalid length 0, expected the parts of a Vector2",
        ),
        (
            r#"{"type": "Vector9", "args": []}"#,
            "invalid value: string \"Vector9\", expected the name of one of Godot's types",
        ),
        (
            r#"{"type": 5}"#,
            "invalid type: integer `5`, expected the name of one of Godot's types",
        ),
        (r#"{"type": "Vector2"}"#, "missing field `args`"),
        (
            r#"{"type": "Vector2", "wide": true, "args": [1, 2]}"#,
            "the reals of this Vector2 have 64 bits; ask for the type of f64",
        ),
        (
            "[1e300, 0]",
            // serde_json itself refuses this number.
            "number out of range",
        ),
        (
            r#"{"args": 5}"#,
            "invalid type: integer `5`, expected a list of what a Vector2 is made of",
        ),
        (
            r#"{"kind": 1}"#,
            "unknown field `kind`, expected one of `type`, `args`, `wide`",
        ),
    ] {
        assert_eq!(vector(text), Err(message.to_owned()), "{text}");
    }
    assert_eq!(
        json::<NodePath>(r#"{"args": ["a", "b"]}"#),
        Err("invalid length 2, expected the parts of a NodePath".to_owned())
    );
    assert_eq!(
        json::<NodePath>(r#"{"args": []}"#),
        Err("invalid length 0, expected the parts of a NodePath".to_owned())
    );
    assert_eq!(
        json::<NodePath>(r#"[true, 1, ["a"]]"#),
        Err("invalid type: sequence, expected String".to_owned())
    );

    // Bytes are not a vector, whoever keeps them.
    let refused = "invalid type: byte array, expected Vector2";
    let found = Vector2::<f32>::deserialize(BytesDeserializer::<Error>::new(b"ab"));
    assert_eq!(
        found.map_err(|error| error.to_string()),
        Err(refused.into())
    );
    let found = Vector2::<f32>::deserialize(BorrowedBytesDeserializer::<Error>::new(b"ab"));
    assert_eq!(
        found.map_err(|error| error.to_string()),
        Err(refused.into())
    );
    // A member is named by text.
    let pairs = serde::de::value::MapDeserializer::<_, Error>::new([(5, 1)].into_iter());
    assert_eq!(
        Vector2::<f32>::deserialize(pairs).map_err(|error| error.to_string()),
        Err("invalid type: integer `5`, expected \"type\" or \"args\"".into())
    );
}

/// A compact format like postcard: it stores no types, so the reader has to know what comes. This one
/// holds only numbers.
struct Compact<'a>(&'a [f64]);

impl<'de> Deserializer<'de> for Compact<'_> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        assert!(name.starts_with("$gdvar"), "{name}");
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let (asked, _) = self.0.split_at(len);
        visitor.visit_seq(SeqDeserializer::new(asked.iter().copied()))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        panic!("a compact format does not know what it has");
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple_struct map struct enum identifier ignored_any
    }
}

#[test]
fn compact_formats_are_asked_for_as_many_numbers_as_there_are() {
    let numbers: Vec<f64> = (1..=20).map(f64::from).collect();
    let read = || Compact(&numbers);
    assert_eq!(
        Vector2::deserialize(read()),
        Ok(Vector2 { x: 1.0_f32, y: 2.0 })
    );
    assert_eq!(
        Vector3::deserialize(read()),
        Ok(Vector3::<f64>::from([1.0, 2.0, 3.0]))
    );
    assert_eq!(
        Vector4::deserialize(read()),
        Ok(Vector4::<f32>::from([1.0, 2.0, 3.0, 4.0]))
    );
    assert_eq!(
        Color::deserialize(read()),
        Ok(Color::<f32>::from([1.0, 2.0, 3.0, 4.0]))
    );
    // Row after row, as in the bytes.
    let basis = Basis::<f32>::deserialize(read()).expect("nine numbers");
    assert_eq!(basis.rows[0], Vector3::from([1.0, 2.0, 3.0]));
    let projection = Projection::<f64>::deserialize(read()).expect("sixteen numbers");
    assert_eq!(projection.w, Vector4::from([13.0, 14.0, 15.0, 16.0]));
    // A number that is too large is refused, and does not become infinity.
    let large =
        Vector2::<f32>::deserialize(Compact(&[1e39, 0.0])).map_err(|error| error.to_string());
    let refused = large.expect_err("too large");
    assert!(
        refused.contains("a number that 32 bits can hold"),
        "{refused}"
    );
}

/// Ids and names in formats that do not say what they hold.
#[test]
fn numbers_and_texts_stand_for_ids_and_names() {
    let id = IntoDeserializer::<Error>::into_deserializer(7_u64);
    assert_eq!(Rid::deserialize(id), Ok(Rid(7)));
    let id = IntoDeserializer::<Error>::into_deserializer(-1_i64);
    assert_eq!(ObjectId::deserialize(id), Ok(ObjectId(u64::MAX)));
    let name = IntoDeserializer::<Error>::into_deserializer("hp".to_owned());
    assert_eq!(
        StringName::deserialize(name),
        Ok(StringName("hp".to_owned()))
    );
}

#[test]
fn fuzzers_are_told_how_many_bytes_a_vector_takes() {
    assert_eq!(Vector2::<f32>::size_hint(0), (8, Some(8)));
    assert_eq!(Vector3::<f64>::size_hint(0), (24, Some(24)));
    assert_eq!(Projection::<f32>::size_hint(0), (64, Some(64)));
}

#[test]
fn a_matrix_that_is_no_transform_is_explained() {
    assert_eq!(
        NotAffine.to_string(),
        "expected a last row of zeros and a one, found other numbers; a 4×4 matrix fits into a Projection"
    );
}

/// MessagePack writes the number of elements in front of a list, and trusts the number that it was
/// told.
#[test]
fn packed_arrays_have_as_many_elements_as_are_told() {
    #[derive(Deserialize)]
    struct Whole {
        r#type: String,
        args: Vec<f64>,
    }
    // [0.5, 1.5] and [Color(1, 2, 3, 4)]
    let floats = [32, 2, 0x3f00_0000, 0x3fc0_0000]
        .map(u32::to_le_bytes)
        .concat();
    let colors = [37, 1, 0x3f80_0000, 0x4000_0000, 0x4040_0000, 0x4080_0000];
    let colors = colors.map(u32::to_le_bytes).concat();
    let [floats, colors] = [&floats, &colors].map(|bytes| {
        let root = Document::new(bytes, Dialect::GODOT_4).root().unwrap();
        let mut packed = Vec::new();
        let mut to = rmp_serde::Serializer::new(&mut packed)
            .with_human_readable()
            .with_struct_map();
        let written = match root.as_f32s() {
            Some(floats) => floats.serialize(&mut to),
            None => root.as_colors().serialize(&mut to),
        };
        written.unwrap();
        let whole: Whole = rmp_serde::from_slice(&packed).unwrap();
        (whole.r#type, whole.args)
    });
    assert_eq!(floats, ("PackedFloat32Array".to_owned(), vec![0.5, 1.5]));
    let expected = vec![1.0, 2.0, 3.0, 4.0];
    assert_eq!(colors, ("PackedColorArray".to_owned(), expected));
}
