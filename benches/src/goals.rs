//! What must be reached, and whether it is.

use std::fmt;

use crate::{
    harness::Table,
    limits,
    outside::engine,
    peers::{
        flexbuffers, gdvar_read, gdvar_serde, gdvar_tree, gdvar_write, godot_binary_serialization,
        rkyv, rmp_serde, rmpv, serde_json, simd_json, sonic_rs,
    },
    plan::KINDS,
    workloads::Size,
};

/// What is compared.
enum What {
    /// The reference's time divided by ours, in one workload. At least so much.
    Times {
        workload: &'static str,
        reference: &'static str,
        ours: &'static str,
    },
    /// The same, but with the least time of the reference: of a program of its own, which is
    /// measured by the wall clock. Nobody's fault where there is no such program.
    TimesBest {
        workload: &'static str,
        reference: &'static str,
        ours: &'static str,
    },
    /// Our time per value in one workload divided by that in another. At most so much.
    PerValue {
        ours: (&'static str, &'static str),
        base: (&'static str, &'static str),
    },
    /// The geometric mean of such ratios over the kinds of packets. At least so much.
    Kinds {
        reference: &'static str,
        ours: &'static str,
    },
    /// Allocations of all entries of ours in these workloads. At most so many.
    Allocations { of: fn(&str, &str) -> bool },
    /// Nothing that can be measured yet.
    Missing,
}

/// One row of the table of goals.
pub(crate) struct Goal {
    name: &'static str,
    what: What,
    /// Small inputs, or large ones because memory is the limit.
    size: Size,
    /// What to say where an entry is missing.
    absent: &'static str,
    must: f64,
    wanted: f64,
}

/// How far a goal is reached.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    name: &'static str,
    found: Result<f64, &'static str>,
    /// Whether it may be missing: it takes a program that not everyone has.
    optional: bool,
    at_most: bool,
    must: f64,
    wanted: f64,
}

const fn times(
    name: &'static str,
    [workload, reference, ours]: [&'static str; 3],
    must: f64,
    wanted: f64,
) -> Goal {
    let what = What::Times {
        workload,
        reference,
        ours,
    };
    Goal {
        name,
        what,
        size: Size::Small,
        absent: "there is no such entry",
        must,
        wanted,
    }
}

const fn share(name: &'static str, of: [&'static str; 3], must: f64, wanted: f64) -> Goal {
    Goal {
        size: Size::Large,
        ..times(name, of, must, wanted)
    }
}

