//! One group of workloads at a glance: what `--only` prints.

use std::fmt;

use crate::{
    harness::Table,
    peers::{flexbuffers, floor, gdvar, rmp_serde},
};

/// The columns of times, in nanoseconds a value.
const TIMES: [(&str, &str); 14] = [
    ("validate", gdvar::validate::VALIDATE),
    ("floor", floor::VALIDATE),
    ("rmp", rmp_serde::IGNORED),
    ("strict", gdvar::validate::STRICT),
    ("events", gdvar::events::EVENTS_READ),
    ("lazy", gdvar::lazy::LAZY_READ),
    ("loops", gdvar::lazy::LOOPS),
    ("checked", gdvar::checked::CHECKED),
    ("indexed", gdvar::index::INDEX_READ),
    ("Variant", gdvar::tree::READ),
    ("rmp-read", rmp_serde::READ),
    ("Record", gdvar::record::STRUCTS),
    ("serde", gdvar::serde::STRUCTS),
    ("rmp-str", rmp_serde::TYPED),
];

/// The columns of ratios: the first entry's time divided by the second's.
const RATIOS: [(&str, &str, &str); 7] = [
    ("rmp/val", rmp_serde::IGNORED, gdvar::validate::VALIDATE),
    ("val/floor", gdvar::validate::VALIDATE, floor::VALIDATE),
    (
        "strict/val",
        gdvar::validate::STRICT,
        gdvar::validate::VALIDATE,
    ),
    ("rmp-r/ev", rmp_serde::READ, gdvar::events::EVENTS_READ),
    ("rmp-s/rec", rmp_serde::TYPED, gdvar::record::STRUCTS),
    ("index/val", gdvar::index::INDEX, gdvar::validate::VALIDATE),
    ("flex/look", flexbuffers::LOOKUP, gdvar::index::LOOKUP),
];

/// A table with a line for each workload, and the geometric mean of each ratio.
pub(crate) struct Ratios<'t>(pub(crate) &'t [Table]);

impl fmt::Display for Ratios<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:14}", "ns a value")?;
        for (name, _) in TIMES {
            write!(f, "{name:>10}")?;
        }
        f.write_str(" |")?;
        for (name, ..) in RATIOS {
            write!(f, "{name:>11}")?;
        }
        writeln!(f)?;
        let mut logarithms = RATIOS.map(|_| Vec::new());
        for table in self.0 {
            let median = |entry: &str| table.row(entry).map(|row| row.median);
            write!(f, "{:14}", table.workload)?;
            for (_, entry) in TIMES {
                let time = median(entry).map(|time| time / table.values as f64);
                cell(f, 10, time)?;
            }
            f.write_str(" |")?;
            for ((_, one, other), logarithms) in RATIOS.iter().zip(&mut logarithms) {
                let ratio = median(one)
                    .zip(median(other))
                    .map(|(one, other)| one / other);
                logarithms.extend(ratio.map(f64::ln));
                cell(f, 11, ratio)?;
            }
            writeln!(f, "  {}", table.title)?;
        }
        write!(f, "{:14}{:140} |", "mean", "")?;
        for logarithms in &logarithms {
            let sum: f64 = logarithms.iter().sum();
            let mean = (!logarithms.is_empty()).then(|| (sum / logarithms.len() as f64).exp());
            cell(f, 11, mean)?;
        }
        writeln!(f)
    }
}

fn cell(f: &mut fmt::Formatter<'_>, width: usize, number: Option<f64>) -> fmt::Result {
    match number {
        Some(number) => write!(f, "{number:width$.2}"),
        None => write!(f, "{:>width$}", "–"),
    }
}
