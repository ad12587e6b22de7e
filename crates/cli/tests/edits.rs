//! Commands that change and compare files.

mod common;

use std::fs;

use common::{SLOT, file, gdvar, save, stderr, stdout};

#[test]
fn one_scalar_changes_and_no_other_byte() {
    for name in ["rpg3.sav", "rpg4.sav"] {
        let old = fs::read(save(name)).expect("a save");
        let (_folder, path) = file(&old);
        let text = path.to_str().expect("a path");
        let before = stdout(&["get", text, "party[0].hp"], b"", 0);
        stdout(
            &["set", text, "party[0].hp=431", "--in-place", "--backup"],
            b"",
            0,
        );
        let new = fs::read(&path).expect("the save");
        assert_eq!(stdout(&["get", text, "party[0].hp"], b"", 0), "431\n");
        let places: Vec<_> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
        assert_eq!(old.len(), new.len());
        let (first, last) = (places[0], places[places.len() - 1]);
        assert!(last - first < 4, "{name}: {places:?}, it was {before}");
        assert_eq!(
            fs::read(path.with_extension("sav.bak")).expect("the backup"),
            old
        );
    }
}

#[test]
fn a_file_stays_what_it_was() {
    // In a file with lines of hex, all other lines stay as they are, and so do comments and blanks.
    let hex: String = SLOT[4..].iter().map(|byte| format!("{byte:02x}")).collect();
    let lines = format!("# two packets\n  {hex}\r\n{hex}\n");
    let (_folder, path) = file(lines.as_bytes());
    let text = path.to_str().expect("a path");
    stdout(
        &["set", text, "hp=81", "--in-place", "--record", "1"],
        b"",
        0,
    );
    let changed = hex.replace("0200000050000000", "0200000051000000");
    let expected = format!("# two packets\n  {hex}\r\n{changed}\n");
    assert_eq!(fs::read_to_string(&path).expect("the file"), expected);

    // A compressed and an encrypted save are opened by the same password, and their contents differ in one
    // value.
    let password = ["--password", "correct horse battery staple 42"];
    for (name, secret) in [
        ("camp4.zstd.gcpf", &[][..]),
        ("camp3.fastlz.gcpf", &[]),
        ("camp4.pass.gdec", &password),
        ("camp3.pass.gdec", &password),
    ] {
        let old = fs::read(save(name)).expect("a save");
        let (folder, path) = file(&old);
        let text = path.to_str().expect("a path");
        let with = |args: &[&str]| stdout(&[secret, args].concat(), b"", 0);
        with(&["set", text, "day=38", "--in-place"]);
        assert_eq!(with(&["get", text, "day"]), "38\n");
        assert_eq!(fs::read(&path).expect("the file")[..4], old[..4], "{name}");
        let from = save(name);
        let from = from.to_str().expect("a path");
        let differences = stdout(&[secret, &["diff", from, text]].concat(), b"", 1);
        assert_eq!(differences, "record 0: ~ $.day  37 -> 38\n", "{name}");
        drop(folder);
    }
}

#[test]
fn a_length_in_front_of_a_record_is_mended_in_its_order() {
    let mut big = SLOT.to_vec();
    big[..4].reverse();
    for (bytes, framing) in [(SLOT.to_vec(), "len32"), (big, "len32be")] {
        let two = [&bytes[..], &bytes].concat();
        let (_folder, path) = file(&two);
        let text = path.to_str().expect("a path");
        stdout(&["-f", framing, "del", text, "pos", "--in-place"], b"", 0);
        let new = fs::read(&path).expect("the file");
        assert!(new.ends_with(&bytes));
        let counted = stdout(&["-f", framing, "--json", "check", text], b"", 0);
        assert_eq!(counted.lines().count(), 2, "{counted}");
    }
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    let (_folder, path) = file(SLOT);
    let text = path.to_str().expect("a path");
    for (args, message) in [
        (
            ["rename-key", text, "hp=pos"],
            "there is such a key or property already: \"pos\"",
        ),
        (["set", text, "hp.x.y=1"], "$.hp exists and is 80"),
        (
            ["set", text, "nope.x=1"],
            "error: not found: $.nope.x\n$ exists",
        ),
        (["set", text, "h.x=1"], "did you mean hp?"),
        (["append", text, "hp=1"], "takes no new children"),
        (["append", text, "$=1"], "set a new key instead"),
        (["del", text, "mp"], "not found: $.mp"),
        (["set", text, "hp=full"], "quotes"),
        (
            ["insert", text, "hp=1"],
            "there is such a key or property already",
        ),
    ] {
        let told = stderr(&[&args[..], &["--in-place"]].concat(), b"", 1);
        assert!(told.contains(message), "{told}");
        assert!(!told.contains("added"), "{told}");
        assert_eq!(fs::read(&path).expect("the file"), SLOT);
    }
}

