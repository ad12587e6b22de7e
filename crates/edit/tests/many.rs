//! Finding, fitting and planning takes linear time: about four times as long for four times as many places.
//! Quadratic time would be 16 times as long.

#[path = "../../conformance/tests/hostile/clock.rs"]
mod clock;

use std::time::Duration;

use gdvar_edit::{Dialect, Document, Edit, EditErrorKind, Patch, fit, places};
use gdvar_view::{I32, Kind, Path};
use gdvar_write::{Target, Writer};

/// The most that the time may grow for four times as many places.
const MOST: f64 = 9.0;

/// A pair is called slow only after it was too slow in this many measurements.
const TRIES: u32 = 6;

fn int(int: i64) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.int(int).expect("memory");
    writer.finish().expect("one value")
}

/// An Array of `count` dictionaries `{"id": n}`.
fn records(count: u32) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_array(count as usize).expect("memory");
    for n in 0..count {
        writer.begin_dict(1).expect("memory");
        writer.string("id").expect("memory");
        writer.int(n.into()).expect("memory");
        writer.end().expect("memory");
    }
    writer.end().expect("memory");
    writer.finish().expect("one value")
}

/// A Dictionary of `count` ints under the keys `Vector2i(n, 0)`.
fn chunks(count: u32) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_dict(count as usize).expect("memory");
    for n in 0..count {
        let key = [n.to_le_bytes(), [0; 4]].concat();
        writer.math_le(Kind::Vector2i, false, &key).expect("memory");
        writer.int(n.into()).expect("memory");
    }
    writer.end().expect("memory");
    writer.finish().expect("one value")
}

/// Writes a key with the number of its pair.
type WriteKey =
    fn(&mut Writer<Vec<u8>>, u32) -> Result<(), gdvar_write::Error<std::convert::Infallible>>;

/// A Dictionary of `count` nulls under keys of one kind that only the engine can compare, or that no path can tell
/// from each other.
fn keyed(count: u32, key: WriteKey) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_dict(count as usize).expect("memory");
    for n in 0..count {
        key(&mut writer, n).expect("memory");
        writer.nil().expect("memory");
    }
    writer.end().expect("memory");
    writer.finish().expect("one value")
}

/// Keys of the kinds that only the engine can compare.
const OTHER_KEYS: [(&str, WriteKey); 4] = [
    ("NodePath", |writer, n| {
        writer.node_path_from([format!("n{n}")], [""; 0], false)
    }),
    ("Array", |writer, n| {
        writer.begin_array(1)?;
        writer.int(n.into())?;
        writer.end()
    }),
    ("Dictionary", |writer, n| {
        writer.begin_dict(1)?;
        writer.int(n.into())?;
        writer.nil()?;
        writer.end()
    }),
    ("PackedInt32Array", |writer, n| {
        writer.packed_le(Kind::PackedInt32Array, &[I32::new(n as i32)])
    }),
];

/// A PackedStringArray of `count` texts.
fn texts(count: u32) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let texts: Vec<String> = (0..count).map(|n| format!("text {n}")).collect();
    writer.packed_strings(&texts).expect("memory");
    writer.finish().expect("one value")
}

fn text(text: &str) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.string(text).expect("memory");
    writer.finish().expect("one value")
}

fn set(document: Document<'_>, paths: &[String], new: &[u8]) {
    let parsed: Vec<Path<'_>> = paths
        .iter()
        .map(|path| Path::parse(path).expect(path))
        .collect();
    let found = places(document, &parsed).expect("it can be read");
    let mut edit = Edit::new(document);
    for (path, place) in paths.iter().zip(found) {
        edit.set(path, fit::set_at(place, new).expect("it fits"));
    }
    let plan = edit.plan().expect("all are there");
    assert!(plan.splices().len() >= paths.len());
}

fn change(document: Document<'_>, paths: &[String], one: impl Fn(&mut Edit<'_>, &str, usize)) {
    let mut edit = Edit::new(document);
    for (n, path) in paths.iter().enumerate() {
        one(&mut edit, path, n);
    }
    edit.plan().expect("all are there");
}

