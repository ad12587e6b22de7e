//! References to resources: `Resource("path")`, `ExtResource("id")`, `SubResource("id")`.

use std::borrow::Cow;

use gdvar_view::Objects;
use gdvar_write::wire::Kind;

use super::{Parser, Result, expected, named::class_name};
use crate::{
    number_value::Number,
    parse::{lexer::Token, reference, typed::Element},
};

/// The texts of a reference: one, or two.
type Texts<'a> = (Cow<'a, [u8]>, Option<Cow<'a, [u8]>>);

impl<'a> Parser<'a> {
    /// Returns `true` if the options let references be read as data.
    pub(super) fn reads_references(&self) -> bool {
        self.options.references && self.options.objects == Objects::Inert
    }

    /// Reads the rest of a reference after its name, and writes it as an object of the class
    /// `name`.
    pub(super) fn reference(&mut self, name: &str) -> Result<()> {
        self.sign(b'(', "'('")?;
        let (first, second) = self.reference_texts()?;
        let properties = match (name, second) {
            ("Resource", None) => vec![("path", first)],
            ("Resource", Some(path)) => vec![("uid", first), ("path", path)],
            (_, None) => vec![("id", first)],
            (_, Some(_)) => return expected("')'", &Token::Sign(b',')),
        };
        let count_at = self.out.begin(|writer| writer.begin_object(name, 0))?;
        for (property, text) in &properties {
            self.out.text_field(property.as_bytes())?;
            self.out.text(Kind::String, text)?;
        }
        Ok(self.out.set_count(count_at, properties.len())?)
    }

    /// Reads the rest of a type such as `ExtResource("1_a")` after its `(`.
    pub(super) fn reference_type(&mut self, name: &str) -> Result<Element<'a>> {
        let (first, second) = self.reference_texts()?;
        let path = second.unwrap_or(first);
        let path = class_name(path)?;
        Ok(Element::Script(match name {
            "Resource" => path,
            _ => reference::type_path(name, &path).into(),
        }))
    }

    /// Reads one or two texts and the closing parenthesis. An id can be a number.
    fn reference_texts(&mut self) -> Result<Texts<'a>> {
        let first = match self.lexer.token()? {
            Token::Text(text) => text,
            Token::Number(Number::Int(id)) => Cow::Owned(id.to_string().into_bytes()),
            token => return expected("a path or an id in quotes", &token),
        };
        match self.lexer.token()? {
            Token::Sign(b')') => Ok((first, None)),
            Token::Sign(b',') => match self.lexer.token()? {
                Token::Text(second) => {
                    self.sign(b')', "')'")?;
                    Ok((first, Some(second)))
                }
                token => expected("a path in quotes", &token),
            },
            token => expected("')'", &token),
        }
    }
}
