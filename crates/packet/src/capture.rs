//! Captures of tcpdump and Wireshark (feature `capture`).
//!
//! [`Reader`] reads pcap and pcapng, from a file or a pipe. [`Defragmenter`] finds UDP and TCP in
//! the packets ([`Segment`]). [`Listener`] recognizes servers and clients, puts TCP streams
//! together, and keeps a [`Session`](crate::Session) for each server. [`Unread`] says why a packet
//! is not read. [`Writer`] writes pcap.

mod defragment;
mod file;
mod listener;
mod segment;
mod tcp;
mod unread;
mod writer;

pub use defragment::Defragmenter;
pub use file::{CaptureError, Captured, LinkType, Reader};
pub use listener::{EventOrigin, Listener, is_enet_connect, looks_like_enet};
pub use segment::{Protocol, Segment};
pub use unread::Unread;
pub use writer::Writer;
