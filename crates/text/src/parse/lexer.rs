//! Splits the notation into tokens, as the engines do.

use std::borrow::Cow;

use gdvar_write::wire::wide_bytes;

use crate::number_value::Number;

use super::{
    error::ParseErrorKind,
    names::Manner,
    number::{engine_float, int_of},
};

/// A token. Texts are UTF-8, or bytes that Godot 3 can decode.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token<'a> {
    /// One of `{}[]():,.=`.
    Sign(u8),
    Name(&'a str),
    Text(Cow<'a, [u8]>),
    StringName(Cow<'a, [u8]>),
    Number(Number),
    Color([f32; 4]),
    End,
}

impl Token<'_> {
    /// Describes the token for an error message.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Token::Sign(b'{') => "'{'",
            Token::Sign(b'}') => "'}'",
            Token::Sign(b'[') => "'['",
            Token::Sign(b']') => "']'",
            Token::Sign(b'(') => "'('",
            Token::Sign(b')') => "')'",
            Token::Sign(b':') => "':'",
            Token::Sign(b',') => "','",
            Token::Sign(b'.') => "'.'",
            Token::Sign(_) => "'='",
            Token::Name(_) => "a name",
            Token::Text(_) => "a text",
            Token::StringName(_) => "a StringName",
            Token::Number(_) => "a number",
            Token::Color(_) => "a colour",
            Token::End => "the end of the text",
        }
    }
}

