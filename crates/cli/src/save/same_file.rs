//! Compares paths: do they lead to the same file, perhaps by a symbolic or a hard link?

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// Returns `true` if both paths lead to the same existing file. If `input` is `-`, compares standard input.
pub(crate) fn is_same(input: &Path, output: &Path) -> bool {
    first(&[input.to_owned()], &[output.to_owned()]).is_some()
}

/// Returns the first of `inputs` that is the same existing file as one of `outputs`. An input of `-` is standard input.
pub(crate) fn first<'i>(inputs: &'i [PathBuf], outputs: &[PathBuf]) -> Option<&'i Path> {
    let known: HashSet<_> = outputs.iter().filter_map(|path| identity(path)).collect();
    // There may be millions of inputs. Without an existing output none of them is looked up.
    let inputs = inputs.iter().filter(|_| !known.is_empty());
    let mut same = inputs.filter(|path| {
        let path = match cfg!(unix) && path.as_os_str() == "-" {
            true => Path::new("/dev/stdin"),
            false => path,
        };
        identity(path).is_some_and(|one| known.contains(&one))
    });
    same.next().map(PathBuf::as_path)
}

/// Returns what two paths to the same file have in common. `None` if there is no file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata().ok()?;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

/// Returns what two paths to the same file have in common. `None` if there is no file.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|path| path.is_file())
}
