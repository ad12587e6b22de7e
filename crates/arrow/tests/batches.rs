//! Values that `gdvar` wrote, as arrays of Arrow: their types, values and missing values; no buffer
//! is copied.

use arrow_array::{
    Array, RecordBatchReader,
    cast::AsArray,
    types::{Float32Type, Float64Type, Int32Type, Int64Type},
};
use arrow_schema::DataType;
use gdvar::{Dialect, Variant, math::Vector3, variant, write::Target};
use gdvar_arrow::{Query, Reader, Row, record_batch};
use gdvar_columns::{BatchSize, Table, Values};

fn bytes(value: &Variant) -> Vec<u8> {
    value.to_vec(Target::GODOT_4).expect("a value of Godot 4")
}

fn query(columns: &[(&str, &str)]) -> Query {
    let query = Query::new().column("file", "@file").expect("a column");
    columns.iter().fold(query, |query, (name, path)| {
        query.column(name, path).expect("a path")
    })
}

#[test]
fn every_type_of_column_has_its_type_of_arrow() {
    let value = bytes(&variant!({
        "b": true,
        "i": 5,
        "f": 1.5,
        "t": "sword",
        "v": (Vector3::new(1.0_f32, 2.0, 3.0)),
        "raw": (Variant::PackedByteArray(vec![1, 2])),
        "ints": (Variant::PackedInt32Array(vec![1, -2])),
        "list": [1, 2, 3],
        "names": ["a", "b"],
        "nothing": null,
    }));
    let columns = [
        "b", "i", "f", "t", "v", "raw", "ints", "list", "names", "nothing",
    ];
    let columns: Vec<_> = columns.iter().map(|&name| (name, name)).collect();
    let rows = [
        Row::value("one.sav", 0, &value),
        Row::error("two.sav", 0, "no such file"),
    ];
    let mut reader = Reader::new(query(&columns), Dialect::GODOT_4, rows);
    let told = reader.schema();
    let batch = reader.next().expect("a batch").expect("in order");
    assert!(reader.next().is_none());
    assert_eq!(batch.schema(), told);
    assert_eq!(batch.num_rows(), 2);
    let types: Vec<String> = told
        .fields()
        .iter()
        .map(|field| field.data_type().to_string())
        .collect();
    assert_eq!(types[..5], ["Utf8", "Boolean", "Int64", "Float64", "Utf8"]);
    assert_eq!(types[6], "Binary");
    assert_eq!(types[10], "Null");

    let column = |name: &str| batch.column_by_name(name).expect("a column").clone();
    assert!(column("b").as_boolean().value(0));
    assert_eq!(column("i").as_primitive::<Int64Type>().value(0), 5);
    assert_eq!(column("f").as_primitive::<Float64Type>().value(0), 1.5);
    assert_eq!(column("t").as_string::<i32>().value(0), "sword");
    let vector = column("v").as_fixed_size_list().value(0);
    assert_eq!(
        vector.as_primitive::<Float32Type>().values(),
        &[1.0, 2.0, 3.0]
    );
    assert_eq!(column("raw").as_binary::<i32>().value(0), [1, 2]);
    let ints = column("ints").as_list::<i32>().value(0);
    assert_eq!(ints.as_primitive::<Int32Type>().values(), &[1, -2]);
    let list = column("list").as_list::<i32>().value(0);
    assert_eq!(list.as_primitive::<Int64Type>().values(), &[1, 2, 3]);
    let names = column("names").as_list::<i32>().value(0);
    assert_eq!(names.as_string::<i32>().value(1), "b");
    for (name, _) in columns {
        let column = column(name);
        assert!(
            *column.data_type() == DataType::Null || column.is_null(1),
            "{name}"
        );
    }
    let error = column("error");
    assert!(error.is_null(0));
    assert_eq!(error.as_string::<i32>().value(1), "no such file");
}

#[test]
fn buffers_are_handed_on_without_a_copy() {
    let query = query(&[("gold", "gold"), ("name", "name")]);
    let rows = (0..1000).map(|n| {
        let value = variant!({"gold": n, "name": (format!("player {n}"))});
        Row::value("all", 0, bytes(&value))
    });
    let table = Table::read(query, Dialect::GODOT_4, BatchSize::default(), rows);
    let batch = table.into_batches().remove(0);
    let address = |name: &str| match batch.column(name).expect("a column").array().values() {
        Values::Int64(all) => all.as_ptr() as usize,
        Values::Text { data, .. } => data.as_ptr() as usize,
        other => panic!("{other:?}"),
    };
    let wanted = [address("gold"), address("name")];
    let batch = record_batch(batch).expect("in order");
    let gold = batch.column_by_name("gold").expect("a column");
    let name = batch.column_by_name("name").expect("a column");
    let got = [
        gold.as_primitive::<Int64Type>().values().as_ptr() as usize,
        name.as_string::<i32>().value_data().as_ptr() as usize,
    ];
    assert_eq!(got, wanted);
    let sum: i64 = gold.as_primitive::<Int64Type>().values().iter().sum();
    assert_eq!(sum, 499_500);
}

#[test]
fn batches_come_while_rows_do() {
    let value = bytes(&variant!({"gold": 7}));
    let rows = (0..200_000).map(|n| Row::value("log", n, &value));
    let mut reader = Reader::new(query(&[("gold", "gold")]), Dialect::GODOT_4, rows);
    let (mut batches, mut rows, mut sum) = (0, 0, 0);
    for batch in &mut reader {
        let batch = batch.expect("in order");
        let gold = batch.column_by_name("gold").expect("a column");
        sum += gold
            .as_primitive::<Int64Type>()
            .values()
            .iter()
            .sum::<i64>();
        rows += batch.num_rows();
        batches += 1;
    }
    assert_eq!((rows, sum), (200_000, 1_400_000));
    assert!(batches > 2, "{batches}");
}
