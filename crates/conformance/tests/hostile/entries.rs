//! Every way into the libraries, as a function of bytes.

use std::{fmt, hint::black_box, io};

use gdvar::{
    Dialect, Document, Error, Objects, ReadOptions, Record, Variant, VariantRef,
    detect::detect,
    edit::{DiffOptions, diff},
    frames::frames,
    index::Index,
    path::Path,
    record::{Fields, Key, Mismatch},
    values::{ArrayIter, DictIter, NodePathRef, PropertyIter},
    walk::repeated_keys,
    write::{Measure, Target, Writer, transcode},
};
use gdvar_conformance::fingerprint;
use gdvar_json::Style;
use gdvar_text::{LineOptions, Notation, write_godot, write_line};

/// The memory that an entry may hold at its peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Nothing at all.
    None,
    /// So many bytes for each byte of the input, and at most [`SPARE`] more.
    PerByte(u64),
}

/// The memory that an entry may take regardless of the size of the input: for example a walk with room
/// for 1024 levels.
pub(crate) const SPARE: u64 = 12 << 10;

/// A record whose fields were seen.
struct Known;

impl<'a> Record<'a> for Known {
    const KEYS: &'static [Key] = &Key::all(["at", "id", "name", "absent"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        black_box((
            fields.next::<i64>().ok(),
            fields.next::<&str>().ok(),
            fields.next::<i64>().ok(),
            fields.next::<i64>().ok(),
        ));
        Ok(Known)
    }
}

/// A function of the library that takes untrusted bytes, with what it may cost.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) run: fn(Document<'_>),
    pub(crate) memory: Memory,
    /// `true` if the stack that it takes does not depend on the depth of the value.
    pub(crate) flat: bool,
}

const fn entry(name: &'static str, memory: Memory, run: fn(Document<'_>)) -> Entry {
    Entry {
        name,
        run,
        memory,
        flat: true,
    }
}

/// An entry that recurses as deep as the value is nested. Its documentation states this.
const fn recursive(name: &'static str, memory: Memory, run: fn(Document<'_>)) -> Entry {
    Entry {
        name,
        run,
        memory,
        flat: false,
    }
}

use Memory::PerByte;

