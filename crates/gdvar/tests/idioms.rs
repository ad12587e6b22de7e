//! Lines that users of `serde_json::Value`, `toml_edit` and `bson` write every day, with a [`Variant`].
//! Numbered from the three crates' documentation. Left out:
//!
//! - `as_i32` and other widths: `i32::try_from(&v)` says which range it was (idiom 31).
//! - `Map::sort_keys`, `preserve_order`: a Dictionary has an order; printing sorts as the engine
//!   does.
//! - `pointer("/a/0/b")` of JSON Pointer: paths are the command's paths (idiom 13).
//! - `to_writer`, `from_reader` of a `Value`: use `gdvar::write::Writer` and `gdvar::Document`.
//! - comments, spans and decoration of `toml_edit`: binary values have none.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
};

use gdvar::{
    Array, Dialect, Dictionary, Document, Kind, Variant,
    error::{SetPathError, WrongKind},
    math::{Color, Rect2, Vector2, Vector3},
    path::Path,
    variant,
    write::Target,
};

fn save() -> Variant {
    variant!({
        "name": "Ann",
        "level": 3,
        "speed": 1.5,
        "alive": true,
        "home": null,
        "pos": Vector3::new(1.0_f32, 2.0, 3.0),
        "party": [{ "name": "Bob", "gold": 3 }, { "name": "Cid", "gold": 4 }],
    })
}

#[test]
fn reading() {
    let v = save();
    assert_eq!(v["name"], "Ann"); // 1: index by key, compare with a literal
    assert_eq!(v["party"][0]["gold"], 3); // 2: chained, into an Array
    assert!(v["nowhere"]["at"][7].is_nil()); // 3: what is missing is null
    assert_eq!(v.get("level"), Some(&variant!(3))); // 4
    assert_eq!(v.get("nowhere"), None);
    assert_eq!(v["party"].get(1).unwrap()["name"], "Cid"); // 5: by place
    assert_eq!(v["party"][-1]["name"], "Cid"); // 6: from the end
    assert_eq!(v["name"].as_str(), Some("Ann")); // 7
    assert_eq!(v["level"].as_i64(), Some(3)); // 8
    assert_eq!(v["speed"].as_f64(), Some(1.5)); // 9
    assert_eq!(v["alive"].as_bool(), Some(true)); // 10
    assert_eq!(v["party"].as_array().unwrap().len(), 2); // 11
    assert_eq!(v.as_dict().unwrap().len(), 7); // 12
    assert_eq!(v.get_path("party[1].gold").unwrap().unwrap(), 4); // 13: by path
    let path = Path::parse("party[1].gold").unwrap(); // 14: a path parsed once
    assert_eq!(v.get_path(&path).unwrap().unwrap(), 4);
    assert!(v.get_path("party[").is_err()); // 15: a path that is none is an error
    assert_eq!(v["pos"].as_vector3(), Some(Vector3::new(1.0, 2.0, 3.0))); // 16: math types
    assert_eq!(v["pos"].as_vector3_f64().unwrap().z, 3.0); // 17
    assert_eq!(Variant::packed([0.5_f32]).as_f32s(), Some(&[0.5][..])); // 18: packed arrays
    assert_eq!(v["level"].as_number(), Some(3.0)); // 19: any number
    assert!(v["home"].is_nil() && v["name"].is_text() && v["level"].is_number()); // 20
    assert_eq!(v["pos"].kind(), Kind::Vector3); // 21: what is it
    match &v["level"] {
        // 22: match on it
        Variant::Int(level) => assert_eq!(*level, 3),
        other => panic!("{other}"),
    }
    let gold: i64 = v["party"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|unit| unit["gold"].as_i64())
        .sum(); // 23: go through an Array
    assert_eq!(gold, 7);
    for (key, value) in v.as_dict().unwrap() {
        // 24: go through a Dictionary
        assert_eq!(&v[key], value); // 25: index by a Variant
    }
    let keys: Vec<_> = v
        .as_dict()
        .unwrap()
        .keys()
        .filter_map(Variant::as_str)
        .collect(); // 26
    assert_eq!(keys[..2], ["name", "level"]);
    assert_eq!(v.as_dict().unwrap().values().count(), 7); // 27
    assert!(v.as_dict().unwrap().contains_key("name")); // 28
    assert!(v.contains_key("name")); // 29
    let unit = &v["party"][0];
    assert_eq!(i64::try_from(unit["gold"].clone()), Ok(3)); // 30: TryFrom a value
    assert_eq!(u8::try_from(&unit["gold"]), Ok(3)); // 31: or a reference, in range
    let error = u8::try_from(&variant!(300)).unwrap_err(); // 32: an error that says why
    assert_eq!(
        error.to_string(),
        "expected an int from 0 to 255, found an int, or one beyond its range"
    );
    let WrongKind { found, .. } = bool::try_from(&variant!(1)).unwrap_err();
    assert_eq!(found, Kind::Int);
    assert_eq!(<&str>::try_from(&v["name"]), Ok("Ann")); // 33
    assert_eq!(String::try_from(&v["name"]), Ok("Ann".to_owned())); // 34
    assert_eq!(Vec::<i32>::try_from(variant!([1, 2])), Ok(vec![1, 2])); // 35: lists
    assert_eq!(Vector3::<f32>::try_from(&v["pos"]).unwrap().x, 1.0); // 36
    let party: Array = v["party"].clone().try_into().unwrap(); // 37
    let [bob, _] = &party[..] else { panic!() }; // 38: slice patterns
    assert_eq!(bob["name"], "Bob");
}

