//! [`places`] and [`each_place`]: resolve many paths in one walk.

use std::collections::HashMap;

use gdvar_view::{Document, Error, Found, Path, Step, VariantRef};

use crate::{
    container::{Child, Container, Name},
    key::{KeyQuery, StepQuery},
    lookup::Lookup,
    packed_texts::PackedTexts,
    part,
};

/// The result of resolving one path. See [`places`].
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    found: Option<Found<'a>>,
    owner: VariantRef<'a>,
    container: Option<VariantRef<'a>>,
    key: Option<VariantRef<'a>>,
}

impl<'a> Place<'a> {
    /// Returns the value or part at the path, or `None` if the path leads nowhere.
    #[must_use]
    pub const fn found(self) -> Option<Found<'a>> {
        self.found
    }

    /// Returns the value that was found. For a part, returns the value that contains it. If nothing was found,
    /// returns the last value on the way.
    #[must_use]
    pub const fn owner(self) -> VariantRef<'a> {
        self.owner
    }

    /// Returns the array, Dictionary or object in which the last step was looked up. `None` if the path has no
    /// steps or ends earlier.
    #[must_use]
    pub const fn container(self) -> Option<VariantRef<'a>> {
        self.container
    }

    /// Returns the key of the value that was found. `None` for elements and properties.
    #[must_use]
    pub const fn key(self) -> Option<VariantRef<'a>> {
        self.key
    }
}

/// A path that is being followed: its index, and the number of steps already taken.
type Followed = (usize, usize);

/// Resolves all of `paths`. Each container on the way is walked once, however many paths lead
/// through it. Gives the same results as [`VariantRef::find_path`], except that `{3:key}` leads
/// nowhere here, because keys are not edited in place.
///
/// ```
/// use gdvar_edit::{Dialect, Document, places};
/// use gdvar_view::Path;
///
/// // {"hp": 80}
/// let save = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let paths = [Path::parse("hp")?, Path::parse("mp")?];
/// let found = places(Document::new(save, Dialect::GODOT_4), &paths)?;
/// assert_eq!(found[0].owner().as_i64(), Some(80));
/// assert!(found[1].found().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a value on the way cannot be read.
pub fn places<'a>(document: Document<'a>, paths: &[Path<'_>]) -> Result<Vec<Place<'a>>, Error> {
    each_place(document, paths).into_iter().collect()
}

/// Resolves all of `paths` in one walk, each with an error of its own. For each path the result is the same as if
/// [`places`] had it alone, also if some of the values cannot be read.
pub(crate) fn each_place<'a>(
    document: Document<'a>,
    paths: &[Path<'_>],
) -> Vec<Result<Place<'a>, Error>> {
    let root = match document.root() {
        Ok(root) => root,
        Err(error) => return vec![Err(error); paths.len()],
    };
    let nowhere = Place {
        found: None,
        owner: root,
        container: None,
        key: None,
    };
    let mut all = vec![nowhere; paths.len()];
    let mut errors: HashMap<usize, Error> = HashMap::new();
    let mut open = vec![(
        root,
        Vec::from_iter((0..paths.len()).map(|number| (number, 0))),
    )];
    while let Some((value, followed)) = open.pop() {
        let mut below = Vec::new();
        for (number, taken) in followed {
            all[number].owner = value;
            match paths[number].steps().get(taken) {
                Some(step) => below.push(((number, taken), *step)),
                None => all[number].found = Some(Found::Value(value)),
            }
        }
        if below.is_empty() {
            continue;
        }
        let container = match Container::of(value) {
            Ok(container) => container,
            Err(error) => {
                errors.extend(below.iter().map(|((number, _), _)| (*number, error)));
                continue;
            }
        };
        let Some(container) = container else {
            let texts = PackedTexts::of(value, below.iter().map(|(_, step)| *step));
            for ((number, taken), _) in below {
                let part = part::find(value, texts.as_ref(), &paths[number].steps()[taken..]);
                all[number].key = None;
                all[number].found = part.map(Found::Part);
            }
            continue;
        };
        for (number, taken) in below.iter().map(|(followed, _)| *followed) {
            let is_last = taken + 1 == paths[number].steps().len();
            all[number].container = is_last.then_some(value);
        }
        for (child, followed) in children(container, &below, &mut errors) {
            for (number, taken) in &followed {
                let is_last = *taken == paths[*number].steps().len();
                all[*number].key = match child.name {
                    Name::Key(key) if is_last => Some(key),
                    _ => None,
                };
            }
            open.push((child.value, followed));
        }
    }
    let result = |(number, place)| errors.get(&number).map_or(Ok(place), |error| Err(*error));
    all.into_iter().enumerate().map(result).collect()
}

/// Returns the children that the steps in `below` lead to. Each comes with the paths that continue in it. Adds an error
/// to `errors` for each path whose child cannot be found because a child cannot be read.
fn children<'a>(
    container: Container<'a>,
    below: &[(Followed, Step<'_>)],
    errors: &mut HashMap<usize, Error>,
) -> Vec<(Child<'a>, Vec<Followed>)> {
    let mut lookup = Lookup::default();
    let mut groups: Vec<Vec<Followed>> = Vec::new();
    for ((number, taken), step) in below {
        let Some(query) = StepQuery::new(*step, container) else {
            continue;
        };
        let group = lookup.add(query);
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((*number, taken + 1));
    }
    let mut children = container.children();
    let mut nth = 0;
    let mut damage = None;
    while !container.is_array() || !lookup.is_done(nth) {
        let child = match children.try_next() {
            Ok(Some(child)) => child,
            Ok(None) => break,
            Err(error) => {
                damage = Some(error);
                break;
            }
        };
        lookup.pass(child, nth, KeyQuery::of_child(child).as_ref());
        nth += 1;
    }
    if let Some(error) = damage.filter(|_| !container.is_array()) {
        // A later pair may have the same key, so no key is certain.
        errors.extend(below.iter().map(|((number, _), _)| (*number, error)));
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, group) in groups.into_iter().enumerate() {
        match (lookup.found(number), damage) {
            (Some(child), _) => found.push((child, group)),
            (None, Some(error)) => errors.extend(group.iter().map(|(path, _)| (*path, error))),
            (None, None) => {}
        }
    }
    found
}
