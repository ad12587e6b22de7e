//! Files in which the game's own bytes lie between the records: store_line, store_32, store_pascal_string.

mod common;

use std::fs;

use common::gdvar;

/// `recover` finds the engine and every record without being told what the file is, and says that the other bytes
/// may be the game's.
#[test]
fn recover_finds_the_engine_and_every_record() {
    let saves = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/saves/");
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("a.sav"), folder.path().join("b.sav"));
    let own = |call: &str, n: u8| match call {
        "store_8" => vec![n],
        "store_32" => u32::from(n).to_le_bytes().to_vec(),
        "store_64" => (u64::from(n) << 8).to_le_bytes().to_vec(),
        "store_float" => (f32::from(n) + 0.3).to_le_bytes().to_vec(),
        "store_line" => format!("level {n}\n").into_bytes(),
        _ => [&6u32.to_le_bytes()[..], b"castle"].concat(),
    };
    let calls = [
        "store_8",
        "store_32",
        "store_64",
        "store_float",
        "store_line",
        "store_pascal_string",
    ];
    for save in ["rpg3.sav", "rpg4.sav"] {
        let record = fs::read(format!("{saves}{save}")).expect("a save of an engine");
        for call in calls {
            for count in [1, 3] {
                for is_first in [true, false] {
                    let file: Vec<_> = (0..count)
                        .flat_map(|n| match is_first {
                            true => [own(call, n), record.clone()].concat(),
                            false => [record.clone(), own(call, n)].concat(),
                        })
                        .collect();
                    fs::write(&from, file).expect("space");
                    let (from, to) = (from.to_str().expect("a path"), to.to_str().expect("a path"));
                    let said = gdvar(&["recover", from, "-o", to], b"").stderr;
                    let said = String::from_utf8_lossy(&said);
                    let what = format!("{save}, {count} records, {call}, first {is_first}: {said}");
                    let left = fs::read(to).unwrap_or_else(|error| panic!("{error}: {what}"));
                    let records = record.repeat(count.into());
                    // A header and a trailer are kept.
                    let with_own = match is_first {
                        true => [&own(call, 0)[..], &records].concat(),
                        false => [&records[..], &own(call, count - 1)].concat(),
                    };
                    assert!(left == records || left == with_own, "{what}");
                    let told = said.contains("the game's own (store_line, store_32)");
                    assert_eq!(told, count > 1, "{what}");
                    let _ = fs::remove_file(to);
                }
            }
        }
    }
}
