//! Reading, against the vectors and the reference decoder.

mod around;
mod errors;
mod fields;
mod handles;
mod index;
mod keys;
mod lookups;
mod order;
mod parts;
mod places;
mod read;
mod reference;
mod regression;
mod robust;
mod shortcuts;
mod strict;
