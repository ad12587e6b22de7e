//! The type of a column does not depend on the order of rows or on how they are distributed. Rows
//! are lost only if the type cannot hold them, each with its reason.

use gdvar_columns::{
    Batch, BatchSize, Builder, Dialect, Origin, Query, Row, Sample, Schema, Table, Type, Values,
    types,
};
use gdvar_write::{Target, Writer, wire::math::Vector3};

type Bytes = Writer<Vec<u8>>;
type Put = fn(&mut Bytes) -> Result<(), gdvar_write::Error<core::convert::Infallible>>;

fn value(put: Put) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    put(&mut writer).unwrap();
    writer.finish().unwrap()
}

/// The values of most rows, the value of one row, and the type that holds both.
const WIDENED: [(Put, Put, &str); 9] = [
    (|w| w.int(7), |w| w.float(0.5), "float64"),
    (|w| w.float(0.5), |w| w.int(7), "float64"),
    (|w| w.nil(), |w| w.int(7), "int64"),
    (|w| w.nil(), |w| w.string("x"), "text"),
    (
        |w| w.packed_i32(&[7]),
        |w| w.packed_i64(&[1 << 40]),
        "list<int64>",
    ),
    (
        |w| w.packed_i64(&[7]),
        |w| w.packed_f32(&[0.5]),
        "list<float64>",
    ),
    (
        |w| w.packed_f32(&[0.5]),
        |w| {
            w.begin_array(1)
                .and_then(|()| w.float(0.25))
                .and_then(|()| w.end())
        },
        "list<float64>",
    ),
    (
        |w| w.begin_array(0).and_then(|()| w.end()),
        |w| w.packed_i32(&[7]),
        "list<int32>",
    ),
    (
        |w| {
            w.vector3(Vector3 {
                x: 1.0_f32,
                y: 2.0,
                z: 3.0,
            })
        },
        |w| {
            w.vector3(Vector3 {
                x: 1.0_f64,
                y: 2.0,
                z: 3.0,
            })
        },
        "float64[3]",
    ),
];

fn query() -> Query {
    Query::new().column("it", "$").unwrap()
}

/// Returns the rows as several builders, such as threads, make them.
fn shared(rows: &[Vec<u8>], parts: usize) -> (Schema, Vec<Batch>) {
    let mut sample = Sample::new(query(), Dialect::GODOT_4);
    rows.iter().for_each(|row| sample.see(row));
    let mut schema = sample.schema();
    loop {
        let (mut schemas, mut batches) = (Vec::new(), Vec::new());
        for part in rows.chunks(rows.len().div_ceil(parts)) {
            let mut builder = Builder::new(&schema, Dialect::GODOT_4);
            part.iter()
                .for_each(|row| builder.push(Origin::default(), row));
            schemas.push(builder.schema());
            batches.extend(std::iter::from_fn(|| builder.finish()));
        }
        let found = Schema::of_parts(schemas).unwrap();
        if found.has_types_of(&schema) {
            return (found, batches);
        }
        schema = found;
    }
}

fn missing(batches: &[Batch]) -> (usize, Vec<String>) {
    let nulls = batches
        .iter()
        .map(|batch| batch.columns()[0].array().nulls());
    let errors = batches.iter().flat_map(|batch| {
        let errors = batch.column("error").unwrap().array();
        (0..batch.rows()).filter_map(|at| errors.text(at).map(str::to_owned))
    });
    (nulls.sum(), errors.collect())
}

