//! How far the shortcut goes by itself, and what it tells.

use alloc::{format, string::String, vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::Visitor;
use crate::{
    Document, ReadOptions, Role, StrRef, VariantRef,
    fast::samples::{array, dict, int, nested, string, words},
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

/// What the shortcut tells of a value, and where it stops.
fn pushed(bytes: &[u8], options: ReadOptions) -> (Vec<String>, usize) {
    let mut told = Told::default();
    let mut walk = Walk::<true>::new(bytes, 0, options, 0);
    walk.push_plain(&mut told);
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
    let pushed = |bytes: &[u8]| {
        let mut told = Told::default();
        let document = Document::new(bytes, Dialect::GODOT_4);
        document.visit(&mut told).map(|_| told.0)
    };
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
