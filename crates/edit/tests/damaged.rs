//! Many paths found in one walk lead where each leads alone, also in damaged bytes.

use gdvar_edit::{Dialect, Document, fit::find};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Found, VariantRef};
use gdvar_write::Target;

const SAVE: &str = r#"{"list": [1, [2, 3], "four"], "bag": {"a": 1, 5: {"b": null}}, "pos": Vector2(1, 2),
    "ids": PackedInt32Array(7, 8), "end": [Array[int]([1]), {"last": true}]}"#;

const PATHS: [&str; 20] = [
    "",
    "list",
    "list[0]",
    "list[1][1]",
    "list[2]",
    "list[3]",
    "list[-1]",
    "list.name",
    "bag.a",
    "bag[5].b",
    "bag.new",
    "pos.x",
    "ids[1]",
    "end",
    "end[0][0]",
    "end[1].last",
    "end[9]",
    "nowhere[0]",
    "{1}",
    "not a path[",
];

#[test]
fn many_paths_lead_where_each_leads_alone() {
    let options = ParseOptions::new(Target::GODOT_4).with_whole(true);
    let save = parse_godot(SAVE, &options).expect("a value").bytes;
    let cuts = (0..=save.len()).map(|len| save[..len].to_vec());
    let changes = (0..save.len()).map(|at| {
        let mut bytes = save.clone();
        bytes[at] ^= 0xff;
        bytes
    });
    let (mut found, mut unreadable) = (0, 0);
    for bytes in cuts.chain(changes) {
        let document = Document::new(&bytes, Dialect::GODOT_4);
        for (path, together) in PATHS.iter().zip(find(document, &PATHS)) {
            let alone = find(document, &[path])[0];
            let at = |value: VariantRef<'_>| value.offset();
            let [together, alone] = [together, alone].map(|place| {
                let place = place?;
                let value = match place.found() {
                    Some(Found::Value(value)) => Some(at(value)),
                    _ => None,
                };
                let (container, key) = (place.container().map(at), place.key().map(at));
                Some((
                    value,
                    place.found().is_some(),
                    at(place.owner()),
                    container,
                    key,
                ))
            });
            assert_eq!(together, alone, "{path} in {bytes:?}");
            found += usize::from(alone.is_some_and(|(_, is_there, ..)| is_there));
            unreadable += usize::from(alone.is_none());
        }
    }
    // Both happen often.
    assert!(found > 1000 && unreadable > 1000, "{found} {unreadable}");
}
