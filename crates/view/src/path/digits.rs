//! Floats in paths, from text and to text.
//!
//! The standard library converts them. With `--cfg gdvar_host_floats` the host program does it through
//! `HostFloats`: in the WebAssembly module the standard library's functions would be a fifth of the
//! size, and JavaScript has its own.

#[cfg(gdvar_host_floats)]
pub use host::HostFloats;
#[cfg(gdvar_host_floats)]
pub(super) use host::{as_typed, parse, write};
#[cfg(not(gdvar_host_floats))]
pub(super) use own::{as_typed, parse, write};

#[cfg(not(gdvar_host_floats))]
mod own {
    use core::fmt::{self, Write};

    /// The float nearest to the number in `text`.
    pub(crate) fn parse(text: &str) -> Option<f64> {
        text.parse().ok()
    }

    /// Writes the fewest digits that read back as `number`, as `{:?}` does.
    pub(crate) fn write(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{number:?}")
    }

    /// The `f64` with the shortest digits of `single`, which are the digits that people see and type:
    /// 0.1 for the `f32` nearest to 0.1.
    pub(crate) fn as_typed(single: f32) -> f64 {
        let mut digits = Digits::default();
        let written = write!(digits, "{single:?}");
        let text = digits.bytes.get(..digits.len).unwrap_or_default();
        let parsed = core::str::from_utf8(text).ok().and_then(parse);
        parsed.filter(|_| written.is_ok()).unwrap_or(f64::NAN)
    }

    /// The digits of a number, written without allocation.
    #[derive(Default)]
    struct Digits {
        bytes: [u8; 32],
        len: usize,
    }

    impl Write for Digits {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let end = self.len + text.len();
            let slots = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
            slots.copy_from_slice(text.as_bytes());
            self.len = end;
            Ok(())
        }
    }
}

#[cfg(gdvar_host_floats)]
mod host {
    extern crate std;

    use core::fmt;
    use std::sync::OnceLock;

    /// The functions of the host program that convert floats. Until [`HostFloats::set`] was called, no
    /// path with a float parses.
    #[derive(Clone, Copy, Debug)]
    pub struct HostFloats {
        /// The float nearest to the number in a text of digits, sign, point and exponent, or `inf`, `-inf`
        /// or `nan`. NaN for every other text.
        pub parse: fn(&str) -> f64,
        /// Writes the fewest digits that read back as the float into the buffer, as Rust's `{:?}` does.
        /// Returns the number of bytes written.
        pub print: fn(f64, &mut [u8; 32]) -> usize,
        /// The `f64` with the shortest digits of the `f32`: 0.1 for the `f32` nearest to 0.1.
        pub typed: fn(f32) -> f64,
    }

    static FLOATS: OnceLock<HostFloats> = OnceLock::new();

    impl HostFloats {
        /// Installs the functions. Call it before the first path is parsed; later calls do nothing.
        pub fn set(self) {
            let _ = FLOATS.set(self);
        }
    }

    pub(crate) fn parse(text: &str) -> Option<f64> {
        let number = (FLOATS.get()?.parse)(text);
        (!number.is_nan() || text == "nan").then_some(number)
    }

    pub(crate) fn write(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 32];
        let len = FLOATS
            .get()
            .map_or(0, |floats| (floats.print)(number, &mut bytes));
        let text = bytes
            .get(..len)
            .and_then(|text| core::str::from_utf8(text).ok());
        f.write_str(text.unwrap_or_default())
    }

    pub(crate) fn as_typed(single: f32) -> f64 {
        FLOATS
            .get()
            .map_or(f64::from(single), |floats| (floats.typed)(single))
    }
}
