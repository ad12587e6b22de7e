//! A value of each kind, in each dialect, through every crate: a kind that one of them forgot is named here, with
//! the place to add it. `crates/cli/tests/kinds.rs` does the same with the command.

use gdvar::{
    Dialect, Document, Kind, Objects, ReadOptions, Variant, VariantRef,
    edit::{Edit, Patch},
    serde as gd,
    walk::repeated_keys,
    write::{Loss, Precision, Target, Writer, transcode},
};
use gdvar_conformance::samples::{all_samples, has_numbers, kinds_of, sample};
use gdvar_json::Style;
use gdvar_text::{ParseOptions, parse_godot, write_exact, write_godot};

/// Calls `check` with each kind of each dialect, the bytes of its sample, and their name.
fn each(mut check: impl FnMut(Kind, Dialect, &[u8], &str)) {
    for dialect in Dialect::ALL {
        for kind in kinds_of(dialect) {
            check(
                kind,
                dialect,
                &sample(kind, dialect),
                &format!("{kind} in {dialect}"),
            );
        }
    }
}

fn options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

fn root<'a>(bytes: &'a [u8], dialect: Dialect, who: &str) -> VariantRef<'a> {
    Document::with_options(bytes, options(dialect))
        .root()
        .expect(who)
}

fn target(dialect: Dialect) -> Target {
    Target::from(dialect).with_precision(Precision::AsGiven)
}

/// True for the kinds that the engines print as null or without their contents.
fn has_no_text(kind: Kind) -> bool {
    matches!(kind, Kind::Object | Kind::Image | Kind::InputEvent)
}

/// A Dictionary with `value` under the key `x`.
fn in_a_dictionary(value: &[u8], dialect: Dialect) -> Vec<u8> {
    let id = |kind| dialect.type_id(kind).expect("every dialect has it").0;
    let mut bytes = vec![id(Kind::Dictionary), 0, 0, 0, 1, 0, 0, 0];
    bytes.extend([id(Kind::String), 0, 0, 0, 1, 0, 0, 0, b'x', 0, 0, 0]);
    bytes.extend(value);
    bytes
}

#[test]
fn each_kind_is_read_by_the_rules_of_both_modes() {
    each(|kind, dialect, bytes, who| {
        for options in [options(dialect), options(dialect).strict()] {
            let document = Document::with_options(bytes, options);
            let advice = "crates/view/src/bytes/head.rs decides what a value is";
            assert_eq!(document.validate(), Ok(bytes.len()), "{who}: {advice}");
            assert_eq!(document.root().expect(who).kind(), kind, "{who}: {advice}");
        }
        let fields = Document::with_options(bytes, options(dialect)).wire_fields();
        let named: usize = fields.map(|field| field.len()).sum();
        assert_eq!(
            named,
            bytes.len(),
            "{who}: crates/view/src/fields/head.rs misses bytes"
        );
    });
}

#[test]
fn each_kind_becomes_a_tree_and_the_same_bytes() {
    each(|kind, dialect, bytes, who| {
        let value = Variant::from_slice_with(bytes, options(dialect)).expect(who);
        assert_eq!(value.kind(), kind, "{who}: crates/gdvar/src/read.rs");
        let again = value.to_vec(target(dialect)).expect(who);
        assert_eq!(again, bytes, "{who}: crates/gdvar/src/encode.rs");
        assert_eq!(value, value.clone(), "{who}: crates/gdvar/src/equal.rs");
    });
}

#[test]
fn each_kind_passes_through_serde() {
    each(|_, dialect, bytes, who| {
        let reading = options(dialect);
        let value: Variant = gd::from_slice_with(bytes, reading).expect(who);
        let again = gd::to_vec_with(&value, target(dialect)).expect(who);
        assert_eq!(again, bytes, "{who}: crates/serde/src");
    });
}

/// Only a kind that the target lacks may change.
#[test]
fn each_kind_is_transcoded() {
    each(|kind, from, bytes, who| {
        for to in Dialect::ALL {
            let document = Document::with_options(bytes, options(from));
            let mut writer = Writer::new(Vec::new(), target(to));
            let report = transcode(document, &mut writer).expect(who);
            let written = writer.finish().expect(who);
            if from == to {
                assert_eq!(written, bytes, "{who}: crates/write/src/transcode/leaf.rs");
            }
            // Handles of the running game, and opaque bytes of Godot 2.
            let handles = [Kind::Callable, Kind::Signal, Kind::Object];
            let can_be_dropped = handles.contains(&kind) || has_no_text(kind);
            let is_dropped = report
                .entries()
                .iter()
                .any(|noted| noted.loss == Loss::Dropped);
            let is_lacking = to.type_id(kind).is_none();
            let place = "crates/write/src/transcode/leaf.rs says what else the value becomes";
            assert!(!is_dropped || can_be_dropped, "{who} to {to}: {place}");
            if is_lacking {
                assert!(!report.is_empty(), "{who} to {to}: changed without a word");
            }
        }
    });
}

