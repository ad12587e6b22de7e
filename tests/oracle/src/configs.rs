//! Damaged ConfigFiles, and what the engines load of them.

use std::{collections::BTreeSet, fs};

use gdvar::{Dialect, Document, Objects};
use gdvar_conformance::{alike::Random, vectors::testdata};
use gdvar_document::{DocumentError, DocumentErrorKind, TextDocument};
use gdvar_text::{LineOptions, ParseErrorKind, write_line};

use super::Asked;

/// ConfigFiles that the engines do not write, and that they read.
const MORE: &[&str] = &[
    "a=1\nb = 2 ; note\n\n[s]\nc\n=\n3 d=4\n",
    "[s]\na=1\n[t]\nb=2\n[s]\na=null\nc=3\n",
    "[a b ]\n\"na me\"=1\nna me = 2\n[ x\\]y ]\nz=3\n[]\nw=4\n",
    "[s]\n\"a=b\" = \"x\\ty\\u00e9\\\"\"\nd/e:f=[1, 2,]\n; c=1\n",
    "[s]\na={\"b\": 1, 2: [true, null]}\na=2\nq=#ff8000\n",
    "[s]\r\na=1\r\nb=\"x\r\ny\"\r\n",
    "[s]\na=Vector2(1, 2) b=Color( 1, 0.5, 0, 1 )\nc=NodePath(\"A:b\")\n",
    "é=1\n\"é\"=2\n[é]\na=\"é\"\n",
];

/// The pieces that are put into a text.
const PIECES: &[&str] = &[
    "[",
    "]",
    "[]",
    "[s]",
    "[s",
    "\n[t]\n",
    "=",
    "==",
    ";",
    "; note\n",
    "#",
    "\"",
    "\"\"",
    "\\",
    "\\]",
    "\\\"",
    "\n",
    "\r\n",
    "\t",
    " ",
    "a=1",
    "a=null",
    "a=",
    "=1",
    "x y=2",
    "\"x y\"=3",
    "\"x\"y=4",
    "x\"y\"=5",
    "a/b=6",
    "a:b=7",
    "null",
    "true",
    "1.5",
    "-",
    "(",
    ")",
    "{",
    "}",
    ",",
    ":",
    "&",
    "&\"n\"",
    "@\"n\"",
    "é",
    "\u{1f600}",
    "é=8",
    "\\u0041",
    "\\n",
    "\\q",
    "\u{1}",
    "\u{7f}",
    "\u{feff}",
    "0",
    "x",
    "inf",
    "nan",
    "Vector2(1, 2)",
    "{\"a\": 1}",
    "[1, 2]",
    "'",
    "$",
    "%",
    "/",
    "+",
    "_",
    ".",
];

/// Returns the ConfigFiles that the engine wrote, and a list of others.
///
/// # Panics
/// If a file cannot be read.
fn sources(asked: Asked) -> Vec<String> {
    let files: &[&str] = match asked.series() {
        "4" => &[
            "godot4/all.cfg",
            "godot4/export_presets.cfg",
            "godot4/project.godot",
            "settings.cfg",
            "odd.cfg",
        ],
        _ => &["godot3.6/all.cfg", "settings.cfg", "odd.cfg"],
    };
    let read = |name: &&str| fs::read_to_string(testdata("documents").join(name)).expect(name);
    let more = MORE.iter().map(|text| (*text).to_owned());
    files.iter().map(read).chain(more).collect()
}

fn place(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns two places at most 20 bytes apart.
fn stretch(text: &str, random: &mut Random) -> (usize, usize) {
    let from = place(text, random);
    let mut to = (from + random.below(20)).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    (from, to)
}

/// Returns a ConfigFile of some lines of a source, damaged once to four times.
fn damage(sources: &[String], random: &mut Random) -> String {
    let source = &sources[random.below(sources.len())];
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let start = random.below(lines.len());
    let count = 1 + random.below(12);
    let mut text: String = lines[start..].iter().take(count).copied().collect();
    if random.below(2) == 0 {
        text.insert_str(0, "[s]\n\n");
    }
    for _ in 0..=random.below(4) {
        let (from, to) = stretch(&text, random);
        let piece = PIECES[random.below(PIECES.len())];
        match random.below(7) {
            0 => text.truncate(from),
            1 => text.replace_range(from..to, ""),
            2 | 3 => text.insert_str(from, piece),
            4 => text.replace_range(from..to, piece),
            5 => {
                let copy = text[from..to].to_owned();
                let at = place(&text, random);
                text.insert_str(at, &copy);
            }
            // A section again.
            _ => {
                let copy = text.clone();
                text.push_str(&copy);
            }
        }
    }
    // A NUL ends the text for the engine; a document with one is refused.
    text.retain(|character| character != '\0');
    text
}

/// Returns different damaged ConfigFiles.
///
/// # Panics
/// If a source cannot be read.
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

/// The answer of the engine for a ConfigFile that it refuses.
pub const REFUSAL: [u8; 4] = [255; 4];

/// How our reading of a ConfigFile compares with the engine's: the deliberate differences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Match {
    /// Equal verdicts and equal contents.
    Same,
    /// It holds an object or a resource. The engine makes or loads it; here it is inert data.
    Object,
    /// A number or colour that is not whole: `1x`, `0x10`, `-`, `#ff`, or does not fit: `Vector2i(0.5, 1)`. The
    /// engine takes the digits before and reads the rest as a name, or takes another number; here it is an
    /// error, because the value is not the one that is written.
    Number,
    /// Godot 4 reads a file as UTF-8 after it has replaced escapes, and loses `\u00e9`. Here it is `é`.
    Escape,
    /// Godot 3.2 does not know `inf_neg`, nor `inf` among the numbers of a type. Godot 3.6 writes both; here both
    /// releases are one dialect.
    Release,
    /// Godot 3.2 reads the name of a section byte by byte; here it is text, as in later engines.
    Header,
    /// Something else.
    Different,
}

