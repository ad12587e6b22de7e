//! One module a command.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod dissector;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod file;
pub(crate) mod get;
pub(crate) mod grep;
pub(crate) mod gron;
pub(crate) mod hex;
pub(crate) mod info;
pub(crate) mod notations;
pub(crate) mod packets;
pub(crate) mod proxy;
pub(crate) mod query;
pub(crate) mod records;
pub(crate) mod recover;
pub(crate) mod scan;
pub(crate) mod set;
pub(crate) mod stats;
pub(crate) mod unpack;
pub(crate) mod view;
pub(crate) mod watch;
