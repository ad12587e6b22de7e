//! The containers that are open in a walk, and what is still to come of each.
//!
//! A container whose last child is entered is not kept, as nothing of it is to come: the child counts how many ends come
//! behind its own. So a value in a value in a value costs no memory traffic, only counting.

use gdvar_wire::Kind;
use smallvec::SmallVec;

use crate::{
    bytes::{
        descriptor::Descriptor,
        head::{Form, Head},
        plain::Pending,
    },
    options::ReadOptions,
    value::{element, variant::VariantRef},
    walk::{events::Role, validate},
};

/// An open container: the number of children left, its form, and what strict mode expects of them. Packed
/// into a word, because a thousand of them may be open.
///
/// ```text
/// bit 55    54       53          52 … 20   19    18      17     16     15 … 0
///     DONE  CAREFUL  PROPERTIES  LEFT      ROOT  SCRIPT  NAMED  PAIRS  the depth of its children
///
/// CAREFUL: the children need a look at more than the loop over plain values has. Their depth is
/// the walk's own then, and in strict mode bits 15 … 8 and 7 … 0 are the types of values and keys.
/// ```
///
/// The number stands in the middle, so that a walk asks with one comparison for each value: a word from
/// `LEFT` up to `PROPERTIES` has a child to come that needs no care.
#[derive(Clone, Copy)]
pub(crate) struct Frame(u64);

const FIRST_TYPE: u32 = 0;
const SECOND_TYPE: u32 = 8;
const PAIRS: u64 = 1 << 16;
const NAMED: u64 = 1 << 17;
const SCRIPT: u64 = 1 << 18;
const ROOT: u64 = 1 << 19;
/// A child that is to come.
const LEFT: u64 = 1 << 20;
const PROPERTIES: u64 = 1 << 53;
const CAREFUL: u64 = 1 << 54;
const DONE: u64 = 1 << 55;

/// The kind that a child must be of: 0 is anything, else a kind plus one.
const OBJECT_OR_NIL: u8 = 255;
const NEVER: u8 = 254;

impl Frame {
    /// After the outermost value.
    pub(crate) const DONE: Frame = Frame(DONE);

    /// The place of the outermost value, whose only child it is.
    pub(crate) const fn root(options: ReadOptions, depth: u16) -> Frame {
        Frame::side_by_side(1, options, depth)
    }

    /// The place of so many values, with no container around them that the walk knows.
    pub(crate) const fn side_by_side(count: u64, options: ReadOptions, depth: u16) -> Frame {
        Frame((LEFT * count) | ROOT).at(options, depth)
    }

    /// A container whose children, of which none is to come, stand at `depth`.
    pub(crate) const fn full(options: ReadOptions, depth: u16) -> Frame {
        Frame(0).at(options, depth)
    }

    /// A container whose children stand at `depth`.
    #[inline]
    pub(crate) fn new(head: Head, options: ReadOptions, depth: u16) -> Frame {
        let count = LEFT * u64::from(head.count);
        let frame = match head.form {
            Form::Pairs => Frame((2 * count) | PAIRS),
            Form::Properties => Frame(count | PROPERTIES),
            _ => Frame(count),
        };
        frame.at(options, depth)
    }

    /// With children at that depth, or with such that nothing but the plain walk may pass.
    const fn at(self, options: ReadOptions, depth: u16) -> Frame {
        if options.is_special() || !options.admits(depth) {
            Frame(self.0 | CAREFUL)
        } else {
            Frame(self.0 | depth as u64)
        }
    }

    /// A container without types whose children are looked at with care.
    #[inline]
    pub(crate) const fn careful(pending: Pending) -> Frame {
        let kind = if pending.is_dict { PAIRS } else { 0 };
        Frame((LEFT * pending.left as u64) | kind | CAREFUL)
    }

    /// A container without types inside of this one, which needs no care, if its children may stand
    /// so deep.
    #[inline(always)]
    pub(crate) const fn inside(self, pending: Pending, options: ReadOptions) -> Option<Frame> {
        let Some(depth) = options.inside(self.plain_depth()) else {
            return None;
        };
        let kind = if pending.is_dict { PAIRS } else { 0 };
        Some(Frame((LEFT * pending.left as u64) | kind | depth as u64))
    }

    /// The depth of its children, if they need no care.
    #[inline(always)]
    pub(crate) const fn depth(self) -> Option<u16> {
        if self.has(CAREFUL) {
            None
        } else {
            Some(self.plain_depth())
        }
    }

    /// [`Frame::depth`] of one that needs no care.
    #[inline(always)]
    pub(crate) const fn plain_depth(self) -> u16 {
        self.0 as u16
    }

    /// True if shortcuts may pass its children: those of objects and what is looked at with care are not
    /// theirs.
    #[inline(always)]
    pub(crate) const fn is_for_shortcuts(self) -> bool {
        self.0 & (PROPERTIES | CAREFUL | DONE) == 0
    }

    /// The children to come of one that needs no care.
    #[inline(always)]
    pub(crate) const fn pending(self) -> Pending {
        Pending {
            left: self.left(),
            is_dict: self.has(PAIRS),
        }
    }

