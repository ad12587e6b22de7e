//! Searches for code in files that Godot does not load as plain values: text of scenes, resources, ConfigFiles and
//! `str_to_var`, JSON of `JSON.from_native`, and binary resources.
//!
//! The search does not parse, because a file that Godot reads differently could mislead a parser. An automaton searches
//! all patterns at once, starting at every byte. Like Godot's `VariantParser`, the automaton skips white space and
//! comments between any two characters, and decodes escapes. Unlike a parser, it does not decide whether a quote starts
//! a string or a `;` starts a comment: it always searches the bytes that follow too. So nothing can be hidden in a
//! string or a comment. A match may therefore be harmless text. But text without a match contains none of the patterns.
//! The patterns come from `testdata/scan`, where real engines run each of them.

use std::sync::LazyLock;

use gdvar_io::{Limits, compressed::Compressed};
use memchr::memmem;

/// A match of a pattern for code.
pub(super) struct Code {
    /// The offset of the last byte of the match.
    pub(super) offset: usize,
    /// A description for people.
    pub(super) what: &'static str,
    /// `true` for a constructor, which makes an object or loads a file in text of any kind.
    pub(super) is_call: bool,
}

const OBJECT: &str = "text that makes an object when Godot reads it";
pub(super) const SCRIPT: &str = "a script in the file";
pub(super) const LOADS: &str = "a path of code that Godot loads with the file";
pub(super) const OUTSIDE: &str = "a path outside of the game that Godot loads with the file";
pub(super) const CALLS: &str = "a call of a method with arguments from the file";
const STARTS: &str = "a script that runs when the game starts";
const STARTS_SCENE: &str = "a scene outside of the game that starts with it";

/// A pattern, and the description of its matches.
type Spelling = (&'static [u8], &'static str);

/// Special bytes in a pattern. `NAME` matches one or more characters of a name, `LETTER` one letter, and `ANY` one or
/// more of any characters. `SETTING` matches one or more of the characters that can be between the name of a setting
/// and its text, and `ARGUMENTS` one or more characters up to the end of a constructor.
const NAME: u8 = 1;
const LETTER: u8 = 2;
const ANY: u8 = 3;
const SETTING: u8 = 4;
const ARGUMENTS: u8 = 5;

/// Constructors that `VariantParser` accepts in text of any kind. The words before the `(` are names, so no escape can
/// occur in them, and [`find`] may first look for their plain bytes.
static CALLS_OF_ALL: [Spelling; 10] = [
    (b"Object(\x01,\"", OBJECT),
    (b"Object(\x01,)", OBJECT),
    // These also match the end of ExtResource and SubResource, which accept paths outside of resources. A path may be
    // the second argument, after a uid.
    (b"Resource(\x05user:", OUTSIDE),
    (b"Resource(\x05file:", OUTSIDE),
    (b"Resource(\"/", OUTSIDE),
    (b"Resource(\x05,\"/", OUTSIDE),
    (b"Resource(\"\x02:", OUTSIDE),
    (b"Resource(\x05,\"\x02:", OUTSIDE),
    (b"Resource(\x05../", OUTSIDE),
    (b"Resource(\x05..\\", OUTSIDE),
];

/// File extensions of code. Godot ignores their case.
static PATHS: [Spelling; 13] = [
    (b".gd\"", LOADS),
    (b".gdc\"", LOADS),
    (b".gde\"", LOADS),
    (b".cs\"", LOADS),
    (b".vs\"", LOADS),
    (b".gdns\"", LOADS),
    (b".gdnlib\"", LOADS),
    (b".gdextension\"", LOADS),
    (b".pck\"", LOADS),
    (b".so\"", LOADS),
    (b".dll\"", LOADS),
    (b".dylib\"", LOADS),
    (b".framework\"", LOADS),
];

/// Patterns in text resources and settings.
static RESOURCES: [Spelling; 9] = [
    (b"script/source", SCRIPT),
    (b"path\x04\"user:", OUTSIDE),
    (b"path\x04\"file:", OUTSIDE),
    (b"path\x04\"/", OUTSIDE),
    (b"type=\"Script\"", LOADS),
    (b"[connectionbinds=", CALLS),
    (b"[connection\x03binds=", CALLS),
    (b"/type=\"method\"", CALLS),
    (b"[autoload", STARTS),
];

