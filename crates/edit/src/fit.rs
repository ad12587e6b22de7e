//! Converts a new value to the type that its place requires. Every way of editing follows the rule below.
//!
//! Somebody who writes `5` where `5.0` was means the float, and somebody who writes `[1, 2]` where an
//! `Array[int]` was means the typed array. The rule:
//!
//! * In a typed container a value takes the container's type, or it is refused. An int becomes a float, and a
//!   float an int, if both are the same number. A String becomes a StringName, and the other way round.
//! * A float of 2⁵³ or more is refused where an int is required or replaced: several whole numbers
//!   round to the same float of this size, so nobody can say which int was meant.
//! * Elsewhere a number takes the type of the number that it replaces. A float that is not a whole number
//!   replaces an int as a float; an int that no float equals cannot replace a float. A String that replaces a
//!   StringName becomes one.
//! * An untyped Array or Dictionary that replaces a typed one takes its types, and its children follow the
//!   first rule. A typed one keeps its own types.
//! * An untyped Array that replaces a packed array becomes one of its type, or it is refused if an element
//!   does not fit. So does one in a container whose elements are packed arrays. Elements follow the first
//!   rule; a float is stored with the digits that the packed array has for it. Any other type replaces a
//!   packed array, so null first and then the Array puts an Array in its place.
//! * The children of a container take the types of the children that they replace: the ones under the same
//!   key, and in arrays of equal length the ones at the same index.
//!
//! Everything else is used unchanged. [`Edit`](crate::Edit) itself does not apply this rule: it takes values
//! as given, and refuses those that a typed container would convert or drop. Pass values that a program made
//! directly to it; pass values that a person typed through this module first.

use std::{collections::HashMap, fmt, ops::Range};

use gdvar_view::{
    Document, ElementType, Error as ReadError, Found, Kind, ObjectRef, Path, ReadOptions,
    VariantRef,
};
use gdvar_write::{Target, Writer};

use crate::{
    container::{Container, Name},
    error::ROUNDED,
    key::KeyQuery,
    place::{Place, each_place},
    repack::{RepackError, repack},
    whole_number::{WholeNumber, whole_number},
};

/// The reason why a value cannot take the type of its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FitError {
    offset: usize,
    kind: FitErrorKind,
}

/// What does not fit. See [`FitError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FitErrorKind {
    /// The container is typed, and the value cannot be converted to its type.
    Type {
        /// The type of the container's elements, keys or values.
        wanted: Kind,
        /// The type of the new value.
        found: Kind,
    },
    /// The container holds ints, and no int equals the float.
    NotAnInt,
    /// An int is wanted, and the float is so large that it may have been rounded from another whole number:
    /// 2⁵³ or more, but not too large for an int.
    MaybeRounded,
    /// The container holds floats, or the old value is a float, and no float equals the int.
    NotAFloat {
        /// The int to store.
        int: i64,
    },
    /// The value would put its own type in the place of another. See [`keeps_type_at`].
    OtherType {
        /// The type of the old value.
        old: Kind,
        /// The type of the new value.
        found: Kind,
    },
    /// An Array is to become a packed array, and the packed array cannot hold this element.
    NotAnElement {
        /// The type of the packed array.
        packed: Kind,
        /// The type of the element.
        found: Kind,
    },
}

impl FitError {
    /// Returns the offset, in the new value, of the part that does not fit. [`FitError::path`] turns it into a path.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// Returns what does not fit.
    #[must_use]
    pub const fn kind(self) -> FitErrorKind {
        self.kind
    }

    /// Returns the path of the part that does not fit: `path`, where `value` was to be put, and the steps to the part
    /// inside `value`. `$` if there are none.
    #[must_use]
    pub fn path(self, path: &str, value: &[u8], options: ReadOptions) -> String {
        let inner = Document::with_options(value, options);
        let inner = inner.locate(self.offset).to_string();
        let path = if path.is_empty() { "$" } else { path };
        format!("{path}{}", inner.strip_prefix('$').unwrap_or_default())
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
            FitErrorKind::MaybeRounded => f.write_str(ROUNDED),
            FitErrorKind::NotAFloat { int } => write!(
                f,
                "a float is there, and none equals {int}: floats hold every whole number from \
                 -9007199254740992 to 9007199254740992, and few beyond"
            ),
            FitErrorKind::OtherType { old, found } => write!(
                f,
                "a value of type {old} is there, and this {found} does not become one"
            ),
            FitErrorKind::NotAnElement { packed, found } => write!(
                f,
                "a {packed} is there, which holds {} only, not this {found}; to put an Array in its place, \
                 set null first, then the Array",
                elements(*packed)
            ),
        }
    }
}

