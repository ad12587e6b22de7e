//! The type that a new value takes from its place. One rule, for every way of editing.
//!
//! A person who writes `5` where `5.0` is means the float, and one who writes `[1, 2]` where an `Array[int]` is
//! means the typed array. The rule:
//!
//! * In a typed container a value takes the container's type, or it is refused: an int becomes a float and a
//!   float an int where both are the same number, a String becomes a StringName and the other way round.
//! * Elsewhere a number takes the type of the number it replaces. A float that is no whole number replaces an int
//!   as a float; an int that no float equals cannot replace a float. A String that replaces a StringName becomes
//!   one.
//! * An untyped Array or Dictionary that replaces a typed one takes its types, and its children follow the first
//!   rule. One that has types keeps them.
//! * The children of a container take the types of the children that they replace: under the same key, and in
//!   arrays of the same length at the same index.
//!
//! Everything else goes in as it was given. [`Edit`](crate::Edit) itself applies nothing of this: its values are
//! exact, and only what a typed container would lose is refused. So a value whose type is meant goes to it
//! directly, and one that was typed by a person comes through here first.

use std::{collections::HashMap, fmt, ops::Range};

use gdvar_view::{Document, ElementType, Error as ReadError, Kind, Path, VariantRef};
use gdvar_write::{Target, Writer};

use crate::{
    container::{Container, Name},
    key::Wanted,
};

/// Why a value cannot take the type of its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FitError {
    offset: usize,
    kind: FitErrorKind,
}

/// The ways in which a value may not fit. See [`FitError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FitErrorKind {
    /// The container holds values of one type only, and this is another that does not become it.
    Type {
        /// The type of the container's elements, keys or values.
        wanted: Kind,
        /// The type of the new value.
        found: Kind,
    },
    /// A float that no int equals, where the container holds ints.
    NotAnInt,
    /// An int that no float equals, where a float is.
    NotAFloat {
        /// The int.
        int: i64,
    },
}

impl FitError {
    /// The byte of the new value at which the part lies that does not fit:
    /// `Document::with_options(new, options).locate(offset)` is its path.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The kind of mistake.
    #[must_use]
    pub const fn kind(self) -> FitErrorKind {
        self.kind
    }
}

impl fmt::Display for FitErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitErrorKind::Type { wanted, found } => write!(
                f,
                "the container is typed and holds {wanted} only; this is a {found}, which does not become one"
            ),
            FitErrorKind::NotAnInt => f.write_str(
                "the container is typed and holds Int only: whole numbers from \
                 -9223372036854775808 to 9223372036854775807",
            ),
            FitErrorKind::NotAFloat { int } => write!(
                f,
                "a float is there, and none equals {int}: floats hold every whole number from \
                 -9007199254740992 to 9007199254740992, and few beyond"
            ),
        }
    }
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

gdvar_view::debug_is_display!(FitError);

impl core::error::Error for FitError {}

