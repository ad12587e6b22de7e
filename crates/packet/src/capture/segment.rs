//! [`Segment`]: UDP and TCP in a captured packet.

use std::net::{IpAddr, SocketAddr};

use etherparse::{EtherType, NetSlice, SlicedPacket, TransportSlice};

use super::LinkType;

/// A UDP datagram or a TCP segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// From where.
    pub source: SocketAddr,
    /// To where.
    pub target: SocketAddr,
    /// Which protocol.
    pub protocol: Protocol,
    /// The bytes it carries.
    pub payload: &'a [u8],
}

/// Which protocol a [`Segment`] is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// A datagram.
    Udp,
    /// A piece of a stream.
    Tcp {
        /// The number of its first byte.
        sequence: u32,
        /// `true` if it opens the connection.
        is_syn: bool,
        /// `true` if it acknowledges something: with `is_syn` it is from the server.
        is_ack: bool,
        /// `true` if it closes the connection, in order or not.
        is_end: bool,
    },
}

impl LinkType {
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
    /// Looks for UDP or TCP behind the headers of a captured packet: Ethernet, Linux cooked (both
    /// versions), loopback of BSD, or none; VLAN; IPv4 or IPv6. `None` for another protocol, for a
    /// fragment of an IP packet, and for headers that are cut or damaged. Checksums are not looked at:
    /// captures of the sending machine have wrong ones.
    #[must_use]
    pub fn find(link_type: LinkType, data: &'a [u8]) -> Option<Segment<'a>> {
        let packet = match link_type.0 {
            LinkType::ETHERNET => SlicedPacket::from_ethernet(data),
            LinkType::RAW | LinkType::IPV4 | LinkType::IPV6 => SlicedPacket::from_ip(data),
            LinkType::NULL | LinkType::LOOP => SlicedPacket::from_ip(data.get(4..)?),
            LinkType::LINUX_SLL => SlicedPacket::from_linux_sll(data),
            LinkType::LINUX_SLL2 => {
                let protocol = u16::from_be_bytes(*data.first_chunk()?);
                SlicedPacket::from_ether_type(EtherType(protocol), data.get(20..)?)
            }
            _ => return None,
        };
        let packet = packet.ok()?;
        if packet.is_ip_payload_fragmented() {
            return None;
        }
        let (source, target): (IpAddr, IpAddr) = match packet.net? {
            NetSlice::Ipv4(ip) => (
                ip.header().source_addr().into(),
                ip.header().destination_addr().into(),
            ),
            NetSlice::Ipv6(ip) => (
                ip.header().source_addr().into(),
                ip.header().destination_addr().into(),
            ),
            NetSlice::Arp(_) => return None,
        };
        let (ports, protocol, payload) = match packet.transport? {
            TransportSlice::Udp(udp) => (
                (udp.source_port(), udp.destination_port()),
                Protocol::Udp,
                udp.payload(),
            ),
            TransportSlice::Tcp(tcp) => (
                (tcp.source_port(), tcp.destination_port()),
                Protocol::Tcp {
                    sequence: tcp.sequence_number(),
                    is_syn: tcp.syn(),
                    is_ack: tcp.ack(),
                    is_end: tcp.fin() || tcp.rst(),
                },
                tcp.payload(),
            ),
            _ => return None,
        };
        Some(Segment {
            source: SocketAddr::new(source, ports.0),
            target: SocketAddr::new(target, ports.1),
            protocol,
            payload,
        })
    }
}
