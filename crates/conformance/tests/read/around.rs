//! Where a value is: the path of every byte, the parts of a path, and records that contain tuples.
//! The bytes follow docs/FORMAT.md.

use gdvar::{
    Dialect, Document, ErrorKind, Limits, Objects, ReadOptions, Record,
    record::{Fields, Key, Mismatch},
    values::StrRef,
};
use gdvar_conformance::assembler::{Assembler, BIT_16, Column};

fn godot_4() -> Assembler {
    Assembler::new(Column::G4)
}

trait Ints {
    fn int(self, int: u32) -> Self;
    fn string(self, text: &str) -> Self;
    fn open(self, name: &str, count: u32) -> Self;
}

impl Ints for Assembler {
    fn int(self, int: u32) -> Self {
        self.header("Int", 0).word(int)
    }

    fn string(self, text: &str) -> Self {
        self.header("String", 0).field(text.as_bytes())
    }

    fn open(self, name: &str, count: u32) -> Self {
        self.header(name, 0).word(count)
    }
}

#[test]
fn every_byte_has_a_place() {
    // {"name": [1, {2: 3}], 7: Object A {b: 4}, [0]: 5, "x y": 6}
    let value = godot_4().open("Dictionary", 4).string("name");
    let value = value.open("Array", 2).int(1);
    let value = value.open("Dictionary", 1).int(2).int(3).int(7);
    let value = value.header("Object", 0).field(b"A").word(1);
    let value = value.field(b"b").int(4).open("Array", 1).int(0).int(5);
    let bytes = value.string("x y").int(6).done();
    let places = [
        (8, "$"),
        (20, "${0:key}"),
        (28, "$.name"),
        (36, "$.name[0]"),
        (44, "$.name[1]"),
        (52, "$.name[1]{0:key}"),
        (60, "$.name[1][2]"),
        (68, "${1:key}"),
        (84, "$[7]"),
        (100, "$[7].b"),
        (108, "${2:key}"),
        (116, "${2:key}[0]"),
        (124, "${2}"),
        (136, "${3:key}"),
        (144, "$[\"x y\"]"),
        // Behind the value.
        (150, "$"),
    ];
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let document = Document::with_options(&bytes, options);
    assert_eq!(document.validate(), Ok(144));
    let mut start = 0;
    for (end, place) in places {
        for at in start..end {
            assert_eq!(document.locate(at).to_string(), place, "byte {at}");
        }
        start = end;
    }
    // If the bytes end too early it is the value that could not be read.
    for (len, place) in [
        (143, "$[\"x y\"]"),
        (135, "${3:key}"),
        (99, "$[7].b"),
        (83, "$[7]"),
        // A container whose children cannot be there cannot be read itself.
        (51, "$.name[1]"),
        (35, "$"),
        (7, "$"),
    ] {
        let document = Document::with_options(&bytes[..len], options);
        let cut = document.locate(len).to_string();
        assert_eq!(cut, place, "{len} bytes");
    }
}

#[test]
fn sixty_four_levels_have_names() {
    for depth in [1, 63, 64, 65, 66, 100] {
        // [[[…] …, 7], 5]
        let deep = (0..depth).fold(godot_4(), |value, _| value.open("Array", 1));
        let first = deep.int(7).done();
        let bytes = godot_4().open("Array", 2).raw(&first).int(5).done();
        let document = Document::new(&bytes, Dialect::GODOT_4);
        let place = |at| document.locate(at).to_string();
        let named = |levels: usize| {
            let end = if levels > 64 { "…" } else { "" };
            format!("${}{end}", "[0]".repeat(levels.min(64)))
        };
        let innermost = 8 + first.len() - 8;
        assert_eq!(place(innermost), named(depth + 1), "{depth}");
        assert_eq!(place(innermost - 8), named(depth), "{depth}");
        assert_eq!(place(bytes.len() - 1), "$[1]", "{depth}");
        // Cut in the innermost value, and where the innermost array cannot have any.
        for (more, levels) in [(5, depth + 1), (2, depth)] {
            let document = Document::new(&bytes[..innermost + more], Dialect::GODOT_4);
            assert_eq!(document.locate(innermost).to_string(), named(levels));
        }
        // An object in its place: its properties are on one level more.
        let deep = (0..depth).fold(godot_4(), |value, _| value.open("Array", 1));
        let deep = deep.header("Object", 0).field(b"A").word(1);
        let bytes = deep.field(b"b").int(7).done();
        let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
        let document = Document::with_options(&bytes, options);
        let property = if depth < 64 {
            format!("{}.b", named(depth))
        } else {
            named(65)
        };
        for at in bytes.len() - 16..bytes.len() {
            assert_eq!(document.locate(at).to_string(), property, "{depth}");
        }
    }
}

