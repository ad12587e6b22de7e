//! Calls the writer in senseless sequences. Mistakes must be errors. If the output can still be
//! finished, it must be one whole value. The same calls in a burst must have the same result.

use arbitrary::{Arbitrary, Result, Unstructured};
use gdvar::{
    Document, ErrorKind, Limits,
    math::Vector3,
    write::{Burst, ElementType, Error, Growing, NodePathParts, Target, Writer, wire::Kind},
};

use crate::vectors::hex;

/// One call of the writer.
#[derive(Arbitrary, Debug)]
enum Call<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(&'a str),
    StringName(&'a str),
    StringBytes(&'a [u8]),
    NodePath(Vec<&'a str>, Vec<&'a str>, bool),
    Signal(&'a str, u64),
    ObjectId(u64),
    Rid(u64),
    Vector3([f32; 3]),
    WideVector3([f64; 3]),
    Bytes(&'a [u8]),
    Ints(Vec<i32>),
    Strings(Vec<&'a str>),
    BeginArray(u8),
    BeginDict(u8),
    BeginShared(u8, bool),
    BeginTyped(ElementChoice<'a>, u8),
    BeginTypedDict(ElementChoice<'a>, ElementChoice<'a>, u8),
    BeginPandemonium(ElementChoice<'a>, u8, bool),
    BeginObject(&'a str, u8),
    Property(&'a str),
    PropertyBytes(&'a [u8]),
    BeginGrowing(bool),
    EndGrowing,
    End,
    EndAll,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum ElementChoice<'a> {
    Untyped,
    Builtin(u8),
    Class(&'a str),
    Script(&'a str),
    RealScript,
}

impl<'a> From<ElementChoice<'a>> for ElementType<'a> {
    fn from(element: ElementChoice<'a>) -> ElementType<'a> {
        match element {
            ElementChoice::Untyped => ElementType::Untyped,
            ElementChoice::Builtin(n) => {
                ElementType::Builtin(Kind::ALL[usize::from(n) % Kind::ALL.len()])
            }
            ElementChoice::Class(class) => ElementType::Class(class),
            ElementChoice::Script(path) => ElementType::Script(path),
            ElementChoice::RealScript => ElementType::Script("res://a.gd"),
        }
    }
}

type Sink = Vec<u8>;
type CallResult = core::result::Result<(), Error<core::convert::Infallible>>;

/// Calls the writer in a random sequence for a target, and checks the results.
pub(super) fn check(choices: &mut Unstructured<'_>, target: Target) -> Result<()> {
    let limits = if choices.ratio(1_u8, 4_u8)? {
        Limits::ENGINE.with_max_depth(choices.int_in_range(0..=4)?)
    } else {
        Limits::ENGINE
    };
    let calls: Vec<Call<'_>> = choices.arbitrary()?;
    let calls = &calls[..calls.len().min(200)];
    let mut writer = Writer::with_limits(Vec::new(), target, limits);
    let mut growing = Vec::new();
    let mut results = Vec::new();
    for call in calls {
        let before = (writer.position(), writer.sink().len(), writer.depth());
        let made = plainly(&mut writer, call, &mut growing);
        let after = (writer.position(), writer.sink().len(), writer.depth());
        if let Err(error) = &made {
            let is_of_many = matches!(call, Call::Strings(_) | Call::EndAll);
            assert!(
                error.is_fatal() || is_of_many || before == after,
                "{call:?}: {error}"
            );
            assert!(!error.to_string().is_empty());
        }
        results.push(made);
    }
    let finished = writer.finish();

    let mut writer = Writer::with_limits(Vec::new(), target, limits);
    let mut growing = Vec::new();
    let in_burst = writer.burst(|burst| {
        let made = calls.iter().map(|call| staged(burst, call, &mut growing));
        Ok(made.collect::<Vec<_>>())
    });
    assert_eq!(in_burst.as_ref(), Ok(&results), "{calls:?}");
    assert_eq!(writer.finish(), finished, "{calls:?}");

    if let Ok(bytes) = finished {
        assert!(bytes.len() >= 4);
        let rules = super::Rules {
            max_depth: limits.max_depth,
            ..super::rules(target)
        };
        if let Some(tree) = super::read_back(&bytes, rules) {
            let written = tree.to_vec(target).map(|bytes| bytes.len());
            assert_eq!(tree.encoded_len(target), written, "{}", hex(&bytes));
            // Text that a caller gives as bytes may have longer forms of characters than a tree
            // writes.
            let strictly = Document::with_options(&bytes, rules.strictly().options()).validate();
            let is_longer = strictly.is_err_and(|error| error.kind() == ErrorKind::InvalidUtf8);
            assert!(is_longer || written == Ok(bytes.len()), "{}", hex(&bytes));
        }
    }
    Ok(())
}

fn plainly(writer: &mut Writer<Sink>, call: &Call<'_>, growing: &mut Vec<Growing>) -> CallResult {
    match call {
        Call::Nil => writer.nil(),
        Call::Bool(bool) => writer.bool(*bool),
        Call::Int(int) => writer.int(*int),
        Call::Float(float) => writer.float(*float),
        Call::String(text) => writer.string(text),
        Call::StringName(text) => writer.string_name(text),
        Call::StringBytes(text) => writer.string_bytes(text),
        Call::NodePath(names, subnames, absolute) => writer.node_path(&NodePathParts {
            names,
            subnames,
            absolute: *absolute,
        }),
        Call::Signal(name, id) => writer.signal(name, *id),
        Call::ObjectId(id) => writer.object_id(*id),
        Call::Rid(id) => writer.rid(*id),
        Call::Vector3(v) => writer.vector3(Vector3::from(*v)),
        Call::WideVector3(v) => writer.vector3(Vector3::from(*v)),
        Call::Bytes(bytes) => writer.packed_bytes(bytes),
        Call::Ints(ints) => writer.packed_i32(ints),
        Call::Strings(texts) => writer.packed_strings(texts.iter().copied()),
        Call::BeginArray(len) => writer.begin_array(few(*len)),
        Call::BeginDict(len) => writer.begin_dict(few(*len)),
        Call::BeginShared(len, true) => writer.begin_array_shared(few(*len)),
        Call::BeginShared(len, false) => writer.begin_dict_shared(few(*len)),
        Call::BeginTyped(element, len) => writer.begin_typed_array((*element).into(), few(*len)),
        Call::BeginTypedDict(key, value, len) => {
            writer.begin_typed_dict((*key).into(), (*value).into(), few(*len))
        }
        Call::BeginPandemonium(element, len, packed) => {
            let kind = if *packed {
                Kind::PackedTypedArray
            } else {
                Kind::TypedArray
            };
            writer.begin_pandemonium_typed_array(kind, (*element).into(), few(*len))
        }
        Call::BeginObject(class, len) => writer.begin_object(class, few(*len)),
        Call::Property(name) => writer.property(name),
        Call::PropertyBytes(name) => writer.property_bytes(name),
        Call::BeginGrowing(array) => {
            let begun = if *array {
                writer.begin_growing_array()
            } else {
                writer.begin_growing_dict()
            };
            begun.map(|begun| growing.push(begun))
        }
        Call::EndGrowing => match growing.pop() {
            Some(last) => writer.end_growing(last).map(drop),
            None => writer.end(),
        },
        Call::End => writer.end(),
        // Completes the value as a caller does who gives up: writes nulls for everything that is
        // missing.
        Call::EndAll => {
            for _ in 0..16 {
                while writer.end().is_ok() {}
                let _ = writer.nil();
            }
            Ok(())
        }
    }
}

/// Reduces the length that a call declares for a container, so that some containers become
/// complete.
fn few(len: u8) -> usize {
    usize::from(len % 4)
}

fn staged(burst: &mut Burst<'_, Sink>, call: &Call<'_>, growing: &mut Vec<Growing>) -> CallResult {
    match call {
        Call::Nil => burst.nil(),
        Call::Bool(bool) => burst.bool(*bool),
        Call::Int(int) => burst.int(*int),
        Call::Float(float) => burst.float(*float),
        Call::String(text) => burst.string(text),
        Call::StringName(text) => burst.string_name(text),
        Call::Vector3(v) => burst.vector3(Vector3::from(*v)),
        Call::WideVector3(v) => burst.vector3(Vector3::from(*v)),
        Call::BeginArray(len) => burst.begin_array(few(*len)),
        Call::BeginDict(len) => burst.begin_dict(few(*len)),
        Call::End => burst.end(),
        other => burst.with(|writer| plainly(writer, other, growing)),
    }
}
