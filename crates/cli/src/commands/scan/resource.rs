//! Scans a resource, binary or text, that could be read completely. Works on the value that the resource is converted
//! to, and looks for what an engine runs or loads when it loads the file. `docs/RESOURCES.md` lists what runs code.

use gdvar_io::Limits;
use gdvar_resource::{Error, ErrorKind, Resource};
use gdvar_view::{Document, Event, Objects, ReadOptions, VariantRef};

use super::{
    ScanState,
    code::{self, CALLS, LOADS, OUTSIDE, SCRIPT},
    inside::{Held, worse},
};

/// The `type` of an external resource that is a script of any language.
const SCRIPT_TYPE: &str = "Script";

/// Returns the worst finding in the bytes of a resource. Used for bytes inside a value.
///
/// # Errors
/// Fails if the resource is damaged or too large, so that it cannot be read completely.
pub(super) fn in_bytes(bytes: &[u8], limits: Limits) -> Result<Option<Held>, Error> {
    let resource = Resource::open(bytes, limits)?;
    let value = resource.encode(limits)?;
    Ok(find(&value, ReadOptions::new(resource.dialect())))
}

/// Returns the verdict on a resource or package that cannot be read completely.
pub(super) fn state_of(error: Error) -> ScanState {
    match error.kind() {
        ErrorKind::UnknownFormat { .. }
        | ErrorKind::UnknownPackage { .. }
        | ErrorKind::TooLong { .. }
        | ErrorKind::Encrypted => ScanState::Unread,
        _ => ScanState::Damaged,
    }
}

/// Returns the worst finding in a resource. `value` is the encoded value that the resource was converted to.
pub(super) fn find(value: &[u8], options: ReadOptions) -> Option<Held> {
    let mut worst = None;
    // The containers around the next value. An Array or a Dictionary is `None`.
    let mut open: Vec<Option<Object<'_>>> = Vec::new();
    let mut events = Document::with_options(value, options.with_objects(Objects::Inert)).events();
    while let Ok(Some(event)) = events.try_next() {
        match event {
            Event::Begin(value) => {
                let around = open.last().copied().flatten();
                let own = Object::of(value);
                worse(&mut worst, begun(value, own, around));
                open.push(own);
            }
            Event::Property(name) => {
                if let Some(Some(object)) = open.last_mut() {
                    object.property = name.to_str().unwrap_or_default();
                }
            }
            Event::Value(value) => {
                if let Some(Some(object)) = open.last() {
                    worse(&mut worst, object.leaf(value));
                }
            }
            Event::End => {
                open.pop();
            }
        }
    }
    worst
}

/// An object, and the name of its current property.
#[derive(Clone, Copy)]
struct Object<'v> {
    class: &'v str,
    property: &'v str,
}

