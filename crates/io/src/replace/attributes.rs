//! What a new file takes from the old one besides its name: owner, permissions, extended
//! attributes.

use std::{
    fs::{File, Metadata},
    io,
    path::Path,
};

/// Gives a new file the owner, group, permissions and extended attributes of the old one.
pub(super) fn keep(new: &File, old: &Path, about: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    keep_owner(new, about)?;
    new.set_permissions(about.permissions())?;
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    keep_extended(new, old)?;
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    let _ = old;
    Ok(())
}

/// Gives a new file the owner and group of the old one, so that a game can still write a save that
/// another user has converted. Only root may always do that. If the system refuses, the file keeps
/// the owner that it was created with.
#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let own = new.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    Ok(())
}

/// Gives a new file the extended attributes of the old one, such as tags of file managers and
/// access lists. Attributes of the system (`security.*`, `trusted.*`) are kept if the system allows
/// it.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn keep_extended(new: &File, old: &Path) -> io::Result<()> {
    use rustix::{
        fs::{XattrFlags, fsetxattr, getxattr, listxattr},
        io::Errno,
    };

    let mut names = Vec::new();
    match whole(&mut names, |names| listxattr(old, names)) {
        Err(Errno::NOTSUP) => return Ok(()),
        listed => listed?,
    }
    let mut value = Vec::new();
    for name in names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
    {
        let kept = whole(&mut value, |value| getxattr(old, name, value))
            .and_then(|()| fsetxattr(new, name, &value, XattrFlags::empty()));
        let is_systems = name.starts_with(b"security.") || name.starts_with(b"trusted.");
        if let (Err(error), false) = (kept, is_systems) {
            let name = String::from_utf8_lossy(name);
            return Err(io::Error::other(format!(
                "its extended attribute {name} cannot be given to the new file: {error}"
            )));
        }
    }
    Ok(())
}

/// Fills `buffer` by a system call, with a larger buffer each time the call refuses it as too
/// small.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn whole(
    buffer: &mut Vec<u8>,
    mut call: impl FnMut(&mut [u8]) -> rustix::io::Result<usize>,
) -> rustix::io::Result<()> {
    let mut size = 256;
    loop {
        buffer.clear();
        buffer.resize(size, 0);
        match call(buffer) {
            Ok(len) => {
                buffer.truncate(len);
                return Ok(());
            }
            // No system has larger attributes.
            Err(rustix::io::Errno::RANGE) if size < 1 << 30 => size *= 4,
            Err(error) => return Err(error),
        }
    }
}
