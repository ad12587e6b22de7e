//! Keys of dictionaries, each made a string of JavaScript once.

use std::collections::BTreeMap;

/// More keys than this are not remembered: then they are texts as others.
const MOST: usize = 8192;

/// Longer keys are not remembered.
const LONGEST: usize = 64;

/// The keys, by number and by text. They outlive a call, so that packets of the same shape need no text at
/// all. A tree, not a table of hashes: no input makes it slow.
#[derive(Default)]
pub(crate) struct Keys {
    numbers: BTreeMap<Box<[u8]>, u32>,
    texts: Vec<Key>,
    /// The number that JavaScript has seen.
    told: usize,
}

struct Key {
    text: Box<str>,
    /// The key that followed it last.
    next: u32,
    /// `true` if an object of JavaScript can have it where it stands: it neither moves to the front,
    /// as numbers do, nor means something else.
    plain: bool,
}

/// Returns `true` if a key keeps its place in an object of JavaScript.
fn is_plain(text: &[u8]) -> bool {
    let number =
        text.first().is_some_and(u8::is_ascii_digit) && text.iter().all(u8::is_ascii_digit);
    !number && text != b"__proto__"
}

impl Keys {
    /// Before a call: forgets everything if too much was learned. Returns `true` if it did.
    pub(crate) fn begin(&mut self) -> bool {
        let full = self.texts.len() >= MOST;
        if full {
            *self = Keys::default();
        }
        full
    }

    /// The key that is likely to follow another: its number, its text, whether it is plain. Records look alike, so it is
    /// mostly the one that came next before.
    #[inline(always)]
    pub(crate) fn expected(&self, last: u32) -> Option<(u32, &str, bool)> {
        let next = self.texts.get(last as usize)?.next;
        let key = self.texts.get(next as usize)?;
        Some((next, &key.text, key.plain))
    }

    /// The number of a key and whether it is plain, or `None` where it is not remembered; `last` is the key before it.
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
        self.texts.push(Key {
            text: text.into(),
            next: number,
            plain: is_plain(raw),
        });
        Some(number)
    }

    /// The keys that JavaScript has not seen yet, each behind its length in a byte; how many.
    pub(crate) fn tell(&mut self, out: &mut Vec<u8>) -> u32 {
        let new = &self.texts[self.told..];
        for key in new {
            out.push(key.text.len() as u8);
            out.extend_from_slice(key.text.as_bytes());
        }
        let count = new.len() as u32;
        self.told = self.texts.len();
        count
    }
}

/// Returns `true` if a text that is not remembered keeps its place in an object of JavaScript.
pub(crate) fn keeps_its_place(text: &str) -> bool {
    is_plain(text.as_bytes())
}
