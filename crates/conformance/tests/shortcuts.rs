//! Every walk with shortcuts gives the plain walk's answer: the same values and length, or the same
//! error at the same byte. Mutations are biased to where shortcuts could be wrong: headers, counts,
//! string ends, padding, truncation.

use gdvar::{Dialect, Document, Index, Limits, Objects, ReadOptions, VariantRef};
use gdvar_conformance::{
    alike::{Random, alike},
    derived, fingerprint,
    vectors::{ENGINES, vectors},
};

/// All walks with shortcuts say what the walk without any says.
fn compare(bytes: &[u8], options: ReadOptions) {
    let hex = || gdvar_conformance::vectors::hex(bytes);
    let plain = Document::with_options(bytes, options.without_shortcuts(true));
    let document = Document::with_options(bytes, options);
    let expected = fingerprint::events(plain);
    assert_eq!(
        fingerprint::events(document),
        expected,
        "events, {options:?} {}",
        hex()
    );
    assert_eq!(
        fingerprint::visit(document),
        expected,
        "visit, {options:?} {}",
        hex()
    );
    assert_eq!(
        document.validate(),
        expected.0,
        "validate, {options:?} {}",
        hex()
    );
    let strictly = document.strict();
    let (refused, expected_strictly) = (Index::build(strictly).err(), strictly.validate().err());
    assert_eq!(
        refused,
        expected_strictly,
        "index, strict, {options:?} {}",
        hex()
    );
    let index = Index::build(document);
    let (Ok(end), seen) = expected else {
        let refused = index.map(drop).err();
        assert_eq!(refused, expected.0.err(), "index, {options:?} {}", hex());
        return;
    };
    let indexed = index.and_then(|index| fingerprint::indexed(&index, document));
    assert_eq!(indexed, Ok(seen), "index, {options:?} {}", hex());
    assert_eq!(
        fingerprint::lazy(document),
        Ok(seen),
        "lazy, {options:?} {}",
        hex()
    );
    let skipped = document.root().and_then(VariantRef::end);
    assert_eq!(skipped, Ok(end), "skip, {options:?} {}", hex());
}

/// An array or a dictionary of copies of a value, so that runs of values are met.
fn wrap(value: &[u8], dialect: Dialect, random: &mut Random) -> Vec<u8> {
    use gdvar::Kind;
    let copies = 1 + random.below(4);
    let kind = if random.below(2) == 0 {
        Kind::Array
    } else {
        Kind::Dictionary
    };
    let id = dialect.type_id(kind).expect("all have containers").0;
    let mut bytes = vec![id, 0, 0, 0];
    bytes.extend((copies as u32).to_le_bytes());
    for n in 0..copies {
        if kind == Kind::Dictionary {
            let key = ["id", "Name", "é", "position", "a key of seventeen"][random.below(5)];
            bytes.extend([4, 0, 0, 0]);
            bytes.extend((key.len() as u32).to_le_bytes());
            bytes.extend(key.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes.extend(value);
        if n % 2 == 1 && kind == Kind::Array {
            bytes.extend([2, 0, 0, 0, 7, 0, 0, 0]);
            let count = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) + 1;
            bytes[4..8].copy_from_slice(&count.to_le_bytes());
        }
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let len = bytes.len();
    let words = len / 4;
    match random.below(8) {
        0 => bytes.truncate(random.below(len)),
        // The last byte of something and the padding behind it.
        1 => {
            let at = random.below(len);
            bytes[at] = [0xc3, 0xa9, 0x80, 0xff, 0][random.below(5)];
            if at + 1 < len {
                bytes[at + 1] = [0xc3, 0xa9, 0x80, 0xff, 0][random.below(5)];
            }
        }
        2 => {
            let at = random.below(len);
            bytes[at] ^= 1 << random.below(8);
        }
        // A header: another type, or a flag.
        3 => {
            let at = 4 * random.below(words);
            if at + 3 < len {
                bytes[at] = random.below(45) as u8;
                bytes[at + 2] = [0, 0, 1, 2, 4, 8][random.below(6)];
            }
        }
        // A count or length.
        4 => {
            let at = 4 * random.below(words);
            if at + 4 <= len {
                let near = [
                    0,
                    1,
                    2,
                    3,
                    4,
                    5,
                    7,
                    8,
                    100,
                    1 << 24,
                    1 << 31,
                    u32::MAX,
                    i32::MAX as u32,
                ];
                bytes[at..at + 4].copy_from_slice(&near[random.below(near.len())].to_le_bytes());
            }
        }
        5 => {
            let at = random.below(len);
            bytes[at] = random.next_number() as u8;
        }
        6 => bytes.extend([0; 7].iter().take(random.below(8))),
        _ => {
            let (from, to) = (4 * random.below(words), 4 * random.below(words));
            if from + 4 <= len && to + 4 <= len {
                bytes.copy_within(from..from + 4, to);
            }
        }
    }
}

/// How many mutations of each vector; `GDVAR_MUTATIONS` asks for more.
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
            let options = ReadOptions::new(*dialect).objects(objects);
            compare(bytes, options);
            compare(&wrap(bytes, *dialect, &mut random), options);
        }
        for _ in 0..mutations() {
            let mut mutant = bytes.clone();
            for _ in 0..random.below(3) {
                mutant = wrap(&mutant, *dialect, &mut random);
            }
            for _ in 0..=random.below(3) {
                if !mutant.is_empty() {
                    mutate(&mut mutant, &mut random);
                }
            }
            let objects = [Objects::Ids, Objects::Inert][random.below(2)];
            compare(&mutant, ReadOptions::new(*dialect).objects(objects));
            executions += 1;
        }
    }
    println!("{executions} mutants of {} vectors agree", corpus.len());
    assert!(executions > 250_000, "{executions}");
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
            0 => options.limits(Limits::ENGINE.with_max_depth(random.below(8) as u16)),
            _ => options,
        };
        compare(&bytes, options);
        valid += u64::from(Document::with_options(&bytes, options).validate().is_ok());
        executions += 1;
        for _ in 0..random.below(4) {
            let mut mutant = bytes.clone();
            for _ in 0..=random.below(3) {
                if !mutant.is_empty() {
                    mutate(&mut mutant, &mut random);
                }
            }
            compare(&mutant, options);
            executions += 1;
        }
    }
    println!("{executions} values with children that are alike agree, {valid} were valid");
    assert!(valid > executions / 20, "{valid} of {executions}");
}
