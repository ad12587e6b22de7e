//! The children of a container, one after the other. If the caller iterates over a child's own children, that
//! iterator can tell where the child ends (`Children::pass`).

use gdvar_wire::Kind;

use crate::{
    bytes::{
        common::{self, Rest},
        field::{self, Padding},
        head,
    },
    error::Error,
    value::{element::field_text, string::StrRef, variant::VariantRef},
    walk::skip,
};

/// The children of a container, one after the other. A child is skipped only when the next one is wanted, so
/// stopping early costs nothing.
///
/// ```text
/// next child, fast:   its head is common → its handle costs one load from the table
///                     fixed size or text → its end is known at once
///                     container, strings → skip it when the next child is wanted, or learn its end from `pass`
/// next child, slow:   skip the child before it if needed, then read any head
/// ```
#[derive(Clone, Debug)]
pub struct Children<'a> {
    owner: VariantRef<'a>,
    /// The offset of the next child, or of the child returned last if that is not skipped yet.
    at: usize,
    left: u64,
    slow: Slow,
}

/// What keeps the next child from being read the fast way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slow {
    /// The next child may be read the fast way.
    No,
    /// The child returned last is not skipped yet.
    Unskipped,
    /// The options or the depth limit forbid shortcuts.
    Always,
    /// Both `Unskipped` and `Always`.
    UnskippedAlways,
    /// An error ended the iteration. `left` is 0, but the end of the children is unknown.
    Failed,
}

impl<'a> Children<'a> {
    #[inline]
    pub(crate) fn new(owner: VariantRef<'a>, first: usize, count: u64) -> Children<'a> {
        let options = owner.options();
        let slow = if options.forbids_shortcuts() || options.inside(owner.depth()).is_none() {
            Slow::Always
        } else {
            Slow::No
        };
        Children {
            owner,
            at: first,
            left: count,
            slow,
        }
    }

    #[inline]
    pub(crate) fn depth(&self) -> u16 {
        self.owner.depth().saturating_add(1)
    }

    /// Returns the offset of the next child and the number of children left. `None` if the next child must be
    /// read the slow way.
    #[inline]
    pub(crate) fn fast_position(&self) -> Option<(usize, u64)> {
        (self.slow == Slow::No).then_some((self.at, self.left))
    }

    /// Moves to `at`, after children that the caller has read itself. `left` children remain.
    #[inline]
    pub(crate) fn jump(&mut self, at: usize, left: u64) {
        (self.at, self.left) = (at, left);
    }

    /// Moves to `at`, after the next child, which the caller has read itself.
    #[inline]
    pub(crate) fn jump_one(&mut self, at: usize) {
        self.jump(at, self.left - 1);
    }

    /// The number of children left. A property counts as one child, without its name.
    #[inline]
    pub(crate) const fn left(&self) -> usize {
        self.left as usize
    }

    pub(crate) const fn owner(&self) -> VariantRef<'a> {
        self.owner
    }

    /// Ends the iteration if `result` is an error.
    fn stop<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            (self.left, self.slow) = (0, Slow::Failed);
        }
        result
    }

    /// Skips the child returned last, unless that is done already.
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        if !self.is_pending() {
            return Ok(());
        }
        let (bytes, options, depth) = (self.owner.bytes(), self.owner.options(), self.depth());
        let end = skip::value(bytes, self.at, options, depth);
        let end = self.stop(end)?;
        self.passed(end);
        Ok(())
    }

    /// True if the child returned last is not skipped yet.
    #[inline]
    fn is_pending(&self) -> bool {
        matches!(self.slow, Slow::Unskipped | Slow::UnskippedAlways)
    }

    /// Stores that the child returned last ends at `end`.
    #[inline]
    fn passed(&mut self, end: usize) {
        self.at = end;
        self.slow = match self.slow {
            Slow::Unskipped | Slow::No => Slow::No,
            Slow::UnskippedAlways | Slow::Always => Slow::Always,
            Slow::Failed => Slow::Failed,
        };
    }

    /// Skips the rest of the child returned last, if `inner` iterates over its children.
    #[inline]
    pub(crate) fn pass(&mut self, inner: &Children<'a>) -> Result<(), Error> {
        let is_last = self.is_pending() && inner.owner.offset() == self.at;
        if is_last && core::ptr::eq(inner.owner.bytes(), self.owner.bytes()) {
            if inner.slow == Slow::Failed {
                return self.settle();
            }
            let end = if inner.left == 0 && !inner.is_pending() {
                inner.at
            } else {
                let end = inner.clone().finish();
                self.stop(end)?
            };
            self.passed(end);
        }
        Ok(())
    }

    /// Skips all children that are left, and returns the offset after them. Not inlined, because it is rare.
    #[inline(never)]
    fn finish(mut self) -> Result<usize, Error> {
        while self.owner.kind() == Kind::Object && self.left > 0 {
            self.next_name()?;
            self.next_value()?;
        }
        self.skip(self.left)?;
        Ok(self.at)
    }

    /// Skips `count` of the children that are left. Faster than one by one.
    fn skip(&mut self, count: u64) -> Result<(), Error> {
        self.settle()?;
        let (bytes, options, depth) = (self.owner.bytes(), self.owner.options(), self.depth());
        let end = skip::several(bytes, self.at, count, options, depth);
        self.at = self.stop(end)?;
        self.left -= count;
        Ok(())
    }

    /// Returns the `n`-th child from here, counted from 0. If fewer are left, returns `Ok(None)` and skips
    /// nothing.
    pub(crate) fn nth_value(&mut self, n: u64) -> Result<Option<VariantRef<'a>>, Error> {
        if n >= self.left {
            return Ok(None);
        }
        self.skip(n)?;
        self.next_value()
    }

    #[inline(always)]
    pub(crate) fn next_value(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        let (bytes, options, depth) = (self.owner.bytes(), self.owner.options(), self.depth());
        if self.slow == Slow::No {
            let at = self.at;
            let rest = bytes.get(at..).unwrap_or_default();
            if let Some(common) = common::decode(rest, options.dialect()) {
                self.left -= 1;
                match common.rest {
                    Rest::Nothing | Rest::Text(_) => self.at = at + common.size,
                    Rest::Fields(_) | Rest::Children(_) => self.slow = Slow::Unskipped,
                }
                let value = VariantRef::common(bytes, at, options, depth, common);
                return Ok(Some(value));
            }
        }
        // `any_value` returns only the kind and width: a whole handle would be returned through memory.
        let known = self.any_value()?;
        Ok(Some(VariantRef::known(
            bytes, self.at, options, depth, known,
        )))
    }

    /// Moves to the next child, and returns its kind and whether it is wide. Works for any child and any
    /// options.
    #[inline(never)]
    fn any_value(&mut self) -> Result<(Kind, bool), Error> {
        self.settle()?;
        let (bytes, options) = (self.owner.bytes(), self.owner.options());
        let head = head::any_head(bytes, self.at, options, self.depth());
        let head = self.stop(head)?;
        self.left -= 1;
        self.slow = match self.slow {
            Slow::No => Slow::Unskipped,
            _ => Slow::UnskippedAlways,
        };
        Ok((head.kind, head.wide))
    }

    pub(crate) fn next_name(&mut self) -> Result<Option<StrRef<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.settle()?;
        let (bytes, options) = (self.owner.bytes(), self.owner.options());
        let field = field::string_field(bytes, self.at, options, Padding::Value);
        let field = self.stop(field)?;
        self.at = field.end;
        Ok(Some(field_text(self.owner, field)))
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
