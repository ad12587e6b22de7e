//! The containers that are open in a walk, and what is still to come of each.
//!
//! A container whose last child is entered is not kept, as nothing of it is to come: the child counts how many ends come
//! behind its own. So a value in a value in a value costs no memory traffic, only counting.

use gdvar_wire::{Dialect, Kind, TypeId};
use smallvec::SmallVec;

use crate::{
    bytes::{
        descriptor::Descriptor,
        head::{Form, Head},
        plain::Pending,
    },
    options::ReadOptions,
    walk::{events::Role, validate},
};

/// An open container: the number of children left, its form, and what strict mode expects of them. Packed
/// into a word, because a thousand of them may be open.
///
/// ```text
/// bit 62 … 57  56 … 51  50    49       48          47 … 15  14    13      12     11     10 … 0
///     types             DONE  CAREFUL  PROPERTIES  LEFT     ROOT  SCRIPT  NAMED  PAIRS  the depth of its children
///
/// CAREFUL: the children need a look at more than the engine has, or may not stand so deep.
/// types: in strict mode, of values and of elements or keys; 0 is anything, else a kind plus one.
/// ```
///
/// The number stands in the middle, so that a walk asks with one comparison for each value: a word from
/// `LEFT` up to `PROPERTIES` has a child to come that needs no care.
#[derive(Clone, Copy)]
pub(crate) struct Frame(u64);

const DEPTH: u64 = (1 << 11) - 1;
const PAIRS: u64 = 1 << 11;
const NAMED: u64 = 1 << 12;
const SCRIPT: u64 = 1 << 13;
const ROOT: u64 = 1 << 14;
/// A child that is to come.
const LEFT: u64 = 1 << 15;
const PROPERTIES: u64 = 1 << 48;
const CAREFUL: u64 = 1 << 49;
const DONE: u64 = 1 << 50;
const FIRST_TYPE: u32 = 51;
const SECOND_TYPE: u32 = 57;
const TYPE: u64 = (1 << 6) - 1;

/// Types that are no single kind.
const OBJECT_OR_NIL: u64 = 63;
const NEVER: u64 = 62;
const _: () = assert!(Kind::ALL.len() < NEVER as usize);

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

    /// With children at that depth, which need care if they may not stand there, or by the options.
    const fn at(self, options: ReadOptions, depth: u16) -> Frame {
        // No limit is as large as the largest depth that fits.
        let depth = if depth as u64 > DEPTH {
            DEPTH
        } else {
            depth as u64
        };
        if options.is_special() || !options.admits(depth as u16) {
            Frame(self.0 | depth | CAREFUL)
        } else {
            Frame(self.0 | depth)
        }
    }

    /// A container without types inside of this one, if its children may stand so deep. It needs care if this one does.
    #[inline(always)]
    pub(crate) const fn inside(self, pending: Pending, options: ReadOptions) -> Option<Frame> {
        let Some(depth) = options.inside(self.depth()) else {
            return None;
        };
        let kind = if pending.is_dict { PAIRS } else { 0 };
        let care = self.0 & CAREFUL;
        Some(Frame(
            (LEFT * pending.left as u64) | kind | care | depth as u64,
        ))
    }

    /// The depth of its children.
    #[inline(always)]
    pub(crate) const fn depth(self) -> u16 {
        (self.0 & DEPTH) as u16
    }

    /// True if the loop over plain values may pass its children, in strict mode or in engine mode: the children of objects
    /// are not for it.
    #[inline(always)]
    pub(crate) const fn is_for_loop(self, strict: bool) -> bool {
        let care = if strict { 0 } else { CAREFUL };
        self.0 & (PROPERTIES | DONE | care) == 0
    }

    /// True if a child is to come of one that is for the loop ([`Frame::is_for_loop`]).
    #[inline(always)]
    pub(crate) const fn has_more(self, strict: bool) -> bool {
        if strict {
            self.left() > 0
        } else {
            self.0 >= LEFT
        }
    }

    /// With `count` children less to come.
    #[inline(always)]
    pub(crate) const fn less_by(self, count: u32) -> Frame {
        Frame(self.0 - LEFT * count as u64)
    }

    /// True if a key comes next.
    #[inline(always)]
    pub(crate) const fn is_before_key(self) -> bool {
        self.0 & (PAIRS | LEFT) == PAIRS
    }

    #[inline(always)]
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

    /// After the outermost value, or after the child that cannot be read.
    pub(crate) const fn done(self) -> Frame {
        Frame(DONE | self.0 & DEPTH)
    }

    pub(crate) const fn is_done(self) -> bool {
        self.has(DONE)
    }

    #[inline(always)]
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
        if self.has(ROOT) {
            Role::Root
        } else if self.has(PROPERTIES) {
            Role::Property
        } else if !self.has(PAIRS) {
            Role::Element
        } else if self.is_before_key() {
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

    /// Remembers the types that a container names for its children: of elements or keys, and of values.
    #[inline]
    pub(crate) const fn expect(&mut self, first: TypeCode, second: TypeCode) {
        self.0 |= first.0 << FIRST_TYPE | second.0 << SECOND_TYPE;
    }

    /// True if it names types for its children.
    #[inline(always)]
    pub(crate) const fn is_typed(self) -> bool {
        self.0 >> FIRST_TYPE != 0
    }

    /// True if the next child may be of that kind.
    pub(crate) const fn admits(self, kind: Kind) -> bool {
        let is_value = self.is_dict() && !self.is_before_key();
        let shift = if is_value { SECOND_TYPE } else { FIRST_TYPE };
        match self.0 >> shift & TYPE {
            0 => true,
            OBJECT_OR_NIL => matches!(kind, Kind::Object | Kind::Nil),
            code => code == kind as u64 + 1,
        }
    }
}

/// A type that a container names, as a frame has it.
#[derive(Clone, Copy)]
pub(crate) struct TypeCode(u64);

/// The code of a builtin type, by its number; null is no type.
#[inline]
pub(crate) fn type_code(id: TypeId, dialect: Dialect) -> TypeCode {
    TypeCode(match dialect.kind(id) {
        Some(Kind::Nil) => 0,
        Some(Kind::Object) => OBJECT_OR_NIL,
        Some(kind) => kind as u64 + 1,
        None => NEVER,
    })
}

/// The code of a descriptor.
pub(crate) fn descriptor_code(descriptor: Descriptor, dialect: Dialect) -> TypeCode {
    match descriptor {
        Descriptor::None => TypeCode(0),
        Descriptor::Class(_) | Descriptor::Script(_) => TypeCode(OBJECT_OR_NIL),
        Descriptor::Builtin(id) => type_code(id, dialect),
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
    fn back(&mut self, strict: bool) -> Option<Frame> {
        let outer = *self.last()?;
        if !outer.is_for_loop(strict) {
            return None;
        }
        self.pop();
        Some(outer)
    }
}

#[cfg(test)]
mod tests;
