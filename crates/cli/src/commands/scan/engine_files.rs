//! Files that an engine writes into `.godot` for itself. The game and the editor find them by their names. They name
//! scripts, but contain none. `testdata/scan` has the files that 4.6.3 wrote, and a proof of what 4.6.3 does with them.

use std::path::Path;

use super::{ScanState, code::Search};

/// A file that an engine writes into `.godot` for itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EngineFile {
    /// Maps names of classes in the game's code to scripts.
    ClassCache,
    /// Lists the native libraries that the game loads when it starts.
    ExtensionList,
    /// Stores what was open in the editor.
    Editor,
}

impl EngineFile {
    /// Recognizes a file by its path.
    pub(super) fn of(path: &Path) -> Option<EngineFile> {
        let is_in = |folder: &str| path.parent().is_some_and(|parent| parent.ends_with(folder));
        match path.file_name()?.to_str()? {
            "global_script_class_cache.cfg" => Some(EngineFile::ClassCache),
            "extension_list.cfg" => Some(EngineFile::ExtensionList),
            name if name.ends_with(".cfg") && is_in(".godot/editor") => Some(EngineFile::Editor),
            _ => None,
        }
    }

    /// Returns how the file is searched. Names of scripts inside the project are not findings.
    pub(super) fn search(self) -> Search {
        match self {
            EngineFile::ClassCache | EngineFile::Editor => Search::AsNames,
            EngineFile::ExtensionList => Search::AsText,
        }
    }

    /// Returns the finding that the file's purpose alone causes: its state, its code and its description.
    pub(super) fn finding(self, bytes: &[u8]) -> Option<(ScanState, &'static str, &'static str)> {
        let text = bytes.trim_ascii();
        match self {
            EngineFile::ClassCache if ![&b""[..], b"list=[]"].contains(&text) => Some((
                ScanState::Unread,
                "ClassCache",
                "names of classes: the game's code that uses one runs the script that is named for it here",
            )),
            EngineFile::ExtensionList if !text.is_empty() => Some((
                ScanState::Code,
                "Code",
                "native libraries that Godot loads when the game starts",
            )),
            _ => None,
        }
    }
}
