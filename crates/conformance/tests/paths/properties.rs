//! Any bytes through every fuzz target, made by proptest, which makes an input that breaks a promise as small
//! as it can. Its findings belong into `fuzz/regressions`.

use gdvar_conformance::{
    targets::{PREFIX, Run, TARGETS},
    vectors::hex,
    with_big_stack,
};
use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof},
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

/// A word as values have them: type numbers and small counts, flags, text, and what overflows.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        8 => 0..45_u32,
        2 => (0..45_u32, 16..20).prop_map(|(id, flag)| id | 1_u32 << flag),
        2 => any::<[char; 1]>().prop_map(|[c]| c as u32),
        1 => Just(u32::from_le_bytes(*b"name")),
        1 => (0..4_u32).prop_map(|n| (i32::MAX as u32).wrapping_add(n).wrapping_sub(1)),
        1 => any::<u32>(),
    ]
}

/// An input: the options, then whole words, then up to three bytes of a cut word.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let rest = vec(any::<u8>(), 0..4);
    (any::<[u8; PREFIX]>(), vec(word(), 0..64), rest).prop_map(|(prefix, words, rest)| {
        let words = words.into_iter().flat_map(u32::to_le_bytes);
        prefix.into_iter().chain(words).chain(rest).collect()
    })
}

/// Equal inputs each time: chance is left to fuzzing.
fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Returns `true` if an input breaks no promise. A target panics if a promise is broken.
fn holds(run: Run, input: &[u8]) -> Result<(), TestCaseError> {
    std::panic::catch_unwind(|| run(input)).map_err(|_| TestCaseError::fail("a promise is broken"))
}

#[test]
fn words_break_no_promise() {
    with_big_stack(|| {
        for (name, run) in TARGETS {
            let found = runner(2000).run(&input(), |input| holds(run, &input));
            if let Err(TestError::Fail(_, input)) = &found {
                panic!("{name}: {}", hex(input));
            }
            found.expect("enough inputs");
        }
    });
}

/// Checks the test itself: proptest finds an input that breaks a promise, and shrinks it.
#[test]
fn an_input_that_breaks_a_promise_is_made_small() {
    let broken: Run = |input| assert!(!input[PREFIX..].contains(&27), "no dictionaries, please");
    let found = runner(1000).run(&input(), |input| holds(broken, &input));
    let Err(TestError::Fail(_, input)) = found else {
        panic!("{found:?}");
    };
    assert!(input.len() <= PREFIX + 4, "{}", hex(&input));
}
