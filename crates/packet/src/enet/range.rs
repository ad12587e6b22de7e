//! ENet's range coder, the default compression of Godot 3.6: a decoder without `unsafe`.
//!
//! Each byte is predicted from the two bytes before it. A context is the last two bytes, the last
//! byte, or empty. A context counts, in a binary tree, which bytes followed it. It also reserves a
//! share for an escape, which means that the next shorter context is tried. Decoder and encoder
//! grow the same trees in an array of 4096 nodes. When the array is full, both clear it. The
//! arithmetic is the same as in `compress.c` of ENet 1.3 (MIT), overflows included, because the
//! encoder on the other side runs that code.

use alloc::{boxed::Box, vec};

const TOP: u32 = 1 << 24;
const BOTTOM: u32 = 1 << 16;
/// For the empty context: what each occurrence adds to the count of a byte, and the share that each
/// of the 256 bytes has at the start.
const ROOT_DELTA: u16 = 3;
const ROOT_MINIMUM: u16 = 1;
const ESCAPE_MINIMUM: u16 = 1;
/// For longer contexts: what each occurrence adds to the count of a byte, and what each new byte
/// adds to the share of the escape.
const DELTA: u16 = 2;
const ESCAPE_DELTA: u16 = 5;
/// The length of the longest context in bytes.
const ORDER: usize = 2;
const NODES: usize = 4096;
/// The limit of a context's total. Above it all counts are halved.
const MOST: u16 = (BOTTOM - 0x100) as u16;

/// A byte in the tree of its context. Also the context of the bytes that follow it.
#[derive(Clone, Copy, Default)]
struct SymbolNode {
    value: u8,
    count: u8,
    /// The sum of the counts of this node and of its left subtree.
    under: u16,
    left: u16,
    right: u16,
    /// The root of the tree of the bytes that follow.
    symbols: u16,
    escapes: u16,
    total: u16,
    /// The node of the same byte in the next shorter context.
    parent: u16,
}

/// The decoder with its trees: 64 KiB, reused for every datagram.
#[derive(Clone)]
pub(crate) struct RangeDecoder {
    nodes: Box<[SymbolNode]>,
    used: usize,
}

/// The state of the arithmetic decoder: its interval, and the compressed bytes that are left.
struct CodeReader<'a> {
    low: u32,
    code: u32,
    range: u32,
    input: core::slice::Iter<'a, u8>,
}

impl<'a> CodeReader<'a> {
    fn new(input: &'a [u8]) -> CodeReader<'a> {
        let mut code = CodeReader {
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

    /// Shifts the next byte of the input into the code. After the end of the input this is 0,
    /// because the encoder leaves trailing zeros out.
    fn shift(&mut self) {
        let next = self.input.next().copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(next);
    }

    /// Divides the range into `total` parts, and returns the index of the part that contains the
    /// code. Returns `None` if the range is exhausted, which no encoder causes.
    fn read(&mut self, total: u16) -> Option<u16> {
        self.range = self.range.checked_div(total.into())?;
        let offset = self.code.wrapping_sub(self.low);
        Some(offset.checked_div(self.range)? as u16)
    }

    /// Narrows the range to `count` parts, from part `under` on. `None` if the range becomes empty.
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

/// A symbol that was found in a tree: its node, the sum of the shares of all smaller symbols, and
/// its own share before the update.
struct FoundSymbol {
    node: usize,
    under: u16,
    count: u16,
}

impl RangeDecoder {
    pub(crate) fn new() -> RangeDecoder {
        RangeDecoder {
            nodes: vec![SymbolNode::default(); NODES].into_boxed_slice(),
            used: 0,
        }
    }

    /// Unpacks `packed` into `out` and returns the length. `None` if no encoder writes these bytes,
    /// or if `out` is too short.
    pub(crate) fn unpack(&mut self, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        if packed.is_empty() {
            return None;
        }
        self.start();
        let mut code = CodeReader::new(packed);
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

    /// Clears all trees. Node 0 is the empty context.
    fn start(&mut self) {
        self.nodes[0] = SymbolNode {
            escapes: ESCAPE_MINIMUM,
            total: ESCAPE_MINIMUM + 256 * ROOT_MINIMUM,
            ..SymbolNode::default()
        };
        self.used = 1;
    }

    fn create(&mut self, value: u8, count: u16) -> Option<usize> {
        let place = self.used;
        *self.nodes.get_mut(place)? = SymbolNode {
            value,
            count: count as u8,
            under: count,
            ..SymbolNode::default()
        };
        self.used += 1;
        Some(place)
    }

    /// Decodes a byte in `context`, and returns the byte's node. The inner `None` means an escape,
    /// or that the context has no bytes yet. The outer `None` means that no encoder writes these
    /// bytes.
    fn in_context(&mut self, context: usize, code: &mut CodeReader<'_>) -> Option<Option<usize>> {
        let SymbolNode { escapes, total, .. } = self.nodes[context];
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

    /// Decodes a byte in the empty context, where every byte has a share, and returns the byte's
    /// node. The inner `None` means the end of the data. The outer `None` means that no encoder
    /// writes these bytes.
    fn in_root(&mut self, code: &mut CodeReader<'_>) -> Option<Option<usize>> {
        let SymbolNode { escapes, total, .. } = self.nodes[0];
        let part = code.read(total)?;
        if part < escapes {
            return Some(None);
        }
        let found = self.find_any(part - escapes)?;
        code.take(escapes.wrapping_add(found.under), found.count)?;
        self.grow(0, found.count, ROOT_DELTA, ROOT_MINIMUM);
        Some(Some(found.node))
    }

    /// Adds `delta` to the total of a context, and halves its counts if one of them or the total is
    /// too large.
    fn grow(&mut self, context: usize, count: u16, delta: u16, minimum: u16) {
        self.nodes[context].total = self.nodes[context].total.wrapping_add(delta);
        if count > 0xff - 2 * delta + minimum || self.nodes[context].total > MOST {
            self.rescale(context, minimum);
        }
    }

    /// Finds the byte of a context whose share contains `part`, and counts it. The tree is ordered
    /// by byte, and the `under` sums allow a descent like in an order-statistics tree.
    fn find_known(&mut self, context: usize, part: u16) -> Option<FoundSymbol> {
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
                return Some(FoundSymbol {
                    node: at,
                    under: before,
                    count,
                });
            }
        }
    }

    /// Finds the byte of the empty context whose share contains `part`, and counts it. A byte that
    /// has no node yet has a share of one, and gets a node.
    fn find_any(&mut self, part: u16) -> Option<FoundSymbol> {
        let mut at = usize::from(self.nodes[0].symbols);
        if at == 0 {
            let node = self.create(part as u8, ROOT_DELTA)?;
            self.nodes[0].symbols = node as u16;
            return Some(FoundSymbol {
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
                return Some(FoundSymbol {
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
            return Some(FoundSymbol {
                node: made,
                under: part,
                count: ROOT_MINIMUM,
            });
        }
    }

    /// Adds the byte of the node `bottom` to the contexts that escaped: from `longest` down to the
    /// one before `knew`, the context that knew the byte. Links the new nodes. Returns the byte's
    /// node in the longest context, which is the context of the next byte.
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

    /// Counts a byte in a context. Returns the byte's node and its previous count, which is 0 for a
    /// new byte.
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

    /// Halves the counts of a tree and returns their sum. Recurses at most 256 deep, because a tree
    /// contains each byte once.
    fn halve(&mut self, mut at: usize) -> u16 {
        let mut total: u16 = 0;
        loop {
            let SymbolNode { left, right, .. } = self.nodes[at];
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
