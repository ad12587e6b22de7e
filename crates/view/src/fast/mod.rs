//! Shortcuts for validation. A shortcut advances over values that are certainly in order and
//! stops at the first that is not its own; it never reports an error, the plain walk does.

mod ahead;
mod alike;
mod ascii;
mod numbers;
mod run;
#[cfg(all(test, feature = "alloc"))]
pub(crate) mod samples;
mod short;
mod template;
mod text;

pub(crate) use ascii::{short_ascii, short_text};
pub(crate) use run::{Learned, Place, Stack, advance, small};
pub(crate) use text::is_any_text;
