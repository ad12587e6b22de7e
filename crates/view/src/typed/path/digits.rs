//! The texts of floats in paths.
//!
//! They are the standard library's. Built with `--cfg gdvar_host_floats` they are those of the program around: a fifth of
//! the module for JavaScript, which has such functions at hand, would be the standard library's.

#[cfg(gdvar_host_floats)]
pub use host::HostFloats;
#[cfg(gdvar_host_floats)]
pub(super) use host::{as_typed, parse, write};
#[cfg(not(gdvar_host_floats))]
pub(super) use own::{as_typed, parse, write};

#[cfg(not(gdvar_host_floats))]
mod own {
    use core::fmt::{self, Write};

    /// The float that a text says, nearest to it.
    pub(in crate::typed::path) fn parse(text: &str) -> Option<f64> {
        text.parse().ok()
    }

    /// Writes a float with as few digits as it needs, as `{:?}` does.
    pub(in crate::typed::path) fn write(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{number:?}")
    }

    /// The number whose digits are those of a single, as people see and type them: 0.1 for the single that
    /// is nearest to it.
    pub(in crate::typed::path) fn as_typed(single: f32) -> f64 {
        let mut digits = Digits::default();
        let written = write!(digits, "{single:?}");
        let text = digits.bytes.get(..digits.len).unwrap_or_default();
        let parsed = core::str::from_utf8(text).ok().and_then(parse);
        parsed.filter(|_| written.is_ok()).unwrap_or(f64::NAN)
    }

    /// A number's digits, without allocation.
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

    /// The functions of the program around: without them a path has no floats.
    #[derive(Clone, Copy, Debug)]
    pub struct HostFloats {
        /// The float that is nearest to what a text says: digits, sign, point, exponent; `inf`, `-inf` or `nan`. NaN for others.
        pub parse: fn(&str) -> f64,
        /// Puts the fewest digits that say the float into the buffer, as Rust's `{:?}` does; how many bytes.
        pub print: fn(f64, &mut [u8; 32]) -> usize,
        /// The float that the fewest digits of a single say.
        pub typed: fn(f32) -> f64,
    }

    static FLOATS: OnceLock<HostFloats> = OnceLock::new();

    impl HostFloats {
        /// To be called before the first path.
        pub fn set(self) {
            let _ = FLOATS.set(self);
        }
    }

    pub(in crate::typed::path) fn parse(text: &str) -> Option<f64> {
        let number = (FLOATS.get()?.parse)(text);
        (!number.is_nan() || text == "nan").then_some(number)
    }

    pub(in crate::typed::path) fn write(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 32];
        let len = FLOATS
            .get()
            .map_or(0, |floats| (floats.print)(number, &mut bytes));
        let text = bytes
            .get(..len)
            .and_then(|text| core::str::from_utf8(text).ok());
        f.write_str(text.unwrap_or_default())
    }

    pub(in crate::typed::path) fn as_typed(single: f32) -> f64 {
        FLOATS
            .get()
            .map_or(f64::from(single), |floats| (floats.typed)(single))
    }
}
