//! Applies several edits to a document at once.

use gdvar_edit::{Edit, EditErrorKind};
use gdvar_view::Document;

use crate::failure::Failure;

/// Applies edits. Each edit in `script` consists of an action (0 set, 1 insert, 2 append, 3 remove, 4 insert
/// a pair, 5 rename a key, 6 move), three fields (the path, the key or second path, the value), and the
/// number of the pair before which a pair is inserted. A field is a length followed by this many bytes. All
/// words have four bytes.
pub(crate) fn edit(document: Document<'_>, script: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut edit = Edit::new(document);
    let mut rest = script;
    let broken = || {
        Failure::new(
            "BrokenEdit",
            "the list of edits is malformed; please report this",
        )
    };
    while !rest.is_empty() {
        let number = word(&mut rest).ok_or_else(broken)?;
        let path = text(&mut rest).ok_or_else(broken)?;
        let second = bytes(&mut rest).ok_or_else(broken)?;
        let value = bytes(&mut rest).ok_or_else(broken)?;
        let before = word(&mut rest).ok_or_else(broken)?;
        match number {
            0 => edit.set(path, value),
            1 => edit.insert(path, value),
            2 => edit.append(path, value),
            3 => edit.remove(path),
            4 => edit.insert_pair(path, before as usize, second, value),
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
                EditErrorKind::Value(_) => Failure::new("Value", error.kind()),
                kind => Failure::named(&kind, kind),
            };
            failure.offset = Some(error.offset() as u64);
            Err(failure)
        }
    }
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
