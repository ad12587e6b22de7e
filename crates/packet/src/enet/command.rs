//! [`Command`]: one command of an ENet datagram.

use gdvar_write::Sink;

use super::Header;
#[cfg(feature = "alloc")]
use super::{MAX_DATAGRAM, NO_PEER};
use crate::{
    byte_reader::ByteReader,
    encode::{Encode, WriteError, put},
    error::{Error, PacketErrorKind},
};

/// One command of a datagram. It is plain data: fill in the fields and write it with [`Encode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command<'a> {
    /// `true` if the receiver must acknowledge the command.
    pub wants_ack: bool,
    /// `true` if the command is outside the order of its channel.
    pub unsequenced: bool,
    /// The channel. 255 for commands about the connection.
    pub channel: u8,
    /// The number among the reliable commands of the channel. For an unreliable command, the number
    /// of the last reliable one before it.
    pub sequence: u16,
    /// What the command does, with its contents.
    pub body: Body<'a>,
}

/// The contents of a [`Command`], with the number of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body<'a> {
    /// 1: acknowledges a command.
    Acknowledge {
        /// The number of the acknowledged command.
        sequence: u16,
        /// The `sent_time` of the datagram that contained the command.
        sent_time: u16,
    },
    /// 2: a client asks for a connection.
    Connect {
        /// The client's numbers, limits and bandwidths.
        handshake: Handshake,
        /// In Godot, the peer id that the client chose for itself.
        data: u32,
    },
    /// 3: the server accepts the connection.
    VerifyConnect(Handshake),
    /// 4: the sender disconnects.
    Disconnect {
        /// A number that the game chooses.
        data: u32,
    },
    /// 5: asks for an acknowledgement.
    Ping,
    /// 6: a packet that is repeated until it is acknowledged.
    Reliable(&'a [u8]),
    /// 7: a packet that may be lost. The receiver drops it if a later packet arrived first.
    Unreliable {
        /// The number among the unreliable packets since the last reliable command.
        number: u16,
        /// The packet, without the header of the command.
        packet: &'a [u8],
    },
    /// 8 or 12: a fragment of a packet that is longer than a datagram.
    Fragment(Fragment<'a>),
    /// 9: a packet that may be lost and is outside any order.
    Unsequenced {
        /// The number of the packet.
        group: u16,
        /// The packet, without the header of the command.
        packet: &'a [u8],
    },
    /// 10: the bandwidth of the sender in bytes per second; 0 is unlimited.
    BandwidthLimit {
        /// The bytes per second that the sender can receive.
        incoming: u32,
        /// The bytes per second that the sender can send.
        outgoing: u32,
    },
    /// 11: how quickly the sender drops unreliable packets on a bad connection.
    ThrottleConfigure {
        /// The interval between measurements, in milliseconds.
        interval: u32,
        /// The step by which the throttle rises, in 32nds.
        acceleration: u32,
        /// The step by which the throttle falls, in 32nds.
        deceleration: u32,
    },
}

/// What one side of a connection tells the other about itself: numbers, limits and bandwidths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Handshake {
    /// The number that the sender gives to the receiver, for the receiver's headers.
    pub peer: u16,
    /// The session number for incoming datagrams. 255 if there is none yet.
    pub incoming_session: u8,
    /// The session number for outgoing datagrams. 255 if there is none yet.
    pub outgoing_session: u8,
    /// The longest datagram, in bytes.
    pub mtu: u32,
    /// The number of bytes that may be in flight without an acknowledgement.
    pub window: u32,
    /// The number of channels.
    pub channels: u32,
    /// The bytes that the sender can receive per second; 0 is unlimited.
    pub incoming_bandwidth: u32,
    /// The bytes that the sender can send per second; 0 is unlimited.
    pub outgoing_bandwidth: u32,
    /// The interval between measurements, in milliseconds.
    pub throttle_interval: u32,
    /// The step by which the throttle rises, in 32nds.
    pub throttle_acceleration: u32,
    /// The step by which the throttle falls, in 32nds.
    pub throttle_deceleration: u32,
    /// A number that the client chose for this connection.
    pub connect_id: u32,
}