pub(crate) const ALL: [Entry; 27] = [
    entry("events", Memory::None, |document| {
        black_box(fingerprint::events(document)).0.ok();
    }),
    entry("validate", Memory::None, |document| {
        black_box(document.validate()).ok();
    }),
    entry("validate without shortcuts", Memory::None, |document| {
        let options = document.options().without_shortcuts(true);
        let document = Document::with_options(document.bytes(), options);
        black_box(document.validate()).ok();
    }),
    entry("validate strictly", PerByte(16), |document| {
        black_box(document.strict().validate()).ok();
    }),
    entry("end", Memory::None, |document| {
        black_box(document.root().map(VariantRef::end)).ok();
    }),
    entry(
        "lazy, each walk given to its parent",
        PerByte(24),
        |document| {
            black_box(lazy(document)).ok();
        },
    ),
    entry("children of the root, twice", Memory::None, |document| {
        let Ok(root) = document.root() else { return };
        for _ in 0..2 {
            black_box(children(root)).ok();
        }
    }),
    entry("indexed children of the root", PerByte(5), |document| {
        let Ok(index) = Index::build(document) else {
            return;
        };
        let Ok(root) = index.open(document) else {
            return;
        };
        black_box(root.as_array().map(|array| array.iter().count()));
        black_box(root.as_dict().map(|dict| dict.iter().count()));
        black_box(root.as_object().map(|object| object.iter().count()));
        black_box(
            root.as_array()
                .and_then(|array| array.get(array.len().wrapping_sub(1))),
        );
        black_box(root.as_dict().and_then(|dict| dict.get("absent")));
    }),
    entry("leaves", Memory::None, |document| {
        let Ok(root) = document.root() else { return };
        black_box(root.as_text().map(|text| text.to_str().map(str::len))).map(Result::ok);
        black_box(root.as_text().map(|text| text.codes().count()));
        black_box(root.as_strings().map(|all| all.iter().flatten().count()));
        black_box(root.as_node_path().map(NodePathRef::parts)).map(Iterator::count);
        black_box(root.as_packed());
    }),
    entry("paths", Memory::None, |document| {
        for path in [
            "absent",
            "[-1]",
            "[3].name",
            "{1}",
            "k",
            "[0][0][0][0]",
            "id.x",
        ] {
            black_box(document.get(path)).ok();
        }
    }),
    entry("a path of many steps", PerByte(0), |document| {
        const ZEROS: &str = "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]";
        black_box(document.get(ZEROS)).ok();
    }),
    entry("records by their keys", Memory::None, |document| {
        let Some(mut pairs) = document
            .root()
            .ok()
            .and_then(|root| Some(root.as_dict()?.iter()))
        else {
            return;
        };
        black_box(pairs.read::<Known>()).ok();
    }),
    entry("an array of records", Memory::None, |document| {
        let Some(array) = document.root().ok().and_then(VariantRef::as_array) else {
            return;
        };
        let records = array.iter().for_each_record(|record| {
            black_box(record.map(|Known| ())).ok();
        });
        black_box(records).ok();
    }),
    entry("detect", PerByte(16), |document| {
        black_box(detect(document.bytes()));
    }),
    entry("frames", Memory::None, |document| {
        for order in [
            gdvar::frames::PrefixOrder::Little,
            gdvar::frames::PrefixOrder::Big,
        ] {
            black_box(
                frames(document.bytes(), order)
                    .map_while(Result::ok)
                    .count(),
            );
        }
        // Nulls are frames of no bytes.
        let nulls = document.bytes().get(8..).unwrap_or_default();
        black_box(
            frames(nulls, gdvar::frames::PrefixOrder::Little)
                .flatten()
                .count(),
        );
    }),
    entry("locate", Memory::None, |document| {
        let bytes = document.bytes().len();
        for offset in [bytes / 2, bytes] {
            let mut text = Counted(0);
            fmt::write(&mut text, format_args!("{}", document.locate(offset))).ok();
            black_box(text.0);
        }
    }),
    entry("debug", Memory::None, |document| {
        let Ok(root) = document.root() else { return };
        let mut text = Counted(0);
        fmt::write(&mut text, format_args!("{root:?}")).ok();
        black_box(text.0);
    }),
    entry("repeated keys", PerByte(16), |document| {
        let Ok(root) = document.root() else { return };
        black_box(repeated_keys(root)).ok();
        black_box(root.as_dict().map(|dict| dict.distinct())).map(Result::ok);
    }),
    entry("index", PerByte(8), |document| {
        black_box(fingerprints(document)).ok();
    }),
    entry("index, sorted", PerByte(8), |document| {
        black_box(sorted(document)).ok();
    }),
    entry("text as the engine prints it", PerByte(40), |document| {
        let Ok(root) = document.root() else { return };
        write_godot(&mut Counted(0), root, root.dialect().notation()).ok();
    }),
    entry("text as Godot 3 prints it", PerByte(40), |document| {
        let Ok(root) = document.root() else { return };
        write_godot(&mut Counted(0), root, Notation::Godot3_6).ok();
    }),
    entry("a line of text", PerByte(4), |document| {
        let Ok(root) = document.root() else { return };
        let options = LineOptions::new();
        write_line(&mut Counted(0), root, options).ok();
        write_line(&mut Counted(0), root, options.with_max_len(80)).ok();
        write_line(&mut Counted(0), root, options.with_max_children(3)).ok();
    }),
    entry("convert", PerByte(16), |document| {
        for target in [Target::GODOT_4, Target::GODOT_3, Target::GODOT_2] {
            let limits = gdvar::Limits::ENGINE.with_max_depth(document.options().max_depth());
            let mut writer = Writer::with_limits(Measure::new(), target, limits);
            black_box(transcode(document, &mut writer)).ok();
        }
    }),
    recursive("owned", PerByte(64), |document| {
        black_box(owned(document)).ok();
    }),
    recursive("owned, written again", PerByte(64), |document| {
        let Ok(value) = owned(document) else { return };
        black_box(value.encoded_len(Target::GODOT_4)).ok();
        black_box(value.to_vec(Target::GODOT_3)).ok();
    }),
    recursive("owned, cloned and compared", PerByte(128), |document| {
        let Ok(value) = owned(document) else { return };
        black_box(value.clone() == value);
        let mut text = Counted(0);
        fmt::write(&mut text, format_args!("{value:?}")).ok();
        black_box(text.0);
    }),
];

/// Entries that look at the content of a container before they go into its children. They therefore take
/// longer the deeper the containers are nested.
pub(crate) const DEEP: [Entry; 5] = [
    entry("plain JSON", PerByte(16), |document| {
        json(document, Style::Plain);
    }),
    entry("native JSON", PerByte(16), |document| {
        json(document, Style::Native);
    }),
    entry("tagged JSON", PerByte(16), |document| {
        json(document, Style::Tagged);
    }),
    entry("differences", PerByte(64), |document| {
        differences(document, DiffOptions::new());
    }),
    entry("exact differences", PerByte(64), |document| {
        differences(document, DiffOptions::exact());
    }),
];

