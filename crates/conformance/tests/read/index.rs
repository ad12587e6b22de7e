//! An index finds the same children as the reader, by number and by key.

use allocation_counter::measure;
use gdvar::{
    Dialect, Document, Error, ErrorKind, Kind, Objects, ReadOptions, VariantRef,
    index::{Index, Indexed},
    path::Path,
};
use gdvar_conformance::{
    derived,
    tagged::{self, Precision},
    vectors::{ENGINES, plain_saves, vectors},
    with_big_stack,
};

/// An encoder for what the tests need.
struct Bytes {
    out: Vec<u8>,
    dialect: Dialect,
}

impl Bytes {
    fn new(dialect: Dialect) -> Bytes {
        let out = Vec::new();
        Bytes { out, dialect }
    }

    fn word(mut self, word: u32) -> Bytes {
        self.out.extend(word.to_le_bytes());
        self
    }

    fn header(self, kind: Kind) -> Bytes {
        let id = self.dialect.type_id(kind).expect("the dialect has it").0;
        self.word(u32::from(id))
    }

    fn begin(self, kind: Kind, count: u32) -> Bytes {
        self.header(kind).word(count)
    }

    fn int(self, value: i32) -> Bytes {
        self.word(2).word(value as u32)
    }

    fn text(self, kind: Kind, text: &[u8]) -> Bytes {
        let mut this = self.header(kind).word(text.len() as u32);
        this.out.extend(text);
        let end = this.out.len().next_multiple_of(4);
        this.out.resize(end, 0);
        this
    }

    fn raw(mut self, bytes: &[u8]) -> Bytes {
        self.out.extend(bytes);
        self
    }
}

/// An array and a dictionary of copies of a value, with numbers between them.
fn large(value: &[u8], dialect: Dialect) -> [Vec<u8>; 2] {
    let copies = (600 / value.len().max(1)).max(2) as u32;
    let mut array = Bytes::new(dialect).begin(Kind::Array, copies);
    let mut dict = Bytes::new(dialect).begin(Kind::Dictionary, copies);
    for n in 0..copies {
        array = array.raw(value);
        // The value is key as well as value, in turn.
        dict = match n % 2 {
            0 => dict.int(n as i32).raw(value),
            _ => dict.raw(value).int(n as i32),
        };
    }
    [array.out, dict.out]
}

#[test]
fn vectors_inside_large_containers_have_their_values() {
    with_big_stack(|| {
        let mut corpus: Vec<(Dialect, Vec<u8>)> = Vec::new();
        for engine in ENGINES {
            let all = vectors(engine).into_iter();
            corpus.extend(all.map(|vector| (engine.dialect, vector.bytes)));
        }
        for vector in derived::derived_vectors() {
            corpus.push((vector.dialect.parse().expect("a dialect"), vector.bytes));
        }
        let mut readable = 0;
        for (dialect, value) in corpus.iter().filter(|(_, bytes)| bytes.len() < 10_000) {
            for bytes in large(value, *dialect) {
                let options = ReadOptions::new(*dialect).with_objects(Objects::Inert);
                let document = Document::with_options(&bytes, options);
                let expected = tagged::events(document, Precision::Single);
                let indexed = tagged::indexed(document, Precision::Single);
                assert_eq!(indexed, expected, "{dialect}");
                readable += usize::from(expected.is_ok());
            }
        }
        assert!(readable > 4000, "{readable}");
    });
}

/// `[[0, 1, …], [0, 1, …] …]`, or with dictionaries.
fn siblings(dialect: Dialect, outer: u32, inner: u32) -> Vec<u8> {
    let mut bytes = Bytes::new(dialect).begin(Kind::Array, outer);
    for _ in 0..outer {
        bytes = bytes.begin(Kind::Array, inner);
        for n in 0..inner {
            bytes = bytes.int(n as i32);
        }
    }
    bytes.out
}

