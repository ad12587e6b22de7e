//! [`Walk`]: visits the children of a value, or the records of a file.

use gdvar_view::{
    ArrayIter, DictIter, Error, PackedStringIter, PathTarget, PropertyIter, Step, VariantRef,
};

use crate::{
    commands::explore::{
        child::{Child, Name, RecordBytes, Thing},
        record_source::RecordWalk,
    },
    diagnose::fault::Fault,
};

/// A walk that stopped before a child. A clone of it is a place to return to.
#[derive(Clone)]
pub(crate) enum Walk<'a> {
    /// A walk over the records of a file.
    Records(RecordWalk<'a>),
    Elements(ArrayIter<'a>),
    Pairs(DictIter<'a>),
    Properties(PropertyIter<'a>),
    /// A walk over a PackedStringArray.
    Texts(PackedStringIter<'a>, VariantRef<'a>),
    /// Another packed array. Its elements are found by their numbers, without a walk.
    Parts(VariantRef<'a>),
    /// The next value cannot be read.
    Failed(Error),
    /// The walk is at its end.
    Nothing,
}

impl<'a> Walk<'a> {
    /// Starts before the first child of `value`.
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

    /// Returns the next child, which is number `n`. In a container, a child that cannot be read is the last one.
    pub(crate) fn next(&mut self, n: u64, record: RecordBytes<'a>) -> Option<Child<'a>> {
        let next = match self {
            Walk::Records(all) => return all.next(),
            Walk::Elements(all) => {
                let element = all.try_next().transpose()?;
                element.map(|value| (Name::Index(n), Thing::Value(value)))
            }
            Walk::Pairs(all) => {
                let pair = all.try_next().transpose()?;
                pair.map(|(key, value)| (Name::Key(key, n), Thing::Value(value)))
            }
            Walk::Properties(all) => {
                let property = all.try_next().transpose()?;
                property.map(|(name, value)| (Name::Property(name), Thing::Value(value)))
            }
            Walk::Texts(all, owner) => {
                let text = all.try_next().transpose()?;
                text.map(|text| (Name::Index(n), Thing::Part(PathTarget::Text(text), *owner)))
            }
            Walk::Parts(owner) => {
                let part = owner.part(Step::Index(i64::try_from(n).ok()?))?;
                Ok((Name::Index(n), Thing::Part(part, *owner)))
            }
            Walk::Failed(error) => Err(*error),
            Walk::Nothing => return None,
        };
        let (name, thing) = next.unwrap_or_else(|error| {
            *self = Walk::Nothing;
            (Name::Index(n), Thing::Broken(Fault::Read(error)))
        });
        Some(Child {
            name,
            thing,
            record,
        })
    }

    /// Returns the number of children if each can be found by its number, without a walk. `None` otherwise.
    pub(crate) fn direct_len(&self) -> Option<u64> {
        match self {
            Walk::Parts(owner) => owner.packed_len().map(|len| len as u64),
            _ => None,
        }
    }

    /// Moves past the child that was returned last. `inner` is a walk over that child, and is at its end, so that the
    /// child is not walked over again. If `inner` met an error, the error is the next child of this walk.
    pub(crate) fn pass(&mut self, inner: &Walk<'a>) {
        macro_rules! after {
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
            Walk::Elements(outer) => after!(outer),
            Walk::Pairs(outer) => after!(outer),
            Walk::Properties(outer) => after!(outer),
            _ => Ok(()),
        };
        if let Err(error) = passed {
            *self = Walk::Failed(error);
        }
    }
}
