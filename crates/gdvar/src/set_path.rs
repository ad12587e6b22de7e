//! Reads and sets values by path, such as `party[0].gold`.

use std::fmt;

use gdvar_view::{Path, PathError, Step};

use crate::{
    Dictionary, Kind, Variant,
    path_key::{self, unescaped},
    variant::Object,
    variant_index,
    variant_index::VariantIndex,
};

mod sealed {
    pub trait Sealed {}
}

/// A [`Path`], or a text that is parsed as one.
pub trait AsPath: sealed::Sealed {
    #[doc(hidden)]
    fn steps_of<R>(&self, walk: impl FnOnce(&[Step<'_>]) -> R) -> Result<R, PathError>;
}

impl sealed::Sealed for str {}
impl AsPath for str {
    fn steps_of<R>(&self, walk: impl FnOnce(&[Step<'_>]) -> R) -> Result<R, PathError> {
        Ok(walk(Path::parse(self)?.steps()))
    }
}

impl sealed::Sealed for String {}
impl AsPath for String {
    fn steps_of<R>(&self, walk: impl FnOnce(&[Step<'_>]) -> R) -> Result<R, PathError> {
        (**self).steps_of(walk)
    }
}

impl sealed::Sealed for Path<'_> {}
impl AsPath for Path<'_> {
    fn steps_of<R>(&self, walk: impl FnOnce(&[Step<'_>]) -> R) -> Result<R, PathError> {
        Ok(walk(self.steps()))
    }
}

impl<P: AsPath + ?Sized> sealed::Sealed for &P {}
impl<P: AsPath + ?Sized> AsPath for &P {
    fn steps_of<R>(&self, walk: impl FnOnce(&[Step<'_>]) -> R) -> Result<R, PathError> {
        (**self).steps_of(walk)
    }
}

/// The reason why [`Variant::set_path`] failed.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetPathError {
    /// The text is not a path.
    Path(PathError),
    /// A step finds no child, and cannot create one.
    NoPlace {
        /// The number of the step, counted from 0.
        step: usize,
        /// The kind of the value before the step.
        kind: Kind,
        /// The number of children of that value.
        len: usize,
    },
}

impl From<PathError> for SetPathError {
    fn from(error: PathError) -> SetPathError {
        SetPathError::Path(error)
    }
}

impl fmt::Display for SetPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetPathError::Path(error) => error.fmt(f),
            SetPathError::NoPlace { step, kind, len } => write!(
                f,
                "step {} of the path leads nowhere: the {kind} there has {len} children; keys of \
                 dictionaries are made, and an Array grows by the index after its last element",
                step + 1
            ),
        }
    }
}

gdvar_wire::debug_is_display!(SetPathError);

impl std::error::Error for SetPathError {}

fn step<'v>(value: &'v Variant, step: Step<'_>) -> Option<&'v Variant> {
    match step {
        Step::Name(name) => unescaped(name).child(value),
        Step::Index(index) => index.child(value),
        Step::PairValue(n) => Some(&value.as_dict()?.as_pairs().get(n as usize)?.1),
        Step::PairKey(n) => Some(&value.as_dict()?.as_pairs().get(n as usize)?.0),
        step => {
            let dict = value.as_dict()?;
            Some(&dict.as_pairs().get(path_key::find(dict, step)?)?.1)
        }
    }
}

/// Returns the value of the pair at `place`.
fn nth_mut(dict: &mut Dictionary, place: usize) -> Option<&mut Variant> {
    dict.pairs_mut().get_mut(place).map(|(_, value)| value)
}

fn step_mut<'v>(value: &'v mut Variant, step: Step<'_>) -> Option<&'v mut Variant> {
    match step {
        Step::Name(name) => unescaped(name).child_mut(value),
        Step::Index(index) => index.child_mut(value),
        Step::PairValue(n) => nth_mut(value.as_dict_mut()?, n as usize),
        // Changing a key would make its entry in the table of keys wrong.
        Step::PairKey(_) => None,
        step => {
            let dict = value.as_dict_mut()?;
            nth_mut(dict, path_key::find(dict, step)?)
        }
    }
}

/// Returns the child that a step leads to. If it is missing, creates it. `None` if that is not
/// possible.
fn make<'v>(value: &'v mut Variant, step: Step<'_>) -> Option<&'v mut Variant> {
    let key = path_key::of(step);
    match (&*value, step) {
        (Variant::Nil | Variant::Object(Object::Null), step)
            if key.is_some() || matches!(step, Step::Name(_)) =>
        {
            *value = Dictionary::new().into();
        }
        (Variant::Array(array), Step::Index(place)) if place == array.len() as i64 => {
            value.as_array_mut()?.push(Variant::Nil);
        }
        (Variant::Array(array), Step::Index(place)) => {
            variant_index::place(place, array.len())?;
        }
        (Variant::Dictionary(_) | Variant::Object(Object::Full(_)), _) => {}
        _ => return None,
    }
    match (&*value, step, key) {
        (Variant::Dictionary(_), _, Some(key)) => {
            let dict = value.as_dict_mut()?;
            match path_key::find(dict, step) {
                Some(place) => nth_mut(dict, place),
                None => Some(dict.entry(key).or_default()),
            }
        }
        (Variant::Dictionary(_) | Variant::Object(Object::Full(_)), Step::Name(name), _) => {
            Some((*unescaped(name)).make(value))
        }
        (Variant::Dictionary(_) | Variant::Array(_), Step::Index(index), _) => {
            Some(index.make(value))
        }
        _ => step_mut(value, step),
    }
}

fn count(value: &Variant) -> usize {
    match value {
        Variant::Array(array) => array.len(),
        Variant::Dictionary(dict) => dict.len(),
        Variant::Object(Object::Full(object)) => object.properties.len(),
        _ => 0,
    }
}

impl Variant {
    /// Returns the value at a path, in the notation of [`Path`], or `Ok(None)` if there is none.
    /// Components of vectors and elements of packed arrays are not [`Variant`]s and are not found.
    ///
    /// ```
    /// let save = gdvar::variant!({ "party": [{ "gold": 3 }] });
    /// assert_eq!(save.get_path("party[0].gold")?.unwrap(), 3);
    /// assert_eq!(save.get_path("party[1].gold")?, None);
    /// assert!(save.get_path("party[").is_err());
    /// # Ok::<(), gdvar::path::PathError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text is not a path.
    pub fn get_path(&self, path: impl AsPath) -> Result<Option<&Variant>, PathError> {
        path.steps_of(|steps| {
            steps
                .iter()
                .try_fold(self, |value, &next| step(value, next))
        })
    }

    /// Returns a mutable reference to the value at a path, or `Ok(None)` if there is none. The key
    /// of a pair is not found, because it must not change.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a path.
    pub fn get_path_mut(&mut self, path: impl AsPath) -> Result<Option<&mut Variant>, PathError> {
        path.steps_of(|steps| {
            steps
                .iter()
                .try_fold(self, |value, &next| step_mut(value, next))
        })
    }

    /// Sets the value at a path, and returns the old value, or null. Missing keys on the way are
    /// created, null becomes a Dictionary, and the index after the last element of an Array
    /// appends.
    ///
    /// ```
    /// let mut save = gdvar::Variant::Nil;
    /// save.set_path("player.name", "Ann")?;
    /// save.set_path("player.items", gdvar::variant!([]))?;
    /// save.set_path("player.items[0]", "sword")?;
    /// assert_eq!(save, gdvar::variant!({ "player": { "name": "Ann", "items": ["sword"] } }));
    /// # Ok::<(), gdvar::error::SetPathError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text is not a path or a step leads nowhere. Containers created on the way are
    /// kept.
    pub fn set_path(
        &mut self,
        path: impl AsPath,
        value: impl Into<Variant>,
    ) -> Result<Variant, SetPathError> {
        path.steps_of(|steps| {
            let mut place = self;
            for (n, &next) in steps.iter().enumerate() {
                let (kind, len) = (place.kind(), count(place));
                let error = SetPathError::NoPlace { step: n, kind, len };
                place = make(place, next).ok_or(error)?;
            }
            Ok(std::mem::replace(place, value.into()))
        })?
    }
}
