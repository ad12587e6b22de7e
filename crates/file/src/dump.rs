//! Bytes as programs print them: dumps of xxd, od and Wireshark, arrays of numbers, literals, lines of logs.

mod hexyl;

use crate::line;

/// How bytes are written in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Unchanged: the file is not text.
    Raw,
    /// Hexadecimal digits, also inside the lines of a log. Only the longest run of digits in a line counts.
    Hex,
    /// A dump of `xxd`, `hexdump -C`, `od -A x -t x1`, `hexyl` or Wireshark.
    Hexdump,
    /// Base64, on one line or many.
    Base64,
    /// Numbers as programs print them: `[28, 0, 255]`, `0x1c, 0x00`, `b'\x1c\0'`.
    Array,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 5] = [
        Encoding::Raw,
        Encoding::Hex,
        Encoding::Hexdump,
        Encoding::Base64,
        Encoding::Array,
    ];

    /// Returns the short name: `raw`, `hex`, `hexdump`, `base64`, `array`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Raw => "raw",
            Encoding::Hex => "hex",
            Encoding::Hexdump => "hexdump",
            Encoding::Base64 => "base64",
            Encoding::Array => "array",
        }
    }

    /// Returns a phrase for people, such as `bytes as they come`.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Encoding::Raw => "bytes as they come",
            Encoding::Hex => "line of hexadecimal digits",
            Encoding::Hexdump => "line of a hex dump",
            Encoding::Base64 => "line of base64",
            Encoding::Array => "line of a list of numbers",
        }
    }
}

/// The error for text that is not in the encoding. Holds the number of the line, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotEncoded(pub usize);

/// Decodes `text`. [`Encoding::Hex`] joins the bytes of all lines.
///
/// # Errors
/// Returns the first line that does not fit.
pub fn decode(text: &[u8], encoding: Encoding) -> Result<Vec<u8>, NotEncoded> {
    match encoding {
        Encoding::Raw => Ok(text.to_vec()),
        Encoding::Hex => {
            let mut bytes = Vec::new();
            for line in hex_lines(text)?.lines() {
                bytes.extend(line::from_hex(line.as_bytes()).unwrap_or_default());
            }
            Ok(bytes)
        }
        Encoding::Hexdump => hexdump(text),
        Encoding::Base64 => {
            let joined: Vec<u8> = text
                .iter()
                .copied()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            // A text that was cut may end within a group of four.
            let groups = &joined[..joined.len() - joined.len() % 4];
            line::from_base64(&joined)
                .or_else(|_| line::from_base64(groups))
                .map_err(|_| NotEncoded(1))
        }
        Encoding::Array => array(text),
    }
}

/// Returns the hexadecimal digits of each line. Empty lines and comments are skipped.
///
/// # Errors
/// Returns the first line without enough digits.
pub fn hex_lines(text: &[u8]) -> Result<String, NotEncoded> {
    let mut lines = String::new();
    for (n, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let bytes = match line::from_hex(line) {
            Ok(bytes) => bytes,
            Err(_) => longest_run(line).ok_or(NotEncoded(n + 1))?,
        };
        lines += &line::to_hex(&bytes);
        lines.push('\n');
    }
    Ok(lines)
}

/// Returns the bytes of the longest run of digit pairs in a line of other text. The pairs may be separated by spaces,
/// colons or commas. A run must have at least four bytes, the size of the smallest value.
fn longest_run(line: &[u8]) -> Option<Vec<u8>> {
    let mut longest = Vec::new();
    let mut run = Vec::new();
    let mut at = 0;
    while at <= line.len() {
        let is_digit = |n: usize| line.get(n).is_some_and(u8::is_ascii_hexdigit);
        let inside_word =
            at > 0 && line.get(at - 1).is_some_and(u8::is_ascii_alphanumeric) && run.is_empty();
        if is_digit(at) && is_digit(at + 1) && !inside_word {
            let digit = |n: usize| char::from(line[n]).to_digit(16).unwrap_or(0) as u8;
            run.push(digit(at) << 4 | digit(at + 1));
            at += 2;
            if line.get(at).is_some_and(|byte| b" :,".contains(byte))
                && is_digit(at + 1)
                && is_digit(at + 2)
            {
                at += 1;
            }
            continue;
        }
        let in_word = line.get(at).is_some_and(u8::is_ascii_alphanumeric);
        // Digits followed by other letters are part of a word.
        if !in_word && run.len() > longest.len() {
            longest = run.clone();
        }
        run.clear();
        at += 1;
    }
    (longest.len() >= 4).then_some(longest)
}

