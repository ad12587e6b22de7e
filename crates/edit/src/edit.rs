//! [`Edit`]: collects changes by path.

use core::convert::Infallible;
use std::borrow::Cow;

use gdvar_view::{Dialect, Document};
use gdvar_write::WriteErrorKind;

use crate::{
    error::{EditErrorKind, Error},
    plan::{Plan, Splice},
    resolve::{self, Op},
};

/// Collects changes of one value by path, and plans them together. Nothing is decoded or copied as a whole: memory
/// grows with the edits, not with the value.
///
/// All paths and indices refer to the old value, whatever other edits do: after `remove("[0]")` the element
/// that was second is still `[1]`. Two edits of the same value, or of a value and a part of it, are an error;
/// apply them one after the other.
///
/// A [`NewValue`] is a `Variant`, or the bytes of one value of the same dialect: from a `Writer`, `parse_godot`,
/// or [`VariantRef::raw`](gdvar_view::VariantRef::raw).
///
/// ```
/// use gdvar_edit::{Dialect, Document, Edit};
/// use gdvar_write::{Target, Writer};
///
/// // {"party": [{"hp": 80}]}
/// let save = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x05\0\0\0party\0\0\0\
///     \x1c\0\0\0\x01\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// writer.int(999)?;
/// let value = writer.finish()?;
///
/// let mut edit = Edit::new(Document::new(save, Dialect::GODOT_4));
/// edit.set("party[0].hp", &value);
/// edit.append("party", b"\0\0\0\0"); // null
/// let mut file = Vec::new();
/// edit.plan()?.write_to(&mut file)?;
/// let doc = Document::new(&file, Dialect::GODOT_4);
/// assert_eq!(doc.get_as::<i64>("party[0].hp")?, Some(999));
/// assert!(doc.get("party[1]")?.is_some_and(|value| value.is_nil()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The result is as valid as the old value was, in the mode of the document's options: element types of typed
/// containers, unique keys, the depth limit and the policy on objects are respected. An edit that would
/// violate one of them is an [`Error`], and nothing is written.
#[derive(Clone, Debug)]
pub struct Edit<'a> {
    document: Document<'a>,
    ops: Vec<Op>,
    /// The first new value that could not be encoded.
    failed: Option<Error>,
}

/// A new value for an [`Edit`], encoded for the dialect of its document: the bytes of a value, which are taken
/// unchanged, or a `Variant` of the crate `gdvar`.
pub trait NewValue {
    /// Returns the bytes of the value.
    ///
    /// # Errors
    /// Fails if the dialect cannot express the value.
    fn encode(&self, dialect: Dialect) -> Result<Vec<u8>, WriteErrorKind<Infallible>>;
}

impl<V: NewValue + ?Sized> NewValue for &V {
    fn encode(&self, dialect: Dialect) -> Result<Vec<u8>, WriteErrorKind<Infallible>> {
        (**self).encode(dialect)
    }
}

macro_rules! bytes {
    ($([$($param:tt)*] $ty:ty;)*) => {$(
        impl<$($param)*> NewValue for $ty {
            fn encode(&self, _: Dialect) -> Result<Vec<u8>, WriteErrorKind<Infallible>> {
                Ok(self[..].to_owned())
            }
        }
    )*};
}
bytes! {
    [] [u8];
    [] Vec<u8>;
    [] Cow<'_, [u8]>;
    [const N: usize] [u8; N];
}

impl<'a> Edit<'a> {
    /// Creates an edit without changes.
    #[must_use]
    pub const fn new(document: Document<'a>) -> Edit<'a> {
        Edit::of(document, Vec::new())
    }

    /// Returns the old value.
    #[must_use]
    pub const fn document(&self) -> Document<'a> {
        self.document
    }

    /// Returns the number of requested changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Returns `true` if no change was requested.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Returns the path of change number `edit` ([`Error::edit`]), for messages. For a move, returns the source path.
    #[must_use]
    pub fn path(&self, edit: usize) -> Option<&str> {
        self.ops.get(edit).map(Op::path)
    }

    /// Returns the new key of change number `edit`, as a value. `None` if the change renames no key.
    #[must_use]
    pub fn new_key(&self, edit: usize) -> Option<&[u8]> {
        match self.ops.get(edit) {
            Some(Op::RenameKey { key, .. }) => Some(key),
            _ => None,
        }
    }

    /// Iterates over the new values that the changes bring: those that are set, inserted or appended, as bytes.
    pub fn new_values(&self) -> impl Iterator<Item = &[u8]> {
        self.ops.iter().filter_map(Op::new_value)
    }

