//! Validates a value: engine mode checks what the engines check, strict mode also refuses what no correct
//! encoder writes.

use crate::{
    bytes::observer::Observer,
    options::ReadOptions,
    value::variant::VariantRef,
    walk::{
        checks::Engine,
        fast_loop::{self, Backoff},
        small,
        stack::{OpenContainer, OpenStack},
        steps::Rules,
        strict::{KeyLog, Strict},
    },
};

/// The rules of a walk that validates: text in both modes; in strict mode also what a correct encoder would
/// have written, and that no key occurs twice.
#[derive(Clone, Default)]
pub(crate) struct Validation {
    keys: KeyLog,
}

impl Rules for Validation {
    const CHECK: bool = true;

    #[inline(always)]
    fn advance<M: Observer>(
        &mut self,
        bytes: &[u8],
        at: usize,
        now: OpenContainer,
        options: ReadOptions,
        stack: &mut OpenStack,
        backoff: &mut Backoff,
        observer: &mut M,
    ) -> (usize, OpenContainer) {
        if options.is_strict() {
            let mut strict = Strict {
                keys: &mut self.keys,
            };
            return fast_loop::advance(bytes, at, now, options, stack, &mut strict, None, observer);
        }
        let backoff = Some(backoff);
        fast_loop::advance(
            bytes,
            at,
            now,
            options,
            stack,
            &mut Engine,
            backoff,
            observer,
        )
    }

    #[inline]
    fn begin(&mut self, at: usize) {
        self.keys.open(at);
    }

    #[inline]
    fn key(&mut self, key: VariantRef<'_>) {
        self.keys.add(key);
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn end(&mut self, bytes: &[u8], options: ReadOptions, depth: u16) -> Option<usize> {
        let repeat = self.keys.close(bytes, options, depth);
        repeat.map(|repeat| repeat.key)
    }
}

/// The largest buffer that is first validated without a walk.
const SMALL: usize = 1024;

/// Validates a small buffer without setting up a walk, which would cost as much as the packet. Returns the
/// value's end, or `None` if a walk has to decide.
#[inline]
pub(crate) fn small(bytes: &[u8], options: ReadOptions) -> Option<usize> {
    if bytes.len() > SMALL {
        return None;
    }
    if options.is_strict() {
        return small_strict(bytes, options);
    }
    small::end(bytes, 0, 1, options, 0, &mut Engine, &mut ())
}

/// [`small`] in strict mode, where the value has to fill the buffer.
#[inline(never)]
fn small_strict(bytes: &[u8], options: ReadOptions) -> Option<usize> {
    let mut strict = Strict {
        keys: &mut KeyLog::default(),
    };
    let end = small::end(bytes, 0, 1, options, 0, &mut strict, &mut ())?;
    (end == bytes.len()).then_some(end)
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
