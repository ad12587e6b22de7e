//! The same for inputs without a name: by what they have in them.

/// A difference from an engine, in one aspect, of inputs that have something in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// In what they differ: `verdict`, `consumed`, `text`, `bytes`, `strict` or `engine`
    /// (`oracle::mutants::judge`).
    pub aspect: &'static str,
    /// What such an input has in it (`oracle::mutants::traits`).
    pub has: &'static str,
    /// The engine; empty for both.
    pub engine: &'static str,
    /// Why.
    pub why: &'static str,
    /// Such an input, in hex.
    pub example: &'static str,
}

/// All differences that mutants showed. The first that fits explains one.
pub const MUTANTS: &[Mutant] = &[
    Mutant {
        aspect: "verdict",
        has: "counts-wrap",
        engine: "",
        why: "the engines add the two counts of a NodePath with wrap-around and read a path without names; \
              the bytes promise thousands of millions (docs/FORMAT.md §6, row 33)",
        example: "",
    },
    Mutant {
        aspect: "verdict",
        has: "whole-object",
        engine: "",
        why: "the engines make an instance of the class and refuse what they cannot make; here an \
              object is a name and properties (§6, rows 26 and 29)",
        example: "",
    },
    Mutant {
        aspect: "consumed",
        has: "missing-padding",
        engine: "",
        why: "the engines count padding of a PackedByteArray that is not there; here nothing \
              behind the input is used (§6, row 19)",
        example: "",
    },
    Mutant {
        aspect: "bytes",
        has: "whole-object",
        engine: "",
        why: "the engines write the properties of the class; here those of the bytes (§4.4)",
        example: "",
    },
    Mutant {
        aspect: "bytes",
        has: "misfit",
        engine: "godot4",
        why: "the engine converts or drops elements that do not fit their typed container; here \
              they are kept (§6, row 37)",
        example: "",
    },
    Mutant {
        aspect: "bytes",
        has: "type-renamed",
        engine: "godot4",
        why: "without leave for objects the engine knows no class but EncodedObjectAsID; here the \
              type is kept. All other bytes are the same (§4.3)",
        example: "",
    },
    Mutant {
        aspect: "bytes",
        has: "absolute-without-names",
        engine: "godot3",
        why: "Godot 3 forgets that a path without names is absolute; the bit is kept (§4.5)",
        example: "",
    },
    Mutant {
        aspect: "bytes",
        has: "packed-nan-key",
        engine: "godot3",
        why: "Godot 3 cannot find a key that is an array of reals with a NaN, and loses its value \
              (§4.2)",
        example: "",
    },
    Mutant {
        aspect: "text",
        has: "packed-nan-key",
        engine: "godot3",
        why: "as its bytes",
        example: "",
    },
    Mutant {
        aspect: "text",
        has: "whole-object",
        engine: "",
        why: "the engines print the properties of the class; here those of the bytes (§4.4)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "bom",
        engine: "",
        why: "a byte order mark is written as it is and dropped when read: bytes of an encoder, but \
              not those of one that has read them (§6, row 15)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "wide",
        engine: "godot4",
        why: "wide reals are of the engine's double-precision build (§2.3)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "path-padding",
        engine: "godot4",
        why: "releases before 4.6 leave the padding inside node paths unset, so strict mode takes any \
              (§1.2)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "typed-object",
        engine: "godot4",
        why: "which class an engine names depends on its leave for objects (§4.3)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "whole-object",
        engine: "",
        why: "strict mode knows no classes (§4.4)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "misfit",
        engine: "godot4",
        why: "the engine does not look at the values of a typed dictionary; strict mode does (§4.3)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "no-utf-8",
        engine: "godot3",
        why: "strings of Godot 3 hold surrogates and numbers that are no characters; strict text \
              is UTF-8 (§6, row 13)",
        example: "",
    },
    Mutant {
        aspect: "strict",
        has: "absolute-without-names",
        engine: "godot3",
        why: "as its bytes",
        example: "",
    },
];
