use alloc::vec;

use gdvar_wire::{Dialect, HeaderWord, Kind, pad4};

use super::{Words, container, fixed_size, pair, plain, text_end};
use crate::{
    ReadOptions, cursor,
    fast::samples::{string, words},
};

/// What has a plain header, and with which flag: numbers may be wide in every dialect
/// (`docs/FORMAT.md` §1.5), math types in Godot 4.
const FLAGS: [u32; 2] = [0, 1 << 16];

#[test]
fn what_is_plain_is_as_the_general_way_reads_it() {
    for dialect in Dialect::ALL {
        for word in (0..=u32::from(u8::MAX)).flat_map(|id| FLAGS.map(|flag| id | flag)) {
            let bytes = [words(&[word]), vec![0; 200]].concat();
            let general = cursor::any_head(&bytes, 0, ReadOptions::new(dialect), 0);
            let Some(found) = plain(&bytes, dialect) else {
                // Numbers and vectors are all found.
                let wide = dialect.is_wide(HeaderWord(word));
                let size = dialect.fixed_payload(HeaderWord(word).type_id(), wide);
                assert!(size.is_none() || general.is_err(), "{dialect} {word:#x}");
                continue;
            };
            let head = general.unwrap();
            assert_eq!(
                (found.kind, found.wide),
                (head.kind, head.wide),
                "{dialect}"
            );
            assert_eq!(found.size, head.next, "{dialect} {word:#x}");
            assert_eq!(found.text, (word == 4).then_some(0));
            // The last byte must be there; of fewer than eight nothing is known.
            let whole = found.size.max(8);
            assert_eq!(
                plain(&bytes[..whole], dialect).map(|p| p.size),
                Some(found.size)
            );
            assert!(plain(&bytes[..whole - 1], dialect).is_none());
            // Godot 2 knows flags of numbers only, which are no fixed header there.
            let is_fixed = word != 4 && (word <= 0xff || !dialect.compares_whole_header());
            let fixed = is_fixed.then_some(found.size);
            assert_eq!(fixed_size(word, dialect), fixed, "{dialect} {word:#x}");
        }
    }
}

#[test]
fn text_ends_behind_its_padding() {
    for len in 0..20 {
        let value = string(&vec![b'a'; len]);
        let end = 8 + pad4(len);
        assert_eq!(plain(&value, Dialect::GODOT_4).unwrap().size, end);
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

#[test]
fn containers_are_plain_while_the_bytes_suffice_for_their_children() {
    for dialect in Dialect::ALL {
        let Words { array, dict, .. } = Words::of(dialect);
        for (word, kind, least, is_dict) in [
            (array, Kind::Array, 4, false),
            (dict, Kind::Dictionary, 8, true),
        ] {
            for count in [0, 1, 7] {
                let bytes = [words(&[word, count]), vec![0; 64]].concat();
                let end = 8 + least * count as usize;
                let (value, inside) = container(&bytes[..end], dialect).unwrap();
                assert_eq!((value.kind, value.size, value.wide), (kind, 8, false));
                assert_eq!(inside.is_dict, is_dict);
                assert_eq!(inside.left, if is_dict { 2 * count } else { count });
                assert!(container(&bytes[..end - 1], dialect).is_none());
            }
            // The shared bit of Godot 2, and a flag.
            assert!(container(&words(&[word, 1 << 31]), dialect).is_none());
            assert!(container(&words(&[word | 1 << 16, 0]), dialect).is_none());
        }
        assert!(container(&words(&[2, 0]), dialect).is_none());
    }
}
