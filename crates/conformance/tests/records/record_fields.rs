//! Records whose fields are containers, other records and optional: whatever the order of the pairs, the fields are what
//! looking up each key gives.

use std::collections::{BTreeMap, HashMap};

use gdvar::{
    Dialect, Document, ErrorKind, FromVariant, Record, VariantRef,
    record::{Fields, Key, Mismatch, MismatchKind},
};

const GODOT_4: Dialect = Dialect::GODOT_4;

/// The values in each other that `FromVariant` reads.
const LEVELS: u16 = 64;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn int(n: u32) -> Vec<u8> {
    words(&[2, n])
}

fn text(text: &str) -> Vec<u8> {
    let mut all = words(&[4, text.len() as u32]);
    all.extend(text.as_bytes());
    all.resize(all.len().next_multiple_of(4), 0);
    all
}

fn array(items: &[Vec<u8>]) -> Vec<u8> {
    [words(&[28, items.len() as u32]), items.concat()].concat()
}

fn dict(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut all = words(&[27, pairs.len() as u32]);
    for (key, value) in pairs {
        all.extend(text(key));
        all.extend(value);
    }
    all
}

#[derive(Debug, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

impl<'a> Record<'a> for Point {
    const KEYS: &'static [Key] = &Key::all(["x", "y"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        let x = fields.next()?;
        if x > 1000 {
            return Err(fields.refuse("x is at most 1000"));
        }
        Ok(Point {
            x,
            y: fields.next()?,
        })
    }
}

#[derive(Debug, PartialEq)]
struct Unit<'a> {
    tags: Vec<&'a str>,
    pair: [i64; 2],
    slots: BTreeMap<&'a str, i64>,
    counts: HashMap<String, Vec<u8>>,
    at: Point,
    name: Option<&'a str>,
    path: Vec<Point>,
    by_name: BTreeMap<String, Point>,
    rows: Vec<Vec<i32>>,
    alive: Option<bool>,
}

const KEYS: [&str; 10] = [
    "tags", "pair", "slots", "counts", "at", "name", "path", "by_name", "rows", "alive",
];

impl<'a> Record<'a> for Unit<'a> {
    const KEYS: &'static [Key] = &Key::all(KEYS);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(Unit {
            tags: fields.next()?,
            pair: fields.next()?,
            slots: fields.next()?,
            counts: fields.next()?,
            at: fields.next()?,
            name: fields.optional()?,
            path: fields.next()?,
            by_name: fields.next()?,
            rows: fields.next()?,
            alive: fields.optional()?,
        })
    }
}

fn point(x: u32, y: u32) -> Vec<u8> {
    dict(&[("x", int(x)), ("y", int(y))])
}

fn fields() -> Vec<(&'static str, Vec<u8>)> {
    let values = [
        array(&[text("a"), text(""), text("seventeen letters")]),
        array(&[int(7), int(9)]),
        dict(&[("head", int(1)), ("hand", int(2))]),
        dict(&[("gold", array(&[int(1), int(255)])), ("none", array(&[]))]),
        point(3, 4),
        text("Ann"),
        array(&[
            point(1, 2),
            dict(&[("y", int(6)), ("x", int(5))]),
            point(7, 8),
        ]),
        dict(&[("home", point(9, 10)), ("work", point(11, 12))]),
        array(&[array(&[int(1)]), array(&[]), array(&[int(2), int(3)])]),
        words(&[1, 1]),
    ];
    KEYS.into_iter().zip(values).collect()
}

fn expected() -> Unit<'static> {
    Unit {
        tags: vec!["a", "", "seventeen letters"],
        pair: [7, 9],
        slots: BTreeMap::from([("head", 1), ("hand", 2)]),
        counts: HashMap::from([("gold".into(), vec![1, 255]), ("none".into(), vec![])]),
        at: Point { x: 3, y: 4 },
        name: Some("Ann"),
        path: vec![
            Point { x: 1, y: 2 },
            Point { x: 5, y: 6 },
            Point { x: 7, y: 8 },
        ],
        by_name: BTreeMap::from([
            ("home".into(), Point { x: 9, y: 10 }),
            ("work".into(), Point { x: 11, y: 12 }),
        ]),
        rows: vec![vec![1], vec![], vec![2, 3]],
        alive: Some(true),
    }
}

fn read<'a, T: FromVariant<'a>>(bytes: &'a [u8]) -> Result<T, Mismatch> {
    Document::new(bytes, GODOT_4)
        .root()
        .expect("in order")
        .read()
}

#[test]
fn containers_are_read_in_any_order() {
    let fields = fields();
    for (turn, key) in KEYS.into_iter().enumerate() {
        let mut turned = fields.clone();
        turned.rotate_left(turn);
        assert_eq!(read(&dict(&turned)), Ok(expected()), "turned by {turn}");
        let mut swapped = fields.clone();
        swapped.swap(turn, (turn + 3) % fields.len());
        assert_eq!(read(&dict(&swapped)), Ok(expected()), "{turn} swapped");
        let mut more = fields.clone();
        more.insert(turn, ("another", array(&[int(1)])));
        assert_eq!(
            read(&dict(&more)),
            Ok(expected()),
            "another in front of {turn}"
        );
        // Of repeated keys the last counts.
        let mut twice = fields.clone();
        twice.insert(0, (key, int(5)));
        assert_eq!(read(&dict(&twice)), Ok(expected()), "{turn} twice");
    }
}

