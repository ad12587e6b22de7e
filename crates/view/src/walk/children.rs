//! Children one after the other, and how a walk of them tells its parent where it ended.

use gdvar_wire::Kind;

use crate::{
    bytes::{
        head::{self, Padding},
        plain::{self, Rest},
    },
    error::Error,
    value::{element::field_text, string::StrRef, variant::VariantRef},
    walk::{items::ArrayIter, pairs::DictIter, properties::PropertyIter, skip},
};

/// Children one after the other. A child is passed when the next one is asked for, so stopping
/// early costs nothing.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    owner: VariantRef<'a>,
    /// The offset of the next child; that of the one handed out last if it is not passed yet.
    at: usize,
    left: u64,
    care: Care,
}

/// The work that is to be done before the next child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Care {
    /// Nothing.
    None,
    /// The child handed out last is to be passed.
    Pass,
    /// Options or depth ask for the plain walk.
    Always,
    /// Both.
    PassAlways,
    /// There is none: an error ended the walk, which says nothing of where the children end.
    Failed,
}

impl<'a> Children<'a> {
    #[inline]
    pub(crate) fn new(owner: VariantRef<'a>, first: usize, count: u64) -> Children<'a> {
        let options = owner.options();
        let care = if options.is_special() || options.inside(owner.depth()).is_none() {
            Care::Always
        } else {
            Care::None
        };
        Children {
            owner,
            at: first,
            left: count,
            care,
        }
    }

    #[inline]
    pub(crate) fn depth(&self) -> u16 {
        self.owner.depth().saturating_add(1)
    }

    /// The offset of the next child and the number of those left, if nothing needs care.
    #[inline]
    pub(crate) fn plainly(&self) -> Option<(usize, u64)> {
        (self.care == Care::None).then_some((self.at, self.left))
    }

    /// Goes on behind children that were read in another way.
    #[inline]
    pub(crate) fn jump(&mut self, at: usize, left: u64) {
        (self.at, self.left) = (at, left);
    }

    /// Goes on behind the next child, which ends at `at`.
    #[inline]
    pub(crate) fn jump_one(&mut self, at: usize) {
        self.jump(at, self.left - 1);
    }

    /// The number of children, or of names and values, that are left.
    #[inline]
    pub(crate) const fn left(&self) -> usize {
        self.left as usize
    }

    pub(crate) const fn owner(&self) -> VariantRef<'a> {
        self.owner
    }

