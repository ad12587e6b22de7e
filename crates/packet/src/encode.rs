//! [`Encode`]: writes packets and transport frames.

use core::{convert::Infallible, fmt};

use gdvar_write::{BufferFull, Measure, Sink, SliceSink};

/// Why a packet could not be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteError<E> {
    /// The sink failed.
    Sink(E),
    /// The writer of values refused a value.
    Value(gdvar_write::WriteErrorKind<Infallible>),
    /// There are more arguments, names or bytes than the field for their number can express.
    TooLong {
        /// The number of arguments, names or bytes.
        len: usize,
        /// The highest number that the field can express.
        most: usize,
    },
    /// A name or path contains a NUL, at which the engine would cut it.
    EmbeddedNul,
}

impl<E> From<gdvar_write::Error<E>> for WriteError<E> {
    fn from(error: gdvar_write::Error<E>) -> WriteError<E> {
        match error.into_kind().without_sink() {
            Ok(kind) => WriteError::Value(kind),
            Err(error) => WriteError::Sink(error),
        }
    }
}

impl<E: fmt::Display> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Sink(error) => error.fmt(f),
            WriteError::Value(kind) => write!(f, "a value cannot be written: {kind}"),
            WriteError::TooLong { len, most } => {
                write!(
                    f,
                    "{len} is more than a packet can hold there, which is {most}"
                )
            }
            WriteError::EmbeddedNul => f.write_str("a name or path has a NUL inside"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for WriteError<E> {}

/// A packet or transport frame that can be written.
pub trait Encode {
    /// Writes the bytes to `sink`. Allocates nothing itself.
    ///
    /// # Errors
    /// Fails if the sink fails, or a field cannot hold its value.
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>>;

    /// Writes to the start of `buffer`, and returns the written part.
    ///
    /// # Errors
    /// Returns the errors of [`Encode::encode`]. Also fails if the buffer is too small.
    fn encode_into<'b>(
        &self,
        buffer: &'b mut [u8],
    ) -> Result<&'b mut [u8], WriteError<BufferFull>> {
        let mut sink = SliceSink::new(buffer);
        self.encode(&mut sink)?;
        Ok(sink.into_written())
    }

    /// The number of bytes that [`Encode::encode`] writes. Measuring takes as long as writing.
    ///
    /// # Errors
    /// Fails if a field cannot hold its value.
    fn size(&self) -> Result<usize, WriteError<Infallible>> {
        let mut measure = Measure::new();
        self.encode(&mut measure)?;
        Ok(measure.len() as usize)
    }
}

/// Writes a name and its NUL.
pub(crate) fn put_name<S: Sink>(name: &[u8], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    if name.contains(&0) {
        return Err(WriteError::EmbeddedNul);
    }
    put(name, sink)?;
    put(&[0], sink)
}

pub(crate) fn put<S: Sink>(bytes: &[u8], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    sink.put(bytes).map_err(WriteError::Sink)
}

/// Converts a length to a field of four bytes.
pub(crate) fn word<E>(len: usize) -> Result<u32, WriteError<E>> {
    // The engines take lengths as signed.
    let most = i32::MAX as usize;
    u32::try_from(len)
        .ok()
        .filter(|&len| len <= most as u32)
        .ok_or(WriteError::TooLong { len, most })
}

/// Converts the error of a measurement, in which no sink can fail, to the error type of a sink.
pub(crate) fn measured<E>(error: WriteError<Infallible>) -> WriteError<E> {
    match error {
        WriteError::Sink(never) => match never {},
        WriteError::Value(kind) => WriteError::Value(kind),
        WriteError::TooLong { len, most } => WriteError::TooLong { len, most },
        WriteError::EmbeddedNul => WriteError::EmbeddedNul,
    }
}
