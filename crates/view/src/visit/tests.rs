//! How far the shortcut goes by itself, and what it tells.

use alloc::{format, string::String, vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::{Visitor, records::Known};
use crate::{
    Document, Error, ReadOptions, Role, StrRef, VariantRef,
    fast::{
        REACH,
        samples::{array, dict, int, nested, string, words},
    },
    walk::Walk,
};

/// What was told, as a line each.
#[derive(Default)]
struct Told(Vec<String>);

impl Told {
    fn add(&mut self, what: String) {
        self.0.push(what);
    }
}

impl<'a> Visitor<'a> for Told {
    fn nil(&mut self, role: Role) {
        self.add(format!("{role:?} nil"));
    }

    fn bool(&mut self, role: Role, value: bool) {
        self.add(format!("{role:?} {value}"));
    }

    fn int(&mut self, role: Role, value: i64) {
        self.add(format!("{role:?} {value}"));
    }

    fn float(&mut self, role: Role, value: f64) {
        self.add(format!("{role:?} {value:?}"));
    }

    fn text(&mut self, role: Role, text: StrRef<'a>) {
        self.add(format!("{role:?} {:?}", text.to_str().unwrap()));
    }

    fn value(&mut self, role: Role, value: VariantRef<'a>) {
        self.add(format!("{role:?} {:?}", value.kind()));
    }

    fn begin(&mut self, role: Role, value: VariantRef<'a>) {
        self.add(format!("{role:?} {:?}:", value.kind()));
    }

    fn end(&mut self) {
        self.add("end".into());
    }
}

/// What is told of a whole document.
fn visited(bytes: &[u8], options: ReadOptions) -> Result<Vec<String>, Error> {
    let mut told = Told::default();
    Document::with_options(bytes, options).visit(&mut told)?;
    Ok(told.0)
}

/// What the shortcut tells of a value, and where it stops.
fn pushed(bytes: &[u8], options: ReadOptions) -> (Vec<String>, usize) {
    let mut told = Told::default();
    let mut walk = Walk::<true>::new(bytes, 0, options, 0);
    walk.push_plain(&mut told, 0);
    (told.0, walk.at)
}

#[test]
fn plain_data_is_pushed_to_its_end() {
    let long = "a long text, not all of it ASCII: ä".repeat(4);
    let value = array(&[
        int(7),
        words(&[1, 1]),
        words(&[3, 0x3fc0_0000]),
        words(&[0x1_0002, 0, 1]),
        words(&[0x1_0003, 0, 0x3ff8_0000]),
        words(&[0]),
        words(&[9, 1, 2, 3]),
        string(b"short"),
        string("äöü".as_bytes()),
        string(long.as_bytes()),
        dict(&[
            ("id", int(1)),
            (long.as_str(), array(&[])),
            ("c", string(b"d")),
        ]),
        [
            words(&[27, 2]),
            int(1),
            int(2),
            words(&[9, 1, 2, 3]),
            array(&[int(3)]),
        ]
        .concat(),
    ]);
    let (told, at) = pushed(&value, ReadOptions::new(Dialect::GODOT_4));
    let long = format!("{long:?}");
    let expected = [
        "Root Array:",
        "Element 7",
        "Element true",
        "Element 1.5",
        "Element 4294967296",
        "Element 1.5",
        "Element nil",
        "Element Vector3",
        "Element \"short\"",
        "Element \"äöü\"",
        &format!("Element {long}"),
        "Element Dictionary:",
        "Key \"id\"",
        "Value 1",
        &format!("Key {long}"),
        "Value Array:",
        "end",
        "Key \"c\"",
        "Value \"d\"",
        "end",
        "Element Dictionary:",
        "Key 1",
        "Value 2",
        "Key Vector3",
        "Value Array:",
        "Element 3",
        "end",
        "end",
        "end",
    ];
    assert_eq!(told, expected);
    assert_eq!(at, value.len());
}

#[test]
fn what_needs_care_stops_it() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    // Text that is not UTF-8, an odd header, and a packed array.
    for other in [string(b"\xff"), words(&[0x102, 7]), words(&[29, 0])] {
        let value = array(&[int(7), array(&[other, int(8)])]);
        let (told, at) = pushed(&value, options);
        assert_eq!(told, ["Root Array:", "Element 7", "Element Array:"]);
        assert_eq!(at, 24);
    }
    assert_eq!(pushed(&array(&[int(7)]), options.strict()), (Vec::new(), 0));
    let bytes = nested(3, int(7));
    for limit in 0..=4 {
        let limits = Limits::ENGINE.with_max_depth(limit);
        let (told, at) = pushed(&bytes, options.limits(limits));
        let entered = usize::from(limit).min(3);
        if limit < 3 {
            assert_eq!((told.len(), at), (entered, 8 * entered), "{limit}");
        } else {
            assert_eq!((told.len(), at), (7, bytes.len()), "{limit}");
        }
    }
}

