//! Assembles the records of a stream that arrives in pieces, without doing IO: `StreamPeer.put_var`
//! and `PacketPeerStream` ([`docs/FORMAT.md` §7.1]).
//!
//! [`docs/FORMAT.md` §7.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values

use std::{
    fmt,
    io::{self, Read},
};

use gdvar_view::PrefixOrder;

use crate::{
    Error, FileErrorKind, Limits,
    records::{
        mistake::Mistake,
        prefix::{RecordBytes, prefix},
    },
};

/// How many bytes are read at a time.
const PIECE: usize = 64 * 1024;

/// Assembles records from the pieces of a stream, without IO, so it fits any runtime.
///
/// A decoder holds the bytes that were pushed and not yet taken, in one buffer that is reused. The
/// buffer grows with the bytes that arrive, and not with the lengths that records declare. Each
/// byte is moved once on average.
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
    /// `buffer[start..end]` holds the bytes pushed and not taken.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The stream offset of `buffer[0]`.
    base: u64,
    index: u64,
    order: PrefixOrder,
    limits: Limits,
}

impl Decoder {
    /// Creates a decoder for the start of a stream.
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

    /// Appends bytes that have arrived to the buffer.
    pub fn push(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.buffer[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Takes bytes by a single read from `reader`. Returns how many it got; 0 at the end of
    /// `reader`.
    ///
    /// # Errors
    ///
    /// Returns the reader's error.
    pub fn read_from(&mut self, reader: &mut (impl Read + ?Sized)) -> io::Result<usize> {
        let held = self.end - self.start;
        // However long the record is, make room for at most [`PIECE`] bytes, or for as many as are
        // already held.
        let wanted = self.missing().unwrap_or(0).min(held.max(PIECE));
        if self.buffer.len() - self.end < wanted.max(PIECE / 16) {
            self.make_room(wanted.max(PIECE));
        }
        let got = reader.read(&mut self.buffer[self.end..])?;
        self.end += got;
        Ok(got)
    }

    /// Returns how many more bytes the next record needs, or 0 if the record is complete. Until its
    /// length has arrived, only the missing bytes of the length are counted.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Decoder::try_next`].
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

    /// Returns the next record, or `None` until all of its bytes have arrived. Its value is not
    /// read. A record shorter than 4 bytes, which holds no value, is returned too, because the
    /// engines continue after it.
    ///
    /// # Errors
    ///
    /// Returns [`BadLength`](FileErrorKind::BadLength) above 2³¹ − 1,
    /// [`TooLong`](FileErrorKind::TooLong) above the limit, or
    /// [`Mistaken`](FileErrorKind::Mistaken) if what has arrived is clearly framed differently. The
    /// stream cannot be read past the faulty length, so every later call returns the same error.
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

    /// Checks that the stream may end here.
    ///
    /// # Errors
    ///
    /// Returns [`Truncated`](FileErrorKind::Truncated) inside a record, or
    /// [`Mistaken`](FileErrorKind::Mistaken) if all that arrived is clearly framed differently.
    pub fn finish(&self) -> Result<(), Error> {
        if self.start == self.end {
            return Ok(());
        }
        let missing = self.missing()?;
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Err(self.refused(FileErrorKind::Truncated { missing }))
    }

    /// Returns the stream offset of the first byte that belongs to no record returned yet.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Returns the error `kind` at the next record. If the bytes are clearly framed differently,
    /// returns that mistake instead, because it helps more.
    #[cold]
    fn refused(&self, kind: FileErrorKind) -> Error {
        // A mistake can be recognized only while all of the stream is still in the buffer.
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
        // Moves the held bytes to the start, but only if at least as many bytes were taken since
        // the last move. So each byte is moved once on average.
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
