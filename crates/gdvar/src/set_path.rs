//! Reads and sets values by path, such as `party[0].gold`.

use std::{borrow::Cow, fmt};

use gdvar_view::{Path, PathError, SimpleKey, Step, narrow};
use gdvar_wire::{fits_f32, math::Components};

use crate::{
    Dictionary, Kind, Variant,
    math::{Color, Plane, Quaternion, Rect2, Vector2, Vector3, Vector4},
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

/// Returns the text of a name in a path, with its escapes resolved.
fn unescaped(name: &str) -> Cow<'_, str> {
    if !name.contains('\\') {
        return name.into();
    }
    Step::Name(name).text().into_iter().flatten().collect()
}

/// Returns `true` if `step` leads to the value under `key`. Works for steps that give the type of
/// their key, and returns `false` for others. With `as_singles`, 32-bit reals are compared as
/// `f32`, otherwise with all of their digits.
fn is_key(key: &Variant, step: Step<'_>, as_singles: bool) -> bool {
    match step {
        Step::String(name) => matches!(key, Variant::String(text) if *text == *unescaped(name)),
        Step::StringName(name) => {
            matches!(key, Variant::StringName(text) if *text == *unescaped(name))
        }
        Step::Key(wanted) => wanted.kind() == key.kind() && has_numbers(key, wanted, as_singles),
        Step::Name(_) | Step::Index(_) | Step::PairValue(_) | Step::PairKey(_) => false,
    }
}

/// Returns `true` if the numbers of `key` are the numbers of `wanted`, which is of the same kind.
fn has_numbers(key: &Variant, wanted: SimpleKey, as_singles: bool) -> bool {
    macro_rules! reals {
        ($single:ident, $double:ident) => {
            match (key.$single(), key.$double()) {
                (Some(all), Some(wide)) => {
                    let single = as_singles && all.map(f64::from) == wide;
                    let mut numbers = wide.components().into_iter().enumerate();
                    numbers.all(|(n, own)| wanted.has(n, own, single))
                }
                _ => false,
            }
        };
    }
    macro_rules! ints {
        ($get:ident) => {
            key.$get().is_some_and(|all| {
                let mut numbers = all.components().into_iter().enumerate();
                numbers.all(|(n, own)| wanted.has(n, own.into(), false))
            })
        };
    }
    match key {
        Variant::Nil => true,
        Variant::Bool(own) => wanted.has(0, f64::from(u8::from(*own)), false),
        Variant::Float(own) => wanted.has(0, *own, as_singles && fits_f32(*own)),
        Variant::Vector2(_) => reals!(as_vector2, as_vector2_f64),
        Variant::Vector3(_) => reals!(as_vector3, as_vector3_f64),
        Variant::Vector4(_) => reals!(as_vector4, as_vector4_f64),
        Variant::Rect2(_) => reals!(as_rect2, as_rect2_f64),
        Variant::Plane(_) => reals!(as_plane, as_plane_f64),
        Variant::Quaternion(_) => reals!(as_quaternion, as_quaternion_f64),
        Variant::Vector2i(_) => ints!(as_vector2i),
        Variant::Vector3i(_) => ints!(as_vector3i),
        Variant::Vector4i(_) => ints!(as_vector4i),
        Variant::Rect2i(_) => ints!(as_rect2i),
        Variant::Color(color) => {
            let mut numbers = color.components().into_iter().enumerate();
            numbers.all(|(n, own)| wanted.has(n, own.into(), as_singles))
        }
        _ => false,
    }
}

