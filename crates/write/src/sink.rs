//! Places that bytes go to.

use core::{convert::Infallible, fmt};

/// The most bytes that [`Sink::put_short`] takes.
pub const SHORT: usize = 32;

/// Takes the bytes of a value in order.
///
/// A small trait of its own because `io::Write` is not in `no_std`, and because an impl for all
/// of `io::Write` would collide with the one for `Vec<u8>`. Only [`Sink::put`] must be written.
///
/// ```
/// use gdvar_write::{Sink, Target, Writer};
///
/// #[derive(Default)]
/// struct Sum(u64);
/// impl Sink for Sum {
///     type Error = core::convert::Infallible;
///     fn put(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
///         self.0 += bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
///         Ok(())
///     }
/// }
///
/// let mut writer = Writer::new(Sum::default(), Target::GODOT_4);
/// writer.bool(true)?;
/// assert_eq!(writer.finish()?.0, 2);
/// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
/// ```
pub trait Sink {
    /// Why bytes are not taken. [`Infallible`] if they always are.
    type Error;

    /// Takes all of these bytes.
    ///
    /// # Errors
    ///
    /// The sink's own reasons. The writer passes the error on untouched and writes no more.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Takes `head`, then `body`, then `zeros` zero bytes, at most four of them: the form of all
    /// text and packed arrays. Sinks in memory override it to look for room once.
    ///
    /// # Errors
    ///
    /// As [`Sink::put`].
    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> Result<(), Self::Error> {
        self.put(head)?;
        self.put(body)?;
        if zeros > 0 {
            self.put(&[0; 4][..zeros])?;
        }
        Ok(())
    }

    /// Takes the first `len` bytes of these words in little-endian order, at most [`SHORT`]: the
    /// form of short text. Sinks in memory override it to copy whole words where there is room,
    /// as a copy of constant size is a few stores, and to keep `len` bytes of them.
    ///
    /// # Errors
    ///
    /// As [`Sink::put`].
    #[inline]
    fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> Result<(), Self::Error> {
        self.put(&words.map(u64::to_le_bytes).as_flattened()[..len])
    }

    /// The number of bytes that it has taken, also from others than this writer, if it knows: the writer counts
    /// for sinks that do not. Override it when the sink has a length anyway, such as that of a vector; it saves an
    /// addition for every value. `None` by default. A sink answers with a number always or never.
    #[inline]
    fn taken(&self) -> Option<u64> {
        None
    }

    /// A hint that so many bytes come next. Nothing by default.
    #[inline]
    fn reserve(&mut self, additional: usize) {
        let _ = additional;
    }

    /// Hands on what the sink holds back. Nothing by default.
    ///
    /// # Errors
    ///
    /// The sink's own reasons.
    #[inline]
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    type Error = S::Error;

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> Result<(), S::Error> {
        (**self).put(bytes)
    }

    #[inline(always)]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> Result<(), S::Error> {
        (**self).put_run(head, body, zeros)
    }

    #[inline(always)]
    fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> Result<(), S::Error> {
        (**self).put_short(words, len)
    }

    #[inline(always)]
    fn taken(&self) -> Option<u64> {
        (**self).taken()
    }

    #[inline]
    fn reserve(&mut self, additional: usize) {
        (**self).reserve(additional);
    }

    #[inline]
    fn flush(&mut self) -> Result<(), S::Error> {
        (**self).flush()
    }
}

/// Appends; what the vector held before stays. Clear it and use it again to write without
/// allocating. Given by value, to be taken back from
/// [`Writer::finish`](crate::Writer::finish), it is about a fifth faster than by `&mut`: its
/// length then lies beside the writer's own state.
#[cfg(feature = "alloc")]
impl Sink for alloc::vec::Vec<u8> {
    type Error = Infallible;

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> Result<(), Infallible> {
        let len = head.len() + body.len();
        self.reserve(len + zeros);
        self.extend_from_slice(head);
        self.extend_from_slice(body);
        // Four zeros are one store; but a vector reserved to fit must not grow.
        let end = self.len() + zeros;
        if self.capacity() - self.len() >= 4 {
            self.extend_from_slice(&[0; 4]);
            self.truncate(end);
        } else {
            self.resize(end, 0);
        }
        Ok(())
    }

    #[inline(always)]
    fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> Result<(), Infallible> {
        if self.capacity() - self.len() < SHORT {
            let [a, b, c, d] = words;
            append(self, a, b, c, d, len);
            return Ok(());
        }
        let end = self.len() + len;
        let [a, b, c, d] = words.map(u64::to_le_bytes);
        // Every store counts; where the text is a literal this is decided beforehand.
        if len <= 16 {
            self.extend_from_slice([a, b].as_flattened());
        } else if len <= 24 {
            self.extend_from_slice([a, b, c].as_flattened());
        } else {
            self.extend_from_slice([a, b, c, d].as_flattened());
        }
        self.truncate(end);
        Ok(())
    }

    #[inline(always)]
    fn taken(&self) -> Option<u64> {
        Some(self.len() as u64)
    }

    #[inline]
    fn reserve(&mut self, additional: usize) {
        alloc::vec::Vec::reserve(self, additional);
    }
}