#[test]
fn no_difference_is_zero_and_the_tolerance_is_kept() {
    let (folder, path) = file(SLOT);
    let other = folder.path().join("other.sav");
    let (text, other) = (
        path.to_str().expect("a path"),
        other.to_str().expect("a path"),
    );
    stdout(&["set", text, "pos.x=10.25", "-o", other], b"", 0);
    assert_eq!(stdout(&["diff", text, text], b"", 0), "");
    assert_eq!(
        stdout(&["diff", "--tolerance", "0.5", text, other], b"", 0),
        ""
    );
    let line = stdout(&["diff", "--json", text, other], b"", 1);
    let expected = r#"{"schema":1,"record":0,"change":"set","path":"$.pos","from":[10.0,20.0],"to":[10.25,20.0]}"#;
    assert_eq!(line.trim(), expected);
}

/// A mistyped key becomes a new key, and a message says so.
#[test]
fn a_new_key_is_told() {
    let (_folder, path) = file(SLOT);
    let text = path.to_str().expect("a path");
    let told = stderr(&["set", text, "hpp=1", "-n"], b"", 0);
    assert!(
        told.contains("hpp: added, it was not there; did you mean hp?"),
        "{told}"
    );
    let told = stderr(&["set", text, "hp=1", "-n"], b"", 0);
    assert!(!told.contains("added"), "{told}");
}

/// A key of any type that a path can name is added, found again, and not added twice.
#[test]
fn keys_of_every_type_are_added() {
    let text = "{\"chunks\": {Vector2i(0, 0): 1}, \"typed\": Dictionary[Vector2i, int]({})}";
    let bytes = gdvar(&["from-text", "-"], text.as_bytes()).stdout;
    for key in [
        "&\"x\"",
        "String(\"x\")",
        "1.5",
        "true",
        "null",
        "Vector2i(50,50)",
        "Vector2(0.1, 2)",
        "Rect2(1, 2, 3, 4)",
        "Color(1, 0, 0, 1)",
    ] {
        for at in ["chunks", "typed"] {
            for verb in ["set", "insert"] {
                let (_folder, path) = file(&bytes);
                let name = path.to_str().expect("UTF-8");
                let change = format!("{at}[{key}]=5");
                let fits = at == "chunks" || key.starts_with("Vector2i");
                let told = stderr(&[verb, name, &change, "-i"], b"", u8::from(!fits).into());
                if !fits {
                    assert!(told.contains("the dictionary is typed"), "{change}: {told}");
                    continue;
                }
                let told_new = told.contains("added, it was not there");
                assert_eq!(told_new, verb == "set", "{change}: {told}");
                let place = format!("{at}[{key}]");
                assert_eq!(stdout(&["get", name, &place], b"", 0), "5\n", "{change}");
                let told = stderr(&["insert", name, &change, "-i"], b"", 1);
                assert!(told.contains("such a key"), "{change}: {told}");
                stdout(&["del", name, &place, "-i"], b"", 0);
                assert_eq!(fs::read(&path).expect("the file"), bytes, "{change}");
            }
        }
    }
}

/// A pattern changes each place that it matches, and no other byte.
#[test]
fn a_pattern_changes_all_its_places() {
    let count = 5000;
    let made = |id: &str| {
        let all: Vec<String> = (0..count)
            .map(|_| format!("{{\"id\": {id}, \"n\": 1.0}}"))
            .collect();
        gdvar(
            &["from-text", "-"],
            format!("[{}]", all.join(", ")).as_bytes(),
        )
        .stdout
    };
    let (_folder, path) = file(&made("7"));
    let name = path.to_str().expect("UTF-8");
    for (verb, change, id) in [
        ("set", "[*].id=5.0", "5"),
        ("set", "[*].id+=3", "8"),
        ("set", "[*].n=1", "8"),
    ] {
        stderr(&[verb, name, change, "-i"], b"", 0);
        assert!(fs::read(&path).expect("the file") == made(id), "{change}");
    }
    stderr(&["rename-key", name, "[*].id=key", "-i"], b"", 0);
    assert_eq!(stdout(&["get", name, "[4999].key"], b"", 0), "8\n");
    stderr(&["del", name, "[*].n", "-i"], b"", 0);
    assert_eq!(stdout(&["get", name, "[4999]"], b"", 0), "{\"key\": 8}\n");
}

