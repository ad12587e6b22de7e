//! The floor: a validator as plain as one can be that is still fast. No case of gdvar may be
//! slower.
//!
//! One loop, one table. The table has an entry for each type number, without and with the width
//! bit, which says how such a value goes on. The counts of open containers stand in an array. Text
//! is looked at eight bytes at a time, with simdutf8 behind it for what is not ASCII. Nothing is
//! learned from the input, so it is as fast whatever comes.
//!
//! It reads in engine mode, without whole objects, and shares nothing with gdvar's reader but the
//! list of type numbers and Godot 3's rule for text. [`Floor::validate`] agrees with
//! `Document::validate` on every vector, which is tested.

use gdvar_view::{Dialect, Kind, TextRules, TypeId, WideCode, wide_code};

use super::VALIDATES;
use crate::{
    harness::Suite,
    workloads::{Packets, Tree},
};

/// The entry that validates.
pub(crate) const VALIDATE: &str = "floor: one table";

/// The deepest a value may be; the root has depth 0.
const DEPTH: usize = 1024;

/// How a value goes on behind its header.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// So many bytes.
    Fixed(u8),
    /// A length and so much text.
    Text,
    /// A count and so many values, behind so many bytes of type numbers.
    Array(u8),
    /// A count and so many pairs, behind so many bytes of type numbers.
    Dictionary(u8),
    /// A count and so many pieces of so many bytes.
    Packed(u8),
    /// Something else, see [`Floor::rare`].
    Rare,
}

/// A validator for one dialect.
#[derive(Debug)]
pub(crate) struct Floor {
    dialect: Dialect,
    /// By type number; from 256 on with the width bit.
    table: [Entry; 512],
    /// The header of a dictionary whose keys and values are typed by numbers, or 0.
    typed_dictionary: u32,
    /// The number of values that the open containers still want.
    open: [u32; DEPTH + 1],
}

impl Floor {
    /// Makes the table.
    pub(crate) fn new(dialect: Dialect) -> Floor {
        let mut table = [Entry::Rare; 512];
        for (id, entry) in table.iter_mut().enumerate() {
            if let Some(kind) = dialect.kind(TypeId(id as u8)) {
                *entry = entry_of(dialect, kind, id >= 256);
            }
        }
        let id = dialect.type_id(Kind::Dictionary);
        let typed = id.filter(|_| dialect.has_typed_containers());
        Floor {
            dialect,
            table,
            typed_dictionary: typed.map_or(0, |id| u32::from(id.0) | 0x5_0000),
            open: [0; DEPTH + 1],
        }
    }

    /// The number of bytes that the value takes that `bytes` begin with; `None` if it is malformed.
    pub(crate) fn validate(&mut self, bytes: &[u8]) -> Option<usize> {
        let (mut at, mut left, mut depth) = (0, 1_u32, 0);
        loop {
            while left == 0 {
                if depth == 0 {
                    return Some(at);
                }
                depth -= 1;
                left = self.open[depth];
            }
            left -= 1;
            let header = word(bytes, at)?;
            let entry = if header & !0x1_00ff == 0 {
                self.table[(header & 0xff | header >> 8) as usize]
            } else if header == self.typed_dictionary {
                Entry::Dictionary(8)
            } else {
                Entry::Rare
            };
            at += 4;
            let children = self.pass(bytes, &mut at, header, entry)?;
            if at > bytes.len() {
                return None;
            }
            if children > 0 {
                *self.open.get_mut(depth)? = left;
                depth += 1;
                left = children;
                // Each takes four bytes at least, and none may be too deep.
                if depth > DEPTH || left as usize > (bytes.len() - at) / 4 {
                    return None;
                }
            }
        }
    }

    /// Passes a value's payload up to its children. Returns how many children follow.
    #[inline(always)]
    fn pass(&self, bytes: &[u8], at: &mut usize, header: u32, entry: Entry) -> Option<u32> {
        match entry {
            Entry::Fixed(size) => {
                *at += size as usize;
                Some(0)
            }
            Entry::Text => {
                *at = self.text(bytes, *at)?;
                Some(0)
            }
            Entry::Packed(size) => {
                let end = *at + 4 + word(bytes, *at)? as usize * size as usize;
                // The engines do not look whether the last padding is there.
                *at = end.next_multiple_of(4).min(bytes.len());
                (end <= bytes.len()).then_some(0)
            }
            Entry::Array(types) => self.count(bytes, at, types),
            Entry::Dictionary(types) => self.count(bytes, at, types)?.checked_mul(2),
            Entry::Rare => self.rare(bytes, at, header),
        }
    }

