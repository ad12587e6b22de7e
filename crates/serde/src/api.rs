//! The functions to call.

use alloc::vec::Vec;
use core::marker::PhantomData;

use gdvar_view::{Cursor, Dialect, Document, Limits, Mode, ReadOptions, VariantRef};
use gdvar_write::{Patch, Target, Writer};
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::{Error, de::Reader, ser::ValueSerializer};

/// How to read: a [`Dialect`], or [`ReadOptions`] for all the rest.
///
/// Reading into Rust types recurses as deep as they do, so values are read down to [`ReadWith::DEPTH`], whatever
/// the options say; [`ReadWith::deep`] takes their own limit. Bytes after the value are an error unless
/// [`ReadWith::allow_trailing_bytes`] is called.
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
    /// How deep values may be nested unless [`ReadWith::deep`] is called: 128, as in other formats.
    pub const DEPTH: Limits = Limits::ENGINE.with_max_depth(128);

    /// Reads as deep as `options` say, the engine's 1024 levels by default.
    ///
    /// For types that do not recurse, or in a thread with a large stack. In a build without optimisation 128 levels of
    /// recursive types take up to 1 MiB (`cargo test -p gdvar-debug-build`), more for structs of many fields.
    #[must_use]
    pub const fn deep(options: ReadOptions) -> ReadWith {
        ReadWith {
            options,
            trailing: false,
        }
    }

    /// Ignores bytes after the value, as the engines do. Strict mode refuses them all the same.
    #[must_use]
    pub const fn allow_trailing_bytes(self) -> ReadWith {
        ReadWith {
            trailing: true,
            ..self
        }
    }

    /// The options.
    #[must_use]
    pub const fn options(self) -> ReadOptions {
        self.options
    }
}

impl Default for ReadWith {
    /// Godot 4.
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
    /// The options, with a depth limit of [`ReadWith::DEPTH`] at most.
    fn from(options: ReadOptions) -> ReadWith {
        ReadWith::deep(options.with_limits(limits(options, 0)))
    }
}

/// The depth limit of `options`, but at most [`ReadWith::DEPTH`] levels below the depth `from`.
fn limits(options: ReadOptions, from: u16) -> Limits {
    let most = from.saturating_add(ReadWith::DEPTH.max_depth);
    Limits::ENGINE.with_max_depth(options.max_depth().min(most))
}

/// Reads a value of Godot 4, which takes all of the bytes.
///
/// # Errors
/// If the bytes are no value, or not what the type wants, or more bytes follow.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    from_slice_with(bytes, Dialect::GODOT_4)
}

/// Reads a value of that dialect, or with those options.
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
/// If the bytes are no value, or not what the type wants, or more bytes follow.
pub fn from_slice_with<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    reading: impl Into<ReadWith>,
) -> Result<T, Error> {
    let ReadWith { options, trailing } = reading.into();
    let document = Document::with_options(bytes, options);
    if document.options().mode() == Mode::Strict {
        // Strict mode looks at more than what is read.
        let checked = document.validate();
        checked.map_err(|error| Error::read(error).located(document))?;
    }
    let mut reader = Reader::new(document.cursor());
    let result = reader.only(PhantomData::<T>, trailing);
    result.map_err(|error| error.located(document))
}

/// Reads a value of Godot 4 from a file or a stream, to its end: the value takes all of it. The bytes are collected whole, so nothing
/// can be borrowed from them; for a stream of many values use `gdvar_io`'s records.
///
/// ```
/// let save = gdvar_serde::to_vec(&[("Ann", 3)])?;
/// let scores: Vec<(String, i64)> = gdvar_serde::from_reader(save.as_slice())?;
/// assert_eq!(scores, [("Ann".to_string(), 3)]);
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
///
/// # Errors
/// If the reader fails, or the bytes are no value, or not what the type wants, or more bytes follow.
#[cfg(feature = "std")]
pub fn from_reader<R: std::io::Read, T: DeserializeOwned>(reader: R) -> Result<T, Error> {
    from_reader_with(reader, Dialect::GODOT_4)
}

