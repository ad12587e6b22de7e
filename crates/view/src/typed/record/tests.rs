//! Which records are read the fast way, and that both ways give the same.

extern crate std;

use alloc::{string::ToString, vec, vec::Vec};
use core::cell::RefCell;

use gdvar_wire::{
    Dialect, Limits,
    math::{Vector2, Vector3},
};

use super::{
    fields::{Fields, Record},
    key::Key,
};
use crate::{
    ArrayRef, DictIter, Document, Error, ErrorKind, Mismatch, MismatchKind, ReadOptions, StrRef,
    bytes::samples::{array, int, string, words},
    options::SHORTCUTS,
    typed::from_variant::{
        FromVariant,
        convert::{LEVELS, ReadContext},
    },
};

/// A Dictionary whose keys have the padding that engines write.
fn dict(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = words(&[27, pairs.len() as u32]);
    for (key, value) in pairs {
        bytes.extend(clean(key));
        bytes.extend(value);
    }
    bytes
}

/// A String with the padding that engines write.
fn clean(text: &str) -> Vec<u8> {
    let mut bytes = string(text.as_bytes());
    bytes[8 + text.len()..].fill(0);
    bytes
}

/// Short names, a name with the most bytes that [`Key::strip`] accepts, and a longer name.
const NAMES: [&str; 6] = [
    "",
    "a",
    "name",
    "eight888",
    "just as long as it fits.",
    "one letter more than fits.",
];

fn strip<'a>(key: &Key, end: bool, rest: &'a [u8], header: Option<u32>) -> Option<(u32, &'a [u8])> {
    match end {
        true => key.strip::<true>(rest, 0, header, 1),
        false => key.strip::<false>(rest, 0, header, 1),
    }
}

#[test]
fn a_key_is_stripped_whatever_follows_it() {
    for name in NAMES {
        let key = Key::new(name);
        let bytes = clean(name);
        for after in [&[][..], &[0xff; 64], &[0; 64], &[0x5a; 7]] {
            let rest = [&bytes[..], after].concat();
            let header = after.first().map(|byte| u32::from_le_bytes([*byte; 4]));
            for (at_end, seen) in [(true, bytes.len() + 4), (false, 32.max(bytes.len() + 4))] {
                let is_quick = bytes.len() <= 32 && rest.len() >= seen;
                let found = is_quick.then(|| (header.unwrap(), after));
                assert_eq!(strip(&key, at_end, &rest, None), found, "{name}");
                assert_eq!(strip(&key, at_end, &rest, header), found, "{name}");
                for bit in 0..32 {
                    let other = header.unwrap_or(0) ^ 1 << bit;
                    assert_eq!(strip(&key, at_end, &rest, Some(other)), None, "{name}");
                }
                // Every byte counts, padding too.
                for at in 0..bytes.len() {
                    let mut other = rest.clone();
                    other[at] ^= 0x20;
                    assert_eq!(strip(&key, at_end, &other, None), None, "{name} {at}");
                    assert_eq!(strip(&key, at_end, &other, header), None, "{name} {at}");
                }
            }
        }
        for len in 0..bytes.len() {
            assert_eq!(
                key.strip::<true>(&bytes[..len], 0, None, 1),
                None,
                "{name} {len}"
            );
            assert_eq!(
                key.strip::<false>(&bytes[..len], 0, None, 1),
                None,
                "{name} {len}"
            );
        }
    }
}

/// A record that logs each call of `read` in `CALLS`.
#[derive(Clone, Debug, PartialEq)]
struct LoggedRecord<'a>(i32, &'a str, f32);

std::thread_local! {
    /// For each call whether it was the fast way.
    static CALLS: RefCell<Vec<bool>> = const { RefCell::new(vec![]) };
}

impl<'a> Record<'a> for LoggedRecord<'a> {
    const KEYS: &'static [Key] = &Key::all(["id", "name", "at"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        let is_in_order = core::any::type_name_of_val(fields).contains("InOrder");
        CALLS.with_borrow_mut(|calls| calls.push(is_in_order));
        let (id, name) = (fields.next()?, fields.next()?);
        Ok(LoggedRecord(id, name, fields.next::<Vector3<f32>>()?.z))
    }
}

fn pairs(bytes: &[u8]) -> DictIter<'_> {
    let root = Document::new(bytes, Dialect::GODOT_4).root().unwrap();
    root.as_dict().unwrap().iter()
}

fn vector() -> Vec<u8> {
    words(&[9, 0, 0, 0x3f80_0000])
}

