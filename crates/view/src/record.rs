//! Records: dictionaries whose keys are known.

use gdvar_wire::pad4;

use crate::{
    children::Children,
    containers::DictIter,
    cursor,
    error::Error,
    from_variant::{FromVariant, Spot},
    key, plain, skip,
    variant::VariantRef,
};

/// The names of a record's fields, in the order in which they are expected, made ready for
/// comparing: for [`DictIter::read`].
#[derive(Clone, Debug)]
pub struct Keys<const N: usize> {
    names: [&'static str; N],
    keys: [Key; N],
}

/// A String up to the end of its padding.
#[derive(Clone, Copy, Debug)]
struct Key {
    bytes: [u64; 4],
    /// Ones where bytes count; none if the String is longer than these.
    mask: [u64; 4],
    size: u8,
}

impl<const N: usize> Keys<N> {
    /// The keys of these names.
    ///
    /// # Panics
    /// If a name has a NUL or begins with a byte order mark, which no engine reads as text: at
    /// compile time where it is made in a `const` or `static`.
    #[must_use]
    pub const fn new(names: [&'static str; N]) -> Keys<N> {
        const LONG: Key = Key {
            bytes: [0; 4],
            mask: [0; 4],
            size: 0,
        };
        let mut keys = [LONG; N];
        let mut n = 0;
        while n < N {
            keys[n] = Key::new(names[n].as_bytes());
            n += 1;
        }
        Keys { names, keys }
    }
}

impl Key {
    const fn new(name: &[u8]) -> Key {
        let has_mark = name.len() >= 3 && name[0] == 0xef && name[1] == 0xbb && name[2] == 0xbf;
        assert!(!has_mark, "a key begins with a byte order mark");
        let size = 8 + pad4(name.len());
        let fits = size <= 32;
        let mut key = Key {
            bytes: [0; 4],
            mask: [0; 4],
            size: if fits { size as u8 } else { 0 },
        };
        if fits {
            key.bytes[0] = plain::STRING as u64 | (name.len() as u64) << 32;
            key.mask[0] = u64::MAX;
        }
        let mut at = 0;
        while at < name.len() {
            assert!(name[at] != 0, "a key has a NUL");
            if fits {
                let (word, shift) = (1 + at / 8, 8 * (at % 8));
                key.bytes[word] |= (name[at] as u64) << shift;
                key.mask[word] |= 0xff << shift;
            }
            at += 1;
        }
        key
    }

    /// What is behind this key, if `rest` begins with it.
    #[inline(always)]
    fn pass<'a>(&self, rest: &'a [u8], name: &str) -> Option<&'a [u8]> {
        let (Some(block), 1..) = (rest.first_chunk::<32>(), self.size) else {
            return pass_name(rest, name);
        };
        let mut all = 0;
        let words = block.chunks_exact(8).zip(self.bytes.iter().zip(&self.mask));
        for (word, (bytes, mask)) in words {
            let word = word.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw));
            all |= (word & mask) ^ bytes;
        }
        if all != 0 {
            return None;
        }
        rest.get(self.size.into()..)
    }
}

/// The same for long names, and near the end of the buffer.
#[inline(never)]
fn pass_name<'a>(rest: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let (word, len) = plain::pair(rest, 0)?;
    let size = plain::text_end(rest, 8, len)?;
    let is_name = word == plain::STRING && rest.get(8..8 + len as usize)? == name.as_bytes();
    rest.get(size..).filter(|_| is_name)
}

/// The fields of a record while it is read: see [`DictIter::read`].
///
/// What changes from field to field leaves this only by value, so that the compiler can keep it in
/// registers.
#[derive(Debug)]
pub struct Fields<'k, 'a> {
    names: &'k [&'static str],
    keys: &'k [Key],
    /// How many fields were asked for.
    taken: usize,
    /// As long as all fields came in their order: what begins with the next pair.
    rest: Option<&'a [u8]>,
    /// All pairs.
    pairs: &'k Children<'a>,
    error: Option<Error>,
}

impl<'a> Fields<'_, 'a> {
    /// The next field as a Rust type. `None` if it is not there, or of another kind.
    ///
    /// A tuple is an Array of as many elements.
    #[inline(always)]
    #[expect(
        clippy::should_implement_trait,
        reason = "the fields of a record are of different types"
    )]
    pub fn next<T: FromVariant<'a>>(&mut self) -> Option<T> {
        let n = self.taken;
        self.taken += 1;
        let (name, key) = (self.names.get(n)?, self.keys.get(n)?);
        let found = match self.rest {
            Some(rest) => {
                if let Some(value) = key.pass(rest, name) {
                    let owner = self.pairs.owner();
                    let spot = Spot {
                        at: owner.bytes().len() - value.len(),
                        depth: self.pairs.depth(),
                        options: owner.options(),
                    };
                    if let Some((field, size)) = T::expect(value, spot) {
                        if let Some(behind) = value.get(size..) {
                            self.rest = Some(behind);
                            return Some(field);
                        }
                    }
                }
                any_field(self.pairs, rest, key, name).map(|(field, behind)| {
                    self.rest = behind;
                    field
                })
            }
            None => search(self.pairs, name),
        };
        match found {
            Ok(field) => field,
            Err(error) => {
                (self.rest, self.error) = (None, Some(error));
                None
            }
        }
    }
}

