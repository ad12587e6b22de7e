//! [`Observer`]: a listener to which a walk reports where children begin. With it, an index is built while the
//! value is validated. Walks are generic over the observer, so that its methods can be inlined.

/// A listener for a walk. The walk calls it where children begin and containers end. Validation alone uses
/// `()`, which is compiled to nothing.
pub(crate) trait Observer {
    /// True if [`Observer::open`] and [`Observer::close`] do anything. If not, the walk may skip the ends of
    /// containers.
    const ENDS: bool;

    /// Called when a value, or the name of a property, begins at `at`. If a key begins there, `second` is the
    /// word after its header; for other values `second` may be anything.
    fn child(&mut self, at: usize, second: u32);

    /// Called for `count` values of `size` bytes each, the first at `at`. Only shortcuts call this.
    fn children(&mut self, at: usize, size: usize, count: u32);

    /// Takes back the last `count` calls of [`Observer::child`]. Only shortcuts call this.
    fn retract(&mut self, count: u32);

    /// Called if the value reported last is a container. Its `count` children follow; a property counts as two.
    fn open(&mut self, count: u32);

    /// Called when the container opened last ends.
    fn close(&mut self);
}

impl Observer for () {
    const ENDS: bool = false;

    #[inline(always)]
    fn child(&mut self, _: usize, _: u32) {}

    #[inline(always)]
    fn children(&mut self, _: usize, _: usize, _: u32) {}

    #[inline(always)]
    fn retract(&mut self, _: u32) {}

    #[inline(always)]
    fn open(&mut self, _: u32) {}

    #[inline(always)]
    fn close(&mut self) {}
}
