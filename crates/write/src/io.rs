//! Sinks over `std::io`.

use std::{
    io::{self, Seek, SeekFrom, Write},
    vec::Vec,
};

use crate::{Patch, Sink};

/// How much is collected before the inner writer is called.
const STAGE: usize = 8 * 1024;

/// Writes to any [`Write`]: a file, a socket, a compressor.
///
/// Small pieces are collected in 8 KiB, allocated once; what is larger than that, such as the
/// payload of a big packed array, goes to the inner writer without being copied. So there is no
/// need for a `BufWriter` around it. What is collected goes out at
/// [`Writer::finish`](crate::Writer::finish) or [`Sink::flush`]; a sink that is merely dropped
/// loses it, as the value was not whole anyway.
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
#[derive(Debug)]
pub struct IoSink<W> {
    inner: W,
    stage: Vec<u8>,
}

impl<W: Write> IoSink<W> {
    /// Writes to `inner`.
    pub fn new(inner: W) -> IoSink<W> {
        IoSink {
            inner,
            stage: Vec::with_capacity(STAGE),
        }
    }

    /// The inner writer. It may not have all bytes yet.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Hands on what is collected and returns the inner writer.
    ///
    /// # Errors
    ///
    /// What the inner writer reports. After a successful
    /// [`Writer::finish`](crate::Writer::finish) nothing is left to write.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.drain()?;
        Ok(self.inner)
    }

    fn drain(&mut self) -> io::Result<()> {
        if !self.stage.is_empty() {
            self.inner.write_all(&self.stage)?;
            self.stage.clear();
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn put_slow(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.drain()?;
        if bytes.len() >= STAGE {
            return self.inner.write_all(bytes);
        }
        self.stage.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn has_room(&self, len: usize) -> bool {
        len <= STAGE - self.stage.len()
    }
}

impl<W: Write> Sink for IoSink<W> {
    type Error = io::Error;

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.has_room(bytes.len()) {
            self.stage.extend_from_slice(bytes);
            return Ok(());
        }
        self.put_slow(bytes)
    }

    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> io::Result<()> {
        if self.has_room(head.len() + body.len() + 4) {
            self.stage.extend_from_slice(head);
            self.stage.extend_from_slice(body);
            let len = self.stage.len() + zeros;
            self.stage.extend_from_slice(&[0; 4]);
            self.stage.truncate(len);
            return Ok(());
        }
        self.put(head)?;
        self.put(body)?;
        self.put(&[0; 4][..zeros])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()?;
        self.inner.flush()
    }
}

/// An [`IoSink`] for writers that can also seek, so that containers of unknown length can be
/// written: their counts are patched when they are known.
///
/// A count still among the collected 8 KiB is patched there. For others the sink writes them
/// out, seeks back and forth: fine once per file, slow once per row. The inner writer must not be
/// in append mode.
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
    /// Where the next byte goes in the inner writer.
    position: u64,
}

impl<W: Write + Seek> SeekSink<W> {
    /// Writes to `inner` from where it stands.
    ///
    /// # Errors
    ///
    /// If the inner writer cannot tell where it stands.
    pub fn new(mut inner: W) -> io::Result<SeekSink<W>> {
        let position = inner.stream_position()?;
        Ok(SeekSink {
            out: IoSink::new(inner),
            position,
        })
    }

    /// Hands on what is collected and returns the inner writer.
    ///
    /// # Errors
    ///
    /// As [`IoSink::into_inner`].
    pub fn into_inner(self) -> io::Result<W> {
        self.out.into_inner()
    }
}

impl<W: Write + Seek> Sink for SeekSink<W> {
    type Error = io::Error;

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.put(bytes)?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    #[inline]
    fn put_run(&mut self, head: &[u8], body: &[u8], zeros: usize) -> io::Result<()> {
        self.out.put_run(head, body, zeros)?;
        self.position += (head.len() + body.len() + zeros) as u64;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write + Seek> Patch for SeekSink<W> {
    #[inline]
    fn position(&self) -> u64 {
        self.position
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let stage_start = self.position - self.out.stage.len() as u64;
        if let Some(offset) = at.checked_sub(stage_start) {
            // Less than 8 KiB, as `at` is before `position`.
            let staged = self.out.stage.get_mut(offset as usize..);
            if let Some(place) = staged.and_then(|s| s.get_mut(..bytes.len())) {
                place.copy_from_slice(bytes);
                return Ok(());
            }
        }
        self.out.drain()?;
        self.out.inner.seek(SeekFrom::Start(at))?;
        self.out.inner.write_all(bytes)?;
        self.out.inner.seek(SeekFrom::Start(self.position))?;
        Ok(())
    }
}
