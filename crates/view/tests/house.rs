//! Checks the layers of `src/`: a file imports only from its own layer and the layers below, and files do not
//! import each other in a circle. `gdvar-write`, `gdvar-text` and `gdvar-edit` follow the second rule too.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

#[path = "house/matches.rs"]
mod matches;

/// The layers, the lowest first: modules, or files of a module. A file belongs to the longest name here that
/// its own path begins with.
const STOREYS: [&[&str]; 14] = [
    &["error", "options"],
    &["bytes"],
    &["value"],
    &["fast"],
    // What a walk reports, what it keeps, what it checks.
    &["walk/event", "walk/stack", "walk/checks"],
    // From value to value.
    &["walk/fast_loop", "walk/strings"],
    &["walk/small", "walk/steps", "walk/skip"],
    // Comparing keys needs a walk, and strict mode needs the keys.
    &["walk/keys"],
    &["walk/strict", "walk/validate"],
    // For callers: events, cursors, children, look-ups.
    &["walk"],
    &["path"],
    &["typed"],
    &["document"],
    &["detect", "fields", "index", "verdict"],
];

/// The crates without circles between files and without imports through `lib.rs`.
const WITHOUT_CIRCLES: [&str; 4] = ["view", "write", "text", "edit"];

fn storey(module: &str) -> Option<usize> {
    let is_in = |name: &str| {
        let rest = module.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let names = STOREYS
        .iter()
        .enumerate()
        .flat_map(|(n, names)| names.iter().map(move |name| (n, *name)));
    let own = names.filter(|(_, name)| is_in(name));
    own.max_by_key(|(_, name)| name.len()).map(|(n, _)| n)
}

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

/// The source of each module of this crate.
fn sources() -> BTreeMap<String, String> {
    let sources = sources_of("view");
    assert!(sources.len() > 30, "{}", sources.len());
    sources
}

/// The source of each module of a crate, without comments and tests: tests may import anything. The name of
/// `walk/keys/log.rs` is `walk/keys/log`.
fn sources_of(name: &str) -> BTreeMap<String, String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let src = crates.join(name).join("src");
    let mut all = Vec::new();
    files(&src, &mut all);
    let mut sources = BTreeMap::new();
    for path in all {
        let own = path.strip_prefix(&src).expect("below it");
        let name = own.to_string_lossy().replace('\\', "/");
        let is_test = name.ends_with("tests.rs") || name == "bytes/samples.rs";
        if name == "lib.rs" || is_test {
            continue;
        }
        let source = fs::read_to_string(&path).expect("text");
        let source = source.split("#[cfg(test)]").next().expect("a part");
        let code: Vec<_> = lines(source).map(|(_, line)| line).collect();
        let name = name.strip_suffix(".rs").expect("a source");
        sources.insert(name.to_owned(), code.join("\n"));
    }
    sources
}

/// The length of the name at the start of a text.
fn word(text: &str) -> usize {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.find(is_end).unwrap_or(text.len())
}