/// A fragment of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment<'a> {
    /// `true` if the fragment is repeated until it is acknowledged.
    pub reliable: bool,
    /// The number of the first fragment, which is also the number of the packet.
    pub start: u16,
    /// The number of fragments.
    pub count: u32,
    /// The index of this fragment, from 0.
    pub number: u32,
    /// The length of the packet in bytes.
    pub total: u32,
    /// The offset of this fragment in the packet.
    pub offset: u32,
    /// The bytes of this fragment.
    pub data: &'a [u8],
}

/// How a packet is delivered, with Godot's names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Delivery {
    /// Packets are repeated until they arrive, and are received in order.
    Reliable,
    /// Packets may be lost. Those that arrive are received in order.
    UnreliableOrdered,
    /// Packets may be lost, and may be received in any order.
    Unreliable,
}

impl Delivery {
    /// The name: `reliable`, `unreliable_ordered` or `unreliable`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Delivery::Reliable => "reliable",
            Delivery::UnreliableOrdered => "unreliable_ordered",
            Delivery::Unreliable => "unreliable",
        }
    }
}

const WANTS_ACK: u8 = 0x80;
const UNSEQUENCED: u8 = 0x40;
/// The channel of commands about the connection.
#[cfg(feature = "alloc")]
const CONTROL: u8 = 255;
/// The smallest limit for a datagram (`ENET_PROTOCOL_MINIMUM_MTU`).
#[cfg(feature = "alloc")]
const MIN_MTU: u32 = 576;
/// The longest fragmented packet (`ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE`).
const MAX_PACKET: u32 = 32 << 20;
/// The highest number of fragments (`ENET_PROTOCOL_MAXIMUM_FRAGMENT_COUNT`).
const MAX_FRAGMENTS: u32 = 1 << 20;

