//! Replaces the values in resources that engines made.

use std::{fs, path::PathBuf};

use gdvar_resource::{Dialect, ErrorKind, Limits, Resource};
use gdvar_text::{Godot, ParseOptions, parse_godot};
use gdvar_view::{Document, Objects, ReadOptions};

fn files(engine: &str) -> Vec<(String, Vec<u8>)> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../testdata/resources").join(engine);
    let paths = fs::read_dir(folder).expect("a folder");
    let paths = paths.map(|entry| entry.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end != "jsonl"));
    let named = paths.map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read(&path).expect("a file"))
    });
    named.collect()
}

fn open(file: &[u8]) -> Resource<'_> {
    Resource::open(file, Limits::FILE).expect("a resource")
}

fn encode(file: &[u8]) -> Vec<u8> {
    open(file).encode(Limits::FILE).expect("a value")
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    let mut windows = bytes.windows(part.len());
    windows.position(|window| window == part).expect("the part")
}

#[test]
fn without_a_change_every_byte_stays() {
    let mut count = 0;
    for engine in ["godot4", "godot3", "godot3.2"] {
        for (name, file) in files(engine) {
            let resource = open(&file);
            let written = resource.rewrite(&encode(&file), Limits::FILE);
            let written = written.expect("the same resource");
            match resource.mode() {
                None => assert!(written == file, "{engine}/{name}"),
                Some(_) => assert!(
                    open(&written).contents() == resource.contents(),
                    "{engine}/{name}"
                ),
            }
            count += 1;
        }
    }
    assert!(count >= 165, "{count}");
}

#[test]
fn an_int_is_changed_in_place() {
    for engine in ["godot4", "godot3", "godot3.2"] {
        let (_, file) = files(engine)
            .into_iter()
            .find(|(name, _)| name == "tiny.res")
            .expect("tiny.res");
        let mut value = encode(&file);
        // The int 7 in the value, and in the file.
        let at = find(&value, &[2, 0, 0, 0, 7, 0, 0, 0]);
        value[at + 4] = 99;
        let written = open(&file).rewrite(&value, Limits::FILE).expect("written");
        let mut expected = file.clone();
        let at = find(&file, &[3, 0, 0, 0, 7, 0, 0, 0]);
        expected[at + 4] = 99;
        assert_eq!(written, expected, "{engine}");
        assert_eq!(encode(&written), value, "{engine}");
    }
}

#[test]
fn a_longer_text_moves_what_follows() {
    for engine in ["godot4", "godot3"] {
        let (_, file) = files(engine)
            .into_iter()
            .find(|(name, _)| name == "tiny.res")
            .expect("tiny.res");
        let value = encode(&file);
        let at = find(&value, b"\x04\0\0\0\x02\0\0\0hi\0\0");
        let mut longer = value.clone();
        longer.splice(at + 4..at + 12, *b"\x08\0\0\0a longer");
        let written = open(&file).rewrite(&longer, Limits::FILE).expect("written");
        assert_eq!(encode(&written), longer, "{engine}");
        assert_eq!(written.len(), file.len() + 6);
        let back = open(&written).rewrite(&value, Limits::FILE);
        assert_eq!(back.expect("written"), file);
    }
}

/// The value of a file as text on one line.
fn text(file: &[u8]) -> String {
    let value = encode(file);
    let options = ReadOptions::new(open(file).dialect()).with_objects(Objects::Inert);
    let root = Document::with_options(&value, options).root();
    { Godot::new(root.expect("a value")).to_string() }.replace('\n', "")
}

fn bytes(text: &str, dialect: Dialect) -> Vec<u8> {
    let options = ParseOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_whole(true);
    let value = parse_godot(text, &options).expect("a value");
    value.bytes.clone()
}

/// Writes the file with another text of its value.
fn rewrite(file: &[u8], text: &str) -> Result<Vec<u8>, ErrorKind> {
    let resource = open(file);
    let value = bytes(text, resource.dialect());
    let written = resource.rewrite(&value, Limits::FILE);
    written.map_err(|error| error.kind())
}

