//! The engine's own text of a value.

use gdvar_text::{Notation, write_godot};
use gdvar_view::{Dialect, Document};

use crate::{
    harness::{Note, Suite},
    workloads::Tree,
};

/// The entry that writes the engine's text.
pub(crate) const TEXT: &str = "gdvar write_godot";

/// Registers the writing of a tree's text into a string that is used again.
pub(crate) fn godot<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let note = Note::new("structure, text", "text");
    let mut text = String::new();
    let bytes = &tree.bytes;
    write(&mut text, bytes);
    let size = text.len();
    suite.add(TEXT, note, size, size as u64, move || {
        write(&mut text, bytes);
        text.len() as u64
    });
}

/// Writes the text of Godot 4 for these bytes, in place of what was there.
fn write(text: &mut String, bytes: &[u8]) {
    text.clear();
    let root = Document::new(bytes, Dialect::GODOT_4).root();
    let root = root.expect("it was encoded");
    write_godot(text, root, Notation::Godot4).expect("it was encoded");
}

/// The hash that the engine's `String.hash()` has for the text of these bytes.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let mut text = String::new();
    write(&mut text, bytes);
    text.chars().fold(5381, |hash: u32, char| {
        hash.wrapping_mul(33).wrapping_add(u32::from(char))
    })
}

#[cfg(test)]
mod tests {
    use super::hash;
    use crate::workloads;

    /// Godot 4.6.3 printed texts of these hashes: `engine/time.gd` says what its own are.
    #[test]
    fn the_texts_are_those_that_the_engine_printed() {
        let groups = workloads::groups();
        let texts = groups.iter().filter(|group| group.name.ends_with(" text"));
        let found: Vec<_> = texts
            .map(|group| (group.name, hash(&group.blobs[0])))
            .collect();
        let printed = [
            ("S4 text", 0x9d0a_9752),
            ("K text", 0x7cab_4e69),
            ("B text", 0x7e64_703b),
        ];
        assert_eq!(found, printed, "{found:#x?}");
    }
}