impl<'a> Command<'a> {
    #[inline]
    pub(super) fn read(reader: &mut ByteReader<'a>) -> Result<Command<'a>, Error> {
        let at = reader.at();
        let head = reader.u8()?;
        let (channel, sequence) = (reader.u8()?, reader.u16_be()?);
        let body = match head & 0xf {
            1 => Body::Acknowledge {
                sequence: reader.u16_be()?,
                sent_time: reader.u16_be()?,
            },
            2 => Body::Connect {
                handshake: Handshake::read(reader)?,
                data: reader.u32_be()?,
            },
            3 => Body::VerifyConnect(Handshake::read(reader)?),
            4 => Body::Disconnect {
                data: reader.u32_be()?,
            },
            5 => Body::Ping,
            6 => Body::Reliable(packet(reader)?),
            7 => Body::Unreliable {
                number: reader.u16_be()?,
                packet: packet(reader)?,
            },
            8 => Body::Fragment(Fragment::read(reader, true)?),
            9 => Body::Unsequenced {
                group: reader.u16_be()?,
                packet: packet(reader)?,
            },
            10 => Body::BandwidthLimit {
                incoming: reader.u32_be()?,
                outgoing: reader.u32_be()?,
            },
            11 => Body::ThrottleConfigure {
                interval: reader.u32_be()?,
                acceleration: reader.u32_be()?,
                deceleration: reader.u32_be()?,
            },
            12 => Body::Fragment(Fragment::read(reader, false)?),
            number => return Err(Error::new(at, PacketErrorKind::UnknownCommand { number })),
        };
        Ok(Command {
            wants_ack: head & WANTS_ACK != 0,
            unsequenced: head & UNSEQUENCED != 0,
            channel,
            sequence,
            body,
        })
    }

    /// Creates a command that must be acknowledged.
    #[must_use]
    pub const fn reliable(channel: u8, sequence: u16, body: Body<'a>) -> Command<'a> {
        Command {
            wants_ack: true,
            unsequenced: false,
            channel,
            sequence,
            body,
        }
    }

    /// Returns the acknowledgement of this command, which arrived in a datagram with the header
    /// `header`. Returns `None` if the command does not want an acknowledgement, or if `header` has
    /// no `sent_time`.
    #[must_use]
    pub const fn acknowledgement(&self, header: Header) -> Option<Command<'static>> {
        match header.sent_time {
            Some(sent_time) if self.wants_ack => Some(Command {
                wants_ack: false,
                unsequenced: false,
                channel: self.channel,
                sequence: self.sequence,
                body: Body::Acknowledge {
                    sequence: self.sequence,
                    sent_time,
                },
            }),
            _ => None,
        }
    }

    /// The number of the command's kind: 1 to 12.
    #[must_use]
    pub const fn number(&self) -> u8 {
        match self.body {
            Body::Acknowledge { .. } => 1,
            Body::Connect { .. } => 2,
            Body::VerifyConnect(_) => 3,
            Body::Disconnect { .. } => 4,
            Body::Ping => 5,
            Body::Reliable(_) => 6,
            Body::Unreliable { .. } => 7,
            Body::Fragment(Fragment { reliable: true, .. }) => 8,
            Body::Unsequenced { .. } => 9,
            Body::BandwidthLimit { .. } => 10,
            Body::ThrottleConfigure { .. } => 11,
            Body::Fragment(_) => 12,
        }
    }

    /// The name, such as `ACKNOWLEDGE` or `SEND_RELIABLE`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.body {
            Body::Acknowledge { .. } => "ACKNOWLEDGE",
            Body::Connect { .. } => "CONNECT",
            Body::VerifyConnect(_) => "VERIFY_CONNECT",
            Body::Disconnect { .. } => "DISCONNECT",
            Body::Ping => "PING",
            Body::Reliable(_) => "SEND_RELIABLE",
            Body::Unreliable { .. } => "SEND_UNRELIABLE",
            Body::Fragment(Fragment { reliable: true, .. }) => "SEND_FRAGMENT",
            Body::Unsequenced { .. } => "SEND_UNSEQUENCED",
            Body::BandwidthLimit { .. } => "BANDWIDTH_LIMIT",
            Body::ThrottleConfigure { .. } => "THROTTLE_CONFIGURE",
            Body::Fragment(_) => "SEND_UNRELIABLE_FRAGMENT",
        }
    }

    /// True if ENet would send this command in a datagram with this header: with these flags, on
    /// this channel. A sender without a number sends only CONNECT and DISCONNECT.
    #[cfg(feature = "alloc")]
    pub(super) fn is_as_sent(&self, header: Header) -> bool {
        let (reliable, plain, unsequenced) = ((true, false), (false, false), (false, true));
        let flags = (self.wants_ack, self.unsequenced);
        let is_control = self.channel == CONTROL;
        let is_new = header.peer == NO_PEER;
        let is_mtu = |mtu: u32| (MIN_MTU..=MAX_DATAGRAM as u32).contains(&mtu);
        match self.body {
            Body::Connect { handshake, .. } => {
                is_new && is_control && flags == reliable && is_mtu(handshake.mtu)
            }
            Body::Disconnect { .. } => is_control && (flags == reliable || flags == unsequenced),
            _ if is_new => false,
            Body::Acknowledge { .. } => flags == plain,
            Body::VerifyConnect(handshake) => {
                is_control && flags == reliable && is_mtu(handshake.mtu)
            }
            Body::Ping | Body::BandwidthLimit { .. } | Body::ThrottleConfigure { .. } => {
                is_control && flags == reliable
            }
            Body::Reliable(_) => !is_control && flags == reliable,
            Body::Fragment(piece) => !is_control && flags == (piece.reliable, false),
            Body::Unreliable { .. } => !is_control && flags == plain,
            Body::Unsequenced { .. } => !is_control && flags == unsequenced,
        }
    }

    /// How the packet is sent. `None` if the command carries no packet.
    #[must_use]
    pub const fn delivery(&self) -> Option<Delivery> {
        match self.body {
            Body::Reliable(_) | Body::Fragment(Fragment { reliable: true, .. }) => {
                Some(Delivery::Reliable)
            }
            Body::Unreliable { .. } | Body::Fragment(_) => Some(Delivery::UnreliableOrdered),
            Body::Unsequenced { .. } => Some(Delivery::Unreliable),
            _ => None,
        }
    }
}

/// Reads a length of two bytes and a packet of that length.
#[inline]
fn packet<'a>(reader: &mut ByteReader<'a>) -> Result<&'a [u8], Error> {
    let len = reader.u16_be()?;
    reader.take(len.into())
}

impl Handshake {
    fn read(reader: &mut ByteReader<'_>) -> Result<Handshake, Error> {
        Ok(Handshake {
            peer: reader.u16_be()?,
            incoming_session: reader.u8()?,
            outgoing_session: reader.u8()?,
            mtu: reader.u32_be()?,
            window: reader.u32_be()?,
            channels: reader.u32_be()?,
            incoming_bandwidth: reader.u32_be()?,
            outgoing_bandwidth: reader.u32_be()?,
            throttle_interval: reader.u32_be()?,
            throttle_acceleration: reader.u32_be()?,
            throttle_deceleration: reader.u32_be()?,
            connect_id: reader.u32_be()?,
        })
    }

