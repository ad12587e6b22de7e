//! [`Walk`]: one value after the other, without recursion.
//!
//! Two kinds of steps give the same answers. A fast step takes a common value, an untyped container or its end.
//! If anything else comes next, the fast step does nothing, and a checked step follows. Checked steps handle
//! every kind, every option and every error.

use gdvar_wire::Kind;

use crate::{
    bytes::{
        common::{self, Rest, Words},
        descriptor::Descriptor,
        field::{self, Padding, StringField},
        head::{BodyForm, Head},
        observer::Observer,
        text,
    },
    error::{Error, ErrorKind},
    options::ReadOptions,
    value::{element, string::StrRef, variant::VariantRef},
    walk::{
        checks::Skip,
        event::{Event, Role},
        fast_loop::{self, Backoff},
        stack::{OpenContainer, OpenStack, descriptor_code},
        strings,
    },
};

/// The checks of a walk, and what it remembers for them.
pub(crate) trait Rules: Clone + Default {
    /// True if the walk validates text, and in strict mode everything that strict mode demands.
    const CHECK: bool;

    /// Runs the fast loop with the checks of these rules ([`fast_loop::advance`]).
    #[allow(clippy::too_many_arguments, reason = "each is the state of one thing")]
    fn advance<M: Observer>(
        &mut self,
        bytes: &[u8],
        at: usize,
        now: OpenContainer,
        options: ReadOptions,
        stack: &mut OpenStack,
        backoff: &mut Backoff,
        observer: &mut M,
    ) -> (usize, OpenContainer);

    /// Called in strict mode when a dictionary begins, with its offset.
    fn begin(&mut self, _: usize) {}

    /// Called in strict mode for each key of the innermost dictionary.
    fn key(&mut self, _: VariantRef<'_>) {}

    /// Called in strict mode when the innermost dictionary ends; the last argument is the depth of its keys.
    /// Returns the offset of the first key that repeats an earlier one.
    fn end(&mut self, _: &[u8], _: ReadOptions, _depth: u16) -> Option<usize> {
        None
    }
}

/// The rules of a walk that skips values. It reports nothing and keeps nothing.
impl Rules for Skip {
    const CHECK: bool = false;

    #[inline(always)]
    fn advance<M: Observer>(
        &mut self,
        bytes: &[u8],
        at: usize,
        now: OpenContainer,
        options: ReadOptions,
        stack: &mut OpenStack,
        backoff: &mut Backoff,
        observer: &mut M,
    ) -> (usize, OpenContainer) {
        let backoff = Some(backoff);
        fast_loop::advance(bytes, at, now, options, stack, self, backoff, observer)
    }
}

/// The walk inside [`Events`](crate::Events), and the walk that skips values.
///
/// The rules `R` decide what is checked, and remember what strict mode needs to know about keys.
#[derive(Clone)]
pub(crate) struct Walk<'a, R: Rules> {
    pub(crate) bytes: &'a [u8],
    pub(crate) options: ReadOptions,
    /// True if the value must fill the buffer in strict mode.
    pub(crate) whole: bool,
    pub(crate) at: usize,
    /// The innermost open container, or the pseudo-container that holds the outermost value.
    pub(crate) now: OpenContainer,
    /// The offset at which the children of the container entered last begin, or `usize::MAX` at first and once
    /// a container was left. If `at` is still here, the value taken last is that container ([`Walk::role`]).
    entered: usize,
    /// The depth of the outermost value.
    outermost: u16,
    pub(crate) stack: OpenStack,
    /// The value that the last checked step found.
    pub(crate) found: VariantRef<'a>,
    pub(crate) name: StrRef<'a>,
    pub(crate) error: Option<Error>,
    /// The header word of a StringName, or of a String if the dialect has no StringNames.
    string_name: u32,
    rules: R,
}

/// What a fast step took.
enum FastStep<'a> {
    /// A value without children.
    Value(VariantRef<'a>),
    /// A container was entered.
    Begin(VariantRef<'a>),
    /// A container was left.
    End,
    /// Nothing: a checked step has to decide.
    None,
}

/// What a checked step took, and the field of the walk that has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckedStep {
    /// A value without children: `found`.
    Value,
    /// A value with children: `found`.
    Begin,
    /// The name of a property: `name`.
    Property,
    /// The end of the innermost container.
    End,
    /// The outermost value has ended.
    Finished,
    /// An error: `error`.
    Failed,
}

