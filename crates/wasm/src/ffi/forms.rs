//! The functions of `gdvar-forms.wasm`.

use super::{About, answer, on, part, scratch, values::questions};
use crate::{
    ask::{Reading, release, target},
    edit,
    files::{self, Script},
    forms, lazy, show,
};

questions! {
    /// The value at a place on one line of at most so many characters.
    fn line(document, desk; at, level, most) {
        desk.out = show::line(lazy::at(document, at, level)?, most)?.into_bytes();
        Ok(())
    }

    /// The fields of the value at a place, up to a byte. See `show::fields`.
    fn fields(document, desk; at, level, end) {
        show::fields(lazy::at(document, at, level)?, end, desk);
        Ok(())
    }

    /// The path to a byte.
    fn locate(document, desk; at) {
        desk.out = document.locate(at as usize).to_string().into_bytes();
        Ok(())
    }

    /// The places of the text in the scratch buffer, from an offset on, at most so many.
    fn search(document, desk; text, from, most) {
        let needle = scratch(desk, text)?;
        show::search(document, &needle, from, most, desk)
    }

    /// The value at a place as JSON of a style (0 plain, 1 native, 2 tagged). Word 0: where in `out` the account of losses begins.
    fn to_json(document, desk; at, level, style) {
        forms::to_json(lazy::at(document, at, level)?, style, desk)
    }

    /// The value at a place in Godot's notation: as the release prints it that the bits of reading name.
    fn to_text(document, desk; at, level, reading) {
        desk.out = forms::to_text(lazy::at(document, at, level)?, release(reading))?.into_bytes();
        Ok(())
    }

    /// The value for another engine. Word 0: where in `out` the report begins.
    fn convert(document, desk; to) {
        forms::convert(document, target(to), desk)
    }

    /// Makes the edits in the scratch buffer; the new bytes are in `out`.
    fn change(document, desk; script) {
        desk.out = edit::edit(document, part(desk.buffer(0), 0, script))?;
        Ok(())
    }
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

/// The bytes of the JSON in the scratch buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn from_json(len: u32, style: u32, bits: u32) -> u32 {
    answer(&mut |desk| {
        let json = scratch(desk, len)?;
        desk.out = forms::from_json(json.as_bytes(), style, target(bits))?;
        Ok(())
    })
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

/// Takes the layers off a file, and finds its values. The script is in the scratch buffer. See `files::open`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn open_file(buffer: u32, len: u32, script: u32) -> u32 {
    on(About::new(buffer, 0, len, 0, 0), &mut |document, desk| {
        let own = desk.take(0);
        let done = files::open(document.bytes(), &mut Script(part(&own, 0, script)), desk);
        desk.put_back(0, own);
        done
    })
}

/// Contents with other bytes in the place of some values. See `files::splice`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn splice(buffer: u32, len: u32, script: u32) -> u32 {
    on(About::new(buffer, 0, len, 0, 0), &mut |document, desk| {
        let own = part(desk.buffer(0), 0, script);
        desk.out = files::splice(document.bytes(), &mut Script(own))?;
        Ok(())
    })
}

/// A file with those contents in layers. See `files::close`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn close_file(buffer: u32, len: u32, script: u32) -> u32 {
    on(About::new(buffer, 0, len, 0, 0), &mut |document, desk| {
        let own = part(desk.buffer(0), 0, script);
        desk.out = files::close(document.bytes().to_vec(), &mut Script(own))?;
        Ok(())
    })
}