/// A field of any kind, if it has its place, and what is behind it.
#[inline(never)]
fn any_field<'a, T: FromVariant<'a>>(
    pairs: &Children<'a>,
    rest: &'a [u8],
    key: &Key,
    name: &str,
) -> Result<(Option<T>, Option<&'a [u8]>), Error> {
    let (owner, depth) = (pairs.owner(), pairs.depth());
    let (bytes, options) = (owner.bytes(), owner.options());
    let Some(value) = key.pass(rest, name) else {
        return Ok((None, None));
    };
    let at = bytes.len() - value.len();
    let head = cursor::any_head(bytes, at, options, depth)?;
    let end = skip::value(bytes, at, options, depth)?;
    let value = VariantRef::known(bytes, at, options, depth, (head.kind, head.wide));
    Ok((T::from_variant(value), bytes.get(end..)))
}

/// A field wherever it is.
#[inline(never)]
fn search<'a, T: FromVariant<'a>>(pairs: &Children<'a>, name: &str) -> Result<Option<T>, Error> {
    let mut pairs = DictIter(pairs.clone());
    let mut found = None;
    while let Some((key, value)) = pairs.try_next()? {
        if key::is_text(key, name) {
            found = Some(value);
        }
    }
    Ok(found.and_then(T::from_variant))
}

impl<'a> DictIter<'a> {
    /// Reads the pairs that are left as a record of known fields. `read` takes them in the order
    /// of `keys`; it gives `None` if what it needs is missing.
    ///
    /// Fields that stand in that order and are all there is cost little more than their bytes. Any
    /// other record is searched for each field; then `read` may be called twice, so it should do
    /// nothing but read. As with [`DictRef::get`](crate::DictRef::get) the last of repeated keys
    /// wins. All pairs are taken: with [`pass`](crate::ArrayIter::pass) the walk of an array of
    /// records goes on behind this one.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Error, Keys};
    ///
    /// struct Unit<'a> {
    ///     name: &'a str,
    ///     hp: i32,
    /// }
    ///
    /// static UNIT: Keys<2> = Keys::new(["name", "hp"]);
    ///
    /// fn units(save: &[u8]) -> Result<Vec<Unit<'_>>, Error> {
    ///     let mut all = Vec::new();
    ///     let Some(units) = Document::new(save, Dialect::GODOT_4).root()?.as_array() else {
    ///         return Ok(all);
    ///     };
    ///     let mut units = units.iter();
    ///     while let Some(unit) = units.try_next()? {
    ///         let Some(unit) = unit.as_dict() else { continue };
    ///         let mut pairs = unit.iter();
    ///         all.extend(pairs.read(&UNIT, |unit| {
    ///             Some(Unit { name: unit.next()?, hp: unit.next()? })
    ///         })?);
    ///         units.pass(&pairs)?;
    ///     }
    ///     Ok(all)
    /// }
    /// # let unit = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0name\x04\0\0\0\x03\0\0\0Ann\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
    /// # let mut save = b"\x1c\0\0\0\x02\0\0\0".to_vec();
    /// # save.extend(unit);
    /// # save.extend(unit);
    /// let units = units(&save)?;
    /// assert_eq!((units.len(), units[1].name, units[1].hp), (2, "Ann", 80));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Whatever makes a pair unreadable.
    #[inline(always)]
    pub fn read<T, const N: usize>(
        &mut self,
        keys: &Keys<N>,
        mut read: impl FnMut(&mut Fields<'_, 'a>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        self.0.settle()?;
        let bytes = self.0.owner().bytes();
        let ordered = self.0.plainly().filter(|(_, left)| *left == 2 * N as u64);
        let pairs = self.0.clone();
        let mut fields = Fields {
            names: &keys.names,
            keys: &keys.keys,
            taken: 0,
            rest: ordered.and_then(|(at, _)| bytes.get(at..)),
            pairs: &pairs,
            error: None,
        };
        // Called at one place, so that the compiler puts it there.
        loop {
            let was_ordered = fields.rest.is_some();
            let record = read(&mut fields);
            if let (true, Some(rest)) = (fields.taken == N, fields.rest) {
                self.0.jump(bytes.len() - rest.len(), 0);
                return Ok(record);
            }
            if !was_ordered {
                while self.try_next()?.is_some() {}
                return fields.error.map_or(Ok(record), Err);
            }
            (fields.taken, fields.rest, fields.error) = (0, None, None);
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
