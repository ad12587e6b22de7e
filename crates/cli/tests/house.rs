//! Checks the layers of `src/`: a folder uses itself and the folders below it in the list, never a
//! folder above.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folders, the lowest layer first, as `main.rs` lists them. `cli` and `help` know all
/// commands.
const STOREYS: [&str; 11] = [
    "args", "terminal", "show", "locate", "input", "diagnose", "app", "save", "commands", "cli",
    "help",
];

/// The files that may be directly in `src/`.
const FLAT: [&str; 6] = [
    "app.rs",
    "args.rs",
    "cli.rs",
    "commands.rs",
    "help.rs",
    "main.rs",
];

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
}

/// The modules that `source` names after `crate::`, alone or in braces.
fn named(source: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = source
        .lines()
        .filter(is_code)
        .collect::<Vec<_>>()
        .join("\n");
    let word = |text: &str| -> String {
        let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        text.chars().take_while(is_part).collect()
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let (mut depth, mut is_start) = (0, true);
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => is_start = true,
                c if depth == 0 && is_start && c.is_ascii_alphabetic() => {
                    found.push(word(&list[at..]));
                    is_start = false;
                }
                _ => {}
            }
        }
    }
    found
}

fn storey(module: &str) -> Option<usize> {
    STOREYS.iter().position(|name| *name == module)
}

#[test]
fn imports_go_down() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&src, &mut all);
    assert!(all.len() > 80, "{}", all.len());
    let mut wrong = Vec::new();
    let mut found = 0;
    for path in all {
        let inside = path.strip_prefix(&src).expect("a file of src");
        let first = inside.components().next().expect("a name");
        let own = Path::new(first.as_os_str()).with_extension("");
        let own = own.to_str().expect("UTF-8").to_owned();
        // `completions.rs` needs the whole command line, which contains the command that prints
        // completions.
        let is_exempt = inside.ends_with("completions.rs") || inside.ends_with("tests.rs");
        if own == "main" || is_exempt {
            continue;
        }
        let own = storey(&own).unwrap_or_else(|| {
            panic!(
                "{}: this folder has no storey: add it to STOREYS, above all that it uses",
                inside.display()
            )
        });
        for name in named(&fs::read_to_string(&path).expect("a file")) {
            let other = storey(&name).unwrap_or_else(|| {
                panic!("{}: crate::{name} is no folder of src", inside.display())
            });
            found += 1;
            if other > own {
                wrong.push(format!("{} uses {name}", inside.display()));
            }
        }
    }
    assert!(found > 200, "{found}");
    assert!(
        wrong.is_empty(),
        "imports that go up; move what both need into the lower folder, or the user into the higher one:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn few_files_are_outside_a_folder() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(src).expect("src") {
        let entry = entry.expect("an entry");
        let name = entry.file_name();
        let name = name.to_str().expect("UTF-8");
        let is_flat = entry.path().is_dir() || FLAT.contains(&name);
        assert!(is_flat, "{name}: put it into the folder of what it does");
    }
}
