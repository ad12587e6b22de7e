//! The parser of filters.

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use gdvar_view::{Path, Step, path_end};

use super::{Condition, FilterError, FilterField, Literal, Needle, Operator, ValuePath};

/// The nesting limit of conditions.
const DEPTH: usize = 64;

pub(super) fn filter(text: &str) -> Result<Condition, FilterError> {
    let mut parser = Parser { text, at: 0 };
    let condition = parser.any(DEPTH)?;
    parser.pass_space();
    match parser.rest() {
        "" => Ok(condition),
        _ => Err(parser.error("and, or, or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    #[cold]
    fn error(&self, expected: &'static str) -> FilterError {
        FilterError {
            offset: self.at,
            expected,
        }
    }

    fn pass_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_ascii_start().len();
    }

    /// If `sign` is next, skips it and returns `true`.
    fn sign(&mut self, sign: &str) -> bool {
        self.pass_space();
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    /// If `word` is next and is a whole word there, skips it and returns `true`.
    fn word(&mut self, word: &str) -> bool {
        self.pass_space();
        let Some(rest) = self.rest().strip_prefix(word) else {
            return false;
        };
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if !goes_on {
            self.at += word.len();
        }
        !goes_on
    }

    fn any(&mut self, depth: usize) -> Result<Condition, FilterError> {
        if depth == 0 {
            return Err(self.error("less nesting"));
        }
        let mut parts = vec![self.all(depth)?];
        while self.word("or") {
            parts.push(self.all(depth)?);
        }
        Ok(one_or(parts, Condition::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Condition, FilterError> {
        let mut parts = vec![self.one(depth)?];
        while self.word("and") {
            parts.push(self.one(depth)?);
        }
        Ok(one_or(parts, Condition::All))
    }

    fn one(&mut self, depth: usize) -> Result<Condition, FilterError> {
        if depth == 0 {
            return Err(self.error("less nesting"));
        }
        if self.word("not") {
            return Ok(Condition::Not(Box::new(self.one(depth - 1)?)));
        }
        if self.sign("(") {
            let condition = self.any(depth - 1)?;
            return match self.sign(")") {
                true => Ok(condition),
                false => Err(self.error("and, or, or )")),
            };
        }
        self.pass_space();
        let start = self.at;
        let field = field(self.field_text(), start)?;
        match self.operator() {
            Some(operator) => {
                let before = self.at;
                let literal =
                    as_compared(&field, self.literal()?).map_err(|expected| FilterError {
                        offset: before,
                        expected,
                    })?;
                let is_text = matches!(literal, Literal::Text(_));
                if matches!(operator, Operator::Contains | Operator::StartsWith) && !is_text {
                    return Err(self.error("a text in double quotes before this"));
                }
                Ok(Condition::Compare(field, operator, literal))
            }
            None => Ok(Condition::Is(field)),
        }
    }

    /// Takes the text up to ASCII white space, a parenthesis or an operator outside quotes. Any other white space
    /// belongs to a key.
    fn field_text(&mut self) -> &'t str {
        let rest = self.rest();
        let is_sign = |c: char| c.is_ascii_whitespace() || "()=!<>".contains(c);
        let text = &rest[..path_end(rest, |rest| rest.starts_with(is_sign))];
        self.at += text.len();
        text
    }

    fn operator(&mut self) -> Option<Operator> {
        let signs = [
            ("==", Operator::Equal),
            ("!=", Operator::Unequal),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        for (sign, operator) in signs {
            if self.sign(sign) {
                return Some(operator);
            }
        }
        if self.word("contains") {
            Some(Operator::Contains)
        } else if self.word("starts_with") {
            Some(Operator::StartsWith)
        } else {
            None
        }
    }

    fn literal(&mut self) -> Result<Literal, FilterError> {
        if self.sign("\"") {
            return self.quoted();
        }
        for (word, literal) in [
            ("true", Literal::Bool(true)),
            ("false", Literal::Bool(false)),
            ("null", Literal::Null),
        ] {
            if self.word(word) {
                return Ok(literal);
            }
        }
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == ')');
        let number = &rest[..end.unwrap_or(rest.len())];
        let literal = if let Ok(int) = number.parse() {
            Literal::Int(int)
        } else if let (Ok(float), true) = (number.parse(), number.starts_with(is_number)) {
            Literal::Float(float)
        } else {
            return Err(self.error("a number, a text in double quotes, true, false or null"));
        };
        self.at += number.len();
        Ok(literal)
    }

    fn quoted(&mut self) -> Result<Literal, FilterError> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(Literal::Text(Box::new(Needle::new(text))));
                }
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                c => text.push(c),
            }
        }
        Err(self.error("a closing quote after this"))
    }
}

/// Converts a literal from the form that the output prints to the form that filters compare: `"#1"`
/// is method number 1, and `"to server"` is the direction `to_server`. The error says what the
/// field can be compared with.
fn as_compared(field: &FilterField, literal: Literal) -> Result<Literal, &'static str> {
    let Literal::Text(needle) = &literal else {
        return Ok(literal);
    };
    let text = needle.text.as_str();
    match field {
        FilterField::Method => match text
            .strip_prefix('#')
            .and_then(|number| number.parse().ok())
        {
            Some(number) => Ok(Literal::Int(number)),
            None => Ok(literal),
        },
        FilterField::Direction => match text {
            "to_server" | "to server" => {
                Ok(Literal::Text(Box::new(Needle::new("to_server".into()))))
            }
            "to_client" | "to client" => {
                Ok(Literal::Text(Box::new(Needle::new("to_client".into()))))
            }
            _ => Err("the direction \"to_server\" or \"to_client\""),
        },
        FilterField::From | FilterField::To => {
            Err("the number of a peer, where 1 is the server; link is the number of a client")
        }
        _ => Ok(literal),
    }
}

