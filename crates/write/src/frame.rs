//! [`Frame`]: an open container, as the number and kind of children that it still expects.
//! [`Parents`]: the frames of the containers around the innermost one.

use gdvar_wire::Limits;
use smallvec::SmallVec;

/// The greatest depth of the engines (`docs/FORMAT.md` §4.6).
const ENGINE_DEPTH: usize = Limits::ENGINE.max_depth as usize;

/// The number of parents in the plain array.
pub(crate) const NEAR: u32 = 16;

/// The frames around the innermost container: one for the whole value and one for each depth. The
/// outermost [`NEAR`] frames, which are all that most values need, are in a plain array. The memory
/// for the others is not initialised, so its size costs nothing. They move to the heap only under
/// limits above the engines'.
pub(crate) struct Parents {
    near: [u64; NEAR as usize],
    far: SmallVec<[u64; ENGINE_DEPTH + 1 - NEAR as usize]>,
}

impl Parents {
    #[inline(always)]
    pub(crate) fn new() -> Parents {
        Parents {
            near: [0; NEAR as usize],
            far: SmallVec::new(),
        }
    }

    /// Stores the frame of depth `depth`. The frames of all smaller depths must have been stored.
    #[inline(always)]
    pub(crate) fn put(&mut self, depth: u32, frame: Frame) {
        match self.near.get_mut(depth as usize) {
            Some(place) => *place = frame.pack(),
            None => self.put_far(frame.pack()),
        }
    }

    /// Removes and returns the frame that was stored last, at `depth`.
    #[inline(always)]
    pub(crate) fn take(&mut self, depth: u32) -> Frame {
        Frame::unpack(match self.near.get(depth as usize) {
            Some(place) => *place,
            None => self.take_far(),
        })
    }

    /// Stores a packed frame at a depth below [`NEAR`].
    #[inline(always)]
    pub(crate) fn put_near(&mut self, depth: u32, packed: u64) {
        self.near[(depth % NEAR) as usize] = packed;
    }

    /// Returns the packed frame at a depth below [`NEAR`].
    #[inline(always)]
    pub(crate) fn near(&self, depth: u32) -> u64 {
        self.near[(depth % NEAR) as usize]
    }

    #[inline(never)]
    fn put_far(&mut self, frame: u64) {
        self.far.push(frame);
    }

    #[inline(never)]
    fn take_far(&mut self) -> u64 {
        self.far.pop().unwrap_or(Frame::BROKEN.pack())
    }
}

/// An open container, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// For an object, twice the number of missing properties, plus 1; else the even number of a
    /// [`Shape`]. Containers that may be ended get the smallest numbers, so that one comparison
    /// finds them.
    pub(crate) rest: u32,
    /// How many values may be written now: elements, or keys and values. For an object, 1 after a
    /// property's name, else 0. So one test of this number is enough for every container.
    pub(crate) left: u32,
}

const ARRAY: u32 = 0;
const DICT: u32 = 2;
const ROOT: u32 = 4;
const GROWING_ARRAY: u32 = 6;
const GROWING_DICT: u32 = 8;
const BROKEN: u32 = 10;

/// The kind of an open container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// No container: the frame around the outermost value.
    Root,
    Array,
    Dict,
    GrowingArray,
    GrowingDict,
    /// An error cut the output.
    Broken,
    /// An object with this many properties missing.
    Object(u32),
}

impl Frame {
    pub(crate) const ROOT: Frame = Frame {
        rest: ROOT,
        left: 1,
    };
    pub(crate) const BROKEN: Frame = Frame {
        rest: BROKEN,
        left: 0,
    };
    /// The greatest count of the engines.
    const MAX_ITEMS: u32 = i32::MAX as u32;

    /// Creates the frame of an Array. Callers check that a count is at most `i32::MAX`, so twice the
    /// count, which a dictionary needs, fits too.
    pub(crate) const fn array(count: u32) -> Frame {
        Frame {
            rest: ARRAY,
            left: count,
        }
    }

    pub(crate) const fn dict(count: u32) -> Frame {
        Frame {
            rest: DICT,
            left: count * 2,
        }
    }

    pub(crate) const fn object(count: u32) -> Frame {
        Frame {
            rest: count * 2 + 1,
            left: 0,
        }
    }

    /// Creates the frame of an Array of unknown length. `room` is `false` at the greatest depth,
    /// where it may have no children.
    pub(crate) const fn growing_array(room: bool) -> Frame {
        Frame {
            rest: GROWING_ARRAY,
            left: if room { Frame::MAX_ITEMS } else { 0 },
        }
    }

    pub(crate) const fn growing_dict(room: bool) -> Frame {
        Frame {
            rest: GROWING_DICT,
            left: if room { Frame::MAX_ITEMS * 2 } else { 0 },
        }
    }

    pub(crate) const fn shape(self) -> Shape {
        match self.rest {
            ROOT => Shape::Root,
            ARRAY => Shape::Array,
            DICT => Shape::Dict,
            GROWING_ARRAY => Shape::GrowingArray,
            GROWING_DICT => Shape::GrowingDict,
            rest if rest % 2 == 1 => Shape::Object(rest / 2),
            _ => Shape::Broken,
        }
    }

    /// Returns how many values were written into a growing container that began with `room`.
    pub(crate) const fn grown(self, room: bool) -> u32 {
        let start = match self.shape() {
            Shape::GrowingDict => Frame::growing_dict(room).left,
            _ => Frame::growing_array(room).left,
        };
        start - self.left
    }

    /// Counts the name of the next property and allows its value.
    pub(crate) const fn name_property(self) -> Frame {
        Frame {
            rest: self.rest - 2,
            left: 1,
        }
    }

    /// Returns `true` for an array, a dictionary or an object that has all its children.
    #[inline(always)]
    pub(crate) const fn is_full(self) -> bool {
        self.left == 0 && self.rest <= DICT
    }

    #[inline(always)]
    pub(crate) const fn pack(self) -> u64 {
        (self.rest as u64) << 32 | self.left as u64
    }

    #[inline(always)]
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
    fn what_has_all_its_children_is_full() {
        for full in [Frame::array(0), Frame::dict(0), Frame::object(0)] {
            assert!(full.is_full(), "{full:?}");
        }
        for other in [
            Frame::ROOT,
            Frame::BROKEN,
            Frame::array(1),
            Frame::dict(1),
            Frame::object(1),
            Frame::object(1).name_property(),
            Frame::growing_array(false),
            Frame::growing_dict(false),
            Frame {
                left: 0,
                ..Frame::ROOT
            },
        ] {
            assert!(!other.is_full(), "{other:?}");
        }
    }

    /// `docs/FORMAT.md` §4.6: engines nest at most 1024 values inside the outermost.
    #[test]
    fn what_engines_nest_takes_no_heap() {
        let mut parents = Parents::new();
        (0..=1024).for_each(|depth| parents.put(depth, Frame::ROOT));
        assert!(!parents.far.spilled());
        parents.put(1025, Frame::ROOT);
        assert!(parents.far.spilled(), "more than is needed");
    }

    #[test]
    fn the_largest_counts_keep_their_shape() {
        assert_eq!(Frame::dict(i32::MAX as u32).shape(), Shape::Dict);
        let object = Frame::object(i32::MAX as u32);
        assert_eq!(object.shape(), Shape::Object(i32::MAX as u32));
        assert_eq!(object.name_property().left, 1);
    }
}
