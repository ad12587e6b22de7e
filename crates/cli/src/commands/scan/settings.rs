//! Judges the settings of a game, and the files that say which file the engine loads instead of another one.

use std::path::Path;

use gdvar_view::{Document, Event, Objects, ReadOptions};

use super::{
    ScanState,
    engine_files::EngineFile,
    inside::{Held, worse},
    paths::{self, Leads},
    resource,
};

const STARTS: &str = "starts a script or a scene with the game";
const OUTSIDE: &str = "names a file outside of the game, which Godot loads when the game starts";
const BY_UID: &str = "names another file that Godot finds by its uid";
const MORE: &str = "names another file of settings, which change these";

/// What an engine uses a file for, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileUse {
    /// The settings of a game, or changes of them.
    Settings,
    /// Says which file is loaded instead of the one beside it.
    Remap,
    /// A file of the engine that only names scripts.
    Names,
    Other,
}

impl FileUse {
    /// Recognizes a file by its path.
    pub(super) fn of(file: &Path) -> FileUse {
        if EngineFile::of(file).is_some() {
            return FileUse::Names;
        }
        let lower = |part: Option<&std::ffi::OsStr>| {
            part.unwrap_or_default()
                .to_string_lossy()
                .to_ascii_lowercase()
        };
        match (&*lower(file.file_name()), &*lower(file.extension())) {
            ("override.cfg", _) | (_, "godot") => FileUse::Settings,
            (_, "import" | "remap") => FileUse::Remap,
            _ => FileUse::Other,
        }
    }
}

/// Settings whose paths an engine only writes to, or reads as bytes.
const NOT_LOADED: [&str; 2] = [
    "debug/file_logging/log_path",
    "network/tls/certificate_bundle_override",
];

/// The setting that names another file of settings.
const OVERRIDE: &str = "application/config/project_settings_override";

/// Returns `true` if a setting with this name starts a file with the game.
pub(super) fn starts(key: &str) -> bool {
    is_autoload(key) || key.starts_with("application/run/main_scene") || key.starts_with(OVERRIDE)
}

fn is_autoload(key: &str) -> bool {
    ["autoload/", "autoload_prepend/"]
        .iter()
        .any(|start| key.starts_with(start))
}

/// Returns the finding for a setting of a game: its name, with its section in front, and its encoded value.
pub(super) fn find(key: &str, value: &[u8], options: ReadOptions) -> Option<Held> {
    let finding = |state, error, what: &str| Some(Held::new(state, error, format!("{key} {what}")));
    let mut worst = None;
    each_text(value, options, |text| {
        let path = text.trim_start().trim_start_matches('*');
        let found = match Leads::of(path) {
            _ if path.is_empty() => None,
            _ if is_autoload(key) => finding(ScanState::Code, "Code", STARTS),
            _ if NOT_LOADED.iter().any(|name| key.starts_with(name)) => None,
            Leads::Outside => finding(ScanState::Code, "Code", OUTSIDE),
            Leads::ByUid => finding(ScanState::Unread, "Uid", BY_UID),
            Leads::Inside if key.starts_with(OVERRIDE) => {
                finding(ScanState::Unread, "Settings", MORE)
            }
            Leads::Inside => None,
        };
        worse(&mut worst, found);
    });
    worst
}

/// Returns the finding for an entry of the section `remap`, by its name and its encoded value.
pub(super) fn remap(name: &str, value: &[u8], options: ReadOptions) -> Option<Held> {
    if name != "path" && !name.starts_with("path.") {
        return None;
    }
    let mut worst = None;
    each_text(value, options, |text| {
        let found = resource::of_path(text);
        let found = found.map(Held::from);
        worse(&mut worst, found);
    });
    worst
}

/// Returns `true` if a text is a path with a scheme, or an absolute one. Other texts are words that may end like a path.
pub(super) fn is_full_path(text: &str) -> bool {
    let path = text.trim_start().trim_start_matches('*');
    path.starts_with("res://") || Leads::of(path) != Leads::Inside
}

/// Calls `judge` with each text in an encoded value, also those in containers.
fn each_text(value: &[u8], options: ReadOptions, mut judge: impl FnMut(&str)) {
    let options = options.with_objects(Objects::Inert);
    let mut events = Document::with_options(value, options).events();
    while let Ok(Some(event)) = events.try_next() {
        let Event::Value(value) = event else { continue };
        paths::each_text(value, &mut judge);
    }
}
