//! The cost that a stranger can cause: time in proportion to the bytes, a small stack whatever the depth,
//! no memory while reading, and elsewhere memory in proportion to the bytes that are there.
//!
//! Every way into the libraries (`entries.rs`) meets every hostile shape (`gdvar_conformance::hostile`).

mod clock;
mod entries;
mod keys;
mod memory;
mod stack;
mod time;
