//! [`Input`]: the bytes, and the position up to which they have been read.

use super::Refusal;

/// All bytes, and the offset of the next one to read.
#[derive(Clone, Debug)]
pub(super) struct Input<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The offsets at which reads ended.
    pub(super) cuts: Vec<usize>,
}

impl<'a> Input<'a> {
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns the next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Refusal> {
        if count > self.left() {
            return Err(Refusal("Truncated"));
        }
        let from = self.at;
        self.at += count;
        self.cuts.push(self.at);
        Ok(&self.bytes[from..self.at])
    }

    pub(super) fn word(&mut self) -> Result<u32, Refusal> {
        let raw = self.take(4)?;
        Ok(u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]))
    }

    pub(super) fn long(&mut self) -> Result<u64, Refusal> {
        let low = self.word()?;
        let high = self.word()?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }
}
