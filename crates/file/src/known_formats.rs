//! Recognises files without readable values, by their first bytes or their text.

use gdvar_view::Kind;

use crate::blank::Blank;

/// A known file format from which this crate cannot read values.
#[derive(Debug)]
pub struct KnownFormat {
    /// A short name, such as `Png`.
    pub name: &'static str,
    /// A phrase for people, such as `a PNG image`.
    pub what: &'static str,
    /// What to do next, in words.
    pub help: &'static str,
    magic: &'static [u8],
}

impl KnownFormat {
    /// Returns `true` if a file of this format is the result of an accident: a run of a single byte, or JSON without
    /// its end.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        std::ptr::eq(self, &CUT_JSON) || self.name == "Blank"
    }
}

const fn known(
    magic: &'static [u8],
    name: &'static str,
    what: &'static str,
    help: &'static str,
) -> KnownFormat {
    KnownFormat {
        name,
        what,
        help,
        magic,
    }
}

/// The help for a layer that was not opened, because it is inside another file.
const NESTED: &str = "it is inside another file: take it out with gdvar unpack, and look again";

const UNPACK: &str = "unpack it first";

const MEDIA: &str = "there are no values in it; the save is another file";

const PACKETS: &str = "gdvar packets shows what a Godot game says in it";

const CAPTURE: &str = "a capture of network packets, as tcpdump and Wireshark write it";

const PROGRAM: &str =
    "there are no values in it; the save is another file, in the game's user folder";

static KNOWN: [KnownFormat; 35] = [
    known(
        b"GCPF",
        "Compressed",
        "a compressed file, as FileAccess.open_compressed (Godot 3: File.open_compressed) writes it",
        NESTED,
    ),
    known(
        b"GDEC",
        "Encrypted",
        "an encrypted file, as FileAccess.open_encrypted or open_encrypted_with_pass writes it",
        NESTED,
    ),
    known(
        b"ECFG",
        "ProjectSettings",
        "a project.binary, the settings of an exported game",
        NESTED,
    ),
    known(b"GDSC", "Script", "a compiled script (.gdc)", NESTED),
    known(
        b"\x1f\x8b",
        "Gzip",
        "a gzip archive",
        "unpack it first: gunzip -c FILE | gdvar view -",
    ),
    known(
        b"\x28\xb5\x2f\xfd",
        "Zstd",
        "a zstd archive",
        "unpack it first: zstd -dc FILE | gdvar view -",
    ),
    known(b"\xd4\xc3\xb2\xa1", "Capture", CAPTURE, PACKETS),
    known(b"\xa1\xb2\xc3\xd4", "Capture", CAPTURE, PACKETS),
    known(b"\x4d\x3c\xb2\xa1", "Capture", CAPTURE, PACKETS),
    known(b"\xa1\xb2\x3c\x4d", "Capture", CAPTURE, PACKETS),
    known(b"\x0a\x0d\x0d\x0a", "Capture", CAPTURE, PACKETS),
    known(
        b"RSRC",
        "Resource",
        "a binary resource or scene (.res, .scn)",
        NESTED,
    ),
    known(
        b"RSCC",
        "Resource",
        "a compressed binary resource or scene (.res, .scn)",
        NESTED,
    ),
    known(
        b"GDPC",
        "Pack",
        "a pack of an exported game (.pck)",
        "the save is another file, in the game's user folder",
    ),
    known(
        b"GST2",
        "Texture",
        "an imported texture (.ctex)",
        "there are no values in it",
    ),
    known(
        b"[gd_",
        "TextResource",
        "a resource or scene as text (.tres, .tscn)",
        "any text editor shows it",
    ),
    known(b"PK\x03\x04", "Zip", "a zip archive", UNPACK),
    known(b"PK\x05\x06", "Zip", "an empty zip archive", UNPACK),
    known(b"7z\xbc\xaf\x27\x1c", "SevenZip", "a 7z archive", UNPACK),
    known(b"\xfd7zXZ\0", "Xz", "an xz archive", UNPACK),
    known(b"BZh", "Bzip2", "a bzip2 archive", UNPACK),
    known(b"Rar!", "Rar", "a RAR archive", UNPACK),
    known(
        b"GDST",
        "Texture",
        "an imported texture (.stex)",
        "there are no values in it",
    ),
    known(b"\x89PNG", "Png", "a PNG image", MEDIA),
    known(b"\xff\xd8\xff", "Jpeg", "a JPEG image", MEDIA),
    known(b"GIF8", "Gif", "a GIF image", MEDIA),
    known(
        b"RIFF",
        "Riff",
        "a RIFF file: a WebP image, or sound (.wav)",
        MEDIA,
    ),
    known(b"OggS", "Ogg", "an Ogg file: sound or video", MEDIA),
    known(b"ID3", "Mp3", "sound (.mp3)", MEDIA),
    known(b"%PDF-", "Pdf", "a PDF document", MEDIA),
    known(
        b"\x7fELF",
        "Program",
        "a program of Linux or Android (ELF)",
        PROGRAM,
    ),
    known(
        b"MZ\x90\0",
        "Program",
        "a program of Windows (.exe, .dll)",
        PROGRAM,
    ),
    known(
        b"\xcf\xfa\xed\xfe",
        "Program",
        "a program of macOS (Mach-O)",
        PROGRAM,
    ),
    known(
        b"\xff\xfe",
        "Utf16",
        "text in UTF-16",
        "any text editor shows it",
    ),
    known(
        b"SQLite format 3\0",
        "Sqlite",
        "an SQLite database",
        "open it with sqlite3",
    ),
];

