//! Every walk with shortcuts gives the plain walk's answer: the same values and length, or the same
//! error at the same byte. Mutations are biased to where shortcuts could be wrong: headers, counts,
//! string ends, padding, truncation.

use gdvar::{Dialect, Document, Limits, Objects, ReadOptions};
use gdvar_conformance::{
    alike::{Random, alike},
    derived,
    mutate::{mutate, wrap},
    targets::{agree, fast, typed},
    vectors::{ENGINES, vectors},
};

/// All walks say what the walk without shortcuts says.
fn compare(bytes: &[u8], options: ReadOptions) {
    fast::check(bytes, options);
    agree::check(bytes, options);
}

/// The number of mutations of each vector; `GDVAR_MUTATIONS` asks for more.
fn mutations() -> usize {
    std::env::var("GDVAR_MUTATIONS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(100)
}

#[test]
fn shortcuts_agree_with_the_plain_walk() {
    let mut corpus: Vec<(Dialect, Vec<u8>)> = Vec::new();
    for engine in ENGINES {
        corpus.extend(
            vectors(engine)
                .into_iter()
                .map(|v| (engine.dialect, v.bytes)),
        );
    }
    for vector in derived::derived_vectors() {
        corpus.push((vector.dialect.parse().expect("a dialect"), vector.bytes));
    }
    // Long vectors differ from short ones in nothing but time.
    corpus.retain(|(_, bytes)| bytes.len() < 4096);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut executions = 0_u64;
    for (dialect, bytes) in &corpus {
        for objects in [Objects::Ids, Objects::Inert] {
            let options = ReadOptions::new(*dialect).with_objects(objects);
            compare(bytes, options);
            compare(&wrap(bytes, *dialect, &mut random), options);
        }
        for _ in 0..mutations() {
            let mut mutant = bytes.clone();
            for _ in 0..random.below(3) {
                mutant = wrap(&mutant, *dialect, &mut random);
            }
            for _ in 0..=random.below(3) {
                mutate(&mut mutant, &mut random);
            }
            let objects = [Objects::Ids, Objects::Inert][random.below(2)];
            compare(&mutant, ReadOptions::new(*dialect).with_objects(objects));
            executions += 1;
        }
    }
    println!("{executions} mutants of {} vectors agree", corpus.len());
    assert!(executions > 2500 * mutations() as u64, "{executions}");
}

#[test]
fn shortcuts_agree_over_children_that_are_alike() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut executions, mut valid) = (0_u64, 0_u64);
    for _ in 0..150 * mutations() {
        let dialect = ENGINES[random.below(ENGINES.len())].dialect;
        let mut bytes = alike(dialect, &mut random);
        if random.below(4) == 0 {
            bytes = wrap(&bytes, dialect, &mut random);
        }
        let options = ReadOptions::new(dialect);
        // Near the limit of nesting, shortcuts must not go too deep.
        let options = match random.below(8) {
            0 => options.with_limits(Limits::ENGINE.with_max_depth(random.below(8) as u16)),
            _ => options,
        };
        compare(&bytes, options);
        typed::check_all(&bytes, options);
        valid += u64::from(Document::with_options(&bytes, options).validate().is_ok());
        executions += 1;
        for _ in 0..random.below(4) {
            let mut mutant = bytes.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut mutant, &mut random);
            }
            compare(&mutant, options);
            if executions % 4 == 0 {
                typed::check_all(&mutant, options);
            }
            executions += 1;
        }
    }
    println!("{executions} values with children that are alike agree, {valid} were valid");
    assert!(valid > executions / 20, "{valid} of {executions}");
}
