//! Binary resources as layers (`testdata/resources`).

use gdvar_conformance::vectors::testdata;
use gdvar_file::{Hints, LayerKind, NotOpened, PeelError, open};
use gdvar_io::{FileErrorKind, compressed::Mode, packed};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(testdata("resources").join(name)).expect("a file")
}

#[test]
fn a_resource_is_one_value_of_its_engine() {
    for (name, layer, dialect, mode) in [
        ("godot4/refs.res", "resource:6", "godot4", None),
        ("godot4/all_z.res", "resource:6", "godot4", Some(Mode::Zstd)),
        ("godot4/all_be.res", "resource:6", "godot4", None),
        ("godot3/refs.res", "resource:3", "godot3", None),
        (
            "godot3.2/all_z.res",
            "resource:3",
            "godot3",
            Some(Mode::Zstd),
        ),
    ] {
        let file = sample(name);
        let opened = open(&file, &Hints::new()).expect(name);
        let layers = &opened.peeled().layers;
        assert_eq!(layers.len(), 1, "{name}");
        assert_eq!(layers[0].name(), layer, "{name}");
        let LayerKind::Resource(resource) = &layers[0].kind else {
            panic!("{name}");
        };
        assert_eq!(resource.mode, mode, "{name}");
        assert_eq!(opened.decision().dialect.name(), dialect, "{name}");
        let records: Vec<_> = opened.records().collect();
        assert_eq!(records.len(), 1, "{name}");
        assert_eq!(
            opened.check(&records[0]),
            Ok(opened.contents().len()),
            "{name}"
        );
        let unchanged = opened.replace(opened.contents().to_vec(), None);
        let unchanged = unchanged.expect(name);
        // A compressor may find other blocks than the engine's.
        if resource.mode.is_none() {
            assert!(unchanged == file, "{name}");
        }
        let again = open(&unchanged, &Hints::new()).expect(name);
        assert!(again.contents() == opened.contents(), "{name}");
    }
}

#[test]
fn a_resource_is_found_in_other_layers() {
    let file = sample("godot4/tiny.res");
    let packed = packed::pack(Mode::Gzip, &file).expect("gzip");
    let opened = open(&packed, &Hints::new()).expect("a resource");
    let names: Vec<_> = opened
        .peeled()
        .layers
        .iter()
        .map(|layer| layer.name())
        .collect();
    assert_eq!(names, ["gzip", "resource:6"]);
}

#[test]
fn damage_is_named() {
    let mut file = sample("godot4/tiny.res");
    file.truncate(100);
    let error = open(&file, &Hints::new()).expect_err("damage");
    assert_eq!(error.name(), "Truncated");
    assert!(matches!(error, NotOpened::Layer(PeelError::Resource(_))));
    // What is above the limit is named as in every compressed file.
    let file = sample("godot4/all_z.res");
    let mut hints = Hints::new();
    hints.max_unpacked = Some(100);
    match open(&file, &hints) {
        Err(NotOpened::Layer(PeelError::Bytes(error))) => {
            assert!(matches!(
                error.kind(),
                FileErrorKind::TooLong { limit: 100, .. }
            ));
        }
        other => panic!("{other:?}"),
    }
}
