//! [`Edit`]: changes by path, collected.

use gdvar_view::Document;

use crate::{
    error::Error,
    plan::{Plan, Splice},
    resolve::{self, Op},
};

/// Changes of one value, collected by path and worked out together. Nothing is decoded as a whole and nothing
/// copied: memory grows with the edits, not with the value.
///
/// All paths and places are those of the old value, whatever other edits do: after `remove("[0]")` the element
/// that was second is still `[1]`. Edits of the same value, or of a value and a part of it, are an error; make
/// them one after the other.
///
/// New values are the bytes of one value of the same dialect: of `Variant::to_vec`, a `Writer`, `parse_godot`, or
/// [`VariantRef::raw`](gdvar_view::VariantRef::raw) of another place.
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
/// containers, repeated keys, the depth limit and the policy on objects are held. An edit that would break
/// one of them is an [`Error`], and nothing is written.
#[derive(Clone, Debug)]
pub struct Edit<'a> {
    document: Document<'a>,
    ops: Vec<Op>,
}

impl<'a> Edit<'a> {
    /// Without changes yet.
    #[must_use]
    pub const fn new(document: Document<'a>) -> Edit<'a> {
        let ops = Vec::new();
        Edit { document, ops }
    }

    /// The old value.
    #[must_use]
    pub const fn document(&self) -> Document<'a> {
        self.document
    }

    /// The number of changes that were asked for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Returns `true` if none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The path of a change, for messages: that of [`Error::edit`]. Of a move, the place it takes from.
    #[must_use]
    pub fn path(&self, edit: usize) -> Option<&str> {
        self.ops.get(edit).map(Op::path)
    }

    fn push(&mut self, op: Op) -> &mut Self {
        self.ops.push(op);
        self
    }

    /// Replaces a value, or a part of one that has no header of its own: a component (`pos.x`, `xform.basis.x`,
    /// `box.end`) or an element of a packed array (`ids[3]`, `points[0].y`), given as the value that
    /// [`find_path`](gdvar_view::VariantRef::find_path) has for it, numbers as an Int or a Float. A text or int key
    /// that a Dictionary does not have is added at its end: with the type of its other text keys, or as a String.
    pub fn set(&mut self, path: &str, value: &[u8]) -> &mut Self {
        self.push(Op::Set {
            path: path.to_owned(),
            value: value.to_owned(),
            was: None,
        })
    }

    /// Adds an element in front of the one at the path, or behind the last one where the path is the index behind
    /// it; or adds a key that a Dictionary does not have, at its end.
    pub fn insert(&mut self, path: &str, value: &[u8]) -> &mut Self {
        self.push(Op::Insert {
            path: path.to_owned(),
            value: value.to_owned(),
            of: None,
        })
    }

    /// Adds a pair to the Dictionary at the path, in front of the pair of that number, or at its end; or a property
    /// to an object, with a text for a key.
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

    /// Adds an element to the end of the array at the path.
    pub fn append(&mut self, path: &str, value: &[u8]) -> &mut Self {
        self.push(Op::Append {
            path: path.to_owned(),
            value: value.to_owned(),
        })
    }

    /// Removes an element, a key with its value, or a property.
    pub fn remove(&mut self, path: &str) -> &mut Self {
        self.push(Op::Remove {
            path: path.to_owned(),
            was: None,
            of: None,
        })
    }

    /// Gives the value at the path another key, given as the bytes of a value; a property another name. The
    /// pair stays where it is.
    pub fn rename_key(&mut self, path: &str, key: &[u8]) -> &mut Self {
        self.push(Op::RenameKey {
            path: path.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Takes a value from one place and adds it at another, as [`Edit::insert`] does. Not into itself. With
    /// `{n}` for the last step on both sides a pair is moved with its key, in front of the n-th.
    pub fn move_to(&mut self, from: &str, to: &str) -> &mut Self {
        self.push(Op::Move {
            from: from.to_owned(),
            to: to.to_owned(),
            was: None,
            of: None,
        })
    }

    /// Works out which bytes are replaced by which. Each container on the way to an edit is passed once, however
    /// many edits there are in it.
    ///
    /// # Errors
    /// The first edit that cannot be made, and why. No other is made then either.
    pub fn plan(&self) -> Result<Plan<'_>, Error> {
        Plan::new(self.document.bytes(), self.splices()?)
    }

    /// Which bytes are replaced, without the counts that follow.
    pub(crate) fn splices(&self) -> Result<Vec<Splice<'_>>, Error> {
        resolve::splices(self.document, &self.ops)
    }

    pub(crate) const fn of(document: Document<'a>, ops: Vec<Op>) -> Edit<'a> {
        Edit { document, ops }
    }
}
