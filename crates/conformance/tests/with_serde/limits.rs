//! The cost of reading with serde: no allocation, a known stack.

use allocation_counter::measure;
use gdvar::{
    Dialect, Document, Limits, ReadOptions, Variant,
    math::Vector3,
    serde as gd,
    values::{F32, PackedRef},
    variant,
};
use gdvar_conformance::hostile;
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
            .get_path(&gdvar::path::Path::parse("a[1]").unwrap())
            .unwrap()
            .unwrap()
            .as_i64(),
        Some(2)
    );
    let mut out = Vec::with_capacity(bytes.len());
    out.extend(gd::to_vec(&unit).unwrap());
    assert_eq!(out, bytes);
}

/// A packet into a buffer with room for it, whatever it holds but lists of unknown length.
#[test]
fn writing_into_a_reserved_buffer_allocates_nothing() {
    #[derive(Serialize)]
    enum Packet<'a> {
        Move {
            id: i64,
            to: Vector3<f32>,
            tiles: [i32; 3],
        },
        Chat(&'a str),
        Blob(PackedRef<'a, F32>),
    }
    let floats: Vec<F32> = (0..100_000).map(|n| F32::new(n as f32)).collect();
    let heights = Variant::packed(floats.iter().map(|f| f.get()).collect::<Vec<_>>());
    let heights = heights.to_vec(Dialect::GODOT_4).unwrap();
    let text = "a".repeat(100_000);
    let packets = [
        Packet::Move {
            id: 1,
            to: Vector3 {
                x: 1.0,
                y: 2.0,
                z: 3.0,
            },
            tiles: [1, 2, 3],
        },
        Packet::Chat("Hello"),
        Packet::Chat(&text),
        Packet::Blob(gd::from_slice(&heights).unwrap()),
    ];
    let expected: Vec<Vec<u8>> = packets.iter().map(|one| gd::to_vec(one).unwrap()).collect();
    let mut buffer = Vec::with_capacity(500_000);
    for (packet, expected) in packets.iter().zip(&expected) {
        let used = measure(|| {
            buffer.clear();
            gd::to_writer(&mut buffer, packet).unwrap();
        });
        assert_eq!(used.count_total, 0, "{} bytes", expected.len());
        assert!(buffer == *expected, "{} bytes", expected.len());
        let used = measure(|| {
            buffer.clear();
            gd::to_buffer(&mut buffer, packet).unwrap();
        });
        assert_eq!(used.count_total, 0, "{} bytes", expected.len());
        assert!(buffer == *expected, "{} bytes", expected.len());
        buffer.clear();
        let mut writer = gdvar::write::Writer::new(&mut buffer, Dialect::GODOT_4);
        let used = measure(|| gd::to_sink(packet, &mut writer).unwrap());
        assert_eq!(used.count_total, 0, "{} bytes", expected.len());
        assert!(buffer == *expected, "{} bytes", expected.len());
    }
    // A thousand of them are more than is collected.
    let many: Vec<&Packet<'_>> = packets[..2].iter().cycle().take(1000).collect();
    let expected = gd::to_vec(&many).unwrap();
    let used = measure(|| {
        buffer.clear();
        gd::to_writer(&mut buffer, &many).unwrap();
    });
    assert_eq!(used.count_total, 0);
    assert!(buffer == expected);
}

/// Counts that are patched lie in what is collected first, behind that, and in what was held back.
#[test]
fn lists_of_unknown_length_are_counted_wherever_they_begin() {
    struct Unsized<'a>(&'a [usize]);
    impl Serialize for Unsized<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut list = serializer.serialize_seq(None)?;
            for &len in self.0 {
                list.serialize_element(&"x".repeat(len))?;
                list.serialize_element(&len)?;
            }
            list.end()
        }
    }
    let lens: Vec<usize> = (0..60).map(|n| n * n * 7 % 1_500).collect();
    for before in [
        0, 3, 440, 490, 500, 505, 511, 512, 600, 16_000, 16_380, 40_000,
    ] {
        for lens in [&lens[..0], &lens[..3], &lens, &[30_000, 1, 600, 20_000]] {
            let value = ("x".repeat(before), Unsized(lens), Unsized(&[1]), 7);
            let mut written = Vec::new();
            gd::to_writer(&mut written, &value).unwrap();
            assert!(written == gd::to_vec(&value).unwrap(), "{before}");
            let items = lens
                .iter()
                .flat_map(|&len| [Variant::from("x".repeat(len)), Variant::from(len as i64)]);
            let items: Vec<Variant> = items.collect();
            let expected = variant!([("x".repeat(before)), (items), ["x", 1], 7]);
            assert!(
                written == expected.to_vec(Dialect::GODOT_4).unwrap(),
                "{before}"
            );
        }
    }
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

