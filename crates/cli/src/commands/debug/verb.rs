//! [`Verb`]: a command that the user types into the debugger.

use std::time::Duration;

use crate::terminal::nearest::nearest;

/// A command that the user types into the debugger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    Tree,
    Inspect {
        node: String,
        property: Option<String>,
    },
    Set {
        node: String,
        property: String,
        value: String,
    },
    Break,
    Continue,
    Step,
    Next,
    Out,
    Stack,
    Locals {
        level: u32,
    },
    Breakpoint {
        file: String,
        line: u32,
        is_on: bool,
    },
    Evaluate(String),
    Monitors {
        samples: Option<u32>,
    },
    Profile {
        seconds: u32,
    },
    Wait(Duration),
    Help,
    Quit,
}

/// The usage lines of all verbs.
pub(super) const VERBS: &[&str] = &[
    "tree",
    "inspect NODE",
    "set NODE.property=VALUE",
    "break",
    "continue",
    "step",
    "next",
    "out",
    "stack",
    "locals [LEVEL]",
    "breakpoint FILE:LINE [off]",
    "evaluate EXPR",
    "monitors [COUNT]",
    "profile SECONDS",
    "wait SECONDS",
    "help",
    "quit",
];

/// Returns the name of the verb in a line of [`VERBS`].
fn first(usage: &str) -> &str {
    usage.split(' ').next().unwrap_or_default()
}

fn number(text: &str, usage: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("{text:?} is not a number: {usage}"))
}

/// Parses seconds with or without a fraction.
fn duration(text: &str, usage: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("{text:?} is not a number of seconds: {usage}"))
}

/// Splits `Main/Player.position` at the first dot. Names of nodes and ids contain no dot.
fn split_property(text: &str) -> (&str, Option<&str>) {
    match text.split_once('.') {
        Some((node, property)) => (node.trim_ascii(), Some(property.trim_ascii())),
        None => (text, None),
    }
}

impl Verb {
    /// Parses a line that the user typed.
    ///
    /// # Errors
    /// Fails if the line is not a verb. The message says what is wrong, and names the right verbs.
    pub(super) fn parse(line: &str) -> Result<Verb, String> {
        let line = line.trim_ascii();
        let (word, rest) = line
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((line, ""));
        let rest = rest.trim_ascii();
        let Some(usage) = VERBS.iter().find(|usage| first(usage) == word) else {
            let all: Vec<_> = VERBS.iter().map(|usage| first(usage)).collect();
            let meant = nearest(word, all.iter().copied())
                .map_or_else(String::new, |verb| format!(" (is it {verb}?)"));
            return Err(format!(
                "there is no verb {word:?}{meant}; there are {}",
                all.join(", ")
            ));
        };
        let takes_more = usage.contains(' ');
        if !takes_more && !rest.is_empty() {
            return Err(format!("{word} takes nothing after it, and not {rest:?}"));
        }
        if takes_more && rest.is_empty() && !usage.contains(" [") {
            return Err(format!("something is missing: {usage}"));
        }
        Ok(match word {
            "tree" => Verb::Tree,
            "inspect" => {
                let (node, property) = split_property(rest);
                Verb::Inspect {
                    node: node.to_owned(),
                    property: property.map(str::to_owned),
                }
            }
            "set" => {
                let parts = rest.split_once('=').and_then(|(path, value)| {
                    let (node, property) = split_property(path.trim_ascii());
                    Some((node, property?, value.trim_ascii()))
                });
                let Some((node, property, value)) = parts else {
                    return Err(format!(
                        "{rest:?} is not NODE.property=VALUE, for instance Player.speed=42"
                    ));
                };
                Verb::Set {
                    node: node.to_owned(),
                    property: property.to_owned(),
                    value: value.to_owned(),
                }
            }
            "break" => Verb::Break,
            "continue" => Verb::Continue,
            "step" => Verb::Step,
            "next" => Verb::Next,
            "out" => Verb::Out,
            "stack" => Verb::Stack,
            "locals" if rest.is_empty() => Verb::Locals { level: 0 },
            "locals" => Verb::Locals {
                level: number(rest, usage)?,
            },
            "breakpoint" => breakpoint(rest, usage)?,
            "evaluate" => Verb::Evaluate(rest.to_owned()),
            "monitors" if rest.is_empty() => Verb::Monitors { samples: None },
            "monitors" => Verb::Monitors {
                samples: Some(number(rest, usage)?),
            },
            "profile" => Verb::Profile {
                seconds: number(rest, usage)?,
            },
            "wait" => Verb::Wait(duration(rest, usage)?),
            "help" => Verb::Help,
            _ => Verb::Quit,
        })
    }
}

fn breakpoint(rest: &str, usage: &str) -> Result<Verb, String> {
    let (place, is_on) = match rest.strip_suffix(" off") {
        Some(place) => (place.trim_ascii(), false),
        None => (rest, true),
    };
    let Some((file, line)) = place.rsplit_once(':') else {
        return Err(format!("{place:?} has no line: {usage}"));
    };
    let file = match file.contains("://") {
        true => file.to_owned(),
        false => format!("res://{file}"),
    };
    Ok(Verb::Breakpoint {
        file,
        line: number(line, usage)?,
        is_on,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_parsed() {
        let parsed = |text: &str| Verb::parse(text).expect("a verb");
        assert_eq!(parsed(" tree "), Verb::Tree);
        assert_eq!(parsed("locals 2"), Verb::Locals { level: 2 });
        assert_eq!(
            parsed("set /root/Main.text = \"a=b.c\""),
            Verb::Set {
                node: "/root/Main".to_owned(),
                property: "text".to_owned(),
                value: "\"a=b.c\"".to_owned(),
            }
        );
        assert_eq!(
            parsed("breakpoint user://mods/main.gd:24 off"),
            Verb::Breakpoint {
                file: "user://mods/main.gd".to_owned(),
                line: 24,
                is_on: false,
            }
        );
        for (text, millis) in [("wait 2", 2000), ("wait 0.5", 500), ("wait .25", 250)] {
            assert_eq!(parsed(text), Verb::Wait(Duration::from_millis(millis)));
        }
        for usage in VERBS {
            assert!(!first(usage).is_empty());
        }
    }

    #[test]
    fn a_wrong_verb_names_the_right_ones() {
        let error = Verb::parse("trea").expect_err("no verb");
        assert!(error.contains("is it tree?"), "{error}");
        assert!(error.contains("breakpoint"), "{error}");
        for (line, word) in [
            ("inspect", "NODE"),
            ("tree now", "takes nothing"),
            ("set Main.speed", "NODE.property=VALUE"),
            ("set speed=3", "NODE.property=VALUE"),
            ("breakpoint main.gd", "no line"),
            ("breakpoint main.gd:x", "not a number"),
            ("profile soon", "not a number"),
            ("wait soon", "not a number of seconds"),
            ("wait -1", "not a number of seconds"),
            ("wait 1e300", "not a number of seconds"),
        ] {
            let error = Verb::parse(line).expect_err("wrong");
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