/// A save that was converted for another engine has the same values, whatever its keys are.
#[test]
fn keys_are_compared_by_value_across_engines() {
    for key in [
        "Color(1, 0, 0, 1)",
        "NodePath(\"a/b\")",
        "[1, 2]",
        "{\"b\": 2}",
        "Rect2(1, 2, 3, 4)",
        "PoolByteArray(1)",
    ] {
        let text = format!("{{\"a\": 1, {key}: 34}}");
        let old = gdvar(&["from-text", "-", "-d", "godot3"], text.as_bytes()).stdout;
        let (_folder, path) = file(&old);
        let (_other, new) = file(b"");
        let (from, to) = (path.to_str().expect("UTF-8"), new.to_str().expect("UTF-8"));
        stderr(
            &["convert", "--to", "godot4", "-d", "godot3", from, "-o", to],
            b"",
            0,
        );
        assert_eq!(stdout(&["diff", from, to], b"", 0), "", "{key}");
    }
}

/// A path as messages show it, with `…` for a part of a long key or of many levels, is not taken for a new key.
#[test]
fn a_path_that_was_shortened_adds_no_key() {
    let long = format!("{}_of_the_king", "k".repeat(80));
    let deep = format!("{}1{}", "{\"a\": ".repeat(70), "}".repeat(70));
    let text = format!("{{\"{long}\": 1, \"menu…\": 2, \"deep\": {deep}}}");
    let bytes = gdvar(&["from-text", "-"], text.as_bytes()).stdout;
    let (_folder, path) = file(&bytes);
    let name = path.to_str().expect("a path");
    let deepest = format!("deep{}…=1", ".a".repeat(63));
    let start = format!("{}…=1", &long[..60]);
    for change in [&start[..], "…_of_the_king=1", "k…king=1", &deepest] {
        let told = stderr(&["set", name, change, "-i"], b"", 1);
        assert!(told.contains("write the whole key"), "{told}");
        assert!(change == deepest || told.contains(&long), "{told}");
        assert!(fs::read(&path).expect("the file") == bytes, "{change}");
    }
    // A key that has the character, and one that is like no other.
    for change in ["menu…=3", "more…=4"] {
        let told = stderr(&["set", name, change, "-i"], b"", 0);
        assert_eq!(
            told.contains("added, it was not there"),
            change == "more…=4",
            "{told}"
        );
        let (key, value) = change.split_once('=').expect("a value");
        let now = stdout(&["get", name, key], b"", 0);
        assert_eq!(now.trim(), value);
    }
}

