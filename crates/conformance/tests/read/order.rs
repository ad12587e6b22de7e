//! Reads values in the order of the bytes, as serde's readers do. Depth is counted as validation counts
//! it, and numbers have the forms of their dialect.

use gdvar::{Dialect, Document, Kind, Limits, ReadOptions, serde as gd};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn id(dialect: Dialect, kind: Kind) -> u32 {
    dialect.type_id(kind).expect("a type").0.into()
}

/// Containers that stand beside each other are no deeper than one of them.
#[test]
fn siblings_do_not_add_up() {
    for dialect in Dialect::ALL {
        let (array, dict) = (id(dialect, Kind::Array), id(dialect, Kind::Dictionary));
        let mut lists = words(&[array, 3000]);
        let mut maps = words(&[array, 3000]);
        for n in 0..3000 {
            lists.extend(words(&[array, 1, 2, n]));
            maps.extend(words(&[dict, 1, 2, n, 2, 7]));
        }
        let lists = gd::from_slice_with::<Vec<Vec<u32>>>(&lists, dialect).expect("in order");
        assert!(
            lists
                .iter()
                .enumerate()
                .all(|(n, list)| *list == [n as u32])
        );
        type Map = std::collections::BTreeMap<u32, u32>;
        let maps = gd::from_slice_with::<Vec<Map>>(&maps, dialect).expect("in order");
        let first = maps.iter().map(|map| map.first_key_value());
        assert!(
            first
                .enumerate()
                .all(|(n, pair)| pair == Some((&(n as u32), &7)))
        );
    }
}

/// docs/FORMAT.md §4.6: what is empty may stand at the limit, and nothing may stand below it.
#[test]
fn the_limit_is_that_of_validation() {
    type Lists = Vec<Vec<Vec<u32>>>;
    for dialect in Dialect::ALL {
        let array = id(dialect, Kind::Array);
        for max_depth in 0..4 {
            let limits = Limits::ENGINE.with_max_depth(max_depth);
            let options = ReadOptions::new(dialect).with_limits(limits);
            for bytes in [
                words(&[array, 0]),
                words(&[array, 1, array, 0]),
                words(&[array, 1, array, 1, array, 0]),
                words(&[array, 1, array, 1, array, 1, 2, 7]),
                words(&[array, 2, array, 0, array, 1, array, 1, 2, 7]),
            ] {
                let expected = Document::with_options(&bytes, options).validate();
                let read = gd::from_slice_with::<Lists>(&bytes, options);
                assert_eq!(read.is_ok(), expected.is_ok(), "{dialect} {max_depth}");
            }
        }
    }
    // With types, whose headers are longer.
    for max_depth in 0..4 {
        let limits = Limits::ENGINE.with_max_depth(max_depth);
        let options = ReadOptions::new(Dialect::GODOT_4).with_limits(limits);
        for bytes in [
            words(&[0x1_001c, 28, 0]),
            words(&[0x1_001c, 28, 1, 0x1_001c, 28, 0]),
            words(&[0x1_001c, 28, 1, 0x1_001c, 28, 1, 0x1_001c, 2, 0]),
            words(&[0x1_001c, 28, 1, 0x1_001c, 28, 1, 0x1_001c, 2, 1, 2, 7]),
        ] {
            let expected = Document::with_options(&bytes, options).validate();
            let read = gd::from_slice_with::<Lists>(&bytes, options);
            assert_eq!(read.is_ok(), expected.is_ok(), "{max_depth}");
        }
    }
}

/// docs/FORMAT.md §1.5 and §2: every reader honours the flag of wide numbers, and any other bit makes
/// an unknown type in Godot 2, which compares the whole header, and nothing in the others.
#[test]
fn flags_of_numbers_are_those_of_the_dialect() {
    for dialect in Dialect::ALL {
        let known = !dialect.compares_whole_header();
        let int = words(&[0x1_0002, 7, 1]);
        let float = words(&[0x1_0003, 0, 0x3ff8_0000]);
        let read = gd::from_slice_with::<i64>(&int, dialect);
        assert_eq!(read.ok(), Some(7 + (1 << 32)), "{dialect}");
        let read = gd::from_slice_with::<f64>(&float, dialect);
        assert_eq!(read.ok(), Some(1.5), "{dialect}");
        for (number, known) in [
            (int, true),
            (float, true),
            (words(&[0x2_0002, 7]), known),
            (words(&[0x2_0003, 0]), known),
            (words(&[0x102, 7]), known),
        ] {
            let array = id(dialect, Kind::Array);
            for before in [vec![], words(&[array, 1]), words(&[array, 2, 2, 7])] {
                let bytes = [before.as_slice(), &number].concat();
                let document = Document::new(&bytes, dialect);
                let expected = if known {
                    Ok(bytes.len())
                } else {
                    Err(before.len())
                };
                let place = |error: gdvar::Error| error.offset();
                assert_eq!(document.validate().map_err(place), expected, "{dialect}");
                let end = document.root().and_then(|root| root.end());
                assert_eq!(end.map_err(place), expected, "{dialect}");
                let index = gdvar::index::Index::build(document).map(drop);
                assert_eq!(index.map_err(place).err(), expected.err(), "{dialect}");
            }
        }
    }
}
