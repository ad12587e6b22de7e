//! The functions that programs call to read and write values, and their options.

use alloc::vec::Vec;
use core::marker::PhantomData;

use gdvar_view::{Cursor, Dialect, Document, Limits, Mode, ReadOptions, VariantRef};
use gdvar_write::{Patch, Target, Writer};
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::{Error, de::ValueDeserializer, ser::ValueSerializer};

/// Options for reading: a [`Dialect`], or [`ReadOptions`] for everything else.
///
/// Reading into Rust types recurses as deep as the types do. So values are read down to
/// [`ReadWith::DEPTH`], even if the options allow more; [`ReadWith::deep`] uses the limit of the
/// options. Bytes after the value are an error unless [`ReadWith::allow_trailing_bytes`] is called.
///
/// ```
/// use gdvar_serde::{ReadWith, from_slice, from_slice_with};
/// use gdvar_view::Dialect;
///
/// // 7, and four bytes more.
/// let packet = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// let error = from_slice::<i32>(&packet).unwrap_err();
/// assert!(error.to_string().starts_with("$, at byte 0x8: 4 bytes follow the value"));
/// let reading = ReadWith::from(Dialect::GODOT_4).allow_trailing_bytes();
/// assert_eq!(from_slice_with::<i32>(&packet, reading)?, 7);
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ReadWith {
    options: ReadOptions,
    trailing: bool,
}

impl ReadWith {
    /// The depth limit unless [`ReadWith::deep`] is called: 128 containers inside each other, as in
    /// other formats.
    pub const DEPTH: Limits = Limits::ENGINE.with_max_depth(128);

    /// Reads as deep as `options` say, by default the engine's 1024 levels.
    ///
    /// Use it for types that do not recurse, or in a thread with a large stack. In a build without
    /// optimisation, 128 levels of recursive types take up to 1 MiB
    /// (`cargo test -p gdvar-debug-build`), more for structs of many fields.
    #[must_use]
    pub const fn deep(options: ReadOptions) -> ReadWith {
        ReadWith {
            options,
            trailing: false,
        }
    }

    /// Ignores bytes after the value, as the engines do. Strict mode still refuses them.
    #[must_use]
    pub const fn allow_trailing_bytes(self) -> ReadWith {
        ReadWith {
            trailing: true,
            ..self
        }
    }

    /// Returns the options for reading, with the depth limit that applies.
    #[must_use]
    pub const fn options(self) -> ReadOptions {
        self.options
    }
}

impl Default for ReadWith {
    /// Returns options for Godot 4.
    fn default() -> ReadWith {
        Dialect::GODOT_4.into()
    }
}

impl From<Dialect> for ReadWith {
    fn from(dialect: Dialect) -> ReadWith {
        ReadOptions::new(dialect).into()
    }
}

impl From<ReadOptions> for ReadWith {
    /// Uses these options, with a depth limit of at most [`ReadWith::DEPTH`].
    fn from(options: ReadOptions) -> ReadWith {
        ReadWith::deep(options.with_limits(limits(options, 0)))
    }
}

/// Returns the depth limit of `options`, reduced to [`ReadWith::DEPTH`] levels below the depth
/// `from`.
fn limits(options: ReadOptions, from: u16) -> Limits {
    let most = from.saturating_add(ReadWith::DEPTH.max_depth);
    Limits::ENGINE.with_max_depth(options.max_depth().min(most))
}

/// Reads a value of Godot 4. The value must take up all of the bytes.
///
/// # Errors
///
/// Fails if the bytes are not a value, if the type expects something else, or if more bytes follow.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    from_slice_with(bytes, Dialect::GODOT_4)
}

