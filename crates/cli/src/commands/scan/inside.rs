//! Searches values for objects and code, and also the contents of their byte arrays and texts. Byte arrays and texts
//! can hold values of `var_to_bytes_with_objects`, compressed or as base64 or hex, and text for `str_to_var`. A game
//! that decodes them may create the objects in them.

use gdvar_file::{known_formats, line};
use gdvar_io::{Envelope, Limits, compressed::Compressed, sniff};
use gdvar_view::{Document, Event, Kind, Mode, Objects, ReadOptions, VariantRef};
use memchr::memmem;

use super::{
    ScanState,
    code::{self, Search},
    json, resource,
    unpack::{TooLong, fast_lz, unpack},
};
use crate::input::archive::Archive;

/// The largest depth of encoded bytes inside other encoded bytes that is searched.
const DEPTH: usize = 8;

/// The longest header before compressed bytes. It is the limit of gdvar-file.
const LONGEST_HEADER: usize = 64;

/// The smallest size of an object with a class, in bytes.
const SHORTEST: usize = 12;

/// A finding in a value.
pub(super) struct Held {
    pub(super) state: ScanState,
    /// The stable code of the finding, which programs read.
    pub(super) error: &'static str,
    pub(super) message: String,
    pub(super) class: Option<String>,
    /// The offset in the outermost value of the value that contains the finding.
    pub(super) offset: usize,
}

impl Held {
    pub(super) fn new(state: ScanState, error: &'static str, message: impl Into<String>) -> Held {
        Held {
            state,
            error,
            message: message.into(),
            class: None,
            offset: 0,
        }
    }

    pub(super) fn of_class(class: &str, is_code: bool) -> Held {
        let (state, error, what) = match is_code {
            true => (ScanState::Code, "Code", "a script, or an object with one"),
            false => (ScanState::Objects, "ObjectsNotAllowed", "a whole object"),
        };
        let class = Some(class.to_owned());
        Held {
            class,
            ..Held::new(state, error, what)
        }
    }
}

/// Replaces `known` by `found` if that is worse.
pub(super) fn worse(known: &mut Option<Held>, found: Option<Held>) {
    let state = |held: &Option<Held>| held.as_ref().map(|held| held.state);
    if state(&found) > state(known) {
        *known = found;
    }
}

/// Searches the values of a file.
pub(super) struct Inside {
    pub(super) options: ReadOptions,
    /// The number of bytes that may still be unpacked in this file.
    left: u64,
}

impl Inside {
    /// Starts a search in a file of `file_len` bytes.
    pub(super) fn new(options: ReadOptions, file_len: usize) -> Inside {
        let left = u64::from(Limits::unpacking(file_len).max_len);
        let options = options.with_objects(Objects::Inert).with_mode(Mode::Engine);
        Inside { options, left }
    }

    /// Returns the worst finding in the byte arrays and texts of a value. Each byte is read at most [`DEPTH`] times.
    pub(super) fn value(&mut self, bytes: &[u8]) -> Option<Held> {
        self.held(bytes, 0)
    }

