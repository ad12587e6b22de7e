//! [`Reader`]: reads pcap and pcapng.

use std::{
    boxed::Box,
    fmt,
    io::{self, Cursor, Read},
    time::Duration,
    vec,
    vec::Vec,
};

use pcap_parser::{
    Block, Linktype, PcapBlockOwned, PcapError, create_reader, traits::PcapReaderIterator,
};

/// The framing of a network interface: a `LINKTYPE_` number of libpcap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LinkType(pub i32);

/// One packet of a capture, with its link-layer header.
#[derive(Clone, Copy, Debug)]
pub struct Captured<'a> {
    /// The time of capture, since 1970.
    pub time: Duration,
    /// The link-layer framing of `data`. [`LinkType::UNDESCRIBED`] if the capture does not describe
    /// the packet's interface.
    pub link_type: LinkType,
    /// The length on the wire, in bytes. `data` is shorter if the capture cut the packet.
    pub wire_len: u32,
    /// The packet's bytes from its first header on.
    pub data: &'a [u8],
}

/// Why a capture cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum CaptureError {
    /// Reading the capture failed.
    Io(io::Error),
    /// The bytes are neither pcap nor pcapng.
    NotACapture,
    /// The capture is damaged, or has a packet of more than 4 MiB.
    Damaged,
    /// The capture ends in the middle of a packet.
    Cut,
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CaptureError::Io(error) => return error.fmt(f),
            CaptureError::NotACapture => "this is neither pcap nor pcapng",
            CaptureError::Damaged => "the capture is damaged",
            CaptureError::Cut => "the capture ends in the middle of a packet",
        })
    }
}

impl core::error::Error for CaptureError {}

impl From<io::Error> for CaptureError {
    fn from(error: io::Error) -> CaptureError {
        CaptureError::Io(error)
    }
}

/// The size of the read buffer, and so the longest packet.
const BUFFER: usize = 4 << 20;
/// The type of a section header in pcapng.
const SECTION: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
/// The type of an obsolete Packet Block in pcapng.
const OBSOLETE_PACKET: u32 = 2;
/// The limit for the interfaces of a section that are remembered.
const INTERFACES: usize = 4096;

/// Reads the packets of a capture in sequence, through a buffer of 4 MiB.
pub struct Reader<'r> {
    inner: Box<dyn PcapReaderIterator + Send + 'r>,
    interfaces: Vec<Interface>,
    is_nanoseconds: bool,
    is_big_endian: bool,
    packet: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Interface {
    link_type: LinkType,
    resolution: u64,
    offset: i64,
}

/// The header of a packet whose bytes are in the buffer.
struct PacketHeader {
    time: Duration,
    link_type: LinkType,
    wire_len: u32,
}

impl<'r> Reader<'r> {
    /// Reads the header of a capture. `read` needs no buffering. On a pipe, packets are returned as
    /// soon as they arrive.
    ///
    /// # Errors
    /// Fails if reading fails, or the bytes are not a capture.
    pub fn new(mut read: impl Read + Send + 'r) -> Result<Reader<'r>, CaptureError> {
        // The parser needs the first header in one read, which a pipe need not provide.
        let head = first_header(&mut read)?;
        let read = Cursor::new(head).chain(read);
        let inner = create_reader(BUFFER, read).map_err(|_| CaptureError::NotACapture)?;
        Ok(Reader {
            inner,
            interfaces: Vec::new(),
            is_nanoseconds: false,
            is_big_endian: false,
            packet: Vec::new(),
        })
    }

    /// Reads the next packet, and copies its bytes once. Returns `Ok(None)` at the end.
    ///
    /// # Errors
    /// Fails if reading fails, or the capture is damaged or cut.
    pub fn try_next(&mut self) -> Result<Option<Captured<'_>>, CaptureError> {
        loop {
            let step = match self.inner.next() {
                Ok((len, block)) => {
                    let state = BlockState {
                        interfaces: &mut self.interfaces,
                        is_nanoseconds: &mut self.is_nanoseconds,
                        is_big_endian: &mut self.is_big_endian,
                    };
                    BlockRead::Block(len, take(block, state, &mut self.packet))
                }
                Err(PcapError::Eof) => return Ok(None),
                Err(PcapError::Incomplete(_)) => BlockRead::More,
                Err(PcapError::UnexpectedEof) => return Err(CaptureError::Cut),
                Err(PcapError::ReadError) => {
                    let error = io::Error::other("the capture cannot be read");
                    return Err(CaptureError::Io(error));
                }
                Err(_) => return Err(CaptureError::Damaged),
            };
            match step {
                BlockRead::Block(len, head) => {
                    self.inner.consume(len);
                    if let Some(head) = head {
                        return Ok(Some(Captured {
                            time: head.time,
                            link_type: head.link_type,
                            wire_len: head.wire_len,
                            data: &self.packet,
                        }));
                    }
                }
                BlockRead::More if self.inner.reader_exhausted() => return Err(CaptureError::Cut),
                BlockRead::More => self.inner.refill().map_err(|_| CaptureError::Damaged)?,
            }
        }
    }
}