#[test]
fn only_optional_fields_may_be_missing() {
    for (missing, key) in KEYS.into_iter().enumerate() {
        let mut fields = fields();
        fields.remove(missing);
        let bytes = dict(&fields);
        let found = read::<Unit<'_>>(&bytes);
        match key {
            "name" => assert_eq!(
                found,
                Ok(Unit {
                    name: None,
                    ..expected()
                })
            ),
            "alive" => assert_eq!(
                found,
                Ok(Unit {
                    alive: None,
                    ..expected()
                })
            ),
            key => {
                let kind = found.expect_err(key).kind();
                assert!(matches!(kind, MismatchKind::Missing), "{key}: {kind:?}");
            }
        }
    }
}

/// Elements of an array, values of maps and arrays of fixed length, alone and in each other.
#[test]
fn records_are_elements_and_values() {
    let unit = dict(&fields());
    let mut swapped = fields();
    swapped.swap(1, 2);
    let bytes = array(&[unit.clone(), dict(&swapped), unit.clone()]);
    assert_eq!(
        read::<Vec<Unit<'_>>>(&bytes),
        Ok(vec![expected(), expected(), expected()])
    );
    assert_eq!(
        read::<[Unit<'_>; 3]>(&bytes),
        Ok([expected(), expected(), expected()])
    );
    let bytes = dict(&[("a", unit.clone()), ("b", dict(&swapped))]);
    let map: HashMap<&str, Unit<'_>> = read(&bytes).expect("a map");
    assert_eq!(map, HashMap::from([("a", expected()), ("b", expected())]));
    let nested = array(&[array(&[point(1, 2)]), array(&[point(3, 4), point(5, 6)])]);
    let found: Vec<Vec<Point>> = read(&nested).expect("points");
    assert_eq!(found[1], [Point { x: 3, y: 4 }, Point { x: 5, y: 6 }]);
    assert_eq!(
        read::<[Vec<Point>; 2]>(&nested).map(|[first, _]| first.len()),
        Ok(1)
    );
}

/// The place of a value that is refused, or of another type, with the pairs in order and in another order.
#[test]
fn mismatches_say_where() {
    let place = |bytes: &[u8]| {
        let error = read::<Vec<Point>>(bytes).expect_err("a mismatch");
        (error.kind(), error.offset())
    };
    let refused = MismatchKind::Refused("x is at most 1000");
    // {"x": 2000, "y": 1}: the value of x stands behind two headers and the key.
    let x = 8 + 8 + 12;
    assert_eq!(place(&array(&[point(2000, 1)])), (refused, x));
    let other = dict(&[("y", int(1)), ("x", int(2000))]);
    assert_eq!(place(&array(&[other])), (refused, x + 8 + 12));
    let wrong = array(&[point(1, 2), dict(&[("x", int(1)), ("y", text("no"))])]);
    let (kind, offset) = place(&wrong);
    assert!(!matches!(kind, MismatchKind::Refused(_)), "{kind:?}");
    assert_eq!(offset, 8 + 48 + 8 + 12 + 8 + 12);
    // An element that is not a Dictionary; the next ones are read.
    let bytes = array(&[point(1, 2), int(5), point(3, 4)]);
    let root: VariantRef<'_> = Document::new(&bytes, GODOT_4).root().expect("an array");
    let mut items = root.as_array().expect("an array").iter();
    let mut all = Vec::new();
    while let Some(item) = items.next_record::<Point>() {
        all.push(item.ok());
    }
    assert_eq!(
        all,
        [Some(Point { x: 1, y: 2 }), None, Some(Point { x: 3, y: 4 })]
    );
}

#[derive(Debug, PartialEq)]
struct Node {
    n: i32,
    children: Vec<Node>,
}

impl<'a> Record<'a> for Node {
    const KEYS: &'static [Key] = &Key::all(["n", "children"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(Node {
            n: fields.next()?,
            children: fields.next()?,
        })
    }
}

/// A tree of so many nodes, each in the one before, with the fields of every second one in another order.
fn tree(nodes: u32, mixed: bool) -> Vec<u8> {
    let mut inner = array(&[]);
    for n in (0..nodes).rev() {
        let mut pairs = vec![("n", int(n)), ("children", inner)];
        if mixed && n % 2 == 1 {
            pairs.reverse();
        }
        let node = dict(&pairs);
        inner = array(&[node]);
    }
    inner
}

/// The number of nodes in a row.
fn height(nodes: &[Node]) -> usize {
    let (mut at, mut count) = (nodes, 0);
    while let [node] = at {
        assert_eq!(node.n as usize, count);
        (at, count) = (&node.children, count + 1);
    }
    count
}

/// Types that hold themselves are read as deep as the documentation of `FromVariant` says, whatever the order of the
/// fields, and no deeper.
#[test]
fn types_that_hold_themselves_have_an_end() {
    let mut deepest = [0_u16; 2];
    for (deepest, mixed) in deepest.iter_mut().zip([false, true]) {
        for nodes in 1..200_u16 {
            let bytes = tree(nodes.into(), mixed);
            match read::<Vec<Node>>(&bytes) {
                Ok(all) => {
                    assert_eq!(height(&all), usize::from(nodes));
                    *deepest = nodes;
                }
                Err(error) => {
                    let kind = error.kind();
                    assert!(
                        matches!(
                            kind,
                            MismatchKind::Unreadable(ErrorKind::DepthExceeded { limit: LEVELS })
                        ),
                        "{nodes}: {kind:?}"
                    );
                }
            }
        }
    }
    // The outermost array is one level, a node and its array are two.
    assert_eq!(deepest, [(LEVELS - 1) / 2; 2]);
}
