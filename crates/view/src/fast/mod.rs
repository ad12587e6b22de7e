//! Shortcuts for validation. A shortcut advances over values that are certainly in order and
//! stops at the first that is not its own; it never reports an error, the plain walk does.

mod ahead;
mod alike;
mod ascii;
mod numbers;
mod outline;
mod run;
#[cfg(all(test, feature = "alloc"))]
pub(crate) mod samples;
mod short;
mod template;
mod text;

pub(crate) use alike::{Looks, records};
pub(crate) use ascii::{short_ascii, short_text};
pub(crate) use outline::{Outline, REACH, What};
pub(crate) use run::{Learned, Pending, Place, Stack, advance, small};
pub(crate) use template::{KEPT, Records, Template, Templates};
pub(crate) use text::{is_any_text, is_text};
