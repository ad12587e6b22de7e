//! Whether a record can be read to its end.

use gdvar_file::records::{Place, Record};
use gdvar_view::{Dialect, Document, Error, Mode, ReadOptions, VariantRef};

use crate::{diagnose::fault::Fault, terminal::progress::Progress};

/// The outermost value of a record. Only its head is known to be readable.
pub(crate) fn root<'r>(
    record: &'r Record<'_>,
    options: ReadOptions,
) -> Result<VariantRef<'r>, Fault> {
    match record.problem {
        Some(problem) => Err(Fault::Problem(problem)),
        None => { Document::with_options(&record.bytes, options).root() }.map_err(Fault::Read),
    }
}

/// Reads a record to its end; returns how many bytes the value takes.
pub(crate) fn read(
    record: &Record<'_>,
    options: ReadOptions,
    progress: &Progress,
) -> Result<usize, Fault> {
    if let Some(problem) = record.problem {
        return Err(Fault::Problem(problem));
    }
    let end = walk(record, options, progress).map_err(Fault::Read)?;
    if record.cut.is_some() {
        return Err(Fault::Read(end_error(record)));
    }
    Ok(end)
}

/// The error of a record whose value is whole but whose length promises more: the engine refuses that.
pub(crate) fn end_error(record: &Record<'_>) -> Error {
    let end = record.bytes.len();
    match Document::new(&[], Dialect::GODOT_4).validate() {
        Err(error) => error.at(end),
        Ok(_) => unreachable!("no bytes are not a value"),
    }
}

/// Reads the value of a record to its end; returns how many bytes it takes.
fn walk(record: &Record<'_>, options: ReadOptions, progress: &Progress) -> Result<usize, Error> {
    let document = Document::with_options(&record.bytes, options);
    if options.mode() == Mode::Engine {
        // Needs no progress bar: a gigabyte takes less than a second.
        return document.validate();
    }
    let mut events = document.events();
    while events.try_next()?.is_some() {
        // Lines of text are short, and offsets in them are not offsets in the file.
        if let Place::Byte(start) = record.place {
            progress.at(start + events.position());
        }
    }
    Ok(events.position())
}
