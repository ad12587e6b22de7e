//! Finds the places that match a pattern, by testing the path of every place in the tree.

use gdvar::{
    Dialect, Kind,
    path::{Found, PathTarget, Pattern, PatternStep, Step},
};
use serde_json::{Value as Json, json};

use super::{is_key, json as described, unescaped};
use crate::reference::{Component, Text, Value};

/// The step from a parent to one of its places.
#[derive(Clone, Debug)]
enum Label<'v> {
    Element(i64, i64),
    Pair(usize, &'v Value),
    Key(usize),
    Property(&'v Text),
    Component(&'static str),
}

/// What is at a place: a value, a text of a PackedStringArray, or the numbers of another packed array's
/// element or of a part of a math type.
#[derive(Clone, Debug)]
pub(super) enum Node<'v> {
    Value(&'v Value),
    Text(&'v Text),
    Numbers(Kind, Vec<Component>),
}

/// The greatest number of places that are tested. A larger tree is skipped.
const MAX_PLACES: usize = 3000;

/// Returns the places below a node that match the steps of a pattern, in any order. `None` if the tree is
/// too large.
pub(super) fn select(
    node: Node<'_>,
    steps: &[PatternStep<'_>],
    dialect: Dialect,
) -> Option<Vec<Json>> {
    let mut found = Vec::new();
    let mut left = vec![(Vec::new(), node)];
    let mut seen = 0;
    while let Some((labels, node)) = left.pop() {
        seen += 1;
        if seen > MAX_PLACES || labels.len() > 40 {
            return None;
        }
        if leads(&labels, steps, dialect) {
            found.push(shown(&node));
        }
        for (label, child) in children(&node) {
            let mut labels = labels.clone();
            labels.push(label);
            left.push((labels, child));
        }
    }
    Some(found)
}

/// Returns `true` if the steps of a pattern match a path with these labels. For each number of
/// steps, the function computes how many labels they can have matched.
fn leads(labels: &[Label<'_>], steps: &[PatternStep<'_>], dialect: Dialect) -> bool {
    let mut reached = vec![false; labels.len() + 1];
    reached[0] = true;
    for step in steps {
        let mut next = vec![false; labels.len() + 1];
        for taken in 0..=labels.len() {
            if !reached[taken] {
                continue;
            }
            if *step == PatternStep::AnyDepth {
                let passable =
                    |label: &&Label<'_>| !matches!(label, Label::Key(_) | Label::Component(_));
                let run = labels[taken..].iter().take_while(passable).count();
                next[taken..=taken + run].fill(true);
            } else if labels
                .get(taken)
                .is_some_and(|label| holds(*step, label, dialect))
            {
                next[taken + 1] = true;
            }
        }
        reached = next;
    }
    reached[labels.len()]
}

fn holds(step: PatternStep<'_>, label: &Label<'_>, dialect: Dialect) -> bool {
    match (step, label) {
        (PatternStep::All, Label::Key(_) | Label::Component(_)) => false,
        (PatternStep::All, _) => true,
        (PatternStep::Slice(from, to), Label::Element(n, len)) => {
            let place = |end: i64| i128::from(end) + if end < 0 { i128::from(*len) } else { 0 };
            let n = i128::from(*n);
            from.is_none_or(|from| place(from) <= n) && to.is_none_or(|to| n < place(to))
        }
        (PatternStep::One(Step::Index(index)), Label::Element(n, len)) => {
            index == *n || i128::from(index) + i128::from(*len) == i128::from(*n) && index < 0
        }
        (PatternStep::One(Step::PairValue(pair)), Label::Pair(n, _)) => pair as usize == *n,
        (PatternStep::One(Step::PairKey(pair)), Label::Key(n)) => pair as usize == *n,
        (PatternStep::One(step), Label::Pair(_, key)) => {
            // A pattern matches a String and a StringName of the same text, even if they are two keys.
            is_key(key, &step, dialect, true)
        }
        (PatternStep::One(Step::Name(name)), Label::Property(own)) => unescaped(name) == **own,
        (PatternStep::One(Step::Name(name)), Label::Component(own)) => {
            unescaped(name) == Text(own.chars().map(u32::from).collect())
        }
        _ => false,
    }
}

fn children<'v>(node: &Node<'v>) -> Vec<(Label<'v>, Node<'v>)> {
    let element = |n: usize, len: usize| Label::Element(n as i64, len as i64);
    match node {
        Node::Value(Value::Array(.., items)) => {
            let items = items.iter().enumerate();
            let len = items.len();
            items
                .map(|(n, item)| (element(n, len), Node::Value(item)))
                .collect()
        }
        Node::Value(Value::Dictionary(.., pairs)) => {
            let both = |(n, (key, value)): (usize, &'v (Value, Value))| {
                [
                    (Label::Key(n), Node::Value(key)),
                    (Label::Pair(n, key), Node::Value(value)),
                ]
            };
            pairs.iter().enumerate().flat_map(both).collect()
        }
        Node::Value(Value::Object(_, properties)) => properties
            .iter()
            .map(|(name, value)| (Label::Property(name), Node::Value(value)))
            .collect(),
        Node::Value(Value::Strings(all)) => {
            let len = all.len();
            all.iter()
                .enumerate()
                .map(|(n, text)| (element(n, len), Node::Text(text)))
                .collect()
        }
        Node::Value(Value::Bytes(all)) => {
            let int = |byte: &u8| Node::Numbers(Kind::Int, vec![Component::Long((*byte).into())]);
            let len = all.len();
            all.iter()
                .enumerate()
                .map(|(n, byte)| (element(n, len), int(byte)))
                .collect()
        }
        Node::Value(Value::Packed(kind, of, all)) => {
            let element_kind = match kind {
                Kind::PackedInt32Array | Kind::PackedInt64Array => Kind::Int,
                Kind::PackedFloat32Array | Kind::PackedFloat64Array => Kind::Float,
                Kind::PackedVector2Array => Kind::Vector2,
                Kind::PackedVector2iArray => Kind::Vector2i,
                Kind::PackedVector3Array => Kind::Vector3,
                Kind::PackedVector3iArray => Kind::Vector3i,
                Kind::PackedVector4Array => Kind::Vector4,
                Kind::PackedVector4iArray => Kind::Vector4i,
                _ => Kind::Color,
            };
            let len = all.len() / of;
            let numbers = all.chunks_exact(*of).enumerate();
            numbers
                .map(|(n, one)| (element(n, len), Node::Numbers(element_kind, one.to_vec())))
                .collect()
        }
        Node::Value(Value::Math(kind, all)) => components(*kind, all),
        Node::Numbers(kind, all) => components(*kind, all),
        Node::Value(_) | Node::Text(_) => Vec::new(),
    }
}

/// Returns the parts of a math type with their names in scripts. This repeats the library's table on
/// purpose, as a check.
fn components<'v>(kind: Kind, all: &[Component]) -> Vec<(Label<'v>, Node<'v>)> {
    use Kind::{Basis, Vector2, Vector3, Vector4};
    let part = |name, kind, places: &[usize]| {
        let numbers = places.iter().map(|&place| all[place]).collect();
        (Label::Component(name), Node::Numbers(kind, numbers))
    };
    let is_ints = matches!(all.first(), Some(Component::Int(_)));
    let number = if is_ints { Kind::Int } else { Kind::Float };
    let vector2 = if is_ints { Kind::Vector2i } else { Vector2 };
    let singles = |names: &[&'static str]| {
        let names = names.iter().enumerate();
        names
            .map(|(n, name)| part(name, number, &[n]))
            .collect::<Vec<_>>()
    };
    let end = |kind, half: usize| {
        let sums = (0..half).map(|n| match (all[n], all[n + half]) {
            (Component::Int(a), Component::Int(b)) => Component::Int(a.wrapping_add(b)),
            (Component::Single(a), Component::Single(b)) => {
                Component::Single((f32::from_bits(a) + f32::from_bits(b)).to_bits())
            }
            (Component::Double(a), Component::Double(b)) => {
                Component::Double((f64::from_bits(a) + f64::from_bits(b)).to_bits())
            }
            _ => unreachable!("components of one value have one type"),
        });
        (Label::Component("end"), Node::Numbers(kind, sums.collect()))
    };
    match kind {
        Vector2 | Kind::Vector2i => singles(&["x", "y"]),
        Vector3 | Kind::Vector3i => singles(&["x", "y", "z"]),
        Vector4 | Kind::Vector4i | Kind::Quaternion => singles(&["x", "y", "z", "w"]),
        Kind::Color => singles(&["r", "g", "b", "a"]),
        Kind::Plane => {
            let mut all = singles(&["x", "y", "z"]);
            all.extend([part("normal", Vector3, &[0, 1, 2]), part("d", number, &[3])]);
            all
        }
        Kind::Rect2 | Kind::Rect2i => vec![
            part("position", vector2, &[0, 1]),
            part("size", vector2, &[2, 3]),
            end(vector2, 2),
        ],
        Kind::Aabb => vec![
            part("position", Vector3, &[0, 1, 2]),
            part("size", Vector3, &[3, 4, 5]),
            end(Vector3, 3),
        ],
        Kind::Transform2D => vec![
            part("x", Vector2, &[0, 1]),
            part("y", Vector2, &[2, 3]),
            part("origin", Vector2, &[4, 5]),
        ],
        Basis => vec![
            part("x", Vector3, &[0, 3, 6]),
            part("y", Vector3, &[1, 4, 7]),
            part("z", Vector3, &[2, 5, 8]),
        ],
        Kind::Transform3D => vec![
            part("basis", Basis, &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
            part("origin", Vector3, &[9, 10, 11]),
        ],
        Kind::Projection => vec![
            part("x", Vector4, &[0, 1, 2, 3]),
            part("y", Vector4, &[4, 5, 6, 7]),
            part("z", Vector4, &[8, 9, 10, 11]),
            part("w", Vector4, &[12, 13, 14, 15]),
        ],
        _ => Vec::new(),
    }
}

/// Describes the content of a place for comparison.
pub(super) fn shown(node: &Node<'_>) -> Json {
    match node {
        Node::Value(value) => described(value),
        Node::Text(text) => json!({ "part": text.0 }),
        Node::Numbers(kind, all) => {
            let widened = |component: &Component| match *component {
                Component::Single(bits) => number(f64::from(f32::from_bits(bits))),
                Component::Double(bits) => number(f64::from_bits(bits)),
                Component::Int(int) if matches!(kind, Kind::Int) => int.to_string(),
                Component::Int(int) => number(int.into()),
                Component::Long(int) => int.to_string(),
            };
            let all: Vec<_> = all.iter().map(widened).collect();
            json!({ "part": kind.name(), "numbers": all })
        }
    }
}

/// Describes a result of the library in the same form.
pub(super) fn shown_found(found: Found<'_>) -> Json {
    match found {
        Found::Value(value) => super::events(value).unwrap_or_else(|error| panic!("{error}")),
        Found::Part(PathTarget::Text(text)) => {
            json!({ "part": text.codes().collect::<Vec<_>>() })
        }
        Found::Part(PathTarget::Int(int)) => {
            json!({ "part": "Int", "numbers": [int.to_string()] })
        }
        Found::Part(PathTarget::Math(math)) => {
            let is_int = math.kind() == Kind::Int;
            let all = { math.iter() }.map(|one| if is_int { one.to_string() } else { number(one) });
            let all: Vec<_> = all.collect();
            json!({ "part": math.kind().name(), "numbers": all })
        }
    }
}

/// Returns the text of a number. All NaNs have the same text.
fn number(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else {
        format!("{number:?}")
    }
}

/// Follows the first steps of a pattern, up to the first that can match several places. Returns the value or
/// part there, and the remaining steps.
pub(super) fn start<'v, 'p, 's>(
    root: &'v Value,
    pattern: &'s Pattern<'p>,
    dialect: Dialect,
) -> (Option<Node<'v>>, &'s [PatternStep<'p>]) {
    let mut node = Node::Value(root);
    let mut steps = pattern.steps();
    while let [PatternStep::One(step), rest @ ..] = steps {
        steps = rest;
        let child = match node {
            Node::Value(value) => super::take(value, step, dialect).map(Node::Value),
            _ => None,
        };
        let part = || {
            let is_it = |(label, _): &(Label<'_>, _)| {
                !matches!(label, Label::Pair(..) | Label::Key(_) | Label::Property(_))
                    && holds(PatternStep::One(*step), label, dialect)
            };
            children(&node)
                .into_iter()
                .find(is_it)
                .map(|(_, node)| node)
        };
        match child.or_else(part) {
            Some(next) => node = next,
            None => return (None, rest),
        }
    }
    (Some(node), steps)
}
