//! Reads the tokens of JSON (RFC 8259). Texts may contain control characters, because the engine writes
//! them.

use std::borrow::Cow;

use crate::error::ReadErrorKind;

type Result<T> = std::result::Result<T, ReadErrorKind>;

/// Reads JSON token by token.
pub(crate) struct Lexer<'a> {
    json: &'a [u8],
    pub(crate) pos: usize,
}

/// A value that is neither array nor object.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// The characters of a number.
    Number(&'a str),
    Text(Cow<'a, str>),
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(json: &'a [u8], pos: usize) -> Lexer<'a> {
        // Files often begin with a byte order mark, although JSON does not allow it.
        let mark = pos == 0 && json.starts_with(b"\xef\xbb\xbf");
        let pos = if mark { 3 } else { pos.min(json.len()) };
        Lexer { json, pos }
    }

    fn byte(&self) -> u8 {
        self.json.get(self.pos).copied().unwrap_or(0)
    }

    /// Skips blanks. Returns the next byte without skipping it, or 0 at the end.
    pub(crate) fn peek(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\t' | b'\n' | b'\r') {
            self.pos += 1;
        }
        self.byte()
    }

    /// Skips blanks, and then `sign` if it is next. Returns `true` if it was.
    pub(crate) fn eat(&mut self, sign: u8) -> bool {
        let found = self.peek() == sign && sign != 0;
        self.pos += usize::from(found);
        found
    }

    /// Skips blanks, and then `sign`. If something else follows the blanks, returns an error that
    /// says that `what` was expected.
    pub(crate) fn expect(&mut self, sign: u8, what: &'static str) -> Result<()> {
        if self.eat(sign) {
            Ok(())
        } else {
            Err(ReadErrorKind::Expected(what))
        }
    }

    /// Moves to the next item of a list and returns `true`. Unless the item is the `first`, skips
    /// the comma before it. If `end` is next, skips `end` and returns `false`.
    pub(crate) fn more(&mut self, first: bool, end: u8, what: &'static str) -> Result<bool> {
        if self.eat(end) {
            return Ok(false);
        }
        if !first {
            self.expect(b',', what)?;
        }
        Ok(true)
    }

    pub(crate) fn scalar(&mut self) -> Result<Scalar<'a>> {
        let word = match self.peek() {
            b'"' => return self.text().map(Scalar::Text),
            b'-' | b'0'..=b'9' => return self.number().map(Scalar::Number),
            b'n' => (&b"null"[..], Scalar::Null),
            b't' => (&b"true"[..], Scalar::Bool(true)),
            b'f' => (&b"false"[..], Scalar::Bool(false)),
            _ => return Err(ReadErrorKind::Expected("a value")),
        };
        if !self.json[self.pos..].starts_with(word.0) {
            return Err(ReadErrorKind::Expected("a value"));
        }
        self.pos += word.0.len();
        Ok(word.1)
    }

    fn digits(&mut self) -> Result<()> {
        if !self.byte().is_ascii_digit() {
            return Err(ReadErrorKind::Expected("a digit"));
        }
        while self.byte().is_ascii_digit() {
            self.pos += 1;
        }
        Ok(())
    }

    /// Reads a number and returns its characters.
    pub(crate) fn number(&mut self) -> Result<&'a str> {
        if !matches!(self.peek(), b'-' | b'0'..=b'9') {
            return Err(ReadErrorKind::Expected("a number"));
        }
        let start = self.pos;
        self.pos += usize::from(self.byte() == b'-');
        if self.byte() == b'0' {
            self.pos += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == b'.' {
            self.pos += 1;
            self.digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.pos += 1;
            self.pos += usize::from(matches!(self.byte(), b'-' | b'+'));
            self.digits()?;
        }
        Ok(std::str::from_utf8(&self.json[start..self.pos]).unwrap_or_default())
    }

    /// Reads a text with its quotes and resolves the escapes.
    pub(crate) fn text(&mut self) -> Result<Cow<'a, str>> {
        self.expect(b'"', "a text in quotes")?;
        let plain = self.run()?;
        if self.byte() == b'"' {
            self.pos += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut out = plain.to_owned();
        while self.byte() == b'\\' {
            self.pos += 1;
            out.push(self.escaped()?);
            out.push_str(self.run()?);
        }
        self.pos += 1;
        Ok(Cow::Owned(out))
    }

    /// Reads up to a quote or a backslash. Control characters are accepted: Godot 4.6.3 and 3.6.2 write
    /// U+0001 to U+001F into texts unescaped, apart from those that have an escape, and read all of them.
    fn run(&mut self) -> Result<&'a str> {
        let start = self.pos;
        let special = |byte: &u8| matches!(byte, 0 | b'"' | b'\\');
        let len = self.json[start..].iter().position(special);
        self.pos = len.map_or(self.json.len(), |len| start + len);
        if !matches!(self.byte(), b'"' | b'\\') {
            return Err(ReadErrorKind::BadText);
        }
        std::str::from_utf8(&self.json[start..self.pos]).map_err(|_| ReadErrorKind::NotUtf8)
    }

    fn escaped(&mut self) -> Result<char> {
        let Some(&letter) = self.json.get(self.pos) else {
            return Err(ReadErrorKind::BadText);
        };
        self.pos += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            // JSON has no such escape. The engines write it, although they cannot read it.
            b'v' => '\u{b}',
            b'u' => {
                let lead = self.hex()?;
                let code = match lead {
                    0xd800..=0xdbff if self.json[self.pos..].starts_with(b"\\u") => {
                        self.pos += 2;
                        let trail = self.hex()?;
                        if !(0xdc00..=0xdfff).contains(&trail) {
                            return Err(ReadErrorKind::Surrogate);
                        }
                        0x1_0000 + ((lead - 0xd800) << 10) + (trail - 0xdc00)
                    }
                    code => code,
                };
                char::from_u32(code).ok_or(ReadErrorKind::Surrogate)?
            }
            _ => {
                return Err(ReadErrorKind::Expected(
                    "one of the letters that JSON allows after a backslash",
                ));
            }
        })
    }

    fn hex(&mut self) -> Result<u32> {
        let digits = self.json.get(self.pos..self.pos + 4).unwrap_or_default();
        let mut code = 0;
        for digit in digits {
            let digit = char::from(*digit).to_digit(16);
            code = code << 4 | digit.ok_or(ReadErrorKind::Expected("4 hexadecimal digits"))?;
        }
        if digits.is_empty() {
            return Err(ReadErrorKind::Expected("4 hexadecimal digits"));
        }
        self.pos += 4;
        Ok(code)
    }

    /// Skips one value of any kind, without recursion.
    pub(crate) fn skip(&mut self) -> Result<()> {
        let mut open = 0usize;
        loop {
            match self.peek() {
                b'[' | b'{' => {
                    open += 1;
                    self.pos += 1;
                }
                b']' | b'}' if open > 0 => {
                    open -= 1;
                    self.pos += 1;
                }
                b',' | b':' if open > 0 => self.pos += 1,
                _ => {
                    self.scalar()?;
                }
            }
            if open == 0 {
                return Ok(());
            }
        }
    }
}