/// Appends if there is no room for whole words: no more is taken than is needed.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn append(vec: &mut alloc::vec::Vec<u8>, a: u64, b: u64, c: u64, d: u64, len: usize) {
    // Words as they are, not in an array: that would be put into memory for every call.
    vec.extend_from_slice(&[a, b, c, d].map(u64::to_le_bytes).as_flattened()[..len]);
}

/// A fixed piece of memory: for packets, and where there is no allocator.
///
/// ```
/// use gdvar_write::{SliceSink, Target, Writer};
///
/// let mut buffer = [0; 64];
/// let mut writer = Writer::new(SliceSink::new(&mut buffer), Target::GODOT_4);
/// writer.string("Hello")?;
/// let packet: &[u8] = writer.finish()?.into_written();
/// assert_eq!(packet.len(), 16);
/// # Ok::<(), gdvar_write::Error<gdvar_write::BufferFull>>(())
/// ```
#[derive(Debug)]
pub struct SliceSink<'a> {
    buffer: &'a mut [u8],
    len: usize,
}

impl<'a> SliceSink<'a> {
    /// Writes into this memory from its start.
    #[must_use]
    pub fn new(buffer: &'a mut [u8]) -> SliceSink<'a> {
        SliceSink { buffer, len: 0 }
    }

    /// The bytes that are written so far.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// The bytes that are written so far, for as long as the memory lives.
    #[must_use]
    pub fn into_written(self) -> &'a mut [u8] {
        &mut self.buffer[..self.len]
    }
}

impl Sink for SliceSink<'_> {
    type Error = BufferFull;

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), BufferFull> {
        let end = self.len.saturating_add(bytes.len());
        match self.buffer.get_mut(self.len..end) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.len = end;
                Ok(())
            }
            None => Err(BufferFull { needed: end }),
        }
    }

    #[inline]
    fn taken(&self) -> Option<u64> {
        Some(self.len as u64)
    }
}

/// The memory of a [`SliceSink`] is too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferFull {
    /// How long it would have to be for the bytes up to and including the refused ones. The
    /// whole value may need more; [`Measure`] tells.
    pub needed: usize,
}

impl fmt::Display for BufferFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the buffer is full: at least {} bytes are needed; write the value to a Measure \
             first to learn its size",
            self.needed
        )
    }
}

impl core::error::Error for BufferFull {}

/// Counts the bytes and keeps none: the size of a value before it is written, for a length
/// prefix or a buffer.
///
/// ```
/// use gdvar_write::{Measure, Target, Writer};
///
/// let mut writer = Writer::new(Measure::new(), Target::GODOT_4);
/// writer.string("Hello")?;
/// assert_eq!(writer.finish()?.len(), 16);
/// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measure {
    len: u64,
}

impl Measure {
    /// Nothing counted yet.
    #[must_use]
    pub const fn new() -> Measure {
        Measure { len: 0 }
    }

    /// The number of bytes that were put.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.len
    }

    /// Returns `true` if no byte was put.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl Sink for Measure {
    type Error = Infallible;

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.len += bytes.len() as u64;
        Ok(())
    }

    #[inline]
    fn taken(&self) -> Option<u64> {
        Some(self.len)
    }
}

/// A sink that can change four bytes it took before. Containers of unknown length need it, because their
/// count stands before their children. Implement this when such containers should go to a sink of your own.
///
/// See [`Writer::begin_growing_array`](crate::Writer::begin_growing_array).
pub trait Patch: Sink {
    /// The place of the next byte, in the sink's own terms.
    fn position(&self) -> u64;

    /// Overwrites bytes put at a position that [`Patch::position`] gave.
    ///
    /// # Errors
    ///
    /// The sink's own reasons.
    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Tells that bytes from here on may be patched until the matching [`Patch::release`]: for sinks that
    /// can patch nothing but what they hold back. Nothing by default. The writer calls both for a container
    /// of unknown length.
    #[inline]
    fn hold(&mut self) {}

    /// The matching end. Nothing by default.
    #[inline]
    fn release(&mut self) {}
}

impl<S: Patch + ?Sized> Patch for &mut S {
    #[inline]
    fn position(&self) -> u64 {
        (**self).position()
    }

    #[inline]
    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), S::Error> {
        (**self).patch(at, bytes)
    }

    #[inline]
    fn hold(&mut self) {
        (**self).hold();
    }

    #[inline]
    fn release(&mut self) {
        (**self).release();
    }
}

/// Overwrites within `buffer`. Positions come from [`Patch::position`], so they are inside.
fn patch_slice(buffer: &mut [u8], at: u64, bytes: &[u8]) {
    let Ok(at) = usize::try_from(at) else { return };
    if let Some(place) = buffer.get_mut(at..).and_then(|b| b.get_mut(..bytes.len())) {
        place.copy_from_slice(bytes);
    }
}

#[cfg(feature = "alloc")]
impl Patch for alloc::vec::Vec<u8> {
    #[inline]
    fn position(&self) -> u64 {
        self.len() as u64
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Infallible> {
        patch_slice(self, at, bytes);
        Ok(())
    }
}

impl Patch for SliceSink<'_> {
    #[inline]
    fn position(&self) -> u64 {
        self.len as u64
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), BufferFull> {
        patch_slice(&mut self.buffer[..self.len], at, bytes);
        Ok(())
    }
}

impl Patch for Measure {
    #[inline]
    fn position(&self) -> u64 {
        self.len
    }

    fn patch(&mut self, _at: u64, _bytes: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }
}
