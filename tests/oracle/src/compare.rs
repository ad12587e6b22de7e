//! The judgement of what an engine said.

pub mod foreseen;

use gdvar::{Document, Kind, walk::Event};
use serde_json::Value;

use self::foreseen::ORACLE;
use super::{Asked, Blob, open};
use gdvar_conformance::{
    deliberate,
    vectors::{hex, unfold, unhex},
};

/// The number of blobs of each fate.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// As expected in every respect.
    pub passed: usize,
    /// Otherwise, for a reason that is listed.
    pub deliberate: usize,
    /// Otherwise: what was wrong.
    pub failures: Vec<String>,
    /// Entries of the table that excused something, by their place in it.
    pub used: Vec<usize>,
}

impl Tally {
    /// Returns `true` if a departure of that sort is listed, which is noted.
    fn excuses(&mut self, id: &str, asked: Asked, sort: &str) -> bool {
        let both = matches!(sort, "bytes" | "value").then_some("bytes+value");
        let known = [Some(sort), both].into_iter().flatten();
        let mut known = known.map(|sort| deliberate::position(ORACLE, id, asked.name, sort));
        let known = known.find_map(|known| known);
        if let Some(known) = known {
            if !self.used.contains(&known) {
                self.used.push(known);
            }
        }
        known.is_some()
    }

    /// Compares the lines of `roundtrip.sh ENGINE BLOBS OUT values` with what is expected.
    pub fn judge(&mut self, asked: Asked, blobs: &[Blob], answers: &str) {
        let mut lines = answers.lines();
        for (n, blob) in blobs.iter().enumerate() {
            let answer: Value = match lines.next().map(serde_json::from_str) {
                Some(Ok(answer)) => answer,
                Some(Err(error)) => {
                    self.failures
                        .push(format!("{}: answer {n}: {error}", blob.id));
                    continue;
                }
                None => {
                    let missing = blobs.len() - n;
                    self.failures
                        .push(format!("{}: {missing} answers are missing", blob.id));
                    return;
                }
            };
            if answer["i"] != n {
                self.failures
                    .push(format!("{}: answer {n} is of {}", blob.id, answer["i"]));
                return;
            }
            let wrong = self.departures(asked, blob, answer);
            let (excused, wrong): (Vec<_>, Vec<_>) = wrong
                .into_iter()
                .partition(|(sort, _)| self.excuses(&blob.id, asked, sort));
            if !wrong.is_empty() {
                let wrong: Vec<String> = wrong
                    .into_iter()
                    .map(|(sort, how)| format!("{sort}: {how}"))
                    .collect();
                self.failures
                    .push(format!("{}: {}", blob.id, wrong.join("\n    ")));
            } else if excused.is_empty() {
                self.passed += 1;
            } else {
                self.deliberate += 1;
            }
        }
        if let Some(line) = lines.next() {
            self.failures.push(format!("an answer too many: {line}"));
        }
    }

    /// In which respects the engine disagrees, and how.
    fn departures(
        &mut self,
        asked: Asked,
        blob: &Blob,
        mut answer: Value,
    ) -> Vec<(&'static str, String)> {
        let mut wrong = Vec::new();
        if answer["accepted"] != true {
            let of = hex(&blob.bytes[..blob.bytes.len().min(200)]);
            wrong.push(("accepted", format!("{} of {of}", without_value(&answer))));
            return wrong;
        }
        if answer["consumed"] != blob.bytes.len() {
            let how = format!("{} of {} bytes", answer["consumed"], blob.bytes.len());
            wrong.push(("consumed", how));
        }
        let mut again = unhex(answer["reenc"].as_str().unwrap_or_default());
        let mut expected = blob.expected().to_vec();
        for (sort, at, len) in unforeseeable(open(&expected, asked.target.dialect())) {
            if again.len() == expected.len() && self.excuses(&blob.id, asked, sort) {
                again[at..at + len].fill(0);
                expected[at..at + len].fill(0);
            }
        }
        if again != expected {
            wrong.push(("bytes", difference(&hex(&expected), &hex(&again))));
        }
        let (mut value, mut expected) = (
            unfold(answer["value"].take()).to_string(),
            blob.value.clone(),
        );
        if value != expected && self.excuses(&blob.id, asked, "quiet") {
            quieten(&mut value);
            quieten(&mut expected);
        }
        if value != expected {
            wrong.push(("value", difference(&expected, &value)));
        }
        wrong
    }
}

