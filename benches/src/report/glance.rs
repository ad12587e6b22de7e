//! The tables, each with the command that measures it: [`page`] has those that a reader should see first, [`more`]
//! the others.

use std::fmt::Write;

use super::{line, milliseconds};
use crate::{
    columns::{
        Column::{self, Ratio, Time},
        mean,
    },
    harness::{Row, Table},
    peers::{flexbuffers, floor, gdvar, rmp_serde},
};

const COMMAND: &str = "cargo run --release --manifest-path benches/Cargo.toml --";

const VALIDATION: [Column; 5] = [
    Time("validate", gdvar::validate::VALIDATE),
    Time("floor", floor::VALIDATE),
    Time("rmp-serde", rmp_serde::IGNORED),
    Ratio(
        "rmp-serde / validate",
        rmp_serde::IGNORED,
        gdvar::validate::VALIDATE,
    ),
    Ratio(
        "validate / floor",
        gdvar::validate::VALIDATE,
        floor::VALIDATE,
    ),
];

const READING: [Column; 10] = [
    Time("strict", gdvar::validate::STRICT),
    Time("events", gdvar::events::EVENTS_READ),
    Time("lazy", gdvar::lazy::LAZY_READ),
    Time("index, built and read", gdvar::index::BUILT_READ),
    Time("indexed", gdvar::index::INDEX_READ),
    Time("rmp-serde visitor", rmp_serde::READ),
    Time("`Variant`", gdvar::tree::READ),
    Time("`Record`", gdvar::record::STRUCTS),
    Time("serde", gdvar::serde::STRUCTS),
    Time("rmp-serde structs", rmp_serde::TYPED),
];

const LOOKUPS: [Column; 3] = [
    Time("gdvar", gdvar::index::LOOKUP),
    Time("flexbuffers", flexbuffers::LOOKUP),
    Ratio(
        "flexbuffers / gdvar",
        flexbuffers::LOOKUP,
        gdvar::index::LOOKUP,
    ),
];

/// The workloads that stand first: the matrix, then the realistic saves.
fn cases(small: &[Table]) -> Vec<&Table> {
    let matrix = small.iter().filter(|table| is_case(table));
    let saves = small.iter().filter(|table| is_save(table));
    matrix.chain(saves).collect()
}

fn is_case(table: &Table) -> bool {
    table.workload.starts_with("M ")
}

fn is_save(table: &Table) -> bool {
    ["S4", "S3"].contains(&table.workload)
}

/// The tables of the page.
pub(super) fn page(small: &[Table], large: &[Table]) -> String {
    let mut text = String::new();
    heading(
        &mut text,
        "The matrix and the realistic saves",
        "W1's records with one thing changed at a time, then a save as a game writes it. Nanoseconds \
         a value, small inputs, everything checked and nothing built.",
        "--only matrix; … --only saves",
    );
    columns(&mut text, &VALIDATION, &cases(small));
    heading(
        &mut text,
        "Reading everything",
        "Nanoseconds a value, small inputs. *Strict* checks and reads nothing; the three last read into \
         structs, on the cases that have fixed fields. Case by case: [TABLES.md](benchmarks/TABLES.md).",
        "--only matrix; … --only saves",
    );
    ways(&mut text, small);
    if let Some(save) = small.iter().find(|table| table.workload == "S4") {
        hot_and_cold(&mut text, save, large);
    }
    heading(
        &mut text,
        "Packets, many saves, tables",
        "Nanoseconds a value, large inputs: more than the caches hold, each read once in a pass.",
        "--workload 'P scattered' large",
    );
    let names = ["P", "P scattered", "T", "T shapes", "L", "V"];
    columns(&mut text, &VALIDATION, &of(large, &names));
    heading(
        &mut text,
        "Look-ups",
        "Nanoseconds a look-up, large inputs, after an index was built.",
        "--workload 'L lookup' large",
    );
    let names = ["W1 lookup", "S4 lookup", "L lookup"];
    columns(&mut text, &LOOKUPS, &of(large, &names));
    text
}

