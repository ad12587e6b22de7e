//! Reads text in Godot's notation. If it can be read, the result must be a value whose text gives the same
//! value again.

use gdvar::{
    Dialect, Document, Limits, Objects, ReadOptions,
    write::{Target, WriteErrorKind},
};
use gdvar_text::{ParseErrorKind, ParseOptions, parse_godot, write_exact};

use super::Input;

/// Reads any bytes that are UTF-8.
///
/// # Panics
/// If the text of a value that was read gives another value, or an error is outside the text.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let Ok(text) = std::str::from_utf8(input.bytes) else {
        return;
    };
    let limits = Limits::ENGINE.with_max_depth(input.rules.max_depth);
    let options = ParseOptions::new(Target::from(input.rules.dialect))
        .with_objects(Objects::Inert)
        .with_limits(limits);
    let of_engine = parse_godot(text, &options.with_engine_rules(true));
    let parsed = match parse_godot(text, &options) {
        Ok(parsed) => parsed,
        Err(error) => {
            // The engine replaces a number that does not fit.
            let is_number = matches!(
                error.kind(),
                ParseErrorKind::NumberForm
                    | ParseErrorKind::Write(WriteErrorKind::OutOfRange { .. })
            );
            // The text has a form that only this project reads, and may have another fault after it. Or it
            // has a minus without digits, which Godot 3 reads as 0.
            let is_own = input.rules.dialect == Dialect::GODOT_3
                || of_engine.is_err_and(|of_engine| of_engine.offset() <= error.offset());
            assert!(is_number || is_own, "{error} {text:?}");
            assert!(error.offset() <= text.len() && error.line() > 0, "{text:?}");
            return;
        }
    };
    if of_engine.is_err() {
        // `write_exact` may write a form that only this project reads.
        let own = ["&\"", "NodePath([", "Signal(\"", "inf", "nan", "RID("];
        let plain: String = text.split_whitespace().collect();
        assert!(
            own.iter().any(|own| plain.contains(own)) || text.contains(';'),
            "{text:?}"
        );
    }
    assert!(parsed.end <= text.len(), "{text:?}");
    // Godot 3 writes a NUL and all engines write a byte order mark, but readers stop at a NUL and drop the
    // mark.
    let dropped = ["\\u0000", "\\ufeff", "\\uFEFF", "\u{feff}"];
    if dropped
        .iter()
        .any(|odd| text.to_lowercase().contains(&odd.to_lowercase()))
    {
        return;
    }
    let read = ReadOptions::new(input.rules.dialect)
        .with_objects(Objects::Inert)
        .with_limits(limits);
    let document = Document::with_options(&parsed.bytes, read);
    assert_eq!(document.validate(), Ok(parsed.bytes.len()), "{text:?}");
    let mut printed = String::new();
    let root = document.root().expect("it was validated");
    write_exact(&mut printed, root).expect("it was validated");
    // Text does not contain the bits of a NaN.
    if printed.contains("nan") {
        return;
    }
    let again = parse_godot(&printed, &options.with_whole(true));
    let again = again.unwrap_or_else(|error| panic!("{error}: {text:?} {printed:?}"));
    assert_eq!(again.bytes, parsed.bytes, "{text:?} {printed:?}");
}
