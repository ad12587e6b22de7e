//! Damages files in the ways in which accidents damage them. Each result records which bytes are new, and
//! where the other bytes were before.

use std::ops::Range;

use gdvar::frames::PrefixOrder;

use crate::alike::Random;

/// The ways in which a file is damaged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// One byte is changed.
    Byte,
    /// One word that is a type, a length or a count is changed, in one byte or in all of them.
    Word,
    /// A block is replaced by zeros.
    Zeros,
    /// A block is replaced by random bytes.
    Noise,
    /// The end is missing.
    Cut,
    /// A block is missing.
    Lost,
    /// A block of other bytes is inserted.
    Inserted,
    /// Zeros, noise or old bytes of the file are appended.
    Behind,
    /// Bytes of `store_float` or `store_32`, or a few others, are inserted between two records.
    Between,
}

impl Sort {
    /// All ways, in the order of declaration.
    pub const ALL: [Sort; 9] = [
        Sort::Byte,
        Sort::Word,
        Sort::Zeros,
        Sort::Noise,
        Sort::Cut,
        Sort::Lost,
        Sort::Inserted,
        Sort::Behind,
        Sort::Between,
    ];
}

/// A damaged file. Only one block differs from the original.
#[derive(Clone, Debug)]
pub struct Damaged {
    /// The way in which the bytes were damaged.
    pub sort: Sort,
    /// The damaged file.
    pub bytes: Vec<u8>,
    /// The range of the new bytes in `bytes`.
    pub new: Range<usize>,
    /// The number of old bytes that the new ones replace.
    pub replaced: usize,
    /// `true` if the new bytes repeat the bytes before them.
    pub is_twice: bool,
}

impl Damaged {
    fn new(sort: Sort, whole: &[u8], start: usize, replaced: usize, new: &[u8]) -> Damaged {
        let end = start + replaced;
        Damaged {
            sort,
            bytes: [&whole[..start], new, &whole[end..]].concat(),
            new: start..start + new.len(),
            replaced,
            is_twice: false,
        }
    }

    /// Returns the offset that the byte at `at` had in the undamaged file. Returns `None` for a new
    /// byte, unless its block is as long as the block that it replaces.
    #[must_use]
    pub fn origin(&self, at: usize) -> Option<usize> {
        if at < self.new.start || self.new.contains(&at) && self.new.len() == self.replaced {
            return Some(at);
        }
        (at >= self.new.end).then(|| at - self.new.len() + self.replaced)
    }

    /// Returns the offsets in the undamaged file that the byte at `at` may have had. There are two if a block
    /// was written twice, because either copy can be taken for the new one.
    #[must_use]
    pub fn origins(&self, at: usize) -> [Option<usize>; 2] {
        let twice = (self.is_twice && at >= self.new.start).then(|| at - self.new.len());
        [self.origin(at), twice.or(self.origin(at))]
    }

    /// Returns `true` if a span contains a new byte or touches the place where bytes are missing.
    #[must_use]
    pub fn touches(&self, span: &Range<usize>) -> bool {
        match self.new.is_empty() {
            true => span.start <= self.new.start && self.new.start < span.end,
            false => span.start < self.new.end && self.new.start < span.end,
        }
    }
}

/// Damages a file at random. `order` is `None` for a file of one bare value, and the byte order of
/// the lengths for a file of records.
pub fn damage(
    whole: &[u8],
    order: Option<PrefixOrder>,
    sort: Sort,
    random: &mut Random,
) -> Damaged {
    let len = whole.len();
    let block = |random: &mut Random, at: usize| {
        let size = [1, 4, 16, 64, 512, 4096][random.below(6)];
        let size = 1 + random.below(size);
        size.min(len - at)
    };
    let noise = |random: &mut Random, size: usize| -> Vec<u8> {
        (0..size).map(|_| random.next_number() as u8).collect()
    };
    match sort {
        Sort::Byte => {
            let at = random.below(len);
            let new = whole[at] ^ (1 + random.below(255)) as u8;
            Damaged::new(sort, whole, at, 1, &[new])
        }
        Sort::Word => {
            let places = structure(whole, order);
            let at = places[random.below(places.len())];
            match random.below(3) {
                0 => {
                    let new = noise(random, 4);
                    Damaged::new(sort, whole, at, 4, &new)
                }
                // A reader is more likely to accept a small number.
                1 => Damaged::new(sort, whole, at, 1, &[random.below(40) as u8]),
                _ => {
                    let new = whole[at].wrapping_add([1, 2, 0xff, 0xfe][random.below(4)]);
                    Damaged::new(sort, whole, at, 1, &[new])
                }
            }
        }
        Sort::Zeros | Sort::Noise => {
            let mut at = random.below(len);
            let mut size = block(random, at);
            if random.below(2) == 0 {
                at = at / 512 * 512;
                size = 512.min(len - at);
            }
            let new = match sort {
                Sort::Zeros => vec![0; size],
                _ => noise(random, size),
            };
            Damaged::new(sort, whole, at, size, &new)
        }
        Sort::Cut => {
            let at = random.below(len);
            Damaged::new(sort, whole, at, len - at, &[])
        }
        Sort::Lost => {
            let at = random.below(len);
            let size = block(random, at);
            Damaged::new(sort, whole, at, size, &[])
        }
        Sort::Inserted => {
            let at = random.below(len);
            let size = block(random, at);
            let new = match random.below(3) {
                0 => vec![0; size],
                1 => noise(random, size),
                // If a block was written twice, the second copy is the new one.
                _ => {
                    let end = at + size;
                    return Damaged {
                        is_twice: true,
                        ..Damaged::new(sort, whole, end, 0, &whole[at..end])
                    };
                }
            };
            Damaged::new(sort, whole, at, 0, &new)
        }
        Sort::Behind => {
            let new = match random.below(3) {
                0 => vec![0; 1 + random.below(4096)],
                1 => {
                    let size = 1 + random.below(256);
                    noise(random, size)
                }
                _ => whole[random.below(len)..].to_vec(),
            };
            Damaged::new(sort, whole, len, 0, &new)
        }
        Sort::Between => {
            let starts = records(whole, order);
            let at = starts[random.below(starts.len())];
            let new = match random.below(4) {
                0 => 1.5_f32.to_le_bytes().to_vec(),
                1 => (random.below(100) as u32).to_le_bytes().to_vec(),
                2 => (random.below(100) as u64).to_le_bytes().to_vec(),
                _ => {
                    let size = 1 + random.below(12);
                    noise(random, size)
                }
            };
            Damaged::new(sort, whole, at, 0, &new)
        }
    }
}

/// Returns the offsets at which records begin, and the end of the file.
fn records(whole: &[u8], order: Option<PrefixOrder>) -> Vec<usize> {
    let Some(order) = order else {
        return vec![whole.len()];
    };
    let frames =
        gdvar::frames::frames(whole, order).map(|frame| frame.expect("a whole file").offset - 4);
    frames.chain([whole.len()]).collect()
}

/// Returns the offsets of words that are probably types, lengths or counts: words with three zero bytes.
fn structure(whole: &[u8], order: Option<PrefixOrder>) -> Vec<usize> {
    let is_structure = |at: &usize| whole[at + 1..at + 4] == [0, 0, 0] && whole[*at] != 0;
    let mut places: Vec<usize> = (0..whole.len().saturating_sub(3))
        .step_by(4)
        .filter(is_structure)
        .collect();
    places.extend(
        records(whole, order)
            .into_iter()
            .filter(|at| *at + 4 <= whole.len()),
    );
    if places.is_empty() {
        places.push(0);
    }
    places
}
