//! [`Unread`]: why nothing is heard in a captured packet.

use core::fmt;

/// Why nothing is heard in a captured packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Unread {
    /// It is neither UDP nor TCP over IP.
    OtherProtocol,
    /// It belongs to no server that is listened to, or to another carrier.
    OtherConversation,
    /// The capture holds only its first bytes: it was made with a short `snaplen`.
    Cut,
    /// It is a fragment of an IP packet that is not whole in the capture.
    Fragment,
    /// It is a part of a stream after a lost piece, or of a stream that began before the capture, in front of the next
    /// place where messages can be told apart.
    AfterGap,
    /// Its headers are damaged.
    Damaged,
    /// It is of a link type that is not known.
    UnknownLinkType,
    /// It is encrypted, with DTLS or TLS.
    Encrypted,
}

impl Unread {
    /// A short name: `other_protocol`.
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
            Unread::Encrypted => "encrypted",
        }
    }
}

/// A phrase that follows a number of packets: `of no game that is known`.
impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unread::OtherProtocol => "neither UDP nor TCP",
            Unread::OtherConversation => "of no game that is known",
            Unread::Cut => "cut by the capture (record it with a larger snaplen, tcpdump -s 0)",
            Unread::Fragment => "a fragment of an IP packet that is not whole",
            Unread::AfterGap => "in a stream of which a piece before is missing",
            Unread::Damaged => "with damaged headers",
            Unread::UnknownLinkType => "of an unknown link type",
            Unread::Encrypted => "encrypted with DTLS or TLS",
        })
    }
}

impl core::error::Error for Unread {}
