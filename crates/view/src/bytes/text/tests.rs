use alloc::{vec, vec::Vec};

use crate::bytes::{
    common::pair,
    samples::{string, words},
};

/// The text of the String at the start of `bytes`, if every engine reads it unchanged.
fn unchanged_str(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (_, len) = pair(bytes, 0)?;
    super::unchanged_str(bytes, len)
}

/// A String at the end of the buffer, and before bytes that are invalid text, NUL, or valid text.
fn places(text: &[u8]) -> [Vec<u8>; 4] {
    let bytes = string(text);
    let with = |after: &[u8]| [&bytes[..], after].concat();
    [
        with(&[]),
        with(&[0xff; 40]),
        with(&[0; 40]),
        with(&[b'a'; 40]),
    ]
}

#[test]
fn every_byte_of_a_text_is_validated() {
    for len in (0..=41).chain([63, 64, 65, 300]) {
        let text = vec![b'a'; len];
        let size = string(&text).len();
        let expected = core::str::from_utf8(&text).unwrap();
        for bytes in places(&text) {
            assert_eq!(
                unchanged_str(&bytes),
                Some((expected, &bytes[size..])),
                "{len}"
            );
        }
        for (at, bad) in (0..len).flat_map(|at| [(at, 0), (at, 0xc3)]) {
            let mut text = text.clone();
            text[at] = bad;
            for bytes in places(&text) {
                assert_eq!(unchanged_str(&bytes), None, "{bad:#x} at {at} of {len}");
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
            assert_eq!(unchanged_str(&bytes).map(|(text, _)| text), Some(text));
        }
    }
}

#[test]
fn text_that_engines_change_is_refused() {
    // A byte order mark, alone and before text.
    for text in [
        "\u{feff}",
        "\u{feff}a",
        "\u{feff}a text of more than sixteen bytes",
    ] {
        for bytes in places(text.as_bytes()) {
            assert_eq!(unchanged_str(&bytes), None, "{text:?}");
        }
    }
    // Cut in the text and in the padding, and with a length that no text has.
    let bytes = string(b"abcde");
    for len in 0..bytes.len() {
        assert_eq!(unchanged_str(&bytes[..len]), None, "{len}");
    }
    assert_eq!(unchanged_str(&words(&[4, u32::MAX, 0, 0, 0, 0])), None);
}

#[test]
fn canonical_checks_the_text_and_its_padding() {
    use super::canonical;
    let canonical = |text: &[u8], len: usize, size| {
        let field = [&[len as u8, 0, 0, 0], text].concat();
        canonical(&field, len, size).map(<[u8]>::to_vec)
    };
    for len in (0..=41).chain([63, 64, 65, 300]) {
        let text = vec![b'a'; len];
        // With the padding of a String, or with the NUL that ends an element of a PackedStringArray.
        for size in [len.next_multiple_of(4), (len + 1).next_multiple_of(4)] {
            for after in [0, 1, 40] {
                let mut bytes = text.clone();
                bytes.resize(size, 0);
                bytes.resize(size + after, 0xff);
                let rest = vec![0xff; after];
                assert_eq!(canonical(&bytes, len, size), Some(rest.clone()), "{len}");
                for at in len..size {
                    let mut padded = bytes.clone();
                    padded[at] = 1;
                    assert_eq!(canonical(&padded, len, size), None, "{len}: byte {at}");
                }
                for (at, bad) in (0..len).flat_map(|at| [(at, 0), (at, 0xff)]) {
                    let mut other = bytes.clone();
                    other[at] = bad;
                    assert_eq!(
                        canonical(&other, len, size),
                        None,
                        "{bad:#x} at {at} of {len}"
                    );
                }
                for cut in 0..size {
                    assert_eq!(canonical(&bytes[..cut], len, size), None, "{cut} of {size}");
                }
            }
        }
    }
    for (text, is_canonical) in [
        ("é", true),
        ("a text of more than thirty-two bytes: é", true),
        ("\u{feff}a", false),
        ("\u{feff}a text of more than thirty-two bytes of it", false),
    ] {
        let (mut bytes, len) = (text.as_bytes().to_vec(), text.len());
        bytes.resize(len.next_multiple_of(4), 0);
        let found = canonical(&bytes, len, bytes.len());
        assert_eq!(found.is_some(), is_canonical, "{text:?}");
    }
}

/// Short ASCII is read by words, whatever its length, its padding and the values after it.
#[cfg(feature = "ascii")]
#[test]
fn short_ascii_is_read_by_words() {
    use super::short_str;
    for len in 0..=32_usize {
        let text = vec![b'a'; len];
        let expected = core::str::from_utf8(&text).unwrap();
        for after in [[0; 40], [b'a'; 40]] {
            let bytes = [&string(&text)[8..], &after].concat();
            let rest = &bytes[len.next_multiple_of(4)..];
            assert_eq!(short_str(&bytes, len), Some((expected, rest)), "{len}");
            for at in 0..len {
                let mut other = bytes.clone();
                other[at] = 0;
                assert_eq!(short_str(&other, len), None, "NUL at {at} of {len}");
                other[at] = 0x80;
                assert_eq!(short_str(&other, len), None, "0x80 at {at} of {len}");
            }
            // All bytes that are loaded must exist.
            let loaded = len.max(1).next_multiple_of(8) + 4;
            assert!(short_str(&bytes[..loaded], len).is_some(), "{len}");
            assert_eq!(short_str(&bytes[..loaded - 1], len), None, "{len}");
        }
    }
    assert_eq!(short_str(&[b'a'; 80], 33), None);
}
