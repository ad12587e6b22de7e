//! Makes values of any size as an attacker would send them: deep, wide, repetitive, or with false counts.
//! All are in the dialect of Godot 4.
//!
//! Each shape is the worst case for some reader. A test makes a shape in one size and in twice this
//! size. For the larger value the reader may take at most twice as long.

use crate::assembler::{Assembler, Column};

/// A shape of hostile value.
#[derive(Clone, Copy, Debug)]
pub struct Hostile {
    /// The name of the shape.
    pub name: &'static str,
    /// Makes a value of about the given number of bytes.
    pub make: fn(usize) -> Vec<u8>,
    /// `true` if the engine accepts the value. Values with false counts are refused.
    pub valid: bool,
}

const fn valid(name: &'static str, make: fn(usize) -> Vec<u8>) -> Hostile {
    Hostile {
        name,
        make,
        valid: true,
    }
}

const fn refused(name: &'static str, make: fn(usize) -> Vec<u8>) -> Hostile {
    Hostile {
        name,
        make,
        valid: false,
    }
}

/// The depth of the deep shapes, whatever their size: the depth limit of the engines.
pub const DEEP: usize = 1024;

/// All shapes.
pub const ALL: [Hostile; 33] = [
    valid("arrays in arrays", |size| levels(size, array_level)),
    valid("dictionaries as values", |size| levels(size, value_level)),
    valid("dictionaries as keys", keys_in_keys),
    valid("objects in objects", |size| levels(size, object_level)),
    valid("typed arrays in typed arrays", |size| {
        levels(size, typed_level)
    }),
    valid("nulls", |size| array(size, &start().header("Nil", 0))),
    valid("empty arrays", |size| {
        array(size, &start().header("Array", 0).word(0))
    }),
    valid("empty dictionaries", |size| {
        array(size, &start().header("Dictionary", 0).word(0))
    }),
    valid("empty strings", |size| {
        array(size, &start().header("String", 0).field(b""))
    }),
    valid("tiny strings", |size| {
        array(size, &start().header("String", 0).field(b"x"))
    }),
    valid("strings that end at once", |size| {
        array(size, &start().header("String", 0).field(b"\0\0\0"))
    }),
    valid("records", |size| array(size, &record())),
    valid("records of changing form", changing),
    valid("one key again and again", |size| {
        let pair = start().header("String", 0).field(b"k").header("Nil", 0);
        dict(size, &pair)
    }),
    valid("keys that differ at the end", late_keys),
    valid("dictionaries as keys that differ at the end", |size| {
        alike(((size / 24).max(1)).ilog2(), 0)
    }),
    valid("packed floats as keys", |size| {
        keys(size, &|n| {
            start().header("PackedFloat32Array", 0).word(1).word(n)
        })
    }),
    valid("arrays of NaN as keys", |size| {
        keys(size, &|_| {
            let array = start().header("Array", 0).word(1);
            array.header("Float", 0).word(0x7fc0_0000)
        })
    }),
    valid("ids of objects as keys", |size| {
        keys(size, &|n| start().header("Object", 1 << 16).long(n.into()))
    }),
    valid("objects as keys", |size| {
        keys(size, &|_| {
            start().header("Object", 0).field(b"Node").word(0)
        })
    }),
    valid("keys of the same letters, cut in many ways", |size| {
        keys(size, &|n| {
            // Thirty-two letters. The bits of a pseudorandom number decide where they are split.
            let n = n.wrapping_mul(0x9e37_79b1);
            let cuts = n.count_ones();
            let mut out = start().header("PackedStringArray", 0).word(cuts + 1);
            let mut text = Vec::new();
            for bit in 0..32 {
                text.push(b'a');
                if n >> bit & 1 == 1 {
                    out = out.packed_string(&text);
                    text.clear();
                }
            }
            out.packed_string(&text)
        })
    }),
    valid("signals as keys", |size| {
        keys(size, &|n| {
            start().header("Signal", 0).field(b"s").long(n.into())
        })
    }),
    valid("a path of many names", |size| path(size / 8)),
    valid("many paths", |size| array(size, &start().raw(&path(2)))),
    valid("typed containers with names of classes", |size| {
        let empty = start().header("Array", 2 << 16).field(b"Node").word(0);
        array(size, &empty)
    }),
    valid("objects of many properties", object),
    valid("packed empty strings", |size| {
        let count = size / 8;
        let all = start()
            .header("PackedStringArray", 0)
            .word(count as u32)
            .done();
        [all, start().packed_string(b"").done().repeat(count)].concat()
    }),
    valid("packed bytes", |size| {
        start()
            .header("PackedByteArray", 0)
            .field(&vec![7; size])
            .done()
    }),
    valid("text of two bytes a code", |size| {
        let text = "é".repeat(size / 2);
        start().header("String", 0).field(text.as_bytes()).done()
    }),
    refused("text that is wrong at the end", |size| {
        let text = [vec![b'x'; size], vec![0xc3]].concat();
        start().header("String", 0).field(&text).done()
    }),
    refused("each count takes all that is left", lies),
    refused("nulls, one too few", |size| {
        let mut bytes = array(size, &start().header("Nil", 0));
        bytes.truncate(bytes.len() - 4);
        // Without these bytes, the count alone would show that the value is incomplete.
        [bytes, start().raw(&[0; 3]).done()].concat()
    }),
    refused("keys whose last value is missing", |size| {
        let mut bytes = late_keys(size);
        bytes.truncate(bytes.len() - 4);
        bytes
    }),
];