fn is_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | '+' | '.')
}

fn one_or(mut parts: Vec<Condition>, many: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => many(parts),
    }
}

/// Parses a field. `start` is its offset in the filter.
pub(super) fn field(text: &str, start: usize) -> Result<FilterField, FilterError> {
    let bad = |offset: usize| FilterError {
        offset: start + offset,
        expected: "a field such as command, node, method, args[0].damage, size, from",
    };
    let path = Path::parse(text).map_err(|error| bad(error.offset))?;
    let mut steps = path.steps();
    if let [Step::Name("rpc"), rest @ ..] = steps {
        steps = rest;
    }
    let [Step::Name(name), rest @ ..] = steps else {
        return Err(bad(0));
    };
    let field = match (*name, rest) {
        ("args", [Step::Index(arg), rest @ ..]) => {
            let arg = usize::try_from(*arg).map_err(|_| bad(0))?;
            return Ok(FilterField::Arg(arg, ValuePath::new(rest)));
        }
        ("properties", [Step::Index(n), rest @ ..]) => {
            let n = usize::try_from(*n).map_err(|_| bad(0))?;
            return Ok(FilterField::Property(n, ValuePath::new(rest)));
        }
        ("net_id", []) => return Ok(FilterField::NetId),
        ("value", rest) => return Ok(FilterField::Value(ValuePath::new(rest))),
        (_, [_, ..]) => return Err(bad(0)),
        ("args", []) => FilterField::ArgCount,
        ("carrier", []) => FilterField::Transport,
        ("direction", []) => FilterField::Direction,
        ("from" | "source", []) => FilterField::From,
        ("to" | "target", []) => FilterField::To,
        ("link", []) => FilterField::Link,
        ("command", []) => FilterField::Command,
        ("channel", []) => FilterField::Channel,
        ("delivery", []) => FilterField::Delivery,
        ("fragments", []) => FilterField::Fragments,
        ("resent", []) => FilterField::Resent,
        ("relayed", []) => FilterField::Relayed,
        ("size" | "bytes", []) => FilterField::Size,
        ("time", []) => FilterField::Time,
        ("node", []) => FilterField::Node,
        ("method", []) => FilterField::Method,
        ("message", []) => FilterField::Message,
        _ => return Err(bad(0)),
    };
    Ok(field)
}
