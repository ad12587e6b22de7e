//! [`Defragmenter`]: puts fragmented IP packets together.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    net::IpAddr,
    vec::Vec,
};

use etherparse::{
    IpNumber, Ipv6ExtensionSlice, Ipv6FragmentHeaderSlice, Ipv6Slice, NetSlice, SlicedPacket,
    TcpSlice, UdpSlice, defrag::IpDefragPool,
};

use super::{
    Captured, Segment, Unread,
    segment::{addresses, slice},
};

/// The limit for incomplete IP packets that are held. Each takes at most 64 KiB. Above the limit,
/// the older half is dropped.
const WAITING: usize = 256;
/// The number of whole IP packets that are remembered, to recognize late copies of their fragments.
/// A capture of several interfaces has each fragment several times within a few packets.
const FINISHED: usize = 16;

/// Finds UDP and TCP in the packets of a capture, and puts fragmented IP packets together.
///
/// ```no_run
/// use gdvar_packet::capture::{Defragmenter, Reader};
///
/// let mut reader = Reader::new(std::fs::File::open("game.pcap")?)?;
/// let mut fragments = Defragmenter::new();
/// while let Some(packet) = reader.try_next()? {
///     match fragments.find(&packet) {
///         Ok(Some(segment)) => println!("{} bytes for {}", segment.payload.len(), segment.target),
///         Ok(None) => {} // a fragment that waits for the others
///         Err(unread) => println!("a packet {unread}"),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Defragmenter {
    pool: IpDefragPool<u64>,
    /// For each incomplete packet: the number of its fragments so far, and when the last one
    /// arrived.
    waiting: BTreeMap<FragmentKey, (u64, u64)>,
    /// The number of fragments that were dropped with their packets.
    lost: u64,
    clock: u64,
    /// The last whole packets, the newest at the end.
    finished: VecDeque<(FragmentKey, Vec<u8>)>,
}

/// The source, the target and the identification of an IP packet. All fragments of a packet share
/// them.
type FragmentKey = (IpAddr, IpAddr, u32);

impl Default for Defragmenter {
    fn default() -> Defragmenter {
        Defragmenter::new()
    }
}

impl Defragmenter {
    /// Creates a defragmenter that holds no fragments.
    #[must_use]
    pub fn new() -> Defragmenter {
        Defragmenter {
            pool: IpDefragPool::new(),
            waiting: BTreeMap::new(),
            lost: 0,
            clock: 0,
            finished: VecDeque::new(),
        }
    }

    /// Finds UDP or TCP in `packet`. Returns `Ok(None)` for a fragment of an incomplete packet. The
    /// call with the last missing fragment returns the segment of the whole packet.
    ///
    /// # Errors
    /// Returns [`Unread`], the reason, if `packet` contains no UDP or TCP.
    pub fn find<'a>(&'a mut self, packet: &Captured<'a>) -> Result<Option<Segment<'a>>, Unread> {
        let is_cut = (packet.data.len() as u64) < u64::from(packet.wire_len);
        let cut = |unread| if is_cut { Unread::Cut } else { unread };
        match Segment::find(packet.link_type, packet.data) {
            Ok(segment) => Ok(Some(segment)),
            Err(Unread::Fragment) => self.fragment(packet).map_err(cut),
            // Games do not use other protocols. So this is the reason to report, even if the packet
            // is cut as well.
            Err(Unread::OtherProtocol) => Err(Unread::OtherProtocol),
            Err(unread) => Err(cut(unread)),
        }
    }

