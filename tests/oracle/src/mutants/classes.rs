//! The deliberate differences on damaged inputs, which have no name: by what the inputs have in them.

/// A difference from an engine, in one aspect, of inputs that have something in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// In what they differ: `verdict`, `consumed`, `text`, `bytes`, `strict` or `engine`
    /// ([`judge`](super::judge)).
    pub aspect: &'static str,
    /// The trait that such an input has (`traits.rs`).
    pub has: &'static str,
    /// The engine, or how the names of several begin: `godot3` for both releases, empty for all.
    pub engine: &'static str,
    /// Why.
    pub why: &'static str,
    /// `true` if the example is read with leave for whole objects.
    pub objects: bool,
    /// Such an input of Godot 4, in hex; empty if `engine` is Godot 3, or where it would be long, end the
    /// engine or depend on its memory.
    pub example: &'static str,
    /// The example of Godot 3.
    pub example_3: &'static str,
}

impl Mutant {
    /// Returns `true` if it is a difference from that engine.
    #[must_use]
    pub fn is_of(&self, asked: crate::Asked) -> bool {
        asked.engine.name().starts_with(self.engine)
    }

    /// The example for an engine.
    #[must_use]
    pub fn example(&self, asked: crate::Asked) -> &'static str {
        if asked.series() == "3" {
            self.example_3
        } else {
            self.example
        }
    }
}

/// The table as it stands in `tests/oracle/DIFFERENCES.md`.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| class | engine | why | example |\n|---|---|---|---|\n");
    for known in MUTANTS {
        let engine = if known.engine.is_empty() {
            "all"
        } else {
            known.engine
        };
        let example = match (known.example, known.example_3) {
            ("", "") => "none".to_owned(),
            ("", hex) | (hex, _) => format!("`{hex}`"),
        };
        let leave = if known.objects {
            ", with leave for objects"
        } else {
            ""
        };
        let Mutant {
            aspect, has, why, ..
        } = known;
        out += &format!("| `{aspect}/{has}` | {engine} | {why} | {example}{leave} |\n");
    }
    out
}

