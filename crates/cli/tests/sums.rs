//! `gdvar set gold+=50`: numbers that change by an amount, and keys of many values renamed at once.

mod common;

use std::fs;

use common::{gdvar, stdout};

const SAVE: &str = r#"{"gold": 100, "hp": 1.5, "party": [{"hp": 10}, {"hp": 20}], "pos": Vector2(1, 2), "ids": PackedInt32Array(1, 2), "name": "a"}"#;

/// Runs `gdvar VERB FILE CHANGES… --in-place` on the save; returns the exit code and what `get` prints then.
fn changed(verb: &str, changes: &[&str], path: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save");
    let save = gdvar(&["from-text", "-"], SAVE.as_bytes()).stdout;
    fs::write(&file, &save).expect("space");
    let name = file.to_str().expect("UTF-8");
    let code = gdvar(&[&[verb, name, "-i", "-q"], changes].concat(), b"")
        .status
        .code();
    let is_same = fs::read(&file).expect("a file") == save;
    assert_eq!(code == Some(0), !is_same, "{changes:?}");
    let found = gdvar(&["get", name, path], b"").stdout;
    let found = String::from_utf8(found).expect("UTF-8");
    (code, found.trim().to_owned())
}

#[test]
fn an_amount_is_added_to_numbers() {
    for (changes, path, expected) in [
        (&["gold+=50"][..], "gold", "150"),
        (&["gold-=150"], "gold", "-50"),
        (&["gold += 50"], "gold", "150"),
        (&["hp+=1"], "hp", "2.5"),
        (&["hp-=0.25"], "hp", "1.25"),
        (&["pos.x+=0.5"], "pos", "Vector2(1.5, 2)"),
        (&["ids[1]+=5"], "ids[1]", "7"),
        (&["party[*].hp-=5"], "party[1].hp", "15"),
        (&["gold+=1", "hp+=1"], "gold", "101"),
    ] {
        let found = changed("set", changes, path);
        assert_eq!(found, (Some(0), expected.to_owned()), "{changes:?}");
    }
}

#[test]
fn what_is_no_sum_changes_nothing() {
    for change in [
        "name+=1",
        "gold+=0.5",
        "gold+=9223372036854775807",
        "gold+=\"a\"",
        "nothing+=1",
        "party+=1",
        "ids[1]+=4294967296",
        "hp+=1e309",
    ] {
        let (code, gold) = changed("set", &[change], "gold");
        assert_eq!((code, &gold[..]), (Some(1), "100"), "{change}");
    }
}

#[test]
fn keys_of_many_values_are_renamed() {
    let found = changed("rename-key", &["party[*].hp=health"], "party");
    let expected = r#"[{"health": 10}, {"health": 20}]"#;
    assert_eq!(found, (Some(0), expected.to_owned()));
    let (code, _) = changed("rename-key", &["party[*].mp=health"], "gold");
    assert_eq!(code, Some(1));
}

#[test]
fn a_sum_is_told_before_it_is_written() {
    let text = stdout(
        &["set", "-", "gold+=50", "--dry-run"],
        &gdvar(&["from-text", "-"], SAVE.as_bytes()).stdout,
        0,
    );
    assert_eq!(text, "~ $.gold  100 -> 150\n");
}
