//! The proof that two records are alike: the same structure, headers and keys, whatever their numbers and texts.
//!
//! It walks both side by side and stops at the first difference, so it costs two records at most, where learning one
//! costs as much as a dozen.

use gdvar_wire::Dialect;

use super::template::DEEP;
use crate::bytes::plain::{self, Pending, Rest, pair};

/// Compares the values at `one` and at `other`. Returns where the walk over the second one ended: `Ok` if they are
/// alike, `Err` if not, or if a template cannot be made of them.
pub(super) fn compare(
    bytes: &[u8],
    one: usize,
    other: usize,
    dialect: Dialect,
) -> Result<usize, usize> {
    let (mut one, mut other) = (one, other);
    let mut open = [Pending {
        left: 0,
        is_dict: false,
    }; DEEP];
    let mut depth = 0_usize;
    let mut now = Pending {
        left: 1,
        is_dict: false,
    };
    loop {
        while now.left == 0 {
            let Some(outer) = depth.checked_sub(1) else {
                return Ok(other);
            };
            depth = outer;
            now = open.get(depth).copied().ok_or(other)?;
        }
        now.left -= 1;
        // The children of a dictionary are an even number: before a value, one is left.
        let is_key = now.is_dict && now.left % 2 == 1;
        let (sizes, inside) = step(bytes, (one, other), is_key, dialect).ok_or(other)?;
        (one, other) = (one + sizes.0, other + sizes.1);
        if let Some(inside) = inside {
            *open.get_mut(depth).ok_or(other)? = now;
            depth += 1;
            now = inside;
        }
    }
}

/// The sizes of two values up to their first children, and the children of both, if they are alike so far.
#[inline]
fn step(
    bytes: &[u8],
    (one, other): (usize, usize),
    is_key: bool,
    dialect: Dialect,
) -> Option<((usize, usize), Option<Pending>)> {
    if pair(bytes, one)?.0 != pair(bytes, other)?.0 {
        return None;
    }
    let rests = (bytes.get(one..)?, bytes.get(other..)?);
    let a = plain::look(rests.0, dialect)?;
    let b = plain::look(rests.1, dialect)?;
    let inside = match (a.rest, b.rest) {
        (Rest::Text(_), Rest::Text(_)) if is_key => {
            let same = rests.0.get(..a.size) == rests.1.get(..b.size);
            same.then_some(None)?
        }
        (Rest::Text(_), Rest::Text(_)) => None,
        (Rest::Children(a), Rest::Children(b)) if a == b => Some(a),
        (Rest::Nothing, Rest::Nothing) if a.size == b.size => None,
        _ => return None,
    };
    Some(((a.size, b.size), inside))
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::{vec, vec::Vec};

    use gdvar_wire::Dialect;

    use super::compare;
    use crate::bytes::samples::{array, dict, int, string, words};

    fn record(key: &str, value: Vec<u8>, items: &[Vec<u8>]) -> Vec<u8> {
        dict(&[
            (key, value),
            ("items", array(items)),
            ("pos", words(&[9, 1, 2, 3])),
        ])
    }

    /// Numbers and texts may differ. Headers, keys, counts and the order may not.
    #[test]
    fn records_are_alike_up_to_numbers_and_texts() {
        let items = vec![int(1), string(b"x")];
        let one = record("k", int(1), &items);
        let same = record("k", int(7), &[int(9), string(b"longer text")]);
        let bytes = [one.clone(), same.clone()].concat();
        let end = compare(&bytes, 0, one.len(), Dialect::GODOT_4);
        assert_eq!(end, Ok(bytes.len()));
        for other in [
            record("l", int(1), &items),
            record("kk", int(1), &items),
            record("k", words(&[1, 1]), &items),
            record("k", words(&[0x1_0002, 1, 1]), &items),
            record("k", int(1), &items[..1]),
            record("k", int(1), &[string(b"x"), int(1)]),
            dict(&[("k", int(1))]),
            int(1),
            words(&[0]),
        ] {
            let bytes = [one.clone(), other].concat();
            let end = compare(&bytes, 0, one.len(), Dialect::GODOT_4);
            assert!(
                end.is_err_and(|end| (one.len()..bytes.len()).contains(&end)),
                "{end:?}"
            );
        }
        // Cut short, and nested too deep for a template.
        for len in 0..same.len() {
            let bytes = &bytes[..one.len() + len];
            assert!(
                compare(bytes, 0, one.len(), Dialect::GODOT_4).is_err(),
                "{len}"
            );
        }
        let deep = (0..20).fold(int(1), |inner, _| array(&[inner]));
        let bytes = deep.repeat(2);
        assert!(compare(&bytes, 0, deep.len(), Dialect::GODOT_4).is_err());
    }
}
