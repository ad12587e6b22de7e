//! [`Events`]: a flat walk over all of a value, in linear time and without recursion.

use gdvar_wire::Kind;
use smallvec::SmallVec;

use crate::{
    containers,
    cursor::{self, Field, Form, Head, Padding},
    descriptor::Descriptor,
    error::{Error, ErrorKind},
    fast::{self, Learned, Pending},
    options::ReadOptions,
    text::{self, StrRef},
    variant::VariantRef,
};

/// A step of [`Events`].
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A value without children: scalars, text, math types, packed arrays, ids, null objects.
    Value(VariantRef<'a>),
    /// An Array, Dictionary, typed array or whole object. Its children follow, then
    /// [`Event::End`]. The children of a Dictionary are keys and values in turn.
    Begin(VariantRef<'a>),
    /// The name of a property; its value follows.
    Property(StrRef<'a>),
    /// The end of the container opened last.
    End,
}

/// Whose place a value takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The outermost value.
    Root,
    /// An element of an array.
    Element,
    /// A key of a Dictionary.
    Key,
    /// The value of the key before it.
    Value,
    /// The value of the property named before it.
    Property,
}

/// An open container: how many children are left, of which form it is, and what strict mode
/// expects of them. Packed into a word, because a thousand of them may be open.
#[derive(Clone, Copy, Default)]
struct Frame(u64);

const PAIRS: u64 = 1 << 32;
const PROPERTIES: u64 = 1 << 33;
const NAMED: u64 = 1 << 34;
const SCRIPT: u64 = 1 << 35;
const FIRST_TYPE: u32 = 40;
const SECOND_TYPE: u32 = 48;

/// What a child must be: 0 is anything, else a kind plus one.
const OBJECT_OR_NIL: u8 = 255;
const NEVER: u8 = 254;

impl Frame {
    fn new(head: Head) -> Frame {
        let count = u64::from(head.count);
        match head.form {
            Form::Pairs => Frame((2 * count) | PAIRS),
            Form::Properties => Frame(count | PROPERTIES),
            _ => Frame(count),
        }
    }

    const fn of(pending: Pending) -> Frame {
        let kind = if pending.is_dict { PAIRS } else { 0 };
        Frame(pending.left as u64 | kind)
    }

    /// As the shortcuts see it; objects are not theirs.
    const fn pending(self) -> Option<Pending> {
        if self.has(PROPERTIES) {
            return None;
        }
        Some(Pending {
            left: self.left(),
            is_dict: self.has(PAIRS),
        })
    }

    const fn left(self) -> u32 {
        self.0 as u32
    }

    const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    const fn set(&mut self, flag: u64, on: bool) {
        self.0 = if on { self.0 | flag } else { self.0 & !flag };
    }

    fn expect(&mut self, value: VariantRef<'_>, kind: Kind) {
        let Some((first, second)) = containers::descriptors(value, kind) else {
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

    /// Whether a child of that kind may stand here; `second` for the values of a Dictionary.
    const fn admits(self, kind: Kind, second: bool) -> bool {
        let shift = if second { SECOND_TYPE } else { FIRST_TYPE };
        match (self.0 >> shift) as u8 {
            0 => true,
            OBJECT_OR_NIL => matches!(kind, Kind::Object | Kind::Nil),
            code => code == kind as u8 + 1,
        }
    }
}

/// The open containers as the shortcuts use them. The innermost one is the shortcuts' own while
/// they run; its frame only keeps the place.
struct Open<'s> {
    frames: &'s mut SmallVec<[Frame; DEEPEST]>,
    /// How many containers may be open, so that what is in them is not too deep.
    room: usize,
}

impl fast::Stack for Open<'_> {
    #[inline]
    fn enter(&mut self, outer: Pending) -> bool {
        if self.frames.len() >= self.room {
            return false;
        }
        if let Some(frame) = self.frames.last_mut() {
            *frame = Frame::of(outer);
        }
        self.frames.push(Frame::default());
        true
    }

    #[inline]
    fn leave(&mut self) -> Option<Pending> {
        let outer = self.frames.len().checked_sub(2)?;
        let outer = self.frames.get(outer)?.pending()?;
        self.frames.pop();
        Some(outer)
    }

    #[inline]
    fn room(&self) -> usize {
        self.room.saturating_sub(self.frames.len())
    }
}

/// The deepest nesting without a heap: a container at each depth from 0 to the engine's limit.
const DEEPEST: usize = gdvar_wire::Limits::ENGINE.max_depth as usize + 1;

/// The walk behind [`Events`] and behind skipping. With `CHECK` it validates text and, in strict
/// mode, what only shows between children.
#[derive(Clone)]
pub(crate) struct Walk<'a, const CHECK: bool> {
    bytes: &'a [u8],
    options: ReadOptions,
    at: usize,
    depth: u16,
    state: State,
    role: Role,
    stack: SmallVec<[Frame; DEEPEST]>,
    #[cfg(feature = "alloc")]
    keys: crate::key::KeyLog,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    Running,
    Done,
}