/// Every part of a value that `view` and `get` show can be set, and the new value is written in the form that
/// they show.
#[test]
fn parts_are_set_as_they_are_shown() {
    let text = "{\"at\": Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7), \"box\": AABB(1, 2, 3, 4, 5, 6), \
        \"up\": Plane(0, 1, 0, 2), \"spots\": PackedVector2Array(1, 2, 3, 4), \"to\": NodePath(\"A\"), \
        \"names\": PackedStringArray(\"a\", \"b\"), \"party\": [{\"hp\": 1}, {\"hp\": 2}]}";
    let bytes = gdvar(&["from-text", "-"], text.as_bytes()).stdout;
    let (_folder, path) = file(&bytes);
    let name = path.to_str().expect("UTF-8");
    for (part, value, shown) in [
        ("at.origin.x", "1.5", "1.5"),
        ("at.origin", "Vector3(7, 8, 9)", "Vector3(7, 8, 9)"),
        ("at.basis.x", "Vector3(0, 1, 0)", "Vector3(0, 1, 0)"),
        ("at.basis.z.y", "-2", "-2"),
        ("box.end", "Vector3(11, 12, 13)", "Vector3(11, 12, 13)"),
        ("box.size.y", "3.25", "3.25"),
        ("up.normal", "Vector3(1, 0, 0)", "Vector3(1, 0, 0)"),
        ("up.d", "9", "9"),
        ("spots[1].y", "8", "8"),
        ("spots[-2]", "Vector2(5, 6)", "Vector2(5, 6)"),
        ("names[1]", "\"longer\"", "longer"),
        ("to", "^\"A/B:c\"", "NodePath(\"A/B:c\")"),
    ] {
        stdout(&["set", name, &format!("{part}={value}"), "-i"], b"", 0);
        assert_eq!(
            stdout(&["get", name, part], b"", 0),
            format!("{shown}\n"),
            "{part}"
        );
    }
    // One pattern for many places, several parts of one value, in one write.
    stdout(
        &[
            "set",
            name,
            "party[*].hp=9",
            "at.origin.y=1",
            "at.origin.z=2",
            "-i",
        ],
        b"",
        0,
    );
    assert_eq!(stdout(&["get", name, "party[1].hp"], b"", 0), "9\n");
    assert_eq!(
        stdout(&["get", name, "at.origin"], b"", 0),
        "Vector3(7, 1, 2)\n"
    );
    stdout(&["del", name, "party[*].hp", "-i"], b"", 0);
    assert_eq!(stdout(&["get", name, "party"], b"", 0), "[{}, {}]\n");
    let before = fs::read(&path).expect("it");
    for (args, message) in [
        (["set", name, "at.origin=5"], "this part is a Vector3"),
        (
            ["set", name, "spots[2]=Vector2(1, 2)"],
            "elements [0] to [1]",
        ),
        (["set", name, "up.x=1e39"], "does not fit"),
        (
            ["del", name, "at.origin"],
            "parts of a Transform3D can be set, but not removed",
        ),
        (["set", name, "party[*].mp=1"], "there is no such value"),
    ] {
        let told = stderr(&[&args[..], &["-i"]].concat(), b"", 1);
        assert!(told.contains(message), "{args:?}: {told}");
        assert!(fs::read(&path).expect("it") == before);
    }
}

/// Common mistakes get a message that says what to write instead.
#[test]
fn what_was_meant_is_said() {
    let (_folder, path) = file(SLOT);
    let name = path.to_str().expect("UTF-8");
    let three = gdvar(&["-d", "godot3", "from-text", "-"], b"{\"a\": 1}").stdout;
    let (_other_folder, other) = file(&three);
    let other = other.to_str().expect("UTF-8");
    for (args, message) in [
        (
            ["set", name, "hp=Ann Lee"],
            "write text in quotes: '\"Ann Lee\"'",
        ),
        (["set", name, "hp=9mm"], "write text in quotes: '\"9mm\"'"),
        (["del", name, "hp"], ""),
        (
            ["set", other, "a=Quaternion(0, 0, 0, 1)"],
            "Godot 3 calls it Quat",
        ),
        (
            ["set", other, "a=Vector2i(1, 2)"],
            "Godot 3 has no Vector2i",
        ),
        (["set", name, "hp"], "no `=` between path and value"),
        (["set", name, "h p=1"], "this is not a path from byte 1"),
    ] {
        let code = i32::from(!message.is_empty());
        let dialect = if args[1] == other { "godot3" } else { "godot4" };
        let told = stderr(
            &[&["-d", dialect], &args[..], &["-o", "/dev/null"]].concat(),
            b"",
            code,
        );
        assert!(told.contains(message), "{args:?}: {told}");
    }
    let told = stderr(&["del", name, "hp", "hp", "-n"], b"", 1);
    assert!(
        told.contains("$.hp: edit 1 changes the same value"),
        "{told}"
    );
    // A name in single quotes, and an `=` in a name.
    for key in ["flags['q\"x']", "[\"a=b\"]", "['a=b']"] {
        let told = stderr(
            &["set", name, &format!("{key}=1"), "-n"],
            b"",
            i32::from(key.starts_with('f')),
        );
        assert!(!told.contains("has no `=`"), "{told}");
    }
}

