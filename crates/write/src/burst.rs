//! [`Burst`]: writes many short values in a row, with the writer's state in registers.
//!
//! The state of a [`Writer`] is in memory. Each value has to load the length and the count that the
//! value before it stored, and this wait takes more time than the bytes do. A burst is small,
//! everything in it is inlined, and functions that are not inlined get the state by value. So the
//! compiler keeps the state in registers.
//!
//! - The stage has a constant size, and a container begins only where [`RECORD`] bytes are free. In
//!   a record written call by call, the compiler proves that the values fit and counts them itself,
//!   and drops the checks that cannot fail.
//! - The frame of the second-innermost container is a field, not an entry in memory, so the
//!   compiler's knowledge of a record survives a list inside the record.
//! - A target's headers are looked up once. If the target is a constant, the headers are constants
//!   too: 222 instructions a record instead of about 260
//!   (`benches -- --alone "W1 write" "gdvar Writer, in a burst" N` under callgrind).
//!
//! Rejected, with the reason:
//! - writing key and value together: the wait for memory stays;
//! - encoding keys beforehand: literals fold anyway;
//! - state inside the slots: returning errors and slots in one `Result` forces it into memory;
//! - writing into a vector's zeroed spare room: its length is not constant, so no check disappears.

use core::fmt;

use gdvar_wire::{
    Kind, layout,
    math::{Color, Components, Quaternion, Vector2, Vector3, Vector4},
};

use crate::{
    frame::{Frame, NEAR},
    headers::Headers,
    math::{Real, word_bytes},
    scalars::{BOOL, f32_bytes, f64_bytes, int_bytes, wide_int_bytes, word_pair},
    short_text::{LONGEST, ShortText, overlapping},
    sink::Sink,
    target::{IntRule, Precision, Target},
    text::{text_into, value_len},
    writer::{Result, Writer},
};

/// How many bytes are collected before the sink gets them. Only 4 KiB, because the stage is zeroed
/// first.
const STAGE: usize = 4096;

/// A container begins in the stage only if this many bytes are free. The compiler sees that the
/// first values of the container fit into them, and drops their checks.
const RECORD: usize = 512;

/// Writes many short values in a row, with the calls of [`Writer`] and the writer's state in
/// registers. Created by [`Writer::burst`]. Use it for a loop that writes thousands of records of
/// the same few calls; for a save with a handful of lists it gains nothing.
///
/// Values and containers with a method here take about half the time of the same calls on
/// [`Writer`]. [`Burst::with`] gives access to the writer for everything else.
pub struct Burst<'a, S: Sink> {
    writer: &'a mut Writer<S>,
    stage: &'a mut [u8; STAGE],
    // The writer's state in single numbers. Only inlined code may take their address, otherwise
    // they have to be in memory.
    /// The number of bytes in the stage.
    at: usize,
    left: u32,
    // `depth` separates `left` and `rest` as in the writer, and for the same reason.
    depth: u32,
    rest: u32,
    /// The packed [`Frame`] of the second-innermost container; the writer holds the frames of the
    /// containers further out. A container inside a record therefore ends without a load, and the
    /// compiler still knows the record.
    parent: u64,
    /// If this many containers are open, the writer itself begins the next one.
    limit: u32,
    /// A copy of the writer's target. Kept here so that a constant target is constant-folded.
    target: Target,
    headers: Headers,
}

