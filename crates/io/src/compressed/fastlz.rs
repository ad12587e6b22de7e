//! FastLZ, the engines' default compression: level 1 both ways, level 2 for reading.
//!
//! A stream is a sequence of pieces. The first byte of a piece is below 32 for that many plus one
//! literal bytes; else its upper three bits are a length and its lower five the upper bits of a
//! distance. The upper three bits of the very first byte, which always begins literals, are the level
//! minus one.

/// How far back a match may lie, at level 1 and without the long form of level 2.
const NEAR: usize = 8192;
/// The longest match of one piece at level 1.
const LONGEST: usize = 264;
/// The most bytes that a byte of input can become: the run of lengths of level 2.
pub(crate) const EXPANSION: u64 = 255;

/// Unpacks a stream into `out`; returns how many bytes it holds. `None` for a damaged stream and for
/// one that holds more.
pub(crate) fn decompress(input: &[u8], out: &mut [u8]) -> Option<usize> {
    let (&first, mut rest) = input.split_first()?;
    let level = match first >> 5 {
        0 => 1,
        1 => 2,
        _ => return None,
    };
    let mut control = usize::from(first & 31);
    let mut at = 0;
    loop {
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
            return Some(at);
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

/// Copies a match, which may overlap what it makes. Both ends were checked.
fn copy(out: &mut [u8], from: usize, to: usize, len: usize) {
    if to - from >= len {
        out.copy_within(from..from + len, to);
        return;
    }
    for n in 0..len {
        out[to + n] = out[from + n];
    }
}

/// The table of places where three bytes were seen last.
const SLOTS_LOG: u32 = 13;

/// Keeps the table from one block to the next.
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

    /// Appends the stream of a block: the very bytes of the engines, for blocks below 64 KiB.
    /// Shorter blocks than 16 bytes are to be padded by the caller, as they do.
    pub(crate) fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) {
        self.places.fill(0);
        // The last bytes are always literals, so that words can be read without looking.
        let search_end = input.len().saturating_sub(13);
        let match_end = input.len().saturating_sub(4);
        let mut done = 0;
        let mut at = 2;
        while at + 1 < search_end {
            let three = word(input, at) & 0x00ff_ffff;
            let from = self.swap(three, at);
            let distance = at - from;
            let found = distance < NEAR && word(input, from) & 0x00ff_ffff == three;
            if !found {
                at += 1;
                continue;
            }
            literals(&input[done..at], out);
            // Three bytes are known to agree; `len` is two less than the whole match.
            let len = equal(input, from + 3, at + 3, match_end);
            put_match(len, distance - 1, out);
            at += len;
            let four = word(input, at);
            self.swap(four & 0x00ff_ffff, at);
            self.swap(four >> 8, at + 1);
            at += 2;
            done = at;
        }
        literals(&input[done..], out);
    }

    /// Remembers the place of three bytes; returns the one before.
    fn swap(&mut self, three: u32, place: usize) -> usize {
        let slot = three.wrapping_mul(2_654_435_769) >> (32 - SLOTS_LOG);
        // Blocks are below 4 GiB, as their size is a word.
        let before = std::mem::replace(&mut self.places[slot as usize], place as u32);
        before as usize
    }
}

/// The four bytes at `at`.
fn word(input: &[u8], at: usize) -> u32 {
    match input.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(four) => u32::from_le_bytes(*four),
        None => 0,
    }
}

/// How far the bytes at the two places agree, up to `end`. The byte that differs is counted, unless
/// the end comes first.
fn equal(input: &[u8], from: usize, at: usize, end: usize) -> usize {
    let mut len = 0;
    if word(input, from) == word(input, at) {
        len = 4;
    }
    while at + len < end {
        len += 1;
        if input[from + len - 1] != input[at + len - 1] {
            break;
        }
    }
    len
}

fn literals(mut run: &[u8], out: &mut Vec<u8>) {
    while !run.is_empty() {
        let (piece, rest) = run.split_at(run.len().min(32));
        out.push(piece.len() as u8 - 1);
        out.extend_from_slice(piece);
        run = rest;
    }
}

/// A match of `len + 2` bytes, `distance + 1` back.
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
