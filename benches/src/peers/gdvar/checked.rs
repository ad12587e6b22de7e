//! Loops over what was validated before.

use gdvar_view::{Checked, Dialect, Document, VariantRef};

use super::{
    READS_ALL,
    values::{begun, scalar},
};
use crate::{harness::Suite, workloads::Tree};

/// The entry that validates and reads everything.
pub(crate) const CHECKED: &str = "gdvar checked values, all read";

/// Registers the reading of a tree.
pub(super) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let document = Document::new(&tree.bytes, dialect);
    let size = tree.bytes.len();
    suite.add(CHECKED, READS_ALL, size, tree.answer, move || {
        document.check().map_or(0, read)
    });
}

fn read(value: Checked<VariantRef<'_>>) -> u64 {
    let sum = begun(*value);
    if let Some(dict) = value.as_dict() {
        dict.iter().fold(sum, |sum, (key, value)| {
            sum.wrapping_add(read(key)).wrapping_add(read(value))
        })
    } else if let Some(array) = value.as_array() {
        array
            .iter()
            .fold(sum, |sum, item| sum.wrapping_add(read(item)))
    } else {
        scalar(*value)
    }
}
