//! Vectors of arrays, dictionaries and objects, of depth, and of types that only Godot 2 has
//! (`docs/FORMAT.md` §4).

use super::Set;
use super::samples::{event, image, node_path, packed, sample};
use crate::assembler::{BIT_16, SHARED};
use serde_json::{Value, json};

pub(super) fn add(set: &mut Set) {
    arrays(set);
    dictionaries(set);
    depth(set);
    if !set.is_godot2() {
        objects(set);
    }
}

/// Returns a sample of each type that a writer of the dialect can write.
fn writable(set: &Set) -> impl Iterator<Item = Value> + use<> {
    let column = set.column;
    let skip: &[&str] = if set.is_godot2() {
        &["Image", "InputEvent", "Object"]
    } else {
        &[]
    };
    column
        .types()
        .filter(|name| !skip.contains(name))
        .map(move |name| sample(column, name))
}

fn arrays(set: &mut Set) {
    set.canonical("array/empty", json!({"Array": []}));
    set.canonical("array/one", json!({"Array": [{"Int": "-1"}]}));
    set.canonical(
        "array/nils",
        json!({"Array": [{"Nil": null}, {"Nil": null}, {"Nil": null}]}),
    );
    let every: Vec<_> = writable(set).collect();
    set.canonical("array/every-type", json!({"Array": every}));
    let empties = json!([{"Array": []}, {"Dictionary": []}, {"String": ""}, {"Array": []}]);
    set.canonical("array/empties", json!({"Array": empties}));
    let nested = json!([{"Array": [{"Array": [{"String": "ü"}]}, {"Int": "2"}]}, {"Bool": true}]);
    set.canonical("array/nested", json!({"Array": nested}));
    let padded = json!([{"String": "a"}, packed("PackedByteArray", 3), {"String": "bc"}]);
    set.canonical("array/padded", json!({"Array": padded}));
    let long: Vec<_> = (0..100)
        .map(|int| json!({"Int": int.to_string()}))
        .collect();
    set.canonical("array/long", json!({"Array": long}));
    for name in set
        .column
        .types()
        .filter(|name| name.ends_with("Array") && *name != "Array")
    {
        let items = json!([packed(name, 2), {"String": "x"}, packed(name, 0), packed(name, 3)]);
        set.canonical(
            format!("array/of-{}", name.to_lowercase()),
            json!({"Array": items}),
        );
    }
}

fn dictionaries(set: &mut Set) {
    set.canonical("dictionary/empty", json!({"Dictionary": []}));
    let of = |pairs: Value| json!({"Dictionary": pairs});
    let text = |text: &str| json!({"String": text});
    let int = |int: i64| json!({"Int": int.to_string()});
    set.canonical("dictionary/one", of(json!([[text("a"), int(1)]])));
    let order = json!([[text("z"), int(1)], [text("a"), int(2)], [text("m"), {"Nil": null}]]);
    set.canonical("dictionary/order", of(order));
    let float = json!({"Float": {"bits": "3ff0000000000000"}});
    let alike =
        json!([[int(1), int(1)], [float, int(2)], [{"Bool": true}, int(3)], [text("1"), int(4)]]);
    set.canonical("dictionary/keys-alike", of(alike));
    let nested = of(json!([[
        text("inner"),
        of(json!([[int(0), {"Array": [of(json!([]))]}]]))
    ]]));
    set.canonical("dictionary/nested", nested);
    let containers =
        json!([[{"Array": [int(1)]}, int(1)], [of(json!([[int(1), int(2)]])), int(2)]]);
    set.canonical("dictionary/container-keys", of(containers));
    let save = json!([
        [text("name"), text("Ann")],
        [text("hp"), int(100)],
        [text("pos"), {"Vector2": ["3fc00000", "c0000000"]}],
        [text("inv"), {"Array": [text("sword"), int(3)]}],
        [text("alive"), {"Bool": true}],
    ]);
    set.canonical("dictionary/save", of(save));
    let every: Vec<_> = writable(set).map(|key| json!([key, int(1)])).collect();
    set.canonical("dictionary/every-key", of(json!(every)));
    let every: Vec<_> = writable(set)
        .zip(0..)
        .map(|(value, at)| json!([int(at), value]))
        .collect();
    set.canonical("dictionary/every-value", of(json!(every)));
}

