//! Vectors of real engines through every entry point.