    /// Passes type numbers and a count.
    #[inline]
    fn count(&self, bytes: &[u8], at: &mut usize, types: u8) -> Option<u32> {
        let end = *at + types as usize;
        while *at < end {
            if word(bytes, *at)? >= u32::from(self.dialect.type_count()) {
                return None;
            }
            *at += 4;
        }
        let count = word(bytes, *at)? & !(1 << 31);
        *at += 4;
        Some(count)
    }

    /// Passes a length, text and its padding.
    #[inline]
    fn text(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let len = word(bytes, at)? as usize;
        let start = at + 4;
        let end = start + len;
        let padded = end.next_multiple_of(4);
        if padded > bytes.len() {
            return None;
        }
        // A header and a length stand before it, so that eight bytes end where it ends.
        let last = eight(bytes, end - 8)?;
        let mut high = last;
        if len < 8 {
            high &= !(u64::MAX >> (8 * len));
        }
        let mut at = start;
        while at + 8 < end {
            high |= eight(bytes, at)?;
            at += 8;
        }
        if high & 0x8080_8080_8080_8080 == 0 || self.other_text(&bytes[start..end]) {
            return Some(padded);
        }
        None
    }

    /// Returns `true` if text is well-formed that is not ASCII. It ends at a NUL.
    #[inline(never)]
    fn other_text(&self, text: &[u8]) -> bool {
        if simdutf8::basic::from_utf8(text).is_ok() {
            return true;
        }
        let mut text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        if self.dialect.text_rules() == TextRules::Utf8 {
            return std::str::from_utf8(text).is_ok();
        }
        loop {
            match wide_code(text) {
                WideCode::Code { len, .. } => text = &text[len..],
                WideCode::End => return true,
                WideCode::Malformed => return false,
            }
        }
    }

    /// Passes what is rare. Returns how many children follow.
    #[cold]
    #[inline(never)]
    fn rare(&self, bytes: &[u8], at: &mut usize, header: u32) -> Option<u32> {
        let flag = header & 1 << 16 != 0;
        match self.dialect.kind(TypeId(header as u8))? {
            // Texts that may count a NUL. A negative count is none.
            Kind::PackedStringArray => {
                let count = word(bytes, *at)? as i32;
                *at += 4;
                for _ in 0..count {
                    *at = self.text(bytes, *at)?;
                }
                Some(0)
            }
            Kind::NodePath => {
                let (names, more, flags) = (
                    word(bytes, *at)?,
                    word(bytes, *at + 4)?,
                    word(bytes, *at + 8)?,
                );
                *at += 12;
                if names & 1 << 31 == 0 {
                    return None;
                }
                let names = u64::from(names & !(1 << 31)) + u64::from(more);
                for _ in 0..names + u64::from(flags & 2 != 0) {
                    *at = self.text(bytes, *at)?;
                }
                Some(0)
            }
            Kind::Signal => {
                *at = self.text(bytes, *at)? + 8;
                Some(0)
            }
            // By its id; a whole one is not allowed.
            Kind::Object => {
                *at += 8;
                flag.then_some(0)
            }
            Kind::Array if self.dialect.has_typed_containers() => {
                self.descriptor(bytes, at, header >> 16)?;
                self.count(bytes, at, 0)
            }
            Kind::Dictionary if self.dialect.has_typed_containers() => {
                self.descriptor(bytes, at, header >> 16)?;
                self.descriptor(bytes, at, header >> 18)?;
                self.count(bytes, at, 0)?.checked_mul(2)
            }
            // Pandemonium's: a type number, and for objects a class name that is a value.
            Kind::TypedArray | Kind::PackedTypedArray => {
                let element = word(bytes, *at)? & !(1 << 31);
                *at += 4;
                let object = self.dialect.type_id(Kind::Object)?;
                if element == u32::from(object.0) && !flag {
                    let name = TypeId(word(bytes, *at)? as u8);
                    if self.dialect.kind(name) != Some(Kind::StringName) {
                        return None;
                    }
                    *at = self.text(bytes, *at + 4)?;
                }
                self.count(bytes, at, 0)
            }
            // Bits without a meaning.
            _ => match self.table[(header & 0xff | header >> 8 & 0x100) as usize] {
                Entry::Rare => None,
                entry => self.pass(bytes, at, header, entry),
            },
        }
    }

