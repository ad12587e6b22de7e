use alloc::{vec, vec::Vec};

use crate::bytes::{
    plain::pair,
    samples::{string, words},
};

/// The text of the String that these bytes begin with.
fn plain_str(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (_, len) = pair(bytes, 0)?;
    super::plain_str(bytes, len)
}

/// A String at the end of the buffer, and with bytes behind it: such as are no text, zeros, and such
/// as are.
fn places(text: &[u8]) -> [Vec<u8>; 4] {
    let bytes = string(text);
    let with = |behind: &[u8]| [&bytes[..], behind].concat();
    [
        with(&[]),
        with(&[0xff; 40]),
        with(&[0; 40]),
        with(&[b'a'; 40]),
    ]
}

#[test]
fn text_of_any_length_is_validated_by_every_byte() {
    for len in (0..=41).chain([63, 64, 65, 300]) {
        let text = vec![b'a'; len];
        let size = string(&text).len();
        let expected = core::str::from_utf8(&text).unwrap();
        for bytes in places(&text) {
            assert_eq!(plain_str(&bytes), Some((expected, &bytes[size..])), "{len}");
        }
        for (at, bad) in (0..len).flat_map(|at| [(at, 0), (at, 0xc3)]) {
            let mut text = text.clone();
            text[at] = bad;
            for bytes in places(&text) {
                assert_eq!(plain_str(&bytes), None, "{bad:#x} at {at} of {len}");
            }
        }
    }
    for text in [
        "é",
        "日本語",
        "sixteen bytes: é",
        "a text of more than sixteen bytes: é",
    ] {
        for bytes in places(text.as_bytes()) {
            assert_eq!(plain_str(&bytes).map(|(text, _)| text), Some(text));
        }
    }
}

#[test]
fn what_engines_read_otherwise_is_left_alone() {
    // A byte order mark, alone and before other text.
    for text in [
        "\u{feff}",
        "\u{feff}a",
        "\u{feff}a text of more than sixteen bytes",
    ] {
        for bytes in places(text.as_bytes()) {
            assert_eq!(plain_str(&bytes), None, "{text:?}");
        }
    }
    // Cut in the text and in the padding, and of a length of which no text is.
    let bytes = string(b"abcde");
    for len in 0..bytes.len() {
        assert_eq!(plain_str(&bytes[..len]), None, "{len}");
    }
    assert_eq!(plain_str(&words(&[4, u32::MAX, 0, 0, 0, 0])), None);
}
