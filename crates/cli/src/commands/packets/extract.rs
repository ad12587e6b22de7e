//! `--extract`: writes packets into files.

use std::{fs, io, path::Path};

use gdvar_packet::SessionEvent;

use super::{Failure, line};
use crate::{save::new_file, terminal::exit::Exit};

/// Writes a packet into its own file: `000012-CALL-hit.bin`. Existing files are not overwritten, and no
/// part of a packet is left.
pub(super) fn extract(
    folder: &Path,
    number: u64,
    item: &SessionEvent<'_>,
    method: Option<&str>,
) -> Result<(), Failure> {
    if number == 1 {
        let made = fs::create_dir_all(folder);
        made.map_err(|error| Failure::io(&folder.display().to_string(), &error))?;
    }
    let mut name = format!("{number:06}-{}", item.message.name());
    if let Some(method) = line::method(item, method) {
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        let method: String = method.chars().filter(|c| plain(*c)).take(64).collect();
        name = format!("{name}-{method}");
    }
    let path = folder.join(name + ".bin");
    new_file::write(&path, item.bytes).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let text = format!(
                "{} exists already and is not overwritten; name another folder with --extract",
                path.display()
            );
            Failure::Other(Exit::Io, text)
        }
        _ => Failure::io(&path.display().to_string(), &error),
    })
}
