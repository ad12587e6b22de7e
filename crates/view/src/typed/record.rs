//! Records: dictionaries whose keys are known.

use gdvar_wire::pad4;

use crate::{
    bytes::plain::{self, Words},
    error::Error,
    options::ReadOptions,
    typed::from_variant::{FromVariant, Spot},
    walk::{children::Children, items::ArrayIter, pairs::DictIter},
};

mod any_order;
mod in_order;

/// A type that a Dictionary of known keys is read into: by [`DictIter::read`],
/// [`ArrayIter::next_record`] and [`ArrayIter::for_each_record`].
///
/// ```
/// use gdvar_view::{Dialect, Document, Error, Fields, Key, Record};
///
/// struct Unit<'a> {
///     name: &'a str,
///     hp: i32,
/// }
///
/// impl<'a> Record<'a> for Unit<'a> {
///     const KEYS: &'static [Key] = &Key::all(["name", "hp"]);
///
///     #[inline(always)]
///     fn read(fields: &mut impl Fields<'a>) -> Option<Self> {
///         Some(Unit { name: fields.next()?, hp: fields.next()? })
///     }
/// }
///
/// /// All units of a save that is an array of them.
/// fn units(save: &[u8]) -> Result<Vec<Unit<'_>>, Error> {
///     let mut all = Vec::new();
///     if let Some(units) = Document::new(save, Dialect::GODOT_4).root()?.as_array() {
///         units.iter().for_each_record(|unit| all.extend(unit))?;
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
/// Fields that stand in the order of the keys and are all there is cost little more than their bytes.
/// Keys may be Strings or, in Godot 4, StringNames. Where the order is another, or there are more or fewer
/// fields, or one has a rarer form, one pass over the pairs notes where each field stands; as with
/// [`DictRef::get`](crate::DictRef::get) the last of repeated keys wins.
pub trait Record<'a>: Sized {
    /// The keys of the fields, in the order in which they are expected.
    const KEYS: &'static [Key];

    /// Takes the fields in the order of the keys; `None` if what it needs is missing.
    ///
    /// It may be called twice for a record, so it should do nothing but read. Mark it
    /// `#[inline(always)]`: then it becomes a part of the loop over an array, which a compiler would
    /// not make of it by itself.
    fn read(fields: &mut impl Fields<'a>) -> Option<Self>;
}

/// The fields of a record while it is read: what [`Record::read`] takes them from.
pub trait Fields<'a>: sealed::Sealed {
    /// The next field as a Rust type. `None` if it is not there, or of another kind.
    ///
    /// A tuple is an Array of as many elements; an `Option` may be null.
    fn next<T: FromVariant<'a>>(&mut self) -> Option<T>;
}

mod sealed {
    /// Keeps the ways to read fields in this crate.
    pub trait Sealed {}
}

/// How many bytes most fields take at most, with their names.
const FIELD: usize = 32;

/// The name of a field, made ready for comparing.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    name: &'static str,
    /// The String up to the end of its padding.
    bytes: [u64; 4],
    /// How many bytes that is; none if it is longer. Padding counts: engines write zeros.
    size: u8,
}

