//! What an open container still expects.

use gdvar_wire::Limits;
use smallvec::SmallVec;

/// The deepest a value may stand for the engines (`docs/FORMAT.md` §4.6).
const ENGINE_DEPTH: usize = Limits::ENGINE.max_depth as usize;

/// The containers around the innermost one: the imaginary one around the whole value and one
/// per depth. It spills into the heap only under limits above the engines'; it is not
/// initialised, so its size costs nothing.
pub(crate) type Parents = SmallVec<[u64; ENGINE_DEPTH + 1]>;

const OBJECT: u32 = 1 << 31;

/// An open container, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// Values that may come now: elements, or keys and values. For an object 1 behind a
    /// property's name, else 0, so that one test suffices for all.
    pub(crate) left: u32,
    /// For an object the high bit and the properties to come; else a [`Shape`].
    rest: u32,
}

/// What an open container is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Not a container: around the outermost value.
    Root,
    Array,
    Dict,
    GrowingArray,
    GrowingDict,
    /// An error cut the output.
    Broken,
    /// With so many properties to come.
    Object(u32),
}

impl Frame {
    pub(crate) const ROOT: Frame = Frame { left: 1, rest: 0 };
    pub(crate) const BROKEN: Frame = Frame { left: 0, rest: 5 };
    /// As many children as the engines can count.
    const MAX_ITEMS: u32 = i32::MAX as u32;

    /// Callers check that counts are at most `i32::MAX`, so that twice as much fits.
    pub(crate) const fn array(count: u32) -> Frame {
        Frame {
            left: count,
            rest: 1,
        }
    }

    pub(crate) const fn dict(count: u32) -> Frame {
        Frame {
            left: count * 2,
            rest: 2,
        }
    }

    pub(crate) const fn object(count: u32) -> Frame {
        Frame {
            left: 0,
            rest: OBJECT | count,
        }
    }

    /// `room`: whether children may come at all, which the depth decides.
    pub(crate) const fn growing_array(room: bool) -> Frame {
        Frame {
            left: if room { Frame::MAX_ITEMS } else { 0 },
            rest: 3,
        }
    }

    pub(crate) const fn growing_dict(room: bool) -> Frame {
        Frame {
            left: if room { Frame::MAX_ITEMS * 2 } else { 0 },
            rest: 4,
        }
    }

    pub(crate) const fn shape(self) -> Shape {
        match self.rest {
            0 => Shape::Root,
            1 => Shape::Array,
            2 => Shape::Dict,
            3 => Shape::GrowingArray,
            4 => Shape::GrowingDict,
            rest if rest & OBJECT != 0 => Shape::Object(rest & !OBJECT),
            _ => Shape::Broken,
        }
    }

    /// Values written into a growing container that began with `room`.
    pub(crate) const fn grown(self, room: bool) -> u32 {
        let start = match self.shape() {
            Shape::GrowingDict => Frame::growing_dict(room).left,
            _ => Frame::growing_array(room).left,
        };
        start - self.left
    }

    /// Turns the next property's name into room for its value.
    pub(crate) const fn name_property(self) -> Frame {
        Frame {
            left: 1,
            rest: self.rest - 1,
        }
    }

    pub(crate) const fn pack(self) -> u64 {
        (self.rest as u64) << 32 | self.left as u64
    }

    pub(crate) const fn unpack(packed: u64) -> Frame {
        Frame {
            left: packed as u32,
            rest: (packed >> 32) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_survive_packing() {
        for frame in [
            Frame::ROOT,
            Frame::BROKEN,
            Frame::array(i32::MAX as u32),
            Frame::dict(i32::MAX as u32),
            Frame::object(i32::MAX as u32).name_property(),
            Frame::growing_dict(true),
        ] {
            assert_eq!(Frame::unpack(frame.pack()), frame);
        }
    }

    #[test]
    fn the_largest_counts_keep_their_shape() {
        assert_eq!(Frame::dict(i32::MAX as u32).shape(), Shape::Dict);
        let object = Frame::object(i32::MAX as u32);
        assert_eq!(object.shape(), Shape::Object(i32::MAX as u32));
        assert_eq!(object.name_property().left, 1);
    }
}
