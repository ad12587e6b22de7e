//! Compares two values. A patch must turn one into the other and back, also after it was written as text. A
//! merge with an unchanged value must change nothing.

use gdvar::{
    Document, ReadOptions,
    edit::{DiffOptions, Patch, diff, merge},
};

use super::Input;
use crate::vectors::hex;

/// Compares two values that follow each other in the input. Also compares a value with damaged copies of it
/// that can still be read.
///
/// # Panics
/// If a patch does not turn one value into the other and back, or a merge with an unchanged value
/// has a conflict.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let options = input.rules.inert().options().with_mode(gdvar::Mode::Engine);
    let Some(old) = value(input.bytes, options) else {
        return;
    };
    let rest = &input.bytes[old.len()..];
    if let Some(new) = value(rest, options) {
        check(old, new, options);
        check(new, old, options);
    }
    // Changes a few bytes of the value.
    let mut bent = old.to_vec();
    for n in 1..4_usize {
        let at = usize::from(input.choice) * 4 / n % bent.len();
        bent[at] ^= 1 << (n + usize::from(input.choice) % 5);
        if let Some(new) = value(&bent, options) {
            check(old, new, options);
            check(new, old, options);
        }
    }
}

/// Returns the value at the beginning, unless it is incomplete.
fn value(bytes: &[u8], options: ReadOptions) -> Option<&[u8]> {
    let end = Document::with_options(bytes, options).validate().ok()?;
    bytes.get(..end).filter(|_| end % 4 == 0)
}

/// Checks that the patch turns `old` into `new`.
///
/// # Panics
/// If the result is another value.
pub fn check(old: &[u8], new: &[u8], options: ReadOptions) {
    let who = || format!("{options:?} {} {}", hex(old), hex(new));
    let doc = |bytes| Document::with_options(bytes, options);
    let patch = Patch::between(doc(old), doc(new)).expect("both can be read");
    assert_eq!(patch.is_empty(), old == new, "{}", who());
    let edit = patch.edit(doc(old));
    match edit.plan() {
        Ok(plan) => assert_eq!(hex(&plan.to_vec()), hex(new), "{patch} {}", who()),
        Err(error) => panic!("{error} {patch} {}", who()),
    }
    let text = patch.to_string();
    let again: Patch = text
        .parse()
        .unwrap_or_else(|error| panic!("{error} {text} {}", who()));
    let edit = again.edit(doc(old));
    let plan = edit
        .plan()
        .unwrap_or_else(|error| panic!("{error} {text} {}", who()));
    assert_eq!(hex(&plan.to_vec()), hex(new), "{text} {}", who());
    // Checks the reversed patch, and the same patch after it was written as text.
    let back = again.reversed();
    for back in [back.clone(), back.to_string().parse().expect("a patch")] {
        let edit = back.edit(doc(new));
        let plan = edit.plan();
        let plan = plan.unwrap_or_else(|error| panic!("{error} {back} of {text} {}", who()));
        assert_eq!(hex(&plan.to_vec()), hex(old), "{back} of {text} {}", who());
    }

    // `diff` does not list a difference that no reader sees, and lists nothing if the bytes are equal.
    let root = |bytes| doc(bytes).root().expect("it was read");
    let told = diff(root(old), root(new), DiffOptions::new()).count();
    assert!(told == 0 || old != new, "{}", who());

    for (ours, theirs) in [(old, new), (new, old), (new, new)] {
        let merged = merge(doc(old), doc(ours), doc(theirs)).expect("both can be read");
        assert!(
            merged.conflicts().is_empty(),
            "{:?} {}",
            merged.conflicts(),
            who()
        );
        let plan = merged.edit().plan();
        let plan = plan.unwrap_or_else(|error| panic!("{error} {}", who()));
        assert_eq!(hex(&plan.to_vec()), hex(new), "{}", who());
    }
}
