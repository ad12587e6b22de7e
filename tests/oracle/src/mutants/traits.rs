//! The traits of an input that can explain why an engine and the project differ.

use std::collections::BTreeSet;

use gdvar::{
    Document, Kind, VariantRef,
    values::{ElementType, Packed, StrRef},
    walk::{Event, Role, repeated_keys},
};

use crate::compare::unforeseeable;

/// The names of what an input has, as `deliberate::MUTANTS` calls it. An input that cannot be read
/// to its end has the traits of what stands before that.
pub(super) fn traits(document: Document<'_>) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    let len = document.bytes().len();
    let end = document.validate();
    if end == Ok(len) && len % 4 != 0 {
        out.insert("missing-padding");
    }
    if let Err(error) = end {
        if wraps(document, error.offset()) {
            out.insert("counts-wrap");
        }
        if error.is_truncated() && has_object_before_the_end(document, error.offset()) {
            out.insert("whole-object");
        }
    }
    let repeats = document.root().and_then(repeated_keys).unwrap_or_default();
    if !repeats.is_empty() {
        out.insert("repeated-key");
    }
    let places = unforeseeable(document);
    let is_set =
        |at: usize, len: usize| document.bytes()[at..at + len].iter().any(|&byte| byte != 0);
    if places
        .iter()
        .any(|&(sort, at, len)| sort == "padding" && is_set(at, len))
    {
        out.insert("path-padding");
    }
    let mut packed_keys: Vec<(Kind, Option<usize>)> = Vec::new();
    // The open containers, and whether each is in a key.
    let mut open: Vec<(VariantRef<'_>, bool)> = Vec::new();
    let mut events = document.events();
    loop {
        let value = match events.try_next() {
            Ok(Some(Event::Begin(value) | Event::Value(value))) => value,
            Ok(Some(Event::End)) => {
                open.pop();
                continue;
            }
            Ok(Some(Event::Property(name))) => {
                of_text(name, &mut out);
                continue;
            }
            Ok(None) | Err(_) => break,
        };
        of_value(value, &mut out);
        let role = events.role();
        let mut in_key = role == Role::Key;
        if let Some((outer, outer_in_key)) = open.last() {
            misfit(*outer, role, value, *outer_in_key, &mut out);
            in_key |= outer_in_key;
        }
        if in_key {
            of_key(value, &mut out);
            let object = value.as_object();
            if object.is_some_and(|object| object.id() == Some(0)) {
                out.insert("null-object-key");
            }
            if value.kind().is_packed() {
                let key = (value.kind(), value.packed_len());
                if packed_keys
                    .iter()
                    .any(|one| one.0 == key.0 && one.1 != key.1)
                {
                    out.insert("packed-keys");
                }
                packed_keys.push(key);
            }
            if repeats.contains(&value.offset()) {
                out.insert("repeat-in-key");
            }
            let keys = open.iter().filter(|(_, in_key)| *in_key);
            if keys.count() > 100 {
                out.insert("deep-key");
            }
        }
        if value.has_children() {
            open.push((value, in_key));
        }
    }
    out
}

/// The traits of a text.
fn of_text(text: StrRef<'_>, out: &mut BTreeSet<&'static str>) {
    if text.raw().starts_with(b"\xef\xbb\xbf") {
        out.insert("bom");
    }
    if std::str::from_utf8(text.raw()).is_err() {
        out.insert("no-utf-8");
    }
}

/// Returns `true` if an element of a packed array of reals is a NaN.
fn has_nan(value: VariantRef<'_>) -> bool {
    match value.as_packed() {
        Some(Packed::Float32(reals)) => reals.iter().any(f32::is_nan),
        _ => false,
    }
}

/// The traits of a key.
fn of_key(value: VariantRef<'_>, out: &mut BTreeSet<&'static str>) {
    if has_nan(value) {
        out.insert("packed-nan-key");
    }
    if value.is_wide() && !matches!(value.kind(), Kind::Int | Kind::Float) {
        out.insert("wide-key");
    }
    match value.kind() {
        Kind::Object => {
            out.insert("object-key");
        }
        Kind::StringName => {
            out.insert("name-key");
        }
        _ => {}
    }
}

fn of_value(value: VariantRef<'_>, out: &mut BTreeSet<&'static str>) {
    if value.is_wide() && !matches!(value.kind(), Kind::Int | Kind::Float) {
        out.insert("wide");
    }
    if let Some(text) = value.as_text() {
        of_text(text, out);
    }
    if let Some((text, _)) = value.as_signal() {
        of_text(text, out);
    }
    for text in value.as_strings().into_iter().flatten().flatten() {
        of_text(text, out);
    }
    for text in value
        .as_node_path()
        .into_iter()
        .flat_map(|path| path.parts())
        .flatten()
    {
        of_text(text, out);
    }
    match value.kind() {
        Kind::Object
            if value
                .as_object()
                .is_some_and(|object| object.id().is_some()) =>
        {
            out.insert("object-id");
        }
        Kind::Object => {
            out.insert("whole-object");
        }
        Kind::NodePath => {
            let path = value.as_node_path();
            if path.is_some_and(|path| path.is_absolute() && path.name_count() == 0) {
                out.insert("absolute-without-names");
            }
        }
        Kind::Array | Kind::Dictionary => {
            let types = match (value.as_array(), value.as_dict()) {
                (Some(array), _) => vec![array.element_type()],
                (_, Some(dict)) => vec![dict.key_type(), dict.value_type()],
                _ => Vec::new(),
            };
            for of in types {
                match of {
                    ElementType::Untyped => {}
                    ElementType::Builtin(_, Some(Kind::Object)) | ElementType::Class(_) => {
                        out.insert("typed-object");
                    }
                    ElementType::Script(_) => out.extend(["typed-object", "script-type"]),
                    ElementType::Builtin(..) => {}
                }
            }
        }
        _ => {}
    }
}

/// Returns `true` if a value does not fit the type of the container around it.
fn misfit(
    outer: VariantRef<'_>,
    role: Role,
    value: VariantRef<'_>,
    in_key: bool,
    out: &mut BTreeSet<&'static str>,
) {
    let of = match (outer.as_array(), outer.as_dict(), role) {
        (Some(array), _, _) => array.element_type(),
        (_, Some(dict), Role::Key) => dict.key_type(),
        (_, Some(dict), _) => dict.value_type(),
        _ => return,
    };
    if of.admits(value.kind()) {
        return;
    }
    out.insert("misfit");
    if in_key {
        out.insert("misfit-in-key");
    }
    let is_text = matches!(value.kind(), Kind::String | Kind::StringName);
    match of {
        ElementType::Builtin(_, Some(Kind::Color)) if is_text => {
            out.insert("color-of-text");
        }
        ElementType::Builtin(_, Some(Kind::Quaternion)) if value.kind() == Kind::Basis => {
            out.insert("quaternion-of-basis");
        }
        ElementType::Builtin(_, Some(of)) if of.is_packed() && value.kind() == Kind::Array => {
            out.insert("packed-of-array");
        }
        ElementType::Builtin(_, Some(Kind::Array)) if value.kind().is_packed() => {
            out.insert("array-of-packed");
        }
        _ => {}
    }
}

/// Returns `true` if a NodePath stands there whose two counts add up to more than a word.
fn wraps(document: Document<'_>, offset: usize) -> bool {
    let word = |at: usize| {
        let word = document.bytes().get(at..)?.get(..4)?;
        Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    // The error is at one of the two.
    [offset, offset.saturating_sub(4)].into_iter().any(|at| {
        let [Some(names), Some(subnames), Some(flags)] = [0, 4, 8].map(|more| word(at + more))
        else {
            return false;
        };
        // The second flag is one more subname.
        let sum = u64::from(names & 0x7fff_ffff) + u64::from(subnames) + u64::from(flags >> 1 & 1);
        names >> 31 == 1 && sum > u64::from(u32::MAX)
    })
}

/// Returns `true` if bytes that end too early at `offset` have a whole object. Engines make it before they miss the
/// rest, also where a count is more than the bytes can hold: so zeros take the place of what is missing, and a count
/// at `offset` loses its upper half.
fn has_object_before_the_end(document: Document<'_>, offset: usize) -> bool {
    const MISSING: usize = 1 << 19;
    let longer = [document.bytes(), &[0; MISSING]].concat();
    // The error is at the count, or at the header before it.
    [None, Some(offset), Some(offset + 4)]
        .into_iter()
        .any(|count| {
            let mut longer = longer.clone();
            if let Some(count) = count {
                longer[count + 2..][..2].fill(0);
            }
            let mut events = Document::with_options(&longer, document.options()).events();
            std::iter::from_fn(|| events.try_next().ok().flatten()).any(|event| {
                let object = match event {
                    Event::Begin(value) | Event::Value(value) => value.as_object(),
                    Event::Property(_) | Event::End => None,
                };
                object.is_some_and(|object| object.id().is_none())
            })
        })
}
