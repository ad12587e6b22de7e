//! Bytes that are compressed without a container of Godot's: `PackedByteArray.compress`, gzip and zstd files.

use std::io::Read;

use gdvar_io::compressed::{Mode, Unpacker};

/// There are more bytes than allowed.
pub(super) struct TooLong;

/// Unpacks zstd, gzip or zlib by its first bytes. `None` if the bytes are none of these, or damaged from the start. At
/// most `most` bytes come out; of a damaged stream those before the damage.
pub(super) fn unpack(bytes: &[u8], most: u64) -> Option<Result<Vec<u8>, TooLong>> {
    match bytes {
        // A frame, or one to be skipped in front of it.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            read(zstd::stream::read::Decoder::new(bytes).ok()?, most)
        }
        [0x1f, 0x8b, 8, ..] => read(flate2::read::MultiGzDecoder::new(bytes), most),
        // The second byte makes the first two a multiple of 31.
        &[method, flags, ..]
            if method & 0x8f == 8 && u16::from_be_bytes([method, flags]) % 31 == 0 =>
        {
            read(flate2::read::ZlibDecoder::new(bytes), most)
        }
        _ => None,
    }
}

fn read(packed: impl Read, most: u64) -> Option<Result<Vec<u8>, TooLong>> {
    let mut out = Vec::new();
    // What came before the damage is kept.
    let result = packed.take(most + 1).read_to_end(&mut out);
    if result.is_err() && out.is_empty() {
        return None;
    }
    Some(if out.len() as u64 > most {
        Err(TooLong)
    } else {
        Ok(out)
    })
}

/// Unpacks FastLZ, the mode that `PackedByteArray.compress` has by default. It has no mark: `None` if the bytes are no
/// whole stream. Takes memory only for a whole one.
pub(super) fn fast_lz(bytes: &[u8], most: u64) -> Option<Result<Vec<u8>, TooLong>> {
    let len = fast_lz_len(bytes)?;
    if len as u64 > most {
        return Some(Err(TooLong));
    }
    let mut out = vec![0; len];
    let len = Unpacker::default().unpack_into(Mode::FastLz, bytes, &mut out)?;
    out.truncate(len);
    Some(Ok(out))
}

/// The length of what a FastLZ stream holds, if each of its copies starts in what came before.
fn fast_lz_len(bytes: &[u8]) -> Option<usize> {
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
    fn fast_lz_is_measured_as_it_is_unpacked() {
        // Of all short streams, and of longer ones made of few bytes.
        let bytes = [0_u8, 1, 0x1f, 0x20, 0x3f, 0x40, 0xe0, 0xff];
        let mut found = 0;
        for n in 0..8_usize.pow(6) {
            let stream: Vec<u8> = (0..6).map(|at| bytes[n >> (3 * at) & 7]).collect();
            let mut out = vec![0; 1 << 16];
            let unpacked = Unpacker::default().unpack_into(Mode::FastLz, &stream, &mut out);
            let len = fast_lz_len(&stream);
            if let Some(len) = len {
                found += 1;
                assert_eq!(Some(len), unpacked, "{stream:x?}");
            }
        }
        assert!(found > 100, "{found}");
    }
}
