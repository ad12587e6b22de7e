//! [`Patch`]: differences that are kept, sent, read, made again and taken back.

mod entry;
mod reverse;
mod text;

use gdvar_view::{Dialect, Document};

use crate::{
    ReadError,
    diff::{DiffOptions, diff},
    edit::Edit,
    resolve::Op,
};

use entry::Entry;
pub use text::PatchError;

/// The differences that make one value of another, with the old values and the new ones in it. It is applied to the
/// old value, or to one that is alike where the paths lead: what it changes must be what it was made of.
///
/// As text it is lines of a verb, a path and values in Godot's notation. The first says for which dialect. Values that
/// the notation cannot say are `hex` digits of their bytes; long ones go over several lines.
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
/// `insert` and `move` put something in front of the child of that number, which may be the one after the last. `of`
/// is the number of children. All numbers are those of the old value.
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
    entries: Vec<Entry>,
}

impl Patch {
    /// The patch that makes the new value of the old one, byte for byte, without the bytes after the values.
    ///
    /// # Errors
    /// If a part of one of them cannot be read.
    pub fn between(old: Document<'_>, new: Document<'_>) -> Result<Patch, ReadError> {
        let mut entries = Vec::new();
        for one in diff(old.root()?, new.root()?, DiffOptions::exact()) {
            entries.push(Entry::of(&one?)?);
        }
        let dialect = old.options().dialect();
        Ok(Patch { dialect, entries })
    }

    /// The patches of a file, with the number of the record that each is for, and the byte at which it begins. A patch
    /// without a number is for record 0. None of an empty text.
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
    /// The first place that is no patch.
    pub fn of_records(text: &str) -> Result<Vec<(Option<u64>, Patch)>, PatchError> {
        text::read(text)
    }

    /// The text of the patch as the one for a record of a file: see [`Patch::of_records`].
    #[must_use]
    pub fn for_record(&self, record: u64) -> String {
        text::Text(self, Some(record)).to_string()
    }

    /// The dialect of the values in it.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The number of changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The changes as edits of a value. [`Edit::plan`] refuses them where the value is not what the patch was made of:
    /// [`EditErrorKind::Differs`](crate::EditErrorKind), `DiffersInLength`, `NoPlace`, `KeyExists`.
    #[must_use]
    pub fn edit<'a>(&self, document: Document<'a>) -> Edit<'a> {
        Edit::of(document, self.ops(true))
    }

    /// The changes as edits of a value, whatever it holds at their places.
    #[must_use]
    pub fn edit_unchecked<'a>(&self, document: Document<'a>) -> Edit<'a> {
        Edit::of(document, self.ops(false))
    }

    /// The patch that makes the old value of the new one.
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
