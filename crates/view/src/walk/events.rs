//! [`Events`]: a flat walk over all of a value, in linear time and without recursion.

use crate::{
    bytes::marks::Marks,
    error::Error,
    options::ReadOptions,
    value::{string::StrRef, variant::VariantRef},
    walk::steps::Walk,
};

impl<'a> VariantRef<'a> {
    /// A walk over this value and all below it.
    #[inline(always)]
    #[must_use]
    pub fn events(self) -> Events<'a> {
        Events::new(
            self.bytes(),
            self.offset(),
            self.options(),
            self.depth(),
            false,
        )
    }
}

/// A step of [`Events`].
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A value without children: scalars, text, math types, packed arrays, ids, null objects.
    Value(VariantRef<'a>),
    /// An Array, Dictionary, typed array or whole object. Its children follow, then
    /// [`Event::End`]. The children of a Dictionary are keys and values in turn.
    Begin(VariantRef<'a>),
    /// The name of a property; its value follows.
    Property(StrRef<'a>),
    /// The end of the container opened last.
    End,
}

/// The place that a value takes. Use this when a value of [`Events`] means something else as a key than as the value
/// behind a key: [`Events::role`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The outermost value.
    Root,
    /// An element of an array.
    Element,
    /// A key of a Dictionary.
    Key,
    /// The value of the key before it.
    Value,
    /// The value of the property named before it.
    Property,
}

/// A pull parser: every value of the buffer in order, validated, in linear time, without recursion
/// and without allocation.
///
/// Use this when everything is looked at once, whatever its form: printing, converting, counting, searching. For a few
/// values out of many a [`VariantRef`] is shorter; for values of known types a [`Cursor`](crate::Cursor) is faster.
///
/// It holds the counts of all open containers in itself, so it is large (8 KiB): keep one and
/// pass it by reference. In strict mode, and there only, it remembers the keys of open
/// dictionaries on the heap (feature `alloc`) to find repeated ones.
///
/// ```
/// use gdvar_view::{Document, Event};
/// use gdvar_wire::Dialect;
///
/// // [1, [2]]
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0";
/// let mut sum = 0;
/// let mut events = Document::new(bytes, Dialect::GODOT_4).events();
/// while let Some(event) = events.try_next()? {
///     if let Event::Value(value) = event {
///         sum += value.as_i64().unwrap_or(0);
///     }
/// }
/// assert_eq!(sum, 3);
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[derive(Clone)]
pub struct Events<'a> {
    walk: Walk<'a, true>,
}

impl<'a> Events<'a> {
    #[inline(always)]
    pub(crate) fn new(
        bytes: &'a [u8],
        at: usize,
        options: ReadOptions,
        depth: u16,
        whole: bool,
    ) -> Events<'a> {
        let mut events = Events {
            walk: Walk::new(bytes, at, options, depth),
        };
        events.walk.whole = whole;
        events
    }

    /// The next step; `Ok(None)` after the outermost value, and after an error.
    ///
    /// # Errors
    /// The first thing in the bytes that the options do not let pass.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<Event<'a>>, Error> {
        self.walk.try_next()
    }

    /// Walks to the end without reporting what it passes.
    pub(crate) fn drain(&mut self, marks: &mut impl Marks) -> Result<(), Error> {
        self.walk.drain(marks)
    }

    /// The first byte that was not read yet.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.walk.position()
    }

    /// The number of containers that are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.walk.open()
    }

    /// Which place the value took that came last, by [`Event::Value`] or [`Event::Begin`]. Behind any
    /// other event it says nothing.
    #[must_use]
    pub fn role(&self) -> Role {
        self.walk.role()
    }

    /// After [`Event::Begin`]: reads (and validates) the rest of that container, its
    /// [`Event::End`] included, without reporting it.
    ///
    /// # Errors
    /// As [`Events::try_next`].
    pub fn pass_children(&mut self) -> Result<(), Error> {
        let outside = self.open().saturating_sub(1);
        while self.open() > outside {
            self.try_next()?;
        }
        Ok(())
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

impl core::fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Events")
            .field("position", &self.position())
            .field("open", &self.open())
            .finish_non_exhaustive()
    }
}
