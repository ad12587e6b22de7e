//! A game's version number before records that have no text and no container.

use std::time::{Duration, Instant};

use gdvar_conformance::vectors::{ENGINES, vectors};
use gdvar_file::{Framing, Hints, blank::Blank, open};
use gdvar_view::{Document, ReadOptions};

/// `store_32(version); store_var(score)`: the version can be the number of a type, and the length of the record
/// the number after it. Where all of it is one value too, both readings are named. Nothing else is read.
#[test]
fn a_number_before_a_small_record_is_a_header_or_a_question() {
    let (mut found, mut asked) = (0, 0);
    for engine in ENGINES {
        let options = ReadOptions::new(engine.dialect);
        let hints = Hints::new().with_dialect(engine.dialect);
        for vector in vectors(engine) {
            let value = &vector.bytes;
            let end = Document::with_options(value, options).validate();
            // A Color of components that no game stores is taken for a PackedByteArray: its length in front is
            // the number of that type in Godot 3.
            let is_odd = ["color/edges", "color/nonfinite"].contains(&vector.id.as_str())
                // Pandemonium's own typed array has children under almost any number.
                || vector.id.starts_with("packedtypedarray");
            if is_odd
                || !vector.canonical
                || end != Ok(value.len())
                || !(8..=64).contains(&value.len())
            {
                continue;
            }
            for version in (0..50_u32).chain([256, 65_536, u32::MAX]) {
                let record = [&(value.len() as u32).to_le_bytes(), value.as_slice()].concat();
                let file = [&version.to_le_bytes(), record.as_slice()].concat();
                // All of it, or what follows the number as a length, can be an Array with a null in it, or texts.
                // That is evidence for no header.
                let is_list = |bytes| {
                    let whole = Document::with_options(bytes, options);
                    let root = whole.root();
                    root.is_ok_and(|root| root.has_children() || root.as_strings().is_some())
                        && whole.validate() == Ok(bytes.len())
                };
                if is_list(&file[..]) || version as usize == record.len() && is_list(&record) {
                    continue;
                }
                let Ok(opened) = open(&file, &hints) else {
                    asked += 1;
                    continue;
                };
                let who = format!("{} {} after {version}", engine.name, vector.id);
                assert_eq!(opened.header(), version.to_le_bytes(), "{who}");
                assert_eq!(opened.decision().framing, Framing::Len32, "{who}");
                let first = opened.records().next().expect("a record");
                assert_eq!(&*first.bytes, value.as_slice(), "{who}");
                found += 1;
            }
        }
    }
    assert!(found > 9 * asked, "{found} found, {asked} asked");
}

/// `store_32(version); store_buffer(var_to_bytes(name))`. A Quaternion has 20 bytes, too.
#[test]
fn a_number_before_a_short_text_is_a_question_where_all_is_a_value() {
    let text = b"\x04\0\0\0\x05\0\0\0Hello\0\0\0";
    let mut asked = 0;
    for engine in ENGINES {
        let options = ReadOptions::new(engine.dialect);
        let hints = Hints::new().with_dialect(engine.dialect);
        for version in 0..50_u32 {
            let file = [&version.to_le_bytes()[..], text].concat();
            // The size of the file, and a value after it: that is no chance.
            let is_size = version as usize == file.len();
            if !is_size && Document::with_options(&file, options).validate() == Ok(file.len()) {
                assert!(open(&file, &hints).is_err(), "{} {version}", engine.name);
                asked += 1;
            }
        }
    }
    assert!(asked > ENGINES.len(), "{asked}");
}

/// An erased map, or a file that a stranger made of nothing: a header is looked for at 64 offsets, in two byte
/// orders, for each engine. A run of equal bytes is not measured at each of them.
#[test]
fn a_run_of_equal_bytes_is_not_measured_at_each_offset() {
    let least = |work: &dyn Fn()| {
        let time = |_| {
            let start = Instant::now();
            work();
            start.elapsed()
        };
        (0..3).map(time).min().unwrap_or(Duration::MAX)
    };
    let len = 4 << 20;
    for byte in [0, 0xff] {
        let run = vec![byte; len];
        let once = least(&|| assert_eq!(Blank::at(&run, 0).map(|run| run.len), Some(len)));
        // A PackedByteArray.
        let head = [len as u32 + 8, 29, len as u32]
            .map(u32::to_le_bytes)
            .concat();
        let file = [head, run].concat();
        let all = least(&|| assert!(open(&file, &Hints::new()).is_ok()));
        assert!(
            all < 40 * once,
            "{byte:02x}: {all:?}, and {once:?} for the run"
        );
    }
}
