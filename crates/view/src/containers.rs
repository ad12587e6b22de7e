//! Array, Dictionary and Object: values made of values.

use gdvar_wire::{Kind, SHARED_BIT};

use crate::{
    cursor::{self, Field, Form, Head, Padding},
    descriptor::{Descriptor, descriptor, pandemonium_descriptor},
    error::Error,
    key, plain, skip,
    text::StrRef,
    variant::VariantRef,
};

/// What the elements of a typed container are (`docs/FORMAT.md` §4.3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ElementType<'a> {
    /// Anything.
    Untyped,
    /// Values of a type, by its number; the kind is `None` where the dialect has no such type,
    /// which only Pandemonium 5 lets pass.
    Builtin(gdvar_wire::TypeId, Option<Kind>),
    /// Objects of a native class. `EncodedObjectAsID` where the engine was not allowed to write
    /// objects.
    Class(StrRef<'a>),
    /// Objects with a script, by its path.
    Script(StrRef<'a>),
}

impl ElementType<'_> {
    /// Whether a value of that kind may stand in the container. The engines convert or drop
    /// what does not fit; here it is kept and strict mode refuses it (`docs/FORMAT.md` §6, row 37).
    #[must_use]
    pub fn admits(self, kind: Kind) -> bool {
        match self {
            ElementType::Untyped => true,
            ElementType::Builtin(_, Some(Kind::Object))
            | ElementType::Class(_)
            | ElementType::Script(_) => matches!(kind, Kind::Object | Kind::Nil),
            ElementType::Builtin(_, own) => own == Some(kind),
        }
    }
}

fn element_type<'a>(value: VariantRef<'a>, descriptor: Descriptor) -> ElementType<'a> {
    match descriptor {
        Descriptor::None => ElementType::Untyped,
        Descriptor::Builtin(id) => ElementType::Builtin(id, value.dialect().kind(id)),
        Descriptor::Class(field) => ElementType::Class(field_text(value, field)),
        Descriptor::Script(field) => ElementType::Script(field_text(value, field)),
    }
}

fn field_text(value: VariantRef<'_>, field: Field) -> StrRef<'_> {
    let raw = value.bytes().get(field.start..field.start + field.len);
    StrRef::new(raw.unwrap_or_default(), field.start, value.options())
}

/// The descriptors of a container: of its elements or keys, and of its values.
pub(crate) fn descriptors(value: VariantRef<'_>, kind: Kind) -> Option<(Descriptor, Descriptor)> {
    let (bytes, options, header) = (value.bytes(), value.options(), value.header());
    let at = value.offset() + 4;
    match kind {
        Kind::Array | Kind::Dictionary if options.get_dialect().has_typed_containers() => {
            let typing = header.flags().element_typing();
            let (first, at) = descriptor(bytes, at, typing, options).ok()?;
            if kind == Kind::Array {
                return Some((first, Descriptor::None));
            }
            let typing = header.flags().value_typing();
            let (second, _) = descriptor(bytes, at, typing, options).ok()?;
            Some((first, second))
        }
        Kind::TypedArray | Kind::PackedTypedArray => {
            let (first, _) = pandemonium_descriptor(bytes, at, header, options).ok()?;
            Some((first, Descriptor::None))
        }
        _ => Some(UNTYPED),
    }
}

/// The descriptors of a container without types.
const UNTYPED: (Descriptor, Descriptor) = (Descriptor::None, Descriptor::None);

/// Whether the count word, which stands before the first child, has Godot 2's shared bit.
fn is_shared(value: VariantRef<'_>, first: usize) -> bool {
    cursor::word(value.bytes(), first - 4).is_ok_and(|word| word & SHARED_BIT != 0)
}

/// Children one after the other. A child is passed when the next one is asked for, so stopping
/// early costs nothing.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    owner: VariantRef<'a>,
    /// Where the next child begins; that of the one handed out last if it is not passed yet.
    at: usize,
    left: u64,
    care: Care,
}

/// What is to be done before the next child.
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
}

