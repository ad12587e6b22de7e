//! The recipes of the pages for shells, less, ripgrep and git, run.
#![cfg(unix)]

mod common;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// A folder with two saves.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["rpg4.sav", "rpg3.sav"] {
        let bytes = fs::read(common::save(name)).expect("a save");
        fs::write(folder.path().join(name), bytes).expect("space");
    }
    folder
}

/// Runs a line of a shell where `gdvar` is found.
fn shell(folder: &Path, shell: &str, line: &str) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_gdvar")).parent();
    let bin = bin.expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(shell)
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{bin}:{path}"))
        .output()
        .expect("a shell")
}

fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The line of docs/cli/shell.md that holds these words.
fn recipe(words: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli/shell.md");
    let page = fs::read_to_string(page).expect("the page");
    let line = page.lines().find(|line| line.contains(words));
    line.unwrap_or_else(|| panic!("{words} is not on the page"))
        .to_owned()
}

#[test]
fn less_shows_the_tree_by_lessopen() {
    let folder = folder();
    // less runs the command behind `|` with the name of the file in place of `%s`, and shows its output.
    let line = recipe("LESSOPEN=");
    let command = line.split('|').nth(1).expect("a command");
    let command = command.trim_end_matches('\'').replace("%s", "rpg4.sav");
    let shown = text(&shell(folder.path(), "sh", &command));
    assert!(
        shown.contains("Aldis") && shown.contains("\u{1b}["),
        "{shown}"
    );
    if shell(folder.path(), "sh", "command -v less")
        .status
        .success()
    {
        let line = format!("{line}; less -R rpg4.sav | cat");
        assert_eq!(text(&shell(folder.path(), "bash", &line)), shown);
    }
}

#[test]
fn ripgrep_searches_by_the_preprocessor() {
    let folder = folder();
    let recipe = recipe("printf '#!/bin/sh");
    let line = recipe.replace("~/bin", ".");
    text(&shell(folder.path(), "sh", &line));
    // Does by hand what ripgrep does with each file, and then runs ripgrep itself if it is installed.
    let lines = text(&shell(
        folder.path(),
        "sh",
        "./gdvar-pre rpg4.sav | grep ^gold",
    ));
    assert_eq!(lines, "gold = 5000000000;\n");
    if shell(folder.path(), "sh", "command -v rg").status.success() {
        let line = "rg --no-filename --pre ./gdvar-pre --pre-glob '*.sav' '^gold' rpg4.sav";
        assert_eq!(text(&shell(folder.path(), "sh", line)), lines);
    }
}

