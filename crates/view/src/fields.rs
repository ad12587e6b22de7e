//! [`WireFields`]: names every byte of a value.

mod head;
mod part;
mod queue;

use core::{fmt, iter::FusedIterator};

use crate::{
    document::Document,
    error::Error,
    fields::{
        head::{Layout, Strings},
        queue::Queue,
    },
    options::ReadOptions,
    path::levels::Levels,
    value::variant::VariantRef,
    walk::{
        checks::Skip,
        event::{Event, Role},
        steps::Walk,
    },
};
pub use part::{WireField, WireOwner, WirePart};

impl<'a> Document<'a> {
    /// Iterates over all bytes of the buffer, field by field, damaged or not: for people who read bytes. The
    /// iterator takes one linear walk and does not allocate.
    #[must_use]
    pub fn wire_fields(self) -> WireFields<'a> {
        WireFields::new(self.bytes(), 0, self.options(), 0, true)
    }
}

impl<'a> VariantRef<'a> {
    /// Iterates over the bytes of this value and of everything in it, field by field. Paths begin at this
    /// value.
    #[must_use]
    pub fn wire_fields(self) -> WireFields<'a> {
        WireFields::new(
            self.bytes(),
            self.offset(),
            self.options(),
            self.depth(),
            false,
        )
    }
}

/// The fields of a value in the order of the bytes. They have no gaps and do not overlap: each begins where
/// the one before it ended. Fields of [`Document::wire_fields`] go to the end of the buffer. Bytes after the
/// value are [`WirePart::Trailing`]. From the first error on, bytes are [`WirePart::Unread`], and
/// [`WireFields::error`] is the error.
///
/// Use this to show or explain bytes, damaged ones too: a hex view, a bug report. There are faster ways to read
/// values.
///
/// Text is not validated, because its contents do not change where fields are. This iterator contains a word
/// for each container that may be open, so it is large (some 14 KiB): keep one and pass it by reference.
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// // {"hp": 80}
/// let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let mut fields = Document::new(bytes, Dialect::GODOT_4).wire_fields();
/// let mut lines = Vec::new();
/// while let Some(field) = fields.next() {
///     lines.push(format!("{:02x} {} {field}", field.start, fields.path()));
/// }
/// assert_eq!(lines, [
///     "00 $ header",
///     "04 $ count",
///     "08 ${0:key} header",
///     "0c ${0:key} length",
///     "10 ${0:key} text",
///     "12 ${0:key} padding",
///     "14 $.hp header",
///     "18 $.hp payload",
/// ]);
/// ```
#[derive(Clone)]
pub struct WireFields<'a> {
    walk: Walk<'a, Skip>,
    levels: Levels<'a>,
    queue: Queue,
    strings: Strings,
    /// The end of the last field.
    at: usize,
    value: Option<VariantRef<'a>>,
    role: Role,
    depth: usize,
    /// The container whose head was reported last, and the number of containers that it is in.
    entering: Option<(VariantRef<'a>, usize)>,
    error: Option<Error>,
    /// True if bytes after the value are reported too.
    whole: bool,
    ended: bool,
}

