//! Scans a resource, binary or text, that could be read completely. Works on the value that the resource is converted
//! to, and looks for what an engine runs or loads when it loads the file. `docs/RESOURCES.md` lists what runs code.

use gdvar_io::Limits;
use gdvar_resource::{Error, ErrorKind, Resource};
use gdvar_view::{Document, Event, Objects, ReadOptions, VariantRef};

use super::{
    ScanState,
    code::{self, CALLS, LOADS, OUTSIDE, SCRIPT},
    inside::{Held, worse},
    paths::{self, Leads, text_of},
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
    find_in(value, options, None)
}

/// Returns the worst finding in an encoded value that is in the current property of `around`, or in no object.
pub(super) fn find_in(
    value: &[u8],
    options: ReadOptions,
    around: Option<Object<'_>>,
) -> Option<Held> {
    let mut worst = None;
    // The containers around the next value. An Array or a Dictionary is `None`.
    let mut open = vec![around];
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
                worse(&mut worst, loaded(value));
            }
            Event::End => {
                open.pop();
            }
        }
    }
    worst
}

/// Returns the finding for a text, wherever it is, from which a node or a shader loads a file.
fn loaded(value: VariantRef<'_>) -> Option<Held> {
    let mut worst = None;
    paths::each_text(value, |text| {
        let found = by_where(paths::loaded(text)).map(|finding| Held {
            offset: value.offset(),
            ..Held::from(finding)
        });
        worse(&mut worst, found);
    });
    worst
}

/// The state, the code and the description of a finding.
type Finding = (ScanState, &'static str, &'static str);

impl From<Finding> for Held {
    fn from((state, error, what): Finding) -> Held {
        Held::new(state, error, what)
    }
}

const CODE_LOADED: Finding = (ScanState::Code, "Code", LOADS);
const CODE_CALLED: Finding = (ScanState::Code, "Code", CALLS);
const SCRIPT_MADE: Finding = (ScanState::Code, "Code", SCRIPT);

/// Returns the finding for a path from which an engine loads a file.
fn by_where(leads: Leads) -> Option<Finding> {
    match leads {
        Leads::Inside => None,
        Leads::Outside => Some((ScanState::Code, "Code", OUTSIDE)),
        Leads::ByUid => Some((
            ScanState::Unread,
            "Uid",
            "another file that Godot finds by its uid, or from a folder that is not known here",
        )),
    }
}

/// Returns the finding for a path from which an engine loads a file, which may be code.
pub(super) fn of_path(path: &str) -> Option<Finding> {
    match Leads::of(path) {
        Leads::Inside if code::is_code_path(path) => Some(CODE_LOADED),
        leads => by_where(leads),
    }
}

/// Returns `true` if `name` is the type of a script: the class, or `Script` for a script of any language.
fn is_script_type(name: &str) -> bool {
    name == SCRIPT_TYPE || code::is_script(name)
}

/// Methods of nodes that call, emit or set what their first argument names. A signal passes its own arguments on, and the
/// names of animations, nodes and groups that are such arguments are in the file.
const BY_NAME: [&str; 16] = [
    "call",
    "callv",
    "call_deferred",
    "call_thread_safe",
    "call_deferred_thread_group",
    "propagate_call",
    "emit_signal",
    "rpc",
    "rpc_id",
    "rpc_unreliable",
    "rpc_unreliable_id",
    "set",
    "set_deferred",
    "set_indexed",
    "set_thread_safe",
    "set_deferred_thread_group",
];

/// Returns `true` if a connection of a signal to `method` lets the arguments of the signal choose what is called.
pub(super) fn calls_by_name(method: &str) -> bool {
    BY_NAME.contains(&method)
}

/// An object, and the name of its current property.
#[derive(Clone, Copy)]
pub(super) struct Object<'v> {
    pub(super) class: &'v str,
    pub(super) property: &'v str,
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
        let text = text_of(value)?;
        let (state, error, what) = match (self.class, self.property) {
            ("ExtResource", "type") if is_script_type(&text) => CODE_LOADED,
            ("ExtResource", "path") => of_path(&text)?,
            ("ExtResource", "uid") => by_where(Leads::ByUid)?,
            (_, "instance_placeholder") => by_where(Leads::of(&text))?,
            (_, "script/source") => SCRIPT_MADE,
            // The type of a track in an animation.
            (_, name) if name.ends_with("/type") && text == "method" => CODE_CALLED,
            (_, name) if name.ends_with("/path") && sets_script(&text) => SCRIPT_MADE,
            (_, "advance_expression") if !text.is_empty() => CODE_CALLED,
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
            Some(Scene::Loads) => Some(around.held(ScanState::Code, "Code", OUTSIDE, value)),
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

/// Returns `true` if `path`, of an animation track, leads to the script of a node.
fn sets_script(path: &str) -> bool {
    path.split(':').skip(1).any(|name| name == "script")
}

/// What a scene does when it is instantiated.
enum Scene {
    Plain,
    /// A connection calls a method with arguments from the file.
    Calls,
    /// A placeholder instantiates a scene outside of the game.
    Loads,
    /// A node has a script.
    Scripted,
}

/// Clears bit 30 of the index of a property's name, which is a flag.
const FLAGS: i32 = !(1 << 30);

/// The bit in the number of an instance that says that the value is the path of a placeholder's scene.
const PLACEHOLDER: i32 = 1 << 30;

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
    let names: Vec<&str> = { names.iter() }
        .map(|name| name.map_or("", |name| name.to_str().unwrap_or_default()))
        .collect();
    let name = |number: i32| {
        let number = usize::try_from(number).ok();
        number.and_then(|number| names.get(number)).copied()
    };
    let variants: Vec<_> = { get("variants")?.as_array()?.iter() }
        .map_while(Result::ok)
        .collect();
    let is_outside = |number: i32| {
        let path = { usize::try_from(number).ok() }.and_then(|n| text_of(*variants.get(n)?));
        path.is_some_and(|path| Leads::of(&path) == Leads::Outside)
    };
    let nodes = ints("nodes")?;
    let mut rest = &nodes[..];
    while !rest.is_empty() {
        // A node: parent, owner, type, name and instance, then properties and groups.
        let (properties, groups) = counted(rest.get(5..)?, 2)?;
        let instance = rest[4];
        if instance >= 0 && instance & PLACEHOLDER != 0 && is_outside(instance & FLAGS) {
            return Some(Scene::Loads);
        }
        let mut all = properties.chunks_exact(2);
        if all.any(|pair| name(pair[0] & FLAGS) == Some("script")) {
            return Some(Scene::Scripted);
        }
        (_, rest) = counted(groups, 1)?;
    }
    let connections = ints("conns")?;
    let mut rest = &connections[..];
    while !rest.is_empty() {
        // A connection: from, to, signal, method and flags, then arguments.
        let (arguments, after) = counted(rest.get(5..)?, 1)?;
        if !arguments.is_empty() || name(rest[3]).is_some_and(calls_by_name) {
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
