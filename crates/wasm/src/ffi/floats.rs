//! Functions that JavaScript provides, because JavaScript already converts floats to and from text. They are
//! in `npm/src/wasm.js`.

use gdvar_view::HostFloats;

#[link(wasm_import_module = "js")]
unsafe extern "C" {
    /// Parses the float in the text at an address.
    safe fn parse_float(at: *const u8, len: usize) -> f64;
    /// Writes `number` as text to the 32 bytes at `at`: the fewest digits that read back as the same float, as
    /// Rust's `{:?}` does. Returns the number of bytes written.
    safe fn print_float(number: f64, at: *mut u8) -> usize;
    /// Returns the `f64` with the shortest digits of an `f32`: 0.1 for the `f32` nearest to 0.1.
    safe fn typed_float(single: f32) -> f64;
}

/// Registers the functions. Must be called before anything else.
pub(super) fn lend() {
    HostFloats {
        parse: |text| parse_float(text.as_ptr(), text.len()),
        print: |number, buffer| print_float(number, buffer.as_mut_ptr()),
        typed: |single| typed_float(single),
    }
    .set();
}
