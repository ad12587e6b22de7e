//! `docs/BENCHMARKS.md` and its charts, made of what was measured and never edited by hand.

mod charts;
mod machine;
mod summary;

use std::{fmt::Write, fs, io, path::Path};

use crate::{
    goals::Verdict,
    harness::{Row, Table},
};

const SUMMARY: &str = "summary.svg";

const INTRODUCTION: &str = include_str!("introduction.md");

/// What a full run found.
#[derive(Debug)]
pub(crate) struct Report {
    /// The tables of the large inputs.
    pub(crate) large: Vec<Table>,
    /// The tables of the small ones.
    pub(crate) small: Vec<Table>,
    /// The goals.
    pub(crate) verdicts: Vec<Verdict>,
    /// The version of the engine that was asked.
    pub(crate) engine: Option<String>,
    /// Node and the packages that were asked.
    pub(crate) npm: Option<String>,
}

impl Report {
    /// Writes `BENCHMARKS.md` and `benchmarks/*.svg` into a folder.
    pub(crate) fn write(&self, docs: &Path) -> io::Result<()> {
        let folder = docs.join("benchmarks");
        fs::create_dir_all(&folder)?;
        for table in &self.large {
            let chart = charts::chart(table).map_err(io::Error::other)?;
            fs::write(folder.join(file(table)), chart)?;
        }
        if let Some(table) = self.small.iter().find(|table| table.workload == "W1") {
            let chart = summary::chart(table).map_err(io::Error::other)?;
            fs::write(folder.join(SUMMARY), chart)?;
        }
        fs::write(docs.join("BENCHMARKS.md"), self.text())
    }

    fn text(&self) -> String {
        let mut text = String::from(INTRODUCTION);
        text.push_str("\n## Machine and versions\n\n");
        text.push_str(&machine::describe(
            self.engine.as_deref(),
            self.npm.as_deref(),
        ));
        text.push_str("\n## Goals\n\n");
        text.push_str("Ratios of the small inputs, but for those to R and M, which are of the large ones.\n\n");
        text.push_str("| goal | found | must | wanted | |\n|---|---:|---:|---:|---|\n");
        for verdict in &self.verdicts {
            let [found, must, wanted, word] = verdict.cells();
            line(&mut text, &[verdict.name(), &found, &must, &wanted, &word]);
        }
        let _ = writeln!(text, "\n![Summary](benchmarks/{SUMMARY})");
        text.push_str("\n## Large inputs: 5 to 268 MB\n");
        for table in &self.large {
            section(&mut text, table);
            let _ = write!(
                text,
                "\n![{}](benchmarks/{})\n",
                table.workload,
                file(table)
            );
        }
        text.push_str("\n## Small inputs: a quarter of a megabyte\n");
        for table in &self.small {
            section(&mut text, table);
        }
        text
    }
}

fn file(table: &Table) -> String {
    format!("{}.svg", table.workload.to_lowercase().replace(' ', "-"))
}

fn section(text: &mut String, table: &Table) {
    let _ = write!(
        text,
        "\n### {}\n\n{}. {} values.\n\n",
        table.workload,
        capital(table.title),
        table.values
    );
    text.push_str("| | ms | best ms | ns per value | own MB | own MB/s | checks | builds | allocations | peak memory |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---|---|---:|---:|\n");
    let mut rows: Vec<&Row> = table.rows.iter().collect();
    rows.sort_by(|a, b| a.median.total_cmp(&b.median));
    for row in rows {
        let name = match row.name.starts_with("gdvar") {
            true => format!("**{}**", row.name),
            false => row.name.to_owned(),
        };
        let per_value = row.median / table.values as f64;
        line(
            text,
            &[
                &name,
                &milliseconds(row.median),
                &milliseconds(row.best),
                &format!("{per_value:.2}"),
                &format!("{:.2}", row.size as f64 / 1e6),
                &format!("{:.0}", row.size as f64 / row.median * 1e3),
                row.note.checks,
                row.note.builds,
                &row.memory
                    .map_or(String::new(), |memory| memory.allocations.to_string()),
                &row.memory
                    .map_or(String::new(), |memory| bytes(memory.peak)),
            ],
        );
    }
}

fn line(text: &mut String, cells: &[&str]) {
    for cell in cells {
        let _ = write!(text, "| {cell} ");
    }
    text.push_str("|\n");
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn milliseconds(nanoseconds: f64) -> String {
    match nanoseconds / 1e6 {
        ms if ms >= 100.0 => format!("{ms:.0}"),
        ms if ms >= 1.0 => format!("{ms:.2}"),
        ms => format!("{ms:.5}"),
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0 => "0".to_owned(),
        1..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
