//! Walks over the source value, and writes each container and value that it meets to the target.

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use gdvar_view::{
    ArrayRef, DictRef, ElementType as From, Event, Events, ObjectRef, Role, VariantRef,
    repeated_keys,
};
use gdvar_wire::Kind;

use super::{
    error::Result,
    leaf,
    report::{Loss, Report},
    text::{fit, utf8},
};
use crate::{containers::ElementType, sink::Sink, writer::Writer};

/// The parts that are still to be written. There is more than one only inside dictionaries with
/// repeated keys, whose values are not written in the order of the bytes.
enum Task<'a> {
    /// The rest of a walk, and whether its outermost value is a key. Boxed because a walk is large.
    Walk(Box<Events<'a>>, bool),
    /// Values that are walked one after the other: the keys and values of a dictionary.
    Values(vec::IntoIter<VariantRef<'a>>),
}

/// How many nested dictionaries with repeated keys are merged. Each level costs a walk over its
/// content and some kilobytes. No engine writes a repeated key, so deeper nesting is an attack.
/// Dictionaries nested deeper are written with all their keys, and every engine reads the same
/// value from them.
const MERGED: usize = 16;

pub(super) fn run<S: Sink>(
    root: VariantRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    if !root.has_children() {
        // Checks the value, as the walk below does.
        root.events().try_next()?;
        return leaf::write(root, to, report);
    }
    let repeats = repeated_keys(root)?;
    let mut tasks = vec![Task::Walk(Box::new(root.events()), false)];
    loop {
        // Walks and lists of values alternate in the stack.
        let merge: &[usize] = if tasks.len() < 2 * MERGED {
            &repeats
        } else {
            &[]
        };
        let Some(task) = tasks.last_mut() else {
            return Ok(());
        };
        let next = match task {
            Task::Values(values) => match values.next() {
                // Keys and values alternate: after a key has been taken, an odd number is left.
                Some(value) => Some(Task::Walk(Box::new(value.events()), values.len() % 2 == 1)),
                None => {
                    tasks.pop();
                    to.end()?;
                    continue;
                }
            },
            Task::Walk(events, is_key) => match walk(events, *is_key, to, report, merge)? {
                Some(dict) => Some(values_of(dict, to, report)?),
                None => {
                    tasks.pop();
                    None
                }
            },
        };
        tasks.extend(next);
    }
}

/// Begins a dictionary with repeated keys and lists its merged keys and values.
fn values_of<'a, S: Sink>(
    dict: DictRef<'a>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<Task<'a>, S> {
    let pairs = dict.distinct()?;
    if pairs.len() < dict.len() {
        report.note(Loss::KeysMerged, Kind::Dictionary, dict.value().offset());
    }
    begin_dict(dict, pairs.len(), to, report)?;
    let values: Vec<VariantRef<'a>> = pairs
        .into_iter()
        .flat_map(|(key, value)| [key, value])
        .collect();
    Ok(Task::Values(values.into_iter()))
}

/// Writes events until the walk ends or meets a dictionary with repeated keys, which is skipped and
/// returned.
fn walk<'a, S: Sink>(
    events: &mut Events<'a>,
    is_key: bool,
    to: &mut Writer<S>,
    report: &mut Report,
    repeats: &[usize],
) -> Result<Option<DictRef<'a>>, S> {
    let mut ahead = None;
    // For each open container whose elements or keys are RIDs: the number of open containers,
    // itself included.
    let mut of_rids: Vec<usize> = Vec::new();
    loop {
        let next = match ahead.take() {
            Some(event) => Some(event),
            None => events.try_next()?,
        };
        let Some(event) = next else {
            return Ok(None);
        };
        match event {
            Event::Value(value) => {
                let before = report.total();
                let role = events.role();
                let is_rid = of_rids.last() == Some(&events.open()) && role != Role::Value;
                if is_rid && value.kind() == Kind::Object && value.is_nil() {
                    // The engine turns this null into a RID; as a null it would be dropped
                    // (`docs/FORMAT.md` §4.3).
                    report.note(Loss::Retyped(Kind::Rid), Kind::Object, value.offset());
                    to.rid(0)?;
                } else {
                    leaf::write(value, to, report)?;
                }
                // Pandemonium treats a StringName key and a String key with the same text as
                // different.
                let joins = value.kind() == Kind::StringName
                    && to.dialect().string_names_equal_strings()
                    && !value.dialect().string_names_equal_strings();
                let is_key = role == Role::Key || (role == Role::Root && is_key);
                if is_key && (joins || report.total() != before) {
                    report.note(Loss::KeyChanged, value.kind(), value.offset());
                }
            }
            Event::Begin(value) => {
                if let Some(array) = value.as_array() {
                    if is_of_rids(array.element_type()) {
                        of_rids.push(events.open());
                    }
                    begin_array(array, to, report)?;
                } else if let Some(dict) = value.as_dict() {
                    if repeats.binary_search(&value.offset()).is_ok() {
                        events.pass_children()?;
                        return Ok(Some(dict));
                    }
                    if is_of_rids(dict.key_type()) {
                        of_rids.push(events.open());
                    }
                    begin_dict(dict, dict.len(), to, report)?;
                } else if let Some(object) = value.as_object() {
                    if !to.dialect().has_object_payload() {
                        report.note(Loss::Dropped, Kind::Object, value.offset());
                        events.pass_children()?;
                        to.null_object()?;
                        continue;
                    }
                    begin_object(object, to, report)?;
                }
            }
            Event::Property(name) => {
                let fitted = fit(name, to.dialect());
                if let Some(loss) = fitted.loss {
                    report.note(loss, Kind::Object, name.offset());
                }
                to.property_bytes(&fitted.bytes)?;
                if name == "script" {
                    ahead = script(events, to, report)?;
                }
            }
            Event::End => {
                if of_rids.last().is_some_and(|open| *open > events.open()) {
                    of_rids.pop();
                }
                to.end()?;
            }
        }
    }
}

