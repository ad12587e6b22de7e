//! The remote methods that a C# file declares: `[Rpc]`.

use std::{borrow::ToOwned, vec::Vec};

use gdvar_view::Kind;

use super::{
    remote_method::{Parameters, RemoteMethod, RpcMode, kind_of},
    script::ScriptSource,
};

/// A token of C#.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Word(&'t str),
    /// A string or a character.
    Text,
    Sign(char),
}

/// Reads a script. Recognizes comments, strings, attributes and method declarations, but not
/// expressions. The first class in the file is the class of the script.
pub(super) fn read(text: &str) -> ScriptSource {
    let tokens = tokens(text);
    let mut source = ScriptSource::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Word("class") if source.class.is_none() => {
                if let Some(Token::Word(name)) = tokens.get(at + 1) {
                    source.class = Some((*name).to_owned());
                }
                if let [Token::Sign(':'), Token::Word(base), ..] =
                    tokens.get(at + 2..).unwrap_or_default()
                {
                    source.extends = Some((*base).to_owned());
                }
            }
            Token::Sign('[') => {
                let end = at + bracketed(&tokens[at..]);
                if let Some(mode) = rpc(&tokens[at..end]) {
                    source.methods.extend(method(&tokens[end..], mode));
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    source.annotated = source
        .methods
        .iter()
        .map(|method| method.name.clone())
        .collect();
    source
}

/// The number of tokens from an opening bracket to its closing one.
fn bracketed(tokens: &[Token<'_>]) -> usize {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('[' | '(' | '{') => open += 1,
            Token::Sign(']' | ')' | '}') => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The mode of the `Rpc` attribute in a list of attributes. `None` if there is none, `Some(None)`
/// if the mode is no constant of `MultiplayerApi.RpcMode` there.
fn rpc(attributes: &[Token<'_>]) -> Option<Option<RpcMode>> {
    let is_rpc = |token: &Token<'_>| matches!(token, Token::Word("Rpc" | "RpcAttribute"));
    let start = attributes.iter().position(is_rpc)?;
    // `Rpc` must be an attribute: after `[`, a comma, or the dot of a namespace.
    let before = attributes.get(start.checked_sub(1)?)?;
    if !matches!(before, Token::Sign('[' | ',' | '.')) {
        return None;
    }
    let rest = &attributes[start + 1..];
    let arguments = match rest.first() {
        Some(Token::Sign('(')) => &rest[1..bracketed(rest).max(2) - 1],
        _ => &[],
    };
    // The mode is the first argument, if that does not set a property: `[Rpc(CallLocal = true)]`.
    let first = arguments.split(|token| *token == Token::Sign(',')).next();
    let mode = match first.unwrap_or_default() {
        [] | [Token::Word(_), Token::Sign('='), ..] => Some(RpcMode::Authority),
        [Token::Word("mode"), Token::Sign(':'), mode @ ..] => constant(mode),
        mode => constant(mode),
    };
    Some(mode)
}

/// Returns the mode that `tokens` name, such as `MultiplayerApi.RpcMode.AnyPeer`.
fn constant(tokens: &[Token<'_>]) -> Option<RpcMode> {
    let [
        ..,
        Token::Word("RpcMode"),
        Token::Sign('.'),
        Token::Word(mode),
    ] = tokens
    else {
        return None;
    };
    // An expression has other signs than the dots between the names.
    let is_path = |token: &Token<'_>| matches!(token, Token::Word(_) | Token::Sign('.'));
    match *mode {
        _ if !tokens.iter().all(is_path) => None,
        "AnyPeer" => Some(RpcMode::AnyPeer),
        "Disabled" => Some(RpcMode::Disabled),
        "Authority" => Some(RpcMode::Authority),
        _ => None,
    }
}

/// The method whose declaration follows an attribute.
fn method(tokens: &[Token<'_>], mode: Option<RpcMode>) -> Option<RemoteMethod> {
    let mut rest = tokens;
    while let [Token::Sign('['), ..] = rest {
        rest = &rest[bracketed(rest)..];
    }
    let open = rest
        .iter()
        .position(|token| matches!(token, Token::Sign('(' | '{' | ';' | '=')))?;
    let (head, tail) = rest.split_at(open);
    let (Some(Token::Word(name)), Some(Token::Sign('('))) = (head.last(), tail.first()) else {
        return None;
    };
    let inside = &tail[1..bracketed(tail).max(2) - 1];
    Some(RemoteMethod {
        name: (*name).to_owned(),
        mode,
        parameters: Some(parameters(inside)),
    })
}

fn parameters(tokens: &[Token<'_>]) -> Parameters {
    let mut parameters = Parameters::default();
    let (mut open, mut start) = (0_usize, 0);
    for at in 0..=tokens.len() {
        match tokens.get(at) {
            Some(Token::Sign('[' | '(' | '{' | '<')) => open += 1,
            Some(Token::Sign(']' | ')' | '}' | '>')) => open = open.saturating_sub(1),
            Some(Token::Sign(',')) | None if open == 0 || at == tokens.len() => {
                let parameter = &tokens[start..at];
                start = at + 1;
                if parameter.is_empty() {
                    continue;
                }
                let head = parameter.split(|token| *token == Token::Sign('=')).next();
                let head = head.unwrap_or_default();
                parameters.is_variadic |= head.first() == Some(&Token::Word("params"));
                if head.len() == parameter.len() && !parameters.is_variadic {
                    parameters.required += 1;
                }
                parameters.kinds.push(kind(head));
            }
            _ => {}
        }
    }
    parameters
}

/// The type in a parameter such as `Vector2 name`, `Godot.Collections.Array<int> name` or `byte[]
/// name`.
fn kind(head: &[Token<'_>]) -> Option<Kind> {
    let (_, kind) = head.split_last()?;
    match kind {
        [Token::Word("byte"), Token::Sign('['), Token::Sign(']')] => Some(Kind::PackedByteArray),
        [.., Token::Sign(']' | '?')] => None,
        [Token::Word(name)] => kind_of(name),
        _ => {
            let generic = kind.iter().position(|token| *token == Token::Sign('<'));
            match kind.get(..generic.unwrap_or(kind.len()))?.last()? {
                Token::Word(name @ ("Array" | "Dictionary")) => kind_of(name),
                _ => None,
            }
        }
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("@\"") {
            tokens.push(Token::Text);
            1 + verbatim_len(&rest[1..])
        } else if first == '"' || first == '\'' {
            tokens.push(Token::Text);
            quoted_len(rest, first)
        } else if is_word(first) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..len]));
            len
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Sign(first));
            }
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a string with escapes, quotes included. A string without a closing quote ends at
/// the end of its line.
fn quoted_len(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '\n' || c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// The length of a string in which `""` is a quote, its outer quotes included.
fn verbatim_len(text: &str) -> usize {
    let mut rest = text.get(1..).unwrap_or_default();
    let mut len = 1;
    while let Some(end) = rest.find('"') {
        len += end + 1;
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                len += 1;
                rest = more;
            }
            None => return len,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;

    #[test]
    fn remote_methods_are_found() {
        let source = read(
            r#"using Godot;
// [Rpc] void NotThis() {}
/* [Rpc] void NorThis() {} */
public partial class Player : BaseUnit
{
    [Export] public string Text = "[Rpc] void Nor(";
    const string Path = @"C:\";
    [Rpc(MultiplayerApi.RpcMode.AnyPeer, CallLocal = true, TransferMode = MultiplayerPeer.TransferModeEnum.Unreliable)]
    [Obsolete("x")]
    public async Task<int> Hit(int amount, Vector2 at, string kind = "fire, )", byte[] data = null)
    {
        var list = items[Rpc];
    }
    [Rpc] private void Die() => GD.Print("}");
    [Export, Godot.Rpc(MultiplayerApi.RpcMode.Authority)] void Heal(Godot.Collections.Array<int> a, Dictionary<string, Variant> b, Node? c) {}
    [Rpc(MultiplayerApi.RpcMode.AnyPeer)] public static void Log(params object[] all) {}
    private void Local(int a) { Rpc(nameof(Hit), 5); RpcId(1, MethodName.Hit); }
}
"#,
        );
        assert_eq!(source.class.as_deref(), Some("Player"));
        assert_eq!(source.extends.as_deref(), Some("BaseUnit"));
        assert_eq!(source.annotated, ["Hit", "Die", "Heal", "Log"]);
        let modes: Vec<_> = source.methods.iter().map(|method| method.mode).collect();
        let [any, own] = [RpcMode::AnyPeer, RpcMode::Authority].map(Some);
        assert_eq!(modes, [any, own, own, any]);
        let hit = source.methods[0].parameters.as_ref().unwrap();
        let kinds = [
            Kind::Int,
            Kind::Vector2,
            Kind::String,
            Kind::PackedByteArray,
        ]
        .map(Some);
        assert_eq!((&hit.kinds[..], hit.required), (&kinds[..], 2));
        let heal = source.methods[2].parameters.as_ref().unwrap();
        let kinds = [Some(Kind::Array), Some(Kind::Dictionary), None];
        assert_eq!((&heal.kinds[..], heal.required), (&kinds[..], 3));
        assert!(source.methods[3].parameters.as_ref().unwrap().is_variadic);
    }

    /// C# takes any constant expression: the value of `Any` is not known here.
    #[test]
    fn callers_are_known_only_from_constants_of_the_engine() {
        for (arguments, mode) in [
            ("", Some(RpcMode::Authority)),
            ("()", Some(RpcMode::Authority)),
            ("(CallLocal = true)", Some(RpcMode::Authority)),
            ("(MultiplayerApi.RpcMode.Disabled)", Some(RpcMode::Disabled)),
            (
                "(Godot.MultiplayerApi.RpcMode.AnyPeer)",
                Some(RpcMode::AnyPeer),
            ),
            (
                "(mode: RpcMode.AnyPeer, CallLocal = true)",
                Some(RpcMode::AnyPeer),
            ),
            ("(Any)", None),
            ("(Modes.Any, TransferChannel = 1)", None),
            ("((MultiplayerApi.RpcMode)1)", None),
            ("(MultiplayerApi.RpcMode.Authority - 1)", None),
            ("(0 + MultiplayerApi.RpcMode.Authority)", None),
            ("(Strict ? RpcMode.AnyPeer : RpcMode.Authority)", None),
        ] {
            let source = read(&format!("class A {{ [Rpc{arguments}] void F() {{}} }}"));
            assert_eq!(source.methods[0].mode, mode, "{arguments}");
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic() {
        for text in [
            "",
            "[",
            "[Rpc",
            "[Rpc]",
            "[Rpc(",
            "[Rpc]void",
            "[Rpc]void f",
            "[Rpc]void f(",
            "[Rpc]f()",
            "[Rpc] void f(,)",
            "[Rpc] void f(int",
            "class",
            "class A :",
            "\"",
            "@\"",
            "@\"\"\"",
            "'\\",
            "/*",
            "//",
            "[Rpc]é(é)",
            "]",
            ")",
            "[Rpc]void f)(",
            "[Rpc(]void f(int a)",
        ] {
            let _ = read(text);
        }
    }
}
