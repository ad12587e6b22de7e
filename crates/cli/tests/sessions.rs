//! The sessions of `README.md`, `docs/cli` and `docs/guide`, run and compared.
#![cfg(unix)]

mod common;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// `store_var({"hp": 80, "pos": Vector2(10, 20)})`.
const SLOT: &[u8] = b"\x34\0\0\0\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
\x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";

/// `store_var(Color(0.5, 0.5, 1, 1))` of Godot 3, or of Godot 4 a Plane.
const TINT: &[u8] = b"\x14\0\0\0\x0e\0\0\0\0\0\0\x3f\0\0\0\x3f\0\0\x80\x3f\0\0\x80\x3f";

/// Runs the commands of a session and returns it with what they print.
fn run(session: &str, folder: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_gdvar"))
        .parent()
        .expect("a folder");
    let path = env::var("PATH").unwrap_or_default();
    let mut actual = String::new();
    for line in session.lines() {
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("COLUMNS", "100")
            .output()
            .expect("a shell");
        actual += line;
        actual.push('\n');
        actual += &String::from_utf8(output.stdout).expect("UTF-8");
    }
    actual
}

/// A new folder with the files that sessions speak of.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("space");
    put("slot1.dat", SLOT);
    put("tint.dat", TINT);
    for name in [
        "rpg3.sav",
        "rpg4.sav",
        "objects4.sav",
        "camp4.pass.gdec",
        "camp4.zstd.gcpf",
    ] {
        put(name, &fs::read(common::save(name)).expect("a save"));
    }
    let project = gdvar_conformance::vectors::testdata("projects").join("godot4.binary");
    put("project.binary", &fs::read(project).expect("a project"));
    for name in ["settings.cfg", "hero.tres", "old.tscn"] {
        let document = gdvar_conformance::vectors::testdata("documents").join(name);
        put(name, &fs::read(document).expect("a document"));
    }
    let script = gdvar_conformance::vectors::testdata("scripts").join("godot4.gdc");
    let capture = gdvar_conformance::vectors::testdata("captures").join("g3-enet-rpc.hex");
    put("game.hex", &fs::read(capture).expect("a capture"));
    // A project, and a capture of it.
    let arena = gdvar_conformance::vectors::testdata("captures").join("arena");
    fs::create_dir(folder.path().join("arena")).expect("a new folder");
    for entry in fs::read_dir(arena).expect("the project") {
        let from = entry.expect("a file").path();
        let name = from.file_name().expect("a name").to_string_lossy();
        let to = match name.strip_suffix(".hex") {
            Some(_) => "arena.hex".to_owned(),
            None => format!("arena/{name}"),
        };
        put(&to, &fs::read(&from).expect("a file"));
    }
    for (name, folder, file) in [
        ("hero.res", "resources", "godot4/refs.res"),
        ("game.pck", "packages", "exported.pck"),
    ] {
        let path = gdvar_conformance::vectors::testdata(folder).join(file);
        put(name, &fs::read(path).expect("a file"));
    }
    put("player.gdc", &fs::read(script).expect("a script"));
    folder
}

/// Runs the sessions of a page one after the other in one folder, and compares. Returns how many there are.
/// With `UPDATE_SESSIONS` set, what was printed is written into the page.
fn compare(page: &Path) -> usize {
    let folder = folder();
    let text = fs::read_to_string(page).expect("the page");
    let mut actual = String::new();
    let mut sessions = 0;
    let mut rest = text.as_str();
    while let Some((before, tail)) = rest.split_once("```console\n") {
        let (session, tail) = tail.split_once("```").expect("an end");
        actual += before;
        actual += "```console\n";
        let printed = run(session, folder.path());
        actual += &printed;
        actual += "```";
        rest = tail;
        sessions += 1;
    }
    actual += rest;
    if env::var_os("UPDATE_SESSIONS").is_some() {
        fs::write(page, actual).expect("space");
    } else {
        snapbox::assert_data_eq!(actual, snapbox::Data::text(text).raw());
    }
    sessions
}

#[test]
fn the_sessions_of_the_readme_are_true() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let sessions = compare(&readme);
    assert_eq!(sessions, 5, "one for each example");
}

/// The pages of a folder of `docs`, by name.
fn pages(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(folder);
    let mut pages: Vec<_> = fs::read_dir(folder)
        .expect("the documents")
        .map(|page| page.expect("a page").path())
        .filter(|page| page.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.sort();
    assert!(!pages.is_empty());
    pages
}

/// Every page has a folder of its own; what a session writes, the later ones of the page find there.
#[test]
fn the_sessions_of_the_documents_are_true() {
    for page in pages("cli") {
        let name = page.display().to_string();
        assert!(compare(&page) > 0, "{name} has no session");
    }
}

/// Pages about programs have none.
#[test]
fn the_sessions_of_the_guide_are_true() {
    let sessions: usize = pages("guide").iter().map(|page| compare(page)).sum();
    assert!(sessions >= 20, "{sessions}");
}
