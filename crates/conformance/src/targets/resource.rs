//! Opens any bytes as a binary resource. Nothing may panic, an opened resource must become one whole value of
//! bounded size, and every offset of an error must be inside the bytes.

use gdvar::{Document, Objects, ReadOptions};
use gdvar_resource::{Dialect, ErrorKind, Limits, Resource};

use super::Input;
use crate::vectors::hex;

/// The most bytes that an input may unpack to, or that its value may take. Beyond the limit, opening or
/// encoding the input is an error, which [`run`] accepts.
const LIMITS: Limits = Limits::new(1 << 20);

/// Opens the input, and encodes it.
///
/// # Panics
/// If an opened resource does not become one whole value, or an error has an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let file = input.bytes;
    let resource = match Resource::open(file, LIMITS) {
        Ok(resource) => resource,
        Err(error) => {
            // In a compressed resource, offsets refer to the unpacked contents.
            let most = if file.starts_with(b"RSCC") {
                1 << 20
            } else {
                file.len() as u64
            };
            // `NotHere` has the offset that the table gives for the resource, which may be anything.
            let is_inside = error.offset() <= most;
            let is_elsewhere = matches!(error.kind(), ErrorKind::NotHere { .. });
            assert!(is_inside || is_elsewhere, "{error}: {}", hex(file));
            return;
        }
    };
    let mut properties = 0;
    for index in 0..resource.internals().len() {
        let mut body = resource.properties(index).expect("a body");
        while body.try_next().expect("it was read").is_some() {
            properties += 1;
        }
    }
    assert!(4 * properties <= resource.contents().len(), "{}", hex(file));
    let value = match resource.encode(LIMITS) {
        Ok(value) => value,
        Err(error) => {
            let kinds = [
                ErrorKind::TooLong { limit: 1 << 20 },
                ErrorKind::NotInEngine,
            ];
            return assert!(kinds.contains(&error.kind()), "{error}: {}", hex(file));
        }
    };
    let dialect: Dialect = resource.dialect();
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let len = Document::with_options(&value, options).validate();
    assert_eq!(len, Ok(value.len()), "{}", hex(file));
}
