//! How much may be done before keys are handled again.

/// How much may be walked over before keys are handled again: about a number of bytes.
#[derive(Debug)]
pub(crate) struct Work(pub(crate) usize);

impl Work {
    /// Work without limit.
    pub(crate) const ALL: usize = usize::MAX;

    pub(crate) fn take(&mut self, work: usize) {
        if self.0 < Work::ALL {
            self.0 = self.0.saturating_sub(work);
        }
    }
}