/// `tests/debug-build` has the same in a build without optimisation.
#[test]
fn the_engines_depth_is_asked_for_by_name_and_fits_into_two_mebibytes() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    assert!(gd::from_slice_with::<List>(&nested(129), options).is_err());
    let reading = gd::ReadWith::deep(options);
    in_stack(2 << 20, move || {
        let bytes = nested(1024);
        let list: List = gd::from_slice_with(&bytes, reading).expect("a list");
        assert_eq!(gd::to_vec(&list).expect("the same"), bytes);
        assert!(gd::from_slice_with::<List>(&nested(1025), reading).is_err());
        // An enum takes two levels, one for its Dictionary and one for what is inside.
        let mut tree = Tree::Leaf;
        for _ in 0..1024 {
            tree = Tree::Node(Box::new(tree));
        }
        let bytes = gd::to_vec(&tree).expect("a tree");
        let again: Tree = gd::from_slice_with(&bytes, reading).expect("the tree");
        assert_eq!(gd::to_vec(&again).expect("the same"), bytes);
        let value: Variant = gd::from_slice_with(&bytes, reading).expect("a value");
        assert_eq!(value.to_vec(Dialect::GODOT_4).expect("the same"), bytes);
        let json: serde_json::Value = gd::from_slice_with(&bytes, reading).expect("JSON");
        assert!(json.is_object());
    });
}

/// Whatever the limit of the reader that came to the value.
#[test]
fn a_part_of_a_document_may_be_128_deep_below_itself() {
    let bytes = nested(300);
    let mut value = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
    let mut levels_below = 300;
    while levels_below > 128 {
        assert!(gd::from_ref::<List>(value).is_err(), "{levels_below}");
        value = value.as_array().unwrap().get(0).unwrap().unwrap();
        levels_below -= 1;
    }
    assert!(gd::from_ref::<List>(value).is_ok());
}

#[test]
fn what_is_ignored_needs_no_stack() {
    let deepest = ReadOptions::new(Dialect::GODOT_4).with_limits(Limits::MOST);
    let deepest = gd::ReadWith::deep(deepest);
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

/// Makes serde copy a value into its own buffer, and keeps nothing of it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Copied {
    #[allow(dead_code)]
    It(IgnoredAny),
}

#[derive(Deserialize)]
struct Flat {
    #[allow(dead_code)]
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, IgnoredAny>,
}

/// Checks the rows of SECURITY.md: the buffers of serde and of `serde_json` take more memory than a value has bytes,
/// but no more than a fixed multiple.
#[test]
fn copies_get_memory_in_proportion() {
    fn run<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> u64 {
        measure(|| drop(gd::from_slice::<T>(bytes))).bytes_max
    }
    type Run = fn(&[u8]) -> u64;
    // Id 0 takes twelve bytes, and a Callable four: no value that becomes a map is smaller.
    let header = [28_u32, 1 << 14].map(u32::to_le_bytes).concat();
    let callables = [&header[..], &[25, 0, 0, 0].repeat(1 << 14)].concat();
    let ways: [(&str, Run, u64); 4] = [
        ("serde_json::Value", run::<serde_json::Value>, 200),
        ("untagged and tagged enums", run::<Copied>, 64),
        ("flatten", run::<Flat>, 64),
        ("gdvar::Variant", run::<Variant>, 24),
    ];
    for (name, run, budget) in ways {
        let mut most = (0.0, "callables");
        let shapes = hostile::ALL
            .iter()
            .map(|one| (one.name, (one.make)(1 << 16)));
        for (shape, bytes) in shapes.chain([("callables", callables.clone())]) {
            let used = run(&bytes);
            let factor = used as f64 / bytes.len() as f64;
            if factor > most.0 {
                most = (factor, shape);
            }
            assert!(
                used <= budget * bytes.len() as u64 + 12 * 1024,
                "{name}: {shape}: {factor}"
            );
        }
        println!("{name}: at most {:.1} bytes a byte, {}", most.0, most.1);
    }
}
