//! Edits values. An edit must have the same result as decoding, changing and encoding, and never damage the
//! bytes.

use gdvar::{
    Array, Dictionary, Document, Variant,
    edit::{Edit, EditErrorKind},
    tree::{ArrayForm, Object},
    variant,
    write::{Precision, Target},
};

use super::Input;
use crate::{alike::Random, vectors::hex};

/// Edits any bytes that can be read.
///
/// # Panics
/// If an edit in the bytes and the same change in the tree give different results.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let options = input.rules.inert().options();
    let Ok(tree) = crate::owned(input.bytes, options) else {
        return;
    };
    let document = Document::with_options(input.bytes, options);
    let mut random = Random(u64::from(input.choice) << 7 | 1);
    for _ in 0..8 {
        change(document, &tree, &mut random);
    }
}

/// Returns the number of children of a node in a tree.
pub(super) fn children(tree: &Variant) -> usize {
    match tree {
        Variant::Array(array) => array.len(),
        Variant::Dictionary(dict) => dict.len(),
        Variant::Object(Object::Full(object)) => object.properties.len(),
        _ => 0,
    }
}

fn child(tree: &Variant, nth: usize) -> &Variant {
    match tree {
        Variant::Array(array) => &array[nth],
        Variant::Dictionary(dict) => &dict.as_pairs()[nth].1,
        Variant::Object(Object::Full(object)) => &object.properties[nth].1,
        _ => tree,
    }
}

/// Returns the tree with one node changed. `way` has the index of the child to take on each level.
fn with(tree: &Variant, way: &[usize], change: &mut dyn FnMut(&mut Variant)) -> Variant {
    let mut tree = tree.clone();
    let Some((&first, rest)) = way.split_first() else {
        change(&mut tree);
        return tree;
    };
    let inner = with(child(&tree, first), rest, change);
    match &mut tree {
        Variant::Array(array) => array[first] = inner,
        Variant::Dictionary(dict) => {
            let mut pairs = dict.as_pairs().to_vec();
            pairs[first].1 = inner;
            *dict = rebuilt(dict, pairs);
        }
        Variant::Object(Object::Full(object)) => object.properties[first].1 = inner,
        _ => {}
    }
    tree
}

fn rebuilt(dict: &Dictionary, pairs: Vec<(Variant, Variant)>) -> Dictionary {
    Dictionary::from_pairs(pairs)
        .with_types(dict.key_type().clone(), dict.value_type().clone())
        .with_shared(dict.is_shared())
}

fn rebuilt_array(array: &Array, items: Vec<Variant>) -> Array {
    let new: Array = items.into_iter().collect();
    let new = new.with_element_type(array.element_type().clone());
    match array.form() {
        ArrayForm::Plain => new.with_shared(array.is_shared()),
        form => new.with_form(form),
    }
}

/// Returns the path of a node, with positions instead of keys: `$[2]{0}`. `way` has the index of
/// the child to take on each level.
fn path(tree: &Variant, way: &[usize]) -> String {
    let mut path = "$".to_owned();
    let mut node = tree;
    for &nth in way {
        path += &match node {
            Variant::Array(_) => format!("[{nth}]"),
            _ => format!("{{{nth}}}"),
        };
        node = child(node, nth);
    }
    path
}