/// Describes the elements of a packed array for people.
fn elements(packed: Kind) -> &'static str {
    match packed {
        Kind::PackedByteArray => "whole numbers from 0 to 255",
        Kind::PackedInt32Array => "whole numbers from -2147483648 to 2147483647",
        Kind::PackedInt64Array => "whole numbers from -9223372036854775808 to 9223372036854775807",
        Kind::PackedFloat32Array => "floats of 32 bits",
        Kind::PackedFloat64Array => "floats of 64 bits",
        _ => packed.element_kind().map_or("its elements", Kind::name),
    }
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

gdvar_view::debug_is_display!(FitError);

impl core::error::Error for FitError {}

/// Converts `value` to the type that its place at `path` requires, for [`Edit::set`](crate::Edit::set), and returns
/// its bytes.
///
/// Returns the bytes unchanged if the path leads nowhere or `value` is not a value:
/// [`Edit`](crate::Edit) then gives the better message. Cost: one search for the path, and one walk
/// over the old and the new value if both are containers. For many paths use [`find`] and
/// [`set_at`].
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
/// Returns what does not fit, and where in `value` it is.
pub fn set(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, FitError> {
    place(document, path).map_or_else(|| Ok(value.to_vec()), |place| set_at(place, value))
}

/// Converts `value` to the type that the container of `path` requires, for
/// [`Edit::insert`](crate::Edit::insert). Unsuitable paths and values, and the cost, are as
/// described at [`set`].
///
/// # Errors
/// Returns what does not fit, and where in `value` it is.
pub fn insert(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, FitError> {
    place(document, path).map_or_else(|| Ok(value.to_vec()), |place| insert_at(place, value))
}

/// Converts `value` to the element type of the array at `path`, for
/// [`Edit::append`](crate::Edit::append). For a Dictionary, converts to the type of its values, for
/// [`Edit::insert_pair`](crate::Edit::insert_pair). Unsuitable paths and values, and the cost, are
/// as described at [`set`].
///
/// # Errors
/// Returns what does not fit, and where in `value` it is.
pub fn append(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, FitError> {
    place(document, path).map_or_else(|| Ok(value.to_vec()), |place| append_at(place, value))
}

/// Finds the places of many `paths` for [`set_at`] and the other functions of this module, and returns them. Each
/// container on the way is walked once.
///
/// The result is `None` where the path is malformed, and where a value on the way cannot be read. Then pass the new
/// value unchanged to [`Edit`](crate::Edit), which gives the better message.
#[must_use]
pub fn find<'a>(document: Document<'a>, paths: &[&str]) -> Vec<Option<Place<'a>>> {
    let parsed = { paths.iter().enumerate() }
        .filter_map(|(number, path)| Some((number, Path::parse(path).ok()?)));
    let (numbers, parsed): (Vec<usize>, Vec<Path<'_>>) = parsed.unzip();
    let mut all = vec![None; paths.len()];
    for (number, place) in numbers.into_iter().zip(each_place(document, &parsed)) {
        all[number] = place.ok();
    }
    all
}

/// Converts `value` to the type that `place` requires. See [`set`], which finds the place by its
/// path.
///
/// # Errors
/// Returns what does not fit, and where in `value` it is.
pub fn set_at(place: Place<'_>, value: &[u8]) -> Result<Vec<u8>, FitError> {
    let old = value_at(place);
    let child = Destination::new_child(place.container());
    fit(Destination { old, ..child }, place, value)
}

/// Converts `value` to the type that the container of `place` requires. See [`insert`].
///
/// # Errors
/// Returns what does not fit, and where in `value` it is.
pub fn insert_at(place: Place<'_>, value: &[u8]) -> Result<Vec<u8>, FitError> {
    fit(Destination::new_child(place.container()), place, value)
}

/// Converts `value` to the element type of the array at `place`, or to the type of the values of
/// the Dictionary there. See [`append`].
///
/// # Errors
/// Returns what does not fit, and where in `value` it is.
pub fn append_at(place: Place<'_>, value: &[u8]) -> Result<Vec<u8>, FitError> {
    fit(Destination::new_child(value_at(place)), place, value)
}

/// Checks that `value`, which [`set_at`] returned for `place`, has the type of the value that it replaces. Use it for
/// values that do not say their type, such as a number or a list of a script: another type is then a mistake. Null
/// replaces everything, and everything replaces null; all kinds of arrays are one type. Parts of the value are not
/// checked.
///
/// # Errors
/// Returns [`FitErrorKind::OtherType`] if the types differ.
pub fn keeps_type_at(place: Place<'_>, value: &[u8]) -> Result<(), FitError> {
    let new = Document::with_options(value, place.owner().options()).root();
    let (Some(old), Ok(new)) = (value_at(place), new) else {
        return Ok(());
    };
    let is_null =
        |one: VariantRef<'_>| one.is_nil() || one.as_object().is_some_and(ObjectRef::is_null);
    let is_alike = old.kind() == new.kind() || old.as_array().is_some() && new.as_array().is_some();
    if is_alike || is_null(old) || is_null(new) {
        return Ok(());
    }
    Err(FitError {
        offset: 0,
        kind: FitErrorKind::OtherType {
            old: old.kind(),
            found: new.kind(),
        },
    })
}

fn place<'a>(document: Document<'a>, path: &str) -> Option<Place<'a>> {
    find(document, &[path]).pop()?
}