const fn engine(
    name: &'static str,
    [workload, reference, ours]: [&'static str; 3],
    must: f64,
    wanted: f64,
) -> Goal {
    let what = What::TimesBest {
        workload,
        reference,
        ours,
    };
    Goal {
        what,
        absent: ENGINE,
        ..times(name, ["", "", ""], must, wanted)
    }
}

const fn depth(
    name: &'static str,
    [workload, ours, base]: [&'static str; 3],
    must: f64,
    wanted: f64,
) -> Goal {
    let what = What::PerValue {
        ours: (workload, ours),
        base: ("W1", base),
    };
    Goal {
        what,
        ..times(name, ["", "", ""], must, wanted)
    }
}

const fn flat(
    name: &'static str,
    [workload, entry]: [&'static str; 2],
    must: f64,
    wanted: f64,
) -> Goal {
    let what = What::PerValue {
        ours: (workload, entry),
        base: ("W6f", entry),
    };
    Goal {
        what,
        ..times(name, ["", "", ""], must, wanted)
    }
}

const fn missing(name: &'static str, absent: &'static str, must: f64, wanted: f64) -> Goal {
    Goal {
        what: What::Missing,
        absent,
        ..times(name, ["", "", ""], must, wanted)
    }
}

fn is_reader(workload: &str, entry: &str) -> bool {
    // Structs are collected into a vector, which allocates, and so do a tree and an index.
    let builds = [
        gdvar_read::STRUCTS,
        gdvar_serde::STRUCTS,
        gdvar_read::INDEX,
        gdvar_tree::READ,
    ]
    .contains(&entry);
    entry.starts_with("gdvar") && !workload.ends_with("write") && !builds
}

fn is_writer(workload: &str, entry: &str) -> bool {
    // The walk over a tree remembers where it is.
    let walks = entry == gdvar_tree::WRITE;
    entry.starts_with("gdvar") && workload.ends_with("write") && !walks
}

const ENGINE: &str = "no Godot 4 here: scripts/test-engines installs one, GODOT4 names one";

/// The table of goals. What is nested deep is held against W1 by events, which is the plain walk:
/// validation passes W1's records by templates, and W6 has no records.
#[rustfmt::skip]
pub(crate) fn goals() -> Vec<Goal> {
    use gdvar_read::{EVENTS, EVENTS_READ, INDEX, LAZY_READ, LOOKUP, PATH, SKIP, STRUCTS, SUM, VALIDATE};
    let allocations = |name, of| Goal { what: What::Allocations { of }, ..missing(name, "", 0.0, 0.0) };
    vec![
        times("W1 validate vs rmp-serde IgnoredAny", ["W1", rmp_serde::IGNORED, VALIDATE], 8.0, 12.0),
        times("W1 validate vs rkyv checked", ["W1", rkyv::CHECKED, VALIDATE], 4.0, 6.0),
        share("W1 validate, share of R", ["W1", limits::READ, VALIDATE], 0.40, 0.60),
        times("W1b validate vs rmp-serde IgnoredAny", ["W1b", rmp_serde::IGNORED, VALIDATE], 3.4, 5.0),
        times("W1 touch every scalar vs rmpv", ["W1", rmpv::READ, EVENTS_READ], 4.0, 6.0),
        times("W1 touch every scalar vs sonic-rs Value", ["W1", sonic_rs::READ, EVENTS_READ], 2.5, 4.0),
        times("W1 index build vs simd-json tape", ["W1", simd_json::TAPE, INDEX], 13.0, 20.0),
        share("W1 random lookup with index vs flexbuffers", ["W1 lookup", flexbuffers::LOOKUP, LOOKUP], 0.95, 1.2),
        times("W3 mixed packets vs rmp-serde IgnoredAny", ["W3", rmp_serde::IGNORED, VALIDATE], 2.2, 4.0),
        times("W4 validate, share of skip + simdutf8", ["W4", limits::TEXT, VALIDATE], 0.9, 1.0),
        times("W4p validate, share of skip + simdutf8", ["W4p", limits::TEXT, VALIDATE], 0.9, 1.0),
        times("W5 tail without index vs sonic-rs get", ["W5 tail", sonic_rs::PATH, PATH], 11.0, 14.0),
        depth("W6 validate, per value vs W1 plain walk", ["W6", VALIDATE, EVENTS], 1.6, 1.0),
        depth("W6 events, per value vs W1 plain walk", ["W6", EVENTS, EVENTS], 1.6, 1.0),
        depth("W6 skip, per value vs W1 plain walk", ["W6", SKIP, EVENTS], 1.6, 1.0),
        flat("W6 lazy values, per value vs as many containers side by side", ["W6", LAZY_READ], 1.5, 1.2),
        flat("W6 with siblings, lazy values, per value vs as many containers side by side", ["W6s", LAZY_READ], 1.5, 1.2),
        share("W7 validate, share of R", ["W7", limits::READ, VALIDATE], 0.8, 0.95),
        share("W2 float sum through the view, share of R", ["W2", limits::READ, SUM], 0.9, 1.0),
        times("typed read vs rmp-serde structs", ["W1 structs", rmp_serde::TYPED, STRUCTS], 11.0, 17.0),
        times("writer W1 vs rmp-serde named", ["W1 write", rmp_serde::WRITE, gdvar_write::BURST], 2.2, 3.0),
        times("writer W1 vs serde_json", ["W1 write", serde_json::WRITE, gdvar_write::BURST], 11.0, 15.0),
        share("packed write, share of warm memcpy", ["W2 write", limits::COPY, gdvar_write::PACKED], 0.9, 1.0),
        times("decode vs godot-binary-serialization", ["W1f", godot_binary_serialization::DECODE, VALIDATE], 80.0, 150.0),
        times("encode vs godot-binary-serialization", ["W1f write", godot_binary_serialization::ENCODE, gdvar_write::BURST], 33.0, 45.0),
        engine("W1 slice vs the engine's bytes_to_var", ["W1", engine::READ, VALIDATE], 60.0, 80.0),
        engine("W1 slice vs the engine's var_to_bytes", ["W1 write", engine::WRITE, gdvar_write::BURST], 34.0, 48.0),
        allocations("allocations while reading", is_reader),
        allocations("allocations while writing into a reserved buffer", is_writer),
    ]
}

impl Goal {
    /// Holds what was measured against it. `large` has the large inputs.
    pub(crate) fn verdict(&self, small: &[Table], large: &[Table]) -> Verdict {
        let tables = match self.size {
            Size::Small => small,
            Size::Large => large,
        };
        let row = |workload: &str, entry: &str| {
            let table = tables.iter().find(|table| table.workload == workload)?;
            Some((table.row(entry)?, table.values as f64))
        };
        let found = match &self.what {
            What::Times {
                workload,
                reference,
                ours,
            } => row(workload, reference)
                .zip(row(workload, ours))
                .map(|(reference, ours)| reference.0.median / ours.0.median),
            What::TimesBest {
                workload,
                reference,
                ours,
            } => row(workload, reference)
                .zip(row(workload, ours))
                .map(|(reference, ours)| reference.0.best / ours.0.median),
            What::PerValue { ours, base } => row(ours.0, ours.1)
                .zip(row(base.0, base.1))
                .map(|(ours, base)| (ours.0.median / ours.1) / (base.0.median / base.1)),
            What::Kinds { reference, ours } => {
                let kinds = tables
                    .iter()
                    .filter(|table| KINDS.contains(&table.workload));
                let ratios: Option<Vec<f64>> = kinds
                    .map(|table| Some(table.row(reference)?.median / table.row(ours)?.median))
                    .collect();
                ratios
                    .filter(|ratios| ratios.len() == KINDS.len())
                    .map(|ratios| {
                        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
                        (logarithms / ratios.len() as f64).exp()
                    })
            }
            What::Allocations { of } => {
                let rows = tables
                    .iter()
                    .flat_map(|t| t.rows.iter().map(move |row| (t, row)));
                let rows = rows.filter(|(table, row)| of(table.workload, row.name));
                let memory = rows.filter_map(|(_, row)| row.memory);
                Some(memory.map(|memory| memory.allocations).sum::<u64>() as f64)
            }
            What::Missing => None,
        };
        Verdict {
            name: self.name,
            found: found.ok_or(self.absent),
            optional: matches!(self.what, What::TimesBest { .. }),
            at_most: matches!(self.what, What::PerValue { .. } | What::Allocations { .. }),
            must: self.must,
            wanted: self.wanted,
        }
    }
}

impl Verdict {
    /// Whether the least that is asked for is reached. What cannot be measured is not, unless it
    /// takes a program that not everyone has.
    pub(crate) fn is_reached(&self) -> bool {
        self.found
            .map_or(self.optional, |found| self.holds(found, self.must))
    }

    /// Whether it was left out for want of another program.
    pub(crate) fn is_unmeasured(&self) -> bool {
        self.optional && self.found.is_err()
    }

    fn holds(&self, found: f64, than: f64) -> bool {
        if self.at_most {
            found <= than
        } else {
            found >= than
        }
    }

    /// The name of the goal.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// What was found, and against what: three cells and a word.
    pub(crate) fn cells(&self) -> [String; 4] {
        let bound = if self.at_most { "≤ " } else { "" };
        let found = match self.found {
            Ok(found) => format!("{found:.2}"),
            Err(why) => why.to_owned(),
        };
        let word = match self.found {
            Ok(found) if self.holds(found, self.wanted) => "as wanted",
            Ok(found) if self.holds(found, self.must) => "reached",
            Ok(_) => "missed",
            Err(_) if self.optional => "not measured",
            Err(_) => "missing",
        };
        let cell = |number: f64| format!("{bound}{number}");
        [found, cell(self.must), cell(self.wanted), word.to_owned()]
    }

    /// The median of the verdicts of several runs on the same goal.
    pub(crate) fn median(mut runs: Vec<Verdict>) -> Option<Verdict> {
        let key = |verdict: &Verdict| verdict.found.unwrap_or(f64::NAN);
        runs.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let middle = runs.len() / 2;
        runs.into_iter().nth(middle)
    }
}

/// One line of JSON.
#[derive(serde::Serialize)]
struct Line {
    goal: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'static str>,
    must: f64,
    wanted: f64,
    /// The ratio must not be larger, instead of not smaller.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_most: bool,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = Line {
            goal: self.name,
            ratio: self
                .found
                .ok()
                .map(|found| (found * 1000.0).round() / 1000.0),
            missing: self.found.err(),
            must: self.must,
            wanted: self.wanted,
            at_most: self.at_most,
        };
        f.write_str(&::serde_json::to_string(&line).map_err(|_| fmt::Error)?)
    }
}
