//! [`Walk`]: one value after the other, without recursion.

use gdvar_wire::Kind;

use crate::{
    bytes::{
        descriptor::Descriptor,
        head::{self, Field, Form, Head, Padding},
        marks::Marks,
        plain::{self, Rest, Words},
        text,
    },
    error::{Error, ErrorKind},
    options::ReadOptions,
    value::{element, string::StrRef, variant::VariantRef},
    walk::{
        events::{Event, Role},
        stack::{Around, Frame, descriptor_code},
        strict::{self, Strict},
        strings,
        validate::{self, Engine, Looks, Skip},
    },
};

/// The walk behind [`Events`](crate::Events) and behind skipping. With `CHECK` it validates text
/// and, in strict mode, what only shows between children.
#[derive(Clone)]
pub(crate) struct Walk<'a, const CHECK: bool> {
    pub(crate) bytes: &'a [u8],
    pub(crate) options: ReadOptions,
    /// True if the value must fill the buffer in strict mode.
    pub(crate) whole: bool,
    pub(crate) at: usize,
    /// The innermost open container, or the place around the outermost value.
    pub(crate) now: Frame,
    /// The offset of the first child of the container entered last.
    entered: usize,
    /// The depth of the outermost value.
    outermost: u16,
    pub(crate) around: Around,
    /// The value that the last careful step found.
    pub(crate) found: VariantRef<'a>,
    pub(crate) name: StrRef<'a>,
    pub(crate) error: Option<Error>,
    /// The word that begins a StringName; that of a String where there is none.
    string_name: u32,
    keys: strict::KeyLog,
}

/// A step that is taken quickly.
enum Turn<'a> {
    /// A value without children.
    Value(VariantRef<'a>),
    /// A step into a container.
    Begin(VariantRef<'a>),
    /// A step out of one.
    End,
    /// Something else comes next.
    None,
}

/// The kind of step that was taken with care, and the field that has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A value without children: `found`.
    Value,
    /// A value with children: `found`.
    Begin,
    /// `name`.
    Property,
    /// The end of the innermost container.
    End,
    /// Nothing more comes.
    Finished,
    /// `error`.
    Failed,
}

