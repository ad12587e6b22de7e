//! [`Undecided`]: datagrams held until it is known how they are compressed.

use alloc::vec::Vec;

use super::Session;
use crate::{
    enet::{Datagram, NO_PEER},
    traffic::{Direction, SessionEvent},
};

/// Holds the datagrams of one client while several compressions can unpack the first of them.
/// Passes them to the session as soon as a later datagram decides. `T` describes the origin of a
/// datagram, for instance its time.
///
/// ```
/// use gdvar_packet::{Transport, Direction, Engine, Session, Undecided, enet::Compression};
///
/// // Both FastLZ and the range coder make a SEND_UNRELIABLE of the first datagram; only the range coder reads the second.
/// let both = b"\x40\0\x08\x07\x03\0\x20\0\0\0\x0a\0\x40\x01\x40\x01\0\xa4";
/// let one = b"\xc0\0\x2c\x5b\x8b\x73\x90\xab\xd4\x5c\x3a\x44\x54\xd3";
/// let mut session = Session::new(Engine::Godot3, Transport::Enet);
/// let (mut undecided, mut seen) = (Undecided::default(), Vec::new());
/// for (n, datagram) in [&both[..], one].into_iter().enumerate() {
///     undecided.receive(&mut session, (0, Direction::ToClient), datagram, n, &mut |n, _| seen.push(n));
///     assert_eq!(seen.len(), 2 * n);
/// }
/// assert_eq!(seen, [0, 1]);
/// assert_eq!(session.compression(0), Some(Compression::Range));
/// ```
#[derive(Debug)]
pub struct Undecided<T> {
    datagrams: Vec<(T, Direction, Vec<u8>)>,
    len: usize,
}

/// The limit of held bytes for one client. Each datagram counts [`EACH`] more than its length.
const HELD: usize = 1 << 20;
/// The bytes that each datagram counts in addition to its length.
const EACH: usize = 64;

impl<T> Default for Undecided<T> {
    fn default() -> Undecided<T> {
        Undecided {
            datagrams: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Undecided<T> {
    /// Takes the next datagram from or to the client `link`. Calls `each` for every event in the
    /// datagrams that are decided now, with their origins, in the order of arrival.
    ///
    /// Holds at most 1 MiB. If more arrives, or a new connection begins, datagrams that are still
    /// undecided become [`Message::Damaged`](crate::Message::Damaged).
    pub fn receive(
        &mut self,
        session: &mut Session,
        (link, direction): (u32, Direction),
        bytes: &[u8],
        origin: T,
        each: &mut dyn FnMut(T, SessionEvent<'_>),
    ) where
        T: Copy,
    {
        let begins = |datagram: Datagram<'_>| datagram.header().peer == NO_PEER;
        if !self.datagrams.is_empty() && Datagram::parse(bytes).is_ok_and(begins) {
            self.finish(session, link, each);
        }
        let is_undecided = session.is_undecided(link, bytes);
        if let Some((_, _, first)) = self.datagrams.first() {
            let is_full = self.len + bytes.len() + EACH > HELD;
            if is_full || !session.is_undecided(link, first) {
                self.finish(session, link, each);
            }
        }
        if is_undecided || !self.datagrams.is_empty() {
            self.len += bytes.len() + EACH;
            return self.datagrams.push((origin, direction, bytes.into()));
        }
        session.receive(link, direction, bytes, |event| each(origin, event));
    }

    /// Passes the held datagrams to the session, because no later datagram will decide.
    pub fn finish(
        &mut self,
        session: &mut Session,
        link: u32,
        each: &mut dyn FnMut(T, SessionEvent<'_>),
    ) where
        T: Copy,
    {
        self.len = 0;
        for (origin, direction, bytes) in self.datagrams.drain(..) {
            session.receive(link, direction, &bytes, |event| each(origin, event));
        }
    }
}
