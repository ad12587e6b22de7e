//! Rescue: keeps as much of damaged bytes as can be proved to be right.
//!
//! [`recover`] takes one value, [`recover_records`] a file of records, and [`undo`] a file that a program
//! converted as if it were text.
//!
//! Bytes are never kept just because they look like a value. A length, a count, or a key whose value ends
//! where the next key begins has to prove them.

mod alike;
mod before;
mod borders;
mod children;
mod counts;
mod cut;
mod explain;
mod level;
mod list;
mod records;
mod rescue;
mod search;
mod trailing;
mod undo;
mod walk;

use std::ops::Range;

use gdvar_view::{Document, ErrorKind, Event, Limits, ReadOptions, Role};

use crate::{
    ReadError,
    plan::{Plan, Splice},
};

pub use records::{RecoveredRecords, Rescued, Segment, recover_records};
pub use undo::{Mangling, Undone, undo};

/// The children that one container lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The path of the container.
    pub path: String,
    /// The index of the first lost child.
    pub from: usize,
    /// The number of lost children, from that one on.
    pub count: usize,
    /// The number of children before the damage.
    pub of: usize,
}

/// What is left of a value.
#[derive(Clone, Debug)]
pub struct Recovered<'a> {
    plan: Option<Plan<'a>>,
    lost: Vec<Lost>,
    skipped: Vec<Range<usize>>,
    gone: Option<usize>,
    damage: Option<ReadError>,
    damaged: Option<String>,
}

impl<'a> Recovered<'a> {
    /// Returns the edits that turn the damaged bytes into a valid value, whose counts match the remaining
    /// children. `None` if nothing remains: the outermost value has no children, or its header is damaged.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan<'a>> {
        self.plan.as_ref()
    }

    /// Returns the containers that lost children, the outermost first. Containers inside lost children are
    /// not listed.
    #[must_use]
    pub fn lost(&self) -> &[Lost] {
        &self.lost
    }

    /// Returns the bytes that are left out, counted from the start of the value.
    #[must_use]
    pub fn skipped(&self) -> &[Range<usize>] {
        &self.skipped
    }

    /// Returns the number of lost values if the counts determine it. `None` if it is unknown, because a lost
    /// child may have had children.
    #[must_use]
    pub const fn gone(&self) -> Option<usize> {
        self.gone
    }

    /// Returns the number of values that are left, without keys. Builds the recovered value in memory and
    /// walks it once.
    #[must_use]
    pub fn kept(&self, options: ReadOptions) -> usize {
        let Some(plan) = &self.plan else {
            return 0;
        };
        let bytes = plan.to_vec();
        let mut events = Document::with_options(&bytes, options).events();
        let mut count = 0;
        let mut key = 0_usize;
        while let Ok(Some(event)) = events.try_next() {
            match event {
                Event::Value(_) => count += usize::from(key == 0 && events.role() != Role::Key),
                // Everything inside a key belongs to the key.
                Event::Begin(_) if key > 0 || events.role() == Role::Key => key += 1,
                Event::Begin(_) => count += 1,
                Event::End => key = key.saturating_sub(1),
                Event::Property(_) => {}
            }
        }
        count
    }

    /// Returns the first error of the damaged bytes, or `None` if they are valid.
    #[must_use]
    pub const fn damage(&self) -> Option<ReadError> {
        self.damage
    }

    /// Returns the path of the damaged value.
    #[must_use]
    pub fn damaged(&self) -> Option<&str> {
        self.damaged.as_deref()
    }

    /// Returns `true` if the bytes were valid.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.damage.is_none()
    }
}

/// Finds the parts of a damaged value that can be proved to be right, and makes a valid value of them. Its
/// counts are the numbers of the remaining children.
///
/// Everything before the damage is kept. What follows is kept if one damaged child, one wrong count or one
/// damaged run of similar elements explains everything: all counts and the end of the bytes fit then. A
/// damaged child is left out together with its key. So is a value that only appears to end where it should.
///
/// The bytes must be the whole value and end with it; missing bytes at the end are treated as damage. The
/// document's options decide what counts as damage. In strict mode it is everything that no engine writes, so
/// engine mode usually keeps more. Bytes after the value are left out, and missing padding is added.
///
/// Dictionaries that begin with the same key are taken to be of one sort. A dictionary joined from two sorts
/// has entries that others of its sort lack. It is recognised by them, and not kept.
///
/// Reads the bytes twice. The search for the continuation reads them a few more times, 24 times at most;
/// after that only what lies before the damage is kept. Memory is needed for the open containers, for the
/// different keys in the bytes, and for a copy of the bytes in which a corrected word is tried out.
///
/// Damage that turns a value into another valid value, such as `80` into `81`, cannot be noticed: the value
/// is kept.
///
/// ```
/// use gdvar_edit::{Dialect, Document, recover};
///
/// // [1, "text"], cut before its end
/// let cut = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0te";
/// let found = recover(Document::new(cut, Dialect::GODOT_4));
/// assert_eq!(found.damaged(), Some("$[1]"));
/// let whole = found.plan().map(|plan| plan.to_vec()).unwrap_or_default();
/// assert_eq!(whole, b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0");
/// ```
#[must_use]
pub fn recover(document: Document<'_>) -> Recovered<'_> {
    recover_part(document, Ending::Unknown)
}

/// What is known about the end of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Anything may follow the value, and anything may be missing.
    Unknown,
    /// The value ends where the bytes do, and none were added or removed.
    Known,
    /// Bytes are missing, probably at the end. The number is negative: minus the missing bytes.
    Cut(isize),
    /// This many bytes were added; if negative, this many are missing.
    Changed(isize),
    /// Similar records lie next to it, so that parts of two of them may have been joined.
    Joined,
}

