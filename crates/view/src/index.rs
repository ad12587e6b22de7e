//! [`Index`]: after one pass over a value, any child in constant time.
//!
//! A container carries a count but no length, so finding the thousandth child means skipping 999 others. The
//! index is a list of slots in which the children of one container lie side by side:
//!
//! ```text
//! the outermost value        one slot
//! each container in turn     one slot with the number of its children, then a slot for each child
//!
//! slot of a child     where it begins in the bytes, and
//!                       of a container: where its own slots begin
//!                       of another value: the word after its header, which is the length of a text
//! ```
//!
//! Keys, values, and the names of properties are all children. In the bytes the count precedes the children, so their
//! slots are reserved when the container begins, and each is written once, where it stays.
//!
//! A look-up compares lengths in the slots before it reads a key. Large dictionaries get a table of hashes on request
//! ([`keys`]).
//!
//! Rejected:
//! - slots in the order of the bytes with the end of each value: the n-th child takes n steps
//! - no slots for containers below 256 bytes: they are walked again for the values in them, and reading all of
//!   a save took 24.0 ns a value instead of 12.2
//! - headers in the slots: 16 bytes each, and fresh memory costs more than anything else in building

mod build;
mod containers;
mod indexed;
mod keys;
mod slots;
mod sort;

pub use containers::{IndexedArrayIter, IndexedDictIter, IndexedPropertyIter};
pub use indexed::Indexed;
pub use slots::Index;
