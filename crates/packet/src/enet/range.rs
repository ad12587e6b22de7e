//! ENet's range coder, the default compression of Godot 3.6: a decoder without `unsafe`.
//!
//! Bytes are predicted by the two before them. Each context (none, one or two bytes) counts in a binary
//! tree which bytes followed it, and has a share for "none of these", after which the shorter context
//! is asked. Decoder and encoder grow the same trees, which lie in one array of 4096 nodes; when that is
//! full, both begin again. The arithmetic is that of `compress.c` of ENet 1.3 (MIT), overflows
//! included, as the encoder of the other side is that very code.

use alloc::{boxed::Box, vec};

const TOP: u32 = 1 << 24;
const BOTTOM: u32 = 1 << 16;
/// The addition to the count of a byte that is seen without any context, and the share that each of the
/// 256 has from the start.
const ROOT_DELTA: u16 = 3;
const ROOT_MINIMUM: u16 = 1;
const ESCAPE_MINIMUM: u16 = 1;
/// The addition to the count of a byte in a context, and the addition of one that was not known there to the
/// share of "none".
const DELTA: u16 = 2;
const ESCAPE_DELTA: u16 = 5;
/// The number of bytes of the longest context.
const ORDER: usize = 2;
const NODES: usize = 4096;
/// Contexts whose total is more are halved.
const MOST: u16 = (BOTTOM - 0x100) as u16;

/// A byte in the tree of its context, and the context of what follows it.
#[derive(Clone, Copy, Default)]
struct Node {
    value: u8,
    count: u8,
    /// The counts of the node and of all to its left.
    under: u16,
    left: u16,
    right: u16,
    /// The root of the tree of what follows.
    symbols: u16,
    escapes: u16,
    total: u16,
    /// The node of this byte in the next shorter context.
    parent: u16,
}

/// The memory of the trees. 64 KiB; one is used for datagram after datagram.
#[derive(Clone)]
pub(crate) struct RangeDecoder {
    nodes: Box<[Node]>,
    used: usize,
}

/// The place in the compressed bytes.
struct Code<'a> {
    low: u32,
    code: u32,
    range: u32,
    input: core::slice::Iter<'a, u8>,
}

impl<'a> Code<'a> {
    fn new(input: &'a [u8]) -> Code<'a> {
        let mut code = Code {
            low: 0,
            code: 0,
            range: u32::MAX,
            input: input.iter(),
        };
        for _ in 0..4 {
            code.shift();
        }
        code
    }

    /// The next byte; zeros behind the end, as the encoder leaves them out.
    fn shift(&mut self) {
        let next = self.input.next().copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(next);
    }

    /// Which of `total` parts comes. `None` where the range is used up, which no encoder does.
    fn read(&mut self, total: u16) -> Option<u16> {
        self.range = self.range.checked_div(total.into())?;
        let offset = self.code.wrapping_sub(self.low);
        Some(offset.checked_div(self.range)? as u16)
    }

    /// Takes `count` parts from `under` on. `None` where nothing is left of the range.
    fn take(&mut self, under: u16, count: u16) -> Option<()> {
        self.low = self
            .low
            .wrapping_add(u32::from(under).wrapping_mul(self.range));
        self.range = self.range.wrapping_mul(count.into());
        loop {
            if self.low ^ self.low.wrapping_add(self.range) >= TOP {
                if self.range >= BOTTOM {
                    return Some(());
                }
                self.range = self.low.wrapping_neg() & (BOTTOM - 1);
            }
            if self.range == 0 {
                return None;
            }
            self.shift();
            self.range <<= 8;
            self.low <<= 8;
        }
    }
}

/// The result of a search in a tree: the node, the sum below it, its count.
struct Found {
    node: usize,
    under: u16,
    count: u16,
}

impl RangeDecoder {
    pub(crate) fn new() -> RangeDecoder {
        RangeDecoder {
            nodes: vec![Node::default(); NODES].into_boxed_slice(),
            used: 0,
        }
    }

