//! All that was measured, as comma-separated values for programs.

use std::fmt::Write;

use crate::{goals::Verdict, harness::Table};

const HEADINGS: &str = "workload,values,entry,best_ns,median_ns,cold_ns,ns_per_value,bytes,\
    allocations,peak_bytes,checks,builds\n";

/// A line for each entry of each workload. Unknown cells are empty.
pub(super) fn lines(tables: &[Table]) -> String {
    let mut text = HEADINGS.to_owned();
    for table in tables {
        for row in &table.rows {
            let per_value = row.best / table.values as f64;
            let cold = row.cold.map(|cold| format!("{cold:.0}"));
            let memory = row
                .memory
                .map(|memory| format!("{},{}", memory.allocations, memory.peak));
            let _ = writeln!(
                text,
                "{},{},{},{:.0},{:.0},{},{per_value:.3},{},{},{},{}",
                table.workload,
                table.values,
                quoted(row.name),
                row.best,
                row.median,
                cold.unwrap_or_default(),
                row.size,
                memory.unwrap_or_else(|| ",".to_owned()),
                quoted(row.note.checks),
                quoted(row.note.builds),
            );
        }
    }
    text
}

/// A line for each goal.
pub(super) fn goals(verdicts: &[Verdict]) -> String {
    let mut text = String::from("goal,found,must,wanted,kept,verdict\n");
    for verdict in verdicts {
        let [found, must, wanted, kept, word] = verdict.cells();
        let _ = writeln!(
            text,
            "{},{},{must},{wanted},{kept},{word}",
            quoted(verdict.name()),
            quoted(&found)
        );
    }
    text
}

/// In quotes if it holds a comma; no name or note holds a quote.
fn quoted(text: &str) -> String {
    match text.contains(',') {
        true => format!("\"{text}\""),
        false => text.to_owned(),
    }
}