impl<'v> Object<'v> {
    fn of(value: VariantRef<'v>) -> Option<Object<'v>> {
        let class = value.as_object()?.class()?;
        Some(Object {
            class: class.to_str().unwrap_or_default(),
            property: "",
        })
    }

    /// Returns the finding for a value without children in the current property.
    fn leaf(self, value: VariantRef<'_>) -> Option<Held> {
        let text = value.as_str().unwrap_or_default();
        let (state, error, what) = match (self.class, self.property) {
            ("ExtResource", "type") if text == SCRIPT_TYPE || code::is_script(text) => {
                (ScanState::Code, "Code", LOADS)
            }
            ("ExtResource", "path") if code::is_outside(text) => (ScanState::Code, "Code", OUTSIDE),
            ("ExtResource", "path") if code::is_code_path(text) => (ScanState::Code, "Code", LOADS),
            ("ExtResource", "uid") => (
                ScanState::Unread,
                "Uid",
                "another file that Godot finds by its uid, whatever the path says",
            ),
            // The type of a track in an animation.
            (_, name) if name.ends_with("/type") && text == "method" => {
                (ScanState::Code, "Code", CALLS)
            }
            (_, name) if name.ends_with("/path") && sets_script(value) => {
                (ScanState::Code, "Code", SCRIPT)
            }
            (_, "advance_expression") if !text.is_empty() => (ScanState::Code, "Code", CALLS),
            _ => return None,
        };
        Some(self.held(state, error, what, value))
    }

    fn held(
        self,
        state: ScanState,
        error: &'static str,
        what: &str,
        value: VariantRef<'_>,
    ) -> Held {
        Held {
            class: Some(self.class.to_owned()),
            offset: value.offset(),
            ..Held::new(state, error, what)
        }
    }
}

/// Returns the finding for a container, before its children. `own` is the container itself if it is an object. `around`
/// is the object that directly contains it, if there is one.
fn begun(
    value: VariantRef<'_>,
    own: Option<Object<'_>>,
    around: Option<Object<'_>>,
) -> Option<Held> {
    if let Some(own) = own.filter(|own| code::is_script(own.class)) {
        return Some(own.held(ScanState::Code, "Code", SCRIPT, value));
    }
    let around = around?;
    match around.property {
        "script" if own.is_some() => Some(around.held(ScanState::Code, "Code", SCRIPT, value)),
        "_bundled" if around.class == "PackedScene" => match scene(value) {
            Some(Scene::Plain) => None,
            Some(Scene::Calls) => Some(around.held(ScanState::Code, "Code", CALLS, value)),
            Some(Scene::Scripted) => Some(around.held(ScanState::Code, "Code", SCRIPT, value)),
            None => Some(around.held(
                ScanState::Unread,
                "Scene",
                "a scene in another layout, which is only searched",
                value,
            )),
        },
        _ => None,
    }
}

/// Returns `true` if `value` is the path of an animation track that sets the script of a node.
fn sets_script(value: VariantRef<'_>) -> bool {
    let Some(path) = value.as_node_path() else {
        return false;
    };
    let mut names = path.subnames().map_while(Result::ok);
    names.any(|name| name.to_str() == Ok("script"))
}

/// What a scene does when it is instantiated.
enum Scene {
    Plain,
    /// A connection calls a method with arguments from the file.
    Calls,
    /// A node has a script.
    Scripted,
}

/// Clears bit 30 of the index of a property's name, which is a flag.
const FLAGS: i32 = !(1 << 30);

/// Reads the Dictionary of a PackedScene. `None` if its lists are not as engines write them.
fn scene(bundled: VariantRef<'_>) -> Option<Scene> {
    let bundled = bundled.as_dict()?;
    let get = |key: &str| bundled.get(key).ok().flatten();
    let ints = |key: &str| {
        let list = get(key)?.as_i32s()?;
        Some(list.iter().collect::<Vec<i32>>())
    };
    let version = get("version").and_then(|version| version.as_i64());
    let names = get("names")?.as_strings()?;
    let script = names
        .iter()
        .position(|name| name.is_ok_and(|name| name.to_str() == Ok("script")));
    let nodes = ints("nodes")?;
    let mut rest = &nodes[..];
    while !rest.is_empty() {
        // A node: parent, owner, type, name and instance, then properties and groups.
        let (properties, groups) = counted(rest.get(5..)?, 2)?;
        let mut all = properties.chunks_exact(2);
        let has_script = all.any(|pair| {
            let name = usize::try_from(pair[0] & FLAGS).ok();
            script.is_some() && name == script
        });
        if has_script {
            return Some(Scene::Scripted);
        }
        (_, rest) = counted(groups, 1)?;
    }
    let connections = ints("conns")?;
    let mut rest = &connections[..];
    while !rest.is_empty() {
        // A connection: from, to, signal, method and flags, then arguments.
        let (arguments, after) = counted(rest.get(5..)?, 1)?;
        if !arguments.is_empty() {
            return Some(Scene::Calls);
        }
        // Since version 3 followed by the number of the signal's arguments that are left out.
        let unbinds = usize::from(version >= Some(3));
        rest = after.get(unbinds..)?;
    }
    Some(Scene::Plain)
}

/// Splits a list that starts with the number of its first items, each of `each` numbers. Returns these items without
/// their count, and the rest of the list.
fn counted(list: &[i32], each: usize) -> Option<(&[i32], &[i32])> {
    let (&count, rest) = list.split_first()?;
    let len = usize::try_from(count).ok()?.checked_mul(each)?;
    rest.split_at_checked(len)
}
