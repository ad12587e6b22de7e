//! The engines' own sorting algorithm.
//!
//! `var_to_str` sorts dictionary keys with a comparison that is not an order. Values of one type
//! without an order are neither less nor greater than each other, a NaN is neither less nor greater
//! than anything, and in Godot 3 most pairs of arrays are each less than the other. The result then
//! depends on the sorting algorithm, so this is the engines' algorithm: an introsort with median of
//! three, insertion sort for parts of up to 16, and heap sort if the depth is exceeded.

/// Parts of up to this size are sorted by the insertion sort at the end.
const SMALL: usize = 16;

/// Sorts as the engines do. Always terminates and leaves a permutation of `items`, even if `less`
/// is inconsistent.
pub(crate) fn engine_sort<T: Copy>(items: &mut [T], mut less: impl FnMut(&T, &T) -> bool) {
    if items.len() < 2 {
        return;
    }
    let depth = 2 * items.len().ilog2();
    let mut sorter = Sorter {
        items,
        less: &mut less,
    };
    // The parts do not overlap, so they can be sorted in any order.
    let mut parts = vec![(0, sorter.items.len(), depth)];
    while let Some((first, mut last, mut depth)) = parts.pop() {
        while last - first > SMALL {
            if depth == 0 {
                sorter.heap_sort(first, last);
                break;
            }
            depth -= 1;
            let cut = sorter.partition(first, last);
            parts.push((cut, last, depth));
            last = cut;
        }
    }
    let len = sorter.items.len();
    let head = len.min(SMALL);
    for at in 1..head {
        sorter.insert(at);
    }
    for at in head..len {
        sorter.insert_unguarded(at);
    }
}

struct Sorter<'i, T, F> {
    items: &'i mut [T],
    less: F,
}

impl<T: Copy, F: FnMut(&T, &T) -> bool> Sorter<'_, T, F> {
    fn median(&mut self, a: T, b: T, c: T) -> T {
        let less = &mut self.less;
        if less(&a, &b) {
            if less(&b, &c) {
                b
            } else if less(&a, &c) {
                c
            } else {
                a
            }
        } else if less(&a, &c) {
            a
        } else if less(&b, &c) {
            c
        } else {
            b
        }
    }

    /// Splits a part at a pivot. If the comparison is inconsistent, the scan stops at the ends of
    /// the part, as in the engine's debug builds.
    fn partition(&mut self, first: usize, last: usize) -> usize {
        let middle = first + (last - first) / 2;
        let pivot = self.median(self.items[first], self.items[middle], self.items[last - 1]);
        let (mut low, mut high) = (first, last);
        loop {
            while (self.less)(&self.items[low], &pivot) {
                if low == last - 1 {
                    break;
                }
                low += 1;
            }
            high -= 1;
            while (self.less)(&pivot, &self.items[high]) {
                if high == first {
                    break;
                }
                high -= 1;
            }
            if low >= high {
                return low;
            }
            self.items.swap(low, high);
            low += 1;
        }
    }

    fn insert(&mut self, at: usize) {
        let value = self.items[at];
        if (self.less)(&value, &self.items[0]) {
            self.items.copy_within(0..at, 1);
            self.items[0] = value;
        } else {
            self.insert_unguarded(at);
        }
    }

    fn insert_unguarded(&mut self, mut at: usize) {
        let value = self.items[at];
        let mut before = at - 1;
        while (self.less)(&value, &self.items[before]) {
            if before == 0 {
                break;
            }
            self.items[at] = self.items[before];
            at = before;
            before -= 1;
        }
        self.items[at] = value;
    }

    fn heap_sort(&mut self, first: usize, last: usize) {
        let len = last - first;
        for parent in (0..len / 2).rev() {
            let value = self.items[first + parent];
            self.sift(first, parent, len, value);
        }
        for end in (1..len).rev() {
            let value = self.items[first + end];
            self.items[first + end] = self.items[first];
            self.sift(first, 0, end, value);
        }
    }

    /// Moves a hole down to a leaf, always to the greater child, and then moves `value` up from
    /// there.
    fn sift(&mut self, first: usize, top: usize, len: usize, value: T) {
        let mut hole = top;
        let mut child = 2 * hole + 2;
        while child < len {
            if (self.less)(&self.items[first + child], &self.items[first + child - 1]) {
                child -= 1;
            }
            self.items[first + hole] = self.items[first + child];
            hole = child;
            child = 2 * child + 2;
        }
        if child == len {
            self.items[first + hole] = self.items[first + child - 1];
            hole = child - 1;
        }
        while hole > top {
            let parent = (hole - 1) / 2;
            if !(self.less)(&self.items[first + parent], &value) {
                break;
            }
            self.items[first + hole] = self.items[first + parent];
            hole = parent;
        }
        self.items[first + hole] = value;
    }
}