    /// Passes the type of a container's elements, in the form that two bits tell.
    fn descriptor(&self, bytes: &[u8], at: &mut usize, form: u32) -> Option<()> {
        match form & 3 {
            0 => Some(()),
            1 => {
                let known = word(bytes, *at)? < u32::from(self.dialect.type_count());
                *at += 4;
                known.then_some(())
            }
            _ => {
                *at = self.text(bytes, *at)?;
                Some(())
            }
        }
    }
}

/// The entry of a kind, and whether the width bit is set.
fn entry_of(dialect: Dialect, kind: Kind, wide: bool) -> Entry {
    // Reals are of eight bytes in what a Godot 4 with doubles writes.
    let reals = |count: u8| {
        count
            * if wide && dialect.has_wide_math() {
                8
            } else {
                4
            }
    };
    let typed = if wide && dialect.has_typed_containers() {
        4
    } else {
        0
    };
    match kind {
        Kind::Nil | Kind::Callable => Entry::Fixed(0),
        Kind::Bool => Entry::Fixed(4),
        Kind::Int | Kind::Float => Entry::Fixed(if wide { 8 } else { 4 }),
        Kind::String | Kind::StringName => Entry::Text,
        Kind::Vector2 => Entry::Fixed(reals(2)),
        Kind::Vector3 => Entry::Fixed(reals(3)),
        Kind::Vector4 | Kind::Rect2 | Kind::Plane | Kind::Quaternion => Entry::Fixed(reals(4)),
        Kind::Aabb | Kind::Transform2D => Entry::Fixed(reals(6)),
        Kind::Basis => Entry::Fixed(reals(9)),
        Kind::Transform3D => Entry::Fixed(reals(12)),
        Kind::Projection => Entry::Fixed(reals(16)),
        Kind::Vector2i => Entry::Fixed(8),
        Kind::Vector3i => Entry::Fixed(12),
        Kind::Vector4i | Kind::Rect2i | Kind::Color => Entry::Fixed(16),
        Kind::Rid => Entry::Fixed(if dialect.rid_has_id() { 8 } else { 0 }),
        Kind::Array => Entry::Array(typed),
        Kind::Dictionary => Entry::Dictionary(typed),
        Kind::PackedByteArray => Entry::Packed(1),
        Kind::PackedInt32Array | Kind::PackedFloat32Array => Entry::Packed(4),
        Kind::PackedInt64Array | Kind::PackedFloat64Array => Entry::Packed(8),
        Kind::PackedVector2Array => Entry::Packed(reals(2)),
        Kind::PackedVector3Array => Entry::Packed(reals(3)),
        Kind::PackedVector4Array => Entry::Packed(reals(4)),
        Kind::PackedVector2iArray => Entry::Packed(8),
        Kind::PackedVector3iArray => Entry::Packed(12),
        Kind::PackedVector4iArray | Kind::PackedColorArray => Entry::Packed(16),
        _ => Entry::Rare,
    }
}

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[inline]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Registers what validates a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let bytes = tree.bytes.as_slice();
    let mut floor = Floor::new(dialect);
    suite.add(
        VALIDATE,
        VALIDATES,
        bytes.len(),
        bytes.len() as u64,
        move || floor.validate(bytes).unwrap_or(0) as u64,
    );
}

