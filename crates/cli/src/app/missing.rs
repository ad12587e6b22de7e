//! Explains why there is no value at a path: which part of the path exists, and which other record has a value there.

use std::io;

use gdvar_file::Decision;
use gdvar_view::{Document, Objects, Path};

use super::App;
use crate::{input::bytes::Input, locate::lookup::Missing, show::json_lines, terminal::exit::Exit};

impl App {
    /// Returns the number of the first record, other than `but`, that has a value at `path`.
    pub(crate) fn elsewhere(
        &self,
        input: &Input,
        decision: &Decision,
        but: u64,
        path: &Path<'_>,
    ) -> Option<u64> {
        let options = self.options(decision.dialect, App::policy(input, Objects::Inert));
        let mut others = input.records(decision.framing).filter(|record| {
            let root = Document::with_options(&record.bytes, options).root();
            let found = root.and_then(|root| root.find_path(path));
            record.index != but && matches!(found, Ok(Some(_)))
        });
        others.next().map(|record| record.index)
    }

    /// Prints the result of [`App::elsewhere`] as advice, if there is one.
    pub(crate) fn say_elsewhere(
        &mut self,
        input: &Input,
        decision: &Decision,
        but: u64,
        path: &Path<'_>,
    ) -> io::Result<()> {
        match self.elsewhere(input, decision, but, path) {
            Some(record) => self.warn(&format!(
                "  = help: record {record} has it: add --record {record}"
            )),
            None => Ok(()),
        }
    }

    /// Reports how far a path without a value leads, and which key may be meant.
    pub(crate) fn not_found(&mut self, path: &Path<'_>, missing: &Missing) -> io::Result<()> {
        self.exit.merge(Exit::Findings);
        if self.global.json {
            let line = json_lines::NotFound {
                schema: 1,
                error: "NotFound",
                path: path.to_string(),
                exists: &missing.exists,
                missing: &missing.step,
                meant: missing.meant.as_deref(),
            };
            return self.error_line(&line);
        }
        let mut text = format!(
            "not found: {path}\n{} exists and is {}",
            missing.exists, missing.there
        );
        if let Some(meant) = &missing.meant {
            let dot = if meant.starts_with('[') { "" } else { "." };
            let whole = format!("{}{dot}{meant}", missing.exists);
            let whole = whole.strip_prefix("$.").or(whole.strip_prefix('$'));
            text += &format!("\ndid you mean {}?", whole.unwrap_or_default());
        }
        self.error(&text)
    }
}
