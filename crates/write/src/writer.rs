//! The writer: which containers are open, what may come next, and where the bytes go.

use core::fmt;

use gdvar_wire::{Dialect, HeaderWord, Kind, Limits, layout};

use crate::{
    error::{Error, WriteErrorKind},
    frame::{Frame, Parents, Shape},
    sink::{SHORT, Sink},
    target::Target,
};

pub(crate) type Result<T, S> = core::result::Result<T, Error<<S as Sink>::Error>>;

/// Writes one value into a [`Sink`], call by call, without building it first.
///
/// A count precedes the children in the bytes, so a container is begun with its length. The writer
/// counts the children, in release builds too, and reports too many or too few. It allocates
/// nothing down to the engines' depth ([`docs/FORMAT.md` §4]). [`Writer::root`] returns a slot,
/// which writes the same with types that keep the order; the methods here suit sources of events.
///
/// A value costs a comparison, a decrement and the copy of its bytes. Many short values in a row
/// take half the time in a [`Writer::burst`]. The writer is 8 KiB large, for 1024 open containers:
/// create it where it stays. To write many values, call [`Writer::next_value`] instead of creating
/// another writer.
///
/// ```
/// use gdvar_write::{Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// writer.begin_dict(2)?;
/// writer.string("name")?;
/// writer.string("Ann")?;
/// writer.string("inventory")?;
/// writer.begin_array(1)?;
/// writer.string("sword")?;
/// writer.end()?;
/// writer.end()?;
/// let bytes = writer.finish()?;
/// assert_eq!(bytes.len(), 76);
/// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
/// ```
///
/// After an error the writer's state is unchanged. [`Error::is_fatal`] lists the exceptions.
///
/// [`docs/FORMAT.md` §4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#4-containers-and-reference-types
pub struct Writer<S: Sink> {
    pub(crate) sink: S,
    pub(crate) target: Target,
    /// If the sink counts, its count when the value began. Otherwise the size of the value so far.
    base: u64,
    /// `left` and `rest` are the [`Frame`] of the innermost container. `depth` lies between them on
    /// purpose: a load of both at once would have to wait for the store to `left` that each value
    /// makes.
    pub(crate) left: u32,
    /// The number of open containers. Each has a frame in `parents`.
    pub(crate) depth: u32,
    rest: u32,
    pub(crate) max_depth: u16,
    pub(crate) parents: Parents,
}

impl<S: Sink> Writer<S> {
    /// Creates a writer of one value for `target`, with the engines' depth limit of 1024.
    #[inline]
    pub fn new(sink: S, target: impl Into<Target>) -> Writer<S> {
        Writer::with_limits(sink, target, Limits::ENGINE)
    }

    /// Creates a writer that refuses values deeper than `limits`. Beyond the engines' 1024 levels
    /// the writer takes heap memory, and only Godot 3.2 reads the result.
    #[inline]
    pub fn with_limits(sink: S, target: impl Into<Target>, limits: Limits) -> Writer<S> {
        Writer {
            base: sink.taken().unwrap_or(0),
            sink,
            target: target.into(),
            left: Frame::ROOT.left,
            depth: 0,
            rest: Frame::ROOT.rest,
            max_depth: Limits::ENGINE.with_max_depth(limits.max_depth).max_depth,
            parents: Parents::new(),
        }
    }

    /// Returns the target that values are written for.
    #[inline]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the target's dialect.
    #[inline]
    pub fn dialect(&self) -> Dialect {
        self.target.dialect()
    }

    /// Returns how many bytes of the current value are written.
    #[inline]
    pub fn position(&self) -> u64 {
        match self.sink.taken() {
            Some(taken) => taken - self.base,
            None => self.base,
        }
    }

    /// Returns the number of open containers.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the sink, which holds or received the bytes written so far.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// Checks that the value is whole, prepares for another one after it, and returns its size. Use
    /// this to write many values with one writer, such as the records of a file.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// for n in 1..=3 {
    ///     writer.int(n)?;
    ///     assert_eq!(writer.next_value()?, 8);
    /// }
    /// assert_eq!(writer.into_sink().len(), 24);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `Unfinished` if a container is open, `Empty` if nothing was written, `TooLarge` if
    /// the value is larger than an engine can read ([`docs/FORMAT.md` §3.5]), and `Broken` after an
    /// error that cut the output.
    ///
    /// [`docs/FORMAT.md` §3.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#35-size-limits
    #[inline]
    pub fn next_value(&mut self) -> Result<u64, S> {
        if self.depth != 0 || self.left != 0 || self.shape() != Shape::Root {
            return Err(self.not_whole());
        }
        let size = self.position();
        if size > layout::MAX_SIZE as u64 {
            return Err(self.error(WriteErrorKind::TooLarge { size }));
        }
        self.set_now(Frame::ROOT);
        self.base = self.sink.taken().unwrap_or(0);
        Ok(size)
    }

