//! The parser for one value, without recursion.

use std::ops::Range;

use gdvar_write::{IntRule, wire::Kind};

use crate::{
    builder::{Builder, Leaf, Written},
    number_value::Number,
};

use super::{
    error::ParseErrorKind,
    lexer::{Lexer, Token},
    names::Manner,
    options::{ParseOptions, Parsed},
    repeats::Entries,
    typed::{Element, convert},
};

type Result<T> = std::result::Result<T, ParseErrorKind>;

/// The form of a container, which decides what is done at the container's end.
enum Form<'a> {
    Array,
    Dict,
    /// An array with an element type, followed by `)`. The kind is `Array`, or a typed array of
    /// Pandemonium.
    TypedArray(Kind, Element<'a>),
    /// A dictionary with types of keys and values, followed by `)`.
    TypedDict(Element<'a>, Element<'a>),
    Object,
    /// An `EncodedObjectAsID`. Only its property `object_id` matters: the number is the output offset
    /// of that property's value.
    ObjectId(Option<usize>),
}

/// What is expected next in a container.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// An element, key or name, or the end.
    Child,
    /// The value of a key or name.
    Value,
    /// A comma or the end.
    Comma,
}

/// An open container.
struct Frame<'a> {
    form: Form<'a>,
    place: Place,
    /// The offset of its first byte in the output, and the offset of its count.
    start: usize,
    count_at: usize,
    /// The number of children that have begun. Keys and values are counted separately.
    children: usize,
    /// The index, in [`Parser::starts`], of its first child.
    starts: usize,
}

/// The effect of a token on the innermost container.
enum Step<'a> {
    /// A value begins with this token.
    Value(Token<'a>),
    /// The container has ended.
    Ended,
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    options: ParseOptions,
    manner: Manner,
    out: Builder,
    open: Vec<Frame<'a>>,
    /// The output offsets of the children of open containers, for containers that must read their
    /// children again.
    starts: Vec<usize>,
    numbers: Vec<Number>,
    /// The offsets after the typed containers that lost their children.
    emptied: Vec<usize>,
}

fn expected<T>(expected: &'static str, found: &Token<'_>) -> Result<T> {
    Err(ParseErrorKind::Expected {
        expected,
        found: found.describe(),
    })
}

/// Begins an array with an element type.
fn begin_array(writer: &mut Leaf<'_>, kind: Kind, element: &Element<'_>) -> Written {
    match kind {
        Kind::Array => writer.begin_typed_array(element.written(), 0),
        kind => writer.begin_pandemonium_typed_array(kind, element.written(), 0),
    }
}

