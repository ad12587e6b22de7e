//! Compares two paths: do they lead to the same file, perhaps by a symbolic or a hard link?

use std::path::Path;

/// Returns `true` if both paths lead to the same existing file. If `input` is `-`, compares standard input.
#[cfg(unix)]
pub(crate) fn is_same(input: &Path, output: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let input = match input == Path::new("-") {
        true => Path::new("/dev/stdin"),
        false => input,
    };
    let identity = |path: &Path| {
        let metadata = path.metadata().ok()?;
        metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
    };
    let known = identity(input);
    known.is_some() && known == identity(output)
}

/// Returns `true` if both paths lead to the same existing file.
#[cfg(not(unix))]
pub(crate) fn is_same(input: &Path, output: &Path) -> bool {
    let known = input.canonicalize().ok();
    known.is_some() && known == output.canonicalize().ok()
}
