//! `docs/BENCHMARKS.md` and the files beside it, made of the measurements and never edited by hand: the page, and in
//! `docs/benchmarks` more tables, the method, charts, and all numbers as data.

mod charts;
mod data;
mod glance;
mod machine;
mod summary;

use std::{fmt::Write, fs, io, path::Path};

use crate::{goals::Verdict, harness::Table};

const SUMMARY: &str = "summary.svg";

/// The workloads that have a chart.
const CHARTS: [&str; 3] = ["S4", "M all", "W1"];

const INTRODUCTION: &str = include_str!("report/introduction.md");
const METHOD: &str = include_str!("report/method.md");

/// The findings of a full run.
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
    /// Writes `BENCHMARKS.md`, and below `benchmarks` the charts and the data, into a folder.
    pub(crate) fn write(&self, docs: &Path) -> io::Result<()> {
        let folder = docs.join("benchmarks");
        fs::create_dir_all(&folder)?;
        let charted = |table: &&Table| CHARTS.contains(&table.workload);
        for table in self.small.iter().filter(charted) {
            let chart = charts::chart(table).map_err(io::Error::other)?;
            fs::write(folder.join(file(table.workload)), chart)?;
        }
        if let Some(table) = self.small.iter().find(|table| table.workload == "W1") {
            let chart = summary::chart(table).map_err(io::Error::other)?;
            fs::write(folder.join(SUMMARY), chart)?;
        }
        fs::write(folder.join("small.csv"), data::lines(&self.small))?;
        fs::write(folder.join("large.csv"), data::lines(&self.large))?;
        fs::write(folder.join("goals.csv"), data::goals(&self.verdicts))?;
        fs::write(
            folder.join("TABLES.md"),
            glance::more(&self.small, &self.large),
        )?;
        fs::write(folder.join("METHOD.md"), METHOD)?;
        fs::write(docs.join("BENCHMARKS.md"), self.text())
    }

    fn text(&self) -> String {
        let mut text = String::from(INTRODUCTION);
        let _ = write!(text, "\n![Summary](benchmarks/{SUMMARY})\n");
        text.push_str(&glance::page(&self.small, &self.large));
        self.goals(&mut text);
        text.push_str("\n## Charts\n\nSmall inputs; shorter is better.\n");
        for name in CHARTS {
            let _ = write!(text, "\n![{name}](benchmarks/{})\n", file(name));
        }
        text.push_str("\n## Machine and versions\n\n");
        text.push_str(&machine::describe(
            self.engine.as_deref(),
            self.npm.as_deref(),
        ));
        text
    }

    /// The number of goals that are reached, and a line for each that is not.
    fn goals(&self, text: &mut String) {
        let missed: Vec<&Verdict> = self.verdicts.iter().filter(|v| !v.is_reached()).collect();
        let all = self.verdicts.len();
        let _ = write!(
            text,
            "\n## Goals\n\nRatios within one run; [goals.csv](benchmarks/goals.csv) has all of them. `--quick` \
             measures them again, a line of JSON each, in a few minutes. {} of {all} are reached",
            all - missed.len()
        );
        if missed.is_empty() {
            text.push_str(".\n");
            return;
        }
        text.push_str(
            "; these are not. The last column is the bound that `--quick` holds them to, so that they get no worse \
             unseen:\n\n| goal | found | must | wanted | kept at |\n|---|---:|---:|---:|---:|\n",
        );
        for verdict in missed {
            let [found, must, wanted, kept, _] = verdict.cells();
            line(text, &[verdict.name(), &found, &must, &wanted, &kept]);
        }
    }
}

fn file(workload: &str) -> String {
    format!("{}.svg", workload.to_lowercase().replace(' ', "-"))
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
        ms => format!("{ms:.4}"),
    }
}
