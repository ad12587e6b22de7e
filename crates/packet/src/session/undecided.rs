//! [`Undecided`]: datagrams that wait until it is known how they are compressed.

use alloc::vec::Vec;

use super::{Direction, Item, Session};
use crate::enet::{Datagram, NO_PEER};

/// Holds the datagrams of one client while several compressions read the first of them, and gives them to the session as
/// soon as a later one decides. `T` is the origin of a datagram, for instance its time.
///
/// ```
/// use gdvar_packet::{Carrier, Direction, Engine, Session, Undecided, enet::Compression};
///
/// // Both FastLZ and the range coder make a SEND_UNRELIABLE of the first datagram; only the range coder reads the second.
/// let both = b"\x40\0\x08\x07\x03\0\x20\0\0\0\x0a\0\x40\x01\x40\x01\0\xa4";
/// let one = b"\xc0\0\x2c\x5b\x8b\x73\x90\xab\xd4\x5c\x3a\x44\x54\xd3";
/// let mut session = Session::new(Engine::Godot3, Carrier::Enet);
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

/// The most bytes that are held for a client, each datagram with some for itself.
const HELD: usize = 1 << 20;
/// The bytes that a datagram counts beside its own.
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
    /// Takes the next datagram of a client, or to it. Calls `each` for all that is in it and in those that it decides, with
    /// their origins, in the order of arrival.
    ///
    /// At most 1 MiB is held. When more comes, or a new connection begins, the datagrams that are still undecided become
    /// [`Message::Damaged`](crate::Message::Damaged).
    pub fn receive(
        &mut self,
        session: &mut Session,
        (link, direction): (u32, Direction),
        bytes: &[u8],
        origin: T,
        each: &mut dyn FnMut(T, Item<'_>),
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
        session.receive(link, direction, bytes, |item| each(origin, item));
    }

    /// Gives what is held to the session: no later datagram will decide.
    pub fn finish(&mut self, session: &mut Session, link: u32, each: &mut dyn FnMut(T, Item<'_>))
    where
        T: Copy,
    {
        self.len = 0;
        for (origin, direction, bytes) in self.datagrams.drain(..) {
            session.receive(link, direction, &bytes, |item| each(origin, item));
        }
    }
}
