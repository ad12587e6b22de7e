//! [`Patch`]: differences that are kept, sent, read and made again.

mod text;

use gdvar_view::{Dialect, Document, Kind};

use crate::{
    ReadError,
    container::Name,
    diff::{Change, DiffOptions, Difference, diff},
    edit::Edit,
    key,
    resolve::Op,
};

pub use text::PatchError;

/// The differences that make one value of another, with the new values in it. It is applied to the old value, or
/// to one that is alike where the paths lead.
///
/// As text it is lines of a verb, a path and a value in Godot's notation, of which the first says for which
/// dialect. Values that the notation cannot say are `hex` digits of their bytes.
///
/// ```text
/// gdvar-patch 1 godot4
/// set $.party[0].hp 999
/// remove $.quests["lost cat"]
/// insert $.items[2] {"id": "potion"}
/// insert $.flags{0} "met_king" = true
/// move $.party[3] $.party[0]
/// ```
///
/// `insert` puts something in front of the child of that number, which may be the one behind the last. All numbers are
/// those of the old value.
///
/// ```
/// use gdvar_edit::{Dialect, Document, Patch};
///
/// // [1] and [1, null]
/// let old = Document::new(b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0", Dialect::GODOT_4);
/// let new = Document::new(b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0", Dialect::GODOT_4);
/// let patch = Patch::between(old, new)?;
/// assert_eq!(patch.to_string(), "gdvar-patch 1 godot4\ninsert $[1] null\n");
/// let again: Patch = patch.to_string().parse()?;
/// assert_eq!(again.edit(old).plan()?.to_vec(), new.bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patch {
    dialect: Dialect,
    ops: Vec<Op>,
}

impl Patch {
    /// The patch that makes the new value of the old one, byte for byte, bytes behind the values
    /// left aside.
    ///
    /// # Errors
    /// If a part of one of them cannot be read.
    pub fn between(old: Document<'_>, new: Document<'_>) -> Result<Patch, ReadError> {
        let mut ops = Vec::new();
        for one in diff(old.root()?, new.root()?, DiffOptions::exact()) {
            ops.push(op(&one?)?);
        }
        let dialect = old.options().dialect();
        Ok(Patch { dialect, ops })
    }

    /// The dialect of the values in it.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The number of changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Returns `true` if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The changes as edits of a value. [`Edit::plan`] shows whether they can be made there.
    #[must_use]
    pub fn edit<'a>(&self, document: Document<'a>) -> Edit<'a> {
        Edit::of(document, self.ops.clone())
    }

    pub(crate) const fn of(dialect: Dialect, ops: Vec<Op>) -> Patch {
        Patch { dialect, ops }
    }

    pub(crate) fn ops(&self) -> &[Op] {
        &self.ops
    }
}

/// The path of a child by its number.
fn nth(container: &str, nth: usize, is_array: bool) -> String {
    match is_array {
        true => format!("{container}[{nth}]"),
        false => format!("{container}{{{nth}}}"),
    }
}

/// The edit that makes a difference.
fn op(one: &Difference<'_>) -> Result<Op, ReadError> {
    let place = one.anchor();
    let path = one.path().to_owned();
    let before = || nth(&place.container, place.before, place.is_array);
    Ok(match one.change() {
        Change::Set { to, .. } => Op::Set {
            path,
            value: to.raw()?.to_vec(),
        },
        Change::Removed { .. } => Op::Remove { path },
        Change::Moved { .. } => Op::Move {
            from: nth(&place.container, place.nth, place.is_array),
            to: before(),
        },
        Change::Added { value } => {
            let value_bytes = value.raw()?.to_vec();
            let key = match place.new.map(|child| child.name) {
                Some(Name::Key(key)) => key.raw()?.to_vec(),
                Some(Name::Property(name)) => {
                    key::text_key(value.dialect(), name.raw(), Some(Kind::String))
                }
                _ => {
                    return Ok(Op::Insert {
                        path: before(),
                        value: value_bytes,
                    });
                }
            };
            Op::InsertPair {
                path: place.container.clone(),
                before: place.before,
                key,
                value: value_bytes,
            }
        }
    })
}
