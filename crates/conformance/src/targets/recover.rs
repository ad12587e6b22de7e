//! Recovers damaged bytes. The result must be valid. If a record was only cut, the rest must begin with the
//! children that it had.

use gdvar::{
    Document, Mode, ReadOptions,
    edit::{Segment, recover, recover_records},
    frames::PrefixOrder,
};

use super::Input;
use crate::vectors::hex;

/// Recovers any bytes, and a value that is cut or damaged.
///
/// # Panics
/// If the recovered bytes are invalid, or children before the cut are missing.
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
    cut(value, at, options);
    let mut bent = value.to_vec();
    bent[at] ^= 1 << (input.choice >> 13);
    check(&bent, options);
}

/// Checks that the recovered bytes are a value.
///
/// # Panics
/// If they are not a value.
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
    // Strict mode may refuse repeated keys and elements of another type, which are not damage to a single
    // child.
    let engine = options.with_mode(Mode::Engine);
    let end = Document::with_options(&left, engine).validate();
    assert_eq!(end, Ok(left.len()), "{}", who());
    for lost in found.lost() {
        assert!(
            lost.count > 0 && lost.from + lost.count <= lost.of,
            "{}",
            who()
        );
    }
    for skipped in found.skipped() {
        assert!(
            skipped.start < skipped.end && skipped.end <= bytes.len(),
            "{}",
            who()
        );
    }
    left
}

/// Cuts a record and recovers it. The rest must begin with the children of the outermost container that end
/// before the cut.
///
/// # Panics
/// If a child is missing.
pub fn cut(whole: &[u8], at: usize, options: ReadOptions) {
    let kept = children(whole, options, at);
    // The length prefix gives the end of the record. Without it, a cut between two children of the outermost
    // container might look like a container that has taken the children after it.
    let file = [&(whole.len() as u32).to_le_bytes()[..], &whole[..at]].concat();
    let left = records(&[Segment::from(&file[..])], PrefixOrder::Little, options);
    let Some(frame) = gdvar::frames::frames(&left, PrefixOrder::Little).next() else {
        return;
    };
    let found = children(frame.expect("a record").bytes, options, usize::MAX);
    let len = kept.len().min(found.len());
    let who = || format!("{options:?} {} ({at})", hex(whole));
    let Some((found_last, found)) = found[..len].split_last() else {
        return;
    };
    let (kept_last, kept) = kept[..len].split_last().expect("as many");
    assert_eq!(found, kept, "{}", who());
    // Nulls at the end of the last child may be taken for zeros of the damage. Then only a part of the child
    // is kept.
    let is_same = found_last == kept_last || found_last.len() < kept_last.len();
    assert!(is_same, "{} in {}", hex(found_last), who());
}

/// Returns the children of a value that end at or before `until`.
fn children(bytes: &[u8], options: ReadOptions, until: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let Ok(root) = Document::with_options(bytes, options).root() else {
        return all;
    };
    let mut pass = |value: gdvar::VariantRef<'_>| {
        let (start, end) = (value.offset(), value.end().expect("it was read"));
        if end <= until {
            all.push(bytes[start..end].to_vec());
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
    all
}

/// Checks that the recovered bytes of a file of records are records.
///
/// # Panics
/// If they are not records.
pub fn records(segments: &[Segment<'_>], order: PrefixOrder, options: ReadOptions) -> Vec<u8> {
    let found = recover_records(segments, order, options);
    let mut file = Vec::new();
    found.write_to(&mut file).expect("memory");
    let mut count = 0;
    for frame in gdvar::frames::frames(&file, order) {
        let frame = frame.expect("a record");
        let engine = options.with_mode(Mode::Engine);
        let end = Document::with_options(frame.bytes, engine).validate();
        assert_eq!(end, Ok(frame.bytes.len()), "{options:?} {}", hex(&file));
        count += 1;
    }
    assert_eq!(count, found.len());
    file
}
