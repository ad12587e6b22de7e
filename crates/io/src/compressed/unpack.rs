//! Unpacks one block of a compressed file, in each mode.

use super::{Mode, fastlz};

/// Returns `true` if this build reads the mode.
pub(super) const fn is_built(mode: Mode) -> bool {
    match mode {
        Mode::FastLz => true,
        Mode::Deflate | Mode::Gzip => cfg!(feature = "deflate"),
        Mode::Zstd => cfg!(any(feature = "zstd", feature = "ruzstd")),
        Mode::Brotli => cfg!(feature = "brotli"),
    }
}

/// The shortest block that FastLZ can take. The engines pad shorter blocks with zeros.
pub(super) const FASTLZ_MIN: usize = 16;

/// Unpacks blocks, and reuses the state of each decompressor for the next block.
///
/// Each [`Reader`](super::Reader) has an unpacker. Use one directly for data that the engines
/// compress without a file header, such as datagrams of ENet.
///
/// ```
/// use gdvar_io::compressed::{Mode, Unpacker};
///
/// let mut out = [0; 64];
/// let len = Unpacker::default().unpack_into(Mode::FastLz, b"\x01ab", &mut out);
/// assert_eq!(len, Some(2));
/// assert_eq!(&out[..2], b"ab");
/// ```
#[derive(Default)]
pub struct Unpacker {
    #[cfg(feature = "deflate")]
    zlib: Option<flate2::Decompress>,
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Unpacker {
    /// Unpacks `packed`, whose unpacked length is unknown, to the start of `out`, and returns that
    /// length. Returns `None` if the bytes are damaged, if they do not fit into `out`, or if this
    /// build does not read the mode. Also `None` for gzip and Brotli, which the engines use only in
    /// files.
    pub fn unpack_into(&mut self, mode: Mode, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        match mode {
            Mode::FastLz => fastlz::decompress(packed, out),
            Mode::Deflate => self.inflate(packed, out),
            Mode::Zstd => self.zstandard(packed, out),
            Mode::Gzip | Mode::Brotli => None,
        }
    }

    /// Unpacks a block to exactly fill `out`. Returns `false` if the block is damaged or has
    /// another length, or if the mode is not built.
    pub(super) fn unpack(&mut self, mode: Mode, packed: &[u8], out: &mut [u8]) -> bool {
        match mode {
            Mode::FastLz => fast_lz(packed, out),
            Mode::Deflate => self.inflate(packed, out) == Some(out.len()),
            Mode::Zstd => self.zstandard(packed, out) == Some(out.len()),
            Mode::Gzip => gzip(packed, out),
            Mode::Brotli => brotli(packed, out),
        }
    }

    #[cfg(feature = "deflate")]
    fn inflate(&mut self, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        let state = match &mut self.zlib {
            Some(state) => {
                state.reset(true);
                state
            }
            none => none.insert(flate2::Decompress::new(true)),
        };
        let done = state.decompress(packed, out, flate2::FlushDecompress::Finish);
        matches!(done, Ok(flate2::Status::StreamEnd)).then_some(state.total_out() as usize)
    }

    #[cfg(not(feature = "deflate"))]
    fn inflate(&mut self, _: &[u8], _: &mut [u8]) -> Option<usize> {
        None
    }

    #[cfg(feature = "zstd")]
    fn zstandard(&mut self, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        let state = match &mut self.zstd {
            Some(state) => state,
            // Creating it fails only if there is no memory.
            none => none.insert(zstd::bulk::Decompressor::new().ok()?),
        };
        state.decompress_to_buffer(packed, out).ok()
    }

    #[cfg(all(feature = "ruzstd", not(feature = "zstd")))]
    fn zstandard(&mut self, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        ruzstd::decoding::FrameDecoder::new()
            .decode_all(packed, out)
            .ok()
    }

    #[cfg(not(any(feature = "ruzstd", feature = "zstd")))]
    fn zstandard(&mut self, _: &[u8], _: &mut [u8]) -> Option<usize> {
        None
    }
}

impl std::fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacker").finish_non_exhaustive()
    }
}

fn fast_lz(packed: &[u8], out: &mut [u8]) -> bool {
    if out.len() >= FASTLZ_MIN {
        return fastlz::decompress(packed, out) == Some(out.len());
    }
    let mut padded = [0; FASTLZ_MIN];
    let good = fastlz::decompress(packed, &mut padded).is_some_and(|got| got >= out.len());
    if good {
        let len = out.len();
        out.copy_from_slice(&padded[..len]);
    }
    good
}