/// §4.6: a leaf inside 1024 containers is allowed.
fn depth(set: &mut Set) {
    let leaf = json!({"String": "leaf"});
    let key = json!({"key": {"Int": "7"}});
    for depth in [17, 100, 1024] {
        let nest = |steps: Vec<Value>| json!({"Nest": {"steps": steps, "leaf": leaf}});
        set.canonical(
            format!("depth/array-{depth}"),
            nest(vec![json!("[]"); depth]),
        );
        set.canonical(
            format!("depth/dictionary-{depth}"),
            nest(vec![key.clone(); depth]),
        );
        let mixed = [json!("[]"), key.clone()]
            .into_iter()
            .cycle()
            .take(depth)
            .collect();
        set.canonical(format!("depth/mixed-{depth}"), nest(mixed));
    }
}

/// §4.4: objects, as ids and as a whole.
fn objects(set: &mut Set) {
    for id in [1, 255, 1288, u64::from(u32::MAX), 1 << 32, u64::MAX] {
        set.canonical(
            format!("object-id/{id}"),
            json!({"ObjectId": id.to_string()}),
        );
    }
    let ids = json!([{"ObjectId": "1"}, {"Nil": null}, {"ObjectId": "2"}]);
    set.canonical("object-id/in-array", json!({"Array": ids}));
    let keys = json!([[{"ObjectId": "5"}, {"ObjectId": "6"}]]);
    set.canonical("object-id/in-dictionary", json!({"Dictionary": keys}));
    let null = json!({"Object": null});
    let bytes = set.bytes().header("Object", BIT_16).long(0);
    set.accepted("object-id/0", bytes, null.clone());

    let object = |class: &str, props: Value| json!({"Object": {"class": class, "props": props}});
    let script = json!(["script", {"Nil": null}]);
    set.canonical("object/no-properties", object("Node", json!([])));
    set.canonical("object/reference", object("Reference", json!([script])));
    let props = json!([["name", {"String": "named é"}], ["größe", {"Int": "5"}], script]);
    set.canonical("object/properties", object("Resource", props));
    let inner = object(
        "Inner",
        json!([["deep", {"Array": [{"Bool": true}]}], script]),
    );
    set.canonical(
        "object/nested",
        object("Outer", json!([["inner", inner], script])),
    );
    let inside = json!([object("A", json!([])), {"Int": "1"}, object("B", json!([script]))]);
    set.canonical("object/in-array", json!({"Array": inside}));
    let inside = json!([[{"String": "k"}, object("A", json!([script]))]]);
    set.canonical("object/in-dictionary", json!({"Dictionary": inside}));
    let bytes = set.bytes().header("Object", 0).field(b"");
    set.accepted("object/empty-class", bytes, null);
    // §6 row 28: a negative count is read as zero.
    for count in [0x8000_0000, 0xffff_ffff] {
        let bytes = set.bytes().header("Object", 0).field(b"Node").word(count);
        set.accepted(
            format!("object/count-{count:08x}"),
            bytes,
            object("Node", json!([])),
        );
    }
    let bytes = set
        .bytes()
        .header("Object", 0)
        .dirty_field(b"Node2", 0xff)
        .word(1);
    let bytes = bytes.dirty_field(b"a", 0xaa).value(&json!({"Int": "1"}));
    let props = json!([["a", {"Int": "1"}]]);
    set.accepted("object/padding", bytes, object("Node2", props));
}