#[test]
fn changing() {
    let mut v = save();
    v["name"] = "Dora".into(); // 39: assignment
    v["party"][0]["gold"] = variant!(30); // 40
    v["fresh"]["deep"] = variant!(1); // 41: keys are made
    assert_eq!(v["fresh"], variant!({ "deep": 1 }));
    *v.get_mut("level").unwrap() = 4.into(); // 42
    *v["level"].as_i64_mut().unwrap() += 1; // 43: in place
    assert_eq!(v["level"], 5);
    v["party"]
        .as_array_mut()
        .unwrap()
        .push(variant!({ "name": "Eve" })); // 44: push
    v["party"]
        .as_array_mut()
        .unwrap()
        .retain(|unit| unit["name"] != "Cid"); // 45: all of Vec
    assert_eq!(v["party"].as_array().unwrap().len(), 2);
    v.as_dict_mut().unwrap().insert("gold", 7); // 46: insert
    assert_eq!(v.as_dict_mut().unwrap().insert("gold", 8), Some(7.into())); // 47: replace
    assert_eq!(v.as_dict_mut().unwrap().remove("gold"), Some(8.into())); // 48: remove
    *v.as_dict_mut().unwrap().entry("kills").or_insert(0) = 1.into(); // 49: entry
    v.as_dict_mut()
        .unwrap()
        .entry("kills")
        .and_modify(|kills| *kills = 2.into())
        .or_insert(0); // 50
    assert_eq!(v["kills"], 2);
    v.as_dict_mut().unwrap().extend([("a", 1), ("b", 2)]); // 51: extend
    v.as_dict_mut().unwrap().retain(|key, _| key != "a"); // 52
    for value in v["party"].as_array_mut().unwrap().iter_mut() {
        value["seen"] = true.into(); // 53: change each
    }
    for (_, value) in v.as_dict_mut().unwrap().iter_mut() {
        if value.is_nil() {
            *value = variant!("none"); // 54
        }
    }
    assert_eq!(v["home"], "none");
    assert_eq!(v["name"].take(), "Dora"); // 55: take
    assert!(v["name"].is_nil());
    *v.get_path_mut("party[0].name").unwrap().unwrap() = "Flo".into(); // 56
    assert_eq!(v.set_path("party[0].name", "Gus"), Ok("Flo".into())); // 57
    v.set_path("party[2].name", "Hal").unwrap(); // appends
    assert_eq!(v["party"][2]["name"], "Hal");
    let error = v.set_path("party[9].name", 1).unwrap_err();
    assert_eq!(
        error,
        SetPathError::NoPlace {
            step: 1,
            kind: Kind::Array,
            len: 3
        }
    );
    let old = std::mem::replace(&mut v["level"], variant!(0)); // 58
    assert_eq!(old, 5);
}

