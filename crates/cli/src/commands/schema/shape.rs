//! The places of many values in their final form: keys that are data are folded.

use gdvar_view::Kind;

use crate::{
    commands::schema::seen::{Gather, PlaceValues},
    locate::outline::Outline,
};

/// A Dictionary with more text keys than this has keys that are data.
const MANY: usize = 64;

/// The values of all places.
pub(crate) struct Shape {
    pub(crate) files: u64,
    pub(crate) records: u64,
    outline: Outline<PlaceValues>,
}

impl Shape {
    /// Of all that was gathered.
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

    /// The key that leads to a place.
    pub(crate) fn key(&self, place: usize) -> Option<&str> {
        self.outline.places()[place].key.as_deref()
    }

    /// Returns the number of the container around `place`.
    pub(crate) fn parent(&self, place: usize) -> usize {
        self.outline.places()[place].parent
    }

    pub(crate) fn children(&self, place: usize) -> Vec<usize> {
        self.outline.children(place)
    }

    /// Places that keys lead to: fields of a struct.
    pub(crate) fn fields(&self, place: usize) -> Vec<usize> {
        self.outline.keyed(place)
    }

    /// The place of elements, or of values under keys that are data.
    pub(crate) fn items(&self, place: usize) -> Option<usize> {
        self.outline.items(place)
    }

    /// Returns `true` if a key is missing somewhere.
    pub(crate) fn is_optional(&self, place: usize) -> bool {
        self.key(place).is_some() && self.seen(place).values < self.seen(self.parent(place)).keyed()
    }

    /// All places, each after its parent, with their depth.
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
        // Three or more dictionaries of the same keys.
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
