//! Files of tcpdump and Wireshark, and what hears the conversations in them (feature `capture`).
//!
//! [`Reader`] reads pcap and pcapng, from a file or from a pipe that tcpdump writes to. [`Defragmenter`] finds
//! UDP and TCP in its packets ([`Segment`]). [`Listener`] finds out who is server and who is client, puts TCP
//! streams together and has a [`Session`](crate::Session) for each server. What is not heard has a reason: [`Unread`].
//! [`Writer`] writes pcap.

mod defragment;
mod file;
mod listener;
mod segment;
mod tcp;
mod unread;
mod writer;

pub use defragment::Defragmenter;
pub use file::{CaptureError, Captured, LinkType, Reader};
pub use listener::{Heard, Listener, is_enet_connect, looks_like_enet};
pub use segment::{Protocol, Segment};
pub use unread::Unread;
pub use writer::Writer;
