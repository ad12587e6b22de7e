//! Opens any bytes as a package. Nothing may panic, all files together must not be longer than the package,
//! and each file must be found by its path.

use gdvar_resource::Package;

use super::Input;
use crate::vectors::hex;

/// Opens the input, and reads all files.
///
/// # Panics
/// If the files together are longer than the package, a file is not found by its path, or an error
/// has an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let file = input.bytes;
    let package = match Package::open(file) {
        Ok(package) => package,
        Err(error) => {
            let is_inside = error.offset() <= file.len() as u64;
            return assert!(is_inside, "{error}: {}", hex(file));
        }
    };
    let mut left = file.len();
    for entry in package.entries() {
        if let Ok(bytes) = package.read(entry) {
            assert!(bytes.len() <= left, "{}", hex(file));
            left -= bytes.len();
        }
    }
    for entry in package.entries().iter().take(20) {
        let found = package.find(entry.path).expect("it is there");
        assert_eq!(found.path, entry.path, "{}", hex(file));
    }
}