    fn push(&mut self, op: Op) -> &mut Self {
        self.ops.push(op);
        self
    }

    /// Replaces a value, or a part of a value that has no header: a component (`pos.x`, `xform.basis.x`,
    /// `box.end`) or an element of a packed array (`ids[3]`, `points[0].y`). The new part is given as the
    /// value that [`find_path`](gdvar_view::VariantRef::find_path) returns for it; numbers may be an Int or a
    /// Float.
    ///
    /// A key that a Dictionary does not have is added at its end. The key can have any type that a path can name:
    /// `[Vector2i(5, 9)]`, `[1.5]`, `[&"name"]`. A text key that is a plain name gets the type of the other text
    /// keys, or String; vectors get the width of the other keys. A property that a whole object does not have is
    /// added in the same way: a resource stores only what differs from the class's defaults.
    pub fn set(&mut self, path: &str, value: impl NewValue) -> &mut Self {
        let value = self.encode(value);
        self.push(Op::Set {
            path: path.to_owned(),
            value,
            was: None,
        })
    }

    /// Encodes a value. If that fails, keeps the error for [`Edit::plan`].
    fn encode(&mut self, value: impl NewValue) -> Vec<u8> {
        let encoded = value.encode(self.document.options().dialect());
        encoded.unwrap_or_else(|error| {
            let kind = EditErrorKind::Unwritable(error);
            let edit = self.ops.len();
            self.failed.get_or_insert(Error::new(edit, 0, kind));
            Vec::new()
        })
    }

    /// Inserts an element before the one at `path`. An index equal to the array's length appends. In a
    /// Dictionary, adds a new key at the end; in a whole object, adds a new property.
    pub fn insert(&mut self, path: &str, value: impl NewValue) -> &mut Self {
        let value = self.encode(value);
        self.push(Op::Insert {
            path: path.to_owned(),
            value,
            of: None,
        })
    }

    /// Adds a pair to the Dictionary at `path`, before pair number `before`, or at the end if there
    /// are not more than `before` pairs. In an object, adds a property; the key must be a text.
    pub fn insert_pair(
        &mut self,
        path: &str,
        before: usize,
        key: &[u8],
        value: &[u8],
    ) -> &mut Self {
        self.push(Op::InsertPair {
            path: path.to_owned(),
            before,
            key: key.to_owned(),
            value: value.to_owned(),
        })
    }

    /// Adds an element at the end of the array at `path`.
    pub fn append(&mut self, path: &str, value: impl NewValue) -> &mut Self {
        let value = self.encode(value);
        self.push(Op::Append {
            path: path.to_owned(),
            value,
        })
    }

    /// Removes the element, the key with its value, or the property at `path`.
    pub fn remove(&mut self, path: &str) -> &mut Self {
        self.push(Op::Remove {
            path: path.to_owned(),
            was: None,
            of: None,
        })
    }

    /// Replaces the key of the value at `path` by `key`, the bytes of one value. For a property, `key` is the new
    /// name. The pair keeps its position.
    pub fn rename_key(&mut self, path: &str, key: &[u8]) -> &mut Self {
        self.push(Op::RenameKey {
            path: path.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Removes the value at `from` and inserts it at `to`, which has the meaning of the path in
    /// [`Edit::insert`]. `to` must not be inside the moved value. If both paths end in a step
    /// `{n}`, the whole pair moves, key included, before pair number n.
    pub fn move_to(&mut self, from: &str, to: &str) -> &mut Self {
        self.push(Op::Move {
            from: from.to_owned(),
            to: to.to_owned(),
            was: None,
            of: None,
        })
    }

    /// Computes the byte ranges to replace and their new bytes. Each container on the way to an edit is walked once,
    /// however many edits it contains.
    ///
    /// # Errors
    /// Returns the error of the first edit that cannot be made. Then no edit is made.
    pub fn plan(&self) -> Result<Plan<'_>, Error> {
        Plan::new(self.document.bytes(), self.splices()?)
    }

    /// Returns the byte ranges that the edits replace, before container counts are adjusted.
    pub(crate) fn splices(&self) -> Result<Vec<Splice<'_>>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        resolve::splices(self.document, &self.ops)
    }

    pub(crate) const fn of(document: Document<'a>, ops: Vec<Op>) -> Edit<'a> {
        Edit {
            document,
            ops,
            failed: None,
        }
    }
}
