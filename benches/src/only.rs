//! One group of workloads at a glance: what `--only` prints.

use std::fmt;

use crate::{
    columns::{
        Column::{self, Ratio, Time},
        mean,
    },
    harness::Table,
    peers::{flexbuffers, floor, gdvar, rmp_serde, rmpv, serde_json, sonic_rs},
};

const COLUMNS: [Column; 25] = [
    Time("validate", gdvar::validate::VALIDATE),
    Time("floor", floor::VALIDATE),
    Time("rmp", rmp_serde::IGNORED),
    Time("strict", gdvar::validate::STRICT),
    Time("events", gdvar::events::EVENTS_READ),
    Time("lazy", gdvar::lazy::LAZY_READ),
    Time("loops", gdvar::lazy::LOOPS),
    Time("built+read", gdvar::index::BUILT_READ),
    Time("indexed", gdvar::index::INDEX_READ),
    Time("Variant", gdvar::tree::READ),
    Time("rmp-read", rmp_serde::READ),
    Time("Record", gdvar::record::STRUCTS),
    Time("serde", gdvar::serde::STRUCTS),
    Time("rmp-str", rmp_serde::TYPED),
    Ratio("rmp/val", rmp_serde::IGNORED, gdvar::validate::VALIDATE),
    Ratio("val/floor", gdvar::validate::VALIDATE, floor::VALIDATE),
    Ratio("strict/floor", gdvar::validate::STRICT, floor::VALIDATE),
    Ratio("rmp-r/ev", rmp_serde::READ, gdvar::events::EVENTS_READ),
    Ratio("json-t/tree", serde_json::READ, gdvar::tree::READ),
    Ratio("rmp-t/tree", rmpv::READ_SERDE, gdvar::tree::READ),
    Ratio("sonic-t/tree", sonic_rs::READ, gdvar::tree::READ),
    Ratio("rmp-w/tree", rmpv::WRITE_SERDE, gdvar::tree::WRITE),
    Ratio("rmp-s/rec", rmp_serde::TYPED, gdvar::record::STRUCTS),
    Ratio("index/val", gdvar::index::INDEX, gdvar::validate::VALIDATE),
    Ratio("flex/look", flexbuffers::LOOKUP, gdvar::index::LOOKUP),
];

/// A table with a line for each workload, and the geometric mean of each ratio.
pub(crate) struct Ratios<'t>(pub(crate) &'t [Table]);

impl fmt::Display for Ratios<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:14}", "ns a value")?;
        for column in COLUMNS {
            write!(f, "{:>width$}", column.heading(), width = width(column))?;
        }
        writeln!(f)?;
        for table in self.0 {
            write!(f, "{:14}", table.workload)?;
            for column in COLUMNS {
                cell(f, width(column), column.number(table))?;
            }
            writeln!(f, "  {}", table.title)?;
        }
        let all: Vec<&Table> = self.0.iter().collect();
        write!(f, "{:14}", "mean")?;
        for column in COLUMNS {
            match column {
                Time(..) => write!(f, "{:width$}", "", width = width(column))?,
                Ratio(..) => cell(f, width(column), mean(column, &all))?,
            }
        }
        writeln!(f)
    }
}

fn width(column: Column) -> usize {
    match column {
        Time(..) => 10,
        Ratio(..) => 13,
    }
}

fn cell(f: &mut fmt::Formatter<'_>, width: usize, number: Option<f64>) -> fmt::Result {
    match number {
        Some(number) => write!(f, "{number:width$.2}"),
        None => write!(f, "{:>width$}", "–"),
    }
}
