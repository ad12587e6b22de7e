//! Records: dictionaries whose keys are known.

use gdvar_wire::pad4;

use crate::{
    children::Children,
    containers::{ArrayIter, DictIter},
    cursor,
    error::Error,
    from_variant::{FromVariant, Spot},
    key,
    plain::{self, Words},
    skip,
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

    /// What is behind this key, if it is short and `rest` begins with it and goes on for some bytes.
    #[inline(always)]
    fn pass<'a>(&self, rest: &'a [u8]) -> Option<&'a [u8]> {
        let (block, 1..) = (rest.first_chunk::<32>()?, self.size) else {
            return None;
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

/// The same for every name, wherever it stands.
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
    /// The children that the record is one of, or its own: they know the buffer and how it is read.
    owner: &'k Children<'a>,
    /// How deep the fields stand.
    depth: u16,
    /// All pairs, to search for fields that do not come in order.
    pairs: Option<&'k Children<'a>>,
    error: Option<Error>,
}

impl<'k, 'a> Fields<'k, 'a> {
    #[inline(always)]
    fn new<const N: usize>(
        keys: &'k Keys<N>,
        rest: Option<&'a [u8]>,
        owner: &'k Children<'a>,
        depth: u16,
        pairs: Option<&'k Children<'a>>,
    ) -> Fields<'k, 'a> {
        Fields {
            names: &keys.names,
            keys: &keys.keys,
            taken: 0,
            rest,
            owner,
            depth,
            pairs,
            error: None,
        }
    }

    /// What is behind the record, if all its fields came in order.
    #[inline(always)]
    fn behind(&self) -> Option<&'a [u8]> {
        self.rest.filter(|_| self.taken == self.keys.len())
    }

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
        let found = if let Some(rest) = self.rest {
            if let Some(value) = key.pass(rest) {
                let owner = self.owner.owner();
                let spot = Spot {
                    at: owner.bytes().len() - value.len(),
                    depth: self.depth,
                    options: owner.options(),
                };
                if let Some((field, behind)) = T::expect(value, spot) {
                    self.rest = Some(behind);
                    return Some(field);
                }
            }
            any_field(self.owner, self.depth, rest, name).map(|(field, behind)| {
                self.rest = behind;
                field
            })
        } else {
            self.pairs.map_or(Ok(None), |pairs| search(pairs, name))
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
#[cold]
#[inline(never)]
fn any_field<'a, T: FromVariant<'a>>(
    owner: &Children<'a>,
    depth: u16,
    rest: &'a [u8],
    name: &str,
) -> Result<(Option<T>, Option<&'a [u8]>), Error> {
    let (bytes, options) = (owner.owner().bytes(), owner.owner().options());
    let Some(value) = pass_name(rest, name) else {
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
    /// fn unit(packet: &[u8]) -> Result<Option<Unit<'_>>, Error> {
    ///     let Some(unit) = Document::new(packet, Dialect::GODOT_4).root()?.as_dict() else {
    ///         return Ok(None);
    ///     };
    ///     unit.iter().read(&UNIT, |unit| {
    ///         Some(Unit { name: unit.next()?, hp: unit.next()? })
    ///     })
    /// }
    /// # let packet = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0name\x04\0\0\0\x03\0\0\0Ann\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
    /// let ann = unit(packet)?.unwrap();
    /// assert_eq!((ann.name, ann.hp), ("Ann", 80));
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
        let (pairs, rest) = (self.0.clone(), self.ordered(N));
        let mut fields = Fields::new(keys, rest, &pairs, pairs.depth(), Some(&pairs));
        // Called at one place, so that the compiler puts it there.
        loop {
            let was_ordered = fields.rest.is_some();
            let record = read(&mut fields);
            if let Some(rest) = fields.behind() {
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

    /// What begins with the first pair, if so many are left and need not be looked at with care.
    #[inline(always)]
    fn ordered(&self, count: usize) -> Option<&'a [u8]> {
        let (at, left) = self.0.plainly()?;
        let rest = self.0.owner().bytes().get(at..);
        rest.filter(|_| left == 2 * count as u64)
    }
}

impl<'a> ArrayIter<'a> {
    /// The next element as a record of known fields, as [`DictIter::read`] reads it: `None` at the
    /// end, `Some(None)` for an element that is no Dictionary or lacks a field that `read` needs.
    ///
    /// An array of records that are alike is read fastest by this.
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
    ///     while let Some(unit) = units.next_record(&UNIT, |unit| {
    ///         Some(Unit { name: unit.next()?, hp: unit.next()? })
    ///     })? {
    ///         all.extend(unit);
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
    /// Whatever makes the element unreadable.
    #[inline(always)]
    pub fn next_record<T, const N: usize>(
        &mut self,
        keys: &Keys<N>,
        mut read: impl FnMut(&mut Fields<'_, 'a>) -> Option<T>,
    ) -> Result<Option<Option<T>>, Error> {
        let mut pairs: Option<DictIter<'a>> = None;
        let mut rest = self.record_of(N);
        let was_ordered = rest.is_some();
        // Called at one place, so that the compiler puts it there.
        loop {
            if rest.is_none() && pairs.is_none() {
                match self.open_record()? {
                    Some(Some(found)) => {
                        // Not in order a second time.
                        rest = found.ordered(N).filter(|_| !was_ordered);
                        pairs = Some(found);
                    }
                    Some(None) => return Ok(Some(None)),
                    None => return Ok(None),
                }
            }
            let depth = self.0.depth().saturating_add(1);
            let all = pairs.as_ref().map(|pairs| &pairs.0);
            let mut fields = Fields::new(keys, rest, &self.0, depth, all);
            let record = read(&mut fields);
            let (behind, error) = (fields.behind(), fields.error);
            let behind = behind.map(|behind| self.0.owner().bytes().len() - behind.len());
            if let (None, Some(behind)) = (&pairs, behind) {
                self.0.jump_one(behind);
                return Ok(Some(record));
            }
            if rest.is_none() || behind.is_some() {
                self.close_record(pairs, behind, error)?;
                return Ok(Some(record));
            }
            rest = None;
        }
    }

    /// What begins with the first pair of the next element, if that is an untyped Dictionary of so
    /// many and need not be looked at with care.
    #[inline(always)]
    fn record_of(&self, fields: usize) -> Option<&'a [u8]> {
        let (at, 1..) = self.0.plainly()? else {
            return None;
        };
        let options = self.0.owner().options();
        let dict = Words::of(options.get_dialect()).dict;
        let rest = self.0.owner().bytes().get(at..)?;
        let (word, count) = plain::pair(rest, 0)?;
        if word != dict || count as usize != fields || self.0.depth() >= options.max_depth() {
            return None;
        }
        rest.get(8..)
    }

    /// All pairs of the next element, if there is one and if it is a Dictionary.
    #[cold]
    #[inline(never)]
    fn open_record(&mut self) -> Result<Option<Option<DictIter<'a>>>, Error> {
        let element = self.try_next()?;
        Ok(element.map(|element| Some(element.as_dict()?.iter())))
    }

    /// Goes on behind a record whose pairs were opened, and which ends there if it was in order.
    #[cold]
    #[inline(never)]
    fn close_record(
        &mut self,
        pairs: Option<DictIter<'a>>,
        behind: Option<usize>,
        error: Option<Error>,
    ) -> Result<(), Error> {
        if let Some(mut pairs) = pairs {
            if let Some(behind) = behind {
                pairs.0.jump(behind, 0);
            }
            self.pass(&pairs)?;
        }
        error.map_or(Ok(()), Err)
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
