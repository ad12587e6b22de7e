//! Rescue: as much of damaged bytes as can be proved.
//!
//! [`recover`] takes one value, [`recover_records`] a file of records, [`undo`] a file that a program took for text.
//!
//! Nothing is written only because bytes happen to look like a value: a length, a count, or a key with a value that
//! ends where the next key begins has to prove it.

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

/// The children that a container lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The container, as a path.
    pub path: String,
    /// The number of the first child that is gone.
    pub from: usize,
    /// How many are gone, from that one on.
    pub count: usize,
    /// The number that it had.
    pub of: usize,
}

/// The rest of a value.
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

    /// The bytes that are left out, counted from the start of the value.
    #[must_use]
    pub fn skipped(&self) -> &[Range<usize>] {
        &self.skipped
    }

    /// The number of values that are lost, where counts say it; `None` where nobody can know, because what is lost
    /// may have had children of its own.
    #[must_use]
    pub const fn gone(&self) -> Option<usize> {
        self.gone
    }

    /// The number of values that are left, keys apart. Walks the rest once and takes its memory.
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
                // What is inside a key is a part of it.
                Event::Begin(_) if key > 0 || events.role() == Role::Key => key += 1,
                Event::Begin(_) => count += 1,
                Event::End => key = key.saturating_sub(1),
                Event::Property(_) => {}
            }
        }
        count
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

    /// Returns `true` if the bytes were valid.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.damage.is_none()
    }
}

/// Finds the parts of a damaged value that can be proved, and makes a whole value of them: its counts are those of
/// the children that are left.
///
/// What lies before the damage is kept. What lies after it is kept if one damaged child, one wrong count or one
/// damaged row of alike elements explains everything: then all counts and the end of the bytes fit. A part that is not
/// whole is left out, with its key. So is a value that only seems to end where it should.
///
/// The bytes are the whole value and end with it; missing bytes at the end are a damage like any other. Damage is what
/// the options of the document do not let pass. In strict mode that is whatever no engine writes;
/// as a rule the engine mode keeps more. Bytes after the value are left out, and missing padding is filled in.
///
/// Dictionaries that begin with the same key are alike. What is put together from two sorts of them shows by entries that
/// its likes do not have, and is not kept.
///
/// Reads the bytes twice, and a few times more or at most 24 times in search of what follows; then it gives up and keeps
/// what lies before. Memory for the containers that are open, for the different keys in the bytes, and for a copy of the
/// bytes where a word is mended to see whether they fit.
///
/// A value whose own bytes are damaged in such a way that they are another valid value cannot be told from others and
/// is kept: `80` that became `81`.
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
    recover_part(document, Ending::Unknown)
}

/// What is known of the end of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Anything may follow the value, and anything may be missing.
    Unknown,
    /// The value ends where the bytes do, and began with as many.
    Known,
    /// Bytes are missing, likely at the end. The number is that of bytes put in: less than nothing.
    Cut(isize),
    /// This many bytes were put in, or are missing if it is less than nothing.
    Changed(isize),
    /// There are others like it, and a part of one may have been joined with a part of another.
    Joined,
}

impl Ending {
    /// Returns `true` if what comes after the damage is no proof of where it belongs.
    const fn is_moved(self) -> bool {
        !matches!(self, Ending::Unknown | Ending::Known)
    }

    /// The number of bytes that were put in, or less than nothing for bytes that are missing, as far as that is known.
    const fn change(self) -> isize {
        match self {
            Ending::Cut(change) | Ending::Changed(change) => change,
            Ending::Unknown | Ending::Known | Ending::Joined => 0,
        }
    }
}

/// The same for bytes of which more is known.
fn recover_part(document: Document<'_>, ending: Ending) -> Recovered<'_> {
    match whole(document.bytes(), document.options(), 0) {
        Ok(end) => rest(document, end, ending),
        Err(error) => rescue::rescue(document, error, ending),
    }
}

/// The options for a value inside `depth` containers.
fn at_depth(options: ReadOptions, depth: u16) -> Result<ReadOptions, ReadError> {
    let Some(max_depth) = options.max_depth().checked_sub(depth) else {
        // An array in an array, where none is let in.
        const NESTED: &[u8] = b"\x1c\0\0\0\x01\0\0\0\0\0\0\0";
        let none = ReadOptions::new(gdvar_view::Dialect::GODOT_4)
            .with_limits(Limits::ENGINE.with_max_depth(0));
        return Err(error_of(NESTED, none));
    };
    Ok(options.with_limits(Limits::ENGINE.with_max_depth(max_depth)))
}

/// The end of a value inside `depth` containers, if all of it is valid.
fn whole(bytes: &[u8], options: ReadOptions, depth: u16) -> Result<usize, ReadError> {
    let document = Document::with_options(bytes, at_depth(options, depth)?);
    match document.validate() {
        // Bytes after the value, which strict mode looks at last, do not matter yet.
        Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => Ok(error.offset()),
        end => end,
    }
}

/// A value that is whole, with what is wrong after it or in its last padding.
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
        // The reader lets bytes end before the padding of the last PackedByteArray does.
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

/// The number of bytes of padding that are missing at the end of a value. Godot 2 pads no NodePath, so that its values
/// may end anywhere: nothing is filled in there.
fn padding(end: usize, options: ReadOptions) -> usize {
    match options.dialect().has_old_node_paths() {
        true => 0,
        false => end.next_multiple_of(4) - end,
    }
}

/// The error of strict mode for `count` bytes after a value of four.
fn trailing(count: usize) -> Option<ReadError> {
    let null = vec![0; count + 4];
    let document = Document::new(&null, gdvar_view::Dialect::GODOT_4);
    document.strict().validate().err()
}

/// The error for bytes that end at `at`.
fn truncated(at: usize) -> ReadError {
    error_of(&[], ReadOptions::new(gdvar_view::Dialect::GODOT_4)).at(at)
}

fn error_of(bytes: &[u8], options: ReadOptions) -> ReadError {
    match Document::with_options(bytes, options).validate() {
        Err(error) => error,
        Ok(_) => unreachable!("such bytes are no value"),
    }
}

/// Returns `true` if one wrong byte makes one word of the other.
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
