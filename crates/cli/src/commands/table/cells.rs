//! Formats batches of rows as lines: CSV, tab-separated values or JSON.

use std::io::{self, Write};

use data_encoding::BASE64;
use gdvar_columns::{Array, Batch, Schema, Values};

use crate::show::{
    rows::{self, RowFormat},
    value,
};

/// Appends the line with the names of the columns. JSON has none.
pub(crate) fn head(out: &mut Vec<u8>, form: RowFormat, schema: &Schema) -> io::Result<()> {
    if form == RowFormat::JsonLines {
        return Ok(());
    }
    let names: Vec<&[u8]> = schema
        .fields()
        .iter()
        .map(|field| field.name().as_bytes())
        .collect();
    rows::row(out, form, &names)
}

/// Appends a line for every row. In CSV and TSV a list is written as JSON, bytes as base64, and a missing value as an
/// empty cell. Adds the number of floats that JSON cannot express, and that became `null`, to `nulls`.
pub(crate) fn lines(
    out: &mut Vec<u8>,
    form: RowFormat,
    batch: &Batch,
    nulls: &mut u64,
) -> io::Result<()> {
    let names: Vec<Vec<u8>> = batch
        .columns()
        .iter()
        .map(|column| value::string(column.name()))
        .collect();
    let mut cells = vec![Vec::new(); names.len()];
    for row in 0..batch.rows() {
        for (cell, column) in cells.iter_mut().zip(batch.columns()) {
            cell.clear();
            if form == RowFormat::JsonLines {
                json(cell, column.array(), row, nulls)?;
            } else if column.array().validity().get(row) {
                plain(cell, column.array(), row, nulls)?;
            }
        }
        if form != RowFormat::JsonLines {
            let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
            rows::row(out, form, &cells)?;
            continue;
        }
        for (n, (name, cell)) in names.iter().zip(&cells).enumerate() {
            out.push(if n == 0 { b'{' } else { b',' });
            out.extend_from_slice(name);
            out.push(b':');
            out.extend_from_slice(cell);
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(())
}

/// Appends a value that is not missing, as text for people.
fn plain(out: &mut Vec<u8>, array: &Array, at: usize, nulls: &mut u64) -> io::Result<()> {
    match array.values() {
        Values::Text { .. } => out.extend_from_slice(bytes(array, at)),
        Values::Binary { .. } => out.extend_from_slice(BASE64.encode(bytes(array, at)).as_bytes()),
        Values::Float32(all) if !all[at].is_finite() => write!(out, "{}", all[at])?,
        Values::Float64(all) if !all[at].is_finite() => write!(out, "{}", all[at])?,
        _ => json(out, array, at, nulls)?,
    }
    Ok(())
}

/// Appends a value as JSON. A missing value is `null`, and so are floats that JSON cannot express, which are added to
/// `nulls`.
fn json(out: &mut Vec<u8>, array: &Array, at: usize, nulls: &mut u64) -> io::Result<()> {
    if !array.validity().get(at) {
        out.extend_from_slice(b"null");
        return Ok(());
    }
    match array.values() {
        Values::Null => out.extend_from_slice(b"null"),
        Values::Bool(all) => serde_json::to_writer(out, &all.get(at))?,
        Values::Int32(all) => serde_json::to_writer(out, &all[at])?,
        Values::Int64(all) => serde_json::to_writer(out, &all[at])?,
        Values::Float32(all) => {
            *nulls += u64::from(!all[at].is_finite());
            serde_json::to_writer(out, &all[at])?;
        }
        Values::Float64(all) => {
            *nulls += u64::from(!all[at].is_finite());
            serde_json::to_writer(out, &all[at])?;
        }
        Values::Text { .. } => {
            out.extend_from_slice(&value::string(array.text(at).unwrap_or_default()));
        }
        Values::Binary { .. } => {
            out.extend_from_slice(&value::string(&BASE64.encode(bytes(array, at))));
        }
        Values::Fixed { len, numbers } => {
            let len = usize::from(*len);
            list(out, numbers, at * len..(at + 1) * len, nulls)?;
        }
        Values::List { offsets, elements } => {
            list(
                out,
                elements,
                offsets[at] as usize..offsets[at + 1] as usize,
                nulls,
            )?;
        }
    }
    Ok(())
}

/// Appends elements as a JSON array. The recursion is shallow: only lists of numbers can be inside a list.
fn list(
    out: &mut Vec<u8>,
    elements: &Array,
    range: std::ops::Range<usize>,
    nulls: &mut u64,
) -> io::Result<()> {
    out.push(b'[');
    for (n, at) in range.enumerate() {
        if n > 0 {
            out.push(b',');
        }
        json(out, elements, at, nulls)?;
    }
    out.push(b']');
    Ok(())
}

fn bytes(array: &Array, at: usize) -> &[u8] {
    match array.values() {
        Values::Text { offsets, data } | Values::Binary { offsets, data } => {
            &data[offsets[at] as usize..offsets[at + 1] as usize]
        }
        _ => &[],
    }
}