/// Text of each kind is read back as the same bytes, except what the notation cannot say.
#[test]
fn each_kind_has_a_text_in_the_notation_of_its_dialect() {
    each(|kind, dialect, bytes, who| {
        let root = root(bytes, dialect, who);
        let (mut exact, mut engine) = (String::new(), String::new());
        write_exact(&mut exact, root).expect(who);
        write_godot(&mut engine, root, dialect.notation()).expect(who);
        let has_no_text = kind == Kind::Nil || has_no_text(kind);
        for text in [&exact, &engine] {
            let place = "crates/text/src/write_leaf.rs, packed.rs";
            assert!(has_no_text || text != "null", "{who}: {place}");
        }
        let reading = ParseOptions::new(target(dialect)).with_objects(Objects::Inert);
        let parsed = parse_godot(&exact, &reading);
        if !has_no_text {
            let place = "crates/text/src/parse/names.rs, builder.rs";
            let parsed = parsed.unwrap_or_else(|error| panic!("{who}: {exact}: {error}: {place}"));
            assert_eq!(parsed.bytes, bytes, "{who}: {exact}: {place}");
        }
    });
}

#[test]
fn each_kind_is_the_same_after_tagged_json() {
    each(|_, dialect, bytes, who| {
        let root = root(bytes, dialect, who);
        let mut json = Vec::new();
        let report = gdvar_json::write(root, Style::Tagged, &mut json).expect(who);
        assert!(report.is_lossless(), "{who}");
        let text = String::from_utf8_lossy(&json);
        assert!(
            !text.contains("Raw"),
            "{who}: {text}: crates/json/src/write/tagged.rs"
        );
        let reading = gdvar_json::ReadOptions::new(Style::Tagged, target(dialect));
        let again = gdvar_json::read(&json, &reading.with_objects(Objects::Inert)).expect(who);
        assert_eq!(
            again, bytes,
            "{who}: {text}: crates/json/src/read/tagged.rs"
        );
    });
}

/// The other styles keep the value of each kind, or report what they lose.
#[test]
fn no_style_of_json_loses_a_kind_silently() {
    each(|kind, dialect, bytes, who| {
        for style in [Style::Plain, Style::Native] {
            let root = root(bytes, dialect, who);
            let mut json = Vec::new();
            let report = gdvar_json::write(root, style, &mut json).expect(who);
            let text = String::from_utf8_lossy(&json);
            let reading = gdvar_json::ReadOptions::new(style, target(dialect));
            let again = gdvar_json::read(&json, &reading);
            // The Object of Godot 2 is a header that reads as null.
            let is_same = root.is_nil() || again.is_ok_and(|again| again == bytes);
            assert!(
                is_same || !report.is_lossless(),
                "{who}: {text}: crates/json/src"
            );
            // Numbers are kept in any case.
            assert!(
                !has_numbers(kind) || text.contains(['7', '5']),
                "{who}: {text}: crates/json/src/write/leaf.rs"
            );
        }
    });
}

#[test]
fn each_kind_is_set_compared_and_patched() {
    each(|kind, dialect, bytes, who| {
        let nil = sample(Kind::Nil, dialect);
        let (old, new) = (
            in_a_dictionary(&nil, dialect),
            in_a_dictionary(bytes, dialect),
        );
        let [before, after] =
            [&old, &new].map(|bytes| Document::with_options(bytes, options(dialect)));
        let mut edit = Edit::new(before);
        edit.set("x", bytes);
        assert_eq!(
            edit.plan().expect(who).to_vec(),
            new,
            "{who}: crates/edit/src"
        );
        let patch = Patch::between(before, after).expect(who);
        assert_eq!(
            patch.is_empty(),
            kind == Kind::Nil,
            "{who}: crates/edit/src/diff/same.rs"
        );
        let text = patch.to_string();
        let patch: Patch = text
            .parse()
            .unwrap_or_else(|error| panic!("{who}: {text}: {error}"));
        let patched = patch.edit(before).plan().expect(who).to_vec();
        assert_eq!(patched, new, "{who}: {text}: crates/edit/src/patch/text.rs");
        assert!(Patch::between(after, after).expect(who).is_empty(), "{who}");
    });
}

/// A key of each kind equals itself, so a Dictionary with it twice has a repeated key. Not so for whole objects
/// and for handles that no two values share.
#[test]
fn each_kind_is_a_key() {
    each(|kind, dialect, bytes, who| {
        let nil = sample(Kind::Nil, dialect);
        let id = dialect.type_id(Kind::Dictionary).expect(who).0;
        let twice = [&[id, 0, 0, 0, 2, 0, 0, 0][..], bytes, &nil, bytes, &nil].concat();
        let root = root(&twice, dialect, who);
        let repeated = repeated_keys(root).expect(who).len();
        let never_equal = kind == Kind::Object && dialect.has_object_payload()
            || kind == Kind::Dictionary && dialect.hashes_bits_of_keys();
        let expected = usize::from(!never_equal);
        assert_eq!(
            repeated, expected,
            "{who}: crates/view/src/walk/keys/equality.rs"
        );
    });
}

/// All samples together are one value, which the command's test reads too.
#[test]
fn all_samples_are_one_value() {
    for dialect in Dialect::ALL {
        let bytes = all_samples(dialect);
        let document = Document::with_options(&bytes, options(dialect).strict());
        assert_eq!(document.validate(), Ok(bytes.len()), "{dialect}");
    }
}