impl<'a> Children<'a> {
    #[inline]
    fn new(owner: VariantRef<'a>, first: usize, count: u64) -> Children<'a> {
        let options = owner.options();
        let care = if options.is_special() || owner.depth() >= options.max_depth() {
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
    fn depth(&self) -> u16 {
        self.owner.depth().saturating_add(1)
    }

    /// Ends the iteration when there is an error.
    fn stop<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            self.left = 0;
        }
        result
    }

    /// Passes the child handed out last.
    fn settle(&mut self) -> Result<(), Error> {
        if !self.is_pending() {
            return Ok(());
        }
        let (bytes, options, depth) = (self.owner.bytes(), self.owner.options(), self.depth());
        if self.care == Care::Pass {
            let rest = bytes.get(self.at..).unwrap_or_default();
            if let Some((container, inside)) = plain::container(rest, options.get_dialect()) {
                let (at, left) = (self.at + container.size, u64::from(inside.left));
                if let Some(end) = skip::few(bytes, at, left, options, depth) {
                    self.passed(end);
                    return Ok(());
                }
            }
        }
        let end = cursor::any_head(bytes, self.at, options, depth)
            .and_then(|head| skip::end(bytes, head, options, depth));
        let end = self.stop(end)?;
        self.passed(end);
        Ok(())
    }

    /// Whether the child handed out last is not passed yet.
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
        };
    }

    /// Passes the child handed out last from where `inner`, its own children, stands.
    #[inline]
    fn pass(&mut self, inner: &Children<'a>) -> Result<(), Error> {
        let is_last = self.is_pending() && inner.owner.offset() == self.at;
        if is_last && core::ptr::eq(inner.owner.bytes(), self.owner.bytes()) {
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
        while self.left > 0 {
            self.rest()?;
        }
        self.settle()?;
        Ok(self.at)
    }

    /// Goes on to the next child or name, whichever it is.
    fn rest(&mut self) -> Result<(), Error> {
        if self.owner.kind() == Kind::Object {
            self.next_name()?;
        }
        self.next_value().map(drop)
    }

    #[inline(always)]
    fn next_value(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        let (bytes, options, depth) = (self.owner.bytes(), self.owner.options(), self.depth());
        if self.care == Care::None {
            let at = self.at;
            let rest = bytes.get(at..).unwrap_or_default();
            if let Some(plain) = plain::plain(rest, options.get_dialect()) {
                self.at = at + plain.size;
                self.left -= 1;
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
        let rest = bytes.get(self.at..).unwrap_or_default();
        let known = match plain::container(rest, options.get_dialect()) {
            Some((value, _)) if self.care == Care::None => (value.kind, value.wide),
            _ => {
                let head = cursor::any_head(bytes, self.at, options, self.depth());
                let head = self.stop(head)?;
                (head.kind, head.wide)
            }
        };
        self.left -= 1;
        self.care = match self.care {
            Care::None => Care::Pass,
            _ => Care::PassAlways,
        };
        Ok(known)
    }

    fn next_name(&mut self) -> Result<Option<StrRef<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.settle()?;
        let (bytes, options) = (self.owner.bytes(), self.owner.options());
        let field = cursor::string_field(bytes, self.at, options, Padding::Value);
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
            /// `inner` has walked already is not walked again. That makes a recursive walk of
            /// nested values linear. The walk of another value changes nothing.
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
            /// Whatever makes the rest of the child unreadable.
            #[inline]
            pub fn pass(&mut self, inner: &impl Walked<'a>) -> Result<(), Error> {
                self.0.pass(inner.children())
            }
        }
    )*};
}

walked!(ArrayIter, DictIter, PropertyIter);

/// An Array, or a typed array of Pandemonium 5 (`docs/FORMAT.md` §4.1).
///
/// Containers carry a count but no length in bytes, so passing a child walks over it. A recursive
/// walk over nested arrays passes each subtree once more per level, unless it gives the inner walk
/// to the outer one's [`pass`](ArrayIter::pass); [`Events`](crate::Events) and
/// [`Document::visit`](crate::Document::visit) walk all of a value in linear time.
#[derive(Clone, Copy, Debug)]
pub struct ArrayRef<'a> {
    value: VariantRef<'a>,
    count: u32,
    /// Where the first child begins.
    first: usize,
}

impl<'a> ArrayRef<'a> {
    #[inline]
    pub(crate) const fn new(value: VariantRef<'a>, count: u32, first: usize) -> ArrayRef<'a> {
        ArrayRef {
            value,
            count,
            first,
        }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Where the first element begins.
    #[cfg(feature = "alloc")]
    pub(crate) const fn first(self) -> usize {
        self.first
    }

    /// How many elements.
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// What its elements are said to be.
    #[must_use]
    pub fn element_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// Whether Godot 2 wrote it as shared (`docs/FORMAT.md` §4.2).
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }

    /// The elements in order.
    #[inline]
    #[must_use]
    pub fn iter(self) -> ArrayIter<'a> {
        ArrayIter(Children::new(self.value, self.first, u64::from(self.count)))
    }