#[test]
fn another_record_that_has_the_place_is_named() {
    let five = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0";
    let (_folder, path) = file(&[&five[..], SLOT, five].concat());
    let name = path.to_str().expect("UTF-8");
    let told = stderr(&["set", name, "pos.x=1", "-i"], b"", 1);
    assert!(told.contains("record 1 has it: add --record 1"), "{told}");
    let (_folder, path) = file(&[b"\x08\0\0\0\x1b\0\0\0\0\0\0\0", SLOT].concat());
    let name = path.to_str().expect("UTF-8");
    let told = stderr(&["set", name, "hp=1", "-n"], b"", 0);
    assert!(
        told.contains("added, it was not there; record 1 has it: --record 1"),
        "{told}"
    );
    // gron prints the records that have the key. That others do not have it is not an error.
    assert_eq!(
        stdout(&["gron", name, "hp"], b"", 0),
        "# record 1\nhp = 80;\n"
    );
    stderr(&["gron", name, "mp"], b"", 1);
    let told = stderr(&["gron", name, "-o", "lines"], b"", 2);
    assert!(told.contains("gdvar gron FILE > lines"), "{told}");
}

/// A patch that was applied, or is for another file, changes nothing.
#[test]
fn a_patch_looks_at_what_it_changes() {
    let text = |text: &str| gdvar(&["from-text", "-"], text.as_bytes()).stdout;
    let old = text("{\"animals\": [\"cat\", \"dog\", \"dog\", \"dog\"], \"hp\": 80}\nnull\n[1, 2]");
    let new = text("{\"animals\": [\"cat\", \"dog\", \"dog\"], \"hp\": 65}\nnull\n[1, 2, 3]");
    let (folder, path) = file(&old);
    let other = folder.path().join("new.sav");
    fs::write(&other, &new).expect("space");
    let (slot, other) = (
        path.to_str().expect("UTF-8"),
        other.to_str().expect("UTF-8"),
    );
    let patch = stdout(&["diff", "--format", "patch", slot, other], b"", 1);
    let patch_file = folder.path().join("changes.txt");
    fs::write(&patch_file, &patch).expect("space");
    let changes = patch_file.to_str().expect("UTF-8");
    let told = stderr(&["patch", slot, changes, "--check"], b"", 0);
    assert!(told.contains("can be applied"), "{told}");
    assert!(fs::read(&path).expect("it") == old);
    stdout(&["patch", slot, changes, "-i"], b"", 0);
    assert!(fs::read(&path).expect("it") == new, "{patch}");
    for more in [&["-i"][..], &["--check"]] {
        let told = stderr(&[&["patch", slot, changes], more].concat(), b"", 1);
        assert!(told.contains("was applied already"), "{told}");
        assert!(fs::read(&path).expect("it") == new);
    }
    stdout(&["patch", slot, changes, "--reverse", "-i"], b"", 0);
    assert!(fs::read(&path).expect("it") == old);
    let told = stderr(&["patch", slot, changes, "-R", "-i"], b"", 1);
    assert!(told.contains("taken back already"), "{told}");
    // Only one record of it.
    stdout(&["patch", slot, changes, "-r", "2", "-i"], b"", 0);
    assert_eq!(
        stdout(&["get", slot, "-r", "2", "$"], b"", 0),
        "[1, 2, 3]\n"
    );
    assert_eq!(stdout(&["get", slot, "hp", "-q"], b"", 0), "80\n");
    stdout(&["patch", slot, changes, "-r", "-1", "-R", "-i"], b"", 0);
    assert!(fs::read(&path).expect("it") == old);
    // Another value there, and another number of elements.
    for (change, message) in [
        (
            "hp=81",
            "another value is there than the one that the patch changes: 81",
        ),
        ("animals=[\"cat\"]", "the array has 1 elements, and had 4"),
    ] {
        stdout(&["set", slot, change, "-i"], b"", 0);
        let before = fs::read(&path).expect("it");
        let told = stderr(&["patch", slot, changes, "-i"], b"", 1);
        assert!(told.contains(message) && told.contains("--force"), "{told}");
        assert!(fs::read(&path).expect("it") == before);
        fs::write(&path, &old).expect("space");
    }
    stdout(&["set", slot, "hp=81", "-i"], b"", 0);
    stdout(&["patch", slot, changes, "--force", "-i"], b"", 0);
    assert!(fs::read(&path).expect("it") == new);
    // A patch without changes is not an error.
    for empty in ["", "\n", "# nothing\n", "gdvar-patch 2 godot4\n"] {
        fs::write(&patch_file, empty).expect("space");
        stdout(&["patch", slot, changes, "-i"], b"", 0);
        stdout(&["patch", slot, changes, "--check"], b"", 0);
        assert!(fs::read(&path).expect("it") == new);
    }
    let told = stderr(&["patch", slot, slot, "-i"], b"", 3);
    assert!(told.contains("line 1"), "{told}");
}

