//! An observer of a walk: it hears where children begin, so that an index is built while the value is
//! validated, and a look-up needs no call for each value.

/// Hears where children begin and containers end. Validation alone uses `()`, which is compiled to nothing.
pub(crate) trait Observer {
    /// True if [`Observer::open`] and [`Observer::close`] do anything. If not, the walk may skip the ends of
    /// containers.
    const ENDS: bool;

    /// A value, or the name of a property, begins at `at`.
    fn child(&mut self, at: usize);

    /// `count` values of `size` bytes each begin at `at`. Only shortcuts call this.
    fn children(&mut self, at: usize, size: usize, count: u32);

    /// The last `count` calls of [`Observer::child`] were premature. Only shortcuts call this.
    fn retract(&mut self, count: u32);

    /// The value reported last is a container. Its children follow.
    fn open(&mut self);

    /// The container opened last ends at `end`.
    fn close(&mut self, end: usize);
}

impl Observer for () {
    const ENDS: bool = false;

    #[inline(always)]
    fn child(&mut self, _: usize) {}

    #[inline(always)]
    fn children(&mut self, _: usize, _: usize, _: u32) {}

    #[inline(always)]
    fn retract(&mut self, _: u32) {}

    #[inline(always)]
    fn open(&mut self) {}

    #[inline(always)]
    fn close(&mut self, _: usize) {}
}
