//! The text of a resource's unique id.

/// The digits that engines write, of base 34: `a` to `y` and `0` to `8`.
const DIGITS: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";

/// Returns the text of a unique id as engines write it, or `None` for a negative one, which means that there
/// is none.
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
