//! Scans one file and finds the verdict on it.

use std::{io, path::Path};

use gdvar_file::{
    Decision, PeelError, Undecided,
    records::{Framing, Record, records},
};
use gdvar_io::{Envelope, FileErrorKind, sniff};
use gdvar_view::{Document, Objects};

use super::{
    ScanState, ScannedFile,
    code::{self, Search},
    engine_files::EngineFile,
    held,
    inside::{self, Held, Inside},
    json, resource,
    settings::{self, FileUse},
    text,
    unpack::{TooLong, unpack},
};
use crate::{
    app::App,
    args::ObjectsArg,
    diagnose::{
        ambiguous,
        fault::{self, Fault},
        verdict,
    },
    input::{archive::is_archive, bytes::Input, layers, unopened::Unopened},
    terminal::exit::Exit,
};

/// The largest depth of files inside other files that is scanned. A game's container around a zstd file around values
/// has depth 2.
pub(super) const DEPTH: usize = 4;

/// Extensions of files that Godot or the system treats as code.
const CODE: [&str; 13] = [
    "gd",
    "gdc",
    "gde",
    "cs",
    "vs",
    "gdns",
    "gdnlib",
    "gdextension",
    "so",
    "dll",
    "dylib",
    "framework",
    "exe",
];

/// Extensions of files that Godot reads as text, whatever is in them.
const TEXT: [&str; 10] = [
    "cfg", "ini", "tres", "tscn", "godot", "import", "remap", "override", "escn", "txt",
];

/// Scans a file, and raises the exit code by its verdict.
pub(super) fn look(app: &mut App, file: &Path) -> io::Result<ScannedFile> {
    let mut seen = ScannedFile::clean(&file.display().to_string());
    let input = match Input::open(file) {
        Ok(input) => input,
        Err(error) => {
            app.fail(Exit::Io, &format!("{}: {error}", file.display()))?;
            seen.find(ScanState::Unread, "NotRead", "cannot be opened");
            return Ok(seen);
        }
    };
    look_into(app, &mut seen, file, input, 0)?;
    if app.global.objects == Some(ObjectsArg::Inert) && seen.state == ScanState::Objects {
        seen = ScannedFile::clean(&seen.file);
    }
    let exit = match seen.state {
        ScanState::Clean => Exit::Fine,
        // A file that is undecided or too long has raised the exit code already.
        ScanState::Unread => Exit::Findings,
        ScanState::Damaged => Exit::Malformed,
        ScanState::Objects | ScanState::Code => Exit::Refused,
    };
    app.exit.merge(exit);
    Ok(seen)
}

/// Scans a file. `depth` is the number of packages, archives and compressed files that contain the file.
pub(super) fn look_into(
    app: &mut App,
    seen: &mut ScannedFile,
    file: &Path,
    input: Input,
    depth: usize,
) -> io::Result<()> {
    let end = file.extension().unwrap_or_default().to_ascii_lowercase();
    let is_one_of = |ends: &[&str]| ends.iter().any(|one| end == *one);
    if is_one_of(&CODE) {
        seen.find(
            ScanState::Code,
            "Code",
            "the name makes Godot or the system take it for code",
        );
    }
    let own = EngineFile::of(file);
    let search = match own {
        Some(own) => own.search(),
        None if is_one_of(&TEXT) => Search::AsText,
        None => Search::ByContent,
    };
    if let Some((state, error, message)) = own.and_then(|own| own.finding(&input)) {
        seen.find(state, error, message);
    }
    // Packages and archives are searched file by file instead.
    if !input.starts_with(b"GDPC") && !is_archive(&input) {
        let purpose = FileUse::of(file);
        search_file(seen, &input, search, purpose, "");
    }
    Contents { app, seen }.file(input, depth)
}

/// Searches bytes for code, and reports it. `place` is appended to the message.
pub(super) fn search_code(seen: &mut ScannedFile, bytes: &[u8], search: Search, place: &str) {
    search_file(seen, bytes, search, FileUse::Other, place);
}

/// Like [`search_code`], for a file that an engine uses for `purpose`. A text that can be read to its end is judged by
/// its values, and searched for constructors alone, which a game may read from a text in it.
fn search_file(
    seen: &mut ScannedFile,
    bytes: &[u8],
    search: Search,
    purpose: FileUse,
    place: &str,
) {
    let mut report = |held: Held| {
        if seen.find(held.state, held.error, &format!("{}{place}", held.message)) {
            seen.offset = place.is_empty().then_some(held.offset);
        }
    };
    let found = code::find(bytes, search);
    let is_call = found.as_ref().is_some_and(|code| code.is_call);
    match text::find(bytes, purpose) {
        Ok(held) if !is_call => held.into_iter().for_each(report),
        _ => found.into_iter().for_each(|code| {
            report(Held {
                offset: code.offset,
                ..Held::new(ScanState::Code, "Code", code.what)
            });
        }),
    }
}