/// The bytes of `value` in the types of what is at `path`, for [`Edit::set`](crate::Edit::set).
///
/// Paths that lead nowhere and bytes that are no value come back unchanged: the edit has the better message. Cost:
/// two searches for the path, and one walk over the old value and the new one where both are containers.
///
/// ```
/// use gdvar_edit::{Dialect, Document, Edit, fit};
///
/// // {"hp": 80.5}
/// let save = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x03\0\0\0\0\0\xa1\x42";
/// let document = Document::new(save, Dialect::GODOT_4);
/// let value = fit::set(document, "hp", b"\x02\0\0\0\x03\0\0\0")?; // 3
/// let mut edit = Edit::new(document);
/// edit.set("hp", &value);
/// let new = edit.plan()?.to_vec();
/// assert_eq!(Document::new(&new, Dialect::GODOT_4).get_as::<f64>("hp")?, Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What does not fit, and where in `value` it is.
pub fn set(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, FitError> {
    let place = Place::of_child(document, path, true);
    fit(place, document, value)
}

/// The bytes of `value` in the type that the container of `path` asks for, for
/// [`Edit::insert`](crate::Edit::insert); as [`set`].
///
/// # Errors
/// What does not fit, and where in `value` it is.
pub fn insert(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, FitError> {
    let place = Place::of_child(document, path, false);
    fit(place, document, value)
}

/// The bytes of `value` in the type of the elements of the array at `path`, for
/// [`Edit::append`](crate::Edit::append); as [`set`]. The type of a Dictionary's values, for the value of
/// [`Edit::insert_pair`](crate::Edit::insert_pair).
///
/// # Errors
/// What does not fit, and where in `value` it is.
pub fn append(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, FitError> {
    let container = Place::container(document, Path::parse(path).ok().as_ref());
    fit(Place::new_child(container), document, value)
}

/// What a new value replaces, and the type that its container asks for.
#[derive(Clone, Copy)]
struct Place<'a> {
    old: Option<VariantRef<'a>>,
    element: ElementType<'a>,
}

impl<'a> Place<'a> {
    fn of_child(document: Document<'a>, path: &str, replaces: bool) -> Place<'a> {
        let Ok(path) = Path::parse(path) else {
            return Place::new_child(None);
        };
        let outer = path.steps().split_last().map(|(_, outer)| outer);
        let outer = outer.map(|steps| steps.iter().copied().collect::<Path<'_>>());
        let place = match outer {
            Some(outer) => Place::new_child(Place::container(document, Some(&outer))),
            None => Place::new_child(None),
        };
        let old = document.root().and_then(|root| root.get_path(&path));
        let old = old.ok().flatten().filter(|_| replaces);
        Place { old, ..place }
    }

    fn container(document: Document<'a>, path: Option<&Path<'_>>) -> Option<Container<'a>> {
        let value = document.root().ok()?.get_path(path?).ok()??;
        Container::of(value).ok()?
    }

    fn new_child(container: Option<Container<'a>>) -> Place<'a> {
        Place {
            old: None,
            element: container.map_or(ElementType::Untyped, Container::value_type),
        }
    }
}

/// The new bytes with the parts replaced that take another type.
fn fit(place: Place<'_>, document: Document<'_>, new: &[u8]) -> Result<Vec<u8>, FitError> {
    let Ok(root) = Document::with_options(new, document.options()).root() else {
        return Ok(new.to_vec());
    };
    let mut parts = Vec::new();
    let mut open = vec![(root, place)];
    while let Some((value, place)) = open.pop() {
        // Bytes that cannot be read are for the edit to refuse.
        if one(value, place, &mut parts, &mut open)?.is_err() {
            return Ok(new.to_vec());
        }
    }
    parts.sort_unstable_by_key(|(range, _): &(Range<usize>, Vec<u8>)| range.start);
    let mut out = Vec::with_capacity(new.len());
    let mut at = 0;
    for (range, bytes) in parts {
        out.extend_from_slice(new.get(at..range.start).unwrap_or_default());
        out.extend_from_slice(&bytes);
        at = range.end;
    }
    out.extend_from_slice(new.get(at..).unwrap_or_default());
    Ok(out)
}

type Open<'n, 'o> = Vec<(VariantRef<'n>, Place<'o>)>;

/// Fits one value and adds its children to `open`. The inner result is of reading.
fn one<'n: 'o, 'o>(
    value: VariantRef<'n>,
    place: Place<'o>,
    parts: &mut Vec<(Range<usize>, Vec<u8>)>,
    open: &mut Open<'n, 'o>,
) -> Result<Result<(), ReadError>, FitError> {
    let refuse = |kind| FitError {
        offset: value.offset(),
        kind,
    };
    let (wanted, is_typed) = match (place.element, place.old) {
        (ElementType::Untyped | ElementType::Builtin(_, Some(Kind::Nil)), old) => {
            (old.map(VariantRef::kind), false)
        }
        (ElementType::Builtin(_, Some(kind)), _) if kind != Kind::Object => (Some(kind), true),
        (_, _) => (None, true),
    };
    let found = value.kind();
    let mut kept = !is_typed || place.element.admits(found);
    if let Some(wanted) = wanted.filter(|wanted| *wanted != found) {
        if let Some(bytes) = become_kind(value, wanted, is_typed).map_err(refuse)? {
            match value.end() {
                Ok(end) => parts.push((value.offset()..end, bytes)),
                Err(error) => return Ok(Err(error)),
            }
            return Ok(Ok(()));
        }
        kept = !is_typed;
    }
    if !kept {
        let wanted = wanted.unwrap_or(Kind::Object);
        return Err(refuse(FitErrorKind::Type { wanted, found }));
    }
    Ok(children(value, place.old, parts, open))
}

/// A value as another kind: `None` where it does not become that.
fn become_kind(
    value: VariantRef<'_>,
    wanted: Kind,
    is_typed: bool,
) -> Result<Option<Vec<u8>>, FitErrorKind> {
    let mut writer = Writer::new(Vec::new(), Target::from(value.dialect()));
    let written = match (value.kind(), wanted) {
        (Kind::Int, Kind::Float) => {
            let int = value.as_i64().unwrap_or_default();
            let float = int as f64;
            if float as i128 != i128::from(int) || writer.float(float).is_err() {
                return Err(FitErrorKind::NotAFloat { int });
            }
            true
        }
        (Kind::Float, Kind::Int) => {
            let int = value.as_f64().and_then(whole);
            if int.is_none() && is_typed {
                return Err(FitErrorKind::NotAnInt);
            }
            int.is_some_and(|int| writer.int(int).is_ok())
        }
        (Kind::String, Kind::StringName) => {
            let text = value.as_str();
            text.is_some_and(|text| writer.string_name(text).is_ok())
        }
        (Kind::StringName, Kind::String) if is_typed => {
            let text = value.as_str();
            text.is_some_and(|text| writer.string(text).is_ok())
        }
        _ => false,
    };
    Ok(written.then(|| writer.finish().ok()).flatten())
}

/// The int that a float equals. None equals -0.0.
fn whole(float: f64) -> Option<i64> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    let is_whole = float.fract() == 0.0 && (-END..END).contains(&float);
    (is_whole && float.to_bits() != (-0.0_f64).to_bits()).then_some(float as i64)
}

/// Gives a container the types of the one it replaces, and its children theirs.
fn children<'n: 'o, 'o>(
    value: VariantRef<'n>,
    old: Option<VariantRef<'o>>,
    parts: &mut Vec<(Range<usize>, Vec<u8>)>,
    open: &mut Open<'n, 'o>,
) -> Result<(), ReadError> {
    let (Some(new), Some(old)) = (
        Container::of(value)?,
        old.map(Container::of).transpose()?.flatten(),
    ) else {
        return Ok(());
    };
    let alike = new.is_array() == old.is_array() && new.is_dict() == old.is_dict();
    if !alike || new.value.raw()? == old.value.raw()? {
        return Ok(());
    }
    let is_typed = |one: Container<'_>| {
        one.key_type() != ElementType::Untyped || one.value_type() != ElementType::Untyped
    };
    let mut types: (ElementType<'o>, ElementType<'o>) = (new.key_type(), new.value_type());
    if is_typed(old) && !is_typed(new) {
        types = (old.key_type(), old.value_type());
        let whole = old.value.raw()?;
        let head = old.count_at - old.value.offset();
        let head = whole.get(..head).unwrap_or_default().to_vec();
        parts.push((new.value.offset()..new.count_at, head));
    }
    let mut before = Before::of(old, new.len)?;
    let first = open.len();
    let mut children = new.children();
    let mut nth = 0;
    while let Some(child) = children.try_next()? {
        let (old_key, old) = before.take(nth, Wanted::of_child(child));
        nth += 1;
        if let Name::Key(key) = child.name {
            let (old, element) = (old_key, types.0);
            open.push((key, Place { old, element }));
        }
        let element = types.1;
        open.push((child.value, Place { old, element }));
    }
    // The last one is taken first, and the first mistake is the one to report.
    open[first..].reverse();
    Ok(())
}