    /// Unpacks into `out`; how many bytes it is. `None` for bytes that no encoder makes, and for more
    /// than `out` has room for.
    pub(crate) fn unpack(&mut self, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        if packed.is_empty() {
            return None;
        }
        self.start();
        let mut code = Code::new(packed);
        let (mut predicted, mut order, mut len) = (0, 0, 0);
        loop {
            let mut context = predicted;
            let found = loop {
                if context == 0 {
                    break self.in_root(&mut code)?;
                }
                match self.in_context(context, &mut code)? {
                    Some(node) => break Some(node),
                    None => context = usize::from(self.nodes[context].parent),
                }
            };
            let Some(bottom) = found else {
                return Some(len);
            };
            let value = self.nodes[bottom].value;
            predicted = self.learn(predicted, context, bottom)?;
            *out.get_mut(len)? = value;
            len += 1;
            if order >= ORDER {
                predicted = usize::from(self.nodes[predicted].parent);
            } else {
                order += 1;
            }
            if self.used >= NODES - ORDER {
                self.start();
                (predicted, order) = (0, 0);
            }
        }
    }

    /// Forgets everything: node 0 is the context of no bytes.
    fn start(&mut self) {
        self.nodes[0] = Node {
            escapes: ESCAPE_MINIMUM,
            total: ESCAPE_MINIMUM + 256 * ROOT_MINIMUM,
            ..Node::default()
        };
        self.used = 1;
    }

    fn create(&mut self, value: u8, count: u16) -> Option<usize> {
        let place = self.used;
        *self.nodes.get_mut(place)? = Node {
            value,
            count: count as u8,
            under: count,
            ..Node::default()
        };
        self.used += 1;
        Some(place)
    }

    /// The byte that a context says comes; inner `None` if it says "none of mine" or knows none yet.
    fn in_context(&mut self, context: usize, code: &mut Code<'_>) -> Option<Option<usize>> {
        let Node { escapes, total, .. } = self.nodes[context];
        if escapes == 0 || escapes >= total {
            return Some(None);
        }
        let part = code.read(total)?;
        if part < escapes {
            code.take(0, escapes)?;
            return Some(None);
        }
        let found = self.find_known(context, part - escapes)?;
        code.take(escapes.wrapping_add(found.under), found.count)?;
        self.grow(context, found.count, DELTA, 0);
        Some(Some(found.node))
    }

    /// Decodes without context, where every byte is possible; inner `None` at the end.
    fn in_root(&mut self, code: &mut Code<'_>) -> Option<Option<usize>> {
        let Node { escapes, total, .. } = self.nodes[0];
        let part = code.read(total)?;
        if part < escapes {
            return Some(None);
        }
        let found = self.find_any(part - escapes)?;
        code.take(escapes.wrapping_add(found.under), found.count)?;
        self.grow(0, found.count, ROOT_DELTA, ROOT_MINIMUM);
        Some(Some(found.node))
    }

    /// Adds to the total of a context, and halves its counts where they get large.
    fn grow(&mut self, context: usize, count: u16, delta: u16, minimum: u16) {
        self.nodes[context].total = self.nodes[context].total.wrapping_add(delta);
        if count > 0xff - 2 * delta + minimum || self.nodes[context].total > MOST {
            self.rescale(context, minimum);
        }
    }

    /// The byte of a context in whose part `part` lies.
    fn find_known(&mut self, context: usize, part: u16) -> Option<Found> {
        let mut at = usize::from(self.nodes[context].symbols);
        let mut under: u16 = 0;
        loop {
            if at == 0 {
                return None;
            }
            let node = self.nodes.get_mut(at)?;
            let after = under.wrapping_add(node.under);
            let before = after.wrapping_sub(node.count.into());
            if part >= after {
                under = after;
                at = usize::from(node.right);
            } else if part < before {
                node.under = node.under.wrapping_add(DELTA);
                at = usize::from(node.left);
            } else {
                let count = u16::from(node.count);
                node.under = node.under.wrapping_add(DELTA);
                node.count = node.count.wrapping_add(DELTA as u8);
                return Some(Found {
                    node: at,
                    under: before,
                    count,
                });
            }
        }
    }