/// Patterns for the setting of a game's main scene, which can have scripts. `override.cfg` changes the setting of a
/// game that is already installed. The patterns also match the spellings `"main_scene"` in quotes, `main_scene.linux`
/// and `&"user:`, because Godot accepts them.
static MAIN_SCENES: [Spelling; 3] = [
    (b"main_scene\x04\"user:", STARTS_SCENE),
    (b"main_scene\x04\"/", STARTS_SCENE),
    (b"main_scene\x04\"\x02:", STARTS_SCENE),
];

/// Names of classes that are code, and the start of an autoload setting.
static CLASSES: [Spelling; 8] = [
    (b"\"GDScript\"", SCRIPT),
    (b"\"CSharpScript\"", SCRIPT),
    (b"\"VisualScript\"", SCRIPT),
    (b"\"NativeScript\"", SCRIPT),
    (b"\"PluginScript\"", SCRIPT),
    (b"\"GDExtension\"", SCRIPT),
    (b"\"GDNativeLibrary\"", SCRIPT),
    (b"autoload/", STARTS),
];

/// Texts in a binary resource that show that it contains code.
static NAMES: [&[u8]; 8] = [
    b"script/source",
    b"GDScript",
    b"CSharpScript",
    b"VisualScript",
    b"NativeScript",
    b"PluginScript",
    b"GDExtension",
    b"GDNativeLibrary",
];

/// Returns `true` if objects of `class` are code.
pub(super) fn is_script(class: &str) -> bool {
    NAMES[1..].contains(&class.as_bytes())
}

/// Returns `true` if `path` has a file extension of code.
pub(super) fn is_code_path(path: &str) -> bool {
    let path = path.as_bytes();
    PATHS.iter().any(|(end, _)| {
        let end = &end[..end.len() - 1];
        let tail = path.len().checked_sub(end.len()).map(|at| &path[at..]);
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    })
}

/// Returns `true` if `path` can lead out of the game's own files.
pub(super) fn is_outside(path: &str) -> bool {
    let inside = path.strip_prefix("res://").unwrap_or(path);
    let has_scheme = inside.contains(':');
    has_scheme || inside.starts_with('/') || inside.split(['/', '\\']).any(|part| part == "..")
}

/// How a file is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// Searches for all patterns if the bytes are text, and only for calls if they contain a zero byte.
    ByContent,
    /// Searches for all patterns whatever the bytes are, because Godot reads a file with this name as text.
    AsText,
    /// Searches text that only names scripts of the project and classes of scripts. These names are not findings.
    AsNames,
}

/// Finds code in a file. Returns the first call, or, if there is no call, the first match of any other pattern. A
/// binary resource that can be read completely is not searched. The time is linear in the length of the file.
pub(super) fn find(bytes: &[u8], search: Search) -> Option<Code> {
    if gdvar_resource::is_resource(bytes) {
        let limits = Limits::unpacking(bytes.len());
        // A resource that can be read completely is judged by its values, not by its texts.
        if gdvar_resource::Resource::open(bytes, limits).is_ok() {
            return None;
        }
        return match Compressed::open_as(bytes, b"RSCC", limits) {
            Ok(packed) => in_resource(&packed.to_vec().ok()?),
            Err(_) => in_resource(bytes),
        };
    }
    let all = || memmem::find(bytes, b"Object").or_else(|| memmem::find(bytes, b"Resource"));
    // The search ends here for nearly every save, because it contains neither word.
    let calls = all().and_then(|_| CALL.find(bytes));
    let calls = calls.map(|code| Code {
        is_call: true,
        ..code
    });
    let is_text = search != Search::ByContent || memchr::memchr(0, bytes).is_none();
    let rest = || {
        let [paths, resources, scenes, classes] = &*TEXT;
        let found = match search {
            Search::AsNames => [
                paths.find(&without_names(bytes)),
                resources.find(bytes),
                scenes.find(bytes),
                None,
            ],
            _ => [paths, resources, scenes, classes].map(|group| group.find(bytes)),
        };
        found.into_iter().flatten().min_by_key(|code| code.offset)
    };
    calls.or_else(|| is_text.then(rest).flatten())
}

