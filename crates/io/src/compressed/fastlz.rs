//! FastLZ, the engines' default compression. Level 1 is read and written, level 2 only read.
//!
//! A stream is a sequence of pieces. If the first byte of a piece is below 32, literal bytes
//! follow, one more than the first byte says. Otherwise the piece is a match: the upper three bits
//! of the first byte are a length, and the lower five bits are the upper bits of a distance. The
//! first piece of a stream always has literals, and the upper three bits of its first byte are the
//! level minus one.

/// The greatest distance of a match, at level 1 and without the long form of level 2.
const NEAR: usize = 8192;
/// The longest match in one piece at level 1.
const LONGEST: usize = 264;
/// The most bytes that one byte of input can become: a length byte of level 2 adds up to 255 bytes.
pub(crate) const EXPANSION: u64 = 255;

/// Unpacks a stream to the start of `out` and returns the unpacked length. Returns `None` if the
/// stream is damaged or does not fit into `out`.
pub(crate) fn decompress(input: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut at = 0;
    unpack(input, out, &mut at).map(|()| at)
}

/// Unpacks a stream whose end is missing to the start of `out`, and returns the unpacked length. The
/// piece in which the stream ends is left out.
pub(crate) fn decompress_start(input: &[u8], out: &mut [u8]) -> usize {
    let mut at = 0;
    // The stream is known to be cut.
    let _ = unpack(input, out, &mut at);
    at
}

/// Unpacks a stream to `out` from `end` on, which is moved after each piece. `None` if the stream is damaged.
#[inline(always)]
fn unpack(input: &[u8], out: &mut [u8], end: &mut usize) -> Option<()> {
    let (&first, mut rest) = input.split_first()?;
    let level = match first >> 5 {
        0 => 1,
        1 => 2,
        _ => return None,
    };
    let mut control = usize::from(first & 31);
    let mut at = *end;
    loop {
        *end = at;
        if control < 32 {
            let (literals, tail) = rest.split_at_checked(control + 1)?;
            out.get_mut(at..at + literals.len())?
                .copy_from_slice(literals);
            at += literals.len();
            rest = tail;
        } else {
            let mut len = (control >> 5) + 2;
            if len == 9 {
                loop {
                    let more = usize::from(take(&mut rest)?);
                    len += more;
                    if level == 1 || more < 255 {
                        break;
                    }
                }
            }
            let low = take(&mut rest)?;
            let mut distance = ((control & 31) << 8) + usize::from(low) + 1;
            if level == 2 && distance == NEAR {
                distance += usize::from(take(&mut rest)?) << 8;
                distance += usize::from(take(&mut rest)?);
            }
            let from = at.checked_sub(distance)?;
            if out.len() - at < len {
                return None;
            }
            copy(out, from, at, len);
            at += len;
        }
        let Some((&next, tail)) = rest.split_first() else {
            *end = at;
            return Some(());
        };
        control = usize::from(next);
        rest = tail;
    }
}

fn take(rest: &mut &[u8]) -> Option<u8> {
    let (&byte, tail) = rest.split_first()?;
    *rest = tail;
    Some(byte)
}

/// Copies a match, which may overlap its own result. The caller has checked both ranges.
fn copy(out: &mut [u8], from: usize, to: usize, len: usize) {
    if to - from >= len {
        out.copy_within(from..from + len, to);
        return;
    }
    for n in 0..len {
        out[to + n] = out[from + n];
    }
}

/// The size of the hash table, as a power of two. The table holds the last position of each hash of
/// three bytes.
const SLOTS_LOG: u32 = 13;

/// A compressor. Its table is allocated once and cleared for each block.
#[derive(Debug)]
pub(crate) struct Packer {
    places: Box<[u32; 1 << SLOTS_LOG]>,
}

impl Packer {
    pub(crate) fn new() -> Packer {
        Packer {
            places: Box::new([0; 1 << SLOTS_LOG]),
        }
    }

