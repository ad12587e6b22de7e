//! [`Unread`]: why a captured packet is not read.

use core::fmt;

/// Why a captured packet is not read. Displays as a phrase that follows a number of packets, such
/// as `of no game that is known`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Unread {
    /// The packet is neither UDP nor TCP over IP.
    OtherProtocol,
    /// The packet belongs to no server that the listener follows, or to another transport.
    OtherConversation,
    /// The capture has only the packet's first bytes, because it was recorded with a short
    /// `snaplen`.
    Cut,
    /// The packet is a fragment of an IP packet that is incomplete in the capture.
    Fragment,
    /// The packet is part of a stream after a lost piece, or of a stream that began before the
    /// capture, and no message was recognized since.
    AfterGap,
    /// The headers are damaged.
    Damaged,
    /// The link type is unknown.
    UnknownLinkType,
    /// The capture does not describe the packet's interface, so its link type is unknown.
    UnknownInterface,
    /// The packet is encrypted with DTLS or TLS.
    Encrypted,
}

impl Unread {
    /// A short stable name, such as `other_protocol`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Unread::OtherProtocol => "other_protocol",
            Unread::OtherConversation => "other_conversation",
            Unread::Cut => "cut",
            Unread::Fragment => "fragment",
            Unread::AfterGap => "after_gap",
            Unread::Damaged => "damaged",
            Unread::UnknownLinkType => "unknown_link_type",
            Unread::UnknownInterface => "unknown_interface",
            Unread::Encrypted => "encrypted",
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unread::OtherProtocol => "neither UDP nor TCP",
            Unread::OtherConversation => "of no game that is known",
            Unread::Cut => "cut by the capture (record it with a larger snaplen, tcpdump -s 0)",
            Unread::Fragment => "a fragment of an IP packet that is not whole",
            Unread::AfterGap => "in a stream with an earlier piece missing",
            Unread::Damaged => "with damaged headers",
            Unread::UnknownLinkType => "of an unknown link type",
            Unread::UnknownInterface => "of an interface that the capture does not describe",
            Unread::Encrypted => "encrypted with DTLS or TLS",
        })
    }
}

impl core::error::Error for Unread {}
