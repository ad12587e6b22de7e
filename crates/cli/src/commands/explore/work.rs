//! [`Work`]: limits how much is done before keys are handled again.

/// The work that may be done before keys are handled again, in bytes that are walked over.
#[derive(Debug)]
pub(crate) struct Work(pub(crate) usize);

impl Work {
    /// The amount that means no limit.
    pub(crate) const ALL: usize = usize::MAX;

    pub(crate) fn take(&mut self, work: usize) {
        if self.0 < Work::ALL {
            self.0 = self.0.saturating_sub(work);
        }
    }
}
