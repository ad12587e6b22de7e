//! The receiver: validates each packet and reads it, as a server has to do.

use std::{
    hint::black_box,
    io::{self, Read},
    net::TcpStream,
    time::{Duration, Instant},
};

use gdvar::{
    Dialect, Document, Variant, VariantRef,
    frames::{PrefixOrder, frames},
    walk::Event,
    write::{Target, Writer, transcode},
};

use gdvar_conformance::vectors::hex;

use crate::packets::{MAX_PACKET, class};

/// The greatest allowed growth in bytes of resident memory, from the warm start to the end.
const GROWTH: u64 = 2 << 20;

/// The counts of the receiver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
    /// The packets by the sender's marks: good, bad, and randomly damaged.
    pub(crate) classes: [u64; 3],
    pub(crate) accepted: u64,
    pub(crate) refused: u64,
    /// The number of verdicts that contradict the sender's marks.
    pub(crate) wrong: u64,
    /// The connections by their end: clean, inside a packet, or with a false length.
    pub(crate) ends: [u64; 3],
}

#[derive(Debug, Default)]
pub(crate) struct Receiver {
    pub(crate) counts: Counts,
    /// The resident memory in bytes after a tenth of the time.
    warm: Option<u64>,
}

/// A sum over everything that is read.
#[derive(Default)]
struct Checksum(u64);

impl Checksum {
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
    /// Records the resident memory after a tenth of the time, when every part of the program has
    /// been used.
    pub(crate) fn warm(&mut self, start: Instant, time: Duration) {
        if self.warm.is_none() && start.elapsed() > time / 10 {
            self.warm = resident();
        }
    }

    /// Judges a packet and reads its value.
    pub(crate) fn packet(&mut self, packet: &[u8]) {
        self.counts.packets += 1;
        self.counts.bytes += packet.len() as u64;
        let (class, bytes) = (class(packet), packet.get(1..).unwrap_or_default());
        self.counts.classes[class] += 1;
        let document = Document::new(bytes, Dialect::GODOT_4);
        let accepted = document.validate() == Ok(bytes.len());
        if accepted {
            self.counts.accepted += 1;
        } else {
            self.counts.refused += 1;
        }
        if class < 2 && accepted != (class == 0) {
            self.counts.wrong += 1;
            if self.counts.wrong <= 3 {
                let start = hex(bytes.get(..bytes.len().min(32)).unwrap_or_default());
                let size = bytes.len();
                println!("WRONG: {size} bytes, {start}…: accepted {accepted}");
            }
        }
        // Independent of the verdict, the other crates also have to read these bytes.
        let mut sum = Checksum::default();
        let mut events = document.events();
        while let Ok(Some(event)) = events.try_next() {
            if let Event::Value(value) = event {
                sum.add(value);
            }
        }
        black_box(sum.0);
        black_box(document.get("position.x")).ok();
        if self.counts.packets % 16 == 0 {
            black_box(document.strict().validate()).ok();
            if let Ok((owned, _)) = Variant::from_prefix(bytes, Dialect::GODOT_4) {
                black_box(owned.to_vec(Target::GODOT_4)).ok();
            }
            let mut writer = Writer::new(Vec::new(), Target::GODOT_3);
            black_box(transcode(document, &mut writer)).ok();
        }
    }

    /// Reads a connection to its end. Returns `false` if nothing arrived.
    pub(crate) fn connection(
        &mut self,
        mut stream: TcpStream,
        start: Instant,
        time: Duration,
    ) -> io::Result<bool> {
        // Holds at most one packet and the bytes received with it, so that a false length costs no
        // memory.
        let mut buffer = vec![0; 4 * MAX_PACKET];
        let (mut used, mut any) = (0, false);
        loop {
            let size = stream.read(buffer.get_mut(used..).unwrap_or_default())?;
            self.warm(start, time);
            any |= size > 0;
            if size == 0 {
                if any {
                    self.counts.ends[usize::from(used > 0)] += 1;
                }
                return Ok(any);
            }
            used += size;
            let (mut whole, mut lie) = (0, false);
            let mut records = frames(buffer.get(..used).unwrap_or_default(), PrefixOrder::Little);
            loop {
                match records.try_next() {
                    Ok(Some(frame)) if frame.is_cut() => {
                        lie = frame.declared as usize > MAX_PACKET;
                        break;
                    }
                    Ok(Some(frame)) => {
                        self.packet(frame.bytes);
                        whole = records.position();
                    }
                    Ok(None) => break,
                    // The length is incomplete, or no value has this length.
                    Err(error) => {
                        lie = !error.is_truncated();
                        break;
                    }
                }
            }
            if lie {
                self.counts.ends[2] += 1;
                return Ok(true);
            }
            buffer.copy_within(whole..used, 0);
            used -= whole;
        }
    }

    /// Prints the counts. Returns `true` if all are as expected.
    pub(crate) fn report(&self, name: &str, elapsed: Duration) -> bool {
        let counts = self.counts;
        let seconds = elapsed.as_secs_f64();
        println!(
            "{name}: {:.0} packets/s, {:.1} MB/s for {seconds:.0} s: {} packets, {} bytes",
            counts.packets as f64 / seconds,
            counts.bytes as f64 / seconds / 1e6,
            counts.packets,
            counts.bytes
        );
        println!(
            "{name}: accepted {}, refused {}, against what the sender knows {}",
            counts.accepted, counts.refused, counts.wrong
        );
        let counted = counts.accepted + counts.refused == counts.packets && counts.wrong == 0;
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

/// Returns the resident memory of this process in bytes, if the system provides it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