#[test]
fn any_of_many_siblings_is_found_and_nothing_is_allocated() {
    for dialect in Dialect::ALL {
        for (outer, inner) in [(100_000, 3), (400, 400), (1, 100_000)] {
            let bytes = siblings(dialect, outer, inner);
            let document = Document::new(&bytes, dialect);
            let index = Index::build(document).expect("valid");
            let allocations = measure(|| {
                let root = index.open(document).expect("the same document");
                let all = root.as_array().expect("an array");
                for n in (0..outer as usize).step_by(97).chain([outer as usize - 1]) {
                    let numbers = all.get(n).expect("an element");
                    let numbers = numbers.as_array().expect("an array");
                    for m in (0..inner as usize).step_by(89).chain([inner as usize - 1]) {
                        let number = numbers.get(m).expect("an element");
                        assert_eq!(number.as_i64(), Some(m as i64));
                        assert_eq!(number.depth(), 2);
                    }
                    assert!(numbers.get(inner as usize).is_none());
                }
                assert!(all.get(outer as usize).is_none());
                assert!(all.get(usize::MAX).is_none());
            });
            assert_eq!(allocations.count_total, 0, "{dialect}");
        }
    }
}

#[test]
fn an_index_takes_eight_bytes_a_value_and_eight_a_container() {
    let dialect = Dialect::GODOT_4;
    let build = |bytes: &[u8]| Index::build(Document::new(bytes, dialect)).expect("valid");
    for (outer, inner) in [(1000, 3), (100, 400), (2, 3), (0, 0)] {
        let values = 1 + outer + outer * inner;
        let containers = usize::from(outer > 0) + outer;
        let size = build(&siblings(dialect, outer as u32, inner as u32)).size();
        assert_eq!(size, 8 * (values + containers), "{outer} {inner}");
    }
}

/// Nested arrays whose counts fit the bytes one by one but not together are refused without memory for each.
#[test]
fn counts_that_cannot_all_hold_take_no_memory() {
    for dialect in Dialect::ALL {
        let mut bytes = Bytes::new(dialect);
        for level in 0..1000 {
            bytes = bytes.begin(Kind::Array, 20_000 - 2 * (level + 1));
        }
        let mut bytes = bytes.out;
        bytes.resize(4 * 20_000, 0);
        let document = Document::new(&bytes, dialect);
        let expected = document.validate().expect_err("too short");
        let allocations = measure(|| assert_eq!(Index::build(document).err(), Some(expected)));
        let most = allocations.bytes_max as usize;
        assert!(most <= 5 * bytes.len(), "{dialect}: {most}");
    }
}

#[test]
fn a_thousand_levels_are_indexed() {
    for dialect in Dialect::ALL {
        for depth in [1024, 1025] {
            let mut bytes = Bytes::new(dialect);
            for _ in 0..depth {
                bytes = bytes.begin(Kind::Array, 2).int(7);
            }
            let bytes = bytes.int(9).out;
            let document = Document::new(&bytes, dialect);
            let index = Index::build(document);
            let expected = document.validate();
            if depth == 1025 {
                let kind = ErrorKind::DepthExceeded { limit: 1024 };
                assert_eq!(index.as_ref().map_err(|error| error.kind()), Err(kind));
            }
            assert_eq!(index.as_ref().err(), expected.as_ref().err());
            let Ok(index) = index else { continue };
            let mut value = index.open(document).expect("the same document");
            for level in 0..depth {
                let array = value.as_array().expect("an array");
                let first = array.get(0).expect("an element");
                assert_eq!(first.as_i64(), Some(7));
                value = array.get(1).expect("an element");
                assert_eq!(value.depth(), level + 1);
            }
            assert_eq!(value.as_i64(), Some(9));
        }
    }
}

