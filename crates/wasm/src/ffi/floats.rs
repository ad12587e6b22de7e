//! The functions that JavaScript lends: floats to text and back, which it has at hand. `npm/src/wasm.js` has them.

use gdvar_view::HostFloats;

#[link(wasm_import_module = "js")]
unsafe extern "C" {
    /// The float that a text says.
    safe fn parse_float(at: *const u8, len: usize) -> f64;
    /// Writes the digits of a float to an address; how many.
    safe fn print_float(number: f64, at: *mut u8) -> usize;
    /// The float that the digits of a single say.
    safe fn typed_float(single: f32) -> f64;
}

/// To be called before anything else.
pub(super) fn lend() {
    HostFloats {
        parse: |text| parse_float(text.as_ptr(), text.len()),
        print: |number, buffer| print_float(number, buffer.as_mut_ptr()),
        typed: |single| typed_float(single),
    }
    .set();
}
