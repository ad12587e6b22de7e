//! Parses values that begin with a name: `Vector2(…)`, `Array[int](…)`, `Object(…)`, packed arrays, paths.

use std::borrow::Cow;

use gdvar_view::Objects;
use gdvar_write::wire::Kind;

use super::{Form, Parser, Result, begin_array, expected};
use crate::{
    number_value::Number,
    parse::{base64, error::ParseErrorKind, lexer::Token, names::Meaning, typed::Element},
};

impl<'a> Parser<'a> {
    /// Reads a value that begins with `name`. Returns `true` if it read the whole value, `false` if it
    /// opened a container.
    pub(super) fn named(&mut self, name: &'a str) -> Result<bool> {
        let meaning = self.manner.meaning(name, self.options.engine_rules);
        match meaning.ok_or(ParseErrorKind::UnknownName)? {
            Meaning::Nil => self.out.write(|writer| writer.nil())?,
            Meaning::Bool(flag) => self.out.write(|writer| writer.bool(flag))?,
            Meaning::Float(float) => self.out.write(|writer| writer.float(float))?,
            Meaning::NodePath => {
                self.sign(b'(', "'('")?;
                match self.lexer.token()? {
                    Token::Text(text) => self.out.node_path(&text)?,
                    Token::Sign(b'[') if !self.options.engine_rules => self.path_parts()?,
                    token => return expected("the path in quotes", &token),
                }
                self.close_loosely()?;
            }
            Meaning::Rid => self.rid()?,
            Meaning::Signal => self.signal()?,
            Meaning::Callable => {
                self.sign(b'(', "'('")?;
                self.out.write(|writer| writer.callable())?;
                self.close_loosely()?;
            }
            Meaning::Construct(Kind::PackedStringArray) => {
                self.sign(b'(', "'('")?;
                let texts = self.texts(b')')?;
                self.out.texts(&texts)?;
            }
            Meaning::Construct(kind) => {
                self.sign(b'(', "'('")?;
                let first = self.lexer.token()?;
                match first {
                    Token::Text(text)
                        if kind == Kind::PackedByteArray && !self.manner.is_godot3() =>
                    {
                        let bytes = base64::decode(&text).ok_or(ParseErrorKind::Base64)?;
                        self.sign(b')', "')'")?;
                        self.out.write(|writer| writer.packed_bytes(&bytes))?;
                    }
                    first => {
                        self.numbers(kind, first)?;
                        let numbers = std::mem::take(&mut self.numbers);
                        let expected = kind.component_count();
                        if expected > 0 && numbers.len() != expected {
                            return Err(ParseErrorKind::ArgumentCount {
                                expected: expected as u32,
                                found: u32::try_from(numbers.len()).unwrap_or(u32::MAX),
                            });
                        }
                        self.out.construct(kind, &numbers)?;
                        self.numbers = numbers;
                    }
                }
            }
            Meaning::Typed(kind) => {
                self.typed(kind)?;
                return Ok(false);
            }
            Meaning::Object => {
                self.object()?;
                return Ok(false);
            }
            Meaning::Resource if self.reads_references() => self.reference(name)?,
            Meaning::Resource => return Err(ParseErrorKind::Resource),
            Meaning::InputEvent => {
                self.sign(b'(', "'('")?;
                if self.lexer.token()? != Token::Name("NONE") {
                    return Err(ParseErrorKind::Object);
                }
                self.sign(b')', "')'")?;
                self.out.write(|writer| writer.nil())?;
            }
        }
        Ok(true)
    }

    pub(super) fn sign(&mut self, sign: u8, what: &'static str) -> Result<()> {
        match self.lexer.token()? {
            Token::Sign(found) if found == sign => Ok(()),
            token => expected(what, &token),
        }
    }

    /// Reads a closing parenthesis. `str_to_var` accepts the outermost value without it; documents do not.
    fn close_loosely(&mut self) -> Result<()> {
        let before = self.lexer.pos();
        let closed = self.sign(b')', "')'");
        let is_strict = self.options.whole || self.options.references;
        if closed.is_err() && self.open.is_empty() && !is_strict {
            self.lexer.set_pos(before);
            return Ok(());
        }
        closed
    }

