//! [`Segment`]: finds UDP and TCP in a captured packet.

use std::net::{IpAddr, SocketAddr};

use etherparse::{EtherType, NetSlice, SlicedPacket, TcpSlice, TransportSlice, UdpSlice};

use super::{LinkType, Unread};

/// A UDP datagram or a TCP segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The sender's address.
    pub source: SocketAddr,
    /// The receiver's address.
    pub target: SocketAddr,
    /// UDP or TCP.
    pub protocol: Protocol,
    /// The payload, without headers.
    pub payload: &'a [u8],
}

/// The protocol of a [`Segment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// UDP: a datagram.
    Udp,
    /// TCP: a piece of a stream.
    Tcp {
        /// The sequence number of the payload's first byte.
        sequence: u32,
        /// `true` for SYN, which opens the connection.
        is_syn: bool,
        /// `true` for ACK. With `is_syn` the sender is the server.
        is_ack: bool,
        /// `true` for FIN or RST, which end the connection.
        is_end: bool,
    },
}

impl LinkType {
    /// The link type of a packet whose interface the capture does not describe.
    pub const UNDESCRIBED: LinkType = LinkType(-1);
    const NULL: i32 = 0;
    const ETHERNET: i32 = 1;
    pub(super) const RAW: i32 = 101;
    const LOOP: i32 = 108;
    const LINUX_SLL: i32 = 113;
    const IPV4: i32 = 228;
    const IPV6: i32 = 229;
    const LINUX_SLL2: i32 = 276;
}

impl<'a> Segment<'a> {
    /// Finds UDP or TCP in a captured packet. Reads the headers of Ethernet, Linux cooked captures
    /// (both versions), BSD loopback or raw IP, then VLAN, IPv4 and IPv6. Checksums are ignored:
    /// captures on the sending machine have wrong ones.
    ///
    /// # Errors
    /// Returns [`Unread`], the reason, if the packet contains no UDP or TCP. For
    /// [fragments](Unread::Fragment) use a [`Defragmenter`](super::Defragmenter).
    pub fn find(link_type: LinkType, data: &'a [u8]) -> Result<Segment<'a>, Unread> {
        let packet = slice(link_type, data)?;
        if packet.is_ip_payload_fragmented() {
            return Err(Unread::Fragment);
        }
        let ends = addresses(&packet)?;
        match packet.transport.ok_or(Unread::OtherProtocol)? {
            TransportSlice::Udp(udp) => Ok(Segment::of_udp(ends, &udp)),
            TransportSlice::Tcp(tcp) => Ok(Segment::of_tcp(ends, &tcp)),
            _ => Err(Unread::OtherProtocol),
        }
    }

    pub(super) fn of_udp((source, target): (IpAddr, IpAddr), udp: &UdpSlice<'a>) -> Segment<'a> {
        Segment {
            source: SocketAddr::new(source, udp.source_port()),
            target: SocketAddr::new(target, udp.destination_port()),
            protocol: Protocol::Udp,
            payload: udp.payload(),
        }
    }

    pub(super) fn of_tcp((source, target): (IpAddr, IpAddr), tcp: &TcpSlice<'a>) -> Segment<'a> {
        Segment {
            source: SocketAddr::new(source, tcp.source_port()),
            target: SocketAddr::new(target, tcp.destination_port()),
            protocol: Protocol::Tcp {
                sequence: tcp.sequence_number(),
                is_syn: tcp.syn(),
                is_ack: tcp.ack(),
                is_end: tcp.fin() || tcp.rst(),
            },
            payload: tcp.payload(),
        }
    }
}

/// Parses the headers of a captured packet.
pub(super) fn slice(link_type: LinkType, data: &[u8]) -> Result<SlicedPacket<'_>, Unread> {
    let packet = match link_type.0 {
        LinkType::ETHERNET => SlicedPacket::from_ethernet(data),
        LinkType::RAW | LinkType::IPV4 | LinkType::IPV6 => SlicedPacket::from_ip(data),
        LinkType::NULL | LinkType::LOOP => {
            SlicedPacket::from_ip(data.get(4..).ok_or(Unread::Damaged)?)
        }
        LinkType::LINUX_SLL => return cooked(data, 14, 16),
        LinkType::LINUX_SLL2 => return cooked(data, 0, 20),
        _ if link_type == LinkType::UNDESCRIBED => return Err(Unread::UnknownInterface),
        _ => return Err(Unread::UnknownLinkType),
    };
    packet.map_err(|_| Unread::Damaged)
}

/// Parses a packet of a Linux cooked capture, whose header has `header_len` bytes and the protocol at
/// the offset `protocol`. The kind of the device (`ARPHRD_`) is ignored: loopback, PPP and tunnels use
/// the protocol numbers of Ethernet for IP, and no other device uses these numbers for another protocol.
fn cooked(data: &[u8], protocol: usize, header_len: usize) -> Result<SlicedPacket<'_>, Unread> {
    let (header, rest) = data.split_at_checked(header_len).ok_or(Unread::Damaged)?;
    let protocol = u16::from_be_bytes([header[protocol], header[protocol + 1]]);
    let packet = SlicedPacket::from_ether_type(EtherType(protocol), rest);
    packet.map_err(|_| Unread::Damaged)
}

/// The source and target addresses of a packet.
pub(super) fn addresses(packet: &SlicedPacket<'_>) -> Result<(IpAddr, IpAddr), Unread> {
    match packet.net.as_ref().ok_or(Unread::OtherProtocol)? {
        NetSlice::Ipv4(ip) => Ok((
            ip.header().source_addr().into(),
            ip.header().destination_addr().into(),
        )),
        NetSlice::Ipv6(ip) => Ok((
            ip.header().source_addr().into(),
            ip.header().destination_addr().into(),
        )),
        NetSlice::Arp(_) => Err(Unread::OtherProtocol),
    }
}
