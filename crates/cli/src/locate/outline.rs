//! Groups values by place. All elements of an array count as one place: `party[*].name`.

use std::collections::HashMap;

use gdvar_view::Step;

use crate::terminal::safe_text::is_safe;

/// Once there are this many places, a new key gets no place of its own: its value goes to the place of the elements. A
/// hostile file can have millions of keys.
const MOST: usize = 1 << 16;

/// A tree of places, each with data.
#[derive(Debug)]
pub(crate) struct Outline<T> {
    places: Vec<OutlinePlace<T>>,
}

/// A place in the tree.
#[derive(Debug)]
pub(crate) struct OutlinePlace<T> {
    /// The number of the place that contains this one. For the outermost place it is 0, the number of the outermost
    /// place itself.
    pub(crate) parent: usize,
    /// The key of the place. `None` for elements of arrays, and for values under keys that are not text.
    pub(crate) key: Option<Box<str>>,
    keys: HashMap<Box<str>, usize>,
    any: Option<usize>,
    /// The data of this place.
    pub(crate) data: T,
}

impl<T: Default> Outline<T> {
    /// The number of the outermost place.
    pub(crate) const ROOT: usize = 0;

    pub(crate) fn new() -> Outline<T> {
        let root = OutlinePlace {
            parent: 0,
            key: None,
            keys: HashMap::new(),
            any: None,
            data: T::default(),
        };
        Outline { places: vec![root] }
    }

    fn add(&mut self, parent: usize, key: Option<Box<str>>) -> usize {
        self.places.push(OutlinePlace {
            parent,
            key,
            keys: HashMap::new(),
            any: None,
            data: T::default(),
        });
        self.places.len() - 1
    }

    /// Returns the place under a key of `parent`. Creates it if it is new.
    pub(crate) fn key(&mut self, parent: usize, key: &str) -> usize {
        if let Some(&place) = self.places[parent].keys.get(key) {
            return place;
        }
        if self.places.len() >= MOST {
            return self.any(parent);
        }
        let place = self.add(parent, Some(key.into()));
        self.places[parent].keys.insert(key.into(), place);
        place
    }

    /// Returns the place of the elements of `parent`, and of values under keys that are not text. Creates it if it is
    /// new.
    pub(crate) fn any(&mut self, parent: usize) -> usize {
        if let Some(place) = self.places[parent].any {
            return place;
        }
        let place = self.add(parent, None);
        self.places[parent].any = Some(place);
        place
    }

    /// Returns the data of a place.
    pub(crate) fn at(&mut self, place: usize) -> &mut T {
        &mut self.places[place].data
    }

    /// Returns all places. Each comes after its parent, unless [`Outline::fold`] has moved it.
    pub(crate) fn places(&self) -> &[OutlinePlace<T>] {
        &self.places
    }

    /// Returns the places directly in a place, in the order of discovery. The place of elements comes last.
    pub(crate) fn children(&self, place: usize) -> Vec<usize> {
        let place = &self.places[place];
        let mut children: Vec<usize> = place.keys.values().copied().collect();
        children.sort_unstable();
        children.extend(place.any);
        children
    }

    /// Returns the places directly in a place that have a key.
    pub(crate) fn keyed(&self, place: usize) -> Vec<usize> {
        let mut children: Vec<usize> = self.places[place].keys.values().copied().collect();
        children.sort_unstable();
        children
    }

    /// Returns the place of the elements of `place` and of its values under keys that are not text. `None` if it has
    /// neither.
    pub(crate) fn items(&self, place: usize) -> Option<usize> {
        self.places[place].any
    }

    /// Merges the places under all keys of `place` into the place of its elements. Callers use this if the keys are
    /// data. `add` adds the data of a merged place to the data of the place that it is merged into.
    pub(crate) fn fold(&mut self, place: usize, mut add: impl FnMut(&mut T, T)) {
        let keyed = self.keyed(place);
        self.places[place].keys.clear();
        if keyed.is_empty() {
            return;
        }
        let into = self.any(place);
        let mut open: Vec<(usize, usize)> = keyed.into_iter().map(|from| (from, into)).collect();
        while let Some((from, into)) = open.pop() {
            let data = std::mem::take(&mut self.places[from].data);
            add(&mut self.places[into].data, data);
            let keys = std::mem::take(&mut self.places[from].keys);
            let mut keys: Vec<_> = keys.into_iter().collect();
            keys.sort_by_key(|(_, child)| *child);
            for (key, child) in keys {
                match self.places[into].keys.get(&key) {
                    Some(&same) => open.push((child, same)),
                    None => {
                        self.places[child].parent = into;
                        self.places[into].keys.insert(key, child);
                    }
                }
            }
            match (self.places[from].any.take(), self.places[into].any) {
                (Some(child), Some(same)) => open.push((child, same)),
                (Some(child), None) => {
                    self.places[child].parent = into;
                    self.places[into].any = Some(child);
                }
                (None, _) => {}
            }
        }
    }

    /// Returns the path of a place: `party[*].name`.
    pub(crate) fn path(&self, place: usize) -> String {
        let mut steps = Vec::new();
        let mut at = place;
        while at != Self::ROOT {
            let step = match &self.places[at].key {
                Some(key) => step(key),
                None => "[*]".to_owned(),
            };
            steps.push(step);
            at = self.places[at].parent;
        }
        steps.reverse();
        let path = steps.concat();
        match path.strip_prefix('.') {
            _ if path.is_empty() => "$".to_owned(),
            Some(path) => path.to_owned(),
            None => path,
        }
    }
}

/// Returns the step to a key. Characters that a terminal would obey are replaced.
fn step(key: &str) -> String {
    let tame: String = key
        .chars()
        .map(|c| if is_safe(c) { c } else { '\u{fffd}' })
        .collect();
    let escaped = tame.replace('\\', "\\\\").replace('"', "\\\"");
    Step::Name(&escaped).to_string()
}