/// The children of a container that is replaced, as the new ones look for them.
enum Before<'o> {
    /// Those of an array, by index.
    Items(Vec<VariantRef<'o>>),
    /// The others, by key or name: key and value.
    Named(HashMap<Wanted<'o>, (Option<VariantRef<'o>>, VariantRef<'o>)>),
}

impl<'o> Before<'o> {
    fn of(old: Container<'o>, len: usize) -> Result<Before<'o>, ReadError> {
        let mut items = Vec::new();
        let mut named = HashMap::new();
        if old.is_array() && old.len != len {
            return Ok(Before::Items(items));
        }
        let mut children = old.children();
        while let Some(child) = children.try_next()? {
            match (child.name, Wanted::of_child(child)) {
                (Name::Place, _) => items.push(child.value),
                (Name::Key(key), Some(wanted)) => {
                    named.insert(wanted, (Some(key), child.value));
                }
                (Name::Property(_), Some(wanted)) => {
                    named.insert(wanted, (None, child.value));
                }
                (_, None) => {}
            }
        }
        Ok(match old.is_array() {
            true => Before::Items(items),
            false => Before::Named(named),
        })
    }

    fn take(
        &mut self,
        nth: usize,
        wanted: Option<Wanted<'_>>,
    ) -> (Option<VariantRef<'o>>, Option<VariantRef<'o>>) {
        match (self, wanted) {
            (Before::Items(items), _) => (None, items.get(nth).copied()),
            (Before::Named(named), Some(wanted)) => match named.get(&wanted) {
                Some((key, value)) => (*key, Some(*value)),
                None => (None, None),
            },
            (Before::Named(_), None) => (None, None),
        }
    }
}
