//! The answers that are not as expected, and why.

use gdvar_conformance::deliberate::Difference;

/// Answers of a real engine to what the writer makes that are not as expected. Here `ours` is
/// in what respect: whether it is `accepted`, the `bytes` written again, the `value`, or
/// `bytes+value`; or what is not compared at all: `object-id` and `padding` in those bytes, and
/// whether a NaN is `quiet` in the value.
pub const ORACLE: &[Difference] = &[
    Difference {
        id: "",
        engine: "",
        ours: "object-id",
        why: "the engine writes the id of the object that holds the id; the values are \
              compared (§4.4)",
    },
    Difference {
        id: "",
        engine: "godot3",
        ours: "padding",
        why: "Godot 3 leaves the padding inside node paths unset, here it is zero (§1.2)",
    },
    Difference {
        id: "",
        engine: "",
        ours: "quiet",
        why: "the script that shows the value takes some f32 through doubles, which makes \
              a NaN quiet; the bytes are compared",
    },
    Difference {
        id: "names-kept ",
        engine: "",
        ours: "accepted",
        why: "the class or its properties are another engine's, which is reported: this \
              one has no such class, or its own properties (§4.4)",
    },
    Difference {
        id: "names-kept ",
        engine: "",
        ours: "bytes+value",
        why: "as it is not accepted: names are kept, which is reported",
    },
    Difference {
        id: "key-changed ",
        engine: "",
        ours: "bytes+value",
        why: "keys that were different are the same key here, which is reported; the \
              engine keeps one of them",
    },
    Difference {
        id: "string/bom",
        engine: "",
        ours: "bytes",
        why: "a byte order mark is written as it is, and the engine drops it (§6, row 15)",
    },
    Difference {
        id: "stringname/bom",
        engine: "",
        ours: "bytes",
        why: "as string/bom",
    },
    Difference {
        id: "object-id/9-full",
        engine: "",
        ours: "bytes+value",
        why: "an id read with leave for whole objects is a whole object when it is written \
              again (§4.4)",
    },
    Difference {
        id: "nodepath/01 ",
        engine: "godot3",
        ours: "bytes+value",
        why: "Godot 3 forgets that a path without names is absolute (§4.5)",
    },
    Difference {
        id: "nodepath/09 ",
        engine: "godot3",
        ours: "bytes+value",
        why: "as nodepath/01",
    },
    Difference {
        id: "string/overlong ",
        engine: "godot3",
        ours: "bytes",
        why: "Godot 3 reads some overlong forms; the bytes of a text are kept (§6, row 13)",
    },
    Difference {
        id: "dictionary/every-key ",
        engine: "godot3",
        ours: "bytes+value",
        why: "Godot 3 cannot find a key that is a packed array of reals with a NaN, and \
              loses its pair (§4.2)",
    },
    Difference {
        id: "typedarray/builtin-object ",
        engine: "godot4",
        ours: "bytes+value",
        why: "without leave for objects the engine knows no class but EncodedObjectAsID; \
              here the type is kept (§4.3)",
    },
    Difference {
        id: "typedarray/class-ids-other-name ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/script-ids-path ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typeddict/class-ids-other-names ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/node-empty ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/reference-ids ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/object-ids ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/class-without-full ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "packedtypedarray/resource-ids ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/builtin-object",
    },
    Difference {
        id: "typedarray/mismatch-dropped ",
        engine: "godot4",
        ours: "bytes+value",
        why: "elements that do not fit are kept, and converted or dropped by the engine \
              (§4.3)",
    },
    Difference {
        id: "typedarray/float-into-int-dropped ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/mismatch-dropped",
    },
    Difference {
        id: "packedtypedarray/mismatch-dropped ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typedarray/mismatch-dropped",
    },
    Difference {
        id: "typeddict/int-to-script-full ",
        engine: "godot4",
        ours: "bytes+value",
        why: "typed dictionaries with a script do not survive the engine's own decoder \
              (§4.3)",
    },
    Difference {
        id: "typeddict/script-to-",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typeddict/int-to-script-full",
    },
    Difference {
        id: "typeddict/class-to-script-0-full ",
        engine: "godot4",
        ours: "bytes+value",
        why: "as typeddict/int-to-script-full",
    },
];