/// Makes one change by both ways, in the bytes and in the tree, and compares the results.
fn change(document: Document<'_>, tree: &Variant, random: &mut Random) {
    let target = Target::from(document.options().dialect()).with_precision(Precision::AsGiven);
    let mut way = Vec::new();
    let mut node = tree;
    while children(node) > 0 && (way.is_empty() || random.below(3) > 0) {
        let nth = random.below(children(node));
        way.push(nth);
        node = child(node, nth);
    }
    let new = match random.below(5) {
        0 => Variant::Nil,
        1 => 7.into(),
        2 => "new text".into(),
        3 => variant!([1, { "a": [] }]),
        _ => node.clone(),
    };
    let Ok(value) = new.to_vec(target) else {
        return;
    };
    let mut edit = Edit::new(document);
    let here = path(tree, &way);
    let (last, above) = match way.split_last() {
        Some((last, above)) => (*last, above),
        None => (0, &[][..]),
    };
    let parent = path(tree, above);
    let key;
    let expected = match random.below(6) {
        0 => {
            edit.set(&here, &value);
            with(tree, &way, &mut |node| *node = new.clone())
        }
        1 if !way.is_empty() => {
            edit.remove(&here);
            with(tree, above, &mut |node| match node {
                Variant::Array(array) => {
                    array.remove(last);
                }
                Variant::Dictionary(dict) => {
                    let mut pairs = dict.as_pairs().to_vec();
                    pairs.remove(last);
                    *dict = rebuilt(dict, pairs);
                }
                Variant::Object(Object::Full(object)) => {
                    object.properties.remove(last);
                }
                _ => {}
            })
        }
        2 if matches!(node, Variant::Array(_)) => {
            edit.append(&here, &value);
            with(tree, &way, &mut |node| {
                if let Variant::Array(array) = node {
                    array.push(new.clone());
                }
            })
        }
        3 => {
            let Variant::Dictionary(dict) = node else {
                return;
            };
            let before = random.below(dict.len() + 1);
            key = Variant::from(format!("key {}", random.below(3)));
            let Ok(bytes) = key.to_vec(target) else {
                return;
            };
            edit.insert_pair(&here, before, &bytes, &value);
            with(tree, &way, &mut |node| {
                if let Variant::Dictionary(dict) = node {
                    let mut pairs = dict.as_pairs().to_vec();
                    pairs.insert(before, (key.clone(), new.clone()));
                    *dict = rebuilt(dict, pairs);
                }
            })
        }
        4 if matches!(node, Variant::Array(array) if array.len() > 1) => {
            let len = children(node);
            let (from, to) = (random.below(len), random.below(len + 1));
            edit.move_to(&format!("{here}[{from}]"), &format!("{here}[{to}]"));
            with(tree, &way, &mut |node| {
                if let Variant::Array(array) = node {
                    let mut items: Vec<_> = array.iter().cloned().collect();
                    let item = items.remove(from);
                    items.insert(if to > from { to - 1 } else { to }, item);
                    *array = rebuilt_array(array, items);
                }
            })
        }
        _ => {
            let Variant::Dictionary(dict) = (if way.is_empty() {
                node
            } else {
                at(tree, above)
            }) else {
                return;
            };
            if dict.is_empty() || way.is_empty() {
                return;
            }
            key = Variant::from("renamed");
            let Ok(bytes) = key.to_vec(target) else {
                return;
            };
            edit.rename_key(&format!("{parent}{{{last}}}"), &bytes);
            with(tree, above, &mut |node| {
                if let Variant::Dictionary(dict) = node {
                    let mut pairs = dict.as_pairs().to_vec();
                    pairs[last].0 = key.clone();
                    *dict = rebuilt(dict, pairs);
                }
            })
        }
    };
    let who = || format!("{edit:?} of {}", hex(document.bytes()));
    let plan = match edit.plan() {
        Ok(plan) => plan,
        Err(error) => {
            let refused = !matches!(
                error.kind(),
                EditErrorKind::Path(_)
                    | EditErrorKind::Read(_)
                    | EditErrorKind::NoPlace { .. }
                    | EditErrorKind::NotAContainer { .. }
                    | EditErrorKind::Outermost
                    | EditErrorKind::Overlap { .. }
            );
            assert!(refused, "{error} {}", who());
            return;
        }
    };
    let result = plan.to_vec();
    assert_eq!(result.len(), plan.len(), "{}", who());
    let options = document.options();
    let after = Document::with_options(&result, options).validate();
    assert!(after.is_ok(), "{after:?} {}", who());
    if document.strict().validate().is_ok() && options.mode() == gdvar::Mode::Strict {
        let after = Document::with_options(&result, options).strict().validate();
        assert!(after.is_ok(), "{after:?} {}", who());
    }
    // Compares bytes only if encoding the unchanged tree reproduces them. Otherwise the tree has kept only
    // the meaning.
    if tree.to_vec(target).as_deref() == Ok(document.bytes()) {
        let expected = expected
            .to_vec(target)
            .expect("what was read and a new value");
        assert_eq!(hex(&result), hex(&expected), "{}", who());
    }
}

fn at<'t>(tree: &'t Variant, way: &[usize]) -> &'t Variant {
    way.iter().fold(tree, |node, &nth| child(node, nth))
}
