//! [`Whole`]: a child together with its bytes.

use gdvar_view::{Error, VariantRef};

use crate::container::{Child, ChildIter, Container, Name};

/// A child together with its bytes, so that its end is known without another walk.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    pub(super) child: Child<'a>,
    /// The bytes of the key or name and of the value.
    bytes: &'a [u8],
}

impl<'a> Whole<'a> {
    /// Creates the root. Walks the value once to find its end.
    pub(super) fn root(value: VariantRef<'a>) -> Result<Whole<'a>, Error> {
        let name = Name::Place;
        let bytes = value.raw()?;
        let child = Child { name, value };
        Ok(Whole { child, bytes })
    }

    /// Returns the bytes of the key or name, with its length and padding, and the bytes of the value.
    pub(super) fn parts(self) -> (&'a [u8], &'a [u8]) {
        let name_len = self.child.value.offset() - self.child.start();
        self.bytes.split_at(name_len.min(self.bytes.len()))
    }

    /// Returns the bytes of the value.
    pub(super) fn raw(self) -> &'a [u8] {
        self.parts().1
    }

    /// Returns the bytes of the key, or the text of the name.
    pub(super) fn name_raw(self) -> &'a [u8] {
        match self.child.name {
            Name::Property(name) => name.raw(),
            Name::Place | Name::Key(_) => self.parts().0,
        }
    }

    /// Returns `true` if both values have the same bytes and the same dialect.
    pub(super) fn is_same(self, other: Whole<'_>) -> bool {
        self.child.value.dialect() == other.child.value.dialect() && self.raw() == other.raw()
    }

    /// Iterates over the children of this value, which is `container`.
    pub(super) fn children(self, container: Container<'a>) -> Result<WholeIter<'a>, Error> {
        let mut children = container.children();
        let next = children.try_next()?;
        let (raw, start) = (self.raw(), self.child.value.offset());
        let head_len = next.map_or(raw.len(), |child| child.start() - start);
        Ok(WholeIter {
            children,
            next,
            first: start + head_len,
            bytes: raw.get(head_len..).unwrap_or_default(),
        })
    }
}

/// Iterates over children. Each ends where the next one starts, so one walk finds all ends.
pub(super) struct WholeIter<'a> {
    children: ChildIter<'a>,
    next: Option<Child<'a>>,
    /// The offset of the first child.
    first: usize,
    /// The bytes of all children.
    bytes: &'a [u8],
}

impl<'a> WholeIter<'a> {
    /// Returns the position of the next child in `bytes`.
    fn at(&self) -> usize {
        self.next
            .map_or(self.bytes.len(), |next| next.start() - self.first)
    }

    /// Returns the number of bytes from the next child to the end of the last one.
    fn left(&self) -> usize {
        self.bytes.len() - self.at()
    }

    /// Skips all children that lie within the first `front` bytes. Returns their number, and the
    /// next child.
    fn pass(&mut self, front: usize) -> Result<(usize, Option<Whole<'a>>), Error> {
        let mut passed = 0;
        loop {
            let start = self.at();
            let Some(child) = self.next else {
                return Ok((passed, None));
            };
            self.next = self.children.try_next()?;
            if self.at() > front {
                let bytes = self.bytes.get(start..self.at()).unwrap_or_default();
                return Ok((passed, Some(Whole { child, bytes })));
            }
            passed += 1;
        }
    }

    fn try_next(&mut self) -> Result<Option<Whole<'a>>, Error> {
        Ok(self.pass(0)?.1)
    }

    /// Returns all children after the current position.
    fn rest(mut self) -> Result<Vec<Whole<'a>>, Error> {
        let mut all = Vec::new();
        while let Some(one) = self.try_next()? {
            all.push(one);
        }
        Ok(all)
    }
}

/// The children of two containers that have to be matched. For two Arrays, the equal elements at
/// both ends are left out.
pub(super) struct Middle<'a> {
    /// The number of equal elements at the front.
    pub(super) passed: usize,
    pub(super) old: Vec<Whole<'a>>,
    pub(super) new: Vec<Whole<'a>>,
}

impl<'a> Middle<'a> {
    /// Reads all children.
    pub(super) fn all(old: WholeIter<'a>, new: WholeIter<'a>) -> Result<Middle<'a>, Error> {
        Ok(Middle {
            passed: 0,
            old: old.rest()?,
            new: new.rest()?,
        })
    }

    /// Reads the elements of two Arrays of one dialect, without the equal ones at both ends. Comparing bytes
    /// takes a fraction of the time of reading elements, so the equal bytes are found first:
    ///
    /// ```text
    /// front:   an element within the equal bytes at the front is the same on both sides
    /// back:    once both sides have an element at the same distance from the end, within the equal bytes
    ///          there, all further elements are the same, and are not read
    /// ```
    pub(super) fn of_arrays(
        mut old: WholeIter<'a>,
        mut new: WholeIter<'a>,
    ) -> Result<Middle<'a>, Error> {
        let (front, back) = common_ends(old.bytes, new.bytes);
        let (passed, first) = old.pass(front)?;
        let mut middle = Middle {
            passed,
            old: Vec::from_iter(first),
            new: Vec::from_iter(new.pass(front)?.1),
        };
        loop {
            match (old.left(), new.left()) {
                (a, b) if a == b && a <= back => return Ok(middle),
                (a, b) if a >= b => middle.old.extend(old.try_next()?),
                _ => middle.new.extend(new.try_next()?),
            }
        }
    }
}

/// Returns how many bytes are equal at the front of `a` and `b`, and how many at their end. The
/// same bytes may be counted in both numbers.
fn common_ends(a: &[u8], b: &[u8]) -> (usize, usize) {
    // Long runs are compared in blocks, which the processor compares many bytes at a time.
    const BLOCK: usize = 256;
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let front = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let rest = a[front..].iter().zip(&b[front..]);
    let front = front + rest.take_while(|(a, b)| a == b).count();
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let back = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let rest = a[..a.len() - back]
        .iter()
        .rev()
        .zip(b[..b.len() - back].iter().rev());
    (front, back + rest.take_while(|(a, b)| a == b).count())
}
