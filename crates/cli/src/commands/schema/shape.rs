//! The final structure of many values. Keys that are data, such as names of players, are folded into one place.

use gdvar_view::Kind;

use crate::{
    commands::schema::seen::{Gather, PlaceValues},
    locate::outline::Outline,
};

/// If dictionaries at a place have more different text keys than this, their keys are data.
const MANY: usize = 64;

/// The places of all values, with what was seen at each.
pub(crate) struct Shape {
    pub(crate) files: u64,
    pub(crate) records: u64,
    outline: Outline<PlaceValues>,
}

impl Shape {
    /// Finds the places whose keys are data, and folds them.
    pub(crate) fn of(gather: Gather) -> Shape {
        let mut shape = Shape {
            files: gather.files,
            records: gather.records,
            outline: gather.outline,
        };
        let mut open = vec![Shape::ROOT];
        while let Some(place) = open.pop() {
            if shape.keys_are_data(place) {
                shape.outline.fold(place, PlaceValues::merge);
            }
            open.extend(shape.outline.children(place));
        }
        shape
    }

    pub(crate) const ROOT: usize = Outline::<PlaceValues>::ROOT;

    /// Returns what was seen at `place`.
    pub(crate) fn seen(&self, place: usize) -> &PlaceValues {
        &self.outline.places()[place].data
    }

    /// Returns the key of a place. `None` for the root, for elements, and for values whose keys are data or not text.
    pub(crate) fn key(&self, place: usize) -> Option<&str> {
        self.outline.places()[place].key.as_deref()
    }

    /// Returns the place of the container that `place` is in.
    pub(crate) fn parent(&self, place: usize) -> usize {
        self.outline.places()[place].parent
    }

    pub(crate) fn children(&self, place: usize) -> Vec<usize> {
        self.outline.children(place)
    }

    /// Returns the places directly below `place` that have a text key. They become the fields of a struct.
    pub(crate) fn fields(&self, place: usize) -> Vec<usize> {
        self.outline.keyed(place)
    }

    /// Returns the place of elements, or of values under keys that are data.
    pub(crate) fn items(&self, place: usize) -> Option<usize> {
        self.outline.items(place)
    }

    /// Returns `true` if `place` has a key that some Dictionary or Object at its parent lacks.
    pub(crate) fn is_optional(&self, place: usize) -> bool {
        self.key(place).is_some() && self.seen(place).values < self.seen(self.parent(place)).keyed()
    }

    /// Returns all places with their depth. Each comes after its parent.
    pub(crate) fn places(&self) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let mut open = vec![(Shape::ROOT, 0)];
        while let Some((place, depth)) = open.pop() {
            all.push((place, depth));
            let children = self.children(place).into_iter().rev();
            open.extend(children.map(|child| (child, depth + 1)));
        }
        all
    }

    fn keys_are_data(&self, place: usize) -> bool {
        let fields = self.fields(place);
        if fields.is_empty() {
            return false;
        }
        let is_text = |kind: &Kind| matches!(kind, Kind::String | Kind::StringName);
        if !self.seen(place).keys.iter().all(is_text) || fields.len() > MANY {
            return true;
        }
        // The keys are data too if there are three or more dictionaries with the same keys.
        let first = self.names(fields[0]);
        fields.len() > 2
            && !first.is_empty()
            && fields.iter().all(|&field| {
                self.seen(field).kind() == Some(Kind::Dictionary) && self.names(field) == first
            })
    }

    fn names(&self, place: usize) -> Vec<&str> {
        let keys = self.fields(place).into_iter();
        let mut keys: Vec<&str> = keys.filter_map(|field| self.key(field)).collect();
        keys.sort_unstable();
        keys
    }
}