/// What was there does not decide how wide the reals of a vector are, unless it was a vector: an int or a float of 64
/// bits is in the files of every engine.
#[test]
fn a_vector_in_the_place_of_a_number_is_as_the_engine_writes_it() {
    let vectors = |engine| match engine {
        "godot4" => &[
            "Vector2(1.5, 2)",
            "Vector4(1, 2, 3, 4)",
            "Quaternion(0.1, 0.2, 0.3, 0.4)",
            "[Vector3(1, 2, 3)]",
            "PackedVector2Array(1, 2)",
            "PackedVector3Array()",
            "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)",
        ][..],
        _ => &[
            "Vector2(1.5, 2)",
            "[Vector3(1, 2, 3)]",
            "PoolVector2Array()",
            "Quat(1, 2, 3, 4)",
        ][..],
    };
    for engine in ["godot4", "godot3"] {
        let made = |text: &str| {
            let args = ["-q", "-d", engine, "from-text", "-", "--framing", "len32"];
            gdvar(&args, text.as_bytes()).stdout
        };
        for old in ["0.1", "9007199254740993", "-1", "1.5", "null", "\"x\""] {
            let (_folder, path) = file(&made(&format!("{{\"k\": {old}, \"z\": 1}}")));
            let path = path.to_str().expect("a path");
            for new in vectors(engine) {
                let set = gdvar(&["-q", "-d", engine, "set", path, &format!("k={new}")], b"");
                let expected = made(&format!("{{\"k\": {new}, \"z\": 1}}"));
                assert_eq!(set.stdout, expected, "{engine}: {old} -> {new}");
            }
        }
    }
}

/// Engines drop a byte order mark when they read, and write one that a text begins with.
#[test]
fn a_text_that_becomes_a_name_keeps_its_mark() {
    let made = |text: &str| gdvar(&["-q", "from-text", "-"], text.as_bytes()).stdout;
    let (_folder, path) = file(&made(
        "{&\"k\": &\"name\", \"names\": Array[StringName]([&\"a\"])}",
    ));
    let path = path.to_str().expect("a path");
    for (args, expected) in [
        (
            ["set", "k=\"\\ufeffx\""],
            "{&\"k\": &\"\\ufeffx\", \"names\": Array[StringName]([&\"a\"])}",
        ),
        (
            ["set", "names[0]=\"\\ufeffx\""],
            "{&\"k\": &\"name\", \"names\": Array[StringName]([&\"\\ufeffx\"])}",
        ),
        (
            ["rename-key", "k=\"\\ufeffx\""],
            "{&\"\\ufeffx\": &\"name\", \"names\": Array[StringName]([&\"a\"])}",
        ),
    ] {
        let done = gdvar(&["-q", args[0], path, args[1]], b"");
        assert_eq!(done.stdout, made(expected), "{args:?}");
    }
}

/// A path to a key is no place for a value: what renames it is said, with every verb.
#[test]
fn a_key_is_not_changed_in_its_place() {
    let made = gdvar(
        &["-q", "from-text", "-"],
        b"{\"hp\": 80, \"in\": [{[1, 2]: 3}]}",
    )
    .stdout;
    let (_folder, path) = file(&made);
    let name = path.to_str().expect("UTF-8");
    for (key, value) in [
        ("{0:key}", "${0}"),
        ("in[0]{0:key}", "$.in[0]{0}"),
        ("in[0]{0:key}[1]", "$.in[0]{0}"),
    ] {
        let change = format!("{key}=\"z\"");
        for words in [
            ["set", &change],
            ["insert", &change],
            ["rename-key", &change],
            ["del", key],
        ] {
            let told = stderr(&[words[0], name, words[1], "-n"], b"", 1);
            let is_named = told.contains("is the key of a pair, which is not changed in its place")
                && told.contains(&format!("gdvar rename-key FILE '{value}=KEY'"));
            assert!(
                is_named && !told.contains("leads nowhere"),
                "{words:?}: {told}"
            );
        }
    }
    stdout(&["rename-key", name, "{0}=z", "-i"], b"", 0);
    assert_eq!(stdout(&["get", name, "z"], b"", 0), "80\n");
}
