//! The names of methods in exported games. `testdata/packages/README.md` says how the engine made them.

use super::{common::stdout, folder};

/// The arena as Godot 4.6.3 exported it: scripts as text, as tokens and as compressed tokens.
const EXPORTED: [&str; 3] = ["arena.text.zip", "arena.tokens.zip", "arena.zstd.pck"];

fn package(name: &str) -> String {
    let path = folder().join("../packages").join(name);
    path.to_str().expect("a path").to_owned()
}

fn arena(project: &str, form: &[&str], code: i32) -> String {
    let arena = folder().join("arena");
    let capture = arena.join("g4-enet-arena.hex");
    let capture = capture.to_str().expect("a path");
    let args = ["packets", capture, "--project", project];
    stdout(&[&args[..], form].concat(), b"", code)
}

/// Names, declarations, paths of nodes and replicated properties are those that the folder has.
#[test]
fn an_exported_game_has_the_names_of_its_folder() {
    let source = folder().join("arena");
    let source = source.to_str().expect("a path");
    for (form, code) in [
        (&["--json-lines"][..], 0),
        (&["--stats", "--json-lines"], 0),
        (&["--cheats", "--json-lines"], 1),
        (&["--late", "--json-lines"], 0),
        (&["--filter", "rpc.method == \"hit\""], 0),
    ] {
        let from_source = arena(source, form, code);
        let named = ["hit", "position", "die"]
            .iter()
            .any(|name| from_source.contains(name));
        assert!(named, "{form:?}");
        for name in EXPORTED {
            assert!(
                arena(&package(name), form, code) == from_source,
                "{name} {form:?}"
            );
        }
    }
}
