use alloc::{format, vec, vec::Vec};

use gdvar_wire::Dialect;

use crate::{
    Document, Error, ReadOptions, VariantRef,
    bytes::samples::{array, int, nested, string, words},
    walk::keys::equality::{equal, is_text_kind},
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// True if a key is that text. Keys are compared as bytes.
fn is_text(key: VariantRef<'_>, text: &str) -> bool {
    is_text_kind(key.kind(), key.dialect()) && key.as_text().is_some_and(|own| own == *text)
}

/// Finds the last value whose key matches by a loop over all pairs, as documented.
fn looped<'a>(
    root: VariantRef<'a>,
    is_it: impl Fn(VariantRef<'a>) -> bool,
) -> Result<Option<usize>, Error> {
    let mut found = None;
    let mut pairs = root.as_dict().unwrap().iter();
    while let Some((key, value)) = pairs.try_next()? {
        if is_it(key) {
            found = Some(value.offset());
        }
    }
    Ok(found)
}

fn check(pairs: &[Vec<u8>], sought: &[Vec<u8>]) {
    let head = words(&[27, pairs.len() as u32 / 2]);
    let all = [head, pairs.concat()].concat();
    let checked = OPTIONS.without_shortcuts(true);
    // Also cut near the end: of the last value only the head is read.
    for cut in [0, 1, 4, 9, 13, 18, all.len() / 2] {
        let bytes = &all[..all.len().saturating_sub(cut)];
        for options in [OPTIONS, OPTIONS.strict(), checked] {
            let Ok(root) = Document::with_options(bytes, options).root() else {
                continue;
            };
            let dict = root.as_dict().unwrap();
            let offset = |found: Result<Option<VariantRef<'_>>, Error>| {
                found.map(|found| found.map(VariantRef::offset))
            };
            for key in sought {
                let (key, _) = VariantRef::new(key, 0, OPTIONS, 0).unwrap();
                let expected = looped(root, |own| equal(own, key));
                assert_eq!(offset(dict.get_value(key)), expected);
                if let Some(text) = key.as_text() {
                    let text = core::str::from_utf8(text.as_bytes()).unwrap();
                    let expected = looped(root, |own| is_text(own, text));
                    assert_eq!(offset(dict.get(text)), expected, "{text} {cut} {options:?}");
                }
                if let Some(int) = key.as_i64() {
                    let expected = looped(root, |own| own.as_i64() == Some(int));
                    assert_eq!(
                        offset(dict.get_int(int)),
                        expected,
                        "{int} {cut} {options:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn look_ups_find_what_a_loop_finds() {
    let padded = |text: &str| {
        let mut bytes = string(text.as_bytes());
        bytes[8 + text.len()..].fill(0);
        bytes
    };
    let name = |text: &str| [words(&[21]), padded(text)[4..].to_vec()].concat();
    let object = words(&[24 | 1 << 16, 7, 7]);
    let values = [
        int(1),
        padded("a"),
        array(&[padded("b"), int(2), array(&[int(3)])]),
        [words(&[27, 1]), padded("b"), int(9)].concat(),
        nested(20, padded("c")),
        array(&vec![int(5); 300]),
        object,
        words(&[0]),
    ];
    let keys: [&dyn Fn(usize) -> Vec<u8>; 4] = [
        &|n| padded(&format!("key {n}")),
        &|n| name(&format!("key {n}")),
        &|n| int(n as u32),
        // Keys with children, and ints that are wider than they need to be.
        &|n| match n % 3 {
            0 => array(&[int(n as u32), padded("key 1")]),
            1 => words(&[2 | 1 << 16, n as u32, 0]),
            _ => words(&[6, n as u32, 0]),
        },
    ];
    for count in [0, 1, 2, 3, 8, 150] {
        for (kind, key) in keys.iter().enumerate() {
            for repeats in [false, true] {
                let pairs: Vec<_> = (0..count)
                    .flat_map(|n| {
                        let own = if repeats { n / 2 } else { n };
                        [key(own), values[(n + kind) % values.len()].clone()]
                    })
                    .collect();
                let sought = [0, 1, 2, count / 2, count.saturating_sub(1), count];
                let sought: Vec<_> = sought.map(key).into();
                check(&pairs, &sought);
            }
        }
    }
    // Runs of numbers, which an observer hears of together.
    let pairs: Vec<_> = (0..2000).map(|n| int(n / 3)).collect();
    check(&pairs, &[int(0), int(7), int(333), int(666), int(9999)]);
    // Keys whose text engines shorten.
    let odd = [
        string("\u{feff}key".as_bytes()),
        int(1),
        string(b"k\0y"),
        int(2),
    ];
    check(&odd, &[padded("key"), padded("k"), padded("k\0")]);
}
