//! Shortcuts for validation: containers whose children are alike.
//!
//! The contract. A shortcut is reached from one place, [`advance`], which the loop over plain values
//! (`walk/validate.rs`) calls where a container with several children begins or goes on. It passes as many
//! children as are certainly in order and says how far it came; it never reports an error. A container
//! that it does not know it leaves to the loop, at a cost that is bounded by pauses. Compiled out
//! (`SHORTCUTS` in `options.rs`) nothing changes but speed.
//!
//! - [`template`], [`templates`]: records that are like one before
//! - [`siblings`]: the proof that two records are alike, which comes before one is learned
//! - [`text`]: many strings in a row, judged at once
//! - [`numbers`]: many numbers in a row
//! - [`alike`]: which of them to try, and when to stop trying
//! - [`ahead`]: memory asked for before it is needed
//!
//! Each earns its lines here, in ns a value without (`RUSTFLAGS='--cfg gdvar_plain'`) and with shortcuts.
//! The workloads are those of `cargo run --release --manifest-path benches/Cargo.toml -- --only all`. The
//! figures come from a small program with nothing but these workloads; the layout of a larger one adds
//! up to a tenth.
//!
//! ```text
//! templates   records as they are (M plain)    3.3    0.9
//!             a quarter of them shuffled       3.6    2.2
//!             different saves (T)              3.3    1.3
//! text        strings in an array (W4)        14.8    5.8
//!             a PackedStringArray (W4p)       16.4    4.6
//! numbers     ints in an array (W7)            1.3    0.13
//! refused     lists of 0 to 12 items           3.7    4.1
//!             all changes at once (M all)      4.5    4.6
//!             a realistic save (S4)            6.4    6.8
//! ```

mod ahead;
mod alike;
mod numbers;
mod siblings;
mod template;
mod templates;
mod text;

pub(crate) use alike::{Learned, MANY, advance};
pub(crate) use text::run as strings;
