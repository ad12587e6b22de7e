//! [`Summary`]: what `--stats`, `--late` and `--cheats` print.

use super::{tables::StatTable, totals::Totals};

/// The sums of `--stats` and the tables of all three options, in the order in which they are printed.
pub(super) struct Summary {
    pub(super) totals: Option<Totals>,
    pub(super) tables: Vec<StatTable>,
}

impl Summary {
    /// Returns the summary as text. `limit` is the number of rows of a table.
    pub(super) fn text(&self, limit: Option<usize>) -> String {
        let mut out = String::new();
        for line in self.totals.iter().flat_map(Totals::lines) {
            out += &line;
            out.push('\n');
        }
        for table in &self.tables {
            let _ = table.write(&mut out, limit);
        }
        if self.totals.is_some() {
            out += "bytes, share and B/s are of the packets themselves, without ENet, UDP and IP\n";
        }
        out
    }

    /// Returns the summary as lines of JSON, one for each row.
    pub(super) fn json(&self, limit: Option<usize>) -> Vec<u8> {
        let mut out = self.totals.as_ref().map_or_else(Vec::new, Totals::json);
        for table in &self.tables {
            out.extend(table.json(limit));
        }
        out
    }
}
