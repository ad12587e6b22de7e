//! Columns of the tables that have a line for each workload.

use crate::harness::Table;

/// The contents of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    /// A heading, and the entry whose nanoseconds a value are shown.
    Time(&'static str, &'static str),
    /// A heading, and the two entries of which the first one's time is divided by the second's.
    Ratio(&'static str, &'static str, &'static str),
}

impl Column {
    /// The heading.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Column::Time(heading, _) | Column::Ratio(heading, ..) => heading,
        }
    }

    /// The number for a workload, if it has these entries.
    pub(crate) fn number(self, table: &Table) -> Option<f64> {
        let time = |entry: &str| table.row(entry).map(|row| row.best);
        match self {
            Column::Time(_, entry) => time(entry).map(|time| time / table.values as f64),
            Column::Ratio(_, one, other) => Some(time(one)? / time(other)?),
        }
    }
}

/// The geometric mean of a column over all workloads that have it.
pub(crate) fn mean(column: Column, tables: &[&Table]) -> Option<f64> {
    let numbers = tables.iter().filter_map(|table| column.number(table));
    let logarithms: Vec<f64> = numbers.map(f64::ln).collect();
    let sum: f64 = logarithms.iter().sum();
    (!logarithms.is_empty()).then(|| (sum / logarithms.len() as f64).exp())
}
