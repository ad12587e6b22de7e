//! Generates random values whose children resemble each other: records, and long runs of numbers and of
//! strings. Readers have shortcuts for such values. A shortcut could miss the irregular children among
//! them.

use gdvar::{Dialect, Kind};

/// A small random number generator with the same sequence on every machine.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next number (xorshift).
    pub fn next_number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_number() % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The contents of a record's field or of a run's element.
#[derive(Clone, Copy)]
enum Shape {
    Nil,
    Bool,
    Int,
    Float,
    WideInt,
    WideFloat,
    Text,
    Vector3,
    Color,
    Numbers,
    Texts,
    Inner,
    Empty,
}

const SHAPES: [Shape; 13] = [
    Shape::Int,
    Shape::Float,
    Shape::Text,
    Shape::Bool,
    Shape::WideInt,
    Shape::WideFloat,
    Shape::Vector3,
    Shape::Color,
    Shape::Nil,
    Shape::Numbers,
    Shape::Texts,
    Shape::Inner,
    Shape::Empty,
];

/// An encoder that also writes bytes that no engine would write.
struct RandomEncoder<'r> {
    out: Vec<u8>,
    dialect: Dialect,
    random: &'r mut Random,
}

impl RandomEncoder<'_> {
    fn word(&mut self, word: u32) {
        self.out.extend(word.to_le_bytes());
    }

    fn begin(&mut self, kind: Kind, count: usize) {
        let id = self.dialect.type_id(kind).expect("all have containers").0;
        self.word(u32::from(id));
        self.word(count as u32);
    }

    /// Writes length, bytes and padding. The padding may continue a character that is cut off.
    fn field(&mut self, text: &[u8]) {
        self.word(text.len() as u32);
        self.out.extend(text);
        let padding = if self.random.one_in(12) {
            [0xa9, 0x80, 0xff, b'a'][self.random.below(4)]
        } else {
            0
        };
        let end = self.out.len().next_multiple_of(4);
        self.out.resize(end, padding);
    }

    fn text(&mut self) -> Vec<u8> {
        let len = match self.random.below(40) {
            0 => 100 + self.random.below(200),
            1..4 => 55 + self.random.below(20),
            4..12 => 16 + self.random.below(40),
            _ => self.random.below(17),
        };
        let mut text: Vec<u8> = (0..len).map(|n| b'a' + (n % 26) as u8).collect();
        match self.random.below(60) {
            0..10 => text.extend("é".as_bytes()),
            10..14 => text.splice(0..0, *b"\xe6\xbc\xa2").for_each(drop),
            14..18 => text.extend("😀".as_bytes()),
            18 => text.push(0xc3),
            19 => text.extend(b"\xe6\xbc"),
            20 => text.splice(0..0, [0xa9]).for_each(drop),
            21 => text.extend(b"\0\xff"),
            22 => text.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
            23 => text.extend(b"\xed\xa0\x80"),
            24 => text.push(0),
            _ => {}
        }
        text
    }

    fn payload(&mut self, words: usize) {
        for _ in 0..words {
            let word = self.random.next_number() as u32;
            self.word(word);
        }
    }

    fn key(&mut self, n: usize) {
        let keys = [
            "id",
            "name",
            "é",
            "hitpoints",
            "a key of seventeen",
            "",
            "漢字",
        ];
        self.word(4);
        self.field(keys[n % keys.len()].as_bytes());
    }

    fn value(&mut self, shape: Shape, depth: usize) {
        match shape {
            Shape::Nil => self.word(0),
            Shape::Bool | Shape::Int | Shape::Float => {
                self.word(match shape {
                    Shape::Bool => 1,
                    Shape::Int => 2,
                    _ => 3,
                });
                self.payload(1);
            }
            Shape::WideInt | Shape::WideFloat => {
                let id = if matches!(shape, Shape::WideInt) {
                    2
                } else {
                    3
                };
                self.word(id | 1 << 16);
                self.payload(2);
            }
            Shape::Text => {
                let text = self.text();
                self.word(4);
                self.field(&text);
            }
            Shape::Vector3 | Shape::Color => {
                let (kind, words) = match shape {
                    Shape::Color => (Kind::Color, 4),
                    _ => (Kind::Vector3, 3),
                };
                let id = self.dialect.type_id(kind).expect("all have these").0;
                self.word(u32::from(id));
                self.payload(words);
            }
            Shape::Numbers | Shape::Texts => {
                self.begin(Kind::Array, 3);
                for _ in 0..3 {
                    let text = matches!(shape, Shape::Texts);
                    self.value(if text { Shape::Text } else { Shape::Int }, depth);
                }
            }
            Shape::Inner => {
                self.begin(Kind::Dictionary, 1);
                self.key(depth);
                let next = SHAPES[self.random.below(4)];
                let deeper = depth < 6 && self.random.one_in(3);
                self.value(if deeper { Shape::Inner } else { next }, depth + 1);
            }
            Shape::Empty => self.begin(Kind::Array, 0),
        }
    }

    /// Writes dictionaries that have the same keys and mostly the same types, as elements of an array or
    /// under keys of their own.
    fn records(&mut self) {
        let fields: Vec<(usize, Shape)> = (0..1 + self.random.below(6))
            .map(|_| (self.random.below(7), SHAPES[self.random.below(13)]))
            .collect();
        let count = match self.random.below(4) {
            0 => 32 + self.random.below(40),
            _ => 3 + self.random.below(20),
        };
        let odd = [4, 10, 1000][self.random.below(3)];
        let keyed = self.random.one_in(4);
        self.begin(if keyed { Kind::Dictionary } else { Kind::Array }, count);
        for _ in 0..count {
            if keyed {
                let key = if self.random.one_in(odd) {
                    Shape::Int
                } else {
                    Shape::Text
                };
                self.value(key, 0);
            }
            if self.random.one_in(odd) {
                let shape = SHAPES[self.random.below(13)];
                self.value(shape, 0);
                continue;
            }
            self.begin(Kind::Dictionary, fields.len());
            for &(key, shape) in &fields {
                let other = usize::from(self.random.one_in(odd * 4));
                self.key(key + other);
                let shape = match (shape, self.random.one_in(odd)) {
                    (Shape::Int, true) => Shape::WideInt,
                    (Shape::WideFloat, true) => Shape::Float,
                    (shape, true) if self.random.one_in(6) => {
                        let _ = shape;
                        SHAPES[self.random.below(13)]
                    }
                    (shape, _) => shape,
                };
                self.value(shape, 0);
            }
        }
    }

    /// Writes an array whose elements are all, or nearly all, of one kind.
    fn run(&mut self) {
        let shape = SHAPES[self.random.below(13)];
        let most = [10, 60, 300][self.random.below(3)];
        let count = self.random.below(most);
        let odd = [10, 40, 1000][self.random.below(3)];
        self.begin(Kind::Array, count);
        for _ in 0..count {
            let next = if self.random.one_in(odd) {
                SHAPES[self.random.below(13)]
            } else {
                shape
            };
            self.value(next, 0);
        }
    }

    fn packed(&mut self) {
        let most = [10, 60, 300][self.random.below(3)];
        let count = self.random.below(most);
        self.begin(Kind::PackedStringArray, count);
        for _ in 0..count {
            let mut text = self.text();
            text.push(0);
            self.field(&text);
        }
    }
}

/// Encodes a value whose children resemble each other.
pub fn alike(dialect: Dialect, random: &mut Random) -> Vec<u8> {
    let mut bytes = RandomEncoder {
        out: Vec::new(),
        dialect,
        random,
    };
    match bytes.random.below(8) {
        0..4 => bytes.records(),
        4..6 => bytes.run(),
        6 => bytes.packed(),
        _ => {
            bytes.begin(Kind::Array, 3);
            bytes.packed();
            bytes.records();
            bytes.run();
        }
    }
    bytes.out
}