/// The tables beside the page.
pub(super) fn more(small: &[Table], large: &[Table]) -> String {
    let mut text = String::from(
        "# Benchmarks, case by case\n\nWritten by the full run, as [BENCHMARKS.md](../BENCHMARKS.md) is.\n",
    );
    heading(
        &mut text,
        "Reading everything",
        "Nanoseconds a value, small inputs. In *strict* validation nothing is read.",
        "--only matrix; … --only saves",
    );
    columns(&mut text, &READING, &cases(small));
    if let Some(save) = small.iter().find(|table| table.workload == "S3") {
        hot_and_cold(&mut text, save, large);
    }
    heading(
        &mut text,
        "Small inputs of other kinds",
        "Nanoseconds a value, small inputs, everything checked and nothing built.",
        "--workload W1 small",
    );
    let names = [
        "W1", "W1b", "P", "F", "W3", "W4", "W4p", "W6", "W6s", "W6f", "W7",
    ];
    columns(&mut text, &VALIDATION, &of(small, &names));
    text
}

/// A line for each way to read: the geometric mean over the matrix, and the saves.
fn ways(text: &mut String, small: &[Table]) {
    let matrix: Vec<&Table> = small.iter().filter(|table| is_case(table)).collect();
    let saves: Vec<&Table> = small.iter().filter(|table| is_save(table)).collect();
    let names = saves.iter().map(|save| save.workload);
    let headings: Vec<&str> = ["", "mean of the matrix"]
        .into_iter()
        .chain(names)
        .collect();
    line(text, &headings);
    let _ = writeln!(text, "|---|---:|{}", "---:|".repeat(saves.len()));
    for column in READING {
        let times = saves.iter().map(|save| cell(column.number(save)));
        let times: Vec<String> = [cell(mean(column, &matrix))]
            .into_iter()
            .chain(times)
            .collect();
        let times: Vec<&str> = times.iter().map(String::as_str).collect();
        line(text, &[&[column.heading()], times.as_slice()].concat());
    }
}

fn of<'t>(tables: &'t [Table], names: &[&str]) -> Vec<&'t Table> {
    let found = names
        .iter()
        .filter_map(|name| tables.iter().find(|table| table.workload == *name));
    found.collect()
}

fn heading(text: &mut String, title: &str, sentences: &str, arguments: &str) {
    let _ = write!(
        text,
        "\n## {title}\n\n{sentences}\n\n```text\n{COMMAND} {arguments}\n```\n\n"
    );
}

/// A line for each workload, and one for the geometric means.
fn columns(text: &mut String, columns: &[Column], tables: &[&Table]) {
    let headings: Vec<&str> = columns.iter().map(|column| column.heading()).collect();
    line(text, &[&["", ""], headings.as_slice()].concat());
    let _ = writeln!(text, "|---|---|{}", "---:|".repeat(columns.len()));
    for table in tables {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| cell(column.number(table)))
            .collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let name = [table.workload, table.title];
        line(text, &[&name, cells.as_slice()].concat());
    }
    let means: Vec<String> = columns
        .iter()
        .map(|column| cell(mean(*column, tables)))
        .collect();
    let means: Vec<&str> = means.iter().map(String::as_str).collect();
    line(text, &[&["", "geometric mean"], means.as_slice()].concat());
}

fn cell(number: Option<f64>) -> String {
    match number {
        Some(number) if number >= 1_000.0 => format!("{number:.0}"),
        Some(number) => format!("{number:.2}"),
        None => String::new(),
    }
}

/// A save's table, with its heading: a line for each entry, the fastest first.
fn hot_and_cold(text: &mut String, small: &Table, large: &[Table]) {
    let large = large.iter().find(|table| table.workload == small.workload);
    heading(
        text,
        &format!("{}, hot and cold", small.workload),
        &format!(
            "{}: {} values. Milliseconds of a pass. *Hot*: read again and again. *Cold*: one pass after \
             64 MB of other bytes went through the caches, as a game reads its save. *Large*: the save of \
             {} values.",
            super::capital(small.title),
            small.values,
            large.map_or(0, |table| table.values)
        ),
        &format!(
            "--workload {0} small; … --workload {0} large",
            small.workload
        ),
    );
    line(text, &["", "hot", "cold", "cold / hot", "large"]);
    text.push_str("|---|---:|---:|---:|---:|\n");
    let mut rows: Vec<&Row> = small.rows.iter().collect();
    rows.sort_by(|a, b| a.best.total_cmp(&b.best));
    for row in rows {
        let large = large.and_then(|table| table.row(row.name));
        let ratio = row.cold.map(|cold| cold / row.best);
        line(
            text,
            &[
                row.name,
                &milliseconds(row.best),
                &row.cold.map_or(String::new(), milliseconds),
                &cell(ratio),
                &large.map_or(String::new(), |row| milliseconds(row.best)),
            ],
        );
    }
}
