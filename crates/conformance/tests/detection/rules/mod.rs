//! Each rule by which `Detector` chooses (docs/FORMAT.md §1.4), alone and with figures. Values are put together
//! here from the tables of docs/FORMAT.md §1.1 and §3.

mod lengths;
mod odd;

use gdvar::{
    Dialect, ErrorKind, Kind,
    detect::{Choice, Detection, Detector, DialectFit},
    write::wire::TypeId,
};

const GODOT_4: Dialect = Dialect::GODOT_4;
const GODOT_3: Dialect = Dialect::GODOT_3;
const GODOT_2: Dialect = Dialect::GODOT_2;
const DOCS: Dialect = Dialect::GODOT_4_DOCS;
const PANDEMONIUM_4: Dialect = Dialect::PANDEMONIUM_4;
const PANDEMONIUM_5: Dialect = Dialect::PANDEMONIUM_5;

/// More than a [`Detector`] reads of a value at first, which is 64 KiB.
const LONG: usize = 70_000;

/// Bytes of no type in any dialect.
const NO_TYPE: [u8; 4] = [0xff, 0, 0, 0];

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn floats(header: &[u32], floats: &[f32]) -> Vec<u8> {
    let floats: Vec<u32> = floats.iter().map(|float| float.to_bits()).collect();
    words(&[header, &floats].concat())
}

/// A string field.
fn text(text: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[text.len() as u32]);
    bytes.extend(text);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn header(dialect: Dialect, kind: Kind) -> u32 {
    let TypeId(id) = dialect.type_id(kind).expect("a type of the dialect");
    u32::from(id)
}

/// An Array of those elements.
fn array(dialect: Dialect, elements: &[&[u8]]) -> Vec<u8> {
    let start = words(&[header(dialect, Kind::Array), elements.len() as u32]);
    [start, elements.concat()].concat()
}

/// An Array of more than 64 KiB, and that element at its end.
fn long_array(dialect: Dialect, last: &[u8]) -> Vec<u8> {
    // No element of 12 bytes ends at 64 KiB.
    let int = words(&[2 | 1 << 16, 7, 1]);
    let mut elements = vec![&int[..]; LONG / int.len()];
    elements.push(last);
    array(dialect, &elements)
}

fn string(bytes: &[u8]) -> Vec<u8> {
    [words(&[4]), text(bytes)].concat()
}

fn found(dialects: &[Dialect], records: &[&[u8]]) -> Detection {
    let mut detector = Detector::new(dialects);
    for record in records {
        detector.add(record);
    }
    detector.finish()
}

fn choice(dialects: &[Dialect], records: &[&[u8]]) -> Choice {
    found(dialects, records).choice()
}

fn reading(detection: &Detection, dialect: Dialect) -> DialectFit {
    let mut all = detection.readings().iter();
    *all.find(|one| one.dialect == dialect)
        .expect("a dialect that was asked for")
}

/// One dialect's reading of one record.
fn alone(dialect: Dialect, bytes: &[u8]) -> DialectFit {
    found(&[dialect], &[bytes]).readings()[0]
}

/// The four counts of a reading: failed, data left, zeros left, odd.
fn counts(reading: &DialectFit) -> [u64; 4] {
    let DialectFit {
        failed,
        data_left,
        zeros_left,
        odd,
        ..
    } = *reading;
    [failed, data_left, zeros_left, odd]
}

