//! [`Patch`]: differences that can be stored, sent, read back, applied and reversed.

mod entry;
mod error;
mod reverse;
mod text;

use gdvar_view::{Dialect, Document, Error as ReadError};

use crate::{
    diff::{DiffOptions, diff},
    edit::Edit,
    resolve::Op,
};

use entry::PatchEntry;
pub use error::PatchError;

/// The differences that turn one value into another, together with the old and the new values. A patch can be
/// applied to the old value, or to another value that agrees with it in the changed places.
///
/// As text it consists of lines with a verb, a path and values in Godot's notation. The first line names the
/// dialect. Values that the notation cannot express are given as `hex` digits; long values continue over
/// several lines.
///
/// ```text
/// gdvar-patch 2 godot4
/// set $.party[0].hp 80 -> 999
/// remove $.items[1] of 3 "rope"
/// remove $.quests{2} of 4 "lost cat" = {"done": false}
/// insert $.items[2] of 3 {"id": "potion"}
/// insert $.flags{0} of 1 "met_king" = true
/// move $.party[3] of 4 to 0 {"name": "Ann"}
/// ```
///
/// `insert` and `move` put a value before the child with that index, which may be one past the last. `of` is
/// the number of children. All indices refer to the old value.
///
/// ```
/// use gdvar_edit::{Dialect, Document, Patch};
///
/// // [1] and [1, null]
/// let old = Document::new(b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0", Dialect::GODOT_4);
/// let new = Document::new(b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0", Dialect::GODOT_4);
/// let patch = Patch::between(old, new)?;
/// assert_eq!(patch.to_string(), "gdvar-patch 2 godot4\ninsert $[1] of 1 null\n");
/// let again: Patch = patch.to_string().parse()?;
/// assert_eq!(again.edit(old).plan()?.to_vec(), new.bytes());
/// // Once is enough.
/// assert!(again.edit(new).plan().is_err());
/// assert_eq!(again.reversed().edit(new).plan()?.to_vec(), old.bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patch {
    dialect: Dialect,
    entries: Vec<PatchEntry>,
}

impl Patch {
    /// Creates the patch that turns `old` into `new`, byte for byte. Bytes after the two values are ignored. Both have
    /// the dialect of `old`: the bytes of another one mean other values.
    ///
    /// # Errors
    /// Returns an error if a part of one of the values cannot be read.
    pub fn between(old: Document<'_>, new: Document<'_>) -> Result<Patch, ReadError> {
        Patch::by(DiffOptions::exact(), old, new)
    }

    /// Creates the patch with the differences that `options` find.
    pub(crate) fn by(
        options: DiffOptions,
        old: Document<'_>,
        new: Document<'_>,
    ) -> Result<Patch, ReadError> {
        let mut entries = Vec::new();
        for one in diff(old.root()?, new.root()?, options) {
            entries.push(PatchEntry::of(&one?)?);
        }
        let dialect = old.options().dialect();
        Ok(Patch { dialect, entries })
    }

    /// Reads the patches of a file, each with the index of its record, or `None` if the patch names no record. An
    /// empty text contains no patches.
    ///
    /// ```
    /// use gdvar_edit::Patch;
    ///
    /// let text = "gdvar-patch 2 godot4 record 3\nset $.hp 80 -> 65\n";
    /// let patches = Patch::of_records(text)?;
    /// assert_eq!((patches[0].0, patches[0].1.len()), (Some(3), 1));
    /// # Ok::<(), gdvar_edit::PatchError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first place that is not part of a patch.
    pub fn of_records(text: &str) -> Result<Vec<(Option<u64>, Patch)>, PatchError> {
        text::read(text)
    }

    /// Returns the text of the patch, marked for record number `record` of a file. See [`Patch::of_records`].
    #[must_use]
    pub fn for_record(&self, record: u64) -> String {
        text::PatchText(self, Some(record)).to_string()
    }

    /// Returns the dialect of the values in the patch.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the number of changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there are no changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the changes as edits of `document`. The document may differ from the value that the
    /// patch was made from, but not at a place that the patch changes. There, [`Edit::plan`]
    /// returns an error, usually of one of these [kinds](crate::EditErrorKind): `Differs` (another
    /// value), `DiffersInLength` (an array with another number of elements), `NoPlace` (no such
    /// child), `KeyExists` (a key that the patch adds).
    #[must_use]
    pub fn edit<'a>(&self, document: Document<'a>) -> Edit<'a> {
        Edit::of(document, self.ops(true))
    }

    /// Returns the changes as edits of `document`, without comparing its old values with the patch.
    #[must_use]
    pub fn edit_unchecked<'a>(&self, document: Document<'a>) -> Edit<'a> {
        Edit::of(document, self.ops(false))
    }

    /// Returns the patch that turns the new value back into the old one.
    #[must_use]
    pub fn reversed(&self) -> Patch {
        Patch {
            dialect: self.dialect,
            entries: reverse::reversed(&self.entries),
        }
    }

    pub(crate) fn ops(&self, checked: bool) -> Vec<Op> {
        let entries = self.entries.iter();
        entries.map(|one| one.op(self.dialect, checked)).collect()
    }
}