impl<'a, const CHECK: bool> Walk<'a, CHECK> {
    /// A walk over the value at `at`. Inlined, so that it is made where it stays: it is large.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], at: usize, options: ReadOptions, depth: u16) -> Self {
        let root = Frame::root(options, depth);
        Walk {
            bytes,
            options,
            whole: false,
            at,
            now: root,
            entered: usize::MAX,
            outermost: root.depth(),
            around: Around::new(),
            found: VariantRef::nothing(bytes, options),
            name: StrRef::new(&[], 0, options),
            error: None,
            string_name: Words::of(options.dialect()).name,
            keys: strict::KeyLog::default(),
        }
    }

    /// A walk over so many values from `at` on, which stand at that depth.
    pub(crate) fn several(
        bytes: &'a [u8],
        at: usize,
        count: u64,
        options: ReadOptions,
        depth: u16,
    ) -> Self {
        let mut walk = Walk::new(bytes, at, options, depth);
        walk.now = Frame::side_by_side(count, options, depth);
        walk
    }

    /// A walk over the children of a value of that depth whose head was read already.
    #[inline(always)]
    pub(crate) fn inside(bytes: &'a [u8], head: Head, options: ReadOptions, depth: u16) -> Self {
        let mut walk = Walk::new(bytes, head.next, options, depth);
        walk.now = Frame::full(options, depth);
        let depth = depth.saturating_add(1);
        walk.enter(Frame::new(head, options, depth), head.next);
        walk
    }

    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    /// The number of containers that are open.
    pub(crate) fn open(&self) -> usize {
        if self.now.is_done() {
            return 0;
        }
        usize::from(self.depth().wrapping_sub(self.outermost))
    }

    /// The place that the last value took.
    pub(crate) fn role(&self) -> Role {
        let parent = match self.around.last() {
            Some(outer) if self.at == self.entered => *outer,
            _ => self.now,
        };
        parent.more().role()
    }

    #[inline(always)]
    pub(crate) fn try_next(&mut self) -> Result<Option<Event<'a>>, Error> {
        match self.turn() {
            Turn::Value(value) => Ok(Some(Event::Value(value))),
            Turn::Begin(value) => Ok(Some(Event::Begin(value))),
            Turn::End => Ok(Some(Event::End)),
            Turn::None => {
                let step = self.careful();
                self.event(step)
            }
        }
    }

    /// Takes what comes next, if it is plain and certainly in order: a value without children, an
    /// untyped container or its end.
    #[inline(always)]
    fn turn(&mut self) -> Turn<'a> {
        let (now, at) = (self.now, self.at);
        if !now.is_plain() {
            if now.is_plain_end() {
                if let Some(outer) = self.around.pop() {
                    self.leave(outer);
                    return Turn::End;
                }
            }
            return Turn::None;
        }
        // Not from a field of its own: a read right behind a write of it would have to wait.
        let depth = now.depth();
        let Some(rest) = self.bytes.get(at..) else {
            return Turn::None;
        };
        let Some((word, second)) = rest.first_chunk().map(plain::words) else {
            return Turn::None;
        };
        let dialect = self.options.dialect();
        // Text and numbers are most of all values. Each has a way of its own, so that the caller's own
        // question for the kind is decided by the same branch.
        match word {
            plain::STRING => return self.leaf_text(rest, second, Kind::String),
            word if word == self.string_name => {
                return self.leaf_text(rest, second, Kind::StringName);
            }
            plain::INT => return self.leaf(rest, 8, Kind::Int, false),
            plain::FLOAT => return self.leaf(rest, 8, Kind::Float, false),
            plain::WIDE_INT => return self.leaf(rest, 12, Kind::Int, true),
            plain::WIDE_FLOAT => return self.leaf(rest, 12, Kind::Float, true),
            _ => {}
        }
        let Some(plain) = plain::look(rest, dialect) else {
            return Turn::None;
        };
        match plain.rest {
            Rest::Nothing => self.leaf(rest, plain.size, plain.kind, plain.wide),
            Rest::Text(len) => self.leaf_text(rest, len, plain.kind),
            Rest::Fields(_) => Turn::None,
            Rest::Children(inside) => {
                let value = VariantRef::plain(self.bytes, at, self.options, depth, plain);
                let Some(inner) = now.inside(inside, self.options) else {
                    return Turn::None;
                };
                self.around.push(now.less());
                self.now = inner;
                (self.at, self.entered) = (at + plain.size, at + plain.size);
                Turn::Begin(value)
            }
        }
    }

    /// Takes a text, if it is in order.
    #[inline(always)]
    fn leaf_text(&mut self, rest: &'a [u8], len: u32, kind: Kind) -> Turn<'a> {
        let Some(behind) = text::behind(rest, len, CHECK) else {
            return Turn::None;
        };
        self.leaf(rest, rest.len() - behind.len(), kind, false)
    }

    /// Takes a value of so many bytes.
    #[inline(always)]
    fn leaf(&mut self, rest: &'a [u8], size: usize, kind: Kind, wide: bool) -> Turn<'a> {
        if size > rest.len() {
            return Turn::None;
        }
        let (now, at) = (self.now, self.at);
        let depth = now.depth();
        let value = VariantRef::known(self.bytes, at, self.options, depth, (kind, wide));
        self.now = now.less();
        self.at = at + size;
        Turn::Value(value)
    }

    /// Takes the next step, whatever it is. The step says where its value is kept: returning that would make
    /// the compiler keep what is found quickly in memory, too.
    #[inline(never)]
    pub(crate) fn careful(&mut self) -> Step {
        self.step().unwrap_or_else(|error| {
            self.now = self.now.done();
            self.around.clear();
            self.error = Some(error);
            Step::Failed
        })
    }

    /// The step as callers see it.
    #[inline(always)]
    fn event(&self, step: Step) -> Result<Option<Event<'a>>, Error> {
        match (step, self.error) {
            (Step::Value, _) => Ok(Some(Event::Value(self.found))),
            (Step::Begin, _) => Ok(Some(Event::Begin(self.found))),
            (Step::Property, _) => Ok(Some(Event::Property(self.name))),
            (Step::End, _) => Ok(Some(Event::End)),
            (Step::Failed, Some(error)) => Err(error),
            (Step::Finished | Step::Failed, _) => Ok(None),
        }
    }

    /// Walks to the end without reporting what it passes. Plain data is left to the loop over plain values.
    pub(crate) fn drain(&mut self, marks: &mut impl Marks) -> Result<(), Error> {
        let mut looks = Looks::default();
        loop {
            self.advance(&mut looks, marks);
            match self.careful() {
                Step::Finished | Step::Failed => return self.error.map_or(Ok(()), Err),
                Step::Value => marks.child(self.found.offset()),
                Step::Begin => {
                    marks.child(self.found.offset());
                    marks.open();
                }
                // A name begins after its length.
                Step::Property => marks.child(self.name.offset() - 4),
                Step::End => marks.close(self.at),
            }
        }
    }

    /// Lets the loop over plain values pass as many children of the open containers as it can.
    #[inline]
    fn advance(&mut self, looks: &mut Looks, marks: &mut impl Marks) {
        let (options, at, now) = (self.options, self.at, self.now);
        let is_strict = CHECK && options.is_strict();
        if options.wants_careful_steps()
            || !now.is_for_loop(is_strict)
            || !options.admits(now.depth())
        {
            return;
        }
        let (bytes, stack) = (self.bytes, &mut self.around);
        (self.at, self.now) = if !CHECK {
            let looks = Some(looks);
            validate::advance(bytes, at, now, options, stack, &mut Skip, looks, marks)
        } else if !is_strict {
            let looks = Some(looks);
            validate::advance(bytes, at, now, options, stack, &mut Engine, looks, marks)
        } else {
            let mut strict = Strict {
                keys: &mut self.keys,
            };
            validate::advance(bytes, at, now, options, stack, &mut strict, None, marks)
        };
    }

    /// Makes a container the innermost one whose first child is at `at`.
    #[inline]
    pub(crate) fn enter(&mut self, frame: Frame, at: usize) {
        self.around.push(self.now);
        self.now = frame;
        (self.at, self.entered) = (at, at);
    }

    /// The depth of the next value.
    #[inline]
    pub(crate) fn depth(&self) -> u16 {
        self.now.depth()
    }

    /// Goes back to the container around the innermost one.
    #[inline]
    pub(crate) fn leave(&mut self, outer: Frame) {
        (self.now, self.entered) = (outer, usize::MAX);
    }

    fn step(&mut self) -> Result<Step, Error> {
        if self.now.left() == 0 {
            if let Some(outer) = self.around.pop() {
                return self.close(outer);
            }
            if !self.now.is_done() {
                self.now = self.now.done();
                self.check_end()?;
            }
            return Ok(Step::Finished);
        }
        if self.now.wants_name() {
            return self.name();
        }
        self.value()
    }

    fn value(&mut self) -> Result<Step, Error> {
        let (start, place) = (self.at, self.now);
        let depth = place.depth();
        self.now.take();
        let (value, head) = VariantRef::new(self.bytes, start, self.options, depth)?;
        self.found = value;
        if CHECK && self.options.is_strict() {
            self.check_place(value, head, place)?;
            if place.role() == Role::Key {
                self.log_found();
            }
        }
        match head.form {
            Form::Leaf => self.at = head.next,
            Form::Text => {
                if CHECK {
                    self.check_text(Field {
                        start: head.body,
                        len: head.count as usize,
                        end: head.next,
                    })?;
                }
                self.at = head.next;
            }
            Form::PackedStrings | Form::Names => {
                self.at = strings::end::<CHECK>(self.bytes, head, self.options)?;
            }
            Form::Items | Form::Pairs | Form::Properties => {
                // A value deeper than the limit was refused, so the sum fits.
                let mut frame = Frame::new(head, self.options, depth + 1);
                if CHECK {
                    self.check_descriptors(value, head)?;
                    if self.options.is_strict() {
                        if let Some((first, second)) = element::descriptors(value, head.kind) {
                            let code = |of| descriptor_code(of, self.options.dialect());
                            frame.expect(code(first), code(second));
                        }
                        #[cfg(feature = "alloc")]
                        if head.form == Form::Pairs {
                            self.keys.open(start);
                        }
                    }
                }
                self.enter(frame, head.next);
                return Ok(Step::Begin);
            }
        }
        Ok(Step::Value)
    }

    /// Remembers the key that was found.
    fn log_found(&mut self) {
        #[cfg(feature = "alloc")]
        self.keys.add(self.found);
    }

    fn name(&mut self) -> Result<Step, Error> {
        let field = head::string_field(self.bytes, self.at, self.options, Padding::Value)?;
        if CHECK {
            self.check_text(field)?;
        }
        let raw = field.raw(self.bytes);
        self.now.named(raw == b"script");
        self.at = field.end;
        self.name = StrRef::new(raw, field.start, self.options);
        Ok(Step::Property)
    }

    fn close(&mut self, outer: Frame) -> Result<Step, Error> {
        let closed = self.now;
        self.leave(outer);
        #[cfg(feature = "alloc")]
        if CHECK && closed.is_dict() && self.options.is_strict() {
            if let Some(repeat) = self.keys.close(self.bytes, self.options, closed.depth()) {
                return Err(Error::new(repeat.key, ErrorKind::DuplicateKey));
            }
        }
        #[cfg(not(feature = "alloc"))]
        let _ = closed.is_dict();
        Ok(Step::End)
    }

    /// In strict mode a whole document ends with its value.
    fn check_end(&self) -> Result<(), Error> {
        let left = head::remaining(self.bytes, self.at);
        if left == 0 || !self.whole || !self.options.is_strict() {
            return Ok(());
        }
        let count = u32::try_from(left).unwrap_or(u32::MAX);
        Err(Error::new(self.at, ErrorKind::TrailingBytes { count }))
    }

    #[inline]
    fn check_text(&self, field: Field) -> Result<(), Error> {
        text::check(field.raw(self.bytes), field.start, self.options)
    }

    /// The texts in front of the children: class names and script paths.
    fn check_descriptors(&self, value: VariantRef<'a>, head: Head) -> Result<(), Error> {
        if head.form == Form::Properties {
            let at = value.offset() + 4;
            return self.check_text(head::string_field(
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
        if let Some((first, second)) = element::descriptors(value, head.kind) {
            for descriptor in [first, second] {
                if let Descriptor::Class(field) | Descriptor::Script(field) = descriptor {
                    self.check_text(field)?;
                }
            }
        }
        Ok(())
    }

    /// Checks what strict mode demands of a child because of its container.
    #[cold]
    fn check_place(&self, value: VariantRef<'a>, head: Head, place: Frame) -> Result<(), Error> {
        let (start, role) = (value.offset(), place.role());
        if !place.admits(head.kind) {
            return Err(Error::new(start, ErrorKind::ElementTypeMismatch));
        }
        // Godot 4 writes a script as null or as a path (`docs/FORMAT.md` §4.4).
        if role == Role::Property
            && place.is_script()
            && self.options.dialect().has_typed_containers()
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

#[cfg(all(test, feature = "alloc"))]
mod tests;
