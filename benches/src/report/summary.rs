//! The chart of the README: W1, with those apart who do different things.

use super::charts::{self, Part};
use crate::{
    harness::Table,
    outside::engine,
    peers::{bson, flexbuffers, gdvar, rkyv, rmp_serde, rmpv, serde_json, simd_json, sonic_rs},
};

/// The chart as SVG, of the small W1: the engine was asked about that one.
pub(crate) fn chart(table: &Table) -> Result<String, String> {
    let rows = |names: &[&str]| names.iter().filter_map(|name| table.row(name)).collect();
    let parts = vec![
        Part {
            title: "Check all of it, build nothing. Below each name: what is checked",
            rows: rows(&[
                gdvar::validate::VALIDATE,
                rkyv::CHECKED,
                rmp_serde::IGNORED,
                serde_json::IGNORED,
                sonic_rs::LAZY,
            ]),
            remark: |row| row.note.checks,
        },
        Part {
            title: "Check it and read every value. Below each name: what is built for that",
            rows: rows(&[
                gdvar::events::EVENTS_READ,
                gdvar::tree::READ,
                rkyv::READ,
                bson::READ,
                flexbuffers::READ,
                simd_json::READ,
                rmpv::READ,
                serde_json::READ,
                sonic_rs::READ,
                engine::READ,
            ]),
            remark: |row| row.note.builds.trim_end_matches("; reads all"),
        },
    ];
    let title = "Reading a save of a thousand records";
    let note = format!(
        "W1, {} values, in each format's own bytes: processor time of one pass, shorter is better; \
         each part has its own scale",
        table.values
    );
    charts::parts(title, &note, table, parts)
}