    /// True if a child is to come of one that needs no care.
    #[inline(always)]
    pub(crate) const fn has_more(self) -> bool {
        self.0 >= LEFT
    }

    /// With so many children to come.
    #[inline(always)]
    pub(crate) const fn with_left(self, left: u32) -> Frame {
        Frame((self.0 & (LEFT - 1)) | (LEFT * left as u64))
    }

    pub(crate) const fn left(self) -> u32 {
        (self.0 / LEFT) as u32
    }

    /// True if a child is to come that needs no care.
    #[inline(always)]
    pub(crate) const fn is_plain(self) -> bool {
        self.0.wrapping_sub(LEFT) < PROPERTIES - LEFT
    }

    /// True if no child is to come, the end needs no care, and there is a container around it.
    #[inline(always)]
    pub(crate) const fn is_plain_end(self) -> bool {
        self.0 < ROOT
    }

    /// With one child less to come.
    #[inline(always)]
    pub(crate) const fn less(self) -> Frame {
        Frame(self.0 - LEFT)
    }

    /// With the child taken last still to come.
    #[inline(always)]
    pub(crate) const fn more(self) -> Frame {
        Frame(self.0 + LEFT)
    }

    pub(crate) const fn is_done(self) -> bool {
        self.has(DONE)
    }

    pub(crate) const fn is_dict(self) -> bool {
        self.has(PAIRS)
    }

    /// True if the name of a property comes next.
    pub(crate) const fn wants_name(self) -> bool {
        self.has(PROPERTIES) && !self.has(NAMED)
    }

    /// True if the value to come is a property named "script".
    pub(crate) const fn is_script(self) -> bool {
        self.has(SCRIPT)
    }

    /// After a property's name.
    pub(crate) fn named(&mut self, is_script: bool) {
        self.set(NAMED, true);
        self.set(SCRIPT, is_script);
    }

    /// Takes the next child, which is a value.
    pub(crate) fn take(&mut self) {
        self.set(NAMED, false);
        *self = self.less();
    }

    /// The place that the next child takes, if it is a value.
    #[inline]
    pub(crate) const fn role(self) -> Role {
        self.role_of(self.left())
    }

    /// [`Frame::role`] when so many children are left.
    #[inline(always)]
    pub(crate) const fn role_of(self, left: u32) -> Role {
        if self.has(ROOT) {
            Role::Root
        } else if self.has(PROPERTIES) {
            Role::Property
        } else if !self.has(PAIRS) {
            Role::Element
        } else if left % 2 == 0 {
            Role::Key
        } else {
            Role::Value
        }
    }

    const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    const fn set(&mut self, flag: u64, on: bool) {
        self.0 = if on { self.0 | flag } else { self.0 & !flag };
    }

    /// Remembers the types that a container names for its children.
    pub(crate) fn expect(&mut self, value: VariantRef<'_>, kind: Kind) {
        let Some((first, second)) = element::descriptors(value, kind) else {
            return;
        };
        let dialect = value.dialect();
        let code = |descriptor| -> u64 {
            u64::from(match descriptor {
                Descriptor::None => 0,
                Descriptor::Class(_) | Descriptor::Script(_) => OBJECT_OR_NIL,
                Descriptor::Builtin(id) => match dialect.kind(id) {
                    Some(Kind::Object) => OBJECT_OR_NIL,
                    Some(kind) => kind as u8 + 1,
                    None => NEVER,
                },
            })
        };
        self.0 |= code(first) << FIRST_TYPE | code(second) << SECOND_TYPE;
    }

    /// True if nothing but its kind may be wrong about the next child of this container, which is looked at
    /// with care, because of its place.
    #[inline]
    pub(crate) const fn asks_for_kind_alone(self) -> bool {
        self.has(CAREFUL) && !self.has(SCRIPT)
    }

    /// True if a child of that kind may stand here; `second` for the values of a Dictionary.
    pub(crate) const fn admits(self, kind: Kind, second: bool) -> bool {
        let shift = if second { SECOND_TYPE } else { FIRST_TYPE };
        match (self.0 >> shift) as u8 {
            0 => true,
            OBJECT_OR_NIL => matches!(kind, Kind::Object | Kind::Nil),
            code => code == kind as u8 + 1,
        }
    }
}

/// The deepest nesting without a heap: a container at each depth from 0 to the engine's limit.
const DEEPEST: usize = gdvar_wire::Limits::ENGINE.max_depth as usize + 1;

/// The containers around the innermost one, the outermost first. At the bottom stands the place of
/// the outermost value.
pub(crate) type Around = SmallVec<[Frame; DEEPEST]>;

impl validate::Stack for Around {
    #[inline(always)]
    fn put(&mut self, outer: Frame) -> bool {
        self.push(outer);
        true
    }

    #[inline(always)]
    fn back(&mut self) -> Option<Frame> {
        let outer = *self.last()?;
        if !outer.is_for_shortcuts() {
            return None;
        }
        self.pop();
        Some(outer)
    }
}

#[cfg(test)]
mod tests;
