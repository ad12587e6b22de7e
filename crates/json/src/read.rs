//! From JSON to bytes.

mod native;
mod plain;
mod tagged;

use gdvar_text::{Builder, Number};
use gdvar_view::{Document, Objects};
use gdvar_write::{Precision, wire::Kind};

use crate::{
    ReadOptions, Style,
    error::{ReadError, ReadErrorKind},
    lexer::Lexer,
};

type Result<T> = std::result::Result<T, ReadErrorKind>;

/// An open container, of whatever style.
struct Frame {
    /// The bytes before and behind its children.
    form: Form,
    /// The place of its count in the output; `None` where it was given.
    count_at: Option<usize>,
    /// The number of children that have begun; keys and names count.
    children: usize,
    /// The number of `}` behind its list.
    braces: u8,
    /// The place to go on behind it, if not right there.
    resume: Option<usize>,
}

/// How children stand in a container.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `[a, b]`, counted one by one.
    List,
    /// `[k, v, k, v]`, counted in twos.
    Flat,
    /// `[[k, v], [k, v]]`.
    Pairs,
    /// `{"k": v}`.
    Members,
    /// As `Flat`, with names of properties in the places of keys.
    FlatProps,
    /// As `Pairs`, with names.
    PairProps,
}

/// Reads one value.
pub(crate) struct Reader<'a> {
    lexer: Lexer<'a>,
    options: ReadOptions,
    out: Builder,
    open: Vec<Frame>,
    /// `true` if bytes were taken as they are.
    raw: bool,
}

impl<'a> Reader<'a> {
    /// Reads what a value begins with; says whether it is whole.
    fn value(&mut self) -> Result<bool> {
        match self.options.style {
            Style::Plain => plain::value(self),
            Style::Native => native::value(self),
            Style::Tagged => tagged::value(self),
        }
    }

    fn push(&mut self, form: Form, count_at: usize, braces: u8) {
        self.open.push(Frame {
            form,
            count_at: Some(count_at),
            children: 0,
            braces,
            resume: None,
        });
    }

    /// Ends the innermost container, whose list has ended.
    fn end(&mut self) -> Result<()> {
        let Some(frame) = self.open.pop() else {
            return Ok(());
        };
        for _ in 0..frame.braces {
            self.lexer.expect(b'}', "'}' behind the list")?;
        }
        if let Some(resume) = frame.resume {
            self.lexer.pos = resume;
        }
        if let Some(at) = frame.count_at {
            let each = if frame.form == Form::List { 1 } else { 2 };
            if frame.children % each != 0 {
                return Err(ReadErrorKind::Expected("a value for the last key"));
            }
            self.out.set_count(at, frame.children / each)?;
        }
        Ok(())
    }

    /// Goes on in the innermost container; says whether a child follows.
    fn step(&mut self) -> Result<bool> {
        let style = self.options.style;
        let Some(frame) = self.open.last_mut() else {
            return Ok(false);
        };
        let second = frame.children % 2 == 1;
        let first = frame.children == 0;
        let more = match frame.form {
            Form::List | Form::Flat | Form::FlatProps => {
                self.lexer.more(first, b']', "',' or ']'")?
            }
            Form::Pairs | Form::PairProps if second => {
                self.lexer.expect(b',', "',' and a value")?;
                true
            }
            Form::Pairs | Form::PairProps => {
                if !first {
                    self.lexer.expect(b']', "']' behind the pair")?;
                }
                let more = self.lexer.more(first, b']', "',' or ']'")?;
                if more {
                    self.lexer.expect(b'[', "'[' and a pair")?;
                }
                more
            }
            Form::Members if second => {
                self.lexer.expect(b':', "':' behind the key")?;
                true
            }
            Form::Members => self.lexer.more(first, b'}', "',' or '}'")?,
        };
        if !more {
            return Ok(false);
        }
        frame.children += 1;
        match frame.form {
            Form::Members if !second => {
                let key = self.lexer.text()?;
                self.out.text(Kind::String, key.as_bytes())?;
                self.step()
            }
            Form::FlatProps | Form::PairProps if !second => {
                let name = if style == Style::Tagged {
                    tagged::text(&mut self.lexer)?
                } else {
                    self.lexer.text()?.into_owned().into_bytes()
                };
                self.out.text_field(&name)?;
                self.step()
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

    /// Refuses whole objects where they are not let in.
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

    /// A math type or packed array of numbers.
    fn construct(&mut self, kind: Kind, numbers: &[Number], each: usize) -> Result<()> {
        let expected = gdvar_text::component_count(kind);
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
}

/// A JSON number: an Int where it has no point, no exponent, and fits.
fn number_of(text: &str) -> Number {
    match text.parse() {
        Ok(int) => Number::Int(int),
        Err(_) => Number::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

pub(crate) fn read(
    json: &[u8],
    start: usize,
    options: &ReadOptions,
) -> std::result::Result<(Vec<u8>, usize), ReadError> {
    let target = match options.style {
        // A real that was read is written in the width it had.
        Style::Tagged => options.target.with_precision(Precision::AsGiven),
        _ => options.target,
    };
    let mut reader = Reader {
        lexer: Lexer::new(json, start),
        options: *options,
        out: Builder::new(target),
        open: Vec::new(),
        raw: false,
    };
    if let Err(kind) = reader.all() {
        return Err(ReadError::new(json, reader.lexer.pos, kind));
    }
    if reader.raw {
        let objects = match options.objects {
            Objects::Deny => Objects::Deny,
            Objects::Ids => Objects::Ids,
            _ => Objects::Inert,
        };
        let read = gdvar_view::ReadOptions::new(target.dialect())
            .with_objects(objects)
            .with_limits(gdvar_write::wire::Limits::ENGINE.with_max_depth(options.max_depth));
        let document = Document::with_options(&reader.out.bytes, read);
        if document.validate() != Ok(reader.out.bytes.len()) {
            return Err(ReadError::new(json, start, ReadErrorKind::Raw));
        }
    }
    reader.lexer.peek();
    Ok((reader.out.bytes, reader.lexer.pos))
}
