//! From one dialect to another: what comes out is in order there, and what was not lost comes back.

use gdvar::{
    Dialect, Document, Variant,
    write::{Precision, Report, Target, TranscodeError, Writer, transcode},
};

use super::Input;
use crate::{
    reference::{Rules, decode},
    vectors::hex,
};

/// Any bytes that can be read, for any target.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let [low, high] = input.choice.to_le_bytes().map(usize::from);
    let dialect = Dialect::ALL[low % Dialect::ALL.len()];
    let precision = [Precision::AsGiven, Precision::Single, Precision::Double][high % 3];
    let target = Target::from(dialect)
        .with_precision(precision)
        .with_minor([6, 6, 6, 6, 3, 2, 1, 0][high / 3 % 8]);
    check(input.bytes, input.rules, target);
}

fn convert(document: Document<'_>, target: Target) -> Option<(Vec<u8>, Report)> {
    let mut writer = Writer::new(Vec::new(), target);
    match transcode(document, &mut writer) {
        Ok(report) => Some((writer.finish().expect("a whole value"), report)),
        Err(TranscodeError::Read(error)) => {
            let result = document.validate();
            let is_behind = |error: gdvar::Error| error.kind().name() == "TrailingBytes";
            assert!(result.is_err(), "{error} is no error of {result:?}");
            assert!(
                result == Err(error) || result.is_err_and(is_behind),
                "{error}"
            );
            None
        }
        Err(TranscodeError::Write(_)) => None,
    }
}

/// The value can be read by the target, strictly, and comes back if nothing was lost.
///
/// # Panics
/// If not.
pub fn check(bytes: &[u8], rules: Rules, target: Target) {
    let who = || format!("{rules:?} to {target:?} {}", hex(bytes));
    let document = Document::with_options(bytes, rules.options());
    let Some((there, report)) = convert(document, target) else {
        return;
    };
    let theirs = Rules {
        zero_node_path_padding: true,
        max_depth: rules.max_depth,
        ..Rules::new(target.dialect()).inert()
    };
    let decoded = decode(&there, theirs);
    let decoded =
        decoded.unwrap_or_else(|refusal| panic!("{refusal:?} of {}: {}", hex(&there), who()));
    assert_eq!(decoded.len, there.len(), "{}", who());
    assert!(!decoded.dirty, "{}", who());
    let strict = Document::with_options(&there, theirs.strictly().options()).validate();
    if let Err(error) = strict {
        // What was amiss in the source already, or what is reported.
        let known = ["ElementTypeMismatch", "BadScriptProperty", "DuplicateKey"];
        assert!(
            known.contains(&error.kind().name()),
            "{error} of {}: {}",
            hex(&there),
            who()
        );
    }
    if !report.is_empty() {
        return;
    }
    let home = Target::from(rules.dialect).with_precision(Precision::AsGiven);
    let away = Document::with_options(&there, theirs.options());
    let Some((back, report)) = convert(away, home) else {
        return;
    };
    if report.is_empty() && precise(target) {
        let once = |bytes: &[u8]| {
            let options = Rules {
                strict: false,
                ..rules
            }
            .inert()
            .options();
            Variant::from_slice_with(bytes, options).expect("read before")
        };
        // Through the owned tree, which is without what no value says: null objects, widths.
        let expected = once(bytes).to_vec(home);
        if let Ok(expected) = expected {
            let (expected, back) = (once(&expected), once(&back));
            assert_eq!(back, expected, "{}", who());
        }
    }
}

/// Whether no real changes its width for this target.
fn precise(target: Target) -> bool {
    target.precision() == Precision::AsGiven
}
