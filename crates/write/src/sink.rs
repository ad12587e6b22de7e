//! [`Sink`]: where a writer puts its bytes, such as a vector, a file or a socket.

use core::{convert::Infallible, fmt};

/// The most bytes that one call of [`Sink::put_short`] takes.
pub const SHORT: usize = 32;

/// Takes the bytes of a value in order.
///
/// This is a trait of its own because `no_std` lacks `io::Write`, and because an implementation for
/// every `io::Write` would conflict with the one for `Vec<u8>`. Only [`Sink::put`] has to be
/// implemented.
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
    /// The error of a failed write. [`Infallible`] for sinks that never fail.
    type Error;

    /// Takes all of `bytes`.
    ///
    /// # Errors
    ///
    /// Returns the sink's own errors. The writer passes the error on unchanged and writes nothing
    /// more.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Takes `head`, `body` and then `zeros` zero bytes, at most four. All text and packed arrays
    /// have this form. Sinks in memory override this method to check the free space once.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Sink::put`].
    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> Result<(), Self::Error> {
        self.put(head)?;
        self.put(body)?;
        if zeros > 0 {
            self.put(&[0; 4][..zeros])?;
        }
        Ok(())
    }

    /// Takes the first `len` bytes of these words in little-endian order, at most [`SHORT`]. Short
    /// text has this form. Sinks in memory override this method: if enough memory is free, they
    /// copy whole words, which takes a few stores because the size is constant, and keep `len`
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Sink::put`].
    #[inline]
    fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> Result<(), Self::Error> {
        self.put(&words.map(u64::to_le_bytes).as_flattened()[..len])
    }

    /// Returns the number of bytes that the sink has taken, bytes from other writers included. By
    /// default returns `None`: the sink does not count, and the writer counts instead. Override
    /// this method if the sink has a length anyway, as a vector has; this saves an addition for
    /// every value. A sink must return a number either always or never.
    #[inline]
    fn taken(&self) -> Option<u64> {
        None
    }

    /// Hints that about `additional` bytes follow. Does nothing by default.
    #[inline]
    fn reserve(&mut self, additional: usize) {
        let _ = additional;
    }

    /// Passes on the bytes that the sink has collected. Does nothing by default.
    ///
    /// # Errors
    ///
    /// Returns the sink's own errors.
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

/// Appends to the vector and keeps its old contents. Clear the vector and use it again to write
/// without allocating. A vector given by value, and taken back from
/// [`Writer::finish`](crate::Writer::finish), is about a fifth faster than one given by `&mut`,
/// because its length then lies beside the writer's state.
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
        // Four zeros are one store, but a vector that was reserved to fit must not grow.
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
        // Each store costs. If the text is a literal, the compiler makes this decision.
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

/// Appends the first `len` bytes of the words, if the vector has no room for whole words. The
/// vector then grows by no more than `len` bytes.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn append(vec: &mut alloc::vec::Vec<u8>, a: u64, b: u64, c: u64, d: u64, len: usize) {
    // The words are parameters, because the compiler would store an array to memory for every call.
    vec.extend_from_slice(&[a, b, c, d].map(u64::to_le_bytes).as_flattened()[..len]);
}

/// A sink that fills a fixed piece of memory, for packets and for programs without an allocator.
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
    /// Creates a sink that writes to the start of `buffer`.
    #[must_use]
    pub fn new(buffer: &'a mut [u8]) -> SliceSink<'a> {
        SliceSink { buffer, len: 0 }
    }

    /// Returns the bytes written so far.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Returns the bytes written so far, for the lifetime of the memory.
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

/// The error of a [`SliceSink`] whose memory is too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferFull {
    /// The size that the refused bytes and all before them need. The whole value may need more;
    /// [`Measure`] gives its size.
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

/// Counts bytes and keeps none. Use it for the size of a value before it is written, for a length
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
    /// Creates a counter at 0.
    #[must_use]
    pub const fn new() -> Measure {
        Measure { len: 0 }
    }

    /// Returns the number of bytes counted.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.len
    }

    /// Returns `true` if no byte was counted.
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

/// A sink that can change four bytes that it took earlier. Containers of unknown length need it,
/// because their count precedes their children. Implement it to write such containers to a sink of
/// your own.
///
/// See [`Writer::begin_growing_array`](crate::Writer::begin_growing_array).
pub trait Patch: Sink {
    /// Returns the position of the next byte. Only [`Patch::patch`] has to understand the number.
    fn position(&self) -> u64;

    /// Overwrites the bytes at a position that [`Patch::position`] returned.
    ///
    /// # Errors
    ///
    /// Returns the sink's own errors.
    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Called before bytes that may be patched later. A sink that can only patch what it still
    /// buffers must keep everything until the matching [`Patch::release`]. The writer calls both
    /// for each container of unknown length. Does nothing by default.
    #[inline]
    fn hold(&mut self) {}

    /// Ends what [`Patch::hold`] began. Does nothing by default.
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

/// Overwrites part of `buffer`. Positions come from [`Patch::position`], so they lie in `buffer`.
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