fn replaced(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = text(file);
    assert!(text.contains(from), "{from} in {text}");
    rewrite(file, &text.replacen(from, to, 1)).expect("written")
}

fn sample(engine: &str, name: &str) -> Vec<u8> {
    let found = files(engine).into_iter().find(|(file, _)| file == name);
    found.expect("a file").1
}

/// What the tables of a file say: names, resources in the file and in others.
fn tables(file: &[u8]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let resource = open(file);
    let names = resource.names().map(str::to_owned).collect();
    let internals = resource.internals().map(|one| one.id.to_owned()).collect();
    let externals = resource
        .externals()
        .map(|one| one.path.to_owned())
        .collect();
    (names, internals, externals)
}

#[test]
fn properties_come_and_go() {
    for engine in ["godot4", "godot3", "godot3.2"] {
        let tiny = sample(engine, "tiny.res");
        let more = replaced(
            &tiny,
            "\"resource_name\":\"hi\"",
            "\"resource_name\":\"hi\",\"new one\":NodePath(\"A/b:c\")",
        );
        assert!(
            text(&more).contains("\"new one\":NodePath(\"A/b:c\")"),
            "{}",
            text(&more)
        );
        // The header and the names that were there are the same bytes.
        assert_eq!(more[..0x18], tiny[..0x18]);
        let (names, ids, _) = tables(&more);
        let (before, ids_before, _) = tables(&tiny);
        assert_eq!(names[..before.len()], before);
        assert_eq!(names[before.len()..], ["new one", "A", "b", "c"]);
        assert_eq!(ids, ids_before);
        let less = replaced(&more, ",\"new one\":NodePath(\"A/b:c\")", "");
        assert_eq!(encode(&less), encode(&tiny));
    }
}

#[test]
fn resources_and_references_come_and_go() {
    for (engine, id) in [("godot4", "Resource_1"), ("godot3", "7")] {
        let tiny = sample(engine, "tiny.res");
        let name = "\"resource_name\":\"hi\"";
        let with_one = format!("{name},\"held\":Object(Resource,\"SubResource\":\"{id}\",\"a\":1)");
        let one = replaced(&tiny, name, &with_one);
        let ids = tables(&one).1;
        assert_eq!((ids.len(), &*ids[0]), (2, id), "{engine}");
        assert!(text(&one).contains(&with_one), "{}", text(&one));
        // A second mention, and a resource without an id inside the first one.
        let again = format!(",\"again\":Object(SubResource,\"id\":\"{id}\")");
        let two = replaced(&one, &with_one, &format!("{with_one}{again}"));
        let two = replaced(&two, "\"a\":1)", "\"a\":Object(Resource,\"b\":2))");
        let ids = tables(&two).1;
        assert_eq!((ids.len(), &*ids[1]), (3, id), "{ids:?}");
        // The place that contained the resource is removed; now the other place contains it.
        let left = text(&two).replacen(
            &text(&two)[find(text(&two).as_bytes(), b"\"held\":")
                ..find(text(&two).as_bytes(), b"\"again\"")],
            "",
            1,
        );
        let moved = rewrite(&two, &left).expect("written");
        assert_eq!(tables(&moved).1, ids);
        assert!(
            text(&moved).contains(&format!(
                "\"again\":Object(Resource,\"SubResource\":\"{id}\""
            )),
            "{}",
            text(&moved)
        );
        // When the last reference to it is removed, the resource is removed too.
        let at = find(text(&moved).as_bytes(), b",\"again\"");
        let end = find(text(&moved).as_bytes(), b"\"b\":2))") + b"\"b\":2))".len();
        let gone = text(&moved).replacen(&text(&moved)[at..end], "", 1);
        let gone = rewrite(&moved, &gone).expect("written");
        assert_eq!(encode(&gone), encode(&tiny));
        // A resource in another file.
        let external =
            "\"other\":Object(ExtResource,\"type\":\"Texture2D\",\"path\":\"res://a.png\")";
        let other = replaced(
            &tiny,
            name,
            &format!("{name},{external},{}", external.replace("other", "same")),
        );
        assert_eq!(tables(&other).2, ["res://a.png"]);
        assert!(text(&other).contains(external));
        let without = text(&other)
            .replace(&format!(",{external}"), "")
            .replace(&format!(",{}", external.replace("other", "same")), "");
        assert_eq!(
            encode(&rewrite(&other, &without).expect("written")),
            encode(&tiny)
        );
    }
}