/// Replaces names of files in the project, such as `"res://a/b.gd"`, by blanks. Replaces only from quote to quote
/// without an escape between them, so no other path can hide in the replaced part. The time is linear in the length of
/// the text.
fn without_names(text: &[u8]) -> Vec<u8> {
    const START: &[u8] = b"\"res://";
    let mut rest = text.to_vec();
    for at in memmem::find_iter(text, START) {
        let name = &text[at + 1..];
        let name = &name[..memchr::memchr(b'"', name).unwrap_or(name.len())];
        let is_plain = name.iter().all(|&byte| byte >= b' ' && byte != b'\\');
        if is_plain && std::str::from_utf8(name).is_ok_and(|name| !is_outside(name)) {
            rest[at..][..name.len() + 1].fill(b' ');
        }
    }
    rest
}

static CALL: LazyLock<Automaton> = LazyLock::new(|| Automaton::new(&CALLS_OF_ALL));
static TEXT: LazyLock<[Automaton; 4]> =
    LazyLock::new(|| [&PATHS[..], &RESOURCES, &MAIN_SCENES, &CLASSES].map(Automaton::new));

/// Matches all patterns at once. The symbols of all patterns are numbered. The state of a search is a set of bits: bit
/// `n` is set if the input so far ends with a pattern's symbols up to symbol `n`.
struct Automaton {
    /// The bit of each pattern's last symbol, and the description of a match.
    ends: Vec<(u128, &'static str)>,
    starts: u128,
    /// For each byte, the symbols that match it. `repeats` contains the symbols that may match several bytes in a
    /// row.
    is: Box<[u128; 256]>,
    repeats: Box<[u128; 256]>,
}

impl Automaton {
    fn new(patterns: &[Spelling]) -> Automaton {
        let mut made = Automaton {
            ends: Vec::new(),
            starts: 0,
            is: Box::new([0; 256]),
            repeats: Box::new([0; 256]),
        };
        let mut bit = 1;
        for (pattern, what) in patterns {
            made.starts |= bit;
            for &symbol in *pattern {
                // Patterns that start with a dot are file extensions.
                let any_case = pattern.starts_with(b".");
                for byte in 0..=u8::MAX {
                    let (is, repeats) = match symbol {
                        NAME => (byte.is_ascii_alphanumeric() || byte == b'_', true),
                        LETTER => (byte.is_ascii_alphabetic(), false),
                        ANY => (true, true),
                        SETTING => (
                            byte.is_ascii_alphanumeric() || b"_.=&\"(".contains(&byte),
                            true,
                        ),
                        ARGUMENTS => (byte != b')', true),
                        _ if any_case => (byte.eq_ignore_ascii_case(&symbol), false),
                        _ => (byte == symbol, false),
                    };
                    made.is[usize::from(byte)] |= if is { bit } else { 0 };
                    made.repeats[usize::from(byte)] |= if is && repeats { bit } else { 0 };
                }
                bit <<= 1;
            }
            made.ends.push((bit >> 1, what));
        }
        made
    }

