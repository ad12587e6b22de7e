//! A file with its edits in it, and which byte of it belongs to which change.

use std::{collections::HashSet, ops::Range};

use crate::plan::{Edit, Piece};

/// A file as it is compiled.
#[derive(Debug, Default)]
pub struct Rendered {
    pub text: String,
    /// The texts put in for one change.
    pieces: Vec<(Range<usize>, u16)>,
    /// From the first to the last text of an edit, with all its changes.
    edits: Vec<(Range<usize>, Vec<u16>)>,
}

/// Puts all edits in, but for the changes that were given up.
pub fn render(source: &str, edits: &[Edit], dropped: &HashSet<u16>) -> Rendered {
    let mut places = Vec::new();
    for (number, edit) in edits.iter().enumerate() {
        let (range, size) = (&edit.range, edit.range.len());
        // At one byte: what ends there, inner before outer; what stands there for itself; what begins, outer first.
        if size > 0 {
            places.push((range.end, (0, size, usize::MAX - number), number, false));
            places.push((range.start, (2, usize::MAX - size, number), number, true));
        } else {
            places.push((range.start, (1, 0, number), number, true));
        }
    }
    places.sort_by_key(|&(at, order, ..)| (at, order));

    let mut rendered = Rendered::default();
    let mut starts = vec![0; edits.len()];
    let mut done = 0;
    for (at, _, number, opens) in places {
        let edit = &edits[number];
        rendered.text.push_str(&source[done..at]);
        done = at;
        let start = rendered.text.len();
        for piece in if opens { &edit.before } else { &edit.behind } {
            rendered.put(piece, dropped);
        }
        if opens {
            starts[number] = start;
        }
        if !opens || edit.range.is_empty() {
            let mutants = edit.before.iter().filter_map(|piece| piece.mutant);
            let range = starts[number]..rendered.text.len();
            rendered.edits.push((range, mutants.collect()));
        }
    }
    rendered.text.push_str(&source[done..]);
    rendered
}

impl Rendered {
    fn put(&mut self, piece: &Piece, dropped: &HashSet<u16>) {
        let start = self.text.len();
        self.text.push_str(&piece.text);
        if let Some(mutant) = piece.mutant {
            if dropped.contains(&mutant) {
                self.text.truncate(start);
                return;
            }
            self.pieces.push((start..self.text.len(), mutant));
        }
    }

    /// The changes that an error at these bytes is about: those whose own text is there, else all of the innermost
    /// edit around it.
    pub fn blamed(&self, error: &Range<usize>) -> Vec<u16> {
        let overlaps = |range: &Range<usize>| range.start < error.end && error.start < range.end;
        let own = self.pieces.iter().filter(|(range, _)| overlaps(range));
        let own: Vec<u16> = own.map(|&(_, mutant)| mutant).collect();
        if !own.is_empty() {
            return own;
        }
        let around = |range: &Range<usize>| range.start <= error.start && error.end <= range.end;
        let around = self.edits.iter().filter(|(range, _)| around(range));
        let inner = around.min_by_key(|(range, _)| range.len());
        inner.map_or_else(Vec::new, |(_, mutants)| mutants.clone())
    }
}
