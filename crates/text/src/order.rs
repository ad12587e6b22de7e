//! Compares keys: in the engines' own way, which is not always an order, and in a total order.

use core::{cell::Cell, cmp::Ordering};

use gdvar_view::{Dialect, ElementType, Event, Kind, Packed, Role, StrRef, VariantRef};
use gdvar_wire::Notation;
use gdvar_write::Precision;

use crate::{
    coerce::{Target, coerce},
    leaf::Leaf,
    outline::{Children, Item, Outline},
    packed::elements,
    page::on_page,
    shown::Shown,
    string::{Escape, parsed_path, write_parsed_path, write_path, write_str_ref},
};

/// Compares the keys of one dictionary.
pub(crate) struct Keys<'o, 'a> {
    outline: &'o Outline<'a>,
    dialect: Dialect,
    notation: Notation,
    /// The precision of the engine that compares.
    precision: Precision,
    /// How many more values may be compared; after that, all count as equal. If a comparison is
    /// inconsistent, the engines' sorting takes quadratic time, and this code must not.
    budget: Cell<u64>,
}

/// How many comparisons a dictionary may take in addition to the number that sorting needs.
const SPARE_COMPARISONS: u64 = 1_000_000;

/// The children of one container in each of two keys that are compared.
type Pair<'o, 'a> = (Elements<'o, 'a>, Elements<'o, 'a>);

/// Iterates over the children of a container inside a key, as the engine holds them: children that
/// do not fit are converted or dropped.
struct Elements<'o, 'a> {
    children: Children<'o, 'a>,
    target: Target,
    precision: Precision,
    /// `pairs` is `true` for a dictionary. `at_key` is `true` if its next child is a key.
    pairs: bool,
    at_key: bool,
}

impl<'o, 'a> Elements<'o, 'a> {
    fn of(outline: &'o Outline<'a>, item: Item<'a>, precision: Precision) -> Elements<'o, 'a> {
        let dict = item.value.as_dict();
        let of = match (item.value.as_array(), dict) {
            (Some(array), _) => array.element_type(),
            (None, Some(dict)) => dict.key_type(),
            (None, None) => ElementType::Untyped,
        };
        Elements {
            children: outline.children(item),
            target: Target::of(of),
            precision,
            pairs: dict.is_some(),
            at_key: dict.is_some(),
        }
    }

    /// Returns the next child and its offset.
    fn next(&mut self) -> Option<(Shown<'a>, usize)> {
        loop {
            let item = self.children.next()?;
            let place = item.value.offset();
            let shown = Shown::in_precision(item, self.precision);
            if self.pairs && !self.at_key {
                self.at_key = true;
                return Some((shown, place));
            }
            match coerce(shown, self.target) {
                Some(shown) => {
                    self.at_key = false;
                    return Some((shown, place));
                }
                // The value of a dropped key is dropped, too.
                None if self.pairs => drop(self.children.next()?),
                None => {}
            }
        }
    }
}

fn is_array(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray
    )
}

fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::String | Kind::StringName)
}

impl<'o, 'a> Keys<'o, 'a> {
    /// Creates a comparison for `count` keys of the dictionary `dict`.
    pub(crate) fn new(
        outline: &'o Outline<'a>,
        dict: Item<'a>,
        notation: Notation,
        count: u64,
    ) -> Keys<'o, 'a> {
        let honest = 16 * count * u64::from(count.checked_ilog2().unwrap_or(0) + 1);
        let budget = Cell::new(SPARE_COMPARISONS + honest);
        Keys {
            outline,
            dialect: dict.value.dialect(),
            notation,
            precision: Precision::Single,
            budget,
        }
    }

    /// Compares as an engine with this precision does. Without this, as one with single precision.
    pub(crate) fn in_precision(self, precision: Precision) -> Keys<'o, 'a> {
        Keys { precision, ..self }
    }

