//! [`StatTable`]: the rows of a summary. Text, JSON lines and HTML are printed from the same rows.

use std::{
    fmt::{self, Write},
    net::SocketAddr,
    time::Duration,
};

use crate::{
    show::rows,
    terminal::{safe_text, words},
};

/// A table: columns of numbers, then a name.
#[derive(Default)]
pub(super) struct StatTable {
    /// The name of the table, as in JSON.
    pub(super) id: &'static str,
    /// The heading of the table in HTML.
    pub(super) heading: &'static str,
    /// The names and the widths of the columns. Without columns, text has a line for each row and nothing else.
    pub(super) columns: &'static [(&'static str, usize)],
    /// The name of the last column, which has the names of the rows.
    pub(super) title: &'static str,
    pub(super) rows: Vec<StatRow>,
    /// A row after all others, which no limit hides.
    pub(super) last: Option<StatRow>,
    /// The number of rows that text shows without `--limit`.
    pub(super) shown: Option<usize>,
    /// The number of details of a row that text shows.
    pub(super) shown_details: usize,
    /// How text counts the rows that it does not show: `row`.
    pub(super) unit: &'static str,
    /// The number of columns, from the first one on, that are summed for the rows that text does not show.
    pub(super) sums: usize,
    /// The text instead of a table without rows. If it is empty, the table is left out.
    pub(super) if_empty: String,
    /// What text and HTML have after the rows.
    pub(super) footnote: &'static str,
    /// What HTML has before the rows.
    pub(super) legend: &'static str,
}

/// A row of a table.
pub(super) struct StatRow {
    /// What text and HTML have in the columns.
    pub(super) cells: Vec<StatCell>,
    /// The name. It may contain any characters.
    pub(super) name: String,
    /// What JSON has.
    pub(super) fields: Vec<(&'static str, Vec<u8>)>,
    /// Remarks that belong to the row.
    pub(super) details: Vec<RowDetail>,
}

/// The content of a column.
pub(super) enum StatCell {
    Count(u64),
    Text(String),
}

/// A remark about a row: `675.6 ms`, `until 5.59 s: …`.
pub(super) struct RowDetail {
    pub(super) value: String,
    pub(super) text: String,
    /// The line of JSON after the line of the row.
    pub(super) fields: Vec<(&'static str, Vec<u8>)>,
}

/// Formats milliseconds: `12.5 ms`.
pub(super) fn ms(time: Duration) -> String {
    format!("{:.1} ms", 1e3 * time.as_secs_f64())
}

/// Returns a count for each second of `duration`. A shorter time than a millisecond counts as one.
pub(super) fn per_second(count: u64, duration: Duration) -> f64 {
    count as f64 / duration.as_secs_f64().max(0.001)
}

/// Puts the server before a name, unless `is_one` says that there is only one.
pub(super) fn with_server(is_one: bool, server: &SocketAddr, name: &str) -> String {
    match is_one {
        true => name.to_owned(),
        false => format!("{server} {name}"),
    }
}

impl From<u64> for StatCell {
    fn from(count: u64) -> StatCell {
        StatCell::Count(count)
    }
}

impl From<String> for StatCell {
    fn from(text: String) -> StatCell {
        StatCell::Text(text)
    }
}

impl fmt::Display for StatCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatCell::Count(count) => f.pad(&count.to_string()),
            StatCell::Text(text) => f.pad(text),
        }
    }
}

impl StatCell {
    pub(super) fn count(&self) -> u64 {
        match self {
            StatCell::Count(count) => *count,
            StatCell::Text(_) => 0,
        }
    }
}

impl StatRow {
    /// Creates a row without details.
    pub(super) fn new(
        cells: impl IntoIterator<Item = StatCell>,
        name: impl Into<String>,
        fields: impl IntoIterator<Item = (&'static str, Vec<u8>)>,
    ) -> StatRow {
        StatRow {
            cells: cells.into_iter().collect(),
            name: name.into(),
            fields: fields.into_iter().collect(),
            details: Vec::new(),
        }
    }
}

impl StatTable {
    /// Returns the rows that `limit` allows, and the other ones.
    pub(super) fn split(&self, limit: Option<usize>) -> (&[StatRow], &[StatRow]) {
        let shown = limit.unwrap_or(usize::MAX).min(self.rows.len());
        self.rows.split_at(shown)
    }

