//! Comments of text documents in a merge. The values are merged, and comments are no part of them.

use std::{collections::HashMap, io};

use gdvar_file::LayerKind;

use crate::{
    app::App,
    input::bytes::Input,
    terminal::{exit::Exit, safe_text, words::plural},
};

/// Reports the comments that only theirs has: the merged file is the text of ours with other values. `files` are the
/// base, ours and theirs.
pub(super) fn report(app: &mut App, files: [&Input; 3]) -> io::Result<()> {
    let [base, ours, theirs] = files;
    // A comment can be there several times. The file that has it most often says how often it was there before.
    let mut known: HashMap<&str, usize> = HashMap::new();
    for file in [base, ours] {
        let mut own: HashMap<&str, usize> = HashMap::new();
        for (_, comment) in comments(file) {
            *own.entry(comment).or_default() += 1;
        }
        for (comment, count) in own {
            let most = known.entry(comment).or_default();
            *most = count.max(*most);
        }
    }
    let mut left_out = Vec::new();
    for (line, comment) in comments(theirs) {
        match known.get_mut(comment) {
            Some(count) if *count > 0 => *count -= 1,
            _ => left_out.push((line, comment)),
        }
    }
    let Some((line, first)) = left_out.first() else {
        return Ok(());
    };
    let count = plural(left_out.len() as u64, "comment");
    let text = format!(
        "{}: {count} that only this file has, left out, first in line {line}: {}",
        theirs.name,
        safe_text::safe_line(first)
    );
    app.exit.merge(Exit::Findings);
    app.warn(&text)
}

/// Iterates over the comments of a file, with their lines. A file that is no text document has none.
fn comments(file: &Input) -> impl Iterator<Item = (u32, &str)> {
    let layer = file.peeled.layers.last();
    let text = layer.and_then(|layer| match &layer.kind {
        LayerKind::Document(text) => Some(text),
        _ => None,
    });
    text.into_iter().flat_map(|text| text.comments())
}
