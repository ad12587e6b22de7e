//! Writes rows of a table as lines: CSV (RFC 4180), tab-separated values, JSON.

use std::io::{self, Write};

use crate::show::value;

/// The format of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowFormat {
    /// Separated by commas. A cell with a comma, a quote or a line end is put in quotes.
    Csv,
    /// CSV in which a cell that a spreadsheet would take for a formula has a `'` in front.
    SafeCsv,
    /// Separated by tabs. Tabs, line ends and backslashes are escaped by a backslash.
    Tsv,
    /// One JSON object per line.
    JsonLines,
}

/// Writes a row of cells.
pub(crate) fn row(out: &mut impl Write, form: RowFormat, cells: &[&[u8]]) -> io::Result<()> {
    let is_csv = matches!(form, RowFormat::Csv | RowFormat::SafeCsv);
    for (n, cell) in cells.iter().enumerate() {
        if n > 0 {
            out.write_all(if is_csv { b"," } else { b"\t" })?;
        }
        match form {
            RowFormat::SafeCsv if is_formula(cell) => csv(out, &[b"'", *cell].concat())?,
            RowFormat::Csv | RowFormat::SafeCsv => csv(out, cell)?,
            RowFormat::Tsv | RowFormat::JsonLines => tsv(out, cell)?,
        }
    }
    out.write_all(b"\n")
}

/// Returns `true` if a spreadsheet would take a cell for a formula. A number such as `-5` is not one.
fn is_formula(cell: &[u8]) -> bool {
    let begins = { cell.first() }.is_some_and(|byte| b"=+-@\t\r\n".contains(byte));
    let number = std::str::from_utf8(cell)
        .ok()
        .and_then(|text| text.parse::<f64>().ok());
    begins && !number.is_some_and(f64::is_finite)
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

/// Returns a line with a JSON object: `"schema":1`, then `fields`, whose values are JSON already.
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
            line(RowFormat::Csv),
            "a,\"b,c\",\"say \"\"hi\"\"\",\"two\nlines\t\\\",\n"
        );
        assert_eq!(
            line(RowFormat::Tsv),
            "a\tb,c\tsay \"hi\"\ttwo\\nlines\\t\\\\\t\n"
        );
    }

    /// What spreadsheets evaluate, as OWASP lists it under "CSV Injection".
    #[test]
    fn a_safe_cell_is_no_formula() {
        let cases = [
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("+1+1", "'+1+1"),
            ("-2+3", "'-2+3"),
            ("-inf", "'-inf"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("=\"a\",1", "\"'=\"\"a\"\",1\""),
            ("-5", "-5"),
            ("-1.5e-7", "-1.5e-7"),
            ("a=1", "a=1"),
            ("", ""),
        ];
        for (cell, expected) in cases {
            let mut out = Vec::new();
            row(&mut out, RowFormat::SafeCsv, &[cell.as_bytes()]).expect("memory");
            assert_eq!(
                String::from_utf8(out).expect("text"),
                format!("{expected}\n")
            );
        }
    }
}
