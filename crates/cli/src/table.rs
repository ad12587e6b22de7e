//! Rows of a table as lines: CSV (RFC 4180), tab-separated values, JSON.

use std::io::{self, Write};

use crate::value;

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Between commas; what has one, a quote or a line end in it stands in quotes.
    Csv,
    /// Between tabs; tabs, line ends and backslashes are escaped by a backslash.
    Tsv,
    /// One JSON object a line.
    JsonLines,
}

/// Writes a row of cells.
pub(crate) fn row(out: &mut impl Write, form: Form, cells: &[&[u8]]) -> io::Result<()> {
    for (n, cell) in cells.iter().enumerate() {
        if n > 0 {
            out.write_all(if form == Form::Csv { b"," } else { b"\t" })?;
        }
        match form {
            Form::Csv => csv(out, cell)?,
            Form::Tsv | Form::JsonLines => tsv(out, cell)?,
        }
    }
    out.write_all(b"\n")
}

fn csv(out: &mut impl Write, cell: &[u8]) -> io::Result<()> {
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    if !cell.iter().any(|byte| b",\"\r\n".contains(byte))
        && !ends(cell.first())
        && !ends(cell.last())
    {
        return out.write_all(cell);
    }
    out.write_all(b"\"")?;
    for piece in cell.split_inclusive(|&byte| byte == b'"') {
        out.write_all(piece)?;
        if piece.ends_with(b"\"") {
            out.write_all(b"\"")?;
        }
    }
    out.write_all(b"\"")
}

fn tsv(out: &mut impl Write, cell: &[u8]) -> io::Result<()> {
    for &byte in cell {
        match byte {
            b'\t' => out.write_all(b"\\t")?,
            b'\n' => out.write_all(b"\\n")?,
            b'\r' => out.write_all(b"\\r")?,
            b'\\' => out.write_all(b"\\\\")?,
            byte => out.write_all(&[byte])?,
        }
    }
    Ok(())
}

/// A JSON object of names and values that are JSON already, begun with `"schema":1`.
pub(crate) fn object(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut line = b"{\"schema\":1".to_vec();
    for (name, json) in fields {
        line.push(b',');
        line.extend(value::string(name));
        line.push(b':');
        line.extend(json);
    }
    line.extend(b"}\n");
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let line = |form| {
            let mut out = Vec::new();
            let cells: [&[u8]; 5] = [b"a", b"b,c", b"say \"hi\"", b"two\nlines\t\\", b""];
            row(&mut out, form, &cells).expect("memory");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(
            line(Form::Csv),
            "a,\"b,c\",\"say \"\"hi\"\"\",\"two\nlines\t\\\",\n"
        );
        assert_eq!(
            line(Form::Tsv),
            "a\tb,c\tsay \"hi\"\ttwo\\nlines\\t\\\\\t\n"
        );
    }
}
