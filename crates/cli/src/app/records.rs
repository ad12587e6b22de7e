//! The loop over a file's records, which most commands share.

use std::io;

use gdvar_file::{Decision, records::Record};
use gdvar_json::WriteError;
use gdvar_view::{Dialect, Error, ReadOptions};

use super::App;
use crate::{diagnose::fault::Fault, input::bytes::Input};

/// Why a command stops working on a record.
pub(crate) enum Stop {
    /// The record cannot be read. The fault is reported, and the loop continues with the next record.
    Fault(Fault),
    /// The command needs nothing more from this file.
    Enough,
    /// The results cannot be written.
    Output(io::Error),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Fault(Fault::Read(error))
    }
}

impl From<WriteError> for Stop {
    fn from(error: WriteError) -> Stop {
        match error {
            WriteError::Read(error) => error.into(),
            WriteError::Io(error) => error.into(),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

impl App {
    /// Calls `one` with each record, and reports each fault that `one` returns. `options` is [`App::showing`] or
    /// [`App::inert`].
    pub(crate) fn each_record<'a>(
        &mut self,
        (input, decision): (&'a Input, &Decision),
        records: impl Iterator<Item = Record<'a>>,
        options: impl Fn(&App, Dialect, &[u8]) -> ReadOptions,
        mut one: impl FnMut(&mut App, &Record<'a>, ReadOptions) -> Result<(), Stop>,
    ) -> io::Result<()> {
        for record in records {
            let options = options(self, decision.dialect, &record.bytes);
            match one(self, &record, options) {
                Err(Stop::Enough) => break,
                result => self.report_stop((input, decision), &record, options, result)?,
            }
        }
        Ok(())
    }

    /// Reports the fault that ended the work on a record, if one did.
    pub(crate) fn report_stop(
        &mut self,
        (input, decision): (&Input, &Decision),
        record: &Record<'_>,
        options: ReadOptions,
        result: Result<(), Stop>,
    ) -> io::Result<()> {
        match result {
            Ok(()) | Err(Stop::Enough) => Ok(()),
            Err(Stop::Fault(fault)) => self.fault(input, decision.framing, record, fault, options),
            Err(Stop::Output(error)) => Err(error),
        }
    }
}
