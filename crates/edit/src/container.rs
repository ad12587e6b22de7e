//! A common view of arrays, dictionaries and objects, with the offsets of their parts.

use gdvar_view::{ArrayIter, DictIter, ElementType, Error, Kind, PropertyIter, StrRef, VariantRef};

/// An Array, a Dictionary or a whole object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container<'a> {
    pub(crate) value: VariantRef<'a>,
    /// The offset of the count word.
    pub(crate) count_at: usize,
    /// The number of children.
    pub(crate) len: usize,
}

/// How a container identifies a child: by index, key or property name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name<'a> {
    /// An array element, identified by its index.
    Place,
    /// The key in a dictionary.
    Key(VariantRef<'a>),
    /// The property name in an object.
    Property(StrRef<'a>),
}

/// A child of a container, and how the container identifies it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) value: VariantRef<'a>,
}

impl<'a> Child<'a> {
    /// Returns the offset of the key or name. For an array element, the offset of the value.
    pub(crate) fn start(self) -> usize {
        match self.name {
            Name::Place => self.value.offset(),
            Name::Key(key) => key.offset(),
            // `name.offset()` is the offset of the text. Its length word comes before it.
            Name::Property(name) => name.offset() - 4,
        }
    }

    /// Returns all bytes of the child. `bytes` is the whole buffer.
    pub(crate) fn raw(self, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
        let end = self.value.end()?;
        Ok(bytes.get(self.start()..end).unwrap_or_default())
    }
}

/// Iterates over the children of any container.
pub(crate) enum ChildIter<'a> {
    Items(ArrayIter<'a>),
    Pairs(DictIter<'a>),
    Properties(PropertyIter<'a>),
}

impl<'a> ChildIter<'a> {
    pub(crate) fn try_next(&mut self) -> Result<Option<Child<'a>>, Error> {
        Ok(match self {
            ChildIter::Items(items) => items.try_next()?.map(|value| Child {
                name: Name::Place,
                value,
            }),
            ChildIter::Pairs(pairs) => pairs.try_next()?.map(|(key, value)| Child {
                name: Name::Key(key),
                value,
            }),
            ChildIter::Properties(properties) => {
                properties.try_next()?.map(|(name, value)| Child {
                    name: Name::Property(name),
                    value,
                })
            }
        })
    }
}

impl<'a> Container<'a> {
    /// Returns the container that `value` is, or `None` if its type has no children. O(1).
    pub(crate) fn of(value: VariantRef<'a>) -> Result<Option<Container<'a>>, Error> {
        if !value.has_children() {
            return Ok(None);
        }
        let len = if let Some(array) = value.as_array() {
            array.len()
        } else if let Some(dict) = value.as_dict() {
            dict.len()
        } else {
            value.as_object().map_or(0, |object| object.len())
        };
        let mut container = Container {
            value,
            count_at: 0,
            len,
        };
        let first = container.children().try_next()?;
        let first = first.map_or_else(|| value.end(), |child| Ok(child.start()))?;
        container.count_at = first - 4;
        Ok(Some(container))
    }

    pub(crate) fn children(self) -> ChildIter<'a> {
        if let Some(array) = self.value.as_array() {
            ChildIter::Items(array.iter())
        } else if let Some(dict) = self.value.as_dict() {
            ChildIter::Pairs(dict.iter())
        } else {
            let object = self.value.as_object();
            ChildIter::Properties(object.expect("nothing else has children").iter())
        }
    }

    pub(crate) fn is_dict(self) -> bool {
        self.value.kind() == Kind::Dictionary
    }

    pub(crate) fn is_object(self) -> bool {
        self.value.kind() == Kind::Object
    }

    pub(crate) fn is_array(self) -> bool {
        !self.is_dict() && !self.is_object()
    }

    /// Returns the key type that the header declares.
    pub(crate) fn key_type(self) -> ElementType<'a> {
        let dict = self.value.as_dict();
        dict.map_or(ElementType::Untyped, |dict| dict.key_type())
    }

    /// Returns the element or value type that the header declares.
    pub(crate) fn value_type(self) -> ElementType<'a> {
        match (self.value.as_array(), self.value.as_dict()) {
            (Some(array), _) => array.element_type(),
            (_, Some(dict)) => dict.value_type(),
            _ => ElementType::Untyped,
        }
    }
}