static CONFIG: KnownFormat = known(
    b"",
    "ConfigFile",
    "a ConfigFile or other text with [sections] (project.godot, settings.cfg)",
    "any text editor shows it",
);

/// After a byte order mark, Godot 4.6 reads `[a]` and `x=1` as a setting with the name `\u{feff}[a]x`.
static MARKED_CONFIG: KnownFormat = known(
    b"",
    "ConfigFile",
    "text with [sections] after a byte order mark, which Godot takes for part of the first name",
    "save it again as UTF-8 without the mark (BOM), for instance by tail -c +4",
);

static JSON: KnownFormat = known(
    b"",
    "Json",
    "JSON",
    "any text editor shows it; jq or a browser formats it",
);

static JSON_LINES: KnownFormat = known(
    b"",
    "Json",
    "JSON, one value on each line",
    "any text editor shows it; jq reads it",
);

static CUT_JSON: KnownFormat = known(
    b"",
    "Json",
    "JSON that ends too early",
    "files end up like this when the game or the machine stopped while writing",
);

static VAR_TO_STR: KnownFormat = known(
    b"",
    "VarToStr",
    "values as text, as var_to_str (Godot 3: var2str) writes them",
    "any text editor shows it; str_to_var (Godot 3: str2var) reads it",
);

static UID_CACHE: KnownFormat = known(
    b"",
    "UidCache",
    "the list of resource ids of a project (.godot/uid_cache.bin)",
    "there are no values in it, only ids and paths",
);

static ZEROS: KnownFormat = known(
    b"",
    "Blank",
    "a file of nothing but 00: it was never written, or wiped",
    "saves end up like this when the machine stopped while writing; look for an older copy",
);

static ONES: KnownFormat = known(
    b"",
    "Blank",
    "a file of nothing but FF: it was never written, or wiped",
    "it looks like erased flash memory; look for an older copy",
);

/// Text that is not recognised.
pub(crate) static TEXT: KnownFormat = known(
    b"",
    "Text",
    "text, but neither hex nor base64 of values",
    "any text editor shows it",
);

