//! Validates a value at a depth, and makes the errors for missing and surplus bytes.

use gdvar_view::{Document, Error as ReadError, ErrorKind, Limits, ReadOptions};

/// Returns the options for a value inside `depth` containers: the depth limit is reduced by `depth`.
pub(super) fn at_depth(options: ReadOptions, depth: u16) -> Result<ReadOptions, ReadError> {
    let Some(max_depth) = options.max_depth().checked_sub(depth) else {
        // An array inside an array. Read with a limit of 0, it gives the error for too much depth.
        const NESTED: &[u8] = b"\x1c\0\0\0\x01\0\0\0\0\0\0\0";
        let none = ReadOptions::new(gdvar_view::Dialect::GODOT_4)
            .with_limits(Limits::ENGINE.with_max_depth(0));
        return Err(error_of(NESTED, none));
    };
    Ok(options.with_limits(Limits::ENGINE.with_max_depth(max_depth)))
}

/// Returns the end of the value at the start of `bytes`, inside `depth` containers, or its first error.
pub(super) fn whole(bytes: &[u8], options: ReadOptions, depth: u16) -> Result<usize, ReadError> {
    let document = Document::with_options(bytes, at_depth(options, depth)?);
    match document.validate() {
        // Strict mode checks last for bytes after the value. They are no error here.
        Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => Ok(error.offset()),
        end => end,
    }
}

/// Returns the number of padding bytes that are missing after a value that ends at `end`. In Godot 2 it is 0,
/// because NodePaths are not padded and a value may end at any offset.
pub(super) fn padding(end: usize, options: ReadOptions) -> usize {
    match options.dialect().has_old_node_paths() {
        true => 0,
        false => end.next_multiple_of(4) - end,
    }
}

/// Returns the error that strict mode gives for `count` surplus bytes after a value.
pub(super) fn trailing(count: usize) -> Option<ReadError> {
    let null = vec![0; count + 4];
    let document = Document::new(&null, gdvar_view::Dialect::GODOT_4);
    document.strict().validate().err()
}

/// Returns the error for bytes that end at `at`.
pub(super) fn truncated(at: usize) -> ReadError {
    error_of(&[], ReadOptions::new(gdvar_view::Dialect::GODOT_4)).at(at)
}

fn error_of(bytes: &[u8], options: ReadOptions) -> ReadError {
    match Document::with_options(bytes, options).validate() {
        Err(error) => error,
        Ok(_) => unreachable!("these bytes are not a value"),
    }
}