#[test]
fn bash_completes_paths_from_the_file() {
    let folder = folder();
    let complete = |words: &str, at: usize| {
        let line = format!(
            "source <(gdvar completions bash); COMP_WORDS=({words}); COMP_CWORD={at}; \
             _gdvar_with_paths gdvar \"${{COMP_WORDS[{at}]}}\" \"${{COMP_WORDS[{at}-1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        text(&shell(folder.path(), "bash", &line))
    };
    assert_eq!(
        complete("gdvar get rpg4.sav 'party[0].h'", 3),
        "party[0].hp\nparty[0].hp_max\n"
    );
    assert_eq!(complete("gdvar view rpg3.sav gol", 3), "gold\n");
    assert_eq!(
        complete("gdvar view rpg4.sav 'party[0].inventory[8'", 3),
        "party[0].inventory[8]\n"
    );
    // Of all commands that take paths.
    for verb in ["set", "del", "insert", "append", "rename-key"] {
        let paths = complete(&format!("gdvar {verb} rpg4.sav 'party[0].h'"), 3);
        assert_eq!(paths, "party[0].hp\nparty[0].hp_max\n", "{verb}");
    }
    // The value of an option is not a path.
    let formats = complete("gdvar view rpg4.sav --format ''", 4);
    assert!(
        formats.contains("godot") && !formats.contains("party"),
        "{formats}"
    );
    let paths = complete("gdvar view rpg4.sav --full party[0].h", 4);
    assert_eq!(paths, "party[0].hp\nparty[0].hp_max\n");
    // Other words are completed as before.
    assert!(complete("gdvar vie", 1).contains("view"));
    assert!(complete("gdvar get --js", 2).contains("--json"));
}

#[test]
fn names_are_those_of_the_engine() {
    let folder = folder();
    let old = text(&shell(
        folder.path(),
        "sh",
        "gdvar view --full rpg3.sav; gdvar info rpg3.sav",
    ));
    for name in ["PoolIntArray", "PoolStringArray", "PoolByteArray", "Quat("] {
        assert!(old.contains(name), "{name}");
    }
    assert!(
        !old.contains("Packed") && !old.contains("Quaternion"),
        "{old}"
    );
    let new = text(&shell(folder.path(), "sh", "gdvar view --full rpg4.sav"));
    assert!(new.contains("PackedInt32Array") && new.contains("Quaternion("));
    // A script's view of it stays the same for all engines.
    let json = text(&shell(
        folder.path(),
        "sh",
        "gdvar view --json rpg3.sav checksum",
    ));
    assert!(json.contains("\"type\":\"PackedByteArray\""), "{json}");
}

/// Runs a line on a terminal of that width, which `script` of util-linux makes, and returns what the terminal
/// gets.
#[cfg(target_os = "linux")]
fn on_terminal(folder: &Path, columns: usize, line: &str) -> String {
    let lines = format!("stty cols {columns} rows 24\n{line}\n");
    fs::write(folder.join("line.sh"), lines).expect("space");
    let line = "TERM=xterm script -qec 'sh line.sh' /dev/null < /dev/null";
    text(&shell(folder, "sh", line)).replace('\r', "")
}

#[test]
#[cfg(target_os = "linux")]
fn forty_columns_are_enough() {
    let folder = folder();
    for command in ["view rpg4.sav", "info rpg4.sav", "check rpg4.sav"] {
        let line = format!("gdvar --no-pager --color never {command}");
        let shown = on_terminal(folder.path(), 40, &line);
        assert!(shown.lines().count() > 0, "{shown}");
        for row in shown.lines() {
            assert!(row.chars().count() <= 40, "{command}: {row}");
        }
    }
    // The bytes of a report, too.
    let line =
        "head -c 60000 rpg4.sav > cut.sav; gdvar --no-pager --color never check cut.sav; true";
    let shown = on_terminal(folder.path(), 40, line);
    let rows: Vec<_> = shown
        .lines()
        .filter(|row| {
            let place = row.split_once(" | ").map_or("", |(place, _)| place.trim());
            !place.is_empty() && place.chars().all(|c| c.is_ascii_hexdigit())
        })
        .collect();
    assert!(!rows.is_empty(), "{shown}");
    assert!(rows.iter().all(|row| row.chars().count() <= 42), "{rows:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_pager_is_used_on_a_terminal_only() {
    let folder = folder();
    let pager = "GDVAR_PAGER='sed s/^/paged:/'";
    let on = |line: &str| on_terminal(folder.path(), 80, line);
    let shown = on(&format!("{pager} PAGER=false gdvar view rpg4.sav"));
    assert!(
        shown.lines().all(|line| line.starts_with("paged:")),
        "{shown}"
    );
    // Colours are those of a terminal.
    assert!(shown.contains("\u{1b}[36mversion"), "{shown}");
    for command in [
        "hex rpg4.sav",
        "explain Vector2",
        "schema rpg4.sav",
        "stats rpg4.sav",
        "table rpg4.sav --columns name=game",
        "scan rpg4.sav",
        "records list rpg4.sav",
        "options",
    ] {
        let shown = on(&format!("{pager} gdvar {command}"));
        let is_paged = shown.lines().all(|line| line.starts_with("paged:"));
        assert!(is_paged && !shown.is_empty(), "{command}: {shown}");
    }
    // Messages go to the pager too, because they would disturb its screen.
    let shown = on(&format!(
        "{pager} gdvar --color never check rpg4.sav none.sav; echo $?"
    ));
    assert!(
        shown.contains("paged:rpg4.sav: ok") && shown.ends_with("6\n"),
        "{shown}"
    );
    for line in [
        format!("{pager} gdvar --no-pager view rpg4.sav"),
        "GDVAR_PAGER= PAGER=false gdvar view rpg4.sav".to_owned(),
        "GDVAR_PAGER=cat gdvar view rpg4.sav".to_owned(),
        format!("{pager} gdvar view rpg4.sav | cat"),
        format!("{pager} gdvar set -n rpg4.sav gold=1"),
    ] {
        let shown = on(&line);
        assert!(
            !shown.contains("paged:") && shown.contains("gold"),
            "{line}: {shown}"
        );
    }
    // A pager that has seen enough ends it, without words.
    let shown = on("GDVAR_PAGER='head -n 1' gdvar view --full rpg4.sav; echo $?");
    assert_eq!(shown.lines().count(), 2, "{shown}");
}

/// `git diff` asks for the text of every file, and stops at the first failure.
#[test]
fn textconv_never_fails_and_prints_lines() {
    let folder = folder();
    let run = |line: &str| text(&shell(folder.path(), "sh", line));
    let lines = run("gdvar textconv rpg4.sav");
    assert!(lines.lines().count() > 1000, "{lines}");
    assert!(lines.contains("party[0].hp = 119;\n"), "{lines}");
    assert!(!lines.lines().any(|line| line.starts_with('#')), "{lines}");
    let all = [
        (
            "head -c 5000 rpg4.sav > f",
            "damaged at byte 0x1384, $.party[2]",
        ),
        ("printf '' > f", "the file is empty"),
        ("head -c 64 /dev/zero > f", "nothing but 00"),
        ("printf 'hello, world' > f", "this is text"),
        ("printf 'PK\\003\\004abcdefgh' > f", "a zip archive"),
        ("head -c 5000 rpg4.sav | tail -c 4000 > f", "bytes"),
        ("cp locked.gdec f", "encrypted"),
    ];
    let locked = fs::read(common::save("camp4.pass.gdec")).expect("a save");
    fs::write(folder.path().join("locked.gdec"), locked).expect("space");
    for (make, what) in all {
        // The output contains neither the name of the file nor its folder, because git gives the file another
        // name each time.
        let made = run(&format!("{make}; gdvar textconv f"));
        let other = tempfile::tempdir().expect("a folder");
        let other = other.path().join("another-name");
        fs::copy(folder.path().join("f"), &other).expect("a copy");
        let again = run(&format!("gdvar textconv {}", other.display()));
        assert_eq!(made, again, "{make}");
        assert!(made.contains(what), "{make}: {made}");
        assert!(made.contains("CRC-32"), "{make}: {made}");
    }
    // What can be read of a cut file is there.
    assert!(run("head -c 5000 rpg4.sav > f; gdvar textconv f").contains("party[0].hp = 119;"));
    // With the password it is read.
    let open = run("GDVAR_PASSWORD='correct horse battery staple 42' gdvar textconv locked.gdec");
    assert!(
        open.lines().count() > 10 && !open.starts_with('#'),
        "{open}"
    );
    let gone = shell(folder.path(), "sh", "gdvar textconv none");
    assert!(gone.status.success());
}

/// A repository with a save, and git that sees no settings but those in this folder.
fn repository(folder: &Path, line: &str) -> Output {
    let home = "export HOME=$PWD XDG_CONFIG_HOME= GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a \
        GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org";
    shell(folder, "sh", &format!("{home}; {line}"))
}

#[test]
fn git_setup_makes_git_show_saves() {
    for (option, attributes) in [
        ("", "repo/.gitattributes"),
        ("--global", ".config/git/attributes"),
    ] {
        let folder = folder();
        let git = |line: &str| text(&repository(folder.path(), line));
        git("git init -q repo && cp rpg4.sav repo/a.sav && cp rpg4.sav repo/b.save");
        // Without the end of the last line, as editors leave files.
        let old = folder.path().join(attributes);
        fs::create_dir_all(old.parent().expect("a folder")).expect("space");
        fs::write(&old, "*.txt text").expect("space");
        for _ in 0..2 {
            git(&format!(
                "cd repo && gdvar git-setup {option} '*.sav' '*.save'"
            ));
            let written = fs::read_to_string(&old).expect("attributes");
            assert_eq!(
                written,
                "*.txt text\n*.sav diff=gdvar merge=gdvar\n*.save diff=gdvar merge=gdvar\n"
            );
        }
        git("cd repo && git add . && git commit -qm base");
        for name in ["a.sav", "b.save"] {
            git(&format!(
                "cd repo && gdvar -q set {name} 'party[0].hp=7' --in-place"
            ));
        }
        let shown = git("cd repo && git diff");
        assert_eq!(shown.matches("+party[0].hp = 7;").count(), 2, "{shown}");
    }
}

#[test]
fn git_setup_says_where_it_cannot_work() {
    let folder = folder();
    for (line, code, words) in [
        (
            "gdvar git-setup",
            6,
            "run it in a repository, or with --global",
        ),
        ("gdvar git-setup 'my saves/*'", 2, "write ? for a space"),
        ("gdvar git-setup '!*.sav'", 2, "unquoted"),
        (
            "PATH=$(dirname $(command -v gdvar)); gdvar git-setup",
            6,
            "git cannot be run",
        ),
    ] {
        let output = repository(
            folder.path(),
            &format!("GIT_CEILING_DIRECTORIES=/; export GIT_CEILING_DIRECTORIES; {line}"),
        );
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {errors}");
        assert!(errors.contains(words), "{line}: {errors}");
        assert!(!folder.path().join(".gitattributes").exists(), "{line}");
    }
}
