//! [`Window`]: which of the last reliable commands were received.

/// How far back numbers are remembered.
const SPAN: u16 = 1024;

/// Which of the last 1024 numbers of a channel were received. Distinguishes repeated commands from
/// new ones. A window takes 136 bytes and allocates nothing. Insertion is O(1).
#[derive(Clone, Debug, Default)]
pub struct Window {
    newest: Option<u16>,
    seen: [u64; SPAN as usize / 64],
}

impl Window {
    /// Adds `number`. Returns `true` if `number` was not received before. A number that is 1024 or
    /// more before the newest number counts as received.
    pub fn insert(&mut self, number: u16) -> bool {
        let Some(newest) = self.newest else {
            self.newest = Some(number);
            self.set(number);
            return true;
        };
        let ahead = number.wrapping_sub(newest);
        if ahead != 0 && ahead < 0x8000 {
            if ahead >= SPAN {
                self.seen = Default::default();
            } else {
                (1..=ahead).for_each(|n| self.clear(newest.wrapping_add(n)));
            }
            self.newest = Some(number);
            self.set(number);
            return true;
        }
        if newest.wrapping_sub(number) >= SPAN || self.has(number) {
            return false;
        }
        self.set(number);
        true
    }

    fn place(number: u16) -> (usize, u64) {
        let at = number % SPAN;
        (usize::from(at / 64), 1 << (at % 64))
    }

    fn set(&mut self, number: u16) {
        let (word, bit) = Window::place(number);
        self.seen[word] |= bit;
    }

    fn clear(&mut self, number: u16) {
        let (word, bit) = Window::place(number);
        self.seen[word] &= !bit;
    }

    fn has(&self, number: u16) -> bool {
        let (word, bit) = Window::place(number);
        self.seen[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn repeated_numbers_are_recognized() {
        let mut window = Window::default();
        assert!(window.insert(65_534));
        assert!(window.insert(65_535));
        assert!(window.insert(1), "one is missing between");
        assert!(window.insert(0), "and arrives late");
        for known in [65_534, 65_535, 0, 1] {
            assert!(!window.insert(known), "{known}");
        }
        assert!(window.insert(1025), "the window moves on");
        assert!(!window.insert(1), "further back than it reaches");
        assert!(window.insert(2), "just inside, and never seen");
        assert!(window.insert(20_000), "further ahead than it reaches");
        assert!(window.insert(19_500), "and everything before it is new");
    }
}
