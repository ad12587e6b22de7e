//! The vectors of real engines, read and written, small enough to be interpreted for machines that are
//! not at hand: `scripts/checks/sanitize miri` runs this as a big-endian and as a 32-bit machine.

use gdvar::{
    Document, Objects, ReadOptions,
    index::Index,
    write::{Precision as Width, Target, Writer, transcode},
};
use gdvar_conformance::{
    deliberate,
    tagged::{self, Precision},
    vectors::{ENGINES, hex, vectors},
};

/// Under Miri, which is a thousand times slower, only every 23rd vector is checked.
const STEP: usize = if cfg!(miri) { 23 } else { 1 };

/// Longer vectors are not checked.
const LONGEST: usize = if cfg!(miri) { 300 } else { 4000 };

#[test]
fn values_and_bytes_are_those_of_the_engines_on_every_machine() {
    let mut seen = 0;
    for engine in ENGINES {
        let precision = if engine.double {
            Precision::Double
        } else {
            Precision::Single
        };
        let all = vectors(engine).into_iter();
        let small = all.filter(|vector| vector.canonical && vector.bytes.len() <= LONGEST);
        for vector in small.step_by(STEP) {
            let known = deliberate::VERDICTS.iter();
            if vector.engine_refuses || known.clone().any(|known| vector.id.starts_with(known.id)) {
                continue;
            }
            let who = format!("{} {}", engine.name, vector.id);
            let options = ReadOptions::new(engine.dialect).with_objects(Objects::Inert);
            let document = Document::with_options(&vector.bytes, options);
            assert_eq!(document.validate(), Ok(vector.bytes.len()), "{who}");
            let value = tagged::events(document, precision).expect(&who);
            let expected = vector.wire_value.as_ref().unwrap_or(&vector.value);
            assert!(
                value == *expected || value == vector.value,
                "{who}: {value}"
            );
            let root = document.root().expect(&who);
            assert_eq!(tagged::lazy(root, precision), Ok(value.clone()), "{who}");
            assert_eq!(tagged::indexed(document, precision), Ok(value), "{who}");

            let target = Target::from(engine.dialect).with_precision(Width::AsGiven);
            let mut writer = Writer::new(Vec::new(), target);
            transcode(document, &mut writer).expect(&who);
            let clean = hex(&vector.clean());
            assert_eq!(hex(&writer.finish().expect(&who)), clean, "{who}");
            let tree = gdvar_conformance::owned(&vector.bytes, options).expect(&who);
            assert_eq!(hex(&tree.to_vec(target).expect(&who)), clean, "{who}");
            seen += 1;
        }
    }
    println!("{seen} vectors");
    assert!(seen >= if cfg!(miri) { 50 } else { 1000 }, "{seen}");
}

/// Lengths and counts near 2³¹ and 2³² must not wrap around where addresses have 32 bits: whatever they
/// are, what is there is refused as too short.
#[test]
fn no_length_wraps_around() {
    for dialect in gdvar::Dialect::ALL {
        for id in 0..dialect.type_count() {
            for flags in [0, 1, 2, 4, 8] {
                for count in [
                    u32::MAX,
                    u32::MAX - 3,
                    u32::MAX - 7,
                    1 << 31,
                    (1 << 31) - 1,
                    (1 << 31) - 8,
                    1 << 30,
                    (1 << 30) + 1,
                    1 << 29,
                    (1 << 29) + 1,
                    (1 << 28) + 1,
                    u32::MAX / 12 + 1,
                    u32::MAX / 24 + 1,
                ] {
                    let mut bytes = vec![id, 0, flags, 0];
                    bytes.extend(count.to_le_bytes().repeat(3));
                    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
                    let document = Document::with_options(&bytes, options);
                    if let Ok(end) = document.validate() {
                        assert!(end <= bytes.len(), "{dialect} {id} {flags} {count:#x}");
                    }
                    if let Ok(root) = document.root() {
                        let _ = (root.end(), root.as_packed(), root.as_strings());
                        let _ = root.as_array().map(|array| array.get(count as usize));
                        let _ = root.as_node_path().map(|path| path.parts().count());
                    }
                    let _ = Index::build(document);
                    let _ = gdvar_conformance::owned(&bytes, options);
                }
            }
        }
    }
}
