//! Forged caches, whose checksums are right.

use alloc::{vec, vec::Vec};

use super::{CacheError, Index, Indexed, LINK, checksum::checksum};
use crate::{Dialect, Document, Error, ReadOptions, VariantRef};

/// `{0: [0, 1, … 99], 1: [[…], [0, 1, … 99]], … }`: large containers in large ones.
fn nested() -> Vec<u8> {
    fn words(out: &mut Vec<u8>, words: &[u32]) {
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    fn numbers(out: &mut Vec<u8>) {
        words(out, &[28, 100]);
        (0..100).for_each(|n| words(out, &[2, n]));
    }
    let mut out = Vec::new();
    words(&mut out, &[27, 40]);
    for n in 0..40 {
        words(&mut out, &[2, n]);
        if n % 4 == 1 {
            words(&mut out, &[28, 3, 2, n]);
            numbers(&mut out);
        }
        numbers(&mut out);
    }
    out
}

fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&body);
    body.extend(sum.to_le_bytes());
    body
}

/// Reads all that an index leads to, at most so many values.
fn read(index: &Index, document: Document<'_>, most: usize) -> Result<usize, Error> {
    let mut next: Vec<Indexed<'_, VariantRef<'_>>> = vec![index.open(document)?];
    let mut seen = 0;
    while let Some(value) = next.pop() {
        seen += 1;
        assert!(seen <= most, "a forged index leads in circles");
        if let Some(array) = value.as_array() {
            next.extend(array.iter().flatten());
        }
        if let Some(dict) = value.as_dict() {
            let _ = (dict.get("3"), dict.get_int(3), dict.get_int(-1));
            next.extend(dict.iter().flatten().flat_map(|(key, value)| [key, value]));
        }
    }
    Ok(seen)
}

#[test]
fn forged_caches_lead_to_errors_at_most() {
    let bytes = nested();
    let document = Document::new(&bytes, Dialect::GODOT_4);
    let mut index = Index::build(document).unwrap();
    index.sort_keys(document).unwrap();
    let all = read(&index, document, usize::MAX).unwrap();
    assert_eq!(all, 1 + 2 * 40 + 50 * 100 + 3 * 10);
    let cache = index.to_bytes(document).unwrap();
    let body = &cache[..cache.len() - 8];
    let header = 64;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut accepted = 0;
    for _ in 0..3000 {
        let mut forged = body.to_vec();
        for _ in 0..=random(3) {
            // Counts at the end of the header, then entries, slots and keys.
            let at = header - 12 + 4 * random((body.len() - header + 12) / 4);
            let word = [
                0,
                1,
                random(60) as u32,
                random(6000) as u32,
                LINK,
                LINK | random(60) as u32,
                u32::MAX,
                bytes.len() as u32 / 4,
            ][random(8)];
            forged[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        match Index::from_bytes(&sealed(forged), document) {
            // Every slot leads to one value, and none has more in it than all.
            Ok(index) => {
                let _ = read(&index, document, all * 100);
                accepted += 1;
            }
            Err(error) => assert_eq!(error, CacheError::Damaged),
        }
    }
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn entries_form_a_tree() {
    let bytes = nested();
    let document = Document::new(&bytes, Dialect::GODOT_4);
    let index = Index::build(document).unwrap();
    let refused = |change: &dyn Fn(&mut Index)| {
        let mut forged = index.clone();
        change(&mut forged);
        let cache = forged.to_bytes(document).unwrap();
        assert_eq!(
            Index::from_bytes(&cache, document),
            Err(CacheError::Damaged)
        );
    };
    let last = index.entries.len() as u32 - 1;
    let slots = index.slots.len();
    // To itself, to what it is inside of, twice to the same, beyond the end, to none.
    refused(&|index| index.slots[slots - 1] = LINK | last);
    refused(&|index| index.slots[0] = LINK | last);
    refused(&|index| index.slots[slots - 1] = LINK);
    refused(&|index| index.slots[slots - 1] = LINK | (last + 1));
    refused(&|index| index.slots[slots - 1] = 2);
    // Slots that overlap, are too many or too few.
    refused(&|index| index.entries[3].end = index.entries[2].end - 1);
    refused(&|index| index.entries[last as usize].end += 1);
    refused(&|index| index.slots.push(2));
    // An outermost value that is somewhere inside.
    refused(&|index| index.entries[last as usize].at = 2);
}

/// Offsets have 31 bits, in words where values begin at words.
#[cfg(target_pointer_width = "64")]
#[test]
fn eight_gibibytes_are_indexed_and_two_of_godot_2() {
    assert_eq!(
        Index::longest(super::shift(Dialect::GODOT_4.into())),
        8 << 30
    );
    assert_eq!(
        Index::longest(super::shift(Dialect::GODOT_3.into())),
        8 << 30
    );
    assert_eq!(
        Index::longest(super::shift(Dialect::GODOT_2.into())),
        2 << 30
    );
}

/// What is just as long is indexed; a zero is null, whatever follows it.
#[cfg(target_pointer_width = "64")]
#[test]
fn longer_buffers_are_refused() {
    // Nothing but the first pages is ever touched.
    let bytes = vec![0; (2 << 30) + 4];
    for (more, refused) in [(0, false), (1, true), (4, true)] {
        let document = Document::new(&bytes[..(2 << 30) + more], Dialect::GODOT_2);
        let error = Index::build(document).err().map(Error::kind);
        let expected = refused.then_some(crate::ErrorKind::IndexLimit);
        assert_eq!(error, expected, "{more}");
    }
}

#[test]
fn large_dictionaries_have_their_keys_sorted_once_asked() {
    let bytes = nested();
    let document = Document::new(&bytes, Dialect::GODOT_4);
    let mut index = Index::build(document).unwrap();
    let sorted = |index: &Index| {
        let root = index.open(document).unwrap().as_dict().unwrap();
        root.sorted().map(<[u32]>::to_vec)
    };
    assert_eq!(sorted(&index), None);
    index.sort_keys(document).unwrap();
    assert_eq!(sorted(&index), Some((0..40).collect()));
}

#[test]
fn options_that_change_sizes_are_kept() {
    // Of f64 without a flag: 0, 1, 2 and so on, in containers that are indexed.
    let mut bytes = Vec::new();
    bytes.extend([28, 0, 0, 0, 20, 0, 0, 0]);
    for n in 0..20 {
        bytes.extend([12, 0, 0, 0]);
        bytes.extend([f64::from(n), 0.0, 0.0, 1.0].map(f64::to_le_bytes).concat());
    }
    let options = ReadOptions::new(Dialect::GODOT_4).unflagged_vector4_is_f64(true);
    let document = Document::with_options(&bytes, options);
    let index = Index::build(document).unwrap();
    let vectors = index.open(document).unwrap().as_array().unwrap();
    for n in 0..20 {
        let vector = vectors.get(n).unwrap().unwrap();
        let x = vector.as_vector4_f64().map(|vector| vector.x);
        assert_eq!(x, Some(n as f64));
        assert_eq!(vector.end(), Ok(8 + 36 * (n + 1)));
    }
}
