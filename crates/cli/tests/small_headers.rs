//! Headers in front of small values.

mod common;

use std::fs;

use common::gdvar;

/// A magic, a version and a line of text in front of one bare value are a header, however small the value is. Both
/// engines wrote such values, and every reading verb shows them as without the header.
#[test]
fn text_and_versions_in_front_of_small_bare_values_are_headers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.sav");
    let word = |number: u32| number.to_le_bytes().to_vec();
    let heads = [
        [b"SAVE".to_vec(), word(1)].concat(),
        [b"SAVE".to_vec(), word(2)].concat(),
        [b"SAV2".to_vec(), 1_732_711_111.5_f64.to_le_bytes().to_vec()].concat(),
        [word(3), word(14)].concat(),
        [word(5), b"Hello".to_vec()].concat(),
        b"version 1.2\n".to_vec(),
        b"v 1.2\n".to_vec(),
        b"3\n".to_vec(),
        b"my 2.10\r\n".to_vec(),
        b"MYGAMESAVEv00001".to_vec(),
        vec![1],
        vec![1, 0],
        word(1),
        word(3),
        word(16),
        // A checksum.
        word(0xa9_70_02_bb),
    ];
    let texts = [
        r#"{"hp": 80, "name": "Ann"}"#,
        r#"["abc", 4, "hello"]"#,
        r#"{"hp": 80, "pos": Vector2(1.5, 2), "items": ["sword", "shield"]}"#,
    ];
    for dialect in ["godot4", "godot3"] {
        for text in texts {
            let write = ["from-text", "-f", "bare", "-d", dialect, "-"];
            let value = gdvar(&write, text.as_bytes()).stdout;
            fs::write(&file, &value).expect("space");
            let file = file.to_str().expect("a path");
            let of = |args: &[&str]| {
                let output = gdvar(&[args, &["-q", "-d", dialect, file]].concat(), b"");
                (output.status.code(), output.stdout)
            };
            let verbs = ["json", "text", "get", "grep", "gron"];
            let plain = verbs.map(|verb| match verb {
                "grep" => of(&["grep", "-k", "h"]),
                _ => of(&[verb]),
            });
            for head in &heads {
                fs::write(file, [&head[..], &value].concat()).expect("space");
                let after = verbs.map(|verb| match verb {
                    "grep" => of(&["grep", "-k", "h"]),
                    _ => of(&[verb]),
                });
                assert_eq!(after, plain, "{dialect} {head:?} {text}");
                assert_eq!(of(&["check"]).0, Some(0), "{dialect} {head:?} {text}");
            }
            // Its own length with a wrong byte is damage.
            let length = u32::try_from(value.len()).expect("a short value");
            for wrong in [0, length + 1, length - 4, length | 1 << 24] {
                fs::write(file, [&word(wrong)[..], &value].concat()).expect("space");
                assert_eq!(of(&["check"]).0, Some(3), "{dialect} {wrong} {text}");
            }
        }
    }
}