    /// The n-th element, by passing those before it: O(n). `Ok(None)` beyond the end.
    ///
    /// # Errors
    /// Whatever makes an element up to there unreadable.
    pub fn get(self, index: usize) -> Result<Option<VariantRef<'a>>, Error> {
        if index >= self.len() {
            return Ok(None);
        }
        let mut children = Children::new(self.value, self.first, u64::from(self.count));
        for _ in 0..index {
            children.next_value()?;
        }
        children.next_value()
    }
}

impl<'a> IntoIterator for ArrayRef<'a> {
    type Item = Result<VariantRef<'a>, Error>;
    type IntoIter = ArrayIter<'a>;

    fn into_iter(self) -> ArrayIter<'a> {
        self.iter()
    }
}

/// The elements of an [`ArrayRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct ArrayIter<'a>(Children<'a>);

impl<'a> ArrayIter<'a> {
    /// The next element.
    ///
    /// # Errors
    /// Whatever makes it, or the one before it, unreadable.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        self.0.next_value()
    }
}

impl<'a> Iterator for ArrayIter<'a> {
    type Item = Result<VariantRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// A Dictionary (`docs/FORMAT.md` §4.2). Pairs stand in the engine's insertion order.
///
/// ```
/// use gdvar_view::Document;
/// use gdvar_wire::Dialect;
///
/// // {"hp": 80}
/// let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let dict = Document::new(bytes, Dialect::GODOT_4).root()?.as_dict().unwrap();
/// assert_eq!(dict.get("hp")?.and_then(|hp| hp.as_i64()), Some(80));
/// assert!(dict.get("mp")?.is_none());
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DictRef<'a> {
    value: VariantRef<'a>,
    count: u32,
    /// Where the first child begins.
    first: usize,
}

impl<'a> DictRef<'a> {
    #[inline]
    pub(crate) const fn new(value: VariantRef<'a>, count: u32, first: usize) -> DictRef<'a> {
        DictRef {
            value,
            count,
            first,
        }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Where the first key begins.
    #[cfg(feature = "alloc")]
    pub(crate) const fn first(self) -> usize {
        self.first
    }

    /// How many pairs, repeated keys included.
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// What its keys are said to be.
    #[must_use]
    pub fn key_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// What its values are said to be.
    #[must_use]
    pub fn value_type(self) -> ElementType<'a> {
        let (_, second) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, second)
    }