impl<'a> WireFields<'a> {
    fn new(
        bytes: &'a [u8],
        at: usize,
        options: ReadOptions,
        depth: u16,
        whole: bool,
    ) -> WireFields<'a> {
        WireFields {
            walk: Walk::new(bytes, at, options, depth),
            levels: Levels::new(),
            queue: Queue::new(),
            strings: Strings::NONE,
            at,
            value: None,
            role: Role::Root,
            depth: 0,
            entering: None,
            error: None,
            whole,
            ended: false,
        }
    }

    /// The path of the value that the last field belongs to. For the name of a property, the path of the
    /// property's value. `${0:key}` is the key of the first pair.
    #[must_use]
    pub fn path(&self) -> impl fmt::Display + '_ {
        &self.levels
    }

    /// The value that the last field belongs to. `None` for the name of a property, for a value whose head
    /// cannot be read, and after the outermost value.
    #[must_use]
    pub const fn value(&self) -> Option<VariantRef<'a>> {
        self.value
    }

    /// The role of the value that the last field belongs to.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The number of containers that the value of the last field is in, up to the value where the walk began.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns why the rest cannot be read. `None` until the walk reaches the damaged value. The intact fields
    /// of that value are returned after that, and then the bytes left as [`WirePart::Unread`].
    #[must_use]
    pub const fn error(&self) -> Option<Error> {
        self.error
    }

    /// Takes the next step of the walk and queues its fields. The end of a container has no fields.
    fn advance(&mut self) {
        if let Some((container, around)) = self.entering.take() {
            self.levels.enter(container, around);
        }
        if self.error.is_some() {
            return self.end();
        }
        let open = self.walk.open();
        let role = self.walk.now.role();
        let is_name = self.walk.now.wants_name() && self.walk.now.left() > 0;
        let step = self.walk.try_next();
        self.levels.step(open);
        match step {
            Ok(Some(event @ (Event::Value(value) | Event::Begin(value)))) => {
                self.arrive(Some(value), self.walk.role(), open);
                if matches!(event, Event::Begin(_)) {
                    self.entering = Some((value, open));
                }
                self.levels.value(value, self.role);
                self.head(usize::MAX);
            }
            Ok(Some(Event::Property(name))) => {
                self.arrive(None, Role::Property, open);
                self.levels.property(name);
                self.name(usize::MAX);
            }
            Ok(Some(Event::End)) => {}
            Ok(None) => self.end(),
            Err(error) if is_name => {
                self.error = Some(error);
                self.arrive(None, Role::Property, open);
                self.levels.unreadable();
                self.name(error.offset());
            }
            Err(error) => {
                self.arrive(None, role, open);
                self.unreadable(error);
            }
        }
    }

    fn arrive(&mut self, value: Option<VariantRef<'a>>, role: Role, depth: usize) {
        (self.value, self.role, self.depth) = (value, role, depth);
    }

    /// Queues the fields of the head at `self.at`, up to the byte `until`.
    fn head(&mut self, until: usize) {
        let mut layout = Layout::new(self.walk.bytes, self.at, until, &mut self.queue);
        self.strings = layout.head(self.walk.options).unwrap_or(Strings::NONE);
        self.at = layout.end();
    }

    /// Queues the fields of one string after a head.
    fn string(&mut self, owner: WireOwner) {
        let mut layout = Layout::new(self.walk.bytes, self.at, usize::MAX, &mut self.queue);
        if layout.string(owner).is_none() {
            self.strings = Strings::NONE;
        }
        self.at = layout.end();
    }

    /// Queues the fields of the name of a property.
    fn name(&mut self, until: usize) {
        let mut layout = Layout::new(self.walk.bytes, self.at, until, &mut self.queue);
        let _ = layout.string(WireOwner::PropertyName);
        self.at = layout.end();
    }

    /// Queues the fields of a value that cannot be read, up to the damaged field.
    fn unreadable(&mut self, error: Error) {
        self.error = Some(error);
        let (options, depth) = (self.walk.options, self.walk.depth());
        match VariantRef::new(self.walk.bytes, self.at, options, depth) {
            // The head is valid. Something in the strings after it is not.
            Ok((value, _)) => {
                self.value = Some(value);
                self.levels.value(value, self.role);
                self.head(usize::MAX);
            }
            Err(_) => {
                self.levels.unreadable();
                self.head(error.offset());
            }
        }
    }

    /// Queues the bytes after the last value, or from the error on.
    fn end(&mut self) {
        self.ended = true;
        let part = if self.error.is_some() {
            WirePart::Unread
        } else {
            self.arrive(None, Role::Root, 0);
            WirePart::Trailing
        };
        let end = self.walk.bytes.len();
        if self.at < end && (self.whole || self.error.is_some()) {
            self.queue
                .push(WireField::new(self.at, end, part, WireOwner::Value));
            self.at = end;
        }
    }
}

impl Iterator for WireFields<'_> {
    type Item = WireField;

    fn next(&mut self) -> Option<WireField> {
        loop {
            if let Some(field) = self.queue.pop() {
                return Some(field);
            }
            if let Some(owner) = self.strings.next() {
                self.string(owner);
            } else if self.ended {
                return None;
            } else {
                self.advance();
            }
        }
    }
}

impl FusedIterator for WireFields<'_> {}

impl fmt::Debug for WireFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireFields")
            .field("position", &self.at)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