    /// Finds the first match in a text.
    fn find(&self, text: &[u8]) -> Option<Code> {
        let ends = self.ends.iter().fold(0, |all, (bit, _)| all | bit);
        let (mut live, mut in_comment, mut at) = (0_u128, 0_u128, 0);
        while at < text.len() {
            let (symbol, len) = next(&text[at..]);
            match symbol {
                Symbol::Blank => {}
                Symbol::Newline => {
                    live |= in_comment;
                    in_comment = 0;
                }
                Symbol::Byte(byte) => {
                    let byte_at = usize::from(byte);
                    if byte == b';' {
                        in_comment |= live;
                    }
                    live = ((live << 1 | self.starts) & self.is[byte_at])
                        | (live & self.repeats[byte_at]);
                    if live & ends != 0 {
                        let end = self.ends.iter().find(|(bit, _)| live & bit != 0);
                        let offset = at + len - 1;
                        return end.map(|&(_, what)| Code {
                            offset,
                            what,
                            is_call: false,
                        });
                    }
                }
            }
            at += len;
        }
        None
    }
}

/// A character as Godot's parser sees it.
enum Symbol {
    /// White space, including escaped white space.
    Blank,
    /// The end of a line, which also ends a comment.
    Newline,
    /// Any other character. Of an escaped code above 255 only the lowest byte is kept, as Godot 3 does.
    Byte(u8),
}

/// Decodes the first character of a non-empty text. Returns it with its length in the text.
fn next(text: &[u8]) -> (Symbol, usize) {
    let plain = |byte| match byte {
        b'\n' => Symbol::Newline,
        0..=b' ' => Symbol::Blank,
        _ => Symbol::Byte(byte),
    };
    if text[0] != b'\\' {
        return (plain(text[0]), 1);
    }
    let digits = match text.get(1) {
        None => return (Symbol::Byte(b'\\'), 1),
        Some(b'u') => 4,
        Some(b'U') => 6,
        Some(b'b' | b't' | b'n' | b'f' | b'r') => return (Symbol::Blank, 2),
        // An escape of any other character means that character.
        Some(&byte) => return (plain(byte), 2),
    };
    let hex = text
        .get(2..2 + digits)
        .filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
    let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
    match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
        Some(code) => match code as u8 {
            0..=b' ' => (Symbol::Blank, 2 + digits),
            byte => (Symbol::Byte(byte), 2 + digits),
        },
        // It is not a valid escape: part of a comment, or damaged.
        None => (Symbol::Byte(b'\\'), 1),
    }
}

/// Searches the texts of a binary resource for code. Each text follows its length.
fn in_resource(bytes: &[u8]) -> Option<Code> {
    let names = NAMES.iter().flat_map(|name| {
        let found = memmem::find_iter(bytes, name).filter(|&at| is_text_of(bytes, at, name.len()));
        found.map(|at| (at, SCRIPT))
    });
    let outside = memmem::find_iter(bytes, b"user://").map(|at| (at, OUTSIDE));
    let paths = PATHS.iter().flat_map(|(end, what)| {
        let end = &end[..end.len() - 1];
        let zeros = memchr::memchr_iter(0, bytes);
        let found = zeros.filter_map(move |zero| zero.checked_sub(end.len()));
        let found = found.filter(move |&at| bytes[at..at + end.len()].eq_ignore_ascii_case(end));
        found.map(move |at| (at, *what))
    });
    let all = names.chain(outside).chain(paths);
    let first = all.min_by_key(|&(at, _)| at);
    first.map(|(offset, what)| Code {
        offset,
        what,
        is_call: false,
    })
}

