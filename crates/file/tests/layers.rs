//! Saves inside the layers that games add by hand, made by Godot 4.6.3 and 3.6.2 (`testdata/layers`).

use gdvar_conformance::layered::layered;
use gdvar_file::{Certainty, Hints, Layer, LayerKind, Opened, header::size_field, open, peel};
use gdvar_io::{compressed::Mode, encrypted::Key, packed};
use gdvar_view::Dialect;

fn secret() -> Option<Key> {
    Some(Key::from_password("secret"))
}

fn names(opened: &Opened<'_>) -> Vec<String> {
    let layers = opened.peeled().layers.iter();
    layers
        .map(|layer| match &layer.kind {
            LayerKind::Text { encoding, .. } => encoding.name().to_owned(),
            LayerKind::Packed {
                mode: Mode::FastLz,
                size_len,
            } => format!("fastlz:{size_len}"),
            _ => layer.name(),
        })
        .collect()
}

#[test]
fn every_layer_is_removed_and_named() {
    for row in layered() {
        let opened = open(&row.file, &Hints::new().with_key(&secret));
        let opened = opened.unwrap_or_else(|error| panic!("{}: {error}", row.name));
        assert_eq!(names(&opened), row.layers, "{}", row.name);
        assert_eq!(opened.contents(), row.plain, "{}", row.name);
        assert_eq!(opened.decision().dialect.name(), row.engine, "{}", row.name);
        let header = opened
            .peeled()
            .layers
            .first()
            .map_or(0, |layer| layer.header.len());
        assert_eq!(header, row.header, "{}", row.name);
        for record in opened.records() {
            assert_eq!(
                opened.check(&record),
                Ok(record.bytes.len()),
                "{}",
                row.name
            );
        }
    }
}

#[test]
fn contents_go_back_into_every_layer() {
    for row in layered() {
        let hints = Hints::new().with_key(&secret);
        let opened = open(&row.file, &hints).expect("opened");
        let iv = Some([7; 16]);
        let same = opened.replace(row.plain.clone(), iv).expect("written");
        // Deflate may choose other codes, and the initialisation vector is new.
        let is_exact = |name: &String| {
            [
                "fastlz:4",
                "fastlz:8",
                "zstd",
                "compressed:fastlz",
                "compressed:zstd",
                "hex",
                "base64",
            ]
            .contains(&&name[..])
        };
        if row.layers.iter().all(is_exact) {
            assert_eq!(same, row.file, "{}", row.name);
        }
        // Another value of another length: hp becomes a text.
        let mut changed = row.plain.clone();
        let at = changed
            .windows(2)
            .position(|two| two == b"hp")
            .expect("a key")
            + 4;
        changed.splice(at..at + 8, *b"\x04\0\0\0\x03\0\0\0max\0");
        if row.name.contains("framed") {
            changed[0] += 4;
        }
        let file = opened.replace(changed.clone(), iv).expect("written");
        let again = open(&file, &hints).unwrap_or_else(|error| panic!("{}: {error}", row.name));
        assert_eq!(again.contents(), changed, "{}", row.name);
        assert_eq!(names(&again), row.layers, "{}", row.name);
        // The header is kept, and a size in it is updated.
        let (old, new) = (&opened.peeled().layers, &again.peeled().layers);
        if let Some((old, new)) = old.first().zip(new.first()) {
            assert_eq!(old.header.len(), new.header.len(), "{}", row.name);
        }
    }
}

#[test]
fn a_file_that_ends_early_is_an_error() {
    // The engines ignore eight bytes: the second magic of a GCPF file, and the checksum of gzip.
    for row in layered()
        .iter()
        .filter(|row| !row.layers.is_empty() && row.header == 0)
    {
        let is_text = ["hex", "base64"].contains(&&row.layers[0][..]);
        if is_text || row.layers[0].starts_with("fastlz") {
            continue;
        }
        for cut in [9, row.file.len() / 2] {
            let len = row.file.len() - cut;
            let opened = open(&row.file[..len], &Hints::new().with_key(&secret));
            assert!(opened.is_err(), "{} cut to {len}", row.name);
        }
    }
}

/// A `project.binary` with one setting, of these bytes.
fn project(value: &[u8]) -> Vec<u8> {
    let key = b"a/b\0";
    let mut file = b"ECFG\x01\0\0\0".to_vec();
    for part in [&key[..], value] {
        file.extend((part.len() as u32).to_le_bytes());
        file.extend(part);
    }
    file
}

#[test]
fn the_engine_of_settings_is_as_certain_as_their_values() {
    let certainty = |value: &[u8]| {
        let file = project(value);
        let opened = open(&file, &Hints::new()).expect("settings");
        opened.decision().certainty
    };
    // The same String in both engines.
    assert_eq!(certainty(b"\x04\0\0\0\x02\0\0\0hp\0\0"), Certainty::Same);
    // Godot 4's PackedStringArray; Godot 3 has no such number.
    assert_eq!(certainty(b"\x22\0\0\0\0\0\0\0"), Certainty::Certain);
    // A Color of Godot 3, or a Plane of Godot 4.
    let color = [&[14, 0, 0, 0][..], &[0; 16]].concat();
    assert_eq!(certainty(&color), Certainty::Likely);
    let file = project(&color);
    let hints = Hints::new().with_dialect(Dialect::GODOT_3);
    let opened = open(&file, &hints).expect("settings");
    assert_eq!(opened.decision().certainty, Certainty::Given);
}

/// `decompress(size)` has to be told the size, so games write it in front.
#[test]
fn the_size_of_the_contents_in_front_is_mended() {
    let row = layered().swap_remove(0);
    let size = row.plain.len();
    let forms: [fn(usize) -> Vec<u8>; 5] = [
        |size| u32::try_from(size).expect("short").to_le_bytes().to_vec(),
        |size| u32::try_from(size).expect("short").to_be_bytes().to_vec(),
        |size| (size as u64).to_le_bytes().to_vec(),
        |size| (size as u64).to_be_bytes().to_vec(),
        |size| {
            [
                b"SAVE",
                &u32::try_from(size).expect("short").to_le_bytes()[..],
            ]
            .concat()
        },
    ];
    for mode in [Mode::Gzip, Mode::Deflate, Mode::Zstd] {
        for form in forms {
            let packed = packed::pack(mode, &row.plain).expect("packed");
            let file = [form(size), packed].concat();
            let opened = open(&file, &Hints::new()).expect("opened");
            assert_eq!(opened.contents(), row.plain, "{mode}");
            for contents in [
                row.plain.repeat(2),
                row.plain.clone(),
                row.plain.repeat(400),
            ] {
                let changed = opened.replace(contents.clone(), None).expect("written");
                let expected = form(contents.len());
                assert_eq!(changed[..expected.len()], expected, "{mode}");
                let again = peel(&changed, &Hints::new()).expect("peeled again");
                assert!(again.contents(&changed) == contents, "{mode}");
            }
        }
    }
}

/// A header may hold its own length. That is a size of nothing, so no edit changes it.
#[test]
fn the_length_of_a_header_is_no_size() {
    let row = layered().swap_remove(0);
    let header = b"SAVE\x08\0\0\0";
    assert!(size_field(header, 0).is_none() && size_field(header, 8).is_some());
    // The sizes of a layer that was not read from a file are not known.
    let layer = Layer::compressed(Mode::Zstd, 4096).with_header(header.to_vec());
    let file = layer.wrap(&row.plain, None).expect("written");
    assert!(file.starts_with(header));
}
