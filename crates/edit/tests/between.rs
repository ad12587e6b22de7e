//! Recovery of files with a game's other bytes between the records: numbers, lines, texts after their length.

use gdvar_edit::{Segment, recover_records};
use gdvar_view::{Dialect, Kind, Objects, PrefixOrder, ReadOptions, frames};

/// What `FileAccess` writes besides records: store_8, store_16, store_32, store_64, store_float, store_double,
/// store_line, store_string, store_pascal_string, store_buffer.
fn foreign(n: u8) -> Vec<Vec<u8>> {
    vec![
        vec![n],
        vec![n, 1],
        u32::from(n).to_le_bytes().to_vec(),
        u32::MAX.to_le_bytes().to_vec(),
        // Not 4: that is the record of a null.
        (u64::from(n) + 5).to_le_bytes().to_vec(),
        (f32::from(n) * 1.5).to_le_bytes().to_vec(),
        (f64::from(n) / 3.0).to_le_bytes().to_vec(),
        format!("level {n}\n").into_bytes(),
        b"world".to_vec(),
        [&9u32.to_le_bytes()[..], b"the caves"].concat(),
        (0..100)
            .map(|m| n.wrapping_mul(31).wrapping_add(m))
            .collect(),
        vec![0; 16],
    ]
}

/// Every record that engines wrote is found between bytes of every sort, whether they lie before the first
/// record, between two, after the last, or everywhere. Nothing else is found.
#[test]
fn records_between_other_bytes_are_all_found() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/saves/");
    let mut tried = 0;
    for (name, dialect) in [
        ("rpg3.sav", Dialect::GODOT_3),
        ("rpg4.sav", Dialect::GODOT_4),
        ("camp3.sav", Dialect::GODOT_3),
        ("camp4.sav", Dialect::GODOT_4),
        ("objects3.sav", Dialect::GODOT_3),
        ("objects4.sav", Dialect::GODOT_4),
    ] {
        let save = std::fs::read(format!("{dir}{name}")).expect("a save of an engine");
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        let records: Vec<_> = frames(&save, PrefixOrder::Little)
            .map(|frame| frame.expect("a whole record").bytes)
            .filter(|value| {
                let root = gdvar_view::Document::with_options(value, options).root();
                let kind = root.expect("a value").kind();
                // A list of a few numbers may be found in other numbers by chance.
                let is_long = value.len() > 32;
                is_long && matches!(kind, Kind::Dictionary | Kind::Array | Kind::Object)
            })
            .collect();
        for count in [1, 2, 3, 10] {
            let records: Vec<_> = records.iter().cycle().take(count).collect();
            for order in [PrefixOrder::Little, PrefixOrder::Big] {
                for sort in 0..foreign(0).len() {
                    // Before the first record, between two, after the last.
                    for place in 1..8 {
                        let mut file = Vec::new();
                        for (n, record) in records.iter().enumerate() {
                            if place & if n == 0 { 1 } else { 2 } != 0 {
                                file.extend(foreign(n as u8).swap_remove(sort));
                            }
                            let len = record.len() as u32;
                            file.extend(match order {
                                PrefixOrder::Little => len.to_le_bytes(),
                                PrefixOrder::Big => len.to_be_bytes(),
                            });
                            file.extend(**record);
                        }
                        if place & 4 != 0 {
                            file.extend(foreign(77).swap_remove(sort));
                        }
                        let found = recover_records(&[Segment::from(&file[..])], order, options);
                        let plans = found.records().iter();
                        let left: Vec<_> = plans
                            .filter_map(|one| one.found.plan().map(|plan| plan.to_vec()))
                            .collect();
                        let all: Vec<_> = records.iter().map(|all| all.to_vec()).collect();
                        let lens = |of: &[Vec<u8>]| of.iter().map(Vec::len).collect::<Vec<_>>();
                        assert!(
                            left == all,
                            "{name}: {:?} of {:?} are left, sort {sort} at {place}, {order:?}",
                            lens(&left),
                            lens(&all)
                        );
                        tried += 1;
                    }
                }
            }
        }
    }
    assert!(tried > 3_000, "{tried} files");
}
