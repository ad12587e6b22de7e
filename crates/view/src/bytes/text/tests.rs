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

#[test]
fn canonical_text_is_all_of_it_and_its_padding() {
    use super::canonical;
    for len in (0..=41).chain([63, 64, 65, 300]) {
        let text = vec![b'a'; len];
        let size = string(&text).len();
        for mut bytes in places(&text) {
            bytes[8 + len..size].fill(0);
            assert_eq!(canonical(&bytes, len), Some(&text[..]), "{len}");
            for at in 8 + len..size {
                let mut padded = bytes.clone();
                padded[at] = 1;
                assert_eq!(canonical(&padded, len), None, "{len}: byte {at}");
            }
            for (at, bad) in (0..len).flat_map(|at| [(at, 0), (at, 0xff)]) {
                let mut other = bytes.clone();
                other[8 + at] = bad;
                assert_eq!(canonical(&other, len), None, "{bad:#x} at {at} of {len}");
            }
        }
        let mut bytes = string(&text);
        bytes[8 + len..].fill(0);
        for cut in 0..size {
            assert_eq!(canonical(&bytes[..cut], len), None, "{cut} of {size}");
        }
    }
    for (text, is_canonical) in [
        ("é", true),
        ("a text of more than sixteen bytes: é", true),
        ("\u{feff}a", false),
        ("\u{feff}a text of more than thirty-two bytes of it", false),
    ] {
        for mut bytes in places(text.as_bytes()) {
            let end = 8 + text.len();
            bytes[end..end.next_multiple_of(4)].fill(0);
            let expected = is_canonical.then_some(text.as_bytes());
            assert_eq!(canonical(&bytes, text.len()), expected, "{text:?}");
        }
    }
}

/// Short text of ASCII has a way of its own, whatever its length, its padding and the values behind it.
#[cfg(feature = "ascii")]
#[test]
fn short_ascii_is_taken_in_words() {
    use super::short_str;
    for len in 0..=32_usize {
        let text = vec![b'a'; len];
        let expected = core::str::from_utf8(&text).unwrap();
        for behind in [[0; 40], [b'a'; 40]] {
            let bytes = [&string(&text)[8..], &behind].concat();
            let rest = &bytes[len.next_multiple_of(4)..];
            assert_eq!(short_str(&bytes, len), Some((expected, rest)), "{len}");
            for at in 0..len {
                let mut other = bytes.clone();
                other[at] = 0;
                assert_eq!(short_str(&other, len), None, "NUL at {at} of {len}");
                other[at] = 0x80;
                assert_eq!(short_str(&other, len), None, "0x80 at {at} of {len}");
            }
            // All that is looked at has to be there.
            let looked_at = len.max(1).next_multiple_of(8) + 4;
            assert!(short_str(&bytes[..looked_at], len).is_some(), "{len}");
            assert_eq!(short_str(&bytes[..looked_at - 1], len), None, "{len}");
        }
    }
    assert_eq!(short_str(&[b'a'; 80], 33), None);
}
