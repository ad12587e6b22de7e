//! [`ByteReader`]: advances through the bytes of a packet, with bounds checks.

use crate::{
    error::{Error, PacketErrorKind},
    name::Name,
};

/// The bytes of a packet, and the offset of the next one to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

macro_rules! numbers {
    ($($name:ident, $from:ident: $type:ty;)*) => {$(
        #[inline]
        pub(crate) fn $name(&mut self) -> Result<$type, Error> {
            self.array().map(<$type>::$from)
        }
    )*};
}

impl<'a> ByteReader<'a> {
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], at: usize) -> ByteReader<'a> {
        ByteReader { bytes, at }
    }

    #[inline]
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let rest = self.rest();
        let Some(taken) = rest.get(..len) else {
            return Err(Error::truncated(self.at, len - rest.len()));
        };
        self.at += len;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let rest = self.rest();
        let Some(taken) = rest.first_chunk() else {
            return Err(Error::truncated(self.at, N - rest.len()));
        };
        self.at += N;
        Ok(*taken)
    }

    numbers! {
        u8, from_le_bytes: u8;
        u16, from_le_bytes: u16;
        u32, from_le_bytes: u32;
        u64, from_le_bytes: u64;
        i32, from_le_bytes: i32;
        u16_be, from_be_bytes: u16;
        u32_be, from_be_bytes: u32;
        u64_be, from_be_bytes: u64;
    }

    /// Reads a name and the NUL after it. Returns the name without the NUL.
    pub(crate) fn name(&mut self) -> Result<Name<'a>, Error> {
        let rest = self.rest();
        let Some(len) = rest.iter().position(|&byte| byte == 0) else {
            return Err(Error::new(self.at, PacketErrorKind::MissingNul));
        };
        let name = Name::new(&rest[..len]);
        self.at += len + 1;
        Ok(name)
    }

    /// Reads a name whose NUL is the last byte.
    pub(crate) fn last_name(&mut self) -> Result<Name<'a>, Error> {
        let name = self.name()?;
        self.done()?;
        Ok(name)
    }

    /// Checks that all bytes were read.
    pub(crate) fn done(&self) -> Result<(), Error> {
        match self.rest().len() {
            0 => Ok(()),
            count => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                Err(Error::new(
                    self.at,
                    PacketErrorKind::TrailingBytes { count },
                ))
            }
        }
    }
}
