use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Kind, pad4};

use super::{Pending, Rest, look, pair, text_end};
use crate::{
    ReadOptions,
    bytes::{
        head::{self, Form},
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

/// Plain values are read by the general way, too, with one result: kind, width, place of the first
/// child.
#[test]
fn what_is_plain_is_as_the_general_way_reads_it() {
    for dialect in Dialect::ALL {
        for start in starts() {
            let bytes = [words(&start), vec![0; 200]].concat();
            let Some(plain) = look(&bytes, dialect) else {
                continue;
            };
            let head = head::any_head(&bytes, 0, ReadOptions::new(dialect), 0);
            let head = head.unwrap_or_else(|error| panic!("{dialect} {start:x?}: {error}"));
            assert_eq!(
                (plain.kind, plain.wide),
                (head.kind, head.wide),
                "{start:x?}"
            );
            assert_eq!(plain.size, head.next, "{dialect} {start:x?}");
            let expected = match head.form {
                Form::Leaf => Rest::Nothing,
                Form::Text => Rest::Text(head.count),
                Form::PackedStrings | Form::Names => Rest::Fields(head.count),
                Form::Items => Rest::Children(Pending {
                    left: head.count,
                    is_dict: false,
                }),
                Form::Pairs => Rest::Children(Pending {
                    left: 2 * head.count,
                    is_dict: true,
                }),
                Form::Properties => unreachable!("objects are not plain"),
            };
            assert_eq!(plain.rest, expected, "{dialect} {start:x?}");
            // The last byte must be there; of fewer than eight nothing is known.
            let least = match plain.rest {
                Rest::Nothing | Rest::Text(_) => 0,
                Rest::Fields(count) => 4 * count as usize,
                Rest::Children(inside) => 4 * inside.left as usize,
            };
            let whole = (plain.size + least).max(8);
            assert!(look(&bytes[..whole], dialect).is_some(), "{start:x?}");
            assert!(look(&bytes[..whole - 1], dialect).is_none(), "{start:x?}");
        }
    }
}

/// The values that games write are plain: everything but objects, signals, and containers of
/// classes.
#[test]
fn most_of_what_engines_write_is_plain() {
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
            assert_eq!(look(&bytes, dialect).is_some(), !rare, "{dialect} {kind}");
        }
    }
    let typed = |words: &[u32]| look(&self::words(words), Dialect::GODOT_4).is_some();
    assert!(typed(&[28 | 1 << 16, 38, 0]) && !typed(&[28 | 1 << 16, 39, 0]));
    assert!(typed(&[27 | 5 << 16, 2, 38, 0]) && !typed(&[27 | 5 << 16, 39, 2, 0]));
}

#[test]
fn text_ends_behind_its_padding() {
    for len in 0..20 {
        let value = string(&vec![b'a'; len]);
        let end = 8 + pad4(len);
        assert_eq!(look(&value, Dialect::GODOT_4).unwrap().size, end);
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
