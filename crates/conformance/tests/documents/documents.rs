//! The documents: texts that exist twice are equal, links lead somewhere, packages carry their
//! licences. The table "Which way do I want?" is `crates/gdvar/src/ways.md`; `UPDATE_DOCS=1` copies
//! it into docs/DESIGN.md.

use std::{
    fs,
    path::{Path, PathBuf},
};

use gdvar_conformance::vectors::testdata;

/// A file of the repository, by its path from the top.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(testdata("..").join(path)).expect(path)
}

/// The table as it is outside of Rust's documentation: links to items become code.
fn ways() -> String {
    read("crates/gdvar/src/ways.md")
        .replace("[`", "`")
        .replace("`]", "`")
}

#[test]
fn the_design_has_the_same_table_of_ways() {
    let path = "docs/DESIGN.md";
    let text = read(path);
    let (before, rest) = text.split_once("<!-- ways -->\n").expect("the table");
    let (old, after) = rest.split_once("<!-- end -->").expect("its end");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let text = format!("{before}<!-- ways -->\n{}<!-- end -->{after}", ways());
        fs::write(testdata("..").join(path), text).expect("written");
    } else {
        assert_eq!(old, ways(), "{path}");
    }
}

#[test]
fn the_reader_tells_its_own_ways_in_the_same_words() {
    // There the types are in modules.
    let modules = ["path", "walk", "index", "fields"];
    let all = modules
        .iter()
        .fold(read("crates/gdvar/src/ways.md"), |all, module| {
            all.replace(&format!("[`{module}::"), "[`")
        });
    let head = read("crates/view/src/lib.rs");
    let rows: Vec<_> = head
        .lines()
        .filter_map(|line| line.strip_prefix("//! |"))
        .collect();
    assert!(rows.len() > 5, "{rows:?}");
    for row in rows {
        assert!(
            all.lines().any(|line| line.strip_prefix('|') == Some(row)),
            "{row}"
        );
    }
}

/// Crates whose comments link every mention of the document.
const LINKED: [&str; 14] = [
    "wire", "write", "text", "json", "serde", "edit", "io", "document", "resource", "file",
    "packet", "columns", "arrow", "gdvar",
];

/// The documents that these comments link.
const DOCUMENTS: [&str; 4] = [
    "docs/FORMAT.md",
    "docs/PACKETS.md",
    "docs/RESOURCES.md",
    "docs/DEBUGGER.md",
];

/// All Rust files below a folder.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
}

/// The anchor that the forge gives to a heading.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let text: String = heading.to_lowercase().chars().filter(kept).collect();
    text.replace(' ', "-")
}

#[test]
fn links_to_the_format_lead_to_a_section() {
    let anchors: Vec<_> = DOCUMENTS
        .iter()
        .map(|document| {
            let text = read(document);
            let headings = text.lines().filter(|line| line.starts_with('#'));
            let anchors: Vec<_> = headings
                .map(|line| anchor(line.trim_start_matches('#').trim()))
                .collect();
            (*document, anchors)
        })
        .collect();
    let mut files = Vec::new();
    for name in LINKED {
        sources(
            &testdata("..").join("crates").join(name).join("src"),
            &mut files,
        );
    }
    let mut links = 0;
    for path in files {
        for line in fs::read_to_string(&path).expect("text").lines() {
            let Some((label, url)) =
                line.split_once("]: https://github.com/gdvar/gdvar/blob/main/")
            else {
                continue;
            };
            // A crate's page may link another document, as a whole.
            let linked = anchors
                .iter()
                .find_map(|(name, anchors)| Some((url.strip_prefix(name)?, anchors)));
            let Some((fragment, anchors)) = linked else {
                assert_eq!(url, "SECURITY.md", "{}: {line}", path.display());
                continue;
            };
            links += 1;
            let section = label.rsplit('§').next().filter(|_| label.contains('§'));
            let Some(section) = section else {
                assert_eq!(fragment, "", "{}", path.display());
                continue;
            };
            let fragment = fragment.strip_prefix('#').expect("an anchor");
            assert!(
                anchors.iter().any(|own| own == fragment),
                "{}: {line}",
                path.display()
            );
            let number = fragment.split('-').next().expect("its number");
            assert_eq!(number, section.replace('.', ""), "{}", path.display());
        }
    }
    assert!(links > 100, "{links}");
}

/// What a reader of docs.rs sees of a public item must not name a file that is not there.
#[test]
fn public_items_link_the_format() {
    let mut files = Vec::new();
    for name in LINKED {
        sources(
            &testdata("..").join("crates").join(name).join("src"),
            &mut files,
        );
    }
    let mut mentions = 0;
    for path in files {
        let source = fs::read_to_string(&path).expect("text");
        let mut block = String::new();
        for line in source.lines().map(str::trim_start) {
            if let Some(text) = line.strip_prefix("///") {
                block.push_str(text);
            } else if !line.starts_with("#[") && !line.starts_with("//") {
                if line.starts_with("pub ") || line.starts_with("impl") {
                    mentions += block.matches("docs/FORMAT.md` §").count();
                    let bare = block.replace("[`docs/FORMAT.md", "");
                    assert!(
                        !bare.contains("`docs/FORMAT.md"),
                        "{}: {block}",
                        path.display()
                    );
                }
                block.clear();
            }
        }
    }
    assert!(mentions > 100, "{mentions}");
}

#[test]
fn published_packages_carry_both_licences() {
    let mut published = 0;
    for entry in fs::read_dir(testdata("../crates")).expect("the crates") {
        let folder = entry.expect("an entry").path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        if manifest.contains("publish = false") {
            continue;
        }
        published += 1;
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = fs::read_to_string(folder.join(name));
            assert_eq!(own.ok(), Some(read(name)), "{}: {name}", folder.display());
        }
    }
    assert!(published >= 14, "{published}");
}

/// docs.rs marks what needs a feature in crates that ask for it.
#[test]
fn pages_mark_what_needs_a_feature() {
    for name in ["wire", "write", "serde", "io", "file", "packet", "gdvar"] {
        let page = read(&format!("crates/{name}/src/lib.rs"));
        assert!(
            page.contains("#![cfg_attr(docsrs, feature(doc_cfg))]"),
            "{name}"
        );
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        assert!(
            manifest.contains(r#"rustdoc-args = ["--cfg", "docsrs"]"#),
            "{name}"
        );
    }
}

/// A crate's page lists each of its features but `default`.
#[test]
fn pages_list_every_feature() {
    for name in ["wire", "write", "serde", "io", "file", "packet", "gdvar"] {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let (_, features) = manifest.split_once("[features]\n").expect("features");
        let features = features.split("\n[").next().expect("their end");
        let page = match name {
            "gdvar" => read("crates/gdvar/src/guide.md"),
            _ => read(&format!("crates/{name}/src/lib.rs")),
        };
        let (_, list) = page.split_once("# Features").expect("a list");
        for line in features.lines().filter(|line| !line.starts_with('#')) {
            let Some((feature, _)) = line.split_once(" = ") else {
                continue;
            };
            let is_listed = feature == "default" || list.contains(&format!("`{feature}`"));
            assert!(is_listed, "{name}: {feature}");
        }
    }
}
