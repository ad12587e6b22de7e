//! Reads JSON and encodes it.

mod native;
mod plain;
mod tagged;

use gdvar_text::{Builder, Number};
use gdvar_view::{Document, Objects, repeated_keys};
use gdvar_write::{
    IntRule, Precision,
    wire::{Kind, Limits, narrow},
};

use crate::{
    ReadOptions, Style,
    error::{ReadError, ReadErrorKind},
    lexer::Lexer,
};

type Result<T> = std::result::Result<T, ReadErrorKind>;

/// An open container of any style.
struct ReadLevel {
    /// The form of its children in the JSON.
    form: ChildSyntax,
    /// The output offset of its count. `None` if the JSON gave the count.
    count_at: Option<usize>,
    /// The number of children that have begun. Keys and names are counted separately.
    children: usize,
    /// The number of `}` after the list.
    braces: u8,
    /// The JSON offset at which reading continues after the container. `None` if it continues
    /// directly after it.
    resume: Option<usize>,
}

/// The form of a container's children in the JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChildSyntax {
    /// `[a, b]`. The count is the number of children.
    List,
    /// `[k, v, k, v]`. The count is half the number of children.
    Flat,
    /// `[[k, v], [k, v]]`.
    Pairs,
    /// `{"k": v}`.
    Members,
    /// Like `Flat`, with property names in place of keys.
    FlatProps,
    /// Like `Pairs`, with property names.
    PairProps,
}

/// A reader of one value.
pub(crate) struct JsonReader<'a> {
    lexer: Lexer<'a>,
    options: ReadOptions,
    out: Builder,
    open: Vec<ReadLevel>,
    /// `true` if raw bytes were copied from the JSON. The output must then be validated at the end.
    raw: bool,
    /// The offsets of Dictionary keys in the output and in the JSON. Empty for tagged JSON, which
    /// keeps repeated keys.
    keys: Vec<(usize, usize)>,
}

impl<'a> JsonReader<'a> {
    /// Reads a value without children, or the beginning of a container. Returns `true` if the value
    /// is complete.
    fn value(&mut self) -> Result<bool> {
        match self.options.style {
            Style::Plain => plain::value(self),
            Style::Native => native::value(self),
            Style::Tagged => tagged::value(self),
        }
    }

    fn push(&mut self, form: ChildSyntax, count_at: usize, braces: u8) {
        self.open.push(ReadLevel {
            form,
            count_at: Some(count_at),
            children: 0,
            braces,
            resume: None,
        });
    }

    /// Ends the innermost container, after the end of its list.
    fn end(&mut self) -> Result<()> {
        let Some(frame) = self.open.pop() else {
            return Ok(());
        };
        for _ in 0..frame.braces {
            self.lexer.expect(b'}', "'}' after the list")?;
        }
        if let Some(resume) = frame.resume {
            self.lexer.pos = resume;
        }
        if let Some(at) = frame.count_at {
            let each = if frame.form == ChildSyntax::List {
                1
            } else {
                2
            };
            if frame.children % each != 0 {
                return Err(ReadErrorKind::Expected("a value for the last key"));
            }
            self.out.set_count(at, frame.children / each)?;
        }
        Ok(())
    }

    /// Moves to the next child of the innermost container. Returns `true` if there is one.
    fn step(&mut self) -> Result<bool> {
        let style = self.options.style;
        let Some(frame) = self.open.last_mut() else {
            return Ok(false);
        };
        let second = frame.children % 2 == 1;
        let first = frame.children == 0;
        let more = match frame.form {
            ChildSyntax::List | ChildSyntax::Flat | ChildSyntax::FlatProps => {
                self.lexer.more(first, b']', "',' or ']'")?
            }
            ChildSyntax::Pairs | ChildSyntax::PairProps if second => {
                self.lexer.expect(b',', "',' and a value")?;
                true
            }
            ChildSyntax::Pairs | ChildSyntax::PairProps => {
                if !first {
                    self.lexer.expect(b']', "']' after the pair")?;
                }
                let more = self.lexer.more(first, b']', "',' or ']'")?;
                if more {
                    self.lexer.expect(b'[', "'[' and a pair")?;
                }
                more
            }
            ChildSyntax::Members if second => {
                self.lexer.expect(b':', "':' after the key")?;
                true
            }
            ChildSyntax::Members => self.lexer.more(first, b'}', "',' or '}'")?,
        };
        if !more {
            return Ok(false);
        }
        frame.children += 1;
        match frame.form {
            ChildSyntax::Members if !second => {
                self.lexer.peek();
                self.keys.push((self.out.bytes.len(), self.lexer.pos));
                let key = self.lexer.text()?;
                self.out.text(Kind::String, key.as_bytes())?;
                self.step()
            }
            ChildSyntax::FlatProps | ChildSyntax::PairProps if !second => {
                let name = if style == Style::Tagged {
                    tagged::text(&mut self.lexer)?
                } else {
                    self.lexer.text()?.into_owned().into_bytes()
                };
                self.out.text_field(&name)?;
                self.step()
            }
            ChildSyntax::Flat if !second => {
                self.lexer.peek();
                self.keys.push((self.out.bytes.len(), self.lexer.pos));
                Ok(true)
            }
            _ => Ok(true),
        }
    }

    fn all(&mut self) -> Result<()> {
        loop {
            if self.open.len() > usize::from(self.options.max_depth) {
                return Err(ReadErrorKind::TooDeep {
                    limit: self.options.max_depth,
                });
            }
            let mut whole = self.value()?;
            loop {
                if whole && self.open.is_empty() {
                    return Ok(());
                }
                if self.step()? {
                    break;
                }
                self.end()?;
                whole = true;
            }
        }
    }