/// Asserts in which ways records were read since the last time: `true` for the fast way, which does not
/// exist if shortcuts are compiled out.
#[track_caller]
fn assert_ways(expected: &[bool]) {
    let calls = CALLS.take();
    if SHORTCUTS {
        assert_eq!(calls, expected);
    } else {
        assert!(!calls.contains(&true), "{calls:?}");
    }
}

/// Reads the record, and asserts that it was read in these ways.
#[track_caller]
fn read<'a>(bytes: &'a [u8], ways: &[bool]) -> Result<LoggedRecord<'a>, Mismatch> {
    let mut pairs = pairs(bytes);
    let record = pairs.read();
    assert_eq!(pairs.0.settle(), Ok(()));
    assert!(pairs.try_next().unwrap().is_none());
    assert_ways(ways);
    record
}

#[test]
fn a_record_in_order_is_read_once() {
    let expected = || Ok(LoggedRecord(7, "Ann", 1.0));
    let bytes = dict(&[("id", int(7)), ("name", string(b"Ann")), ("at", vector())]);
    assert_eq!(read(&bytes, &[true]), expected());
    // A text may be a StringName, and so may keys.
    let name = [words(&[21]), string(b"Ann")[4..].to_vec()].concat();
    let bytes = dict(&[("id", int(7)), ("name", name), ("at", vector())]);
    assert_eq!(read(&bytes, &[true]), expected());
    let mut bytes = dict(&[("id", int(7)), ("name", string(b"Ann")), ("at", vector())]);
    bytes[8] = 21;
    assert_eq!(read(&bytes, &[true]), expected());
}

/// A record whose fields have no expected header, except the first.
#[derive(Debug, PartialEq)]
struct Rare<'a>(Vector2<f32>, i64, &'a [u8], usize);

impl<'a> Record<'a> for Rare<'a> {
    const KEYS: &'static [Key] = &Key::all(["at", "time", "data", "items"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        let is_in_order = core::any::type_name_of_val(fields).contains("InOrder");
        CALLS.with_borrow_mut(|calls| calls.push(is_in_order));
        let (at, time, data) = (fields.next()?, fields.next()?, fields.next()?);
        Ok(Rare(at, time, data, fields.next::<ArrayRef<'_>>()?.len()))
    }
}

#[test]
fn fields_of_any_type_are_in_order() {
    let at = ("at", words(&[5, 0x3f80_0000, 0x4000_0000]));
    let time = ("time", words(&[0x1_0002, 1, 1]));
    let data = ("data", words(&[29, 3, 0x0003_0201]));
    let items = ("items", array(&[string(b"a"), int(1)]));
    let bytes = dict(&[at.clone(), time.clone(), data.clone(), items.clone()]);
    let expected = Rare(Vector2 { x: 1.0, y: 2.0 }, (1 << 32) + 1, &[1, 2, 3], 2);
    CALLS.take();
    assert_eq!(pairs(&bytes).read(), Ok(expected));
    assert_ways(&[true]);
    // A field of another kind.
    let other = dict(&[at, time, ("data", int(1)), items]);
    let wrong = pairs(&other).read::<Rare<'_>>().unwrap_err();
    let text = "\"data\": expected PackedByteArray, found Int at byte 0x44";
    assert_eq!(wrong.to_string(), text);
    assert_ways(&[true, false]);
}

#[test]
fn other_records_are_read_in_any_order() {
    let expected = || Ok(LoggedRecord(7, "Ann", 1.0));
    let bytes = dict(&[("at", vector()), ("id", int(7)), ("name", string(b"Ann"))]);
    assert_eq!(read(&bytes, &[true, false]), expected());
    // One pair more, and one pair less.
    let (id, name) = (("id", int(7)), ("name", string(b"Ann")));
    let bytes = dict(&[id.clone(), name.clone(), ("at", vector()), ("hp", int(1))]);
    assert_eq!(read(&bytes, &[false]), expected());
    let bytes = dict(&[id, name]);
    let wrong = read(&bytes, &[true, false]).unwrap_err();
    assert_eq!(
        (wrong.key(), wrong.kind()),
        (Some("at"), MismatchKind::Missing)
    );
    assert_eq!(wrong.offset(), 0);
}

/// A record whose code ignores errors.
#[derive(Debug, PartialEq)]
struct Lenient(Option<i32>, Option<i32>);

impl<'a> Record<'a> for Lenient {
    const KEYS: &'static [Key] = &Key::all(["id", "at"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(Lenient(
            fields.next().ok(),
            fields.optional().unwrap_or(None),
        ))
    }
}

