//! The open containers of a walk, one word each: how many children are left, and which types they must have.
//!
//! The step-by-step walk ([`steps`](super::steps)) keeps all open containers except the innermost on a stack.
//! The fast loop ([`fast_loop`](super::fast_loop)) keeps only those with children left, so a chain of
//! single-child containers uses no stack there.

use gdvar_wire::{Dialect, Kind, TypeId};
use smallvec::SmallVec;

use crate::{
    bytes::{
        common::Pending,
        descriptor::Descriptor,
        head::{BodyForm, Head},
    },
    options::ReadOptions,
    walk::event::Role,
};

/// An open container: the number of children left, its form, and what strict mode expects of the children. It
/// is one word, because a thousand containers may be open.
///
/// ```text
/// bit 63 … 58  57 … 52  51    50          49 … 18  17    16     15 … 0
///     types             SLOW  PROPERTIES  LEFT     ROOT  PAIRS  the depth of its children
///
/// SLOW:   only checked steps may read the children, because of the options or because they are deeper than the limit.
/// types:  in strict mode, of values (63 … 58) and of elements or keys (57 … 52); 0 is any type, else a kind plus one.
///         An object names no types. There bit 58 is NAMED and bit 59 SCRIPT: what is known of its next property.
/// LEFT:   32 bits are enough for keys and values, because all counts are below 2^31.
/// DONE:   ROOT with PROPERTIES, which no container has.
/// ```
///
/// The number of children is between the flags, so one comparison decides for each value whether the fast way
/// is open: a word from `LEFT` up to `PROPERTIES` has a child left and no flag that forbids it.
#[derive(Clone, Copy)]
pub(crate) struct OpenContainer(u64);

const DEPTH: u64 = u16::MAX as u64;
const PAIRS: u64 = 1 << 16;
const ROOT: u64 = 1 << 17;
/// One child left, in the count at bits 18 to 49.
const LEFT: u64 = 1 << 18;
const PROPERTIES: u64 = 1 << 50;
const SLOW: u64 = 1 << 51;
const FIRST_TYPE: u32 = 52;
const SECOND_TYPE: u32 = 58;
const NAMED: u64 = 1 << 58;
const SCRIPT: u64 = 1 << 59;
const DONE: u64 = PROPERTIES | ROOT;
const TYPE: u64 = (1 << 6) - 1;

/// Type codes that are not a kind plus one.
const OBJECT_OR_NIL: u64 = 63;
const NEVER: u64 = 62;
const _: () = assert!(Kind::ALL.len() < NEVER as usize);

impl OpenContainer {
    /// The state after the outermost value.
    pub(crate) const DONE: OpenContainer = OpenContainer(DONE);

    /// A pseudo-container whose only child is the outermost value.
    pub(crate) const fn root(options: ReadOptions, depth: u16) -> OpenContainer {
        OpenContainer::side_by_side(1, options, depth)
    }

    /// A pseudo-container with `count` children, for walks that do not know their container.
    pub(crate) const fn side_by_side(
        count: u64,
        options: ReadOptions,
        depth: u16,
    ) -> OpenContainer {
        OpenContainer((LEFT * count) | ROOT).at(options, depth)
    }

    /// A container without children left, whose children are at `depth`.
    pub(crate) const fn full(options: ReadOptions, depth: u16) -> OpenContainer {
        OpenContainer(0).at(options, depth)
    }

    /// The container with the head `head`, whose children are at `depth`.
    #[inline]
    pub(crate) fn new(head: Head, options: ReadOptions, depth: u16) -> OpenContainer {
        let count = LEFT * u64::from(head.count);
        let frame = match head.form {
            BodyForm::Pairs => OpenContainer((2 * count) | PAIRS),
            BodyForm::Properties => OpenContainer(count | PROPERTIES),
            _ => OpenContainer(count),
        };
        frame.at(options, depth)
    }

    /// Stores the children's depth, and marks them `SLOW` if the options forbid shortcuts or the depth limit
    /// forbids children.
    const fn at(self, options: ReadOptions, depth: u16) -> OpenContainer {
        let slow = options.forbids_shortcuts() || !options.admits(depth);
        let slow = if slow { SLOW } else { 0 };
        OpenContainer(self.0 | slow | depth as u64)
    }

