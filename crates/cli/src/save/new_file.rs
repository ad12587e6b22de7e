//! Writes files that are not there yet, and replaces none.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// Writes `bytes` into a new file at `path`. Removes the file if not all of the bytes can be written. Does not wait for
/// the disk, as an [`Output`](crate::save::output::Output) does: a command may write thousands of such files.
///
/// # Errors
/// Returns the error of the system, `AlreadyExists` if something is there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    let written = file.write_all(bytes);
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}
