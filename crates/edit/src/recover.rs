//! Rescue: as much of damaged bytes as can be read.
//!
//! [`recover`] takes one value, [`recover_records`] a file of records.

mod records;
mod rescue;

use gdvar_view::{Document, ErrorKind, Limits, ReadOptions};

use crate::{
    ReadError,
    plan::{Plan, Splice},
};
use rescue::Rescue;

pub use records::{RecoveredRecords, Rescued, Segment, recover_records};

/// The children that a container lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The container, as a path.
    pub path: String,
    /// The number of the first child that is gone; all behind it are, too.
    pub from: usize,
    /// The number that it had.
    pub of: usize,
}

/// The rest of a value.
#[derive(Clone, Debug)]
pub struct Recovered<'a> {
    plan: Option<Plan<'a>>,
    lost: Vec<Lost>,
    damage: Option<ReadError>,
    damaged: Option<String>,
}

impl<'a> Recovered<'a> {
    /// The edits that make the old bytes a whole value again, with counts of the children that are left.
    /// `None` if nothing is: the outermost value has no children, or its head is damaged.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan<'a>> {
        self.plan.as_ref()
    }

    /// Which containers lost children, from the outermost inwards. Values inside what is gone are not told.
    #[must_use]
    pub fn lost(&self) -> &[Lost] {
        &self.lost
    }

    /// The damage of the bytes; `None` if nothing is.
    #[must_use]
    pub const fn damage(&self) -> Option<ReadError> {
        self.damage
    }

    /// The path of the value that is damaged.
    #[must_use]
    pub fn damaged(&self) -> Option<&str> {
        self.damaged.as_deref()
    }

    /// Returns `true` if the bytes were in order.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.damage.is_none()
    }
}

/// Finds the longest part of a damaged value that is in order: all children of all open containers that stand whole in
/// front of the damage. A part that is not whole is left out, with its key, and so is an inner container without a
/// whole child; so is all behind it, as nothing says where the next value begins. One walk; memory for the containers
/// that are open.
///
/// Damage is what the options of the document do not let pass. In strict mode that is whatever no engine writes;
/// as a rule the engine mode keeps more. Bytes behind the value are left out, and missing padding is filled in.
///
/// ```
/// use gdvar_edit::{Dialect, Document, recover};
///
/// // [1, "text"], of which the end is missing
/// let cut = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0te";
/// let found = recover(Document::new(cut, Dialect::GODOT_4));
/// assert_eq!(found.damaged(), Some("$[1]"));
/// let whole = found.plan().map(|plan| plan.to_vec()).unwrap_or_default();
/// assert_eq!(whole, b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0");
/// ```
#[must_use]
pub fn recover(document: Document<'_>) -> Recovered<'_> {
    match whole(document.bytes(), document.options(), 0) {
        Ok(end) => rest(document, end),
        Err(error) => Rescue::new(document, error).run(),
    }
}

/// The end of a value of that depth, if all of it is in order.
fn whole(bytes: &[u8], options: ReadOptions, depth: u16) -> Result<usize, ReadError> {
    let Some(max_depth) = options.max_depth().checked_sub(depth) else {
        // An array in an array, where none is let in.
        const NESTED: &[u8] = b"\x1c\0\0\0\x01\0\0\0\0\0\0\0";
        let none = ReadOptions::new(gdvar_view::Dialect::GODOT_4)
            .with_limits(Limits::ENGINE.with_max_depth(0));
        return Document::with_options(NESTED, none).validate();
    };
    let document = Document::with_options(
        bytes,
        options.with_limits(Limits::ENGINE.with_max_depth(max_depth)),
    );
    match document.validate() {
        // Bytes behind the value, which strict mode looks at last, do not matter yet.
        Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => Ok(error.offset()),
        end => end,
    }
}

/// A value that is whole, with what is wrong behind it or in its last padding.
fn rest(document: Document<'_>, end: usize) -> Recovered<'_> {
    let bytes = document.bytes();
    let mut splices = Vec::new();
    let mut damage = None;
    let missing = padding(end, document.options());
    // The reader lets bytes end before the padding of the last PackedByteArray does.
    let strict = || document.strict().validate().err();
    if end < bytes.len() {
        splices.push(splice(end, bytes.len(), Vec::new()));
        damage = trailing(bytes.len() - end).map(|error| error.at(end - 4));
    } else if let Some(error) = strict().filter(|_| missing > 0) {
        splices.push(splice(end, end, vec![0; missing]));
        damage = Some(error);
    }
    Recovered {
        plan: Plan::new(bytes, splices).ok(),
        lost: Vec::new(),
        damage,
        damaged: None,
    }
}

/// The number of bytes of padding that are missing at the end of a value. Godot 2 pads no NodePath, so that its values
/// may end anywhere: nothing is filled in there.
fn padding(end: usize, options: ReadOptions) -> usize {
    match options.dialect().has_old_node_paths() {
        true => 0,
        false => end.next_multiple_of(4) - end,
    }
}

/// The error of strict mode for so many bytes behind a value of four.
fn trailing(count: usize) -> Option<ReadError> {
    let null = vec![0; count + 4];
    let document = Document::new(&null, gdvar_view::Dialect::GODOT_4);
    document.strict().validate().err()
}

fn splice(start: usize, end: usize, bytes: Vec<u8>) -> Splice<'static> {
    Splice {
        start,
        end,
        bytes: bytes.into(),
        depth: 0,
        edit: 0,
        count: None,
    }
}