/// Makes one kind of edit at `count` places of one document.
fn run(name: &str, count: u32) {
    let (records, chunks) = (records(count), chunks(count));
    let of_records = Document::new(&records, Dialect::GODOT_4);
    let of_chunks = Document::new(&chunks, Dialect::GODOT_4);
    let paths = |step: &dyn Fn(u32) -> String| -> Vec<String> { (0..count).map(step).collect() };
    let ids = paths(&|n| format!("[{n}].id"));
    let keys = paths(&|n| format!("[Vector2i({n}, 0)]"));
    match name {
        "set" => set(of_records, &ids, &int(-5)),
        "set under keys" => set(of_chunks, &keys, &int(-5)),
        "set new keys" => set(
            of_chunks,
            &paths(&|n| format!("[Vector2({n}, 0.5)]")),
            &int(-5),
        ),
        "set new names" => set(of_chunks, &paths(&|n| format!("n{n}")), &int(-5)),
        "set texts" => set(
            Document::new(&texts(count), Dialect::GODOT_4),
            &paths(&|n| format!("[{n}]")),
            &text("new"),
        ),
        "remove" => change(of_records, &ids, |edit, path, _| {
            edit.remove(path);
        }),
        "remove under keys" => change(of_chunks, &keys, |edit, path, _| {
            edit.remove(path);
        }),
        "set one key of many" => {
            let save = keyed(count, |writer, _| writer.float(f64::NAN));
            let mut edit = Edit::new(Document::new(&save, Dialect::GODOT_4));
            for _ in 0..count {
                edit.set("[nan]", int(5));
            }
            let refused = edit.plan().expect_err("all change one value").kind();
            assert!(
                matches!(refused, EditErrorKind::Overlap { .. }),
                "{refused}"
            );
        }
        name if name.starts_with("remove under ") => {
            let kind = name.trim_start_matches("remove under ");
            let (_, key) = OTHER_KEYS.iter().find(|(own, _)| *own == kind).expect(kind);
            let pairs = paths(&|n| format!("{{{n}}}"));
            let save = keyed(count, *key);
            let document = Document::new(&save, Dialect::GODOT_4);
            change(document, &pairs, |edit, path, _| {
                edit.remove(path);
            });
        }
        "fit" => {
            // As scripts do it: the places are found, then each value is fitted, then all are put.
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let mut edit = Edit::new(of_records);
            for (path, place) in ids.iter().zip(fit::find(of_records, &ids)) {
                let new = fit::set_at(place.expect("it is there"), &int(-5)).expect("it fits");
                fit::keeps_type_at(place.expect("it is there"), &new).expect("an int");
                edit.set(path, new);
            }
            edit.plan().expect("all are there");
        }
        "insert" => change(
            of_records,
            &paths(&|n| format!("[{n}]")),
            |edit, path, _| {
                edit.insert(path, int(7));
            },
        ),
        "rename under keys" => change(of_chunks, &keys, |edit, path, n| {
            edit.rename_key(path, &int(n as i64));
        }),
        "patch" => {
            let other = self::chunks(2 * count);
            let other = Document::new(&other, Dialect::GODOT_4);
            for (from, to) in [(of_chunks, other), (other, of_chunks)] {
                let patch = Patch::between(from, to).expect("it can be read");
                let again: Patch = patch.to_string().parse().expect("its text");
                let done = again.edit(from);
                assert_eq!(done.plan().expect("it applies").to_vec(), to.bytes());
            }
        }
        "reverse a patch" => {
            // A run of removed elements.
            let (all, none) = (self::records(10 * count), self::records(0));
            let [all, none] = [&all, &none].map(|bytes| Document::new(bytes, Dialect::GODOT_4));
            let patch = Patch::between(all, none).expect("it can be read");
            let back = patch.reversed().edit(none);
            assert_eq!(back.plan().expect("it applies").to_vec(), all.bytes());
        }
        name => panic!("{name}"),
    }
}

fn time(name: &str, count: u32) -> Duration {
    let one = || {
        let start = clock::now();
        run(name, count);
        clock::now() - start
    };
    one().min(one()).min(one())
}

#[test]
fn four_times_the_places_take_four_times_as_long() {
    for name in [
        "set",
        "set under keys",
        "set new keys",
        "set new names",
        "set texts",
        "remove",
        "remove under keys",
        "remove under NodePath",
        "remove under Array",
        "remove under Dictionary",
        "remove under PackedInt32Array",
        "set one key of many",
        "fit",
        "insert",
        "rename under keys",
        "patch",
        "reverse a patch",
    ] {
        let mut least = f64::MAX;
        for attempt in 0..TRIES {
            let count = if attempt < TRIES / 2 { 1000 } else { 4000 };
            let (one, four) = (time(name, count), time(name, 4 * count));
            least = least.min(four.as_secs_f64() / one.as_secs_f64());
            if least <= MOST {
                break;
            }
        }
        println!("{name}: ×{least:.1}");
        assert!(
            least <= MOST,
            "{name}: ×{least:.1} for four times the places"
        );
    }
}