mod named;
mod references;

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, start: usize, options: ParseOptions) -> Parser<'a> {
        let manner = Manner::of(options.target.dialect());
        Parser {
            text,
            lexer: Lexer::new(text, start, manner, options.engine_rules),
            options,
            manner,
            out: Builder::new(options.target),
            open: Vec::new(),
            starts: Vec::new(),
            numbers: Vec::new(),
            emptied: Vec::new(),
        }
    }

    /// Returns the offset in the text to which an error refers: the offset of the last token. After
    /// [`ParseErrorKind::Trailing`] it is the offset of the text that follows the value.
    pub(crate) fn offset(&self) -> usize {
        self.lexer.start
    }

    pub(crate) fn parse(&mut self) -> Result<Parsed> {
        let mut token = self.lexer.token()?;
        'value: loop {
            if self.open.len() > usize::from(self.options.max_depth) {
                return Err(ParseErrorKind::TooDeep {
                    limit: self.options.max_depth,
                });
            }
            let mut ended = self.value(token)?;
            loop {
                if ended && self.open.is_empty() {
                    break 'value;
                }
                match self.step()? {
                    Step::Value(next) => {
                        token = next;
                        continue 'value;
                    }
                    Step::Ended => ended = true,
                }
            }
        }
        let value_end = self.lexer.pos();
        self.lexer.skip_blanks();
        let end = self.lexer.pos();
        if self.options.whole && end < self.text.len() {
            self.lexer.start = end;
            return Err(ParseErrorKind::Trailing);
        }
        Ok(Parsed {
            bytes: std::mem::take(&mut self.out.bytes),
            value_end,
            end,
            emptied: std::mem::take(&mut self.emptied),
        })
    }

    /// Reads the next token of the innermost container.
    fn step(&mut self) -> Result<Step<'a>> {
        let Some(frame) = self.open.last_mut() else {
            return Ok(Step::Ended);
        };
        let close = match frame.form {
            Form::Array | Form::TypedArray(..) => b']',
            Form::Dict | Form::TypedDict(..) => b'}',
            Form::Object | Form::ObjectId(_) => b')',
        };
        let mut token = self.lexer.token()?;
        if frame.place == Place::Value {
            if token != Token::Sign(b':') {
                return expected("':' after the key", &token);
            }
            token = self.lexer.token()?;
            frame.place = Place::Comma;
        } else {
            if token == Token::Sign(close) {
                return self.end();
            }
            if frame.place == Place::Comma {
                if token != Token::Sign(b',') {
                    let what = match close {
                        b']' => "',' or ']'",
                        b'}' => "',' or '}'",
                        _ => "',' or ')'",
                    };
                    return expected(what, &token);
                }
                frame.place = Place::Child;
                token = self.lexer.token()?;
                if token == Token::Sign(close) {
                    return self.end();
                }
            }
            frame.place = match frame.form {
                Form::Array | Form::TypedArray(..) => Place::Comma,
                _ => Place::Value,
            };
        }
        frame.children += 1;
        match frame.form {
            Form::Array => {}
            Form::Object | Form::ObjectId(_) if frame.place == Place::Value => {
                return self.property(&token);
            }
            Form::Object | Form::ObjectId(_) => {}
            _ => self.starts.push(self.out.bytes.len()),
        }
        Ok(Step::Value(token))
    }

    /// Reads a property of an object up to its value. `token` must be its name.
    fn property(&mut self, token: &Token<'a>) -> Result<Step<'a>> {
        let Token::Text(name) = token else {
            return expected("the name of a property in quotes", token);
        };
        self.out.text_field(name)?;
        if let Some(Frame { form, .. }) = self.open.last_mut() {
            if let (Form::ObjectId(at), b"object_id") = (form, &**name) {
                *at = Some(self.out.bytes.len());
            }
        }
        self.step()
    }

    /// Ends the innermost container, after its closing token.
    fn end(&mut self) -> Result<Step<'a>> {
        let Some(frame) = self.open.pop() else {
            return Ok(Step::Ended);
        };
        if let Form::TypedArray(..) | Form::TypedDict(..) = frame.form {
            self.sign(b')', "')'")?;
        }
        let end = self.out.bytes.len();
        let starts = self.starts.split_off(frame.starts);
        let mut children: Vec<Range<usize>> = Vec::new();
        if !matches!(frame.form, Form::Array) {
            let ends = starts.iter().skip(1).copied().chain([end]);
            children = starts
                .iter()
                .zip(ends)
                .map(|(start, end)| *start..end)
                .collect();
        }
        match &frame.form {
            Form::Array => self.out.set_count(frame.count_at, frame.children)?,
            Form::Object => self.out.set_count(frame.count_at, frame.children / 2)?,
            Form::ObjectId(id) => {
                let id = id.and_then(|at| self.id_at(at)).unwrap_or(0);
                self.out.bytes.truncate(frame.start);
                self.out.write(|writer| writer.object_id(id))?;
            }
            Form::Dict => {
                self.merge(frame.count_at, &children)?;
            }
            &Form::TypedArray(kind, ref element) => {
                self.out.set_count(frame.count_at, frame.children)?;
                let types = [element.clone(), element.clone()];
                self.fit(&frame, &children, types, |writer, [element, _]| {
                    begin_array(writer, kind, element)
                })?;
            }
            Form::TypedDict(key, value) => {
                // Merges first, because the engine reads the whole dictionary before it checks the
                // types.
                let children = self.merge(frame.count_at, &children)?.unwrap_or(children);
                let types = [key.clone(), value.clone()];
                let count_at = self.fit(&frame, &children, types, |writer, [key, value]| {
                    writer.begin_typed_dict(key.written(), value.written(), 0)
                })?;
                // Conversion can make keys equal.
                if matches!(key, Element::Builtin(_)) {
                    let children = self.children_of(frame.start);
                    self.merge(count_at, &children)?;
                }
            }
        }
        Ok(Step::Ended)
    }

    /// Converts the children of a typed container: all or none. Returns the offset of its count. If a
    /// child is not an object, a class type becomes "any", as the engine does with a class that it
    /// does not know.
    fn fit(
        &mut self,
        frame: &Frame<'a>,
        children: &[Range<usize>],
        types: [Element<'a>; 2],
        begin: impl FnOnce(&mut Leaf<'_>, &[Element<'a>; 2]) -> Written,
    ) -> Result<usize> {
        let first = frame.count_at + 4;
        let settled = [0, 1].map(|part| {
            let own = children.iter().skip(part).step_by(2);
            let both = children.iter();
            match frame.form {
                Form::TypedDict(..) => types[part].settled(&self.out, own),
                _ => types[part].settled(&self.out, both),
            }
        });
        let exact = !self.options.engine_rules;
        let left = convert(&mut self.out, first, children, &settled, exact)?;
        if left < children.len() {
            self.emptied.push(self.lexer.pos());
        }
        let entries = if matches!(frame.form, Form::TypedDict(..)) {
            2
        } else {
            1
        };
        self.out.set_count(frame.count_at, left / entries)?;
        if settled == types {
            return Ok(frame.count_at);
        }
        let mut head = Builder::new(self.out.target());
        let count_at = head.begin(|writer| begin(writer, &settled))?;
        head.set_count(count_at, left / entries)?;
        self.out.bytes.splice(frame.start..first, head.bytes);
        Ok(frame.start + count_at)
    }

    /// Merges the repeated keys of a dictionary and writes its count. Returns the remaining children,
    /// or `None` if no key is repeated.
    fn merge(
        &mut self,
        count_at: usize,
        children: &[Range<usize>],
    ) -> Result<Option<Vec<Range<usize>>>> {
        self.out.set_count(count_at, children.len() / 2)?;
        if children.len() < 4 {
            return Ok(None);
        }
        let repeats = Entries {
            bytes: &self.out.bytes,
            children,
            dialect: self.out.target().dialect(),
            precision: self.out.target().precision(),
        }
        .repeats();
        if repeats.is_empty() {
            return Ok(None);
        }
        let mut kept: Vec<Option<[Range<usize>; 2]>> = children
            .chunks_exact(2)
            .map(|pair| Some([pair[0].clone(), pair[1].clone()]))
            .collect();
        for (first, n) in repeats {
            if let (Some([_, value]), Some(first)) = (kept[n].take(), &mut kept[first]) {
                first[1] = value;
            }
        }
        let mut merged = Vec::new();
        let mut ranges = Vec::new();
        for range in kept.into_iter().flatten().flatten() {
            let start = count_at + 4 + merged.len();
            merged.extend_from_slice(&self.out.bytes[range]);
            ranges.push(start..count_at + 4 + merged.len());
        }
        self.out.bytes.truncate(count_at + 4);
        self.out.bytes.extend_from_slice(&merged);
        self.out.set_count(count_at, ranges.len() / 2)?;
        Ok(Some(ranges))
    }

    /// Reads one value or opens a container. Returns `true` if it read the whole value.
    fn value(&mut self, token: Token<'a>) -> Result<bool> {
        match token {
            Token::Sign(b'[') => self.open(Form::Array, |writer| writer.begin_array(0))?,
            Token::Sign(b'{') => self.open(Form::Dict, |writer| writer.begin_dict(0))?,
            Token::Name(name) => return self.named(name),
            Token::Number(number) => {
                self.number(number)?;
                return Ok(true);
            }
            Token::Text(text) => {
                self.out.text(Kind::String, &text)?;
                return Ok(true);
            }
            Token::StringName(text) => {
                self.out.text(Kind::StringName, &text)?;
                return Ok(true);
            }
            Token::Color(color) => {
                self.out.write(|writer| writer.color(color.into()))?;
                return Ok(true);
            }
            Token::End | Token::Sign(_) => return expected("a value", &token),
        }
        Ok(false)
    }

    fn number(&mut self, number: Number) -> Result<()> {
        match number {
            Number::Int(int) => self.out.write(|writer| writer.int(int))?,
            Number::Float(float) if self.out.target().int_rule() == IntRule::Always32 => {
                self.check(number, Kind::Float)?;
                self.out
                    .write(|writer| writer.float_f32(gdvar_write::wire::narrow(float)))?;
            }
            Number::Float(float) => self.out.write(|writer| writer.float(float))?,
        }
        Ok(())
    }

    /// Refuses a number that `kind` cannot hold, unless the engine's rules are on.
    fn check(&self, number: Number, kind: Kind) -> Result<()> {
        if self.options.engine_rules {
            return Ok(());
        }
        Ok(number.check(kind, self.out.target())?)
    }

    fn open(&mut self, form: Form<'a>, begin: impl FnOnce(&mut Leaf<'_>) -> Written) -> Result<()> {
        let start = self.out.bytes.len();
        let count_at = self.out.begin(begin)?;
        self.push(form, start, count_at);
        Ok(())
    }

    fn push(&mut self, form: Form<'a>, start: usize, count_at: usize) {
        self.open.push(Frame {
            form,
            place: Place::Child,
            start,
            count_at,
            children: 0,
            starts: self.starts.len(),
        });
    }

    /// Returns the number at an offset of the output.
    fn id_at(&self, start: usize) -> Option<u64> {
        super::typed::value_of(&self.out, start..self.out.bytes.len())
            .and_then(|value| value.as_i64())
            .map(|id| id as u64)
    }

    /// Returns the children of the dictionary at an offset of the output.
    fn children_of(&self, start: usize) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let value = super::typed::value_of(&self.out, start..self.out.bytes.len());
        if let Some(dict) = value.and_then(|value| value.as_dict()) {
            for (key, value) in dict.iter().filter_map(std::result::Result::ok) {
                let at = start + key.offset();
                let middle = start + value.offset();
                let end = value.end().map_or(middle, |end| start + end);
                ranges.extend([at..middle, middle..end]);
            }
        }
        ranges
    }
}