/// Reports that files are nested too deeply.
pub(super) fn too_deep(seen: &mut ScannedFile) {
    seen.find(
        ScanState::Unread,
        "TooDeep",
        "files in files, too deep to be looked at",
    );
}

/// Scans the contents of one file.
struct Contents<'a> {
    app: &'a mut App,
    seen: &'a mut ScannedFile,
}

impl Contents<'_> {
    fn file(&mut self, input: Input, depth: usize) -> io::Result<()> {
        if gdvar_resource::is_package(&input) {
            held::package(self.app, self.seen, &input, depth)?;
            // Goes on if the package is at the end of an executable, which is scanned itself too.
            if input.starts_with(b"GDPC") {
                return held::archive_after(self.app, self.seen, &input, depth);
            }
        }
        if is_archive(&input) {
            return held::archive(self.app, self.seen, &input, depth);
        }
        let usual = gdvar_io::Limits::unpacking(input.len()).max_len;
        let most = self.app.global.max_unpacked.unwrap_or(usual);
        match unpack(&input, u64::from(most)) {
            Some(_) if depth == DEPTH => {
                too_deep(self.seen);
                return Ok(());
            }
            Some(Ok(contents)) => {
                search_code(self.seen, &contents, Search::ByContent, " (unpacked)");
                let unpacked = Input::of(&input.name, contents);
                return self.file(unpacked, depth + 1);
            }
            Some(Err(TooLong)) => {
                self.app.exit.merge(Exit::Ambiguous);
                self.seen.find(
                    ScanState::Unread,
                    "TooLong",
                    "more is packed in it than is unpacked; if you trust it, allow it with --max-unpacked",
                );
                return Ok(());
            }
            None => {}
        }
        if sniff(&input) == Envelope::Script {
            self.seen.find(ScanState::Code, "Code", "a compiled script");
        }
        let input = match self.app.contents(input)? {
            Ok(input) => input,
            Err(unopened) => {
                self.unopened(&unopened);
                return Ok(());
            }
        };
        if layers::are_resource(&input.peeled.layers) {
            self.resource(&input);
            return Ok(());
        }
        // The engine makes objects of the JSON itself, and other programs read it as text.
        if let Some(text) = layers::json(&input.peeled.layers) {
            let text = Input::of(&input.name, text.to_vec());
            if input.peeled.layers.len() > 1 {
                search_code(self.seen, &text, Search::ByContent, " (unpacked)");
            }
            self.other_readings(&text, None);
            self.any_bytes(&text);
            self.json(&text);
            return Ok(());
        }
        if !input.peeled.layers.is_empty() {
            search_code(self.seen, &input, Search::ByContent, " (unpacked)");
            if let (Some(text), true) = (
                layers::text(&input.peeled.layers),
                input.peeled.layers.len() > 1,
            ) {
                search_code(self.seen, text.as_bytes(), Search::AsText, " (unpacked)");
            }
            if layers::missing(&input.peeled.layers).is_some() {
                self.seen
                    .find(ScanState::Unread, "Dropped", "settings that cannot be read");
            }
            for layer in &input.peeled.layers {
                self.any_bytes(&layer.header);
                self.any_bytes(&layer.trailer);
            }
            // The contents are packed again, which no engine does by itself.
            if unpack(&input, 1).is_some() || sniff(&input) != Envelope::Other {
                if depth < DEPTH {
                    let inner = Input::of(&input.name, input.to_vec());
                    return self.file(inner, depth + 1);
                }
                too_deep(self.seen);
            }
        }
        match self.app.decide(&input) {
            Ok(decision) => self.values(&input, &decision),
            Err(undecided) => self.undecided(&input, &undecided),
        }
        Ok(())
    }

    /// Reports a file whose layers cannot be taken off.
    fn unopened(&mut self, unopened: &Unopened) {
        let (mut exit, name) = unopened.exit_and_name();
        let state = match unopened {
            Unopened::Layer(PeelError::Locked) => {
                exit = Exit::Findings;
                ScanState::Unread
            }
            Unopened::Layer(PeelError::Bytes(error)) => match error.kind() {
                FileErrorKind::WrongKey | FileErrorKind::UnknownVersion { .. } => {
                    exit = Exit::Findings;
                    ScanState::Unread
                }
                FileErrorKind::TooLong { .. } => ScanState::Unread,
                _ => ScanState::Damaged,
            },
            Unopened::Layer(PeelError::Resource(error)) => resource::state_of(*error),
            Unopened::Layer(PeelError::TooDeep) => ScanState::Unread,
            Unopened::Layer(_) => ScanState::Damaged,
            Unopened::Secret(..) | Unopened::BadKey(_) | Unopened::Usage(_) => ScanState::Unread,
        };
        self.app.exit.merge(exit);
        self.seen.find(state, name, &unopened.words());
    }

    /// Searches a file whose dialect or framing is not clear, read in all possible ways. The verdict is never clean,
    /// unless the file is JSON.
    fn undecided(&mut self, input: &Input, undecided: &Undecided) {
        self.other_readings(input, None);
        self.any_bytes(input);
        let words = ambiguous::words(undecided);
        let (state, words) = match undecided {
            Undecided::Known(known) => match known.name {
                "Json" => return self.json(input),
                "Program" | "Script" => (ScanState::Code, words),
                "Blank" => (ScanState::Damaged, words),
                _ => (
                    ScanState::Unread,
                    format!("{words}: only searched for code"),
                ),
            },
            Undecided::Empty => (ScanState::Unread, words),
            Undecided::Framings(_) | Undecided::Header(_) | Undecided::Dialects(..) => {
                self.app.exit.merge(ambiguous::of_undecided(undecided));
                (ScanState::Unread, words)
            }
            _ => (ScanState::Damaged, words),
        };
        self.seen.find(state, undecided.name(), &words);
    }

    /// Searches bytes that are not a value but may contain values: after a long header, or compressed without a magic
    /// number.
    fn any_bytes(&mut self, bytes: &[u8]) {
        for dialect in self.app.global.dialect.candidates() {
            let options = self.app.options(dialect, Objects::Inert);
            let held = Inside::new(options, bytes.len()).bytes(bytes, 0);
            self.held(held, None, options);
        }
    }

    fn json(&mut self, input: &Input) {
        let options = self
            .app
            .options(gdvar_view::Dialect::GODOT_4, Objects::Deny);
        let mut inside = Inside::new(options, input.len());
        let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
        let text = std::str::from_utf8(text).unwrap_or_default();
        match json::find(text, &mut inside, 0) {
            Ok(held) => self.held(held, None, options),
            Err(error) => {
                let message = format!("JSON that is searched for code, not read: {error}");
                self.seen.find(ScanState::Unread, "Json", &message);
            }
        }
    }

    /// Scans the values of a file.
    fn values(&mut self, input: &Input, decision: &Decision) {
        let mut options = self.app.options(decision.dialect, Objects::Deny);
        // A text resource consists of objects, so objects alone are not a finding. Code is, and the text has been
        // searched for it.
        let is_text = layers::text(&input.peeled.layers).is_some();
        if is_text {
            options = options.with_objects(Objects::Inert);
        }
        let mut inside = Inside::new(options, input.len());
        if self.app.global.dialect.given().is_none() && !is_text {
            self.other_readings(input, Some(decision));
        }
        // A game may read the trailer, although no engine does. Zeros hold nothing, however many there are.
        if input.trailer().iter().any(|byte| *byte != 0) {
            self.any_bytes(input.trailer());
        }
        // A game that does not expect this header would read from the first byte.
        if !input.header().is_empty() {
            self.other_readings(&[input.header(), input].concat(), None);
        }
        if decision.framing.is_text() {
            search_code(self.seen, input, Search::ByContent, "");
        }
        for record in input.records(decision.framing) {
            let judged = verdict::judge(&record, options);
            match (judged.exit, judged.fault) {
                (Exit::Fine, _) => {}
                (Exit::Findings, None) => {
                    let names: Vec<_> = judged.changes.iter().map(|lost| lost.name()).collect();
                    let message = format!(
                        "the engine does not keep all of it ({}); gdvar check says where",
                        names.join(", ")
                    );
                    self.found(&record, ScanState::Unread, "Lost", &message);
                }
                (exit, Some(fault)) => self.fault(&record, exit, fault, options),
                (_, None) => {
                    self.found(
                        &record,
                        ScanState::Damaged,
                        "Unreadable",
                        "the record cannot be read",
                    );
                }
            }
            let held = inside.value(&record.bytes);
            self.held(held, Some(&record), options);
            let objects = inside::objects(&record.bytes, options)
                .filter(|held| !is_text || held.state == ScanState::Code);
            self.held(objects, Some(&record), options);
            if is_text {
                self.held(
                    resource::find(&record.bytes, options),
                    Some(&record),
                    options,
                );
            }
        }
        if self.seen.state == ScanState::Damaged {
            self.any_bytes(input);
        }
        if layers::are_settings(&input.peeled.layers) {
            self.settings(input, options);
        }
    }

    /// Scans a binary resource that could be read completely.
    fn resource(&mut self, input: &Input) {
        let Some(dialect) = input
            .peeled
            .layers
            .last()
            .and_then(gdvar_file::Layer::dialect)
        else {
            return;
        };
        let options = self.app.options(dialect, Objects::Inert);
        let Some(record) = input.records(Framing::Bare).next() else {
            return;
        };
        let mut inside = Inside::new(options, input.len());
        for held in [
            resource::find(&record.bytes, options),
            inside.value(&record.bytes),
        ] {
            self.held(held, Some(&record), options);
        }
        // The offset counts in the encoded value of the resource, not in the file.
        self.seen.offset = None;
    }

    /// Reports settings of a game that start something, or name a file outside of the game.
    fn settings(&mut self, input: &Input, options: gdvar_view::ReadOptions) {
        let root = Document::with_options(input, options.with_objects(Objects::Inert)).root();
        let Some(all) = root.ok().and_then(|root| root.as_dict()) else {
            return;
        };
        for (key, value) in all.iter().map_while(Result::ok) {
            let key = key.as_str().unwrap_or_default();
            let held = settings::find(key, value.raw().unwrap_or_default(), options);
            if let Some(held) = held {
                self.seen.find(held.state, held.error, &held.message);
            }
        }
    }

    /// Reports a record that cannot be read.
    fn fault(
        &mut self,
        record: &Record<'_>,
        exit: Exit,
        fault: Fault,
        options: gdvar_view::ReadOptions,
    ) {
        let state = match exit {
            Exit::Refused => ScanState::Objects,
            Exit::Findings => ScanState::Unread,
            // The value is nested deeper than allowed.
            Exit::Ambiguous => {
                self.app.exit.merge(exit);
                ScanState::Unread
            }
            _ => ScanState::Damaged,
        };
        let message = match fault {
            Fault::Read(_) if state == ScanState::Objects => {
                "an object, or the id of one".to_owned()
            }
            fault => fault::words(fault),
        };
        let document = Document::with_options(&record.bytes, options);
        if self.found(record, state, fault.name(), &message) {
            self.seen.offset = Some(fault.offset(record));
            self.seen.path = Some(fault.path(document));
        }
    }

    fn found(&mut self, record: &Record<'_>, state: ScanState, error: &str, message: &str) -> bool {
        let is_worse = self.seen.find(state, error, message);
        if is_worse {
            self.seen.record = Some(record.index);
        }
        is_worse
    }

    /// Reports a finding inside a value.
    fn held(
        &mut self,
        held: Option<Held>,
        record: Option<&Record<'_>>,
        options: gdvar_view::ReadOptions,
    ) {
        let Some(held) = held else { return };
        // The finding is the object that the verdict has reported already. It adds the class.
        let is_named = held.state == ScanState::Objects && self.seen.state == ScanState::Objects;
        if is_named
            && self.seen.class.is_none()
            && self.seen.record == record.map(|record| record.index)
        {
            self.seen.class = held.class;
            self.seen.message = held.message;
            return;
        }
        if !self.seen.find(held.state, held.error, &held.message) {
            return;
        }
        self.seen.class = held.class;
        if let Some(record) = record {
            let document =
                Document::with_options(&record.bytes, options.with_objects(Objects::Inert));
            self.seen.record = Some(record.index);
            self.seen.offset = Some(record.place.base() + held.offset);
            self.seen.path = Some(document.locate(held.offset).to_string());
        }
    }

    /// Searches the file for objects in every possible dialect and every binary framing, except the pair in `decision`,
    /// because nobody knows which engine and which call will read the file.
    fn other_readings(&mut self, input: &[u8], decision: Option<&Decision>) {
        for dialect in self.app.global.dialect.candidates() {
            let options = self.app.options(dialect, Objects::Inert);
            for framing in [Framing::Len32, Framing::Len32Be, Framing::Bare] {
                if decision.is_some_and(|decision| {
                    (decision.dialect, decision.framing) == (dialect, framing)
                }) {
                    continue;
                }
                for record in records(input, framing) {
                    let held = inside::objects(&record.bytes, options);
                    let held = held.map(|held| Held {
                        message: format!(
                            "{}, to {} as {}",
                            held.message,
                            dialect.title(),
                            framing.name()
                        ),
                        ..held
                    });
                    self.held(held, Some(&record), options);
                }
            }
        }
    }
}
