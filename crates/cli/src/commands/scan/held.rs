//! Packages and zip archives, which are scanned file by file. The worst finding in them becomes the finding of the
//! outer file, together with the name of the inner file.

use std::{io, path::Path};

use gdvar_io::Limits;
use gdvar_resource::Package;
use memchr::memmem;

use super::{
    ScanState, ScannedFile,
    code::{self, Search},
    look::{DEPTH, look_into, search_code, too_deep},
    resource,
};
use crate::{
    app::App,
    input::{
        archive::{Archive, ArchiveError, is_archive},
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

/// The largest distance of the end record of a zip archive from the end of the file.
const NEAR_THE_END: usize = 22 + 0xffff;

/// Scans the zip archive that the bytes of a package also are: an engine finds an archive by its end, whatever is in
/// front. Does nothing if the end belongs to a zip archive that is a whole file of the package, which is scanned as such.
pub(super) fn archive_after(
    app: &mut App,
    seen: &mut ScannedFile,
    input: &Input,
    depth: usize,
) -> io::Result<()> {
    let near = input.len().saturating_sub(NEAR_THE_END);
    let Some(end) = memmem::rfind(&input[near..], b"PK\x05\x06").map(|at| near + at) else {
        return Ok(());
    };
    if let Ok(package) = Package::open(input) {
        let is_whole_file = package.entries().iter().any(|entry| {
            let from = usize::try_from(entry.offset).unwrap_or(usize::MAX);
            from <= end
                && end as u64 - entry.offset < entry.size
                && input.get(from..).is_some_and(is_archive)
        });
        if is_whole_file {
            return Ok(());
        }
    }
    seen.find(
        ScanState::Unread,
        "AmbiguousArchive",
        "a package that is a zip archive too; unpack both of them",
    );
    let start = memmem::find(input, b"PK\x03\x04").unwrap_or(end);
    let inner = Input::of(&input.name, input[start..].to_vec());
    archive(app, seen, &inner, depth)
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
