//! [`Network`]: how bad it is; and [`Queue`], what is on its way.

use std::{
    cmp::Ordering,
    collections::BinaryHeap,
    time::{Duration, Instant},
};

/// A network that is late and loses.
#[derive(Debug)]
pub(super) struct Network {
    latency: Duration,
    jitter: Duration,
    loss: f64,
    random: u64,
}

impl Network {
    pub(super) fn new(latency: Duration, jitter: Duration, loss: f64, seed: u64) -> Network {
        Network {
            latency,
            jitter,
            loss,
            random: seed,
        }
    }

    /// The next number in [0, 1): splitmix64.
    fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns `true` if the next datagram is lost.
    pub(super) fn loses(&mut self) -> bool {
        self.loss > 0.0 && self.random() < self.loss
    }

    /// How late a datagram is.
    pub(super) fn delay(&mut self) -> Duration {
        if self.jitter.is_zero() {
            return self.latency;
        }
        self.latency + self.jitter.mul_f64(self.random())
    }

    /// How late a stream is.
    pub(super) fn latency(&self) -> Duration {
        self.latency
    }
}

/// Datagrams that are on their way.
#[derive(Debug)]
pub(super) struct Queue<T> {
    heap: BinaryHeap<Waiting<T>>,
    bytes: usize,
    count: u64,
}

#[derive(Debug)]
struct Waiting<T> {
    due: Instant,
    /// Those of the same time keep their order.
    count: u64,
    to: T,
    bytes: Vec<u8>,
}

/// The most bytes on their way. A network has no more room either: what comes then is lost.
const ROOM: usize = 32 << 20;
/// The cost of a datagram besides its bytes.
const OVERHEAD: usize = 128;

impl<T> Queue<T> {
    pub(super) fn new() -> Queue<T> {
        Queue {
            heap: BinaryHeap::new(),
            bytes: 0,
            count: 0,
        }
    }

    /// Returns `true` if there was room.
    pub(super) fn push(&mut self, due: Instant, to: T, bytes: &[u8]) -> bool {
        let has_room = self.bytes + bytes.len() + OVERHEAD <= ROOM;
        if has_room {
            self.bytes += bytes.len() + OVERHEAD;
            self.count += 1;
            self.heap.push(Waiting {
                due,
                count: self.count,
                to,
                bytes: bytes.into(),
            });
        }
        has_room
    }

    /// When the next one arrives.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.heap.peek().map(|waiting| waiting.due)
    }

    /// The next one that has arrived by now.
    pub(super) fn pop(&mut self, now: Instant) -> Option<(T, Vec<u8>)> {
        if self.next_due()? > now {
            return None;
        }
        let waiting = self.heap.pop()?;
        self.bytes -= waiting.bytes.len() + OVERHEAD;
        Some((waiting.to, waiting.bytes))
    }
}

impl<T> Ord for Waiting<T> {
    /// The earliest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.due, other.count).cmp(&(self.due, self.count))
    }
}

impl<T> PartialOrd for Waiting<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Waiting<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Waiting<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promised_share_is_lost() {
        let lost = |seed| -> Vec<bool> {
            let mut network = Network::new(Duration::ZERO, Duration::ZERO, 0.05, seed);
            (0..100_000).map(|_| network.loses()).collect()
        };
        let count = lost(1).iter().filter(|lost| **lost).count();
        // Five standard deviations.
        assert!((4655..=5345).contains(&count), "{count}");
        assert_eq!(lost(7), lost(7));
        assert_ne!(lost(7), lost(8));
    }

    #[test]
    fn datagrams_arrive_when_they_are_due() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut queue = Queue::new();
        for (ms, to) in [(30, 'c'), (10, 'a'), (10, 'b'), (20, 'x')] {
            assert!(queue.push(at(ms), to, b"bytes"));
        }
        assert_eq!(queue.pop(at(9)), None);
        let mut arrived = Vec::new();
        while let Some((to, _)) = queue.pop(at(20)) {
            arrived.push(to);
        }
        assert_eq!(
            (arrived, queue.next_due()),
            (vec!['a', 'b', 'x'], Some(at(30)))
        );
        let room = (0..)
            .take_while(|_| queue.push(at(40), 'y', &[0; 1000]))
            .count();
        assert!(room * 1000 <= ROOM && (room + 1) * (1000 + OVERHEAD) > ROOM - 1200);
    }
}