    fn spend(&self) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(1));
        left > 0
    }

    fn pair(&self, a: Item<'a>, b: Item<'a>) -> Pair<'o, 'a> {
        let elements = |item| Elements::of(self.outline, item, self.precision);
        (elements(a), elements(b))
    }

    /// Returns the engine's type number of a kind. Values of different types are ordered by it.
    fn type_number(&self, kind: Kind) -> u8 {
        self.dialect.type_id(kind).map_or(u8::MAX, |id| id.0)
    }

    /// Returns `true` if the engine sorts `a` before `b`.
    pub(crate) fn less(&self, a: &Shown<'a>, b: &Shown<'a>) -> bool {
        match self.notation {
            Notation::Godot4 => self.relation(*a, *b) == Some(Ordering::Less),
            Notation::Godot3_6 | Notation::Godot3_2 => self.less3(*a, *b),
        }
    }

    /// Compares as Godot 4 does. Returns `None` if the engine has no order for the two values.
    fn relation(&self, a: Shown<'a>, b: Shown<'a>) -> Option<Ordering> {
        let mut open: Vec<Pair<'o, 'a>> = Vec::new();
        let (mut a, mut b) = (a, b);
        let mut outermost = true;
        loop {
            if !self.spend() {
                return None;
            }
            match (a, b) {
                (Shown::Tree(left), Shown::Tree(right))
                    if is_array(left.value.kind()) && is_array(right.value.kind()) =>
                {
                    open.push(self.pair(left, right));
                }
                _ => {
                    if let Some(ordering) = self.plain_relation(&a, &b, outermost) {
                        return Some(ordering);
                    }
                }
            }
            outermost = false;
            // Continues with the next pair of elements. A shorter array is less.
            loop {
                let (left, right) = open.last_mut()?;
                match (left.next(), right.next()) {
                    (Some((left, _)), Some((right, _))) => {
                        (a, b) = (left, right);
                        break;
                    }
                    (None, Some(_)) => return Some(Ordering::Less),
                    (Some(_), None) => return Some(Ordering::Greater),
                    (None, None) => {
                        open.pop();
                    }
                }
            }
        }
    }

    /// Compares as Godot 4 does, without comparing the elements of arrays. At the outermost level,
    /// String and StringName compare as text; inside arrays the type decides first.
    fn plain_relation(&self, a: &Shown<'a>, b: &Shown<'a>, outermost: bool) -> Option<Ordering> {
        let (kind, other) = (a.kind(), b.kind());
        if kind != other && !(outermost && is_text(kind) && is_text(other)) {
            return Some(self.type_number(kind).cmp(&self.type_number(other)));
        }
        let (Shown::Leaf(a), Shown::Leaf(b)) = (a, b) else {
            return None;
        };
        let ordering = match (a, b) {
            (Leaf::Bool(a), Leaf::Bool(b)) => a.cmp(b),
            (Leaf::Int(a), Leaf::Int(b)) => a.cmp(b),
            (Leaf::Float(a), Leaf::Float(b)) => a.partial_cmp(b)?,
            (Leaf::Text(_, a), Leaf::Text(_, b)) => a.as_bytes().cmp(b.as_bytes()),
            (Leaf::Text(..) | Leaf::TextOfPath(_), Leaf::Text(..) | Leaf::TextOfPath(_)) => {
                converted(a).cmp(&converted(b))
            }
            (Leaf::Rid(a), Leaf::Rid(b)) => a.cmp(b),
            (Leaf::Reals(Kind::Vector2 | Kind::Vector3 | Kind::Vector4, a), Leaf::Reals(_, b)) => {
                a.partial_cmp(b)?
            }
            (Leaf::Ints(Kind::Vector2i | Kind::Vector3i | Kind::Vector4i, a), Leaf::Ints(_, b)) => {
                a.cmp(b)
            }
            _ => return None,
        };
        Some(ordering).filter(|ordering| ordering.is_ne())
    }

    /// Compares as Godot 3 does: an array is less than another if it is not longer and *not* all of
    /// its elements are less than the other's.
    fn less3(&self, a: Shown<'a>, b: Shown<'a>) -> bool {
        let mut open: Vec<Pair<'o, 'a>> = Vec::new();
        let mut answer = self.enter3(&mut open, a, b);
        loop {
            match (answer, open.last_mut()) {
                (Some(answer), None) => return answer,
                (Some(false), Some(_)) => {
                    open.pop();
                    answer = Some(true);
                }
                (_, Some((left, right))) => match (left.next(), right.next()) {
                    (Some((left, _)), Some((right, _))) => {
                        answer = self.enter3(&mut open, left, right);
                    }
                    _ => {
                        open.pop();
                        answer = Some(false);
                    }
                },
                (None, None) => return false,
            }
        }
    }

    /// Compares two values. If their children decide, pushes them and returns `None`.
    fn enter3(&self, open: &mut Vec<Pair<'o, 'a>>, a: Shown<'a>, b: Shown<'a>) -> Option<bool> {
        if !self.spend() {
            return Some(false);
        }
        let (kind, other) = (a.kind(), b.kind());
        if kind != other {
            return Some(self.type_number(kind) < self.type_number(other));
        }
        match (a, b) {
            (Shown::Tree(a), Shown::Tree(b)) => {
                let (Some(left), Some(right)) = (a.value.as_array(), b.value.as_array()) else {
                    return Some(false);
                };
                if right.len() < left.len() {
                    return Some(false);
                }
                open.push(self.pair(a, b));
                None
            }
            (Shown::Leaf(a), Shown::Leaf(b)) => Some(leaf_less3(a, b, self.notation)),
            _ => Some(false),
        }
    }

    /// Compares in a total order. Keys are equal if the engine treats them as the same key
    /// (`docs/FORMAT.md` §6, row 22). If the engine has an order for all of the keys, this is the
    /// same order.
    pub(crate) fn total(&self, a: &Shown<'a>, b: &Shown<'a>) -> Ordering {
        let mut open: Vec<Pair<'o, 'a>> = Vec::new();
        let (mut a, mut b) = (*a, *b);
        // The offsets of the two values, if they lie inside the keys and are not keys of a
        // dictionary there.
        let mut places: Option<(usize, usize)> = None;
        loop {
            let mut ordering = self
                .number_as_key(a.kind(), open.is_empty())
                .cmp(&self.number_as_key(b.kind(), open.is_empty()));
            if ordering.is_eq() {
                ordering = match (&a, &b) {
                    (Shown::Tree(left), Shown::Tree(right))
                        if self.by_content(left.value.kind()) =>
                    {
                        open.push(self.pair(*left, *right));
                        Ordering::Equal
                    }
                    (Shown::Leaf(a), Shown::Leaf(b)) => {
                        let ordering = leaf_total(a, b, self.notation);
                        match (a, places) {
                            // In Godot 4, a NaN in an array differs from every other NaN.
                            (Leaf::Float(a), Some((left, right)))
                                if a.is_nan() && ordering.is_eq() =>
                            {
                                left.cmp(&right)
                            }
                            _ => ordering,
                        }
                    }
                    (a, b) => place(a).cmp(&place(b)),
                };
            }
            if ordering.is_ne() {
                return ordering;
            }
            loop {
                let Some((left, right)) = open.last_mut() else {
                    return Ordering::Equal;
                };
                let unequal_nan = self.notation == Notation::Godot4 && !(left.pairs && left.at_key);
                match (left.next(), right.next()) {
                    (Some((left, left_place)), Some((right, right_place))) => {
                        places = unequal_nan.then_some((left_place, right_place));
                        (a, b) = (left, right);
                        break;
                    }
                    (None, Some(_)) => return Ordering::Less,
                    (Some(_), None) => return Ordering::Greater,
                    (None, None) => {
                        open.pop();
                    }
                }
            }
        }
    }

    /// Returns the type number by which a key is ordered. In Godot 4, a StringName at the outermost
    /// level has the number of a String.
    fn number_as_key(&self, kind: Kind, outermost: bool) -> u8 {
        let text =
            outermost && kind == Kind::StringName && self.dialect.string_names_equal_strings();
        self.type_number(if text { Kind::String } else { kind })
    }

    /// Returns `true` if containers of this kind are the same key when their contents are equal.
    /// Objects never are, and dictionaries are not in Godot 3.
    fn by_content(&self, kind: Kind) -> bool {
        is_array(kind) || kind == Kind::Dictionary && self.notation == Notation::Godot4
    }
}

