//! Equal numbers in every run.

use gdvar::write::wire::narrow;

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Random(pub(super) u64);

const EDGES_32: [u32; 14] = [
    0x0000_0000,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x0080_0000,
    0x007f_ffff,
    0x8000_0001,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc1_2345,
    0x7fa0_0001,
];

const EDGES_64: [u64; 16] = [
    0x0000_0000_0000_0000,
    0x8000_0000_0000_0000,
    0x0000_0000_0000_0001,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_1234_5678_9abc,
    0x7ff0_0000_0000_0001,
    // The largest that rounds to a finite f32, the smallest that does not, an f32 subnormal, and
    // half of the smallest.
    0x47ef_ffff_efff_ffff,
    0x47ef_ffff_f000_0000,
    0x36a0_0000_0000_0000,
    0x3690_0000_0000_0000,
    0x4170_0000_1000_0000,
];

const EDGES_INT: [i64; 14] = [
    0,
    1,
    -1,
    127,
    255,
    65_536,
    i32::MAX as i64,
    i32::MIN as i64,
    i32::MAX as i64 + 1,
    i32::MIN as i64 - 1,
    u32::MAX as i64,
    u32::MAX as i64 + 1,
    i64::MAX,
    i64::MIN,
];

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(super) fn int(&mut self) -> i64 {
        match self.below(3) {
            0 => self.pick(&EDGES_INT),
            1 => self.below(2000) as i64 - 1000,
            // Every magnitude is as likely as the others.
            _ => {
                let shift = self.below(64);
                self.next() as i64 >> shift
            }
        }
    }

    pub(super) fn int_32(&mut self) -> i32 {
        self.int() as i32
    }

    pub(super) fn double(&mut self) -> f64 {
        match self.below(5) {
            0 => f64::from_bits(self.pick(&EDGES_64)),
            1 => f64::from_bits(self.next()),
            2 => self.below(2000) as f64 - 1000.0,
            3 => self.below(100_000) as f64 / 1000.0,
            _ => f64::from(f32::from_bits(self.next() as u32)),
        }
    }

    pub(super) fn single(&mut self) -> f32 {
        match self.below(4) {
            0 => f32::from_bits(self.pick(&EDGES_32)),
            1 => f32::from_bits(self.next() as u32),
            2 => self.below(2000) as f32 - 1000.0,
            _ => narrow(self.below(100_000) as f64 / 1000.0),
        }
    }

    /// A number of elements: mostly few, now and then none or many.
    pub(super) fn len(&mut self) -> usize {
        match self.below(24) {
            0 => 17 + self.below(60),
            1..4 => 0,
            _ => 1 + self.below(6),
        }
    }

    fn code(&mut self) -> char {
        let (from, to) = match self.below(12) {
            0 => (0x1, 0x1f),
            1 => (0x7f, 0xff),
            2 => (0x100, 0x7ff),
            3 => (0x4e00, 0x9fff),
            4 => (0xe000, 0xffff),
            5 => (0x1_0000, 0x10_ffff),
            6 => (0x1_f300, 0x1_f64f),
            _ => (0x20, 0x7e),
        };
        let code = from + self.below((to - from + 1) as usize) as u32;
        char::from_u32(code).unwrap_or('\u{fffd}')
    }

    /// Text of any length modulo 4, in and outside ASCII. It does not begin with a byte order
    /// mark, which readers drop.
    pub(super) fn text(&mut self) -> String {
        let len = self.len();
        let text: String = (0..len).map(|_| self.code()).collect();
        text.trim_start_matches('\u{feff}').to_owned()
    }

    /// Codes as Godot 3 may have them: also surrogates, and numbers that are no code points.
    pub(super) fn wide_codes(&mut self) -> Vec<u32> {
        let len = 1 + self.below(6);
        (0..len)
            .map(|_| match self.below(4) {
                0 => 0xd800 + self.below(0x800) as u32,
                1 => 0x11_0000 + self.below(0x7fff_ffff - 0x11_0000) as u32,
                _ => self.code() as u32,
            })
            .skip_while(|&code| code == 0xfeff)
            .collect()
    }
}

/// Codes in the mechanical UTF-8 of Godot 3: up to six bytes.
pub(super) fn wide_bytes(codes: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    for &code in codes {
        let more = match code {
            0..0x80 => {
                out.push(code as u8);
                continue;
            }
            0x80..0x800 => 1,
            0x800..0x1_0000 => 2,
            0x1_0000..0x20_0000 => 3,
            0x20_0000..0x400_0000 => 4,
            _ => 5,
        };
        // As many ones as bytes, and a zero.
        let mark = !(0x7f_u8 >> more);
        out.push(mark | (code >> (6 * more)) as u8);
        out.extend(
            (0..more)
                .rev()
                .map(|n| 0x80 | ((code >> (6 * n)) as u8 & 0x3f)),
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_bytes_are_utf_8_where_that_says_so() {
        for code in ['a', 'é', '€', '😀', '\u{10ffff}', '\u{800}'] {
            let mut buffer = [0; 4];
            let utf_8 = code.encode_utf8(&mut buffer).as_bytes();
            assert_eq!(wide_bytes(&[code as u32]), utf_8);
        }
        assert_eq!(wide_bytes(&[0xd800]), [0xed, 0xa0, 0x80]);
        assert_eq!(
            wide_bytes(&[0x7fff_ffff]),
            [0xfd, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]
        );
    }
}
