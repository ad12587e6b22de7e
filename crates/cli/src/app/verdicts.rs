//! Prints warnings about a file: refused objects, and what the engine would lose.

use std::io;

use super::App;
use crate::{
    diagnose::{
        fault,
        verdict::{Verdict, words},
    },
    input::bytes::Input,
    terminal::{
        style::{self, paint},
        words::plural,
    },
};

impl App {
    /// Warns that the engine refuses objects by default. Used by commands that show them anyway.
    pub(crate) fn say_refused(&mut self, verdict: &Verdict, input: &Input) -> io::Result<()> {
        if verdict.objects == 0 {
            return Ok(());
        }
        let label = paint(style::WARNING, "refused");
        let who = plural(verdict.objects, "record");
        self.warn(&format!(
            "{label}: {}: {who} with whole objects, which the engine reads only where the game allows them \
             (allow_objects); --objects inert asks what it reads then",
            input.shown()
        ))
    }

    /// Warns about each loss. If bytes after a value are lost and the file ends in a run of 00 or FF bytes, also prints
    /// a note about this run.
    pub(crate) fn say_losses(&mut self, verdict: &Verdict, input: &Input) -> io::Result<()> {
        for lost in &verdict.changes {
            let place = match lost.record {
                0 => lost.path.clone(),
                record => format!("{} of record {record}", lost.path),
            };
            let text = words(lost.key, lost.count);
            let label = paint(style::WARNING, "lost");
            let line = format!("{label}: {}: {text}, first at {place}", input.shown());
            self.warn(&line)?;
        }
        let blank = verdict
            .leaves_bytes()
            .then(|| gdvar_file::blank::Blank::at_end(input))
            .flatten();
        match blank {
            Some(blank) => {
                let blank = fault::blank_words(blank);
                self.note(&format!("{}: {blank}", input.shown()))
            }
            None => Ok(()),
        }
    }
}
