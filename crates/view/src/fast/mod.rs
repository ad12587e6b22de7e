//! Shortcuts for validation. A shortcut advances over values that are certainly in order and
//! stops at the first that is not its own; it never reports an error, the plain walk does.

mod ascii;
mod run;

pub(crate) use run::{Pending, Stack, advance};
