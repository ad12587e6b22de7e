//! [`Fingerprint`]: a number that summarises what a walk reports. Walks over equal bytes must have equal
//! fingerprints.

use gdvar::{
    Document, Error, Kind, VariantRef,
    index::{Index, Indexed},
    values::{ArrayIter, DictIter, PropertyIter, StrRef},
    walk::{Event, Role},
};

/// The steps of a walk, mixed into one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    const NONE: Fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);

    fn mix(&mut self, parts: [u64; 3]) {
        for part in parts {
            self.0 = (self.0 ^ part)
                .wrapping_mul(0x0100_0000_01b3)
                .rotate_left(23);
        }
    }

    fn leaf(&mut self, role: Role, value: VariantRef<'_>) {
        let role = role as u64;
        match value.kind() {
            Kind::Nil => self.mix([role, 1, 0]),
            Kind::Bool => self.mix([role, 2, u64::from(value.as_bool().expect("a bool"))]),
            Kind::Int => self.mix([role, 3, value.as_i64().expect("an int") as u64]),
            Kind::Float => self.mix([role, 4, value.as_f64().expect("a float").to_bits()]),
            Kind::String | Kind::StringName => {
                let text = value.as_text().expect("text");
                self.mix([role, text.offset() as u64, text.raw().len() as u64]);
            }
            _ => self.place(role, value),
        }
    }

    fn place(&mut self, role: u64, value: VariantRef<'_>) {
        let place = (value.offset() as u64) << 16 | u64::from(value.depth());
        self.mix([role, value.kind() as u64 + 100, place]);
    }

    fn begin(&mut self, role: Role, value: VariantRef<'_>) {
        self.place(role as u64, value);
        self.mix([5, 5, 5]);
    }

    fn property(&mut self, name: StrRef<'_>) {
        self.mix([6, name.offset() as u64, name.raw().len() as u64]);
    }

    fn end(&mut self) {
        self.mix([7, 7, 7]);
    }
}

/// The result of a walk: the number of bytes that it read or its error, and its fingerprint.
pub type WalkResult = (Result<usize, Error>, Fingerprint);

/// Walks over the events of a document.
pub fn events(document: Document<'_>) -> WalkResult {
    let mut seen = Fingerprint::NONE;
    let mut events = document.events();
    let result = loop {
        match events.try_next() {
            Ok(Some(Event::Value(value))) => seen.leaf(events.role(), value),
            Ok(Some(Event::Begin(value))) => seen.begin(events.role(), value),
            Ok(Some(Event::Property(name))) => seen.property(name),
            Ok(Some(Event::End)) => seen.end(),
            Ok(None) => break Ok(events.position()),
            Err(error) => break Err(error),
        }
    };
    (result, seen)
}

/// Walks recursively over lazy values, which do not check texts. The walk leaves out some of the
/// values, so it finds no faults in them: use it for documents that were validated.
///
/// # Errors
/// If the values cannot be read.
pub fn lazy(document: Document<'_>) -> Result<Fingerprint, Error> {
    let mut seen = Fingerprint::NONE;
    lazy_value(&mut seen, Role::Root, document.root()?)?;
    Ok(seen)
}

/// The finished walk over a container's children. The walk over the parent can continue from there.
enum ChildWalk<'a> {
    None,
    Array(ArrayIter<'a>),
    Dict(DictIter<'a>),
    Object(PropertyIter<'a>),
}

macro_rules! pass {
    ($outer:ident, $inner:expr) => {
        match $inner {
            ChildWalk::None => {}
            ChildWalk::Array(inner) => $outer.pass(&inner)?,
            ChildWalk::Dict(inner) => $outer.pass(&inner)?,
            ChildWalk::Object(inner) => $outer.pass(&inner)?,
        }
    };
}

fn lazy_value<'a>(
    seen: &mut Fingerprint,
    role: Role,
    value: VariantRef<'a>,
) -> Result<ChildWalk<'a>, Error> {
    if !value.has_children() {
        seen.leaf(role, value);
        return Ok(ChildWalk::None);
    }
    seen.begin(role, value);
    let inner = if let Some(array) = value.as_array() {
        let mut items = array.iter();
        while let Some(item) = items.try_next()? {
            // For some of the children, the walk continues from the end of the child's own walk.
            let inner = lazy_value(seen, Role::Element, item)?;
            if item.offset() % 8 == 0 {
                pass!(items, inner);
            }
        }
        ChildWalk::Array(items)
    } else if let Some(dict) = value.as_dict() {
        let mut pairs = dict.iter();
        while let Some((key, value)) = pairs.try_next()? {
            lazy_value(seen, Role::Key, key)?;
            pass!(pairs, lazy_value(seen, Role::Value, value)?);
        }
        ChildWalk::Dict(pairs)
    } else {
        let object = value.as_object().expect("it has children");
        let mut properties = object.iter();
        while let Some((name, value)) = properties.try_next()? {
            seen.property(name);
            pass!(properties, lazy_value(seen, Role::Property, value)?);
        }
        ChildWalk::Object(properties)
    };
    seen.end();
    Ok(inner)
}

/// Walks over an index: over all children in sequence, and then over each child by its number.
///
/// # Errors
/// If the values cannot be read.
///
/// # Panics
/// If the index lacks a child or has one too many.
pub fn indexed(index: &Index, document: Document<'_>) -> Result<Fingerprint, Error> {
    enum Next<'i, 'a> {
        Value(Role, Indexed<'i, VariantRef<'a>>),
        Name(StrRef<'a>),
        End,
    }
    let mut seen = Fingerprint::NONE;
    let mut next = vec![Next::Value(Role::Root, index.open(document)?)];
    while let Some(step) = next.pop() {
        let (role, value) = match step {
            Next::Value(role, value) => (role, value),
            Next::Name(name) => {
                seen.property(name);
                continue;
            }
            Next::End => {
                seen.end();
                continue;
            }
        };
        if !value.has_children() {
            seen.leaf(role, *value);
            continue;
        }
        seen.begin(role, *value);
        let first = next.len();
        if let Some(array) = value.as_array() {
            for n in 0..array.len() {
                next.push(Next::Value(
                    Role::Element,
                    array.get(n).expect("an element"),
                ));
            }
            assert!(array.get(array.len()).is_none());
        } else if let Some(dict) = value.as_dict() {
            for n in 0..dict.len() {
                let (key, value) = dict.pair(n).expect("a pair");
                next.extend([Next::Value(Role::Key, key), Next::Value(Role::Value, value)]);
            }
            assert!(dict.pair(dict.len()).is_none());
        } else if let Some(object) = value.as_object() {
            for n in 0..object.len() {
                let (name, value) = object.property(n).expect("a property");
                next.extend([Next::Name(name), Next::Value(Role::Property, value)]);
            }
            assert!(object.property(object.len()).is_none());
        }
        next.push(Next::End);
        next[first..].reverse();
    }
    Ok(seen)
}
