//! The five signs that the dialect is wrong, each alone, and where the detector looks for them.

use gdvar::{Dialect, Kind, detect::Detector};

use super::{
    GODOT_2, GODOT_3, GODOT_4, LONG, PANDEMONIUM_5, alone, array, counts, floats, found, header,
    reading, string, text, words,
};

/// Fails unless exactly one sign counts against `odd` and none against the similar value `tame`. Both must be read
/// to their last byte.
#[track_caller]
fn odd_and_tame(dialect: Dialect, odd: &[u8], tame: &[u8]) {
    for (bytes, expected) in [(odd, 1), (tame, 0)] {
        let reading = alone(dialect, bytes);
        assert_eq!(
            counts(&reading),
            [0, 0, 0, expected],
            "{dialect}: {bytes:02x?}"
        );
        assert_eq!(reading.read, bytes.len() as u64);
        assert!(reading.is_exact());
    }
}

/// Floats that are NaN, subnormal or above 1e30 in size, in every type of 32-bit floats and in PackedFloat64Array.
#[test]
fn odd_floats_speak_against_a_reading() {
    let odd = [f32::NAN, 1e-40, -1e-40, 1.1e30, -2e30, f32::INFINITY];
    let tame = [0.0, -0.0, f32::MIN_POSITIVE, 9e29, -9e29, 0.5];
    let one_of = |kind, count, size: usize, value| {
        let mut all = vec![1.0; size];
        all[size - 1] = value;
        let count: &[u32] = count;
        let value = floats(&[&[header(GODOT_4, kind)], count].concat(), &all);
        array(GODOT_4, &[&value])
    };
    for (odd, tame) in odd.into_iter().zip(tame) {
        for (kind, count, size) in [
            (Kind::Float, &[][..], 1),
            (Kind::Vector2, &[], 2),
            (Kind::Rect2, &[], 4),
            (Kind::Vector3, &[], 3),
            (Kind::Transform2D, &[], 6),
            (Kind::Vector4, &[], 4),
            (Kind::Plane, &[], 4),
            (Kind::Quaternion, &[], 4),
            (Kind::Aabb, &[], 6),
            (Kind::Basis, &[], 9),
            (Kind::Transform3D, &[], 12),
            (Kind::Projection, &[], 16),
            (Kind::Color, &[], 4),
            (Kind::PackedFloat32Array, &[3], 3),
            (Kind::PackedVector2Array, &[2], 4),
            (Kind::PackedVector3Array, &[2], 6),
            (Kind::PackedVector4Array, &[2], 8),
            (Kind::PackedColorArray, &[2], 8),
        ] {
            odd_and_tame(
                GODOT_4,
                &one_of(kind, count, size, odd),
                &one_of(kind, count, size, tame),
            );
        }
        let doubles = |value: f32| {
            let start = words(&[header(GODOT_4, Kind::PackedFloat64Array), 2]);
            let (one, value) = (1_f64.to_le_bytes(), f64::from(value).to_le_bytes());
            [&start[..], &one, &value].concat()
        };
        odd_and_tame(GODOT_4, &doubles(odd), &doubles(tame));
    }
    // Ints with bits of subnormal floats are not floats.
    let ints = words(&[header(GODOT_4, Kind::PackedInt32Array), 2, 1, 1]);
    assert_eq!(counts(&alone(GODOT_4, &ints)), [0; 4]);
}

/// Text with control characters, or that is not UTF-8, in String, StringName, PackedStringArray, keys and names of
/// properties.
#[test]
fn odd_text_speaks_against_a_reading() {
    let of = |kind, bytes: &[u8]| [words(&[header(GODOT_4, kind)]), text(bytes)].concat();
    let strings = |bytes: &[u8]| {
        let start = words(&[header(GODOT_4, Kind::PackedStringArray), 2]);
        let element = |bytes: &[u8]| text(&[bytes, b"\0"].concat());
        [start, element(b"fine"), element(bytes)].concat()
    };
    let property = |bytes: &[u8]| {
        let start = words(&[header(GODOT_4, Kind::Object)]);
        let (class, one, nil) = (text(b"Node"), words(&[1]), words(&[0]));
        [start, class, one, text(bytes), nil].concat()
    };
    let key = |bytes: &[u8]| {
        let start = words(&[header(GODOT_4, Kind::Dictionary), 1]);
        [start, string(bytes), words(&[0])].concat()
    };
    for (odd, tame) in [
        (&b"a\x01"[..], &b"a "[..]),
        (b"\x1f", b"\t\r\n"),
        (b"abcd\x0b", b"abcd~"),
        (b"\x08", "ü€".as_bytes()),
    ] {
        odd_and_tame(GODOT_4, &string(odd), &string(tame));
        odd_and_tame(
            GODOT_4,
            &of(Kind::StringName, odd),
            &of(Kind::StringName, tame),
        );
        odd_and_tame(GODOT_4, &strings(odd), &strings(tame));
        odd_and_tame(GODOT_4, &property(odd), &property(tame));
        odd_and_tame(GODOT_4, &key(odd), &key(tame));
    }
    // Godot 3 reads a surrogate too, Godot 4 does not.
    let surrogate = b"\xed\xa0\x80";
    odd_and_tame(GODOT_3, &string(surrogate), &string("€".as_bytes()));
    assert_eq!(alone(GODOT_4, &string(surrogate)).failed, 1);
    // Of a value above 64 KiB too, the start is looked at.
    let long = string(&[b'a'; LONG]);
    let before = |bytes: &[u8]| array(GODOT_3, &[&string(bytes), &long]);
    odd_and_tame(GODOT_3, &before(surrogate), &before("€".as_bytes()));
    odd_and_tame(GODOT_3, &before(b"\x01"), &before(b"1"));
}

