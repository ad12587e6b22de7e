//! Files of tcpdump and Wireshark, and what hears the conversations in them (feature `capture`).
//!
//! [`Reader`] reads pcap and pcapng, from a file or from a pipe that tcpdump writes to. [`Segment`] finds
//! UDP and TCP in its packets. [`Listener`] finds out who is server and who is client, puts TCP
//! streams together and has a [`Session`](crate::Session) for each server. [`Writer`] writes pcap.

mod file;
mod listener;
mod segment;
mod tcp;
mod writer;

pub use file::{CaptureError, Captured, LinkType, Reader};
pub use listener::{Heard, Listener, is_enet_connect, looks_like_enet};
pub use segment::{Protocol, Segment};
pub use writer::Writer;
