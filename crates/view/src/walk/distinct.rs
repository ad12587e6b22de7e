//! Finds the pairs of a dictionary that the engines keep: of equal keys, the first key with the last value.

use alloc::vec::Vec;

use gdvar_wire::Kind;

use crate::{
    value::{element::ElementType, variant::VariantRef},
    walk::{
        event::Event,
        keys::{
            digest::Digests,
            equality::{by_content, equal, types_that_count, walk},
        },
        repeats::repeated_keys,
    },
};

/// True if an engine may read `key` as a different value from the one in the bytes. Engines narrow wide reals,
/// convert or drop children that do not fit a typed container, merge equal keys of dictionaries inside the key,
/// and may forget that a path without names is absolute.
fn may_change(key: VariantRef<'_>, of: ElementType<'_>) -> bool {
    if !of.admits(key.kind()) {
        return true;
    }
    let mut has_dict = false;
    let mut events = walk(key);
    while let Ok(Some(event)) = events.try_next() {
        let changes = match event {
            Event::Begin(inner) => {
                has_dict |= inner.kind() == Kind::Dictionary && by_content(inner);
                types_that_count(inner) != [ElementType::Untyped; 2]
            }
            Event::Value(inner) => match inner.as_node_path() {
                Some(path) => path.is_absolute() && path.name_count() == 0,
                None => inner.is_wide() && !matches!(inner.kind(), Kind::Int | Kind::Float),
            },
            Event::End | Event::Property(_) => false,
        };
        if changes {
            return true;
        }
    }
    has_dict && repeated_keys(key).is_ok_and(|repeats| !repeats.is_empty())
}

/// Returns the pairs of a dictionary as the engines keep them (`docs/FORMAT.md` §6, row 22): the first of equal
/// keys, with the value of the last. If an engine may read a key as a different value, only the engine knows
/// which pair wins; then all pairs are returned.
pub(crate) fn distinct<'a>(
    of: ElementType<'_>,
    pairs: Vec<(VariantRef<'a>, VariantRef<'a>)>,
) -> Vec<(VariantRef<'a>, VariantRef<'a>)> {
    if pairs.iter().any(|(key, _)| may_change(*key, of)) {
        return pairs;
    }
    let mut digests = Digests::default();
    let mut order: Vec<(u64, usize)> = pairs
        .iter()
        .enumerate()
        .map(|(n, (key, _))| (digests.of(*key), n))
        .collect();
    order.sort_unstable();
    // For each pair, the index of the pair whose value it takes; `None` if an earlier pair has the same key.
    let mut takes: Vec<Option<usize>> = (0..pairs.len()).map(Some).collect();
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        for (n, &(_, later)) in group.iter().enumerate() {
            let first = group
                .iter()
                .take(n)
                .map(|&(_, earlier)| earlier)
                .find(|&earlier| match (pairs.get(earlier), pairs.get(later)) {
                    (Some((a, _)), Some((b, _))) => equal(*a, *b),
                    _ => false,
                });
            if let Some(first) = first {
                if let Some(takes) = takes.get_mut(first) {
                    *takes = Some(later);
                }
                if let Some(takes) = takes.get_mut(later) {
                    *takes = None;
                }
            }
        }
    }
    pairs
        .iter()
        .zip(&takes)
        .filter_map(|((key, _), takes)| Some((*key, pairs.get((*takes)?)?.1)))
        .collect()
}