/// Reads a value of a dialect, or with options. The value must take up all of the bytes, unless the
/// options say otherwise.
///
/// ```
/// use gdvar_view::{Dialect, Objects, ReadOptions};
///
/// let bytes = gdvar_serde::to_vec_with(&[1, 2, 3], Dialect::GODOT_3)?;
/// let list: Vec<i32> = gdvar_serde::from_slice_with(&bytes, Dialect::GODOT_3)?;
/// let again: Vec<i32> = gdvar_serde::from_slice_with(
///     &bytes,
///     ReadOptions::new(Dialect::GODOT_3).with_objects(Objects::Deny).strict(),
/// )?;
/// assert_eq!(list, again);
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the bytes are not a value, if the type expects something else, or if more bytes follow.
pub fn from_slice_with<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    reading: impl Into<ReadWith>,
) -> Result<T, Error> {
    let ReadWith { options, trailing } = reading.into();
    let document = Document::with_options(bytes, options);
    if document.options().mode() == Mode::Strict {
        // Strict mode also checks the parts that the type does not read.
        let checked = document.validate();
        checked.map_err(|error| Error::read(error).located(document))?;
    }
    let mut reader = ValueDeserializer::new(document.cursor());
    let result = reader.only(PhantomData::<T>, trailing);
    result.map_err(|error| error.located(document))
}

/// Reads a value of Godot 4 from a file or a stream, to its end. The value must take up all of it.
/// The bytes are first read into memory, so the type cannot borrow from them. For a stream of many
/// values use `gdvar_io`'s records.
///
/// ```
/// let save = gdvar_serde::to_vec(&[("Ann", 3)])?;
/// let scores: Vec<(String, i64)> = gdvar_serde::from_reader(save.as_slice())?;
/// assert_eq!(scores, [("Ann".to_string(), 3)]);
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the reader fails, if the bytes are not a value, if the type expects something else, or
/// if more bytes follow.
#[cfg(feature = "std")]
pub fn from_reader<R: std::io::Read, T: DeserializeOwned>(reader: R) -> Result<T, Error> {
    from_reader_with(reader, Dialect::GODOT_4)
}

/// Reads a value of a dialect, or with options, from a file or a stream. See [`from_reader`].
///
/// # Errors
///
/// Fails if the reader fails, if the bytes are not a value, if the type expects something else, or
/// if more bytes follow.
#[cfg(feature = "std")]
pub fn from_reader_with<R: std::io::Read, T: DeserializeOwned>(
    mut reader: R,
    reading: impl Into<ReadWith>,
) -> Result<T, Error> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(Error::input)?;
    from_slice_with(&bytes, reading)
}

/// Reads a value that a borrowed reader has found. Uses the reader's options, and reads down to
/// [`ReadWith::DEPTH`] levels below `value`. To read deeper, pass the [`raw`](VariantRef::raw)
/// bytes of `value` to [`from_slice_with`] with [`ReadWith::deep`].
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// let save = gdvar_serde::to_vec(&[("players", [("Ann", 3)])])?;
/// let root = Document::new(&save, Dialect::GODOT_4).root()?;
/// let players = root.as_array().unwrap().get(0)?.unwrap();
/// let (_, list): (&str, Vec<(&str, i64)>) = gdvar_serde::from_ref(players)?;
/// assert_eq!(list, [("Ann", 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if a part of the value cannot be read or the type expects something else.
pub fn from_ref<'de, T: Deserialize<'de>>(value: VariantRef<'de>) -> Result<T, Error> {
    let serial = Cursor::of(value);
    let document = Document::with_options(serial.bytes(), serial.options());
    if document.options().mode() == Mode::Strict {
        for event in value.events() {
            event.map_err(|error| Error::read(error).located(document))?;
        }
    }
    let limits = limits(value.options(), value.depth());
    let mut reader = ValueDeserializer::new(serial.with_limits(limits));
    let result = T::deserialize(&mut reader);
    result.map_err(|error| error.or_at(value.offset()).located(document))
}

/// Writes a value for Godot 4.
///
/// # Errors
///
/// Fails if the engine cannot hold the value, such as an int of more than 64 bits.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    to_vec_with(value, Target::GODOT_4)
}

/// Writes a value for a dialect or a target.
///
/// # Errors
///
/// Fails if the engine cannot hold the value.
pub fn to_vec_with<T: Serialize + ?Sized>(
    value: &T,
    target: impl Into<Target>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    to_buffer_with(&mut bytes, value, target)?;
    Ok(bytes)
}