/// What the reader finds at the start of the buffer.
enum BlockRead {
    /// A block of this length in bytes, and the header of its packet if it contains one.
    Block(usize, Option<PacketHeader>),
    /// The buffer ends in the middle of a block.
    More,
}

/// Reads the header of a pcap, or the first block of a pcapng.
fn first_header(read: &mut impl Read) -> Result<Vec<u8>, CaptureError> {
    let mut head = vec![0; 12];
    let short = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CaptureError::NotACapture,
        _ => CaptureError::Io(error),
    };
    read.read_exact(&mut head).map_err(short)?;
    let len = if head[..4] == SECTION {
        let len: [u8; 4] = head[4..8].try_into().unwrap_or_default();
        match head[8] {
            0x1a => u32::from_be_bytes(len),
            _ => u32::from_le_bytes(len),
        }
    } else {
        24
    };
    let len = len as usize;
    if !(12..=1 << 16).contains(&len) {
        return Err(CaptureError::NotACapture);
    }
    head.resize(len, 0);
    read.read_exact(&mut head[12..]).map_err(short)?;
    Ok(head)
}

/// The facts from earlier blocks that later blocks depend on.
struct BlockState<'r> {
    interfaces: &'r mut Vec<Interface>,
    is_nanoseconds: &'r mut bool,
    is_big_endian: &'r mut bool,
}

/// Reads `block`, and updates `state`. Copies the bytes of the block's packet into `packet`, and
/// returns the packet's header. Returns `None` if `block` contains no packet.
fn take(
    block: PcapBlockOwned<'_>,
    state: BlockState<'_>,
    packet: &mut Vec<u8>,
) -> Option<PacketHeader> {
    let BlockState {
        interfaces,
        is_nanoseconds,
        is_big_endian,
    } = state;
    let link = |linktype: Linktype| LinkType(linktype.0);
    packet.clear();
    match block {
        PcapBlockOwned::LegacyHeader(header) => {
            *is_nanoseconds = header.is_nanosecond_precision();
            interfaces.push(Interface {
                link_type: link(header.network),
                resolution: 0,
                offset: 0,
            });
            None
        }
        PcapBlockOwned::Legacy(block) => {
            let fraction = block.ts_usec.min(999_999_999);
            let nanoseconds = match is_nanoseconds {
                true => fraction,
                false => fraction.min(999_999) * 1000,
            };
            packet.extend_from_slice(block.data);
            Some(PacketHeader {
                time: Duration::new(block.ts_sec.into(), nanoseconds),
                link_type: described(interfaces, 0).link_type,
                wire_len: block.origlen,
            })
        }
        PcapBlockOwned::NG(Block::SectionHeader(section)) => {
            *is_big_endian = section.big_endian();
            interfaces.clear();
            None
        }
        PcapBlockOwned::NG(Block::InterfaceDescription(block)) => {
            if interfaces.len() < INTERFACES {
                interfaces.push(Interface {
                    link_type: link(block.linktype),
                    resolution: resolution(block.if_tsresol),
                    // The parser always reads the offset as little-endian.
                    offset: match is_big_endian {
                        true => block.ts_offset().swap_bytes(),
                        false => block.ts_offset(),
                    },
                });
            }
            None
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(block)) => {
            let interface = described(interfaces, block.if_id);
            let ticks = u64::from(block.ts_high) << 32 | u64::from(block.ts_low);
            let len = block.data.len().min(block.caplen as usize);
            packet.extend_from_slice(&block.data[..len]);
            Some(PacketHeader {
                time: time(ticks, interface),
                link_type: interface.link_type,
                wire_len: block.origlen,
            })
        }
        PcapBlockOwned::NG(Block::SimplePacket(block)) => {
            let len = block.data.len().min(block.origlen as usize);
            packet.extend_from_slice(&block.data[..len]);
            Some(PacketHeader {
                time: Duration::ZERO,
                link_type: described(interfaces, 0).link_type,
                wire_len: block.origlen,
            })
        }
        PcapBlockOwned::NG(Block::Unknown(block)) => {
            // The parser always reads the type as little-endian.
            let kind = match is_big_endian {
                true => block.block_type.swap_bytes(),
                false => block.block_type,
            };
            let is_packet = kind == OBSOLETE_PACKET;
            is_packet.then(|| obsolete_packet(block.data, *is_big_endian, interfaces, packet))
        }
        PcapBlockOwned::NG(_) => None,
    }
}