#[expect(
    clippy::mutable_key_type,
    reason = "the table of keys beside a Dictionary is no part of what is hashed and compared"
)]
#[test]
fn making() {
    let name = "Ann".to_owned();
    let v = variant!({ "name": &name, "n": name.len() as i64, "list": [1, [2], { "x": null }] }); // 59: a macro
    assert_eq!(v["n"], 3);
    // 60: From everything.
    let all: Vec<Variant> = vec![
        1_i8.into(),
        1_u8.into(),
        1_i16.into(),
        1_u16.into(),
        1_i32.into(),
        1_u32.into(),
        1_i64.into(),
        Variant::try_from(1_u64).unwrap(),
        1_isize.into(),
        Variant::try_from(1_usize).unwrap(),
    ];
    assert!(all.iter().all(|one| one == 1));
    assert_eq!(Variant::from('é'), "é");
    assert_eq!(Variant::from(Cow::Borrowed("x")), "x");
    assert_eq!(Variant::from(1.5_f32), 1.5);
    assert_eq!(Variant::from(Some("x")), "x");
    assert!(Variant::from(None::<i32>).is_nil() && Variant::from(()).is_nil());
    assert_eq!(Variant::from([1, 2]), variant!([1, 2])); // 61: lists
    assert_eq!(variant!(vec![1, 2]), variant!([1, 2]));
    assert_eq!(Variant::from(VecDeque::from([1, 2])), variant!([1, 2]));
    assert_eq!(Variant::from(&[1, 2][..]), variant!([1, 2]));
    assert_eq!(
        Variant::from(BTreeMap::from([("a", 1)])),
        variant!({ "a": 1 })
    ); // 62: maps
    assert_eq!(
        Variant::from(HashMap::from([("a", 1)])),
        variant!({ "a": 1 })
    );
    let squares: Variant = (1..4).map(|n| n * n).collect(); // 63: collect
    assert_eq!(squares, variant!([1, 4, 9]));
    let named: Variant = ["a", "b"].into_iter().zip(1..).collect(); // 64
    assert_eq!(named, variant!({ "a": 1, "b": 2 }));
    let tinted = variant!({ "tint": Color::new(1.0_f32, 0.5, 0.0, 1.0), "box": Rect2::new(Vector2::new(0, 0), Vector2::new(2, 2)) });
    assert_eq!(tinted["box"].kind(), Kind::Rect2i);
    let mut seen = HashSet::new(); // 65: Eq and Hash
    assert!(seen.insert(save()) && !seen.insert(save()));
    assert_eq!(variant!({ "hp": 3 }).to_string(), "{\"hp\": 3}"); // 66: Display
    assert_eq!(
        format!("{:?}", variant!([1, "a"])),
        "Array([Int(1), String(\"a\")])"
    ); // 67: Debug
    assert_eq!(Variant::default(), Variant::Nil); // 68
    let bytes = save().to_vec(Target::GODOT_4).unwrap(); // 69: to bytes and back
    assert_eq!(Variant::from_slice(&bytes, Dialect::GODOT_4), Ok(save()));
    let root = Document::new(&bytes, Dialect::GODOT_4).root().unwrap();
    assert_eq!(Variant::from_ref(root), Ok(save()));
}

#[cfg(feature = "serde")]
#[test]
fn rust_types_by_serde() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Unit {
        name: String,
        gold: i64,
    }
    let unit: Unit = gdvar::tree::from_variant(&save()["party"][0]).unwrap();
    assert_eq!(unit.gold, 3);
    assert_eq!(gdvar::tree::to_variant(&unit).unwrap(), save()["party"][0]);
    // One rule for lists.
    assert_eq!(
        gdvar::tree::to_variant(&vec![1, 2]).unwrap(),
        variant!(vec![1, 2])
    );
    let error = gdvar::tree::from_variant::<Unit>(&save()).unwrap_err();
    assert!(
        error.to_string().contains("the key `gold` is missing"),
        "{error}"
    );
}

