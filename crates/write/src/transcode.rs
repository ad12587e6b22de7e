//! Conversion from one engine's bytes to another's, or to the same engine's canonical form.

mod driver;
mod error;
mod leaf;
mod number;
mod packed;
mod raw;
mod report;
mod text;

use gdvar_view::{Document, VariantRef};

pub use error::TranscodeError;
pub use report::{Loss, Report, Reported};

use crate::{sink::Sink, writer::Writer};

/// Reads a value in its dialect and writes it for the writer's target. Use it to convert a save of
/// Godot 3 for Godot 4, or to make the bytes of a dialect canonical.
///
/// A value that the target has is written as the target's engine writes it. A value that the target
/// lacks becomes the nearest value that it has. The [`Report`] says what changed, how often and
/// where first, so nothing changes silently. As in the engines, the last of repeated keys counts, a
/// leading byte order mark is dropped and text ends at a NUL.
///
/// | in the source | if the target lacks it |
/// |---|---|
/// | StringName | String |
/// | Vector2i, Vector3i, Rect2i | Vector2, Vector3, Rect2 |
/// | Vector4, Vector4i, Projection | Array of its components |
/// | PackedInt64Array | PackedInt32Array if all fit, else Array of ints |
/// | PackedFloat64Array | PackedFloat32Array if all are exact, else Array of floats |
/// | PackedVector4Array, Pool…iArray | Array of elements |
/// | typed Array or Dictionary | untyped, or TypedArray in Pandemonium 5 |
/// | Callable, Signal, Image, InputEvent | null |
/// | an object, for Godot 2 | null |
/// | the script of a whole object, between engines | null: one engine stores source text, the other a path |
/// | a RID's number | dropped |
/// | text that is not UTF-8 | U+FFFD for each character that cannot be written |
/// | numbers that need 64 bits, for Godot 2 | the nearest float |
///
/// A conversion takes one linear walk, and another one before it to find repeated keys. The earlier
/// walk takes 24 bytes of memory for each key of the dictionaries open at once. A dictionary with
/// repeated keys inside another such dictionary costs one more walk; from the seventeenth level on,
/// repeated keys are kept.
///
/// ```
/// use gdvar_view::{Dialect, Document};
/// use gdvar_write::{Target, Writer, transcode};
///
/// // Godot 3: [Vector2(1, 2)] — the same value has other numbers in Godot 4.
/// let old = b"\x13\0\0\0\x01\0\0\0\x05\0\0\0\0\0\x80\x3f\0\0\0\x40";
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// let report = transcode(Document::new(old, Dialect::GODOT_3), &mut writer)?;
/// assert!(report.is_empty());
/// assert_eq!(writer.finish()?[0], 28);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if part of the value cannot be read, or if the writer or its sink refuses. The writer is
/// then in the middle of a value.
pub fn transcode<S: Sink>(
    from: Document<'_>,
    to: &mut Writer<S>,
) -> Result<Report, TranscodeError<S::Error>> {
    transcode_value(from.root()?, to)
}

/// Transcodes one value of a document.
///
/// # Errors
///
/// Returns the errors of [`transcode`].
pub fn transcode_value<S: Sink>(
    from: VariantRef<'_>,
    to: &mut Writer<S>,
) -> Result<Report, TranscodeError<S::Error>> {
    let mut report = Report::default();
    driver::run(from, to, &mut report)?;
    Ok(report)
}
