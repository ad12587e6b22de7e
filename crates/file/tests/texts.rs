//! Text documents among other bytes: zeros that a crash left after them, and lists that could be the bytes of a value.

use std::{fs, path::PathBuf};

use gdvar_conformance::vectors::testdata;
use gdvar_file::{Hints, LayerKind, Peeled, peel};

/// Every text document of the engines, and those made by hand.
fn documents() -> Vec<PathBuf> {
    let folders = [
        "documents",
        "documents/godot4",
        "documents/godot3.6",
        "forms/godot4",
        "forms/godot3",
    ];
    let files = folders.iter().flat_map(|folder| {
        let files = fs::read_dir(testdata(folder)).expect("a folder");
        files.map(|file| file.expect("a file").path())
    });
    let is_document = |path: &PathBuf| {
        { path.extension() }.is_some_and(|end| {
            ["cfg", "tres", "tscn", "godot", "import"].contains(&&*end.to_string_lossy())
        })
    };
    files.filter(is_document).collect()
}

fn is_document(peeled: &Peeled) -> bool {
    { peeled.layers.last() }.is_some_and(|layer| matches!(layer.kind, LayerKind::Document(_)))
}

#[test]
fn zeros_after_a_document_hide_nothing_and_stay() {
    let mut count = 0;
    for path in documents() {
        let file = fs::read(&path).expect("a file");
        let Ok(plain) = peel(&file, &Hints::new()) else {
            continue;
        };
        if !is_document(&plain) {
            continue;
        }
        for zeros in [1, 16, 5000] {
            let mut longer = file.clone();
            longer.resize(file.len() + zeros, 0);
            let peeled =
                peel(&longer, &Hints::new()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert!(is_document(&peeled), "{path:?} {zeros}");
            assert_eq!(peeled.contents(&longer), plain.contents(&file), "{path:?}");
            let layer = peeled.layers.last().expect("a layer");
            let again = layer.wrap(peeled.contents(&longer), None).expect("written");
            assert!(again == longer, "{path:?} {zeros}");
        }
        count += 1;
    }
    assert!(count > 40, "{count} documents");
}

/// 4.6.3 loads all of these with all values.
#[test]
fn a_list_in_a_document_is_not_the_file() {
    for text in [
        "[s]\n\nname=\"Bob\"\nslots=[2, 0, 0, 0, 5, 0, 0, 0]\n",
        "[video]\n\nmode=1\nx=[PackedByteArray(27, 0, 0, 0, 0, 0, 0, 0)]\n",
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nmetadata/tints = [Color(1, 0, 0, 1)]\n",
        "[1, 2, 3, 4]",
        "[0, 0, 255, 255, 7, 7, 7, 7]",
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"set\" binds= [0, 1, 2, 3]]\n",
    ] {
        let peeled = peel(text.as_bytes(), &Hints::new()).expect("read");
        assert!(is_document(&peeled), "{text}");
    }
}

/// A printed save is bytes, even one that is cut.
#[test]
fn a_list_of_bytes_is_a_value() {
    let save = fs::read(testdata("saves/rpg4.sav")).expect("a save");
    for len in [save.len(), save.len() / 2, 300] {
        let list: Vec<String> = save[..len].iter().map(u8::to_string).collect();
        let text = format!("[{}]", list.join(", "));
        let peeled = peel(text.as_bytes(), &Hints::new()).expect("read");
        assert_eq!(peeled.contents(text.as_bytes()), &save[..len]);
    }
}
