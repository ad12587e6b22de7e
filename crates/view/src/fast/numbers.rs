//! Runs of values with the same header and a fixed size, as in long arrays of numbers. Only headers are
//! compared, in blocks, because every payload is valid.

/// Counts how many values of `size` bytes with the header `word` follow each other from `at` on. Counts up to
/// `left`.
#[inline(never)]
pub(crate) fn run(bytes: &[u8], at: usize, word: u32, size: usize, left: u32) -> u32 {
    let longest = (left as usize).saturating_mul(size);
    let bytes = bytes.get(at..).unwrap_or_default();
    let bytes = bytes.get(..longest).unwrap_or(bytes);
    // The count is at most `left`, so it fits a `u32`.
    let count = match size {
        8 => blocks::<8>(bytes, word),
        12 => blocks::<12>(bytes, word),
        16 => blocks::<16>(bytes, word),
        _ => singles(bytes, word, size),
    };
    count as u32
}

/// Returns the bits in which the first word of `value` differs from `word`. Not zero if `value` has no word.
#[inline(always)]
fn difference(value: &[u8], word: u32) -> u32 {
    let head = value
        .first_chunk()
        .map_or(!word, |raw| u32::from_le_bytes(*raw));
    head ^ word
}

/// Counts in large blocks while they fit, then in small blocks, then value by value.
#[inline(always)]
fn blocks<const SIZE: usize>(bytes: &[u8], word: u32) -> usize {
    let mut passed = equal_blocks::<SIZE, 64>(bytes, word);
    let rest = |passed: usize| bytes.get(passed * SIZE..).unwrap_or_default();
    passed += equal_blocks::<SIZE, 16>(rest(passed), word);
    passed + singles(rest(passed), word, SIZE)
}

/// Counts the values in the leading blocks of `BLOCK` values whose headers are all equal to `word`.
#[inline(always)]
fn equal_blocks<const SIZE: usize, const BLOCK: usize>(bytes: &[u8], word: u32) -> usize {
    let equal = bytes.chunks_exact(BLOCK * SIZE).take_while(|block| {
        let values = block.chunks_exact(SIZE);
        if SIZE == 8 {
            // The loop loads whole values and drops the payloads at the end, so the compiler needs no
            // shuffles inside of it.
            let differences = values.map(|value| match value.first_chunk() {
                Some(raw) => u64::from_le_bytes(*raw) ^ u64::from(word),
                None => u64::MAX,
            });
            return differences.fold(0, |all, next| all | next) as u32 == 0;
        }
        values.fold(0, |all, value| all | difference(value, word)) == 0
    });
    equal.count() * BLOCK
}

/// Counts value by value.
#[inline(always)]
fn singles(bytes: &[u8], word: u32, size: usize) -> usize {
    let values = bytes.chunks_exact(size.max(4));
    values
        .take_while(|value| difference(value, word) == 0)
        .count()
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::run;

    #[test]
    fn a_run_ends_at_the_first_other_header_and_at_the_end_of_the_bytes() {
        for size in [4, 8, 12, 16, 20, 36] {
            for other in 0..150 {
                let mut bytes = [0xff; 150 * 36];
                for value in bytes.chunks_exact_mut(size).take(150) {
                    value[..4].copy_from_slice(&[9, 0, 1, 0]);
                }
                let bytes = &mut bytes[..150 * size];
                bytes[other * size + 2] = 0;
                assert_eq!(run(bytes, 0, 0x1_0009, size, 150), other as u32);
                assert_eq!(
                    run(bytes, size, 0x1_0009, size, 3),
                    3.min(other.wrapping_sub(1) as u32)
                );
                let short = &bytes[..(other * size).max(1) - 1];
                assert_eq!(
                    run(short, 0, 0x1_0009, size, 150),
                    other.saturating_sub(1) as u32
                );
            }
        }
    }

    #[test]
    fn headers_without_common_bits_differ() {
        for size in [8, 12, 16] {
            let mut value = [0; 16];
            value[0] = 2;
            let bytes = value[..size].repeat(130);
            assert_eq!(run(&bytes, 0, 1, size, 130), 0);
            assert_eq!(run(&bytes, 0, 2, size, 130), 130);
        }
    }

    #[test]
    fn words_inside_of_values_are_not_taken_for_headers() {
        // Values that alternate between two bytes, so that many places look like a header.
        for size in [8, 12, 16] {
            let value = [1, 0].repeat(size / 2);
            for count in [16, 17, 32, 63, 64, 65, 79, 80, 128, 147] {
                let bytes = value.repeat(count);
                assert_eq!(run(&bytes, 0, 0x1_0001, size, u32::MAX), count as u32);
            }
        }
    }
}
