//! [`ScriptSource`]: the remote methods that a GDScript file declares.

use std::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};

use super::remote_method::{Parameters, RemoteMethod, RpcMode, kind_in_gdscript};

/// The remote methods of one script, and what it extends.
#[derive(Debug, Default)]
pub(super) struct ScriptSource {
    pub(super) class: Option<String>,
    /// The base class: its name, or the path of its script.
    pub(super) extends: Option<String>,
    pub(super) annotated: Vec<String>,
    pub(super) configured: Vec<String>,
    /// The declarations of the annotated and the configured methods.
    pub(super) methods: Vec<RemoteMethod>,
}

/// A token of GDScript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A name or keyword, or an annotation with its `@`.
    Word(&'t str),
    /// A string without its quotes.
    Text(&'t str),
    /// Any other character.
    Sign(char),
    /// The start of a line, with the width of its indentation.
    Line(usize),
}

impl ScriptSource {
    /// Reads a script. Recognizes comments and strings, but not expressions. Skips inner classes,
    /// whose nodes have other remote methods.
    pub(super) fn read(text: &str) -> ScriptSource {
        ScriptSource::of_tokens(&tokens(text))
    }

    /// Reads the tokens of a script.
    pub(super) fn of_tokens(tokens: &[Token<'_>]) -> ScriptSource {
        let mut source = ScriptSource::default();
        let constants = constants(tokens);
        let (mut indent, mut rpc) = (0, None);
        let mut functions = BTreeMap::new();
        let mut modes = BTreeMap::new();
        for (at, token) in tokens.iter().enumerate() {
            let next = |n: usize| tokens.get(at + n).copied();
            match token {
                Token::Line(width) => indent = *width,
                Token::Word("@rpc") if indent == 0 => {
                    rpc = Some(annotated_mode(in_brackets(&tokens[at + 1..]), &constants));
                }
                Token::Word("func") if indent == 0 => {
                    let mode = rpc.take();
                    if let Some(Token::Word(name)) = next(1) {
                        if let Some(mode) = mode {
                            source.annotated.push(name.to_owned());
                            note_mode(&mut modes, name, mode);
                        }
                        functions.insert(name, parameters(in_brackets(&tokens[at + 2..])));
                    }
                }
                Token::Word("class_name") if indent == 0 => {
                    if let Some(Token::Word(name)) = next(1) {
                        source.class = Some(name.to_owned());
                    }
                }
                Token::Word("extends") if indent == 0 => {
                    if let Some(Token::Word(base) | Token::Text(base)) = next(1) {
                        source.extends.get_or_insert_with(|| base.to_owned());
                    }
                }
                Token::Word("rpc_config") if is_own(&tokens[..at]) => {
                    let name = match (next(1), next(2), next(3)) {
                        (
                            Some(Token::Sign('(')),
                            Some(Token::Sign('&')),
                            Some(Token::Text(name)),
                        ) => Some((name, 4)),
                        (Some(Token::Sign('(')), Some(Token::Text(name)), _) => Some((name, 3)),
                        _ => None,
                    };
                    // `null` makes a method local again.
                    let kept =
                        |&(_, comma): &(_, usize)| next(comma + 1) != Some(Token::Word("null"));
                    if let Some((name, _)) = name.filter(kept) {
                        source.configured.push(name.to_owned());
                        let mode = configured_mode(in_brackets(&tokens[at + 1..]));
                        note_mode(&mut modes, name, mode);
                    }
                }
                _ => {}
            }
        }
        let methods = modes.into_iter().map(|(name, mode)| RemoteMethod {
            name: name.to_owned(),
            mode,
            parameters: functions.remove(name),
        });
        source.methods = methods.collect();
        source
    }
}

/// Returns the tokens between the bracket at the start and its closing bracket. Empty if there is
/// no bracket at the start.
fn in_brackets<'s, 't>(tokens: &'s [Token<'t>]) -> &'s [Token<'t>] {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => open += 1,
            Token::Sign(')' | ']' | '}') => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return tokens.get(1..at).unwrap_or_default();
        }
    }
    tokens.get(1..).unwrap_or_default()
}

/// Notes the mode of a method. Two declarations with different modes make it unknown, because the
/// last one that runs counts.
fn note_mode<'t>(
    modes: &mut BTreeMap<&'t str, Option<RpcMode>>,
    name: &'t str,
    mode: Option<RpcMode>,
) {
    let known = modes.entry(name).or_insert(mode);
    if *known != mode {
        *known = None;
    }
}

