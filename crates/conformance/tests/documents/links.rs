//! Links of the documents lead to files that are there, and to headings in them.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use gdvar_conformance::vectors::testdata;

use super::documents::{anchor, read};

/// Where the files of the repository are for readers of docs.rs.
const FORGE: &str = "https://github.com/gdvar/gdvar/blob/main/";

/// The Markdown files of a folder and of those below it.
fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        if path.is_dir() {
            if !matches!(name, Some("target" | "node_modules" | "dist" | "build")) {
                pages(&path, out);
            }
        } else if path.extension().is_some_and(|end| end == "md") {
            out.push(path);
        }
    }
}

/// The lines of a text that are outside of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors of a text's headings, numbered where one repeats.
fn anchors(text: &str) -> Vec<String> {
    let mut seen = HashMap::<String, usize>::new();
    prose(text)
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            let base = anchor(line.trim_start_matches('#').trim());
            let count = seen.entry(base.clone()).or_default();
            *count += 1;
            match *count {
                1 => base,
                count => format!("{base}-{}", count - 1),
            }
        })
        .collect()
}

/// What the links of a line lead to, outside of code.
fn targets(line: &str) -> Vec<String> {
    let text: String = line.split('`').step_by(2).collect();
    let links = text.match_indices("](").filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        rest.split([')', ' ']).next().map(str::to_owned)
    });
    links.collect()
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    let top = testdata("..");
    let mut files: Vec<_> = ["README", "CHANGELOG", "CONTRIBUTING", "SECURITY"]
        .map(|name| top.join(name).with_extension("md"))
        .into();
    pages(&top.join("docs"), &mut files);
    pages(&top.join("crates"), &mut files);
    let mut links = 0;
    let mut broken = Vec::new();
    for file in files {
        // Parts of crates' pages, whose links are rustdoc's.
        if file.components().any(|part| part.as_os_str() == "src") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("text");
        for target in prose(&text).flat_map(targets) {
            let own = target.strip_prefix(FORGE);
            if own.is_none() && (target.contains("://") || target.starts_with("mailto:")) {
                continue;
            }
            links += 1;
            let link = own.unwrap_or(&target);
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let to = match own {
                Some(_) => top.join(path),
                None if path.is_empty() => file.clone(),
                None => file.parent().expect("a folder").join(path),
            };
            let found = fs::read_to_string(&to);
            let is_there = match &found {
                Ok(text) => fragment.is_empty() || anchors(text).iter().any(|own| own == fragment),
                Err(_) => to.exists() && fragment.is_empty(),
            };
            if !is_there {
                broken.push(format!("{}: {target}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(links > 300, "{links}");
}

/// The site and the table of contents are made of this list.
#[test]
fn the_summary_lists_every_page_once() {
    let folder = testdata("../docs/guide");
    let summary = read("docs/guide/SUMMARY.md");
    let mut listed: Vec<_> = summary.lines().flat_map(targets).collect();
    let count = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), count, "a page is listed twice");
    let listed: Vec<_> = listed
        .iter()
        .map(|path| fs::canonicalize(folder.join(path)).expect(path))
        .collect();
    let mut files = Vec::new();
    pages(&testdata("../docs"), &mut files);
    for file in files {
        let file = fs::canonicalize(file).expect("it was found");
        let is_summary = file.ends_with("docs/guide/SUMMARY.md");
        assert!(is_summary || listed.contains(&file), "{}", file.display());
    }
}

/// These documents are modules of gdvar's documentation, where a relative link leads nowhere and a block without a
/// language is taken for Rust.
#[test]
fn documents_in_rustdoc_link_the_forge() {
    let folder = testdata("../crates/gdvar/documents");
    let mut files = Vec::new();
    pages(&folder, &mut files);
    assert_eq!(files.len(), 4);
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(&file).expect("a link that is followed");
        assert!(text.starts_with("# "), "{name}");
        for target in prose(&text).flat_map(targets) {
            assert!(
                target.contains("://") || target.starts_with('#'),
                "{name}: {target}"
            );
        }
        let fences: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("```"))
            .collect();
        assert!(
            fences.iter().step_by(2).all(|fence| fence.len() > 3),
            "{name}"
        );
    }
}

/// The names that a file of Rust gives to errors: `=> "Truncated",`.
fn names(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let (_, name) = line.split_once("=> \"")?;
        let name = name.strip_suffix("\",")?;
        let is_name =
            name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
        is_name.then_some(name)
    })
}

/// The files of a folder and of those below it.
fn sources_below(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let end = path.extension().and_then(|end| end.to_str());
        if path.is_dir() {
            sources_below(&path, out);
        } else if matches!(end, Some("rs" | "js" | "py")) {
            out.push(path);
        }
    }
}

/// The names of the errors that a source of the packages makes: the text after a call that makes an error, in Python
/// and in `refuse` of JavaScript the last argument.
fn thrown(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut add = |text: &str| {
        let end = text.find(['"', '\'']).unwrap_or_default();
        let name = &text[..end];
        if name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric) {
            names.push(name.to_owned());
        }
    };
    let dense: String = source.split_whitespace().collect();
    for call in [
        "Failure::new(\"",
        "error::other(py,\"",
        "error::encode(py,\"",
        "error::decode_message(py,\"",
        "error::not_opened(py,\"",
        "code:'",
        "code=\"",
        "code,message=\"",
        "code,message,path=\"",
    ] {
        for (at, _) in dense.match_indices(call) {
            add(&dense[at + call.len()..]);
        }
    }
    for line in source.lines() {
        let is_one = line.contains("Error(") || line.contains("refuse(");
        let last = line.match_indices([',', '?', ':', '=']).filter(|_| is_one);
        for (at, sign) in last {
            let rest = line[at + sign.len()..].trim_start();
            let text = rest.strip_prefix(['"', '\'']);
            let is_end = |text: &&str| {
                let end = text.find(['"', '\'']).unwrap_or_default();
                text[end..].len() > 1
                    && [')', ',', ' ', ':'].contains(&(text.as_bytes()[end + 1] as char))
            };
            if let Some(text) = text.filter(is_end) {
                add(text);
            }
        }
    }
    names
}