    /// Returns `true` if text and HTML have nothing for this table.
    pub(super) fn is_left_out(&self) -> bool {
        self.rows.is_empty() && self.if_empty.is_empty()
    }

    /// Sums the column `column` of `rows`.
    fn sum(rows: &[StatRow], column: usize) -> u64 {
        let cells = rows.iter().filter_map(|row| row.cells.get(column));
        cells.map(StatCell::count).sum()
    }

    /// Describes the rows that are not shown, as the cells of a row and its name.
    pub(super) fn rest(&self, rows: &[StatRow]) -> (Vec<StatCell>, String) {
        let sums = (0..self.sums).map(|column| StatTable::sum(rows, column).into());
        let more = words::plural(rows.len() as u64, self.unit);
        (sums.collect(), format!("in {more} more"))
    }

    /// Appends the table as text, after an empty line if there is text before it.
    pub(super) fn write(&self, out: &mut String, limit: Option<usize>) -> fmt::Result {
        if self.is_left_out() || (self.rows.is_empty() && self.columns.is_empty()) {
            return Ok(());
        }
        if self.rows.is_empty() {
            return writeln!(out, "{}", self.if_empty);
        }
        if !out.is_empty() {
            out.push('\n');
        }
        if !self.columns.is_empty() {
            self.write_line(out, self.columns.iter().map(|(name, _)| *name), self.title)?;
        }
        let (shown, rest) = self.split(limit.or(self.shown));
        for row in shown {
            self.write_line(out, &row.cells, &row.name)?;
            // The values of details are in the second column.
            let width = self.width(2);
            for detail in row.details.iter().take(self.shown_details) {
                let text = safe_text::safe_line(&detail.text);
                writeln!(out, "{:>width$} {text}", detail.value)?;
            }
        }
        if !rest.is_empty() {
            let (cells, name) = self.rest(rest);
            let width = self.width(self.sums.max(1));
            let mut line = String::new();
            self.write_cells(&mut line, cells)?;
            writeln!(out, "{line:>width$}  {name}")?;
        }
        if let Some(last) = &self.last {
            self.write_line(out, &last.cells, &last.name)?;
        }
        if !self.footnote.is_empty() {
            writeln!(out, "{}", self.footnote)?;
        }
        Ok(())
    }

    /// Returns the width of the first `count` columns, with the spaces between them.
    fn width(&self, count: usize) -> usize {
        let widths = self.columns.iter().take(count);
        let sum: usize = widths.map(|(_, width)| width + 1).sum();
        sum.saturating_sub(1)
    }

    fn write_cells(
        &self,
        out: &mut String,
        cells: impl IntoIterator<Item = impl fmt::Display>,
    ) -> fmt::Result {
        for (n, (cell, &(_, width))) in cells.into_iter().zip(self.columns).enumerate() {
            let space = if n > 0 { " " } else { "" };
            write!(out, "{space}{cell:>width$}")?;
        }
        Ok(())
    }

    fn write_line(
        &self,
        out: &mut String,
        cells: impl IntoIterator<Item = impl fmt::Display>,
        name: &str,
    ) -> fmt::Result {
        self.write_cells(out, cells)?;
        let space = if self.columns.is_empty() { "" } else { "  " };
        writeln!(out, "{space}{}", safe_text::safe_line(name))
    }

    /// Returns the table as lines of JSON.
    pub(super) fn json(&self, limit: Option<usize>) -> Vec<u8> {
        let mut out = Vec::new();
        for row in self.split(limit).0.iter().chain(&self.last) {
            out.extend(rows::object(&row.fields));
            for detail in &row.details {
                out.extend(rows::object(&detail.fields));
            }
        }
        out
    }
}
