//! Prints a schema as classes in GDScript, for Godot 4.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

use gdvar_view::Kind;

use crate::{
    commands::schema::{names, people, shape::Shape},
    show::summary::{self, Cut},
    terminal::words,
};

/// Words that cannot be names of variables in the generated classes.
const WORDS: &str = "\
and as assert await bool break breakpoint call class class_name connect const continue data elif \
else emit_signal enum extends false float for free from_dict func get get_class has_method \
has_signal if in init_ref int is is_class it match namespace not notification null one or pass \
preload print range reference return script self set signal static str super to_dict to_string trait \
true tr unreference var void when while yield";

/// Returns the text of all classes.
pub(crate) fn text(shape: &Shape, root: &str) -> String {
    let places = places(shape);
    let classes = inner_names(names::of_structs(shape, root, "", |place| {
        places.contains(&place)
    }));
    let mut out = format!(
        "# Made by `gdvar schema --style gdscript` of {}.\n",
        words::plural(shape.records, "record")
    );
    let _ = writeln!(out, "class_name {}\nextends RefCounted", names::camel(root));
    if classes.contains_key(&Shape::ROOT) {
        class(&mut out, shape, Shape::ROOT, &classes, "");
    } else {
        let _ = writeln!(out, "\nvar value{}", declared(shape, Shape::ROOT, &classes));
    }
    for (place, _) in shape.places() {
        if let Some(name) = classes.get(&place).filter(|_| place != Shape::ROOT) {
            let _ = write!(out, "\n\nclass {name}:\n\textends RefCounted\n");
            class(&mut out, shape, place, &classes, "\t");
        }
    }
    out
}

/// Puts `Saved` in front of the names of inner classes. Godot refuses an inner class with the name of one of its own
/// classes, types or enums (Timer, Input, Key, Array), or of a class of the game (Player). None of its own begins so.
fn inner_names(mut names: HashMap<usize, String>) -> HashMap<usize, String> {
    let root = names.remove(&Shape::ROOT);
    for name in names.values_mut() {
        name.insert_str(0, "Saved");
        if root.as_ref() == Some(name) {
            name.push_str("Part");
        }
    }
    names.extend(root.map(|root| (Shape::ROOT, root)));
    names
}

/// Returns the places that become classes. These are dictionaries of named fields: the root, and those in a field of a
/// class, directly or as the elements of a list. Dictionaries inside other dictionaries, or inside lists of lists, stay
/// dictionaries.
fn places(shape: &Shape) -> HashSet<usize> {
    let mut classes = HashSet::new();
    for (place, _) in shape.places() {
        let seen = shape.seen(place);
        let named = !shape.fields(place).is_empty() && shape.items(place).is_none();
        // A class would give a typed Dictionary back without its type.
        if seen.kind() != Some(Kind::Dictionary) || !named || seen.has_typed() {
            continue;
        }
        let around = shape.parent(place);
        let list = shape.seen(around);
        let is_in_class = if place == Shape::ROOT {
            true
        } else if shape.key(place).is_some() {
            classes.contains(&around)
        } else {
            let is_list = list.kind() == Some(Kind::Array) && !list.has_null() && !list.has_typed();
            let plain = shape.key(around).is_some() && !shape.is_optional(around);
            is_list && plain && !seen.has_null() && classes.contains(&shape.parent(around))
        };
        if is_in_class {
            classes.insert(place);
        }
    }
    classes
}

/// Returns `true` if the place is a list of objects of a class.
fn is_class_list(shape: &Shape, place: usize, classes: &HashMap<usize, String>) -> bool {
    let items = shape.items(place);
    let declared = declared(shape, place, classes);
    items.is_some_and(|items| classes.contains_key(&items)) && declared.contains('[')
}

/// Returns the declared type, such as `: int`, or nothing if the value can be anything.
fn declared(shape: &Shape, place: usize, classes: &HashMap<usize, String>) -> String {
    let seen = shape.seen(place);
    if let Some(class) = classes.get(&place) {
        return format!(": {class}");
    }
    if seen.has_null() || shape.is_optional(place) {
        return String::new();
    }
    if let ([_], Some(typing)) = (&seen.kinds()[..], seen.typing()) {
        return match &typing.script {
            Some(script) => format!(": {script}"),
            None => seen
                .kind()
                .map_or_else(String::new, |kind| format!(": {}", kind.name())),
        };
    }
    match seen.kinds()[..] {
        [Kind::Int, Kind::Float] => ": float".to_owned(),
        [Kind::String, Kind::StringName] => ": String".to_owned(),
        [Kind::Array] => match shape.items(place).and_then(|items| classes.get(&items)) {
            Some(class) => format!(": Array[{class}]"),
            None => ": Array".to_owned(),
        },
        [Kind::Object | Kind::Callable | Kind::Signal | Kind::Rid] => String::new(),
        [kind] => format!(": {}", summary::scalar_name(kind)),
        _ => String::new(),
    }
}