    /// Checks that the value is whole, flushes the sink and returns it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::next_value`], and the sink's error. The sink is lost then;
    /// pass `&mut sink` to keep it.
    pub fn finish(mut self) -> Result<S, S> {
        self.next_value()?;
        match self.sink.flush() {
            Ok(()) => Ok(self.sink),
            Err(error) => Err(self.error(WriteErrorKind::Sink(error))),
        }
    }

    /// Returns the sink. Nothing is checked or flushed. Use it after [`Writer::next_value`], or to
    /// discard a failed value.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Copies one value that is already encoded in the writer's dialect. Use it to replace a field
    /// of a message while the rest passes through.
    ///
    /// **Only the length is checked.** The bytes must be exactly one whole value that the target's
    /// version can read. The depth inside the value is not counted. The bytes are copied once.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let seven = [2, 0, 0, 0, 7, 0, 0, 0];
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.begin_array(2)?;
    /// writer.raw_bytes(&seven)?;
    /// writer.int(8)?;
    /// writer.end()?;
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `NotAValue` for a length that no value has ([`docs/FORMAT.md` §3]), `TooLarge` if the engines
    /// cannot hold the value, and the errors of every value: `Complete` after the outermost value, `TooMany` if
    /// the container is full, `ExpectedProperty` where an object needs the name of a property first,
    /// `DepthExceeded`, `Broken` after an earlier error, and `Sink` if the sink fails.
    ///
    /// [`docs/FORMAT.md` §3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#3-payload-layouts
    pub fn raw_bytes(&mut self, value: &[u8]) -> Result<(), S> {
        // Only Godot 2 has values of odd sizes: node paths in the old format.
        let odd = value.len() % 4 != 0 && !self.dialect().has_old_node_paths();
        if value.len() < layout::MIN_VALUE || odd {
            return Err(self.error(WriteErrorKind::NotAValue { len: value.len() }));
        }
        self.check_size(value.len())?;
        self.take_value()?;
        self.sink.reserve(value.len());
        self.put(value)
    }