#[test]
fn one_row_anywhere_widens_a_column() {
    for (many, one, ty) in WIDENED {
        let (many, one) = (value(many), value(one));
        let nulls = usize::from(many == value(|w| w.nil()));
        for count in [3, 1003, 2400] {
            for place in [0, 1, count / 2, 999, 1000, 1001, count - 1] {
                let mut rows = vec![many.clone(); count];
                let Some(row) = rows.get_mut(place) else {
                    continue;
                };
                row.clone_from(&one);
                let what = format!("{ty}, row {place} of {count}");
                let all = rows.iter().map(|row| Row::value("", 0, row));
                let table =
                    Table::read(query(), Dialect::GODOT_4, BatchSize::default(), all.clone());
                let told = types(query(), Dialect::GODOT_4, all);
                let (parts, by_parts) = shared(&rows, 3);
                for schema in [table.schema(), &told, &parts] {
                    assert_eq!(schema.fields()[0].ty().to_string(), ty, "{what}");
                }
                for batches in [table.batches(), &by_parts] {
                    assert_eq!(missing(batches), (nulls * (count - 1), vec![]), "{what}");
                }
            }
        }
    }
}

#[test]
fn the_type_of_most_rows_is_taken_and_the_rest_is_told() {
    let (int, float) = (value(|w| w.int(7)), value(|w| w.float(0.5)));
    let (text, bool, nil) = (
        value(|w| w.string("x")),
        value(|w| w.bool(true)),
        value(|w| w.nil()),
    );
    for (most, rest, ty) in [
        (&int, &text, "float64"),
        (&text, &int, "text"),
        (&bool, &text, "bool"),
    ] {
        // 1500 values of one type and 1100 of another, first, in turn or last; with nulls among
        // them and one float at the end.
        for order in 0..3 {
            let mut rows: Vec<&Vec<u8>> = match order {
                0 => std::iter::repeat_n(rest, 1100)
                    .chain(std::iter::repeat_n(most, 1500))
                    .collect(),
                1 => (0..2600)
                    .map(|n| if n % 2 == 0 && n < 2200 { rest } else { most })
                    .collect(),
                _ => std::iter::repeat_n(most, 1500)
                    .chain(std::iter::repeat_n(rest, 1100))
                    .collect(),
            };
            rows.extend([&nil, &nil, &float]);
            let rows: Vec<Vec<u8>> = rows.into_iter().cloned().collect();
            let all = rows.iter().map(|row| Row::value("", 0, row));
            let table = Table::read(query(), Dialect::GODOT_4, BatchSize::default(), all);
            let (parts, by_parts) = shared(&rows, 4);
            let floats = usize::from(ty != "float64");
            for (schema, batches) in [(table.schema(), table.batches()), (&parts, &by_parts)] {
                assert_eq!(schema.fields()[0].ty().to_string(), ty, "order {order}");
                let (nulls, errors) = missing(batches);
                assert_eq!(
                    (nulls, errors.len()),
                    (1100 + 2 + floats, 1100 + floats),
                    "{ty}"
                );
            }
        }
    }
    // If two types hold equally many rows, the order does not matter either.
    for rows in [[&int, &text], [&text, &int]] {
        let rows = rows.map(|row| Row::value("", 0, row));
        let table = Table::read(query(), Dialect::GODOT_4, BatchSize::default(), rows);
        assert_eq!(
            table.schema().fields()[0].ty(),
            "int64".parse::<Type>().unwrap()
        );
    }
}

#[test]
fn an_int_that_no_float_holds_is_told_wherever_the_float_is() {
    let (wide, float) = (value(|w| w.int((1 << 53) + 1)), value(|w| w.float(0.5)));
    for rows in [[&wide, &float], [&float, &wide]] {
        let all = rows.map(|row| Row::value("", 0, row));
        let table = Table::read(query(), Dialect::GODOT_4, BatchSize::default(), all);
        let told = "it: expected float64, found Int 9007199254740993".to_owned();
        assert_eq!(missing(table.batches()), (1, vec![told]));
    }
    // Alone it is an int.
    let table = Table::read(
        query(),
        Dialect::GODOT_4,
        BatchSize::default(),
        [Row::value("", 0, &wide)],
    );
    let array = table.batches()[0].columns()[0].array();
    assert_eq!(*array.values(), Values::Int64(vec![(1 << 53) + 1]));
}

