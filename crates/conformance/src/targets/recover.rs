//! Recovered bytes are in order, and hold every whole child in front of the damage.

use gdvar::{
    Document, Mode, PrefixOrder, ReadOptions,
    edit::{Segment, recover, recover_records},
};

use super::Input;
use crate::{alike::Random, vectors::hex};

/// Any bytes, and a value that is cut or bent.
///
/// # Panics
/// If a promise is broken.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let options = input.rules.inert().options();
    check(input.bytes, options);
    let segment = Segment::from(input.bytes);
    for order in [PrefixOrder::Little, PrefixOrder::Big] {
        records(&[segment], order, options);
    }
    let Ok(end) = Document::with_options(input.bytes, options).validate() else {
        return;
    };
    let value = &input.bytes[..end];
    let at = usize::from(input.choice) % end.max(1);
    keeps(value, &value[..at], at, options);
    let mut bent = value.to_vec();
    bent[at] ^= 1 << (input.choice >> 13);
    keeps(value, &bent, at, options);
}

/// The rest of any bytes is a value.
///
/// # Panics
/// If it is none.
pub fn check(bytes: &[u8], options: ReadOptions) -> Vec<u8> {
    let document = Document::with_options(bytes, options);
    let found = recover(document);
    assert_eq!(found.is_whole(), found.damage().is_none());
    if found.is_whole() {
        assert!(document.validate().is_ok(), "{options:?} {}", hex(bytes));
    }
    let Some(plan) = found.plan() else {
        return Vec::new();
    };
    let left = plan.to_vec();
    let who = || format!("{options:?} {} of {}", hex(&left), hex(bytes));
    assert_eq!(left.len(), plan.len(), "{}", who());
    // Keys that stand there twice, and elements of another type, are no damage of one child.
    let engine = options.with_mode(Mode::Engine);
    let end = Document::with_options(&left, engine).validate();
    assert_eq!(end, Ok(left.len()), "{}", who());
    let total: usize = found.lost().iter().map(|lost| lost.of - lost.from).sum();
    assert!(total > 0 || found.lost().is_empty(), "{}", who());
    left
}

/// A value with a damage of a byte, a run or all of the rest, and where that begins.
#[must_use]
pub fn damaged(whole: &[u8], random: &mut Random) -> (usize, Vec<u8>) {
    let mut bent = whole.to_vec();
    let at = random.below(bent.len());
    let len = [1, 4, 64, bent.len()][random.below(4)];
    for byte in bent.iter_mut().skip(at).take(len) {
        *byte = random.next_number() as u8;
    }
    (at, bent)
}

/// Every child of the outermost container that ends in front of the damage is kept. Returns the rest, as [`check`].
///
/// # Panics
/// If one is not.
pub fn keeps(whole: &[u8], damaged: &[u8], at: usize, options: ReadOptions) -> Vec<u8> {
    let left = check(damaged, options);
    let root = Document::with_options(whole, options)
        .root()
        .expect("it was read");
    let mut kept = Vec::new();
    let mut pass = |value: gdvar::VariantRef<'_>| {
        let (start, end) = (value.offset(), value.end().expect("it was read"));
        if end <= at {
            kept.push(&whole[start..end]);
        }
    };
    if let Some(array) = root.as_array() {
        array
            .iter()
            .for_each(|item| pass(item.expect("it was read")));
    } else if let Some(dict) = root.as_dict() {
        let pairs = dict.iter().map(|pair| pair.expect("it was read"));
        pairs.for_each(|(_, value)| pass(value));
    }
    if kept.is_empty() {
        return left;
    }
    let who = || format!("{options:?} {} of {} ({at})", hex(&left), hex(whole));
    let root = Document::with_options(&left, options).root();
    let root = root.unwrap_or_else(|error| panic!("{error} {}", who()));
    let found: Vec<&[u8]> = if let Some(array) = root.as_array() {
        array
            .iter()
            .map(|item| item.and_then(|item| item.raw()).expect("in order"))
            .collect()
    } else {
        let dict = root.as_dict().unwrap_or_else(|| panic!("{}", who()));
        let pairs = dict.iter();
        pairs
            .map(|pair| pair.and_then(|pair| pair.1.raw()).expect("in order"))
            .collect()
    };
    assert!(
        found.len() >= kept.len() && found[..kept.len()] == kept,
        "{}",
        who()
    );
    left
}

/// The rest of any records are records.
///
/// # Panics
/// If they are none.
pub fn records(segments: &[Segment<'_>], order: PrefixOrder, options: ReadOptions) -> Vec<u8> {
    let found = recover_records(segments, order, options);
    let mut file = Vec::new();
    found.write_to(&mut file).expect("memory");
    let mut count = 0;
    for frame in gdvar::frames(&file, order) {
        let frame = frame.expect("a record");
        let engine = options.with_mode(Mode::Engine);
        let end = Document::with_options(frame.bytes, engine).validate();
        assert_eq!(end, Ok(frame.bytes.len()), "{options:?} {}", hex(&file));
        count += 1;
    }
    assert_eq!(count, found.len());
    file
}