const fn is_of_rids(of: From<'_>) -> bool {
    matches!(of, From::Builtin(_, Some(Kind::Rid)))
}

/// Handles the value of a `script` property: writes null for it, or returns the event for the usual
/// path. Godot 4.3 and later store null or a path there, other versions a whole object with the
/// script's source; neither understands the other's form (`docs/FORMAT.md` §4.4).
fn script<'a, S: Sink>(
    events: &mut Events<'a>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<Option<Event<'a>>, S> {
    let Some(event) = events.try_next()? else {
        return Ok(None);
    };
    let (Event::Value(value) | Event::Begin(value)) = event else {
        return Ok(Some(event));
    };
    let wants_path = to.target().has_typed_arrays();
    let fits = match value.kind() {
        Kind::Nil => true,
        Kind::String => wants_path,
        _ => !wants_path && value.dialect() == to.dialect(),
    };
    if fits {
        return Ok(Some(event));
    }
    if matches!(event, Event::Begin(_)) {
        events.pass_children()?;
    }
    report.note(Loss::ScriptDropped, Kind::Object, value.offset());
    to.nil()?;
    Ok(None)
}

fn begin_object<S: Sink>(
    object: ObjectRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let offset = object.value().offset();
    if object.value().dialect() != to.dialect() {
        report.note(Loss::NamesKept, Kind::Object, offset);
    }
    let Some(class) = object.class() else {
        return Ok(to.null_object()?);
    };
    let class = utf8(class);
    if let Some(loss) = class.loss {
        report.note(loss, Kind::Object, offset);
    }
    to.begin_object(&class.to_str(), object.len())?;
    Ok(())
}

/// An element type in terms of the target. Texts are owned because they may have been changed.
enum Typing {
    Untyped,
    Builtin(Kind),
    Class(String),
    Script(String),
}