/// Decodes a hex dump. Each of its lines has an offset, pairs of digits, and text.
fn hexdump(text: &[u8]) -> Result<Vec<u8>, NotEncoded> {
    let rows = hexyl::rows(text);
    let text = rows.as_ref().map_or(text, |rows| rows.as_bytes());
    let mut bytes: Vec<u8> = Vec::new();
    let mut repeated = false;
    for (n, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if line == b"*" {
            repeated = true;
            continue;
        }
        let (offset, row) = dump_row(line).ok_or(NotEncoded(n + 1))?;
        // A star replaces rows equal to the previous one, up to the next offset.
        if let (true, Some(offset)) = (repeated, offset) {
            let last: Vec<u8> = bytes.rchunks(16).next().unwrap_or_default().to_vec();
            let missing = offset.saturating_sub(bytes.len());
            // A dump that repeats more bytes than this is not plausible.
            if last.is_empty() || missing > 1 << 28 {
                return Err(NotEncoded(n + 1));
            }
            bytes.extend(last.iter().copied().cycle().take(missing));
        }
        repeated = false;
        bytes.extend(row);
    }
    Ok(bytes)
}

/// Returns the offset and the bytes of a row.
fn dump_row(line: &[u8]) -> Option<(Option<usize>, Vec<u8>)> {
    let text: String = String::from_utf8_lossy(line).into_owned();
    let (first, rest) = text
        .split_once(|c: char| c.is_ascii_whitespace())
        .unwrap_or((&text, ""));
    let digits = first.trim_end_matches(':');
    let offset = usize::from_str_radix(digits.trim_start_matches("0x"), 16).ok()?;
    if digits.len() < 4 {
        return None;
    }
    // Text follows two spaces or a bar. A wide gap in the middle of the bytes is followed by more bytes.
    let rest = rest.split('|').next().unwrap_or_default();
    let mut row = Vec::new();
    for column in rest.trim_start().split("  ") {
        let mut found = Vec::new();
        let is_bytes = column.split_ascii_whitespace().all(|word| {
            let pairs = word.len() % 2 == 0 && word.len() <= 8 && !word.is_empty();
            let decoded = line::from_hex(word.as_bytes()).ok().filter(|_| pairs);
            decoded.map(|bytes| found.extend(bytes)).is_some()
        });
        if !is_bytes || row.len() + found.len() > 32 {
            break;
        }
        row.extend(found);
        if row.len() == 16 {
            break;
        }
    }
    Some((Some(offset), row))
}

/// Decodes numbers with any separators, or an escaped literal.
fn array(text: &[u8]) -> Result<Vec<u8>, NotEncoded> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    let literal = text.trim_start_matches(['b', 'B', 'r']);
    if literal.len() < text.len() || text.starts_with(['"', '\'']) {
        if let Some(quote) = literal.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let inner = literal[1..].strip_suffix(quote).ok_or(NotEncoded(1))?;
            return unescape(inner).ok_or(NotEncoded(1));
        }
    }
    // `xxd -i` prints the count after the numbers.
    let end = text.find('}').unwrap_or(text.len());
    let inner = text[..end]
        .rfind(['[', '(', '{'])
        .map_or(text, |start| &text[start + 1..end]);
    let inner = inner.trim_end_matches([']', ')', ';']);
    let mut bytes = Vec::new();
    for (n, line) in inner.lines().enumerate() {
        for word in line.split([',', ' ', '\t']).filter(|word| !word.is_empty()) {
            let hex = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
            let number = match hex {
                Some(digits) => u8::from_str_radix(digits, 16).ok(),
                // Java's and Kotlin's bytes are signed.
                None => word.parse::<i16>().ok().and_then(|number| match number {
                    0..=255 => Some(number as u8),
                    -128..=-1 => Some(number as i8 as u8),
                    _ => None,
                }),
            };
            bytes.push(number.ok_or(NotEncoded(n + 1))?);
        }
    }
    Ok(bytes)
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match chars.next()? {
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'x' => {
                let digits: String = chars.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).ok()?
            }
            '0' => 0,
            c => {
                bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
        });
    }
    Some(bytes)
}

/// True if the whole text is one list, `[27, 0]` or `0x1b, 0x00`. A list inside other text is not: a ConfigFile, a
/// resource and a scene begin with `[` too, and may end with a list.
fn is_list(text: &[u8]) -> bool {
    let inner = match text.strip_prefix(b"[") {
        Some(rest) => rest.strip_suffix(b"]"),
        None => Some(text).filter(|text| text.starts_with(b"0x") && text.contains(&b',')),
    };
    inner.is_some_and(|numbers| {
        { numbers.iter() }.all(|byte| byte.is_ascii_hexdigit() || b"xX,- \t\r\n".contains(byte))
    })
}

