//! Hostile inputs: deep, repetitive, or damaged.

use std::{
    fmt,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use gdvar_text::{LineOptions, TextError, write_godot, write_line};
use gdvar_view::{Dialect, Document, Objects};

/// Counts text instead of keeping it.
#[derive(Default)]
struct Count(usize);

impl fmt::Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn godot(bytes: &[u8], dialect: Dialect) -> Result<usize, TextError> {
    let mut count = Count::default();
    let document = Document::new(bytes, dialect).with_objects(Objects::Inert);
    write_godot(&mut count, document.root()?, dialect.notation())?;
    Ok(count.0)
}

fn line(bytes: &[u8], dialect: Dialect, options: LineOptions) -> Result<usize, TextError> {
    let mut count = Count::default();
    let document = Document::new(bytes, dialect).with_objects(Objects::Inert);
    write_line(&mut count, document.root()?, options)?;
    Ok(count.0)
}

fn word(word: u32) -> [u8; 4] {
    word.to_le_bytes()
}

const ARRAY: u32 = 28;
const DICT: u32 = 27;
const ARRAY_3: u32 = 19;
const DICT_3: u32 = 18;

/// Returns nested containers, each also with `siblings` ints.
fn chain(depth: usize, siblings: u32, header: u32, pairs: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..depth {
        bytes.extend(word(header));
        bytes.extend(word(siblings + 1));
        for n in 0..siblings {
            bytes.extend(word(2));
            bytes.extend(word(n));
            if pairs {
                bytes.extend(word(0));
            }
        }
        if pairs {
            bytes.extend([word(2), word(u32::MAX)].concat());
        }
    }
    bytes.extend(word(0));
    bytes
}

/// Returns a chain in which each container is the key of the next.
fn chain_of_keys(depth: usize, siblings: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..depth {
        bytes.extend(word(DICT_3));
        bytes.extend(word(siblings + 1));
        for n in 0..siblings {
            bytes.extend([word(DICT_3), word(1), word(2), word(n), word(0), word(0)].concat());
        }
    }
    bytes.extend(word(0));
    for _ in 0..depth {
        bytes.extend(word(0));
    }
    bytes
}

#[test]
fn deep_values_need_no_stack() {
    let run = || {
        for (header, pairs, dialect) in [
            (ARRAY, false, Dialect::GODOT_4),
            (DICT, true, Dialect::GODOT_4),
            (ARRAY_3, false, Dialect::GODOT_3),
            (DICT_3, true, Dialect::GODOT_3),
        ] {
            let bytes = chain(1024, 2, header, pairs);
            assert!(godot(&bytes, dialect).is_ok());
            assert!(line(&bytes, dialect, LineOptions::new()).is_ok());
            assert!(line(&bytes, dialect, LineOptions::new().with_max_len(100)).is_ok());
        }
        assert!(godot(&chain_of_keys(1000, 2), Dialect::GODOT_3).is_ok());
    };
    let small = thread::Builder::new().stack_size(64 << 10).spawn(run);
    small.expect("a thread").join().expect("no overflow");
}

/// Fails if eight times the input takes far more than eight times the time, ten times in a row: a
/// busy machine may delay one measurement by a second, but not all ten.
fn doubles(name: &str, make: impl Fn(u32) -> Vec<u8>, dialect: Dialect) {
    let (small, large) = (make(1), make(8));
    let time = |bytes: &[u8]| {
        let start = Instant::now();
        assert!(godot(bytes, dialect).is_ok(), "{name}");
        start.elapsed()
    };
    let mut tries = (0..10).map(|_| (time(&small), time(&large)));
    let is_linear =
        |(small, large): (Duration, Duration)| large.as_micros() < 40 * small.as_micros() + 200_000;
    assert!(
        tries.any(is_linear),
        "{name}: eight times the input takes far more than eight times the time"
    );
}

#[test]
fn time_grows_with_the_input() {
    doubles(
        "deep arrays",
        |n| chain(1000, 5 * n, ARRAY_3, false),
        Dialect::GODOT_3,
    );
    doubles(
        "deep dictionaries",
        |n| chain(1000, 5 * n, DICT_3, true),
        Dialect::GODOT_3,
    );
    doubles(
        "deep keys",
        |n| chain_of_keys(1000, 2 * n),
        Dialect::GODOT_3,
    );
    let keys = |n: u32, key: &dyn Fn(u32) -> Vec<u8>, header| {
        let mut bytes = [word(header), word(n)].concat();
        for n in 0..n {
            bytes.extend(key(n));
            bytes.extend(word(0));
        }
        bytes
    };
    // The same key again and again.
    doubles(
        "one key",
        |n| keys(1000 * n, &|_| [word(2), word(7)].concat(), DICT),
        Dialect::GODOT_4,
    );
    // Keys that are all less than each other in Godot 3.
    let array = |n: u32| {
        [
            word(ARRAY_3),
            word(1),
            word(18),
            word(1),
            word(2),
            word(n),
            word(0),
        ]
        .concat()
    };
    doubles(
        "worst keys",
        |n| keys(300 * n, &array, DICT_3),
        Dialect::GODOT_3,
    );
    // Keys that are neither less nor greater.
    let rect = |n: u32| [word(7), word(n), word(0), word(0), word(0)].concat();
    doubles(
        "no order",
        |n| keys(1000 * n, &rect, DICT),
        Dialect::GODOT_4,
    );
}

#[test]
fn damage_never_panics() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/vectors");
    let mut seed = 1_u32;
    let mut random = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize
    };
    for (name, dialect) in [
        ("godot4.jsonl", Dialect::GODOT_4),
        ("godot3.jsonl", Dialect::GODOT_3),
    ] {
        let text = std::fs::read_to_string(path.join(name)).expect("test data");
        for value in text.lines() {
            let value: serde_json::Value = serde_json::from_str(value).expect("JSON");
            let hex = value["hex"].as_str().expect("hex");
            if hex.len() > 4000 {
                continue;
            }
            let bytes: Vec<u8> = (0..hex.len() / 2)
                .map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex"))
                .collect();
            for _ in 0..12 {
                let mut bytes = bytes.clone();
                for _ in 0..=random() % 3 {
                    let at = random() % bytes.len();
                    bytes[at] = [0, 1, 2, 0x7f, 0x80, 0xff, 27, 28, random() as u8][random() % 9];
                }
                let options = LineOptions::new()
                    .with_max_len(random() % 200)
                    .with_max_children(random() % 4);
                for dialect in [dialect, Dialect::PANDEMONIUM_5, Dialect::GODOT_2] {
                    let _ = godot(&bytes, dialect);
                    let _ = line(&bytes, dialect, options);
                }
            }
        }
    }
}
