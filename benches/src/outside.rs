//! Entries that run in programs of their own and measure themselves: a Godot engine, packages of
//! Node.
//!
//! None of them is needed. If one is missing, a line on standard error says so.

pub(crate) mod engine;
pub(crate) mod npm;

use std::{fs, io, path::Path, process::Command};

/// Runs a program to its end; what it printed, or why there is nothing.
fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().last().unwrap_or_default();
    Err(format!("{program}: {}: {last}", output.status))
}

/// Writes blobs, each behind its length, as all programs here and the engine's round trip read
/// them.
pub(crate) fn write_blobs<'b>(
    file: &Path,
    blobs: impl Iterator<Item = &'b [u8]>,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for blob in blobs {
        bytes.extend((blob.len() as u32).to_le_bytes());
        bytes.extend(blob);
    }
    fs::write(file, bytes)
}
