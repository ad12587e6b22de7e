//! The rules of the house: what lives on a storey of `src/` knows only its own and those below.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The storeys from the ground up. The front door and what stands on it come last.
const STOREYS: [&[&str]; 8] = [
    &["error", "options"],
    &["bytes"],
    &["value"],
    &["fast"],
    &["walk"],
    &["typed"],
    &["document"],
    &["detect", "fields", "index", "verdict"],
];

fn storey(module: &str) -> Option<usize> {
    STOREYS.iter().position(|names| names.contains(&module))
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

/// The modules that a file names behind `crate::`, alone or in braces.
fn named(source: &str) -> Vec<String> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if !rest.starts_with('{') {
            found.push(word(rest));
            continue;
        }
        // Names at the outermost level of the braces.
        let (mut depth, mut start) = (0, true);
        for (n, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if depth == 1 && start && c.is_ascii_alphabetic() {
                found.push(word(&rest[n..]));
                start = false;
            }
            if depth == 1 && (c == ',' || c == '{') {
                start = true;
            }
        }
    }
    found
}

fn word(text: &str) -> String {
    let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    text.chars().take_while(is_part).collect()
}

/// Every file with its storey and its source, tests left out: they may look at anything.
fn sources() -> Vec<(String, usize, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&src, &mut all);
    let mut sources = Vec::new();
    for path in all {
        let own = path.strip_prefix(&src).expect("below it");
        let name = own.to_string_lossy().replace('\\', "/");
        let is_test = name.ends_with("tests.rs") || name == "bytes/samples.rs";
        if name == "lib.rs" || is_test {
            continue;
        }
        let first = name.split(['/', '.']).next().expect("a name");
        let storey = storey(first).unwrap_or_else(|| panic!("{name} is on no storey"));
        let source = fs::read_to_string(&path).expect("text");
        let source = source.split("#[cfg(test)]").next().expect("a part");
        sources.push((name, storey, source.to_owned()));
    }
    assert!(sources.len() > 30, "{}", sources.len());
    sources
}

#[test]
fn nothing_knows_what_stands_above_it() {
    let mut wrong = Vec::new();
    for (name, own, source) in sources() {
        for module in named(&source) {
            if storey(&module).is_some_and(|other| other > own) {
                wrong.push(format!("{name} names {module}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Shortcuts are reached from the loop over plain values alone, so that they can be compiled out.
#[test]
fn shortcuts_are_reached_from_one_file() {
    for (name, _, source) in sources() {
        let is_own = name == "fast.rs" || name.starts_with("fast/");
        if !is_own && name != "walk/validate.rs" {
            assert!(!named(&source).contains(&"fast".to_owned()), "{name}");
        }
    }
}

/// A build without shortcuts differs in one constant, so that every shortcut is off in it.
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

/// `ReadOptions::room` is the one place that compares a depth with the limit. Other code that asks for the limit
/// puts it into an error message.
#[test]
fn depth_is_compared_in_one_place() {
    let mut asked = Vec::new();
    for (name, _, source) in sources() {
        for (number, line) in lines(&source) {
            if line.contains(".max_depth()") && name != "options.rs" {
                asked.push((name.clone(), number, line.trim().to_owned()));
            }
        }
        if name == "options.rs" {
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
/// reference decoder and the generators of `conformance` are exempt: they are written apart on purpose.
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
                let compares = ["== Dialect::", "!= Dialect::", "Dialect::GODOT_4 |"];
                if compares.iter().any(|sign| line.contains(sign)) {
                    found.push(format!("{}:{}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
