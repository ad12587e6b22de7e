use alloc::vec::Vec;
use core::sync::atomic::AtomicUsize;

use super::{Ahead, boundary, looks_like_pairs, to_come};
use crate::{
    Dialect, Document, Event, Index, ReadOptions,
    fast::{Learned, samples::string},
    walk::Walk,
};

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// `["entities", [{"id": n, "items": [n, true]}, …], "tail", n]` as a dictionary.
fn save(count: u32) -> Vec<u8> {
    let mut out = Vec::new();
    words(&mut out, &[27, 2, 4, 8]);
    out.extend(b"entities");
    words(&mut out, &[28, count]);
    for n in 0..count {
        words(&mut out, &[27, 2, 4, 2]);
        out.extend(b"id\0\0");
        words(&mut out, &[2, n, 4, 5]);
        out.extend(b"items\0\0\0");
        words(&mut out, &[28, 2, 2, n, 1, 1]);
    }
    words(&mut out, &[4, 4]);
    out.extend(b"tail");
    words(&mut out, &[2, count]);
    out
}

/// `[[[…], [n, n, …]], …]`: containers that end at many depths.
fn nested(count: u32) -> Vec<u8> {
    let mut out = Vec::new();
    words(&mut out, &[28, count]);
    for n in 0..count {
        words(&mut out, &[28, 3, 28, 2, 28, 1, 2, n, 3, n, 28, n % 7]);
        (0..n % 7).for_each(|k| words(&mut out, &[2, k]));
        words(&mut out, &[0]);
    }
    out
}

#[test]
fn most_of_what_is_behind_a_guess_is_passed_by_the_second_thread() {
    let mut numbers = Vec::new();
    words(&mut numbers, &[28, 100_000]);
    (0..100_000).for_each(|n| words(&mut numbers, &[2, n * 37]));
    let options = ReadOptions::new(Dialect::GODOT_4);
    for (bytes, what) in [
        (save(20_000), "records"),
        (nested(30_000), "nested"),
        (numbers, "numbers"),
    ] {
        let middle = (bytes.len() / 2).next_multiple_of(4);
        let cut = boundary(&bytes, options, middle).expect(what);
        let mut learned = Learned::default();
        let mut walk = Walk::<true>::new(&bytes, 0, options, 0);
        walk.drain_to(cut, &mut learned, &mut ()).expect(what);
        assert_eq!(walk.at, cut, "{what}");
        // It was not told where to stop, so it walks on to the end.
        let unknown = AtomicUsize::new(usize::MAX);
        let ahead = Ahead::new(&bytes, options, cut, &unknown, ());
        let wanted = to_come(&walk);
        ahead.pass(&mut walk, wanted, &mut ());
        let passed = walk.at - cut;
        assert!(passed > (bytes.len() - cut) / 2, "{what}: {passed}");
        walk.drain_to(usize::MAX, &mut learned, &mut ())
            .expect(what);
        assert_eq!(walk.at, bytes.len(), "{what}");
    }
}

#[test]
fn no_more_is_taken_than_is_to_come() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let bytes = save(5000);
    let cut = boundary(&bytes, options, bytes.len() / 8 * 4).expect("a place");
    for wanted in [0, 1, 2, 100, 1000] {
        let unknown = AtomicUsize::new(usize::MAX);
        let mut walk = Walk::<true>::new(&bytes, 0, options, 0);
        let mut learned = Learned::default();
        walk.drain_to(cut, &mut learned, &mut ()).expect("in order");
        let before = to_come(&walk);
        Ahead::new(&bytes, options, cut, &unknown, ()).pass(&mut walk, wanted, &mut ());
        assert!(before - to_come(&walk) <= wanted);
        assert_eq!(walk.at == cut, wanted == 0);
    }
}

#[test]
fn a_boundary_is_where_a_value_begins() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    for bytes in [save(3000), nested(3000)] {
        let mut starts = Vec::new();
        let mut events = Document::with_options(&bytes, options).events();
        while let Some(event) = events.try_next().unwrap() {
            if let Event::Value(value) | Event::Begin(value) = event {
                starts.push(value.offset());
            }
        }
        for n in 1..40 {
            let start = (bytes.len() / 41 * n).next_multiple_of(4);
            let cut = boundary(&bytes, options, start).expect("a place");
            assert!(starts.binary_search(&cut).is_ok(), "{cut}");
            // It takes some values to believe in a place, and half of the bytes are to be left.
            let left = bytes.len() - start;
            assert!(
                (start + left / 16..=start + left / 2).contains(&cut),
                "{cut} of {start}"
            );
        }
    }
    // Bytes that are no values.
    assert_eq!(boundary(&[0xff; 100_000], options, 40_000), None);
}

#[test]
fn pairs_are_told_from_elements() {
    let int = [2, 0, 0, 0, 7, 0, 0, 0];
    let pair = [&string(b"name")[..], &int, &int].concat();
    assert!(looks_like_pairs(&pair, 0));
    assert!(looks_like_pairs(&[&[9; 4], &pair[..]].concat(), 4));
    assert!(!looks_like_pairs(&pair, 12));
    let texts = [string(b"one"), string(b"two!"), string(b"three")].concat();
    assert!(!looks_like_pairs(&texts, 0));
    assert!(!looks_like_pairs(&string(b"alone"), 0));
    assert!(!looks_like_pairs(&[], 0));
}

#[test]
fn an_index_by_two_threads_is_that_by_one() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    // Containers large enough for an entry of their own, at the ends of others too.
    let rows = |count: u32, len: u32| {
        let mut out = Vec::new();
        words(&mut out, &[28, count]);
        for n in 0..count {
            words(&mut out, &[27, 2, 2, n, 28, len]);
            (0..len).for_each(|k| words(&mut out, &[2, k]));
            words(&mut out, &[2, n + 1, 28, 2, 28, len]);
            (0..len).for_each(|k| words(&mut out, &[2, k]));
            words(&mut out, &[28, n % 9 * 10]);
            (0..n % 9 * 10).for_each(|k| words(&mut out, &[2, k]));
        }
        out
    };
    for bytes in [
        save(2000),
        nested(2000),
        rows(300, 40),
        rows(20, 500),
        rows(3, 4000),
    ] {
        let document = Document::new(&bytes, Dialect::GODOT_4);
        let one = Index::build(document).unwrap();
        for least in [1, 1 << 12, 1 << 16] {
            let two = pool
                .install(|| Index::build_parallel_from(document, least))
                .unwrap();
            assert!(one == two, "{} bytes, {least}", bytes.len());
            let valid = pool.install(|| document.validate_parallel_from(least));
            assert_eq!(valid, Ok(bytes.len()));
        }
    }
}