    /// Counts one value that is about to be written, or returns why none may be. The test is one
    /// comparison and one decrement.
    #[inline(always)]
    pub(crate) fn take_value(&mut self) -> Result<(), S> {
        // Subtracting before the test makes it one instruction for both.
        let (left, none) = self.left.overflowing_sub(1);
        self.left = left;
        if none {
            self.left = 0;
            return Err(self.refuse_value());
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), S> {
        match self.sink.put(bytes) {
            Ok(()) => {
                self.count_taken(bytes.len());
                Ok(())
            }
            Err(error) => Err(self.sink_failed(error)),
        }
    }

    #[inline(always)]
    pub(crate) fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> Result<(), S> {
        match self.sink.put_short(words, len) {
            Ok(()) => {
                self.count_taken(len);
                Ok(())
            }
            Err(error) => Err(self.sink_failed(error)),
        }
    }

    #[inline(always)]
    pub(crate) fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> Result<(), S> {
        match self.sink.put_run(head, body, zeros) {
            Ok(()) => {
                self.count_taken(head.len() + body.len() + zeros);
                Ok(())
            }
            Err(error) => Err(self.sink_failed(error)),
        }
    }

    #[inline(always)]
    fn count_taken(&mut self, bytes: usize) {
        if self.sink.taken().is_none() {
            self.base += bytes as u64;
        }
    }

    #[inline(always)]
    pub(crate) fn now(&self) -> Frame {
        Frame {
            rest: self.rest,
            left: self.left,
        }
    }

    #[inline(always)]
    pub(crate) fn set_now(&mut self, frame: Frame) {
        self.left = frame.left;
        self.rest = frame.rest;
    }

    #[inline]
    pub(crate) fn shape(&self) -> Shape {
        self.now().shape()
    }

    /// Refuses `payload` more bytes if the engines could not hold the value. Headers, padding and
    /// short texts are not counted here; [`Writer::next_value`] checks the whole.
    #[inline(always)]
    pub(crate) fn check_size(&self, payload: usize) -> Result<(), S> {
        let size = self.position().saturating_add(payload as u64);
        if size > layout::MAX_SIZE as u64 {
            return Err(self.error(WriteErrorKind::TooLarge { size }));
        }
        Ok(())
    }

    /// Returns a count as its word, or `TooLarge`.
    #[inline]
    pub(crate) fn count(&self, count: usize) -> Result<u32, S> {
        if count > layout::MAX_SIZE {
            return Err(self.error(WriteErrorKind::TooLarge { size: count as u64 }));
        }
        Ok(count as u32)
    }

    #[inline]
    pub(crate) fn header(&self, kind: Kind) -> Result<HeaderWord, S> {
        self.header_as(kind, false)
    }

    #[inline]
    pub(crate) fn header_as(&self, kind: Kind, given_wide: bool) -> Result<HeaderWord, S> {
        match self.target.header_as(kind, given_wide) {
            Some(header) => Ok(header),
            None => Err(self.unrepresentable(kind)),
        }
    }

    /// Checks that a container may begin here. If it has children, they need one more level.
    #[inline]
    pub(crate) fn check_depth(&self, has_children: bool) -> Result<(), S> {
        if has_children && self.depth >= u32::from(self.max_depth) {
            return Err(self.too_deep());
        }
        Ok(())
    }

    /// Makes a container the innermost one. [`Writer::check_depth`] has checked the depth: a
    /// container at the greatest depth is empty, so nothing is opened inside it.
    #[inline(always)]
    pub(crate) fn open(&mut self, frame: Frame) {
        self.parents.put(self.depth, self.now());
        self.set_now(frame);
        self.depth += 1;
    }

    #[inline(always)]
    pub(crate) fn close(&mut self) {
        if let Some(depth) = self.depth.checked_sub(1) {
            let parent = self.parents.take(depth);
            self.set_now(parent);
            self.depth = depth;
        }
    }

    /// Marks the output as cut in the middle of a value: nothing can be written after this.
    #[cold]
    pub(crate) fn break_off(&mut self, kind: WriteErrorKind<S::Error>) -> Error<S::Error> {
        self.set_now(Frame::BROKEN);
        self.error(kind)
    }

    #[cold]
    fn sink_failed(&mut self, error: S::Error) -> Error<S::Error> {
        self.break_off(WriteErrorKind::Sink(error))
    }

    #[cold]
    pub(crate) fn error(&self, kind: WriteErrorKind<S::Error>) -> Error<S::Error> {
        Error::new(self.position(), kind)
    }

    #[cold]
    pub(crate) fn unrepresentable(&self, kind: Kind) -> Error<S::Error> {
        self.error(WriteErrorKind::Unrepresentable {
            kind,
            dialect: self.dialect(),
        })
    }

    #[cold]
    fn too_deep(&self) -> Error<S::Error> {
        self.error(WriteErrorKind::DepthExceeded {
            limit: self.max_depth,
        })
    }

    /// Returns the error for a slot at depth `expected` that was used while other containers are
    /// open.
    #[cold]
    pub(crate) fn child_open(&self, expected: u32) -> Error<S::Error> {
        let open = self.depth;
        self.error(WriteErrorKind::ChildOpen { open, expected })
    }

    #[cold]
    #[inline(never)]
    fn refuse_value(&self) -> Error<S::Error> {
        match self.shape() {
            Shape::Root => self.error(WriteErrorKind::Complete),
            Shape::Broken => self.error(WriteErrorKind::Broken),
            Shape::Object(to_come) if to_come > 0 => self.error(WriteErrorKind::ExpectedProperty),
            Shape::GrowingArray | Shape::GrowingDict => {
                if self.depth > u32::from(self.max_depth) {
                    return self.too_deep();
                }
                self.error(WriteErrorKind::TooLarge { size: 1 << 31 })
            }
            Shape::Array | Shape::Dict | Shape::Object(_) => self.error(WriteErrorKind::TooMany),
        }
    }

    #[cold]
    #[inline(never)]
    fn not_whole(&self) -> Error<S::Error> {
        if self.shape() == Shape::Broken {
            return self.error(WriteErrorKind::Broken);
        }
        if self.depth > 0 {
            return self.error(WriteErrorKind::Unfinished { open: self.depth });
        }
        self.error(WriteErrorKind::Empty)
    }
}

impl<S: Sink + fmt::Debug> fmt::Debug for Writer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("sink", &self.sink)
            .field("target", &self.target)
            .field("position", &self.position())
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
