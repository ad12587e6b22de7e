//! [`Shape`]: what packets of one kind have in common.

use crate::{fast::Template, options::ReadOptions};

/// The shape of a packet: its containers, the types and widths of its values, and its keys. What
/// changes from packet to packet, numbers and texts that are values, is left open.
///
/// A server that knows the messages it takes keeps a shape of each and looks at the shapes before
/// anything else: a packet that matches is valid, has the fields that it should have, and costs a
/// few comparisons of large blocks instead of a walk. A width is part of the shape, so a message
/// with numbers of both widths has several shapes.
///
/// It holds its bytes in itself, about 1.7 kB, and borrows nothing.
///
/// ```
/// use gdvar_view::{Dialect, Shape};
///
/// // ["move", 3] and ["move", 70000]
/// let first = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0move\x02\0\0\0\x03\0\0\0";
/// let second = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0move\x02\0\0\0\x70\x11\x01\0";
/// let moves = Shape::learn(first, Dialect::GODOT_4).unwrap();
/// assert!(moves.matches(second));
/// assert!(!moves.matches(&second[..20]));
/// ```
#[derive(Clone)]
pub struct Shape(Template);

impl Shape {
    /// The shape of the value that a packet begins with.
    ///
    /// `None` if the value is not in order, or not of those that a shape can hold: numbers, math
    /// types, text, and untyped arrays and dictionaries of them with texts as keys, up to 8 levels,
    /// 11 texts as values and about 500 bytes besides these. None is learned in strict mode.
    #[must_use]
    pub fn learn(packet: &[u8], options: impl Into<ReadOptions>) -> Option<Shape> {
        let options = options.into();
        if options.is_special() {
            return None;
        }
        let mut template = Template::EMPTY;
        template.learn::<true>(packet, 0, options.get_dialect())?;
        template
            .fits(options.max_depth().into())
            .then_some(Shape(template))
    }

    /// Whether the packet is one value of this shape from end to end, its texts in order.
    #[inline]
    #[must_use]
    pub fn matches(&self, packet: &[u8]) -> bool {
        self.end(packet) == Some(packet.len())
    }

    /// Where the value ends that the packet begins with, if it has this shape.
    #[inline]
    #[must_use]
    pub fn end(&self, packet: &[u8]) -> Option<usize> {
        self.0.end::<true>(packet, 0)
    }
}

impl core::fmt::Debug for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Shape").finish_non_exhaustive()
    }
}
