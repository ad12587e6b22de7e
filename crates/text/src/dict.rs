//! The entries of a dictionary in the order in which the engine prints them.

use gdvar_view::{Error, Kind, VariantRef};
use gdvar_wire::Notation;
use gdvar_write::Precision;

use crate::{
    coerce::{Target, coerce},
    order::{Keys, is_lost},
    outline::{Item, Outline},
    shown::Shown,
    sort::engine_sort,
    string::utf8,
};

/// A key and its value. The value is missing if the engine itself cannot find it.
#[derive(Clone, Copy)]
pub(crate) struct SortedEntry<'a> {
    key: Item<'a>,
    value: Option<Item<'a>>,
}

impl<'a> SortedEntry<'a> {
    /// Returns the key, converted to the dictionary's key type `target`.
    pub(crate) fn key(&self, target: Target) -> Shown<'a> {
        let key = Shown::of(self.key);
        coerce(key, target).unwrap_or(key)
    }

    /// Returns the value, if the engine finds it.
    pub(crate) const fn value(&self) -> Option<Item<'a>> {
        self.value
    }

    /// Returns the key without conversion.
    pub(crate) const fn raw_key(&self) -> Item<'a> {
        self.key
    }
}

/// Merges the repeated keys of a dictionary. Returns its keys and values in wire order, or `None`
/// if no key is repeated.
pub(crate) fn merged<'a>(
    outline: &Outline<'a>,
    item: Item<'a>,
    notation: Notation,
) -> Option<Vec<Item<'a>>> {
    let mut pairs: Vec<(Item<'a>, Item<'a>)> = Vec::new();
    let mut children = outline.children(item);
    while let (Some(key), Some(value)) = (children.next(), children.next()) {
        pairs.push((key, value));
    }
    let shown: Vec<Shown<'a>> = pairs.iter().map(|(key, _)| Shown::of(*key)).collect();
    let keys = Keys::new(outline, item, notation, 0);
    let (mut firsts, repeats) = firsts(&keys, |n| &shown[n as usize], shown.len());
    if repeats.is_empty() {
        return None;
    }
    for (first, last) in repeats {
        pairs[first as usize].1 = pairs[last as usize].1;
    }
    firsts.sort_unstable();
    let kept = firsts.into_iter().map(|n| pairs[n as usize]);
    Some(kept.flat_map(|(key, value)| [key, value]).collect())
}

/// Returns two positions for each repeated key of a dictionary: the position of the key's first
/// occurrence, and its own. Keys are repeated if they are equal for an engine with this precision.
pub(crate) fn repeats(
    dict: VariantRef<'_>,
    notation: Notation,
    precision: Precision,
) -> Result<Vec<(u32, u32)>, Error> {
    let outline = Outline::of(dict)?;
    let Some(item) = outline.root() else {
        return Ok(Vec::new());
    };
    let mut shown = Vec::new();
    let mut children = outline.children(item);
    while let (Some(key), Some(_)) = (children.next(), children.next()) {
        shown.push(Shown::in_precision(key, precision));
    }
    let keys = Keys::new(&outline, item, notation, 0).in_precision(precision);
    let (_, mut repeats) = firsts(&keys, |n| &shown[n as usize], shown.len());
    repeats.sort_by_key(|(_, n)| *n);
    Ok(repeats)
}

/// Returns the positions of the distinct keys, sorted by [`Keys::total`]. Also returns, for each
/// repeated key, the position of its first occurrence and its own position.
fn firsts<'k, 'a: 'k>(
    keys: &Keys<'_, 'a>,
    key: impl Fn(u32) -> &'k Shown<'a>,
    count: usize,
) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut order: Vec<u32> = (0..count as u32).collect();
    // The engine's sorting algorithm ends with a permutation even if the comparison is
    // inconsistent.
    engine_sort(&mut order, |a, b| {
        keys.total(key(*a), key(*b)).then(a.cmp(b)).is_lt()
    });
    let mut repeats = Vec::new();
    let mut firsts: Vec<u32> = Vec::with_capacity(order.len());
    for n in order {
        match firsts.last() {
            Some(&first) if keys.total(key(first), key(n)).is_eq() => repeats.push((first, n)),
            _ => firsts.push(n),
        }
    }
    (firsts, repeats)
}