fn place(shown: &Shown<'_>) -> usize {
    match shown {
        Shown::Tree(item) | Shown::PackedFrom(_, item) => item.value.offset(),
        Shown::Leaf(_) => 0,
    }
}

fn codes(a: &StrRef<'_>, b: &StrRef<'_>) -> Ordering {
    // In UTF-8, byte order is character order. Godot 3 also accepts overlong sequences, where it is
    // not.
    if a.to_str().is_ok() && b.to_str().is_ok() {
        return a.as_bytes().cmp(b.as_bytes());
    }
    a.codes().cmp(b.codes())
}

/// Returns `true` if two coordinates of vectors count as equal. Godot 3.2 ignores small
/// differences.
fn near(a: f64, b: f64, notation: Notation) -> bool {
    let (a, b) = (a as f32, b as f32);
    if a == b || notation != Notation::Godot3_2 {
        return a == b;
    }
    const EPSILON: f32 = 0.000_01;
    (a - b).abs() < (EPSILON * a.abs()).max(EPSILON)
}

fn leaf_less3(a: Leaf<'_>, b: Leaf<'_>, notation: Notation) -> bool {
    match (a, b) {
        (Leaf::Bool(a), Leaf::Bool(b)) => !a & b,
        (Leaf::Int(a), Leaf::Int(b)) => a < b,
        (Leaf::Float(a), Leaf::Float(b)) => a < b,
        (Leaf::Text(_, a), Leaf::Text(_, b)) => codes(&a, &b).is_lt(),
        (Leaf::Reals(kind @ (Kind::Vector2 | Kind::Vector3), a), Leaf::Reals(_, b)) => {
            let count = kind.component_count();
            let apart = (0..count - 1)
                .find(|&n| !near(a[n], b[n], notation))
                .unwrap_or(count - 1);
            a[apart] < b[apart]
        }
        (Leaf::Other(a), Leaf::Other(b)) => packed_less3(a, b),
        _ => false,
    }
}

