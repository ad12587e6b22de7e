//! `store_var(version)`, then `store_var(data)`: what damage in the second record leaves.

mod common;

use std::fs;

use common::gdvar;
use serde_json::Value;

const ITEMS: usize = 40;

/// A first record of each frequent kind, then a Dictionary of alike items.
fn save(first: &str) -> Vec<u8> {
    let items: Vec<String> = { 0..ITEMS }
        .map(|n| format!("{{\"id\": \"potion of healing {n}\", \"count\": {n}}}"))
        .collect();
    let text = format!(
        "{first}\n{{\"name\": \"Mira\", \"items\": [{}]}}\n",
        items.join(", ")
    );
    let output = gdvar(&["from-text", "-"], text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{first}");
    output.stdout
}

/// The items that `gdvar recover` writes, or `None` if it writes nothing.
fn recovered(bytes: &[u8], first: &str) -> Option<Vec<Value>> {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("a.sav"), folder.path().join("b.sav"));
    fs::write(&from, bytes).expect("space");
    let (from, to) = (from.to_str().expect("a path"), to.to_str().expect("a path"));
    let output = gdvar(&["recover", from, "-o", to], b"");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = gdvar(&["json", "-q", "-f", "len32", "-d", "godot4", to], b"");
    let json = String::from_utf8(json.stdout).expect("UTF-8");
    let mut lines = json.lines();
    assert_eq!(lines.next(), Some(first), "{said}");
    let data: Value = serde_json::from_str(lines.next()?).expect("JSON");
    Some(data["items"].as_array().cloned().unwrap_or_default())
}

#[test]
fn damage_after_a_first_record_of_another_kind_loses_only_what_it_hit() {
    for first in [
        "3",
        "1.5",
        "\"v1\"",
        "true",
        "\"a longer name of the version\"",
    ] {
        let whole = save(first);
        let item = |n: usize| {
            let text = format!("ealing {n}");
            let mut all = whole.windows(text.len());
            all.position(|at| at == text.as_bytes())
        };
        let middle = item(9).expect("an item");
        // At every word of an item too: after its header, a key, a value.
        let words = (item(20).expect("an item")..item(22).expect("an item")).step_by(4);
        let some = [whole.len() / 3, whole.len() / 2, whole.len() - 5];
        for cut in some.into_iter().chain(words) {
            let items = recovered(&whole[..cut], first).unwrap_or_default();
            let least = (ITEMS * cut / whole.len()).saturating_sub(3);
            assert!(
                items.len() >= least,
                "{first}, cut at {cut}: {} of {least}",
                items.len()
            );
            for (n, item) in items.iter().enumerate().take(least) {
                assert_eq!(item["count"], n, "{first}, cut at {cut}");
            }
        }
        // The type of a key becomes one that no engine has.
        let mut wrong = whole.clone();
        let key = middle
            + 8
            + wrong[middle + 8..]
                .iter()
                .position(|byte| *byte == 4)
                .expect("a key");
        wrong[key] = 0xff;
        let items = recovered(&wrong, first).unwrap_or_default();
        assert!(items.len() >= 9, "{first}: {}", items.len());
        // An editor appended a line end.
        let longer = [&whole[..], b"\n"].concat();
        assert_eq!(
            recovered(&longer, first).map(|items| items.len()),
            Some(ITEMS),
            "{first}"
        );
    }
}