/// All differences that mutants showed. The first that fits explains one.
pub const MUTANTS: &[Mutant] = &[
    Mutant {
        aspect: "verdict",
        has: "counts-wrap",
        engine: "",
        why: "the engines add the two counts of a NodePath with wrap-around and read a path without names; \
              the bytes promise thousands of millions (docs/FORMAT.md §6, row 33)",
        objects: false,
        example: "1600000001000080ffffffff0000807f",
        example_3: "0f000000ffffffff010000800000a900",
    },
    Mutant {
        aspect: "verdict",
        has: "whole-object",
        engine: "",
        why: "the engines make an instance of the class and refuse what they cannot make; here an \
              object is a name and properties (§6, rows 26 and 29)",
        objects: true,
        example: "18000000030000006100ff6100000080",
        example_3: "1100000004000000f49080800100c0ff",
    },
    Mutant {
        aspect: "consumed",
        has: "missing-padding",
        engine: "",
        why: "the engines count padding of a PackedByteArray that is not there; here nothing \
              behind the input is used (§6, row 19)",
        objects: false,
        example: "1d0000000100000099",
        example_3: "140000000100000057",
    },
    Mutant {
        aspect: "bytes",
        has: "whole-object",
        engine: "",
        why: "the engines write the properties of the class; here those of the bytes (§4.4)",
        objects: true,
        example: "18000000080000005265736f757263650100c0ff170000007265",
        example_3: "130000000100000011000000090000005265666572656e6365000000010000dc06000000736372697074000000000000",
    },
    Mutant {
        aspect: "bytes",
        has: "misfit",
        engine: "godot4",
        why: "the engine converts or drops elements that do not fit their typed container; here \
              they are kept (§6, row 37)",
        objects: false,
        example: "1c000100020000000100000000000180",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "type-renamed",
        engine: "godot4",
        why: "without leave for objects the engine knows no class but EncodedObjectAsID; here the \
              type is kept. All other bytes are the same (§4.3)",
        objects: false,
        example: "1b0002000000000000000000",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "no-utf-8",
        engine: "godot3.6",
        why: "Godot 3.6 writes a lone surrogate as a space, a pair as the one character it stands for, and a \
              number that is no character not at all; here text is kept (§6, row 13)",
        objects: false,
        example: "",
        example_3: "0400000003000000eda08000",
    },
    Mutant {
        aspect: "bytes",
        has: "bom",
        engine: "",
        why: "the engine drops a byte order mark when it reads and would have written it; here it is kept (§5)",
        objects: false,
        example: "0400000004000000efbbbf61",
        example_3: "0400000004000000efbbbf61",
    },
    Mutant {
        aspect: "again",
        has: "bom",
        engine: "",
        why: "of two byte order marks one is dropped each time the bytes are read, also those of the engine (§6, row 15)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "again",
        has: "whole-object",
        engine: "",
        why: "an object made twice of the same bytes differs from itself: seeds, ids, and what was never set (§4.4)",
        objects: true,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "again",
        has: "null-object-key",
        engine: "",
        why: "an object without an id is written as null, as the engine itself does; as a key it is then one with a null \
              beside it, and fits no typed dictionary of another type (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "packed-keys",
        engine: "godot3",
        why: "Godot 3 compares packed arrays of the same type beyond the end of the shorter one: their order depends on \
              what is in memory there",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "engine",
        has: "packed-keys",
        engine: "godot3",
        why: "Godot 3 compares packed arrays of the same type beyond the end of the shorter one, and may die of it \
              when it sorts them as keys",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "absolute-without-names",
        engine: "godot3",
        why: "Godot 3 forgets that a path without names is absolute; the bit is kept (§4.5)",
        objects: false,
        example: "",
        example_3: "0f000000000000800000000005000000",
    },
    Mutant {
        aspect: "bytes",
        has: "packed-nan-key",
        engine: "godot3.2",
        why: "Godot 3.2 cannot find a key that is an array of reals with a NaN, and loses its value \
              (§4.2)",
        objects: false,
        example: "",
        example_3: "12000000030000001600020002000000c080ffff01000000010000000400000002000000c3a9000001000000010000000400000002000000696400000100000001000000",
    },
    Mutant {
        aspect: "bytes",
        has: "packed-nan-key",
        engine: "godot3.6",
        why: "Godot 3.6 finds such keys and merges those with equal bits; here they are kept apart, as 3.2 keeps them (§4.2)",
        objects: false,
        example: "",
        example_3: "120000000200000016000000010000000000c07f020000000100000016000000010000000000c07f0200000002000000",
    },
    Mutant {
        aspect: "text",
        has: "whole-object",
        engine: "",
        why: "the engines print the properties of the class; here those of the bytes (§4.4)",
        objects: true,
        example: "18000000080000005265736f757263650100c0ff170000007265",
        example_3: "130000000100000011000000090000005265666572656e6365000000010000dc06000000736372697074000000000000",
    },
    Mutant {
        aspect: "strict",
        has: "bom",
        engine: "",
        why: "a byte order mark is written as it is and dropped when read: bytes of an encoder, but \
              not those of one that has read them (§6, row 15)",
        objects: false,
        example: "0400000004000000efbbbf61",
        example_3: "0400000003000000efbbbf00",
    },
    Mutant {
        aspect: "strict",
        has: "wide",
        engine: "godot4",
        why: "wide reals are of the engine's double-precision build (§2.3)",
        objects: false,
        example: "050001009a9999999999b93f9a9999999999c93f",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "path-padding",
        engine: "godot4",
        why: "releases before 4.6 leave the padding inside node paths unset, so strict mode takes any \
              (§1.2)",
        objects: false,
        example: "160000000100008000000000000000000100000061ffffff",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "typed-object",
        engine: "godot4",
        why: "which class an engine names depends on its leave for objects (§4.3)",
        objects: false,
        example: "1c000200010000006100000000000000",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "whole-object",
        engine: "",
        why: "strict mode knows no classes (§4.4)",
        objects: true,
        example: "180000000a000000526566436f756e7465640000010000000600000073637269706c000000000000",
        example_3: "110000000700000046756e63526566000100000006000000136301697074000000000000",
    },
    Mutant {
        aspect: "strict",
        has: "misfit",
        engine: "godot4",
        why: "the engine does not look at the values of a typed dictionary; strict mode does (§4.3)",
        objects: false,
        example: "1b000400060000000100000000000000040000000500000076616c7565000000",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "no-utf-8",
        engine: "godot3",
        why: "strings of Godot 3 hold surrogates and numbers that are no characters; strict text \
              is UTF-8 (§6, row 13)",
        objects: false,
        example: "",
        example_3: "0400000004000000f4908080",
    },
    Mutant {
        aspect: "strict",
        has: "absolute-without-names",
        engine: "godot3",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "0f000000000000800000000001000000",
    },
    Mutant {
        aspect: "engine",
        has: "whole-object",
        engine: "",
        why: "the engine does not come back from setting properties of some classes, and 3.6 dies of scripts; here nothing is set (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "verdict",
        has: "script-let-in",
        engine: "godot4",
        why: "the engine looks for the script of a typed container; here nothing is looked up (§4.3)",
        objects: true,
        example: "1c0003000e0000007265733a2f2f6d74656d342e6764000000000000",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "script-let-in",
        engine: "godot4",
        why: "typed dictionaries with a script do not survive the engine's own decoder (§4.3)",
        objects: true,
        example: "1b000e000b000000526566436f756e74656400000d0000007265733a2f2f626167342e676400000000000000",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "script-let-in",
        engine: "godot4",
        why: "as its bytes",
        objects: true,
        example: "1b000e000b000000526566436f756e74656400000d0000007265733a2f2f626167342e676400000000000000",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "object-id-let-in",
        engine: "",
        why: "an id read with leave for whole objects is a whole object when it is written again (§4.4)",
        objects: true,
        example: "180001000000008000000000",
        example_3: "110001000100000000000000",
    },
    Mutant {
        aspect: "strict",
        has: "object-id-let-in",
        engine: "",
        why: "as its bytes",
        objects: true,
        example: "180001000000008000000000",
        example_3: "110001000100000000000000",
    },
    Mutant {
        aspect: "bytes",
        has: "wide-key",
        engine: "godot4",
        why: "wide keys that differ are one key after the engine narrowed them; here they keep their width (§2.3)",
        objects: false,
        example: "1b0000000200000005000100000000000000f03f010000000000f03f020000000100000005000100000000000000f03f000000000000f03f0200000002000000",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "color-of-text",
        engine: "godot4",
        why: "gdvar-text does not know the names of colours that the engine converts to Color (§4.3)",
        objects: false,
        example: "1b000100140000000100000004000000040000004e616d650300000001000000",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "quaternion-of-basis",
        engine: "godot4",
        why: "gdvar-text does not convert a Basis to a Quaternion (§4.3)",
        objects: false,
        example: "1c0001000f00000001000000110000000000803f0000000000000000000000000000803f0000000000000000000000000000803f",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "name-key",
        engine: "godot4",
        why: "the engine sorts StringNames inside of keys by their place in memory",
        objects: false,
        example: "1b000000020000001c000000010000001500000006000000c2856e4c635500001500000006000000c2856e4c635500001c000000010000001500000003000000610062000200000001000000",
        example_3: "",
    },
    Mutant {
        aspect: "again",
        has: "name-key",
        engine: "godot4",
        why: "as its text: StringNames inside of keys are sorted by their place in memory, which is another each time",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "object-key",
        engine: "godot3",
        why: "Godot 3 sorts objects by their place in memory",
        objects: true,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "packed-nan-key",
        engine: "godot3.2",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "12000000020000001600000007000000eb253a680100a07fffffffffb5fce1b2685a401305000000010000001600000007000000eb253a680100a07fffffffffb5fce1b2685a4013050000000100000004000000040000004e616d651600000007000000eb253a680100a07fffffffffb5fce1b2685a40130500000001000000",
    },
    Mutant {
        aspect: "strict",
        has: "packed-nan-key",
        engine: "godot3.6",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "120000000200000016000000010000000000c07f020000000100000016000000010000000000c07f0200000002000000",
    },
    Mutant {
        aspect: "bytes",
        has: "deep-key",
        engine: "godot4",
        why: "the engine looks no more than 100 levels into a key and takes what is equal up to there for one key",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "deep-key",
        engine: "godot4",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "deep-key",
        engine: "godot4",
        why: "as its bytes: strict mode lets two keys pass that differ below, and the engine loses one of them",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "typed-object-let-in",
        engine: "godot4",
        why: "the engine drops objects of another class; here no class is looked up (§4.3)",
        objects: true,
        example: "1c00020003000000610062ff01000000180001000900000000000000",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "packed-of-array",
        engine: "godot4",
        why: "gdvar-text prints the elements of an array that becomes a packed array as they are, the engine what they are converted to (§4.3)",
        objects: false,
        example: "1c0001001f0000000200000002000000050000001c0001001f000000020000000200000005000000040000000100000078000000",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "array-of-packed",
        engine: "godot4",
        why: "gdvar-text does not convert every packed array to an array (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "wide-key",
        engine: "godot4",
        why: "as its bytes, for packed arrays",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "repeat-in-key",
        engine: "godot4",
        why: "a dictionary that is a key loses its repeated keys before it is compared; here keys are compared as they stand in the bytes (§6, row 22)",
        objects: false,
        example: "1b000000020000001b000000020000000400000001000000610000000200000001000000040000000100000061000000020000000200000002000000010000001b0000000100000004000000010000006100000002000000020000000200000002000000",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "keys-kept",
        engine: "",
        why: "where the engine takes one of the keys for another than the bytes say, repeated keys are left for it to \
              merge (§6, row 22)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "keys-kept",
        engine: "",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "again",
        has: "object-id",
        engine: "godot4",
        why: "the engine makes an object for an id, and may write the id of that object, which is another each time",
        objects: false,
        example: "",
        example_3: "",
    },
];
