//! [`Intervals`]: the times between the SYNC packets of a synchronizer, and the longest ones.

use alloc::vec::Vec;
use core::time::Duration;

use super::counts::Counts;
use crate::traffic::Direction;

/// The number of longest intervals that are kept.
const LONGEST: usize = 8;
/// Times are rounded down to this number of significant bits: by less than 1/128.
const BITS: u32 = 8;

/// The time between two SYNC packets that a receiver got from one synchronizer, and what happened
/// to the connection in this time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncGap {
    /// When the second packet arrived.
    pub time: Duration,
    /// The time from the first packet to the second.
    pub interval: Duration,
    /// The client that sent or received the packets.
    pub link: u32,
    /// The direction of the packets.
    pub direction: Direction,
    /// The receiver's peer id, if it is known.
    pub target: Option<i32>,
    /// The sender's frames in this time: the number in a SYNC grows by one in every frame in which
    /// the sender replicates anything to this receiver (`scene_replication_interface.cpp`,
    /// `on_network_process`). The number wraps after 65 535.
    pub frames: u16,
    /// The packets of the connection that are missing in this time.
    pub missing: u64,
    /// The connection's reliable commands that were sent again in this time.
    pub resent: u64,
}

/// The times between the SYNC packets of a synchronizer, over all receivers.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    /// Microseconds, rounded down to eight significant bits.
    times: Counts,
    frames: Counts,
    /// The longest intervals, in descending order.
    longest: Vec<SyncGap>,
}

impl Intervals {
    pub(super) fn add(&mut self, gap: SyncGap) {
        let micros = u64::try_from(gap.interval.as_micros()).unwrap_or(u64::MAX);
        self.times.add(rounded(micros));
        // A very large number comes from a late packet or from another count, so it is cut.
        let frames = gap.frames.min(MOST_FRAMES);
        self.frames.add(frames.into());
        let shortest = self.longest.get(LONGEST - 1);
        if shortest.is_none_or(|shortest| shortest.interval < gap.interval) {
            let is_longer = |known: &SyncGap| known.interval >= gap.interval;
            let place = self.longest.partition_point(is_longer);
            self.longest.truncate(LONGEST - 1);
            self.longest.insert(place, gap);
        }
    }

    /// The number of intervals.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.times.total()
    }

    /// The median, rounded down by less than 1/128. `None` if there is no interval.
    #[must_use]
    pub fn median(&self) -> Option<Duration> {
        self.times.median().map(Duration::from_micros)
    }

    /// The median number of the sender's frames from one SYNC to the next.
    #[must_use]
    pub fn median_frames(&self) -> Option<u16> {
        let frames = self.frames.median()?;
        u16::try_from(frames).ok()
    }

    /// The number of intervals that are longer than `limit`. The intervals and `limit` are rounded
    /// down before the comparison, so an interval that is longer by less than 1/128 may not be
    /// counted.
    #[must_use]
    pub fn longer_than(&self, limit: Duration) -> u64 {
        let micros = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        self.times.above(rounded(micros))
    }

    /// The longest intervals, at most eight, the longest first.
    #[must_use]
    pub fn longest(&self) -> &[SyncGap] {
        &self.longest
    }
}

/// Gaps of this many frames or more are counted as equal.
const MOST_FRAMES: u16 = 1024;

fn rounded(micros: u64) -> u64 {
    let extra = (u64::BITS - micros.leading_zeros()).saturating_sub(BITS);
    micros >> extra << extra
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_the_longest_are_found() {
        let mut intervals = Intervals::default();
        assert_eq!(
            (intervals.median(), intervals.median_frames()),
            (None, None)
        );
        for millis in 1..=101 {
            intervals.add(SyncGap {
                time: Duration::ZERO,
                interval: Duration::from_millis(millis * 37 % 102),
                link: 0,
                direction: Direction::ToClient,
                target: None,
                frames: 6,
                missing: 0,
                resent: 0,
            });
        }
        let median = intervals.median().unwrap().as_secs_f64();
        assert!((median / 0.051 - 1.0).abs() < 1.0 / 256.0, "{median}");
        assert_eq!(intervals.median_frames(), Some(6));
        assert_eq!(intervals.longest().len(), LONGEST);
        let longest = intervals
            .longest()
            .iter()
            .map(|gap| gap.interval.as_millis());
        assert!(longest.eq((94..=101).rev()));
        assert_eq!(intervals.longer_than(Duration::from_millis(91)), 10);
    }
}