#[test]
fn containers_left_for_their_last_child_end_one_by_one() {
    let pushed = |bytes: &[u8]| visited(bytes, ReadOptions::new(Dialect::GODOT_4));
    // What the shortcut takes, what it does not, and a container with a type.
    let typed = [words(&[0x1_001c, 2, 1]), int(7)].concat();
    let inner = [
        (int(7), vec!["Element 7"]),
        (words(&[29, 0]), vec!["Element PackedByteArray"]),
        (typed, vec!["Element Array:", "Element 7", "end"]),
    ];
    for (inside, told) in &inner {
        for levels in 1..5 {
            let begins = (0..levels).map(|n| ["Root Array:", "Element Array:"][n.min(1)]);
            let ends = core::iter::repeat_n("end", levels);
            let expected: Vec<&str> = begins.chain(told.iter().copied()).chain(ends).collect();
            assert_eq!(pushed(&nested(levels, inside.clone())).unwrap(), expected);
        }
        // With a sibling behind it, which has its own place again.
        let value = array(&[nested(3, inside.clone()), int(8)]);
        let told = pushed(&value).unwrap();
        assert_eq!(
            told[told.len() - 5..],
            ["end", "end", "end", "Element 8", "end"]
        );
    }
}

/// A record of everything, with these texts, and what is told of it.
fn record(role: &str, texts: [&str; 2]) -> (Vec<u8>, Vec<String>) {
    let bytes = dict(&[
        ("nil", words(&[0])),
        ("bool", words(&[1, 1])),
        ("int", int(7)),
        ("a text", string(texts[0].as_bytes())),
        ("long", words(&[0x1_0002, 0, 1])),
        ("float", words(&[3, 0x3fc0_0000])),
        ("double", words(&[0x1_0003, 0, 0x3ff8_0000])),
        ("vector", words(&[9, 1, 2, 3])),
        ("none", array(&[])),
        ("inner", dict(&[("", array(&[int(8), words(&[0])]))])),
        ("another", string(texts[1].as_bytes())),
    ]);
    let told = format!(
        "{role} Dictionary:|Key \"nil\"|Value nil|Key \"bool\"|Value true|Key \"int\"|Value 7|\
         Key \"a text\"|Value {:?}|Key \"long\"|Value 4294967296|Key \"float\"|Value 1.5|\
         Key \"double\"|Value 1.5|Key \"vector\"|Value Vector3|Key \"none\"|Value Array:|end|\
         Key \"inner\"|Value Dictionary:|Key \"\"|Value Array:|Element 8|Element nil|end|end|\
         Key \"another\"|Value {:?}|end",
        texts[0], texts[1]
    );
    (bytes, told.split('|').map(String::from).collect())
}

/// Where the shortcut for records stops in a container that begins the bytes, and how many of its
/// children are left then.
fn past_records(bytes: &[u8], options: ReadOptions) -> (usize, u32) {
    let mut walk = Walk::<true>::new(bytes, 0, options, 0);
    let mut told = Told::default();
    let stopped = walk.push_until_records(&mut told, bytes.len());
    assert_eq!((stopped, walk.at), (None, 8), "it is looked at");
    walk.push_records(&mut told, &mut Known::default());
    (walk.at, walk.now.left())
}

#[test]
fn records_are_pushed_as_all_else_is() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let texts: Vec<String> = (0..100).map(|n| "aä".repeat(n % 23)).collect();
    for keyed in [false, true] {
        let role = if keyed { "Value" } else { "Element" };
        let mut value = words(&if keyed { [27, 100] } else { [28, 100] });
        let mut told = vec![format!(
            "Root {}:",
            if keyed { "Dictionary" } else { "Array" }
        )];
        for (n, text) in texts.iter().enumerate() {
            if keyed {
                value.extend(string(text.as_bytes()));
                told.push(format!("Key {text:?}"));
            }
            let (bytes, lines) = record(role, [text, &texts[99 - n]]);
            value.extend(bytes);
            told.extend(lines);
        }
        told.push("end".into());
        assert_eq!(visited(&value, options), Ok(told));
        // All but what is near the end of the buffer.
        let (at, left) = past_records(&value, options);
        assert!(value.len() - at > REACH, "{at}");
        assert!(value.len() - at < REACH + 500, "{at}");
        assert!(left <= if keyed { 12 } else { 6 }, "{left}");
    }
}

#[test]
fn records_that_have_no_outline_are_pushed_too() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let key = "k".repeat(256);
    let nils = |count| dict(&[("k", array(&vec![words(&[0]); count]))]);
    let others = [
        // With the array's begin and end.
        (nils(46), 5 + 46, true),
        (nils(47), 5 + 47, false),
        (dict(&[(&key[1..], int(7))]), 4, true),
        (dict(&[(&key, int(7))]), 4, false),
        // A key that is no text, and a flag that means nothing.
        ([words(&[27, 1]), int(1), int(7)].concat(), 4, false),
        (dict(&[("k", words(&[0x1_0001, 1]))]), 4, false),
    ];
    for (record, lines, has_outline) in others {
        let value = array(&vec![record.clone(); 1000]);
        let told = visited(&value, options).unwrap();
        assert_eq!(told.len(), 2 + 1000 * lines);
        let (at, left) = past_records(&value, options);
        if has_outline {
            assert!(left < 200, "{left}");
        } else {
            assert_eq!((at, left), (8, 1000), "{record:?}");
        }
    }
}
