//! gdvar's reader behind serde.

use crate::{
    harness::{Note, Suite},
    peers::structs::{EntityRef, Form, PartRef, SaveRef, typed_answer},
    workloads::Tree,
};

/// The entry that fills structs by derived code.
pub(crate) const STRUCTS: &str = "gdvar serde, into structs";

/// Registers the structs of W1 or of a case of the matrix, by serde's derived code.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, form: Form) {
    let bytes = tree.bytes.as_slice();
    let note = Note::new("structure, text of fields", "structs, borrowed text");
    let expected = typed_answer(&tree.value);
    suite.add(STRUCTS, note, bytes.len(), expected, move || match form {
        Form::Whole => {
            let save = gdvar_serde::from_slice::<SaveRef<EntityRef<'_>>>(bytes);
            save.map_or(0, |save| save.answer())
        }
        Form::Parts => {
            let save = gdvar_serde::from_slice::<SaveRef<PartRef<'_>>>(bytes);
            save.map_or(0, |save| save.answer())
        }
    });
}
