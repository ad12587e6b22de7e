//! What shows that bytes before a value are a header, or that they are not.

use gdvar_view::{Dialect, Kind, TypeId};

/// Returns `true` if a header begins with four readable characters, or is a line, or a text after its length.
pub(super) fn begins_with_text(header: &[u8]) -> bool {
    let is_char = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let is_text = |text: &[u8]| !text.is_empty() && text.iter().all(is_char);
    let pascal = header.split_first_chunk();
    let pascal = pascal.is_some_and(|(len, text)| {
        u32::from_le_bytes(*len) as usize == text.len() && is_text(text)
    });
    let line = header.strip_suffix(b"\n");
    let line = line.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    pascal || line.is_some_and(is_text) || header.get(..4).is_some_and(is_text)
}

/// Returns `true` if a word could be the header of a container.
pub(super) fn is_container_header(word: &[u8], dialect: Dialect) -> bool {
    let kind = word.first().and_then(|id| dialect.kind(TypeId(*id)));
    word[1] == 0 && word[3] == 0 && kind.is_some_and(Kind::is_container)
}

/// Returns `true` for four bytes that hold a number from 1 to 65 535.
pub(super) fn is_small(word: &[u8]) -> bool {
    matches!(word, [low, high, 0, 0] if *low > 0 || *high > 0)
}
