//! The workloads by name, and the groups that they are measured in.

/// The workloads' names, in the order of the report.
pub(crate) const WORKLOADS: [&str; 56] = [
    "S4",
    "S3",
    "R4",
    "R64",
    "S4 lookup",
    "S4 path",
    "P",
    "P scattered",
    "F",
    "T",
    "T shapes",
    "L",
    "L lookup",
    "V",
    "V lookup",
    "S4 text",
    "K text",
    "B text",
    "M plain",
    "M keys",
    "M names",
    "M vector2i",
    "M quarter",
    "M order",
    "M missing",
    "M typed array",
    "M typed dict",
    "M wide",
    "M lists",
    "M all",
    "W1",
    "W1b",
    "W1 lookup",
    "W1 structs",
    "W1 write",
    "S4 write",
    "math write",
    "E packets",
    "E inside",
    "E packets write",
    "E inside write",
    "W1f",
    "W1f write",
    "W1n",
    "W1n write",
    "W2",
    "W2 write",
    "W3",
    "W4",
    "W4p",
    "W5 middle",
    "W5 tail",
    "W6",
    "W6s",
    "W6f",
    "W7",
];

/// Workloads that are measured together by `--only`.
const GROUPS: [(&str, &str); 16] = [
    ("fields", "R"),
    ("nine", "P"),
    ("thousands", "T"),
    ("lookups", "lookup"),
    ("saves", "S"),
    ("matrix", "M "),
    ("structs", "W1 structs"),
    ("write", "W1 write"),
    ("serde write", " write"),
    ("enums", "E "),
    ("packets", "W3"),
    ("text", " text"),
    ("strings", "W4"),
    ("paths", "W5"),
    ("depth", "W6"),
    ("all", ""),
];

/// The workloads of a group, or the one of that name.
pub(crate) fn chosen(name: &str) -> Vec<&'static str> {
    let group = GROUPS.iter().find(|(group, _)| *group == name);
    let all = WORKLOADS.into_iter();
    match group {
        Some((_, start)) => all
            .filter(|own| own.starts_with(start) || own.ends_with(start))
            .collect(),
        None => all.filter(|own| *own == name).collect(),
    }
}

/// The cases of the matrix and the realistic saves, which the same is measured of.
pub(crate) const JUDGED: [&str; 14] = [
    "M plain",
    "M keys",
    "M names",
    "M vector2i",
    "M quarter",
    "M order",
    "M missing",
    "M typed array",
    "M typed dict",
    "M wide",
    "M lists",
    "M all",
    "S4",
    "S3",
];

/// The cases whose records fill structs.
pub(crate) const TYPED: [&str; 7] = [
    "M plain",
    "M keys",
    "M names",
    "M quarter",
    "M order",
    "M missing",
    "M wide",
];

/// The workloads whose limit is memory or whose input a game reads once: they are measured large
/// too.
pub(crate) const MEMORY_BOUND: [&str; 18] = [
    "W1",
    "W1 lookup",
    "W1n",
    "W1n write",
    "W2",
    "W2 write",
    "W7",
    "T",
    "T shapes",
    "S4",
    "S3",
    "S4 lookup",
    "S4 path",
    "P",
    "P scattered",
    "L",
    "L lookup",
    "V",
];

/// Those of them that no goal is held against when they are large.
pub(crate) const READ_ONCE: [&str; 7] = ["W1n", "W1n write", "S4", "S3", "P", "L", "V"];
