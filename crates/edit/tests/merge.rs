//! Merging keys that the engine takes for one.

use gdvar_edit::{Dialect, Document, merge};

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
