//! Files in which the game's own bytes stand between the records: store_line, store_32, store_pascal_string.

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
    let between: [(&str, fn(u8) -> Vec<u8>); 6] = [
        ("store_8", |n| vec![n]),
        ("store_32", |n| u32::from(n).to_le_bytes().to_vec()),
        ("store_64", |n| (u64::from(n) << 8).to_le_bytes().to_vec()),
        ("store_float", |n| {
            (f32::from(n) + 0.3).to_le_bytes().to_vec()
        }),
        ("store_line", |n| format!("level {n}\n").into_bytes()),
        ("store_pascal_string", |_| {
            [&6u32.to_le_bytes()[..], b"castle"].concat()
        }),
    ];
    for save in ["rpg3.sav", "rpg4.sav"] {
        let record = fs::read(format!("{saves}{save}")).expect("a save of an engine");
        for (call, own) in between {
            for count in [1, 3] {
                for is_first in [true, false] {
                    let file: Vec<_> = (0..count)
                        .flat_map(|n| match is_first {
                            true => [own(n), record.clone()].concat(),
                            false => [record.clone(), own(n)].concat(),
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
                        true => [&own(0)[..], &records].concat(),
                        false => [&records[..], &own(count - 1)].concat(),
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
