//! Blobs in files: what `roundtrip.sh` reads, and beside it what is expected.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::Path,
};

use gdvar::frames::{PrefixOrder, frames};
use serde_json::{Value, json};

use super::Blob;
use gdvar_conformance::vectors::{hex, unhex};

/// Writes `NAME.blobs`, each blob behind its length, and `NAME.jsonl`, a line for each:
///
/// | member | |
/// |---|---|
/// | `id` | its name and where it is from |
/// | `value` | the value: text of tagged JSON |
/// | `again` | `"same"` if the engine should write the same bytes again, else these in hex |
///
/// # Errors
/// If they cannot be written.
pub fn save<'a>(
    folder: &Path,
    name: &str,
    blobs: impl Iterator<Item = &'a Blob>,
) -> io::Result<usize> {
    let create = |extension| fs::File::create(folder.join(format!("{name}.{extension}")));
    let mut bytes = BufWriter::new(create("blobs")?);
    let mut expected = BufWriter::new(create("jsonl")?);
    let mut count = 0;
    for blob in blobs {
        bytes.write_all(&(blob.bytes.len() as u32).to_le_bytes())?;
        bytes.write_all(&blob.bytes)?;
        let again = blob.again.as_deref().map_or("same".to_owned(), hex);
        let line = json!({ "id": blob.id, "value": blob.value, "again": again });
        writeln!(expected, "{line}")?;
        count += 1;
    }
    bytes.flush()?;
    expected.flush()?;
    Ok(count)
}

/// Reads them back.
///
/// # Errors
/// If they cannot be read, or do not belong together.
pub fn load(folder: &Path, name: &str, full_objects: bool) -> io::Result<Vec<Blob>> {
    let bytes = fs::read(folder.join(format!("{name}.blobs")))?;
    let expected = fs::read_to_string(folder.join(format!("{name}.jsonl")))?;
    let mut records = frames(&bytes, PrefixOrder::Little);
    let mut blobs = Vec::new();
    for line in expected.lines() {
        let line: Value = serde_json::from_str(line)?;
        let record = records.try_next().map_err(io::Error::other)?;
        let record = record.ok_or_else(|| io::Error::other("fewer blobs than lines"))?;
        let text = |member: &str| line[member].as_str().unwrap_or_default().to_owned();
        blobs.push(Blob {
            id: text("id"),
            bytes: record.bytes.to_vec(),
            full_objects,
            value: text("value"),
            again: match text("again").as_str() {
                "same" => None,
                digits => Some(unhex(digits)),
            },
        });
    }
    match records.try_next() {
        Ok(None) => Ok(blobs),
        _ => Err(io::Error::other("more blobs than lines")),
    }
}