fn value_at(place: Place<'_>) -> Option<VariantRef<'_>> {
    match place.found() {
        Some(Found::Value(value)) => Some(value),
        Some(Found::Part(_)) | None => None,
    }
}

/// The old value that a new value replaces, and the type that the container requires.
#[derive(Clone, Copy)]
struct Destination<'a> {
    old: Option<VariantRef<'a>>,
    element: ElementType<'a>,
}

impl<'a> Destination<'a> {
    fn new_child(container: Option<VariantRef<'a>>) -> Destination<'a> {
        let container = container.and_then(|value| Container::of(value).ok().flatten());
        Destination {
            old: None,
            element: container.map_or(ElementType::Untyped, Container::value_type),
        }
    }
}

/// Copies `new` and converts the parts that must take another type.
fn fit(to: Destination<'_>, place: Place<'_>, new: &[u8]) -> Result<Vec<u8>, FitError> {
    let options = place.owner().options();
    let Ok(root) = Document::with_options(new, options).root() else {
        return Ok(new.to_vec());
    };
    let mut parts = Vec::new();
    let mut open = vec![(root, to)];
    while let Some((value, place)) = open.pop() {
        // Unreadable bytes are returned unchanged, for the edit to refuse.
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

type Pending<'n, 'o> = Vec<(VariantRef<'n>, Destination<'o>)>;

/// Converts one value if needed, and adds its children to `open`. The inner result is an error if
/// the value cannot be read.
fn one<'n: 'o, 'o>(
    value: VariantRef<'n>,
    place: Destination<'o>,
    parts: &mut Vec<(Range<usize>, Vec<u8>)>,
    open: &mut Pending<'n, 'o>,
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
        let bytes = match repack(value, wanted, place.old) {
            Some(Ok(bytes)) => Some(bytes),
            Some(Err(RepackError::Read(error))) => return Ok(Err(error)),
            Some(Err(RepackError::Element {
                element,
                may_be_rounded,
            })) => {
                let (offset, found) = (element.offset(), element.kind());
                let kind = match may_be_rounded {
                    true => FitErrorKind::MaybeRounded,
                    false => FitErrorKind::NotAnElement {
                        packed: wanted,
                        found,
                    },
                };
                return Err(FitError { offset, kind });
            }
            None => become_kind(value, wanted, is_typed).map_err(refuse)?,
        };
        if let Some(bytes) = bytes {
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

/// Converts a value to another type, or returns `None` if that is not possible.
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
        (Kind::Float, Kind::Int) => match value.as_f64().map(whole_number) {
            Some(WholeNumber::Int(int)) => writer.int(int).is_ok(),
            Some(WholeNumber::MaybeRounded) => return Err(FitErrorKind::MaybeRounded),
            _ if is_typed => return Err(FitErrorKind::NotAnInt),
            _ => false,
        },
        (Kind::String, Kind::StringName) => return Ok(with_type(value, wanted)),
        (Kind::StringName, Kind::String) if is_typed => return Ok(with_type(value, wanted)),
        _ => false,
    };
    Ok(written.then(|| writer.finish().ok()).flatten())
}

/// Returns the bytes of `text` with the type number of `wanted`: a String as a StringName, or a
/// StringName as a String. Both have the same payload. The raw bytes are copied, because readers do
/// not show a byte order mark at the start of a text.
fn with_type(text: VariantRef<'_>, wanted: Kind) -> Option<Vec<u8>> {
    let id = text.dialect().type_id(wanted)?;
    let mut bytes = text.raw().ok()?.to_vec();
    *bytes.first_mut()? = id.0;
    Some(bytes)
}

/// Converts a container to the types of the old one, and adds its children to `open`.
fn children<'n: 'o, 'o>(
    value: VariantRef<'n>,
    old: Option<VariantRef<'o>>,
    parts: &mut Vec<(Range<usize>, Vec<u8>)>,
    open: &mut Pending<'n, 'o>,
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
    // A TypedArray of Pandemonium may have no type, and is still no Array.
    let is_other = old.value.kind() != Kind::Array && new.value.kind() == Kind::Array;
    if (is_typed(old) || is_other) && !is_typed(new) {
        types = (old.key_type(), old.value_type());
        let whole = old.value.raw()?;
        let head = old.count_at - old.value.offset();
        let head = whole.get(..head).unwrap_or_default().to_vec();
        parts.push((new.value.offset()..new.count_at, head));
    }
    let mut old_children = OldChildren::of(old, new.len)?;
    let first = open.len();
    let mut children = new.children();
    let mut nth = 0;
    while let Some(child) = children.try_next()? {
        let (old_key, old) = old_children.take(nth, KeyQuery::of_child(child));
        nth += 1;
        if let Name::Key(key) = child.name {
            let (old, element) = (old_key, types.0);
            open.push((key, Destination { old, element }));
        }
        let element = types.1;
        open.push((child.value, Destination { old, element }));
    }
    // `open` is a stack. Reversed, it yields the first child first, so the first mistake is the one reported.
    open[first..].reverse();
    Ok(())
}

/// The children of the replaced container, to find the counterpart of each new child.
enum OldChildren<'o> {
    /// The elements of an array, by index. Empty if the lengths differ.
    Items(Vec<VariantRef<'o>>),
    /// Dictionary pairs (key and value) and properties, by key or name.
    Named(HashMap<KeyQuery<'o>, (Option<VariantRef<'o>>, VariantRef<'o>)>),
}

impl<'o> OldChildren<'o> {
    fn of(old: Container<'o>, len: usize) -> Result<OldChildren<'o>, ReadError> {
        let mut items = Vec::new();
        let mut named = HashMap::new();
        if old.is_array() && old.len != len {
            return Ok(OldChildren::Items(items));
        }
        let mut children = old.children();
        while let Some(child) = children.try_next()? {
            match (child.name, KeyQuery::of_child(child)) {
                (Name::Place, _) => items.push(child.value),
                (Name::Key(key), Some(query)) => {
                    named.insert(query, (Some(key), child.value));
                }
                (Name::Property(_), Some(query)) => {
                    named.insert(query, (None, child.value));
                }
                (_, None) => {}
            }
        }
        Ok(match old.is_array() {
            true => OldChildren::Items(items),
            false => OldChildren::Named(named),
        })
    }

    fn take(
        &mut self,
        nth: usize,
        query: Option<KeyQuery<'_>>,
    ) -> (Option<VariantRef<'o>>, Option<VariantRef<'o>>) {
        match (self, query) {
            (OldChildren::Items(items), _) => (None, items.get(nth).copied()),
            (OldChildren::Named(named), Some(query)) => match named.get(&query) {
                Some((key, value)) => (*key, Some(*value)),
                None => (None, None),
            },
            (OldChildren::Named(_), None) => (None, None),
        }
    }
}
