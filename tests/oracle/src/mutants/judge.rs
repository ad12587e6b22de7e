//! A comparison: do an engine and the project agree on an input?

use std::collections::BTreeSet;

use gdvar::{
    Document, Kind, Objects, ReadOptions, Variant,
    detect::Engine,
    tree::OwnedElementType,
    walk::repeated_keys,
    write::{Precision, Target, Writer, transcode},
};
use gdvar_text::{Bytes, write_godot};

use super::{ask::Answer, traits::traits};
use crate::{Asked, compare::unforeseeable, mutants::classes::MUTANTS, open};

/// A disagreement on an input in one aspect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// In what they disagree: `verdict`, `consumed`, `text`, `bytes`, `strict`, or `again` where the engine
    /// reads something else from the project's bytes; or `engine` where it did not survive the input.
    pub aspect: &'static str,
    /// The trait that was seen, for a list of classes.
    pub seen: String,
    /// The project's answer.
    pub ours: String,
    /// The engine's answer.
    pub theirs: String,
}

/// A judged input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The aspects they disagree in; nothing if they agree.
    pub departures: Vec<Departure>,
    /// `true` if the engine makes the same of the project's bytes as of the input; `None` if that
    /// was not asked.
    pub again: Option<bool>,
    /// The traits of the input ([`crate::mutants::classes::MUTANTS`] says what each means).
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
    ReadOptions::new(asked.target.dialect())
        .with_objects(objects)
        .with_limits(asked.engine.limits())
}

/// The bytes that the project writes after reading an input that the engine accepts, if the engine
/// writes others: the engine is asked about them, too, and must make the same of both.
#[must_use]
pub fn rewritten(
    asked: Asked,
    input: &[u8],
    full_objects: bool,
    answer: &Answer,
) -> Option<Vec<u8>> {
    let Answer::Accepted { again, .. } = answer else {
        return None;
    };
    let document = Document::with_options(input, options(asked, full_objects));
    let target = asked.target.with_precision(Precision::Single);
    let bytes = written(asked, document, target).ok()?;
    (!same_bytes(asked, &bytes, again)).then_some(bytes)
}

/// Returns `true` if an engine made the same of two inputs; if not, what it made of each. The order of
/// objects that are keys is chance in the text: an engine sorts them by their place in memory, and
/// writes one without an id as null, which has another place. Godot 3 compares packed arrays beyond
/// their ends.
fn same_answers(
    asked: Asked,
    first: &Answer,
    second: &Answer,
    order_is_chance: bool,
) -> Result<(), [String; 2]> {
    let (
        Answer::Accepted { again, text, .. },
        Answer::Accepted {
            again: bytes,
            text: shown,
            ..
        },
    ) = (first, second)
    else {
        return Err([second, first].map(|answer| format!("{answer:?}")));
    };
    if !same_bytes(asked, bytes, again) {
        return Err([bytes, again].map(|bytes| gdvar_conformance::vectors::hex(bytes)));
    }
    let [ours, theirs] = [shown, text].map(|text| lossy(text));
    if shown != text && !(order_is_chance && is_permuted(&ours, &theirs)) {
        return Err([ours, theirs]);
    }
    Ok(())
}