/// Compares packed arrays as Godot 3 does: an array is less if it is shorter or if it differs. The
/// engine reads past the end of the shorter array; the bytes that it finds there are assumed to
/// differ. The engine reads a PoolVector2Array as if its elements were Vector3.
fn packed_less3(a: VariantRef<'_>, b: VariantRef<'_>) -> bool {
    if a.kind() == Kind::PackedVector2Array {
        let flat = |value: VariantRef<'_>| -> Vec<f64> {
            let pairs = elements(value).into_iter().flatten().filter_map(Result::ok);
            pairs
                .flat_map(|pair| {
                    if let Leaf::Reals(_, reals) = pair {
                        [reals[0], reals[1]]
                    } else {
                        [0.0; 2]
                    }
                })
                .collect()
        };
        let (a, b) = (flat(a), flat(b));
        let (left, right) = (a.chunks_exact(3), b.chunks_exact(3));
        return left.len() < right.len()
            || left.len() > right.len()
            || left.zip(right).any(|(a, b)| a != b);
    }
    let (Some(count), Some(other)) = (a.packed_len(), b.packed_len()) else {
        return false;
    };
    if count != other {
        return true;
    }
    let (Some(a), Some(b)) = (elements(a), elements(b)) else {
        return false;
    };
    a.zip(b).any(|(a, b)| match (a, b) {
        (Ok(Leaf::Float(a)), Ok(Leaf::Float(b))) => a != b,
        (Ok(Leaf::Reals(_, a)), Ok(Leaf::Reals(_, b))) => a != b,
        (Ok(a), Ok(b)) => leaf_total(&a, &b, Notation::Godot3_2).is_ne(),
        _ => false,
    })
}

