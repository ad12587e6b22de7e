//! A block of zeros in a save of Godot 4.6.3, as a crash leaves it: what ends before the block is kept.

use gdvar_edit::recover;
use gdvar_view::{Dialect, Document, VariantRef};

/// The bytes of each pair of the outermost Dictionary, and their end.
fn pairs<'a>(root: VariantRef<'a>) -> Vec<(&'a [u8], &'a [u8], usize)> {
    let dict = root.as_dict().expect("a Dictionary");
    let mut pairs = Vec::new();
    for pair in dict.iter() {
        let (key, value) = pair.expect("a readable pair");
        let raw = |one: VariantRef<'a>| one.raw().expect("a readable value");
        pairs.push((raw(key), raw(value), value.end().expect("an end")));
    }
    pairs
}

#[test]
fn what_ends_before_a_block_of_zeros_is_kept() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/saves/rpg4.sav");
    let file = std::fs::read(file).expect("the save");
    let whole = &file[4..];
    let original = pairs(
        Document::new(whole, Dialect::GODOT_4)
            .root()
            .expect("a value"),
    );
    let (mut count, mut short) = (0, 0);
    for len in [64, 512, 4096, 20_000] {
        for at in (8..whole.len() - len).step_by(388) {
            let mut damaged = whole.to_vec();
            damaged[at..at + len].fill(0);
            let document = Document::new(&damaged, Dialect::GODOT_4);
            let end = document.validate();
            if end == Ok(damaged.len()) {
                // Zeros in numbers, or values that read as null.
                continue;
            }
            let found = recover(document);
            let kept = found.plan().expect("something is left").to_vec();
            let kept = pairs(
                Document::new(&kept, Dialect::GODOT_4)
                    .root()
                    .expect("a value"),
            )
            .iter()
            .zip(&original)
            .take_while(|(kept, own)| (kept.0, kept.1) == (own.0, own.1))
            .count();
            let before = original.iter().filter(|pair| pair.2 <= at).count();
            count += 1;
            short += usize::from(kept < before);
        }
    }
    // A sign of damage may lie long after the damage, so that what is between is doubtful.
    assert!(count > 250, "{count}");
    assert!(short * 100 <= count * 5, "{short} of {count} keep less");
}