    fn rid(&mut self) -> Result<()> {
        self.sign(b'(', "'('")?;
        let number = match self.lexer.token()? {
            Token::Number(number) => number,
            Token::Sign(b')') if !(self.manner.is_godot3() && self.options.engine_rules) => {
                return Ok(self.out.write(|writer| writer.rid(0))?);
            }
            token => return expected("a number", &token),
        };
        if self.manner.is_godot3() && (self.options.engine_rules || self.options.references) {
            // Godot 3 reads the number itself as the value, and not as a RID. In documents it does so, too.
            self.number(number)?;
        } else {
            self.check(number, Kind::Rid)?;
            self.out.write(|writer| writer.rid(number.u64()))?;
        }
        self.close_loosely()
    }

    /// Reads the texts of a packed array up to its closing sign. A comma before this sign is accepted.
    fn texts(&mut self, close: u8) -> Result<Vec<Vec<u8>>> {
        let mut texts = Vec::new();
        loop {
            match self.lexer.token()? {
                Token::Sign(sign) if sign == close => return Ok(texts),
                Token::Text(text) => texts.push(text.into_owned()),
                token => return expected("a text in quotes or ')'", &token),
            }
            match self.lexer.token()? {
                Token::Sign(b',') => {}
                Token::Sign(sign) if sign == close => return Ok(texts),
                token => return expected("',' or ')'", &token),
            }
        }
    }

    /// Reads the numbers of a constructor. `first` is the token after the opening parenthesis.
    fn numbers(&mut self, kind: Kind, first: Token<'a>) -> Result<()> {
        self.numbers.clear();
        if first == Token::Sign(b')') {
            return Ok(());
        }
        let mut token = first;
        loop {
            let number = match &token {
                Token::Number(number) => Some(*number),
                Token::Name(name) => self
                    .manner
                    .component(name, self.options.engine_rules)
                    .map(Number::Float),
                _ => None,
            };
            match number {
                Some(number) => {
                    self.check(number, kind)?;
                    self.numbers.push(number);
                }
                None => return expected("a number", &token),
            }
            match self.lexer.token()? {
                Token::Sign(b',') => token = self.lexer.token()?,
                Token::Sign(b')') => return Ok(()),
                token => return expected("',' or ')'", &token),
            }
        }
    }

    /// Reads the rest of `Array[int]([` or `Dictionary[int, int]({` after the first name.
    fn typed(&mut self, kind: Kind) -> Result<()> {
        self.sign(b'[', "'[' and a type")?;
        let first = self.element()?;
        if kind == Kind::Dictionary {
            self.sign(b',', "',' after the type of keys")?;
            let second = self.element()?;
            self.sign(b']', "']'")?;
            self.sign(b'(', "'('")?;
            self.sign(b'{', "'{'")?;
            let start = self.out.bytes.len();
            let count_at = self
                .out
                .begin(|writer| writer.begin_typed_dict(first.written(), second.written(), 0))?;
            self.push(Form::TypedDict(first, second), start, count_at);
            return Ok(());
        }
        self.sign(b']', "']'")?;
        self.sign(b'(', "'('")?;
        self.sign(b'[', "'['")?;
        let own = kind == Kind::Array && self.out.target().can_write(Kind::TypedArray);
        let kind = if own { Kind::TypedArray } else { kind };
        let start = self.out.bytes.len();
        let count_at = self.out.begin(|writer| begin_array(writer, kind, &first))?;
        self.push(Form::TypedArray(kind, first), start, count_at);
        Ok(())
    }