/// Returns the format of a file without values, or `None` for values and for unknown contents. Examines the
/// first bytes, and a text to its end. The magic numbers are larger than any plausible length or type number.
#[must_use]
pub fn recognize(bytes: &[u8]) -> Option<&'static KnownFormat> {
    if let Some(Blank {
        to_end: true, byte, ..
    }) = Blank::at(bytes, 0)
    {
        return Some(if byte == 0 { &ZEROS } else { &ONES });
    }
    let known = KNOWN.iter().find(|known| bytes.starts_with(known.magic));
    if known.is_some() {
        return known.filter(|known| known.magic != b"[gd_" || looks_like_text(bytes));
    }
    if is_uid_cache(bytes) {
        return Some(&UID_CACHE);
    }
    if !looks_like_text(bytes) {
        return None;
    }
    // White space or a byte order mark may precede text.
    let unmarked = bytes.strip_prefix(b"\xef\xbb\xbf");
    let config = unmarked.map_or(&CONFIG, |_| &MARKED_CONFIG);
    let text = unmarked.unwrap_or(bytes).trim_ascii();
    if let Some(known) = notation(text) {
        return Some(known);
    }
    if text.starts_with(b"[") {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_section = line.trim_ascii_end().ends_with(b"]")
            && line[1..].first().is_some_and(u8::is_ascii_alphabetic);
        if is_section {
            return Some(config);
        }
    }
    let section = bytes
        .split(|&byte| byte == b'\n')
        .take(50)
        .any(|line| line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"]"));
    if section {
        return Some(config);
    }
    let encoded = |byte: &u8| {
        byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=-_:#".contains(byte)
    };
    let lines = || {
        bytes
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.starts_with(b"#"))
    };
    (!lines().take(50).all(|line| line.iter().all(encoded))).then_some(&TEXT)
}

/// Returns `true` for a count followed by entries of an eight-byte id, the length of a path and the path.
fn is_uid_cache(bytes: &[u8]) -> bool {
    let word = |at: usize| {
        let four = bytes.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*four))
    };
    let (Some(count), Some(len)) = (word(0), word(12)) else {
        return false;
    };
    let path = bytes.get(16..).unwrap_or_default();
    count > 0 && len as usize <= path.len() && path.starts_with(b"res://")
}

/// Recognises JSON, and Godot's notation by syntax that JSON does not have. A log may begin with a
/// bracket, too, but is neither.
fn notation(text: &[u8]) -> Option<&'static KnownFormat> {
    if is_godot(text) {
        return Some(&VAR_TO_STR);
    }
    if !text.starts_with(b"{") && !text.starts_with(b"[") {
        return None;
    }
    let error = match serde_json::from_slice::<serde::de::IgnoredAny>(text) {
        Ok(_) => return Some(&JSON),
        Err(error) => error,
    };
    let line = text
        .split(|&byte| byte == b'\n')
        .nth(error.line().saturating_sub(1));
    let rest = line.and_then(|line| line.get(error.column().saturating_sub(1)..));
    let rest = rest.unwrap_or_default();
    // `nan` fails after its first letter, because that could begin `null`.
    let number = |word: &[u8]| {
        let end = rest.strip_prefix(word).map(<[u8]>::first);
        end.is_some_and(|next| next.is_none_or(|next| !next.is_ascii_alphanumeric()))
    };
    let number = number(b"inf") || number(b"nan") || number(b"an");
    let is_key = error.to_string().starts_with("key must be a string")
        && rest
            .first()
            .is_some_and(|first| first.is_ascii_digit() || *first == b'-');
    if is_key || is_godot(rest) || number {
        Some(&VAR_TO_STR)
    } else if error.is_eof() {
        Some(&CUT_JSON)
    } else if error.line() > 1 && are_json_lines(text) {
        Some(&JSON_LINES)
    } else {
        None
    }
}

/// Returns `true` if every line is JSON, as `store_line(JSON.stringify(node))` writes it, or empty.
fn are_json_lines(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.all(|line| {
        line.is_empty() || serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
    })
}

/// Returns `true` if the text begins with a value that only Godot's notation has: `Vector2(`, `Array[`, `&"`.
fn is_godot(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let name = text.iter().position(|byte| !is_name(byte)).unwrap_or(0);
    let (name, rest) = text.split_at(name);
    let known = name.first().is_some_and(u8::is_ascii_uppercase)
        && std::str::from_utf8(name).is_ok_and(is_type);
    known && (rest.starts_with(b"(") || rest.starts_with(b"["))
        || text.starts_with(b"&\"")
        || text.starts_with(b"^\"")
}

