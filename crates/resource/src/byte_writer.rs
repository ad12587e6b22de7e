//! Writes numbers and texts in the byte order of a resource.

/// The bit of a length or count that readers take for something else.
const RESERVED: u32 = 1 << 31;

/// Bytes that are being written.
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

    /// Writes a number whose lowest byte is first in the byte order of the file.
    pub(crate) fn number(&mut self, bytes: &[u8]) {
        match self.is_big_endian {
            true => self.bytes.extend(bytes.iter().rev()),
            false => self.bytes.extend_from_slice(bytes),
        }
    }

    /// Writes a count; `None` if the file cannot hold it.
    pub(crate) fn count(&mut self, count: usize) -> Option<()> {
        let count = u32::try_from(count).ok();
        self.u32(count.filter(|count| count & RESERVED == 0)?);
        Some(())
    }

    /// Writes the length of a text with its NUL, and the text; `None` for a text with another NUL.
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