    /// Opens a container inside of this one, without types for its children. `None` if the children would be
    /// deeper than the limit. The new container is `SLOW` if this one is.
    #[inline(always)]
    pub(crate) const fn inside(
        self,
        pending: Pending,
        options: ReadOptions,
    ) -> Option<OpenContainer> {
        let Some(depth) = options.inside(self.depth()) else {
            return None;
        };
        let kind = if pending.is_dict { PAIRS } else { 0 };
        let slow = self.0 & SLOW;
        Some(OpenContainer(
            (LEFT * pending.left as u64) | kind | slow | depth as u64,
        ))
    }

    /// The depth of the children of this container.
    #[inline(always)]
    pub(crate) const fn depth(self) -> u16 {
        (self.0 & DEPTH) as u16
    }

    /// True if the fast loop may read the children of this container. `strict` says whether the loop runs in
    /// strict mode. The loop never reads properties.
    #[inline(always)]
    pub(crate) const fn is_for_loop(self, strict: bool) -> bool {
        let slow = if strict { 0 } else { SLOW };
        self.0 & (PROPERTIES | slow) == 0
    }

    /// True if a child is left. Call this only if the fast loop may read the children
    /// ([`OpenContainer::is_for_loop`]).
    #[inline(always)]
    pub(crate) const fn has_more(self, strict: bool) -> bool {
        if strict {
            self.left() > 0
        } else {
            self.0 >= LEFT
        }
    }

    /// The same container with `count` fewer children left.
    #[inline(always)]
    pub(crate) const fn less_by(self, count: u32) -> OpenContainer {
        OpenContainer(self.0 - LEFT * count as u64)
    }

    /// True if the next child is a key.
    #[inline(always)]
    pub(crate) const fn is_before_key(self) -> bool {
        self.0 & (PAIRS | LEFT) == PAIRS
    }

    #[inline(always)]
    pub(crate) const fn left(self) -> u32 {
        (self.0 / LEFT) as u32
    }

    /// True if a child is left and a fast step may read it.
    #[inline(always)]
    pub(crate) const fn is_fast(self) -> bool {
        self.0.wrapping_sub(LEFT) < PROPERTIES - LEFT
    }

    /// True if no child is left, a fast step may report the end, and this is not a pseudo-container.
    #[inline(always)]
    pub(crate) const fn is_fast_end(self) -> bool {
        self.0 < ROOT
    }

    /// The same container with one child fewer left.
    #[inline(always)]
    pub(crate) const fn less(self) -> OpenContainer {
        OpenContainer(self.0 - LEFT)
    }

    /// The same container with one child more left: its state before the last child was taken.
    #[inline(always)]
    pub(crate) const fn more(self) -> OpenContainer {
        OpenContainer(self.0 + LEFT)
    }

    /// The state after the outermost value, or after an error.
    pub(crate) const fn done(self) -> OpenContainer {
        OpenContainer(DONE | self.0 & DEPTH)
    }

    pub(crate) const fn is_done(self) -> bool {
        self.0 & DONE == DONE
    }

    #[inline(always)]
    pub(crate) const fn is_dict(self) -> bool {
        self.has(PAIRS)
    }

    /// True if the next child is a property whose name was not read yet.
    pub(crate) const fn wants_name(self) -> bool {
        self.0 & (PROPERTIES | ROOT | NAMED) == PROPERTIES
    }

    /// True if the next value is the property named "script".
    pub(crate) const fn is_script(self) -> bool {
        self.has(PROPERTIES) && self.has(SCRIPT)
    }

    /// Records that the name of a property was read, and whether it is "script".
    pub(crate) fn named(&mut self, is_script: bool) {
        self.set(NAMED, true);
        self.set(SCRIPT, is_script);
    }

    /// Counts the next child, which is a value, as taken.
    pub(crate) fn take(&mut self) {
        if self.has(PROPERTIES) {
            self.set(NAMED, false);
        }
        *self = self.less();
    }

    /// Returns the role of the next child, if that is a value.
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