impl<'a, const CHECK: bool> Walk<'a, CHECK> {
    /// A walk over the value at `at`. Inlined, so that it is made where it stays: it is large.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], at: usize, options: ReadOptions, depth: u16) -> Self {
        Walk {
            bytes,
            options,
            at,
            depth,
            state: State::Fresh,
            role: Role::Root,
            stack: SmallVec::new(),
            #[cfg(feature = "alloc")]
            keys: crate::key::KeyLog::default(),
        }
    }

    /// A walk over the children of a value whose head was read already.
    #[inline(always)]
    pub(crate) fn inside(bytes: &'a [u8], head: Head, options: ReadOptions, depth: u16) -> Self {
        let mut walk = Walk::new(bytes, head.next, options, depth);
        walk.state = State::Running;
        walk.stack.push(Frame::new(head));
        walk
    }

    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    #[inline]
    pub(crate) fn try_next(&mut self) -> Result<Option<Event<'a>>, Error> {
        let result = self.step();
        if result.is_err() {
            self.state = State::Done;
            self.stack.clear();
        }
        result
    }

    /// Walks to the end without reporting what it passes. Plain data is left to the shortcuts.
    pub(crate) fn drain(&mut self) -> Result<(), Error> {
        let plain = !self.options.is_strict() && !self.options.has_wide_vector4();
        let mut learned = Learned::default();
        loop {
            if plain {
                self.advance(&mut learned);
            }
            if self.try_next()?.is_none() {
                return Ok(());
            }
        }
    }

    /// Lets the shortcuts pass as many children of the open containers as they can.
    fn advance(&mut self, learned: &mut Learned) {
        let now = match self.stack.last() {
            Some(frame) => frame.pending(),
            // The outermost value is looked at as an only child.
            None if self.state == State::Fresh && self.depth <= self.options.max_depth() => {
                Some(Pending::ONE)
            }
            None => None,
        };
        let Some(now) = now else {
            return;
        };
        let (dialect, depth) = (self.options.get_dialect(), usize::from(self.depth));
        let room = usize::from(self.options.max_depth()).saturating_sub(depth);
        // The children of the innermost container may be too deep already.
        if self.stack.len() > room {
            return;
        }
        let mut open = Open {
            frames: &mut self.stack,
            room,
        };
        let (bytes, at) = (self.bytes, self.at);
        let (at, now) = fast::advance::<CHECK>(bytes, at, dialect, now, &mut open, learned);
        if at != self.at {
            self.state = State::Running;
        }
        if let Some(frame) = self.stack.last_mut() {
            *frame = Frame::of(now);
        }
        self.at = at;
    }

    #[inline]
    fn step(&mut self) -> Result<Option<Event<'a>>, Error> {
        let Some(frame) = self.stack.last_mut() else {
            if self.state != State::Fresh {
                self.state = State::Done;
                return Ok(None);
            }
            self.state = State::Running;
            return self.value(Role::Root, Frame::default()).map(Some);
        };
        if frame.left() == 0 {
            return self.close().map(Some);
        }
        if frame.has(PROPERTIES) && !frame.has(NAMED) {
            return self.name().map(Some);
        }
        let role = if frame.has(PROPERTIES) {
            Role::Property
        } else if !frame.has(PAIRS) {
            Role::Element
        } else if frame.left() % 2 == 0 {
            Role::Key
        } else {
            Role::Value
        };
        frame.set(NAMED, false);
        frame.0 -= 1;
        let frame = *frame;
        self.value(role, frame).map(Some)
    }

    #[inline]
    fn value(&mut self, role: Role, frame: Frame) -> Result<Event<'a>, Error> {
        let start = self.at;
        // A value deeper than the limit is refused right here, so the sum fits.
        let depth = self.depth + self.stack.len() as u16;
        let (value, head) = VariantRef::new(self.bytes, start, self.options, depth)?;
        self.role = role;
        if CHECK && self.options.is_strict() {
            self.check_place(value, head, role, frame)?;
            #[cfg(feature = "alloc")]
            if role == Role::Key {
                self.keys.add(value);
            }
        }
        let event = match head.form {
            Form::Leaf => {
                self.at = head.next;
                Event::Value(value)
            }
            Form::Text => {
                if CHECK {
                    self.check_text(Field {
                        start: head.body,
                        len: head.count as usize,
                        end: head.next,
                    })?;
                }
                self.at = head.next;
                Event::Value(value)
            }
            Form::PackedStrings | Form::Names => {
                self.at = self.strings(head)?;
                Event::Value(value)
            }
            Form::Items | Form::Pairs | Form::Properties => {
                let mut frame = Frame::new(head);
                if CHECK {
                    self.check_descriptors(value, head)?;
                    if self.options.is_strict() {
                        frame.expect(value, head.kind);
                        #[cfg(feature = "alloc")]
                        if head.form == Form::Pairs {
                            self.keys.open(start);
                        }
                    }
                }
                self.stack.push(frame);
                self.at = head.next;
                return Ok(Event::Begin(value));
            }
        };
        Ok(event)
    }

    fn name(&mut self) -> Result<Event<'a>, Error> {
        let field = cursor::string_field(self.bytes, self.at, self.options, Padding::Value)?;
        if CHECK {
            self.check_text(field)?;
        }
        let raw = self.raw(field);
        if let Some(frame) = self.stack.last_mut() {
            frame.set(NAMED, true);
            frame.set(SCRIPT, raw == b"script");
        }
        self.at = field.end;
        Ok(Event::Property(StrRef::new(raw, field.start, self.options)))
    }

    fn close(&mut self) -> Result<Event<'a>, Error> {
        let closed = self.stack.pop().unwrap_or_default();
        #[cfg(feature = "alloc")]
        if CHECK && closed.has(PAIRS) && self.options.is_strict() {
            if let Some(repeat) = self.keys.close(self.bytes, self.options) {
                return Err(Error::new(repeat.key, ErrorKind::DuplicateKey));
            }
        }
        #[cfg(not(feature = "alloc"))]
        let _ = closed;
        Ok(Event::End)
    }

    fn raw(&self, field: Field) -> &'a [u8] {
        self.bytes
            .get(field.start..field.start + field.len)
            .unwrap_or_default()
    }

    #[inline]
    fn check_text(&self, field: Field) -> Result<(), Error> {
        text::check(self.raw(field), field.start, self.options)
    }

    /// The strings of a NodePath or PackedStringArray; returns their end.
    fn strings(&self, head: Head) -> Result<usize, Error> {
        let names = head.form == Form::Names;
        let whose = if names { Padding::Name } else { Padding::Value };
        let mut at = head.next;
        for _ in 0..head.count {
            let field = cursor::string_field(self.bytes, at, self.options, whose)?;
            if CHECK && names {
                self.check_text(field)?;
            } else if CHECK {
                text::check_packed(self.raw(field), field.start, self.options)?;
            }
            at = field.end;
        }
        Ok(at)
    }

    /// The texts in front of the children: class names and script paths.
    fn check_descriptors(&self, value: VariantRef<'a>, head: Head) -> Result<(), Error> {
        if head.form == Form::Properties {
            let at = value.offset() + 4;
            return self.check_text(cursor::string_field(
                self.bytes,
                at,
                self.options,
                Padding::Value,
            )?);
        }
        // Only a descriptor stands between header and count.
        if head.next == head.body + 4 {
            return Ok(());
        }
        if let Some((first, second)) = containers::descriptors(value, head.kind) {
            for descriptor in [first, second] {
                if let Descriptor::Class(field) | Descriptor::Script(field) = descriptor {
                    self.check_text(field)?;
                }
            }
        }
        Ok(())
    }

    /// What strict mode demands of a child because of its container.
    #[cold]
    fn check_place(
        &self,
        value: VariantRef<'a>,
        head: Head,
        role: Role,
        frame: Frame,
    ) -> Result<(), Error> {
        let start = value.offset();
        if !frame.admits(head.kind, role == Role::Value) {
            return Err(Error::new(start, ErrorKind::ElementTypeMismatch));
        }
        // Godot 4 writes a script as null or as a path (`docs/FORMAT.md` §4.4).
        if role == Role::Property
            && frame.has(SCRIPT)
            && self.options.get_dialect().has_typed_containers()
        {
            let is_path = head.kind == Kind::String
                && value
                    .as_text()
                    .is_some_and(|text| text.as_bytes().starts_with(b"res://"));
            if head.kind != Kind::Nil && !is_path {
                return Err(Error::new(start, ErrorKind::BadScriptProperty));
            }
        }
        Ok(())
    }
}