/// Finds the script's own constants that are one string: `const NAME := "…"`.
fn constants<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, &'t str> {
    let is_declaration = |pair: &[Token<'t>]| pair == [Token::Line(0), Token::Word("const")];
    let starts = (0..tokens.len()).filter(|&at| tokens[at..].get(..2).is_some_and(is_declaration));
    let constant = |at: usize| match tokens.get(at + 2..)? {
        [Token::Word(name), value @ ..] => {
            let value = match value {
                [Token::Sign(':'), Token::Word("String"), value @ ..] => value,
                [Token::Sign(':'), value @ ..] => value,
                value => value,
            };
            match value {
                [Token::Sign('='), Token::Text(text)]
                | [Token::Sign('='), Token::Text(text), Token::Line(_), ..] => Some((*name, *text)),
                _ => None,
            }
        }
        _ => None,
    };
    starts.filter_map(constant).collect()
}

/// Returns the mode in the arguments of `@rpc`. `None` if an argument is neither one of the words
/// that `@rpc` takes, nor a channel, nor one of `constants`: the engine also evaluates expressions.
fn annotated_mode(arguments: &[Token<'_>], constants: &BTreeMap<&str, &str>) -> Option<RpcMode> {
    let mut mode = RpcMode::Authority;
    for argument in arguments.split(|token| *token == Token::Sign(',')) {
        let word = match argument {
            // There are no arguments, or a comma after the last one.
            [] => continue,
            [Token::Text(text)] => *text,
            [Token::Word(word)] if word.bytes().all(|byte| byte.is_ascii_digit()) => continue,
            [Token::Word(name)] => constants.get(name)?,
            _ => return None,
        };
        match word {
            "any_peer" => mode = RpcMode::AnyPeer,
            "authority" | "call_local" | "call_remote" | "reliable" | "unreliable"
            | "unreliable_ordered" => {}
            _ => return None,
        }
    }
    Some(mode)
}

/// Returns the mode in the arguments of `rpc_config`, if it is a constant of the engine there.
fn configured_mode(arguments: &[Token<'_>]) -> Option<RpcMode> {
    let is_mode =
        |token: &Token<'_>| matches!(token, Token::Text("rpc_mode") | Token::Word("rpc_mode"));
    let start = arguments.iter().position(is_mode)?;
    let ends = |token: &Token<'_>| matches!(token, Token::Sign(',' | '}'));
    let mode = match arguments[start + 1..].split(ends).next()? {
        [Token::Sign(':' | '='), Token::Word(mode)] => mode,
        [
            Token::Sign(':' | '='),
            Token::Word("MultiplayerAPI"),
            Token::Sign('.'),
            Token::Word(mode),
        ] => mode,
        _ => return None,
    };
    match *mode {
        "RPC_MODE_DISABLED" | "0" => Some(RpcMode::Disabled),
        "RPC_MODE_ANY_PEER" | "1" => Some(RpcMode::AnyPeer),
        "RPC_MODE_AUTHORITY" | "2" => Some(RpcMode::Authority),
        _ => None,
    }
}

/// The parameters between the brackets of a function.
fn parameters(tokens: &[Token<'_>]) -> Parameters {
    let mut parameters = Parameters::default();
    let (mut open, mut start) = (0_usize, 0);
    for at in 0..=tokens.len() {
        match tokens.get(at) {
            Some(Token::Sign('(' | '[' | '{')) => open += 1,
            Some(Token::Sign(')' | ']' | '}')) => open = open.saturating_sub(1),
            Some(Token::Sign(',')) | None if open == 0 || at == tokens.len() => {
                let parameter = &tokens[start..at];
                start = at + 1;
                match parameter {
                    [] => {}
                    [Token::Sign('.'), ..] => parameters.is_variadic = true,
                    [_, rest @ ..] => {
                        // Without `=` there is no default.
                        if !rest.contains(&Token::Sign('=')) {
                            parameters.required += 1;
                        }
                        parameters.kinds.push(match rest {
                            // `Array[int]` is an Array. `Class.Enum` is an int, but cannot be
                            // recognized as one here.
                            [Token::Sign(':'), Token::Word(_), Token::Sign('.'), ..] => None,
                            [Token::Sign(':'), Token::Word(kind), ..] => kind_in_gdscript(kind),
                            _ => None,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    parameters
}

/// Returns `true` if the call after the tokens `before` is a call on the script's own node:
/// `self.name(…)` or plain `name(…)`. Returns `false` for `other.name(…)` and for the declaration
/// `func name(…)`.
fn is_own(before: &[Token<'_>]) -> bool {
    match before {
        [.., Token::Word("self"), Token::Sign('.')] => true,
        [.., Token::Sign('.') | Token::Word("func")] => false,
        _ => true,
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    // A line continues inside brackets and after a backslash.
    let (mut open, mut is_continued) = (0_usize, false);
    tokens.push(Token::Line(indent(rest)));
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\n' => {
                if open == 0 && !is_continued {
                    tokens.push(Token::Line(indent(&rest[1..])));
                }
                is_continued = false;
                1
            }
            '\\' => {
                is_continued = true;
                1
            }
            '"' | '\'' => {
                let (text, len) = quoted(rest, first);
                tokens.push(Token::Text(text));
                len
            }
            '@' => {
                let len = 1 + word_len(&rest[1..]);
                tokens.push(Token::Word(&rest[..len]));
                len
            }
            _ if is_word(first) => {
                let len = word_len(rest);
                tokens.push(Token::Word(&rest[..len]));
                len
            }
            _ => {
                match first {
                    '(' | '[' | '{' => open += 1,
                    ')' | ']' | '}' => open = open.saturating_sub(1),
                    _ => {}
                }
                if !first.is_whitespace() {
                    tokens.push(Token::Sign(first));
                }
                first.len_utf8()
            }
        };
        rest = &rest[len..];
    }
    tokens
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || !c.is_ascii() && !c.is_whitespace()
}

fn word_len(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Returns the string at the start, and its length including quotes. An unterminated string extends
/// to the end.
fn quoted(text: &str, quote: char) -> (&str, usize) {
    let three = match quote {
        '"' => "\"\"\"",
        _ => "'''",
    };
    let mark = if text.starts_with(three) {
        three
    } else {
        &three[..1]
    };
    let inside = &text[mark.len()..];
    let mut escaped = false;
    let end = inside.char_indices().find(|&(at, c)| {
        let ends = !escaped && inside[at..].starts_with(mark);
        escaped = c == '\\' && !escaped;
        ends
    });
    match end {
        Some((end, _)) => (&inside[..end], end + 2 * mark.len()),
        None => (inside, text.len()),
    }
}

#[cfg(test)]
mod tests {
    use std::{format, vec::Vec};

    use gdvar_view::Kind;

    use super::{Parameters, RpcMode, ScriptSource};

    #[test]
    fn remote_methods_are_found() {
        // For this script, Godot 4.6.3 lists a1, m5, with_warning, stat and ünï in
        // `get_rpc_config()`, and conf1 and conf2 in `get_node_rpc_config()`.
        let source = ScriptSource::read(
            r##"class_name Derived extends "res://base.gd" # @rpc func no(): pass
"""
@rpc func nor_this(): pass
"""
@rpc("any_peer") func a1(): pass
@rpc func m5(): pass
func over(): pass
@rpc("any_peer",
	"call_local")
@warning_ignore("unused_parameter")
func with_warning(x): pass
@rpc("any_peer",
	"reliable") func on_two_lines(): pass
@rpc("any_peer", \
	"reliable") \
	func after_backslashes(): pass
class Inner:
	extends Node
	@rpc func inner(): pass
@rpc static func stat(): pass
@rpc func ünï(): print("@rpc func", '\'@rpc')
func _init():
	rpc_config("conf2", {"rpc_mode": 1})
	self.rpc_config(&"conf1", {"rpc_mode": 1})
	other.rpc_config(&"not_ours", {"rpc_mode": 1})
	rpc_config(&"off", null)
"##,
        );
        assert_eq!(source.class.as_deref(), Some("Derived"));
        assert_eq!(source.extends.as_deref(), Some("res://base.gd"));
        assert_eq!(
            source.annotated,
            [
                "a1",
                "m5",
                "with_warning",
                "on_two_lines",
                "after_backslashes",
                "stat",
                "ünï"
            ]
        );
        assert_eq!(source.configured, ["conf2", "conf1"]);
        let mode = |name: &str| {
            let method = source.methods.iter().find(|method| method.name == name);
            method.unwrap().mode
        };
        assert_eq!(mode("a1"), Some(RpcMode::AnyPeer));
        assert_eq!(mode("m5"), Some(RpcMode::Authority));
        assert_eq!(mode("after_backslashes"), Some(RpcMode::AnyPeer));
        assert_eq!(mode("conf1"), Some(RpcMode::AnyPeer));
    }

    #[test]
    fn callers_are_known_only_from_plain_arguments() {
        // In the `get_rpc_config()` of Godot 4.6.3 all methods of this script are any_peer, except
        // `own`, `comma` and `listed`.
        let source = ScriptSource::read(
            r##"const AP := "any_peer"
const TYPED: String = 'any_peer' # comment
const PLAIN = "any_peer"
const SUM = "any" + "_peer"
const LATER := OTHER
const OTHER := "any_peer"
class Other:
	const AP = "any_peer"
	const PLAIN = "authority"
@rpc(AP, "call_remote", "reliable") func constant(): pass
@rpc(TYPED) func typed(): pass
@rpc("reliable", PLAIN, "call_local", 3) func last(): pass
@rpc("call_local", """any_peer""", ) func comma_any(): pass
@rpc("any" + "_peer") func sum(): pass
@rpc(("any_peer")) func bracketed(): pass
@rpc("any\u005fpeer") func escaped(): pass
@rpc(SUM) func sum_constant(): pass
@rpc(LATER) func chain(): pass
@rpc(Other.AP) func of_other(): pass
@rpc("call_local", "authority", "unreliable_ordered", 2) func own(): pass
@rpc("reliable", ) func comma(): pass
@rpc() func listed(): pass
"##,
        );
        let modes = |mode: Option<RpcMode>| -> Vec<&str> {
            let methods = source.methods.iter().filter(|method| method.mode == mode);
            methods.map(|method| method.name()).collect()
        };
        let any = ["comma_any", "constant", "last", "typed"];
        assert_eq!(modes(Some(RpcMode::AnyPeer)), any);
        let own = ["comma", "listed", "own"];
        assert_eq!(modes(Some(RpcMode::Authority)), own);
        let unknown = [
            "bracketed",
            "chain",
            "escaped",
            "of_other",
            "sum",
            "sum_constant",
        ];
        assert_eq!(modes(None), unknown);
    }

    #[test]
    fn configured_callers_are_known_only_from_constants() {
        for (value, mode) in [
            (r#"{"rpc_mode": 1}"#, Some(RpcMode::AnyPeer)),
            (
                r#"{rpc_mode = MultiplayerAPI.RPC_MODE_AUTHORITY, channel = 1}"#,
                Some(RpcMode::Authority),
            ),
            (
                r#"{"rpc_mode": RPC_MODE_DISABLED}"#,
                Some(RpcMode::Disabled),
            ),
            (r#"{"rpc_mode": 2 - 1}"#, None),
            (r#"{"rpc_mode": 2 if strict else 1}"#, None),
            (r#"{"rpc_mode": Modes.RPC_MODE_AUTHORITY}"#, None),
            (r#"{"call_local": true}"#, None),
            ("config", None),
        ] {
            let text = format!("func _init():\n\trpc_config(\"f\", {value})\n");
            let source = ScriptSource::read(&text);
            assert_eq!(source.methods[0].mode, mode, "{value}");
        }
        let text = "func a():\n\trpc_config(\"f\", {\"rpc_mode\": 1})\n\
             func b():\n\trpc_config(\"f\", {\"rpc_mode\": 2})\n";
        assert_eq!(ScriptSource::read(text).methods[0].mode, None);
    }

    #[test]
    fn parameters_have_types_and_defaults() {
        let source = ScriptSource::read(
            "@rpc func f(a, b: int, c: Array[int], d: Player, e := 5, g: Vector2 = Vector2(1, 2), h = [1, 2]):\n\tpass\n\
             @rpc func g(...args): pass\n@rpc func h(): pass\n@rpc(\"authority\",\n\"call_local\") func i(\n\ta: float,\n): pass\n",
        );
        let parameters = |name: &str| {
            let method = source.methods.iter().find(|method| method.name == name);
            method.unwrap().parameters.clone().unwrap()
        };
        let f = parameters("f");
        let kinds = [
            None,
            Some(Kind::Int),
            Some(Kind::Array),
            None,
            None,
            Some(Kind::Vector2),
            None,
        ];
        assert_eq!((&f.kinds[..], f.required), (&kinds[..], 4));
        assert!(parameters("g").is_variadic);
        assert_eq!(parameters("h"), Parameters::default());
        assert_eq!(parameters("i").kinds, [Some(Kind::Float)]);
    }

    #[test]
    fn any_text_is_read_without_a_panic() {
        for text in [
            "",
            "@",
            "@rpc",
            "@rpc func",
            "\"",
            "'''",
            "\"\\",
            "func\u{a0}x",
            "rpc_config(",
            "é\n\té",
        ] {
            let source = ScriptSource::read(text);
            assert!(source.annotated.is_empty(), "{text}");
        }
    }
}