    /// Finds without context: a byte that was not there yet has a part of one, and gets a node.
    fn find_any(&mut self, part: u16) -> Option<Found> {
        let mut at = usize::from(self.nodes[0].symbols);
        if at == 0 {
            let node = self.create(part as u8, ROOT_DELTA)?;
            self.nodes[0].symbols = node as u16;
            return Some(Found {
                node,
                under: part,
                count: ROOT_MINIMUM,
            });
        }
        let mut under: u16 = 0;
        loop {
            let node = self.nodes[at];
            let after = under
                .wrapping_add(node.under)
                .wrapping_add(u16::from(node.value) + 1);
            let before = after.wrapping_sub(u16::from(node.count) + ROOT_MINIMUM);
            let (next, value) = if part >= after {
                under = under.wrapping_add(node.under);
                let above = u16::from(node.value) + 1 + (part - after);
                (node.right, above)
            } else if part < before {
                self.nodes[at].under = node.under.wrapping_add(ROOT_DELTA);
                let below = u16::from(node.value)
                    .wrapping_sub(1)
                    .wrapping_sub(before - part - 1);
                (node.left, below)
            } else {
                self.nodes[at].under = node.under.wrapping_add(ROOT_DELTA);
                self.nodes[at].count = node.count.wrapping_add(ROOT_DELTA as u8);
                return Some(Found {
                    node: at,
                    under: before,
                    count: u16::from(node.count) + ROOT_MINIMUM,
                });
            };
            if next != 0 {
                at = next.into();
                continue;
            }
            let made = self.create(value as u8, ROOT_DELTA)?;
            if part >= after {
                self.nodes[at].right = made as u16;
            } else {
                self.nodes[at].left = made as u16;
            }
            return Some(Found {
                node: made,
                under: part,
                count: ROOT_MINIMUM,
            });
        }
    }

    /// Tells the contexts that did not know the byte, from the longest to before the one that did; the new
    /// node of the longest is the context of what comes next.
    fn learn(&mut self, longest: usize, knew: usize, bottom: usize) -> Option<usize> {
        let value = self.nodes[bottom].value;
        let (mut first, mut last) = (None, None);
        let mut context = longest;
        while context != knew {
            let (node, count) = self.count(context, value)?;
            match last.replace(node) {
                None => first = Some(node),
                Some(last) => self.nodes[last].parent = node as u16,
            }
            if count == 0 {
                let known = &mut self.nodes[context];
                known.escapes = known.escapes.wrapping_add(ESCAPE_DELTA);
                known.total = known.total.wrapping_add(ESCAPE_DELTA);
            }
            self.grow(context, count, DELTA, 0);
            context = usize::from(self.nodes[context].parent);
        }
        match last {
            Some(last) => self.nodes[last].parent = bottom as u16,
            None => first = Some(bottom),
        }
        first
    }

    /// Counts a byte in a context; its node and its count before.
    fn count(&mut self, context: usize, value: u8) -> Option<(usize, u16)> {
        let mut at = usize::from(self.nodes[context].symbols);
        if at == 0 {
            let node = self.create(value, DELTA)?;
            self.nodes[context].symbols = node as u16;
            return Some((node, 0));
        }
        loop {
            let node = &mut self.nodes[at];
            let next = if value < node.value {
                node.under = node.under.wrapping_add(DELTA);
                node.left
            } else if value > node.value {
                node.right
            } else {
                let count = node.count.into();
                node.under = node.under.wrapping_add(DELTA);
                node.count = node.count.wrapping_add(DELTA as u8);
                return Some((at, count));
            };
            if next != 0 {
                at = next.into();
                continue;
            }
            let made = self.create(value, DELTA)?;
            let node = &mut self.nodes[at];
            if value < node.value {
                node.left = made as u16;
            } else {
                node.right = made as u16;
            }
            return Some((made, 0));
        }
    }

    /// Halves the counts of a context.
    fn rescale(&mut self, context: usize, minimum: u16) {
        let symbols = usize::from(self.nodes[context].symbols);
        let total = if symbols == 0 { 0 } else { self.halve(symbols) };
        let known = &mut self.nodes[context];
        known.escapes -= known.escapes >> 1;
        known.total = total
            .wrapping_add(known.escapes)
            .wrapping_add(256_u16.wrapping_mul(minimum));
    }

    /// Halves the counts of a tree; their sum. It recurses at most 256 deep, as a tree has no byte twice.
    fn halve(&mut self, mut at: usize) -> u16 {
        let mut total: u16 = 0;
        loop {
            let Node { left, right, .. } = self.nodes[at];
            let below = if left == 0 {
                0
            } else {
                self.halve(left.into())
            };
            let node = &mut self.nodes[at];
            node.count -= node.count >> 1;
            node.under = u16::from(node.count).wrapping_add(below);
            total = total.wrapping_add(node.under);
            if right == 0 {
                return total;
            }
            at = right.into();
        }
    }
}