    /// Reads an element type.
    fn element(&mut self) -> Result<Element<'a>> {
        let name = match self.lexer.token()? {
            Token::Name(name) => name,
            Token::StringName(name) if !self.options.engine_rules => {
                let class = class_name(name)?;
                return Ok(match self.options.objects {
                    Objects::Inert => Element::Class(class),
                    _ => Element::Class("EncodedObjectAsID".into()),
                });
            }
            token => return expected("the name of a type", &token),
        };
        if matches!(name, "Resource" | "SubResource" | "ExtResource") {
            let before = self.lexer.pos();
            if self.lexer.token()? == Token::Sign(b'(') {
                if self.reads_references() {
                    return self.reference_type(name);
                }
                let Token::Text(path) = self.lexer.token()? else {
                    return Err(ParseErrorKind::Resource);
                };
                self.sign(b')', "')'")?;
                // Any other reference needs the scene file that contains it.
                let path = class_name(path)?;
                let is_path = name == "Resource" && path.starts_with("res://");
                let allowed = is_path && self.options.objects == Objects::Inert;
                let element = allowed.then_some(Element::Script(path));
                return element.ok_or(ParseErrorKind::Resource);
            }
            self.lexer.set_pos(before);
        }
        Ok(match self.manner.element(name) {
            Some(Kind::Object) => Element::Object,
            Some(kind) => Element::Builtin(kind),
            None if !self.manner.is_class(name) => Element::Any,
            // Without permission for objects, the engines write only this class.
            None if self.options.objects == Objects::Inert => Element::Class(name.into()),
            None => Element::Class("EncodedObjectAsID".into()),
        })
    }

    /// Reads the rest of `Object(Node,` after the first name.
    fn object(&mut self) -> Result<()> {
        let name_at = self.lexer.start;
        self.sign(b'(', "'('")?;
        let (class, is_id) = match self.lexer.token()? {
            Token::Name(class) => (class.into(), class == "EncodedObjectAsID"),
            Token::StringName(class) if !self.options.engine_rules => (class_name(class)?, false),
            token => return expected("the name of a class", &token),
        };
        let allowed = match self.options.objects {
            Objects::Inert => true,
            Objects::Ids => is_id,
            Objects::Deny => false,
        };
        if !allowed {
            self.lexer.start = name_at;
            return Err(ParseErrorKind::Object);
        }
        self.sign(b',', "',' after the class")?;
        let form = if is_id {
            Form::ObjectId(None)
        } else {
            Form::Object
        };
        self.open(form, |writer| writer.begin_object(&class, 0))
    }

    /// Reads the name and the id of a signal. The engines neither print nor read them.
    fn signal(&mut self) -> Result<()> {
        self.sign(b'(', "'('")?;
        // The engine ignores the contents of the parentheses: its Signal is always empty.
        let (name, id) = match self.options.engine_rules {
            true => ("".into(), 0),
            false => self.signal_parts()?,
        };
        self.out.write(|writer| writer.signal(&name, id))?;
        self.close_loosely()
    }

    /// Reads the name and the object id of a Signal. If there are none, the name is empty.
    fn signal_parts(&mut self) -> Result<(Cow<'a, str>, u64)> {
        let before = self.lexer.pos();
        let Token::Text(name) = self.lexer.token()? else {
            self.lexer.set_pos(before);
            return Ok(("".into(), 0));
        };
        self.sign(b',', "',' after the name")?;
        match self.lexer.token()? {
            Token::Number(id) => {
                self.check(id, Kind::Rid)?;
                Ok((class_name(name)?, id.u64()))
            }
            token => expected("the number of an object", &token),
        }
    }

    /// Reads the names of a NodePath one by one, after the first `[`. Paths are written in this
    /// form if their text would be read as another path.
    fn path_parts(&mut self) -> Result<()> {
        let names = self.texts(b']')?;
        self.sign(b',', "',' and the subnames")?;
        self.sign(b'[', "'[' and the subnames")?;
        let subnames = self.texts(b']')?;
        self.sign(b',', "',' and true if the path begins at the root")?;
        let absolute = match self.lexer.token()? {
            Token::Name("true") => true,
            Token::Name("false") => false,
            token => return expected("true or false", &token),
        };
        Ok(self
            .out
            .write(|writer| writer.node_path_from(&names, &subnames, absolute))?)
    }
}

/// Returns a name as UTF-8. Fails if it is not, because class names must be UTF-8.
pub(super) fn class_name(name: Cow<'_, [u8]>) -> Result<Cow<'_, str>> {
    let name = match name {
        Cow::Borrowed(name) => std::str::from_utf8(name).map(Cow::Borrowed).ok(),
        Cow::Owned(name) => String::from_utf8(name).map(Cow::Owned).ok(),
    };
    name.ok_or(ParseErrorKind::Surrogate)
}
