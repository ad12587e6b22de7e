//! Packages and zip archives, which are scanned file by file. The worst finding in them becomes the finding of the
//! outer file, together with the name of the inner file.

use std::{io, path::Path};

use gdvar_io::Limits;
use gdvar_resource::Package;

use super::{
    ScanState, ScannedFile,
    code::{self, Search},
    look::{DEPTH, look_into, search_code, too_deep},
    resource,
};
use crate::{
    app::App,
    input::{
        archive::{Archive, ArchiveError},
        bytes::Input,
    },
    terminal::exit::Exit,
};

/// Scans all files of a package. `depth` is the number of packages, archives and compressed files that contain the
/// package.
pub(super) fn package(
    app: &mut App,
    seen: &mut ScannedFile,
    input: &Input,
    depth: usize,
) -> io::Result<()> {
    let package = match Package::open(input) {
        Ok(package) if depth < DEPTH => package,
        Ok(_) => {
            too_deep(seen);
            return Ok(());
        }
        Err(error) => {
            let state = resource::state_of(error);
            seen.find(state, error.kind().name(), &error.kind().to_string());
            return Ok(());
        }
    };
    for entry in package.entries().iter().filter(|entry| !entry.is_removed) {
        let mut own = ScannedFile::clean(entry.path);
        match package.read(entry) {
            Ok(bytes) => {
                let file = Input::of(entry.path, bytes.to_vec());
                look_into(app, &mut own, Path::new(entry.path), file, depth + 1)?;
            }
            Err(error) => {
                let state = resource::state_of(error);
                own.find(state, error.kind().name(), &error.kind().to_string());
            }
        }
        keep(seen, own);
    }
    Ok(())
}

/// Scans all files of a zip archive. `depth` is the number of packages, archives and compressed files that contain the
/// archive. The limit for unpacking applies to all files of the archive together.
pub(super) fn archive(
    app: &mut App,
    seen: &mut ScannedFile,
    input: &Input,
    depth: usize,
) -> io::Result<()> {
    let archive = match Archive::open(input) {
        Ok(archive) if depth < DEPTH => archive,
        Ok(_) => {
            too_deep(seen);
            return Ok(());
        }
        Err(error) => {
            // The archive cannot be opened, so its bytes are searched as they are.
            search_code(seen, input, Search::ByContent, "");
            refuse(app, seen, &error);
            return Ok(());
        }
    };
    let usual = Limits::unpacking(input.len()).max_len;
    let mut left = u64::from(app.global.max_unpacked.unwrap_or(usual));
    for entry in archive.entries() {
        let mut own = ScannedFile::clean(&entry.path);
        match archive.read(entry, left) {
            Ok(bytes) => {
                left -= bytes.len() as u64;
                let file = Input::of(&entry.path, bytes);
                look_into(app, &mut own, Path::new(&entry.path), file, depth + 1)?;
            }
            Err(error) => refuse(app, &mut own, &error),
        }
        if code::is_outside(&entry.path) {
            own.find(
                ScanState::Unread,
                "OutsidePath",
                "a path that leads out of the folder that the archive is unpacked to",
            );
        }
        keep(seen, own);
    }
    Ok(())
}

fn refuse(app: &mut App, seen: &mut ScannedFile, error: &ArchiveError) {
    let state = match error {
        ArchiveError::Damaged(_) => ScanState::Damaged,
        ArchiveError::TooLong(_) => {
            app.exit.merge(Exit::Ambiguous);
            ScanState::Unread
        }
        ArchiveError::Choice(_) | ArchiveError::Encrypted | ArchiveError::Method(_) => {
            ScanState::Unread
        }
    };
    seen.find(state, error.name(), &error.to_string());
}

/// Makes the finding of an inner file the finding of the outer file, if it is worse.
fn keep(seen: &mut ScannedFile, own: ScannedFile) {
    let message = format!("{}: {}", own.file, own.message);
    if seen.find(own.state, &own.error, &message) {
        seen.record = own.record;
        seen.path = own.path;
        seen.class = own.class;
    }
}