#[test]
fn a_dictionary_is_a_dictionary() {
    // More keys than are searched one by one.
    let mut dict = Dictionary::new();
    for n in 0..1000 {
        assert_eq!(dict.insert(format!("key {n}"), n), None);
        assert_eq!(dict.insert(Vector2::new(n, -n), n), None);
        assert_eq!(dict.insert(n, n), None);
    }
    assert_eq!(dict.len(), 3000);
    for n in (0..1000).step_by(3) {
        assert_eq!(dict.remove(&format!("key {n}")), Some(n.into()));
        assert_eq!(dict.remove(&n), Some(n.into()));
        assert_eq!(dict.remove(&n), None);
    }
    for n in 0..1000 {
        let there = n % 3 != 0;
        assert_eq!(dict.get(&format!("key {n}")).is_some(), there);
        assert_eq!(dict.contains_key(&n), there);
        assert_eq!(dict[&Vector2::new(n, -n)], n);
    }
    let order: Vec<_> = dict.values().filter_map(Variant::as_i64).collect();
    assert!(order.is_sorted());

    // Godot 4: a StringName is the same key as a String.
    let mut names = Dictionary::new();
    names.insert(Variant::StringName("hp".into()), 1);
    assert_eq!(names.insert("hp", 2), Some(1.into()));
    assert_eq!(
        names.as_pairs(),
        [(Variant::StringName("hp".into()), 2.into())]
    );

    // Unusual input: a repeated key stays; the last one is found, and both are removed.
    for extra in [0, 100] {
        let mut pairs: Vec<(Variant, Variant)> = vec![
            ("a".into(), 1.into()),
            ("b".into(), 2.into()),
            ("a".into(), 3.into()),
        ];
        pairs.extend((0..extra).map(|n| (n.into(), n.into())));
        let bytes = Variant::from(Dictionary::from_pairs(pairs.clone())).to_vec(Target::GODOT_4);
        let read = Variant::from_slice(&bytes.unwrap(), Dialect::GODOT_4).unwrap();
        let mut twice = Dictionary::try_from(read).unwrap();
        assert_eq!(twice.as_pairs(), pairs);
        assert_eq!(twice["a"], 3);
        assert_eq!(twice.remove("a"), Some(3.into()));
        assert_eq!((twice.get("a"), twice.len()), (None, 1 + extra as usize));
        assert_eq!(twice["b"], 2);
    }
}

/// 20 000 inserts took 0.8 s when each searched through all pairs.
#[test]
fn many_keys_take_linear_time() {
    let once = |count: i64| {
        let start = std::time::Instant::now();
        let mut dict = Dictionary::new();
        for n in 0..count {
            dict.insert(n, n);
        }
        assert!((0..count).all(|n| dict[&n] == n));
        start.elapsed()
    };
    // 32 times as many keys: searching through all of them would take 1024 times as long. Other
    // programs run at the same time, so it is tried several times.
    let mut tries = (0..8).map(|_| (once(5_000), once(160_000)));
    assert!(tries.any(|(few, many)| many < few * 400));
}

#[test]
fn text() {
    let v = save();
    let again: Variant = v.to_string().parse().unwrap(); // 70: from text, as it was printed
    assert_eq!(again["party"][1]["name"], "Cid");
    assert_eq!(again["pos"], v["pos"]);
    assert!("Vector3(1, 2".parse::<Variant>().is_err()); // 71: a text that is none is an error
}