    /// Ends the iteration when there is an error.
    fn stop<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            (self.left, self.care) = (0, Care::Failed);
        }
        result
    }

    /// Passes the child handed out last.
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

    /// True if the child handed out last is not passed yet.
    #[inline]
    fn is_pending(&self) -> bool {
        matches!(self.care, Care::Pass | Care::PassAlways)
    }

    /// The child handed out last ends at `end`.
    #[inline]
    fn passed(&mut self, end: usize) {
        self.at = end;
        self.care = match self.care {
            Care::Pass | Care::None => Care::None,
            Care::PassAlways | Care::Always => Care::Always,
            Care::Failed => Care::Failed,
        };
    }

    /// Passes the child handed out last from where `inner`, its own children, stands.
    #[inline]
    pub(crate) fn pass(&mut self, inner: &Children<'a>) -> Result<(), Error> {
        let is_last = self.is_pending() && inner.owner.offset() == self.at;
        if is_last && core::ptr::eq(inner.owner.bytes(), self.owner.bytes()) {
            if inner.care == Care::Failed {
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

    /// Passes all children that are left; the end of the last.
    #[inline(never)]
    fn finish(mut self) -> Result<usize, Error> {
        while self.owner.kind() == Kind::Object && self.left > 0 {
            self.next_name()?;
            self.next_value()?;
        }
        self.skip(self.left)?;
        Ok(self.at)
    }

    /// Passes so many children, of those that are left: faster than one by one.
    fn skip(&mut self, count: u64) -> Result<(), Error> {
        self.settle()?;
        let (bytes, options, depth) = (self.owner.bytes(), self.owner.options(), self.depth());
        let end = skip::several(bytes, self.at, count, options, depth);
        self.at = self.stop(end)?;
        self.left -= count;
        Ok(())
    }

    /// The value that so many others stand before. `Ok(None)`, and no child is passed, if there are not so many.
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
        if self.care == Care::None {
            let at = self.at;
            let rest = bytes.get(at..).unwrap_or_default();
            if let Some(plain) = plain::look(rest, options.dialect()) {
                self.left -= 1;
                match plain.rest {
                    Rest::Nothing | Rest::Text(_) => self.at = at + plain.size,
                    Rest::Fields(_) | Rest::Children(_) => self.care = Care::Pass,
                }
                let value = VariantRef::plain(bytes, at, options, depth, plain);
                return Ok(Some(value));
            }
        }
        // Only what is not known is returned: a whole value would pass through memory.
        let known = self.any_value()?;
        Ok(Some(VariantRef::known(
            bytes, self.at, options, depth, known,
        )))
    }

    /// Goes on to a value of any kind; its kind and width.
    #[inline(never)]
    fn any_value(&mut self) -> Result<(Kind, bool), Error> {
        self.settle()?;
        let (bytes, options) = (self.owner.bytes(), self.owner.options());
        let head = head::any_head(bytes, self.at, options, self.depth());
        let head = self.stop(head)?;
        self.left -= 1;
        self.care = match self.care {
            Care::None => Care::Pass,
            _ => Care::PassAlways,
        };
        Ok((head.kind, head.wide))
    }

    pub(crate) fn next_name(&mut self) -> Result<Option<StrRef<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.settle()?;
        let (bytes, options) = (self.owner.bytes(), self.owner.options());
        let field = head::string_field(bytes, self.at, options, Padding::Value);
        let field = self.stop(field)?;
        self.at = field.end;
        Ok(Some(field_text(self.owner, field)))
    }
}

/// The children of a container being walked: [`ArrayIter`], [`DictIter`] or [`PropertyIter`]. A
/// child's own walk, given to its parent's `pass`, tells where the child ends.
pub trait Walked<'a>: Sealed<'a> {}

mod sealed {
    /// Keeps what walks children in this crate.
    pub trait Sealed<'a> {
        fn children(&self) -> &super::Children<'a>;
    }
}

use sealed::Sealed;

macro_rules! walked {
    ($($name:ident),*) => {$(
        impl<'a> Sealed<'a> for $name<'a> {
            #[inline]
            fn children(&self) -> &Children<'a> {
                &self.0
            }
        }

        impl<'a> Walked<'a> for $name<'a> {}

        impl<'a> $name<'a> {
            /// Goes on behind the child handed out last, whose own children `inner` walks: what
            /// `inner` has walked already is not walked again. Use this when code of your own walks
            /// into nested values: the walk is linear then. Without it every level is walked once
            /// more. The walk of another value changes nothing.
            ///
            /// ```
            /// use gdvar_view::{Dialect, Document, Error, VariantRef};
            ///
            /// /// The sum of all ints in an array of arrays of ints.
            /// fn sum(bytes: &[u8]) -> Result<i64, Error> {
            ///     let mut sum = 0;
            ///     let Some(rows) = Document::new(bytes, Dialect::GODOT_4).root()?.as_array() else {
            ///         return Ok(0);
            ///     };
            ///     let mut rows = rows.iter();
            ///     while let Some(row) = rows.try_next()? {
            ///         let Some(cells) = row.as_array() else { continue };
            ///         let mut cells = cells.iter();
            ///         while let Some(cell) = cells.try_next()? {
            ///             sum += cell.as_i64().unwrap_or(0);
            ///         }
            ///         rows.pass(&cells)?;
            ///     }
            ///     Ok(sum)
            /// }
            /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x04\0\0\0";
            /// # assert_eq!(sum(bytes), Ok(7));
            /// ```
            ///
            /// # Errors
            /// If the rest of the child cannot be read.
            #[inline]
            pub fn pass(&mut self, inner: &impl Walked<'a>) -> Result<(), Error> {
                self.0.pass(inner.children())
            }
        }
    )*};
}

walked!(ArrayIter, DictIter, PropertyIter);

#[cfg(all(test, feature = "alloc"))]
mod tests;
