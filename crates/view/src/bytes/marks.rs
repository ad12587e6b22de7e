//! The places that a walk tells of on its way, when nobody looks at it value by value.

/// Is told where children begin, so that an index can be built while a value is validated.
/// Plain validation passes `()`, which costs nothing.
pub(crate) trait Marks {
    /// True if [`Marks::open`] and [`Marks::close`] do anything.
    const ENDS: bool;

    /// A value, or the name of a property, begins at `at`.
    fn child(&mut self, at: usize);

    /// `count` values of `size` bytes begin, one behind the other. Told by shortcuts alone.
    fn children(&mut self, at: usize, size: usize, count: u32);

    /// The last so many calls of [`Marks::child`] were too early. Told by shortcuts alone.
    fn take_back(&mut self, count: u32);

    /// The value told last has children, which come now.
    fn open(&mut self);

    /// The container opened last ends at `end`.
    fn close(&mut self, end: usize);
}

impl Marks for () {
    const ENDS: bool = false;

    #[inline(always)]
    fn child(&mut self, _: usize) {}

    #[inline(always)]
    fn children(&mut self, _: usize, _: usize, _: u32) {}

    #[inline(always)]
    fn take_back(&mut self, _: u32) {}

    #[inline(always)]
    fn open(&mut self) {}

    #[inline(always)]
    fn close(&mut self, _: usize) {}
}
