//! Damaged texts, and what the engines' parsers make of them.

use std::{collections::BTreeSet, fs, io, path::PathBuf};

use gdvar_text::{ParseErrorKind, ParseOptions, parse_godot};
use serde_json::Value;

use super::Asked;
use gdvar_conformance::{
    alike::Random,
    vectors::{hex, lines, testdata, unhex},
};

/// Texts that no vector has: what the parsers know beyond what the engines print.
const MORE: &[&str] = &[
    "nil",
    "inf_neg",
    "-inf",
    "nan",
    "1e5",
    "1E+5",
    "1e-2147483648",
    "#ff8000 ",
    "[#f00,#ff008000]",
    "@\"name\"",
    "; comment\n[1, 2,]",
    "{1:1,1.0:2,\"a\":3,&\"a\":4}",
    "{[1]:1,[1]:2,{1:2}:3}",
    "RID(5)",
    "Signal()",
    "Signal(/",
    "Callable(/",
    "Callable()",
    "NodePath(\"/root/a:b:c\")",
    "PackedByteArray(\"AQIDBA==\")",
    "PackedByteArray(1, 2.5, -3)",
    "PackedVector4Array(1, 2, 3, 4, 5)",
    "Array[int]([1, 2.5, true])",
    "Array[String]([&\"a\", \"b\"])",
    "Array[Vector2]([Vector2i(1, 2)])",
    "Array[Array]([PackedInt32Array(1, 2)])",
    "Array[PackedInt32Array]([[1, 2.5]])",
    "Dictionary[String, int]({\"a\": 1, &\"b\": 2.5})",
    "Dictionary[int, Variant]({1: [], 1.5: {}})",
    "PoolIntArray( 1, 2 )",
    "PoolStringArray( \"a\", \"b\", )",
    "IntArray(1, inf, -inf)",
    "Quat( 1, 2, 3, 4 )",
    "Matrix3(1, 0, 0, 0, 1, 0, 0, 0, 1)",
    "\"\\u00e9\\ud83d\\ude00\\n\\q\"",
    "\"\\U01f600\"",
];

/// The pieces that texts are made of.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ".",
    "=",
    ";",
    "#",
    "\"",
    "&",
    "@",
    "-",
    "+",
    "e",
    "E",
    "0",
    "9",
    "1.5",
    "\\",
    "\\u",
    "\\U",
    "\\u0041",
    "\\ud800",
    "\\udc00",
    "\n",
    " ",
    "\t",
    "é",
    "\u{1f600}",
    "null",
    "true",
    "inf",
    "-inf",
    "nan",
    "inf_neg",
    "Vector2",
    "Vector2i",
    "Color",
    "Array",
    "Array[int]",
    "Dictionary[int, int]",
    "NodePath",
    "RID",
    "Callable",
    "Signal",
    "int",
    "float",
    "String",
    "Variant",
    "PackedByteArray",
    "PoolByteArray",
    "\"a\"",
    "&\"a\"",
    "1e400",
    "99999999999999999999",
    "_",
    "/",
    "'",
    "$",
    "Transform",
    "Quat",
    "PackedStringArray",
];

/// The texts to damage: those that the engine printed, if they are short, and a list of others.
///
/// # Panics
/// If the file of texts cannot be read.
#[must_use]
pub fn sources(asked: Asked) -> Vec<String> {
    let number = asked.name.trim_start_matches("godot");
    let printed = lines(&format!("text{number}.jsonl"));
    let printed = printed.iter().filter_map(|line| line["text"].as_str());
    let short = printed.filter(|text| text.len() < 300).map(str::to_owned);
    short
        .chain(MORE.iter().map(|text| (*text).to_owned()))
        .collect()
}

fn place(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A text, damaged once to three times.
#[must_use]
pub fn damage(sources: &[String], random: &mut Random) -> String {
    let mut text = sources[random.below(sources.len())].clone();
    for _ in 0..=random.below(3) {
        let (a, b) = (place(&text, random), place(&text, random));
        let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 12));
        let to = (to..=text.len())
            .find(|to| text.is_char_boundary(*to))
            .unwrap_or(from);
        let piece = PIECES[random.below(PIECES.len())];
        match random.below(7) {
            0 => text.truncate(from),
            1 => text.replace_range(from..to, ""),
            2 => text.insert_str(from, piece),
            3 => text.replace_range(from..to, piece),
            4 => {
                let copy = text[from..to].to_owned();
                text.insert_str(place(&text, random), &copy);
            }
            5 => {
                let other = &sources[random.below(sources.len())];
                text.insert_str(from, other);
            }
            // One character by another.
            _ => {
                if let Some(old) = text[from..].chars().next() {
                    text.replace_range(from..from + old.len_utf8(), piece);
                }
            }
        }
    }
    // Neither engine's strings hold a NUL that comes in from outside.
    text.retain(|character| character != '\0');
    text.truncate(place_before(&text, 4000));
    text
}

