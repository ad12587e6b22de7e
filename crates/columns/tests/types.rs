//! The types of columns: how the sample decides, what widens, what does not fit.

use gdvar_columns::{Batch, Dialect, Origin, Query, Sample, Table, Type, Values};
use gdvar_write::{
    Sink, Target, Writer,
    wire::math::{Color, Vector2},
};

type Bytes = Writer<Vec<u8>>;

fn value(
    put: impl FnOnce(&mut Bytes) -> Result<(), gdvar_write::Error<core::convert::Infallible>>,
) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    put(&mut writer).unwrap();
    writer.finish().unwrap()
}

fn table(path: &str, sample: u64, values: &[Vec<u8>]) -> Batch {
    let query = Query::new().column("it", path).unwrap();
    let mut table = Table::new(query, Dialect::GODOT_4).with_sample_size(sample, usize::MAX);
    values
        .iter()
        .for_each(|value| table.push(Origin::default(), value));
    table.finish().unwrap()
}

fn ty(batch: &Batch) -> String {
    batch.columns()[0].ty().to_string()
}

fn errors(batch: &Batch) -> Vec<Option<&str>> {
    let errors = batch.column("error").unwrap().array();
    (0..batch.rows()).map(|at| errors.text(at)).collect()
}

#[test]
fn an_int_beside_floats_is_a_float_and_behind_the_sample_too() {
    let values = [
        value(|w| w.float(0.5)),
        value(|w| w.int(7)),
        value(|w| w.nil()),
        value(|w| w.int(1 << 60)),
        value(|w| w.string("many")),
    ];
    let batch = table("$", 3, &values);
    assert_eq!(ty(&batch), "float64");
    let array = batch.columns()[0].array();
    assert_eq!(
        *array.values(),
        Values::Float64(vec![0.5, 7.0, 0.0, 0.0, 0.0])
    );
    assert_eq!(array.validity().as_bytes(), [0b00011]);
    let wide = "it: expected float64, found Int 1152921504606846976";
    assert_eq!(
        errors(&batch),
        [
            None,
            None,
            None,
            Some(wide),
            Some("it: expected float64, found text")
        ]
    );
}

#[test]
fn what_has_nothing_in_common_is_decided_by_number_and_told() {
    let values = [
        value(|w| w.string("none")),
        value(|w| w.int(1)),
        value(|w| w.float(2.5)),
        value(|w| w.begin_dict(0).and_then(|()| w.end())),
    ];
    let query = Query::new().column("it", "$").unwrap();
    let mut sample = Sample::new(query, Dialect::GODOT_4);
    values.iter().for_each(|value| sample.see(value));
    let schema = sample.schema();
    let field = &schema.fields()[0];
    assert_eq!(
        field.to_string(),
        "it: float64 (text in 1 rows, int64 in 1, float64 in 1, Dictionary in 1)"
    );
    assert!(field.is_widened());
    let batch = table("$", 100, &values);
    let told = [
        Some("it: expected float64, found text"),
        None,
        None,
        Some("it: expected float64, found Dictionary"),
    ];
    assert_eq!(errors(&batch), told);
}

#[test]
fn a_column_without_a_value_in_the_sample_is_null_unless_it_is_given() {
    let values = [value(|w| w.nil()), value(|w| w.int(4))];
    let batch = table("$", 1, &values);
    assert_eq!(
        (ty(&batch).as_str(), batch.columns()[0].array().nulls()),
        ("null", 2)
    );
    assert_eq!(
        errors(&batch),
        [None, Some("it: expected null, found Int 4")]
    );

    let query = Query::new()
        .typed_column("it", "$", "int32".parse().unwrap())
        .unwrap();
    let mut table = Table::new(query, Dialect::GODOT_4);
    for value in [value(|w| w.int(4)), value(|w| w.int(1 << 31))] {
        table.push(Origin::default(), &value);
    }
    let batch = table.finish().unwrap();
    assert_eq!(
        *batch.columns()[0].array().values(),
        Values::Int32(vec![4, 0])
    );
    assert_eq!(
        errors(&batch),
        [None, Some("it: expected int32, found Int 2147483648")]
    );
}

