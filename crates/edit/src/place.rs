//! [`places`]: resolves many paths in one walk.

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
    let root = document.root()?;
    let nowhere = Place {
        found: None,
        owner: root,
        container: None,
        key: None,
    };
    let mut all = vec![nowhere; paths.len()];
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
        let Some(container) = Container::of(value)? else {
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
        for (child, followed) in children(container, &below)? {
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
    Ok(all)
}

/// Returns the children that the steps in `below` lead to. Each comes with the paths that continue in it.
fn children<'a>(
    container: Container<'a>,
    below: &[(Followed, Step<'_>)],
) -> Result<Vec<(Child<'a>, Vec<Followed>)>, Error> {
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
    while !container.is_array() || !lookup.is_done(nth) {
        let Some(child) = children.try_next()? else {
            break;
        };
        lookup.pass(child, nth, KeyQuery::of_child(child).as_ref());
        nth += 1;
    }
    let groups = groups.into_iter().enumerate();
    let found = groups.filter_map(|(number, group)| Some((lookup.found(number)?, group)));
    Ok(found.collect())
}
