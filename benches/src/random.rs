//! A small generator of random numbers, so that workloads never change with a dependency.

/// Xorshift64*, seeded.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A sequence of its own for every seed but 0.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// A number from `from` to `to`, both included.
    pub(crate) fn between(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1) as usize) as i64
    }

    /// True one time in `n`.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of them.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A coordinate: a multiple of 1/8 between -4096 and 4096, so that every format, decimal text
    /// included, carries it without loss.
    pub(crate) fn coordinate(&mut self) -> f32 {
        self.between(-32_768, 32_768) as f32 / 8.0
    }

    /// Words of text, `chars` characters in all. With `accents` at least one is not ASCII. Never
    /// more than 127 bytes, and nothing that JSON would escape.
    pub(crate) fn text(&mut self, chars: usize, accents: bool) -> String {
        const WIDE: [char; 8] = ['é', 'ö', 'ß', 'ñ', 'ж', 'я', '世', '界'];
        let mut text = String::new();
        let mut word = 0;
        for n in 0..chars {
            let wide = accents && (n == chars / 2 || self.one_in(8));
            text.push(if wide && text.len() + (chars - n) < 124 {
                *self.pick(&WIDE)
            } else if word > 3 && self.one_in(5) {
                word = 0;
                ' '
            } else {
                word += 1;
                char::from(b'a' + self.below(26) as u8)
            });
        }
        text
    }
}
