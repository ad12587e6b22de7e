//! Counts the values of records by type.

use gdvar_view::{Document, Error, Event, Kind, VariantRef};

use crate::{show::summary, terminal::progress::Progress};

/// What was counted in some records.
#[derive(Debug)]
pub(crate) struct Stats {
    /// The number of values of each kind.
    pub kinds: [u64; Kind::COUNT],
    /// The number of outermost values of each kind.
    pub roots: [u64; Kind::COUNT],
    /// The description of the first record's outermost value.
    pub first_root: Option<String>,
    /// The depth of the deepest value. An outermost value has depth 0.
    pub depth: usize,
    /// The number of objects that are stored as an id.
    pub ids: u64,
    /// The number of objects that are stored whole.
    pub whole: u64,
    /// The classes of objects that are stored whole, at most [`CLASSES`] of them, each with its number of objects, in
    /// the order in which they first appear.
    pub classes: Vec<(String, u64)>,
    /// The number of bytes of all values.
    pub bytes: u64,
}

/// The largest number of classes that are listed. A hostile file could name millions.
const CLASSES: usize = 100;

impl Default for Stats {
    fn default() -> Stats {
        Stats {
            kinds: [0; Kind::COUNT],
            roots: [0; Kind::COUNT],
            first_root: None,
            depth: 0,
            ids: 0,
            whole: 0,
            classes: Vec::new(),
            bytes: 0,
        }
    }
}

impl Stats {
    /// Counts the values of a record up to its first damage, in linear time. `base` is the offset of the record, for
    /// the progress.
    pub(crate) fn add(
        &mut self,
        document: Document<'_>,
        base: usize,
        progress: &Progress,
    ) -> Result<(), Error> {
        let mut events = document.events();
        let mut result = Ok(());
        loop {
            let depth = events.open();
            match events.try_next() {
                Ok(Some(Event::Value(value) | Event::Begin(value))) => {
                    self.value(value);
                    self.depth = self.depth.max(depth);
                    progress.at(base + events.position());
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.bytes += events.position() as u64;
        result
    }

    fn value(&mut self, value: VariantRef<'_>) {
        let kind = value.kind();
        self.kinds[kind as usize] += 1;
        if value.depth() == 0 {
            self.roots[kind as usize] += 1;
            if self.first_root.is_none() {
                self.first_root = Some(summary::head(value));
            }
        }
        let Some(object) = value.as_object() else {
            return;
        };
        match object.class() {
            Some(class) => {
                self.whole += 1;
                let class = summary::name(class);
                if let Some((_, count)) = self.classes.iter_mut().find(|(name, _)| *name == class) {
                    *count += 1;
                } else if self.classes.len() < CLASSES {
                    self.classes.push((class, 1));
                }
            }
            None if !object.is_null() => self.ids += 1,
            None => {}
        }
    }

    /// Returns the number of all values.
    pub(crate) fn values(&self) -> u64 {
        self.kinds.iter().sum()
    }
}

/// Returns the kinds that occur with their counts, the most frequent first.
pub(crate) fn ranked(counts: &[u64; Kind::COUNT]) -> Vec<(Kind, u64)> {
    let mut ranked: Vec<_> = Kind::ALL
        .iter()
        .copied()
        .zip(counts.iter().copied())
        .filter(|&(_, count)| count > 0)
        .collect();
    ranked.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    ranked
}
