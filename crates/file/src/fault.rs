//! [`Fault`]: the reason why a record cannot be read.

use gdvar_view::{Dialect, Document, Error, ReadOptions};

use crate::records::{Place, Problem, Record};

/// The reason why a record cannot be read.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// The value cannot be read. The error's offset is relative to the start of the value.
    Read(Error),
    /// The record could not be cut out of the file, because of its length or its line of text.
    Problem(Problem),
}

impl Fault {
    /// Returns the stable name that programs read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fault::Read(error) => error.kind().name(),
            Fault::Problem(problem) => problem.name(),
        }
    }

    /// Returns the offset from the start of the file. For lines of text, returns the offset in the value.
    #[must_use]
    pub fn offset(self, record: &Record<'_>) -> usize {
        match self {
            Fault::Read(error) => error.offset() + record.place.base(),
            Fault::Problem(problem) => problem.offset(),
        }
    }

    /// Returns the path of the place in `document`, the record, at which the value cannot be read. For a [`Problem`],
    /// returns `$`.
    #[must_use]
    pub fn path(self, document: Document<'_>) -> String {
        match self {
            Fault::Read(error) => document.locate(error.offset()).to_string(),
            Fault::Problem(_) => "$".to_owned(),
        }
    }

    /// Returns a sentence for people. It names the line of a text; otherwise, [`Fault::offset`] has the place.
    #[must_use]
    pub fn message(self, record: &Record<'_>) -> String {
        match (self, record.cut, record.place) {
            (Fault::Read(error), Some(len), _) if error.is_truncated() => format!(
                "record {} is cut: its length says {len} bytes, and the file ends after {} of them",
                record.index,
                record.bytes.len()
            ),
            (Fault::Read(error), _, _) => error.kind().to_string(),
            (Fault::Problem(problem), _, Place::Line(line)) => format!("line {line}: {problem}"),
            (Fault::Problem(problem), _, Place::Byte(_)) => problem.to_string(),
        }
    }
}

impl Record<'_> {
    /// Reads the record to its end, as the engine does. Returns the length of its value in bytes.
    ///
    /// # Errors
    /// Returns why the record cannot be read. A record that the end of the file cuts is unreadable even if its value
    /// is complete, because the engine refuses it.
    pub fn read(&self, options: ReadOptions) -> Result<usize, Fault> {
        if let Some(problem) = self.problem {
            return Err(Fault::Problem(problem));
        }
        let document = Document::with_options(&self.bytes, options);
        let end = document.validate().map_err(Fault::Read)?;
        self.end().map_err(Fault::Read)?;
        Ok(end)
    }

    /// Returns the record's value, for readers that read it only as far as they need it. What is wrong inside the
    /// value is not found here, unless the file ends before the record does.
    ///
    /// # Errors
    /// Fails if the record could not be cut out of the file, or if its value is complete, but its length takes in all
    /// that comes after.
    pub fn value(&self, options: ReadOptions) -> Result<Document<'_>, Fault> {
        if let Some(problem) = self.problem {
            return Err(Fault::Problem(problem));
        }
        let document = Document::with_options(&self.bytes, options);
        // A value that ends early says so itself.
        if self.cut.is_some() && document.validate().is_ok() {
            self.end().map_err(Fault::Read)?;
        }
        Ok(document)
    }

    /// Checks that the file does not end before the record does.
    ///
    /// # Errors
    /// Returns an error at the end of the bytes if it does.
    pub fn end(&self) -> Result<(), Error> {
        // No bytes are not a value: the error is that of the end.
        match Document::new(&[], Dialect::GODOT_4).validate() {
            Err(error) if self.cut.is_some() => Err(error.at(self.bytes.len())),
            _ => Ok(()),
        }
    }
}
