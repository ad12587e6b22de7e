//! Merging keys that the engine takes for one.

use std::collections::BTreeMap;

use gdvar_edit::{Dialect, Document, merge};
use gdvar_view::VariantRef;

const STRING: u8 = 4;
const STRING_NAME: u8 = 21;

/// The Dictionary `{"z": 1, KEY: value}`, or `{"z": 1}`. KEY is `k` as a String or a StringName.
fn dict(key: Option<(u8, u8)>) -> Vec<u8> {
    let pair = |kind: u8, name: u8, value: u8| {
        [
            &[kind, 0, 0, 0, 1, 0, 0, 0, name, 0, 0, 0][..],
            &[2, 0, 0, 0, value, 0, 0, 0],
        ]
        .concat()
    };
    let mut bytes = vec![27, 0, 0, 0, 1 + u8::from(key.is_some()), 0, 0, 0];
    bytes.extend(pair(STRING, b'z', 1));
    bytes.extend(key.map_or_else(Vec::new, |(kind, value)| pair(kind, b'k', value)));
    bytes
}

/// In Godot 4, `{}` with `d["k"] = 1` and then `d[&"k"] = 2` has one pair.
#[test]
fn a_text_key_of_both_types_is_one_conflict_with_a_path() {
    let base = dict(None);
    for (ours, theirs) in [
        (STRING, STRING_NAME),
        (STRING_NAME, STRING),
        (STRING, STRING),
        (STRING_NAME, STRING_NAME),
    ] {
        let (ours, theirs) = (dict(Some((ours, 1))), dict(Some((theirs, 2))));
        let all = [&base, &ours, &theirs].map(|one| Document::new(one, Dialect::GODOT_4));
        let merged = merge(all[0], all[1], all[2]).expect("a merge");
        let paths: Vec<_> = { merged.conflicts().iter() }
            .map(|conflict| (&*conflict.path, &*conflict.theirs))
            .collect();
        assert_eq!(paths, [("$.k", "$.k")]);
        assert_eq!(merged.edit().plan().expect("a plan").to_vec(), ours);
    }
}

/// What a side does with a key: nothing, another value, the key erased and set again, or the key erased.
const DEEDS: [char; 4] = ['k', 'c', 'a', 'e'];

/// `{"a": 1, "k": 1, "z": 1}` after the deeds of a side, which writes `value`.
fn after(deeds: [char; 3], value: u8) -> Vec<(u8, u8)> {
    let mut pairs = Vec::new();
    let mut again = Vec::new();
    for (key, deed) in b"akz".iter().zip(deeds) {
        match deed {
            'k' => pairs.push((*key, 1)),
            'c' => pairs.push((*key, value)),
            'a' => again.push((*key, value)),
            _ => {}
        }
    }
    pairs.extend(again);
    pairs
}

fn bytes_of(pairs: &[(u8, u8)]) -> Vec<u8> {
    let mut bytes = vec![
        27,
        0,
        0,
        0,
        u8::try_from(pairs.len()).expect("few"),
        0,
        0,
        0,
    ];
    for (key, value) in pairs {
        bytes.extend([STRING, 0, 0, 0, 1, 0, 0, 0, *key, 0, 0, 0]);
        bytes.extend([2, 0, 0, 0, *value, 0, 0, 0]);
    }
    bytes
}

fn pairs_of(bytes: &[u8]) -> BTreeMap<u8, i64> {
    let root = Document::new(bytes, Dialect::GODOT_4)
        .root()
        .expect("a value");
    let dict = root.as_dict().expect("a Dictionary");
    let pair = |(key, value): (VariantRef<'_>, VariantRef<'_>)| {
        Some((key.as_str()?.as_bytes()[0], value.as_i64()?))
    };
    dict.iter()
        .map(|one| pair(one.expect("a pair")).expect("text and int"))
        .collect()
}

/// A change that only one side made is taken, whatever the other side did with other keys and whatever moved.
#[test]
fn every_key_is_merged_by_itself() {
    let base = bytes_of(&after(['k'; 3], 1));
    let all = || {
        DEEDS.iter().flat_map(|a| {
            DEEDS
                .iter()
                .flat_map(move |b| DEEDS.iter().map(move |c| [*a, *b, *c]))
        })
    };
    for ours in all() {
        for theirs in all() {
            let (our, their) = (bytes_of(&after(ours, 7)), bytes_of(&after(theirs, 8)));
            let three = [&base, &our, &their].map(|one| Document::new(one, Dialect::GODOT_4));
            let merged = merge(three[0], three[1], three[2]).expect("a merge");
            let result = merged.edit().plan().expect("a plan").to_vec();
            let [old, mine, other] = [&base, &our, &their].map(|one| pairs_of(one));
            let mut expected = BTreeMap::new();
            for key in *b"akz" {
                let [old, mine, other] = [&old, &mine, &other].map(|all| all.get(&key));
                let taken = if mine == old { other } else { mine };
                expected.extend(taken.map(|value| (key, *value)));
                let is_conflict = mine != old && other != old && mine != other;
                let path = format!("$.{}", key as char);
                let named = merged
                    .conflicts()
                    .iter()
                    .any(|one| one.path == path || one.theirs == path);
                assert_eq!(
                    named,
                    is_conflict,
                    "{ours:?} {theirs:?} {path} {:?}",
                    merged.conflicts()
                );
            }
            assert_eq!(pairs_of(&result), expected, "{ours:?} {theirs:?}");
            // If one side did nothing, the other is taken byte for byte, with its order.
            if ours == ['k'; 3] {
                assert_eq!(result, their);
            }
            if theirs == ['k'; 3] {
                assert_eq!(result, our);
            }
        }
    }
}

/// Only an engine can compare keys such as a NodePath or an Array. Each side adds a key of its own.
#[test]
fn keys_that_only_the_engine_compares_do_not_conflict_with_others() {
    let base = bytes_of(&[(b'x', 0)]);
    let text = &bytes_of(&[(b'a', 2)])[8..];
    // NodePath("a"), [5] and {}.
    let keys: [&[u8]; 3] = [
        b"\x16\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0a\0\0\0",
        &[28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0],
        &[27, 0, 0, 0, 0, 0, 0, 0],
    ];
    for key in keys {
        let pair = [key, &[2, 0, 0, 0, 3, 0, 0, 0]].concat();
        let with = |pair: &[u8]| {
            let mut bytes = [&base[..], pair].concat();
            bytes[4] += 1;
            bytes
        };
        for (ours, theirs) in [(with(&pair), with(text)), (with(text), with(&pair))] {
            let three = [&base, &ours, &theirs].map(|one| Document::new(one, Dialect::GODOT_4));
            let merged = merge(three[0], three[1], three[2]).expect("a merge");
            assert_eq!(merged.conflicts(), []);
            let result = merged.edit().plan().expect("a plan").to_vec();
            assert_eq!(result[4], 3);
            assert_eq!(result.len(), base.len() + pair.len() + text.len());
            assert!(Document::new(&result, Dialect::GODOT_4).validate().is_ok());
        }
    }
}
