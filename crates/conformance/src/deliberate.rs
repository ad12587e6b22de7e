//! The vectors on which the project intentionally differs from an engine. Other intentional differences are
//! listed in `tests/oracle`: those on damaged inputs in `mutants/classes.rs`, and those about the writer's
//! output in `compare/foreseen.rs`.

/// A difference from an engine.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// The start of the ids of the vectors concerned.
    pub id: &'static str,
    /// The name of the engine. Empty if it applies to all engines.
    pub engine: &'static str,
    /// The result of the project: the name of its error, or `accepted`.
    pub ours: &'static str,
    /// Why the project decides differently.
    pub why: &'static str,
}

/// Inputs that the project accepts and an engine refuses, or the other way round.
pub const VERDICTS: &[Difference] = &[
    Difference {
        id: "nodepath/counts-wrap",
        engine: "",
        ours: "InvalidLength",
        why: "the engines add two counts of a NodePath with wrap-around and read a path without \
              names; the bytes promise thousands of millions of names (docs/FORMAT.md §6, row 33)",
    },
    Difference {
        id: "depth/",
        engine: "3.2.3",
        ours: "DepthExceeded",
        why: "Godot 3.2.3 has no depth limit and crashes on deep input; here the limit is 1024 in every \
              dialect (§4.6)",
    },
    Difference {
        id: "projection/",
        engine: "pandemonium-5.3",
        ours: "accepted",
        why: "the engine refuses a Projection with less than 248 bytes after its header, even one \
              that it wrote (§6, decoder defects)",
    },
    Difference {
        id: "vector4",
        engine: "pandemonium-5.3",
        ours: "Truncated",
        why: "the engine passes a Vector4 or Vector4i four bytes short and reads its last component \
              as the next value (§6, decoder defects)",
    },
    Difference {
        id: "object/unknown-class",
        engine: "",
        ours: "accepted",
        why: "the engines instantiate and refuse unknown classes; here an object is a name and \
              properties (§6, row 26)",
    },
    Difference {
        id: "typed/script-missing-full",
        engine: "4.6.3",
        ours: "accepted",
        why: "the engine looks for the script's file; here nothing is looked up (§4.3)",
    },
];

/// Inputs that the project and an engine accept. The project keeps more of their contents than the
/// engine.
pub const VALUES: &[Difference] = &[
    Difference {
        id: "nodepath/absolute-empty",
        engine: "3.2.3",
        ours: "accepted",
        why: "Godot 3 forgets that a path without names is absolute; the bit is kept (§4.5)",
    },
    Difference {
        id: "typed/",
        engine: "4.6.3",
        ours: "accepted",
        why: "the engine converts or drops elements that do not fit, and renames classes; the bytes \
         are kept, but strict mode refuses them (§6, row 37)",
    },
    Difference {
        id: "typed/",
        engine: "pandemonium-5.3",
        ours: "accepted",
        why: "the engine drops elements that do not fit; the bytes are kept (§4.3)",
    },
    Difference {
        id: "repeated-key/",
        engine: "",
        ours: "accepted",
        why: "all pairs are shown in order; lookups return the last (§6, row 22)",
    },
];

/// Bytes that strict mode accepts although one engine would write them differently, by group.
pub const STRICT: &[Difference] = &[
    Difference {
        id: "string/bom",
        engine: "",
        ours: "accepted",
        why: "a byte order mark is written unchanged, and only readers drop it (§6, row 15)",
    },
    Difference {
        id: "object-id/",
        engine: "",
        ours: "accepted",
        why: "the engine writes an id of its own for the object that holds the id read (§4.4)",
    },
    Difference {
        id: "typedarray/builtin-object",
        engine: "",
        ours: "accepted",
        why: "which class an engine names depends on its permission to write objects (§4.3)",
    },
    Difference {
        id: "typedarray/class-",
        engine: "",
        ours: "accepted",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/script-ids-path",
        engine: "",
        ours: "accepted",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typeddict/class-ids-other-names",
        engine: "",
        ours: "accepted",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/untyped-drops-all-but-nil",
        engine: "",
        ours: "accepted",
        why: "the engine drops elements when it reads; the bytes are valid (§4.3)",
    },
    Difference {
        id: "poolvector4iarray/w",
        engine: "",
        ours: "accepted",
        why: "the engine writes z into w (§6, decoder defects)",
    },
];

/// More differences of strict mode, in any group: `id` is the start of the name after `group/`.
pub const STRICT_NAMES: &[Difference] = &[
    Difference {
        id: "wide-",
        engine: "",
        ours: "accepted",
        why: "reals of the other precision: both builds write this dialect (§2.3)",
    },
    Difference {
        id: "narrow",
        engine: "",
        ours: "accepted",
        why: "as wide-",
    },
];

/// Bytes that no encoder writes. An engine that reads and writes them changes them; the project keeps them.
pub const REENCODED: &[Difference] = &[
    Difference {
        id: "typed",
        engine: "",
        ours: "accepted",
        why: "the engine converts or drops what does not fit and renames classes; here everything is \
              kept (§4.3)",
    },
    Difference {
        id: "nodepath/",
        engine: "",
        ours: "accepted",
        why: "Godot 3 and Pandemonium forget that a path without names is absolute; the bit is kept \
              (§4.5)",
    },
    Difference {
        id: "packedtypedarray",
        engine: "",
        ours: "accepted",
        why: "as typed",
    },
    Difference {
        id: "poolvector4iarray/w",
        engine: "",
        ours: "accepted",
        why: "the engine writes z into w (§6, decoder defects)",
    },
    Difference {
        id: "object-id/",
        engine: "",
        ours: "accepted",
        why: "the engine writes the id of the object that holds the id; here the id read is written \
              (§4.4)",
    },
    Difference {
        id: "string/bom",
        engine: "",
        ours: "accepted",
        why: "the engine drops a byte order mark that it would have written; here it is kept (§5)",
    },
];

/// Returns the reason for a difference, or `None` if it is not intentional. `ours` is the name of the
/// project's error, or `accepted`.
#[must_use]
pub fn reason(table: &[Difference], id: &str, engine: &str, ours: &str) -> Option<&'static str> {
    position(table, id, engine, ours).map(|known| table[known].why)
}

/// Returns the index of an intentional difference in its table, or `None`.
#[must_use]
pub fn position(table: &[Difference], id: &str, engine: &str, ours: &str) -> Option<usize> {
    table.iter().position(|known| {
        id.starts_with(known.id) && engine.starts_with(known.engine) && known.ours == ours
    })
}
