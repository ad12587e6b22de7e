//! [`Queue`]: the datagrams that have not arrived yet.

use std::{collections::BTreeMap, time::Instant};

/// The datagrams that have not arrived yet, sorted by their time of arrival.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: BTreeMap<Place, (T, Vec<u8>)>,
    bytes: usize,
    count: u64,
}

/// The place of a datagram in the queue: the time of arrival, and a number that keeps datagrams with the same time in
/// order.
pub(super) type Place = (Instant, u64);

/// The largest number of bytes in the queue. A real network loses datagrams too if they exceed its buffers.
const ROOM: usize = 32 << 20;
/// The bytes that are counted for each datagram in addition to its payload, because it takes memory.
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
    /// Adds a datagram that arrives at `due`. Returns `None` if there is no room for it.
    pub(super) fn push(&mut self, due: Instant, to: T, bytes: &[u8]) -> Option<Place> {
        if self.bytes + bytes.len() + OVERHEAD > ROOM {
            return None;
        }
        self.bytes += bytes.len() + OVERHEAD;
        self.count += 1;
        let place = (due, self.count);
        self.waiting.insert(place, (to, bytes.into()));
        Some(place)
    }

    /// Moves a datagram to the time `due`, after all others of that time. Returns `false` if it has arrived already.
    pub(super) fn put_off(&mut self, place: Place, due: Instant) -> bool {
        let datagram = self.waiting.remove(&place);
        let is_waiting = datagram.is_some();
        if let Some(datagram) = datagram {
            self.count += 1;
            self.waiting.insert((due, self.count), datagram);
        }
        is_waiting
    }

    /// Returns when the next datagram arrives.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.waiting.keys().next().map(|(due, _)| *due)
    }

    /// Removes and returns the next datagram that has arrived by `now`.
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
    use std::time::Duration;

    use super::*;

    #[test]
    fn datagrams_arrive_when_they_are_due() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut queue = Queue::default();
        for (ms, to) in [(30, 'c'), (10, 'a'), (10, 'b'), (20, 'x')] {
            assert!(queue.push(at(ms), to, b"bytes").is_some());
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
        let place = queue.push(at(50), 'z', b"").unwrap();
        assert!(queue.put_off(place, at(30)) && !queue.put_off(place, at(60)));
        assert_eq!(queue.pop(at(30)).unwrap().0, 'c');
        assert_eq!(queue.pop(at(30)).unwrap().0, 'z');
        let room = (0..)
            .take_while(|_| queue.push(at(40), 'y', &[0; 1000]).is_some())
            .count();
        assert!(room * 1000 <= ROOM && (room + 1) * (1000 + OVERHEAD) > ROOM - 1200);
    }
}
