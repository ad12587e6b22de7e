//! [`Assembler`]: one direction of a TCP connection, put in order.

use std::vec::Vec;

/// Segments in order. Those that come early wait, as far as the limit goes.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    /// The number of the byte that comes next; `None` before the first segment.
    next: Option<u32>,
    early: Vec<(u32, Vec<u8>)>,
}

/// A piece of the stream is missing, and more waits behind it than the limit allows.
#[derive(Debug)]
pub(super) struct Lost;

impl Assembler {
    /// The connection is opened: the byte behind this number comes first.
    pub(super) fn open(&mut self, sequence: u32) {
        self.next = Some(sequence.wrapping_add(1));
        self.early.clear();
    }

    /// Takes a segment; gives all that is in order to `each`.
    pub(super) fn insert(
        &mut self,
        sequence: u32,
        payload: &[u8],
        limit: usize,
        mut each: impl FnMut(&[u8]),
    ) -> Result<(), Lost> {
        let next = self.next.get_or_insert(sequence);
        if payload.is_empty() {
            return Ok(());
        }
        if (sequence.wrapping_sub(*next) as i32) > 0 {
            let waiting: usize = self.early.iter().map(|(_, bytes)| bytes.len() + 64).sum();
            if waiting + payload.len() > limit {
                return Err(Lost);
            }
            let known =
                |(at, bytes): &(u32, Vec<u8>)| *at == sequence && bytes.len() >= payload.len();
            if !self.early.iter().any(known) {
                self.early.push((sequence, payload.into()));
            }
            return Ok(());
        }
        pass(next, sequence, payload, &mut each);
        while let Some(place) = self
            .early
            .iter()
            .position(|(at, _)| at.wrapping_sub(*next) as i32 <= 0)
        {
            let (at, bytes) = self.early.swap_remove(place);
            pass(next, at, &bytes, &mut each);
        }
        Ok(())
    }
}

/// Gives what is new of a segment that does not come early.
fn pass(next: &mut u32, sequence: u32, payload: &[u8], each: &mut impl FnMut(&[u8])) {
    let known = next.wrapping_sub(sequence) as usize;
    if let Some(new) = payload.get(known..).filter(|new| !new.is_empty()) {
        // A segment is far shorter than 4 GiB.
        *next = next.wrapping_add(new.len() as u32);
        each(new);
    }
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::Assembler;

    fn put_together(start: u32, segments: &[(u32, &str)]) -> String {
        let mut assembler = Assembler::default();
        assembler.open(start.wrapping_sub(1));
        let mut bytes = Vec::new();
        for (offset, text) in segments {
            let sequence = start.wrapping_add(*offset);
            assembler
                .insert(sequence, text.as_bytes(), 4096, |piece| {
                    bytes.extend_from_slice(piece);
                })
                .expect("within the limit");
        }
        String::from_utf8(bytes).expect("the text")
    }

    #[test]
    fn segments_are_put_in_order() {
        // Around the end of the numbers, too.
        for start in [0, 7, u32::MAX - 3] {
            let orders: [&[(u32, &str)]; 5] = [
                &[(0, "abc"), (3, "def"), (6, "ghi")],
                &[(0, "abc"), (6, "ghi"), (3, "def")],
                &[(6, "ghi"), (3, "def"), (0, "abc")],
                &[
                    (0, "abc"),
                    (0, "abc"),
                    (3, "def"),
                    (0, "abcdef"),
                    (6, "ghi"),
                ],
                &[(4, "efgh"), (0, "abcde"), (2, "cdefghi"), (6, "g")],
            ];
            for segments in orders {
                assert_eq!(put_together(start, segments), "abcdefghi", "{segments:?}");
            }
        }
    }

    #[test]
    fn what_waits_is_limited() {
        let mut assembler = Assembler::default();
        assembler.open(0);
        let lost = (0..1000_u32).any(|n| {
            let sequence = 100 + 20 * n;
            assembler.insert(sequence, &[0; 10], 4096, |_| {}).is_err()
        });
        assert!(lost);
    }
}
