//! Compiled scripts (`.gdc`) of an exported game. They contain tokens instead of text.

use std::{borrow::ToOwned, string::String, string::ToString, vec::Vec};

use gdvar_io::{
    Limits,
    script::{Script, ScriptToken},
};
use gdvar_view::{Document, Kind};

use super::script::{ScriptSource, Token};

/// Reads a compiled script; `None` if it cannot be read, or is not of Godot 4.5 or later.
pub(super) fn read(file: &[u8]) -> Option<ScriptSource> {
    let script = Script::open(file, Limits::FILE).ok()?;
    let names = script.names().ok()?;
    let mut literals = Vec::new();
    for constant in script.constants() {
        let value = Document::new(constant.ok()?.bytes, script.dialect());
        let value = value.root().ok()?;
        let text = match value.kind() {
            Kind::Nil => "null".to_owned(),
            Kind::Int => value.as_i64()?.to_string(),
            _ => value.as_text().map_or(String::new(), |text| {
                String::from_utf8_lossy(text.raw()).into_owned()
            }),
        };
        literals.push((value.kind(), text));
    }
    let mut tokens = Vec::new();
    let mut open = 0_usize;
    for token in script.tokens().ok()?? {
        // A line continues inside brackets.
        if let Some(column) = token.column.filter(|_| open == 0) {
            tokens.push(Token::Line(column.saturating_sub(1) as usize));
        }
        let before = tokens.len();
        add(&mut tokens, token, &names, &literals);
        match tokens.get(before) {
            Some(Token::Sign('(' | '[' | '{')) => open += 1,
            Some(Token::Sign(')' | ']' | '}')) => open = open.saturating_sub(1),
            _ => {}
        }
    }
    Some(ScriptSource::of_tokens(&tokens))
}

/// Appends the token that the text of a script has in place of `token`. A token that is not needed
/// to find remote methods becomes [`UNKNOWN`].
fn add<'t>(
    tokens: &mut Vec<Token<'t>>,
    token: ScriptToken,
    names: &'t [String],
    literals: &'t [(Kind, String)],
) {
    let place = token.index as usize;
    let next = match token.kind {
        1 | 2 => Token::Word(names.get(place).map_or("", String::as_str)),
        3 => match literals.get(place) {
            Some((Kind::StringName, text)) => {
                tokens.push(Token::Sign('&'));
                Token::Text(text)
            }
            Some((Kind::String, text)) => Token::Text(text),
            Some((_, text)) => Token::Word(text),
            None => UNKNOWN,
        },
        28 => Token::Sign('='),
        55 => Token::Word("class"),
        56 => Token::Word("class_name"),
        59 => Token::Word("extends"),
        60 => Token::Word("func"),
        65 => Token::Word("self"),
        73 => Token::Sign('['),
        74 => Token::Sign(']'),
        75 => Token::Sign('{'),
        76 => Token::Sign('}'),
        77 => Token::Sign('('),
        78 => Token::Sign(')'),
        79 => Token::Sign(','),
        81 | 83 => Token::Sign('.'),
        84 => Token::Sign(':'),
        _ => UNKNOWN,
    };
    tokens.push(next);
}

const UNKNOWN: Token<'static> = Token::Sign('\0');
