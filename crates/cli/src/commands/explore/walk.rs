//! One child after the other, of whatever can have some.

use gdvar_view::{
    ArrayIter, DictIter, Error, PackedStringIter, Part, PropertyIter, Step, StrRef, VariantRef,
};

use crate::{commands::explore::source::SourceRecords, diagnose::fault::Fault};

/// The place of a value: the bytes around it, and where these are in the file.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The bytes of the record.
    pub(crate) bytes: &'a [u8],
    /// Their first one, counted from the start of the file.
    pub(crate) base: usize,
}

/// The name of a child.
#[derive(Clone, Copy)]
pub(crate) enum Name<'a> {
    /// A record of the file.
    Record(u64),
    /// An element.
    Index(u64),
    /// The value of a pair, which is the n-th.
    Key(VariantRef<'a>, u64),
    /// A property.
    Property(StrRef<'a>),
}

/// The kinds of children.
#[derive(Clone, Copy)]
pub(crate) enum Thing<'a> {
    /// A value.
    Value(VariantRef<'a>),
    /// An element of that packed array.
    Part(Part<'a>, VariantRef<'a>),
    /// Nothing can be read from here on.
    Broken(Fault),
}

/// A child.
#[derive(Clone, Copy)]
pub(crate) struct Child<'a> {
    /// Its name.
    pub(crate) name: Name<'a>,
    /// Its kind.
    pub(crate) thing: Thing<'a>,
    /// The place of its record.
    pub(crate) place: Place<'a>,
}

impl<'a> Child<'a> {
    /// The value, if it is one.
    pub(crate) fn value(&self) -> Option<VariantRef<'a>> {
        match self.thing {
            Thing::Value(value) => Some(value),
            Thing::Part(..) | Thing::Broken(_) => None,
        }
    }

    /// Returns `true` if there may be something in it.
    pub(crate) fn can_open(&self) -> bool {
        let full = |value: VariantRef<'_>| {
            let packed = value.packed_len().is_some_and(|len| len > 0);
            packed || value.has_children() && !is_empty(value)
        };
        self.value().is_some_and(full)
    }
}

fn is_empty(value: VariantRef<'_>) -> bool {
    match (value.as_array(), value.as_dict(), value.as_object()) {
        (Some(array), ..) => array.is_empty(),
        (_, Some(dict), _) => dict.is_empty(),
        (.., Some(object)) => object.len() == 0,
        _ => false,
    }
}

/// Stands before the next child. A copy is a mark to come back to.
#[derive(Clone)]
pub(crate) enum Walk<'a> {
    /// Of a file.
    Records(SourceRecords<'a>),
    /// Of an Array.
    Elements(ArrayIter<'a>),
    /// Of a Dictionary.
    Pairs(DictIter<'a>),
    /// Of an Object.
    Properties(PropertyIter<'a>),
    /// Of a PackedStringArray.
    Texts(PackedStringIter<'a>, VariantRef<'a>),
    /// Of another packed array, whose elements are found by their numbers.
    Parts(VariantRef<'a>),
    /// The value that could not be passed.
    Failed(Error),
    /// Of what has none, or behind what cannot be read.
    Nothing,
}

impl<'a> Walk<'a> {
    /// Before the first child of a value.
    pub(crate) fn of(value: VariantRef<'a>) -> Walk<'a> {
        if let Some(array) = value.as_array() {
            Walk::Elements(array.iter())
        } else if let Some(dict) = value.as_dict() {
            Walk::Pairs(dict.iter())
        } else if let Some(object) = value.as_object() {
            Walk::Properties(object.iter())
        } else if let Some(texts) = value.as_strings() {
            Walk::Texts(texts.iter(), value)
        } else if value.packed_len().is_some() {
            Walk::Parts(value)
        } else {
            Walk::Nothing
        }
    }

    /// The next child, which is the n-th; behind one that is broken there is none.
    pub(crate) fn next(&mut self, n: u64, place: Place<'a>) -> Option<Child<'a>> {
        let (name, thing) = match self {
            Walk::Records(all) => return all.next(),
            Walk::Elements(all) => (Name::Index(n), all.try_next().map(of_value)),
            Walk::Pairs(all) => match all.try_next() {
                Ok(Some((key, value))) => (Name::Key(key, n), Ok(of_value(Some(value)))),
                Ok(None) => return None,
                Err(error) => (Name::Index(n), Err(error)),
            },
            Walk::Properties(all) => match all.try_next() {
                Ok(Some((name, value))) => (Name::Property(name), Ok(of_value(Some(value)))),
                Ok(None) => return None,
                Err(error) => (Name::Index(n), Err(error)),
            },
            Walk::Texts(all, owner) => {
                let owner = *owner;
                let text = all.try_next();
                let text = text.map(|text| text.map(|text| Thing::Part(Part::Text(text), owner)));
                (Name::Index(n), text)
            }
            Walk::Parts(owner) => {
                let part = owner.part(Step::Index(i64::try_from(n).ok()?));
                (
                    Name::Index(n),
                    Ok(part.map(|part| Thing::Part(part, *owner))),
                )
            }
            Walk::Failed(error) => (Name::Index(n), Err(*error)),
            Walk::Nothing => return None,
        };
        let thing = match thing {
            Ok(thing) => thing?,
            Err(error) => {
                *self = Walk::Nothing;
                Thing::Broken(Fault::Read(error))
            }
        };
        Some(Child { name, thing, place })
    }

    /// The number of children, if any of them is found without those in front of it.
    pub(crate) fn direct_len(&self) -> Option<u64> {
        match self {
            Walk::Parts(owner) => owner.packed_len().map(|len| len as u64),
            _ => None,
        }
    }

    /// Goes on behind the child handed out last, whose own children were walked: these are not walked
    /// again. A value that cannot be read there is the next child.
    pub(crate) fn pass(&mut self, inner: &Walk<'a>) {
        macro_rules! behind {
            ($outer:expr) => {
                match inner {
                    Walk::Elements(inner) => $outer.pass(inner),
                    Walk::Pairs(inner) => $outer.pass(inner),
                    Walk::Properties(inner) => $outer.pass(inner),
                    _ => Ok(()),
                }
            };
        }
        let passed = match self {
            Walk::Elements(outer) => behind!(outer),
            Walk::Pairs(outer) => behind!(outer),
            Walk::Properties(outer) => behind!(outer),
            _ => Ok(()),
        };
        if let Err(error) = passed {
            *self = Walk::Failed(error);
        }
    }
}

fn of_value(value: Option<VariantRef<'_>>) -> Option<Thing<'_>> {
    value.map(Thing::Value)
}