/// Splits a text into tokens.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    /// The bytes of `text`. A NUL ends the text. No search looks for it in advance, so that many
    /// values in one text are read in linear time.
    bytes: &'a [u8],
    pos: usize,
    /// The offset of the first byte of the last token.
    pub(crate) start: usize,
    manner: Manner,
    engine_rules: bool,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(
        text: &'a str,
        start: usize,
        manner: Manner,
        engine_rules: bool,
    ) -> Lexer<'a> {
        let bytes = text.as_bytes();
        // The engines ignore a byte order mark.
        let mark = start == 0 && text.starts_with('\u{feff}');
        let pos = if mark { 3 } else { start.min(bytes.len()) };
        Lexer {
            text,
            bytes,
            pos,
            start: pos,
            manner,
            engine_rules,
        }
    }

    /// Returns the offset after the last token.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Goes back to an offset that [`Lexer::pos`] returned.
    pub(crate) fn set_pos(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Skips blanks and comments.
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.pos) {
            match byte {
                b';' => {
                    let line = &self.bytes[self.pos..];
                    let end = line.iter().position(|byte| matches!(byte, b'\n' | 0));
                    self.pos += end.unwrap_or(line.len());
                }
                1..=32 => self.pos += 1,
                _ => return,
            }
        }
    }

    fn peek(&self) -> u8 {
        self.bytes.get(self.pos).copied().unwrap_or(0)
    }

    /// Reads the next token.
    pub(crate) fn token(&mut self) -> Result<Token<'a>, ParseErrorKind> {
        self.skip_blanks();
        self.start = self.pos;
        let byte = self.peek();
        match byte {
            0 => Ok(Token::End),
            b'{' | b'}' | b'[' | b']' | b'(' | b')' | b':' | b',' | b'.' | b'=' => {
                self.pos += 1;
                Ok(Token::Sign(byte))
            }
            b'#' => {
                self.pos += 1;
                let digits = self.run(u8::is_ascii_hexdigit);
                // The engines ignore a `#` colour at the very end of the text.
                if self.peek() == 0 {
                    return Ok(Token::End);
                }
                Ok(Token::Color(self.manner.color(digits)))
            }
            b'"' => self.text().map(Token::Text),
            b'&' if !self.engine_rules => self.string_name(),
            b'&' | b'@' if self.manner.has_string_names() => self.string_name(),
            b'-' => self.after_minus(),
            b'0'..=b'9' => self.number(self.pos).map(Token::Number),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(self.name()),
            _ => Err(self.unexpected()),
        }
    }

    /// Reads a StringName from its `&` or `@` on. In a notation without StringNames, this is the form
    /// for a name in quotes.
    fn string_name(&mut self) -> Result<Token<'a>, ParseErrorKind> {
        self.pos += 1;
        if self.peek() != b'"' {
            return Err(self.unexpected());
        }
        self.text().map(Token::StringName)
    }

    fn after_minus(&mut self) -> Result<Token<'a>, ParseErrorKind> {
        let start = self.pos;
        self.pos += 1;
        let is_number = match self.peek() {
            b'0'..=b'9' => true,
            b'.' => self.manner.is_godot3(),
            // With the engine's rules, Godot 3 reads anything after a minus as a number.
            _ => self.manner.is_godot3() && self.engine_rules,
        };
        if is_number {
            return self.number(start).map(Token::Number);
        }
        match self.peek() {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.name();
                let name = &self.text[start..self.pos];
                // Godot 3.2 prints the floats `-inf` and `-nan` with a `.0`.
                if self.manner.is_godot3() && self.bytes[self.pos..].starts_with(b".0") {
                    self.pos += 2;
                }
                Ok(Token::Name(name))
            }
            _ => Err(self.unexpected()),
        }
    }

    fn unexpected(&mut self) -> ParseErrorKind {
        self.start = self.pos;
        match self
            .text
            .get(self.pos..)
            .and_then(|rest| rest.chars().next())
        {
            Some(found) => ParseErrorKind::UnexpectedCharacter(found),
            None => ParseErrorKind::Expected {
                expected: "a value",
                found: "the end of the text",
            },
        }
    }

    /// Returns the next bytes that all satisfy `test`, and moves past them.
    fn run(&mut self, test: impl Fn(&u8) -> bool) -> &'a [u8] {
        let rest = &self.bytes[self.pos..];
        let len = rest.iter().position(|byte| !test(byte));
        let run = &rest[..len.unwrap_or(rest.len())];
        self.pos += run.len();
        run
    }

    fn name(&mut self) -> Token<'a> {
        let start = self.pos;
        self.run(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        Token::Name(&self.text[start..self.pos])
    }

    /// Reads a number from its first digit on. `start` is the offset of its sign, if it has one.
    fn number(&mut self, start: usize) -> Result<Number, ParseErrorKind> {
        let mut is_float = false;
        self.run(u8::is_ascii_digit);
        if self.peek() == b'.' {
            is_float = true;
            self.pos += 1;
            self.run(u8::is_ascii_digit);
        }
        if self.peek() == b'e' || self.peek() == b'E' && !self.manner.is_godot3() {
            is_float = true;
            self.pos += 1;
            if matches!(self.peek(), b'-' | b'+') {
                self.pos += 1;
            }
            self.run(u8::is_ascii_digit);
        }
        let text = &self.text[start..self.pos];
        if self.engine_rules {
            return Ok(match is_float {
                true => Number::Float(engine_float(text.as_bytes())),
                false => Number::Int(int_of(text.as_bytes())),
            });
        }
        if self.peek() == b'_' || self.peek().is_ascii_alphanumeric() {
            return Err(ParseErrorKind::NumberForm);
        }
        Ok(Number::parse(text)?)
    }

    /// Reads a text from its opening quote on.
    fn text(&mut self) -> Result<Cow<'a, [u8]>, ParseErrorKind> {
        self.pos += 1;
        let plain = self.run(|byte| !matches!(byte, b'"' | b'\\' | 0));
        if self.peek() == b'"' {
            self.pos += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut out = plain.to_vec();
        // The first half of a surrogate pair. Only Godot 4 has pairs.
        let mut lead = 0;
        loop {
            let run = self.run(|byte| !matches!(byte, b'"' | b'\\' | 0));
            if lead != 0 && (!run.is_empty() || self.peek() == b'"') {
                return Err(ParseErrorKind::Surrogate);
            }
            out.extend_from_slice(run);
            match self.peek() {
                b'"' => {
                    self.pos += 1;
                    return Ok(Cow::Owned(out));
                }
                b'\\' => self.pos += 1,
                _ => return Err(ParseErrorKind::UnterminatedText),
            }
            let code = self.escaped()?;
            if self.manner.is_godot3() {
                let (bytes, len) = wide_bytes(code);
                out.extend_from_slice(&bytes[..len]);
                continue;
            }
            let code = match code {
                0xd800..=0xdbff if lead == 0 => {
                    lead = code;
                    continue;
                }
                0xdc00..=0xdfff if lead != 0 => {
                    0x1_0000 + ((lead - 0xd800) << 10) + (code - 0xdc00)
                }
                0xd800..=0xdfff => return Err(ParseErrorKind::Surrogate),
                _ if lead != 0 => return Err(ParseErrorKind::Surrogate),
                _ => code,
            };
            lead = 0;
            // Godot 4 replaces a NUL and a number that is not a character by U+FFFD.
            let character = char::from_u32(code).filter(|character| *character != '\0');
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// Reads the character that an escape after a backslash means.
    fn escaped(&mut self) -> Result<u32, ParseErrorKind> {
        let rest = self.text.get(self.pos..);
        let next = rest.and_then(|rest| rest.chars().next());
        let Some(next) = next.filter(|next| *next != '\0') else {
            return Err(ParseErrorKind::UnterminatedText);
        };
        self.pos += next.len_utf8();
        let digits = match next {
            'b' => return Ok(8),
            't' => return Ok(9),
            'n' => return Ok(10),
            'f' => return Ok(12),
            'r' => return Ok(13),
            'u' => 4,
            'U' if !self.manner.is_godot3() => 6,
            other => return Ok(u32::from(other)),
        };
        let mut code = 0;
        for _ in 0..digits {
            let digit = char::from(self.peek()).to_digit(16);
            code = code << 4 | digit.ok_or(ParseErrorKind::Escape)?;
            self.pos += 1;
        }
        Ok(code)
    }
}