#[test]
fn values_at_odd_places_of_godot_2_are_found() {
    let dialect = Dialect::GODOT_2;
    let node_path = dialect.type_id(Kind::NodePath).expect("a type").0;
    for len in 0..8 {
        // The text of an old NodePath has no padding (docs/FORMAT.md §4.5), nor has the body of an event (§3.3).
        let event = dialect.type_id(Kind::InputEvent).expect("a type").0;
        let mut bytes = Bytes::new(dialect).begin(Kind::Array, 300);
        for n in 0..100 {
            let text = "abcdefgh".get(..len).expect("ASCII").as_bytes();
            bytes = bytes.word(node_path.into()).text_without_header(text);
            bytes = bytes
                .word(event.into())
                .word(1)
                .word(0)
                .word(12 + len as u32);
            bytes = bytes.raw(text).int(n);
        }
        let bytes = bytes.out;
        let document = Document::new(&bytes, dialect);
        document.validate().expect("valid");
        let index = Index::build(document).expect("valid");
        let array = index.open(document).expect("the same").as_array();
        let array = array.expect("an array");
        for n in 0..100 {
            let number = array.get(3 * n + 2).expect("an element");
            assert_eq!(number.as_i64(), Some(n as i64), "{len}");
        }
    }
}

impl Bytes {
    fn text_without_header(self, text: &[u8]) -> Bytes {
        let this = self.word(text.len() as u32);
        this.raw(text)
    }
}

/// Keys of all sorts, some of them twice, with their numbers as values.
fn keys(dialect: Dialect) -> (Vec<u8>, u32) {
    let mut bytes = Bytes::new(dialect).begin(Kind::Dictionary, 0);
    let mut count = 0;
    let names = dialect.type_id(Kind::StringName).is_some();
    for round in 0..3 {
        for n in 0..60 {
            let text = format!("key {}", (n * 37) % 61);
            bytes = match (n + round) % 6 {
                0 if names => bytes.text(Kind::StringName, text.as_bytes()),
                1 => bytes.int(n * 1000 - 30_000),
                2 if dialect != Dialect::GODOT_2 => {
                    let low = (n * 1000 - 30_000) as u32;
                    bytes.word(0x1_0002).word(low).word(u32::MAX)
                }
                3 if n % 4 == 0 => bytes.word(3).word(1.5_f32.to_bits()),
                4 => bytes.text(Kind::String, format!("{text}\0behind").as_bytes()),
                5 => bytes.text(Kind::String, format!("\u{feff}{text}").as_bytes()),
                _ => bytes.text(Kind::String, text.as_bytes()),
            };
            bytes = bytes.int(count);
            count += 1;
        }
    }
    let mut bytes = bytes.out;
    bytes[4..8].copy_from_slice(&count.to_le_bytes());
    (bytes, count as u32)
}

fn place(found: Result<Option<VariantRef<'_>>, Error>) -> Option<usize> {
    found.expect("readable").map(VariantRef::offset)
}

fn indexed_place(found: Option<Indexed<'_, VariantRef<'_>>>) -> Option<usize> {
    found.map(|value| value.offset())
}

