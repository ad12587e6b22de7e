//! Vectors of real engines through every entry point.

pub mod assembler;
pub mod derived;
