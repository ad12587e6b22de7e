//! Which children of two containers belong together.

use std::collections::HashMap;

/// The fate of the children of the old container, in the order of the new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// The old one at the first place is the new one at the second, perhaps changed.
    Kept(usize, usize),
    /// As `Kept`, but it stands elsewhere among the others.
    Moved(usize, usize),
    /// A new one.
    Added(usize),
    /// An old one that is gone.
    Removed(usize),
}

/// The pairs of a rising sequence that is as long as can be, out of pairs that rise in the second number.
/// O(n log n).
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<bool> {
    // For each length the pair that ends such a sequence with the lowest number.
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

/// By keys that are unique on both sides: the fates in the order of the new ones, each removed one where it
/// stood. O(n log n).
pub(crate) fn by_key(pairs: &[(usize, usize)], old_len: usize, new_len: usize) -> Vec<Fate> {
    let kept = longest_rising(pairs);
    let mut of_new = vec![None; new_len];
    let mut of_old = vec![false; old_len];
    for (&(old, new), &kept) in pairs.iter().zip(&kept) {
        of_new[new] = Some((old, kept));
        of_old[old] = true;
    }
    let mut fates = Vec::with_capacity(old_len + new_len - pairs.len());
    let mut done = 0;
    let gone = |fates: &mut Vec<Fate>, from: usize, to: usize| {
        fates.extend((from..to).filter(|&old| !of_old[old]).map(Fate::Removed));
    };
    for (new, one) in of_new.iter().enumerate() {
        match *one {
            Some((old, true)) => {
                gone(&mut fates, done, old);
                done = old;
                fates.push(Fate::Kept(old, new));
            }
            Some((old, false)) => fates.push(Fate::Moved(old, new)),
            None => fates.push(Fate::Added(new)),
        }
    }
    gone(&mut fates, done, old_len);
    fates
}

/// By content, of which equal ones have equal hashes: `same` tells for certain. A child that stands alone
/// on both sides holds the rest in place; between two such, and where nothing is alone, places decide. O(n
/// log n).
pub(crate) fn by_content(
    old: &[u64],
    new: &[u64],
    mut same: impl FnMut(usize, usize) -> bool,
) -> Vec<Fate> {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev());
    let back = back.take(left).take_while(|(a, b)| a == b).count();
    let mut pairs: Vec<(usize, usize)> = (0..front).map(|n| (n, n)).collect();
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    // How often a hash is there, and where.
    let mut seen: HashMap<u64, (u32, u32, usize)> = HashMap::new();
    for (n, hash) in old.iter().enumerate().take(old_end).skip(front) {
        let one = seen.entry(*hash).or_default();
        (one.0, one.2) = (one.0.saturating_add(1), n);
    }
    for hash in &new[front..new_end] {
        if let Some(one) = seen.get_mut(hash) {
            one.1 = one.1.saturating_add(1);
        }
    }
    for (n, hash) in new.iter().enumerate().take(new_end).skip(front) {
        if let Some(&(1, 1, place)) = seen.get(hash) {
            if same(place, n) {
                pairs.push((place, n));
            }
        }
    }
    pairs.extend((0..back).map(|n| (old_end + n, new_end + n)));
    // Between what is held in place the others are paired by their places.
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