/// Rule 1 before rule 2, rule 2 before rule 3, rule 3 before rule 4.
#[test]
fn the_rules_have_an_order() {
    let auto = &Detector::AUTO;
    // Type 6 is a Vector2i in Godot 4, and a Rect2 in Godot 3; ints are subnormal floats.
    // The Rect2 is odd, but the Vector2i leaves data: rule 2 decides.
    let data = words(&[6, 1, 2, 3, 4]);
    assert_eq!(choice(auto, &[&data]), Choice::Likely(GODOT_3));
    // The Vector2i leaves zeros, but the Rect2 is odd: rule 3 does not decide.
    let zeros = words(&[6, 1, 2, 0, 0]);
    let found_zeros = found(auto, &[&zeros]);
    assert_eq!(found_zeros.choice(), Choice::Ambiguous);
    assert_eq!(found_zeros.possible().count(), 2);
    // Neither is odd: rule 3 decides. Type 7 is a Rect2 in Godot 4, and a Vector3 in Godot 3.
    let rect = floats(&[7], &[1.0, 2.0, 4.0, 0.0]);
    assert_eq!(choice(auto, &[&rect]), Choice::Likely(GODOT_4));
    // Both leave data, and neither is odd: nothing decides, not even that one reads more bytes.
    let rect = floats(&[7], &[1.0; 5]);
    let found_data = found(auto, &[&rect]);
    assert_eq!(found_data.choice(), Choice::Ambiguous);
    let read = found_data.readings().iter().map(|one| one.read);
    assert_eq!(read.collect::<Vec<_>>(), [20, 16]);
    // Both are odd: rule 3 decides too.
    let rect = floats(&[7], &[1e-40, 2.0, 4.0, 0.0]);
    assert_eq!(choice(auto, &[&rect]), Choice::Likely(GODOT_4));
    // A record that Godot 4 alone reads, with data behind: rule 1 decides against any number of exact records.
    let strings = words(&[header(GODOT_4, Kind::PackedStringArray), 0, 9]);
    let records = [&data[..], &data, &data, &strings];
    let found = found(auto, &records);
    assert_eq!(found.choice(), Choice::Certain(GODOT_4));
    let [godot_4, godot_3] = [GODOT_4, GODOT_3].map(|dialect| counts(&reading(&found, dialect)));
    assert_eq!((godot_4, godot_3), ([0, 4, 0, 0], [1, 0, 0, 3]));
}

/// Rule 4 alone decides between readings that are equal otherwise.
#[test]
fn what_speaks_against_a_reading_decides() {
    let auto = &Detector::AUTO;
    // Type 21 is a StringName in Godot 4, and a PackedInt32Array in Godot 3.
    let name = |text: [u8; 4]| [words(&[21, 1]), text.to_vec()].concat();
    assert_eq!(choice(auto, &[&name(*b"a\0\0\0")]), Choice::Ambiguous);
    for odd in [*b"\x01\0\0\0", *b"a\0\0\x01"] {
        assert_eq!(choice(auto, &[&name(odd)]), Choice::Likely(GODOT_3));
        // Also if it is not the first record.
        let records = [&words(&[2, 1])[..], &name(odd)];
        assert_eq!(choice(auto, &records), Choice::Likely(GODOT_3));
    }
    assert_eq!(
        choice(auto, &[&name(*b"\xff\0\0\0")]),
        Choice::Certain(GODOT_3)
    );
    // Type 16 is an AABB in Godot 4, and a RID without payload in Godot 3: data behind it is odd, and a reading that
    // leaves data and is odd is not a reading.
    let aabb = floats(&[16], &[1.0; 6]);
    assert_eq!(choice(auto, &[&aabb]), Choice::Certain(GODOT_4));
    // Data behind a value that is not odd leaves a doubt.
    let rect = floats(&[7], &[1.0; 4]);
    assert_eq!(choice(auto, &[&rect]), Choice::Likely(GODOT_4));
    // Zeros and odd things leave one too.
    let rect = floats(&[7], &[1e-40, 1.0, 1.0, 0.0]);
    assert_eq!(choice(auto, &[&rect]), Choice::Likely(GODOT_4));
}

