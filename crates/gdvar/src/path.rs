//! Values at paths: `party[0].gold`.

use std::{borrow::Cow, fmt};

use gdvar_view::{Path, PathError, Step};

use crate::{Dictionary, Kind, Object, Variant, VariantIndex, index};

mod sealed {
    pub trait Sealed {}
}

/// A [`Path`], or a text that is one.
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

/// Why [`Variant::set_path`] did nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetPathError {
    /// The text is no path.
    Path(PathError),
    /// A step leads nowhere, and nothing can be made there.
    NoPlace {
        /// The number of the step, counted from 0.
        step: usize,
        /// The kind of the value that it was to lead on from.
        kind: Kind,
        /// How many children that value has.
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
                "step {} of the path leads nowhere in a {kind} of {len} children; keys of \
                 dictionaries are made, and an Array grows by the index behind its last element",
                step + 1
            ),
        }
    }
}

impl std::error::Error for SetPathError {}

/// The text that a name of a path stands for.
fn unescaped(name: &str) -> Cow<'_, str> {
    if !name.contains('\\') {
        return name.into();
    }
    let mut text = String::new();
    let mut chars = name.chars();
    while let Some(char) = chars.next() {
        text.extend(if char == '\\' {
            chars.next()
        } else {
            Some(char)
        });
    }
    text.into()
}

fn step<'v>(value: &'v Variant, step: Step<'_>) -> Option<&'v Variant> {
    match step {
        Step::Name(name) => unescaped(name).child(value),
        Step::Index(index) => index.child(value),
        Step::PairValue(n) => Some(value.as_dict()?.iter().nth(n as usize)?.1),
        Step::PairKey(n) => Some(value.as_dict()?.iter().nth(n as usize)?.0),
    }
}

fn step_mut<'v>(value: &'v mut Variant, step: Step<'_>) -> Option<&'v mut Variant> {
    match step {
        Step::Name(name) => unescaped(name).child_mut(value),
        Step::Index(index) => index.child_mut(value),
        Step::PairValue(n) => value.as_dict_mut()?.values_mut().nth(n as usize),
        // A key that changed would stand in the wrong place.
        Step::PairKey(_) => None,
    }
}

/// The child of a step, made if it can be.
fn make<'v>(value: &'v mut Variant, step: Step<'_>) -> Option<&'v mut Variant> {
    match (&*value, step) {
        (Variant::Nil | Variant::Object(Object::Null), Step::Name(_)) => {
            *value = Dictionary::new().into();
        }
        (Variant::Array(array), Step::Index(place)) if place == array.len() as i64 => {
            value.as_array_mut()?.push(Variant::Nil);
        }
        (Variant::Array(array), Step::Index(place)) => {
            index::place(place, array.len())?;
        }
        (Variant::Dictionary(_) | Variant::Object(Object::Full(_)), _) => {}
        _ => return None,
    }
    match (&*value, step) {
        (Variant::Dictionary(_) | Variant::Object(Object::Full(_)), Step::Name(name)) => {
            Some((*unescaped(name)).make(value))
        }
        (Variant::Dictionary(_) | Variant::Array(_), Step::Index(index)) => Some(index.make(value)),
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
    /// The value at a path, in the notation of [`Path`]; `Ok(None)` if there is none.
    ///
    /// ```
    /// let save = gdvar::variant!({ "party": [{ "gold": 3 }] });
    /// assert_eq!(save.get_path("party[0].gold")?.unwrap(), 3);
    /// assert_eq!(save.get_path("party[1].gold")?, None);
    /// assert!(save.get_path("party[").is_err());
    /// # Ok::<(), gdvar::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no path.
    pub fn get_path(&self, path: impl AsPath) -> Result<Option<&Variant>, PathError> {
        path.steps_of(|steps| {
            steps
                .iter()
                .try_fold(self, |value, &next| step(value, next))
        })
    }

    /// The same, to change it. There is none for the key of a pair, which cannot be changed.
    ///
    /// # Errors
    /// If the text is no path.
    pub fn get_path_mut(&mut self, path: impl AsPath) -> Result<Option<&mut Variant>, PathError> {
        path.steps_of(|steps| {
            steps
                .iter()
                .try_fold(self, |value, &next| step_mut(value, next))
        })
    }

    /// Puts a value at a path and returns the one that was there, or null. Keys that are missing on the way
    /// are made, null becomes a Dictionary, and the index behind the last element of an Array appends.
    ///
    /// ```
    /// let mut save = gdvar::Variant::Nil;
    /// save.set_path("player.name", "Ann")?;
    /// save.set_path("player.items", gdvar::variant!([]))?;
    /// save.set_path("player.items[0]", "sword")?;
    /// assert_eq!(save, gdvar::variant!({ "player": { "name": "Ann", "items": ["sword"] } }));
    /// # Ok::<(), gdvar::SetPathError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no path, or a step leads nowhere. Then what was made on the way stays.
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
