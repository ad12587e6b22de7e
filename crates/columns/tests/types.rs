//! The types of columns: which values decide, what widens, what does not fit.

use gdvar_columns::{Batch, BatchSize, Dialect, Query, Row, Sample, Table, Type, Values};
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

fn read(query: Query, values: &[Vec<u8>]) -> Batch {
    let rows = values.iter().map(|value| Row::value("", 0, value));
    let table = Table::read(query, Dialect::GODOT_4, BatchSize::default(), rows);
    let [batch] = <[Batch; 1]>::try_from(table.into_batches()).unwrap();
    batch
}

fn table(path: &str, values: &[Vec<u8>]) -> Batch {
    read(Query::new().column("it", path).unwrap(), values)
}

fn ty(batch: &Batch) -> String {
    batch.columns()[0].ty().to_string()
}

fn errors(batch: &Batch) -> Vec<Option<&str>> {
    let errors = batch.column("error").unwrap().array();
    (0..batch.rows()).map(|at| errors.text(at)).collect()
}

#[test]
fn an_int_beside_floats_is_a_float_unless_a_float_cannot_hold_it() {
    let values = [
        value(|w| w.float(0.5)),
        value(|w| w.int(7)),
        value(|w| w.nil()),
        value(|w| w.int(1 << 60)),
        value(|w| w.string("many")),
    ];
    let batch = table("$", &values);
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
    let batch = table("$", &values);
    let told = [
        Some("it: expected float64, found text"),
        None,
        None,
        Some("it: expected float64, found Dictionary"),
    ];
    assert_eq!(errors(&batch), told);
}

#[test]
fn rows_after_the_sample_are_counted_too() {
    let kinds = [
        ("int64", value(|w| w.int(1))),
        ("float64", value(|w| w.float(0.1))),
        ("text", value(|w| w.string("x"))),
        ("bool", value(|w| w.bool(true))),
    ];
    let (many, few) = (Sample::ROWS as usize * 5, Sample::ROWS as usize + 500);
    for (first, one) in &kinds {
        for (second, other) in kinds.iter().filter(|(name, _)| name != first) {
            let mut values = vec![one.clone(); many];
            values.extend(vec![other.clone(); few]);
            for turned in [false, true] {
                if turned {
                    values.reverse();
                }
                let rows = values.iter().map(|value| Row::value("", 0, value));
                let query = Query::new().column("it", "$").unwrap();
                let table = Table::read(query, Dialect::GODOT_4, BatchSize::default(), rows);
                let mut seen = table.schema().fields()[0].seen().to_vec();
                seen.sort_by_key(|(_, rows)| *rows);
                let told = [(*second, few), (*first, many)];
                let told = told.map(|(name, rows)| (name.to_owned(), rows as u64));
                assert_eq!(seen, told, "{first} {second} {turned}");
            }
        }
    }
}

#[test]
fn a_column_without_a_value_is_null_and_a_given_type_stays() {
    let values = [value(|w| w.nil()), value(|w| w.int(4))];
    let batch = table("$", &values[..1]);
    assert_eq!(
        (ty(&batch).as_str(), batch.columns()[0].array().nulls()),
        ("null", 1)
    );
    let given = Query::new().typed_column("it", "$", Type::Null).unwrap();
    assert_eq!(
        errors(&read(given, &values)),
        [None, Some("it: expected null, found Int 4")]
    );

    let query = Query::new()
        .typed_column("it", "$", "int32".parse().unwrap())
        .unwrap();
    let batch = read(query, &[value(|w| w.int(4)), value(|w| w.int(1 << 31))]);
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

    // Wider elements one row later: the column holds all of them.
    let wide = [
        value(|w| w.packed_i32(&[1])),
        value(|w| w.packed_i64(&[1 << 40])),
    ];
    let batch = table("$", &wide);
    assert_eq!(
        (ty(&batch).as_str(), list(&batch)),
        (
            "list<int64>",
            (&[0, 1, 2][..], &Values::Int64(vec![1, 1 << 40]))
        )
    );
    // A type that was given does not change.
    let query = Query::new().typed_column("it", "$", "list<int32>".parse().unwrap());
    let batch = read(query.unwrap(), &wide);
    assert_eq!(list(&batch), (&[0, 1, 1][..], &Values::Int32(vec![1])));
    assert_eq!(
        errors(&batch)[1],
        Some("it: expected list<int32>, found packed array of int64")
    );

    let point = |x| Vector2 { x, y: 2.0_f32 };
    let batch = table(
        "$",
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

    let batch = table("$", &[value(|w| w.packed_strings(["a", "\u{df}"]))]);
    let text = Values::Text {
        offsets: vec![0, 1, 3],
        data: "a\u{df}".into(),
    };
    assert_eq!((ty(&batch).as_str(), list(&batch).1), ("list<text>", &text));

    let batch = table("$", &[value(|w| w.packed_bytes(b"xyz"))]);
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
    // A list that fails halfway leaves nothing in the column.
    let mixed = value(|w| {
        w.begin_array(2)?;
        w.int(1)?;
        w.string("two")?;
        w.end()
    });
    let batch = table(
        "$",
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
        &[
            value(|w| w.color(red)),
            value(|w| w.nil()),
            value(|w| w.vector2(Vector2 { x: 1_f32, y: 2.0 })),
            value(|w| w.color(red)),
        ],
    );
    assert_eq!(ty(&batch), "float32[4]");
    let Values::Fixed { numbers, .. } = batch.columns()[0].array().values() else {
        panic!()
    };
    assert_eq!((numbers.len(), numbers.nulls()), (16, 0));
    let mut wanted = vec![1.0, 0.0, 0.0, 0.5];
    wanted.resize(12, 0.0);
    wanted.extend([1.0, 0.0, 0.0, 0.5]);
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
    let batch = read(query, &[value]);
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
