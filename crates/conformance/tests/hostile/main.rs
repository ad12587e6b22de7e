//! What hostile input may cost: time in proportion to the bytes, a small stack whatever the depth, no
//! memory for reading, and memory in proportion to the bytes for everything else.
//!
//! Every way into the libraries (`entries.rs`) meets every hostile shape (`gdvar_conformance::hostile`).

mod clock;
mod entries;
mod keys;
mod memory;
mod stack;
mod time;
