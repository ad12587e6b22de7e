//! Writes any tree of values and reads it back. Also calls the writer in any sequence.

mod calls;
mod tree;

use arbitrary::Unstructured;
use gdvar::{
    Dialect, Document, ErrorKind, Variant,
    detect::TextRules,
    write::{IntRule, Precision, Target},
};

use crate::{
    reference::{Rules, decode},
    vectors::hex,
};

/// Uses any bytes as choices.
///
/// # Panics
/// If the output of the writer is not one whole value, or a tree differs after it was written and
/// read.
pub fn run(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let _ = with(&mut choices);
}

fn with(choices: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let target = target(choices)?;
    if choices.ratio(1_u8, 3_u8)? {
        return calls::check(choices, target);
    }
    let tree = tree::Tree::new(choices, target.dialect())?;
    check(&tree, target);
    Ok(())
}

fn target(choices: &mut Unstructured<'_>) -> arbitrary::Result<Target> {
    let dialect = *choices.choose(&Dialect::ALL)?;
    let precisions = [Precision::AsGiven, Precision::Single, Precision::Double];
    let target = Target::from(dialect)
        .with_minor(*choices.choose(&[6, 6, 6, 4, 3, 2, 1, 0])?)
        .with_precision(*choices.choose(&precisions)?);
    let always_64 = dialect != Dialect::GODOT_2 && choices.ratio(1_u8, 8_u8)?;
    Ok(if always_64 {
        target.with_int_rule(IntRule::Always64)
    } else {
        target
    })
}

/// Returns the rules for reading a target's output.
fn rules(target: Target) -> Rules {
    Rules {
        ints_always_64: target.int_rule() == IntRule::Always64,
        zero_node_path_padding: true,
        ..Rules::new(target.dialect()).inert()
    }
}

/// Reads the writer's output with both readers. The output must be one whole value. Returns this
/// value, or `None` if a byte order mark makes it differ from the written one.
fn read_back(bytes: &[u8], rules: Rules) -> Option<Variant> {
    let decoded = decode(bytes, rules);
    let decoded = decoded.unwrap_or_else(|refusal| panic!("{refusal:?} {rules:?} {}", hex(bytes)));
    assert_eq!(decoded.len, bytes.len(), "{rules:?} {}", hex(bytes));
    assert!(!decoded.dirty, "{rules:?} {}", hex(bytes));
    let strictly = Document::with_options(bytes, rules.strictly().options()).validate();
    if let Err(error) = strictly {
        // The writer leaves these checks to its caller. Also, text given as bytes may be more than UTF-8 in
        // some engines.
        let left = ["ElementTypeMismatch", "BadScriptProperty", "DuplicateKey"];
        let is_wide = rules.dialect.text_rules() == TextRules::Wide;
        let is_left = left.contains(&error.kind().name())
            || is_wide && error.kind() == ErrorKind::InvalidUtf8;
        assert!(is_left, "{error} {rules:?} {}", hex(bytes));
    }
    let tree = crate::owned(bytes, rules.options());
    let tree = tree.expect("the other decoder has read it");
    (!decoded.odd).then_some(tree)
}

/// Checks that a tree is written unchanged or refused.
fn check(tree: &tree::Tree, target: Target) {
    let rules = rules(target);
    let written = tree.value.to_vec(target);
    let measured = tree.value.encoded_len(target);
    assert_eq!(
        measured,
        written.as_ref().map(Vec::len).map_err(|error| *error)
    );
    let Ok(bytes) = written else {
        let everything = Target::from(target.dialect()).with_precision(Precision::AsGiven);
        assert!(
            !tree.plain || target != everything,
            "{:?} of {:?}",
            written,
            tree.value
        );
        return;
    };
    let Some(again) = read_back(&bytes, rules) else {
        assert!(!tree.plain, "{target:?} {}", hex(&bytes));
        return;
    };
    if tree.plain && target.precision() == Precision::AsGiven {
        assert_eq!(again, tree.value, "{target:?} {}", hex(&bytes));
    }
    assert_eq!(
        again.to_vec(target).as_ref(),
        Ok(&bytes),
        "{target:?} {}",
        hex(&bytes)
    );
}