impl Match {
    /// Returns the words for a report.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Match::Same => "the same",
            Match::Object => "with an object or resource, which is not made here",
            Match::Number => "with a number that is not whole or does not fit",
            Match::Escape => "with an escape that the engine loses",
            Match::Release => "with a name of a later release",
            Match::Header => "with a section whose name is not ASCII",
            Match::Different => "different",
        }
    }
}

/// Returns what the engine and we read, on one line each; `None` where it is refused.
#[must_use]
pub fn shown(asked: Asked, text: &str, answer: &[u8]) -> (Option<String>, Option<String>) {
    let dialect = asked.target.dialect();
    let engine = (answer != REFUSAL).then(|| line(answer, dialect, str::to_owned));
    let ours = read(asked, text).ok();
    (engine, ours.map(|ours| line(&ours, dialect, str::to_owned)))
}

fn read(asked: Asked, text: &str) -> Result<Vec<u8>, DocumentError> {
    TextDocument::config_file(text, Some(asked.target.dialect()))?.encode()
}

/// Returns the contents without empty sections, which the engine does not have. `name` changes the names of
/// sections.
fn line(contents: &[u8], dialect: Dialect, name: fn(&str) -> String) -> String {
    let root = Document::new(contents, dialect)
        .with_objects(Objects::Inert)
        .root();
    let sections = root.ok().and_then(|root| root.as_dict());
    let mut line = String::new();
    for (key, section) in sections
        .iter()
        .flat_map(|sections| sections.iter().flatten())
    {
        if section.as_dict().is_some_and(|section| !section.is_empty()) {
            line += &format!("{:?} ", key.as_str().map(name));
            let written = write_line(&mut line, section, LineOptions::new());
            line += if written.is_ok() { " " } else { "?" };
        }
    }
    line
}

/// Compares our reading of a ConfigFile with an engine's answer.
#[must_use]
pub fn compare(asked: Asked, text: &str, answer: &[u8]) -> Match {
    let (engine, ours) = shown(asked, text, answer);
    let is_3_2 = asked.name == "godot3";
    let has = |part: &str| text.contains(part);
    let is_number = read(asked, text).is_err_and(|error| is_number(text, &error));
    let in_ascii = |contents: &[u8]| {
        let ascii = |name: &str| name.chars().filter(char::is_ascii).collect();
        line(contents, asked.target.dialect(), ascii)
    };
    let is_header = || read(asked, text).is_ok_and(|ours| in_ascii(&ours) == in_ascii(answer));
    match (&engine, &ours) {
        _ if engine == ours => Match::Same,
        _ if has("Object") || has("Resource") => Match::Object,
        (Some(_), None) if is_number => Match::Number,
        (Some(_), Some(_)) if has("\\u") || has("\\U") => Match::Escape,
        (None, Some(_)) if is_3_2 && (has("inf") || has("Packed")) => Match::Release,
        (Some(_), Some(_)) if is_3_2 && is_header() => Match::Header,
        _ => Match::Different,
    }
}

/// Returns `true` if the text of a number is the reason for an error. A `-` alone is one to Godot 3.
fn is_number(text: &str, error: &DocumentError) -> bool {
    let (before, after) = text.split_at(error.offset());
    let is_minus = before.ends_with('-') || after.starts_with('-');
    match error.kind() {
        DocumentErrorKind::Value(ParseErrorKind::NumberForm | ParseErrorKind::Write(_)) => true,
        DocumentErrorKind::Value(_) => is_minus,
        _ => false,
    }
}
