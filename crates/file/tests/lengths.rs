//! A game's own header before records of every length: a length may look like a type.

use std::convert::Infallible;

use gdvar_file::{Framing, Hints, open};
use gdvar_view::Dialect;
use gdvar_write::{Target, Writer};

/// `{"player": {"name": "Ann", "hp": 80}, "levels": [1], "note": "yyy…"}`, with `len` times y.
fn save(target: Target, len: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, target);
    let text = "y".repeat(len);
    let mut write = || -> Result<(), gdvar_write::Error<Infallible>> {
        writer.begin_dict(3)?;
        writer.string("player")?;
        writer.begin_dict(2)?;
        writer.string("name")?;
        writer.string("Ann")?;
        writer.string("hp")?;
        writer.int(80)?;
        writer.end()?;
        writer.string("levels")?;
        writer.begin_array(1)?;
        writer.int(1)?;
        writer.end()?;
        writer.string("note")?;
        writer.string(&text)?;
        writer.end()
    };
    write().expect("a value");
    bytes
}

/// The length of a record ends in every byte once: 1C is an Array, 1B a Dictionary, 04 a String.
#[test]
fn a_header_is_found_before_a_record_of_every_length() {
    let word = |number: u32| number.to_le_bytes().to_vec();
    let heads = [
        b"GAME".to_vec(),
        b"MYGAME01".to_vec(),
        b"version=1.2.3\n".to_vec(),
        word(1),
        word(2),
        word(28),
        [word(1), word(7)].concat(),
        [word(4), word(15)].concat(),
        [word(5), b"Hello".to_vec()].concat(),
        [word(0x8d3f_1c2b), word(0x77aa_0912)].concat(),
        vec![
            0x9f, 0x3c, 0xe1, 0x07, 0x55, 0xb2, 0xc8, 0x14, 0x6d, 0xf9, 0x80, 0x2a, 0xcb, 0x31,
            0x5e, 0xd7,
        ],
    ];
    for (dialect, target) in [
        (Dialect::GODOT_4, Target::GODOT_4),
        (Dialect::GODOT_3, Target::GODOT_3),
    ] {
        let lens = (0..1100).step_by(4).chain([70_000 + 44, 70_000 + 48]);
        for len in lens {
            let value = save(target, len);
            let length = u32::try_from(value.len()).expect("a short value");
            for length in [length.to_le_bytes(), length.to_be_bytes()] {
                let record = [&length[..], &value].concat();
                for head in &heads {
                    for count in [1, 2] {
                        let file = [head.as_slice(), &record.repeat(count)].concat();
                        let who = format!("{head:?}, {count} of {}", value.len());
                        let opened = open(&file, &Hints::new().with_dialect(dialect)).expect(&who);
                        assert_eq!(opened.header(), head.as_slice(), "{who}");
                        let found: Vec<_> =
                            opened.records().map(|one| one.bytes.to_vec()).collect();
                        assert_eq!(found, vec![value.clone(); count], "{who}");
                    }
                }
            }
        }
    }
}

/// A large record whose length has the byte 1C at its end is also an Array of as many elements as the next word says.
/// It is cut, and only its first 64 KiB are read if nothing else reads them.
#[test]
fn a_large_record_is_no_cut_array() {
    for (dialect, target) in [
        (Dialect::GODOT_4, Target::GODOT_4),
        (Dialect::GODOT_3, Target::GODOT_3),
    ] {
        for length in [
            0x1_041c, 0x2_001c, 0x4_001c, 0x4_001b, 0x4_e21c, 0x10_001c, 0x4_0014,
        ] {
            for key in ["a", "hp", "inventory"] {
                let mut value = Vec::new();
                let mut writer = Writer::new(&mut value, target);
                let head = 8 + 8 + key.len().next_multiple_of(4) + 8;
                let bytes = vec![7; length - head];
                let mut write = || -> Result<(), gdvar_write::Error<Infallible>> {
                    writer.begin_dict(1)?;
                    writer.string(key)?;
                    writer.packed_bytes(&bytes)?;
                    writer.end()
                };
                write().expect("a value");
                let length = u32::try_from(value.len()).expect("a short value");
                let file = [&length.to_le_bytes()[..], &value].concat();
                for hints in [Hints::new(), Hints::new().with_dialect(dialect)] {
                    let opened =
                        open(&file, &hints).unwrap_or_else(|_| panic!("{length:#x} {key}"));
                    assert_eq!(
                        opened.decision().framing,
                        Framing::Len32,
                        "{length:#x} {key}"
                    );
                    assert_eq!(opened.header(), b"", "{length:#x} {key}");
                }
            }
        }
    }
}

/// The length of a record that lost four bytes is the size of the file. What is left may still be read as one value,
/// but no engine writes such a value.
#[test]
fn a_record_that_lost_four_bytes_is_damaged() {
    let mut value = Vec::new();
    let mut writer = Writer::new(&mut value, Target::GODOT_4);
    let ints: Vec<i32> = (10..22).collect();
    let mut write = || -> Result<(), gdvar_write::Error<Infallible>> {
        writer.begin_dict(2)?;
        writer.string("map")?;
        writer.packed_i32(&ints)?;
        writer.string("b")?;
        writer.int(1)?;
        writer.end()
    };
    write().expect("a value");
    let length = u32::try_from(value.len()).expect("a short value");
    let file = [&length.to_le_bytes()[..], &value].concat();
    for at in (4..file.len()).step_by(4) {
        let mut damaged = file.clone();
        damaged.drain(at..at + 4);
        let opened = open(&damaged, &Hints::new());
        match opened {
            Ok(opened) => {
                assert_eq!(opened.header(), b"", "four bytes at {at}");
                let framing = opened.decision().framing;
                assert_eq!(framing, Framing::Len32, "four bytes at {at}");
            }
            Err(error) => panic!("four bytes at {at}: {error:?}"),
        }
    }
    // A game's own size of the whole file, and a value.
    let size = length + 4;
    let own = [&size.to_le_bytes()[..], &value].concat();
    let opened = open(&own, &Hints::new()).expect("a header");
    assert_eq!(
        (opened.header().len(), opened.decision().framing),
        (4, Framing::Bare)
    );
}