#[test]
fn keys_are_found_as_without_an_index() {
    for dialect in Dialect::ALL {
        let (bytes, count) = keys(dialect);
        let document = Document::new(&bytes, dialect);
        let plain = Index::build(document).expect("valid");
        let mut sorted = plain.clone();
        sorted.sort_keys(document).expect("the same document");
        assert!(sorted.size() >= plain.size() + 4 * count as usize);
        let expected = document
            .root()
            .expect("valid")
            .as_dict()
            .expect("a dictionary");
        for index in [&plain, &sorted] {
            let root = index.open(document).expect("the same document");
            let dict = root.as_dict().expect("a dictionary");
            for n in 0..70 {
                for key in [
                    format!("key {n}"),
                    format!("key {n}\0"),
                    format!("\u{feff}key {n}"),
                ] {
                    let found = indexed_place(dict.get(&key));
                    assert_eq!(found, place(expected.get(&key)), "{dialect} {key:?}");
                }
                let key = n * 1000 - 30_000;
                for key in [key, key & 0xffff_ffff, key | -1 << 32] {
                    let found = indexed_place(dict.get_int(key));
                    assert_eq!(found, place(expected.get_int(key)), "{dialect} {key}");
                }
            }
            for pair in expected {
                let (key, _) = pair.expect("readable");
                let found = indexed_place(dict.get_value(key));
                assert_eq!(found, place(expected.get_value(key)), "{dialect} {key:?}");
                assert!(found.is_some());
            }
            assert_eq!(
                indexed_place(dict.get("key 9")),
                place(expected.get("key 9"))
            );
            assert!(dict.get("").is_none());
            for path in [
                "key",
                "$[\"key 7\"]",
                "[\"ke\\y 7\"]",
                "[-30000]",
                "{3}",
                "{3:key}",
                "{999}",
            ] {
                let path = Path::parse(path).expect("a path");
                let found = indexed_place(root.get_path(&path));
                assert_eq!(
                    found,
                    place(expected.value().get_path(&path)),
                    "{dialect} {path}"
                );
            }
        }
        // The keys in small dictionaries.
        let pairs: Vec<_> = expected
            .iter()
            .map(|pair| pair.expect("readable"))
            .collect();
        for few in pairs.chunks(5) {
            let mut small = Bytes::new(dialect).begin(Kind::Dictionary, few.len() as u32);
            for (key, value) in few {
                small = small.raw(key.raw().expect("a key"));
                small = small.raw(value.raw().expect("a value"));
            }
            let small = small.out;
            let document = Document::new(&small, dialect);
            let index = Index::build(document).expect("valid");
            let dict = index.open(document).expect("the same").as_dict();
            let dict = dict.expect("a dictionary");
            for n in 0..70 {
                let key = format!("key {n}");
                let found = place(dict.into_inner().get(&key));
                assert_eq!(indexed_place(dict.get(&key)), found, "{dialect} {key}");
            }
        }
    }
}

#[test]
fn paths_lead_to_the_same_place_in_saves() {
    let mut steps = 0;
    for save in plain_saves() {
        for frame in gdvar::frames::frames(&save.bytes, gdvar::frames::PrefixOrder::Little) {
            let options = ReadOptions::new(save.dialect).with_objects(Objects::Inert);
            let document = Document::with_options(frame.expect("a record").bytes, options);
            let index = Index::build(document).expect("valid");
            let root = index.open(document).expect("the same document");
            let mut events = document.events();
            while let Some(event) = events.try_next().expect("valid") {
                if let gdvar::walk::Event::Value(value) = event {
                    let path = document.locate(value.offset()).to_string();
                    let path = Path::parse(&path).expect("a path");
                    let found = root.get_path(&path);
                    assert_eq!(
                        found.map(|found| found.offset()),
                        Some(value.offset()),
                        "{path}"
                    );
                    steps += 1;
                }
            }
        }
    }
    assert!(steps > 1000, "{steps}");
}

#[test]
fn an_index_is_refused_by_other_documents() {
    let (bytes, _) = keys(Dialect::GODOT_4);
    let options = ReadOptions::new(Dialect::GODOT_4);
    let document = Document::with_options(&bytes, options);
    let plain = Index::build(document).expect("valid");
    let mut sorted = plain.clone();
    sorted.sort_keys(document).expect("the same document");
    for index in [&plain, &sorted] {
        let shorter = Document::with_options(&bytes[..bytes.len() - 1], options);
        for other in [
            shorter,
            document.strict(),
            document.with_objects(Objects::Deny),
        ] {
            let opened = index.open(other).map(|_| ());
            assert_eq!(opened.map_err(Error::kind), Err(ErrorKind::ForeignIndex));
        }
    }
}

/// The number of values that an index leads to, and a look-up in each dictionary.
fn reached(value: Indexed<'_, VariantRef<'_>>) -> usize {
    if let Some(array) = value.as_array() {
        1 + array.iter().map(reached).sum::<usize>()
    } else if let Some(dict) = value.as_dict() {
        let _ = (dict.get("key 7"), dict.get_int(3));
        1 + dict
            .iter()
            .map(|(key, value)| reached(key) + reached(value))
            .sum::<usize>()
    } else if let Some(object) = value.as_object() {
        1 + object
            .iter()
            .map(|(_, value)| 1 + reached(value))
            .sum::<usize>()
    } else {
        1
    }
}

