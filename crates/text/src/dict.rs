//! The entries of a dictionary as the engine has them when it prints them.

use gdvar_view::{ElementType, Error, Kind};

use crate::{
    Notation,
    coerce::{Target, coerce},
    error::TextError,
    leaf::Leaf,
    order::Keys,
    outline::{Item, Outline},
    shown::Shown,
    sort::engine_sort,
};

/// A key and its value.
pub(crate) type Entry<'a> = (Shown<'a>, Shown<'a>);

/// The keys and values of a dictionary without repeated keys, in wire order, if it has any.
pub(crate) fn merged<'a>(
    outline: &Outline<'a>,
    item: Item<'a>,
    notation: Notation,
) -> Result<Option<Vec<Item<'a>>>, Error> {
    let mut pairs: Vec<(Item<'a>, Item<'a>)> = Vec::new();
    let mut children = outline.children(item);
    while let (Some((_, key)), Some((_, value))) = (children.next()?, children.next()?) {
        pairs.push((key, value));
    }
    let shown: Vec<Shown<'a>> = pairs.iter().map(|(key, _)| Shown::of(*key)).collect();
    let keys = Keys::new(outline, item, notation, 0);
    let (mut firsts, repeats) = firsts(&keys, |n| &shown[n as usize], shown.len());
    if repeats.is_empty() {
        return Ok(None);
    }
    for (first, last) in repeats {
        pairs[first as usize].1 = pairs[last as usize].1;
    }
    firsts.sort_unstable();
    let kept = firsts.into_iter().map(|n| pairs[n as usize]);
    Ok(Some(kept.flat_map(|(key, value)| [key, value]).collect()))
}

/// The places of different keys, sorted by [`Keys::total`]; and each repeated key as the place of
/// the first one and its own.
fn firsts<'k, 'a: 'k>(
    keys: &Keys<'_, 'a>,
    key: impl Fn(u32) -> &'k Shown<'a>,
    count: usize,
) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|a, b| keys.total(key(*a), key(*b)).then(a.cmp(b)));
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

/// The entries in the order in which the engine prints them: repeated keys have the first one's
/// place and key and the last one's value (`docs/FORMAT.md` §6, row 22), then they are sorted.
pub(crate) fn entries<'a>(
    outline: &Outline<'a>,
    item: Item<'a>,
    notation: Notation,
) -> Result<Vec<Entry<'a>>, TextError> {
    let target = item
        .value
        .as_dict()
        .map_or(Target::Any, |dict| match dict.key_type() {
            ElementType::Untyped => Target::Any,
            other => Target::of(other),
        });
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let mut children = outline.children(item);
    while let Some((_, key)) = children.next()? {
        let Some((_, value)) = children.next()? else {
            break;
        };
        // A key that does not fit is dropped with its value; values are not looked at
        // (`docs/FORMAT.md` §4.3).
        if let Some(key) = coerce(Shown::of(key), target) {
            entries.push((key, Shown::of(value)));
        }
    }
    if entries.len() < 2 {
        return Ok(entries);
    }
    let keys = Keys::new(outline, item, notation, entries.len() as u64);
    let (mut firsts, repeats) = firsts(&keys, |n| &entries[n as usize].0, entries.len());
    let ordered = in_order_already(&entries, &firsts);
    for (first, last) in repeats {
        entries[first as usize].1 = entries[last as usize].1;
    }
    if !ordered {
        firsts.sort_unstable();
        engine_sort(&mut firsts, |a, b| {
            keys.less(&entries[*a as usize].0, &entries[*b as usize].0)
        });
    }
    Ok(firsts.into_iter().map(|n| entries[n as usize]).collect())
}

/// Whether the engine's comparison is an order for all of these keys, so that any way of sorting
/// gives the same result.
fn in_order_already(entries: &[Entry<'_>], keys: &[u32]) -> bool {
    let all = |test: fn(&Leaf<'_>) -> bool| {
        keys.iter()
            .all(|n| matches!(&entries[*n as usize].0, Shown::Leaf(leaf) if test(leaf)))
    };
    all(|key| matches!(key, Leaf::Text(Kind::String, _))) || all(|key| matches!(key, Leaf::Int(_)))
}
