//! Many short values in a row, with the writer's state in registers.
//!
//! A writer's state lies in memory, and a value cannot be put before the length and count that the one before it
//! stored are loaded again: that wait, not the bytes, is most of the time. A burst is small and all of it is inlined, and
//! calls that are not get its numbers by value, so the compiler keeps them in registers.
//!
//! - The stage has a constant size, and a container finds [`RECORD`] bytes free where it begins. In a record written call by
//!   call the compiler proves that the values fit and how many are left, and drops the checks that cannot fail.
//! - The container around the innermost one is a number beside it, not in memory, so this knowledge outlives a list within
//!   the record.
//! - The headers of a target are asked for once. A constant target makes them constants: 222 instructions a record instead
//!   of about 260 (`benches -- --alone "W1 write" "gdvar Writer, in a burst" N` below callgrind).
//!
//! Rejected: key and value put together (the wait for memory stays), keys encoded beforehand (literals fold anyway), state
//! inside the slots (errors and slots in one `Result` force it into memory), writing into a vector's zeroed spare room (its
//! length is not constant, so no check goes).

use core::fmt;

use gdvar_wire::{
    Kind, layout,
    math::{Color, Components, Quaternion, Vector2, Vector3, Vector4},
};

use crate::{
    IntRule, Precision, Real, Sink, Target, Writer,
    frame::{Frame, NEAR},
    headers::Headers,
    math::word_bytes,
    scalars::{BOOL, f32_bytes, f64_bytes, int_bytes, wide_int_bytes, word_pair},
    short_text::{LONGEST, ShortText, overlapping},
    text::{text_into, value_len},
    writer::Result,
};

/// The number of bytes that are collected before the sink gets them: 4 KiB, as they are made zero
/// first.
const STAGE: usize = 4096;

/// Room that a container finds where it begins. While what is in it certainly fits, the compiler
/// sees that, and looks for no room.
const RECORD: usize = 512;

/// A writer whose state is at hand: the same calls, for many short values in a row. From
/// [`Writer::burst`]. Use this when a loop writes thousands of records of the same few calls; for a save with a handful of
/// lists it gains nothing.
///
/// Values and containers with a method here take about half the time of those of [`Writer`].
/// Everything else is done by the writer itself, through [`Burst::with`].
pub struct Burst<'a, S: Sink> {
    writer: &'a mut Writer<S>,
    stage: &'a mut [u8; STAGE],
    // The writer's state, number by number. Nothing but what is inlined may know where they are,
    // else they would have to be in memory.
    /// Bytes in the stage.
    at: usize,
    left: u32,
    // Between these two, as in the writer, and for the same reason.
    depth: u32,
    rest: u32,
    /// The [`Frame`] of the container around the innermost one, packed. The writer has those around
    /// it. So what is open within a record ends without a look into memory, and the compiler still
    /// knows the record.
    parent: u64,
    /// With so many open, a container does not begin at once.
    limit: u32,
    /// The writer's; here it is as good as constant, and is where one is given.
    target: Target,
    headers: Headers,
}

impl<S: Sink> Writer<S> {
    /// Writes many short values in a row, in about half the time, into any sink.
    ///
    /// The writer's own state lies in memory, where each value waits for the one before it. A
    /// burst has it in registers, collects 4 KiB at a time, and where a dictionary of known keys
    /// is written call by call in one function, room and counts are looked at once for many
    /// values. They are checked all the same. So use it around a loop over records. In a function
    /// that takes the `&mut Burst` and is not inlined its state is in memory again and hardly
    /// anything is gained, unless that begins with [`Burst::burst`]. For one small packet it is not
    /// worth its 4 KiB of stack, made zero first.
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
    /// stands behind the last good value, unless [`Error::is_fatal`](crate::Error::is_fatal). If
    /// `act` panics between two calls it is [broken](crate::WriteErrorKind::Broken).
    ///
    /// # Errors
    ///
    /// The value that `act` returns, or the error that the sink reports.
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
        // Should there be a panic.
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

    /// The number that may be open where a container begins without a look at how far its parents
    /// reach.
    #[inline(always)]
    fn near_limit(&self) -> u32 {
        (NEAR + 1).min(self.max_depth.into())
    }

    /// Takes the state back, and what was collected.
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

    /// Takes the state back, for one call.
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

    /// Takes out what is around the innermost container; of no meaning if none is open.
    fn take_parent(&mut self) -> Frame {
        match self.depth.checked_sub(1) {
            Some(around) => self.parents.take(around),
            None => Frame::BROKEN,
        }
    }
}

