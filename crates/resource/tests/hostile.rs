//! Damaged and crafted resources: always an error with an offset, never a panic, and in linear time.

use std::{fs, path::PathBuf, time::Instant};

use gdvar_resource::{ErrorKind, Limits, Resource, Value};

fn sample(name: &str) -> Vec<u8> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    fs::read(here.join("../../testdata/resources").join(name)).expect("a file")
}

/// Reads all of a file.
fn read(file: &[u8]) -> Result<Vec<u8>, gdvar_resource::Error> {
    let limits = Limits::unpacking(file.len());
    Resource::open(file, limits)?.encode(limits)
}

fn error(file: &[u8]) -> (u64, ErrorKind) {
    let error = read(file).expect_err("damage");
    (error.offset(), error.kind())
}

fn replaced(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

/// The fields of `godot4/tiny.res`, whose layout docs/RESOURCES.md shows.
const FIRST_NAME: usize = 0x69;
const PROPERTIES: usize = 0xe9;
const FIRST_PROPERTY: usize = 0xed;

#[test]
fn what_crashes_the_engine_is_an_error() {
    let tiny = sample("godot4/tiny.res");
    let name = replaced(&tiny, FIRST_PROPERTY, &[99, 0, 0, 0]);
    let number = 99;
    let kind = ErrorKind::NoSuchName { number, names: 4 };
    assert_eq!(error(&name), (FIRST_PROPERTY as u64, kind));
    let count = replaced(&tiny, PROPERTIES, &[0, 0, 0, 1]);
    let kind = ErrorKind::TooMany { count: 1 << 24 };
    assert_eq!(error(&count), (PROPERTIES as u64, kind));
    let text = replaced(&tiny, FIRST_NAME, &[0xff, 0xff, 0xff, 0x7f]);
    let (offset, kind) = error(&text);
    assert_eq!(offset, FIRST_NAME as u64 + 4);
    assert!(matches!(kind, ErrorKind::Truncated { .. }), "{kind:?}");
}

#[test]
fn every_cut_is_an_error() {
    for name in ["godot4/tiny.res", "godot4/all_z.res", "godot3/refs.res"] {
        let file = sample(name);
        for len in 0..file.len() {
            assert!(read(&file[..len]).is_err(), "{name} {len}");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert_eq!(error(&longer).1, ErrorKind::BadEnd, "{name}");
    }
}

/// A small generator, for the same mutations in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn mutations_do_not_panic() {
    let mut random = Random(1);
    let (mut read_anyway, mut refused) = (0, 0);
    for name in [
        "godot4/all.res",
        "godot4/all_be.res",
        "godot4/refs.res",
        "godot4/scene.scn",
        "godot4/scene_z.scn",
        "godot3/all.res",
        "godot3/refs_be_z.res",
    ] {
        let file = sample(name);
        for _ in 0..3000 {
            let mut file = file.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(file.len());
                file[at] = match random.below(4) {
                    0 => 0xff,
                    1 => 0,
                    2 => file[at].wrapping_add(1),
                    _ => random.below(256) as u8,
                };
            }
            match read(&file) {
                Ok(_) => read_anyway += 1,
                Err(error) => {
                    assert!(error.offset() <= 1 << 20 || !error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(
        read_anyway > 1000 && refused > 1000,
        "{read_anyway} {refused}"
    );
}

/// Assembles a resource of Godot 4 with one name, one class and bodies of raw bytes.
struct Assembler {
    names: Vec<String>,
    externals: Vec<(String, String)>,
    flags: u32,
    format: u32,
    bodies: Vec<(String, Vec<u8>)>,
}

fn word(number: usize) -> [u8; 4] {
    (number as u32).to_le_bytes()
}

fn text(text: &str) -> Vec<u8> {
    [&word(text.len() + 1)[..], text.as_bytes(), b"\0"].concat()
}

impl Assembler {
    fn new(format: u32) -> Assembler {
        Assembler {
            names: vec!["a".to_owned()],
            externals: Vec::new(),
            flags: 1,
            format,
            bodies: Vec::new(),
        }
    }

    /// A body with properties of the first name.
    fn body(&mut self, values: &[Vec<u8>]) {
        let mut body = text("Resource");
        body.extend(word(values.len()));
        for value in values {
            body.extend(word(0));
            body.extend(value);
        }
        let path = format!("local://{}", self.bodies.len());
        self.bodies.push((path, body));
    }

    fn finish(&self) -> Vec<u8> {
        let mut file = b"RSRC".to_vec();
        for number in [0, 0, 4, 0, self.format as usize] {
            file.extend(word(number));
        }
        file.extend(text("Resource"));
        file.extend([0; 8]);
        file.extend(self.flags.to_le_bytes());
        file.extend([0; 8 + 44]);
        file.extend(word(self.names.len()));
        file.extend(self.names.iter().flat_map(|name| text(name)));
        file.extend(word(self.externals.len()));
        for (class, path) in &self.externals {
            file.extend([text(class), text(path)].concat());
        }
        file.extend(word(self.bodies.len()));
        let table: usize = self
            .bodies
            .iter()
            .map(|(path, _)| 4 + path.len() + 1 + 8)
            .sum();
        let mut at = file.len() + table;
        for (path, body) in &self.bodies {
            file.extend(text(path));
            file.extend((at as u64).to_le_bytes());
            at += body.len();
        }
        file.extend(self.bodies.iter().flat_map(|(_, body)| body.clone()));
        file.extend(b"RSRC");
        file
    }
}

fn mention(index: usize) -> Vec<u8> {
    [word(24), word(2), word(index)].concat()
}

/// Each resource mentions the one before it twice: 2^40 paths, and a value as long as the file.
#[test]
fn sharing_does_not_multiply() {
    let mut made = Assembler::new(6);
    made.body(&[]);
    for index in 0..40 {
        made.body(&[mention(index), mention(index)]);
    }
    let file = made.finish();
    let value = read(&file).expect("a value");
    assert!(value.len() < 4 * file.len(), "{}", value.len());
}

#[test]
fn cycles_end() {
    let mut made = Assembler::new(6);
    // Two that only mention each other, one that mentions itself, and the main resource, which is mentioned.
    made.body(&[mention(1)]);
    made.body(&[mention(0)]);
    made.body(&[mention(2), mention(3)]);
    made.body(&[mention(3)]);
    let value = read(&made.finish()).expect("a value");
    for name in ["SubResource(\"0\")", "SubResource(\"2\")"] {
        let found = value
            .windows(name.len())
            .any(|text| text == name.as_bytes());
        assert!(found, "{name}");
    }
}

/// An engine loads them, whether or not anything mentions them.
#[test]
fn resources_in_other_files_do_not_vanish() {
    let mut made = Assembler::new(6);
    for number in 0..3 {
        let path = format!("user://{number}.gd");
        made.externals.push(("Script".to_owned(), path));
    }
    made.body(&[[word(24), word(3), word(1)].concat()]);
    let value = read(&made.finish()).expect("a value");
    let has = |text: &str| {
        value
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    for number in 0..3 {
        assert!(has(&format!("user://{number}.gd")));
        let name = format!("ExtResource(\"{}\")", number + 1);
        assert_eq!(has(&name), number != 1);
    }
}

/// A long name that many properties have, a long id that is mentioned often, a node path of long names.
#[test]
fn repeated_texts_have_a_limit() {
    let long = "x".repeat(1 << 20);
    let nil = word(1).to_vec();
    let mut names = Assembler::new(6);
    names.names[0].clone_from(&long);
    names.body(&vec![nil; 100_000]);
    let mut ids = Assembler::new(6);
    ids.externals = vec![("A".to_owned(), long.clone())];
    ids.body(&vec![[word(24), word(3), word(0)].concat(); 100_000]);
    let mut path = Assembler::new(6);
    path.names[0] = long;
    let words = [
        &word(22)[..],
        &60_000_u16.to_le_bytes(),
        &0_u16.to_le_bytes(),
    ]
    .concat();
    path.body(&[[words, word(0).repeat(60_000)].concat()]);
    for made in [names, ids, path] {
        let file = made.finish();
        let started = Instant::now();
        let (_, kind) = error(&file);
        assert!(matches!(kind, ErrorKind::TooLong { .. }), "{kind:?}");
        assert!(started.elapsed().as_secs() < 20);
    }
}

#[test]
fn nesting_has_a_limit() {
    let nested = |levels: usize| {
        let mut made = Assembler::new(6);
        let array = [word(30), word(1)].concat();
        made.body(&[[array.repeat(levels), word(1).to_vec()].concat()]);
        read(&made.finish()).map_err(|error| error.kind())
    };
    assert!(nested(512).is_ok());
    assert_eq!(nested(513), Err(ErrorKind::TooDeep));
}

#[test]
fn gaps_and_missing_resources_are_errors() {
    let mut made = Assembler::new(6);
    assert_eq!(error(&made.finish()).1, ErrorKind::NoResource);
    made.body(&[mention(7)]);
    assert_eq!(
        error(&made.finish()).1,
        ErrorKind::NoSuchResource { number: 7 }
    );
    let tiny = sample("godot4/tiny.res");
    let moved = replaced(&tiny, 0xd4, &[0xdd]);
    assert_eq!(error(&moved).1, ErrorKind::NotHere { expected: 0xdc });
    let format = replaced(&tiny, 0x14, &[7]);
    assert_eq!(
        error(&format),
        (0x14, ErrorKind::UnknownFormat { format: 7 })
    );
    assert_eq!(error(b"GCPF").1, ErrorKind::BadMagic);
}

/// 64-bit real numbers, as engines compiled with `precision=double` store them.
#[test]
fn doubles_are_read_by_the_flag() {
    let mut made = Assembler::new(6);
    made.flags |= 4;
    let real = |number: f64| number.to_le_bytes();
    let float = [&word(4)[..], &real(0.1)].concat();
    let vector = [&word(10)[..], &real(0.1), &real(0.2)].concat();
    let color = [&word(20)[..], &[0; 16]].concat();
    let vectors = [&word(37)[..], &word(1), &real(0.1), &real(0.2)].concat();
    made.body(&[float, vector, color, vectors]);
    let file = made.finish();
    let resource = Resource::open(&file, Limits::FILE).expect("a resource");
    assert!(resource.header().has_doubles());
    let mut body = resource.properties(0).expect("a body");
    let mut wide = Vec::new();
    while let Some(event) = body.try_next().expect("a value") {
        match event {
            gdvar_resource::Event::Value(Value::Float64(number)) => assert_eq!(number, 0.1),
            gdvar_resource::Event::Value(Value::Math(_, numbers) | Value::Packed(_, numbers)) => {
                wide.push(numbers.are_wide());
            }
            _ => {}
        }
    }
    assert_eq!(wide, [true, false, true]);
    assert!(resource.encode(Limits::FILE).is_ok());
}

/// Before format 3 a node path has one more subname than it says.
#[test]
fn old_node_paths_have_a_property() {
    for (format, is_whole) in [(1, true), (2, true), (3, false), (6, false)] {
        let mut made = Assembler::new(format);
        let path = [&word(22)[..], &[1, 0, 0, 0], &word(0), &word(0)].concat();
        made.body(&[path]);
        assert_eq!(read(&made.finish()).is_ok(), is_whole, "{format}");
    }
}

/// Twice the file takes about twice the time, for files of many resources, values and mentions.
#[test]
fn time_is_linear() {
    let make = |count: usize| {
        let mut made = Assembler::new(6);
        for index in 0..count {
            let list = [&word(30)[..], &word(4), &word(1).repeat(4)].concat();
            let mut values = vec![list; 4];
            values.push(mention(index / 2));
            values.push(mention(index));
            made.body(&values);
        }
        made.finish()
    };
    let time = |count: usize| {
        let file = make(count);
        let runs = (0..3).map(|_| {
            let started = Instant::now();
            read(&file).expect("a value");
            started.elapsed()
        });
        (file.len(), runs.min().unwrap_or_default())
    };
    let (small, first) = time(2_500);
    let (large, last) = time(20_000);
    let times = last.as_secs_f64() / first.as_secs_f64().max(1e-4);
    assert!(large > 3 << 20, "{large}");
    assert!(times < 4.0 * (large / small) as f64, "{times} times");
}
