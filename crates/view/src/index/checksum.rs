//! The checksum of caches: fast, and against accidents only. Whoever wants to deceive it can.

/// The bits of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

const WORD: usize = 8;
const LANES: usize = 8;

/// One step: both halves of the product, so that every bit of a word changes bits all over the sum.
#[inline(always)]
const fn mix(sum: u64, word: u64) -> u64 {
    let product = (sum ^ word) as u128 * FACTOR as u128;
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn block(lanes: &mut [u64; LANES], block: &[u8]) {
    for (lane, raw) in lanes.iter_mut().zip(block.chunks_exact(WORD)) {
        let word = raw.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw));
        *lane = mix(*lane, word);
    }
}

/// Eight sums, each of every eighth little-endian word of 64 bits, the last block filled up with
/// zeros; then the sum of these sums, from the length on.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut lanes = [0, 1, 2, 3, 4, 5, 6, 7];
    let blocks = bytes.chunks_exact(WORD * LANES);
    let rest = blocks.remainder();
    blocks.for_each(|bytes| block(&mut lanes, bytes));
    let mut last = [0; WORD * LANES];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    block(&mut lanes, &last);
    lanes.into_iter().fold(bytes.len() as u64, mix)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_bit_and_every_length_counts() {
        let mut bytes = [0x5a; 200];
        let mut seen = alloc::collections::BTreeSet::new();
        for len in 0..bytes.len() {
            assert!(seen.insert(checksum(&bytes[..len])), "{len}");
        }
        for at in 0..bytes.len() * 8 {
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(seen.insert(checksum(&bytes)), "bit {at}");
            bytes[at / 8] ^= 1 << (at % 8);
        }
        // Two changes of upper bits, which the lower half of a product alone would take for none.
        for distance in [8, 16, 64, 128] {
            bytes[7] ^= 0x80;
            bytes[7 + distance] ^= 0x80;
            assert!(seen.insert(checksum(&bytes)), "{distance} bytes apart");
            bytes[7] ^= 0x80;
            bytes[7 + distance] ^= 0x80;
        }
    }

    /// Caches outlive the program that wrote them. The sums were made by another program, from the
    /// description of [`checksum`].
    #[test]
    fn sums_stay_as_they_are() {
        let bytes: [u8; 200] = core::array::from_fn(|n| (n * 7) as u8);
        for (len, sum) in [
            (0, 0xcda6_4ab9_d47c_f15e),
            (1, 0x3dc7_a72d_7113_360e),
            (8, 0x2247_de5b_0e8a_122d),
            (64, 0x05a8_0ef9_d5ef_54db),
            (65, 0x5b82_03a6_9329_499e),
            (200, 0x0b19_e826_e76f_2ef5),
        ] {
            assert_eq!(checksum(&bytes[..len]), sum, "{len}");
        }
    }
}
