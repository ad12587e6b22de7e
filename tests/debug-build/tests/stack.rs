//! No bytes use up the stack of a thread, which has 2 MiB, in types that serde derives and copies, whatever the options
//! say, unless [`ReadWith::deep`] asks for it.

use std::collections::BTreeMap;

use gdvar::{
    Dialect, Limits, Objects, ReadOptions, Variant,
    math::{Transform3D, Vector3},
    serde::{ReadWith, from_ref, from_slice, from_slice_with, to_vec},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[derive(Serialize, Deserialize)]
struct List(Vec<List>);

#[derive(Serialize, Deserialize)]
struct Map(BTreeMap<String, Map>);

#[derive(Serialize, Deserialize)]
enum External {
    Leaf,
    Node(Box<External>),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "t")]
enum Internal {
    Leaf,
    Node { c: Box<Internal> },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Leaf,
    Node(Box<Adjacent>),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Many(Vec<Untagged>),
    Named(BTreeMap<String, Untagged>),
}

#[derive(Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    rest: BTreeMap<String, Flat>,
}

#[derive(Serialize, Deserialize)]
struct Boxed {
    c: Option<Box<Boxed>>,
}

/// As a game has them.
#[derive(Serialize, Deserialize)]
struct Node {
    #[serde(default)]
    name: String,
    #[serde(default)]
    hp: f64,
    #[serde(default)]
    pos: Option<Vector3<f32>>,
    #[serde(default)]
    turn: Option<Transform3D<f32>>,
    #[serde(default)]
    level: i32,
    #[serde(default)]
    alive: bool,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    stats: BTreeMap<String, i64>,
    #[serde(default)]
    kind: Option<External>,
    #[serde(default)]
    c: Option<Box<Node>>,
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const C: u32 = b'c' as u32;
const T: u32 = b't' as u32;
const NODE: u32 = u32::from_le_bytes(*b"Node");
const LEAF: u32 = u32::from_le_bytes(*b"Leaf");

/// Containers in each other: what each level begins with, and the innermost value.
fn shapes() -> Vec<(Vec<u8>, Vec<u8>)> {
    vec![
        (words(&[28, 1]), words(&[28, 0])),
        (words(&[27, 1, 4, 1, C]), words(&[27, 0])),
        (words(&[27, 1, 4, 4, NODE]), words(&[4, 4, LEAF])),
        // {"t": "Node", "c": …}
        (
            words(&[27, 2, 4, 1, T, 4, 4, NODE, 4, 1, C]),
            words(&[27, 1, 4, 1, T, 4, 4, LEAF]),
        ),
        // An object of class N with the property c.
        (words(&[24, 1, u32::from(b'N'), 1, 1, C]), words(&[0])),
        // As a key.
        (words(&[27, 1]), words(&[27, 0])),
    ]
}

/// In three quarters of the stack that a thread has by default: what is around needs some, too.
fn in_a_thread(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(3 << 19);
        let thread = thread.spawn_scoped(scope, run).expect("a thread");
        thread.join().expect("no panic");
    });
}

fn read<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> u32 {
    let deepest = ReadOptions::new(Dialect::GODOT_4)
        .with_objects(Objects::Inert)
        .with_limits(Limits::MOST);
    let bare = from_slice::<T>(bytes);
    let with = from_slice_with::<T>(bytes, deepest);
    let document = gdvar::Document::with_options(bytes, deepest);
    let part = document.root().map_err(Into::into).and_then(from_ref::<T>);
    let mut read = 0;
    for value in [bare, with, part].into_iter().flatten() {
        read += 1;
        let written = to_vec(&value).expect("what was read can be written");
        assert!(!written.is_empty());
        let tree = serde_json::to_value(&value).expect("JSON");
        assert!(serde_json::from_value::<T>(tree).is_ok());
    }
    read
}

/// Reads the bytes in every way, and counts those that took them.
type Read = fn(&[u8]) -> u32;

const WAYS: [(&str, Read); 11] = [
    ("a list", read::<List>),
    ("a map", read::<Map>),
    ("an enum", read::<External>),
    ("an internally tagged enum", read::<Internal>),
    ("an adjacently tagged enum", read::<Adjacent>),
    ("an untagged enum", read::<Untagged>),
    ("flatten", read::<Flat>),
    ("a box", read::<Boxed>),
    ("a struct of many fields", read::<Node>),
    ("serde_json::Value", read::<serde_json::Value>),
    ("gdvar::Variant", read::<Variant>),
];

#[test]
fn no_depth_uses_up_the_stack() {
    let mut read = [0; WAYS.len()];
    for (level, innermost) in shapes() {
        for levels in [1, 64, 127, 128, 129, 250, 500, 1000, 1024, 20_000] {
            let mut bytes = level.repeat(levels);
            bytes.extend(&innermost);
            // The values of the keys.
            if level.len() == 8 && level[0] == 27 {
                bytes.extend([0; 4].repeat(levels));
            }
            for ((_, way), read) in WAYS.iter().zip(&mut read) {
                in_a_thread(|| *read += way(&bytes));
            }
        }
    }
    for ((name, _), read) in WAYS.iter().zip(read) {
        assert!(read > 0, "{name} was never read");
    }
}

/// The form of a `Variant` in other formats recurses as deep as it is.
#[test]
fn variants_in_other_formats_fit_the_stack() {
    let mut deep = gdvar::variant!([]);
    for _ in 0..128 {
        deep = gdvar::variant!([deep]);
    }
    in_a_thread(|| {
        let bytes = postcard::to_allocvec(&deep).expect("128 levels");
        assert_eq!(postcard::from_bytes::<Variant>(&bytes).as_ref(), Ok(&deep));
        let bomb = [5, 1].repeat(1_000_000);
        assert!(postcard::from_bytes::<Variant>(&bomb).is_err());
        let tree = serde_json::to_value(&deep).expect("128 levels");
        assert_eq!(
            serde_json::from_value::<Variant>(tree).expect("the same"),
            deep
        );
    });
}

/// Whoever asks for more gets it, and needs a stack for it.
#[test]
fn the_engines_depth_needs_a_larger_stack() {
    let mut bytes = words(&[28, 1]).repeat(1024);
    bytes.extend(words(&[28, 0]));
    let deep = ReadWith::deep(ReadOptions::new(Dialect::GODOT_4));
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let thread = thread.spawn(move || from_slice_with::<Untagged>(&bytes, deep).is_ok());
    assert!(thread.expect("a thread").join().expect("no panic"));
}
