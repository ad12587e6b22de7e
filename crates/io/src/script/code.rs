//! The names and the tokens of a compiled script.

use crate::{Error, words::missing, words::need_word};

use super::{GODOT_3, GODOT_4_5, Script};

/// The bytes of names are stored with these bits inverted.
const NAME_BITS: u8 = 0xb6;

/// Set in the first byte of a token if an index follows in the next three bytes.
const HAS_INDEX: u8 = 0x80;

/// A token of a script that Godot 4.5 or later compiled: a word of the language, or a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ScriptToken {
    /// The number of the token in the engine's tokenizer ([`docs/FORMAT.md` §7.7]).
    ///
    /// [`docs/FORMAT.md` §7.7]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#77-compiled-gdscript
    pub kind: u8,
    /// The index in [`Script::names`] for a name or an annotation, the index of the constant for a
    /// literal, 0 for other tokens.
    pub index: u32,
    /// The column in which the token begins, counted from 1, if it is the first token of a line.
    pub column: Option<u32>,
}

impl Script<'_> {
    /// Returns the names in the script, each once, in the order of the file. Bytes that are not
    /// valid Unicode become U+FFFD.
    ///
    /// # Errors
    ///
    /// Returns [`Truncated`](crate::FileErrorKind::Truncated).
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let contents = self.contents();
        let mut at = self.first_name;
        let mut names = Vec::new();
        for _ in 0..self.identifiers {
            let len = need_word(contents, at)? as usize;
            let size = if self.version == GODOT_3 {
                len
            } else {
                len.saturating_mul(4)
            };
            let bytes = contents[at + 4..].get(..size);
            let bytes = bytes.ok_or_else(|| missing(contents, at + 4, size as u64))?;
            let bytes = bytes.iter().map(|byte| byte ^ NAME_BITS);
            names.push(if self.version == GODOT_3 {
                let text: Vec<u8> = bytes.collect();
                let text = String::from_utf8_lossy(&text);
                text.trim_end_matches('\0').to_owned()
            } else {
                let bytes: Vec<u8> = bytes.collect();
                let codes = bytes.chunks_exact(4);
                let codes = codes.map(|code| {
                    let code = code
                        .first_chunk()
                        .map_or(0, |code| u32::from_le_bytes(*code));
                    char::from_u32(code).unwrap_or('\u{fffd}')
                });
                codes.collect()
            });
            at += 4 + size;
        }
        Ok(names)
    }

    /// Returns the tokens of a script of version 101 (Godot 4.5 and later). Returns `None` for
    /// other versions, whose tokens have other numbers.
    ///
    /// # Errors
    ///
    /// Returns [`Truncated`](crate::FileErrorKind::Truncated), also for a constant that cannot be
    /// read.
    pub fn tokens(&self) -> Result<Option<Vec<ScriptToken>>, Error> {
        if self.version != GODOT_4_5 {
            return Ok(None);
        }
        let contents = self.contents();
        // The counts of lines and tokens follow those of names and constants.
        let lines = need_word(contents, self.first_name - 8)?;
        let count = need_word(contents, self.first_name - 4)?;
        let mut constants = self.constants();
        while constants.next().is_some_and(|constant| constant.is_ok()) {}
        let mut at = constants.at;
        // First the lines of tokens, then their columns: the number of a token, and the line or column.
        at = at.saturating_add((lines as usize).saturating_mul(8));
        let mut columns = Vec::new();
        for _ in 0..lines {
            columns.push((need_word(contents, at)?, need_word(contents, at + 4)?));
            at += 8;
        }
        let mut columns = columns.into_iter().peekable();
        let mut tokens = Vec::new();
        for number in 0..count {
            let first = *contents.get(at).ok_or_else(|| missing(contents, at, 1))?;
            let (index, len) = match first & HAS_INDEX {
                0 => (0, 1),
                _ => (need_word(contents, at)? >> 8, 4),
            };
            // Its line follows.
            need_word(contents, at + len)?;
            at += len + 4;
            let column = columns.next_if(|(token, _)| *token == number);
            tokens.push(ScriptToken {
                kind: first & !HAS_INDEX,
                index,
                column: column.map(|(_, column)| column),
            });
        }
        Ok(Some(tokens))
    }
}
