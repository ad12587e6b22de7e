//! What reading with serde costs: no allocation, a known stack.

use allocation_counter::measure;
use gdvar::{
    Dialect, F32, Limits, PackedRef, ReadOptions, Variant, math::Vector3, serde as gd, variant,
};
use serde::{Deserialize, Serialize, de::IgnoredAny};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Unit<'a> {
    id: i64,
    name: &'a str,
    hp: f64,
    pos: Vector3<f32>,
    alive: bool,
    tags: [i32; 3],
    #[serde(borrow)]
    heights: PackedRef<'a, F32>,
    #[serde(borrow, with = "serde_bytes")]
    blob: &'a [u8],
    #[serde(borrow)]
    rest: gd::RawVariant<'a>,
    nothing: Option<&'a str>,
}

#[test]
fn borrowing_structs_allocate_nothing() {
    let value = variant!({
        "id": 1, "name": "Ann", "hp": 0.1, "pos": Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 },
        "alive": true, "tags": [1, 2, 3], "heights": Variant::packed([1.0_f32, 2.0]), "blob": Variant::packed([1_u8, 2, 3]),
        "rest": { "a": [1, 2] }, "nothing": null,
    });
    let bytes = value.to_vec(Dialect::GODOT_4).unwrap();
    let mut unit = None;
    let used = measure(|| unit = gd::from_slice::<Unit<'_>>(&bytes).ok());
    assert_eq!(used.count_total, 0);
    let unit = unit.expect("it can be read");
    assert_eq!(
        (unit.name, unit.heights.get(1), unit.blob),
        ("Ann", Some(2.0), &[1, 2, 3][..])
    );
    assert_eq!(
        unit.rest
            .get()
            .get_path(&gdvar::Path::parse("a[1]").unwrap())
            .unwrap()
            .unwrap()
            .as_i64(),
        Some(2)
    );
    let mut out = Vec::with_capacity(bytes.len());
    out.extend(gd::to_vec(&unit).unwrap());
    assert_eq!(out, bytes);
}

#[derive(Deserialize, Serialize)]
enum Tree {
    Leaf,
    Node(Box<Tree>),
}

#[derive(Deserialize, Serialize)]
struct List(Vec<List>);

/// That many arrays in each other.
fn nested(levels: usize) -> Vec<u8> {
    let mut bytes = [28, 0, 0, 0, 1, 0, 0, 0].repeat(levels);
    bytes.extend([28, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

fn in_stack<T: Send + 'static>(size: usize, run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(size).spawn(run);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn by_default_values_may_be_128_deep() {
    assert!(gd::from_slice::<List>(&nested(128)).is_ok());
    let error = gd::from_slice::<List>(&nested(129))
        .err()
        .expect("too deep");
    assert!(
        error.to_string().contains("nested deeper than 128"),
        "{error}"
    );
    assert!(gd::from_slice::<Variant>(&nested(129)).is_err());
}

#[test]
fn the_engines_depth_fits_into_two_mebibytes() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    in_stack(2 << 20, move || {
        let bytes = nested(1024);
        let list: List = gd::from_slice_with(&bytes, options).expect("a list");
        assert_eq!(gd::to_vec(&list).expect("the same"), bytes);
        assert!(gd::from_slice_with::<List>(&nested(1025), options).is_err());
        // An enum takes two levels, one for its Dictionary and one for what is inside.
        let mut tree = Tree::Leaf;
        for _ in 0..1024 {
            tree = Tree::Node(Box::new(tree));
        }
        let bytes = gd::to_vec(&tree).expect("a tree");
        let again: Tree = gd::from_slice_with(&bytes, options).expect("the tree");
        assert_eq!(gd::to_vec(&again).expect("the same"), bytes);
        let value: Variant = gd::from_slice_with(&bytes, options).expect("a value");
        assert_eq!(gd::to_vec(&value).expect("the same"), bytes);
        let json: serde_json::Value = gd::from_slice_with(&bytes, options).expect("JSON");
        assert!(json.is_object());
    });
}

#[test]
fn what_is_ignored_needs_no_stack() {
    let deepest = ReadOptions::new(Dialect::GODOT_4).limits(Limits::MOST);
    in_stack(128 << 10, move || {
        let bytes = nested(60_000);
        assert!(gd::from_slice_with::<IgnoredAny>(&bytes, deepest).is_ok());
    });
}

#[test]
fn every_prefix_fails_cleanly() {
    let value = variant!([{ "id": 1, "name": "Ann", "pos": Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 } }, [1.5, Variant::packed([1, 2])]]);
    let bytes = value.to_vec(Dialect::GODOT_4).unwrap();
    for end in 0..bytes.len() {
        for options in [
            ReadOptions::new(Dialect::GODOT_4),
            ReadOptions::new(Dialect::GODOT_4).strict(),
        ] {
            assert!(
                gd::from_slice_with::<Variant>(&bytes[..end], options).is_err(),
                "{end}"
            );
            assert!(
                gd::from_slice_with::<serde_json::Value>(&bytes[..end], options).is_err(),
                "{end}"
            );
            assert!(
                gd::from_slice_with::<IgnoredAny>(&bytes[..end], options).is_err(),
                "{end}"
            );
        }
    }
}

#[test]
fn a_lie_about_a_count_buys_no_memory() {
    let lie = [28, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0];
    let used = measure(|| assert!(gd::from_slice::<Vec<i32>>(&lie).is_err()));
    assert!(used.bytes_max < 4096, "{used:?}");
}