/// Returns `true` if a text at `at` is exactly `len` bytes long. The length comes before the text, in either byte
/// order. A larger length counts too if a zero byte ends the text after `len` bytes.
fn is_text_of(bytes: &[u8], at: usize, len: usize) -> bool {
    let in_front = at.checked_sub(4).and_then(|at| bytes[at..].first_chunk());
    let ends = bytes.get(at + len) == Some(&0);
    in_front.is_some_and(|four| {
        [u32::from_le_bytes(*four), u32::from_be_bytes(*four)]
            .into_iter()
            .any(|length| {
                length as usize == len || ends && length as usize > len && length < 1 << 16
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_is_found_in_all_its_forms() {
        for text in [
            "Object(GDScript,\"",
            "Object(GDScript,)",
            "a=\"x;\" b=Object ;c\n ( \u{1} GDScript ;\",\n,\"",
            "Object ;\\\n(A,\"",
            "Object ;x\\ny\n(A,\"",
            "Object ;\\u00\n(A,\"",
            "Resource(\"../a.tres",
            "Resource(\"res://a/..\\\\../b",
            "ExtResource(\"\", \"user://a",
            "Resource(\"uid://a\", \"/a.tres",
            "Resource(\"uid://a\", \"C:/a.tres",
            "[ connection binds=[1]",
            "path.linux=\"user://a\"",
            "path=NodePath(\"/a\"",
            "ExtResource ( \"user://a.tres\")",
            "Resource(\"\\u0075\\ser:",
            "Resource(\"C:/",
            "\"\\U000047D\\Script\"",
            "\"\\u0147DScript\"",
            "s c;c\nript / source",
            "path = \"/x",
            "\"x.G\\u0044\"",
            "[connection signal=\"a\" ; x\n binds= [1]",
            "[application]\nrun/main_scene = \"user://a.tscn\"",
            "run/main_scene=&\"/a.tscn\"",
            "run/main_scene.linux=\"/a.tscn\"",
            "\"run/main_scene\" ; x\n=\"C:/a.tscn\"",
        ] {
            assert!(find(text.as_bytes(), Search::ByContent).is_some(), "{text}");
        }
        for text in [
            "Object (see below)",
            "Object of desire (x, y)",
            "Object(s), then Object(x, y)",
            "Resource(\"res://a..b/c.tres\")\nb=\"../c\"",
            "Resource(\"res://icon.png\")",
            "SubResource(\"GDScript_1\")",
            "keybinds={\"a\": 1}",
            "run/main_scene=\"res://a.tscn\"\nlog_file=\"user://a.log\"",
            "path=\"res://icon.png\"",
            "NodePath(\"/root/A\")",
            "a GDScript (GD) script",
            "the end.",
        ] {
            assert!(find(text.as_bytes(), Search::ByContent).is_none(), "{text}");
        }
        // In binary data only calls matter, unless the file's name says that it is read as text.
        assert!(find(b"\0Object(A,)", Search::ByContent).is_some());
        assert!(find(b"\0\"a.gd\"", Search::ByContent).is_none());
        assert!(find(b"\0\"a.gd\"", Search::AsText).is_some());
    }

    #[test]
    fn names_of_the_project_hide_no_other_path() {
        let is_found = |text: &str| find(text.as_bytes(), Search::AsNames).is_some();
        for text in [
            "a=\"res://b/c d.gd\"",
            "a=[\"res://b.gd\", \"res://c.GDC\"]\nb=&\"GDScript\"",
            "[res://b.gd]\n\nc={}",
        ] {
            assert!(!is_found(text), "{text}");
            assert!(find(text.as_bytes(), Search::AsText).is_some() || text.starts_with('['));
        }
        for text in [
            "a=\"user://b.gd\"",
            "a=\"res:///tmp/b.gd\"",
            "a=\"res://../b.gd\"",
            "a=\"res://C:/b.gd\"",
            "a=\"res://\\u002e./b.gd\"",
            "a=\"res://\\\"b.gd\"",
            "a=\"res://b\"\nc=\"/d.gd\"",
            "a=\"x\"res://b=\"/c.gd\"",
            "a=\"res://b.gd\"\nc=Object(GDScript,\"d\":1)",
            "a=\"x\"res://b=Object(GDScript,\"c\":1)",
            "[autoload]\na=\"res://b.gd\"",
        ] {
            assert!(is_found(text), "{text}");
        }
    }

    #[test]
    fn paths_are_judged_by_their_ends_and_starts() {
        for path in [
            "res://a.gd",
            "res://a.GDC",
            "a.dll",
            "res://x/y.gdextension",
        ] {
            assert!(is_code_path(path), "{path}");
        }
        assert!(!is_code_path("res://a.gd.png") && !is_code_path("gd"));
        for path in [
            "user://a.tres",
            "/a.tres",
            "C:/a.tres",
            "res://../a.tres",
            "..\\a.tres",
        ] {
            assert!(is_outside(path), "{path}");
        }
        assert!(!is_outside("res://a..b/c.tres") && !is_outside("icon.png"));
    }

    #[test]
    fn patterns_fit_into_the_bits() {
        let groups: [&[Spelling]; 5] = [&CALLS_OF_ALL, &PATHS, &RESOURCES, &MAIN_SCENES, &CLASSES];
        for group in groups {
            let bits: usize = group.iter().map(|(pattern, _)| pattern.len()).sum();
            // One bit is left for the shift after the last.
            assert!(bits < 128, "{bits}");
        }
    }
}