/// A pull parser: every value of the buffer in order, validated, in linear time, without recursion
/// and without allocation.
///
/// It holds the counts of all open containers in itself, so it is large (8 KiB): keep one and
/// pass it by reference. In strict mode, and there only, it remembers the keys of open
/// dictionaries on the heap (feature `alloc`) to find repeated ones.
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
    walk: Walk<'a, true>,
    /// Whether the value must fill the buffer in strict mode.
    whole: bool,
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
        Events {
            walk: Walk::new(bytes, at, options, depth),
            whole,
        }
    }

    /// The next step; `Ok(None)` after the outermost value, and after an error.
    ///
    /// # Errors
    /// The first thing in the bytes that the options do not let pass.
    #[inline]
    pub fn try_next(&mut self) -> Result<Option<Event<'a>>, Error> {
        let running = self.walk.state != State::Done;
        let event = self.walk.try_next()?;
        if event.is_none() && running && self.whole && self.walk.options.is_strict() {
            self.check_end()?;
        }
        Ok(event)
    }

    /// Walks to the end without reporting what it passes.
    pub(crate) fn drain(&mut self) -> Result<(), Error> {
        self.walk.drain()?;
        if self.whole && self.walk.options.is_strict() {
            self.check_end()?;
        }
        Ok(())
    }

    #[cold]
    fn check_end(&self) -> Result<(), Error> {
        let left = cursor::remaining(self.walk.bytes, self.walk.at);
        if left == 0 {
            return Ok(());
        }
        let count = u32::try_from(left).unwrap_or(u32::MAX);
        Err(Error::new(self.walk.at, ErrorKind::TrailingBytes { count }))
    }

    /// The first byte that was not read yet.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.walk.at
    }

    /// How many containers are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.walk.stack.len()
    }

    /// Which place the last value took.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.walk.role
    }

    /// After [`Event::Begin`]: reads (and validates) the rest of that container, its
    /// [`Event::End`] included, without reporting it.
    ///
    /// # Errors
    /// As [`Events::try_next`].
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