impl Ending {
    /// Returns `true` if bytes after the damage may have moved, so that their position proves nothing.
    const fn is_moved(self) -> bool {
        !matches!(self, Ending::Unknown | Ending::Known)
    }

    /// Returns the number of bytes that were added (negative: that are missing), or 0 if unknown.
    const fn change(self) -> isize {
        match self {
            Ending::Cut(change) | Ending::Changed(change) => change,
            Ending::Unknown | Ending::Known | Ending::Joined => 0,
        }
    }
}

/// Recovers one value. `ending` is what is known about its end.
fn recover_part(document: Document<'_>, ending: Ending) -> Recovered<'_> {
    match whole(document.bytes(), document.options(), 0) {
        Ok(end) => rest(document, end, ending),
        Err(error) => rescue::rescue(document, error, ending),
    }
}

/// Returns the options for a value inside `depth` containers: the depth limit is reduced by `depth`.
fn at_depth(options: ReadOptions, depth: u16) -> Result<ReadOptions, ReadError> {
    let Some(max_depth) = options.max_depth().checked_sub(depth) else {
        // An array inside an array, read with a limit of 0.
        const NESTED: &[u8] = b"\x1c\0\0\0\x01\0\0\0\0\0\0\0";
        let none = ReadOptions::new(gdvar_view::Dialect::GODOT_4)
            .with_limits(Limits::ENGINE.with_max_depth(0));
        return Err(error_of(NESTED, none));
    };
    Ok(options.with_limits(Limits::ENGINE.with_max_depth(max_depth)))
}

/// Returns the end of a value inside `depth` containers, or its first error.
fn whole(bytes: &[u8], options: ReadOptions, depth: u16) -> Result<usize, ReadError> {
    let document = Document::with_options(bytes, at_depth(options, depth)?);
    match document.validate() {
        // Strict mode checks for bytes after the value last; they do not matter yet.
        Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => Ok(error.offset()),
        end => end,
    }
}

/// Handles a valid value: bytes after it, and its last padding, may still be wrong.
fn rest(document: Document<'_>, end: usize, ending: Ending) -> Recovered<'_> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut splices = Vec::new();
    let mut damage = None;
    let missing = padding(end, options);
    if end < bytes.len() {
        damage = trailing(bytes.len() - end).map(|error| error.at(end - 4));
        let found = damage.and_then(|error| trailing::trailing(document, end, ending, error));
        if let Some(found) = found {
            return found;
        }
        splices.push(splice(end, bytes.len(), Vec::new()));
    } else if missing > 0 {
        // Engine mode accepts bytes that end inside the padding of the last PackedByteArray.
        if let Err(error) = document.strict().validate() {
            splices.push(splice(end, end, vec![0; missing]));
            damage = Some(error);
        }
    }
    Recovered {
        plan: Plan::new(bytes, splices).ok(),
        lost: Vec::new(),
        skipped: cut::skipped(end..bytes.len()),
        gone: Some(0),
        damage,
        damaged: None,
    }
}

/// Returns the number of padding bytes that are missing after a value that ends at `end`. It is 0 in Godot 2,
/// which does not pad NodePaths: a value may end at any offset.
fn padding(end: usize, options: ReadOptions) -> usize {
    match options.dialect().has_old_node_paths() {
        true => 0,
        false => end.next_multiple_of(4) - end,
    }
}

/// Returns the error of strict mode for `count` bytes after a value of four.
fn trailing(count: usize) -> Option<ReadError> {
    let null = vec![0; count + 4];
    let document = Document::new(&null, gdvar_view::Dialect::GODOT_4);
    document.strict().validate().err()
}

/// Returns the error for bytes that end at `at`.
fn truncated(at: usize) -> ReadError {
    error_of(&[], ReadOptions::new(gdvar_view::Dialect::GODOT_4)).at(at)
}

fn error_of(bytes: &[u8], options: ReadOptions) -> ReadError {
    match Document::with_options(bytes, options).validate() {
        Err(error) => error,
        Ok(_) => unreachable!("these bytes are not a value"),
    }
}

/// Returns `true` if the two words differ in at most one byte.
fn is_near(wrong: u32, right: u32) -> bool {
    let differ = (wrong ^ right).to_le_bytes();
    differ.iter().filter(|byte| **byte != 0).count() <= 1
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
