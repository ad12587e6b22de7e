//! Reads any bytes as a `project.binary`. Nothing may panic, and settings must be the same after they are
//! written and read again.

use gdvar_io::project::{Project, ProjectWriter};

use super::Input;
use crate::vectors::hex;

/// Reads the bytes as a file, and writes the settings again.
///
/// # Panics
/// If settings differ after they were written and read, or an error has an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let file = input.bytes;
    let mut project = match Project::open(file) {
        Ok(project) => project,
        Err(error) => return assert!(error.offset() <= file.len() as u64, "{error}"),
    };
    let (mut entries, mut failed) = (Vec::new(), false);
    // A setting takes at least eight bytes, its two lengths, so this number of steps is enough.
    for _ in 0..=file.len() / 8 + 1 {
        match project.try_next() {
            Ok(None) => break,
            Ok(Some(entry)) => {
                assert_eq!(&file[entry.offset..][..entry.bytes.len()], entry.bytes);
                let _ = entry.value(input.rules.options());
                entries.push(entry);
            }
            Err(error) => {
                assert!(error.offset() <= file.len() as u64, "{error}");
                failed = true;
            }
        }
    }
    assert!(matches!(project.try_next(), Ok(None)), "{}", hex(file));
    let mut writer = ProjectWriter::new(input.rules.dialect);
    for entry in &entries {
        writer.setting_bytes(entry.key, entry.bytes);
    }
    let again = writer.finish();
    if !failed {
        // The file may have bytes after the last setting. They are not written.
        assert!(file.starts_with(&again), "{}", hex(file));
    }
    let read: Result<Vec<_>, _> = Project::open(&again).expect("it was written").collect();
    let read = read.expect("it was written");
    assert_eq!(read.len(), entries.len(), "{}", hex(file));
    for (new, old) in read.iter().zip(&entries) {
        assert_eq!((new.key, new.bytes), (old.key, old.bytes));
    }
}
