//! Where bytes go: sinks that can patch a count, or hold back what is behind it until they can.

use alloc::vec::Vec;
use gdvar_write::Patch;

use crate::error::SinkError;

/// A sink that is told which counts are still to be patched.
pub(crate) trait Output: Patch<Error: SinkError> {
    /// From here on bytes may be patched, until [`Output::release`].
    fn hold(&self) {}

    /// The matching end.
    fn release(&self) {}
}

impl Output for Vec<u8> {}

#[cfg(feature = "std")]
pub(crate) use spill::Spill;

#[cfg(feature = "std")]
mod spill {
    use core::cell::Cell;
    use std::io::{self, Write};

    use alloc::vec::Vec;
    use gdvar_write::{Patch, Sink};

    use super::Output;

    /// How much is collected before the inner writer is called.
    const STAGE: usize = 64 * 1024;

    /// Collects bytes and hands them on, but for those behind a count that is not known yet.
    pub(crate) struct Spill<W> {
        inner: W,
        stage: Vec<u8>,
        /// Bytes handed on.
        drained: u64,
        /// Counts that are not known yet.
        held: Cell<u32>,
    }

    impl<W: Write> Spill<W> {
        pub(crate) fn new(inner: W) -> Spill<W> {
            Spill {
                inner,
                stage: Vec::new(),
                drained: 0,
                held: Cell::new(0),
            }
        }

        #[cold]
        #[inline(never)]
        fn drain(&mut self) -> io::Result<()> {
            if self.held.get() > 0 {
                return Ok(());
            }
            self.inner.write_all(&self.stage)?;
            self.drained += self.stage.len() as u64;
            self.stage.clear();
            Ok(())
        }
    }

    impl<W: Write> Sink for Spill<W> {
        type Error = io::Error;

        #[inline]
        fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.stage.extend_from_slice(bytes);
            if self.stage.len() >= STAGE {
                return self.drain();
            }
            Ok(())
        }

        #[inline]
        fn taken(&self) -> Option<u64> {
            Some(self.drained + self.stage.len() as u64)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.drain()?;
            self.inner.flush()
        }
    }

    impl<W: Write> Patch for Spill<W> {
        fn position(&self) -> u64 {
            self.drained + self.stage.len() as u64
        }

        fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
            // What may be patched was held back since then.
            let at = at.saturating_sub(self.drained);
            self.stage.patch(at, bytes).map_err(|never| match never {})
        }
    }

    impl<W: Write> Output for Spill<W> {
        fn hold(&self) {
            self.held.set(self.held.get() + 1);
        }

        fn release(&self) {
            self.held.set(self.held.get().saturating_sub(1));
        }
    }
}