/// Returns the entries in the order in which the engine prints them. A repeated key has the
/// position of its first occurrence and the value of its last (`docs/FORMAT.md` §6, row 22); then
/// the entries are sorted.
pub(crate) fn entries<'a>(
    outline: &Outline<'a>,
    item: Item<'a>,
    target: Target,
    notation: Notation,
) -> Vec<SortedEntry<'a>> {
    // The outline has walked over this many pairs, so this memory is needed.
    let count = item.value.as_dict().map_or(0, |dict| dict.len());
    let mut entries: Vec<SortedEntry<'a>> = Vec::with_capacity(count);
    let mut children = outline.children(item);
    while let (Some(key), Some(value)) = (children.next(), children.next()) {
        // A key that does not fit is dropped with its value. A value that does not fit is not
        // dropped here (`docs/FORMAT.md` §4.3).
        if target == Target::Any || coerce(Shown::of(key), target).is_some() {
            let value = (!is_lost(key.value, notation)).then_some(value);
            entries.push(SortedEntry { key, value });
        }
    }
    if entries.len() < 2 {
        return entries;
    }
    if let Some(texts) = texts(&entries, target, notation) {
        return in_order(&texts, &entries);
    }
    if let Some(ints) = ints(&entries, target) {
        return in_order(&ints, &entries);
    }
    let shown: Vec<Shown<'a>> = entries.iter().map(|entry| entry.key(target)).collect();
    let keys = Keys::new(outline, item, notation, entries.len() as u64);
    let (mut firsts, repeats) = firsts(&keys, |n| &shown[n as usize], shown.len());
    for (first, last) in repeats {
        entries[first as usize].value = entries[last as usize].value;
    }
    firsts.sort_unstable();
    engine_sort(&mut firsts, |a, b| {
        keys.less(&shown[*a as usize], &shown[*b as usize])
    });
    firsts.into_iter().map(|n| entries[n as usize]).collect()
}

/// Sorted keys, each with its position among the entries.
type Ranked<K> = Vec<(K, u32)>;

/// A text and its [`prefix`], which decides most comparisons.
type Text<'a> = (u64, &'a [u8]);

/// Returns the keys sorted by their bytes. `None` unless all are texts that the engine also sorts
/// by their bytes.
fn texts<'a>(
    entries: &[SortedEntry<'a>],
    target: Target,
    notation: Notation,
) -> Option<Ranked<Text<'a>>> {
    let text = |entry: &SortedEntry<'a>| {
        let kind = entry.key.value.kind();
        // Godot 3 has no StringName, and accepts text whose bytes sort differently from its
        // characters.
        let plain =
            kind == Kind::String || kind == Kind::StringName && notation == Notation::Godot4;
        if !plain || !target.keeps(kind) {
            return None;
        }
        let text = utf8(entry.key.value.as_text()?)?;
        Some((prefix(text), text))
    };
    sorted(entries, text)
}

/// Returns the first eight bytes of a text as a number that compares as the bytes do.
fn prefix(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => {
            let byte = |number, byte: &u8| number << 8 | u64::from(*byte);
            // Shifted in two steps, because a shift by all 64 bits is an overflow.
            text.iter().fold(0, byte) << (4 * (8 - text.len())) << (4 * (8 - text.len()))
        }
    }
}

/// Returns the keys sorted by number. `None` unless all are ints.
fn ints(entries: &[SortedEntry<'_>], target: Target) -> Option<Ranked<i64>> {
    let keeps = target.keeps(Kind::Int);
    sorted(entries, |entry| entry.key.value.as_i64().filter(|_| keeps))
}

/// Returns the keys of all entries, sorted; equal keys keep their wire order.
fn sorted<'a, K: Ord>(
    entries: &[SortedEntry<'a>],
    key: impl Fn(&SortedEntry<'a>) -> Option<K>,
) -> Option<Ranked<K>> {
    let mut keys: Ranked<K> = Vec::with_capacity(entries.len());
    for (entry, place) in entries.iter().zip(0..) {
        keys.push((key(entry)?, place));
    }
    keys.sort_unstable();
    Some(keys)
}

/// Returns the entries in the order of `keys`. Equal keys become one entry with the key of the
/// first and the value of the last.
fn in_order<'a, K: PartialEq>(
    keys: &Ranked<K>,
    entries: &[SortedEntry<'a>],
) -> Vec<SortedEntry<'a>> {
    let mut out: Vec<SortedEntry<'a>> = Vec::with_capacity(keys.len());
    let mut before = None;
    for (key, place) in keys {
        let entry = entries[*place as usize];
        match out.last_mut() {
            Some(last) if before == Some(key) => last.value = entry.value,
            _ => out.push(entry),
        }
        before = Some(key);
    }
    out
}