impl Key {
    /// The keys of these names.
    ///
    /// # Panics
    /// If a name has a NUL or begins with a byte order mark, which no engine reads as text: at
    /// compile time where it is made for a `const`, as [`Record::KEYS`] is.
    #[must_use]
    pub const fn all<const N: usize>(names: [&'static str; N]) -> [Key; N] {
        let mut keys = [Key::new(""); N];
        let mut n = 0;
        while n < N {
            keys[n] = Key::new(names[n]);
            n += 1;
        }
        keys
    }

    const fn new(text: &'static str) -> Key {
        let name = text.as_bytes();
        let has_mark = name.len() >= 3 && name[0] == 0xef && name[1] == 0xbb && name[2] == 0xbf;
        assert!(!has_mark, "a key begins with a byte order mark");
        let size = 8 + pad4(name.len());
        let fits = size <= 32;
        let mut key = Key {
            name: text,
            bytes: [0; 4],
            size: if fits { size as u8 } else { 0 },
        };
        if fits {
            key.bytes[0] = plain::STRING as u64 | (name.len() as u64) << 32;
        }
        let mut at = 0;
        while at < name.len() {
            assert!(name[at] != 0, "a key has a NUL");
            if fits {
                let (word, shift) = (1 + at / 8, 8 * (at % 8));
                key.bytes[word] |= (name[at] as u64) << shift;
            }
            at += 1;
        }
        key
    }

    /// The value behind this key and its header, if the key is short, `rest` begins with it and goes
    /// on for some bytes, and the header is `expected`, if one is. Near the `END` of the buffer a value
    /// suffices; else one look at the length is to serve as many of the `fields` to come as it can. `name` has
    /// the bits in which the header of a StringName differs, if that is the same key.
    #[inline(always)]
    fn pass<'a, const END: bool>(
        &self,
        rest: &'a [u8],
        name: u64,
        expected: Option<u32>,
        fields: usize,
    ) -> Option<(u32, &'a [u8])> {
        let size = usize::from(self.size);
        let seen = if END {
            size + 4
        } else {
            (size + 4).max(FIELD * fields)
        };
        let block = rest.get(..seen).filter(|_| size > 0)?;
        let header = u32::from_le_bytes(*block.get(size..)?.first_chunk()?);
        for (start, bytes) in (0..).step_by(8).zip(&self.bytes) {
            let left = size.saturating_sub(start);
            if left >= 8 {
                let other = u64::from_le_bytes(*block.get(start..)?.first_chunk()?) ^ bytes;
                if other != 0 && (start > 0 || other != name) {
                    return None;
                }
            } else if let (4, Some(expected)) = (left, expected) {
                // The header in the same comparison.
                let bytes = bytes | u64::from(expected) << 32;
                if u64::from_le_bytes(*block.get(start..)?.first_chunk()?) != bytes {
                    return None;
                }
            } else if left == 4 {
                let word = u32::from_le_bytes(*block.get(start..)?.first_chunk()?);
                if u64::from(word) != *bytes {
                    return None;
                }
            }
        }
        if expected.is_some_and(|expected| size % 8 == 0 && header != expected) {
            return None;
        }
        Some((header, rest.get(size..)?))
    }
}

/// Where the fields of a record stand: in which bytes, how they are read, how deep.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    depth: u16,
}

