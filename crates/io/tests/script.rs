//! Compiled scripts of the real engines (`testdata/scripts/README.md`).

mod common;

use std::fs;

use common::testdata;
use gdvar_io::{Envelope, FileErrorKind, Limits, script::Script, sniff};
use gdvar_text::{LineOptions, Notation, write_line};
use gdvar_view::{Dialect, Document};

fn file(name: &str) -> Vec<u8> {
    fs::read(testdata("scripts").join(name)).expect("a script")
}

/// Returns each constant on a line, in Godot's notation.
fn constants(script: &Script<'_>) -> Vec<String> {
    let constants = script.constants();
    assert_eq!(constants.left() as usize, constants.clone().count());
    constants
        .map(|constant| {
            let constant = constant.expect("a constant");
            let there = &script.contents()[constant.offset..][..constant.bytes.len()];
            assert_eq!(there, constant.bytes);
            let document = Document::new(constant.bytes, script.dialect());
            let mut line = String::new();
            let options = LineOptions::new().with_notation(Notation::Godot4);
            write_line(&mut line, document.root().expect("a value"), options).expect("text");
            line
        })
        .collect()
}

/// The literals of `godot3.gd` and `godot4.gd` in their order. Godot 3 stores the minus sign
/// separately.
fn literals(godot4: bool) -> Vec<&'static str> {
    let path = "NodePath(\"Player/Sprite:position\")";
    let long = "\"ünïcödé and a longer text, so that it is padded\"";
    let seven = if godot4 { "-7" } else { "7" };
    let mut all = vec!["\"Vale of Ash\"", "1", "2", "300000", seven];
    all.extend([
        "5000000000",
        "0.25",
        "0.1",
        long,
        "true",
        "false",
        "null",
        path,
    ]);
    all.extend(godot4.then_some("&\"enemies\""));
    all
}

#[test]
fn the_constants_of_the_engines_files_are_the_literals_of_their_sources() {
    for (name, version, dialect) in [
        ("godot3.gdc", 13, Dialect::GODOT_3),
        ("godot4.gdc", 101, Dialect::GODOT_4),
        ("godot4.zstd.gdc", 101, Dialect::GODOT_4),
    ] {
        let file = file(name);
        assert_eq!(sniff(&file), Envelope::Script);
        let script = Script::open(&file, Limits::FILE).expect(name);
        assert_eq!((script.version(), script.dialect()), (version, dialect));
        assert_eq!(script.is_compressed(), name.contains("zstd"));
        assert_eq!(constants(&script), literals(version > 13), "{name}");
    }
}

/// No engine of 4.3 or 4.4 was available. This is the file of 4.6.3 with the version and the unused
/// word that `GDScriptTokenizerBuffer::set_code_buffer` of 4.3 reads.
#[test]
fn version_100_has_a_word_more() {
    let mut file = file("godot4.gdc");
    file[4] = 100;
    file.splice(24..24, [0; 4]);
    let script = Script::open(&file, Limits::FILE).expect("version 100");
    assert_eq!(script.version(), 100);
    assert_eq!(constants(&script), literals(true));
}

#[test]
fn damage_is_an_error_with_its_place() {
    let file = file("godot4.gdc");
    let error = |file: &[u8]| Script::open(file, Limits::FILE).expect_err("damaged");
    assert!(matches!(
        error(b"GDPC").kind(),
        FileErrorKind::BadMagic { .. }
    ));
    let mut other = file.clone();
    other[4] = 102;
    let version = FileErrorKind::UnknownVersion { version: 102 };
    assert_eq!((error(&other).offset(), error(&other).kind()), (4, version));
    // Every prefix lacks something, among the names or the constants.
    for end in 0..file.len() {
        match Script::open(&file[..end], Limits::FILE) {
            Err(error) => assert!(error.offset() <= end as u64),
            Ok(script) => {
                let failed = script.constants().find_map(Result::err);
                assert_eq!(failed.is_some(), end < 0x224, "{end}");
                assert!(failed.is_none_or(|error| error.offset() <= end));
            }
        }
    }
}

#[test]
fn a_compressed_script_takes_no_more_than_it_can_hold() {
    let file = file("godot4.zstd.gdc");
    let tight = Script::open(&file, Limits::new(1000)).expect_err("a limit");
    assert!(matches!(
        tight.kind(),
        FileErrorKind::TooLong {
            length: 1360,
            limit: 1000
        }
    ));
    let mut huge = file.clone();
    huge[8..12].copy_from_slice(&(1_u32 << 30).to_le_bytes());
    let error = Script::open(&huge, Limits::FILE).expect_err("too much");
    assert!(matches!(error.kind(), FileErrorKind::Impossible { .. }));
    let mut damaged = file.clone();
    // A bit of the frame's header that must be zero.
    damaged[16] ^= 8;
    let error = Script::open(&damaged, Limits::FILE).expect_err("damaged");
    assert!(matches!(error.kind(), FileErrorKind::BadBlock { .. }));
}

/// No change to a script makes the reader panic, take memory, or leave the bytes.
#[test]
fn changed_scripts_are_read_or_refused() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    let (mut good, mut bad) = (0, 0);
    for name in ["godot3.gdc", "godot4.gdc", "godot4.zstd.gdc"] {
        let whole = file(name);
        for _ in 0..5000 {
            let mut file = whole.clone();
            for _ in 0..=random(3) {
                let at = random(file.len());
                file[at] = [0, 1, 0x7f, 0xff, file[at] ^ 1 << random(8)][random(5)];
            }
            file.truncate(file.len() - random(3) * random(40));
            let Ok(script) = Script::open(&file, Limits::new(1 << 20)) else {
                bad += 1;
                continue;
            };
            let mut constants = script.constants();
            let end = script.contents().len();
            while let Some(constant) = constants.next() {
                match constant {
                    Ok(constant) => {
                        assert!(constant.offset + constant.bytes.len() <= end);
                        good += 1;
                    }
                    Err(error) => {
                        assert!(error.offset() <= end);
                        assert_eq!(constants.next(), None, "fused");
                    }
                }
            }
        }
    }
    assert!(
        good > 50_000 && bad > 1000,
        "{good} constants, {bad} refused"
    );
}