    /// Fails unless whole objects are allowed.
    fn let_object_in(&self) -> Result<()> {
        if self.options.objects == Objects::Inert {
            Ok(())
        } else {
            Err(ReadErrorKind::Object)
        }
    }

    fn let_id_in(&self) -> Result<()> {
        if self.options.objects == Objects::Deny {
            Err(ReadErrorKind::Object)
        } else {
            Ok(())
        }
    }

    /// Writes a math type or a packed array of numbers.
    fn construct(&mut self, kind: Kind, numbers: &[Number], each: usize) -> Result<()> {
        let expected = kind.component_count();
        let fits = if expected > 0 {
            numbers.len() == expected
        } else {
            numbers.len() % each == 0
        };
        if !fits {
            return Err(ReadErrorKind::Components {
                kind,
                found: u32::try_from(numbers.len()).unwrap_or(u32::MAX),
            });
        }
        Ok(self.out.construct(kind, numbers)?)
    }

    /// Parses `text`, which is the number that was read last. On an error, moves the lexer back to
    /// the first character of `text`, so that the error has this position.
    fn number(&mut self, text: &str) -> Result<Number> {
        let number = Number::parse(text);
        if number.is_err() {
            self.lexer.pos -= text.len();
        }
        Ok(number?)
    }

    /// Writes a Float. If the target has 32-bit floats, the number is rounded, because JSON has no
    /// widths.
    fn float(&mut self, float: f64) -> Result<()> {
        let target = self.out.target();
        Number::Float(float).check(Kind::Float, target)?;
        Ok(self.out.write(|writer| match target.int_rule() {
            IntRule::Always32 => writer.float_f32(narrow(float)),
            _ => writer.float(float),
        })?)
    }

    /// Returns `true` if the output is one valid value, raw bytes included. If whole objects are
    /// allowed, it is enough that the output is valid with ids only: then the script of a typed
    /// container may be any text.
    fn is_value(&self) -> bool {
        let policies = match self.options.objects {
            Objects::Inert => &[Objects::Inert, Objects::Ids][..],
            Objects::Ids => &[Objects::Ids],
            Objects::Deny => &[Objects::Deny],
        };
        policies.iter().any(|objects| {
            let read = gdvar_view::ReadOptions::new(self.out.target().dialect())
                .with_objects(*objects)
                .with_limits(Limits::ENGINE.with_max_depth(self.options.max_depth));
            let document = Document::with_options(&self.out.bytes, read);
            document.validate() == Ok(self.out.bytes.len())
        })
    }

    /// Refuses repeated Dictionary keys. The error has the position of the key in the JSON.
    fn check_keys(&mut self) -> Result<()> {
        let read = gdvar_view::ReadOptions::new(self.out.target().dialect())
            .with_objects(Objects::Inert)
            .with_limits(Limits::ENGINE.with_max_depth(self.options.max_depth));
        let document = Document::with_options(&self.out.bytes, read);
        let dicts = document.root().and_then(repeated_keys);
        let Some(&first) = dicts.as_deref().unwrap_or_default().first() else {
            return Ok(());
        };
        let dict = Document::with_options(&self.out.bytes[first..], read).root();
        let Some(dict) = dict.ok().and_then(|dict| dict.as_dict()) else {
            return Ok(());
        };
        for (key, value) in dict.iter().filter_map(std::result::Result::ok) {
            let counts = dict.get_value(key).ok().flatten();
            if counts.is_some_and(|counts| counts.offset() != value.offset()) {
                // This is the first occurrence of the key. The value that counts comes later.
                let at = first + key.offset();
                if let Ok(n) = self.keys.binary_search_by_key(&at, |(out, _)| *out) {
                    self.lexer.pos = self.keys[n].1;
                }
                break;
            }
        }
        Err(ReadErrorKind::RepeatedKey)
    }
}

pub(crate) fn read(
    json: &[u8],
    start: usize,
    options: &ReadOptions,
) -> std::result::Result<(Vec<u8>, usize), ReadError> {
    let target = match options.style {
        // Tagged JSON gives the width of reals, and they are written in this width.
        Style::Tagged => options.target.with_precision(Precision::AsGiven),
        _ => options.target,
    };
    let mut reader = JsonReader {
        lexer: Lexer::new(json, start),
        options: *options,
        out: Builder::new(target),
        open: Vec::new(),
        raw: false,
        keys: Vec::new(),
    };
    let done = reader.all().and_then(|()| {
        let end = reader.lexer.pos;
        if !reader.keys.is_empty() {
            reader.check_keys()?;
        }
        Ok(end)
    });
    let end = done.map_err(|kind| ReadError::new(json, reader.lexer.pos, kind))?;
    if reader.raw && !reader.is_value() {
        return Err(ReadError::new(json, start, ReadErrorKind::Raw));
    }
    // Without this, `01` would be two values, and so would `truefalse` and `1-2`.
    let delimits_itself = matches!(json[..end].last(), Some(b'"' | b']' | b'}'));
    reader.lexer.pos = end;
    reader.lexer.peek();
    if !delimits_itself && reader.lexer.pos == end && end < json.len() {
        let kind = ReadErrorKind::Expected("white space after the number or word");
        return Err(ReadError::new(json, end, kind));
    }
    Ok((reader.out.bytes, reader.lexer.pos))
}
