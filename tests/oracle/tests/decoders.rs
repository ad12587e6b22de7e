//! The second decoder, which was made from the document alone, on inputs of the mutators that the engines are asked about.

use gdvar_conformance::{reference::Rules, targets::engine};
use gdvar_oracle::{ASKED, mutants::make::Maker};

/// The fuzz target `engine` holds the reader to a second decoder. Its own mutators meet other inputs than these.
#[test]
fn the_second_decoder_agrees_with_the_reader() {
    gdvar_conformance::with_big_stack(agree);
}

fn agree() {
    let many: u64 = std::env::var("GDVAR_MUTANTS").map_or(20_000, |n| n.parse().expect("a number"));
    for asked in ASKED {
        let maker = Maker::new(asked, 23);
        let rules = Rules::new(asked.target.dialect());
        for n in 0..many {
            let objects = n % 20 == 0;
            let bytes = maker.input(n, objects);
            let rules = if objects { rules.inert() } else { rules };
            engine::check(&bytes, rules);
            engine::check(&bytes, rules.strictly());
        }
    }
}
