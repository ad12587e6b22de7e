//! The names of methods in the scripts of `--project`: of a folder, or of the package of an exported game.

use std::{io, path::Path};

use gdvar_file::{Hints, LayerKind, forms, settings};
use gdvar_packet::names::Names;

use super::Failure;
use crate::{
    app::App,
    input::{bytes::Input, package::Holder},
    terminal::{exit::Exit, safe_text, words::plural},
};

/// The file with the settings of an exported game.
const EXPORTED: &str = "project.binary";
/// The file with the unique ids of an exported game's files.
const UID_CACHE: &str = ".godot/uid_cache.bin";

/// Reads the names of methods in `project`. Returns no names if it is `None`. Prints a note if files of a package
/// cannot be read.
///
/// # Errors
/// If the folder, the package or a file in the folder cannot be read.
pub(crate) fn names(app: &mut App, project: Option<&Path>) -> Result<Names, Failure> {
    let Some(path) = project else {
        return Ok(Names::default());
    };
    let shown = path.to_string_lossy();
    let shown = safe_text::safe_line(&shown);
    if !path.exists() {
        let text = format!(
            "--project {shown}: there is no such folder or file; name the folder that has project.godot, or the package (.pck, .zip) of an exported game"
        );
        return Err(Failure::Other(Exit::Io, text));
    }
    let names = match path.is_file() {
        true => of_package(app, path),
        false => Names::scan(path),
    };
    let what = format!("--project {shown}: the project's scripts cannot be read");
    names.map_err(|error| Failure::io(&what, &error))
}

/// Returns the names of methods in `file`, a package or an archive. Reads its scripts, its scenes, its settings and
/// its cache of unique ids. Prints one note if some of these files cannot be read.
fn of_package(app: &mut App, file: &Path) -> io::Result<Names> {
    let input = Input::open(file)?;
    let holder = Holder::open(&input)?;
    let mut files = Vec::new();
    let mut uids = Vec::new();
    let mut unread = Vec::new();
    for path in holder.all_paths() {
        let short = path.strip_prefix("res://").unwrap_or(path);
        if ![EXPORTED, UID_CACHE].contains(&short) && !Names::reads(short) {
            continue;
        }
        let read = holder.read(path);
        if let (Ok(cache), UID_CACHE) = (&read, short) {
            uids = gdvar_resource::uid_cache(cache);
            continue;
        }
        match read.and_then(|bytes| as_text(short, bytes)) {
            Ok(found) => files.push(found),
            Err(error) => unread.push(format!("{}: {error}", safe_text::short_name(short))),
        }
    }
    if let Some(first) = unread.first() {
        let count = plural(unread.len() as u64, "file");
        app.note(&format!(
            "{}: {count} with possible names of methods cannot be read, the first is {first}",
            file.display()
        ))?;
    }
    Ok(Names::of_files(files, uids))
}

/// Returns the path in the project and the bytes of a file. A binary scene and the settings become text.
fn as_text(path: &str, bytes: Vec<u8>) -> io::Result<(String, Vec<u8>)> {
    let other = |error: &dyn ToString| io::Error::other(error.to_string());
    let named = |path: &str, bytes| Ok((format!("res://{path}"), bytes));
    if path != EXPORTED && !path.ends_with(".scn") {
        return named(path, bytes);
    }
    let peeled = gdvar_file::peel(&bytes, &Hints::new());
    // The error of a layer has words only for the whole file.
    let peeled = peeled.map_err(|_| other(&"it is damaged, or of another format"))?;
    match peeled.layers.last().map(|layer| &layer.kind) {
        Some(LayerKind::Resource(resource)) => {
            let text = forms::to_text(resource, peeled.contents(&bytes));
            named(path, text.map_err(|error| other(&error))?.file)
        }
        Some(LayerKind::Project(project)) => {
            let text = settings::to_text(project, peeled.contents(&bytes));
            named("project.godot", text.map_err(|error| other(&error))?.file)
        }
        _ => named(path, bytes),
    }
}