    /// Returns the worst finding in arbitrary bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8], depth: usize) -> Option<Held> {
        if bytes.len() < SHORTEST {
            return None;
        }
        if depth == DEPTH {
            return Some(Held::new(
                ScanState::Unread,
                "TooDeep",
                "bytes in bytes, too deep to be looked at",
            ));
        }
        let mut worst = match code::find(bytes, Search::ByContent) {
            Some(code) => Some(Held::new(ScanState::Code, "Code", code.what)),
            None if gdvar_resource::is_resource(bytes) => Self::resource(bytes),
            None => self.closed(bytes, depth),
        };
        if worst.is_none() {
            worst = self.unpacked(bytes, depth);
        }
        for start in [0, 4] {
            if start == 0 || is_length(bytes) {
                worse(&mut worst, objects(&bytes[start..], self.options));
                worse(&mut worst, self.held(&bytes[start..], depth));
            }
        }
        worse(&mut worst, anywhere(bytes, self.options));
        if let Ok(text) = std::str::from_utf8(bytes) {
            worse(&mut worst, self.text(text, depth));
        }
        worst
    }

    /// Returns the worst finding in a text, which may be JSON, base64 or hex.
    pub(super) fn text(&mut self, text: &str, depth: usize) -> Option<Held> {
        let text = text.trim_ascii();
        if text.len() < SHORTEST {
            return None;
        }
        // A text resource: the game may write it to a file and load that.
        if memmem::find(text.as_bytes(), b"[gd_").is_some() {
            let code = code::find(text.as_bytes(), Search::AsText);
            return code.map(|code| Held::new(ScanState::Code, "Code", code.what));
        }
        if text.starts_with(['{', '[']) && depth < DEPTH {
            return json::find(text, self, depth).ok().flatten();
        }
        let is_code = |byte: u8| {
            byte.is_ascii_alphanumeric() || b"+/=-_".contains(&byte) || byte.is_ascii_whitespace()
        };
        // Skips a prefix that a game may have put before the encoded bytes, such as `v1:` or `save=`. Base64 itself may
        // end with `=`.
        let body = text.trim_end_matches('=');
        let start = body
            .bytes()
            .rposition(|byte| !is_code(byte) || byte == b'=');
        let text = &text[start.map_or(0, |at| at + 1)..];
        if text.len() < SHORTEST || !text.is_ascii() {
            return None;
        }
        let mut worst = None;
        if let Ok(bytes) = line::from_hex(text.as_bytes()) {
            worse(&mut worst, self.bytes(&bytes, depth + 1));
        }
        let packed: Vec<u8> = text
            .bytes()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        if let Ok(bytes) = line::from_base64(&packed) {
            worse(&mut worst, self.bytes(&bytes, depth + 1));
        }
        worst
    }

    /// Returns the worst finding in the byte arrays and texts of a value. Stops at the first damage, as the engine
    /// does.
    fn held(&mut self, bytes: &[u8], depth: usize) -> Option<Held> {
        let mut worst = None;
        let mut events = Document::with_options(bytes, self.options).events();
        while let Ok(Some(event)) = events.try_next() {
            let Event::Value(value) = event else { continue };
            if let Some(held) = self.leaf(value, depth) {
                let offset = value.offset();
                worse(&mut worst, Some(Held { offset, ..held }));
            }
        }
        worst
    }

    fn leaf(&mut self, value: VariantRef<'_>, depth: usize) -> Option<Held> {
        if let Some(bytes) = value.as_bytes() {
            return self.bytes(bytes, depth + 1);
        }
        if let Some(texts) = value.as_strings() {
            let mut worst = None;
            for text in texts.iter().map_while(Result::ok) {
                let found = text.to_str().ok().and_then(|text| self.text(text, depth));
                worse(&mut worst, found);
            }
            return worst;
        }
        value.as_str().and_then(|text| self.text(text, depth))
    }

    /// Returns the worst finding in a binary resource.
    fn resource(bytes: &[u8]) -> Option<Held> {
        let limits = Limits::unpacking(bytes.len());
        match resource::in_bytes(bytes, limits) {
            Ok(held) => held,
            Err(error) => {
                let message = format!("a binary resource that is not whole: {}", error.kind());
                Some(Held::new(ScanState::Unread, "Resource", message))
            }
        }
    }

    /// Returns the finding for a program, a script, an archive, a package or an encrypted file. `None` for other bytes.
    fn closed(&mut self, bytes: &[u8], depth: usize) -> Option<Held> {
        // The engine finds an archive by its end, whatever the game wrote in front.
        if let Some(start) = memmem::find(bytes, FIRST_FILE).filter(|_| has_zip_end(bytes)) {
            return Some(self.zip(&bytes[start..], depth));
        }
        let what = known_formats::recognize(bytes)?;
        match what.name {
            "Program" | "Script" => Some(Held::new(ScanState::Code, "Code", what.what)),
            "Zip" | "SevenZip" | "Xz" | "Bzip2" | "Rar" => {
                let message = format!("{}: unpack it and scan the folder", what.what);
                Some(Held::new(ScanState::Unread, what.name, message))
            }
            "Pack" | "Encrypted" => {
                let message = format!("{}, which was not read to its end", what.what);
                Some(Held::new(ScanState::Unread, what.name, message))
            }
            _ => None,
        }
    }

    /// Returns the worst finding in the files of a zip archive, and at least `Unread`: a file can be code because of
    /// its name, and only the scan of a folder looks at names.
    fn zip(&mut self, bytes: &[u8], depth: usize) -> Held {
        let message = "a zip archive: unpack it and scan the folder";
        let mut worst = Held::new(ScanState::Unread, "Zip", message);
        let Ok(archive) = Archive::open(bytes) else {
            return worst;
        };
        for entry in archive.entries() {
            let Ok(contents) = archive.read(entry, self.left) else {
                continue;
            };
            self.left -= self.left.min(contents.len() as u64);
            let found = self.bytes(&contents, depth + 1).map(|held| {
                let message = format!("!{}: {}", entry.path, held.message);
                Held { message, ..held }
            });
            if let Some(found) = found.filter(|found| found.state > worst.state) {
                worst = found;
            }
        }
        worst
    }

    /// Returns the worst finding in compressed bytes. Their header may be the game's own: a size, a magic number or a
    /// version.
    fn unpacked(&mut self, bytes: &[u8], depth: usize) -> Option<Held> {
        let mut worst = None;
        for header_len in 0..=LONGEST_HEADER.min(bytes.len()) {
            let held = match self.contents(bytes, header_len) {
                None => continue,
                Some(Ok(contents)) => {
                    self.left -= self.left.min(contents.len() as u64);
                    self.bytes(&contents, depth + 1)
                }
                Some(Err(held)) => Some(held),
            };
            worse(&mut worst, held);
        }
        worst
    }

    /// Unpacks the compressed bytes after a header of `header_len` bytes. `None` if they are not compressed.
    fn contents(&self, bytes: &[u8], header_len: usize) -> Option<Result<Vec<u8>, Held>> {
        let (header, packed) = bytes.split_at(header_len);
        if let Envelope::Compressed { .. } = sniff(packed) {
            let most = u32::try_from(self.left).unwrap_or(u32::MAX);
            let contents =
                Compressed::open(packed, Limits::new(most)).and_then(|file| file.to_vec());
            return Some(contents.map_err(|error| {
                let kind = error.kind();
                Held::new(ScanState::Unread, kind.name(), kind.to_string())
            }));
        }
        let found = unpack(packed, self.left).or_else(|| fast_lz(header, packed, self.left))?;
        Some(found.map_err(|TooLong| {
            let message = "compressed bytes with more in them than is unpacked (--max-unpacked)";
            Held::new(ScanState::Unread, "TooLong", message)
        }))
    }
}

