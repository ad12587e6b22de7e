//! Tests of the whole project: vectors of real engines for every entry point, a reference decoder, and the
//! bodies of the fuzz targets. `tests/oracle` runs the engines themselves and compares.
//!
//! * [`corpus`] stores the inputs that fuzzing found, one archive per target.
//! * [`vectors`] loads the files and answers of real engines (`testdata/vectors`, `testdata/saves`).
//! * [`tagged`] describes a value as the engines' scripts do, through each entry point.
//! * [`assembler`] and [`derived`] make vectors from the rules, for the dialects without an engine.
//! * [`alike`] makes long random values, in which shortcuts could miss something.
//! * [`mutate`] damages values. [`damage`] damages files as accidents do, and [`rescued`] judges what is
//!   rescued from them.
//! * [`samples`] has a value of each kind in each dialect.
//! * [`hostile`] makes values of any size that are expensive for readers.
//! * [`fingerprint`] compares what different walks report.
//! * [`mod@reference`] is a second decoder, written from `docs/FORMAT.md` alone.
//! * [`targets`] contains the bodies of the fuzz targets, which tests also run without a fuzzer.
//! * [`touch`] calls every getter of a value.
//! * [`deliberate`] lists the intentional differences from the engines, with reasons.

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
pub mod samples;
pub mod tagged;
pub mod tagged_owned;
pub mod targets;
pub mod touch;
pub mod undamaged;
pub mod vectors;

/// Reads the value at the start of `bytes` into a tree. In strict mode, bytes after it are an error, as for
/// all other ways to read a document.
///
/// # Errors
/// Returns the first thing that the options do not allow.
pub fn owned(bytes: &[u8], options: gdvar::ReadOptions) -> Result<gdvar::Variant, gdvar::Error> {
    if options.mode() == gdvar::Mode::Strict {
        return gdvar::Variant::from_slice_with(bytes, options);
    }
    Ok(gdvar::Variant::from_prefix(bytes, options)?.0)
}

/// Runs a test on a stack that is large enough for the JSON library's recursion on values nested 1024 deep.
///
/// # Panics
/// If the test panics.
pub fn with_big_stack<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new()
        .stack_size(512 << 20)
        .spawn(test);
    match thread.expect("a thread can be started").join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Checks that the examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub struct Readme;

/// Checks that the examples of the guide compile and run.
#[cfg(doctest)]
pub mod guide {
    #[doc = include_str!("../../../docs/guide/rust.md")]
    #[derive(Debug)]
    pub struct Rust;

    #[doc = include_str!("../../../docs/guide/schema.md")]
    #[derive(Debug)]
    pub struct Schema;

    #[doc = include_str!("../../../docs/guide/bevy.md")]
    #[derive(Debug)]
    pub struct Bevy;
}
