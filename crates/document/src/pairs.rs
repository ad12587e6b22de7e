//! Pairs the tags of changed contents with the tags of the text: nodes, connections and editable
//! paths have no ids.

use std::collections::HashMap;

use crate::parts::{Found, Part, Parts, Wanted};

/// The tags of a scene that are identified by their number, because they have no id.
pub(crate) const TAGS: [&str; 3] = ["node", "connection", "editable"];

/// For each of [`TAGS`], the attributes that identify a tag for people and for the engine.
const KEYS: [&[&str]; 3] = [
    &["parent", "name"],
    &["signal", "from", "to", "method"],
    &["path"],
];

/// For each name of a tag, the number that each new tag had in the text. `None` is a tag that the
/// text did not have.
pub(crate) type Pairs = HashMap<&'static str, Vec<Option<usize>>>;

/// Pairs the old and the new tags of each name, without changing their order.
pub(crate) fn pairs(old: &[Found], new: &Parts) -> Pairs {
    let mut all = Pairs::new();
    for (tag, keys) in TAGS.into_iter().zip(KEYS) {
        let old: Vec<&Wanted> = { old.iter() }
            .filter_map(|found| match found {
                Found::Part(Part::Tag(name, _), wanted) if *name == tag => Some(wanted),
                _ => None,
            })
            .collect();
        let new: Vec<&Wanted> = (0..).map_while(|at| new.get(&Part::Tag(tag, at))).collect();
        all.insert(tag, pair(&old, &new, keys));
    }
    all
}

/// Returns the values of the attributes `keys` of a tag, each `None` if the tag does not have it.
fn key<'w>(wanted: &'w Wanted, keys: &[&str]) -> Vec<Option<&'w [u8]>> {
    let value = |key: &&str| {
        let mut properties = wanted.properties.iter();
        Some(&*properties.find(|(name, _)| name == key)?.1)
    };
    keys.iter().map(value).collect()
}

fn pair(old: &[&Wanted], new: &[&Wanted], keys: &[&str]) -> Vec<Option<usize>> {
    if old.len() == new.len() {
        // The same tags. Some of them may have changed.
        return (0..old.len()).map(Some).collect();
    }
    let first = old.iter().zip(new).take_while(|(old, new)| old == new);
    let first = first.count();
    let ends = old[first..].iter().rev().zip(new[first..].iter().rev());
    let last = ends.take_while(|(old, new)| old == new).count();
    let mut pairs: Vec<Option<usize>> = (0..first).map(Some).collect();
    // The first tag of each key that is left, and where the search goes on.
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for at in (first..old.len() - last).rev() {
        places.entry(key(old[at], keys)).or_default().push(at);
    }
    let mut next = first;
    for wanted in &new[first..new.len() - last] {
        let found = places.get_mut(&key(wanted, keys)).and_then(|places| {
            while places.last().is_some_and(|at| *at < next) {
                places.pop();
            }
            places.pop()
        });
        next = found.map_or(next, |at| at + 1);
        pairs.push(found);
    }
    pairs.extend((old.len() - last..old.len()).map(Some));
    pairs
}
