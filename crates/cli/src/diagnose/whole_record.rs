//! Checks whether a record can be read completely.

use gdvar_file::records::{Place, Record};
use gdvar_view::{Document, Error, Mode, ReadOptions, VariantRef};

use crate::{diagnose::fault::Fault, terminal::progress::Progress};

/// Returns the outermost value of a record. Only its head has been checked.
pub(crate) fn root<'r>(
    record: &'r Record<'_>,
    options: ReadOptions,
) -> Result<VariantRef<'r>, Fault> {
    match record.problem {
        Some(problem) => Err(Fault::Problem(problem)),
        None => { Document::with_options(&record.bytes, options).root() }.map_err(Fault::Read),
    }
}

/// Reads a record completely. Returns the number of bytes of its value.
pub(crate) fn read(
    record: &Record<'_>,
    options: ReadOptions,
    progress: &Progress,
) -> Result<usize, Fault> {
    if let Some(problem) = record.problem {
        return Err(Fault::Problem(problem));
    }
    let end = walk(record, options, progress).map_err(Fault::Read)?;
    record.end().map_err(Fault::Read)?;
    Ok(end)
}

/// Reads the value of a record completely. Returns its number of bytes.
fn walk(record: &Record<'_>, options: ReadOptions, progress: &Progress) -> Result<usize, Error> {
    let document = Document::with_options(&record.bytes, options);
    if options.mode() == Mode::Engine {
        // Shows no progress, because a gigabyte takes less than a second.
        return document.validate();
    }
    let mut events = document.events();
    while events.try_next()?.is_some() {
        // Shows no progress for lines of text: they are short, and their offsets are not offsets in the file.
        if let Place::Byte(start) = record.place {
            progress.at(start + events.position());
        }
    }
    Ok(events.position())
}
