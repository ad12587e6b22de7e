//! Whether an engine and the project agree on an input.

use std::collections::BTreeSet;

use gdvar::{
    Document, Kind, Objects, OwnedElementType, ReadOptions, Variant,
    write::{Precision, Target, Writer, transcode},
};
use gdvar_text::{Bytes, Notation, write_godot};

use super::{ask::Answer, traits::traits};
use crate::{
    deliberate::MUTANTS,
    oracle::{Asked, compare::unforeseeable, open},
};

/// A disagreement on an input in one aspect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// In what they disagree: `verdict`, `consumed`, `text`, `bytes` or `strict`, or `engine` where it
    /// did not survive the input.
    pub aspect: &'static str,
    /// What was seen, for a list of classes.
    pub seen: String,
    /// What the project says.
    pub ours: String,
    /// What the engine says.
    pub theirs: String,
}

/// A judged input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// What they disagree in; nothing if they agree.
    pub departures: Vec<Departure>,
    /// What the input has in it ([`crate::deliberate::MUTANTS`] says what each means).
    pub traits: BTreeSet<&'static str>,
}

/// How the project reads for an engine: as the command does.
#[must_use]
pub fn options(asked: Asked, full_objects: bool) -> ReadOptions {
    let objects = if full_objects {
        Objects::Inert
    } else {
        Objects::Ids
    };
    ReadOptions::new(asked.target.dialect()).objects(objects)
}

/// Compares the engine's answer with the project's.
///
/// # Panics
/// If what validates has no root: a fault of the reader.
#[must_use]
pub fn judge(asked: Asked, input: &[u8], full_objects: bool, answer: &Answer) -> Judgement {
    let document = Document::with_options(input, options(asked, full_objects));
    let mut judgement = Judgement {
        departures: Vec::new(),
        traits: BTreeSet::new(),
    };
    let ours = document.validate();
    let name = |result: Result<usize, gdvar::Error>| match result {
        Ok(_) => "accepted",
        Err(error) => error.kind().name(),
    };
    let mut add = |aspect, seen: String, ours: String, theirs: String| {
        judgement.departures.push(Departure {
            aspect,
            seen,
            ours,
            theirs,
        });
    };
    match (ours, answer) {
        (_, Answer::Crashed | Answer::Hung) => {
            let theirs = format!("{answer:?}").to_lowercase();
            add("engine", theirs.clone(), name(ours).to_owned(), theirs);
        }
        (Err(_), Answer::Refused) => {}
        (Ok(_), Answer::Refused) => {
            let root = document.root().map_or("none", |root| root.kind().name());
            let seen = format!("only the engine refuses {root}");
            add("verdict", seen, "accepted".to_owned(), "refused".to_owned());
        }
        (Err(error), Answer::Accepted { .. }) => {
            let seen = format!("only the engine accepts {}", error.kind().name());
            add("verdict", seen, error.to_string(), "accepted".to_owned());
        }
        (
            Ok(end),
            Answer::Accepted {
                consumed,
                again,
                text,
            },
        ) => {
            let root = document.root().expect("validated");
            let kind = root.kind().name();
            // Godot 3 says only whether it used all of them.
            let same = match consumed {
                Some(consumed) => *consumed == end,
                None => end != input.len(),
            };
            if !same {
                add(
                    "consumed",
                    kind.to_owned(),
                    end.to_string(),
                    format!("{consumed:?}"),
                );
            }
            let shown = shown(asked, document);
            if shown != *text {
                add("text", kind.to_owned(), lossy(&shown), lossy(text));
            }
            let target = asked.target.with_precision(Precision::Single);
            match written(document, target) {
                Err(error) => add("bytes", error.clone(), error, crate::vectors::hex(again)),
                Ok(written) => {
                    if !same_bytes(asked, &written, again) {
                        let hex = crate::vectors::hex;
                        add("bytes", kind.to_owned(), hex(&written), hex(again));
                    }
                }
            }
            let strict = document.strict().validate();
            let canonical = end == input.len() && same_bytes(asked, input, again);
            if strict.is_ok() != canonical {
                let seen = format!("{} {kind}", name(strict));
                let theirs = if canonical {
                    "the same bytes"
                } else {
                    "other bytes"
                };
                add("strict", seen, name(strict).to_owned(), theirs.to_owned());
            }
        }
    }
    if !judgement.departures.is_empty() {
        judgement.traits = traits(document);
        if full_objects && judgement.traits.contains("object-id") {
            judgement.traits.insert("object-id-let-in");
        }
        if full_objects && judgement.traits.contains("script-type") {
            judgement.traits.insert("script-let-in");
        }
        if full_objects && judgement.traits.contains("typed-object") {
            judgement.traits.insert("typed-object-let-in");
        }
        if let (true, Answer::Accepted { again, .. }) = (
            !full_objects && judgement.traits.contains("typed-object"),
            answer,
        ) {
            // Both are read again, for reading also drops a second byte order mark.
            let target = asked.target.with_precision(Precision::Single);
            let ours = written(document, target).unwrap_or_default();
            let [ours, theirs] = [&ours, again]
                .map(|bytes| renamed(Document::with_options(bytes, document.options()), target));
            let same = match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => same_bytes(asked, &ours, &theirs),
                _ => false,
            };
            if same {
                judgement.traits.insert("type-renamed");
            }
        }
    }
    judgement
}

