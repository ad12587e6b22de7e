//! Matches the children of two containers.

use std::{collections::HashMap, hash::Hash};

/// What happened to one child. Lists of alignments follow the order of the new container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alignment {
    /// The old child at the first index is the new one at the second, possibly changed.
    Kept(usize, usize),
    /// Like `Kept`, but its position among its siblings changed.
    Moved(usize, usize),
    /// The new child at this index was added.
    Added(usize),
    /// The old child at this index was removed.
    Removed(usize),
}

/// Marks the pairs that form a longest sequence in which both numbers increase. `pairs` is sorted by the
/// second number. O(n log n).
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<bool> {
    // `ends[n]` is the pair that ends a sequence of n + 1 pairs with the lowest first number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; pairs.len()];
    for (n, &(old, _)) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| pairs[end].0 < old);
        if len > 0 {
            before[n] = ends[len - 1];
        }
        match ends.get_mut(len) {
            Some(end) => *end = n,
            None => ends.push(n),
        }
    }
    let mut kept = vec![false; pairs.len()];
    let mut at = ends.last().copied();
    while let Some(n) = at {
        kept[n] = true;
        at = Some(before[n]).filter(|&n| n != usize::MAX);
    }
    kept
}

/// Aligns children by keys, which are unique on both sides. `pairs` holds the old and the new index of each
/// key that both sides have. A removed child is listed where it used to be. O(n log n).
pub(crate) fn by_key(pairs: &[(usize, usize)], old_len: usize, new_len: usize) -> Vec<Alignment> {
    let kept = longest_rising(pairs);
    let mut of_new = vec![None; new_len];
    let mut of_old = vec![false; old_len];
    for (&(old, new), &kept) in pairs.iter().zip(&kept) {
        of_new[new] = Some((old, kept));
        of_old[old] = true;
    }
    let mut alignments = Vec::with_capacity(old_len + new_len - pairs.len());
    let mut done = 0;
    let gone = |alignments: &mut Vec<Alignment>, from: usize, to: usize| {
        alignments.extend(
            (from..to)
                .filter(|&old| !of_old[old])
                .map(Alignment::Removed),
        );
    };
    for (new, one) in of_new.iter().enumerate() {
        match *one {
            Some((old, true)) => {
                gone(&mut alignments, done, old);
                done = old;
                alignments.push(Alignment::Kept(old, new));
            }
            Some((old, false)) => alignments.push(Alignment::Moved(old, new)),
            None => alignments.push(Alignment::Added(new)),
        }
    }
    gone(&mut alignments, done, old_len);
    alignments
}

/// Aligns elements by content. Elements that occur exactly once on both sides are anchors. Elements between
/// two anchors are paired by position. O(n log n).
pub(crate) fn by_content<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Alignment> {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev());
    let back = back.take(left).take_while(|(a, b)| a == b).count();
    let mut pairs: Vec<(usize, usize)> = (0..front).map(|n| (n, n)).collect();
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    // For each element: how often it occurs on the old side and the new side, and its old index.
    let mut seen: HashMap<&T, (u32, u32, usize)> = HashMap::new();
    for (n, one) in old.iter().enumerate().take(old_end).skip(front) {
        let one = seen.entry(one).or_default();
        (one.0, one.2) = (one.0.saturating_add(1), n);
    }
    for one in &new[front..new_end] {
        if let Some(one) = seen.get_mut(one) {
            one.1 = one.1.saturating_add(1);
        }
    }
    for (n, one) in new.iter().enumerate().take(new_end).skip(front) {
        if let Some(&(1, 1, place)) = seen.get(one) {
            pairs.push((place, n));
        }
    }
    pairs.extend((0..back).map(|n| (old_end + n, new_end + n)));
    // Pair the elements between two anchors by position.
    let kept = longest_rising(&pairs);
    let mut taken = (vec![false; old.len()], vec![false; new.len()]);
    for &(old, new) in &pairs {
        (taken.0[old], taken.1[new]) = (true, true);
    }
    let held = pairs.iter().zip(&kept).filter(|(_, kept)| **kept);
    let held: Vec<_> = held.map(|(pair, _)| *pair).collect();
    let (mut a, mut b) = (0, 0);
    for (old_place, new_place) in held.into_iter().chain([(old.len(), new.len())]) {
        let olds = (a..old_place).filter(|&n| !taken.0[n]);
        let news = (b..new_place).filter(|&n| !taken.1[n]);
        pairs.extend(olds.zip(news));
        (a, b) = (old_place + 1, new_place + 1);
    }
    pairs.sort_unstable_by_key(|&(_, new)| new);
    by_key(&pairs, old.len(), new.len())
}

#[cfg(test)]
mod tests;