/// After a Dictionary of one pair, the array has the second key and a value of another kind as elements. They
/// must not become part of the record.
#[test]
fn an_ignored_error_does_not_move_the_end_of_a_record() {
    let one = |n| dict(&[("id", int(n))]);
    let bytes = array(&[
        one(1),
        clean("at"),
        clean("five"),
        one(2),
        vec![0; 4],
        one(3),
    ]);
    let root = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
    let items = root.as_array().unwrap().iter();
    let mut at_once = vec![];
    let end = items
        .clone()
        .for_each_record(|record| at_once.push(record.ok()));
    assert_eq!(end, Ok(()));
    let lenient = |n| Some(Lenient(Some(n), None));
    let expected = [lenient(1), None, None, lenient(2), None, lenient(3)];
    assert_eq!(at_once, expected);
    let mut items = items;
    for expected in expected {
        assert_eq!(items.next_record().unwrap().ok(), expected);
    }
    assert_eq!(items.next_record::<Lenient>(), None);
}

/// A record with more fields than one pass finds.
struct Many(Vec<Option<i32>>);

macro_rules! numbered {
    ($($name:literal)*) => {[$(
        concat!($name, 0), concat!($name, 1), concat!($name, 2), concat!($name, 3), concat!($name, 4),
        concat!($name, 5), concat!($name, 6), concat!($name, 7), concat!($name, 8), concat!($name, 9),
    )*]};
}

const MANY_NAMES: [&str; 130] = numbered!("a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m");

impl<'a> Record<'a> for Many {
    const KEYS: &'static [Key] = &Key::all(MANY_NAMES);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(Many(MANY_NAMES.map(|_| fields.next().ok()).to_vec()))
    }
}

#[test]
fn many_fields_are_found_in_any_order_and_the_last_of_equal_keys_wins() {
    let pair = |n: usize, value: u32| (MANY_NAMES[n], int(value));
    let mut expected = vec![None; MANY_NAMES.len()];
    let mut all = vec![];
    for n in (0..MANY_NAMES.len()).rev().filter(|n| n % 5 != 0) {
        all.push(pair(n, n as u32));
        expected[n] = Some(n as i32);
    }
    for n in [7, 70, 129] {
        all.push(pair(n, 1000));
        expected[n] = Some(1000);
    }
    all.push(("none", int(1)));
    let found = pairs(&dict(&all)).read::<Many>().unwrap();
    assert_eq!(found.0, expected);
}

/// The bytes after a value in the form that most values have, and the value as a type.
fn expect<'a, T: FromVariant<'a>>(
    value: &'a [u8],
    context: ReadContext<'a>,
) -> Option<(T, &'a [u8])> {
    let header = u32::from_le_bytes(*value.first_chunk().unwrap());
    let found = T::expect(header, value, context).map(|(_, after)| after);
    if T::header(context.options.dialect()) == Some(header) {
        assert_eq!(T::headed(value, context).map(|(_, after)| after), found);
    }
    T::expect(header, value, context)
}

#[test]
fn a_key_with_other_padding_is_read_too() {
    let mut bytes = dict(&[("id", int(7)), ("name", clean("Ann")), ("at", vector())]);
    bytes[18] = b'~';
    let expected = Ok(LoggedRecord(7, "Ann", 1.0));
    assert_eq!(read(&bytes, &[true, false]), expected);
}

