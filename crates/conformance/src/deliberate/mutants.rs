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
    /// Whether the example is read with leave for whole objects.
    pub objects: bool,
    /// Such an input of Godot 4, in hex; empty if `engine` is Godot 3.
    pub example: &'static str,
    /// Such an input of Godot 3; empty if `engine` is Godot 4.
    pub example_3: &'static str,
}

impl Mutant {
    /// The example for an engine.
    #[must_use]
    pub fn example(&self, asked: crate::oracle::Asked) -> &'static str {
        if asked.name == "godot3" {
            self.example_3
        } else {
            self.example
        }
    }
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
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "verdict",
        has: "whole-object",
        engine: "",
        why: "the engines make an instance of the class and refuse what they cannot make; here an \
              object is a name and properties (§6, rows 26 and 29)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "consumed",
        has: "missing-padding",
        engine: "",
        why: "the engines count padding of a PackedByteArray that is not there; here nothing \
              behind the input is used (§6, row 19)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "whole-object",
        engine: "",
        why: "the engines write the properties of the class; here those of the bytes (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "misfit",
        engine: "godot4",
        why: "the engine converts or drops elements that do not fit their typed container; here \
              they are kept (§6, row 37)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "type-renamed",
        engine: "godot4",
        why: "without leave for objects the engine knows no class but EncodedObjectAsID; here the \
              type is kept. All other bytes are the same (§4.3)",
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
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "packed-nan-key",
        engine: "godot3",
        why: "Godot 3 cannot find a key that is an array of reals with a NaN, and loses its value \
              (§4.2)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "packed-nan-key",
        engine: "godot3",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "whole-object",
        engine: "",
        why: "the engines print the properties of the class; here those of the bytes (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "bom",
        engine: "",
        why: "a byte order mark is written as it is and dropped when read: bytes of an encoder, but \
              not those of one that has read them (§6, row 15)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "wide",
        engine: "godot4",
        why: "wide reals are of the engine's double-precision build (§2.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "path-padding",
        engine: "godot4",
        why: "releases before 4.6 leave the padding inside node paths unset, so strict mode takes any \
              (§1.2)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "typed-object",
        engine: "godot4",
        why: "which class an engine names depends on its leave for objects (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "whole-object",
        engine: "",
        why: "strict mode knows no classes (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "misfit",
        engine: "godot4",
        why: "the engine does not look at the values of a typed dictionary; strict mode does (§4.3)",
        objects: false,
        example: "",
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
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "absolute-without-names",
        engine: "godot3",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "engine",
        has: "whole-object",
        engine: "godot4",
        why: "the engine does not come back from setting properties of some classes; here nothing is set (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "verdict",
        has: "script-let-in",
        engine: "godot4",
        why: "the engine looks for the script of a typed container; here nothing is looked up (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "script-let-in",
        engine: "godot4",
        why: "typed dictionaries with a script do not survive the engine's own decoder (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "script-let-in",
        engine: "godot4",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "script-let-in",
        engine: "godot4",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "object-id-let-in",
        engine: "",
        why: "an id read with leave for whole objects is a whole object when it is written again (§4.4)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "object-id-let-in",
        engine: "",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "bytes",
        has: "wide-key",
        engine: "godot4",
        why: "wide keys that differ are one key after the engine narrowed them; here they keep their width (§2.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "color-of-text",
        engine: "godot4",
        why: "gdvar-text does not know the names of colours that the engine converts to Color (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "quaternion-of-basis",
        engine: "godot4",
        why: "gdvar-text does not convert a Basis to a Quaternion (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "misfit-in-key",
        engine: "godot4",
        why: "elements that do not fit are converted or dropped before keys are compared; gdvar-text compares the keys of the bytes (§6, row 37)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "name-key",
        engine: "godot4",
        why: "the engine sorts StringNames inside of keys by their place in memory",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "object-key",
        engine: "godot3",
        why: "Godot 3 sorts objects by their place in memory",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "strict",
        has: "packed-nan-key",
        engine: "godot3",
        why: "as its bytes",
        objects: false,
        example: "",
        example_3: "",
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
        aspect: "text",
        has: "typed-object-let-in",
        engine: "godot4",
        why: "the engine drops objects of another class; here no class is looked up (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "packed-of-array",
        engine: "godot4",
        why: "gdvar-text prints the elements of an array that becomes a packed array as they are, the engine what they are converted to (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
    Mutant {
        aspect: "text",
        has: "array-of-packed",
        engine: "godot4",
        why: "gdvar-text drops a packed array of four-component vectors where an array is wanted, the engine takes it for an empty one (§4.3)",
        objects: false,
        example: "",
        example_3: "",
    },
];