impl<S: Sink> Writer<S> {
    /// Writes many short values in a row into any sink, in about half the time.
    ///
    /// The writer's own state lies in memory, where each value waits for the value before it. A
    /// burst keeps the state in registers and collects 4 KiB at a time. Where one function writes a
    /// dictionary of known keys call by call, the free space and the counts are checked once for
    /// many values. No check is missing.
    ///
    /// Put the whole loop over the records into `act`. A function that takes the `&mut Burst` and
    /// is not inlined has the state in memory again and gains little, unless it begins with
    /// [`Burst::burst`]. A single small packet does not repay the 4 KiB of zeroed stack.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let scores = [("Ann", 12), ("Bob", 7)];
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.burst(|burst| {
    ///     burst.begin_array(scores.len())?;
    ///     for (name, score) in scores {
    ///         burst.begin_dict(2)?;
    ///         burst.string("name")?;
    ///         burst.string(name)?;
    ///         burst.string("score")?;
    ///         burst.int(score)?;
    ///         burst.end()?;
    ///     }
    ///     burst.end()
    /// })?;
    /// assert_eq!(writer.finish()?.len(), 120);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// A burst may begin and end anywhere, also inside open containers. After an error the writer
    /// continues after the last good value ([exceptions](crate::Error::is_fatal)). If `act` panics
    /// between two calls, the writer is [broken](crate::WriteErrorKind::Broken).
    ///
    /// # Errors
    ///
    /// Returns the error that `act` returns, or the sink's error.
    #[inline(always)]
    pub fn burst<T>(
        &mut self,
        act: impl FnOnce(&mut Burst<'_, S>) -> Result<T, S>,
    ) -> Result<T, S> {
        let mut stage = [0; STAGE];
        let mut burst = Burst {
            at: 0,
            left: self.now().left,
            depth: self.depth,
            rest: self.now().rest,
            parent: self.take_parent().pack(),
            limit: self.near_limit(),
            target: self.target,
            headers: Headers::of(self.target),
            writer: self,
            stage: &mut stage,
        };
        // In case `act` panics: the state is in the burst, so the writer must not be used.
        burst.writer.set_now(Frame::BROKEN);
        let result = act(&mut burst);
        let staged = &burst.stage[..burst.at];
        let settled = burst
            .writer
            .settle(staged, burst.now(), burst.parent, burst.depth);
        let value = result?;
        settled?;
        Ok(value)
    }

    /// Returns how many containers may be open where the burst begins another one. Up to this depth
    /// the parents lie in the plain array, so none of them has to be moved.
    #[inline(always)]
    fn near_limit(&self) -> u32 {
        (NEAR + 1).min(self.max_depth.into())
    }

    /// Puts the burst's state and the collected bytes into the writer.
    // Not inlined: it takes the state by value, so the address of the burst's fields is never
    // needed.
    #[inline(never)]
    fn settle(&mut self, staged: &[u8], now: Frame, parent: u64, depth: u32) -> Result<(), S> {
        self.set_now(now);
        self.depth = depth;
        if let Some(around) = depth.checked_sub(1) {
            self.parents.put(around, Frame::unpack(parent));
        }
        if staged.is_empty() {
            return Ok(());
        }
        self.put(staged)
    }

    /// Puts the state into the writer and calls `act`. After success the writer is unusable again.
    #[cold]
    #[inline(never)]
    fn seldom(
        &mut self,
        staged: &[u8],
        now: Frame,
        parent: u64,
        depth: u32,
        act: impl FnOnce(&mut Writer<S>) -> Result<(), S>,
    ) -> Result<(), S> {
        self.settle(staged, now, parent, depth)?;
        act(self)?;
        self.take_parent();
        self.set_now(Frame::BROKEN);
        Ok(())
    }

    /// Removes and returns the frame of the second-innermost container, or [`Frame::BROKEN`] if no
    /// container is open.
    fn take_parent(&mut self) -> Frame {
        match self.depth.checked_sub(1) {
            Some(around) => self.parents.take(around),
            None => Frame::BROKEN,
        }
    }
}

macro_rules! reals {
    ($($method:ident: $name:ident, $n:literal;)*) => {$(
        #[doc = concat!("The same as [`Writer::", stringify!($method), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of the writer's method.
        #[inline(always)]
        pub fn $method<R: Real>(&mut self, value: $name<R>) -> Result<(), S> {
            // A width that depends on the value needs the writer's decision.
            let as_given = R::WIDE && self.target.precision() == Precision::AsGiven;
            if let (Some(header), false) = (self.headers.get(Kind::$name), as_given) {
                const SIZE: usize = 4 + 4 * $n;
                let words = value.components().map(|item| item.to_f32().to_bits());
                if self.put(word_bytes::<$n, SIZE>(header, words), SIZE, SIZE) {
                    return Ok(());
                }
            }
            self.slow_value(|writer| writer.$method(value))
        }
    )*};
}

macro_rules! words {
    ($($method:ident: $name:ident<$item:ty>, $kind:ident, $n:literal, $bits:expr;)*) => {$(
        #[doc = concat!("The same as [`Writer::", stringify!($method), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of the writer's method.
        #[inline(always)]
        pub fn $method(&mut self, value: $name<$item>) -> Result<(), S> {
            if let Some(header) = self.headers.get(Kind::$kind) {
                const SIZE: usize = 4 + 4 * $n;
                let words = value.components().map($bits);
                if self.put(word_bytes::<$n, SIZE>(header, words), SIZE, SIZE) {
                    return Ok(());
                }
            }
            self.slow_value(|writer| writer.$method(value))
        }
    )*};
}

impl<S: Sink> Burst<'_, S> {
    /// Calls the writer itself, for everything that a burst has no method for. If `act` replaces
    /// the writer by one with another target or other limits, the new writer is
    /// [broken](crate::WriteErrorKind::Broken) afterwards.
    ///
    /// # Errors
    ///
    /// Returns the error that `act` returns, or the sink's error.
    #[inline(always)]
    pub fn with<T>(&mut self, act: impl FnOnce(&mut Writer<S>) -> Result<T, S>) -> Result<T, S> {
        let staged = &self.stage[..self.at];
        let now = self.now();
        self.at = 0;
        let settled = self.writer.settle(staged, now, self.parent, self.depth);
        let result = match settled {
            Ok(()) => act(self.writer),
            Err(error) => Err(error),
        };
        if self.target != self.writer.target || self.limit != self.writer.near_limit() {
            // `act` replaced the writer by another one.
            self.writer.set_now(Frame::BROKEN);
        }
        self.take_state();
        result
    }

    /// Loads the state into registers again. A function that takes a `&mut Burst` and is not
    /// inlined should wrap its calls in this method.
    ///
    /// ```
    /// use gdvar_write::{Burst, Error, Sink, Target, Writer};
    ///
    /// #[inline(never)]
    /// fn enemy<S: Sink>(burst: &mut Burst<'_, S>, name: &str, hp: i64) -> Result<(), Error<S::Error>> {
    ///     burst.burst(|burst| {
    ///         burst.begin_dict(2)?;
    ///         burst.string("name")?;
    ///         burst.string(name)?;
    ///         burst.string("hp")?;
    ///         burst.int(hp)?;
    ///         burst.end()
    ///     })
    /// }
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.burst(|burst| {
    ///     burst.begin_array(2)?;
    ///     enemy(burst, "bat", 3)?;
    ///     enemy(burst, "rat", 5)?;
    ///     burst.end()
    /// })?;
    /// assert_eq!(writer.finish()?.len(), 112);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error that `act` returns.
    #[inline(always)]
    pub fn burst<T>(
        &mut self,
        act: impl FnOnce(&mut Burst<'_, S>) -> Result<T, S>,
    ) -> Result<T, S> {
        let mut burst = Burst {
            writer: self.writer,
            stage: self.stage,
            ..*self
        };
        // In case `act` panics: the state is in the inner burst, so this one must not be used.
        (self.left, self.rest) = (Frame::BROKEN.left, Frame::BROKEN.rest);
        let result = act(&mut burst);
        (self.at, self.depth, self.parent) = (burst.at, burst.depth, burst.parent);
        (self.left, self.rest) = (burst.left, burst.rest);
        result
    }

    #[inline(always)]
    fn take_state(&mut self) {
        self.left = self.writer.now().left;
        self.rest = self.writer.now().rest;
        self.depth = self.writer.depth;
        self.parent = self.writer.take_parent().pack();
        self.writer.set_now(Frame::BROKEN);
    }

    /// Lets the writer write a value that does not fit into the stage or is a mistake. After
    /// success `left` is one less. Only this subtraction is done here, because reading the state
    /// back would hide it from the compiler.
    #[inline(always)]
    fn slow_value(&mut self, act: impl FnOnce(&mut Writer<S>) -> Result<(), S>) -> Result<(), S> {
        // `get` instead of an index: a panic path here would have to keep the state in memory.
        let staged = self.stage.get(..self.at).unwrap_or_default();
        let now = self.now();
        self.at = 0;
        let result = self
            .writer
            .seldom(staged, now, self.parent, self.depth, act);
        match result {
            Ok(()) => self.left = self.left.wrapping_sub(1),
            Err(_) => self.take_state(),
        }
        result
    }

    /// Appends the first `len` bytes of `bytes` to the stage as one value. Returns `false` if no
    /// value may be written or fewer than `room` bytes, at least `N`, are free. The writer then
    /// takes over.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N], len: usize, room: usize) -> bool {
        if self.left == 0 || self.at > STAGE - room {
            return false;
        }
        // All `N` bytes are stored, although only `len` count: a copy of constant size is one or
        // two stores, and the next value overwrites the rest.
        self.stage[self.at..self.at + N].copy_from_slice(&bytes);
        self.took(len)
    }

    /// Counts one value of `len` bytes that is in the stage, and returns `true`.
    #[inline(always)]
    fn took(&mut self, len: usize) -> bool {
        self.at += len;
        self.left -= 1;
        true
    }

    /// Begins an `Array` of `len` elements, see [`Writer::begin_array`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn begin_array(&mut self, len: usize) -> Result<(), S> {
        if self.begin(Kind::Array, len, Frame::array) {
            return Ok(());
        }
        self.slow_value(|writer| writer.begin_array(len))?;
        self.open(Frame::array(len as u32));
        Ok(())
    }

    /// Begins a `Dictionary` of `len` entries, see [`Writer::begin_dict`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn begin_dict(&mut self, len: usize) -> Result<(), S> {
        if self.begin(Kind::Dictionary, len, Frame::dict) {
            return Ok(());
        }
        self.slow_value(|writer| writer.begin_dict(len))?;
        self.open(Frame::dict(len as u32));
        Ok(())
    }

    #[inline(always)]
    fn begin(&mut self, kind: Kind, len: usize, frame: fn(u32) -> Frame) -> bool {
        let depth = self.depth;
        // Below `limit` the frame to be saved lies in the plain array, so nothing can allocate.
        if len > layout::MAX_SIZE || depth >= self.limit {
            return false;
        }
        let Some(header) = self.headers.get(kind) else {
            return false;
        };
        // Asks for `RECORD` bytes, not 8, so that the values of the container need no check of
        // their own.
        if !self.put(word_pair(header.0, len as u32), 8, RECORD) {
            return false;
        }
        // The outermost container has no parent: this then stores to an entry that is not in use
        // yet.
        let around = depth.wrapping_sub(1);
        self.writer.parents.put_near(around, self.parent);
        self.open(frame(len as u32));
        true
    }

    // Only one frame moves to a field here; the one that it displaces was stored by the caller.
    #[inline(always)]
    fn open(&mut self, frame: Frame) {
        self.parent = self.now().pack();
        self.left = frame.left;
        self.rest = frame.rest;
        self.depth += 1;
    }

    #[inline(always)]
    fn now(&self) -> Frame {
        Frame {
            rest: self.rest,
            left: self.left,
        }
    }

    /// Ends the innermost container, see [`Writer::end`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn end(&mut self) -> Result<(), S> {
        let now = Frame::unpack(self.parent);
        match self.depth.wrapping_sub(1) {
            // All children are written, and the frame to load lies in the plain array. Everything
            // else, errors included, is the writer's.
            depth @ 0..=NEAR if self.now().is_full() => {
                self.parent = self.writer.parents.near(depth.wrapping_sub(1));
                self.depth = depth;
            }
            _ => self.with(Writer::end)?,
        }
        // After `with` the writer gave the same numbers back, but only these are known to the
        // compiler.
        self.left = now.left;
        self.rest = now.rest;
        Ok(())
    }

    /// Writes `null`, see [`Writer::nil`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn nil(&mut self) -> Result<(), S> {
        if self.put([0; 4], 4, 4) {
            return Ok(());
        }
        self.slow_value(Writer::nil)
    }