impl<'a> Place<'a> {
    /// Where the fields of a Dictionary stand whose pairs these are.
    #[inline(always)]
    fn of(pairs: &Children<'a>) -> Place<'a> {
        Place {
            bytes: pairs.owner().bytes(),
            options: pairs.owner().options(),
            depth: pairs.depth(),
        }
    }

    /// Where those of a Dictionary stand that is one of these elements, if elements may have fields.
    #[inline(always)]
    fn inside(elements: &Children<'a>) -> Option<Place<'a>> {
        let place = Place::of(elements);
        let depth = place.options.inside(place.depth)?;
        Some(Place { depth, ..place })
    }

    /// The bits in which the header of a StringName differs from that of a String, if both are one key.
    #[inline(always)]
    fn name(self) -> u64 {
        let dialect = self.options.get_dialect();
        if !dialect.string_names_equal_strings() {
            return 0;
        }
        u64::from(Words::of(dialect).name ^ plain::STRING)
    }

    /// Where the value is that `rest`, the end of the bytes, begins with.
    #[inline(always)]
    fn spot(self, rest: &'a [u8]) -> Spot {
        Spot {
            at: self.bytes.len() - rest.len(),
            depth: self.depth,
            options: self.options,
        }
    }
}

impl<'a> DictIter<'a> {
    /// Reads the pairs that are left as a record. All are taken: with
    /// [`pass`](crate::ArrayIter::pass) the walk of what the record is in goes on behind it.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Error, Fields, Key, Record};
    ///
    /// struct Hit(i32, bool);
    ///
    /// impl<'a> Record<'a> for Hit {
    ///     const KEYS: &'static [Key] = &Key::all(["damage", "crit"]);
    ///
    ///     #[inline(always)]
    ///     fn read(fields: &mut impl Fields<'a>) -> Option<Self> {
    ///         // Not every packet has the second.
    ///         Some(Hit(fields.next()?, fields.next().unwrap_or(false)))
    ///     }
    /// }
    ///
    /// fn hit(packet: &[u8]) -> Result<Option<Hit>, Error> {
    ///     match Document::new(packet, Dialect::GODOT_4).root()?.as_dict() {
    ///         Some(packet) => packet.iter().read(),
    ///         None => Ok(None),
    ///     }
    /// }
    /// # let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x06\0\0\0damage\0\0\x02\0\0\0\x50\0\0\0";
    /// assert!(matches!(hit(packet)?, Some(Hit(80, false))));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Whatever makes a pair unreadable.
    #[inline(always)]
    pub fn read<R: Record<'a>>(&mut self) -> Result<Option<R>, Error> {
        self.0.settle()?;
        let place = Place::of(&self.0);
        if let Some(rest) = self.ordered(R::KEYS.len()) {
            if let Some((record, behind)) = in_order::read::<R, true>(rest, place, place.name()) {
                self.0.jump(place.bytes.len() - behind.len(), 0);
                return Ok(Some(record));
            }
        }
        any_order::read(self)
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
    /// The next element as a record: `None` at the end, `Some(None)` for an element that is no
    /// Dictionary or lacks a field that the record needs.
    ///
    /// # Errors
    /// Whatever makes the element unreadable.
    #[inline(always)]
    pub fn next_record<R: Record<'a>>(&mut self) -> Result<Option<Option<R>>, Error> {
        if let (Some((at, 1..)), Some(place)) = (self.0.plainly(), Place::inside(&self.0)) {
            let rest = place.bytes.get(at..).unwrap_or_default();
            let head = in_order::head::<R>(place);
            if let Some((record, behind)) = in_order::read_dict::<R, true>(rest, place, head) {
                self.0.jump_one(place.bytes.len() - behind.len());
                return Ok(Some(Some(record)));
            }
        }
        self.any_record()
    }

    /// Reads all elements that are left as records, as [`next_record`](ArrayIter::next_record) does,
    /// and gives each to `each`: the fastest way to read an array of records that are alike.
    ///
    /// # Errors
    /// Whatever makes an element unreadable. `each` has the elements before it then.
    #[inline(always)]
    pub fn for_each_record<R: Record<'a>>(
        &mut self,
        mut each: impl FnMut(Option<R>),
    ) -> Result<(), Error> {
        loop {
            if let (Some((at, mut left)), Some(place)) = (self.0.plainly(), Place::inside(&self.0))
            {
                // Where it stands is kept in local variables while records are in order.
                let mut rest = place.bytes.get(at..).unwrap_or_default();
                let head = in_order::head::<R>(place);
                while left > 0 {
                    let Some((record, behind)) = in_order::read_dict::<R, false>(rest, place, head)
                    else {
                        break;
                    };
                    (rest, left) = (behind, left - 1);
                    each(Some(record));
                }
                self.0.jump(place.bytes.len() - rest.len(), left);
            }
            match self.one_record()? {
                Some(record) => each(record),
                None => return Ok(()),
            }
        }
    }

    /// The next element as a record, out of line.
    #[cold]
    #[inline(never)]
    fn one_record<R: Record<'a>>(&mut self) -> Result<Option<Option<R>>, Error> {
        self.next_record()
    }

    /// The next element as a record, whatever its form.
    #[cold]
    #[inline(never)]
    fn any_record<R: Record<'a>>(&mut self) -> Result<Option<Option<R>>, Error> {
        let Some(element) = self.try_next()? else {
            return Ok(None);
        };
        let Some(dict) = element.as_dict() else {
            return Ok(Some(None));
        };
        let mut pairs = dict.iter();
        let record = any_order::read(&mut pairs);
        self.pass(&pairs)?;
        record.map(Some)
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
