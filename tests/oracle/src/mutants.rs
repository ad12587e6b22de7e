//! Damaged and odd inputs without number, put to a real engine and to the project: the engine is the
//! oracle (`scripts/engines/compare-engines`, `docs/CONFORMANCE.md`).
//!
//! [`make`] makes input number *n* of a seed, the same on every machine. [`ask`] has an engine read
//! them, whatever they do to it. [`judge`] says in which aspects it and the project disagree, and
//! [`tally`] counts that by class: a class is an aspect and a reason that stands in
//! [`classes::MUTANTS`], or an aspect and what was seen where nothing explains it.
//! [`stored`] keeps some for machines without an engine.

pub mod ask;
pub mod classes;
mod corpus;
mod damage;
pub mod judge;
mod keys;
pub mod make;
mod small;
pub mod stored;
pub mod tally;
mod traits;
