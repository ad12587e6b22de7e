//! [`Counts`]: how often each number was added, and the median.

use alloc::vec::Vec;

/// How often each number was added.
///
/// Adding a known number costs a binary search; adding the same number as last time costs one
/// comparison. Memory is proportional to the number of different numbers.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Each number and how often it was added, sorted by number.
    counts: Vec<(u64, u64)>,
    total: u64,
    /// The index in `counts` of the number that was added last.
    last: usize,
}

impl Counts {
    /// Adds a number once.
    pub fn add(&mut self, number: u64) {
        self.add_times(number, 1);
    }

    /// Adds all numbers of `other`, each as often as `other` has it.
    pub fn merge(&mut self, other: &Counts) {
        for (number, times) in &other.counts {
            self.add_times(*number, *times);
        }
    }

    fn add_times(&mut self, number: u64, times: u64) {
        self.total += times;
        match self.counts.get_mut(self.last) {
            Some((last, count)) if *last == number => {
                *count += times;
                return;
            }
            _ => {}
        }
        let place = self.counts.partition_point(|(known, _)| *known < number);
        self.last = place;
        match self.counts.get_mut(place) {
            Some((known, count)) if *known == number => *count += times,
            _ => self.counts.insert(place, (number, times)),
        }
    }

    /// How many times numbers were added.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The median of all added numbers. If there are two numbers in the middle, the greater one.
    /// `None` if no number was added.
    #[must_use]
    pub fn median(&self) -> Option<u64> {
        let mut left = self.total / 2;
        for (number, times) in &self.counts {
            match left.checked_sub(*times) {
                Some(rest) => left = rest,
                None => return Some(*number),
            }
        }
        None
    }

    /// How many of the added numbers are greater than `limit`.
    #[must_use]
    pub fn above(&self, limit: u64) -> u64 {
        let first = self.counts.partition_point(|(known, _)| *known <= limit);
        let above = self.counts.get(first..).unwrap_or_default();
        above.iter().map(|(_, times)| times).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_in_any_order() {
        let mut counts = Counts::default();
        assert_eq!((counts.median(), counts.above(0)), (None, 0));
        for number in [5, 5, 1, 9, 5, 9, 3] {
            counts.add(number);
        }
        assert_eq!((counts.total(), counts.median()), (7, Some(5)));
        assert_eq!(
            (counts.above(5), counts.above(4), counts.above(9)),
            (2, 5, 0)
        );
        let mut other = Counts::default();
        (0..8).for_each(|_| other.add(9));
        counts.merge(&other);
        assert_eq!((counts.total(), counts.median()), (15, Some(9)));
    }
}
