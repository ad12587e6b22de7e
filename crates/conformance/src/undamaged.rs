//! Whole files of every dialect, from 50 bytes to 1 MB, for [`mod@crate::damage`]: bare values, and records
//! with length prefixes in both byte orders.
//!
//! The values come from saves and vectors of real engines. If no engine of a dialect is available, the
//! [`Assembler`] writes the saves of Godot 3 in this dialect, with numbers that the dialect can hold.

use std::fs;

use gdvar::{Dialect, Document, Objects, ReadOptions, frames::PrefixOrder};
use serde_json::{Value, json};

use crate::{
    assembler::{Assembler, Column},
    rescued::Truth,
    vectors::{ENGINES, testdata, vectors},
};

/// Every dialect, as its column in the table of type numbers (`docs/FORMAT.md` §1.1).
const COLUMNS: [Column; 7] = [
    Column::G2,
    Column::G3,
    Column::D29,
    Column::G4,
    Column::P33,
    Column::P38,
    Column::P40,
];

/// The saves that consist of plain records. `#` is the series of the engine.
const SAVES: [&str; 8] = [
    "camp#.sav",
    "exact#.sav",
    "leaderboard#.dat",
    "objects#.sav",
    "replay#.rec",
    "rpg#.sav",
    "settings#.cfg",
    "voxel#.chunk",
];

/// The number of slots of the role-playing game in a save of 1 MB.
const SLOTS: usize = 12;

/// A file that can be read to its last byte.
#[derive(Clone, Debug)]
pub struct Undamaged {
    /// The dialect, the save and the framing, for messages.
    pub name: String,
    /// The byte order of the lengths before its records, or `None` for one bare value.
    pub order: Option<PrefixOrder>,
    /// The values of the file.
    pub truth: Truth,
}

/// Returns the files of one size: 1 MB if `large`, otherwise less than 100 KB.
///
/// # Panics
/// If the saves cannot be read.
#[must_use]
pub fn undamaged(large: bool) -> Vec<Undamaged> {
    COLUMNS
        .into_iter()
        .flat_map(|column| of_dialect(column, large))
        .collect()
}

fn of_dialect(column: Column, large: bool) -> Vec<Undamaged> {
    let dialect: Dialect = column.name().parse().expect("a dialect");
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let mut files = if large {
        vec![("large".to_owned(), vec![slots(column)])]
    } else {
        let mut files = saves(column);
        files.push(("vectors".to_owned(), of_engines(dialect)));
        files.push(("small".to_owned(), vec![small(column)]));
        files
    };
    for (_, records) in &mut files {
        records.retain(|record| {
            Document::with_options(record, options).validate() == Ok(record.len())
        });
    }
    files.retain(|(_, records)| !records.is_empty());
    let mut all = Vec::new();
    for (name, records) in files {
        let name = format!("{} {name}", column.name());
        for order in [PrefixOrder::Little, PrefixOrder::Big] {
            let file = framed(&records, order);
            all.push(Undamaged {
                name: format!("{name}, {order:?}"),
                order: Some(order),
                truth: Truth::of(&file, Some(order), options),
            });
        }
        let longest = records.iter().max_by_key(|record| record.len());
        all.push(Undamaged {
            name: format!("{name}, its longest value"),
            order: None,
            truth: Truth::of(longest.expect("a record"), None, options),
        });
    }
    all
}

fn framed(records: &[Vec<u8>], order: PrefixOrder) -> Vec<u8> {
    let mut file = Vec::new();
    for record in records {
        let len = u32::try_from(record.len()).expect("a length");
        file.extend(match order {
            PrefixOrder::Little => len.to_le_bytes(),
            PrefixOrder::Big => len.to_be_bytes(),
        });
        file.extend(record);
    }
    file
}

/// Returns the saves of Godot 4, or the saves of Godot 3 written in the dialect.
fn saves(column: Column) -> Vec<(String, Vec<Vec<u8>>)> {
    let series = if column == Column::G4 { "4" } else { "3" };
    let mut all = Vec::new();
    for name in SAVES.map(|name| name.replace('#', series)) {
        let values = tagged(&name).into_iter();
        let file = values.map(|value| Assembler::new(column).value(&held(column, &value)).done());
        all.push((name, file.collect()));
    }
    all
}

/// Returns the values of a save as tagged JSON.
fn tagged(name: &str) -> Vec<Value> {
    let path = testdata("saves").join(format!("{name}.json"));
    let text = fs::read_to_string(&path).expect("what is in a save");
    let about: Value = serde_json::from_str(&text).expect("JSON");
    about["values"].as_array().expect("values").clone()
}

/// Returns the value, with numbers reduced to 32 bits for Godot 2, which has no others.
fn held(column: Column, value: &Value) -> Value {
    if column != Column::G2 {
        return value.clone();
    }
    match value {
        Value::Array(items) => items.iter().map(|item| held(column, item)).collect(),
        Value::Object(tagged) => {
            let member = |(tag, body): (&String, &Value)| {
                let body = match (tag.as_str(), body) {
                    ("Int", Value::String(int)) => {
                        let int: i64 = int.parse().expect("an int");
                        json!((int as i32).to_string())
                    }
                    ("Float", body) => {
                        let bits = body["bits"].as_str().expect("bits");
                        let bits = u64::from_str_radix(bits, 16).expect("bits");
                        let narrow = f64::from(f64::from_bits(bits) as f32);
                        json!({ "bits": format!("{:016x}", narrow.to_bits()) })
                    }
                    (_, body) => held(column, body),
                };
                (tag.clone(), body)
            };
            tagged.iter().map(member).collect()
        }
        other => other.clone(),
    }
}

/// Returns a save of about 50 bytes.
fn small(column: Column) -> Vec<u8> {
    let value = json!({"Dictionary": [
        [{"String": "day"}, {"Int": "12"}],
        [{"String": "name"}, {"String": "Ada"}],
    ]});
    Assembler::new(column).value(&value).done()
}

/// Returns a save of 1 MB.
fn slots(column: Column) -> Vec<u8> {
    let series = if column == Column::G4 { "4" } else { "3" };
    let game = held(column, &tagged(&format!("rpg{series}.sav"))[0]);
    let slot = |n: usize| json!([{"String": format!("slot_{n}")}, game]);
    let slots: Vec<Value> = (0..SLOTS).map(slot).collect();
    let value = json!({ "Dictionary": slots });
    Assembler::new(column).value(&value).done()
}

/// Returns the test vectors of the engines of a dialect, each as a record. Leaves out vectors with whole
/// objects, which games do not accept, and vectors of more than 2048 bytes.
fn of_engines(dialect: Dialect) -> Vec<Vec<u8>> {
    let engines = ENGINES
        .into_iter()
        .filter(|engine| engine.dialect == dialect);
    let all = engines.flat_map(vectors);
    let some = all.filter(|vector| !vector.full_objects && vector.bytes.len() <= 2048);
    some.map(|vector| vector.clean()).collect()
}