/// Writes a value for Godot 4 and appends it to a buffer. Use this for packets, with one buffer
/// that is cleared and reused: the bytes are written in place, and nothing is allocated if the
/// buffer is large enough. [`to_writer`], in contrast, collects the bytes first.
///
/// ```
/// let mut packet = Vec::with_capacity(256);
/// for tick in 0..3 {
///     packet.clear();
///     gdvar_serde::to_buffer(&mut packet, &("tick", tick))?;
///     assert_eq!(packet.len(), 28);
/// }
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the engine cannot hold the value; the buffer is then unchanged.
pub fn to_buffer<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) -> Result<(), Error> {
    to_buffer_with(buffer, value, Target::GODOT_4)
}

/// Writes a value for a dialect or a target and appends it to a buffer. See [`to_buffer`].
///
/// # Errors
///
/// Fails if the engine cannot hold the value; the buffer is then unchanged.
#[inline]
pub fn to_buffer_with<T: Serialize + ?Sized>(
    buffer: &mut Vec<u8>,
    value: &T,
    target: impl Into<Target>,
) -> Result<(), Error> {
    let before = buffer.len();
    let mut writer = Writer::new(&mut *buffer, target);
    let done = to_sink(value, &mut writer).and_then(|()| writer.next_value().map_err(Error::write));
    if done.is_err() {
        buffer.truncate(before);
    }
    done.map(drop)
}

/// Writes a value for Godot 4 to a file, a socket or any other writer. For memory use
/// [`to_buffer`]. The writer receives pieces of about 16 KiB, so a file needs no `BufWriter`.
/// Sequences and maps of unknown length, such as flattened structs, are collected as a whole; only
/// if they exceed 16 KiB, memory is allocated.
///
/// ```no_run
/// let file = std::fs::File::create("scores.dat")?;
/// gdvar_serde::to_writer(file, &[("Ann", 3)])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the engine cannot hold the value, or if the writer fails.
#[cfg(feature = "std")]
pub fn to_writer<W: std::io::Write, T: Serialize + ?Sized>(
    writer: W,
    value: &T,
) -> Result<(), Error> {
    to_writer_with(writer, value, Target::GODOT_4)
}

/// Writes a value for a dialect or a target to a file, a socket or any other writer. See
/// [`to_writer`].
///
/// # Errors
///
/// Fails if the engine cannot hold the value, or if the writer fails.
#[cfg(feature = "std")]
pub fn to_writer_with<W: std::io::Write, T: Serialize + ?Sized>(
    writer: W,
    value: &T,
    target: impl Into<Target>,
) -> Result<(), Error> {
    let mut spill = crate::ser::Spill::new(writer);
    let mut writer = Writer::new(&mut spill, target);
    to_sink(value, &mut writer)?;
    writer.next_value().map_err(Error::write)?;
    gdvar_write::Sink::flush(&mut spill).map_err(Error::output)
}

/// Writes a value at the current position of a [`Writer`]: as an element of an open container, or
/// as one of several values. The writer may have any sink.
///
/// Use it to mix derived structs with direct calls of the writer, without an intermediate buffer.
/// The path of an error begins at the value. After an error, discard the writer: a container of the
/// value may be open.
///
/// ```
/// use gdvar_write::{Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// writer.begin_array(2)?;
/// writer.string("scores")?;
/// gdvar_serde::to_sink(&[("Ann", 3)], &mut writer)?;
/// writer.end()?;
/// let bytes = writer.finish()?;
/// assert_eq!(bytes, gdvar_serde::to_vec(&("scores", [("Ann", 3)]))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the target cannot hold the value, or if the sink fails.
pub fn to_sink<T, S>(value: &T, writer: &mut Writer<S>) -> Result<(), Error>
where
    T: Serialize + ?Sized,
    S: Patch<Error: core::error::Error + Send + Sync + 'static>,
{
    value
        .serialize(ValueSerializer::new(writer))
        .map_err(Error::outermost)
}
