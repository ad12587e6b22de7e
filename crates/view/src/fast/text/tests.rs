use alloc::{vec, vec::Vec};

use super::{LARGEST, batch, run};
use crate::bytes::samples::{RecordedOffsets, element, starts, string};

/// Returns how many of the texts are skipped, as values and as elements, after checking the reported offsets.
fn passed(texts: &[&[u8]], after: &[u8]) -> usize {
    let all = [true, false].map(|is_value| {
        let make = if is_value { string } else { element };
        let values: Vec<_> = texts.iter().map(|text| make(text)).collect();
        let bytes = [&[0xbf; 8], values.concat().as_slice(), after].concat();
        let mut recorded = RecordedOffsets::default();
        let left = values.len() as u32;
        let (at, left) = if is_value {
            run(&bytes, 8, left, Some(4), &mut recorded)
        } else {
            run(&bytes, 8, left, None, &mut recorded)
        };
        let passed = values.len() - left as usize;
        let starts = starts(8, &values);
        assert_eq!(recorded.0, starts[..passed]);
        assert_eq!(
            at,
            starts
                .get(passed)
                .copied()
                .unwrap_or(bytes.len() - after.len())
        );
        passed
    });
    assert_eq!(all[0], all[1]);
    all[0]
}

#[test]
fn a_run_ends_at_the_first_invalid_text() {
    let long = [b'x'; 700];
    let good: [&[u8]; 6] = [
        b"",
        b"a",
        "é".as_bytes(),
        b"exactly8",
        "日本語".as_bytes(),
        &long,
    ];
    for count in [1, 2, 3, 40, 200] {
        let texts: Vec<&[u8]> = (0..count).map(|n| good[n % good.len()]).collect();
        for after in [&b""[..], b"\xbf\xbf\xbf\xbf"] {
            assert_eq!(passed(&texts, after), count);
        }
        // The bad text is in a batch with valid ones, or the first of a batch.
        for bad in [&b"\xff"[..], b"\xc3", b"12345678\xe4\xb8", b"\x80"] {
            for at in [0, 1, count / 2, count - 1] {
                let mut texts = texts.clone();
                texts[at.min(count - 1)] = bad;
                assert_eq!(
                    passed(&texts, b""),
                    at.min(count - 1),
                    "{bad:x?} {at} of {count}"
                );
            }
        }
    }
}

#[test]
fn bytes_between_texts_do_not_hide_errors() {
    // A character that is cut off, and padding that would complete it. (The usual `~` would not.)
    for (text, after) in [
        (&b"abc\xc3"[..], 0xa9),
        (b"\xc3", 0xa9),
        (b"ab\xe4\xb8", 0x96),
    ] {
        let mut value = element(text);
        value[4 + text.len()..].fill(after);
        let bytes = [
            vec![0; 8],
            element(b"first"),
            value.clone(),
            element(b"last"),
        ]
        .concat();
        let stop = 8 + element(b"first").len();
        let end = run(&bytes, 8, 3, None, &mut RecordedOffsets::default());
        assert_eq!(end, (stop, 2), "{text:x?}");
        // The same padding after good text is accepted.
        let mut good = element(b"good!");
        good[9..].fill(after);
        let bytes = [vec![0; 8], element(b"first"), good, element(b"last")].concat();
        let end = run(&bytes, 8, 3, None, &mut RecordedOffsets::default());
        assert_eq!(end, (bytes.len(), 0));
    }
    // A length whose bytes are not ASCII (128), and a length that continues the text before it.
    let odd = [b'y'; 0xa9];
    let texts: [&[u8]; 4] = [b"abc\xc3", &[b'x'; 128], &odd, b"z"];
    assert_eq!(passed(&texts, b""), 0);
    assert_eq!(passed(&texts[1..], b""), 3);
}

#[test]
fn impossible_lengths_end_a_run() {
    for len in [5, 0x7fff_fffc, 0x7fff_fffd, u32::MAX] {
        let bytes = [element(b"good"), len.to_le_bytes().to_vec(), vec![b'a'; 4]].concat();
        assert_eq!(
            run(&bytes, 0, 2, None, &mut RecordedOffsets::default()),
            (8, 1)
        );
    }
    // A value that is not a string, and the end of the bytes.
    for rest in [&[2, 0, 0, 0, 1, 0, 0, 0][..], &[4, 0, 0], &[]] {
        let bytes = [&string(b"good")[..], rest].concat();
        assert_eq!(
            run(&bytes, 0, 3, Some(4), &mut RecordedOffsets::default()),
            (12, 2)
        );
    }
}

#[test]
fn a_batch_that_fails_is_checked_string_by_string() {
    // More than the largest batch holds, and one bad text near the end.
    let count = 4 * LARGEST / 12;
    let mut texts: Vec<&[u8]> = vec![b"12345678"; count];
    assert_eq!(passed(&texts, b""), count);
    texts[count - 5] = b"1234567\xff";
    assert_eq!(passed(&texts, b""), count - 5);
}

#[test]
fn a_batch_consists_of_whole_strings() {
    // Twelve bytes each, after eight other bytes.
    let values = vec![string(b"text"); 20];
    let bytes = [vec![0; 8], values.concat()].concat();
    for left in [0, 1, 2, 20, 30] {
        for size in [1_usize, 11, 12, 13, 24, 25, 1000] {
            let mut recorded = RecordedOffsets::default();
            let count = 20.min(left).min(size.div_ceil(12) as u32);
            let end = 8 + 12 * count as usize;
            let found = batch(&bytes, 8, left, Some(4), size, &mut recorded);
            assert_eq!(found, (end, count), "{left} {size}");
            assert_eq!(recorded.0, starts(8, &values)[..count as usize]);
        }
    }
    // A length that is not ASCII in any of its bytes, and a text that the padding continues.
    for len in [128, 0x8000, 0x80_0000] {
        let long = [element(b"a"), element(&vec![b'x'; len])].concat();
        assert_eq!(batch(&long, 0, 2, None, 1000, &mut ()), (8, 1));
    }
    for after in 0..=u8::MAX {
        let mut bytes = [element(b"a"), element(b"abc")].concat();
        bytes[15] = after;
        let goes_on = after & 0xc0 == 0x80;
        let expected = if goes_on { (8, 1) } else { (16, 2) };
        assert_eq!(batch(&bytes, 0, 2, None, 1000, &mut ()), expected);
    }
    // The last text ends with the buffer.
    let bytes = [element(b"a"), element(b"last")].concat();
    assert_eq!(batch(&bytes, 0, 9, None, 1000, &mut ()), (16, 2));
}