fn without_value(answer: &Value) -> String {
    let text = answer.to_string();
    text.chars().take(200).collect()
}

/// Both texts from shortly before where they part.
fn difference(expected: &str, found: &str) -> String {
    let same = expected.bytes().zip(found.bytes());
    let at = same.take_while(|(a, b)| a == b).count().saturating_sub(40);
    let part = |text: &str| -> String {
        let from = text.char_indices().find(|(offset, _)| *offset >= at);
        text[from.map_or(text.len(), |(offset, _)| offset)..]
            .chars()
            .take(160)
            .collect()
    };
    format!(
        "from {at}: expected …{}\n        and found …{}",
        part(expected),
        part(found)
    )
}

/// Bytes of a value that an engine writes as chance will have it: why, where and how many.
pub(super) fn unforeseeable(document: Document<'_>) -> Vec<(&'static str, usize, usize)> {
    let mut out = Vec::new();
    let bytes = document.bytes();
    let mut events = document.events();
    while let Ok(Some(event)) = events.try_next() {
        let Event::Value(value) = event else { continue };
        let at = value.offset();
        match value.kind() {
            Kind::Object
                if value
                    .as_object()
                    .is_some_and(|object| object.id().is_some()) =>
            {
                out.push(("object-id", at + 4, 8));
            }
            Kind::NodePath => {
                let end = value.end().unwrap_or(bytes.len());
                let mut at = at + 16;
                while at < end {
                    let len = bytes[at..at + 4].iter().rev();
                    let len = len.fold(0, |len, &byte| len << 8 | usize::from(byte));
                    let padding = len.wrapping_neg() % 4;
                    out.push(("padding", at + 4 + len, padding));
                    at += 4 + len + padding;
                }
            }
            _ => {}
        }
    }
    out
}

/// Makes every NaN of an f32 in a text of tagged JSON quiet.
fn quieten(text: &mut String) {
    let mut out = String::with_capacity(text.len());
    for (n, piece) in text.split('"').enumerate() {
        if n > 0 {
            out.push('"');
        }
        let bits = match piece.len() {
            8 => u32::from_str_radix(piece, 16).ok(),
            _ => None,
        };
        match bits {
            Some(bits) if f32::from_bits(bits).is_nan() => {
                out.push_str(&format!("{:08x}", bits | 0x0040_0000));
            }
            _ => out.push_str(piece),
        }
    }
    *text = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ASKED;

    fn blob(id: &str, bytes: &[u8], value: &str) -> Blob {
        Blob {
            id: id.into(),
            bytes: bytes.to_vec(),
            full_objects: false,
            value: value.into(),
            again: None,
        }
    }

    #[test]
    fn every_disagreement_is_seen() {
        let five = blob("made five", &[2, 0, 0, 0, 5, 0, 0, 0], r#"{"Int":"5"}"#);
        let answer = |accepted, consumed, reenc, value| {
            format!(
                r#"{{"i":0,"size":8,"accepted":{accepted},"consumed":{consumed},"reenc":"{reenc}","value":{{"Int":"{value}"}}}}"#
            )
        };
        let right = answer(true, 8, "0200000005000000", 5);
        let judged = |answers: &str| {
            let mut tally = Tally::default();
            tally.judge(ASKED[0], std::slice::from_ref(&five), answers);
            (tally.passed, tally.failures.len())
        };
        assert_eq!(judged(&right), (1, 0));
        assert_eq!(judged(&answer(false, 8, "0200000005000000", 5)), (0, 1));
        assert_eq!(judged(&answer(true, 4, "0200000005000000", 5)), (0, 1));
        assert_eq!(judged(&answer(true, 8, "0200000006000000", 5)), (0, 1));
        assert_eq!(judged(&answer(true, 8, "0200000005000000", 6)), (0, 1));
        assert_eq!(judged(""), (0, 1));
        assert_eq!(judged("nonsense"), (0, 1));
        assert_eq!(judged(&format!("{right}\n{right}")), (1, 1));
        assert_eq!(judged(&right.replace("\"i\":0", "\"i\":1")), (0, 1));
    }

    #[test]
    fn only_nans_of_an_f32_are_made_quiet() {
        let mut text = r#"{"Vector2":["7fa00001","3f800000"]}"#.to_owned();
        quieten(&mut text);
        assert_eq!(text, r#"{"Vector2":["7fe00001","3f800000"]}"#);
    }
}