/// Returns the key of a step that gives the key's type, for a new entry of a Dictionary. `None` for
/// other steps.
fn key_of(step: Step<'_>) -> Option<Variant> {
    let wanted = match step {
        Step::String(name) => return Some(Variant::String((*unescaped(name)).into())),
        Step::StringName(name) => return Some(Variant::StringName((*unescaped(name)).into())),
        Step::Key(wanted) => wanted,
        _ => return None,
    };
    let mut numbers = [0.0; 4];
    numbers[..wanted.numbers().len()].copy_from_slice(wanted.numbers());
    let [a, b, c, d] = numbers.map(narrow);
    let [i, j, k, l] = numbers.map(|number| number as i32);
    Some(match wanted.kind() {
        Kind::Bool => (numbers[0] != 0.0).into(),
        Kind::Float => numbers[0].into(),
        Kind::Vector2 => Vector2::new(a, b).into(),
        Kind::Vector3 => Vector3::new(a, b, c).into(),
        Kind::Vector4 => Vector4::new(a, b, c, d).into(),
        Kind::Rect2 => Rect2::from([a, b, c, d]).into(),
        Kind::Plane => Plane::from([a, b, c, d]).into(),
        Kind::Quaternion => Quaternion::new(a, b, c, d).into(),
        Kind::Color => Color::new(a, b, c, d).into(),
        Kind::Vector2i => Vector2::new(i, j).into(),
        Kind::Vector3i => Vector3::new(i, j, k).into(),
        Kind::Vector4i => Vector4::new(i, j, k, l).into(),
        Kind::Rect2i => Rect2::from([i, j, k, l]).into(),
        Kind::Nil => Variant::Nil,
        // No path names keys of these kinds.
        Kind::Int
        | Kind::String
        | Kind::Transform2D
        | Kind::Aabb
        | Kind::Basis
        | Kind::Transform3D
        | Kind::Projection
        | Kind::Image
        | Kind::StringName
        | Kind::NodePath
        | Kind::Rid
        | Kind::Object
        | Kind::InputEvent
        | Kind::Callable
        | Kind::Signal
        | Kind::Dictionary
        | Kind::Array
        | Kind::TypedArray
        | Kind::PackedTypedArray
        | Kind::PackedByteArray
        | Kind::PackedInt32Array
        | Kind::PackedInt64Array
        | Kind::PackedFloat32Array
        | Kind::PackedFloat64Array
        | Kind::PackedStringArray
        | Kind::PackedVector2Array
        | Kind::PackedVector2iArray
        | Kind::PackedVector3Array
        | Kind::PackedVector3iArray
        | Kind::PackedVector4Array
        | Kind::PackedVector4iArray
        | Kind::PackedColorArray => return None,
    })
}

fn step<'v>(value: &'v Variant, step: Step<'_>) -> Option<&'v Variant> {
    match step {
        Step::Name(name) => unescaped(name).child(value),
        Step::Index(index) => index.child(value),
        Step::PairValue(n) => Some(value.as_dict()?.iter().nth(n as usize)?.1),
        Step::PairKey(n) => Some(value.as_dict()?.iter().nth(n as usize)?.0),
        step => {
            let dict = value.as_dict()?;
            let of_key = |as_singles| {
                dict.iter()
                    .rev()
                    .find(|(key, _)| is_key(key, step, as_singles))
            };
            // The exact number takes precedence over the nearest `f32`.
            of_key(false)
                .or_else(|| of_key(true))
                .map(|(_, value)| value)
        }
    }
}

fn step_mut<'v>(value: &'v mut Variant, step: Step<'_>) -> Option<&'v mut Variant> {
    match step {
        Step::Name(name) => unescaped(name).child_mut(value),
        Step::Index(index) => index.child_mut(value),
        Step::PairValue(n) => value.as_dict_mut()?.values_mut().nth(n as usize),
        // Changing a key would make its entry in the table of keys wrong.
        Step::PairKey(_) => None,
        step => {
            let dict = value.as_dict_mut()?;
            let is_there = dict.iter().any(|(key, _)| is_key(key, step, false));
            let mut pairs = dict.iter_mut().rev();
            pairs
                .find(|(key, _)| is_key(key, step, !is_there))
                .map(|(_, value)| value)
        }
    }
}

/// Returns the child that a step leads to. If it is missing, creates it. `None` if that is not
/// possible.
fn make<'v>(value: &'v mut Variant, step: Step<'_>) -> Option<&'v mut Variant> {
    let key = key_of(step);
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
            if self::step(value, step).is_some() {
                return step_mut(value, step);
            }
            Some(value.as_dict_mut()?.entry(key).or_default())
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
