//! A new kind or envelope is learned from the compiler: a `match` that names many of them names all.

use std::{collections::BTreeSet, fs, path::Path};

use super::files;

/// A `match` that names this many kinds tells what each kind is. One that names fewer asks about some kinds.
const MANY: usize = 12;

/// Matches whose last arm takes the other kinds, and why it loses none of them.
const HOLD_ALL: [(&str, &str); 7] = [
    (
        "gdvar/src/read/in_order.rs",
        "a shortcut: `None` is read by the function for all kinds",
    ),
    (
        "json/src/read/tagged.rs",
        "`components` refuses kinds without numbers",
    ),
    (
        "write/src/packed.rs",
        "`false` becomes the error `WrongElement`",
    ),
    (
        "python/src/packed.rs",
        "bytes are no elements of another kind: the error `WrongElement`",
    ),
    ("wasm/src/decode.rs", "`None` passes the value as its bytes"),
    (
        "cli/src/show/summary.rs",
        "a kind is printed by its name, after its numbers and elements",
    ),
    (
        "json/src/write/native.rs",
        "`numbers` knows all kinds; what it refuses is reported as a loss",
    ),
];

/// Returns a source with blanks for its comments, texts and characters, so that brackets in them do not count.
fn without_texts(source: &str) -> String {
    let mut out = source.as_bytes().to_vec();
    let mut at = 0;
    let mut blank = |from: usize, to: usize| {
        let to = to.min(out.len());
        out[from..to]
            .iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
        to
    };
    while let Some(rest) = source.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
        let end_of_text = |quote: u8| {
            let mut n = 1;
            while n < rest.len() && rest[n] != quote {
                n += 1 + usize::from(rest[n] == b'\\');
            }
            n + 1
        };
        at = match rest {
            [b'/', b'/', ..] => {
                let len = rest.iter().position(|&byte| byte == b'\n');
                blank(at, at + len.unwrap_or(rest.len()))
            }
            [b'"', ..] => blank(at, at + end_of_text(b'"')),
            // A lifetime has no second apostrophe.
            [b'\'', b'\\', ..] | [b'\'', _, b'\'', ..] => blank(at, at + end_of_text(b'\'')),
            _ => at + 1,
        };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the arms of the block that begins at `open`: their patterns, and what follows the arrows.
fn arms(code: &str, open: usize) -> Vec<(&str, &str)> {
    let bytes = code.as_bytes();
    let (mut arms, mut depth, mut start, mut arrow) = (Vec::new(), 0, open + 1, None);
    for at in open + 1..code.len() {
        let (mut ends_arm, mut ends_match) = (false, false);
        match bytes[at] {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' if depth > 0 => {
                depth -= 1;
                // After a block no comma is needed.
                let is_block = |arrow: usize| code[arrow + 2..].trim_start().starts_with('{');
                ends_arm = depth == 0 && bytes[at] == b'}' && arrow.is_some_and(is_block);
            }
            b'}' => ends_match = true,
            b',' => ends_arm = depth == 0,
            b'=' if depth == 0 && arrow.is_none() && bytes.get(at + 1) == Some(&b'>') => {
                arrow = Some(at);
            }
            _ => {}
        }
        if ends_arm || ends_match {
            if let Some(arrow) = arrow.take() {
                let is_before = |c: char| c == ',' || c.is_whitespace();
                let pattern = code[start..arrow].trim_start_matches(is_before);
                arms.push((pattern.trim_end(), code[arrow + 2..at].trim()));
            }
            start = at + 1;
        }
        if ends_match {
            break;
        }
    }
    arms
}

/// Returns the names after `prefix` in a pattern.
fn named<'p>(pattern: &'p str, prefix: &str) -> BTreeSet<&'p str> {
    let names = pattern.match_indices(prefix).filter_map(|(at, _)| {
        let before = pattern[..at].chars().next_back();
        let is_word = before.is_some_and(|c| c == '_' || c.is_alphanumeric());
        let rest = &pattern[at + prefix.len()..];
        (!is_word).then(|| &rest[..super::word(rest)])
    });
    names.collect()
}

/// Returns `true` for an arm that takes whatever is left and does not refuse it.
fn swallows((pattern, body): &(&str, &str)) -> bool {
    let takes_all = pattern.chars().all(|c| c == '_' || c.is_ascii_lowercase());
    let body = body.trim_start_matches('{').trim_start();
    takes_all
        && !["Err(", "return Err("]
            .iter()
            .any(|refusal| body.starts_with(refusal))
}

#[test]
fn arms_are_understood() {
    let code = "match kind {\n A::B | A::C if x => '{',\n A::D => { f(1, 2); }\n other => match other {\n _ => 1,\n },\n _ => \"}\",\n}\nmatch";
    let code = without_texts(code);
    let found = arms(&code, code.find('{').expect("a block"));
    let patterns: Vec<_> = found.iter().map(|(pattern, _)| *pattern).collect();
    assert_eq!(patterns, ["A::B | A::C if x", "A::D", "other", "_"]);
    let swallowing: Vec<_> = found.iter().map(swallows).collect();
    assert_eq!(swallowing, [false, false, true, true]);
    assert!(!swallows(&("_", "return Err(unknown(kind))")));
}

#[test]
fn a_match_that_names_many_kinds_or_an_envelope_names_all() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut all, mut wrong, mut checked) = (Vec::new(), Vec::new(), 0);
    files(&crates, &mut all);
    let mut excused = BTreeSet::new();
    for path in all {
        let own = path
            .strip_prefix(&crates)
            .expect("below it")
            .to_string_lossy()
            .replace('\\', "/");
        let is_source = own.contains("/src/") && own.ends_with(".rs") && !own.ends_with("tests.rs");
        // The decoder and the generators of `conformance` are a second opinion.
        if !is_source || own.starts_with("conformance/") {
            continue;
        }
        let source = fs::read_to_string(&path).expect("text");
        let code = without_texts(source.split("#[cfg(test)]").next().unwrap_or_default());
        for (at, _) in code.match_indices("match ") {
            let Some(open) = code[at..].find('{').map(|open| at + open) else {
                continue;
            };
            let arms = arms(&code, open);
            let patterns = arms.iter().map(|(pattern, _)| *pattern);
            let kinds: BTreeSet<_> = patterns
                .clone()
                .flat_map(|pattern| named(pattern, "Kind::"))
                .collect();
            let has_envelope = patterns
                .clone()
                .any(|pattern| !named(pattern, "Envelope::").is_empty());
            if kinds.len() < MANY && !has_envelope {
                continue;
            }
            checked += 1;
            if arms.iter().any(swallows) {
                match HOLD_ALL.iter().find(|(file, _)| *file == own) {
                    Some((file, _)) => excused.extend([*file]),
                    None => wrong.push(format!("{own}:{}", code[..at].matches('\n').count() + 1)),
                }
            }
        }
    }
    assert!(checked > 20, "{checked}");
    assert!(
        wrong.is_empty(),
        "a new kind or envelope would be lost here without a warning. List the others instead of `_`, ask the \
         kind (`layout::numbers`, `Kind::has_ints`, `Math::of`, `as_packed`), or refuse with an error: {wrong:#?}"
    );
    assert_eq!(
        excused.len(),
        HOLD_ALL.len(),
        "some excuses are not needed any more"
    );
}