/// As [`from_reader`] for that dialect, or with those options.
///
/// # Errors
/// If the reader fails, or the bytes are no value, or not what the type wants, or more bytes follow.
#[cfg(feature = "std")]
pub fn from_reader_with<R: std::io::Read, T: DeserializeOwned>(
    mut reader: R,
    reading: impl Into<ReadWith>,
) -> Result<T, Error> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(Error::input)?;
    from_slice_with(&bytes, reading)
}

/// Reads a value that a borrowed reader came to, with the reader's options, and down to [`ReadWith::DEPTH`] levels below
/// it. For more give its [`raw`](VariantRef::raw) bytes to [`from_slice_with`] and [`ReadWith::deep`].
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
/// If below it something cannot be read, or is not what the type wants.
pub fn from_ref<'de, T: Deserialize<'de>>(value: VariantRef<'de>) -> Result<T, Error> {
    let serial = Cursor::of(value);
    let document = Document::with_options(serial.bytes(), serial.options());
    if document.options().mode() == Mode::Strict {
        for event in value.events() {
            event.map_err(|error| Error::read(error).located(document))?;
        }
    }
    let limits = limits(value.options(), value.depth());
    let mut reader = Reader::new(serial.with_limits(limits));
    let result = T::deserialize(&mut reader);
    result.map_err(|error| error.or_at(value.offset()).located(document))
}

/// Writes a value for Godot 4.
///
/// # Errors
/// If the engine cannot hold the value, such as ints of more than 64 bits.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    to_vec_with(value, Target::GODOT_4)
}

/// Writes a value for that dialect, or for that target.
///
/// # Errors
/// If its engine cannot hold the value.
pub fn to_vec_with<T: Serialize + ?Sized>(
    value: &T,
    target: impl Into<Target>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    to_buffer_with(&mut bytes, value, target)?;
    Ok(bytes)
}

/// Writes a value for Godot 4 after the bytes that a buffer has. Use this for packets, with one buffer that
/// is cleared and used again: nothing is allocated where it is large enough, and the bytes are written in their
/// place. [`to_writer`] collects them first.
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
/// If the engine cannot hold the value; the buffer is as it was then.
pub fn to_buffer<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) -> Result<(), Error> {
    to_buffer_with(buffer, value, Target::GODOT_4)
}

/// As [`to_buffer`] for that dialect, or for that target.
///
/// # Errors
/// If its engine cannot hold the value; the buffer is as it was then.
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

/// Writes a value for Godot 4 into a file, a socket or anything else; for memory there is [`to_buffer`].
/// The writer gets pieces of about 16 KiB, so a file needs no `BufWriter`; what has no known length, such as
/// flattened structs, is collected whole. Nothing is allocated, but for more than 16 KiB of that.
///
/// ```no_run
/// let file = std::fs::File::create("scores.dat")?;
/// gdvar_serde::to_writer(file, &[("Ann", 3)])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the engine cannot hold the value, or the writer fails.
#[cfg(feature = "std")]
pub fn to_writer<W: std::io::Write, T: Serialize + ?Sized>(
    writer: W,
    value: &T,
) -> Result<(), Error> {
    to_writer_with(writer, value, Target::GODOT_4)
}

/// As [`to_writer`] for that dialect, or for that target.
///
/// # Errors
/// If its engine cannot hold the value, or the writer fails.
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

/// Writes a value where a [`Writer`] stands: as an element of a container that it has open, as one value of
/// many, into any of its sinks.
///
/// Use it to mix derived structs with calls of the writer, without bytes in between. The path of an error
/// begins at the value. After an error a container of the value may be open: give the writer up.
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
/// If the writer's target cannot hold the value, or the sink fails.
pub fn to_sink<T, S>(value: &T, writer: &mut Writer<S>) -> Result<(), Error>
where
    T: Serialize + ?Sized,
    S: Patch<Error: core::error::Error + Send + Sync + 'static>,
{
    value
        .serialize(ValueSerializer::new(writer))
        .map_err(Error::outermost)
}
