//! Resources that engines made: each value is the one that the engine says it is.
//!
//! `testdata/oracle/resources4.gd` and `resources3.gd` made the files and `values.jsonl`, and describe it.

use std::{collections::HashMap, fs, path::PathBuf};

use gdvar_resource::{Dialect, Limits, Resource};
use gdvar_text::Godot;
use gdvar_view::{Document, Limits as Depth, Objects, ReadOptions, VariantRef};

fn folder(name: &str) -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join("../../testdata/resources").join(name)
}

/// All resources of a folder with their names.
fn resources(name: &str) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder(name)).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| end != "jsonl"))
        .collect();
    files.sort();
    let named = files.into_iter().map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read(&path).expect("a file"))
    });
    named.collect()
}

fn open(file: &[u8]) -> Resource<'_> {
    Resource::open(file, Limits::unpacking(file.len())).expect("a resource")
}

fn encode(resource: &Resource<'_>) -> Vec<u8> {
    resource.encode(Limits::FILE).expect("a value")
}

fn root(value: &[u8], dialect: Dialect) -> VariantRef<'_> {
    let options = ReadOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_limits(Depth::ENGINE);
    let document = Document::with_options(value, options);
    assert_eq!(document.validate().expect("a whole value"), value.len());
    document.root().expect("a value")
}

/// The class of an object.
fn class(value: VariantRef<'_>) -> Option<String> {
    let class = value.as_object()?.class()?;
    Some(class.to_str().expect("UTF-8").to_owned())
}

/// The text of a value as `show` of the scripts writes it.
fn show(value: VariantRef<'_>) -> String {
    if let Some(class) = class(value) {
        if class == "ExtResource" {
            let path = property(value, "path").expect("a path");
            return format!("ExtResource {}", path.as_str().expect("a text"));
        }
        return "Object".to_owned();
    }
    if let Some(array) = value.as_array() {
        let all: Vec<_> = array.iter().map(|one| show(one.expect("whole"))).collect();
        return format!("[{}]", all.join(", "));
    }
    if let Some(dict) = value.as_dict() {
        let pairs = dict.iter().map(|pair| pair.expect("whole"));
        let pairs: Vec<_> = pairs
            .map(|(key, value)| format!("{}: {}", show(key), show(value)))
            .collect();
        return format!("{{{}}}", pairs.join(", "));
    }
    Godot::new(value).to_string()
}

fn property<'a>(object: VariantRef<'a>, name: &str) -> Option<VariantRef<'a>> {
    let properties = object.as_object()?.iter().map(|pair| pair.expect("whole"));
    let mut properties = properties.filter(|(key, _)| key.to_str() == Ok(name));
    properties.next().map(|(_, value)| value)
}

/// Calls `tell` with the path and the value of each property and of each object that has properties.
fn each(value: VariantRef<'_>, path: &str, tell: &mut impl FnMut(String, VariantRef<'_>)) {
    if let Some(name) = class(value) {
        if name == "ExtResource" || name == "SubResource" {
            return;
        }
        tell(format!("{path}/"), value);
        for pair in value.as_object().expect("an object").iter() {
            let (name, value) = pair.expect("whole");
            // The id of a resource inside the file, which is not a property.
            if name == *"SubResource" {
                continue;
            }
            let path = format!("{path}/{}", name.to_str().expect("UTF-8"));
            tell(path.clone(), value);
            each(value, &path, tell);
        }
    } else if let Some(array) = value.as_array() {
        for (number, value) in array.iter().enumerate() {
            each(value.expect("whole"), &format!("{path}/{number}"), tell);
        }
    } else if let Some(dict) = value.as_dict() {
        for (number, pair) in dict.iter().enumerate() {
            let (key, value) = pair.expect("whole");
            each(key, &format!("{path}/k{number}"), tell);
            each(value, &format!("{path}/{number}"), tell);
        }
    }
}