/// Ids of objects that are zero.
#[test]
fn odd_ids_speak_against_a_reading() {
    let object = |dialect, id| words(&[header(dialect, Kind::Object) | 1 << 16, id, 0]);
    for dialect in [GODOT_4, GODOT_3, PANDEMONIUM_5] {
        odd_and_tame(dialect, &object(dialect, 0), &object(dialect, 5));
    }
    let signal = |id| {
        let start = words(&[header(GODOT_4, Kind::Signal)]);
        [start, text(b"hit"), words(&[id, 0])].concat()
    };
    odd_and_tame(GODOT_4, &signal(0), &signal(5));
    // A RID is not an object.
    let rid = words(&[header(GODOT_4, Kind::Rid), 0, 0]);
    assert_eq!(counts(&alone(GODOT_4, &rid)), [0; 4]);
}

/// Bytes that strict mode refuses, but for what any release wrote, and for values that could be written shorter.
#[test]
fn bytes_that_no_release_writes_speak_against_a_reading() {
    odd_and_tame(GODOT_4, &words(&[1, 2]), &words(&[1, 1]));
    odd_and_tame(GODOT_4, &words(&[4 | 1 << 8, 0]), &words(&[4, 0]));
    odd_and_tame(GODOT_4, &words(&[4 | 1 << 17, 0]), &words(&[4, 0]));
    let padded = |byte| [words(&[4, 1]), vec![b'a', byte, 0, 0]].concat();
    odd_and_tame(GODOT_4, &padded(1), &padded(0));
    // Early releases of Godot 3 left padding unset.
    assert_eq!(counts(&alone(GODOT_3, &padded(1))), [0; 4]);
    let keys = |second| words(&[header(GODOT_4, Kind::Dictionary), 2, 2, 5, 0, 2, second, 0]);
    odd_and_tame(GODOT_4, &keys(5), &keys(6));
    // 5 in 64 bits.
    let wide = words(&[2 | 1 << 16, 5, 0]);
    assert_eq!(counts(&alone(GODOT_4, &array(GODOT_4, &[&wide]))), [0; 4]);
}

/// A value without payload is a bad sign if data follow it. Zeros are not data, and a payload of zeros counts as a
/// payload.
#[test]
fn a_value_without_payload_in_front_of_data_is_odd() {
    for (dialect, kind) in [
        (GODOT_4, Kind::Nil),
        (GODOT_4, Kind::Callable),
        (GODOT_3, Kind::Rid),
        (GODOT_2, Kind::Object),
    ] {
        let at = |second| words(&[header(dialect, kind), 0, second]);
        let data = alone(dialect, &at(1 << 24));
        assert_eq!((counts(&data), data.read), ([0, 1, 0, 1], 4));
        let zeros = alone(dialect, &at(0));
        assert_eq!((counts(&zeros), zeros.read), ([0, 0, 1, 0], 4));
    }
    let payload = alone(GODOT_4, &words(&[1, 0, 9]));
    assert_eq!((counts(&payload), payload.read), ([0, 1, 0, 0], 8));
}

/// Odd things are looked for in the first record, where different readings compete, and where bytes are left.
#[test]
fn odd_things_are_looked_for_where_they_can_matter() {
    let int = words(&[2, 42]);
    let auto = &Detector::AUTO;
    let second = |bytes: &[u8]| {
        let found = found(auto, &[&int, bytes]);
        (
            counts(&reading(&found, GODOT_4)),
            counts(&reading(&found, GODOT_3)),
        )
    };
    // Plane and Color of the same bytes, all four of them subnormal: both readings compete.
    assert_eq!(
        second(&words(&[14, 1, 1, 1, 1])),
        ([0, 0, 0, 1], [0, 0, 0, 1])
    );
    // An odd String is the same to both.
    assert_eq!(second(&string(b"\x01")), ([0; 4], [0; 4]));
    // An odd Color is read by Godot 4 alone, to its end: the record is decided already.
    let color = words(&[header(GODOT_4, Kind::PackedColorArray), 1, 1, 1, 1, 1]);
    assert_eq!(second(&color), ([0; 4], [1, 0, 0, 0]));
    // With something behind it, it matters.
    let behind = |word| [&color[..], &words(&[word])].concat();
    assert_eq!(second(&behind(9)), ([0, 1, 0, 1], [1, 0, 0, 0]));
    assert_eq!(second(&behind(0)), ([0, 0, 1, 1], [1, 0, 0, 0]));
    // As the first record.
    let first = found(auto, &[&color]);
    assert_eq!(counts(&reading(&first, GODOT_4)), [0, 0, 0, 1]);
    assert_eq!(counts(&alone(GODOT_4, &string(b"\x01"))), [0, 0, 0, 1]);
}
