//! Input number *n* of a seed.

use gdvar::Dialect;

use super::{corpus::Corpus, damage::damage, keys::dictionary, small::small};
use crate::Asked;
use gdvar_conformance::{
    alike::{Random, alike},
    mutate::{mutate, wrap},
};

/// The longest input.
const LONGEST: usize = 8192;

/// Makes inputs for an engine.
#[derive(Clone, Debug)]
pub struct Maker {
    dialect: Dialect,
    corpus: Corpus,
    seed: u64,
}

impl Maker {
    /// For that engine and seed: gathers all values to damage, which takes a second or more.
    #[must_use]
    pub fn new(asked: Asked, seed: u64) -> Maker {
        Maker {
            dialect: asked.target.dialect(),
            corpus: Corpus::new(asked),
            seed,
        }
    }

    /// The number of values to damage.
    #[must_use]
    pub fn corpus_len(&self) -> usize {
        self.corpus.len()
    }

    /// Input number `n`: bytes that are mostly damaged. With `objects`, made of values with whole
    /// objects in them.
    #[must_use]
    pub fn input(&self, n: u64, objects: bool) -> Vec<u8> {
        let mut random = random_of(self.seed, n);
        let dialect = self.dialect;
        let mut bytes = match random.below(20) {
            _ if objects => self.corpus.object(&mut random).to_vec(),
            0..4 => small(dialect, &mut random),
            4 => alike(dialect, &mut random),
            5..8 => dictionary(dialect, &self.corpus, &mut random),
            _ => self.corpus.any(&mut random).to_vec(),
        };
        for _ in 0..[0, 0, 0, 1, 1, 2][random.below(6)] {
            bytes = wrap(&bytes, dialect, &mut random);
        }
        for _ in 0..[1, 1, 1, 1, 2, 2, 3][random.below(7)] {
            if random.below(3) == 0 {
                mutate(&mut bytes, &mut random);
            } else {
                damage(&mut bytes, dialect, &self.corpus, &mut random);
            }
        }
        bytes.truncate(LONGEST);
        bytes
    }
}

/// Numbers of their own for each input, so that one can be made again alone.
fn random_of(seed: u64, n: u64) -> Random {
    let mut state =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n.wrapping_mul(0xd134_2543_de82_ef95);
    state = (state ^ (state >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Random((state ^ (state >> 32)) | 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ASKED;
    use gdvar::Document;

    #[test]
    fn inputs_are_the_same_each_time_and_of_both_sorts() {
        gdvar_conformance::with_big_stack(check_inputs);
    }

    fn check_inputs() {
        for asked in ASKED {
            let maker = Maker::new(asked, 7);
            let (mut good, mut lengths) = (0, std::collections::BTreeSet::new());
            for n in 0..2000 {
                let bytes = maker.input(n, false);
                assert_eq!(bytes, maker.input(n, false));
                good += usize::from(
                    Document::new(&bytes, asked.target.dialect())
                        .validate()
                        .is_ok(),
                );
                lengths.insert(bytes.len());
            }
            assert!((400..1600).contains(&good), "{good} of 2000 are in order");
            assert!(lengths.len() > 100, "{} lengths", lengths.len());
            assert_ne!(maker.input(0, false), Maker::new(asked, 8).input(0, false));
        }
    }
}
