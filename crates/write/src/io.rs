//! Sinks that pass the bytes on to a writer of `std::io`.

use std::{
    boxed::Box,
    fmt,
    io::{self, Seek, SeekFrom, Write},
};

use crate::sink::{Patch, SHORT, Sink};

/// How many bytes are collected before the inner writer is called.
const STAGE: usize = 8 * 1024;

/// Writes to any [`Write`]: a file, a socket, a compressor.
///
/// Short writes are collected in 8 KiB, allocated once. Longer ones, such as the payload of a big
/// packed array, go to the inner writer without a copy, so the inner writer needs no `BufWriter`.
/// [`Writer::finish`](crate::Writer::finish) and [`Sink::flush`] pass on the collected bytes.
/// Dropping the sink loses these bytes; the value is incomplete then anyway.
///
/// ```
/// use gdvar_write::{IoSink, Target, Writer};
///
/// # fn main() -> std::io::Result<()> {
/// # let file = Vec::new();
/// let mut writer = Writer::new(IoSink::new(file), Target::GODOT_4);
/// writer.string("Hello")?;
/// let file = writer.finish()?.into_inner()?;
/// assert_eq!(file.len(), 16);
/// # Ok(())
/// # }
/// ```
pub struct IoSink<W> {
    inner: W,
    stage: Box<[u8; STAGE]>,
    /// The number of collected bytes, from the start of `stage`.
    used: usize,
    /// The number of bytes that the inner writer got.
    drained: u64,
}

impl<W: Write> IoSink<W> {
    /// Creates a sink that writes to `inner`.
    pub fn new(inner: W) -> IoSink<W> {
        IoSink {
            inner,
            stage: Box::new([0; STAGE]),
            used: 0,
            drained: 0,
        }
    }

    /// Returns the inner writer, which may not have all bytes yet.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Passes on the collected bytes and returns the inner writer.
    ///
    /// # Errors
    ///
    /// Returns the inner writer's error. After a successful
    /// [`Writer::finish`](crate::Writer::finish) nothing is left to write.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.drain()?;
        Ok(self.inner)
    }

    /// Passes on the collected bytes. After an error, those that the inner writer did not take stay, so that
    /// a later call goes on after the last byte that it took.
    #[cold]
    #[inline(never)]
    fn drain(&mut self) -> io::Result<()> {
        let mut taken = 0;
        let result = loop {
            let rest = &self.stage[taken..self.used];
            if rest.is_empty() {
                break Ok(());
            }
            match self.inner.write(rest) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(len) => taken += len.min(rest.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.stage.copy_within(taken..self.used, 0);
        self.used -= taken;
        self.drained += taken as u64;
        result
    }

    #[cold]
    #[inline(never)]
    fn put_large(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.drain()?;
        self.inner.write_all(bytes)?;
        self.drained += bytes.len() as u64;
        Ok(())
    }

    /// Collects the first `keep` bytes of `bytes`, which is shorter than the stage.
    #[inline(always)]
    fn collect(&mut self, bytes: &[u8], keep: usize) -> io::Result<()> {
        // Written this way, it needs no bounds check, and no call that would force the bytes into
        // memory.
        let start = match self.used {
            used if used <= STAGE - bytes.len() => used,
            _ => {
                self.drain()?;
                0
            }
        };
        self.stage[start..start + bytes.len()].copy_from_slice(bytes);
        self.used = start + keep;
        Ok(())
    }
}

impl<W: Write> Sink for IoSink<W> {
    type Error = io::Error;

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() >= STAGE {
            return self.put_large(bytes);
        }
        self.collect(bytes, bytes.len())
    }

    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> io::Result<()> {
        self.put(head)?;
        self.put(body)?;
        self.collect(&[0; 4], zeros)
    }

    #[inline(always)]
    fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> io::Result<()> {
        let [a, b, c, d] = words.map(u64::to_le_bytes);
        if len <= 16 {
            return self.collect([a, b].as_flattened(), len);
        }
        if len <= 24 {
            return self.collect([a, b, c].as_flattened(), len);
        }
        self.collect([a, b, c, d].as_flattened(), len)
    }

    #[inline(always)]
    fn taken(&self) -> Option<u64> {
        Some(self.drained + self.used as u64)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()?;
        self.inner.flush()
    }
}

impl<W: fmt::Debug> fmt::Debug for IoSink<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IoSink")
            .field("inner", &self.inner)
            .field("collected", &self.used)
            .finish_non_exhaustive()
    }
}

/// An [`IoSink`] for writers that can also seek. It takes containers of unknown length, because it
/// can patch their counts.
///
/// A count that is still among the collected 8 KiB is patched there. For any other count, the sink
/// writes out the collected bytes and seeks back and forth, which is cheap once per file and slow
/// once per row. The inner writer must not be in append mode.
///
/// ```
/// use gdvar_write::{SeekSink, Target, Writer};
/// use std::io::Cursor;
///
/// # fn main() -> std::io::Result<()> {
/// let mut writer = Writer::new(SeekSink::new(Cursor::new(Vec::new()))?, Target::GODOT_4);
/// let mut list = writer.root().growing_array()?;
/// for n in 1..=3 {
///     list.push().int(n)?;
/// }
/// list.end()?;
/// let bytes = writer.finish()?.into_inner()?.into_inner();
/// assert_eq!(bytes[4], 3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SeekSink<W> {
    out: IoSink<W>,
    /// The inner writer's position when the sink was created.
    start: u64,
}

impl<W: Write + Seek> SeekSink<W> {
    /// Creates a sink that writes to `inner` from its current position on.
    ///
    /// # Errors
    ///
    /// Returns the inner writer's error if it cannot tell its position.
    pub fn new(mut inner: W) -> io::Result<SeekSink<W>> {
        let start = inner.stream_position()?;
        Ok(SeekSink {
            out: IoSink::new(inner),
            start,
        })
    }

    /// Passes on the collected bytes and returns the inner writer.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`IoSink::into_inner`].
    pub fn into_inner(self) -> io::Result<W> {
        self.out.into_inner()
    }
}

impl<W: Write + Seek> Sink for SeekSink<W> {
    type Error = io::Error;

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.put(bytes)
    }

    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> io::Result<()> {
        self.out.put_run(head, body, zeros)
    }

    #[inline(always)]
    fn put_short(&mut self, words: [u64; SHORT / 8], len: usize) -> io::Result<()> {
        self.out.put_short(words, len)
    }

    #[inline(always)]
    fn taken(&self) -> Option<u64> {
        self.out.taken()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write + Seek> Patch for SeekSink<W> {
    #[inline]
    fn position(&self) -> u64 {
        self.start + self.out.drained + self.out.used as u64
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let position = self.position();
        let stage_start = position - self.out.used as u64;
        if let Some(offset) = at.checked_sub(stage_start) {
            // Shorter than 8 KiB, because `at` is before `position`.
            let staged = self.out.stage[..self.out.used].get_mut(offset as usize..);
            if let Some(place) = staged.and_then(|s| s.get_mut(..bytes.len())) {
                place.copy_from_slice(bytes);
                return Ok(());
            }
        }
        self.out.drain()?;
        self.out.inner.seek(SeekFrom::Start(at))?;
        self.out.inner.write_all(bytes)?;
        self.out.inner.seek(SeekFrom::Start(position))?;
        Ok(())
    }
}
