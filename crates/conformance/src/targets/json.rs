//! Reads any bytes as JSON. If they can be read, the result must be a value. Any value must be the same
//! bytes after it was written as tagged JSON and read.

use gdvar::{Document, Limits, Objects, ReadOptions, write::Target};
use gdvar_json::{ReadErrorKind, ReadOptions as JsonOptions, Style, read, write};

use super::Input;
use crate::vectors::hex;

const STYLES: [Style; 3] = [Style::Plain, Style::Native, Style::Tagged];

/// Reads any bytes as JSON of each style, and as a value.
///
/// # Panics
/// If JSON is read as an invalid value, tagged JSON does not give the same bytes again, or an error
/// is outside the text.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let dialect = input.rules.dialect;
    let limits = Limits::ENGINE.with_max_depth(input.rules.max_depth);
    let options = |style| {
        JsonOptions::new(style, Target::from(dialect))
            .with_objects(Objects::Inert)
            .with_limits(limits)
    };
    let reading = ReadOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_limits(limits);
    for style in STYLES {
        match read(input.bytes, &options(style)) {
            Ok(bytes) => {
                // Raw bytes may be a value that only a reader without permission for whole objects
                // accepts.
                let valid = [reading, reading.with_objects(Objects::Ids)]
                    .into_iter()
                    .any(|reading| {
                        Document::with_options(&bytes, reading).validate() == Ok(bytes.len())
                    });
                assert!(valid, "{}", input.bytes.escape_ascii());
            }
            Err(error) => assert!(error.offset() <= input.bytes.len() && error.line() > 0),
        }
    }
    let document = Document::with_options(input.bytes, reading);
    let (Ok(len), Ok(root)) = (document.validate(), document.root()) else {
        return;
    };
    for style in STYLES {
        let mut json = Vec::new();
        let report = write(root, style, &mut json).expect("it was validated");
        let back = read(&json, &options(style));
        let text = String::from_utf8_lossy(&json);
        if style == Style::Tagged {
            assert!(report.is_lossless());
            let back = back.unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(hex(&back), hex(&input.bytes[..len]), "{text}");
        } else if let (Style::Plain, Err(error)) = (style, back) {
            // Godot 2 reads an Int of more than 32 bits but never writes one. In plain JSON vectors and
            // packed arrays are arrays, so the JSON can be deeper than the value.
            let unfit = matches!(
                error.kind(),
                ReadErrorKind::Write(_)
                    | ReadErrorKind::RepeatedKey
                    | ReadErrorKind::TooDeep { .. }
            );
            assert!(unfit, "{error}: {text}");
        }
    }
}
