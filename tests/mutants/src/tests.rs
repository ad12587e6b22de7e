//! Changes of a small file, as cargo-mutants names their places, and what is compiled for them.

use std::collections::HashSet;

use crate::{
    list::{Genre, Mutant},
    plan::{Home, Plan, plan},
    render::render,
};

const SOURCE: &str = "const N: u8 = 1 + 2;
fn f(a: u8, b: u8) -> bool {
    a + 1 == b
}
const fn g(at: Option<u8>) -> u8 {
    match at {
        Some(0) => 1,
        Some(n) if n > 7 => !n,
        _ => 2,
    }
}
fn h(mut n: u8) -> impl Sized {
    n += 1;
    Pair { n, ..PAIR }
}
";

/// Genre, line and column from 0, replacement.
const MUTANTS: [(Genre, usize, usize, &str); 13] = [
    (Genre::BinaryOperator, 1, 16, "-"),
    (Genre::FnValue, 3, 4, "true"),
    (Genre::BinaryOperator, 3, 10, "!="),
    (Genre::BinaryOperator, 3, 6, "-"),
    (Genre::BinaryOperator, 3, 6, "*"),
    (Genre::MatchArm, 7, 8, ""),
    (Genre::MatchArm, 8, 8, ""),
    (Genre::MatchArmGuard, 8, 19, "true"),
    (Genre::MatchArmGuard, 8, 19, "false"),
    (Genre::UnaryOperator, 8, 28, ""),
    (Genre::BinaryOperator, 13, 6, "-="),
    (Genre::StructField, 14, 11, ""),
    (Genre::FnValue, 13, 4, "()"),
];

fn planned() -> Plan {
    let mutants = MUTANTS.iter().zip(0..);
    let mutants = mutants.map(|(&(genre, line, column, replacement), number)| Mutant {
        number,
        package: String::new(),
        file: String::new(),
        genre,
        start: (line, column),
        replacement: replacement.to_owned(),
        name: String::new(),
        key: String::new(),
    });
    let mutants: Vec<Mutant> = mutants.collect();
    plan(SOURCE, &mutants.iter().collect::<Vec<_>>()).expect("a file of Rust")
}

fn compiled(dropped: &[u16]) -> String {
    let dropped = HashSet::from_iter(dropped.iter().copied());
    let text = render(SOURCE, &planned().edits, &dropped).text;
    text.replace("::mutant_switch::", "")
}

#[test]
fn every_change_becomes_a_question() {
    let expected = "const N: u8 = 1 + 2;
fn f(a: u8, b: u8) -> bool { if on(1) { return true; } 
    (if on(2) { (a + 1) != (b) } else { ((if on(3) { (a) - (1) } else if on(4) { (a) * (1) } else { (a + 1) }) == b) })
}
const fn g(at: Option<u8>) -> u8 {
    match at {
        Some(0) if !on(5)  => 1,
        Some(n) if (!on(6) && ((on(7) || !on(8) && (n > 7)))) => (if on(9) { n } else { (!n) }),
        _ => 2,
    }
}
fn h(mut n: u8) -> impl Sized {
    (if on(10) { n -= (1) } else { (n += 1) });
    Pair { n: if on(11) { (PAIR).n } else { n }, ..PAIR }
}
";
    assert_eq!(compiled(&[]), expected);
    // Nothing of the file is taken away.
    let lines = |text: &str| text.lines().count();
    assert_eq!(lines(SOURCE), lines(expected));
}

#[test]
fn what_does_not_compile_goes_alone() {
    let text = compiled(&[3, 5, 8, 11]);
    for part in [
        "((if on(4) { (a) * (1) } else { (a + 1) }) == b)",
        "Some(0) => 1",
        "(!on(6) && ((on(7) || (n > 7))))",
        "Pair { n: { n }, ..PAIR }",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn an_error_is_blamed_on_the_change_whose_text_it_is_in() {
    let rendered = render(SOURCE, &planned().edits, &HashSet::new());
    let at = |part: &str| {
        let start = rendered.text.find(part).expect("it is there");
        start..start + part.len()
    };
    assert_eq!(rendered.blamed(&at("return true")), [1]);
    assert_eq!(rendered.blamed(&at("(a) * (1)")), [4]);
    // Both changes of one place, if neither has the text.
    assert_eq!(rendered.blamed(&at("(a + 1) })")), [3, 4]);
    assert!(rendered.blamed(&at("fn g")).is_empty());
}

#[test]
fn constants_have_no_switch() {
    let homes = planned().homes;
    assert_eq!(homes.len(), MUTANTS.len());
    assert_eq!(homes[&0], Home::CompileTime);
    assert_eq!(homes[&1], Home::Function);
    assert_eq!(homes[&9], Home::ConstFunction);
    assert_eq!(homes[&12], Home::ImplReturn);
}
