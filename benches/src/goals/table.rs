//! The goals as data: a name, what is compared, the least that is asked for, and what is wanted.
//!
//! Like is compared with like: validation with validation, a tree with a tree, derived code with
//! derived code, a walk with a visitor.

use super::{Goal, Take, What};
use crate::{
    limits,
    outside::engine,
    peers::{
        flexbuffers, floor, gdvar, godot_binary_serialization, rkyv, rmp_serde, rmpv, serde_json,
        sonic_rs,
    },
    plan::JUDGED,
    workloads::Size,
};

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
        kept: None,
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
    let what = What::TimesOutside {
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

/// Over every case of the matrix and every save.
const fn over(
    name: &'static str,
    of: [&'static str; 2],
    take: Take,
    must: f64,
    wanted: f64,
) -> Goal {
    let what = What::Over {
        workloads: &JUDGED,
        of,
        take,
    };
    Goal {
        what,
        ..times(name, ["", "", ""], must, wanted)
    }
}

/// One entry's time divided by another's in the same workload. At most so much.
const fn part(
    name: &'static str,
    [workload, ours, base]: [&'static str; 3],
    must: f64,
    wanted: f64,
) -> Goal {
    let what = What::PerValue {
        ours: (workload, ours),
        base: (workload, base),
    };
    Goal {
        what,
        ..times(name, ["", "", ""], must, wanted)
    }
}

/// Over every case whose records fill structs. At least so much.
const fn typed(name: &'static str, of: [&'static str; 2], must: f64, wanted: f64) -> Goal {
    let what = What::Over {
        workloads: &crate::plan::TYPED,
        of,
        take: Take::Least,
    };
    Goal {
        what,
        ..times(name, ["", "", ""], must, wanted)
    }
}

const fn nanoseconds(
    name: &'static str,
    [workload, ours]: [&'static str; 2],
    must: f64,
    wanted: f64,
) -> Goal {
    Goal {
        what: What::Nanoseconds { workload, ours },
        ..times(name, ["", "", ""], must, wanted)
    }
}

/// The goal on the large inputs.
const fn large(goal: Goal) -> Goal {
    Goal {
        size: Size::Large,
        ..goal
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
    // Structs are collected into a vector, which allocates, and so do a tree, the walk over it and an index. Strict
    // validation and the engine's text, which is sorted, remember the keys of each dictionary.
    let builds = [
        gdvar::record::STRUCTS,
        gdvar::serde::STRUCTS,
        gdvar::index::INDEX,
        gdvar::index::BUILT_READ,
        gdvar::tree::READ,
        gdvar::tree::WRITE,
        gdvar::text::TEXT,
        gdvar::validate::STRICT,
    ]
    .contains(&entry);
    entry.starts_with("gdvar") && !workload.ends_with("write") && !builds
}

fn is_writer(workload: &str, entry: &str) -> bool {
    // The walk over a tree remembers where it is.
    let walks = entry == gdvar::tree::WRITE;
    // serde gives the names of a NodePath one by one, and they are collected.
    let collects = workload == "S4 write" && entry == gdvar::serde::WRITE;
    entry.starts_with("gdvar") && workload.ends_with("write") && !walks && !collects
}

const ENGINE: &str = "no Godot 4 here: scripts/test-engines installs one, GODOT4 names one";

/// The table of goals. Deep nesting is held against W1 by events, which is the plain walk.
#[rustfmt::skip]
pub(crate) fn goals() -> Vec<Goal> {
    use Take::{Largest, Least, Mean};
    use flexbuffers::LOOKUP as FLEXBUFFERS;
    use floor::VALIDATE as FLOOR;
    use gdvar::{
        events::{EVENTS, EVENTS_READ},
        floats::SUM,
        index::{BUILT_READ, INDEX, INDEX_READ, LOOKUP},
        lazy::{LAZY_READ, LOOPS},
        path::PATH,
        record::STRUCTS,
        serde::STRUCTS as DERIVED,
        text, tree,
        validate::{SKIP, STRICT, VALIDATE},
        write::{BURST, PACKED},
    };
    use rmp_serde::{IGNORED, READ, TYPED};
    let allocations = |name, of| Goal { what: What::Allocations { of }, ..missing(name, "", 0.0, 0.0) };
    vec![
        over("validate vs rmp-serde IgnoredAny, the least over the matrix and the saves", [IGNORED, VALIDATE], Least, 1.9, 2.5).kept_at(1.6),
        over("validate vs rmp-serde IgnoredAny, geometric mean over the matrix and the saves", [IGNORED, VALIDATE], Mean, 2.0, 2.5),
        over("validate vs the floor, the largest over the matrix and the saves", [VALIDATE, FLOOR], Largest, 1.05, 0.95),
        large(times("validate 200 different thousands of records once each vs rmp-serde IgnoredAny", ["T", IGNORED, VALIDATE], 1.9, 2.5)),
        large(times("validate 200 thousands of records of different shapes once each vs rmp-serde IgnoredAny", ["T shapes", IGNORED, VALIDATE], 1.9, 2.5)),
        times("owned tree vs serde_json Value, W1", ["W1", serde_json::READ, tree::READ], 2.0, 2.5),
        times("owned tree vs serde_json Value, the save", ["S4", serde_json::READ, tree::READ], 2.0, 3.0),
        times("owned tree vs rmp-serde's, W1", ["W1", rmpv::READ_SERDE, tree::READ], 1.3, 1.6),
        times("owned tree vs rmp-serde's, the save", ["S4", rmpv::READ_SERDE, tree::READ], 1.3, 1.6),
        times("writing an owned tree vs rmp-serde, W1", ["W1", rmpv::WRITE_SERDE, tree::WRITE], 1.0, 1.5),
        times("writing an owned tree vs rmp-serde, the save", ["S4", rmpv::WRITE_SERDE, tree::WRITE], 1.0, 1.3),
        over("events, all read, vs rmp-serde's visitor, the least over the matrix and the saves", [READ, EVENTS_READ], Least, 1.6, 2.5).kept_at(0.9),
        part("save, plain lazy loops vs the floor", ["S4", LOOPS, FLOOR], 2.5, 1.6).kept_at(6.2),
        part("save, index built and all read vs the floor", ["S4", BUILT_READ, FLOOR], 2.0, 1.6).kept_at(7.3),
        part("save, loops over an index vs the floor", ["S4", INDEX_READ, FLOOR], 2.0, 1.6).kept_at(4.0),
        typed("Record vs rmp-serde's derive, the least over keys, orders and missing fields", [TYPED, STRUCTS], 1.5, 3.0).kept_at(1.1),
        Goal {
            what: What::PerValue { ours: ("R64", STRUCTS), base: ("R4", STRUCTS) },
            ..times("Record of 64 fields, two swapped, vs of 4, a field", ["", "", ""], 2.0, 1.3)
        }.kept_at(12.5),
        over("strict vs the floor, the largest over the matrix and the saves", [STRICT, FLOOR], Largest, 1.8, 1.4).kept_at(2.1),
        part("save, index vs validate", ["S4", INDEX, VALIDATE], 1.2, 1.1).kept_at(1.6),
        large(times("save, actors[i].id with index vs flexbuffers", ["S4 lookup", FLEXBUFFERS, LOOKUP], 1.0, 2.0)).kept_at(0.27),
        large(times("a million text keys with index vs flexbuffers", ["L lookup", FLEXBUFFERS, LOOKUP], 1.0, 3.0)),
        nanoseconds("13 500 Vector3i keys with index, ns a lookup", ["V lookup", LOOKUP], 1_000.0, 100.0),
        large(part("save, actors[62500].name without index vs validate", ["S4 path", PATH, VALIDATE], 0.5, 0.35)).kept_at(1.05),
        large(times("packets in random order in memory vs rmp-serde IgnoredAny", ["P scattered", IGNORED, VALIDATE], 1.0, 1.3)).kept_at(0.85),
        engine("save, write_godot vs the engine's var_to_str", ["S4 text", engine::TEXT, text::TEXT], 5.0, 12.0).kept_at(3.0),
        engine("5 000 keys, write_godot vs the engine's var_to_str", ["K text", engine::TEXT, text::TEXT], 5.0, 12.0).kept_at(3.0),
        engine("1 MB of bytes, write_godot vs the engine's var_to_str", ["B text", engine::TEXT, text::TEXT], 8.0, 12.0),
        times("W1 validate vs rmp-serde IgnoredAny", ["W1", IGNORED, VALIDATE], 1.9, 2.5),
        times("W1 validate vs rkyv checked", ["W1", rkyv::CHECKED, VALIDATE], 1.0, 1.5),
        times("W1b validate vs rmp-serde IgnoredAny", ["W1b", IGNORED, VALIDATE], 3.4, 5.0).kept_at(2.4),
        share("W1 random lookup with index vs flexbuffers", ["W1 lookup", FLEXBUFFERS, LOOKUP], 0.95, 1.2).kept_at(0.55),
        times("W3 mixed packets vs rmp-serde IgnoredAny", ["W3", IGNORED, VALIDATE], 2.2, 4.0).kept_at(2.0),
        times("W4 validate, share of skip + simdutf8", ["W4", limits::TEXT, VALIDATE], 0.9, 1.0),
        times("W4p validate, share of skip + simdutf8", ["W4p", limits::TEXT, VALIDATE], 0.9, 1.0),
        times("W5 tail without index vs sonic-rs get", ["W5 tail", sonic_rs::PATH, PATH], 11.0, 14.0),
        depth("W6 validate, per value vs W1 plain walk", ["W6", VALIDATE, EVENTS], 1.6, 1.0),
        depth("W6 events, per value vs W1 plain walk", ["W6", EVENTS, EVENTS], 1.6, 1.0).kept_at(2.4),
        depth("W6 skip, per value vs W1 plain walk", ["W6", SKIP, EVENTS], 1.6, 1.0),
        flat("W6 lazy values, per value vs as many containers side by side", ["W6", LAZY_READ], 1.5, 1.2),
        flat("W6 with siblings, lazy values, per value vs as many containers side by side", ["W6s", LAZY_READ], 1.5, 1.2),
        share("W7 validate, share of R", ["W7", limits::READ, VALIDATE], 0.8, 0.95),
        share("W2 float sum through the view, share of R", ["W2", limits::READ, SUM], 0.9, 1.0),
        times("W1 into structs, Record vs rmp-serde's derive", ["W1 structs", TYPED, STRUCTS], 5.0, 11.0).kept_at(4.5),
        times("W1 into structs, derive vs rmp-serde's derive", ["W1 structs", TYPED, DERIVED], 1.0, 1.5),
        times("writer W1 vs rmp-serde named", ["W1 write", rmp_serde::WRITE, BURST], 2.2, 3.0),
        times("writer W1 vs serde_json", ["W1 write", serde_json::WRITE, BURST], 11.0, 15.0),
        share("packed write, share of warm memcpy", ["W2 write", limits::COPY, PACKED], 0.9, 1.0).kept_at(0.7),
        times("tree read vs godot-binary-serialization", ["W1f", godot_binary_serialization::DECODE, tree::READ], 1.3, 1.6),
        times("tree written vs godot-binary-serialization", ["W1f write", godot_binary_serialization::ENCODE, tree::WRITE], 2.5, 3.0),
        engine("W1 slice, tree read vs the engine's bytes_to_var", ["W1", engine::READ, tree::READ], 2.0, 2.3),
        engine("W1f, tree written vs the engine's var_to_bytes", ["W1f write", engine::WRITE, tree::WRITE], 2.4, 2.8),
        allocations("allocations while reading", is_reader),
        allocations("allocations while writing into a reserved buffer", is_writer),
    ]
}
