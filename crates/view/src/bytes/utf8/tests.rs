use alloc::vec;

use super::{is_text, is_utf8};

/// The first and last characters of one to four bytes, and sequences that are not characters.
const PIECES: [&[u8]; 18] = [
    b"a",
    b"\0",
    b"\x7f",
    b"\xc2\x80",
    b"\xdf\xbf",
    b"\xe0\xa0\x80",
    b"\xed\x9f\xbf",
    b"\xef\xbf\xbf",
    b"\xf0\x90\x80\x80",
    b"\xf4\x8f\xbf\xbf",
    b"\x80",
    b"\xc1\xbf",
    b"\xc3",
    b"\xe0\x9f\xbf",
    b"\xed\xa0\x80",
    b"\xe4\xb8",
    b"\xf4\x90\x80\x80",
    b"\xf0\x9f\x98",
];

#[test]
fn the_answer_is_that_of_the_standard_library() {
    for len in 0..140 {
        for piece in PIECES {
            for at in 0..=len {
                let mut text = vec![b'a'; len];
                text.splice(at..(at + piece.len()).min(len), piece.iter().copied());
                let expected = core::str::from_utf8(&text).is_ok();
                // After the text: nothing, or bytes that would complete a cut character.
                for after in [0, 1, 70] {
                    let mut bytes = vec![0xbf; 8];
                    bytes.extend(&text);
                    bytes.resize(8 + text.len() + after, 0xbf);
                    let all = [is_text, is_utf8].map(|is| is(&bytes[8..], text.len()));
                    assert_eq!(all, [expected; 2], "{text:x?} {after}");
                }
            }
        }
    }
    let bytes = [b'a'; 100];
    for is in [is_text, is_utf8] {
        assert!(is(&bytes[8..], 92) && !is(&bytes[8..], 93) && !is(&[], 1));
    }
}
