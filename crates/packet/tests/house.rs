//! The order of the modules: each uses only itself and the ones before it in [`ORDER`], and imports
//! from the module that has an item, never through `lib.rs`. So there are no circles between
//! modules.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The modules of `src/`, from the bottom up.
const ORDER: [&str; 23] = [
    "method_digest",
    "compression",
    "error",
    "name",
    "byte_reader",
    "tls",
    "encode",
    "value",
    "arg",
    "node_ref",
    "enet",
    "websocket",
    "debugger",
    "godot4",
    "godot3",
    "traffic",
    "multiplayer",
    "filter",
    "replication",
    "names",
    "rewrite",
    "session",
    "capture",
];

/// All files below a folder.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

fn word(text: &str) -> String {
    let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    text.chars().take_while(is_part).collect()
}

/// The first words of the paths that begin with `crate::`, alone or in braces.
fn imports(source: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = source.lines().filter(is_code).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        let rest = &code[at + start.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let (mut depth, mut item) = (1, String::new());
        for c in list.chars() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 || depth == 1 && c == ',' {
                found.push(word(item.trim()));
                item.clear();
            } else {
                item.push(c);
            }
            if depth == 0 {
                break;
            }
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

#[test]
fn modules_use_only_the_ones_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let place = |module: &str| ORDER.iter().position(|name| *name == module);
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    files(&src, &mut all);
    for path in all {
        let name = path.strip_prefix(&src).expect("below it");
        let name = name.to_string_lossy().replace('\\', "/");
        if name == "lib.rs" {
            continue;
        }
        let own = place(&word(&name)).unwrap_or_else(|| panic!("{name} is not in the order"));
        for module in imports(&fs::read_to_string(&path).expect("text")) {
            match place(&module) {
                Some(other) if other <= own => {}
                Some(_) => wrong.push(format!("{name} uses {module}, which comes after it")),
                None => wrong.push(format!("{name} imports {module} through lib.rs")),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn imports_are_found_in_braces() {
    let source = "use crate::{\n    a::{B, C},\n    d,\n};\n// crate::no\nfn f(g: crate::G) {}";
    assert_eq!(imports(source), ["a", "d", "G"]);
}
