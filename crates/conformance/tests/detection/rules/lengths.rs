//! How the detector treats the end of numbers, of records that are cut off, and of values that are deep or long.

use gdvar::{
    Dialect, ErrorKind, Kind,
    detect::{Choice, Detector, DialectFit},
    write::wire::TypeId,
};

use super::{
    GODOT_3, GODOT_4, LONG, NO_TYPE, PANDEMONIUM_4, PANDEMONIUM_5, alone, array, choice, counts,
    floats, found, header, long_array, reading, string, text, words,
};

/// Numbers of a fixed size end where the table of docs/FORMAT.md §3.1 says, in all dialects.
#[test]
fn plain_numbers_are_counted_exactly() {
    for (bytes, expected, read) in [
        (words(&[2, 42]), [0; 4], 8),
        (words(&[3, 0x3f80_0000]), [0; 4], 8),
        (words(&[2 | 1 << 16, 0, 1]), [0; 4], 12),
        (words(&[5, 0x3f80_0000, 0]), [0; 4], 12),
        (words(&[2, 42, 1]), [0, 1, 0, 0], 8),
        (words(&[2, 42, 0]), [0, 0, 1, 0], 8),
        (words(&[2, 42, 1, 1]), [0, 1, 0, 0], 8),
        (words(&[2 | 1 << 16, 0, 1, 0, 7]), [0, 1, 0, 0], 12),
        (words(&[2 | 1 << 16, 0, 1, 7, 7, 7, 7, 7]), [0, 1, 0, 0], 12),
        (words(&[5, 0, 0, 0, 0, 0, 0, 9]), [0, 1, 0, 0], 12),
        (words(&[2 | 1 << 16]), [1, 0, 0, 0], 4),
        (words(&[2 | 1 << 16, 42]), [1, 0, 0, 0], 4),
        (words(&[5]), [1, 0, 0, 0], 4),
        (words(&[5, 0]), [1, 0, 0, 0], 4),
        (words(&[2]), [1, 0, 0, 0], 4),
    ] {
        let found = found(&Detector::AUTO, &[&bytes]);
        for reading in found.readings() {
            assert_eq!(
                (counts(reading), reading.read),
                (expected, read),
                "{bytes:02x?}"
            );
            assert_eq!(reading.failure.is_some(), expected[0] == 1);
            assert_eq!(reading.difference, None);
        }
    }
    // Godot 4 and 3 read a Vector2 there, Pandemonium 4 a Rect2: no number of one size.
    let vector = floats(&[5], &[1.0, 2.0]);
    let found = found(&[GODOT_3, PANDEMONIUM_4], &[&vector]);
    assert_eq!(found.choice(), Choice::Certain(GODOT_3));
}

/// Of a record that is cut off, nobody reads all; a value that would fill it is likelier than one that would not.
#[test]
fn cut_records_are_judged_by_their_size() {
    let cut = |dialects: &[Dialect], bytes: &[u8], declared| {
        let mut detector = Detector::new(dialects);
        detector.add_cut(bytes, declared);
        detector.finish()
    };
    let auto = &Detector::AUTO;
    // Type 7 is a Rect2 of 20 bytes in Godot 4, and a Vector3 of 16 in Godot 3.
    let start = floats(&[7], &[1.0]);
    for (declared, right, wrong) in [(20, GODOT_4, GODOT_3), (16, GODOT_3, GODOT_4)] {
        let found = cut(auto, &start, declared);
        assert_eq!(found.choice(), Choice::Furthest(right));
        assert_eq!(reading(&found, right).read, 8);
        assert!(reading(&found, wrong).read < 8);
        for one in found.readings() {
            assert_eq!(counts(one), [1, 0, 0, 0]);
            let (record, error) = one.failure.expect("a failure");
            assert!(record == 0 && error.is_truncated());
        }
    }
    // Neither has 24 bytes, so nothing tells them apart.
    let neither = cut(auto, &start, 24);
    let read = neither.readings().iter().map(|one| one.read);
    assert!(read.clone().max() < Some(8) && read.clone().min() == read.max());
    // A value that is whole has less of the record than what would fill it.
    let whole = cut(auto, &floats(&[7], &[1.0; 3]), 20);
    assert_eq!(whole.choice(), Choice::Furthest(GODOT_4));
    assert_eq!(reading(&whole, GODOT_4).read, 16);
    assert_eq!(reading(&whole, GODOT_3).read, 15);
    let (_, error) = reading(&whole, GODOT_3).failure.expect("a failure");
    assert_eq!(error.kind(), ErrorKind::Truncated { missing: 1 });
    assert_eq!(error.offset(), 16);
    // A text of nine bytes takes 20, so it can stand in a record of that size or more, and in no shorter one.
    let begun = &string(b"nine byte")[..12];
    for (declared, fills) in [(19, false), (20, true), (24, true)] {
        let found = cut(&[GODOT_4], begun, declared);
        assert_eq!(found.readings()[0].read == 12, fills, "{declared}");
    }
    // Without any byte nothing is known, and not even a header can be wrong.
    for bytes in [&[][..], &[7, 0]] {
        let found = cut(auto, bytes, 20);
        for one in found.readings() {
            assert_eq!(counts(one), [1, 0, 0, 0]);
            assert_eq!(one.read, bytes.len() as u64);
        }
    }
    assert_eq!(cut(auto, &[], 0).choice(), Choice::None);
}