/// Compares the engine's answer with the project's, and its answer to what [`rewritten`] gives with
/// its first one.
///
/// # Panics
/// If what validates has no root: a fault of the reader.
#[must_use]
pub fn judge(
    asked: Asked,
    input: &[u8],
    full_objects: bool,
    answer: &Answer,
    second: Option<&Answer>,
) -> Judgement {
    let document = Document::with_options(input, options(asked, full_objects));
    let mut judgement = Judgement {
        departures: Vec::new(),
        again: None,
        traits: BTreeSet::new(),
    };
    let ours = document.validate();
    let name = |result: Result<usize, gdvar::Error>| match result {
        Ok(_) => "accepted",
        Err(error) => error.kind().name(),
    };
    let departures = &mut judgement.departures;
    let mut add = |aspect, seen: String, ours: String, theirs: String| {
        departures.push(Departure {
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
            match written(asked, document, target) {
                Err(error) => add(
                    "bytes",
                    error.clone(),
                    error,
                    gdvar_conformance::vectors::hex(again),
                ),
                Ok(written) => {
                    if !same_bytes(asked, &written, again) {
                        let hex = gdvar_conformance::vectors::hex;
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
            if let Some(second) = second {
                let traits = traits(document);
                let order_is_chance = traits.contains("object-key")
                    || asked.series() == "3" && traits.contains("packed-keys");
                let same = same_answers(asked, answer, second, order_is_chance);
                judgement.again = Some(same.is_ok());
                if let Err([ours, theirs]) = same {
                    add("again", kind.to_owned(), ours, theirs);
                }
            }
        }
    }
    if !judgement.departures.is_empty() {
        judgement.traits = traits(document);
        let target = asked.target.with_precision(Precision::Single);
        let ours = written(asked, document, target).unwrap_or_default();
        let ours = Document::with_options(&ours, document.options());
        let repeats = ours.root().and_then(repeated_keys).unwrap_or_default();
        if !repeats.is_empty() {
            judgement.traits.insert("keys-kept");
        }
        let text = judgement.departures.iter().find(|one| one.aspect == "text");
        // A class that explains an order explains nothing else.
        let crashed = |one: &Departure| one.aspect == "engine";
        if text.is_some_and(|text| !is_permuted(&text.ours, &text.theirs))
            && !judgement.departures.iter().any(crashed)
        {
            judgement.traits.remove("object-key");
            judgement.traits.remove("name-key");
            judgement.traits.remove("packed-keys");
        }
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
            let ours = written(asked, document, target).unwrap_or_default();
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

/// The bytes that an engine without leave for objects writes: it knows no class but one.
fn renamed(document: Document<'_>, target: Target) -> Result<Vec<u8>, String> {
    fn renamed(of: &OwnedElementType) -> OwnedElementType {
        let is_object = matches!(
            of,
            OwnedElementType::Builtin(Kind::Object)
                | OwnedElementType::Class(_)
                | OwnedElementType::Script(_)
        );
        if is_object {
            return OwnedElementType::Class(Box::new("EncodedObjectAsID".into()));
        }
        of.clone()
    }
    fn walk(value: &mut Variant) {
        match value {
            Variant::Array(array) => {
                let element = renamed(array.element_type());
                *array = std::mem::take(array).with_element_type(element);
                array.iter_mut().for_each(walk);
            }
            Variant::Dictionary(dict) => {
                let (key, value) = (renamed(dict.key_type()), renamed(dict.value_type()));
                let mut pairs = std::mem::take(dict).into_pairs();
                for (key, value) in &mut pairs {
                    walk(key);
                    walk(value);
                }
                *dict = gdvar::Dictionary::from_pairs(pairs).with_types(key, value);
            }
            _ => {}
        }
    }
    let error = |error: gdvar::Error| error.to_string();
    let mut value = Variant::from_ref(document.root().map_err(error)?).map_err(error)?;
    walk(&mut value);
    value.to_vec(target).map_err(|error| error.to_string())
}

/// The bytes that the project writes after reading.
fn written(asked: Asked, document: Document<'_>, target: Target) -> Result<Vec<u8>, String> {
    let mut writer = Writer::with_limits(Vec::new(), target, asked.engine.limits());
    transcode(document, &mut writer).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())
}

/// Returns `true` if two texts have the same characters, in any order.
fn is_permuted(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    sorted(a) == sorted(b)
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

fn shown(asked: Asked, document: Document<'_>) -> Vec<u8> {
    let root = document.root().expect("validated");
    let mut out = Bytes::new(Vec::new());
    match write_godot(&mut out, root, asked.engine.notation()) {
        Ok(()) => {
            let text = out.finish().expect("a vector takes all");
            if asked.engine == Engine::GODOT_3_6 {
                stored(&text)
            } else {
                text
            }
        }
        Err(error) => error.to_string().into_bytes(),
    }
}

/// Text as Godot 3.6 writes it into a file: a pair of surrogates becomes a character, a single one a
/// space.
fn stored(text: &[u8]) -> Vec<u8> {
    let surrogate = |at: usize, range: std::ops::RangeInclusive<u8>| matches!(text.get(at..at + 3), Some([0xed, second, _]) if range.contains(second));
    let unit = |at: usize| {
        let part = |n: usize| u32::from(text[at + n] & 0x3f);
        0xd000 | part(1) << 6 | part(2)
    };
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if surrogate(at, 0xa0..=0xaf) && surrogate(at + 3, 0xb0..=0xbf) {
            let code = 0x1_0000 + ((unit(at) - 0xd800) << 10) + (unit(at + 3) - 0xdc00);
            let character = char::from_u32(code).unwrap_or(' ');
            out.extend(character.encode_utf8(&mut [0; 4]).bytes());
            at += 6;
        } else if surrogate(at, 0xa0..=0xbf) {
            out.push(b' ');
            at += 3;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// Returns `true` if the engine's bytes are ours, but for those that it writes as chance will have
/// it: ids of its own and, in Godot 3, padding inside node paths.
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
        if sort == "object-id" || asked.series() == "3" {
            ours[at..at + len].fill(0);
            theirs[at..at + len].fill(0);
        }
    }
    ours == theirs
}

/// Returns `true` if an engine's verdict on this input, without leave for whole objects, is known
/// to differ.
#[must_use]
pub fn verdict_is_explained(asked: Asked, input: &[u8]) -> bool {
    let traits = traits(Document::with_options(input, options(asked, false)));
    let mut known = MUTANTS.iter().filter(|known| known.aspect == "verdict");
    known.any(|known| known.is_of(asked) && traits.contains(known.has))
}
