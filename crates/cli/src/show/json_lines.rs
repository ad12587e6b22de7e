//! Prints the lines of `--json`: one JSON value per line.

use std::io::{self, Write};

use serde::Serialize;

use crate::terminal::safe_text::is_safe;

/// Prints a value as a line of JSON.
pub(crate) fn line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    write(out, line)?;
    out.write_all(b"\n")
}

/// Writes JSON. Characters that a terminal would obey are escaped, which JSON readers undo.
pub(crate) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut json = serde_json::Serializer::with_formatter(out, Safe);
    value.serialize(&mut json).map_err(io::Error::from)
}

struct Safe;

impl serde_json::ser::Formatter for Safe {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| !is_safe(c)) {
            let (before, tail) = rest.split_at(at);
            out.write_all(before.as_bytes())?;
            let mut chars = tail.chars();
            let c = chars.next().unwrap_or_default();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

/// The line about a path without a value.
#[derive(Serialize)]
pub(crate) struct NotFound<'a> {
    pub(crate) schema: u32,
    pub(crate) error: &'a str,
    pub(crate) path: String,
    pub(crate) exists: &'a str,
    pub(crate) missing: &'a str,
    pub(crate) meant: Option<&'a str>,
}