#[test]
fn common_fields_have_an_expected_form() {
    let context = |bytes| ReadContext {
        bytes,
        depth: 1,
        options: Document::new(&[], Dialect::GODOT_4).options(),
        levels: LEVELS,
    };
    const REST: &[u8] = &[0xff; 16];
    let with_rest = |bytes: Vec<u8>| [&bytes, REST].concat();
    let number = with_rest(int(7));
    assert_eq!(expect::<i32>(&number, context(&number)), Some((7, REST)));
    assert_eq!(expect::<i64>(&number, context(&number)), Some((7, REST)));
    assert_eq!(expect::<f64>(&number, context(&number)), None);
    assert_eq!(expect::<bool>(&number, context(&number)), None);
    let yes = with_rest(words(&[1, 1]));
    assert_eq!(expect::<bool>(&yes, context(&yes)), Some((true, REST)));
    assert_eq!(expect::<i32>(&yes, context(&yes)), None);
    let float = with_rest(words(&[3, 0x3fc0_0000]));
    assert_eq!(expect::<f64>(&float, context(&float)), Some((1.5, REST)));
    let wide = with_rest(words(&[0x1_0003, 0, 0x3ff8_0000]));
    assert_eq!(expect::<f64>(&wide, context(&wide)), Some((1.5, REST)));
    let text = with_rest(string(b"Ann"));
    assert_eq!(expect::<&str>(&text, context(&text)), Some(("Ann", REST)));
    let (ann, rest) = expect::<StrRef<'_>>(&text, context(&text)).unwrap();
    assert_eq!((ann.to_str(), rest), (Ok("Ann"), REST));
    let vector = with_rest(vector());
    let (vector, rest) = expect::<Vector3<f32>>(&vector, context(&vector)).unwrap();
    assert_eq!((vector.z, rest), (1.0, REST));
    let null = with_rest(words(&[0]));
    assert_eq!(
        expect::<Option<i32>>(&null, context(&null)),
        Some((None, REST))
    );
    assert_eq!(
        expect::<Option<i32>>(&number, context(&number)),
        Some((Some(7), REST))
    );
    assert_eq!(expect::<Option<i32>>(&float, context(&float)), None);
    let items = with_rest(array(&[string(b"Ann"), int(7)]));
    assert_eq!(
        expect::<(&str, i32)>(&items, context(&items)),
        Some((("Ann", 7), REST))
    );
}

#[test]
fn a_walk_continues_after_each_record() {
    let record = |n| dict(&[("id", int(n)), ("name", string(b"Ann")), ("at", vector())]);
    let bytes = array(&[record(1), record(2), int(3)]);
    let root = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
    let mut all = root.as_array().unwrap().iter();
    for (n, end) in [(1, 8 + record(1).len()), (2, 8 + 2 * record(1).len())] {
        let mut pairs = all.try_next().unwrap().unwrap().as_dict().unwrap().iter();
        let known = pairs.read();
        assert_eq!(known, Ok(LoggedRecord(n, "Ann", 1.0)));
        assert_eq!(
            (pairs.0.settle(), pairs.0.fast_position()),
            (Ok(()), Some((end, 0)))
        );
        all.pass(&pairs).unwrap();
    }
    let last = all.try_next().unwrap().unwrap();
    assert_eq!(last.as_i64(), Some(3));
}

/// Reads all elements as records, one by one and at once. Asserts the ways in which the former were read,
/// if `ways` is given.
#[track_caller]
fn records<'a>(
    bytes: &'a [u8],
    options: ReadOptions,
    ways: Option<&[bool]>,
) -> Result<Vec<Option<LoggedRecord<'a>>>, Error> {
    let root = Document::with_options(bytes, options).root().unwrap();
    let mut one_by_one = root.as_array().unwrap().iter();
    let mut at_once = one_by_one.clone();
    let (mut all, mut given) = (vec![], vec![]);
    CALLS.take();
    let end = loop {
        match one_by_one.next_record() {
            Some(Err(wrong)) if wrong.unreadable().is_some() => break Err(wrong),
            Some(record) => all.push(record),
            None => break Ok(()),
        }
    };
    if let Some(ways) = ways {
        assert_ways(ways);
    }
    let found = at_once.for_each_record(|record| given.push(record));
    let end = end.map_err(|wrong| wrong.unreadable().unwrap());
    assert_eq!(
        (found, one_by_one.next_record::<LoggedRecord<'_>>()),
        (end, None)
    );
    assert_eq!(given, all);
    end.map(|()| all.into_iter().map(Result::ok).collect())
}

#[test]
fn records_in_order_are_read_once_in_an_array() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let pairs = |n| [("id", int(n)), ("name", string(b"Ann")), ("at", vector())];
    let ann = |n| Some(LoggedRecord(n, "Ann", 1.0));
    let bytes = array(&[dict(&pairs(1)), dict(&pairs(2)), dict(&pairs(3))]);
    let expected = vec![ann(1), ann(2), ann(3)];
    assert_eq!(records(&bytes, options, Some(&[true; 3])), Ok(expected));
    // The last record is tried once more if nothing follows it.
    for (after, ways) in [(0, &[true; 4][..]), (64, &[true; 3])] {
        let bytes = [&bytes[..], &vec![0; after]].concat();
        let root = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
        CALLS.take();
        let each = |record| assert!(matches!(record, Ok(LoggedRecord(_, "Ann", _))));
        root.as_array()
            .unwrap()
            .iter()
            .for_each_record(each)
            .unwrap();
        assert_ways(ways);
    }
    // A typed Dictionary, another order, one pair more, not a Dictionary, and one pair less.
    let [id, name, at] = pairs(4);
    let typed = [words(&[0x1_001b, 4]), dict(&pairs(4))[4..].to_vec()].concat();
    let other = dict(&[at.clone(), id.clone(), name.clone()]);
    let more = dict(&[id.clone(), name.clone(), at.clone(), ("hp", int(1))]);
    let less = dict(&[id, name]);
    let bytes = array(&[typed, other, more, int(5), less, dict(&pairs(6))]);
    let found = vec![ann(4), ann(4), ann(4), None, None, ann(6)];
    let ways = [false, true, false, false, true, false, true];
    assert_eq!(records(&bytes, options, Some(&ways)), Ok(found));
    // Never the fast way without shortcuts.
    let bytes = array(&[dict(&pairs(1)), dict(&pairs(2))]);
    let without = records(&bytes, options.without_shortcuts(true), Some(&[false; 2]));
    assert_eq!(without, Ok(vec![ann(1), ann(2)]));
}

