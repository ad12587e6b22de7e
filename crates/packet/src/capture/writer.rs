//! [`Writer`]: writes pcap.

use std::{
    io::{self, Write},
    net::{IpAddr, SocketAddr},
    time::Duration,
    vec::Vec,
};

use etherparse::{PacketBuilder, PacketBuilderStep, err::packet::BuildWriteError};

use super::{LinkType, Protocol, Segment};

/// Writes a pcap with nanoseconds, which [`Reader`](super::Reader), tcpdump and Wireshark read. The
/// writer makes up the IP, UDP and TCP headers, so a segment need not come from a capture.
///
/// Each record is passed to the inner writer in one piece, so that a `BufWriter` never flushes half
/// a record.
///
/// ```
/// use std::{net::SocketAddr, time::Duration};
/// use gdvar_packet::capture::{Protocol, Reader, Segment, Writer};
///
/// let (source, target): (SocketAddr, SocketAddr) = ("127.0.0.1:40001".parse()?, "127.0.0.1:7777".parse()?);
/// let mut file = Vec::new();
/// let mut writer = Writer::new(&mut file)?;
/// writer.write(Duration::from_secs(1), Segment { source, target, protocol: Protocol::Udp, payload: b"hello" })?;
///
/// let mut reader = Reader::new(&file[..])?;
/// let packet = reader.try_next()?.unwrap();
/// let segment = Segment::find(packet.link_type, packet.data).unwrap();
/// assert_eq!((segment.target, segment.payload), (target, &b"hello"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    inner: W,
    record: Vec<u8>,
}

/// The magic number of a pcap with nanoseconds.
const MAGIC: u32 = 0xa1b2_3c4d;
/// The `snaplen` field of the file's header: the longest packet in the file.
const SNAPLEN: u32 = 0x4_0000;
/// The limit for the bytes of a TCP stream in one packet.
const SEGMENT: usize = 0xf000;
/// The header of a record: time, length in the file, length on the wire.
const HEADER: usize = 16;

impl<W: Write> Writer<W> {
    /// Writes the file's header to `inner`.
    ///
    /// # Errors
    /// Returns the error of the inner writer.
    pub fn new(mut inner: W) -> io::Result<Writer<W>> {
        let mut header = Vec::new();
        header.extend(MAGIC.to_le_bytes());
        header.extend([2, 0, 4, 0]);
        header.extend([0; 8]);
        header.extend(SNAPLEN.to_le_bytes());
        header.extend((LinkType::RAW as u32).to_le_bytes());
        inner.write_all(&header)?;
        Ok(Writer {
            inner,
            record: Vec::new(),
        })
    }

    /// Writes a datagram, or a piece of a stream. A long piece becomes several packets.
    ///
    /// # Errors
    /// Returns the error of the inner writer. Also fails if a datagram is too long for UDP.
    pub fn write(&mut self, time: Duration, segment: Segment<'_>) -> io::Result<()> {
        let Protocol::Tcp { sequence, .. } = segment.protocol else {
            return self.packet(time, segment, 0, segment.payload);
        };
        if segment.payload.is_empty() {
            return self.packet(time, segment, sequence, &[]);
        }
        let mut sequence = sequence;
        for piece in segment.payload.chunks(SEGMENT) {
            self.packet(time, segment, sequence, piece)?;
            sequence = sequence.wrapping_add(piece.len() as u32);
        }
        Ok(())
    }

    fn packet(
        &mut self,
        time: Duration,
        segment: Segment<'_>,
        sequence: u32,
        payload: &[u8],
    ) -> io::Result<()> {
        let (source, target) = (segment.source, segment.target);
        let ip = match (source.ip(), target.ip()) {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                PacketBuilder::ipv4(from.octets(), to.octets(), 64)
            }
            _ => PacketBuilder::ipv6(wide(source), wide(target), 64),
        };
        self.record.clear();
        self.record.resize(HEADER, 0);
        build(ip, segment, sequence, payload, &mut self.record)?;
        let seconds = u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
        let len = (self.record.len() - HEADER) as u32;
        for (place, word) in [seconds, time.subsec_nanos(), len, len]
            .into_iter()
            .enumerate()
        {
            self.record[4 * place..][..4].copy_from_slice(&word.to_le_bytes());
        }
        self.inner.write_all(&self.record)
    }

    /// Flushes the inner writer.
    ///
    /// # Errors
    /// Returns the error of the inner writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn wide(address: SocketAddr) -> [u8; 16] {
    match address.ip() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        IpAddr::V6(ip) => ip.octets(),
    }
}

fn build(
    ip: PacketBuilderStep<etherparse::IpHeaders>,
    segment: Segment<'_>,
    sequence: u32,
    payload: &[u8],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let ports = (segment.source.port(), segment.target.port());
    let written = match segment.protocol {
        Protocol::Udp => ip.udp(ports.0, ports.1).write(out, payload),
        Protocol::Tcp {
            is_syn,
            is_ack,
            is_end,
            ..
        } => {
            let mut tcp = ip.tcp(ports.0, ports.1, sequence, u16::MAX);
            if is_syn {
                tcp = tcp.syn();
            }
            if is_ack {
                tcp = tcp.ack(0);
            }
            if is_end {
                tcp = tcp.fin();
            }
            tcp.write(out, payload)
        }
    };
    written.map_err(|error| match error {
        BuildWriteError::Io(error) => error,
        error => io::Error::new(io::ErrorKind::InvalidInput, error),
    })
}
