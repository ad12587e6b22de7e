//! [`Walked`]: an iterator over a child's own children, which tells the parent's iterator where the child ends.

use crate::{
    error::Error,
    walk::{children::Children, items::ArrayIter, pairs::DictIter, properties::PropertyIter},
};

/// An iterator over children: [`ArrayIter`], [`DictIter`] or [`PropertyIter`]. Give it to `pass` of the
/// parent's iterator, which learns from it where the child ends.
pub trait Walked<'a>: Sealed<'a> {}

mod sealed {
    /// Allows only the iterators of this crate.
    pub trait Sealed<'a> {
        fn children(&self) -> &crate::walk::children::Children<'a>;
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
            /// Moves past the child returned last. `inner` is an iterator over that child's own children, and
            /// what it has read is not read again. Use this when your own code walks into nested values: the
            /// walk is then linear. Otherwise a value is read again for each container that it is in. Does
            /// nothing if `inner` iterates over another value.
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
            /// Fails if the rest of the child cannot be read.
            #[inline]
            pub fn pass(&mut self, inner: &impl Walked<'a>) -> Result<(), Error> {
                self.0.pass(inner.children())
            }
        }
    )*};
}

walked!(ArrayIter, DictIter, PropertyIter);