#[test]
fn records_after_an_array_are_not_read() {
    let record = dict(&[("id", int(7)), ("name", string(b"Ann")), ("at", vector())]);
    for count in 0..3 {
        let bytes = [array(&vec![record.clone(); count]), record.repeat(3)].concat();
        let all = records(&bytes, ReadOptions::new(Dialect::GODOT_4), None).unwrap();
        assert_eq!(all.len(), count);
    }
}

/// A record with a container in it.
#[derive(Debug, PartialEq)]
struct Deep((i32, i32));

impl<'a> Record<'a> for Deep {
    const KEYS: &'static [Key] = &Key::all(["pair"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        fields.next().map(Deep)
    }
}

#[test]
fn fields_obey_the_depth_limit() {
    let record = dict(&[("pair", array(&[int(1), int(2)]))]);
    let bytes = [array(&[record]), vec![0; 32]].concat();
    for max_depth in 0..5 {
        let limits = Limits::ENGINE.with_max_depth(max_depth);
        let options = ReadOptions::new(Dialect::GODOT_4).with_limits(limits);
        let Ok(root) = Document::with_options(&bytes, options).root() else {
            continue;
        };
        let items = root.as_array().unwrap().iter();
        let mut given = vec![];
        let end = items.clone().for_each_record(|record| given.push(record));
        let next = items.clone().next_record::<Deep>();
        match end {
            Ok(()) => assert_eq!(given.pop(), next, "{max_depth}"),
            Err(error) => assert_eq!(Some(Err(error.into())), next, "{max_depth}"),
        }
        match next.expect("there is one") {
            Ok(deep) => assert_eq!((deep, max_depth > 2), (Deep((1, 2)), true)),
            Err(wrong) => {
                let error = wrong.unreadable().unwrap();
                let limit = max_depth;
                assert_eq!(error.kind(), ErrorKind::DepthExceeded { limit });
                assert!(max_depth <= 2);
            }
        }
    }
}

#[test]
fn a_record_below_the_depth_limit_is_refused() {
    let pairs = [("id", int(1)), ("name", string(b"Ann")), ("at", vector())];
    let bytes = array(&[dict(&pairs)]);
    let options = ReadOptions::new(Dialect::GODOT_4);
    let limit = |max_depth| options.with_limits(Limits::ENGINE.with_max_depth(max_depth));
    assert!(records(&bytes, limit(2), None).is_ok());
    let error = records(&bytes, limit(1), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthExceeded { limit: 1 });
    assert_eq!(error.offset(), 16);
}

#[test]
fn a_cut_record_is_an_error() {
    let record = dict(&[("id", int(1)), ("name", string(b"Ann")), ("at", vector())]);
    let whole = array(&[record.clone(), record]);
    let options = ReadOptions::new(Dialect::GODOT_4);
    for len in 8..whole.len() {
        let cut = &whole[..len];
        let Ok(root) = Document::new(cut, Dialect::GODOT_4).root() else {
            continue;
        };
        let mut elements = root.as_array().unwrap().iter();
        let expected = loop {
            let element = elements.try_next();
            let pairs = element.map(|element| element.unwrap().as_dict().unwrap().iter());
            let pairs = pairs.map_err(Mismatch::from);
            let record = pairs.and_then(|mut pairs| pairs.read::<LoggedRecord<'_>>());
            if let Err(wrong) = record {
                break wrong.unreadable().unwrap();
            }
        };
        assert_eq!(records(cut, options, None), Err(expected), "{len}");
    }
}
