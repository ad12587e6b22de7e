//! Records with keys in changing order, with missing, unusual and repeated keys: each column holds
//! what its path alone finds in the record.

use gdvar_columns::{Builder, Dialect, Document, Origin, Query, Sample, Values};
use gdvar_view::Path;
use gdvar_write::Writer;

const KEYS: [&str; 8] = ["id", "name", "hp", "pos", "note", "grün", "alive", "level"];
const WANTED: [&str; 4] = ["level", "hp", "grün", "pos.x"];

/// A generator of varied numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Records with one order of keys, then several, then none, and one with more keys than an order
/// holds.
fn records() -> Vec<Vec<u8>> {
    let mut dice = Dice(17);
    let mut all = Vec::new();
    for record in 0..600_i64 {
        let mut keys: Vec<String> = KEYS.map(str::to_owned).to_vec();
        let changes = if record < 100 { 0 } else { record / 100 };
        for _ in 0..changes {
            match dice.below(4) {
                0 => drop(keys.remove(dice.below(keys.len() as u64) as usize)),
                1 => keys.push(keys[dice.below(keys.len() as u64) as usize].clone()),
                2 => {
                    let (from, to) = (dice.below(keys.len() as u64), dice.below(keys.len() as u64));
                    keys.swap(from as usize, to as usize);
                }
                _ => keys.insert(
                    dice.below(keys.len() as u64) as usize,
                    format!("extra{}", dice.below(90)),
                ),
            }
        }
        if record == 300 {
            keys.splice(1..1, (0..200).map(|n| format!("many{n}")));
        }
        let mut writer = Writer::new(Vec::new(), Dialect::GODOT_4);
        writer.begin_dict(keys.len()).unwrap();
        for (n, key) in keys.iter().enumerate() {
            match dice.below(3) {
                0 => writer.string_name(key).unwrap(),
                _ => writer.string(key).unwrap(),
            }
            let value = record * 1000 + n as i64;
            if key == "pos" {
                writer.begin_dict(1).unwrap();
                writer.string("x").unwrap();
                writer.int(value).unwrap();
                writer.end().unwrap();
            } else {
                writer.int(value).unwrap();
            }
        }
        writer.end().unwrap();
        all.push(writer.finish().unwrap());
    }
    all
}

#[test]
fn records_in_any_order_give_what_their_paths_lead_to() {
    let records = records();
    let mut query = Query::new();
    for path in WANTED {
        query = query.column(path, path).unwrap();
    }
    let mut sample = Sample::new(query, Dialect::GODOT_4);
    records.iter().for_each(|record| sample.see(record));
    let mut builder = Builder::new(&sample.schema(), Dialect::GODOT_4);
    for (record, bytes) in (0..).zip(&records) {
        builder.push(Origin { file: "", record }, bytes);
    }
    let batch = builder.finish().unwrap();
    assert_eq!(batch.rows(), records.len());
    let mut missing = 0;
    for path in WANTED {
        let array = batch.column(path).unwrap().array();
        let Values::Int64(found) = array.values() else {
            panic!("{path}: {array:?}");
        };
        for (n, bytes) in records.iter().enumerate() {
            let root = Document::new(bytes, Dialect::GODOT_4).root().unwrap();
            let wanted = root.get_path(&Path::parse(path).unwrap()).unwrap();
            let wanted = wanted.map(|value| value.as_i64().unwrap());
            let found = array.validity().get(n).then(|| found[n]);
            assert_eq!(found, wanted, "{path} of record {n}");
            missing += usize::from(found.is_none());
        }
    }
    assert!(missing > 100, "only {missing} were missing");
}