#[cfg(feature = "deflate")]
fn gzip(packed: &[u8], out: &mut [u8]) -> bool {
    fill(&mut flate2::bufread::GzDecoder::new(packed), out)
}

#[cfg(not(feature = "deflate"))]
fn gzip(_: &[u8], _: &mut [u8]) -> bool {
    false
}

#[cfg(feature = "brotli")]
fn brotli(packed: &[u8], out: &mut [u8]) -> bool {
    let mut reader = brotli_decompressor::Decompressor::new(packed, 4096);
    fill(&mut reader, out)
}

#[cfg(not(feature = "brotli"))]
fn brotli(_: &[u8], _: &mut [u8]) -> bool {
    false
}

/// Fills `out` from a reader. Returns `true` if the reader had exactly that many valid bytes.
#[cfg(any(feature = "deflate", feature = "brotli"))]
fn fill(reader: &mut impl std::io::Read, out: &mut [u8]) -> bool {
    reader.read_exact(out).is_ok() && matches!(reader.read(&mut [0]), Ok(0))
}

/// Returns `false` if `packed` cannot possibly unpack to `len` bytes. Called before memory is taken
/// for the block.
pub(super) fn can_hold(mode: Mode, packed: &[u8], len: usize) -> bool {
    let (packed_len, len) = (packed.len() as u64, len as u64);
    match mode {
        // A block that is no longer than its compressed bytes takes no extra memory.
        _ if len <= packed_len => true,
        Mode::FastLz => len <= packed_len * fastlz::EXPANSION,
        // A match of 258 bytes takes at least one bit for its length and one for its distance.
        Mode::Deflate | Mode::Gzip => len <= packed_len * 1032,
        Mode::Zstd => len <= zstd_bound(packed),
        Mode::Brotli => brotli_has(packed, len),
    }
}

/// Returns the most bytes that Zstandard frames can unpack to, judged by the headers of their
/// blocks (RFC 8878, 3.1.1): a block holds at most 128 KiB.
fn zstd_bound(packed: &[u8]) -> u64 {
    let mut bound = 0;
    let mut rest = packed;
    while !rest.is_empty() {
        match frame_bound(&mut rest) {
            Some(more) => bound += more,
            None => break,
        }
    }
    bound
}

/// Skips one frame. Returns the largest size that it can unpack to, or `None` if the bytes are cut
/// or are not a frame.
fn frame_bound(rest: &mut &[u8]) -> Option<u64> {
    let magic = u32::from_le_bytes(*take(rest, 4)?.first_chunk()?);
    if magic & 0xffff_fff0 == 0x184d_2a50 {
        let len = u32::from_le_bytes(*take(rest, 4)?.first_chunk()?);
        take(rest, len as usize)?;
        return Some(0);
    }
    if magic != 0xfd2f_b528 {
        return None;
    }
    let descriptor = take(rest, 1)?[0];
    let single = descriptor & 0x20 != 0;
    let content_size = match descriptor >> 6 {
        0 => usize::from(single),
        code => 1 << code,
    };
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    take(rest, usize::from(!single) + dictionary + content_size)?;
    let mut bound = 0;
    loop {
        let header = take(rest, 3)?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let size = header >> 3;
        let (present, unpacked) = match header >> 1 & 3 {
            0 => (size, size),
            1 => (1, size),
            _ => (size, 1 << 17),
        };
        take(rest, present as usize)?;
        bound += u64::from(unpacked);
        if header & 1 != 0 {
            break;
        }
    }
    if descriptor & 4 != 0 {
        take(rest, 4)?;
    }
    Some(bound)
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(len)?;
    *rest = tail;
    Some(head)
}

/// Returns `true` if Brotli bytes unpack to at least `len` bytes. Brotli has no bound: a few bytes
/// can be megabytes. If `len` is at most 1032 times the number of bytes, returns `true` without a
/// check. Otherwise the bytes are unpacked once and discarded.
#[cfg(feature = "brotli")]
fn brotli_has(packed: &[u8], len: u64) -> bool {
    use std::io::Read;

    if len <= packed.len() as u64 * 1032 {
        return true;
    }
    let mut reader = brotli_decompressor::Decompressor::new(packed, 4096).take(len + 1);
    let mut piece = [0; 4096];
    let mut got = 0;
    loop {
        match reader.read(&mut piece) {
            Ok(0) | Err(_) => return got >= len,
            Ok(more) => got += more as u64,
        }
    }
}

#[cfg(not(feature = "brotli"))]
fn brotli_has(_: &[u8], _: u64) -> bool {
    true
}