/// The shapes whose depth grows with their size. The engines, and readers with the engines' limits, refuse
/// them if they are deeper than 1024.
pub const DEEPER: [Hostile; 5] = [
    valid("ever deeper arrays", |size| {
        deeper(size, &start().header("Array", 0).word(1).done(), false)
    }),
    valid("ever deeper dictionaries", |size| {
        let level = start().header("Dictionary", 0).word(1);
        deeper(size, &level.header("Int", 0).word(7).done(), false)
    }),
    valid("ever deeper keys", |size| {
        let level = start().header("Dictionary", 0).word(1).done();
        deeper(size, &level, true)
    }),
    valid("ever deeper objects", |size| {
        let level = start().header("Object", 0).field(b"N").word(1);
        deeper(size, &level.field(b"").done(), false)
    }),
    valid("ever deeper dictionaries with a key twice", |size| {
        let level = start().header("Dictionary", 0).word(2);
        let level = level.header("Int", 0).word(7).header("Nil", 0);
        deeper(size, &level.header("Int", 0).word(7).done(), false)
    }),
];

/// Repeats a level as often as fits into `size`, with a null in the innermost one. With `keys`,
/// each level also gets a null as its value.
fn deeper(size: usize, level: &[u8], keys: bool) -> Vec<u8> {
    let null = start().header("Nil", 0).done();
    let one = level.len() + if keys { null.len() } else { 0 };
    let depth = (size / one).max(1);
    let nulls = if keys { depth + 1 } else { 1 };
    [level.repeat(depth), null.repeat(nulls)].concat()
}

fn start() -> Assembler {
    Assembler::new(Column::G4)
}

/// Makes an array that repeats one element.
fn array(size: usize, element: &Assembler) -> Vec<u8> {
    let element = element.clone().done();
    let count = (size / element.len()).max(1);
    let head = start().header("Array", 0).word(count as u32).done();
    [head, element.repeat(count)].concat()
}

/// Makes a dictionary that repeats one pair.
fn dict(size: usize, pair: &Assembler) -> Vec<u8> {
    let pair = pair.clone().done();
    let count = (size / pair.len()).max(1);
    let head = start().header("Dictionary", 0).word(count as u32).done();
    [head, pair.repeat(count)].concat()
}

/// Makes a dictionary whose values are nulls. `key` makes a key from a number.
fn keys(size: usize, key: &dyn Fn(u32) -> Assembler) -> Vec<u8> {
    let null = start().header("Nil", 0).done();
    let (mut count, mut pairs) = (0, Vec::new());
    while pairs.len() < size {
        pairs.extend(key(count).done());
        pairs.extend(&null);
        count += 1;
    }
    let head = start().header("Dictionary", 0).word(count).done();
    [head, pairs].concat()
}

/// Makes a value as deep as the engines allow. The number of siblings on each level depends on `size`.
fn levels(size: usize, level: fn(usize) -> Vec<u8>) -> Vec<u8> {
    let level = level(size / DEEP / 16);
    [level.repeat(DEEP), start().header("Nil", 0).done()].concat()
}

fn siblings(out: Assembler, count: usize, one: &Assembler) -> Vec<u8> {
    let one = one.clone().done().repeat(count);
    out.raw(&one).done()
}

fn array_level(count: usize) -> Vec<u8> {
    let out = start().header("Array", 0).word(count as u32 + 1);
    siblings(out, count, &start().header("Int", 0).word(7))
}

fn typed_level(count: usize) -> Vec<u8> {
    // An array of arrays: kind 1, a builtin type, followed by its number.
    let out = start().header("Array", 1 << 16).word(28);
    let out = out.word(count as u32 + 1);
    siblings(out, count, &start().header("Array", 0).word(0))
}

fn value_level(count: usize) -> Vec<u8> {
    let out = start().header("Dictionary", 0).word(count as u32 + 1);
    let pair = start().header("Int", 0).word(7).header("Nil", 0);
    let out = siblings(out, count, &pair);
    start().raw(&out).header("Int", 0).word(8).done()
}

