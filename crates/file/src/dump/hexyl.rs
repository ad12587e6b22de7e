//! Dumps of `hexyl`: a box with columns for the offset, the bytes and the characters.

/// Rewrites the rows of a box as rows of an offset and bytes. Returns `None` if the text is not a box. Takes linear
/// time.
///
/// ```text
/// │00000000│ 1b 00 00 00 01 00 00 00 ┊ 04 00 00 00 02 00 00 00 │•⋄⋄⋄•⋄⋄⋄┊•⋄⋄⋄•⋄⋄⋄│
/// 00000000  1b 00 00 00 01 00 00 00   04 00 00 00 02 00 00 00
/// ```
pub(super) fn rows(text: &[u8]) -> Option<String> {
    if !is_box(text) {
        return None;
    }
    let text = without_colors(std::str::from_utf8(text).ok()?);
    let mut rows = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['┌', '└', '+']) {
            continue;
        }
        // A box of ASCII has a bar between the two halves of the bytes, too. The characters come last: they
        // may be bars themselves.
        let is_ascii = line.starts_with('|');
        let mut columns = line.split(['│', '|']).skip(1);
        let offset = columns.next()?;
        let first = columns.next()?;
        let second = columns.next().filter(|_| is_ascii).unwrap_or_default();
        let row = format!("{}  {first}  {second}", offset.trim()).replace('┊', " ");
        rows += row.trim_end();
        rows.push('\n');
    }
    Some(rows)
}

/// Returns `true` if the text starts with the corner of a box.
pub(super) fn is_box(text: &[u8]) -> bool {
    text.starts_with("┌────────┬".as_bytes()) || text.starts_with(b"+--------+")
}

/// Removes the colors, which `hexyl` writes into files, too: `ESC [ 36 m`.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once('m').map_or(part, |(_, after)| after);
    }
    plain
}

#[cfg(test)]
mod tests {
    use crate::{Encoding, dump};

    /// `var_to_bytes({"hp": 80})` of Godot 4.
    const VALUE: &[u8] = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";

    /// The output of hexyl 0.8.0 for these bytes, with `--border` of `unicode` and `ascii`.
    const UNICODE: &str = "\
┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐
│00000000│ 1b 00 00 00 01 00 00 00 ┊ 04 00 00 00 02 00 00 00 │•000•000┊•000•000│
│00000010│ 68 70 00 00 02 00 00 00 ┊ 50 00 00 00             │hp00•000┊P000    │
└────────┴─────────────────────────┴─────────────────────────┴────────┴────────┘
";
    const ASCII: &str = "\
+--------+-------------------------+-------------------------+--------+--------+
|00000000| 1b 00 00 00 01 00 00 00 | 04 00 00 00 02 00 00 00 |•000•000|•000•000|
|00000010| 68 70 00 00 02 00 00 00 | 50 00 00 00             |hp00•000|P000    |
+--------+-------------------------+-------------------------+--------+--------+
";
    /// 64 zero bytes, with colors.
    const COLORS: &str = "\
┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐
│\x1b[38;5;242m00000000\x1b[0m│ \x1b[38;5;242m00 \x1b[0m\x1b[38;5;242m00 \x1b[0m00 00 00 00 00 00 ┊ 00 00 00 00 00 00 00 00 │00000000┊00000000│
│\x1b[38;5;242m*\x1b[0m       │                         ┊                         │        ┊        │
│\x1b[38;5;242m00000040\x1b[0m│                         ┊                         │        ┊        │
└────────┴─────────────────────────┴─────────────────────────┴────────┴────────┘
";

    #[test]
    fn boxes_are_read_and_known() {
        for (text, bytes) in [(UNICODE, VALUE), (ASCII, VALUE), (COLORS, &[0; 64])] {
            let decoded = dump::decode(text.as_bytes(), Encoding::Hexdump);
            assert_eq!(decoded.as_deref(), Ok(bytes), "{text}");
            let known = dump::recognize(text.as_bytes());
            assert_eq!(known, Some(Encoding::Hexdump), "{text}");
        }
    }

    #[test]
    fn characters_that_are_bars_are_no_columns() {
        let text = "\
┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐
│00000000│ 7c 7c 7c 7c 7c 7c 7c 7c ┊ 7c 7c 7c 7c 7c 7c 7c 7c │||||||||┊||||||||│
│00000010│ 61 62 63                ┊                         │abc     ┊        │
└────────┴─────────────────────────┴─────────────────────────┴────────┴────────┘
";
        let decoded = dump::decode(text.as_bytes(), Encoding::Hexdump);
        assert_eq!(decoded.as_deref(), Ok(&b"||||||||||||||||abc"[..]));
    }
}
