//! Chooses names for types and fields in generated code.

use std::collections::HashMap;

use crate::commands::schema::shape::Shape;

/// Chooses a name for each place that becomes a struct. All names are different, and none is in `words`, the reserved
/// words separated by spaces.
pub(crate) fn of_structs(
    shape: &Shape,
    root: &str,
    words: &str,
    is_struct: impl Fn(usize) -> bool,
) -> HashMap<usize, String> {
    let mut names = HashMap::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for (place, _) in shape.places() {
        if !is_struct(place) {
            continue;
        }
        let name = if place == Shape::ROOT {
            of_type(root, words)
        } else {
            let (key, is_item) = key(shape, place);
            let key = camel(&key);
            let name = match (is_item, key.strip_suffix("ies"), key.strip_suffix('s')) {
                (true, Some(stem), _) if !stem.is_empty() => format!("{stem}y"),
                (true, _, Some(stem)) if !stem.is_empty() && !stem.ends_with('s') => {
                    stem.to_owned()
                }
                (true, ..) => format!("{key}Item"),
                (false, ..) => key,
            };
            of_type(&name, words)
        };
        let count = taken.entry(name.clone()).or_default();
        *count += 1;
        let mut own = name.clone();
        // `Item2` may be the name of another place already.
        let mut number = *count;
        while number > 1 && taken.contains_key(&format!("{name}{number}")) {
            number += 1;
        }
        if number > 1 {
            own = format!("{name}{number}");
            taken.insert(own.clone(), 1);
        }
        names.insert(place, own);
    }
    names
}

/// Returns the key of a place. For an element of a list, returns the key of the list, and `true`.
fn key(shape: &Shape, place: usize) -> (String, bool) {
    let mut at = place;
    loop {
        match shape.key(at) {
            Some(key) => return (key.to_owned(), at != place),
            None if at == Shape::ROOT => return ("Root".to_owned(), true),
            None => at = shape.parent(at),
        }
    }
}

/// Converts a text to the name of a type. Puts `Saved` in front if the name is in `words`, the reserved words separated
/// by spaces.
pub(crate) fn of_type(text: &str, words: &str) -> String {
    let mut name = camel(text);
    if words.split(' ').any(|word| word == name) {
        name.insert_str(0, "Saved");
    }
    name
}

/// Converts `party_member` to `PartyMember`.
pub(crate) fn camel(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut name = String::new();
    for word in words {
        let mut chars = word.chars();
        name.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        name.push_str(chars.as_str());
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "Key");
    }
    name
}

/// Converts `PartyMember` to `party_member`.
pub(crate) fn snake(text: &str) -> String {
    let mut name = String::new();
    let mut before = '_';
    for c in text.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            name.push('_');
        }
        if c != '_' || before != '_' {
            name.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    let name = name.trim_matches('_').to_owned();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("key_{name}").trim_end_matches('_').to_owned()
    }
}

/// Chooses a field name for each key. All names are different, and none is in `words`, the reserved words separated by
/// spaces.
pub(crate) fn of_fields(keys: &[&str], words: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for key in keys {
        let mut name = snake(key);
        if words.split(' ').any(|word| word == name) {
            name.push('_');
        }
        let base = name.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}
