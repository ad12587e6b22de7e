//! [`Keys`]: remembers Dictionary keys, so that each becomes a JavaScript string only once.

use std::collections::BTreeMap;

/// The most keys that are remembered. Once there are this many, a new key is sent as text. The next call
/// starts again with no keys ([`Keys::begin`]).
const MOST: usize = 8192;

/// The greatest length in bytes of a remembered key.
const LONGEST: usize = 64;

/// The remembered keys, by number and by text. They are kept between calls, so that packets with known keys
/// need no text at all. The look-up by text uses a tree and not a hash table, so that no input can make it
/// slow.
#[derive(Default)]
pub(crate) struct Keys {
    numbers: BTreeMap<Box<[u8]>, u32>,
    texts: Vec<KnownKey>,
    /// The number of keys that JavaScript has received.
    sent: usize,
}

struct KnownKey {
    text: Box<str>,
    /// The number of the key that last followed this one.
    next: u32,
    /// `true` if the key can be a property name of a JavaScript object. Numbers cannot, because they would
    /// move to the front. Names with a special meaning cannot either.
    plain: bool,
}

/// Returns `true` if a key can be a property name of a JavaScript object and keeps its position there.
fn is_plain(text: &[u8]) -> bool {
    let number =
        text.first().is_some_and(u8::is_ascii_digit) && text.iter().all(u8::is_ascii_digit);
    !number && text != b"__proto__"
}

impl Keys {
    /// Starts a call. If there are too many keys, forgets all of them and returns `true`.
    pub(crate) fn begin(&mut self) -> bool {
        let full = self.texts.len() >= MOST;
        if full {
            *self = Keys::default();
        }
        full
    }

    /// Returns the key that will probably follow key `last`: its number, its text, and whether it can be a
    /// property name. This is the key that followed last time, because records have the same keys in the same
    /// order.
    #[inline(always)]
    pub(crate) fn expected(&self, last: u32) -> Option<(u32, &str, bool)> {
        let next = self.texts.get(last as usize)?.next;
        let key = self.texts.get(next as usize)?;
        Some((next, &key.text, key.plain))
    }

    /// Returns the number of the key `text`, and whether it can be a property name. A new key is remembered.
    /// Returns `None` if the key is too long for this, or if there are too many keys. `last` is the number of
    /// the key before this one.
    pub(crate) fn number(&mut self, text: &str, last: u32) -> Option<(u32, bool)> {
        let raw = text.as_bytes();
        let number = match self.numbers.get(raw) {
            Some(&number) => number,
            None => self.learn(text)?,
        };
        if let Some(key) = self.texts.get_mut(last as usize) {
            key.next = number;
        }
        Some((number, self.texts[number as usize].plain))
    }

    fn learn(&mut self, text: &str) -> Option<u32> {
        let raw = text.as_bytes();
        if self.texts.len() >= MOST || raw.len() > LONGEST {
            return None;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(raw.into(), number);
        self.texts.push(KnownKey {
            text: text.into(),
            next: number,
            plain: is_plain(raw),
        });
        Some(number)
    }

    /// Appends the keys that JavaScript has not received yet, each after its length in one byte. Returns
    /// their number.
    pub(crate) fn append_new(&mut self, out: &mut Vec<u8>) -> u32 {
        let new = &self.texts[self.sent..];
        for key in new {
            out.push(key.text.len() as u8);
            out.extend_from_slice(key.text.as_bytes());
        }
        let count = new.len() as u32;
        self.sent = self.texts.len();
        count
    }
}

/// Returns `true` if a text that is not remembered can be a property name: see [`is_plain`].
pub(crate) fn keeps_its_place(text: &str) -> bool {
    is_plain(text.as_bytes())
}
