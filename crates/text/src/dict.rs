//! The entries of a dictionary as the engine has them when it prints them.

use gdvar_view::{Error, Kind, VariantRef};

use crate::{
    Notation,
    coerce::{Target, coerce},
    error::TextError,
    order::{Keys, is_lost},
    outline::{Item, Outline},
    shown::Shown,
    sort::engine_sort,
};

/// A key and its value, if the engine finds it.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    key: Item<'a>,
    value: Option<Item<'a>>,
}

impl<'a> Entry<'a> {
    /// The key as a dictionary with such keys has it.
    pub(crate) fn key(&self, target: Target) -> Shown<'a> {
        let key = Shown::of(self.key);
        coerce(key, target).unwrap_or(key)
    }

    /// The value, where the engine finds it.
    pub(crate) const fn value(&self) -> Option<Item<'a>> {
        self.value
    }

    /// The key as it stands in the bytes.
    pub(crate) const fn raw_key(&self) -> Item<'a> {
        self.key
    }
}

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

/// For each repeated key of a dictionary the place of the first one and its own.
pub(crate) fn repeats(dict: VariantRef<'_>, notation: Notation) -> Result<Vec<(u32, u32)>, Error> {
    let outline = Outline::of(dict)?;
    let Some(item) = outline.root() else {
        return Ok(Vec::new());
    };
    let mut shown = Vec::new();
    let mut children = outline.children(item);
    while let (Some((_, key)), Some(_)) = (children.next()?, children.next()?) {
        shown.push(Shown::of(key));
    }
    let keys = Keys::new(&outline, item, notation, 0);
    let (_, mut repeats) = firsts(&keys, |n| &shown[n as usize], shown.len());
    repeats.sort_by_key(|(_, n)| *n);
    Ok(repeats)
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
    target: Target,
    notation: Notation,
) -> Result<Vec<Entry<'a>>, TextError> {
    // The outline has walked over as many.
    let count = item.value.as_dict().map_or(0, |dict| dict.len());
    let mut entries: Vec<Entry<'a>> = Vec::with_capacity(count);
    let mut children = outline.children(item);
    while let Some((_, key)) = children.next()? {
        let Some((_, value)) = children.next()? else {
            break;
        };
        // A key that does not fit is dropped with its value; values are not looked at
        // (`docs/FORMAT.md` §4.3).
        if target == Target::Any || coerce(Shown::of(key), target).is_some() {
            let value = (!is_lost(key.value, notation)).then_some(value);
            entries.push(Entry { key, value });
        }
    }
    if entries.len() < 2 {
        return Ok(entries);
    }
    if let Some(order) = texts(&entries, target, notation).or_else(|| ints(&entries, target)) {
        return Ok(in_order(order, &entries));
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
    Ok(firsts.into_iter().map(|n| entries[n as usize]).collect())
}

/// A key, by what is compared first, and its number.
type Ranked<T> = (T, u32);

/// Texts in the order of their bytes, if all keys are texts that the engine so orders: 16 bytes a key
/// are moved, and the rest of two texts is looked at only where their first eight bytes are equal. `true`
/// stands at each key that repeats the one before it.
fn texts(entries: &[Entry<'_>], target: Target, notation: Notation) -> Option<Vec<(u32, bool)>> {
    fn text<'a>(entry: &Entry<'a>, target: Target, notation: Notation) -> Option<&'a [u8]> {
        let kind = entry.key.value.kind();
        // Godot 3 has no StringName, and lets text pass that has another order as bytes.
        let plain =
            kind == Kind::String || kind == Kind::StringName && notation == Notation::Godot4;
        if !plain || !target.keeps(kind) {
            return None;
        }
        entry.key.value.as_text()?.to_str().ok().map(str::as_bytes)
    }
    let all: Vec<&[u8]> = entries
        .iter()
        .map(|entry| text(entry, target, notation))
        .collect::<Option<_>>()?;
    let mut order: Vec<Ranked<u64>> = all
        .iter()
        .zip(0..)
        .map(|(text, n)| (prefix(text), n))
        .collect();
    let rest = |n: u32| all[n as usize].get(8..).unwrap_or_default();
    // A text that ends within its prefix is the lesser one of those with the same prefix: the rest is
    // zeros, which no text of Godot has behind its end.
    let compare = |a: &Ranked<u64>, b: &Ranked<u64>| {
        let by_len = || {
            all[a.1 as usize]
                .len()
                .min(8)
                .cmp(&all[b.1 as usize].len().min(8))
        };
        a.0.cmp(&b.0)
            .then_with(|| rest(a.1).cmp(rest(b.1)))
            .then_with(by_len)
    };
    order.sort_unstable_by(|a, b| compare(a, b).then(a.1.cmp(&b.1)));
    Some(with_repeats(&order, |a, b| compare(a, b).is_eq()))
}

/// The first eight bytes of a text as a number that compares as they do.
fn prefix(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let len = text.len().min(8);
    bytes[..len].copy_from_slice(&text[..len]);
    u64::from_be_bytes(bytes)
}

/// The same for ints.
fn ints(entries: &[Entry<'_>], target: Target) -> Option<Vec<(u32, bool)>> {
    let int = |entry: &Entry<'_>| {
        let fits = target.keeps(Kind::Int);
        entry.key.value.as_i64().filter(|_| fits)
    };
    let all: Option<Vec<i64>> = entries.iter().map(int).collect();
    let mut order: Vec<Ranked<i64>> = all?.into_iter().zip(0..).collect();
    order.sort_unstable();
    Some(with_repeats(&order, |a, b| a.0 == b.0))
}

fn with_repeats<T>(
    order: &[Ranked<T>],
    same: impl Fn(&Ranked<T>, &Ranked<T>) -> bool,
) -> Vec<(u32, bool)> {
    let mut before = None;
    order
        .iter()
        .map(|key| {
            (
                key.1,
                before.replace(key).is_some_and(|before| same(before, key)),
            )
        })
        .collect()
}

/// The entries in that order; of equal keys the first with the value of the last.
fn in_order<'a>(order: Vec<(u32, bool)>, entries: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let mut out: Vec<Entry<'a>> = Vec::with_capacity(entries.len());
    for (n, repeats) in order {
        let entry = entries[n as usize];
        match out.last_mut() {
            Some(last) if repeats => last.value = entry.value,
            _ => out.push(entry),
        }
    }
    out
}
