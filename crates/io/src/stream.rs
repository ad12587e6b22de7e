//! Records of a stream that arrive in pieces, without IO: `StreamPeer.put_var` and
//! `PacketPeerStream` (`docs/FORMAT.md` §7.1).

use std::{
    fmt,
    io::{self, Read},
};

use gdvar_view::PrefixOrder;

use crate::{
    Error, FileErrorKind, Limits,
    records::{Mistake, RecordBytes, prefix},
};

/// How much is read at a time.
const PIECE: usize = 64 * 1024;

/// Puts pieces of a stream together to records. It does no IO, so it fits any runtime.
///
/// It holds what was pushed and not yet taken, in one buffer that is used again. A length buys no
/// memory: only pushed bytes do. Each byte is moved once on average besides.
///
/// ```
/// use gdvar_io::{Limits, records::PrefixOrder, stream::Decoder};
///
/// let mut decoder = Decoder::new(PrefixOrder::Little, Limits::STREAM);
/// decoder.push(b"\x08\0\0\0\x02\0"); // the rest has not arrived yet
/// assert!(decoder.try_next()?.is_none());
/// assert_eq!(decoder.missing()?, 6);
/// decoder.push(b"\0\0\x05\0\0\0");
/// let record = decoder.try_next()?.unwrap();
/// assert_eq!((record.bytes, record.offset), (&b"\x02\0\0\0\x05\0\0\0"[..], 4));
/// decoder.finish()?; // the stream may end here
/// # Ok::<(), gdvar_io::Error>(())
/// ```
pub struct Decoder {
    /// `buffer[start..end]` was pushed and not taken.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The place of `buffer[0]` in the stream.
    base: u64,
    index: u64,
    order: PrefixOrder,
    limits: Limits,
}

impl Decoder {
    /// A decoder at the start of a stream.
    #[must_use]
    pub const fn new(order: PrefixOrder, limits: Limits) -> Decoder {
        Decoder {
            buffer: Vec::new(),
            start: 0,
            end: 0,
            base: 0,
            index: 0,
            order,
            limits,
        }
    }

    /// Takes bytes that arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.buffer[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Takes bytes by a single read from `reader`; returns how many came, zero at its end.
    ///
    /// # Errors
    /// The error of the reader.
    pub fn read_from(&mut self, reader: &mut (impl Read + ?Sized)) -> io::Result<usize> {
        let held = self.end - self.start;
        // As much again as is there is the most that a length may ask for.
        let wanted = self.missing().unwrap_or(0).min(held.max(PIECE));
        if self.buffer.len() - self.end < wanted.max(PIECE / 16) {
            self.make_room(wanted.max(PIECE));
        }
        let got = reader.read(&mut self.buffer[self.end..])?;
        self.end += got;
        Ok(got)
    }

    /// The number of bytes that the next record lacks at least; 0 if it is whole. While its length
    /// is not there yet, that is what the length lacks.
    ///
    /// # Errors
    /// As [`Decoder::try_next`].
    pub fn missing(&self) -> Result<usize, Error> {
        let rest = &self.buffer[self.start..self.end];
        let Some(four) = rest.first_chunk() else {
            return Ok(4 - rest.len());
        };
        let length = prefix(*four, self.order);
        if length > i32::MAX as u32 {
            return Err(self.refused(FileErrorKind::BadLength { length }));
        }
        if length > self.limits.max_len {
            let limit = self.limits.max_len;
            return Err(self.refused(FileErrorKind::TooLong { length, limit }));
        }
        Ok((length as usize).saturating_sub(rest.len() - 4))
    }

    /// The next record; `None` until all its bytes have arrived. Its value is not looked at: a
    /// length below 4, which no value has, is handed out too, as the engines go on behind it.
    ///
    /// # Errors
    /// [`BadLength`](FileErrorKind::BadLength) above 2³¹ − 1, [`TooLong`](FileErrorKind::TooLong) above the
    /// limit, and [`Mistaken`](FileErrorKind::Mistaken) instead where what has arrived is plainly framed
    /// in another way. A stream cannot be read on behind that: the same error comes again.
    pub fn try_next(&mut self) -> Result<Option<RecordBytes<'_>>, Error> {
        let missing = self.missing()?;
        let rest = &self.buffer[self.start..self.end];
        let (0, Some(four)) = (missing, rest.first_chunk()) else {
            return Ok(None);
        };
        let from = self.start + 4;
        let to = from + prefix(*four, self.order) as usize;
        let record = RecordBytes {
            bytes: &self.buffer[from..to],
            offset: self.base + from as u64,
            index: self.index,
        };
        self.start = to;
        self.index += 1;
        Ok(Some(record))
    }

    /// An error if the stream may not end here.
    ///
    /// # Errors
    /// [`Truncated`](FileErrorKind::Truncated) inside a record, or
    /// [`Mistaken`](FileErrorKind::Mistaken) where all that came is plainly framed in another way.
    pub fn finish(&self) -> Result<(), Error> {
        if self.start == self.end {
            return Ok(());
        }
        let missing = self.missing()?;
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Err(self.refused(FileErrorKind::Truncated { missing }))
    }

    /// The first byte of the stream that belongs to no record handed out yet.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    /// The error at the next record, or a better one.
    #[cold]
    fn refused(&self, kind: FileErrorKind) -> Error {
        // Only while nothing of the stream was dropped can it be looked at as a whole.
        if self.base == 0 {
            if let Some(mistake) = Mistake::of_records(&self.buffer[..self.end], self.order) {
                return Error::new(0, FileErrorKind::Mistaken(mistake));
            }
        }
        let offset = match kind {
            FileErrorKind::Truncated { .. } => self.base + self.end as u64,
            _ => self.position(),
        };
        Error::new(offset, kind)
    }

    /// Makes room for `more` bytes at the end.
    fn make_room(&mut self, more: usize) {
        if self.buffer.len() - self.end >= more {
            return;
        }
        let held = self.end - self.start;
        // Taken bytes are dropped when they are at least as many as must be moved.
        if self.start >= held {
            self.buffer.copy_within(self.start..self.end, 0);
            self.base += self.start as u64;
            (self.start, self.end) = (0, held);
        }
        let len = self.end + more;
        if self.buffer.len() < len {
            self.buffer.resize(len, 0);
        }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("position", &self.position())
            .field("held", &(self.end - self.start))
            .field("order", &self.order)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