fn class(
    out: &mut String,
    shape: &Shape,
    place: usize,
    classes: &HashMap<usize, String>,
    tab: &str,
) {
    let Some(class) = classes.get(&place) else {
        return;
    };
    let fields = shape.fields(place);
    let keys: Vec<&str> = fields
        .iter()
        .filter_map(|field| shape.key(*field))
        .collect();
    let own = names::of_fields(&keys, WORDS);
    out.push('\n');
    for (field, own) in fields.iter().zip(&own) {
        let seen = shape.seen(*field);
        let mut notes = people::ranges(seen);
        // The variable holds the typed container, but no script can name its type.
        let unnamed = seen.typing().filter(|typing| typing.script.is_none());
        notes.splice(..0, unnamed.map(|typing| typing.shown.clone()));
        let seen = notes.join(", ");
        let seen = if seen.is_empty() {
            seen
        } else {
            format!("  # {seen}")
        };
        let _ = writeln!(
            out,
            "{tab}var {own}{}{seen}",
            declared(shape, *field, classes)
        );
    }
    // A script knows its own class name only if the project was opened in the editor, so the script itself uses
    // `new()`.
    let new = if place == Shape::ROOT {
        "new()".to_owned()
    } else {
        format!("{class}.new()")
    };
    let _ = write!(
        out,
        "\n{tab}static func from_dict(data: Dictionary) -> {class}:\n{tab}\tvar it := {new}\n"
    );
    for ((field, key), own) in fields.iter().zip(&keys).zip(&own) {
        let key = summary::quoted_bytes(key.as_bytes(), Cut::NONE);
        let mut tabs = format!("{tab}\t");
        let seen = shape.seen(*field);
        if shape.is_optional(*field) {
            let _ = writeln!(out, "{tabs}if data.has({key}):");
            tabs.push('\t');
        }
        let item = shape.items(*field).and_then(|items| classes.get(&items));
        let _ = match (classes.get(field), item) {
            (Some(class), _) if seen.has_null() => {
                writeln!(
                    out,
                    "{tabs}if data[{key}] != null:\n{tabs}\tit.{own} = {class}.from_dict(data[{key}])"
                )
            }
            (Some(class), _) => writeln!(out, "{tabs}it.{own} = {class}.from_dict(data[{key}])"),
            (None, Some(class)) if is_class_list(shape, *field, classes) => writeln!(
                out,
                "{tabs}for one in data[{key}]:\n{tabs}\tit.{own}.append({class}.from_dict(one))"
            ),
            _ => writeln!(out, "{tabs}it.{own} = data[{key}]"),
        };
    }
    let _ = write!(
        out,
        "{tab}\treturn it\n\n{tab}func to_dict() -> Dictionary:\n{tab}\tvar data := {{}}\n"
    );
    for ((field, key), own) in fields.iter().zip(&keys).zip(&own) {
        let key = summary::quoted_bytes(key.as_bytes(), Cut::NONE);
        let mut tabs = format!("{tab}\t");
        let has_class = classes.contains_key(field);
        if shape.is_optional(*field) {
            let _ = writeln!(out, "{tabs}if {own} != null:");
            tabs.push('\t');
        }
        let is_list = is_class_list(shape, *field, classes);
        let _ = if has_class && shape.seen(*field).has_null() {
            writeln!(
                out,
                "{tabs}data[{key}] = null if {own} == null else {own}.to_dict()"
            )
        } else if has_class {
            writeln!(out, "{tabs}data[{key}] = {own}.to_dict()")
        } else if is_list {
            writeln!(
                out,
                "{tabs}data[{key}] = {own}.map(func(one): return one.to_dict())"
            )
        } else {
            writeln!(out, "{tabs}data[{key}] = {own}")
        };
    }
    let _ = writeln!(out, "{tab}\treturn data");
}