/// §1.5: forms that no other dialect has.
pub(super) fn add_godot2(set: &mut Set) {
    for (id, value) in [
        ("image/empty", image(0, 0, [0, 0], "")),
        ("image/rgb", image(3, 0, [1, 1], "ff8000")),
        ("image/rgba", image(4, 0, [2, 1], "ff8000ff01020304")),
        ("image/gray", image(0, 1, [5, 1], "0102030405")),
        ("image/mipmaps", image(0, 2, [2, 2], "010203040510")),
        ("event/none", event(0, 0, "")),
        ("event/key", event(1, 0, "0000000241000000")),
        ("event/mouse-motion", event(2, -1, "")),
        ("event/mouse-button", event(3, 1, "01000000")),
        ("event/joy-motion", event(4, 2, "03000000")),
        ("event/joy-motion-late", event(4, 2, "030000000000003f")),
        ("event/unknown", event(99, 0, "0102030405060708090a0b0c")),
        ("object-null/alone", json!({"Object": null})),
        (
            "object-null/in-array",
            json!({"Array": [{"Object": null}, {"Int": "1"}]}),
        ),
    ] {
        let bytes = set.bytes().value(&value);
        set.accepted(id, bytes, value);
    }
    for name in ["Image", "InputEvent", "Object"] {
        let group = name.to_lowercase();
        let pairs = json!([[sample(set.column, name), {"Array": [sample(set.column, name)]}]]);
        let value = json!({"Dictionary": pairs});
        let bytes = set.bytes().value(&value);
        set.accepted(format!("dictionary/{group}"), bytes, value);
    }
    let words = [4, 0, 1, 1].into_iter();
    let bytes = words.fold(set.bytes().header("Image", 0), |bytes, word| {
        bytes.word(word)
    });
    set.accepted(
        "image/padding",
        bytes.dirty_field(b"\x01", 0xcc),
        image(4, 0, [1, 1], "01"),
    );
    shared(set);
    old_paths(set);
}

fn shared(set: &mut Set) {
    let int = |int: i32| json!({"Int": int.to_string()});
    let array = |set: &Set, count: u32| set.bytes().header("Array", 0).word(SHARED | count);
    let bytes = array(set, 2).value(&int(1)).value(&int(2));
    set.accepted("array/shared", bytes, json!({"Array": [int(1), int(2)]}));
    let bytes = array(set, 0);
    set.accepted("array/shared-empty", bytes, json!({"Array": []}));
    let inner = array(set, 1).value(&int(3)).done();
    let bytes = array(set, 2)
        .raw(&inner)
        .header("Array", 0)
        .word(1)
        .raw(&inner);
    let value = json!({"Array": [{"Array": [int(3)]}, {"Array": [{"Array": [int(3)]}]}]});
    set.accepted("array/shared-nested", bytes, value);
    let head = set.bytes().header("Dictionary", 0).word(SHARED | 1);
    let bytes = head.clone().value(&int(1)).value(&int(2));
    set.accepted(
        "dictionary/shared",
        bytes,
        json!({"Dictionary": [[int(1), int(2)]]}),
    );
    let bytes = head.raw(&inner).raw(&inner);
    let value = json!({"Dictionary": [[{"Array": [int(3)]}, {"Array": [int(3)]}]]});
    set.accepted("dictionary/shared-inside", bytes, value);
    let bytes = set.bytes().header("Dictionary", 0).word(SHARED);
    set.accepted("dictionary/shared-empty", bytes, json!({"Dictionary": []}));
    // An element from a real engine, which left its padding unset.
    let bytes = array(set, 1).header("String", 0).word(2).raw(b"aa\xfa\xbf");
    set.accepted(
        "array/shared-padding",
        bytes,
        json!({"Array": [{"String": "aa"}]}),
    );
}

/// §4.5: paths in the form of a single text, which is not padded even inside a container.
fn old_paths(set: &mut Set) {
    let old = |set: &Set, path: &str| {
        set.bytes()
            .header("NodePath", 0)
            .word(path.len() as u32)
            .raw(path.as_bytes())
    };
    for (id, path, value) in [
        ("empty", "", node_path(&[], &[], false)),
        ("name", "abcd", node_path(&["abcd"], &[], false)),
        ("odd-length", "abc", node_path(&["abc"], &[], false)),
        (
            "absolute",
            "/root/ab",
            node_path(&["root", "ab"], &[], true),
        ),
        ("subname", "a/b:c", node_path(&["a", "b"], &["c"], false)),
    ] {
        let bytes = old(set, path);
        set.accepted(format!("nodepath/old-{id}"), bytes, value);
    }
    let path = old(set, "a/b").done();
    let bytes = set
        .bytes()
        .header("Array", 0)
        .word(3)
        .raw(&path)
        .value(&json!({"Int": "7"}));
    let bytes = bytes.raw(&path);
    let expected = node_path(&["a", "b"], &[], false);
    let items = json!([expected, {"Int": "7"}, expected]);
    set.accepted("nodepath/old-in-array", bytes, json!({"Array": items}));
}