#[test]
fn a_list_without_elements_is_a_list_once_the_column_is_one() {
    let empty = value(|w| w.begin_array(0).and_then(|()| w.end()));
    let rows = vec![empty; 1500];
    let last = value(|w| w.packed_i32(&[7]));
    let all = rows.iter().chain([&last]).map(|row| Row::value("", 0, row));
    let table = Table::read(query(), Dialect::GODOT_4, BatchSize::default(), all);
    let array = table.batches()[0].columns()[0].array();
    let Values::List { offsets, .. } = array.values() else {
        panic!("{array:?}");
    };
    assert_eq!((array.nulls(), offsets[1499], offsets[1501]), (0, 0, 1));
}

/// Checks that rows have this type in any order, read whole and in parts, and so many errors.
#[track_caller]
fn in_any_order(rows: &[(&[u8], usize)], ty: &str, errors: usize) {
    for turn in 0..rows.len() {
        let mut kinds = rows.to_vec();
        kinds.rotate_left(turn);
        let all = kinds
            .iter()
            .flat_map(|(row, count)| vec![row.to_vec(); *count]);
        let all: Vec<Vec<u8>> = all.collect();
        let whole = all.iter().map(|row| Row::value("", 0, row));
        let table = Table::read(query(), Dialect::GODOT_4, BatchSize::default(), whole);
        let (parts, by_parts) = shared(&all, 3);
        for (schema, batches) in [(table.schema(), table.batches()), (&parts, &by_parts)] {
            assert_eq!(schema.fields()[0].ty().to_string(), ty, "turn {turn}");
            assert_eq!(missing(batches).1.len(), errors, "turn {turn}");
        }
    }
}

#[test]
fn lists_without_values_count_for_every_type_of_lists() {
    let empty = value(|w| w.begin_array(0).and_then(|()| w.end()));
    let nulls = value(|w| {
        w.begin_array(1)
            .and_then(|()| w.nil())
            .and_then(|()| w.end())
    });
    let (int, ints) = (value(|w| w.int(7)), value(|w| w.packed_i64(&[7])));
    let texts = value(|w| {
        w.begin_array(1)
            .and_then(|()| w.string("x"))
            .and_then(|()| w.end())
    });
    // No list has a value: they are kept, without a reason.
    in_any_order(&[(&empty, 1500)], "list<int64>", 0);
    in_any_order(&[(&empty, 2), (&nulls, 2)], "list<int64>", 0);
    in_any_order(&[(&empty, 1200), (&int, 1100)], "list<int64>", 1100);
    in_any_order(&[(&empty, 1100), (&int, 1200)], "int64", 1100);
    in_any_order(&[(&empty, 1100), (&texts, 1)], "list<text>", 0);
    let singles = value(|w| w.packed_f32(&[0.5]));
    in_any_order(&[(&empty, 1100), (&singles, 1)], "list<float32>", 0);
    in_any_order(
        &[(&empty, 1200), (&ints, 5), (&int, 1100)],
        "list<int64>",
        1100,
    );
    in_any_order(&[(&empty, 1100), (&ints, 5), (&texts, 6)], "list<text>", 5);
}

#[test]
fn a_few_floats_do_not_cost_many_large_ints() {
    let id = value(|w| w.int((1 << 53) + 1));
    let (int, float) = (value(|w| w.int(7)), value(|w| w.float(0.5)));
    in_any_order(&[(&id, 999), (&float, 1)], "int64", 1);
    in_any_order(&[(&id, 1100), (&int, 1100), (&float, 1050)], "int64", 1050);
    in_any_order(
        &[(&id, 1050), (&int, 1100), (&float, 1100)],
        "float64",
        1050,
    );
    let ids = value(|w| w.packed_i64(&[7, -(1 << 53) - 1]));
    let (ints, floats) = (
        value(|w| w.packed_i32(&[7])),
        value(|w| w.packed_f32(&[0.5])),
    );
    in_any_order(&[(&ids, 1100), (&ints, 3), (&floats, 9)], "list<int64>", 9);
    in_any_order(
        &[(&ids, 9), (&ints, 3), (&floats, 1100)],
        "list<float64>",
        9,
    );
}