impl<'a, R: Rules> Walk<'a, R> {
    /// Makes a walk over the value at `at`. Inlined, so that the large walk is built in its place and not
    /// moved.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], at: usize, options: ReadOptions, depth: u16) -> Self {
        let root = OpenContainer::root(options, depth);
        Walk {
            bytes,
            options,
            whole: false,
            at,
            now: root,
            entered: usize::MAX,
            outermost: root.depth(),
            stack: OpenStack::new(),
            found: VariantRef::nothing(bytes, options),
            name: StrRef::new(&[], 0, options),
            error: None,
            string_name: Words::of(options.dialect()).name,
            rules: R::default(),
        }
    }

    /// Makes a walk over `count` values from `at` on, whose depth is `depth`.
    pub(crate) fn several(
        bytes: &'a [u8],
        at: usize,
        count: u64,
        options: ReadOptions,
        depth: u16,
    ) -> Self {
        let mut walk = Walk::new(bytes, at, options, depth);
        walk.now = OpenContainer::side_by_side(count, options, depth);
        walk
    }

    /// Makes a walk over the children of a value. The value has the head `head` and the depth `depth`.
    #[inline(always)]
    pub(crate) fn inside(bytes: &'a [u8], head: Head, options: ReadOptions, depth: u16) -> Self {
        let mut walk = Walk::new(bytes, head.next, options, depth);
        walk.now = OpenContainer::full(options, depth);
        let depth = depth.saturating_add(1);
        walk.enter(OpenContainer::new(head, options, depth), head.next);
        walk
    }

    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    /// The number of open containers.
    pub(crate) fn open(&self) -> usize {
        if self.now.is_done() {
            return 0;
        }
        usize::from(self.depth().wrapping_sub(self.outermost))
    }

    /// The role of the value taken last.
    pub(crate) fn role(&self) -> Role {
        let parent = match self.stack.last() {
            Some(outer) if self.at == self.entered => *outer,
            _ => self.now,
        };
        parent.more().role()
    }

    #[inline(always)]
    pub(crate) fn try_next(&mut self) -> Result<Option<Event<'a>>, Error> {
        match self.fast_step() {
            FastStep::Value(value) => Ok(Some(Event::Value(value))),
            FastStep::Begin(value) => Ok(Some(Event::Begin(value))),
            FastStep::End => Ok(Some(Event::End)),
            FastStep::None => {
                let step = self.checked_step();
                self.event(step)
            }
        }
    }

    /// Takes the next value or end by the fast way: a common value without strings after it, an untyped
    /// container, or the end of one. Takes nothing unless it is certainly valid.
    #[inline(always)]
    fn fast_step(&mut self) -> FastStep<'a> {
        let (now, at) = (self.now, self.at);
        if !now.is_fast() {
            if now.is_fast_end() {
                if let Some(outer) = self.stack.pop() {
                    self.leave(outer);
                    return FastStep::End;
                }
            }
            return FastStep::None;
        }
        // The depth has no separate field: reading it right after a write would have to wait for that
        // write.
        let depth = now.depth();
        let Some(rest) = self.bytes.get(at..) else {
            return FastStep::None;
        };
        let Some((word, second)) = rest.first_chunk().map(common::words) else {
            return FastStep::None;
        };
        let dialect = self.options.dialect();
        // Most values are texts and numbers. Each of their headers has a separate branch, so that the
        // caller's own match on the kind is decided by this branch too.
        match word {
            common::STRING => return self.leaf_text(rest, second, Kind::String),
            word if word == self.string_name => {
                return self.leaf_text(rest, second, Kind::StringName);
            }
            common::INT => return self.leaf(rest, 8, Kind::Int, false),
            common::FLOAT => return self.leaf(rest, 8, Kind::Float, false),
            common::WIDE_INT => return self.leaf(rest, 12, Kind::Int, true),
            common::WIDE_FLOAT => return self.leaf(rest, 12, Kind::Float, true),
            _ => {}
        }
        let Some(common) = common::decode(rest, dialect) else {
            return FastStep::None;
        };
        match common.rest {
            Rest::Nothing => self.leaf(rest, common.size, common.kind, common.wide),
            Rest::Text(len) => self.leaf_text(rest, len, common.kind),
            Rest::Fields(_) => FastStep::None,
            Rest::Children(inside) => {
                let value = VariantRef::common(self.bytes, at, self.options, depth, common);
                let Some(inner) = now.inside(inside, self.options) else {
                    return FastStep::None;
                };
                self.stack.push(now.less());
                self.now = inner;
                (self.at, self.entered) = (at + common.size, at + common.size);
                FastStep::Begin(value)
            }
        }
    }

    /// Takes a text, if it is valid.
    #[inline(always)]
    fn leaf_text(&mut self, rest: &'a [u8], len: u32, kind: Kind) -> FastStep<'a> {
        let Some(after) = text::after(rest, len, R::CHECK) else {
            return FastStep::None;
        };
        self.leaf(rest, rest.len() - after.len(), kind, false)
    }

    /// Takes a value of `size` bytes, header included.
    #[inline(always)]
    fn leaf(&mut self, rest: &'a [u8], size: usize, kind: Kind, wide: bool) -> FastStep<'a> {
        if size > rest.len() {
            return FastStep::None;
        }
        let (now, at) = (self.now, self.at);
        let depth = now.depth();
        let value = VariantRef::known(self.bytes, at, self.options, depth, (kind, wide));
        self.now = now.less();
        self.at = at + size;
        FastStep::Value(value)
    }

    /// Takes the next value, name or end, of any kind, and stores it in a field of the walk. Returns which
    /// field, because returning the value itself would make the compiler keep the values of fast steps in
    /// memory.
    #[inline(never)]
    pub(crate) fn checked_step(&mut self) -> CheckedStep {
        self.next_step().unwrap_or_else(|error| {
            self.now = self.now.done();
            self.stack.clear();
            self.error = Some(error);
            CheckedStep::Failed
        })
    }

    /// Converts a checked step to the event that callers see.
    #[inline(always)]
    fn event(&self, step: CheckedStep) -> Result<Option<Event<'a>>, Error> {
        match (step, self.error) {
            (CheckedStep::Value, _) => Ok(Some(Event::Value(self.found))),
            (CheckedStep::Begin, _) => Ok(Some(Event::Begin(self.found))),
            (CheckedStep::Property, _) => Ok(Some(Event::Property(self.name))),
            (CheckedStep::End, _) => Ok(Some(Event::End)),
            (CheckedStep::Failed, Some(error)) => Err(error),
            (CheckedStep::Finished | CheckedStep::Failed, _) => Ok(None),
        }
    }

    /// Walks to the end without returning events. The fast loop takes all that it can.
    pub(crate) fn drain(&mut self, observer: &mut impl Observer) -> Result<(), Error> {
        let mut backoff = Backoff::default();
        loop {
            self.advance(&mut backoff, observer);
            match self.checked_step() {
                CheckedStep::Finished | CheckedStep::Failed => {
                    return self.error.map_or(Ok(()), Err);
                }
                CheckedStep::Value => {
                    let at = self.found.offset();
                    let second = common::pair(self.bytes, at).map_or(0, |(_, second)| second);
                    observer.child(at, second);
                }
                CheckedStep::Begin => {
                    observer.child(self.found.offset(), 0);
                    observer.open(self.now.left() << u32::from(self.now.wants_name()));
                }
                // A name begins at its length word.
                CheckedStep::Property => observer.child(self.name.offset() - 4, 0),
                CheckedStep::End => observer.close(),
            }
        }
    }

    /// Lets the fast loop take as many children of the open containers as it can.
    #[inline]
    fn advance(&mut self, backoff: &mut Backoff, observer: &mut impl Observer) {
        let (options, at, now) = (self.options, self.at, self.now);
        if options.wants_checked_steps()
            || !now.is_for_loop(R::CHECK && options.is_strict())
            || !options.admits(now.depth())
        {
            return;
        }
        let (bytes, stack) = (self.bytes, &mut self.stack);
        (self.at, self.now) = self
            .rules
            .advance(bytes, at, now, options, stack, backoff, observer);
    }

    /// Makes `container` the innermost one. Its first child is at `at`.
    #[inline]
    pub(crate) fn enter(&mut self, container: OpenContainer, at: usize) {
        self.stack.push(self.now);
        self.now = container;
        (self.at, self.entered) = (at, at);
    }

    /// The depth of the next value.
    #[inline]
    pub(crate) fn depth(&self) -> u16 {
        self.now.depth()
    }

    /// Makes `outer` the innermost container again.
    #[inline]
    pub(crate) fn leave(&mut self, outer: OpenContainer) {
        (self.now, self.entered) = (outer, usize::MAX);
    }

    /// Takes one checked step:
    ///
    /// ```text
    /// no child is left  an outer container → leave this one: End; in strict mode its keys must differ
    ///                   none               → Finished; in strict mode no byte may be left
    /// a property        its name is next   → Property
    /// any other child   read its head; in strict mode check its type, and remember a key
    ///                   no children        → check its text, go to its end: Value
    ///                   children           → enter it: Begin
    /// ```
    fn next_step(&mut self) -> Result<CheckedStep, Error> {
        if self.now.left() == 0 {
            if let Some(outer) = self.stack.pop() {
                return self.close(outer);
            }
            if !self.now.is_done() {
                self.now = self.now.done();
                self.check_end()?;
            }
            return Ok(CheckedStep::Finished);
        }
        if self.now.wants_name() {
            return self.name();
        }
        self.value()
    }

    fn value(&mut self) -> Result<CheckedStep, Error> {
        let (start, place) = (self.at, self.now);
        let depth = place.depth();
        self.now.take();
        let (value, head) = VariantRef::new(self.bytes, start, self.options, depth)?;
        self.found = value;
        if R::CHECK && self.options.is_strict() {
            self.check_place(value, head, place)?;
            if place.role() == Role::Key {
                self.rules.key(self.found);
            }
        }
        match head.form {
            BodyForm::Leaf => self.at = head.next,
            BodyForm::Text => {
                if R::CHECK {
                    self.check_text(StringField {
                        start: head.body,
                        len: head.count as usize,
                        end: head.next,
                    })?;
                }
                self.at = head.next;
            }
            BodyForm::PackedStrings | BodyForm::Names => {
                self.at = if R::CHECK {
                    strings::end::<true>(self.bytes, head, self.options)?
                } else {
                    strings::end::<false>(self.bytes, head, self.options)?
                };
            }
            BodyForm::Items | BodyForm::Pairs | BodyForm::Properties => {
                // A value deeper than the limit was refused, so `depth + 1` fits.
                let mut container = OpenContainer::new(head, self.options, depth + 1);
                if R::CHECK {
                    self.check_descriptors(value, head)?;
                    if self.options.is_strict() {
                        if let Some((first, second)) = element::descriptors(value, head.kind) {
                            let code = |of| descriptor_code(of, self.options.dialect());
                            container.expect(code(first), code(second));
                        }
                        if head.form == BodyForm::Pairs {
                            self.rules.begin(start);
                        }
                    }
                }
                self.enter(container, head.next);
                return Ok(CheckedStep::Begin);
            }
        }
        Ok(CheckedStep::Value)
    }

    fn name(&mut self) -> Result<CheckedStep, Error> {
        let field = field::string_field(self.bytes, self.at, self.options, Padding::Value)?;
        if R::CHECK {
            self.check_text(field)?;
        }
        let raw = field.raw(self.bytes);
        self.now.named(raw == b"script");
        self.at = field.end;
        self.name = StrRef::new(raw, field.start, self.options);
        Ok(CheckedStep::Property)
    }

    fn close(&mut self, outer: OpenContainer) -> Result<CheckedStep, Error> {
        let closed = self.now;
        self.leave(outer);
        if R::CHECK && closed.is_dict() && self.options.is_strict() {
            let repeat = self.rules.end(self.bytes, self.options, closed.depth());
            if let Some(key) = repeat {
                return Err(Error::new(key, ErrorKind::DuplicateKey));
            }
        }
        Ok(CheckedStep::End)
    }

    /// Checks in strict mode that no byte follows the value of a whole document.
    fn check_end(&self) -> Result<(), Error> {
        let left = field::remaining(self.bytes, self.at);
        if left == 0 || !self.whole || !self.options.is_strict() {
            return Ok(());
        }
        let count = u32::try_from(left).unwrap_or(u32::MAX);
        Err(Error::new(self.at, ErrorKind::TrailingBytes { count }))
    }

    #[inline]
    fn check_text(&self, field: StringField) -> Result<(), Error> {
        text::check(field.raw(self.bytes), field.start, self.options)
    }

    /// Checks the texts before the children: class names and script paths.
    fn check_descriptors(&self, value: VariantRef<'a>, head: Head) -> Result<(), Error> {
        if head.form == BodyForm::Properties {
            let at = value.offset() + 4;
            return self.check_text(field::string_field(
                self.bytes,
                at,
                self.options,
                Padding::Value,
            )?);
        }
        // Without element types the count follows the header at once.
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
    fn check_place(
        &self,
        value: VariantRef<'a>,
        head: Head,
        place: OpenContainer,
    ) -> Result<(), Error> {
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
