//! The functions of `gdvar-forms.wasm`.

use super::{About, answer, on, part, scratch};
use crate::{
    ask::{Reading, target},
    edit, forms, lazy, show,
};

/// The value at a place on one line of at most so many characters.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn line(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
    most: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            desk.out = show::line(lazy::at(document, at, level)?, most)?.into_bytes();
            Ok(())
        },
    )
}

/// The path to a byte.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn locate(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            desk.out = document.locate(at as usize).to_string().into_bytes();
            Ok(())
        },
    )
}

/// The places of the text in the scratch buffer, from an offset on, at most so many.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn search(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    text: u32,
    from: u32,
    most: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            let needle = scratch(desk, text)?;
            show::search(document, &needle, from, most, desk)
        },
    )
}

/// How the mainstream engines read the bytes, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn detect(buffer: u32, start: u32, len: u32) -> u32 {
    on(
        About::new(buffer, start, len, 0, 0),
        &mut |document, desk| {
            desk.out = show::detect(document.bytes()).into_bytes();
            Ok(())
        },
    )
}

/// The value at a place as JSON of a style (0 plain, 1 native, 2 tagged). Word 0: where in `out` the account of losses begins.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn to_json(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
    style: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| forms::to_json(lazy::at(document, at, level)?, style, desk),
    )
}

/// The bytes of the JSON in the scratch buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn from_json(len: u32, style: u32, bits: u32) -> u32 {
    answer(&mut |desk| {
        let json = scratch(desk, len)?;
        desk.out = forms::from_json(json.as_bytes(), style, target(bits))?;
        Ok(())
    })
}

/// The value at a place in Godot's notation.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn to_text(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            desk.out = forms::to_text(lazy::at(document, at, level)?)?.into_bytes();
            Ok(())
        },
    )
}

/// The bytes of the text in the scratch buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn from_text(len: u32, bits: u32) -> u32 {
    answer(&mut |desk| {
        let text = scratch(desk, len)?;
        desk.out = forms::from_text(&text, target(bits))?;
        Ok(())
    })
}

/// The value for another engine. Word 0: where in `out` the report begins.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn convert(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    to: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| forms::convert(document, target(to), desk),
    )
}

/// The differences between two buffers, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn diff(
    old: u32,
    old_start: u32,
    old_len: u32,
    new: u32,
    new_start: u32,
    new_len: u32,
    bits: u32,
    depth: u32,
    most: u32,
) -> u32 {
    let reading = Reading::new(bits, depth);
    answer(&mut |desk| {
        let from = part(desk.buffer(old), old_start, old_len);
        let to = part(desk.buffer(new), new_start, new_len);
        let json = forms::differences(reading.document(from), reading.document(to), most)?;
        desk.out = json.into_bytes();
        Ok(())
    })
}

/// Makes the edits in the scratch buffer; the new bytes are in `out`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn change(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    script: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            desk.out = edit::edit(document, part(desk.buffer(0), 0, script))?;
            Ok(())
        },
    )
}