/// The mark of a file in a zip archive.
const FIRST_FILE: &[u8] = b"PK\x03\x04";

/// Returns `true` if bytes have the marks of a zip archive's directory and of its end.
fn has_zip_end(bytes: &[u8]) -> bool {
    let directory = memmem::rfind(bytes, b"PK\x05\x06").map(|end| &bytes[..end]);
    directory.is_some_and(|before| memmem::find(before, b"PK\x01\x02").is_some())
}

/// Returns `true` if the first four bytes can be the length prefix of a record, as `store_var` writes it.
fn is_length(bytes: &[u8]) -> bool {
    let len = bytes
        .first_chunk()
        .map_or(0, |len| u32::from_le_bytes(*len) as usize);
    len >= 4 && len <= bytes.len() - 4
}

/// Returns the worst object in a value. The value may be damaged, because the engine creates the objects before the
/// damage.
pub(super) fn objects(bytes: &[u8], options: ReadOptions) -> Option<Held> {
    let mut worst = None;
    // The class of the object whose properties come next.
    let mut last = String::new();
    let mut events = Document::with_options(bytes, options.with_objects(Objects::Inert)).events();
    while let Ok(Some(event)) = events.try_next() {
        let held = match event {
            Event::Value(value) | Event::Begin(value) => {
                let Some(class) = value
                    .as_object()
                    .and_then(|object| object.class()?.to_str().ok())
                else {
                    continue;
                };
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                if class.is_empty() || !class.bytes().all(is_name) {
                    continue;
                }
                class.clone_into(&mut last);
                let held = Held::of_class(class, code::is_script(class));
                Held {
                    offset: value.offset(),
                    ..held
                }
            }
            // The value of the property comes next. If it is null, there is no script.
            Event::Property(name) if name.as_bytes() == b"script" => {
                let at = events.position();
                let nil = bytes.get(at..at + 4) == Some(&[0; 4]);
                if nil {
                    continue;
                }
                Held {
                    offset: at,
                    ..Held::of_class(&last, true)
                }
            }
            _ => continue,
        };
        let is_code = held.state == ScanState::Code;
        worse(&mut worst, Some(held));
        if is_code {
            break;
        }
    }
    worst
}

/// Finds an object at any offset, as `decode_var(offset, true)` can read it. The object must have the type number, the
/// name of a class that starts with a capital letter, and the name of its first property.
fn anywhere(bytes: &[u8], options: ReadOptions) -> Option<Held> {
    let number = options.dialect().type_id(Kind::Object)?.0;
    let word = |at: usize| {
        let four = bytes.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*four) as usize)
    };
    let text = |at: usize| {
        let len = word(at).filter(|len| (2..=256).contains(len))?;
        let text = bytes.get(at + 4..at + 4 + len)?;
        text.iter()
            .all(|byte| (b'!'..=b'~').contains(byte))
            .then_some(text)
    };
    let object = |at: usize| {
        let class = text(at + 4).filter(|class| class[0].is_ascii_uppercase())?;
        let next = at + 8 + class.len().next_multiple_of(4);
        text(next + 4)?;
        let class = std::str::from_utf8(class).ok()?;
        Some(Held::of_class(class, code::is_script(class)))
    };
    memchr::memchr_iter(number, bytes).find_map(object)
}
