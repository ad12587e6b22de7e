//! [`ByteWriter`]: writes numbers and texts in the byte order of a resource.

/// The highest bit of a length or count. Readers give it another meaning.
const RESERVED: u32 = 1 << 31;

/// The bytes written so far, and their byte order.
pub(crate) struct ByteWriter {
    pub(crate) bytes: Vec<u8>,
    is_big_endian: bool,
}

impl ByteWriter {
    pub(crate) fn new(is_big_endian: bool) -> ByteWriter {
        ByteWriter {
            bytes: Vec::new(),
            is_big_endian,
        }
    }

    pub(crate) fn u32(&mut self, number: u32) {
        self.number(&number.to_le_bytes());
    }

    /// Writes a number in the byte order of the file. `bytes` has the lowest byte first.
    pub(crate) fn number(&mut self, bytes: &[u8]) {
        match self.is_big_endian {
            true => self.bytes.extend(bytes.iter().rev()),
            false => self.bytes.extend_from_slice(bytes),
        }
    }

    /// Writes a count. Returns `None` if the file cannot hold it.
    pub(crate) fn count(&mut self, count: usize) -> Option<()> {
        let count = u32::try_from(count).ok();
        self.u32(count.filter(|count| count & RESERVED == 0)?);
        Some(())
    }

    /// Writes a text: its length including a NUL, the text, and the NUL. Returns `None` if the
    /// text contains a NUL.
    pub(crate) fn text(&mut self, text: &str) -> Option<()> {
        if text.contains('\0') {
            return None;
        }
        self.count(text.len() + 1)?;
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
        Some(())
    }
}