    /// Writes a `bool`, see [`Writer::bool`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn bool(&mut self, value: bool) -> Result<(), S> {
        // Written in two parts: a single word would be one of two constants, chosen by a branch
        // that cannot be predicted.
        let at = self.at;
        if self.put(BOOL.to_le_bytes(), 8, 8) {
            self.stage[at + 4..at + 8].copy_from_slice(&u32::from(value).to_le_bytes());
            return Ok(());
        }
        self.slow_value(|writer| writer.bool(value))
    }

    /// Writes an `int`, see [`Writer::int`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn int(&mut self, value: i64) -> Result<(), S> {
        let rule = self.target.int_rule();
        let done = match i32::try_from(value) {
            // Each arm has a constant size, so each `put` is a comparison and one or two stores.
            Ok(short) if rule != IntRule::Always64 => self.put(int_bytes(short), 8, 8),
            _ => rule != IntRule::Always32 && self.put(wide_int_bytes(value), 12, 12),
        };
        if done {
            return Ok(());
        }
        self.slow_value(|writer| writer.int(value))
    }

    /// Writes a `float`, see [`Writer::float`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn float(&mut self, value: f64) -> Result<(), S> {
        let short = value as f32;
        let done = if f64::from(short) == value {
            self.put(f32_bytes(short), 8, 8)
        } else {
            self.target.int_rule() != IntRule::Always32 && self.put(f64_bytes(value), 12, 12)
        };
        if done {
            return Ok(());
        }
        self.slow_value(|writer| writer.float(value))
    }

    /// Writes a `String`, see [`Writer::string`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn string(&mut self, text: &str) -> Result<(), S> {
        if self.text(4, text.as_bytes()) {
            return Ok(());
        }
        self.slow_value(|writer| writer.string(text))
    }

    /// Writes a `StringName`, see [`Writer::string_name`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method.
    #[inline(always)]
    pub fn string_name(&mut self, text: &str) -> Result<(), S> {
        if let Some(header) = self.headers.get(Kind::StringName) {
            if self.text(header.0, text.as_bytes()) {
                return Ok(());
            }
        }
        self.slow_value(|writer| writer.string_name(text))
    }

    #[inline(always)]
    fn text(&mut self, header: u32, text: &[u8]) -> bool {
        // Tested first, so that the compiler knows a bound of the length from here on.
        if text.len() > LONGEST {
            return self.long_text(header, text);
        }
        let head = word_pair(header, text.len() as u32);
        let len = value_len(text);
        if text.len() < 8 {
            let short = ShortText::new(text).filter(|short| !short.has_nul);
            let Some(short) = short else {
                return false;
            };
            // A text of less than 8 bytes fits with its head into 16, so the other words are
            // dropped.
            let [head, text, ..] = short.behind(head).map(u64::to_le_bytes);
            let mut block = [0; 16];
            block[..8].copy_from_slice(&head);
            block[8..].copy_from_slice(&text);
            return self.put(block, len, 16);
        }
        let block = self.stage.get_mut(self.at..);
        let Some(block) = block.and_then(|room| room.first_chunk_mut()) else {
            return false;
        };
        if self.left == 0 || !overlapping(head, text, block) {
            return false;
        }
        self.took(len)
    }

    /// Appends a text that is not short. Returns `false` unless [`RECORD`] bytes are free after the
    /// text, because the compiler counts on them for the next values of the container.
    #[inline(always)]
    fn long_text(&mut self, header: u32, text: &[u8]) -> bool {
        let room = self.stage.get_mut(self.at..).unwrap_or_default();
        let Some(len) = text_into(room, header, text) else {
            return false;
        };
        if self.left == 0 || self.at + len > STAGE - RECORD {
            return false;
        }
        self.took(len)
    }

    reals! {
        vector2: Vector2, 2;
        vector3: Vector3, 3;
        vector4: Vector4, 4;
        quaternion: Quaternion, 4;
    }

    words! {
        vector2i: Vector2<i32>, Vector2i, 2, |item| item as u32;
        vector3i: Vector3<i32>, Vector3i, 3, |item| item as u32;
        vector4i: Vector4<i32>, Vector4i, 4, |item| item as u32;
        color: Color<f32>, Color, 4, f32::to_bits;
    }
}

impl<S: Sink> fmt::Debug for Burst<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Burst")
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
