//! Changes values at random, mostly in places where shortcuts of readers could be wrong: headers,
//! counts, the ends of strings, padding, and the end of the bytes.

use gdvar::{Dialect, Kind};

use crate::alike::Random;

/// Makes an array or a dictionary of copies of a value, so that readers see runs of equal values.
///
/// # Panics
/// Never: all dialects have containers.
#[must_use]
pub fn wrap(value: &[u8], dialect: Dialect, random: &mut Random) -> Vec<u8> {
    let copies = 1 + random.below(4);
    let kind = if random.below(2) == 0 {
        Kind::Array
    } else {
        Kind::Dictionary
    };
    let id = dialect.type_id(kind).expect("all have containers").0;
    let mut bytes = vec![id, 0, 0, 0];
    bytes.extend((copies as u32).to_le_bytes());
    for n in 0..copies {
        if kind == Kind::Dictionary {
            let key = ["id", "Name", "é", "position", "a key of seventeen"][random.below(5)];
            bytes.extend([4, 0, 0, 0]);
            bytes.extend((key.len() as u32).to_le_bytes());
            bytes.extend(key.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes.extend(value);
        if n % 2 == 1 && kind == Kind::Array {
            bytes.extend([2, 0, 0, 0, 7, 0, 0, 0]);
            let count = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) + 1;
            bytes[4..8].copy_from_slice(&count.to_le_bytes());
        }
    }
    bytes
}

/// Changes a value a little, mostly where shortcuts could be wrong.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let len = bytes.len();
    let words = len / 4;
    match random.below(8) {
        0 => bytes.truncate(random.below(len)),
        // Changes the last byte of something or the padding after it.
        1 => {
            let at = random.below(len);
            bytes[at] = [0xc3, 0xa9, 0x80, 0xff, 0][random.below(5)];
            if at + 1 < len {
                bytes[at + 1] = [0xc3, 0xa9, 0x80, 0xff, 0][random.below(5)];
            }
        }
        2 => {
            let at = random.below(len);
            bytes[at] ^= 1 << random.below(8);
        }
        // Changes a header: another type, or a flag.
        3 => {
            let at = 4 * random.below(words);
            if at + 3 < len {
                bytes[at] = random.below(45) as u8;
                bytes[at + 2] = [0, 0, 1, 2, 4, 8][random.below(6)];
            }
        }
        // Changes a count or a length.
        4 => {
            let at = 4 * random.below(words);
            if at + 4 <= len {
                let near = [
                    0,
                    1,
                    2,
                    3,
                    4,
                    5,
                    7,
                    8,
                    100,
                    1 << 24,
                    1 << 31,
                    u32::MAX,
                    i32::MAX as u32,
                ];
                bytes[at..at + 4].copy_from_slice(&near[random.below(near.len())].to_le_bytes());
            }
        }
        5 => {
            let at = random.below(len);
            bytes[at] = random.next_number() as u8;
        }
        6 => bytes.extend([0; 7].iter().take(random.below(8))),
        _ => {
            let (from, to) = (4 * random.below(words), 4 * random.below(words));
            if from + 4 <= len && to + 4 <= len {
                bytes.copy_within(from..from + 4, to);
            }
        }
    }
}
