//! [`Network`]: delays and losses; and [`Queue`], the datagrams that are on their way.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::ProxyArgs;

/// Imitates a bad network: delays datagrams and loses some.
#[derive(Debug)]
pub(super) struct Network {
    /// The delay of a stream, and the least delay of a datagram.
    pub(super) latency: Duration,
    jitter: Duration,
    /// The probability that a packet is lost, from 0 to 1.
    loss: f64,
    random: u64,
}

impl Network {
    pub(super) fn new(args: &ProxyArgs) -> Network {
        Network {
            latency: Duration::from_millis(args.latency),
            jitter: Duration::from_millis(args.jitter),
            loss: args.loss / 100.0,
            random: args.seed,
        }
    }

    /// The next random number in [0, 1), by splitmix64.
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

    /// The delay of the next datagram.
    pub(super) fn delay(&mut self) -> Duration {
        if self.jitter.is_zero() {
            return self.latency;
        }
        self.latency + self.jitter.mul_f64(self.random())
    }
}

/// Datagrams that are on their way.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// By the time of arrival. The number keeps datagrams of the same time in their order.
    waiting: BTreeMap<(Instant, u64), (T, Vec<u8>)>,
    bytes: usize,
    count: u64,
}

/// The most bytes on their way. A real network has no more room either: it loses what does not fit.
const ROOM: usize = 32 << 20;
/// The memory of a datagram besides its bytes.
const OVERHEAD: usize = 128;

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue {
            waiting: BTreeMap::new(),
            bytes: 0,
            count: 0,
        }
    }
}

impl<T> Queue<T> {
    /// Adds a datagram. Returns `false` if there is no room for it.
    pub(super) fn push(&mut self, due: Instant, to: T, bytes: &[u8]) -> bool {
        let has_room = self.bytes + bytes.len() + OVERHEAD <= ROOM;
        if has_room {
            self.bytes += bytes.len() + OVERHEAD;
            self.count += 1;
            self.waiting.insert((due, self.count), (to, bytes.into()));
        }
        has_room
    }

    /// When the next datagram arrives.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.waiting.keys().next().map(|(due, _)| *due)
    }

    /// Removes the next datagram that has arrived by `now`.
    pub(super) fn pop(&mut self, now: Instant) -> Option<(T, Vec<u8>)> {
        if self.next_due()? > now {
            return None;
        }
        let (_, (to, bytes)) = self.waiting.pop_first()?;
        self.bytes -= bytes.len() + OVERHEAD;
        Some((to, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_share_of_datagrams_is_lost() {
        let lost = |seed| -> Vec<bool> {
            let mut network = Network {
                latency: Duration::ZERO,
                jitter: Duration::ZERO,
                loss: 0.05,
                random: seed,
            };
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
        let mut queue = Queue::default();
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
