//! What a game writes after its values: checksums, in every layer.

use gdvar_conformance::layered::{TRAILERS, layered};
use gdvar_file::{Framing, Hints, open, trailer_len};
use gdvar_io::encrypted::Key;
use gdvar_view::Dialect;

fn secret() -> Option<Key> {
    Some(Key::from_password("secret"))
}

/// Two records of Godot 4: `{"hp": 80}` and 7.
fn records() -> Vec<u8> {
    let hp = b"\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
    [&hp[..], b"\x08\0\0\0\x02\0\0\0\x07\0\0\0"].concat()
}

#[test]
fn bytes_after_containers_and_records_are_kept() {
    let mut tried = 0;
    for row in layered() {
        let is_container =
            |name: &String| name.starts_with("compressed:") || name.starts_with("encrypted:");
        let hints = Hints::new().with_key(&secret);
        let whole = open(&row.file, &hints).expect("opened");
        let is_kept = match row.layers.first() {
            Some(outer) => is_container(outer),
            None => whole.decision().framing == Framing::Len32,
        };
        if !is_kept {
            continue;
        }
        for trailer in TRAILERS {
            tried += 1;
            let file = [&row.file[..], trailer].concat();
            let opened = open(&file, &hints);
            let opened = opened.unwrap_or_else(|error| panic!("{}: {error}", row.name));
            let outer = opened.peeled().layers.first();
            let found = outer.map_or(opened.trailer(), |layer| &layer.trailer);
            assert_eq!(found, trailer, "{}", row.name);
            assert_eq!(opened.header(), whole.header(), "{}", row.name);
            assert_eq!(opened.decision(), whole.decision(), "{}", row.name);
            assert_eq!(opened.records().count(), whole.records().count());
            let iv = Some([7; 16]);
            let expected = whole.replace(whole.contents().to_vec(), iv);
            let expected = [&expected.expect("written")[..], trailer].concat();
            let same = opened.replace(opened.contents().to_vec(), iv);
            assert!(same.expect("written") == expected, "{}", row.name);
        }
    }
    assert!(tried > 100, "{tried}");
}

/// A checksum can begin with the number of any type.
#[test]
fn the_first_byte_of_a_checksum_is_any() {
    for first in 0..=255 {
        for framing in [Framing::Len32, Framing::Bare] {
            let values = match framing {
                Framing::Bare => records()[4..32].to_vec(),
                _ => records(),
            };
            let file = [&values[..], &[first, 2, 3, 4]].concat();
            let len = trailer_len(&file, framing, &[Dialect::GODOT_4]);
            assert_eq!(len, 4, "{first}, {framing:?}");
        }
    }
}

#[test]
fn a_record_that_was_cut_is_not_a_trailer() {
    let records = records();
    for next in [&records[..], &[4, 0, 0, 0, 0, 0, 0, 0]] {
        for cut in 1..next.len() {
            let file = [&records[..], &next[..cut]].concat();
            assert_eq!(
                trailer_len(&file, Framing::Len32, &Dialect::ALL),
                0,
                "{cut}"
            );
        }
    }
}

#[test]
fn a_record_whose_length_is_damaged_is_not_a_trailer() {
    let records = records();
    for bit in 0..32 {
        let mut file = records.clone();
        let at = file.len() - 12 + bit / 8;
        file[at] ^= 1 << (bit % 8);
        assert_eq!(
            trailer_len(&file, Framing::Len32, &Dialect::ALL),
            0,
            "{bit}"
        );
    }
}

#[test]
fn a_value_without_a_length_is_not_a_trailer() {
    let value = &records()[4..32];
    for next in [value, &value[..8], &[0, 0, 0, 0], &[0xff; 32]] {
        let is_blank = next == [0xff; 32];
        let file = [value, next].concat();
        let expected = if is_blank { 32 } else { 0 };
        assert_eq!(
            trailer_len(&file, Framing::Bare, &[Dialect::GODOT_4]),
            expected
        );
    }
}

/// `store_64(hash(save))`: a hash has 32 bits, so the number ends with four zeros, which would be a null.
#[test]
fn a_hash_in_eight_bytes_is_a_trailer() {
    for hash in [0x642c_e77c_u32, 0xdead_beef, 0x0180_0001] {
        let trailer = u64::from(hash).to_le_bytes();
        let file = [&records()[..], &trailer].concat();
        let len = trailer_len(&file, Framing::Len32, &[Dialect::GODOT_4]);
        assert_eq!(len, 8, "{hash:#x}");
    }
    // The start of a record whose bytes were never written, and a whole one.
    for start in [0x40_u32, 8, 4] {
        let file = [&records()[..], &u64::from(start).to_le_bytes()].concat();
        assert_eq!(trailer_len(&file, Framing::Len32, &[Dialect::GODOT_4]), 0);
    }
}