macro_rules! reals {
    ($($method:ident: $name:ident, $n:literal;)*) => {$(
        #[doc = concat!("As [`Writer::", stringify!($method), "`].")]
        ///
        /// # Errors
        ///
        /// As there.
        #[inline(always)]
        pub fn $method<R: Real>(&mut self, value: $name<R>) -> Result<(), S> {
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
        #[doc = concat!("As [`Writer::", stringify!($method), "`].")]
        ///
        /// # Errors
        ///
        /// As there.
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
    /// Does with the writer itself what a burst has no call for. Should another writer be put in
    /// its place, for another target or other limits, then that one is
    /// [broken](crate::WriteErrorKind::Broken).
    ///
    /// # Errors
    ///
    /// Those of `act`, or what the sink reports.
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
            // Another writer was put in its place.
            self.writer.set_now(Frame::BROKEN);
        }
        self.take_state();
        result
    }

    /// This burst with its state in registers again: for a function that takes a `&mut Burst` and
    /// is not inlined, around what it writes.
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
    /// The error that `act` returns.
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
        // Should there be a panic.
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

    /// A value that was not put for lack of room, or for a mistake. If all goes well the state is
    /// left as the compiler knows it, one value further.
    #[inline(always)]
    fn slow_value(&mut self, act: impl FnOnce(&mut Writer<S>) -> Result<(), S>) -> Result<(), S> {
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

    /// Puts the first `len` of these bytes as one value, if one may come and there is `room`, at
    /// least for all of them. If not, the writer finds another way or says what is wrong.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N], len: usize, room: usize) -> bool {
        if self.left == 0 || self.at > STAGE - room {
            return false;
        }
        self.stage[self.at..self.at + N].copy_from_slice(&bytes);
        self.took(len)
    }

    /// Counts one value of so many bytes, which are in the stage.
    #[inline(always)]
    fn took(&mut self, len: usize) -> bool {
        self.at += len;
        self.left -= 1;
        true
    }

    /// As [`Writer::begin_array`].
    ///
    /// # Errors
    ///
    /// As there.
    #[inline(always)]
    pub fn begin_array(&mut self, len: usize) -> Result<(), S> {
        if self.begin(Kind::Array, len, Frame::array) {
            return Ok(());
        }
        self.slow_value(|writer| writer.begin_array(len))?;
        self.open(Frame::array(len as u32));
        Ok(())
    }

    /// As [`Writer::begin_dict`].
    ///
    /// # Errors
    ///
    /// As there.
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
        if len > layout::MAX_SIZE || depth >= self.limit {
            return false;
        }
        let Some(header) = self.headers.get(kind) else {
            return false;
        };
        if !self.put(word_pair(header.0, len as u32), 8, RECORD) {
            return false;
        }
        // The outermost has none: then this is a place not yet in use.
        let around = depth.wrapping_sub(1);
        self.writer.parents.put_near(around, self.parent);
        self.open(frame(len as u32));
        true
    }

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

    /// As [`Writer::end`].
    ///
    /// # Errors
    ///
    /// As there.
    #[inline(always)]
    pub fn end(&mut self) -> Result<(), S> {
        let now = Frame::unpack(self.parent);
        match self.depth.wrapping_sub(1) {
            depth @ 0..=NEAR if self.now().is_full() => {
                self.parent = self.writer.parents.near(depth.wrapping_sub(1));
                self.depth = depth;
            }
            _ => self.with(Writer::end)?,
        }
        // The writer stands there now, too; but this is what the compiler knows.
        self.left = now.left;
        self.rest = now.rest;
        Ok(())
    }

    /// As [`Writer::nil`].
    ///
    /// # Errors
    ///
    /// As there.
    #[inline(always)]
    pub fn nil(&mut self) -> Result<(), S> {
        if self.put([0; 4], 4, 4) {
            return Ok(());
        }
        self.slow_value(Writer::nil)
    }

    /// As [`Writer::bool`].
    ///
    /// # Errors
    ///
    /// As there.
    #[inline(always)]
    pub fn bool(&mut self, value: bool) -> Result<(), S> {
        // In halves: as one number it would be one of two, and so a jump that is guessed wrong.
        let at = self.at;
        if self.put(BOOL.to_le_bytes(), 8, 8) {
            self.stage[at + 4..at + 8].copy_from_slice(&u32::from(value).to_le_bytes());
            return Ok(());
        }
        self.slow_value(|writer| writer.bool(value))
    }

    /// As [`Writer::int`].
    ///
    /// # Errors
    ///
    /// As there.
    #[inline(always)]
    pub fn int(&mut self, value: i64) -> Result<(), S> {
        let rule = self.target.int_rule();
        let done = match i32::try_from(value) {
            Ok(short) if rule != IntRule::Always64 => self.put(int_bytes(short), 8, 8),
            _ => rule != IntRule::Always32 && self.put(wide_int_bytes(value), 12, 12),
        };
        if done {
            return Ok(());
        }
        self.slow_value(|writer| writer.int(value))
    }

    /// As [`Writer::float`].
    ///
    /// # Errors
    ///
    /// As there.
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

    /// As [`Writer::string`].
    ///
    /// # Errors
    ///
    /// As there.
    #[inline(always)]
    pub fn string(&mut self, text: &str) -> Result<(), S> {
        if self.text(4, text.as_bytes()) {
            return Ok(());
        }
        self.slow_value(|writer| writer.string(text))
    }

    /// As [`Writer::string_name`].
    ///
    /// # Errors
    ///
    /// As there.
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
        // Asked first, so that the compiler knows how far this goes.
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

    /// A text that is not short, if as much room as for a container is left behind it.
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
