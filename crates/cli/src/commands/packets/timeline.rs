//! [`Timeline`]: counts bytes over time. Its memory is bounded, however long the capture is.

use std::{fmt::Write, time::Duration};

/// The largest number of pieces. It is even, so that pairs of pieces can be joined.
const PIECES: usize = 512;
/// The largest number of characters of a sparkline.
const COLUMNS: usize = 64;
/// The width of the box in which the bars are drawn.
pub(super) const WIDTH: f64 = 960.0;
/// Half the height of this box.
pub(super) const HALF: f64 = 150.0;
/// The colors of the bars: bytes to the server, bytes to clients.
pub(super) const COLORS: [&str; 2] = ["#478cbf", "#c06030"];

/// The bytes to the server and to clients in each piece of time. At first a piece is a tenth of a second. When there
/// would be too many pieces, pairs of them are joined.
pub(super) struct Timeline {
    width: Duration,
    bytes: Vec<[u64; 2]>,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline {
            width: Duration::from_millis(100),
            bytes: Vec::new(),
        }
    }
}

impl Timeline {
    /// Counts bytes. `time` is the time since the start. `way` is 0 for bytes to the server and 1 for bytes to clients.
    pub(super) fn add(&mut self, time: Duration, way: usize, bytes: u64) {
        let mut at = self.piece_at(time);
        while at >= PIECES {
            let pair = |two: &[[u64; 2]]| {
                let sum = |way: usize| two.iter().map(|piece| piece[way]).sum();
                [sum(0), sum(1)]
            };
            self.bytes = self.bytes.chunks(2).map(pair).collect();
            self.width *= 2;
            at = self.piece_at(time);
        }
        if at >= self.bytes.len() {
            self.bytes.resize(at + 1, [0; 2]);
        }
        self.bytes[at][way & 1] += bytes;
    }

    fn piece_at(&self, time: Duration) -> usize {
        // 64 bits hold the nanoseconds of 584 years. A division of 128 bits would be slow.
        let nanos = |time: Duration| u64::try_from(time.as_nanos());
        match (nanos(time), nanos(self.width)) {
            (Ok(time), Ok(width)) => (time / width.max(1)) as usize,
            _ => usize::try_from(time.as_nanos() / self.width.as_nanos().max(1))
                .unwrap_or(usize::MAX),
        }
    }

    /// Returns the bytes per second in the busiest piece, both directions together.
    pub(super) fn peak(&self) -> f64 {
        let most = self.bytes.iter().map(|[up, down]| up + down).max();
        most.unwrap_or(0) as f64 / self.width.as_secs_f64()
    }

    /// Draws the timeline as one line of text. Each character covers the same length of time.
    pub(super) fn sparkline(&self) -> String {
        const SIGNS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let each = self.bytes.len().div_ceil(COLUMNS).max(1);
        let sum = |part: &[[u64; 2]]| part.iter().flatten().sum::<u64>();
        let parts: Vec<u64> = self.bytes.chunks(each).map(sum).collect();
        let most = parts.iter().copied().max().unwrap_or(0).max(1);
        let sign =
            |bytes: u64| SIGNS[(u128::from(bytes) * 7).div_ceil(u128::from(most)) as usize & 7];
        parts.into_iter().map(sign).collect()
    }

    /// Returns the bytes per second of the longest bar, which has one direction.
    pub(super) fn longest_bar(&self) -> f64 {
        self.most() / self.width.as_secs_f64()
    }

    /// Returns the time from the left edge of the bars to the right edge, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.width.as_secs_f64() * self.bytes.len() as f64
    }

    fn most(&self) -> f64 {
        let most = self.bytes.iter().flatten().max();
        most.map_or(1, |&most| most.max(1)) as f64
    }

    /// Draws the bars in a box of [`WIDTH`] by twice [`HALF`]: bytes to the server above the middle, bytes to clients
    /// below it. The elements belong into an `svg`.
    pub(super) fn bars(&self) -> String {
        let most = self.most();
        let step = WIDTH / self.bytes.len().max(1) as f64;
        let mut svg = String::new();
        for (n, piece) in self.bytes.iter().enumerate() {
            let x = step * n as f64;
            for (way, bytes) in piece.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
                let height = HALF * *bytes as f64 / most;
                let y = if way == 0 { HALF - height } else { HALF };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{height:.2}\" fill=\"{}\"/>",
                    step.max(0.5),
                    COLORS[way]
                );
            }
        }
        let _ = writeln!(
            svg,
            "<line x1=\"0\" y1=\"{HALF}\" x2=\"{WIDTH}\" y2=\"{HALF}\" stroke=\"#888\"/>"
        );
        svg
    }

    /// Draws the timeline as a picture of its own, with labels.
    pub(super) fn svg(&self, title: &str) -> String {
        let [up, down] = COLORS;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 400\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"1000\" height=\"400\" fill=\"#fff\"/>\n\
             <text x=\"20\" y=\"24\">{title}</text>\n\
             <text x=\"20\" y=\"44\" fill=\"{up}\">to the server, at most {:.0} B/s</text>\n\
             <text x=\"20\" y=\"390\" fill=\"{down}\">to clients; {:.1} s from left to right</text>\n\
             <g transform=\"translate(20 60)\">\n{}</g>\n</svg>\n",
            self.longest_bar(),
            self.seconds(),
            self.bars()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_time_fits() {
        let mut timeline = Timeline::default();
        for second in 0..100_000_u64 {
            timeline.add(Duration::from_secs(second), (second % 2) as usize, 3);
        }
        assert!(timeline.bytes.len() <= PIECES);
        assert_eq!(timeline.bytes.iter().flatten().sum::<u64>(), 300_000);
        assert!(timeline.sparkline().chars().count() <= COLUMNS);
        timeline.add(Duration::MAX, 0, 1);
        assert!(timeline.bytes.len() <= PIECES);
    }

    #[test]
    fn the_sparkline_has_its_peak_where_the_bytes_are() {
        let mut timeline = Timeline::default();
        for (piece, bytes) in [(0, 0), (1, 10), (2, 70), (3, 35)] {
            timeline.add(Duration::from_millis(100 * piece), 0, bytes);
        }
        assert_eq!(timeline.sparkline(), "▁▂█▅");
        assert_eq!(timeline.peak(), 700.0);
    }
}
