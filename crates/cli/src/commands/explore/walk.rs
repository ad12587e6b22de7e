//! A walk over the children of a value or of a file.

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

/// A walk before the next child. A copy is a mark to come back to.
#[derive(Clone)]
pub(crate) enum Walk<'a> {
    /// Over the records of a file.
    Records(RecordWalk<'a>),
    Elements(ArrayIter<'a>),
    Pairs(DictIter<'a>),
    Properties(PropertyIter<'a>),
    /// Over a PackedStringArray.
    Texts(PackedStringIter<'a>, VariantRef<'a>),
    /// Over another packed array: its elements are found by their numbers.
    Parts(VariantRef<'a>),
    /// Before a value that cannot be read.
    Failed(Error),
    /// All children were passed.
    Nothing,
}

impl<'a> Walk<'a> {
    /// Begins before the first child of a value.
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

    /// Returns the next child. `n` is its number. There is none after a broken one.
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

    /// Returns the number of children if each of them is found by its number.
    pub(crate) fn direct_len(&self) -> Option<u64> {
        match self {
            Walk::Parts(owner) => owner.packed_len().map(|len| len as u64),
            _ => None,
        }
    }

    /// Continues after the last child that was returned. `inner` is the walk at the end of that child, which therefore is not
    /// walked over again. If the child ends in an error, that is the next child.
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