    /// Creates the handshake of a Godot client with this number of channels and unlimited
    /// bandwidth.
    #[must_use]
    pub const fn client(peer: u16, channels: u32, connect_id: u32) -> Handshake {
        Handshake {
            peer,
            incoming_session: 255,
            outgoing_session: 255,
            mtu: 1392,
            window: 65536,
            channels,
            incoming_bandwidth: 0,
            outgoing_bandwidth: 0,
            throttle_interval: 5000,
            throttle_acceleration: 2,
            throttle_deceleration: 2,
            connect_id,
        }
    }
}

impl<'a> Fragment<'a> {
    fn read(reader: &mut ByteReader<'a>, reliable: bool) -> Result<Fragment<'a>, Error> {
        let at = reader.at();
        let (start, len) = (reader.u16_be()?, reader.u16_be()?);
        let (count, number) = (reader.u32_be()?, reader.u32_be()?);
        let (total, offset) = (reader.u32_be()?, reader.u32_be()?);
        let data = reader.take(len.into())?;
        // ENet refuses these fragments, too (`enet_protocol_handle_send_fragment`).
        let fits = u64::from(offset) + u64::from(len) <= u64::from(total);
        if count == 0
            || count > MAX_FRAGMENTS
            || number >= count
            || total > MAX_PACKET
            || total < count
            || !fits
        {
            return Err(Error::new(at, PacketErrorKind::BadFragment));
        }
        Ok(Fragment {
            reliable,
            start,
            count,
            number,
            total,
            offset,
            data,
        })
    }
}

impl Encode for Command<'_> {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let flags = |flag: u8, on: bool| if on { flag } else { 0 };
        let head =
            self.number() | flags(WANTS_ACK, self.wants_ack) | flags(UNSEQUENCED, self.unsequenced);
        put(&[head, self.channel], sink)?;
        put16(self.sequence, sink)?;
        match self.body {
            Body::Acknowledge {
                sequence,
                sent_time,
            } => {
                put16(sequence, sink)?;
                put16(sent_time, sink)
            }
            Body::Connect { handshake, data } => {
                handshake.encode(sink)?;
                put32(&[data], sink)
            }
            Body::VerifyConnect(handshake) => handshake.encode(sink),
            Body::Disconnect { data } => put32(&[data], sink),
            Body::Ping => Ok(()),
            Body::Reliable(packet) => put_packet(packet, sink),
            Body::Unreliable { number, packet } => {
                put16(number, sink)?;
                put_packet(packet, sink)
            }
            Body::Fragment(piece) => {
                put16(piece.start, sink)?;
                put16(length(piece.data)?, sink)?;
                put32(
                    &[piece.count, piece.number, piece.total, piece.offset],
                    sink,
                )?;
                put(piece.data, sink)
            }
            Body::Unsequenced { group, packet } => {
                put16(group, sink)?;
                put_packet(packet, sink)
            }
            Body::BandwidthLimit { incoming, outgoing } => put32(&[incoming, outgoing], sink),
            Body::ThrottleConfigure {
                interval,
                acceleration,
                deceleration,
            } => put32(&[interval, acceleration, deceleration], sink),
        }
    }
}

impl Handshake {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        put16(self.peer, sink)?;
        put(&[self.incoming_session, self.outgoing_session], sink)?;
        let words = [
            self.mtu,
            self.window,
            self.channels,
            self.incoming_bandwidth,
            self.outgoing_bandwidth,
            self.throttle_interval,
            self.throttle_acceleration,
            self.throttle_deceleration,
            self.connect_id,
        ];
        put32(&words, sink)
    }
}

fn put16<S: Sink>(value: u16, sink: &mut S) -> Result<(), WriteError<S::Error>> {
    put(&value.to_be_bytes(), sink)
}

fn put32<S: Sink>(values: &[u32], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    values
        .iter()
        .try_for_each(|value| put(&value.to_be_bytes(), sink))
}

fn length<E>(packet: &[u8]) -> Result<u16, WriteError<E>> {
    u16::try_from(packet.len()).map_err(|_| WriteError::TooLong {
        len: packet.len(),
        most: u16::MAX.into(),
    })
}

fn put_packet<S: Sink>(packet: &[u8], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    put16(length(packet)?, sink)?;
    put(packet, sink)
}
