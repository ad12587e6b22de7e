//! Paths: how a program or a person names a value inside another.
//!
//! - [`parse`], [`step`], [`quote`], [`simple_key`], [`digits`]: the notation `player.items[3]`
//! - [`owned`]: steps that own their text
//! - [`find`]: from a path to a value; [`target`], [`components`]: from a path to a part of a value
//! - [`pattern`], [`select`]: paths with wildcards, and the walk that finds all their values
//! - [`locate`], [`levels`]: from a byte offset back to a path

use core::fmt;

use smallvec::SmallVec;

pub(crate) mod components;
pub(crate) mod digits;
pub(crate) mod find;
pub(crate) mod levels;
pub(crate) mod locate;
#[cfg(feature = "alloc")]
pub(crate) mod owned;
pub(crate) mod parse;
pub(crate) mod pattern;
pub(crate) mod quote;
pub(crate) mod select;
pub(crate) mod simple_key;
pub(crate) mod step;
pub(crate) mod target;

use crate::{error::Error, value::variant::VariantRef};
use find::{child, find};
use parse::{PathError, parse_steps, path_step};
use step::Step;
use target::Found;

/// A parsed path to one value: `player.inventory[3].name`.
///
/// A path borrows the text it was parsed from. Up to eight steps need no allocation. Use
/// [`OwnedStep`](crate::OwnedStep) to keep a path longer than its text, and a
/// [`Pattern`](crate::Pattern) to reach many values at once.
///
/// | step | leads to |
/// |---|---|
/// | `$` | the outermost value; optional, only at the start |
/// | `.name`, `["any text"]`, `['any text']` | in a Dictionary the value under that String or StringName key; in an object that property; in a math type that component: `.x` |
/// | `[String("text")]`, `[&"text"]` | the value under the String key only, or under the StringName key only |
/// | `[3]` | element 3 of an array, counted from 0; in a Dictionary the value under the int key 3 |
/// | `[-1]` | the last element of an array; in a Dictionary the value under the int key -1 |
/// | `[1.5]`, `[true]`, `[null]`, `[Vector2i(5, 9)]` | the value under that key; reals stored in 32 bits match too. Also Vector2, 3 and 4, Vector3i and 4i, Rect2, Rect2i, Plane, Quaternion, Color |
/// | `{3}` | the value of pair 3 of a Dictionary, counted from 0, whatever its key |
/// | `{3:key}` | the key of pair 3 |
///
/// A name without quotes may contain ASCII letters and digits, `_`, and any character that is not
/// ASCII. Other names need quotes. Inside quotes `\n`, `\t` and `\r` are control characters, `\u{e9}` and
/// `\u00e9` are the character with this code, and `\` before any other character gives that character.
///
/// Components have the names that scripts use: `.x`, `.y`, `.z`, `.w`, `.position`, `.size`,
/// `.end`, `.origin`, `.basis`, `.normal`, `.d`, `.r`, `.g`, `.b`, `.a`. Components and the elements
/// of packed arrays have no header in the bytes, so they are not values:
/// [`VariantRef::find_path`] finds them, [`VariantRef::get_path`] returns `None` for them.
///
/// ```
/// use gdvar_view::{Path, Step};
///
/// let path = Path::parse(r#"$.player["odd name"][-1]"#)?;
/// assert_eq!(path.steps().len(), 3);
/// assert_eq!(path.steps()[2], Step::Index(-1));
/// assert_eq!(path.to_string(), r#"$.player["odd name"][-1]"#);
///
/// let tile = Path::parse("map[Vector2i(5,9)].pos.x")?;
/// assert_eq!(tile.to_string(), "$.map[Vector2i(5, 9)].pos.x");
/// # Ok::<(), gdvar_view::PathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path<'p> {
    steps: SmallVec<[Step<'p>; 8]>,
}

impl<'p> Path<'p> {
    /// Parses a path. The empty text and `$` are the path of the outermost value.
    ///
    /// # Errors
    /// Returns [`PathError`] with the offset of the first step that is not valid. Steps that only a
    /// [`Pattern`](crate::Pattern) has, such as `[*]`, are refused too.
    pub fn parse(text: &'p str) -> Result<Path<'p>, PathError> {
        let mut path = Path::default();
        parse_steps(text, |rest, is_first| {
            let (step, rest) = path_step(rest, is_first)?;
            path.steps.push(step);
            Some(rest)
        })?;
        Ok(path)
    }

    /// The steps, outermost first.
    #[must_use]
    pub fn steps(&self) -> &[Step<'p>] {
        &self.steps
    }
}

impl<'p> FromIterator<Step<'p>> for Path<'p> {
    fn from_iter<I: IntoIterator<Item = Step<'p>>>(steps: I) -> Path<'p> {
        Path {
            steps: steps.into_iter().collect(),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.steps.iter().try_for_each(|step| step.fmt(f))
    }
}

impl<'a> VariantRef<'a> {
    /// Follows `path` from this value and returns the value there. `Ok(None)` if there is none, or if the path
    /// leads to a component or to an element of a packed array ([`VariantRef::find_path`] finds those).
    ///
    /// This takes one pass over the bytes up to the value, and over the rest of each Dictionary and object on
    /// the way, because the last of repeated keys counts.
    ///
    /// # Errors
    /// Fails if a value that has to be read on the way is damaged.
    pub fn get_path(self, path: &Path<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        Ok(self.find_path(path)?.and_then(Found::value))
    }

    /// Follows `path` from this value. Returns the value, the element of a packed array, or the component of a
    /// math type there. `Ok(None)` if there is nothing. This takes as long as [`VariantRef::get_path`].
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Found, Kind, Path, PathTarget};
    ///
    /// // [Vector2(10, 20)]
    /// let bytes = b"\x1c\0\0\0\x01\0\0\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";
    /// let root = Document::new(bytes, Dialect::GODOT_4).root()?;
    /// let found = root.find_path(&Path::parse("[0].y")?)?.expect("it is there");
    /// let Found::Part(PathTarget::Math(y)) = found else { unreachable!() };
    /// assert_eq!((y.kind(), y.iter().next()), (Kind::Float, Some(20.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a value that has to be read on the way is damaged.
    pub fn find_path(self, path: &Path<'_>) -> Result<Option<Found<'a>>, Error> {
        find(self, path.steps().iter().copied())
    }

    /// Returns the child that `step` leads to. `Ok(None)` if there is none, or if this value has no children.
    ///
    /// Walks over the children up to the requested one. A step that names a key or a property
    /// walks over all of them, because the last of repeated keys counts.
    ///
    /// # Errors
    /// Fails if a child that has to be read is damaged.
    pub fn take_step(self, step: Step<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        child(self, step)
    }
}