#[test]
fn numbers_are_changed_in_place() {
    let mut save = variant!({ "gold": 3, "speed": 1.5, "name": "Ann" });
    save["gold"] += 4;
    save["gold"] -= 1_u8;
    save["gold"] *= 2_i64;
    assert_eq!(save["gold"], Variant::Int(12));
    save["speed"] += 1;
    save["speed"] *= 2.0;
    assert_eq!(save["speed"], Variant::Float(5.0));
    // As in GDScript, a Float makes a Float of an Int.
    save["gold"] += 0.5;
    assert_eq!(save["gold"], Variant::Float(12.5));
    assert_eq!(variant!(3).as_u64(), Some(3));
    assert_eq!(
        (variant!(-3).as_u64(), variant!(3.0).as_u64()),
        (None, None)
    );

    let panics = |change: fn(&mut Variant)| {
        let mut value = save["name"].clone();
        let change = std::panic::AssertUnwindSafe(|| change(&mut value));
        let panic = std::panic::catch_unwind(change).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    assert_eq!(
        panics(|value| *value += 1),
        "a String is not a number to calculate with"
    );
}

#[test]
fn an_int_does_not_wrap_around() {
    let result = std::panic::catch_unwind(|| {
        let mut most = Variant::from(i64::MAX);
        most += 1;
    });
    assert!(result.is_err());
}

#[test]
fn node_paths_are_split_and_joined_as_in_the_engine() {
    use gdvar::tree::NodePath;

    type Case = (
        &'static str,
        bool,
        &'static [&'static str],
        &'static [&'static str],
        &'static str,
    );
    let cases: [Case; 7] = [
        (
            "/root/A:b:c",
            true,
            &["root", "A"],
            &["b", "c"],
            "/root/A:b:c",
        ),
        ("A//B/", false, &["A", "B"], &[], "A/B"),
        (":position", false, &[], &["position"], ":position"),
        ("../A:", false, &["..", "A"], &[], "../A"),
        ("A::b", false, &[], &[], ""),
        ("/", true, &[], &[], "/"),
        ("", false, &[], &[], ""),
    ];
    for (text, absolute, names, subnames, again) in cases {
        let path: NodePath = text.parse().unwrap();
        assert_eq!(path.absolute, absolute, "{text}");
        assert!(
            path.names
                .iter()
                .map(|name| name.as_str().unwrap())
                .eq(names.iter().copied())
        );
        assert!(
            path.subnames
                .iter()
                .map(|name| name.as_str().unwrap())
                .eq(subnames.iter().copied())
        );
        assert_eq!(path.to_string(), again, "{text}");
        // The notation splits in the same way.
        let parsed: Variant = format!("NodePath({text:?})").parse().unwrap();
        assert_eq!(parsed, Variant::from(path), "{text}");
    }
}

#[test]
fn swapped_pairs_are_found() {
    // Few pairs, and more than are searched one by one.
    for count in [5, 16, 17, 300] {
        let mut dict: Dictionary = (0..count).map(|n| (n, n * 2)).collect();
        assert_eq!(dict.swap_remove(&-1), None);
        assert!(dict.contains_key(&0));
        for n in (0..count).step_by(2) {
            assert_eq!(dict.swap_remove(&n), Some(variant!(n * 2)));
            assert_eq!(dict.get(&n), None);
        }
        for n in (1..count).step_by(2) {
            assert_eq!(dict.get(&n), Some(&variant!(n * 2)), "{n} of {count}");
        }
        assert_eq!(dict.len(), count as usize / 2);
    }
    // Repeated keys stay in order, so that the last pair is still the one that counts.
    for filler in [0, 40] {
        let mut pairs = vec![(variant!("x"), variant!(0))];
        pairs.extend((0..filler).map(|n| (variant!(n), Variant::Nil)));
        pairs.extend([(variant!("b"), variant!(1)), (variant!("b"), variant!(2))]);
        let mut dict = Dictionary::from_pairs(pairs);
        assert_eq!(dict.swap_remove("x"), Some(variant!(0)));
        assert_eq!(dict["b"], 2);
        assert_eq!(dict.swap_remove("b"), Some(variant!(2)));
        assert_eq!(dict.len(), filler as usize);
    }
}

#[test]
fn many_keys_are_removed_in_linear_time() {
    let full: Dictionary = (0..80_000).map(|n| (n, n)).collect();
    let time = std::time::Instant::now();
    let mut dict = full.clone();
    dict.retain(|key, _| key.as_i64().is_some_and(|n| n % 2 == 0));
    assert_eq!(
        (dict.len(), dict.get(&40), dict.get(&41)),
        (40_000, Some(&variant!(40)), None)
    );
    let mut dict = full.clone();
    for n in 0..80_000 {
        assert_eq!(dict.swap_remove(&n), Some(variant!(n)));
    }
    let mut dict = full;
    for n in (0..80_000).rev() {
        assert_eq!(dict.remove(&n), Some(variant!(n)));
    }
    assert!(time.elapsed().as_secs() < 20, "{:?}", time.elapsed());
}
