//! Two threads give one thread's answer: the same length, or the same error at the same byte, and an
//! index that leads to the same values.

use gdvar::{Dialect, Document, Index, Limits, Objects, ReadOptions};
use gdvar_conformance::{
    alike::{Random, alike},
    fingerprint,
    mutate::{mutate, wrap},
    vectors::ENGINES,
};

/// Runs a test in a pool of two threads, whatever the machine has.
fn with_two_threads<T: Send>(test: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.expect("threads can be started").install(test)
}

/// Holds both against each other, where so many bytes are worth a second thread.
fn compare(document: Document<'_>, least: usize, what: &str) {
    let one = document.validate();
    let two = document.validate_parallel_from(least);
    assert_eq!(two, one, "{what}, {least}: {:?}", document.options());
    let one = Index::build(document);
    let two = Index::build_parallel_from(document, least);
    match (one, two) {
        (Ok(one), Ok(two)) => {
            // What small records are in is the same; large ones may be indexed or walked.
            assert_eq!(
                fingerprint::indexed(&two, document),
                fingerprint::indexed(&one, document),
                "{what}, {least}"
            );
            let cache = two
                .to_bytes(document)
                .map(|cache| Index::from_bytes(&cache, document));
            assert_eq!(cache, Ok(Ok(two)), "{what}, {least}");
        }
        (one, two) => assert_eq!(two.err(), one.err(), "{what}, {least}"),
    }
}

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn text(out: &mut Vec<u8>, text: &str) {
    words(out, &[4, text.len() as u32]);
    out.extend(text.as_bytes());
    out.resize(out.len().next_multiple_of(4), 0);
}

/// `{"id": n, "name": …, "speed": …, "items": […]}`, now and then larger than others. Numbers have no
/// byte above 127, so that all of it can be a text's.
fn record(out: &mut Vec<u8>, n: u32) {
    let n = n & 0x7f7f;
    words(out, &[27, 4]);
    text(out, "id");
    words(out, &[2, n]);
    text(out, "name");
    text(
        out,
        ["sword", "dagger of the éclair", "漢字", ""][n as usize % 4],
    );
    text(out, "speed");
    words(out, &[0x1_0003, n, n]);
    text(out, "items");
    let items = if n % 50 == 0 { 90 } else { n % 4 };
    words(out, &[28, items]);
    (0..items).for_each(|item| words(out, &[2, item]));
}

/// What looks like records to whoever does not know where a text begins.
fn decoy(out: &mut Vec<u8>, n: u32) {
    let mut inside = Vec::new();
    (0..1 + n % 30).for_each(|n| record(&mut inside, n));
    let inside = String::from_utf8(inside).expect("headers are ASCII");
    text(out, &inside);
}

fn array(count: u32, mut child: impl FnMut(&mut Vec<u8>, u32)) -> Vec<u8> {
    let mut out = Vec::new();
    words(&mut out, &[28, count]);
    (0..count).for_each(|n| child(&mut out, n));
    out
}

/// Values of some 200 kB and more, and the name of each.
fn values() -> Vec<(&'static str, Vec<u8>)> {
    let keyed = |out: &mut Vec<u8>, n: u32| {
        text(out, &format!("key {n}"));
        record(out, n);
    };
    let mut dictionary = array(2000, keyed);
    dictionary[0] = 27;
    // Like a save: a large array, another, and something small behind them.
    let mut save = Vec::new();
    words(&mut save, &[27, 4]);
    text(&mut save, "entities");
    save.extend(array(1500, record));
    text(&mut save, "tiles");
    save.extend(array(10_000, |out, n| words(out, &[2, n % 5])));
    text(&mut save, "pairs");
    save.extend(&dictionary);
    text(&mut save, "tail");
    words(&mut save, &[0]);
    let deep = |out: &mut Vec<u8>, n: u32| {
        for _ in 0..100 {
            words(out, &[28, 2, 2, n]);
        }
        words(out, &[0]);
    };
    let object = |out: &mut Vec<u8>, n: u32| {
        words(out, &[24]);
        words(out, &[4]);
        out.extend(b"Node");
        words(out, &[2, 1]);
        out.extend(b"x\0\0\0");
        words(out, &[2, n, 1]);
        out.extend(b"y\0\0\0");
        out.extend(array(n % 40, |out, n| words(out, &[2, n])));
    };
    vec![
        ("records", array(2500, record)),
        ("dictionary of records", dictionary),
        ("save", save),
        ("ints", array(40_000, |out, n| words(out, &[2, n * 37]))),
        ("ones", array(40_000, |out, _| words(out, &[2, 2]))),
        ("bools", array(40_000, |out, _| words(out, &[1, 1]))),
        ("nulls", array(60_000, |out, _| words(out, &[0]))),
        (
            "strings",
            array(9000, |out, n| {
                text(
                    out,
                    ["a", "some words", "ünïcödé and more of it", ""][n as usize % 4],
                );
            }),
        ),
        ("decoys", array(200, decoy)),
        (
            "records and decoys",
            array(400, |out, n| match n % 3 {
                0 => decoy(out, n),
                _ => record(out, n),
            }),
        ),
        ("one text", {
            let mut out = Vec::new();
            words(&mut out, &[28, 2, 2, 0]);
            let mut inside = Vec::new();
            (0..2000).for_each(|n| record(&mut inside, n));
            text(
                &mut out,
                &String::from_utf8(inside).expect("headers are ASCII"),
            );
            out
        }),
        ("deep", array(150, deep)),
        ("objects", array(2000, object)),
        ("numbers in a packed array", {
            let mut out = array(2, |out, n| words(out, &[2, n]));
            out[4] = 3;
            words(&mut out, &[29, 200_000]);
            out.resize(out.len() + 200_000, 0);
            out
        }),
    ]
}