/// Compares reals as keys: all NaNs are equal, and 0.0 equals -0.0.
fn real_total(a: f64, b: f64) -> Ordering {
    let plain = |real: f64| if real.is_nan() { f64::NAN } else { real + 0.0 };
    plain(a).total_cmp(&plain(b))
}

fn leaf_total(a: &Leaf<'_>, b: &Leaf<'_>, notation: Notation) -> Ordering {
    match (a, b) {
        // Godot 3.2 cannot find an array of reals that contains a NaN. All of these arrays are
        // sorted after the others, by offset. This must also cover pairs in which only one has a
        // NaN, to be an order.
        (Leaf::Other(a), Leaf::Other(b))
            if notation == Notation::Godot3_2 && (has_nan(*a) || has_nan(*b)) =>
        {
            let by_place = || a.offset().cmp(&b.offset());
            has_nan(*a).cmp(&has_nan(*b)).then_with(by_place)
        }
        // Godot 3 compares hashes of the bits, so 0.0 and -0.0 are different keys.
        (Leaf::Other(a), Leaf::Other(b))
            if notation != Notation::Godot4
                && a.kind() == Kind::PackedFloat32Array
                && b.kind() == Kind::PackedFloat32Array =>
        {
            let bits = |value: VariantRef<'_>| match value.as_packed() {
                Some(Packed::Float32(reals)) => reals.iter().map(f32::to_bits).collect(),
                _ => Vec::new(),
            };
            bits(*a).cmp(&bits(*b))
        }
        (Leaf::Bool(a), Leaf::Bool(b)) => a.cmp(b),
        (Leaf::Int(a), Leaf::Int(b)) => a.cmp(b),
        (Leaf::Float(a), Leaf::Float(b)) => real_total(*a, *b),
        (Leaf::Text(_, a), Leaf::Text(_, b)) => codes(a, b),
        // A NodePath that was converted to a String compares like any other text.
        (Leaf::Text(..) | Leaf::TextOfPath(_), Leaf::Text(..) | Leaf::TextOfPath(_)) => {
            text_codes(a).cmp(&text_codes(b))
        }
        (Leaf::Path(_) | Leaf::PathOfText(_), Leaf::Path(_) | Leaf::PathOfText(_)) => {
            path_key(a, notation).cmp(&path_key(b, notation))
        }
        (Leaf::Reals(_, a), Leaf::Reals(_, b)) => {
            let orders = a.iter().zip(b).map(|(a, b)| real_total(*a, *b));
            orders.fold(Ordering::Equal, Ordering::then)
        }
        (Leaf::Ints(_, a), Leaf::Ints(_, b)) => a.cmp(b),
        (Leaf::Rid(a), Leaf::Rid(b)) => a.cmp(b),
        (Leaf::ObjectId(_, a), Leaf::ObjectId(_, b)) => a.cmp(b),
        (Leaf::Signal(a, id), Leaf::Signal(b, other)) => id.cmp(other).then_with(|| codes(a, b)),
        (Leaf::Other(a), Leaf::Other(b)) => match (elements(*a), elements(*b)) {
            (Some(left), Some(right)) => {
                let count = a.packed_len().cmp(&b.packed_len());
                count.then_with(|| {
                    left.zip(right)
                        .map(|pair| match pair {
                            (Ok(a), Ok(b)) => leaf_total(&a, &b, notation),
                            _ => Ordering::Equal,
                        })
                        .find(|ordering| ordering.is_ne())
                        .unwrap_or(Ordering::Equal)
                })
            }
            _ => a.offset().cmp(&b.offset()),
        },
        (Leaf::ArrayOfPacked(a), Leaf::ArrayOfPacked(b)) => a.offset().cmp(&b.offset()),
        // Two nulls are equal, and so are two empty Callables.
        _ => variant(a).cmp(&variant(b)),
    }
}

