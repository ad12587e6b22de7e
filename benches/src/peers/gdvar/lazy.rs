//! Lazy values, by recursion.

use gdvar_view::{ArrayIter, Dialect, DictIter, Document, Error, VariantRef};

use super::{
    READS_LAZILY,
    values::{begun, scalar},
};
use crate::{
    harness::Suite,
    question,
    workloads::{Packets, Tree},
};

/// The entry that tells each iterator where its child ended.
pub(crate) const LAZY_READ: &str = "gdvar lazy values, all read";
/// The entry with loops as one writes them first.
pub(crate) const LOOPS: &str = "gdvar lazy values, plain loops";

/// Registers the reading of a tree.
pub(super) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let document = Document::new(&tree.bytes, dialect);
    let size = tree.bytes.len();
    suite.add(LAZY_READ, READS_LAZILY, size, tree.answer, move || {
        read(document)
    });
}

/// Registers plain loops over a tree.
pub(super) fn loops<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let document = Document::new(&tree.bytes, dialect);
    let size = tree.bytes.len();
    suite.add(LOOPS, READS_LAZILY, size, tree.answer, move || {
        document.root().and_then(looped).unwrap_or(0)
    });
}

/// Registers the reading of packets.
pub(super) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    let one = |bytes| read(Document::new(bytes, Dialect::GODOT_4));
    super::each(
        suite,
        (LAZY_READ, READS_LAZILY),
        packets,
        packets.answer,
        one,
    );
}

fn looped(value: VariantRef<'_>) -> Result<u64, Error> {
    let mut sum = begun(value);
    if let Some(dict) = value.as_dict() {
        for pair in dict.iter() {
            let (key, value) = pair?;
            sum = sum.wrapping_add(looped(key)?).wrapping_add(looped(value)?);
        }
        Ok(sum)
    } else if let Some(array) = value.as_array() {
        for item in array.iter() {
            sum = sum.wrapping_add(looped(item?)?);
        }
        Ok(sum)
    } else {
        Ok(scalar(value))
    }
}

fn read(document: Document<'_>) -> u64 {
    let Ok(root) = document.root() else {
        return 0;
    };
    let sum = if let Some(dict) = root.as_dict() {
        lazy_pairs(&mut dict.iter())
    } else if let Some(array) = root.as_array() {
        lazy_items(&mut array.iter())
    } else {
        Ok(scalar(root))
    };
    sum.map_or(0, |sum| sum.wrapping_add(begun(root)))
}

fn lazy_pairs(pairs: &mut DictIter<'_>) -> Result<u64, Error> {
    let mut sum = 0u64;
    while let Some((key, value)) = pairs.try_next()? {
        let part = if let Some(dict) = value.as_dict() {
            let mut inner = dict.iter();
            let part = lazy_pairs(&mut inner)?;
            pairs.pass(&inner)?;
            part.wrapping_add(question::dict(dict.len()))
        } else if let Some(array) = value.as_array() {
            let mut inner = array.iter();
            let part = lazy_items(&mut inner)?;
            pairs.pass(&inner)?;
            part.wrapping_add(question::array(array.len()))
        } else {
            scalar(value)
        };
        sum = sum.wrapping_add(scalar(key)).wrapping_add(part);
    }
    Ok(sum)
}

fn lazy_items(items: &mut ArrayIter<'_>) -> Result<u64, Error> {
    let mut sum = 0u64;
    while let Some(value) = items.try_next()? {
        let part = if let Some(dict) = value.as_dict() {
            let mut inner = dict.iter();
            let part = lazy_pairs(&mut inner)?;
            items.pass(&inner)?;
            part.wrapping_add(question::dict(dict.len()))
        } else if let Some(array) = value.as_array() {
            let mut inner = array.iter();
            let part = lazy_items(&mut inner)?;
            items.pass(&inner)?;
            part.wrapping_add(question::array(array.len()))
        } else {
            scalar(value)
        };
        sum = sum.wrapping_add(part);
    }
    Ok(sum)
}