/// Godot 3.2 has no limit of depth, so that 10000 levels are let in; Godot 4 ends at 1024 (docs/FORMAT.md §4.6).
#[test]
fn deep_values_are_read_as_deep_as_their_engines_do() {
    let nested = |dialect, levels| {
        let start = words(&[header(dialect, Kind::Array), 1]);
        [start.repeat(levels), words(&[0])].concat()
    };
    assert_eq!(alone(GODOT_3, &nested(GODOT_3, 1100)).failed, 0);
    assert_eq!(alone(GODOT_4, &nested(GODOT_4, 1024)).failed, 0);
    let (_, error) = alone(GODOT_4, &nested(GODOT_4, 1025))
        .failure
        .expect("a failure");
    assert_eq!(error.kind(), ErrorKind::DepthExceeded { limit: 1024 });
}

/// Objects are let in where there are some; elsewhere a script's path need not be one (docs/FORMAT.md §4.3).
#[test]
fn objects_are_let_in_where_there_are_some() {
    let typed = |path: &[u8], rest: &[u32]| {
        let start = words(&[header(GODOT_4, Kind::Array) | 3 << 16]);
        [start, text(path), words(rest)].concat()
    };
    assert_eq!(alone(GODOT_4, &typed(b"no path!", &[1, 0])).failed, 0);
    let (_, error) = alone(GODOT_4, &typed(b"no path!", &[1, 2]))
        .failure
        .expect("a failure");
    assert!(error.is_truncated());
    // An object without properties, class "Node".
    let node = [
        words(&[header(GODOT_4, Kind::Object)]),
        text(b"Node"),
        words(&[0]),
    ]
    .concat();
    assert_eq!(counts(&alone(GODOT_4, &node)), [0; 4]);
}

/// A value above 64 KiB is read no further than the readings differ.
#[test]
fn long_values_are_read_as_far_as_readings_differ() {
    // Godot 3 has no type 28, so the damage at the end does not matter.
    let damaged = long_array(GODOT_4, &NO_TYPE);
    let found_damaged = found(&Detector::AUTO, &[&damaged]);
    assert_eq!(found_damaged.choice(), Choice::Certain(GODOT_4));
    let godot_4 = reading(&found_damaged, GODOT_4);
    assert_eq!(
        (counts(&godot_4), godot_4.read),
        ([0; 4], damaged.len() as u64)
    );
    // Pandemonium 4 and 5 have the same Array, and only the latter has a type 39: an empty array of colours.
    let both = [PANDEMONIUM_4, PANDEMONIUM_5];
    let colors = words(&[39, 0]);
    let long = long_array(PANDEMONIUM_4, &colors);
    let found_long = found(&both, &[&long]);
    assert_eq!(found_long.choice(), Choice::Certain(PANDEMONIUM_5));
    let failed = reading(&found_long, PANDEMONIUM_4);
    let (_, error) = failed.failure.expect("a failure");
    assert_eq!(error.kind(), ErrorKind::UnknownType(TypeId(39)));
    assert_eq!(failed.read, long.len() as u64 - 8);
    let equal = long_array(PANDEMONIUM_4, &words(&[0]));
    assert_eq!(choice(&both, &[&equal]), Choice::Same(PANDEMONIUM_4));
    // Type 26 is an array of colours in Godot 3, which ends with the record, and an Array in Pandemonium 5.
    let element = string(b"abcdefgh");
    let count = LONG / element.len();
    let colors = |last: &[u8]| {
        let mut elements = vec![&element[..]; count];
        elements[count - 1] = last;
        array(PANDEMONIUM_5, &elements)
    };
    let both = [GODOT_3, PANDEMONIUM_5];
    let broken = colors(&[0xff; 16]);
    let found_broken = found(&both, &[&broken]);
    assert_eq!(found_broken.choice(), Choice::Certain(GODOT_3));
    let (_, error) = reading(&found_broken, PANDEMONIUM_5)
        .failure
        .expect("a failure");
    assert_eq!(error.offset(), broken.len() - 16);
    let whole = found(&both, &[&colors(&element)]);
    assert_eq!(whole.choice(), Choice::Ambiguous);
    assert!(whole.readings().iter().all(DialectFit::is_exact));
}

/// A short value in a long record is read as a short value, and everything behind it counts as left over.
#[test]
fn long_records_of_short_values_leave_data() {
    let bytes = header(GODOT_4, Kind::PackedByteArray);
    let packed = [words(&[bytes, LONG as u32]), vec![7; LONG]].concat();
    for value in [
        words(&[2, 1]),
        array(GODOT_4, &[&words(&[2, 1])]),
        array(GODOT_4, &[]),
        packed,
        string(&[b'a'; LONG]),
        long_array(GODOT_4, &words(&[0])),
    ] {
        let is_open = value.len() > LONG && value[0] == 28;
        for behind in [7, 0] {
            let record = [&value[..], &[behind; LONG]].concat();
            let reading = alone(GODOT_4, &record);
            if is_open {
                // It goes on behind 64 KiB, and nothing else reads it: its end is not looked for.
                assert_eq!(counts(&reading), [0; 4]);
                assert_eq!(reading.read, record.len() as u64);
            } else {
                let zeros = u64::from(behind == 0);
                assert_eq!(counts(&reading), [0, 1 - zeros, zeros, 0]);
                assert_eq!(reading.read, value.len() as u64);
            }
        }
    }
}