#[test]
fn old_paths_are_taken_apart_as_godot_2_does() {
    for (text, is_absolute, names, subnames) in [
        (
            "/root/a:b:c/d",
            true,
            &[("root", 9), ("a", 14)][..],
            &[("b", 16), ("c/d", 18)][..],
        ),
        ("a", false, &[("a", 8)], &[]),
        ("//a//b/::c:", true, &[("a", 10), ("b", 13)], &[("c", 17)]),
        (":a/b", false, &[], &[("a/b", 9)]),
        ("/", true, &[], &[]),
    ] {
        let path = Assembler::new(Column::G2).header("NodePath", 0);
        let bytes = path.word(text.len() as u32).raw(text.as_bytes()).done();
        let root = Document::new(&bytes, Dialect::GODOT_2).root().expect(text);
        let path = root.as_node_path().expect("a path");
        let found = |part: StrRef<'_>| (part.to_str().expect("text").to_owned(), part.offset());
        let owned = |parts: &[(&str, usize)]| -> Vec<(String, usize)> {
            parts
                .iter()
                .map(|(name, at)| ((*name).to_owned(), *at))
                .collect()
        };
        let all = |parts: Vec<StrRef<'_>>| parts.into_iter().map(found).collect::<Vec<_>>();
        assert_eq!(
            all(path.names().map(|name| name.expect(text)).collect()),
            owned(names)
        );
        assert_eq!(
            all(path.subnames().map(|name| name.expect(text)).collect()),
            owned(subnames)
        );
        assert_eq!(path.is_absolute(), is_absolute, "{text}");
        assert!(!path.has_property_flag(), "{text}");
        let counts = (path.name_count() as usize, path.subname_count() as usize);
        assert_eq!(counts, (names.len(), subnames.len()), "{text}");
    }
}

#[test]
fn objects_say_whether_they_are_null_and_keep_the_last_of_two_properties() {
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    for (value, is_null, id, class) in [
        (
            godot_4().header("Object", BIT_16).long(0),
            true,
            Some(0),
            None,
        ),
        (
            godot_4().header("Object", BIT_16).long(1 << 63 | 7),
            false,
            Some(1 << 63 | 7),
            None,
        ),
        (godot_4().header("Object", 0).field(b""), true, None, None),
        (
            godot_4().header("Object", 0).field(b"A").word(0),
            false,
            None,
            Some("A"),
        ),
    ] {
        let bytes = value.done();
        let root = Document::with_options(&bytes, options)
            .root()
            .expect("in order");
        let object = root.as_object().expect("an object");
        assert_eq!((object.is_null(), object.id()), (is_null, id), "{bytes:?}");
        let found = object.class().map(|class| class.to_str().expect("text"));
        assert_eq!(found, class, "{bytes:?}");
        assert_eq!((object.len(), object.value().offset()), (0, 0));
    }
    let bytes = Assembler::new(Column::G2).header("Object", 0).done();
    let root = Document::new(&bytes, Dialect::GODOT_2)
        .root()
        .expect("in order");
    assert!(root.as_object().is_some_and(|object| object.is_null()));
    let value = godot_4().header("Object", 0).field(b"A").word(3);
    let value = value.field(b"a").int(1).field(b"b").int(2);
    let bytes = value.field(b"a").int(3).done();
    let root = Document::with_options(&bytes, options)
        .root()
        .expect("in order");
    let object = root.as_object().expect("an object");
    let a = object.get("a").expect("in order").expect("it is there");
    assert_eq!((a.as_i64(), a.offset()), (Some(3), bytes.len() - 8));
    assert!(object.get("c").expect("in order").is_none());
}

#[test]
fn a_tuple_in_a_record_knows_its_place() {
    #[derive(Debug)]
    struct Point<'a>((StrRef<'a>, i64), i32);

    impl<'a> Record<'a> for Point<'a> {
        const KEYS: &'static [Key] = &Key::all(["p"]);

        fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
            let (inner, outer) = fields.next()?;
            Ok(Point(inner, outer))
        }
    }

    // {"p": [["né", 1], 2]}
    let value = godot_4().open("Dictionary", 1).string("p").open("Array", 2);
    let bytes = value.open("Array", 2).string("né").int(1).int(2).done();
    let read = |max_depth| {
        let options = ReadOptions::new(Dialect::GODOT_4);
        let options = options.with_limits(Limits::ENGINE.with_max_depth(max_depth));
        let root = Document::with_options(&bytes, options)
            .root()
            .expect("in order");
        let mut pairs = root.as_dict().expect("a dictionary").iter();
        pairs.read::<Point<'_>>()
    };
    for max_depth in [3, 4, 1024] {
        let Point((text, one), two) = read(max_depth).expect("it fits");
        assert_eq!((text.to_str(), text.offset()), (Ok("né"), 44));
        assert_eq!((one, two), (1, 2));
    }
    for (limit, at) in [(0, 8), (1, 28), (2, 36)] {
        let error = read(limit).expect_err("too deep").unreadable();
        let error = error.expect("it is not read");
        let kind = ErrorKind::DepthExceeded { limit };
        assert_eq!((error.kind(), error.offset()), (kind, at));
    }
}

#[test]
fn keys_and_values_have_types_of_their_own() {
    // A Dictionary[int, String] of one pair: its key at 16, its value at 24 (docs/FORMAT.md §4.3).
    let pair = |key: Assembler, value: &[u8]| {
        let typed = godot_4().header("Dictionary", BIT_16 | 1 << 18);
        let typed = typed.word(2).word(4).word(1);
        typed.raw(&key.done()).raw(value).done()
    };
    let string = godot_4().string("a").done();
    let int = godot_4().int(1).done();
    for (bytes, wrong) in [
        (pair(godot_4().int(1), &string), None),
        (pair(godot_4().int(1), &int), Some(24)),
        (pair(godot_4().string("a"), &string), Some(16)),
    ] {
        let document = Document::new(&bytes, Dialect::GODOT_4);
        assert_eq!(document.validate(), Ok(bytes.len()), "{bytes:?}");
        let error = document.strict().validate().err();
        let found = error.map(|error| (error.offset(), error.kind()));
        let expected = wrong.map(|at| (at, ErrorKind::ElementTypeMismatch));
        assert_eq!(found, expected, "{bytes:?}");
    }
}
