use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Kind, pad4};

use super::{Pending, Rest, decode, pair, text_end};
use crate::{
    ReadOptions,
    bytes::{
        head::{self, BodyForm},
        samples::{string, words},
    },
};

/// The first words of many values: small and large counts, all flags of containers.
fn starts() -> impl Iterator<Item = Vec<u32>> {
    let counts = [0, 1, 2, 7, 40, 1 << 20, i32::MAX as u32, 1 << 31, u32::MAX];
    (0..=0xff_u32).flat_map(move |id| {
        (0..=17_u32).flat_map(move |flags| {
            counts.map(|count| vec![id | flags << 16, count, count.min(45), count & 5])
        })
    })
}

/// For every common value, `any_head` finds the same kind, width and offset of the first child.
#[test]
fn common_values_are_read_as_any_head_reads_them() {
    for dialect in Dialect::ALL {
        for start in starts() {
            let bytes = [words(&start), vec![0; 200]].concat();
            let Some(common) = decode(&bytes, dialect) else {
                continue;
            };
            let head = head::any_head(&bytes, 0, ReadOptions::new(dialect), 0);
            let head = head.unwrap_or_else(|error| panic!("{dialect} {start:x?}: {error}"));
            assert_eq!(
                (common.kind, common.wide),
                (head.kind, head.wide),
                "{start:x?}"
            );
            assert_eq!(common.size, head.next, "{dialect} {start:x?}");
            let expected = match head.form {
                BodyForm::Leaf => Rest::Nothing,
                BodyForm::Text => Rest::Text(head.count),
                BodyForm::PackedStrings | BodyForm::Names => Rest::Fields(head.count),
                BodyForm::Items => Rest::Children(Pending {
                    left: head.count,
                    is_dict: false,
                }),
                BodyForm::Pairs => Rest::Children(Pending {
                    left: 2 * head.count,
                    is_dict: true,
                }),
                BodyForm::Properties => unreachable!("objects are not common"),
            };
            assert_eq!(common.rest, expected, "{dialect} {start:x?}");
            // The decision needs the last byte, and at least eight bytes.
            let least = match common.rest {
                Rest::Nothing | Rest::Text(_) => 0,
                Rest::Fields(count) => 4 * count as usize,
                Rest::Children(inside) => 4 * inside.left as usize,
            };
            let whole = (common.size + least).max(8);
            assert!(decode(&bytes[..whole], dialect).is_some(), "{start:x?}");
            assert!(decode(&bytes[..whole - 1], dialect).is_none(), "{start:x?}");
        }
    }
}

/// The values that games write are common: all but objects, signals, and containers of classes.
#[test]
fn most_values_that_engines_write_are_common() {
    let bytes = [0; 300];
    for dialect in Dialect::ALL {
        for kind in Kind::ALL {
            let Some(id) = dialect.type_id(*kind) else {
                continue;
            };
            let mut bytes = bytes;
            bytes[0] = id.0;
            if *kind == Kind::NodePath {
                bytes[7] = 0x80;
            }
            let rare = matches!(
                kind,
                Kind::Object
                    | Kind::Signal
                    | Kind::Image
                    | Kind::InputEvent
                    | Kind::TypedArray
                    | Kind::PackedTypedArray
            );
            assert_eq!(decode(&bytes, dialect).is_some(), !rare, "{dialect} {kind}");
        }
    }
    let typed = |words: &[u32]| decode(&self::words(words), Dialect::GODOT_4).is_some();
    assert!(typed(&[28 | 1 << 16, 38, 0]) && !typed(&[28 | 1 << 16, 39, 0]));
    assert!(typed(&[27 | 5 << 16, 2, 38, 0]) && !typed(&[27 | 5 << 16, 39, 2, 0]));
}

#[test]
fn text_ends_after_its_padding() {
    for len in 0..20 {
        let value = string(&vec![b'a'; len]);
        let end = 8 + pad4(len);
        assert_eq!(decode(&value, Dialect::GODOT_4).unwrap().size, end);
        assert_eq!(text_end(&value, 8, len as u32), Some(end));
        assert_eq!(text_end(&value[..end - 1], 8, len as u32), None);
    }
    assert_eq!(text_end(&[0; 64], 8, u32::MAX), None);
}

#[test]
fn a_pair_of_words_is_read_anywhere() {
    let bytes = words(&[1, 2, 3]);
    assert_eq!(pair(&bytes, 0), Some((1, 2)));
    assert_eq!(pair(&bytes, 4), Some((2, 3)));
    assert_eq!(pair(&bytes, 5), None);
    assert_eq!(pair(&bytes, usize::MAX), None);
}
