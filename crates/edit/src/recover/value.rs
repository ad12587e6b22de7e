//! [`recover`]: recovers one value.

use gdvar_view::Document;

use super::{
    cut,
    ending::Ending,
    recovered::{Recovered, splice},
    rescue::rescue,
    trailing,
    validity::{self, padding, whole},
};
use crate::plan::Plan;

/// Finds the parts of a damaged value that can be proved to be right, and makes a valid value of them. The
/// counts are corrected to the remaining children.
///
/// Everything before the damage is kept. What follows is kept if all counts and the end of the bytes fit with
/// one of these explanations: one damaged child, one wrong count, or one damaged run of similar elements. A
/// damaged child is left out together with its key. So is a value that only appears to end where it should.
///
/// The bytes must be the whole value and end with it; missing bytes at the end are treated as damage. The
/// document's options decide what counts as damage. In strict mode it is everything that no engine writes, so
/// engine mode usually keeps more. Bytes after the value are left out, and missing padding is added.
///
/// Dictionaries that begin with the same key are of one sort. If one has entries that the others of its sort
/// lack, it was probably joined from two sorts, and is not kept.
///
/// Reads the bytes a few times to find the damage. The search for the place where values continue
/// reads them up to 24 more times. If the search finds nothing by then, only what lies before the
/// damage is kept. Memory: the open containers, the different keys in the bytes, and a copy of the
/// bytes in which corrections are tried.
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

/// Recovers one value. `ending` is what is known about its end.
pub(super) fn recover_part(document: Document<'_>, ending: Ending) -> Recovered<'_> {
    match whole(document.bytes(), document.options(), 0) {
        Ok(end) => rest(document, end, ending),
        Err(error) => rescue(document, error, ending),
    }
}

/// Handles a value that is valid up to `end`. Bytes after it, and its last padding, may still be wrong.
fn rest(document: Document<'_>, end: usize, ending: Ending) -> Recovered<'_> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut splices = Vec::new();
    let mut damage = None;
    let missing = padding(end, options);
    if end < bytes.len() {
        damage = validity::trailing(bytes.len() - end).map(|error| error.at(end - 4));
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
