//! [`Assembler`]: puts the segments of one direction of a TCP connection in stream order.

use std::{time::Duration, vec::Vec};

/// Passes the bytes of segments on in stream order. Segments that arrive early wait for the missing
/// piece, up to a limit of bytes and time.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    /// The sequence number of the next byte, or `None` before the first segment.
    next: Option<u32>,
    early: Vec<(u32, Vec<u8>)>,
    /// When the first early segment arrived. `None` if there are no early segments.
    since: Option<Duration>,
}

/// The next bytes of a stream, or a gap in it.
pub(super) enum Piece<'p> {
    /// The next bytes.
    Bytes(&'p [u8]),
    /// The next bytes, from a segment that waited for a missing piece.
    Waited(&'p [u8]),
    /// The stream began before the capture.
    Start,
    /// Bytes are missing: the capture lost them.
    Gap,
}

/// How long early segments wait for a missing piece. A retransmission would arrive within this
/// time.
const PATIENCE: Duration = Duration::from_secs(3);

impl Assembler {
    /// Starts the stream after a SYN with this sequence number.
    pub(super) fn open(&mut self, sequence: u32) {
        self.next = Some(sequence.wrapping_add(1));
        self.early.clear();
        self.since = None;
    }

    /// Takes a segment, and passes the bytes that now follow without a gap to `each`. Gives up a
    /// missing piece if more than `limit` bytes wait for it, or if they wait longer than
    /// [`PATIENCE`]. A segment without payload changes nothing: it also acknowledges in the middle
    /// of a message, so its number does not say where a stream begins.
    pub(super) fn insert(
        &mut self,
        time: Duration,
        sequence: u32,
        payload: &[u8],
        limit: usize,
        each: &mut dyn FnMut(Piece<'_>),
    ) {
        if payload.is_empty() {
            return;
        }
        let next = match &mut self.next {
            Some(next) => next,
            none => {
                each(Piece::Start);
                none.insert(sequence)
            }
        };
        if (sequence.wrapping_sub(*next) as i32) <= 0 {
            if let Some(bytes) = new_bytes(next, sequence, payload) {
                each(Piece::Bytes(bytes));
            }
            return self.pass_early(each);
        }
        let known = |(at, bytes): &(u32, Vec<u8>)| *at == sequence && bytes.len() >= payload.len();
        if !self.early.iter().any(known) {
            self.early.push((sequence, payload.into()));
        }
        let since = *self.since.get_or_insert(time);
        let waiting: usize = self.early.iter().map(|(_, bytes)| bytes.len() + 64).sum();
        if waiting > limit || time.saturating_sub(since) > PATIENCE {
            self.skip_gap(each);
        }
    }

    /// Ends the stream: passes all early segments to `each`, with gaps.
    pub(super) fn finish(&mut self, each: &mut dyn FnMut(Piece<'_>)) {
        while !self.early.is_empty() {
            self.skip_gap(each);
        }
    }

    /// Gives up the missing piece and continues after it.
    fn skip_gap(&mut self, each: &mut dyn FnMut(Piece<'_>)) {
        let next = self.next.unwrap_or_default();
        let ahead = |(at, _): &(u32, Vec<u8>)| at.wrapping_sub(next);
        if let Some((first, _)) = self.early.iter().min_by_key(|early| ahead(early)) {
            self.next = Some(*first);
            each(Piece::Gap);
            self.pass_early(each);
        }
    }

    /// Passes on the early segments that now follow without a gap.
    fn pass_early(&mut self, each: &mut dyn FnMut(Piece<'_>)) {
        let Some(next) = &mut self.next else {
            return;
        };
        while let Some(place) = self
            .early
            .iter()
            .position(|(at, _)| at.wrapping_sub(*next) as i32 <= 0)
        {
            let (at, bytes) = self.early.swap_remove(place);
            if let Some(bytes) = new_bytes(next, at, &bytes) {
                each(Piece::Waited(bytes));
            }
        }
        if self.early.is_empty() {
            self.since = None;
        }
    }
}

/// Returns the bytes of a segment from `next` on, and moves `next` after them. Returns `None` if
/// the segment ends at `next` or before it. The segment must begin at `next` or before it.
fn new_bytes<'p>(next: &mut u32, sequence: u32, payload: &'p [u8]) -> Option<&'p [u8]> {
    let known = next.wrapping_sub(sequence) as usize;
    let new = payload.get(known..).filter(|new| !new.is_empty())?;
    // Segments are far shorter than 4 GiB.
    *next = next.wrapping_add(new.len() as u32);
    Some(new)
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::{Assembler, Piece};
    use core::time::Duration;

    /// The text of the stream, with a bar for each gap.
    fn put_together(start: u32, segments: &[(u64, u32, &str)], limit: usize) -> String {
        let mut assembler = Assembler::default();
        assembler.open(start.wrapping_sub(1));
        let mut text = String::new();
        let mut each = |piece: Piece<'_>| match piece {
            Piece::Bytes(bytes) | Piece::Waited(bytes) => {
                text += core::str::from_utf8(bytes).expect("text");
            }
            Piece::Start | Piece::Gap => text.push('|'),
        };
        for (second, offset, payload) in segments {
            let sequence = start.wrapping_add(*offset);
            let time = Duration::from_secs(*second);
            assembler.insert(time, sequence, payload.as_bytes(), limit, &mut each);
        }
        assembler.finish(&mut each);
        text
    }

    #[test]
    fn segments_are_put_in_order() {
        // Also where the sequence numbers wrap.
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
                let segments: Vec<_> = segments.iter().map(|(at, text)| (0, *at, *text)).collect();
                assert_eq!(
                    put_together(start, &segments, 4096),
                    "abcdefghi",
                    "{segments:?}"
                );
            }
        }
    }

    #[test]
    fn a_lost_piece_becomes_a_gap() {
        for start in [0, u32::MAX - 5] {
            // A gap is given up at the end, after some seconds, or when too many bytes wait.
            let lost = [(0, 0, "abc"), (0, 6, "ghi"), (1, 12, "mno"), (1, 9, "jkl")];
            assert_eq!(put_together(start, &lost, 4096), "abc|ghijklmno");
            let late = [(0, 0, "abc"), (0, 6, "ghi"), (9, 9, "jkl"), (9, 3, "def")];
            assert_eq!(put_together(start, &late, 4096), "abc|ghijkl");
            assert_eq!(put_together(start, &lost, 60), "abc|ghi|mno");
        }
    }

    #[test]
    fn waiting_bytes_are_limited() {
        let mut assembler = Assembler::default();
        assembler.open(0);
        for n in 0..10_000_u32 {
            assembler.insert(Duration::ZERO, 100 + 20 * n, &[0; 10], 4096, &mut |_| {});
            let waiting: usize = assembler
                .early
                .iter()
                .map(|(_, bytes)| bytes.len() + 64)
                .sum();
            assert!(waiting <= 4096 + 74);
        }
    }
}
