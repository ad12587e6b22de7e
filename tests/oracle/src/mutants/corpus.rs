//! The values that are damaged.

use gdvar::{
    frames::{PrefixOrder, frames},
    walk::Event,
};

use crate::{Asked, generate, open};
use gdvar_conformance::{
    alike::Random,
    derived,
    vectors::{ENGINES, odd_inputs, plain_saves, vectors},
};

/// Longer values only take time.
const LONGEST: usize = 2048;
/// The share of a save's values that is taken: one in so many.
const OF_SAVES: usize = 7;

/// Values, by where they are from.
#[derive(Clone, Debug)]
pub(super) struct Corpus {
    /// Lists with the share of inputs that is made of them.
    lists: Vec<(usize, Vec<Vec<u8>>)>,
    objects: Vec<Vec<u8>>,
}

impl Corpus {
    pub(super) fn new(asked: Asked) -> Corpus {
        let dialect = asked.target.dialect();
        let mut own = Vec::new();
        let mut others = Vec::new();
        let mut objects = Vec::new();
        for engine in ENGINES {
            for vector in vectors(engine) {
                let list = match (engine.dialect == dialect, vector.full_objects) {
                    (true, true) => &mut objects,
                    (true, false) => &mut own,
                    (false, _) => &mut others,
                };
                list.push(vector.bytes);
            }
        }
        for vector in derived::derived_vectors() {
            if vector.dialect == dialect.name() {
                own.push(vector.bytes);
            }
        }
        own.extend(objects.iter().cloned());
        let odd = odd_inputs("reject.jsonl");
        let odd = odd.into_iter().map(|odd| odd.bytes).collect();
        let mut saved = Vec::new();
        for save in plain_saves() {
            if save.dialect != dialect {
                continue;
            }
            for frame in frames(&save.bytes, PrefixOrder::Little) {
                let mut events = open(frame.expect("a record").bytes, dialect).events();
                while let Some(event) = events.try_next().expect("a save") {
                    if let Event::Begin(value) | Event::Value(value) = event {
                        saved.push(value.raw().expect("a save").to_vec());
                    }
                }
            }
        }
        saved.retain(|bytes| (12..LONGEST).contains(&bytes.len()));
        let saved = saved.into_iter().step_by(OF_SAVES).collect();
        let made = generate::blobs(asked).into_iter().map(|blob| blob.bytes);
        let mut lists = vec![
            (6, own),
            (1, others),
            (2, odd),
            (2, saved),
            (3, made.collect()),
        ];
        for (_, list) in &mut lists {
            list.retain(|bytes| !bytes.is_empty() && bytes.len() < LONGEST);
        }
        Corpus { lists, objects }
    }

    pub(super) fn len(&self) -> usize {
        self.lists.iter().map(|(_, list)| list.len()).sum()
    }

    /// Any value.
    pub(super) fn any(&self, random: &mut Random) -> &[u8] {
        let shares = self.lists.iter().map(|(share, _)| share).sum();
        let mut at = random.below(shares);
        for (share, list) in &self.lists {
            if at < *share {
                return &list[random.below(list.len())];
            }
            at -= share;
        }
        unreachable!("shares add up")
    }

    /// A value with whole objects.
    pub(super) fn object(&self, random: &mut Random) -> &[u8] {
        &self.objects[random.below(self.objects.len())]
    }
}
