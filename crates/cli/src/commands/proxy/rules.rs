//! Creates a [`PacketEditor`] from the rules of the command line.

use gdvar_packet::{Arg, Dialect, Engine, Filter, PacketEditor};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_write::Target;

use super::ProxyArgs;
use crate::commands::{packets::Failure, set};

/// A filter that matches all packets.
const ALL: &str = "size >= 0";

/// Creates the editor. Returns `None` if there are no rules.
pub(super) fn editor(args: &ProxyArgs) -> Result<Option<PacketEditor>, Failure> {
    let (dialect, target) = match args.engine {
        Engine::Godot4 => (Dialect::GODOT_4, Target::GODOT_4),
        Engine::Godot3 => (Dialect::GODOT_3, Target::GODOT_3),
    };
    let mut editor = PacketEditor::new();
    for text in &args.drop {
        editor = editor.drop_packets(filter("--drop", text)?);
    }
    for text in &args.redact {
        let (of, path) = split(text);
        editor = editor
            .redact(filter("--redact", of)?, path)
            .map_err(|error| refused("--redact", text, "ARG", &format!("{path:?}: {error}")))?;
    }
    for text in &args.rewrite {
        let (of, change) = split(text);
        let bad = |error: String| refused("--rewrite", text, "ARG=VALUE", &error);
        let (path, value) = set::split(change).map_err(|refusal| bad(refusal.message))?;
        let value = value.trim_ascii();
        let options = ParseOptions::new(target).with_whole(true);
        let parsed = parse_godot(value, &options);
        let bytes = parsed.map_err(|error| bad(format!("{value:?} is not a value: {error}")))?;
        let arg = Arg::encoded(&bytes.bytes, dialect).map_err(|error| bad(error.to_string()))?;
        editor = editor
            .replace(filter("--rewrite", of)?, path, arg, target)
            .map_err(|error| bad(format!("{path:?}: {error}")))?;
    }
    if args.scrub {
        editor = editor.zero_node_paths();
    }
    let is_any =
        args.scrub || !(args.drop.is_empty() && args.redact.is_empty() && args.rewrite.is_empty());
    Ok(is_any.then_some(editor))
}

/// Splits a rule into its filter and its action. A rule without a filter applies to all packets.
fn split(text: &str) -> (&str, &str) {
    match text.split_once("=>") {
        Some((filter, rest)) => (filter.trim_ascii(), rest.trim_ascii()),
        None => (ALL, text.trim_ascii()),
    }
}

/// Creates the failure for the action of a rule. If the rule is a filter without an action, says so.
fn refused(option: &str, text: &str, action: &str, error: &str) -> Failure {
    match text.contains("=>") || Filter::parse(text).is_err() {
        true => Failure::usage(format!("{option}: {error}")),
        false => Failure::usage(format!(
            "{option}: {text:?} is a filter, and `=>` is missing after it: FILTER => {action} is expected, for instance \
             {option} 'method == \"hit\" => {}'",
            action.replace("ARG", "args[0]").replace("VALUE", "1")
        )),
    }
}

fn filter(option: &str, text: &str) -> Result<Filter, Failure> {
    Filter::parse(text).map_err(|error| Failure::usage(format!("{option}: {error}")))
}