fn place_before(text: &str, most: usize) -> usize {
    (0..=most.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// So many different damaged texts.
///
/// # Panics
/// As [`sources`].
#[must_use]
pub fn make(asked: Asked, count: usize, seed: u64) -> Vec<String> {
    let sources = sources(asked);
    let mut random = Random(seed | 1);
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    while texts.len() < count {
        let text = damage(&sources, &mut random);
        if seen.insert(text.clone()) {
            texts.push(text);
        }
    }
    texts
}

/// The answer of the engine for a text it refuses.
#[must_use]
pub fn refusal(asked: Asked) -> &'static [u8] {
    if asked.name == "godot4" {
        &[0; 4]
    } else {
        &[255; 4]
    }
}

/// How our reading of a text stands to the engine's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    /// Equal verdicts and equal bytes.
    Same,
    /// We refuse what holds an object or a resource, which the engine would make or load, or a
    /// conversion that is not built.
    Policy,
    /// A class in a container's type: the engine knows which there are.
    Class,
    /// An exponent that overflows, which Godot 3 counts on with undefined behaviour.
    Overflow,
    /// Something else.
    Different,
}

/// Compares our reading of a text with an engine's answer.
#[must_use]
pub fn compare(asked: Asked, text: &str, answer: &[u8]) -> Match {
    let ours = parse_godot(
        text,
        &ParseOptions::new(asked.target).with_engine_rules(true),
    );
    let refused = refusal(asked);
    match ours {
        Ok(ours) if without_padding(asked, &ours.bytes, answer) => Match::Same,
        Ok(ours) if ours.bytes == [0; 4] && answer == refused && refused == [0; 4] => Match::Same,
        Ok(_) if has_class(text) && answer != refused => Match::Class,
        Ok(_) if asked.name == "godot3" && has_long_exponent(text) => Match::Overflow,
        Ok(_) => Match::Different,
        Err(_) if answer == refused => Match::Same,
        Err(error) => match error.kind() {
            ParseErrorKind::Object
            | ParseErrorKind::Resource
            | ParseErrorKind::Conversion { .. } => Match::Policy,
            _ => Match::Different,
        },
    }
}

/// Godot 3 leaves the padding inside node paths unset: bytes of an answer that ours has as zero
/// padding may be anything there.
fn without_padding(asked: Asked, ours: &[u8], answer: &[u8]) -> bool {
    if asked.name == "godot4" || ours == answer {
        return ours == answer;
    }
    let read = |bytes: &[u8]| {
        let root = gdvar::Document::new(bytes, gdvar::Dialect::GODOT_3)
            .root()
            .ok()?;
        gdvar_conformance::tagged::lazy(root, gdvar_conformance::tagged::Precision::Single).ok()
    };
    ours.len() == answer.len()
        && ours.contains(&0x0f)
        && read(ours).is_some_and(|value| Some(value) == read(answer))
}

fn has_class(text: &str) -> bool {
    // The engine allows space before the bracket.
    let dense: String = text.split_whitespace().collect();
    dense.contains("Array[") || dense.contains("Dictionary[")
}

fn has_long_exponent(text: &str) -> bool {
    let digits = |part: &str| {
        let part = part.trim_start_matches(['+', '-']);
        part.bytes().take_while(u8::is_ascii_digit).count()
    };
    text.split('e').skip(1).any(|part| digits(part) >= 10)
}

/// A text and the engine's answer.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The text.
    pub text: String,
    /// The bytes the engine made of it, or [`refusal`].
    pub answer: Vec<u8>,
}

/// The file of an engine's answers.
#[must_use]
pub fn file(asked: Asked) -> PathBuf {
    let number = asked.name.trim_start_matches("godot");
    testdata("text").join(format!("parse{number}.jsonl"))
}

/// The texts that are stored for an engine.
///
/// # Panics
/// If it cannot be read, or a line is none.
#[must_use]
pub fn load(asked: Asked) -> Vec<Stored> {
    let path = file(asked);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            Stored {
                text: line["text"].as_str().expect("a text").to_owned(),
                answer: line["hex"]
                    .as_str()
                    .map_or_else(|| refusal(asked).to_vec(), unhex),
            }
        })
        .collect()
}

/// Stores texts and answers.
///
/// # Errors
/// If the file cannot be written.
pub fn store(asked: Asked, all: &[Stored]) -> io::Result<()> {
    let mut out = String::new();
    for stored in all {
        let answer = if stored.answer == refusal(asked) {
            Value::Null
        } else {
            hex(&stored.answer).into()
        };
        let line = serde_json::json!({ "hex": answer, "text": stored.text });
        out.push_str(&line.to_string());
        out.push('\n');
    }
    fs::write(file(asked), out)
}