fn list(batch: &Batch) -> (&[i32], &Values) {
    match batch.columns()[0].array().values() {
        Values::List { offsets, elements } => (offsets, elements.values()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn packed_arrays_are_lists_of_their_elements() {
    let batch = table(
        "$",
        9,
        &[
            value(|w| w.packed_i32(&[1, -2])),
            value(|w| w.nil()),
            value(|w| w.packed_i32(&[])),
        ],
    );
    assert_eq!(ty(&batch), "list<int32>");
    assert_eq!(
        list(&batch),
        (&[0, 2, 2, 2][..], &Values::Int32(vec![1, -2]))
    );
    assert_eq!(batch.columns()[0].array().validity().as_bytes(), [0b101]);

    // Elements that are wider, one row later: all of them are held.
    let wide = [
        value(|w| w.packed_i32(&[1])),
        value(|w| w.packed_i64(&[1 << 40])),
    ];
    let batch = table("$", 9, &wide);
    assert_eq!(
        (ty(&batch).as_str(), list(&batch)),
        (
            "list<int64>",
            (&[0, 1, 2][..], &Values::Int64(vec![1, 1 << 40]))
        )
    );
    // Behind the sample the type stands.
    let batch = table("$", 1, &wide);
    assert_eq!(list(&batch), (&[0, 1, 1][..], &Values::Int32(vec![1])));
    assert_eq!(
        errors(&batch)[1],
        Some("it: expected list<int32>, found packed array of int64")
    );

    let point = |x| Vector2 { x, y: 2.0_f32 };
    let batch = table(
        "$",
        9,
        &[value(|w| w.packed_vector2(&[point(1.0), point(3.0)]))],
    );
    assert_eq!(ty(&batch), "list<float32[2]>");
    let (offsets, Values::Fixed { len: 2, numbers }) = list(&batch) else {
        panic!()
    };
    assert_eq!(
        (offsets, numbers.values()),
        (&[0, 2][..], &Values::Float32(vec![1.0, 2.0, 3.0, 2.0]))
    );

    let batch = table("$", 9, &[value(|w| w.packed_strings(["a", "\u{df}"]))]);
    let text = Values::Text {
        offsets: vec![0, 1, 3],
        data: "a\u{df}".into(),
    };
    assert_eq!((ty(&batch).as_str(), list(&batch).1), ("list<text>", &text));

    let batch = table("$", 9, &[value(|w| w.packed_bytes(b"xyz"))]);
    let bytes = Values::Binary {
        offsets: vec![0, 3],
        data: b"xyz".to_vec(),
    };
    assert_eq!(
        (ty(&batch).as_str(), batch.columns()[0].array().values()),
        ("binary", &bytes)
    );
}

fn array<S: Sink>(
    writer: &mut Writer<S>,
    ints: &[Option<i64>],
) -> Result<(), gdvar_write::Error<S::Error>> {
    writer.begin_array(ints.len())?;
    for int in ints {
        match int {
            Some(int) => writer.int(*int)?,
            None => writer.nil()?,
        }
    }
    writer.end()
}

#[test]
fn arrays_of_one_type_are_lists_and_nulls_in_them_stay() {
    let batch = table(
        "$",
        9,
        &[
            value(|w| array(w, &[Some(5), None])),
            value(|w| array(w, &[])),
        ],
    );
    assert_eq!(list(&batch), (&[0, 2, 2][..], &Values::Int64(vec![5, 0])));
    let Values::List { elements, .. } = batch.columns()[0].array().values() else {
        panic!()
    };
    assert_eq!(elements.validity().as_bytes(), [0b01]);
    // Half of a list is not kept.
    let mixed = value(|w| {
        w.begin_array(2)?;
        w.int(1)?;
        w.string("two")?;
        w.end()
    });
    let batch = table(
        "$",
        1,
        &[
            value(|w| array(w, &[Some(5)])),
            mixed,
            value(|w| array(w, &[Some(6)])),
        ],
    );
    assert_eq!(
        list(&batch),
        (&[0, 1, 1, 2][..], &Values::Int64(vec![5, 6]))
    );
    assert_eq!(errors(&batch)[1], Some("it: expected int64, found text"));
}

#[test]
fn math_is_numbers_in_stream_order() {
    let red = Color {
        r: 1.0,
        g: 0.0,
        b: 0.0,
        a: 0.5,
    };
    let batch = table(
        "$",
        9,
        &[
            value(|w| w.color(red)),
            value(|w| w.nil()),
            value(|w| w.vector2(Vector2 { x: 1_f32, y: 2.0 })),
        ],
    );
    assert_eq!(ty(&batch), "float32[4]");
    let Values::Fixed { numbers, .. } = batch.columns()[0].array().values() else {
        panic!()
    };
    assert_eq!((numbers.len(), numbers.nulls()), (12, 0));
    let mut wanted = vec![1.0, 0.0, 0.0, 0.5];
    wanted.resize(12, 0.0);
    assert_eq!(*numbers.values(), Values::Float32(wanted));
    assert_eq!(
        errors(&batch)[2],
        Some("it: expected float32[4], found Vector2")
    );
}

#[test]
fn rows_of_a_packed_array_are_its_elements() {
    let points = [Vector2 { x: 1.0_f32, y: 2.0 }, Vector2 { x: 3.0, y: 4.0 }];
    let value = value(|w| w.packed_vector2(&points));
    let query = Query::new()
        .column("x", "x")
        .unwrap()
        .column("both", "$")
        .unwrap()
        .each("$")
        .unwrap();
    let mut table = Table::new(query, Dialect::GODOT_4);
    table.push(Origin::default(), &value);
    let batch = table.finish().unwrap();
    assert_eq!(
        *batch.columns()[0].array().values(),
        Values::Float64(vec![1.0, 3.0])
    );
    assert_eq!(batch.columns()[1].ty().to_string(), "float32[2]");
}

#[test]
fn types_are_read_as_they_are_written() {
    for text in [
        "null",
        "bool",
        "int32",
        "int64",
        "float32",
        "float64",
        "text",
        "binary",
        "int32[2]",
        "float64[16]",
        "list<text>",
        "list<float32[3]>",
    ] {
        assert_eq!(text.parse::<Type>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "list",
        "list<null>",
        "text[2]",
        "float32[0]",
        "float32[17]",
        "list<list<text>>",
    ] {
        assert!(text.parse::<Type>().is_err(), "{text}");
    }
}
