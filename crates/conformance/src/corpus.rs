//! Stores the inputs that fuzzing found and that are worth keeping. There is one archive per target,
//! named `TARGET_seed_corpus.zip` as services for continuous fuzzing expect it.

use std::{
    fs,
    io::{self, Cursor, Read, Write},
    path::{Path, PathBuf},
};

use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// The end of an archive's file name. The target's name precedes it.
pub const SUFFIX: &str = "_seed_corpus.zip";

/// Returns the folder `fuzz/` of the repository.
#[must_use]
pub fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// Returns the path of the archive that holds the inputs of fuzz target `target`.
#[must_use]
pub fn archive(target: &str) -> PathBuf {
    fuzz().join("corpus").join(format!("{target}{SUFFIX}"))
}

/// Reads an archive and returns the name and the bytes of each input.
///
/// # Errors
/// If the file is missing or is not an archive.
pub fn read(archive: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut archive = ZipArchive::new(Cursor::new(fs::read(archive)?))?;
    let mut inputs = Vec::with_capacity(archive.len());
    for n in 0..archive.len() {
        let mut file = archive.by_index(n)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        inputs.push((file.name().to_owned(), bytes));
    }
    Ok(inputs)
}

/// Writes the files of a folder as an archive and returns their number. Equal files make equal archives,
/// because the inputs are sorted by name and stored without a time.
///
/// # Errors
/// If the folder cannot be read or the archive cannot be written.
pub fn pack(folder: &Path, archive: &Path) -> io::Result<usize> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in &files {
        let name = file.file_name().unwrap_or_default();
        writer.start_file(name.to_string_lossy(), options)?;
        writer.write_all(&fs::read(file)?)?;
    }
    fs::write(archive, writer.finish()?.into_inner())?;
    Ok(files.len())
}

/// Creates a folder, writes the inputs of an archive into it as files, and returns their number.
///
/// # Errors
/// If the archive cannot be read, a name in it leads out of the folder, or a file cannot be written.
pub fn unpack(archive: &Path, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let inputs = read(archive)?;
    for (name, bytes) in &inputs {
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(io::Error::other(format!("{name} is not a plain file name")));
        }
        fs::write(folder.join(name), bytes)?;
    }
    Ok(inputs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_give_back_their_files_and_depend_on_nothing_else() {
        let folder = std::env::temp_dir().join(format!("gdvar-corpus-{}", std::process::id()));
        let (first, second) = (folder.join("first"), folder.join("second"));
        fs::create_dir_all(&first).expect("a folder");
        fs::write(first.join("b"), [0u8; 300]).expect("a file");
        fs::write(first.join("a"), b"").expect("a file");
        let (one, two) = (folder.join("one.zip"), folder.join("two.zip"));
        assert_eq!(pack(&first, &one).expect("an archive"), 2);
        assert_eq!(unpack(&one, &second).expect("files"), 2);
        assert_eq!(pack(&second, &two).expect("an archive"), 2);
        let expected = [("a".to_owned(), vec![]), ("b".to_owned(), vec![0u8; 300])];
        assert_eq!(read(&two).expect("inputs"), expected);
        assert_eq!(
            fs::read(&one).expect("bytes"),
            fs::read(&two).expect("bytes")
        );
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let folder = std::env::temp_dir().join(format!("gdvar-outside-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer
            .start_file("../outside", SimpleFileOptions::default())
            .expect("a file");
        let bytes = writer.finish().expect("an archive").into_inner();
        let archive = folder.join("hostile.zip");
        fs::write(&archive, bytes).expect("written");
        assert!(unpack(&archive, &folder.join("inside")).is_err());
        assert!(!folder.join("outside").exists());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
