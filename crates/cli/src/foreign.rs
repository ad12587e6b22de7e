//! Files that are not plain values, known by their first bytes.

/// Something else than plain values.
#[derive(Debug)]
pub(crate) struct Foreign {
    /// For machines.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What to do.
    pub help: &'static str,
    magic: &'static [u8],
}

const fn foreign(
    magic: &'static [u8],
    name: &'static str,
    what: &'static str,
    help: &'static str,
) -> Foreign {
    Foreign {
        name,
        what,
        help,
        magic,
    }
}

/// A file that is one itself was opened before.
const NESTED: &str = "it stands inside another file: take it out with gdvar unpack, and look again";

const LOAD_IT: &str = "only the engine's resource loader reads it";

static KNOWN: [Foreign; 14] = [
    foreign(
        b"GCPF",
        "Compressed",
        "a compressed file, as FileAccess.open_compressed (Godot 3: File.open_compressed) writes it",
        NESTED,
    ),
    foreign(
        b"GDEC",
        "Encrypted",
        "an encrypted file, as FileAccess.open_encrypted or open_encrypted_with_pass writes it",
        NESTED,
    ),
    foreign(
        b"ECFG",
        "ProjectSettings",
        "a project.binary, the settings of an exported game",
        NESTED,
    ),
    foreign(
        b"RSRC",
        "Resource",
        "a binary resource or scene (.res, .scn)",
        LOAD_IT,
    ),
    foreign(
        b"RSCC",
        "Resource",
        "a compressed binary resource or scene (.res, .scn)",
        LOAD_IT,
    ),
    foreign(
        b"GDPC",
        "Pack",
        "a pack of an exported game (.pck)",
        "the save is another file, in the game's user folder",
    ),
    foreign(b"GDSC", "Script", "a compiled script (.gdc)", NESTED),
    foreign(
        b"GST2",
        "Texture",
        "an imported texture (.ctex)",
        "there are no values in it",
    ),
    foreign(
        b"[gd_",
        "TextResource",
        "a resource or scene as text (.tres, .tscn)",
        "any text editor shows it",
    ),
    foreign(
        b"{",
        "Json",
        "JSON",
        "any text editor shows it; jq or a browser formats it",
    ),
    foreign(
        b"\x1f\x8b",
        "Gzip",
        "a gzip archive",
        "unpack it first: gunzip -c FILE | gdvar view -",
    ),
    foreign(b"PK\x03\x04", "Zip", "a zip archive", "unpack it first"),
    foreign(
        b"\x28\xb5\x2f\xfd",
        "Zstd",
        "a zstd archive",
        "unpack it first: zstd -dc FILE | gdvar view -",
    ),
    foreign(
        b"SQLite format 3\0",
        "Sqlite",
        "an SQLite database",
        "open it with sqlite3",
    ),
];

static CONFIG: Foreign = foreign(
    b"",
    "ConfigFile",
    "a ConfigFile or other text with [sections] (project.godot, settings.cfg)",
    "any text editor shows it",
);

static JSON_ARRAY: Foreign = foreign(b"", "Json", "JSON", "any text editor shows it");

/// Text of no known sort.
pub(crate) static TEXT: Foreign = foreign(
    b"",
    "Text",
    "text, but neither hex nor base64 of values",
    "any text editor shows it",
);

/// What a file is, if it is known and no plain values. Magic words of engine files are longer
/// than any plausible length or type number.
pub(crate) fn recognize(bytes: &[u8]) -> Option<&'static Foreign> {
    // In front of JSON there may be white space or a byte order mark.
    let text = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let is_text = looks_like_text(bytes);
    for known in &KNOWN {
        let start = if known.magic == b"{" || known.magic == b"[gd_" {
            if !is_text {
                continue;
            }
            text
        } else {
            bytes
        };
        if start.starts_with(known.magic) {
            return Some(known);
        }
    }
    if !is_text {
        return None;
    }
    if text.starts_with(b"[") {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_section = line.trim_ascii_end().ends_with(b"]")
            && line[1..].first().is_some_and(u8::is_ascii_alphabetic);
        return Some(if is_section { &CONFIG } else { &JSON_ARRAY });
    }
    let section = bytes
        .split(|&byte| byte == b'\n')
        .take(50)
        .any(|line| line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"]"));
    if section {
        return Some(&CONFIG);
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

/// Whether the first kilobytes are text without control characters. The header of a value has a
/// zero byte, so it never is.
fn looks_like_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    start
        .iter()
        .all(|&byte| byte >= b' ' && byte != 0x7f || byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_files_are_told_apart() {
        for (bytes, name) in [
            (&b"GCPF\x02\0\0\0"[..], "Compressed"),
            (b"GDEC\x01\0\0\0", "Encrypted"),
            (b" {\"a\": 1}", "Json"),
            (b"[1, 2]", "Json"),
            (b"[gd_resource type=\"Theme\"]", "TextResource"),
            (b"; comment\n[video]\nmode=1\n", "ConfigFile"),
            (b"[video]\nmode=1\n", "ConfigFile"),
            (b"Hello, world!", "Text"),
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
            b"\x1b\0\0\0\0\0\0\0",
        ] {
            assert!(recognize(bytes).is_none());
        }
    }
}
