//! Whether a text has comments.

/// Returns `true` if there is a `;` outside of texts in quotes. Linear.
pub(crate) fn has_comments(text: &str) -> bool {
    let mut bytes = text.bytes();
    let mut in_quotes = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'\\' if in_quotes => {
                bytes.next();
            }
            b';' if !in_quotes => return true,
            _ => {}
        }
    }
    false
}
