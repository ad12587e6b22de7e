//! The functions of `gdvar-forms.wasm`.

use super::{About, answer, on, part, scratch, values::questions};
use crate::{
    edit,
    files::{self, Script},
    forms, lazy,
    options::{ReadSettings, release, target},
    show,
};

questions! {
    /// Returns the value at an offset as one line of text, of at most `most` characters.
    fn line(document, state; at, level, most) {
        state.out = show::line(lazy::at(document, at, level)?, most)?.into_bytes();
        Ok(())
    }

    /// Lists the fields of the value at an offset. See `show::fields`.
    fn fields(document, state; at, level, end) {
        show::fields(lazy::at(document, at, level)?, end, state);
        Ok(())
    }

    /// Returns the path to an offset.
    fn locate(document, state; at) {
        state.out = document.locate(at as usize).to_string().into_bytes();
        Ok(())
    }

    /// Searches for the text in the scratch buffer. See `show::search`.
    fn search(document, state; text, from, most) {
        let needle = scratch(state, text)?;
        show::search(document, &needle, from, most, state)
    }

    /// Writes the value at an offset as JSON in a style (0 plain, 1 native, 2 tagged). Word 0 is the offset
    /// in `out` of the description of losses.
    fn to_json(document, state; at, level, style) {
        forms::to_json(lazy::at(document, at, level)?, style, state)
    }

    /// Writes the value at an offset in Godot's notation, as the release that `reading` names prints it.
    fn to_text(document, state; at, level, reading) {
        state.out = forms::to_text(lazy::at(document, at, level)?, release(reading))?.into_bytes();
        Ok(())
    }

    /// Converts the value for another engine. Word 0 is the offset in `out` of the report.
    fn convert(document, state; to) {
        forms::convert(document, target(to), state)
    }

    /// Applies the edits in the scratch buffer. `out` receives the new bytes.
    fn change(document, state; script) {
        state.out = edit::edit(document, part(state.buffer(0), 0, script))?;
        Ok(())
    }
}

/// Reports how the mainstream engines read the bytes, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn detect(buffer: u32, start: u32, len: u32) -> u32 {
    on(
        About::new(buffer, start, len, 0, 0),
        &mut |document, state| {
            state.out = show::detect(document.bytes()).into_bytes();
            Ok(())
        },
    )
}

/// Converts the JSON in the scratch buffer to bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn from_json(len: u32, style: u32, bits: u32) -> u32 {
    answer(&mut |state| {
        let json = scratch(state, len)?;
        state.out = forms::from_json(json.as_bytes(), style, target(bits))?;
        Ok(())
    })
}

/// Converts the text in the scratch buffer to bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn from_text(len: u32, bits: u32) -> u32 {
    answer(&mut |state| {
        let text = scratch(state, len)?;
        state.out = forms::from_text(&text, target(bits))?;
        Ok(())
    })
}

/// Lists the differences between two buffers, as JSON.
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
    let reading = ReadSettings::new(bits, depth);
    answer(&mut |state| {
        let from = part(state.buffer(old), old_start, old_len);
        let to = part(state.buffer(new), new_start, new_len);
        let json = forms::differences(reading.document(from), reading.document(to), most)?;
        state.out = json.into_bytes();
        Ok(())
    })
}

/// Removes the layers of a file and finds its values. The arguments are in the scratch buffer. See
/// `files::open`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn open_file(buffer: u32, len: u32, script: u32) -> u32 {
    on(About::new(buffer, 0, len, 0, 0), &mut |document, state| {
        let own = state.take(0);
        let done = files::open(document.bytes(), &mut Script(part(&own, 0, script)), state);
        state.put_back(0, own);
        done
    })
}

/// Lists the records of contents that cannot be read. See `files::damage`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn damage(buffer: u32, len: u32, bits: u32, depth: u32, script: u32) -> u32 {
    on(
        About::new(buffer, 0, len, bits, depth),
        &mut |document, state| {
            let own = state.take(0);
            let done = files::damage(document, &mut Script(part(&own, 0, script)), state);
            state.put_back(0, own);
            done
        },
    )
}

/// Replaces some values of contents. See `files::splice`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn splice(buffer: u32, len: u32, script: u32) -> u32 {
    on(About::new(buffer, 0, len, 0, 0), &mut |document, state| {
        let own = part(state.buffer(0), 0, script);
        state.out = files::splice(document.bytes(), &mut Script(own))?;
        Ok(())
    })
}

/// Wraps changed contents in their layers again. See `files::close`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn close_file(buffer: u32, len: u32, script: u32) -> u32 {
    on(About::new(buffer, 0, len, 0, 0), &mut |document, state| {
        let own = part(state.buffer(0), 0, script);
        state.out = files::close(document.bytes().to_vec(), &mut Script(own))?;
        Ok(())
    })
}
