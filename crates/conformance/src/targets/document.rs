//! Reads any text as each kind of text document. Nothing may panic, the contents must be readable to their
//! end, and unchanged contents must give the same text.

use gdvar::{Dialect, Document, Objects};
use gdvar_document::{DocumentError, TextDocument};

use super::Input;

/// Reads the bytes as a text document of each kind.
///
/// # Panics
/// If encoded contents are not a valid value, unchanged contents give another text, or a position
/// is outside the text.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let Ok(text) = std::str::from_utf8(input.bytes) else {
        return;
    };
    let dialect = match input.choice % 3 {
        0 => None,
        1 => Some(Dialect::GODOT_3),
        _ => Some(Dialect::GODOT_4),
    };
    let whole: [Result<TextDocument<'_>, DocumentError>; 3] = [
        TextDocument::config_file(text, dialect),
        TextDocument::resource(text, dialect),
        TextDocument::value(text, dialect),
    ];
    for document in &whole {
        match document {
            Ok(document) => check(text, document),
            Err(error) => {
                assert!(
                    error.offset() <= text.len() && error.line() > 0,
                    "{text:?}: {error}"
                );
            }
        }
    }
    match TextDocument::recognize(text, dialect) {
        Ok(Some(document)) => assert!(document.is_evident(), "{text:?}"),
        Ok(None) => {}
        Err((_, error)) => assert!(error.offset() <= text.len(), "{text:?}: {error}"),
    }
}

fn check(text: &str, document: &TextDocument<'_>) {
    for section in document.sections() {
        assert!(text.get(section.header.clone()).is_some(), "{text:?}");
        for entry in section.entries.iter().chain(&section.attributes) {
            assert!(text.get(entry.name_at.clone()).is_some(), "{text:?}");
            assert!(text.get(entry.value_at.clone()).is_some(), "{text:?}");
        }
    }
    let contents = document.encode().expect("a short text");
    let read = Document::new(&contents, document.dialect()).with_objects(Objects::Inert);
    assert_eq!(read.validate(), Ok(contents.len()), "{text:?}");
    // If an id or a name is repeated, a document can only be read and not replaced.
    if let Ok(same) = document.replace(&contents) {
        assert_eq!(same, text);
    }
}
