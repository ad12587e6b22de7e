//! [`Counts`]: how often each number came, and their median.

use alloc::vec::Vec;

/// How often each number came.
///
/// A number that came before costs a search among the different ones, and the same as last time only a
/// comparison. Memory is in proportion to the different numbers.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Each number and how often it came, by number.
    counts: Vec<(u64, u64)>,
    total: u64,
    /// The index of the last number.
    last: usize,
}

impl Counts {
    /// Counts a number.
    pub fn add(&mut self, number: u64) {
        self.add_times(number, 1);
    }

    /// Counts all numbers of `other`, too.
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

    /// How many numbers came.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The median, the greater one of two. `None` if no number came.
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

    /// How many numbers are greater than `limit`.
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