/// Collects the paths of a tree of imports such as `bytes::{head, text::check}`, each after `prefix`. Returns
/// the text after the tree.
fn paths<'a>(tree: &'a str, prefix: &[&'a str], out: &mut Vec<String>) -> &'a str {
    let mut path = prefix.to_vec();
    let mut rest = tree;
    loop {
        if let Some(mut list) = rest.strip_prefix('{') {
            loop {
                list = list.trim_start_matches([',', ' ', '\n']);
                let after = paths(list, &path, out);
                if after.len() == list.len() {
                    return list.strip_prefix('}').unwrap_or(list);
                }
                list = after;
            }
        }
        let (name, after) = rest.split_at(word(rest));
        if name.is_empty() {
            break;
        }
        path.push(name);
        rest = after;
        match after.strip_prefix("::") {
            Some(after) => rest = after,
            None => break,
        }
    }
    if rest.len() < tree.len() {
        out.push(path.join("/"));
    }
    match rest.strip_prefix(" as ") {
        Some(alias) => &alias[word(alias)..],
        None => rest,
    }
}

/// The modules that each module names: after `crate::`, `super::` or `self::`, or, if they are its own, after
/// `use`.
fn imports(sources: &BTreeMap<String, String>) -> BTreeMap<String, BTreeSet<String>> {
    let mut imports = BTreeMap::new();
    for (name, source) in sources {
        let own: Vec<_> = name.split('/').collect();
        let mut found = Vec::new();
        let bases = [
            ("crate::", &own[..0]),
            ("super::", &own[..own.len() - 1]),
            ("self::", &own[..]),
        ];
        for (keyword, base) in bases {
            for (at, _) in source.match_indices(keyword) {
                paths(&source[at + keyword.len()..], base, &mut found);
            }
        }
        for (at, _) in source.match_indices("use ") {
            let tree = &source[at + "use ".len()..];
            if sources.contains_key(&format!("{name}/{}", &tree[..word(tree)])) {
                paths(tree, &own, &mut found);
            }
        }
        // Of `walk/stack/OpenStack` the module is `walk/stack`.
        let module = |path: &String| {
            let mut path = path.as_str();
            while !sources.contains_key(path) {
                path = &path[..path.rfind('/')?];
            }
            Some(path.to_owned())
        };
        let mut modules: BTreeSet<_> = found.iter().filter_map(module).collect();
        modules.remove(name);
        imports.insert(name.clone(), modules);
    }
    imports
}

#[test]
fn trees_of_imports_are_understood() {
    let mut all = Vec::new();
    let tree = "a::{\n    b::{self, C},\n    d as e,\n    f,\n}, g;";
    assert_eq!(paths(tree, &["z"], &mut all), ", g;");
    assert_eq!(all, ["z/a/b/self", "z/a/b/C", "z/a/d", "z/a/f"]);
    assert!(storey("walk/event") < storey("walk/events"));
    assert_eq!(storey("walk/keys/log"), storey("walk/keys"));
}

#[test]
fn no_file_imports_from_a_higher_storey() {
    let mut wrong = Vec::new();
    for (name, modules) in imports(&sources()) {
        let own = storey(&name).unwrap_or_else(|| panic!("{name} is on no storey"));
        for module in modules {
            if storey(&module).is_some_and(|other| other > own) {
                wrong.push(format!("{name} imports {module}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Files that need each other are one idea: move the item that both need to the file that needs less, or to
/// a file of its own below both.
#[test]
fn files_do_not_import_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for name in WITHOUT_CIRCLES {
        let imports = imports(&sources_of(name));
        assert!(imports.len() > 10, "{name}: {}", imports.len());
        for start in imports.keys() {
            let (mut reached, mut left) = (BTreeSet::new(), vec![start]);
            while let Some(module) = left.pop() {
                left.extend(imports[module].iter().filter(|next| reached.insert(*next)));
            }
            if reached.contains(start) {
                wrong.push(format!("{name}: {start}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An import names the file that has the item. Through `lib.rs` every file would depend on all others.
#[test]
fn files_do_not_import_through_the_root() {
    let mut wrong = Vec::new();
    for name in WITHOUT_CIRCLES {
        let sources = sources_of(name);
        for (file, source) in &sources {
            let mut found = Vec::new();
            for (at, _) in source.match_indices("crate::") {
                let before = source[..at].chars().next_back();
                if !before.is_some_and(|c| c == '$' || c == '_' || c.is_alphanumeric()) {
                    paths(&source[at + "crate::".len()..], &[], &mut found);
                }
            }
            let is_module = |path: &String| {
                let first = path.split('/').next().unwrap_or_default();
                sources.contains_key(first)
            };
            found.retain(|path| !is_module(path));
            wrong.extend(found.iter().map(|path| format!("{name}: {file}: {path}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Only the fast loop calls shortcuts, so that they can be compiled out.
#[test]
fn shortcuts_are_called_from_one_file() {
    let is_shortcut = |module: &str| module == "fast" || module.starts_with("fast/");
    for (name, modules) in imports(&sources()) {
        if !is_shortcut(&name) && name != "walk/fast_loop" {
            assert!(modules.iter().all(|module| !is_shortcut(module)), "{name}");
        }
    }
}

/// A build without shortcuts differs in one constant, so every shortcut is off in it.
#[test]
fn one_file_knows_of_builds_without_shortcuts() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&src, &mut all);
    let knows = |path: &&PathBuf| {
        let source = fs::read_to_string(path).expect("text");
        lines(&source).any(|(_, line)| line.contains("gdvar_plain"))
    };
    let knowing: Vec<_> = all.iter().filter(knows).collect();
    assert_eq!(knowing, [&src.join("options.rs")]);
}

/// Lines of code, with their numbers.
fn lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.lines().enumerate();
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Only `ReadOptions::room` compares a depth with the limit. Other code puts the limit into an error message.
#[test]
fn depth_is_compared_in_one_place() {
    let mut asked = Vec::new();
    for (name, source) in sources() {
        for (number, line) in lines(&source) {
            if line.contains(".max_depth()") && name != "options" {
                asked.push((name.clone(), number, line.trim().to_owned()));
            }
        }
        if name == "options" {
            let compares = |line: &str| {
                let signs = ["checked_sub", "saturating_sub", "<=", ">=", " < ", " > "];
                line.contains("max_depth") && signs.iter().any(|sign| line.contains(sign))
            };
            let all: Vec<_> = lines(&source).filter(|(_, line)| compares(line)).collect();
            assert_eq!(all.len(), 1, "{all:?}");
        }
    }
    let message = "let limit = options.max_depth();";
    let others: Vec<_> = asked
        .iter()
        .filter(|(_, _, line)| line != message)
        .collect();
    assert!(others.is_empty() && asked.len() == 1, "{asked:#?}");
}

/// Dialects are data: code outside `gdvar-wire` asks a dialect for its traits, not for its name. The
/// reference decoder and the generators of `conformance` are exempt, because they are a second opinion.
#[test]
fn nothing_compares_dialects_by_name() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for entry in fs::read_dir(crates).expect("a folder") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().unwrap_or_default().to_owned();
        let src = folder.join("src");
        if name == "wire" || name == "conformance" || !src.is_dir() {
            continue;
        }
        let mut all = Vec::new();
        files(&src, &mut all);
        for path in all.iter().filter(|path| !path.ends_with("tests.rs")) {
            let source = fs::read_to_string(path).unwrap_or_default();
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            for (number, line) in lines(source) {
                if names_a_dialect(line) {
                    found.push(format!("{}:{}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "ask the dialect for a trait (crates/wire/src/dialect.rs), or give it a new one: {found:#?}"
    );
}

/// Returns `true` if a line compares a dialect with one, or has a pattern that names one.
fn names_a_dialect(line: &str) -> bool {
    line.match_indices("Dialect::").any(|(at, prefix)| {
        let name = &line[at + prefix.len()..];
        let after = name[word(name)..].trim_start();
        // Before it is its path: `gdvar_view::`.
        let before =
            line[..at].trim_end_matches(|c: char| c == ':' || c == '_' || c.is_alphanumeric());
        let before = before.trim_end();
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && (["==", "!="].iter().any(|sign| before.ends_with(sign))
                || ["=>", "|", "==", "!=", "if "]
                    .iter()
                    .any(|sign| after.starts_with(sign)))
    })
}

#[test]
fn a_named_dialect_is_noticed() {
    for line in [
        "if dialect == Dialect::GODOT_4 {",
        "if value.dialect() != gdvar_view::Dialect::GODOT_4 && deep {",
        "Dialect::GODOT_3 => numbers(contents),",
        "Dialect::GODOT_3 | Dialect::GODOT_2 => 4,",
        "Some(wire::Dialect::GODOT_3 | wire::Dialect::GODOT_2) => 4,",
    ] {
        assert!(names_a_dialect(line), "{line}");
    }
    assert!(!names_a_dialect(
        "let document = Document::new(&[], Dialect::GODOT_4);"
    ));
    assert!(!names_a_dialect("true => Dialect::GODOT_4,"));
}
