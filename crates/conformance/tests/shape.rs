//! A shape matches what has the same headers, counts and keys, and nothing else; what matches is
//! valid. By the plain walk, over mutated vectors.

use gdvar::{Document, Event, Objects, ReadOptions, Role, Shape};
use gdvar_conformance::{
    alike::{Random, alike},
    mutate::{mutate, wrap},
    vectors::{ENGINES, vectors},
};

/// All that a shape fixes, headers, the counts of containers and keys, and whether all texts are
/// UTF-8 from end to end: what an engine does not read of them may be anything for it.
fn skeleton(bytes: &[u8], options: ReadOptions) -> Option<(Vec<u8>, bool)> {
    let document = Document::with_options(bytes, options.without_shortcuts(true));
    let mut seen = Vec::new();
    let mut is_utf8 = true;
    let mut events = document.events();
    loop {
        match events.try_next() {
            Ok(Some(Event::Begin(value))) => {
                let at = value.offset();
                seen.extend(&bytes[at..at + 8]);
            }
            Ok(Some(Event::Value(value))) => {
                seen.extend(value.header().0.to_le_bytes());
                if let (Role::Key, Some(text)) = (events.role(), value.as_text()) {
                    seen.extend((text.raw().len() as u32).to_le_bytes());
                    seen.extend(text.raw());
                }
                if let Some(text) = value.as_text() {
                    is_utf8 &= std::str::from_utf8(text.raw()).is_ok();
                }
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(_) => return None,
        }
    }
    (events.position() == bytes.len()).then_some((seen, is_utf8))
}

#[test]
fn a_shape_matches_what_differs_in_numbers_and_texts_alone() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut shapes, mut matched, mut executions) = (0, 0, 0_u64);
    let mut corpus = Vec::new();
    for engine in ENGINES {
        for vector in vectors(engine) {
            if vector.bytes.len() < 2048 {
                corpus.push((engine.dialect, vector.bytes));
            }
        }
    }
    for _ in 0..3000 {
        let dialect = ENGINES[random.below(ENGINES.len())].dialect;
        let value = alike(dialect, &mut random);
        corpus.push((dialect, wrap(&value, dialect, &mut random)));
    }
    for (dialect, bytes) in corpus {
        let options = ReadOptions::new(dialect).objects(Objects::Inert);
        let Some(shape) = Shape::learn(&bytes, options) else {
            continue;
        };
        shapes += 1;
        let Some(end) = shape.end(&bytes) else {
            panic!(
                "{} does not match itself",
                gdvar_conformance::vectors::hex(&bytes)
            );
        };
        let bytes = &bytes[..end];
        let (own, _) = skeleton(bytes, options).expect("what is learned is valid");
        for _ in 0..120 {
            let mut mutant = bytes.to_vec();
            for _ in 0..=random.below(3) {
                mutate(&mut mutant, &mut random);
            }
            let seen = skeleton(&mutant, options);
            let same = matches!(&seen, Some((seen, true)) if *seen == own);
            assert_eq!(
                shape.matches(&mutant),
                same,
                "{dialect} {} {}",
                gdvar_conformance::vectors::hex(bytes),
                gdvar_conformance::vectors::hex(&mutant)
            );
            matched += u64::from(same);
            executions += 1;
        }
    }
    println!("{shapes} shapes, {executions} packets, {matched} matched");
    assert!(
        matched > executions / 20 && matched < executions / 2,
        "{matched} of {executions}"
    );
}