/// What an engine without leave for objects writes: it knows no class but one.
fn renamed(document: Document<'_>, target: Target) -> Result<Vec<u8>, String> {
    fn rename(of: &mut OwnedElementType) {
        let is_object = matches!(
            of,
            OwnedElementType::Builtin(Kind::Object)
                | OwnedElementType::Class(_)
                | OwnedElementType::Script(_)
        );
        if is_object {
            *of = OwnedElementType::Class(Box::new("EncodedObjectAsID".into()));
        }
    }
    fn walk(value: &mut Variant) {
        match value {
            Variant::Array(array) => {
                rename(&mut array.element);
                array.items.iter_mut().for_each(walk);
            }
            Variant::Dictionary(dict) => {
                rename(&mut dict.key);
                rename(&mut dict.value);
                for (key, value) in &mut dict.pairs {
                    walk(key);
                    walk(value);
                }
            }
            _ => {}
        }
    }
    let error = |error: gdvar::Error| error.to_string();
    let mut value = Variant::from_ref(document.root().map_err(error)?).map_err(error)?;
    walk(&mut value);
    value.to_vec(target).map_err(|error| error.to_string())
}

/// What the project writes after reading.
fn written(document: Document<'_>, target: Target) -> Result<Vec<u8>, String> {
    let mut writer = Writer::new(Vec::new(), target);
    transcode(document, &mut writer).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

fn shown(asked: Asked, document: Document<'_>) -> Vec<u8> {
    let root = document.root().expect("validated");
    let mut out = Bytes::new(Vec::new());
    let notation = Notation::of(asked.target.dialect());
    match write_godot(&mut out, root, notation) {
        Ok(()) => out.finish().expect("a vector takes all"),
        Err(error) => error.to_string().into_bytes(),
    }
}

/// Whether the engine's bytes are ours, but for those that it writes as chance will have it: ids of
/// its own and, in Godot 3, padding inside node paths.
fn same_bytes(asked: Asked, ours: &[u8], theirs: &[u8]) -> bool {
    if ours == theirs {
        return true;
    }
    if ours.len() != theirs.len() {
        return false;
    }
    let (mut ours, mut theirs) = (ours.to_vec(), theirs.to_vec());
    let places = unforeseeable(open(&ours, asked.target.dialect()));
    for (sort, at, len) in places {
        if sort == "object-id" || asked.name == "godot3" {
            ours[at..at + len].fill(0);
            theirs[at..at + len].fill(0);
        }
    }
    ours == theirs
}

/// Whether an engine's verdict on this input, without leave for whole objects, is known to differ.
#[must_use]
pub fn verdict_is_explained(asked: Asked, input: &[u8]) -> bool {
    let traits = traits(Document::with_options(input, options(asked, false)));
    let mut known = MUTANTS.iter().filter(|known| known.aspect == "verdict");
    known.any(|known| known.is_of(asked) && traits.contains(known.has))
}
