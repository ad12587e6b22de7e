//! Applies several edits to a document at once.

use gdvar_edit::{
    Edit, EditErrorKind, Place,
    fit::{self, FitErrorKind},
};
use gdvar_view::Document;

use crate::failure::Failure;

/// Applies edits. Each edit in `script` consists of an action (0 set, 1 insert, 2 append, 3 remove, 4 insert
/// a pair, 5 rename a key, 6 move), three fields (the path, the key or second path, the value), and the
/// number of the pair before which a pair is inserted. A field is a length followed by this many bytes. All
/// words have four bytes. An action plus 256 converts its value to the type of its place first, by the rule
/// of [`fit`]. Plus 512, the value must have that type then.
pub(crate) fn edit(document: Document<'_>, script: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut edit = Edit::new(document);
    let broken = || {
        Failure::new(
            "BrokenEdit",
            "the list of edits is malformed; please report this",
        )
    };
    let mut all = Vec::new();
    let mut rest = script;
    while !rest.is_empty() {
        all.push(ScriptEdit::read(&mut rest).ok_or_else(broken)?);
    }
    // The places of all values that may be converted, in one walk.
    let fitted_paths = all.iter().map(|one| match one.number & FITTED {
        0 => "",
        _ => one.path,
    });
    let places = fit::find(document, &fitted_paths.collect::<Vec<_>>());
    for (one, place) in all.into_iter().zip(places) {
        let ScriptEdit {
            number,
            path,
            second,
            value,
            before,
        } = one;
        let refused = |error| misfit(document, path, value, error);
        let fitted = |how: FitRule| match place.filter(|_| number & FITTED != 0) {
            None => Ok(value.to_vec()),
            Some(place) => how(place, value).map_err(refused),
        };
        match number & !(FITTED | PLAIN) {
            0 => {
                let value = fitted(fit::set_at)?;
                if let Some(place) = place.filter(|_| number & PLAIN != 0) {
                    fit::keeps_type_at(place, &value).map_err(refused)?;
                }
                edit.set(path, value)
            }
            1 => edit.insert(path, fitted(fit::insert_at)?),
            2 => edit.append(path, fitted(fit::append_at)?),
            3 => edit.remove(path),
            4 => edit.insert_pair(path, before as usize, second, &fitted(fit::append_at)?),
            5 => edit.rename_key(path, second),
            6 => edit.move_to(path, std::str::from_utf8(second).map_err(|_| broken())?),
            _ => return Err(broken()),
        };
    }
    match edit.plan() {
        Ok(plan) => Ok(plan.to_vec()),
        Err(error) => {
            let mut failure = match error.kind() {
                EditErrorKind::Read(error) => Failure::read(document, error),
                kind => Failure::new(kind.name(), kind),
            };
            failure.offset = Some(error.offset() as u64);
            Err(failure)
        }
    }
}

/// An edit of a script. See [`edit`] for its fields.
struct ScriptEdit<'s> {
    number: u32,
    path: &'s str,
    second: &'s [u8],
    value: &'s [u8],
    before: u32,
}

impl<'s> ScriptEdit<'s> {
    fn read(rest: &mut &'s [u8]) -> Option<ScriptEdit<'s>> {
        Some(ScriptEdit {
            number: word(rest)?,
            path: text(rest)?,
            second: bytes(rest)?,
            value: bytes(rest)?,
            before: word(rest)?,
        })
    }
}

/// The bit of an action whose value takes the type of its place.
const FITTED: u32 = 256;

/// The bit of an action whose value does not say its type, so that it may not change the type of its place.
const PLAIN: u32 = 512;

/// A function of [`fit`].
type FitRule = fn(Place<'_>, &[u8]) -> Result<Vec<u8>, fit::FitError>;

/// Creates the error for a value that does not fit the place at `path`.
fn misfit(document: Document<'_>, path: &str, value: &[u8], error: fit::FitError) -> Failure {
    let path = error.path(path, value, document.options());
    let mut failure = match error.kind() {
        FitErrorKind::OtherType { .. } => Failure::new(
            "Fit",
            format_args!(
                "{error}; what says its type changes it, such as new Float(1), 1n or \
                 new Vector2(1, 2), and new Bytes(encode(value)) does for any value"
            ),
        ),
        _ => Failure::new("Fit", error),
    };
    // Paths of other errors begin at the root, too.
    failure.path = Some(match path.chars().next() {
        Some('$') => path,
        Some('[' | '.' | '{') => format!("${path}"),
        _ => format!("$.{path}"),
    });
    failure
}

fn word(rest: &mut &[u8]) -> Option<u32> {
    let (word, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(u32::from_le_bytes(*word))
}

fn bytes<'s>(rest: &mut &'s [u8]) -> Option<&'s [u8]> {
    let len = word(rest)? as usize;
    let (bytes, tail) = rest.split_at_checked(len)?;
    *rest = tail;
    Some(bytes)
}

fn text<'s>(rest: &mut &'s [u8]) -> Option<&'s str> {
    std::str::from_utf8(bytes(rest)?).ok()
}