fn document(bytes: &[u8]) -> Document<'_> {
    Document::new(bytes, Dialect::GODOT_4).objects(Objects::Inert)
}

const LEAST: [usize; 3] = [64, 5000, 100_000];

#[test]
fn values_in_order_are_in_order_to_two_threads() {
    with_two_threads(|| {
        for (what, bytes) in values() {
            assert_eq!(document(&bytes).validate(), Ok(bytes.len()), "{what}");
            for least in LEAST {
                compare(document(&bytes), least, what);
                compare(document(&bytes).strict(), least, what);
                for max_depth in [1, 2, 3, 5, 100, 200, 203] {
                    let limits = Limits::ENGINE.with_max_depth(max_depth);
                    compare(document(&bytes).limits(limits), least, what);
                }
            }
            // Engines ignore what follows, and so do two threads, even if it could be more of it.
            let mut longer = bytes.clone();
            longer.extend_from_slice(&bytes[bytes.len() / 2..]);
            assert_eq!(
                document(&longer).validate_parallel_from(64),
                Ok(bytes.len())
            );
        }
    });
}

#[test]
fn whatever_is_wrong_is_found_where_one_thread_finds_it() {
    with_two_threads(|| {
        for (what, bytes) in values() {
            let len = bytes.len();
            // Everywhere, and closely around the middle, where the second thread begins.
            let everywhere = (0..16).map(|n| n * (len / 16) / 4 * 4);
            let around = (0..16).map(|n| (len / 2 + len / 32) / 4 * 4 - 32 + n * 4);
            for at in everywhere.chain(around) {
                compare(document(&bytes[..at + 2]), LEAST[1], what);
                for word in [0xffff_ffff_u32, 7, 1 << 24]
                    .iter()
                    .skip(at / 4 % 3)
                    .take(1)
                {
                    let mut bad = bytes.clone();
                    bad[at..at + 4].copy_from_slice(&word.to_le_bytes());
                    compare(document(&bad), LEAST[1], what);
                }
            }
            for change in [-2_i32, -1, 1, 2, 1000] {
                let mut bad = bytes.clone();
                let count = u32::from_le_bytes([bad[4], bad[5], bad[6], bad[7]]);
                let count = count.saturating_add_signed(change);
                bad[4..8].copy_from_slice(&count.to_le_bytes());
                compare(document(&bad), LEAST[1], what);
                // The same, but something follows.
                bad.extend(&bytes);
                compare(document(&bad), LEAST[1], what);
            }
        }
    });
}

/// How many mutations; `GDVAR_MUTATIONS` asks for more.
fn mutations() -> usize {
    let asked = std::env::var("GDVAR_MUTATIONS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(100)
}

#[test]
fn two_threads_agree_with_one_over_damaged_values() {
    let (executions, valid) = with_two_threads(|| {
        let mut random = Random(0x9e6c_63d0_676a_9a99);
        let (mut executions, mut valid) = (0_u64, 0_u64);
        for _ in 0..300 * mutations() {
            let dialect = ENGINES[random.below(ENGINES.len())].dialect;
            let mut bytes = alike(dialect, &mut random);
            for _ in 0..random.below(3) {
                bytes = wrap(&bytes, dialect, &mut random);
            }
            let options = match random.below(8) {
                0 => ReadOptions::new(dialect)
                    .limits(Limits::ENGINE.with_max_depth(random.below(12) as u16)),
                _ => ReadOptions::new(dialect),
            };
            for n in 0..4 {
                let mut mutant = bytes.clone();
                for _ in 0..n {
                    if !mutant.is_empty() {
                        mutate(&mut mutant, &mut random);
                    }
                }
                let document = Document::with_options(&mutant, options);
                compare(document, [0, 16, 100][random.below(3)], "a mutant");
                valid += u64::from(document.validate().is_ok());
                executions += 1;
            }
        }
        (executions, valid)
    });
    println!("{executions} values agree, {valid} were valid");
    assert!(executions >= 1000 * mutations() as u64, "{executions}");
    assert!(valid > executions / 10, "{valid} of {executions}");
}