    /// Stores the types that the container names: `first` for its elements or keys, `second` for its values.
    #[inline]
    pub(crate) const fn expect(&mut self, first: TypeCode, second: TypeCode) {
        self.0 |= first.0 << FIRST_TYPE | second.0 << SECOND_TYPE;
    }

    /// True if the container names a type for its children.
    #[inline(always)]
    pub(crate) const fn is_typed(self) -> bool {
        !self.has(PROPERTIES) && self.0 >> FIRST_TYPE != 0
    }

    /// True if the next child may be of kind `kind`.
    pub(crate) const fn admits(self, kind: Kind) -> bool {
        if !self.is_typed() {
            return true;
        }
        let is_value = self.is_dict() && !self.is_before_key();
        let shift = if is_value { SECOND_TYPE } else { FIRST_TYPE };
        match self.0 >> shift & TYPE {
            0 => true,
            OBJECT_OR_NIL => matches!(kind, Kind::Object | Kind::Nil),
            code => code == kind as u64 + 1,
        }
    }
}

/// A type that a container names, in the six bits of an [`OpenContainer`].
#[derive(Clone, Copy)]
pub(crate) struct TypeCode(u64);

/// The code of a builtin type. Null means any type.
#[inline]
pub(crate) fn type_code(id: TypeId, dialect: Dialect) -> TypeCode {
    TypeCode(match dialect.kind(id) {
        Some(Kind::Nil) => 0,
        Some(Kind::Object) => OBJECT_OR_NIL,
        Some(kind) => kind as u64 + 1,
        None => NEVER,
    })
}

/// The code of the element type that a container's header declares. A class or a script gets the code for objects,
/// which allows null too.
pub(crate) fn descriptor_code(descriptor: Descriptor, dialect: Dialect) -> TypeCode {
    match descriptor {
        Descriptor::None => TypeCode(0),
        Descriptor::Class(_) | Descriptor::Script(_) => TypeCode(OBJECT_OR_NIL),
        Descriptor::Builtin(id) => type_code(id, dialect),
    }
}

/// The deepest nesting without a heap: a container at each depth from 0 to the engine's limit.
const DEEPEST: usize = gdvar_wire::Limits::ENGINE.max_depth as usize + 1;

/// All open containers except the innermost, the outermost first. The first is the pseudo-container of the
/// outermost value.
pub(crate) type OpenStack = SmallVec<[OpenContainer; DEEPEST]>;

/// Where the fast loop keeps a container while it reads one of its children.
pub(crate) trait Stack {
    /// Keeps `outer`, whose child is entered. Returns `false` if the stack is full.
    fn suspend(&mut self, outer: OpenContainer) -> bool;

    /// Returns the container suspended last. `None` if there is none, or if the fast loop must not read its
    /// children.
    fn resume(&mut self, strict: bool) -> Option<OpenContainer>;
}

impl Stack for OpenStack {
    #[inline(always)]
    fn suspend(&mut self, outer: OpenContainer) -> bool {
        self.push(outer);
        true
    }

    #[inline(always)]
    fn resume(&mut self, strict: bool) -> Option<OpenContainer> {
        let outer = *self.last()?;
        if !outer.is_for_loop(strict) {
            return None;
        }
        self.pop();
        Some(outer)
    }
}

/// The most containers that a [`ShortStack`] holds.
pub(super) const SHORT: usize = 8;

/// A stack that costs nothing to prepare, for small values.
pub(super) struct ShortStack {
    outer: [OpenContainer; SHORT],
    count: usize,
}

impl ShortStack {
    #[inline(always)]
    pub(super) const fn new() -> ShortStack {
        ShortStack {
            outer: [OpenContainer::DONE; SHORT],
            count: 0,
        }
    }

    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Stack for ShortStack {
    #[inline(always)]
    fn suspend(&mut self, outer: OpenContainer) -> bool {
        match self.outer.get_mut(self.count) {
            Some(place) => {
                *place = outer;
                self.count += 1;
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn resume(&mut self, _: bool) -> Option<OpenContainer> {
        let last = self.count.checked_sub(1)?;
        self.count = last;
        self.outer.get(last).copied()
    }
}

#[cfg(test)]
mod tests;