/// Returns the characters of a String, or of the text of a converted NodePath.
fn text_codes(leaf: &Leaf<'_>) -> Vec<u32> {
    match leaf {
        Leaf::Text(_, text) => text.codes().collect(),
        leaf => converted(leaf).chars().map(u32::from).collect(),
    }
}

/// What decides whether two NodePaths are the same key: whether the path is absolute, the number of
/// its names, the number of its sub-names, and the text of each name and sub-name.
type PathKey = (bool, u32, u32, Vec<Vec<u8>>);

/// Returns the key of a NodePath, or of the NodePath that the engine makes of a String.
fn path_key(leaf: &Leaf<'_>, notation: Notation) -> PathKey {
    match leaf {
        Leaf::Path(path) => {
            let (names, subnames) = (path.name_count(), path.subname_count());
            let text = |part: Result<StrRef<'_>, gdvar_view::Error>| {
                part.map(StrRef::as_bytes).unwrap_or_default().to_vec()
            };
            // Godot 3 drops the mark of an absolute path that has no names.
            let kept = names + subnames > 0 || notation == Notation::Godot4;
            let parts = path.parts().map(text).collect();
            (path.is_absolute() && kept, names, subnames, parts)
        }
        Leaf::PathOfText(text) => {
            let (is_absolute, names, subnames) = parsed_path(text.to_str().unwrap_or_default());
            let parts = names
                .iter()
                .chain(&subnames)
                .map(|part| part.as_bytes().to_vec());
            (
                is_absolute,
                names.len() as u32,
                subnames.len() as u32,
                parts.collect(),
            )
        }
        _ => PathKey::default(),
    }
}

/// Distinguishes values of one kind: an object's id from a null, and an Array that was converted
/// from a packed array from other Arrays.
fn variant(leaf: &Leaf<'_>) -> u8 {
    u8::from(matches!(leaf, Leaf::ObjectId(..) | Leaf::ArrayOfPacked(_)))
}

/// Returns the text of a String or NodePath, or of one that was converted into the other.
fn converted(leaf: &Leaf<'_>) -> String {
    let mut out = String::new();
    // Cannot fail: the value was walked before, and a String takes any text.
    let _ = on_page(&mut out, |page| match *leaf {
        Leaf::Text(_, text) => write_str_ref(page, text, Escape::None),
        Leaf::PathOfText(text) => write_parsed_path(page, text, Escape::None),
        Leaf::Path(path) | Leaf::TextOfPath(path) => {
            write_path(page, path, Escape::None, Notation::Godot4)
        }
        _ => Ok(()),
    });
    out
}

/// Returns `true` if an array of reals has a NaN.
fn has_nan(value: VariantRef<'_>) -> bool {
    match value.as_packed() {
        Some(Packed::Float32(reals)) => reals.iter().any(f32::is_nan),
        _ => false,
    }
}

/// Returns `true` if Godot 3.2 cannot find this key in its own dictionary, and prints null as its
/// value. This happens to an array of reals with a NaN, and to a key that contains one. In a
/// dictionary inside the key only the keys matter: if the engine looks up a key there and cannot
/// find it, the engine adds the key again, which changes the hash of the outer key.
pub(crate) fn is_lost(key: VariantRef<'_>, notation: Notation) -> bool {
    if notation != Notation::Godot3_2 {
        return false;
    }
    if !key.has_children() {
        return has_nan(key);
    }
    // For each open container: `true` if its children matter.
    let mut open = vec![];
    let mut events = key.events();
    while let Ok(Some(event)) = events.try_next() {
        let counts = match events.role() {
            Role::Key => true,
            Role::Value | Role::Property => false,
            _ => open.last().copied().unwrap_or(true),
        };
        match event {
            Event::Value(value) if counts && has_nan(value) => return true,
            Event::Begin(_) => open.push(counts),
            Event::End => drop(open.pop()),
            _ => {}
        }
    }
    false
}