/// Returns the encoding of a text whose form leaves no doubt: a dump with offsets, or an array of numbers.
#[must_use]
pub fn recognize(text: &[u8]) -> Option<Encoding> {
    if hexyl::is_box(text) {
        let dump = hexdump(text).ok()?;
        return (dump.len() >= 4).then_some(Encoding::Hexdump);
    }
    let start = text.get(..text.len().min(4096))?;
    let is_text = start
        .iter()
        .all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let first = start.split(|&byte| byte == b'\n').next()?.trim_ascii();
    if !is_text || first.is_empty() {
        return None;
    }
    let is_array = is_list(text.trim_ascii())
        || first.starts_with(b"unsigned char ") && first.ends_with(b"{")
        || first.starts_with(b"b'")
        || first.starts_with(b"b\"");
    if is_array && array(text).is_ok_and(|bytes| bytes.len() >= 4) {
        return Some(Encoding::Array);
    }
    let offset = first.iter().position(|byte| byte.is_ascii_whitespace())?;
    let zeros = first[..offset]
        .iter()
        .all(|&byte| byte == b'0' || byte == b':');
    let is_dump = zeros && (4..=11).contains(&offset);
    let dump = is_dump.then(|| hexdump(text).ok()).flatten()?;
    (dump.len() >= 4).then_some(Encoding::Hexdump)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `var_to_bytes({"hp": 80})` of Godot 4.
    const VALUE: &[u8] = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";

    /// The output of these programs for these bytes.
    const XXD: &str = "\
00000000: 1b00 0000 0100 0000 0400 0000 0200 0000  ................
00000010: 6870 0000 0200 0000 5000 0000            hp......P...
";
    const HEXDUMP: &str = "\
00000000  1b 00 00 00 01 00 00 00  04 00 00 00 02 00 00 00  |................|
00000010  68 70 00 00 02 00 00 00  50 00 00 00              |hp......P...|
0000001c
";
    const OD: &str = "\
000000 1b 00 00 00 01 00 00 00 04 00 00 00 02 00 00 00
000010 68 70 00 00 02 00 00 00 50 00 00 00
00001c
";
    const WIRESHARK: &str = "\
0000   1b 00 00 00 01 00 00 00 04 00 00 00 02 00 00 00   ................
0010   68 70 00 00 02 00 00 00 50 00 00 00               hp......P...
";

    #[test]
    fn dumps_of_all_programs_are_read_and_known() {
        for dump in [XXD, HEXDUMP, OD, WIRESHARK] {
            assert_eq!(
                decode(dump.as_bytes(), Encoding::Hexdump).as_deref(),
                Ok(VALUE),
                "{dump}"
            );
            assert_eq!(
                recognize(dump.as_bytes()),
                Some(Encoding::Hexdump),
                "{dump}"
            );
        }
        // Repeated rows are shown as a star.
        let zeros = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000040\n";
        assert_eq!(decode(zeros.as_bytes(), Encoding::Hexdump), Ok(vec![0; 64]));
        assert_eq!(
            decode(b"hello world\n", Encoding::Hexdump),
            Err(NotEncoded(1))
        );
    }

    #[test]
    fn arrays_of_all_languages_are_read_and_known() {
        for text in [
            "[27, 0, 0, 0, 255]",
            "0x1b, 0x00, 0x00, 0x00, 0xff",
            "[0x1b,0,0,0,\n0xff]",
            "b'\\x1b\\x00\\0\\x00\\xff'",
            "b\"\\x1b\\0\\0\\0\\xff\"",
            // `xxd -i FILE`, and `xxd -i` of standard input.
            "unsigned char save_dat[] = {\n  0x1b, 0x00, 0x00, 0x00,\n  0xff\n};\nunsigned int save_dat_len = 5;\n",
            "  0x1b, 0x00, 0x00, 0x00,\n  0xff\n",
        ] {
            let bytes = [27, 0, 0, 0, 255];
            assert_eq!(
                decode(text.as_bytes(), Encoding::Array).as_deref(),
                Ok(&bytes[..]),
                "{text}"
            );
            assert_eq!(recognize(text.as_bytes()), Some(Encoding::Array), "{text}");
        }
        assert_eq!(
            decode(b"byte[] = {27, -1}", Encoding::Array),
            Ok(vec![27, 255])
        );
        assert_eq!(decode(b"[27, 256]", Encoding::Array), Err(NotEncoded(1)));
        for text in [
            "{\"hp\": 80}",
            "[{\"hp\": 80}]",
            "1b000000",
            "GwAAAA==",
            "",
            "hp 80",
            // A ConfigFile, a resource, a scene and a value, whose last list could be bytes.
            "[s]\n\nname=\"Bob\"\nslots=[2, 0, 0, 0, 5, 0, 0, 0]\n",
            "[gd_resource format=3]\n\n[resource]\ntints = [Color(1, 0, 0, 1)]\n",
            "[gd_scene format=3]\n\n[connection binds= [0, 1, 2, 3]]\n",
            "[Color(1, 0, 0, 1)]",
            "[[1, 2, 3, 4]]",
        ] {
            assert_eq!(recognize(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn digits_are_found_inside_lines_of_a_log() {
        let log = "[12:03:44] recv peer=2 len=8: 02 00 00 00 50 00 00 00 (reliable)\nudp 10.0.0.1 payload=0200000007000000\n";
        assert_eq!(
            hex_lines(log.as_bytes()).as_deref(),
            Ok("0200000050000000\n0200000007000000\n")
        );
        assert_eq!(hex_lines(b"nothing in here\n"), Err(NotEncoded(1)));
    }
}