/// Reads the body of an obsolete Packet Block, which older programs write: the numbers of the
/// interface and of lost packets in 16 bits each, then the fields of an Enhanced Packet Block. A
/// body without these fields is an empty packet.
fn obsolete_packet(
    body: &[u8],
    is_big_endian: bool,
    interfaces: &[Interface],
    packet: &mut Vec<u8>,
) -> PacketHeader {
    let Some((fields, data)) = body.split_at_checked(20) else {
        return PacketHeader {
            time: Duration::ZERO,
            link_type: LinkType::UNDESCRIBED,
            wire_len: 0,
        };
    };
    let number = |at: usize| {
        let bytes = [fields[at], fields[at + 1], fields[at + 2], fields[at + 3]];
        match is_big_endian {
            true => u32::from_be_bytes(bytes),
            false => u32::from_le_bytes(bytes),
        }
    };
    let interface = match is_big_endian {
        true => u16::from_be_bytes([fields[0], fields[1]]),
        false => u16::from_le_bytes([fields[0], fields[1]]),
    };
    let interface = described(interfaces, interface.into());
    let ticks = u64::from(number(4)) << 32 | u64::from(number(8));
    packet.extend_from_slice(&data[..data.len().min(number(12) as usize)]);
    PacketHeader {
        time: time(ticks, interface),
        link_type: interface.link_type,
        wire_len: number(16),
    }
}

/// Returns the interface with this number, or one of unknown link type if the capture does not
/// describe it.
fn described(interfaces: &[Interface], number: u32) -> Interface {
    let undescribed = Interface {
        link_type: LinkType::UNDESCRIBED,
        resolution: 1_000_000,
        offset: 0,
    };
    let found = interfaces.get(number as usize);
    found.copied().unwrap_or(undescribed)
}

/// Returns the ticks per second for an `if_tsresol` option: a power of two if its high bit is set,
/// otherwise a power of ten. An impossible value counts as microseconds. The function of the parser
/// crate is not used, because it refuses every power of two.
fn resolution(if_tsresol: u8) -> u64 {
    let ticks = match if_tsresol & 0x80 {
        0 => 10_u64.checked_pow(if_tsresol.into()),
        _ => 1_u64.checked_shl((if_tsresol & 0x7f).into()),
    };
    ticks.unwrap_or(1_000_000)
}

fn time(ticks: u64, interface: Interface) -> Duration {
    let resolution = interface.resolution.max(1);
    let seconds = (ticks / resolution).saturating_add_signed(interface.offset);
    let rest = u128::from(ticks % resolution) * 1_000_000_000 / u128::from(resolution);
    Duration::new(seconds, rest as u32)
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}
