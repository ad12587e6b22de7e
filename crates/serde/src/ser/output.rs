//! `Spill`: a sink that can write a count later, because it holds back the bytes after the count.

use core::error::Error;

use gdvar_write::Patch;

/// A sink whose errors can be stored in an [`Error`](crate::Error).
pub(crate) trait Output: Patch<Error: Error + Send + Sync + 'static> {}

impl<S: Patch<Error: Error + Send + Sync + 'static>> Output for S {}

#[cfg(feature = "std")]
pub(crate) use spill::Spill;

#[cfg(feature = "std")]
mod spill {
    use std::io::{self, Write};

    use gdvar_write::{Patch, SHORT, Sink};
    use smallvec::SmallVec;

    /// The size in bytes of the first buffer. The buffer is zeroed, so it is small, but large
    /// enough for a packet.
    const NEAR: usize = 384;

    /// The number of bytes that are collected after the first buffer before the inner writer is
    /// called. This buffer is not initialised, so its size costs nothing.
    const FAR: usize = 16 * 1024;

    /// Collects bytes and passes them to a writer, except those after a count that is not known
    /// yet. Allocates only if these bytes exceed its buffers.
    pub(crate) struct Spill<W> {
        inner: W,
        /// The newest bytes. The first `at` bytes of the buffer are used.
        near: [u8; NEAR],
        at: usize,
        /// The bytes before those in `near`.
        far: SmallVec<[u8; FAR]>,
        /// The number of bytes that were passed to the writer.
        drained: u64,
        /// The number of counts that are not known yet.
        held: u32,
    }

    impl<W: Write> Spill<W> {
        #[inline(always)]
        pub(crate) fn new(inner: W) -> Spill<W> {
            Spill {
                inner,
                near: [0; NEAR],
                at: 0,
                far: SmallVec::new(),
                drained: 0,
                held: 0,
            }
        }

        /// Appends the first `keep` bytes of `bytes`, which must be shorter than [`NEAR`].
        #[inline(always)]
        fn collect(&mut self, bytes: &[u8], keep: usize) -> io::Result<()> {
            // In this form the compiler needs no bounds check.
            let start = match self.at {
                at if at <= NEAR - bytes.len() => at,
                _ => {
                    self.put_away(FAR)?;
                    0
                }
            };
            self.near[start..start + bytes.len()].copy_from_slice(bytes);
            self.at = start + keep;
            Ok(())
        }

        /// Empties `near`. If at least `most` bytes are collected and no count is unknown, also
        /// passes them to the writer.
        #[cold]
        #[inline(never)]
        fn put_away(&mut self, most: usize) -> io::Result<()> {
            let near = self.near.get(..self.at).unwrap_or_default();
            if self.held == 0 && self.far.len() + near.len() >= most {
                if !self.far.is_empty() {
                    self.inner.write_all(&self.far)?;
                }
                self.inner.write_all(near)?;
                self.drained += (self.far.len() + near.len()) as u64;
                self.far.clear();
            } else {
                self.far.extend_from_slice(near);
            }
            self.at = 0;
            Ok(())
        }

        #[cold]
        #[inline(never)]
        fn put_large(&mut self, bytes: &[u8]) -> io::Result<()> {
            if self.held == 0 && self.far.len() + self.at + bytes.len() >= FAR {
                self.put_away(0)?;
                self.inner.write_all(bytes)?;
                self.drained += bytes.len() as u64;
                return Ok(());
            }
            self.put_away(usize::MAX)?;
            self.far.extend_from_slice(bytes);
            Ok(())
        }
    }

    impl<W: Write> Sink for Spill<W> {
        type Error = io::Error;

        #[inline(always)]
        fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
            if bytes.len() > NEAR {
                return self.put_large(bytes);
            }
            self.collect(bytes, bytes.len())
        }

        #[inline(always)]
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
            Some(self.drained + (self.far.len() + self.at) as u64)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.put_away(0)?;
            self.inner.flush()
        }
    }

    impl<W: Write> Patch for Spill<W> {
        fn position(&self) -> u64 {
            self.drained + (self.far.len() + self.at) as u64
        }

        fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
            // `hold` was called before the count was written, so the bytes are still here. A count
            // is never split between `far` and `near`.
            let at = at.saturating_sub(self.drained) as usize;
            let place = match at.checked_sub(self.far.len()) {
                Some(at) => self.near.get_mut(at..),
                None => self.far.get_mut(at..),
            };
            if let Some(place) = place.and_then(|place| place.get_mut(..bytes.len())) {
                place.copy_from_slice(bytes);
            }
            Ok(())
        }

        fn hold(&mut self) {
            self.held += 1;
        }

        fn release(&mut self) {
            self.held = self.held.saturating_sub(1);
        }
    }
}