    /// Whether Godot 2 wrote it as shared (`docs/FORMAT.md` §4.2).
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }

    /// The pairs in order, repeated keys included.
    #[inline]
    #[must_use]
    pub fn iter(self) -> DictIter<'a> {
        let count = 2 * u64::from(self.count);
        DictIter(Children::new(self.value, self.first, count))
    }

    /// The value under a text key: O(n), all pairs are passed. As in the engines the last of
    /// repeated keys wins, and a StringName key counts in Godot 4. Keys are compared as bytes.
    /// `Ok(None)` if there is no such key.
    ///
    /// # Errors
    /// Whatever makes a pair unreadable.
    pub fn get(self, key: &str) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(|candidate| key::is_text(candidate, key))
    }

    /// The value under an int key; see [`DictRef::get`].
    ///
    /// # Errors
    /// As [`DictRef::get`].
    pub fn get_int(self, key: i64) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(|candidate| candidate.as_i64() == Some(key))
    }

    /// The value under a key that equals another value as the engine sees it
    /// (`docs/FORMAT.md` §6, row 22); see [`DictRef::get`].
    ///
    /// # Errors
    /// As [`DictRef::get`].
    pub fn get_value(self, key: VariantRef<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(|candidate| key::equal(candidate, key))
    }

    /// The pairs as the engines keep them: of repeated keys the first, at its place, with the
    /// value of the last (`docs/FORMAT.md` §6, row 22). O(n log n), allocates.
    ///
    /// # Errors
    /// Whatever makes a pair unreadable.
    #[cfg(feature = "alloc")]
    pub fn distinct(self) -> Result<alloc::vec::Vec<(VariantRef<'a>, VariantRef<'a>)>, Error> {
        let pairs: Result<_, Error> = self.iter().collect();
        Ok(key::distinct(pairs?))
    }

    fn find(
        self,
        mut matches: impl FnMut(VariantRef<'a>) -> bool,
    ) -> Result<Option<VariantRef<'a>>, Error> {
        let mut found = None;
        let mut pairs = self.iter();
        while let Some((key, value)) = pairs.try_next()? {
            if matches(key) {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

impl<'a> IntoIterator for DictRef<'a> {
    type Item = Result<(VariantRef<'a>, VariantRef<'a>), Error>;
    type IntoIter = DictIter<'a>;

    fn into_iter(self) -> DictIter<'a> {
        self.iter()
    }
}

/// The pairs of a [`DictRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct DictIter<'a>(Children<'a>);

impl<'a> DictIter<'a> {
    /// The next pair.
    ///
    /// # Errors
    /// Whatever makes it, or the one before it, unreadable.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<(VariantRef<'a>, VariantRef<'a>)>, Error> {
        let Some(key) = self.0.next_value()? else {
            return Ok(None);
        };
        Ok(self.0.next_value()?.map(|value| (key, value)))
    }
}

impl<'a> Iterator for DictIter<'a> {
    type Item = Result<(VariantRef<'a>, VariantRef<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// An Object: null, an instance id, or a class name with properties. Never instantiated
/// (`docs/FORMAT.md` §4.4).
#[derive(Clone, Copy, Debug)]
pub struct ObjectRef<'a> {
    value: VariantRef<'a>,
    head: Head,
}

impl<'a> ObjectRef<'a> {
    pub(crate) fn new(value: VariantRef<'a>, head: Head) -> ObjectRef<'a> {
        ObjectRef { value, head }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Whether it reads back as null: id 0, an empty class name, or any object of Godot 2.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.head.form == Form::Leaf && self.id().is_none_or(|id| id == 0)
    }

    /// The instance id, if that is its form. In Godot 4 bit 63 marks reference-counted objects.
    #[must_use]
    pub fn id(self) -> Option<u64> {
        if !self.head.wide {
            return None;
        }
        cursor::array(self.value.bytes(), self.head.body).map(u64::from_le_bytes)
    }

    /// The class name of a whole object.
    #[must_use]
    pub fn class(self) -> Option<StrRef<'a>> {
        if self.head.form != Form::Properties {
            return None;
        }
        let at = self.value.offset() + 4;
        let options = self.value.options();
        let field = cursor::string_field(self.value.bytes(), at, options, Padding::Value).ok()?;
        Some(field_text(self.value, field))
    }

    /// How many properties.
    #[must_use]
    pub const fn len(self) -> usize {
        match self.head.form {
            Form::Properties => self.head.count as usize,
            _ => 0,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The properties in order.
    #[inline]
    #[must_use]
    pub fn iter(self) -> PropertyIter<'a> {
        PropertyIter(Children::new(self.value, self.head.next, self.len() as u64))
    }

    /// The property of that name: O(n). The last of repeated names wins. `Ok(None)` if there is
    /// none.
    ///
    /// # Errors
    /// Whatever makes a property unreadable.
    pub fn get(self, name: &str) -> Result<Option<VariantRef<'a>>, Error> {
        let mut found = None;
        let mut properties = self.iter();
        while let Some((key, value)) = properties.try_next()? {
            if key == *name {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

impl<'a> IntoIterator for ObjectRef<'a> {
    type Item = Result<(StrRef<'a>, VariantRef<'a>), Error>;
    type IntoIter = PropertyIter<'a>;

    fn into_iter(self) -> PropertyIter<'a> {
        self.iter()
    }
}

/// The properties of an [`ObjectRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct PropertyIter<'a>(Children<'a>);

impl<'a> PropertyIter<'a> {
    /// The next property.
    ///
    /// # Errors
    /// Whatever makes it, or the one before it, unreadable.
    pub fn try_next(&mut self) -> Result<Option<(StrRef<'a>, VariantRef<'a>)>, Error> {
        let Some(name) = self.0.next_name()? else {
            return Ok(None);
        };
        Ok(self.0.next_value()?.map(|value| (name, value)))
    }
}

impl<'a> Iterator for PropertyIter<'a> {
    type Item = Result<(StrRef<'a>, VariantRef<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
