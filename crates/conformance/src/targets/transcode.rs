//! Converts values from one dialect to another. The output must be valid in the new dialect. If nothing was
//! lost, it must be possible to convert it back.

use gdvar::{
    Dialect, Document,
    write::{self, Report, Target, TranscodeError, Writer, transcode},
};

use super::Input;
use crate::{
    reference::{Rules, decode},
    tagged::{self, Precision},
    vectors::hex,
};

/// Converts any bytes that can be read, for any target.
///
/// # Panics
/// If the output is invalid in the new dialect, or converting it back gives another value although
/// nothing was lost.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let [low, high] = input.choice.to_le_bytes().map(usize::from);
    let dialect = Dialect::ALL[low % Dialect::ALL.len()];
    let precision = PRECISIONS[high % 3];
    let target = Target::from(dialect)
        .with_precision(precision)
        .with_minor([6, 6, 6, 6, 3, 2, 1, 0][high / 3 % 8]);
    check(input.bytes, input.rules, target);
}

const PRECISIONS: [write::Precision; 3] = [
    write::Precision::AsGiven,
    write::Precision::Single,
    write::Precision::Double,
];

fn convert(document: Document<'_>, target: Target) -> Option<(Vec<u8>, Report)> {
    let mut writer = Writer::new(Vec::new(), target);
    match transcode(document, &mut writer) {
        Ok(report) => Some((writer.finish().expect("a whole value"), report)),
        Err(TranscodeError::Read(error)) => {
            let result = document.validate();
            let is_behind = |error: gdvar::Error| error.kind().name() == "TrailingBytes";
            assert!(result.is_err(), "{error} is not an error of {result:?}");
            assert!(
                result == Err(error) || result.is_err_and(is_behind),
                "{error}"
            );
            None
        }
        Err(TranscodeError::Write(_)) => None,
    }
}

/// Checks that the target reads the output in strict mode. If nothing was lost, converting it back must give
/// the same value.
///
/// # Panics
/// If the target refuses the output, or converting it back gives another value.
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
        // Allowed are faults of the source, reported losses, and text that only this engine can hold.
        let known = [
            "ElementTypeMismatch",
            "BadScriptProperty",
            "DuplicateKey",
            "InvalidUtf8",
        ];
        assert!(
            known.contains(&error.kind().name()),
            "{error} of {}: {}",
            hex(&there),
            who()
        );
    }
    // Each reader drops one byte order mark, so a text with two of them changes.
    if !report.is_empty() || decoded.odd {
        return;
    }
    let home = Target::from(rules.dialect).with_precision(write::Precision::AsGiven);
    let away = Document::with_options(&there, theirs.options());
    let Some((back, report)) = convert(away, home) else {
        return;
    };
    // Compares by meaning: widths, the shared bit and the form of null depend on the dialect.
    if report.is_empty() && target.precision() == write::Precision::AsGiven {
        // The output of this project always has a flag for wide reals.
        let written = Rules {
            unflagged_vector4_is_f64: false,
            ..rules
        };
        let (before, after) = (described(bytes, rules), described(&back, written));
        // Without permission for objects an engine accepts any text as a script, and writes this class
        // instead.
        let renamed = before.contains("\"script\"") && after.contains("EncodedObjectAsID");
        // A class without a name means any class, which is written as the type Object.
        let renamed = renamed || before.contains(r#"{"class":""}"#);
        assert!(
            renamed || after == before,
            "{after}, before {before}: {}",
            who()
        );
    }
}

fn described(bytes: &[u8], rules: Rules) -> String {
    // Reads both with the same policy on objects. Without permission, some things are not checked, such as
    // the path of a script.
    let rules = Rules {
        strict: false,
        ..rules
    };
    let value = tagged::events(
        Document::with_options(bytes, rules.options()),
        Precision::Double,
    );
    tagged::with_null_objects_as_null(&value.expect("it was read before"))
}