#[test]
fn the_guide_explains_every_error() {
    let page = read("docs/guide/errors.md");
    let headings: Vec<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .collect();
    let mut checked = 0;
    for path in [
        "view/src/error.rs",
        "io/src/error.rs",
        "resource/src/error.rs",
        "file/src/choice.rs",
        "file/src/detect.rs",
        "file/src/records.rs",
        "file/src/splice.rs",
        "cli/src/diagnose/diagnosis.rs",
    ] {
        for name in names(&read(&format!("crates/{path}"))) {
            checked += 1;
            assert!(headings.contains(&name), "{path}: {name}");
        }
    }
    assert!(checked > 75, "{checked}");
    let is_there = |name: &str| {
        let anchor = format!("<a id=\"{}\"></a>{name}", name.to_lowercase());
        page.contains(&anchor) || headings.contains(&name)
    };
    // What only the packages for JavaScript and Python show.
    let mut shown = 0;
    for path in [
        "edit/src/error.rs",
        "write/src/error.rs",
        "packet/src/error.rs",
    ] {
        for name in names(&read(&format!("crates/{path}"))) {
            shown += 1;
            assert!(is_there(name), "{path}: {name}");
        }
    }
    for folder in [
        "wasm/src",
        "wasm/npm/src",
        "python/src",
        "python/python/gdvar",
    ] {
        let mut sources = Vec::new();
        sources_below(&testdata("../crates").join(folder), &mut sources);
        let mut found = 0;
        for path in sources {
            for name in thrown(&fs::read_to_string(&path).expect("text")) {
                found += 1;
                assert!(is_there(&name), "{}: {name}", path.display());
            }
        }
        assert!(found >= 10, "{folder}: {found}");
        shown += found;
    }
    assert!(shown > 140, "{shown}");
    // Formats without values: the texts that are one word. Magic numbers are b"...".
    let source = read("crates/file/src/known_formats.rs");
    let (source, _) = source.split_once("#[cfg(test)]").expect("tests");
    let pieces: Vec<_> = source.split('"').collect();
    let texts = pieces.windows(2).step_by(2);
    let words = texts.filter_map(|pair| (!pair[0].ends_with('b')).then_some(pair[1]));
    let is_name = |word: &&str| {
        word.chars().all(char::is_alphanumeric)
            && word.starts_with(char::is_uppercase)
            && word.chars().any(char::is_lowercase)
    };
    let mut formats = 0;
    for name in words.filter(is_name) {
        formats += 1;
        assert!(is_there(name), "{name}");
    }
    assert!(formats > 35, "{formats}");
}

/// The page quotes figures; the run that measures them writes docs/BENCHMARKS.md.
#[test]
fn figures_of_the_guide_are_those_of_the_benchmarks() {
    let measured = read("docs/BENCHMARKS.md");
    let measured: Vec<_> = measured.split(['|', ' ', '\n']).collect();
    let mut figures = 0;
    for path in ["performance", "compare"] {
        let text = read(&format!("docs/guide/{path}.md"));
        let is_figure = |word: &&str| {
            word.contains('.') && word.parse::<f64>().is_ok() && word.matches('.').count() == 1
        };
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let words = line.split(['|', ' ', ',']);
            for word in words.filter(is_figure) {
                figures += 1;
                assert!(measured.contains(&word), "{path}: {word}");
            }
        }
    }
    assert!(figures > 12, "{figures}");
}

/// Returns the names of files and folders in `line`: `name.rs`, `folder/`, also with a path.
fn named_files(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', ',', ';', ':', '(', ')', '`', '|'])
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.ends_with(".rs") || (word.ends_with('/') && word.len() > 1))
        // What a script makes, and names of examples.
        .filter(|word| !["dist/", "fuzz/regressions/TARGET/", "x.rs", "x/"].contains(word))
}

#[test]
fn files_on_the_map_of_the_code_exist() {
    let top = testdata("..");
    let text = fs::read_to_string(top.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    let mut places = vec![top.clone()];
    let mut at = 0;
    while let Some(folder) = places.get(at) {
        let inner = fs::read_dir(folder).expect("a folder").flatten();
        let inner = inner.filter(|entry| entry.path().is_dir());
        let kept = |name: &str| {
            !name.starts_with('.')
                && !["target", "node_modules", "dist", "testdata"].contains(&name)
        };
        let inner: Vec<_> = inner
            .filter(|entry| kept(&entry.file_name().to_string_lossy()))
            .map(|entry| entry.path())
            .collect();
        places.extend(inner);
        at += 1;
    }
    let mut named = 0;
    let mut missing = Vec::new();
    for name in text.lines().flat_map(named_files) {
        named += 1;
        if !places.iter().any(|folder| folder.join(name).exists()) {
            missing.push(name);
        }
    }
    assert!(
        missing.is_empty(),
        "CONTRIBUTING.md names files that do not exist: {missing:?}"
    );
    assert!(named > 100, "{named}");
}