fn object_level(count: usize) -> Vec<u8> {
    let out = start().header("Object", 0).field(b"Node");
    let out = out.word(count as u32 + 1);
    let property = start().field(b"name").header("Nil", 0);
    let out = siblings(out, count, &property);
    start().raw(&out).field(b"child").done()
}

/// Makes nested dictionaries. Each is the last key of its parent.
fn keys_in_keys(size: usize) -> Vec<u8> {
    let count = size / DEEP / 16;
    let out = start().header("Dictionary", 0).word(count as u32 + 1);
    let pair = start().header("Int", 0).word(7).header("Nil", 0);
    let level = siblings(out, count, &pair);
    let innermost = start().header("Nil", 0).done();
    [level.repeat(DEEP), innermost.repeat(DEEP + 1)].concat()
}

fn record() -> Assembler {
    start()
        .header("Dictionary", 0)
        .word(3)
        .header("String", 0)
        .field(b"id")
        .header("Int", 0)
        .word(1)
        .header("String", 0)
        .field(b"name")
        .header("String", 0)
        .field(b"Ann")
        .header("String", 0)
        .field(b"at")
        .header("Vector2", 0)
        .long(0)
}

/// Alternates two forms of records, so that no record has the form of the record before it.
fn changing(size: usize) -> Vec<u8> {
    let other = start().header("Dictionary", 0).word(1);
    let other = other.header("String", 0).field(b"id").header("Nil", 0);
    let both = start().raw(&record().done()).raw(&other.done()).done();
    let count = (size / both.len()).max(1);
    let head = start().header("Array", 0).word(2 * count as u32).done();
    [head, both.repeat(count)].concat()
}

/// Makes keys of 64 bytes that differ in the last four.
fn late_keys(size: usize) -> Vec<u8> {
    let count = (size / 76).max(1);
    let mut out = start().header("Dictionary", 0).word(count as u32);
    for n in 0..count {
        let key = format!("{}{n:08x}", "k".repeat(56));
        out = out.header("String", 0).field(key.as_bytes());
        out = out.header("Nil", 0);
    }
    out.done()
}

/// Makes a dictionary with two keys. Each key is again such a dictionary, and they differ only in their
/// last number. A reader that compares keys has to compare half of the value on every level.
fn alike(depth: u32, last: u32) -> Vec<u8> {
    if depth == 0 {
        return start().header("Int", 0).word(last).done();
    }
    let null = start().header("Nil", 0).done();
    start()
        .header("Dictionary", 0)
        .word(2)
        .raw(&alike(depth - 1, 0))
        .raw(&null)
        .raw(&alike(depth - 1, last + 1))
        .raw(&null)
        .done()
}

/// Makes a NodePath with the given number of names.
fn path(names: usize) -> Vec<u8> {
    let out = start()
        .header("NodePath", 0)
        .word(0x8000_0000 | names as u32);
    let out = out.word(0).word(0);
    siblings(out, names, &start().field(b"a"))
}

fn object(size: usize) -> Vec<u8> {
    let count = size / 12;
    let out = start().header("Object", 0).field(b"Node");
    let out = out.word(count as u32);
    siblings(out, count, &start().field(b"p").header("Nil", 0))
}

/// Makes nested arrays as deep as the engines allow. Each has the largest count that the remaining bytes
/// would allow.
fn lies(size: usize) -> Vec<u8> {
    let size = (size / 4).max(3 * DEEP) * 4;
    let mut out = start();
    for level in 0..DEEP {
        let left = size - 8 * (level + 1);
        out = out.header("Array", 0).word((left / 4) as u32);
    }
    let mut bytes = out.done();
    bytes.resize(size, 0);
    bytes
}

#[cfg(test)]
mod tests {
    use gdvar::{Dialect, Document, Limits, Objects};

    use super::*;

    #[test]
    fn each_is_of_the_size_asked_for_and_what_it_claims_to_be() {
        for hostile in ALL.into_iter().chain(DEEPER) {
            for size in [1 << 14, 1 << 16, 1 << 18] {
                let bytes = (hostile.make)(size);
                let name = hostile.name;
                // A level is never smaller than its container.
                let deep = 24 * DEEP;
                assert!(bytes.len() <= size.max(deep) * 5 / 2, "{name}: {size}");
                assert!(bytes.len() >= size * 2 / 5, "{name}: {size}");
                let document = Document::new(&bytes, Dialect::GODOT_4).with_objects(Objects::Inert);
                let document = document.with_limits(Limits::MOST);
                let result = document.validate();
                let expected = hostile.valid.then_some(bytes.len());
                assert_eq!(result.ok(), expected, "{name}: {size}: {result:?}");
            }
        }
    }
}
