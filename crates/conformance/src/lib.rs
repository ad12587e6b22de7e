//! Vectors of real engines through every entry point, a reference decoder, and the bodies of the fuzz targets.
//! The dialogue with the engines themselves is `tests/oracle`.
//!
//! * [`corpus`] keeps what fuzzing found worth keeping, one archive a target.
//! * [`vectors`] loads what real engines wrote and said (`testdata/vectors`, `testdata/saves`).
//! * [`tagged`] describes a value as the engines' scripts do, through each entry point.
//! * [`assembler`] and [`derived`] make vectors by rule for the dialects without an engine.
//! * [`alike`] makes long values at random, for what shortcuts could miss.
//! * [`mutate`] damages them; [`damage`] damages files as accidents do, and [`rescued`] judges what is rescued of them.
//! * [`hostile`] makes values of any size that are hard on readers.
//! * [`fingerprint`] holds what walks report against each other.
//! * [`mod@reference`] decodes a second time, from the document alone.
//! * [`targets`] are the bodies of the fuzz targets, which tests run without a fuzzer too.
//! * [`touch`] asks a value everything.
//! * [`deliberate`] lists where the project departs from an engine, and why.

pub mod alike;
pub mod assembler;
pub mod corpus;
pub mod damage;
pub mod deliberate;
pub mod derived;
pub mod fingerprint;
pub mod hostile;
pub mod layered;
pub mod mutate;
pub mod reference;
pub mod rescued;
pub mod tagged;
pub mod tagged_owned;
pub mod targets;
pub mod touch;
pub mod undamaged;
pub mod vectors;

/// Runs a test with room for the recursion of the JSON library on values nested 1024 deep.
///
/// # Panics
/// If the test does.
pub fn with_big_stack<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new()
        .stack_size(512 << 20)
        .spawn(test);
    match thread.expect("a thread can be started").join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub struct Readme;