impl Typing {
    fn of(from: From<'_>) -> Typing {
        match from {
            From::Untyped | From::Builtin(_, None) => Typing::Untyped,
            From::Builtin(_, Some(kind)) => Typing::Builtin(kind),
            From::Class(name) => Typing::Class(utf8(name).to_str().into_owned()),
            From::Script(path) => {
                let path = utf8(path).to_str().into_owned();
                // A reader that was not asked for full objects ignores the path here; such an
                // engine itself names this class.
                if path.starts_with("res://") {
                    Typing::Script(path)
                } else {
                    Typing::Class("EncodedObjectAsID".into())
                }
            }
        }
    }

    fn as_element_type(&self) -> ElementType<'_> {
        match self {
            Typing::Untyped => ElementType::Untyped,
            Typing::Builtin(kind) => ElementType::Builtin(*kind),
            Typing::Class(name) => ElementType::Class(name),
            Typing::Script(path) => ElementType::Script(path),
        }
    }

    /// Returns `true` if the target has the type.
    fn is_known<S: Sink>(&self, to: &Writer<S>) -> bool {
        match self {
            Typing::Builtin(kind) => to.target().can_write(*kind),
            Typing::Script(_) => to.dialect().has_typed_containers(),
            _ => true,
        }
    }
}

fn begin_array<S: Sink>(
    array: ArrayRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let value = array.value();
    let (kind, offset, len) = (value.kind(), value.offset(), array.len());
    note_shared(array.is_shared(), value, to, report);
    let from = array.element_type();
    let typing = Typing::of(from);
    let known = typing.is_known(to);
    if known && to.target().can_write(Kind::TypedArray) {
        // Pandemonium 5 keeps the kind; a typed Array of Godot 4 becomes a TypedArray.
        let target = match kind {
            Kind::Array if matches!(typing, Typing::Untyped) => return Ok(to.begin_array(len)?),
            Kind::Array => {
                report.note(Loss::Retyped(Kind::TypedArray), kind, offset);
                Kind::TypedArray
            }
            kind => kind,
        };
        if let From::Builtin(_, None) = from {
            report.note(Loss::TypeDropped, kind, offset);
        }
        return Ok(to.begin_pandemonium_typed_array(target, typing.as_element_type(), len)?);
    }
    if kind != Kind::Array {
        report.note(Loss::Retyped(Kind::Array), kind, offset);
    }
    let is_untyped = matches!(typing, Typing::Untyped) && matches!(from, From::Untyped);
    if !is_untyped && known && to.target().has_typed_arrays() && !matches!(typing, Typing::Untyped)
    {
        return Ok(to.begin_typed_array(typing.as_element_type(), len)?);
    }
    if !is_untyped {
        report.note(Loss::TypeDropped, kind, offset);
    }
    if array.is_shared() && to.dialect().has_old_node_paths() {
        to.begin_array_shared(len)?;
    } else {
        to.begin_array(len)?;
    }
    Ok(())
}

fn begin_dict<S: Sink>(
    dict: DictRef<'_>,
    len: usize,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    note_shared(dict.is_shared(), dict.value(), to, report);
    let (key, value) = (Typing::of(dict.key_type()), Typing::of(dict.value_type()));
    let is_untyped = matches!((&key, &value), (Typing::Untyped, Typing::Untyped));
    if !is_untyped && to.target().has_typed_dicts() && key.is_known(to) && value.is_known(to) {
        let (key, value) = (key.as_element_type(), value.as_element_type());
        return Ok(to.begin_typed_dict(key, value, len)?);
    }
    if !is_untyped {
        report.note(Loss::TypeDropped, Kind::Dictionary, dict.value().offset());
    }
    if dict.is_shared() && to.dialect().has_old_node_paths() {
        to.begin_dict_shared(len)?;
    } else {
        to.begin_dict(len)?;
    }
    Ok(())
}

/// Reports that a container loses its shared bit, if it has one.
fn note_shared<S: Sink>(
    is_shared: bool,
    container: VariantRef<'_>,
    to: &Writer<S>,
    report: &mut Report,
) {
    // Only Godot 2 gives the bit a meaning.
    if is_shared && !to.dialect().has_old_node_paths() {
        report.note(Loss::SharedDropped, container.kind(), container.offset());
    }
}
