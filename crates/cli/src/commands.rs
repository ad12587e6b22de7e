//! One module a command.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod get;
pub(crate) mod info;
pub(crate) mod notations;
pub(crate) mod unpack;
pub(crate) mod view;
