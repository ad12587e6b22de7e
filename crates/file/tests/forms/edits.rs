//! Nodes and connections that are added to scenes and deleted from them: the engine loads the scene with exactly that change.

use std::{collections::BTreeMap, fs};

use gdvar_file::{Hints, peel};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Dialect, Objects, VariantRef};

use crate::{
    held::{Opened, Told, told},
    is_same_line, run_engine,
};

/// What happens to the item `at` of a list: it is deleted, or another one is put before it.
#[derive(Clone, Copy)]
enum Edit<'n> {
    Delete,
    Insert(&'n [u8]),
}

fn list<'v>(root: VariantRef<'v>, name: &str) -> VariantRef<'v> {
    let found = root.as_dict().and_then(|dict| dict.get(name).ok()?);
    found.expect("a list")
}

/// Returns the contents of a scene with a changed list.
fn changed(opened: &Opened, name: &str, at: usize, edit: Edit<'_>) -> Vec<u8> {
    let list = list(opened.root(), name);
    let items: Vec<_> = { list.as_array().expect("an Array").iter() }
        .map(|item| item.expect("whole"))
        .collect();
    let start = items[at].offset();
    let (end, new, more) = match edit {
        Edit::Delete => (start + items[at].raw().expect("whole").len(), &[][..], -1),
        Edit::Insert(new) => (start, new, 1),
    };
    let old = &opened.contents;
    let mut contents = [&old[..start], new, &old[end..]].concat();
    let count_at = list.offset() + 4;
    let count = i32::try_from(items.len()).expect("few") + more;
    contents[count_at..count_at + 4].copy_from_slice(&count.to_le_bytes());
    contents
}

/// What the engine should say after an edit. Resources inside of values are told at their first mention, which may be another
/// one now, and ids of nodes are those that are left.
fn expected(told: &Told, name: &str, at: usize, edit: Edit<'_>) -> Told {
    let mut expected = Told::new();
    for (path, text) in told {
        let parts: Vec<&str> = path.split('/').collect();
        let is_deep = parts[0] == "nodes"
            && path
                .split('=')
                .nth(1)
                .is_some_and(|rest| rest.contains('/'));
        if is_deep || path == "ids" || path == "uid" {
            continue;
        }
        let number = parts.get(1).and_then(|number| number.parse::<usize>().ok());
        let Some(number) = number.filter(|_| parts[0] == name) else {
            expected.insert(path.clone(), text.clone());
            continue;
        };
        let number = match edit {
            Edit::Delete if number == at => continue,
            Edit::Delete if number > at => number - 1,
            Edit::Insert(_) if number >= at => number + 1,
            _ => number,
        };
        let mut parts = parts;
        let number = number.to_string();
        parts[1] = &number;
        expected.insert(parts.join("/"), text.clone());
    }
    expected
}

fn judge(engine: &str, script: &str, dialect: Dialect, node: &str, connection: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let first = folder.path().join("first");
    let Some(()) = run_engine(engine, script, &first, &[]) else {
        return;
    };
    let options = ParseOptions::new(dialect).with_objects(Objects::Inert);
    let node = parse_godot(node, &options).expect("a node").bytes;
    let connection = parse_godot(connection, &options)
        .expect("a connection")
        .bytes;
    let mut wanted: BTreeMap<String, Told> = BTreeMap::new();
    let (mut paths, mut refused) = (Vec::new(), 0);
    for name in ["forms_ext.tres", "forms_part.tscn"] {
        let path = folder.path().join(format!("{name}.form"));
        fs::copy(first.join(name), &path).expect("a file");
        paths.push(path);
    }
    for (name, told) in told(&first)
        .iter()
        .filter(|(name, _)| name.ends_with(".tscn"))
    {
        let file = fs::read(first.join(name)).expect("a file");
        let opened = Opened::new(&file);
        for list_name in ["nodes", "connections"] {
            let count = list(opened.root(), list_name)
                .as_array()
                .expect("an Array")
                .len();
            let new = if list_name == "nodes" {
                &node
            } else {
                &connection
            };
            let from = usize::from(list_name == "nodes");
            for at in from..count {
                for edit in [Edit::Delete, Edit::Insert(new)] {
                    let contents = changed(&opened, list_name, at, edit);
                    let peeled = peel(&file, &Hints::new()).expect("a scene");
                    let Ok(text) = peeled.wrap(contents, None) else {
                        refused += 1;
                        continue;
                    };
                    let number = paths.len();
                    let path = folder.path().join(format!("e{number}.tscn.form"));
                    fs::write(&path, &text).expect("space");
                    paths.push(path);
                    wanted.insert(
                        format!("e{number}.tscn"),
                        expected(told, list_name, at, edit),
                    );
                }
            }
        }
    }
    let out = folder.path().join("out");
    run_engine(engine, script, &out, &paths).expect("an engine");
    let loaded = told(&out);
    let mut differ = Vec::new();
    for (name, expected) in &wanted {
        let loaded = &loaded[name];
        let other = { expected.iter() }.find(|(path, text)| {
            !loaded
                .get(*path)
                .is_some_and(|is| is_same_line(path, text, is))
        });
        // The new item, and nothing else.
        let names = |told: &Told| told.keys().filter(|path| path.ends_with("/name")).count();
        let connections = |told: &Told| {
            told.keys()
                .filter(|path| path.starts_with("connections/"))
                .count()
        };
        let more = names(loaded) + connections(loaded) - names(expected) - connections(expected);
        if other.is_some() || more > 1 {
            differ.push(format!(
                "{name}: {other:?} is {:?}",
                other.and_then(|(path, _)| loaded.get(path))
            ));
        }
    }
    println!(
        "Godot {engine}: {} scenes with a node or connection more or less, {} differ; {refused} edits refused",
        wanted.len(),
        differ.len()
    );
    assert!(wanted.len() >= 200 && differ.is_empty(), "{differ:#?}");
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_4_loads_edited_scenes() {
    let node =
        r#"Object(Timer, "name": "Added", "parent": ".", "groups": ["added"], "wait_time": 2.5)"#;
    let connection = r#"{"signal": "renamed", "from": ".", "to": ".", "method": "queue_free"}"#;
    judge("4", "forms4.gd", Dialect::GODOT_4, node, connection);
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_3_6_loads_edited_scenes() {
    let node =
        r#"Object(Timer, "name": "Added", "parent": ".", "groups": ["added"], "wait_time": 2.5)"#;
    let connection = r#"{"signal": "renamed", "from": ".", "to": ".", "method": "queue_free"}"#;
    judge("3.6", "forms3.gd", Dialect::GODOT_3, node, connection);
}
