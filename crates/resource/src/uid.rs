//! Converts the unique id of a resource to and from text, and reads the ids of an exported game.

/// The digits that engines write, of base 34: `a` to `y` and `0` to `8`.
const DIGITS: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";

/// Returns the text of a unique id as engines write it. Returns `None` for a negative number, which
/// means that there is no id.
///
/// ```
/// assert_eq!(gdvar_resource::uid_text(0).as_deref(), Some("uid://a"));
/// assert_eq!(gdvar_resource::uid_text(34).as_deref(), Some("uid://ba"));
/// assert_eq!(gdvar_resource::uid_text(-1), None);
/// ```
#[must_use]
pub fn uid_text(uid: i64) -> Option<String> {
    let mut rest = u64::try_from(uid).ok()?;
    let mut digits = Vec::new();
    loop {
        digits.push(char::from(DIGITS[(rest % 34) as usize]));
        rest /= 34;
        if rest == 0 {
            break;
        }
    }
    let digits: String = digits.iter().rev().collect();
    Some(format!("uid://{digits}"))
}

/// Returns the unique id for a text that engines write. `None` for any other text, and for a number above 63
/// bits.
///
/// ```
/// assert_eq!(gdvar_resource::uid_of("uid://ba"), Some(34));
/// assert_eq!(gdvar_resource::uid_of("uid://<invalid>"), None);
/// ```
#[must_use]
pub fn uid_of(text: &str) -> Option<i64> {
    let digits = text
        .strip_prefix("uid://")
        .filter(|digits| !digits.is_empty())?;
    digits.bytes().try_fold(0_i64, |uid, digit| {
        let value = DIGITS.iter().position(|known| *known == digit)?;
        uid.checked_mul(34)?.checked_add(i64::try_from(value).ok()?)
    })
}

/// Returns the path and the unique id of each file in an exported game's `.godot/uid_cache.bin`: a
/// count, and for each file its id, the length of its path, and the path. Stops at an entry that is
/// cut.
#[must_use]
pub fn uid_cache(cache: &[u8]) -> Vec<(String, String)> {
    let mut uids = Vec::new();
    let mut rest = cache.get(4..).unwrap_or_default();
    while let Some((head, tail)) = rest.split_first_chunk::<12>() {
        let [a, b, c, d, e, f, g, h, len @ ..] = *head;
        let uid = i64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let len = usize::try_from(u32::from_le_bytes(len)).unwrap_or(usize::MAX);
        let Some((path, next)) = tail.split_at_checked(len) else {
            break;
        };
        let path = std::str::from_utf8(path).unwrap_or_default();
        uids.extend(uid_text(uid).map(|uid| (path.to_owned(), uid)));
        rest = next;
    }
    uids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back() {
        for uid in [0, 1, 33, 34, 1156, i64::MAX] {
            let text = uid_text(uid).expect("a text");
            assert_eq!(uid_of(&text), Some(uid), "{text}");
        }
        for text in [
            "",
            "uid://",
            "uid://z",
            "a",
            "uid://<invalid>",
            "uid://aaaaaaaaaa8888888888888",
        ] {
            assert_eq!(uid_of(text), None, "{text}");
        }
    }
}