fn json(document: Document<'_>, style: Style) {
    let Ok(root) = document.root() else { return };
    black_box(gdvar_json::write(root, style, io::sink())).ok();
}

/// Compares a value with itself, and with itself after one of its words was changed.
fn differences(document: Document<'_>, options: DiffOptions) {
    let mut changed = document.bytes().to_vec();
    let words = changed.len() / 4;
    for word in [0, words / 8, words / 8 + 1, words / 2, words / 2 + 1, words] {
        if let Some(byte) = changed.get_mut(4 * word) {
            *byte ^= 1;
        }
        let other = Document::with_options(&changed, document.options());
        if let (Ok(old), Ok(new)) = (document.root(), other.root()) {
            black_box(diff(old, new, options).count());
        }
        if let Some(byte) = changed.get_mut(4 * word) {
            *byte ^= 1;
        }
    }
}

/// A document as most of the tests read it: with whole objects.
pub(crate) fn open(bytes: &[u8]) -> Document<'_> {
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    Document::with_options(bytes, options)
}

fn owned(document: Document<'_>) -> Result<Variant, Error> {
    gdvar_conformance::owned(document.bytes(), document.options())
}

/// Text that is counted and not kept.
struct Counted(usize);

impl fmt::Write for Counted {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn children(value: VariantRef<'_>) -> Result<usize, Error> {
    let mut seen = 0;
    if let Some(array) = value.as_array() {
        for element in array.iter() {
            seen += element?.offset();
        }
    }
    if let Some(dict) = value.as_dict() {
        for pair in dict.iter() {
            let (key, value) = pair?;
            seen += key.offset() + value.offset();
        }
    }
    if let Some(object) = value.as_object() {
        for property in object.iter() {
            let (name, value) = property?;
            seen += name.raw().len() + value.offset();
        }
    }
    Ok(seen)
}

enum Walk<'a> {
    Array(ArrayIter<'a>),
    Dict(DictIter<'a>),
    Object(PropertyIter<'a>),
}

impl<'a> Walk<'a> {
    fn of(value: VariantRef<'a>) -> Option<Walk<'a>> {
        let array = value.as_array().map(|array| Walk::Array(array.iter()));
        let dict = || value.as_dict().map(|dict| Walk::Dict(dict.iter()));
        let object = || value.as_object().map(|object| Walk::Object(object.iter()));
        array.or_else(dict).or_else(object)
    }

    fn next(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        Ok(match self {
            Walk::Array(items) => items.try_next()?,
            Walk::Dict(pairs) => pairs.try_next()?.map(|(_, value)| value),
            Walk::Object(properties) => properties.try_next()?.map(|(_, value)| value),
        })
    }

    fn pass(&mut self, inner: &Walk<'a>) -> Result<(), Error> {
        macro_rules! pass {
            ($outer:expr) => {
                match inner {
                    Walk::Array(inner) => $outer.pass(inner),
                    Walk::Dict(inner) => $outer.pass(inner),
                    Walk::Object(inner) => $outer.pass(inner),
                }
            };
        }
        match self {
            Walk::Array(outer) => pass!(outer),
            Walk::Dict(outer) => pass!(outer),
            Walk::Object(outer) => pass!(outer),
        }
    }
}

/// Visits every value without recursion. The memory that it takes is one open walk for each level.
fn lazy(document: Document<'_>) -> Result<usize, Error> {
    let mut seen = 0;
    let mut open = Vec::new();
    open.extend(Walk::of(document.root()?));
    while let Some(innermost) = open.last_mut() {
        match innermost.next()? {
            Some(value) => {
                seen += value.offset();
                open.extend(Walk::of(value));
            }
            None => {
                let Some(inner) = open.pop() else { break };
                if let Some(outer) = open.last_mut() {
                    outer.pass(&inner)?;
                }
            }
        }
    }
    Ok(seen)
}

fn fingerprints(document: Document<'_>) -> Result<(), Error> {
    let index = Index::build(document)?;
    let root = index.open(document)?;
    for path in ["absent", "[-1]", "[3].name", "k"] {
        if let Ok(path) = Path::parse(path) {
            black_box(root.get_path(&path));
        }
    }
    Ok(())
}

fn sorted(document: Document<'_>) -> Result<(), Error> {
    let mut index = Index::build(document)?;
    index.sort_keys(document)?;
    black_box(index.open(document)?.as_dict().map(|dict| dict.get("k")));
    Ok(())
}
