//! Which engine wrote some bytes, and how each reads them.

mod detect;
mod fit;
mod hints;
mod rules;
mod verdict;