/// Bytes that changed after the index was built are read as other values, but not as more of them.
#[test]
fn changed_bytes_do_not_make_an_index_loop_or_panic() {
    let dialect = Dialect::GODOT_4;
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    for mut bytes in [siblings(dialect, 4, 5), keys(dialect).0] {
        let mut index = Index::build(Document::with_options(&bytes, options)).expect("valid");
        let root = index.open(Document::with_options(&bytes, options));
        let values = reached(root.expect("its own"));
        index
            .sort_keys(Document::with_options(&bytes, options))
            .expect("its own");
        for at in 8..bytes.len() {
            let old = bytes[at];
            for new in [0, 1, 4, 7, 24, 27, 28, 0x7f, 0xff] {
                bytes[at] = new;
                let document = Document::with_options(&bytes, options);
                if let Ok(root) = index.open(document) {
                    assert!(reached(root) <= values, "{at} {new}");
                }
            }
            bytes[at] = old;
        }
    }
}

/// Any kind of key is found by halving once the keys are sorted: 20 000 arrays of bytes, each sought twice.
#[test]
fn keys_of_any_kind_are_found_among_many() {
    const COUNT: u32 = 20_000;
    let dialect = Dialect::GODOT_4;
    let mut bytes = Bytes::new(dialect).begin(Kind::Dictionary, COUNT);
    for n in 0..COUNT {
        bytes = bytes
            .begin(Kind::PackedByteArray, 4)
            .word(n.wrapping_mul(0x9e37_79b9));
        bytes = bytes.int(n as i32);
    }
    let document = Document::new(&bytes.out, dialect);
    let mut index = Index::build(document).expect("an index");
    index.sort_keys(document).expect("keys");
    let dict = index
        .open(document)
        .expect("a root")
        .as_dict()
        .expect("a dictionary");
    let start = std::time::Instant::now();
    for (n, (key, _)) in dict.iter().enumerate() {
        let found = dict.get_value(*key).expect("a value");
        assert_eq!(found.as_i64(), Some(n as i64));
    }
    // A search through all keys one by one makes 200 million comparisons, which took 38 seconds.
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
    let other = Bytes::new(dialect)
        .begin(Kind::PackedByteArray, 3)
        .raw(b"abc\0");
    let other = Document::new(&other.out, dialect).root().expect("a value");
    assert!(dict.get_value(other).is_none());
}

/// If keys are equal the last pair counts, whatever kind they are; NaN is one key, and an object is
/// none.
#[test]
fn equal_keys_of_any_kind_lead_to_the_last_pair() {
    let dialect = Dialect::GODOT_4;
    let vector = |x: u32| {
        Bytes::new(dialect)
            .header(Kind::Vector2)
            .word(x)
            .word(0)
            .out
    };
    let object = Bytes::new(dialect).word(24 | 1 << 16).word(7).word(0).out;
    let keys = [
        vector(0),
        vector(0x8000_0000),
        vector(0x7fc0_0000),
        vector(0xffc0_0001),
        vector(1),
        object.clone(),
    ];
    let mut bytes = Bytes::new(dialect).begin(Kind::Dictionary, 60);
    for n in 0..60 {
        bytes = match keys.get(n) {
            Some(key) => bytes.raw(key).int(n as i32),
            None => bytes.int(n as i32).int(0),
        };
    }
    let document = Document::new(&bytes.out, dialect);
    let mut index = Index::build(document).expect("an index");
    index.sort_keys(document).expect("keys");
    let dict = index
        .open(document)
        .expect("a root")
        .as_dict()
        .expect("a dictionary");
    let found = |key: &[u8]| {
        let key = Document::new(key, dialect).root().expect("a key");
        let found = dict.get_value(key);
        found.map(|value| value.as_i64().expect("an int"))
    };
    assert_eq!(found(&keys[0]), Some(1));
    assert_eq!(found(&keys[2]), Some(3));
    assert_eq!(found(&keys[4]), Some(4));
    assert_eq!(found(&object), None);
}
