//! [`Totals`]: the sums over all packets of a capture.

use std::time::Duration;

use super::{line::number, seconds, tables::per_second};
use crate::{
    show::{rows, value},
    terminal::words,
};

/// The bytes that IP and UDP add to each datagram.
const UDP: u64 = 28;
/// The bytes that ENet's header adds to a datagram with a reliable packet.
pub(super) const HEADER: u64 = 4;

/// The sums, for text, JSON and HTML.
pub(super) struct Totals {
    /// The engines and carriers.
    pub(super) game: String,
    pub(super) duration: Duration,
    pub(super) packets: u64,
    pub(super) bytes: u64,
    /// The number of datagrams or segments, and of their bytes.
    pub(super) datagrams: u64,
    pub(super) carried: u64,
    /// `true` if all carriers send datagrams, so that it is known what IP and UDP add.
    pub(super) is_datagrams: bool,
    pub(super) is_compressed: bool,
    /// The number of reliable packets in one piece.
    pub(super) reliable: u64,
    /// The number of datagrams that they would need if the packets of a frame shared datagrams.
    pub(super) batches: u64,
    /// The bytes per second in the busiest piece of time.
    pub(super) peak: f64,
    /// A drawing of the bytes over time, on one line of text.
    pub(super) sparkline: String,
}

impl Totals {
    /// Returns the bytes of all datagrams, including the headers of IP and UDP.
    fn wire(&self) -> u64 {
        self.carried + UDP * self.datagrams
    }

    /// Returns the numbers that HTML shows first, each with its name.
    pub(super) fn figures(&self) -> Vec<(&'static str, String)> {
        let rate = |count: u64| per_second(count, self.duration);
        let mut figures = vec![
            ("packets", words::count(self.packets)),
            ("bytes", words::count(self.bytes)),
            ("seconds", format!("{:.1}", self.duration.as_secs_f64())),
            ("packets/s", format!("{:.1}", rate(self.packets))),
            ("B/s", format!("{:.0}", rate(self.bytes))),
            ("B/s at most", format!("{:.0}", self.peak)),
            ("datagrams or segments", words::count(self.datagrams)),
            ("bytes in them", words::count(self.carried)),
        ];
        if self.is_datagrams {
            figures.push(("bytes with IP and UDP", words::count(self.wire())));
        }
        figures
    }

    /// Returns the first lines of the text.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "{}, {:.1} s: {} of {} bytes, in {} datagrams or segments of {} bytes",
                self.game,
                self.duration.as_secs_f64(),
                words::plural(self.packets, "packet"),
                words::count(self.bytes),
                words::count(self.datagrams),
                words::count(self.carried),
            ),
            format!(
                "{:.1} packets/s, {:.0} B/s, at most {:.0} B/s  {}",
                per_second(self.packets, self.duration),
                per_second(self.bytes, self.duration),
                self.peak,
                self.sparkline,
            ),
        ];
        lines.extend(self.remarks());
        lines
    }

    /// Returns sentences about what the carrier adds, and what could be saved.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.is_datagrams {
            let share = 100.0 * self.bytes as f64 / self.wire().max(1) as f64;
            let share = match self.is_compressed {
                true => {
                    "; the datagrams are compressed, and packets are counted unpacked".to_owned()
                }
                false => format!(", {share:.0}% of them packets"),
            };
            remarks.push(format!(
                "with {UDP} bytes of IP and UDP for each datagram {} bytes on the wire{share}",
                words::count(self.wire())
            ));
        }
        if self.reliable > self.batches {
            let saved = (self.reliable - self.batches) * (UDP + HEADER);
            remarks.push(format!(
                "{} reliable packets would fit into {} datagrams, if those that are sent within 1/60 s shared one: {} bytes less than with one each, {:.0}% of those on the wire",
                words::count(self.reliable),
                words::count(self.batches),
                words::count(saved),
                100.0 * saved as f64 / self.wire().max(1) as f64
            ));
        }
        remarks
    }

    /// Returns the sums as a line of JSON.
    pub(super) fn json(&self) -> Vec<u8> {
        rows::object(&[
            ("table", value::string("total")),
            ("game", value::string(&self.game)),
            ("seconds", seconds(self.duration).into_bytes()),
            ("packets", number(self.packets)),
            ("bytes", number(self.bytes)),
            ("datagrams", number(self.datagrams)),
            ("datagram_bytes", number(self.carried)),
            ("compressed", self.is_compressed.to_string().into_bytes()),
            ("reliable", number(self.reliable)),
            ("reliable_batches", number(self.batches)),
            ("peak", number(format_args!("{:.0}", self.peak))),
        ])
    }
}