/// Compares all values with the engine's. Returns the number of files and of values.
fn compare(name: &str) -> (usize, usize) {
    let lines = fs::read_to_string(folder(name).join("values.jsonl")).expect("a file");
    let mut told: HashMap<(String, String), String> = HashMap::new();
    for line in lines.lines() {
        let (file, path, text): (String, String, String) =
            serde_json::from_str(line).expect("a line");
        told.insert((file, path), text);
    }
    let (mut files, mut values) = (0, 0);
    for (file, bytes) in resources(name) {
        let resource = open(&bytes);
        let encoded = encode(&resource);
        let is_told = told.keys().any(|(name, _)| *name == file);
        if !is_told {
            continue;
        }
        files += 1;
        let root = root(&encoded, resource.dialect());
        assert_eq!(class(root).as_deref(), Some(&*resource.header().class));
        each(root, "", &mut |path, value| {
            let key = (file.clone(), path);
            let text = told.remove(&key);
            let own = match key.1.ends_with('/') {
                true => class(value),
                false => Some(show(value)),
            };
            assert_eq!(own, text, "{key:?}");
            values += 1;
        });
        // Metadata has no default, and objects are no defaults, so all of them must be in the file.
        let is_metadata = |path: &str| {
            let mut from_end = path.rsplit('/');
            let last = from_end.next();
            last == Some("__meta__") || last == Some("") || from_end.next() == Some("metadata")
        };
        let missing = told
            .keys()
            .find(|(name, path)| *name == file && is_metadata(path));
        assert_eq!(missing, None);
    }
    (files, values)
}

#[test]
fn every_value_of_godot_4_is_the_engines() {
    let (files, values) = compare("godot4");
    assert!(files >= 85 && values >= 900, "{files} {values}");
}

#[test]
fn every_value_of_godot_3_is_the_engines() {
    let (files, values) = compare("godot3");
    assert!(files >= 80 && values >= 500, "{files} {values}");
}

/// Returns the value of a file as text, by its own means.
fn text(name: &str, file: &str) -> String {
    let bytes = fs::read(folder(name).join(file)).expect("a file");
    let resource = open(&bytes);
    let value = encode(&resource);
    let mut text = String::new();
    each(root(&value, resource.dialect()), "", &mut |path, value| {
        text += &format!("{path} = {}\n", show(value));
    });
    text
}

#[test]
fn byte_order_and_compression_change_nothing() {
    for engine in ["godot4", "godot3", "godot3.2"] {
        let plain = text(engine, "all.res");
        assert_eq!(plain, text(engine, "all_be.res"));
        assert_eq!(plain, text(engine, "all_z.res"));
    }
    for engine in ["godot4", "godot3"] {
        assert_eq!(text(engine, "refs.res"), text(engine, "refs_be_z.res"));
    }
}

#[test]
fn godot_3_2_is_read_like_3_6() {
    for (name, bytes) in resources("godot3.2") {
        let resource = open(&bytes);
        assert_eq!((resource.header().major, resource.header().minor), (3, 2));
        root(&encode(&resource), resource.dialect());
        assert!(!text("godot3.2", &name).is_empty());
    }
}

#[test]
fn tables_are_those_of_the_file() {
    let bytes = fs::read(folder("godot4").join("scripted.res")).expect("a file");
    let resource = open(&bytes);
    let header = resource.header();
    assert_eq!((header.major, header.minor, header.format), (4, 6, 6));
    assert_eq!(header.class, "Resource");
    let externals: Vec<_> = resource.externals().collect();
    assert_eq!(externals.len(), 1);
    assert_eq!(
        (externals[0].class, externals[0].path),
        ("Script", "res://item4.gd")
    );
    let internals: Vec<_> = resource.internals().collect();
    assert_eq!(internals.len(), 1);
    assert!(
        internals[0].id.starts_with("Resource_"),
        "{}",
        internals[0].id
    );
    assert!(resource.names().any(|name| name == "weight"));
    assert!(resource.properties(0).is_some() && resource.properties(1).is_none());
}

/// 400 resources, each inside the one before: deeper ones are properties of the main resource.
#[test]
fn a_long_chain_is_not_too_deep() {
    let bytes = fs::read(folder("godot4").join("chain.res")).expect("a file");
    let resource = open(&bytes);
    let value = encode(&resource);
    let mut objects = 0;
    let mut deepest = 0;
    each(root(&value, resource.dialect()), "", &mut |path, value| {
        objects += usize::from(path.ends_with('/') && value.as_object().is_some());
        deepest = deepest.max(path.matches("/metadata").count());
    });
    assert_eq!(objects, 401);
    assert!((100..=256).contains(&deepest), "{deepest}");
}

#[test]
fn bundled_resources_keep_their_paths() {
    let all = text("godot4", "bundled.res");
    assert!(all.contains("/metadata/a/metadata/q = "), "{all}");
    assert!(!all.contains("ExtResource"), "{all}");
}