/// A rare engine does not win against Godot 4 or 3 if these read all records, unless their reading leaves data over
/// and a sign counts against it.
#[test]
fn common_engines_are_not_given_up_for_rare_ones() {
    // Type 6 is a Vector2i in Godot 4, and a Rect2 in Godot 2.
    let both = [GODOT_4, GODOT_2];
    let rect = floats(&[6], &[1.0; 4]);
    let found_rect = found(&both, &[&rect]);
    assert_eq!(found_rect.choice(), Choice::Ambiguous);
    assert_eq!(found_rect.readings()[0].dialect, GODOT_2);
    assert_eq!(found_rect.possible().count(), 2);
    // Between two common engines the rules decide as usual, and a common engine wins against a rare one.
    let auto = &Detector::AUTO;
    assert_eq!(choice(auto, &[&rect]), Choice::Likely(GODOT_3));
    let vector = words(&[6, 1, 2]);
    assert_eq!(choice(&both, &[&vector]), Choice::Certain(GODOT_4));
    let rect_4 = floats(&[7], &[1.0; 4]);
    assert_eq!(choice(&both, &[&rect_4]), Choice::Likely(GODOT_4));
    // Type 15 is a Quaternion in Godot 4, and an AABB in Pandemonium 5.
    let aabb = floats(&[15], &[1.0; 6]);
    assert_eq!(
        choice(&[GODOT_4, PANDEMONIUM_5], &[&aabb]),
        Choice::Ambiguous
    );
    // The Quaternion of Godot 4 leaves data, and is odd.
    let aabb = floats(&[15], &[1e-40, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let records = [&aabb[..], &floats(&[15], &[1.0; 6])];
    assert_eq!(
        choice(&[GODOT_4, PANDEMONIUM_5], &records),
        Choice::Certain(PANDEMONIUM_5)
    );
    // A record that both fail ends the protection: neither reads all records.
    for records in [[&NO_TYPE[..], &rect], [&rect, &NO_TYPE]] {
        let found = found(&both, &records);
        assert_eq!(found.choice(), Choice::Furthest(GODOT_2));
        assert_eq!(found.possible().count(), 1);
    }
}

/// No engine reads all: what got further wins, and equally far is a draw.
#[test]
fn the_furthest_reading_wins_where_none_reads_all() {
    let auto = &Detector::AUTO;
    let plane = floats(&[14], &[0.5, 0.5, 1.0, 1.0]);
    let found_equal = found(auto, &[&NO_TYPE, &plane]);
    assert_eq!(found_equal.choice(), Choice::Ambiguous);
    assert_eq!(found_equal.possible().count(), 2);
    for reading in found_equal.readings() {
        assert_eq!((counts(reading), reading.read), ([1, 0, 0, 0], 20));
        let (record, error) = reading.failure.expect("a failure");
        assert_eq!(
            (record, error.kind()),
            (0, ErrorKind::UnknownType(TypeId(255)))
        );
    }
    // An Array of Godot 4 that breaks: 16 bytes of it against none.
    let broken = array(GODOT_4, &[&words(&[2, 1]), &NO_TYPE]);
    let found = found(auto, &[&plane, &broken, &NO_TYPE]);
    assert_eq!(found.choice(), Choice::Furthest(GODOT_4));
    assert_eq!(reading(&found, GODOT_4).read, 20 + 16);
    assert_eq!(reading(&found, GODOT_3).read, 20);
    let (record, error) = reading(&found, GODOT_4).failure.expect("a failure");
    assert_eq!((record, error.offset()), (1, 16));
}

/// The best reading comes first, wherever its dialect stood; equal ones keep their order.
#[test]
fn readings_are_in_order() {
    let strings = words(&[header(GODOT_4, Kind::PackedStringArray), 0]);
    let order = |dialects: &[Dialect], bytes: &[u8]| {
        let found = found(dialects, &[bytes]);
        let readings = found.readings().iter();
        readings.map(|one| one.dialect).collect::<Vec<_>>()
    };
    assert_eq!(
        order(&[GODOT_2, GODOT_3, DOCS, GODOT_4], &strings),
        [GODOT_4, GODOT_2, GODOT_3, DOCS]
    );
    let int = words(&[2, 1]);
    assert_eq!(
        order(&[DOCS, GODOT_3, GODOT_4], &int),
        [DOCS, GODOT_3, GODOT_4]
    );
}

/// One dialect that reads a record that no other reads is the choice, and nothing changes it.
#[test]
fn a_detector_is_decided_by_a_record_of_one_dialect() {
    let int = words(&[2, 1]);
    let strings = words(&[header(GODOT_4, Kind::PackedStringArray), 0]);
    let mut detector = Detector::new(&[GODOT_4, GODOT_3, GODOT_2]);
    assert!(!detector.is_decided());
    detector.add(&int);
    assert!(!detector.is_decided());
    // Type 27 is the Dictionary of Godot 4, an array of Godot 2, and no type of Godot 3.
    detector.add(&words(&[27, 0]));
    assert!(!detector.is_decided());
    detector.add(&strings);
    assert!(detector.is_decided());
    for _ in 0..2 {
        detector.add(&NO_TYPE);
        detector.add_cut(&NO_TYPE, 9);
    }
    let found = detector.finish();
    assert_eq!(found.records, 3);
    assert_eq!(found.choice(), Choice::Certain(GODOT_4));
    assert_eq!(counts(&reading(&found, GODOT_4)), [0; 4]);
    // One dialect alone is decided by a record that it reads, not before.
    let mut detector = Detector::new(&[GODOT_4]);
    assert!(!detector.is_decided());
    detector.add(&NO_TYPE);
    assert!(!detector.is_decided());
    assert_eq!(detector.finish().choice(), Choice::None);
    detector.add(&int);
    assert!(detector.is_decided());
    assert_eq!(detector.finish().choice(), Choice::Furthest(GODOT_4));
    assert!(!Detector::new(&[]).is_decided());
}

/// Dialects that read equal values form one group, and `same` lists it. For the others, `difference` is the first
/// place where the values differ.
#[test]
fn equal_values_are_one_group() {
    let dialects = [GODOT_3, DOCS];
    // Types 0 to 21 are the same in both.
    let object = [
        words(&[header(GODOT_3, Kind::Object)]),
        text(b"Node"),
        words(&[2]),
        text(b"name"),
        string(b"x"),
        text(b"script"),
        words(&[0]),
    ]
    .concat();
    let equal = array(
        GODOT_3,
        &[
            &words(&[2, 1]),
            &object,
            &string(b"s"),
            &array(GODOT_3, &[]),
        ],
    );
    let found_equal = found(&dialects, &[&equal, &equal]);
    assert_eq!(found_equal.choice(), Choice::Same(GODOT_3));
    assert_eq!(found_equal.same().collect::<Vec<_>>(), dialects);
    let [one, other] = [0, 1].map(|n| found_equal.readings()[n]);
    assert_eq!(one.group(), other.group());
    assert_eq!((one.difference, other.difference), (None, None));
    assert_eq!(counts(&one), [0; 4]);
    // Type 22 is an array of floats in one, and of 64-bit ints in the other; empty ones have the same bytes, so both
    // readings are an Array of one element and 16 bytes.
    let unequal = array(GODOT_3, &[&words(&[22, 0])]);
    let found_unequal = found(&dialects, &[&equal, &unequal, &equal]);
    assert_eq!(found_unequal.choice(), Choice::Ambiguous);
    assert_eq!(found_unequal.same().collect::<Vec<_>>(), [GODOT_3]);
    let [one, other] = [0, 1].map(|n| found_unequal.readings()[n]);
    assert_ne!(one.group(), other.group());
    assert_eq!(one.difference, Some((1, 8)));
    assert_eq!(other.difference, Some((1, 8)));
    // The first difference stays.
    let later = array(GODOT_3, &[&words(&[2, 1]), &words(&[22, 0])]);
    let found_later = found(&dialects, &[&unequal, &later]);
    assert_eq!(found_later.readings()[0].difference, Some((0, 8)));
    // Three dialects in two groups: Godot 4 has another type 19.
    let three = found(&[GODOT_4, GODOT_3, DOCS], &[&words(&[2, 1]), &equal]);
    assert_eq!(three.same().collect::<Vec<_>>(), dialects);
    assert_eq!(three.choice(), Choice::Same(GODOT_3));
    // Both fail the record, so they still agree.
    let neither = found(&dialects, &[&NO_TYPE, &words(&[2, 1])]);
    assert_eq!(neither.same().count(), 2);
    assert_eq!(neither.choice(), Choice::Furthest(GODOT_3));
}

/// A Vector2 is the same in nearly all dialects, and in Pandemonium 4 it has another number.
#[test]
fn a_plain_value_is_another_in_another_type() {
    let bytes = floats(&[5], &[1.0, 2.0, 4.0, 8.0]);
    for dialects in [[GODOT_3, PANDEMONIUM_4], [PANDEMONIUM_4, GODOT_3]] {
        let found = found(&dialects, &[&bytes]);
        let (one, other) = (&found.readings()[0], &found.readings()[1]);
        assert_eq!(one.dialect, PANDEMONIUM_4);
        assert_ne!(one.group(), other.group());
        assert_eq!(one.difference, Some((0, 0)));
        assert_eq!(found.choice(), Choice::Ambiguous);
    }
}

/// A reading with a sign against it that leaves bytes over counts as failed, if another dialect reads beyond the
/// place where it ends.
#[test]
fn misreadings_of_damaged_values_are_forgotten() {
    // Type 18 is a Dictionary in Godot 3, and a Transform3D of 52 bytes in Godot 4, here of subnormal numbers.
    let pair = |key: u8| [string(&[key; 4]), words(&[2, 3])].concat();
    let damaged = |pairs: u8, rest: &[u8]| {
        let pairs: Vec<u8> = (0..pairs).flat_map(|n| pair(b'a' + n)).collect();
        [&words(&[18, 4])[..], &pairs, rest].concat()
    };
    let auto = &Detector::AUTO;
    let bytes = damaged(3, &[&NO_TYPE[..], &[1; 8]].concat());
    assert_eq!(bytes.len(), 8 + 3 * 20 + 12);
    let found_damaged = found(auto, &[&bytes]);
    assert_eq!(found_damaged.choice(), Choice::Furthest(GODOT_3));
    let [godot_4, godot_3] = [GODOT_4, GODOT_3].map(|one| reading(&found_damaged, one));
    assert_eq!((counts(&godot_4), godot_4.read), ([1, 0, 0, 0], 52));
    assert_eq!((counts(&godot_3), godot_3.read), ([1, 0, 0, 0], 68));
    let (_, error) = godot_4.failure.expect("a failure");
    assert_eq!(error.kind(), ErrorKind::TrailingBytes { count: 28 });
    assert_eq!(error.offset(), 52);
    // Godot 3 stops before that end, or at it, so Godot 4 keeps its reading.
    for (pairs, rest, stop) in [(2, &[][..], 48), (2, &words(&[0]), 52)] {
        let rest = [rest, &NO_TYPE, &[1; 12]].concat();
        let bytes = damaged(pairs, &rest);
        let found = found(auto, &[&bytes]);
        assert_eq!(found.choice(), Choice::Certain(GODOT_4));
        assert_eq!(counts(&reading(&found, GODOT_4)), [0, 1, 0, 1]);
        let (_, error) = reading(&found, GODOT_3).failure.expect("a failure");
        assert_eq!(
            (error.offset(), error.kind()),
            (stop, ErrorKind::UnknownType(TypeId(255)))
        );
    }
    // Nothing is left: no misreading.
    let exact = &damaged(3, &[])[..52];
    assert_eq!(choice(auto, &[exact]), Choice::Certain(GODOT_4));
}