/// If a resource is removed, the others are numbered anew.
#[test]
fn references_to_the_rest_stay_right() {
    for engine in ["godot4", "godot3"] {
        for name in ["refs.res", "refs_be_z.res"] {
            let file = sample(engine, name);
            let all = text(&file);
            // The innermost resource, which is the first in the file, becomes null at both places.
            let start = all
                .find("Object(Resource,\"SubResource\"")
                .expect("the outer one")
                + 10;
            let start = start
                + all[start..]
                    .find("Object(Resource,\"SubResource\"")
                    .expect("the inner one");
            let end = start + all[start..].find(")").expect("an end");
            let inner = &all[start..=end];
            assert!(inner.contains("deep"), "{inner}");
            let id = inner.split('"').nth(3).expect("an id");
            let less = all.replacen(inner, "7", 1);
            let less = less.replace(&format!("Object(SubResource,\"id\":\"{id}\")"), "8");
            let written = rewrite(&file, &less).expect("written");
            assert_eq!(text(&written), less);
            let ids: Vec<String> = tables(&file)
                .1
                .into_iter()
                .filter(|one| one != id)
                .collect();
            assert_eq!(tables(&written).1, ids);
            assert_eq!(open(&written).mode(), open(&file).mode());
            assert_eq!(open(&written).header(), open(&file).header());
        }
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let tiny = sample("godot4", "tiny.res");
    let kind = |file: &[u8], to: &str| {
        let text = text(file).replacen("\"hi\"", to, 1);
        rewrite(file, &text).unwrap_err()
    };
    assert_eq!(
        open(&tiny).rewrite(b"", Limits::FILE).unwrap_err().kind(),
        ErrorKind::OtherShape
    );
    assert_eq!(rewrite(&tiny, "7"), Err(ErrorKind::OtherShape));
    assert_eq!(
        rewrite(&tiny, "Object(Gradient,\"a\":1)"),
        Err(ErrorKind::OtherShape)
    );
    assert_eq!(
        kind(&tiny, "Object(ExtResource,\"type\":\"A\")"),
        ErrorKind::OtherShape
    );
    assert_eq!(
        kind(&tiny, "Object(SubResource,\"id\":\"a\")"),
        ErrorKind::NoSuchId
    );
    let same = "Object(Resource,\"SubResource\":\"a\")";
    assert_eq!(kind(&tiny, &format!("[{same},{same}]")), ErrorKind::SameId);
    assert_eq!(kind(&tiny, "Array[int]([1])"), ErrorKind::NotInEngine);
    let tiny3 = sample("godot3", "tiny.res");
    assert_eq!(kind(&tiny3, same), ErrorKind::BadId);
    let uid = "Object(ExtResource,\"type\":\"A\",\"path\":\"res://a\",\"uid\":\"uid://a\")";
    assert_eq!(kind(&tiny3, uid), ErrorKind::NotInEngine);
}

/// Each resource made again from its value alone: it holds the same, and has the same external resources.
#[test]
fn a_resource_is_made_from_its_value() {
    let mut count = 0;
    for engine in ["godot4", "godot3", "godot3.2"] {
        for (name, file) in files(engine) {
            let resource = open(&file);
            let value = encode(&file);
            let header = resource.header();
            let (uid, class) = (Some(header.uid), header.script_class.as_deref());
            let uid = uid.filter(|uid| *uid >= 0);
            let made = Resource::create(&value, resource.dialect(), uid, class, Limits::FILE);
            let made = made.unwrap_or_else(|error| panic!("{engine}/{name}: {error}"));
            assert_eq!(made.typed, None);
            assert!(encode(&made.file) == value, "{engine}/{name}");
            let new = open(&made.file);
            assert_eq!(
                (new.header().uid, &new.header().script_class),
                (header.uid, &header.script_class)
            );
            count += 1;
        }
    }
    assert!(count >= 165, "{count}");
}
