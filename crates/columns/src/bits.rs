//! [`Bits`]: a growable bitmap.

/// A bitmap in Arrow's layout: bit 0 is the lowest bit of the first byte.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    len: usize,
    ones: usize,
}

impl Bits {
    /// Returns the number of bits.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no bits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of bits that are not set.
    #[must_use]
    pub const fn zeros(&self) -> usize {
        self.len - self.ones
    }

    /// Returns bit `at`, or `false` after the end.
    #[must_use]
    pub fn get(&self, at: usize) -> bool {
        let byte = self.bytes.get(at / 8).copied().unwrap_or(0);
        at < self.len && byte >> (at % 8) & 1 == 1
    }

    /// Returns the bytes. The bits after the last one are 0.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Consumes the bitmap and returns its bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    #[inline]
    pub(crate) fn push(&mut self, bit: bool) {
        let at = self.len % 8;
        match self.bytes.last_mut() {
            Some(last) if at != 0 => *last |= u8::from(bit) << at,
            _ => self.bytes.push(u8::from(bit)),
        }
        self.len += 1;
        self.ones += usize::from(bit);
    }

    pub(crate) fn push_ones(&mut self, mut count: usize) {
        while count > 0 && self.len % 8 != 0 {
            self.push(true);
            count -= 1;
        }
        self.bytes.resize(self.bytes.len() + count / 8, 0xff);
        self.len += count / 8 * 8;
        self.ones += count / 8 * 8;
        for _ in 0..count % 8 {
            self.push(true);
        }
    }

    /// Removes everything after the first `len` bits.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.len > len {
            self.len -= 1;
            self.ones -= usize::from(self.get_raw(self.len));
            if self.len % 8 == 0 {
                self.bytes.pop();
            } else if let Some(last) = self.bytes.last_mut() {
                *last &= (1 << (self.len % 8)) - 1;
            }
        }
    }

    fn get_raw(&self, at: usize) -> bool {
        self.bytes
            .get(at / 8)
            .is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn bits_lie_as_arrow_has_them() {
        let mut bits = Bits::default();
        let wanted: Vec<bool> = (0..21).map(|n| n % 3 == 0).collect();
        wanted.iter().for_each(|&bit| bits.push(bit));
        assert_eq!(bits.as_bytes(), [0b0100_1001, 0b1001_0010, 0b0000_0100]);
        assert_eq!((bits.len(), bits.zeros()), (21, 14));
        bits.push_ones(12);
        assert_eq!(
            bits.as_bytes(),
            [0b0100_1001, 0b1001_0010, 0b1110_0100, 0xff, 1]
        );
        bits.truncate(10);
        assert_eq!(bits.as_bytes(), [0b0100_1001, 0b10]);
        assert_eq!((bits.len(), bits.zeros()), (10, 6));
        assert!(bits.get(9) && !bits.get(10));
    }
}
