//! Writing, and values on their way to another engine.

mod kinds;
mod nothing_lost;
mod portable;
mod transforms;
mod write;
