//! A container and its children, whatever form it has, with the places of all that belongs to them.

use gdvar_view::{ArrayIter, DictIter, ElementType, Error, Kind, PropertyIter, StrRef, VariantRef};

/// An Array, a Dictionary or a whole object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container<'a> {
    pub(crate) value: VariantRef<'a>,
    /// The place of the word with the count.
    pub(crate) count_at: usize,
    /// The number of children.
    pub(crate) len: usize,
}

/// The name that a child is found by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name<'a> {
    /// Its place.
    Place,
    /// A key of a Dictionary.
    Key(VariantRef<'a>),
    /// The name of a property.
    Property(StrRef<'a>),
}

/// A child with what it is found by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) value: VariantRef<'a>,
}

impl<'a> Child<'a> {
    /// The place where its key, its name or else its value begins.
    pub(crate) fn start(self) -> usize {
        match self.name {
            Name::Place => self.value.offset(),
            Name::Key(key) => key.offset(),
            // Behind the word with its length.
            Name::Property(name) => name.offset() - 4,
        }
    }

    /// All its bytes, of which `bytes` are the whole buffer.
    pub(crate) fn raw(self, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
        let end = self.value.end()?;
        Ok(bytes.get(self.start()..end).unwrap_or_default())
    }
}

/// The children of a container, one after the other.
pub(crate) enum Children<'a> {
    Items(ArrayIter<'a>),
    Pairs(DictIter<'a>),
    Properties(PropertyIter<'a>),
}

impl<'a> Children<'a> {
    pub(crate) fn try_next(&mut self) -> Result<Option<Child<'a>>, Error> {
        Ok(match self {
            Children::Items(items) => items.try_next()?.map(|value| Child {
                name: Name::Place,
                value,
            }),
            Children::Pairs(pairs) => pairs.try_next()?.map(|(key, value)| Child {
                name: Name::Key(key),
                value,
            }),
            Children::Properties(properties) => properties.try_next()?.map(|(name, value)| Child {
                name: Name::Property(name),
                value,
            }),
        })
    }
}

impl<'a> Container<'a> {
    /// The container that a value is, if it has children or could have some. O(1).
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

    pub(crate) fn children(self) -> Children<'a> {
        if let Some(array) = self.value.as_array() {
            Children::Items(array.iter())
        } else if let Some(dict) = self.value.as_dict() {
            Children::Pairs(dict.iter())
        } else {
            let object = self.value.as_object();
            Children::Properties(object.expect("nothing else has children").iter())
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

    /// The type that the header gives to its keys.
    pub(crate) fn key_type(self) -> ElementType<'a> {
        let dict = self.value.as_dict();
        dict.map_or(ElementType::Untyped, |dict| dict.key_type())
    }

    /// The type that the header gives to its elements or values.
    pub(crate) fn value_type(self) -> ElementType<'a> {
        match (self.value.as_array(), self.value.as_dict()) {
            (Some(array), _) => array.element_type(),
            (_, Some(dict)) => dict.value_type(),
            _ => ElementType::Untyped,
        }
    }
}
