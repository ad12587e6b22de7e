//! Looking into small containers of plain data, which are not indexed. A value that is not plain is
//! left to the lazy reader.

use gdvar_wire::Dialect;

use crate::{
    bytes::{
        common::{self, Rest},
        text::is_text,
    },
    value::{array::ArrayRef, dict::DictRef, variant::VariantRef},
    walk::{keys::equality::is_text_kind, skip},
};

/// The bytes behind the value that `rest` begins with, which is a child of `owner`.
#[inline(always)]
fn pass<'a>(owner: VariantRef<'a>, rest: &'a [u8]) -> Option<&'a [u8]> {
    skip::common_value(owner.bytes(), rest, owner.options(), owner.depth() + 1)
}

/// Asks memory for the lines ahead at once, instead of one after the other as the walk gets there:
/// in large data looked into at random, that wait is most of what a lookup takes.
#[inline(always)]
fn touch(rest: &[u8]) {
    let lines = [64, 128, 192].map(|at| rest.get(at).copied());
    core::hint::black_box(lines);
}

/// The text of the value that `rest` begins with, and the bytes behind it, if keys of its kind are found by
/// text.
#[inline(always)]
pub(super) fn text(rest: &[u8], dialect: Dialect) -> Option<(&[u8], &[u8])> {
    let common = common::decode(rest, dialect)?;
    match common.rest {
        Rest::Text(len) if is_text_kind(common.kind, dialect) => {
            Some((rest.get(8..8 + len as usize)?, rest.get(common.size..)?))
        }
        _ => None,
    }
}

/// The offset of the value of the last text key that is `key`; `None` inside if there is none,
/// outside if not all pairs are plain with text as keys.
#[inline]
pub(super) fn find(dict: DictRef<'_>, key: &[u8]) -> Option<Option<usize>> {
    if dict.value().options().forbids_shortcuts() {
        return None;
    }
    let dialect = dict.value().dialect();
    let bytes = dict.value().bytes();
    let (mut rest, mut found) = (bytes.get(dict.first()..)?, None);
    touch(rest);
    for _ in 0..dict.len() {
        let (own, value) = text(rest, dialect)?;
        if is_text(own, key) {
            found = Some(bytes.len() - value.len());
        }
        rest = pass(dict.value(), value)?;
    }
    Some(found)
}

/// The offset of element `n` of an array, which has so many. `None` if not all before it are plain.
#[inline]
pub(super) fn nth(array: ArrayRef<'_>, n: usize) -> Option<usize> {
    if array.value().options().forbids_shortcuts() {
        return None;
    }
    let bytes = array.value().bytes();
    let mut rest = bytes.get(array.first()..)?;
    for _ in 0..n {
        rest = pass(array.value(), rest)?;
    }
    Some(bytes.len() - rest.len())
}

#[cfg(test)]
mod tests;
