//! Converts the unique id of a resource to and from text.

/// The digits that engines write, of base 34: `a` to `y` and `0` to `8`.
const DIGITS: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";

/// Returns the text of a unique id as engines write it. `None` for a negative one, which means that there is no
/// id.
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