/// Registers what validates packets.
pub(crate) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    let mut floor = Floor::new(Dialect::GODOT_4);
    let size = packets.bytes.len();
    suite.add(VALIDATE, VALIDATES, size, packets.size, move || {
        let ends = packets.iter().map(|packet| floor.validate(packet));
        ends.map(|end| end.unwrap_or(0) as u64).sum()
    });
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use gdvar_view::{Dialect, Document};

    use super::Floor;
    use crate::random::Random;

    const DIALECTS: [Dialect; 3] = [Dialect::GODOT_3, Dialect::GODOT_4, Dialect::PANDEMONIUM_5];

    fn bytes(hex: &str) -> Vec<u8> {
        let digits = hex.as_bytes().chunks(2);
        let digits = digits.map(|two| std::str::from_utf8(two).expect("hexadecimal digits"));
        digits
            .map(|two| u8::from_str_radix(two, 16).expect("hexadecimal digits"))
            .collect()
    }

    /// All bytes of `testdata/vectors`: engines' own, malformed ones and mutants.
    fn vectors() -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/vectors");
        let mut vectors = Vec::new();
        for file in fs::read_dir(folder).expect("the vectors are there") {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path).expect("text");
            match path.extension().and_then(|end| end.to_str()) {
                Some("jsonl") => vectors.extend(text.lines().filter_map(|line| {
                    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
                    // A few are so long that their parts are repeated.
                    let parts = line["hex_parts"].as_array().map(|parts| {
                        let part = |part: &serde_json::Value| {
                            let times = part[1].as_u64().expect("how often") as usize;
                            part[0].as_str().expect("bytes").repeat(times)
                        };
                        parts.iter().map(part).collect::<String>()
                    });
                    line["hex"].as_str().or(parts.as_deref()).map(bytes)
                })),
                Some("txt") => {
                    let lines = text.lines().filter(|line| !line.starts_with('#'));
                    vectors.extend(lines.map(|line| bytes(&line[1..])));
                }
                _ => {}
            }
        }
        assert!(vectors.len() > 5_000, "{} vectors", vectors.len());
        vectors
    }

    /// The number it takes, of how many.
    fn agree(floors: &mut [Floor; 3], bytes: &[u8]) -> usize {
        let mut taken = 0;
        for floor in floors {
            let expected = Document::new(bytes, floor.dialect).validate().ok();
            let found = floor.validate(bytes);
            assert_eq!(found, expected, "{:?} {bytes:02x?}", floor.dialect);
            taken += usize::from(expected.is_some());
        }
        taken
    }

    #[test]
    fn the_floor_agrees_with_gdvar_on_every_vector_its_beginnings_and_its_mutants() {
        let mut floors = DIALECTS.map(Floor::new);
        let mut random = Random::new(0x5eed_f100);
        let (mut taken, mut all) = (0, 0);
        for vector in vectors() {
            taken += agree(&mut floors, &vector);
            all += DIALECTS.len();
            for cut in (0..vector.len()).rev().take(24) {
                agree(&mut floors, &vector[..cut]);
            }
            for _ in 0..24 {
                let mut mutant = vector.clone();
                if mutant.is_empty() {
                    break;
                }
                for _ in 0..random.between(1, 3) {
                    let at = random.below(mutant.len());
                    mutant[at] = match random.below(3) {
                        0 => random.bits() as u8,
                        1 => *random.pick(&[0, 1, 2, 0x7f, 0x80, 0xc3, 0xff]),
                        _ => mutant[at] ^ 1 << random.below(8),
                    };
                }
                agree(&mut floors, &mutant);
            }
        }
        assert!(taken > all / 4 && taken < all, "{taken} of {all}");
    }

    #[test]
    fn the_floor_ends_where_gdvar_does_in_depth_and_in_short_text() {
        let mut floors = DIALECTS.map(Floor::new);
        for array in [19, 28, 26] {
            for depth in [1, 1023, 1024, 1025, 1026] {
                for inner in [0, array] {
                    let mut bytes = Vec::new();
                    for _ in 0..depth {
                        bytes.extend([array, 0, 0, 0, 1, 0, 0, 0]);
                    }
                    bytes.extend([inner, 0, 0, 0, 0, 0, 0, 0]);
                    agree(&mut floors, &bytes);
                }
            }
        }
        for len in 0..24_usize {
            for wide in 0..=len {
                let mut bytes = vec![4, 0, 0, 0, len as u8, 0, 0, 0];
                bytes.extend((0..len).map(|n| if n == wide { 0xc3 } else { b'a' }));
                bytes.resize(bytes.len().next_multiple_of(4), 0xa9);
                agree(&mut floors, &bytes);
            }
        }
    }
}
