//! Reads the contents of a compressed file as a `Read + Seek`.

use std::{
    fmt,
    io::{self, BufRead, Read, Seek, SeekFrom},
};

use super::{Compressed, LENGTH_AT, unpack::Unpacker};
use crate::{Error, FileErrorKind, limits::reserve};

/// Reads the contents of a [`Compressed`] file. The reader holds one unpacked block, in a buffer
/// that is reused, and the state of the decompressor.
///
/// ```
/// use std::io::{Read, Seek, SeekFrom};
/// use gdvar_io::{Limits, compressed::{BLOCK_SIZE, Compressed, Mode, compress}};
///
/// let plain: Vec<u8> = (0..20_000_u32).map(|n| (n / 100) as u8).collect();
/// let file = compress(&plain, Mode::FastLz, BLOCK_SIZE)?;
/// let opened = Compressed::open(&file, Limits::unpacking(file.len()))?;
/// let mut reader = opened.reader();
/// reader.seek(SeekFrom::Start(19_900))?;
/// let mut end = Vec::new();
/// reader.read_to_end(&mut end)?;
/// assert_eq!(end, [199; 100]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<'f, 'a> {
    file: &'f Compressed<'a>,
    unpacker: Unpacker,
    buffer: Vec<u8>,
    /// The number of the block in the buffer.
    held: Option<usize>,
    position: u64,
}

impl<'f, 'a> Reader<'f, 'a> {
    pub(super) fn new(file: &'f Compressed<'a>) -> Reader<'f, 'a> {
        Reader {
            file,
            unpacker: Unpacker::default(),
            buffer: Vec::new(),
            held: None,
            position: 0,
        }
    }

    /// Returns the contents of block number `block`, counted from 0. If this block was read last,
    /// it is not unpacked again. Other blocks may be damaged.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`](FileErrorKind::OutOfRange) if `block` is not below
    /// [`Compressed::blocks`],
    /// [`Truncated`](FileErrorKind::Truncated) if the file ends inside the block,
    /// [`Impossible`](FileErrorKind::Impossible) if its bytes cannot hold the declared length
    /// (before memory is taken), [`BadBlock`](FileErrorKind::BadBlock),
    /// [`NotBuilt`](FileErrorKind::NotBuilt), [`OutOfMemory`](FileErrorKind::OutOfMemory).
    pub fn read_block(&mut self, block: usize) -> Result<&[u8], Error> {
        if self.held != Some(block) {
            self.held = None;
            self.file.justified(block)?;
            let len = self.file.block_len(block);
            let more = len.saturating_sub(self.buffer.len());
            reserve(&mut self.buffer, more, LENGTH_AT)?;
            self.buffer.resize(len, 0);
            self.file
                .unpack(&mut self.unpacker, block, &mut self.buffer)?;
            self.held = Some(block);
        }
        Ok(&self.buffer)
    }

    /// Fills `out` with the contents from `offset` on. Unpacks the blocks that contain these bytes.
    /// The position of `Read` does not change.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`](FileErrorKind::OutOfRange) if the contents end earlier, and the
    /// errors of [`Reader::read_block`].
    pub fn read_at(&mut self, offset: u64, out: &mut [u8]) -> Result<(), Error> {
        let len = u64::from(self.file.len());
        if offset > len || out.len() as u64 > len - offset {
            return Err(Error::new(offset, FileErrorKind::OutOfRange));
        }
        let mut at = offset;
        let mut rest = out;
        while !rest.is_empty() {
            let piece = self.piece(at)?;
            let now = piece.len().min(rest.len());
            let (head, tail) = rest.split_at_mut(now);
            head.copy_from_slice(&piece[..now]);
            at += now as u64;
            rest = tail;
        }
        Ok(())
    }

    /// Returns the contents from offset `at` to the end of its block. Empty if the contents end at
    /// `at` or earlier.
    fn piece(&mut self, at: u64) -> Result<&[u8], Error> {
        if at >= u64::from(self.file.len()) {
            return Ok(&[]);
        }
        let size = u64::from(self.file.block_size());
        let block = self.read_block((at / size) as usize)?;
        Ok(block.get((at % size) as usize..).unwrap_or_default())
    }
}

impl Read for Reader<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let piece = self.piece(self.position)?;
        let now = piece.len().min(out.len());
        out[..now].copy_from_slice(&piece[..now]);
        self.consume(now);
        Ok(now)
    }
}

impl BufRead for Reader<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.piece(self.position)?)
    }

    fn consume(&mut self, amount: usize) {
        self.position = self.position.saturating_add(amount as u64);
    }
}

impl Seek for Reader<'_, '_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (u64::from(self.file.len()), by),
            SeekFrom::Current(by) => (self.position, by),
        };
        self.position = base.checked_add_signed(by).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "a place before the start")
        })?;
        Ok(self.position)
    }
}

impl fmt::Debug for Reader<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("file", self.file)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