    /// Compresses the block `input` and appends the stream to `out`. For blocks below 64 KiB, the
    /// engines write the same bytes. The caller must pad blocks shorter than 16 bytes with zeros,
    /// as the engines do.
    ///
    /// The engines contain FastLZ of 2007, and its choices are repeated exactly: one position is
    /// remembered for each hash, a match is searched at each byte outside matches, and the last
    /// bytes are always literals.
    pub(crate) fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) {
        self.places.fill(0);
        let search_end = input.len().saturating_sub(12);
        let match_end = input.len().saturating_sub(2);
        let mut done = 0;
        let mut at = 2;
        while at + 1 < search_end {
            let from = self.swap(input, at);
            let distance = at - from;
            if distance >= NEAR || input[from..from + 3] != input[at..at + 3] {
                at += 1;
                continue;
            }
            literals(&input[done..at], out);
            let len = extra(input, from + 3, at + 3, match_end);
            put_match(len, distance - 1, out);
            at += len;
            self.swap(input, at);
            self.swap(input, at + 1);
            at += 2;
            done = at;
        }
        literals(&input[done..], out);
    }

    /// Stores the position `place` under the hash of the three bytes there. Returns the position
    /// that was stored under this hash before.
    fn swap(&mut self, input: &[u8], place: usize) -> usize {
        let word = |at: usize| u16::from_le_bytes([input[at], input[at + 1]]);
        let first = word(place);
        let hash = (first ^ word(place + 1) ^ (first >> (16 - SLOTS_LOG))) & ((1 << SLOTS_LOG) - 1);
        // Blocks are below 4 GiB, because their size is a word.
        std::mem::replace(&mut self.places[usize::from(hash)], place as u32) as usize
    }
}

/// Returns the length of a match minus two. Its first three bytes are known to match; `from` and
/// `at` are the offsets after them. The match ends at the first byte that differs. A match that
/// reaches `end` is made one byte shorter.
fn extra(input: &[u8], from: usize, at: usize, end: usize) -> usize {
    let room = &input[at..end];
    let agree = room.iter().zip(&input[from..]);
    let same = agree.take_while(|(a, b)| a == b).count();
    same + usize::from(same < room.len())
}

fn literals(mut run: &[u8], out: &mut Vec<u8>) {
    while !run.is_empty() {
        let (piece, rest) = run.split_at(run.len().min(32));
        out.push(piece.len() as u8 - 1);
        out.extend_from_slice(piece);
        run = rest;
    }
}

/// Writes a match of `len + 2` bytes, which starts `distance + 1` bytes back.
fn put_match(mut len: usize, distance: usize, out: &mut Vec<u8>) {
    let [low, high] = (distance as u16).to_le_bytes();
    while len > LONGEST - 2 {
        out.extend_from_slice(&[(7 << 5) | high, (LONGEST - 2 - 7 - 2) as u8, low]);
        len -= LONGEST - 2;
    }
    if len < 7 {
        out.extend_from_slice(&[((len as u8) << 5) | high, low]);
    } else {
        out.extend_from_slice(&[(7 << 5) | high, (len - 7) as u8, low]);
    }
}

/// Returns the unpacked length of a stream without unpacking it. Returns `None` if the stream is
/// not complete: a copy starts before the first byte, or an instruction is cut.
pub(crate) fn unpacked_len(bytes: &[u8]) -> Option<usize> {
    let first = *bytes.first()?;
    let is_second_level = match first >> 5 {
        0 => false,
        1 => true,
        _ => return None,
    };
    let (mut rest, mut control, mut len) = (&bytes[1..], first & 31, 0_usize);
    let next = |rest: &mut &[u8]| {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        Some(usize::from(byte))
    };
    loop {
        if control < 32 {
            let literals = usize::from(control) + 1;
            rest = rest.get(literals..)?;
            len += literals;
        } else {
            let mut copied = usize::from(control >> 5) + 2;
            let mut distance = (usize::from(control & 31) << 8) + 1;
            if copied == 9 {
                loop {
                    let more = next(&mut rest)?;
                    copied += more;
                    if !is_second_level || more != 255 {
                        break;
                    }
                }
            }
            let near = next(&mut rest)?;
            if is_second_level && near == 255 && control & 31 == 31 {
                distance = 8192 + (next(&mut rest)? << 8) + next(&mut rest)?;
            } else {
                distance += near;
            }
            if distance > len {
                return None;
            }
            len += copied;
        }
        let Some((&byte, tail)) = rest.split_first() else {
            return Some(len);
        };
        (control, rest) = (byte, tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_measured_as_it_is_unpacked() {
        // Of all short streams, and of longer ones made of few bytes.
        let bytes = [0_u8, 1, 0x1f, 0x20, 0x3f, 0x40, 0xe0, 0xff];
        let mut found = 0;
        for n in 0..8_usize.pow(6) {
            let stream: Vec<u8> = (0..6).map(|at| bytes[n >> (3 * at) & 7]).collect();
            let mut out = vec![0; 1 << 16];
            let unpacked = decompress(&stream, &mut out);
            let len = unpacked_len(&stream);
            if let Some(len) = len {
                found += 1;
                assert_eq!(Some(len), unpacked, "{stream:x?}");
            }
        }
        assert!(found > 100, "{found}");
    }
}
