//! Describes each possible way to read a file on one line.

use gdvar_file::{
    DialectChoice,
    records::{Framing, Record, records},
};
use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{show::notation, terminal::words};

/// Formats the first record, and the number of further ones.
pub(crate) fn sample(bytes: &[u8], framing: Framing, dialect: Dialect) -> String {
    let mut all = records(bytes, framing);
    let Some(record) = all.next() else {
        return String::new();
    };
    let (_, mut text) = in_record(&record, 0, dialect);
    let more = all.count() as u64;
    if more > 0 {
        text += &format!(" and {}", words::plural(more, "more record"));
    }
    text
}

/// Returns the path of the value that the choices read differently, and the text of this value as `choice`
/// reads it.
pub(crate) fn difference(
    bytes: &[u8],
    framing: Framing,
    choice: &DialectChoice,
) -> (String, String) {
    match records(bytes, framing).nth(choice.record as usize) {
        Some(record) => in_record(&record, choice.offset, choice.dialects[0]),
        None => Default::default(),
    }
}

fn in_record(record: &Record<'_>, offset: usize, dialect: Dialect) -> (String, String) {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let document = Document::with_options(&record.bytes, options);
    let path = document.locate(offset).to_string();
    let bytes = record.bytes.get(offset..).unwrap_or_default();
    let sample = Document::with_options(bytes, options).root();
    let sample = sample.map(|value| notation::start(value, 60));
    (path, sample.unwrap_or_default())
}
