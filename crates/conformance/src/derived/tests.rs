//! Checks that the derived vectors are consistent.

use super::*;
use std::collections::BTreeSet;

#[test]
fn there_are_enough_of_every_dialect() {
    let count = |names: Vec<&str>, column: Column| {
        names
            .into_iter()
            .filter(|name| *name == column.name())
            .count()
    };
    for column in COLUMNS {
        let vectors = count(
            derived_vectors()
                .iter()
                .map(|vector| vector.dialect)
                .collect(),
            column,
        );
        let rejects = count(
            derived_rejects()
                .iter()
                .map(|reject| reject.dialect)
                .collect(),
            column,
        );
        let strict = derived_strict_rejects();
        let strict = count(strict.iter().map(|reject| reject.dialect).collect(), column);
        println!(
            "{}: {vectors} accepted, {rejects} refused, {strict} strictly",
            column.name()
        );
        assert!(vectors >= 120 && rejects >= 100 && strict >= 50);
    }
}

#[test]
fn ids_are_unique() {
    let unique = |ids: Vec<(&str, String)>| {
        let mut seen = BTreeSet::new();
        for id in ids {
            assert!(seen.insert(id.clone()), "{id:?} twice");
        }
    };
    unique(
        derived_vectors()
            .into_iter()
            .map(|vector| (vector.dialect, vector.id))
            .collect(),
    );
    for rejects in [derived_rejects(), derived_strict_rejects()] {
        unique(
            rejects
                .into_iter()
                .map(|reject| (reject.dialect, reject.id))
                .collect(),
        );
    }
}

#[test]
fn every_type_occurs_three_times() {
    let vectors = derived_vectors();
    for column in COLUMNS {
        let of = vectors
            .iter()
            .filter(|vector| vector.dialect == column.name());
        let texts: Vec<_> = of.map(|vector| vector.value.to_string()).collect();
        for name in column.types() {
            let tags = match name {
                "Object" => [format!("\"{name}\":"), "\"ObjectId\":".into()],
                _ => [format!("\"{name}\":"), format!("\"{name}\":")],
            };
            let holds = |text: &&String| tags.iter().any(|tag| text.contains(tag.as_str()));
            let times = texts.iter().filter(holds).count();
            assert!(
                times >= 3,
                "{name} of {} occurs {times} times",
                column.name()
            );
        }
    }
}

#[test]
fn canonical_bytes_are_whole_words() {
    for vector in derived_vectors().iter().filter(|vector| vector.canonical) {
        assert_eq!(
            vector.bytes.len() % 4,
            0,
            "{} {}",
            vector.dialect,
            vector.id
        );
    }
}

#[test]
fn nothing_is_both_canonical_and_refused() {
    let canonical: BTreeSet<_> = derived_vectors()
        .into_iter()
        .filter(|vector| vector.canonical)
        .map(|vector| (vector.dialect, vector.full_objects, vector.bytes))
        .collect();
    for reject in derived_rejects()
        .into_iter()
        .chain(derived_strict_rejects())
    {
        let bytes = (reject.dialect, reject.full_objects, reject.bytes);
        assert!(
            !canonical.contains(&bytes),
            "{} {}",
            reject.dialect,
            reject.id
        );
    }
}

#[test]
fn nothing_is_both_accepted_and_refused() {
    let accepted: BTreeSet<_> = derived_vectors()
        .into_iter()
        .map(|vector| (vector.dialect, vector.full_objects, vector.bytes))
        .collect();
    for reject in derived_rejects() {
        let bytes = (reject.dialect, reject.full_objects, reject.bytes);
        assert!(
            !accepted.contains(&bytes),
            "{} {}",
            reject.dialect,
            reject.id
        );
    }
}
