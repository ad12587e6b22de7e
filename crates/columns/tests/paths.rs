//! One walk for all paths finds the same values as a separate search for each path.

use gdvar_columns::{Builder, Dialect, Document, Origin, Query, Sample};
use gdvar_view::{Found, Kind, Path, PathTarget};
use gdvar_write::{Target, Writer, wire::math::Vector2};

/// A value with keys of many kinds, repeated ones among them.
fn odd(target: Target) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), target);
    let has_names = target.can_write(Kind::StringName);
    writer.begin_dict(if has_names { 10 } else { 8 }).unwrap();
    writer.string("a").unwrap();
    writer.begin_dict(2).unwrap();
    for (key, value) in [("x", 1), ("y", 2)] {
        writer.string(key).unwrap();
        writer.int(value).unwrap();
    }
    writer.end().unwrap();
    writer.string("list").unwrap();
    writer.begin_array(3).unwrap();
    writer.int(10).unwrap();
    writer.begin_array(2).unwrap();
    writer.int(20).unwrap();
    writer.int(21).unwrap();
    writer.end().unwrap();
    writer.int(30).unwrap();
    writer.end().unwrap();
    writer.int(7).unwrap();
    writer.int(70).unwrap();
    writer.float(1.5).unwrap();
    writer.int(15).unwrap();
    writer.nil().unwrap();
    writer.int(99).unwrap();
    writer.string("pos").unwrap();
    writer.vector2(Vector2 { x: 4.0_f32, y: 5.0 }).unwrap();
    writer.string("ints").unwrap();
    writer.packed_i32(&[3, 4, 5]).unwrap();
    // The key again: the last one counts, and it has no x.
    writer.string("a").unwrap();
    writer.begin_dict(2).unwrap();
    for (key, value) in [("y", 3), ("y", 4)] {
        writer.string(key).unwrap();
        writer.int(value).unwrap();
    }
    writer.end().unwrap();
    if has_names {
        for (key, value) in [("list2", 1), ("list2", 2)] {
            writer.string_name(key).unwrap();
            writer.int(value).unwrap();
        }
    }
    writer.end().unwrap();
    writer.finish().unwrap()
}

/// A String and a StringName with the same text.
fn both(first: bool, target: Target) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), target);
    writer.begin_dict(3).unwrap();
    for (n, name) in [!first, first, !first].into_iter().enumerate() {
        if name {
            writer.string_name("k").unwrap();
        } else {
            writer.string("k").unwrap();
        }
        writer.int(n as i64).unwrap();
    }
    writer.end().unwrap();
    writer.finish().unwrap()
}

const PATHS: [&str; 37] = [
    "a.x",
    "a.y",
    "a",
    "list[0]",
    "list[1][1]",
    "list[-1]",
    "list[-2][-1]",
    "list[9]",
    "list[-9]",
    "list.x",
    "[7]",
    "[1.5]",
    "[null]",
    "[true]",
    "pos.x",
    "pos.y",
    "pos.z",
    "ints[1]",
    "ints[-1]",
    "ints[5]",
    "{0}.x",
    "{0:key}",
    "{2:key}",
    "{2}",
    "{3}",
    "{99}",
    "list2",
    "[&\"list2\"]",
    "[String(\"list2\")]",
    "[String(\"a\")].y",
    "[&\"k\"]",
    "[String(\"k\")]",
    "k",
    "[\"k\"]",
    "missing.deeper.still",
    "",
    "a[\"\\y\"]",
];

fn alone(value: &[u8], dialect: Dialect, path: &str) -> Option<i64> {
    let root = Document::new(value, dialect).root().unwrap();
    match root.find_path(&Path::parse(path).unwrap()).unwrap()? {
        Found::Value(value) => value.as_i64(),
        Found::Part(PathTarget::Int(int)) => Some(int),
        Found::Part(PathTarget::Math(math)) => math.iter().next().map(|float| float as i64),
        Found::Part(PathTarget::Text(_)) => None,
    }
}

#[test]
fn one_walk_finds_what_each_path_finds_alone() {
    let targets = [
        (Target::GODOT_4, Dialect::GODOT_4),
        (Target::GODOT_3, Dialect::GODOT_3),
        (Target::PANDEMONIUM_5, Dialect::PANDEMONIUM_5),
    ];
    let mut found = 0;
    for (target, dialect) in targets {
        let mut values = vec![odd(target)];
        if target.can_write(Kind::StringName) {
            values.extend([both(false, target), both(true, target)]);
        }
        for value in values {
            // All paths at once, and each in its own query.
            let mut queries: Vec<Vec<&str>> = PATHS.iter().map(|path| vec![*path]).collect();
            queries.push(PATHS.to_vec());
            queries.push(PATHS[..3].to_vec());
            for paths in queries {
                let mut query = Query::new();
                for path in &paths {
                    let ty = if path.contains("pos.") {
                        "float64"
                    } else {
                        "int64"
                    };
                    let name = format!("<{path}>");
                    query = query
                        .typed_column(&name, path, ty.parse().unwrap())
                        .unwrap();
                }
                let schema = Sample::new(query, dialect).schema();
                let mut builder = Builder::new(&schema, dialect);
                builder.push(Origin::default(), &value);
                let batch = builder.finish().unwrap();
                for (path, column) in paths.iter().zip(batch.columns()) {
                    let array = column.array();
                    let int = match array.values() {
                        gdvar_columns::Values::Int64(all) => all[0],
                        gdvar_columns::Values::Float64(all) => all[0] as i64,
                        other => panic!("{other:?}"),
                    };
                    let int = array.validity().get(0).then_some(int);
                    assert_eq!(int, alone(&value, dialect, path), "{dialect:?} {path}");
                    found += usize::from(int.is_some());
                }
            }
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn paths_that_are_none_are_errors_with_their_text() {
    let error = Query::new().column("a", "a[").unwrap_err().to_string();
    assert!(error.starts_with("a[: "), "{error}");
    let twice = Query::new().column("a", "a").unwrap().column("a", "b");
    assert_eq!(
        twice.unwrap_err().to_string(),
        "there are two columns named a"
    );
    let long = "a".to_owned() + &".a".repeat(64);
    assert!(
        Query::new()
            .column("a", &long)
            .unwrap_err()
            .to_string()
            .ends_with("at most 64 steps")
    );
    let list = Query::new().typed_column("a", "a[*]", "int64".parse().unwrap());
    assert!(
        list.unwrap_err()
            .to_string()
            .contains("is a list, not int64")
    );
}