/// Returns `true` if Godot 4 or Godot 3 prints values with this name.
fn is_type(name: &str) -> bool {
    let own = [
        "Object",
        "Resource",
        "SubResource",
        "ExtResource",
        "AABB",
        "Quat",
        "Transform",
    ];
    own.contains(&name)
        || name.starts_with("Pool") && name.ends_with("Array")
        || Kind::ALL.iter().any(|kind| kind.name() == name)
}

/// Returns `true` if the first kilobytes are text without control characters. A value does not look like this, because
/// its header has a zero byte.
fn looks_like_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let printable = start
        .iter()
        .all(|&byte| byte >= b' ' && byte != 0x7f || byte.is_ascii_whitespace());
    // The last character may be cut off. Old text may be Latin-1, in which most characters are still ASCII.
    let is_utf8 = || match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let is_latin1 = || {
        let other = start.iter().filter(|byte| !byte.is_ascii()).count();
        other * 10 <= start.len()
    };
    printable && (is_utf8() || is_latin1())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_files_are_told_apart() {
        for (bytes, name) in [
            (&b"GCPF\x02\0\0\0"[..], "Compressed"),
            (b"GDEC\x01\0\0\0", "Encrypted"),
            (b"GDSC\x65\0\0\0", "Script"),
            (b" {\"a\": 1}", "Json"),
            (b"[1, 2]", "Json"),
            (b"[gd_resource type=\"Theme\"]", "TextResource"),
            (b"; comment\n[video]\nmode=1\n", "ConfigFile"),
            (b"[video]\nmode=1\n", "ConfigFile"),
            (b"[info]\nmode=1\n", "ConfigFile"),
            (b"Hello, world!", "Text"),
            (b"{\"a\": [1, 2", "Json"),
            // As the manual of Godot 4 saves nodes.
            (b"{\"hp\": 3}\n{\"hp\": 5}\n", "Json"),
            (b"{\n\"pos\": Vector2(1, 2)\n}", "VarToStr"),
            (b"{\n1: 2\n}", "VarToStr"),
            (b"[&\"a\", 2]", "VarToStr"),
            (b"[inf, 2]", "VarToStr"),
            (b"PoolIntArray( 1, 2 )", "VarToStr"),
            (b"Array[int]([1])", "VarToStr"),
            // A log is not JSON, whatever it begins with.
            (b"[12:30:01] started\n[12:30:02] done!\n", "Text"),
            (b"{main} thread: started\n", "Text"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "Png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "Jpeg"),
            (b"OggS\0\x02", "Ogg"),
            (b"\x7fELF\x02\x01\x01\0", "Program"),
            (b"MZ\x90\0\x03\0\0\0", "Program"),
            (b"PK\x03\x04\x14\0", "Zip"),
            (b"SQLite format 3\0\x10\0", "Sqlite"),
            (b"RSRC\0\0\0\0", "Resource"),
            (b"GDPC\x03\0\0\0", "Pack"),
            (&[0; 64], "Blank"),
            (&[0xff; 64], "Blank"),
            (
                include_bytes!("../../../testdata/scripts/uid_cache.bin"),
                "UidCache",
            ),
        ] {
            assert_eq!(
                recognize(bytes).map(|known| known.name),
                Some(name),
                "{name}"
            );
        }
        for bytes in [
            &b"02000000 05000000\n"[..],
            b"AgAAAAUAAAA=\n",
            // Not text, although no byte is a control character.
            b"\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x1b\0\0\0\0\0\0\0",
        ] {
            assert!(recognize(bytes).is_none());
        }
    }

    /// Notepad writes such files, and Godot reads them as something else (4.6.3: one setting named `\u{feff}[a]x`).
    #[test]
    fn a_byte_order_mark_before_sections_is_named() {
        for bytes in [
            &b"\xef\xbb\xbf[a]\nx=1\n"[..],
            b"\xef\xbb\xbf; mine\r\n[a]\r\nx=1\r\n",
        ] {
            let known = recognize(bytes).expect("a known format");
            assert!(known.what.contains("byte order mark"), "{known:?}");
        }
    }
}
