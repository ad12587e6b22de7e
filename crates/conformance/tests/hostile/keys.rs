//! Repeated keys are found by hashes. No repeated key may be missed, and no other key may be
//! reported (`docs/FORMAT.md` §6, row 22), wherever the dictionary is.

use gdvar::{ErrorKind, walk::repeated_keys};
use gdvar_conformance::assembler::{Assembler, Column};

use crate::entries;

fn start() -> Assembler {
    Assembler::new(Column::G4)
}

fn array(element: Assembler) -> Assembler {
    start().header("Array", 0).word(1).raw(&element.done())
}

fn float(bits: u32) -> Assembler {
    start().header("Float", 0).word(bits)
}

fn floats(first: u32) -> Assembler {
    start().header("PackedFloat32Array", 0).word(1).word(first)
}

fn strings(all: &[&[u8]]) -> Assembler {
    let out = start().header("PackedStringArray", 0);
    all.iter().fold(out.word(all.len() as u32), |out, text| {
        out.packed_string(text)
    })
}

fn signal(padding: u8) -> Assembler {
    start()
        .header("Signal", 0)
        .dirty_field(b"s", padding)
        .long(1)
}

/// Pairs of keys, and whether the engine takes the two for the same key.
fn pairs() -> Vec<(&'static str, Assembler, Assembler, bool)> {
    let text = |kind: &str, text: &[u8]| start().header(kind, 0).field(text);
    let object = || start().header("Object", 0).field(b"Node").word(0);
    let (zero, minus, nan, other_nan) = (0, 1 << 31, 0x7fc0_0000, 0x7fc0_0001);
    vec![
        (
            "int",
            start().header("Int", 0).word(7),
            start().header("Int", 1 << 16).long(7),
            true,
        ),
        (
            "int, float",
            start().header("Int", 0).word(0),
            float(zero),
            false,
        ),
        ("zeros", float(zero), float(minus), true),
        ("NaN", float(nan), float(other_nan), true),
        ("NaN inside", array(float(nan)), array(float(nan)), false),
        (
            "zeros inside",
            array(float(zero)),
            array(float(minus)),
            true,
        ),
        ("text", text("String", b"a"), text("StringName", b"a"), true),
        (
            "text inside",
            array(text("String", b"a")),
            array(text("StringName", b"a")),
            false,
        ),
        ("packed zeros", floats(zero), floats(minus), true),
        ("packed NaN", floats(nan), floats(other_nan), true),
        ("packed", floats(1), floats(2), false),
        ("packed inside", array(floats(3)), array(floats(3)), true),
        (
            "cut elsewhere",
            strings(&[b"ab", b"c"]),
            strings(&[b"a", b"bc"]),
            false,
        ),
        (
            "strings",
            strings(&[b"ab", b"c"]),
            strings(&[b"ab", b"c"]),
            true,
        ),
        ("objects", object(), object(), false),
        ("objects inside", array(object()), array(object()), false),
        ("signals", signal(0), signal(9), true),
    ]
}

/// Makes a dictionary with both keys: alone, as a value in another dictionary, and as a key in a
/// key.
fn placed(a: &Assembler, b: &Assembler) -> Vec<(Vec<u8>, usize)> {
    let null = start().header("Nil", 0).done();
    let (a, b) = (a.clone().done(), b.clone().done());
    let dict = start().header("Dictionary", 0).word(2).raw(&a).raw(&null);
    let dict = dict.raw(&b).raw(&null).done();
    let second = 8 + a.len() + 4;
    let one = |bytes: &[u8]| start().header("Dictionary", 0).word(1).raw(bytes).done();
    let key = [one(&dict), null.clone()].concat();
    let keys = [one(&key), null.clone()].concat();
    let value = one(&[start().header("Int", 0).word(1).done(), dict.clone()].concat());
    vec![
        (dict, second),
        (value, 16 + second),
        (key, 8 + second),
        (keys, 16 + second),
    ]
}

#[test]
fn equal_keys_are_found_and_others_are_not() {
    for (name, a, b, equal) in pairs() {
        for (place, (bytes, second)) in placed(&a, &b).into_iter().enumerate() {
            let document = entries::open(&bytes);
            assert_eq!(document.validate(), Ok(bytes.len()), "{name} {place}");
            let root = document.root().expect(name);
            let found = repeated_keys(root).expect(name);
            assert_eq!(found.len(), usize::from(equal), "{name} {place}");
            // Strict mode minds other things, too; what it says of keys must be the same.
            match document.strict().validate() {
                Err(error) if error.kind() == ErrorKind::DuplicateKey => {
                    assert!(equal, "{name} {place}");
                    assert_eq!(error.offset(), second, "{name} {place}");
                }
                Err(_) => {}
                Ok(_) => assert!(!equal, "{name} {place}"),
            }
            if place == 0 {
                let left = root.as_dict().expect(name).distinct().expect(name).len();
                assert_eq!(left, if equal { 1 } else { 2 }, "{name}");
            }
        }
    }
}
