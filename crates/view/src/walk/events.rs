//! [`Events`]: a flat walk over a whole value, in linear time and without recursion.

use crate::{
    bytes::observer::Observer,
    error::Error,
    options::ReadOptions,
    value::variant::VariantRef,
    walk::{
        event::{Event, Role},
        steps::Walk,
        validate::Validation,
    },
};

impl<'a> VariantRef<'a> {
    /// A walk over this value and everything in it.
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

/// A pull parser: returns every value of the buffer in the order of the bytes, validated. It takes linear time
/// and uses no recursion.
///
/// Use this to read everything once, whatever its form: to print, convert, count or search. For a few values
/// out of many a [`VariantRef`] is shorter; for values of known types a [`Cursor`](crate::Cursor) is faster.
///
/// An `Events` contains a word for each container that may be open, so it is large (8 KiB): keep one and pass
/// it by reference. It uses the heap only for values that are nested deeper than the engines allow, and in
/// strict mode (feature `alloc`) for the keys of open dictionaries, to find repeated ones.
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
    walk: Walk<'a, Validation>,
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

    /// Returns the next step, or `Ok(None)` after the outermost value and after an error.
    ///
    /// # Errors
    /// Fails at the first thing in the bytes that the options do not allow.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<Event<'a>>, Error> {
        self.walk.try_next()
    }

    /// Walks to the end without returning events.
    pub(crate) fn drain(&mut self, observer: &mut impl Observer) -> Result<(), Error> {
        self.walk.drain(observer)
    }

    /// The offset of the first byte that was not read yet.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.walk.position()
    }

    /// The number of open containers.
    #[must_use]
    pub fn open(&self) -> usize {
        self.walk.open()
    }

    /// The role of the value that came last, by [`Event::Value`] or [`Event::Begin`]. Meaningless after other
    /// events.
    #[must_use]
    pub fn role(&self) -> Role {
        self.walk.role()
    }

    /// Reads and validates the rest of the container just begun, its [`Event::End`] included, without returning
    /// events. Call this after [`Event::Begin`].
    ///
    /// # Errors
    /// Returns the errors of [`Events::try_next`].
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
