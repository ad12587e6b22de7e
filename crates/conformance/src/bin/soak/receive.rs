//! The receiver: what a careful server does with each packet.

use std::{
    hint::black_box,
    io::{self, Read},
    net::TcpStream,
    time::{Duration, Instant},
};

use gdvar::{
    Dialect, Document, Event, PrefixOrder, Variant, VariantRef, frames,
    write::{Target, Writer, transcode},
};

use gdvar_conformance::vectors::hex;

use crate::packets::{MOST, class};

/// How much resident memory may differ between the warm start and the end.
const GROWTH: u64 = 2 << 20;

/// The counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
    /// As the sender says: good ones, bad ones, and those nobody vouches for.
    pub(crate) classes: [u64; 3],
    pub(crate) accepted: u64,
    pub(crate) refused: u64,
    /// Verdicts that differ from what the sender knows.
    pub(crate) wrong: u64,
    /// Connections that ended clean, in a packet, or with a lie.
    pub(crate) ends: [u64; 3],
}

#[derive(Debug, Default)]
pub(crate) struct Receiver {
    pub(crate) seen: Seen,
    /// Resident memory once a tenth of the time was over.
    warm: Option<u64>,
}

/// Looks at everything.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn add(&mut self, value: VariantRef<'_>) {
        if let Some(int) = value.as_i64() {
            self.0 = self.0.wrapping_add(int as u64);
        } else if let Some(float) = value.as_f64() {
            self.0 ^= float.to_bits();
        } else if let Some(text) = value.as_text() {
            self.0 = self.0.wrapping_add(text.as_bytes().len() as u64);
        }
    }
}

impl Receiver {
    /// Takes note of the memory once everything was used for a while.
    pub(crate) fn warm(&mut self, start: Instant, time: Duration) {
        if self.warm.is_none() && start.elapsed() > time / 10 {
            self.warm = resident();
        }
    }

    /// A verdict and a value.
    pub(crate) fn packet(&mut self, packet: &[u8]) {
        self.seen.packets += 1;
        self.seen.bytes += packet.len() as u64;
        let (class, bytes) = (class(packet), packet.get(1..).unwrap_or_default());
        self.seen.classes[class] += 1;
        let document = Document::new(bytes, Dialect::GODOT_4);
        let accepted = document.validate() == Ok(bytes.len());
        if accepted {
            self.seen.accepted += 1;
        } else {
            self.seen.refused += 1;
        }
        if class < 2 && accepted != (class == 0) {
            self.seen.wrong += 1;
            if self.seen.wrong <= 3 {
                let start = hex(bytes.get(..bytes.len().min(32)).unwrap_or_default());
                let size = bytes.len();
                println!("WRONG: {size} bytes, {start}…: accepted {accepted}");
            }
        }
        // For any verdict, the rest of the crates is there for strangers too.
        let mut sum = Sum::default();
        let mut events = document.events();
        while let Ok(Some(event)) = events.try_next() {
            if let Event::Value(value) = event {
                sum.add(value);
            }
        }
        black_box(sum.0);
        black_box(document.get("position.x")).ok();
        if self.seen.packets % 16 == 0 {
            black_box(document.strict().validate()).ok();
            if let Ok(owned) = Variant::from_slice(bytes, Dialect::GODOT_4) {
                black_box(owned.to_vec(Target::GODOT_4)).ok();
            }
            let mut writer = Writer::new(Vec::new(), Target::GODOT_3);
            black_box(transcode(document, &mut writer)).ok();
        }
    }

    /// Reads a connection to its end; false if nothing came.
    pub(crate) fn connection(
        &mut self,
        mut stream: TcpStream,
        start: Instant,
        time: Duration,
    ) -> io::Result<bool> {
        // Never more than one packet and what came with it: a length buys no memory.
        let mut buffer = vec![0; 4 * MOST];
        let (mut used, mut any) = (0, false);
        loop {
            let size = stream.read(buffer.get_mut(used..).unwrap_or_default())?;
            self.warm(start, time);
            any |= size > 0;
            if size == 0 {
                if any {
                    self.seen.ends[usize::from(used > 0)] += 1;
                }
                return Ok(any);
            }
            used += size;
            let (mut whole, mut lie) = (0, false);
            let mut records = frames(buffer.get(..used).unwrap_or_default(), PrefixOrder::Little);
            loop {
                match records.try_next() {
                    Ok(Some(frame)) if frame.is_cut() => {
                        lie = frame.declared as usize > MOST;
                        break;
                    }
                    Ok(Some(frame)) => {
                        self.packet(frame.bytes);
                        whole = records.position();
                    }
                    Ok(None) => break,
                    // Less than a length is there, or it is one that no value has.
                    Err(error) => {
                        lie = !error.is_truncated();
                        break;
                    }
                }
            }
            if lie {
                self.seen.ends[2] += 1;
                return Ok(true);
            }
            buffer.copy_within(whole..used, 0);
            used -= whole;
        }
    }

    /// Prints the figures; whether all is as it should be.
    pub(crate) fn report(&self, name: &str, elapsed: Duration) -> bool {
        let seen = self.seen;
        let seconds = elapsed.as_secs_f64();
        println!(
            "{name}: {:.0} packets/s, {:.1} MB/s for {seconds:.0} s: {} packets, {} bytes",
            seen.packets as f64 / seconds,
            seen.bytes as f64 / seconds / 1e6,
            seen.packets,
            seen.bytes
        );
        println!(
            "{name}: accepted {}, refused {}, against what the sender knows {}",
            seen.accepted, seen.refused, seen.wrong
        );
        let counted = seen.accepted + seen.refused == seen.packets && seen.wrong == 0;
        let (Some(warm), Some(end)) = (self.warm, resident()) else {
            println!("{name}: SKIPPED: resident memory is not known here");
            return counted;
        };
        println!("{name}: resident memory {warm} bytes at the start, {end} at the end");
        let grew = end > warm + GROWTH;
        if grew {
            println!("{name}: WRONG: it grew");
        }
        counted && !grew
    }
}

/// Resident memory of this process, in bytes, where the system says.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
