//! [`Checks`]: what the fast loop checks in each value.
//!
//! The checks are a type parameter of the loop ([`fast_loop`](super::fast_loop)), so skipping, engine mode
//! and strict mode are compiled from one source, and none of them pays for what it does not check.

use crate::{
    bytes::{common::Common, text},
    options::ReadOptions,
    walk::stack::OpenContainer,
};

/// What the fast loop checks in each value. The methods are hooks of strict mode; their defaults are right for
/// the other modes.
pub(crate) trait Checks {
    /// True if text is validated.
    const TEXT: bool;

    /// True if the rules of strict mode hold. Only then does the loop call the methods other than
    /// [`Checks::text`] and [`Checks::admits_fixed`].
    const STRICT: bool = false;

    /// Returns the bytes after the String at the start of `value`, or `None` unless its `len` bytes of text
    /// are valid.
    #[inline(always)]
    fn text<'a>(&self, value: &'a [u8], len: u32) -> Option<&'a [u8]> {
        text::after(value, len, Self::TEXT)
    }

    /// True if the payload of the value at the start of `rest` is valid. The value has a fixed size. The pair
    /// is its first two words.
    #[inline(always)]
    fn admits_fixed(&self, _: &[u8], _: (u32, u32), _: ReadOptions) -> bool {
        true
    }

    /// Returns the bytes after the value at the start of `rest`, or `None` unless it is valid. Called for
    /// values without a fixed size that are neither texts nor containers.
    #[inline(always)]
    fn rare<'a>(&self, _: &'a [u8], _: Common, _: ReadOptions) -> Option<&'a [u8]> {
        None
    }

    /// Stores the child types that the container at the start of `rest` names. `size` is the number of bytes
    /// before its first child. Returns `false` if a type is not valid.
    #[inline(always)]
    fn types(&self, _: &mut OpenContainer, _rest: &[u8], _size: usize, _: ReadOptions) -> bool {
        true
    }

    /// Remembers the key at the start of `rest`, which is the tail of `bytes`.
    #[inline(always)]
    fn key(&mut self, _bytes: &[u8], _rest: &[u8], _depth: u16, _: ReadOptions) {}

    /// Called when a dictionary begins, with its offset.
    #[inline(always)]
    fn begin(&mut self, _: usize) {}

    /// Called when the innermost dictionary ends. Returns `false`, and keeps its keys, if one of them may be
    /// repeated.
    #[inline(always)]
    fn end(&mut self) -> bool {
        true
    }
}

/// Checks sizes only; text is not validated.
#[derive(Clone, Default)]
pub(crate) struct Skip;

impl Checks for Skip {
    const TEXT: bool = false;
}

/// The checks of engine mode.
pub(crate) struct Engine;

impl Checks for Engine {
    const TEXT: bool = true;
}