    /// The number of fragments whose packets are incomplete. Fragments that were dropped are
    /// included.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.lost + self.waiting.values().map(|(seen, _)| seen).sum::<u64>()
    }

    fn fragment<'a>(&'a mut self, packet: &Captured<'a>) -> Result<Option<Segment<'a>>, Unread> {
        let sliced = slice(packet.link_type, packet.data)?;
        let ends = addresses(&sliced)?;
        let key = (ends.0, ends.1, number(&sliced).ok_or(Unread::Fragment)?);
        if self.is_copy(key, &sliced) {
            return Ok(None);
        }
        self.clock += 1;
        let whole = self.pool.process_sliced_packet(&sliced, self.clock, ());
        let Ok(whole) = whole else {
            return Err(Unread::Fragment);
        };
        let Some(whole) = whole else {
            let entry = self.waiting.entry(key).or_default();
            *entry = (entry.0 + 1, self.clock);
            self.give_up_old();
            return Ok(None);
        };
        self.waiting.remove(&key);
        if self.finished.len() >= FINISHED {
            self.finished.pop_front();
        }
        self.finished.push_back((key, whole.payload));
        let payload = self.finished.back().map_or(&[][..], |(_, payload)| payload);
        let segment = match whole.ip_number {
            IpNumber::UDP => UdpSlice::from_slice(payload)
                .map(|udp| Segment::of_udp(ends, &udp))
                .map_err(|_| Unread::Damaged),
            IpNumber::TCP => TcpSlice::from_slice(payload)
                .map(|tcp| Segment::of_tcp(ends, &tcp))
                .map_err(|_| Unread::Damaged),
            _ => Err(Unread::OtherProtocol),
        };
        segment.map(Some)
    }

    /// Returns `true` if `packet` is a copy of a fragment of one of the last whole packets.
    fn is_copy(&self, key: FragmentKey, packet: &SlicedPacket<'_>) -> bool {
        let Some((offset, bytes)) = fragment(packet) else {
            return false;
        };
        let mut whole = self.finished.iter().filter(|(of, _)| *of == key);
        whole.any(|(_, whole)| {
            let own = whole.get(offset..).and_then(|rest| rest.get(..bytes.len()));
            own == Some(bytes)
        })
    }

    fn give_up_old(&mut self) {
        if self.waiting.len() <= WAITING {
            return;
        }
        let mut ages: Vec<u64> = self.waiting.values().map(|(_, last)| *last).collect();
        ages.sort_unstable();
        let oldest = ages[ages.len() / 2];
        self.pool.retain(|last| *last > oldest);
        let lost = &mut self.lost;
        self.waiting.retain(|_, (seen, last)| {
            let stays = *last > oldest;
            *lost += if stays { 0 } else { *seen };
            stays
        });
    }
}

/// Returns the offset of a fragment in its whole packet, and its bytes.
fn fragment<'p>(packet: &SlicedPacket<'p>) -> Option<(usize, &'p [u8])> {
    match packet.net.as_ref()? {
        NetSlice::Ipv4(ip) => {
            let offset = ip.header().fragments_offset().byte_offset();
            Some((offset.into(), ip.payload().payload))
        }
        NetSlice::Ipv6(ip) => {
            let offset = ipv6_fragment(ip)?.fragment_offset();
            Some((offset.byte_offset().into(), ip.payload().payload))
        }
        NetSlice::Arp(_) => None,
    }
}

/// Returns the header of a fragment of an IPv6 packet. `None` if the packet is none.
fn ipv6_fragment<'p>(ip: &Ipv6Slice<'p>) -> Option<Ipv6FragmentHeaderSlice<'p>> {
    let mut extensions = ip.extensions().clone().into_iter();
    extensions.find_map(|extension| match extension {
        Ipv6ExtensionSlice::Fragment(fragment) => Some(fragment),
        _ => None,
    })
}

/// Returns the identification that all fragments of an IP packet share. `None` if the packet has
/// none.
fn number(packet: &SlicedPacket<'_>) -> Option<u32> {
    match packet.net.as_ref()? {
        NetSlice::Ipv4(ip) => Some(ip.header().identification().into()),
        NetSlice::Ipv6(ip) => Some(ipv6_fragment(ip)?.identification()),
        NetSlice::Arp(_) => None,
    }
}

impl fmt::Debug for Defragmenter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Defragmenter")
            .field("waiting", &self.waiting.len())
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}
