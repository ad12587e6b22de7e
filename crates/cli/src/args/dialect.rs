//! Names of dialects and of releases on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gdvar_file::Engines;
use gdvar_view::{Dialect, Engine};

/// The value of `-d`: `auto`, `any`, a dialect, or a release of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DialectArg {
    /// Detects the engine. Only Godot 4 and Godot 3 are tried.
    Auto,
    /// Detects the engine, among all known engines.
    Any,
    /// The dialect that the user named.
    One(Dialect),
    /// The dialect of a release, with the limits and the notation of that release.
    Release(Engine),
}

impl DialectArg {
    /// Returns the dialects that are tried.
    pub(crate) fn candidates(self) -> Vec<Dialect> {
        self.engines().candidates()
    }

    /// Returns the engines that are tried, in the type of `gdvar-file`.
    pub(crate) fn engines(self) -> Engines {
        match (self, self.given()) {
            (_, Some(dialect)) => Engines::Given(dialect),
            (DialectArg::Any, None) => Engines::Any,
            _ => Engines::Auto,
        }
    }

    /// Returns the named dialect, or the dialect of the named release. `None` for `auto` and `any`.
    pub(crate) fn given(self) -> Option<Dialect> {
        match self {
            DialectArg::One(dialect) => Some(dialect),
            DialectArg::Release(engine) => Some(engine.dialect()),
            DialectArg::Auto | DialectArg::Any => None,
        }
    }

    /// Returns the named release, or `None` for a dialect, `auto` and `any`.
    pub(crate) fn release(self) -> Option<Engine> {
        match self {
            DialectArg::Release(engine) => Some(engine),
            _ => None,
        }
    }
}

/// Parses `auto`, `any`, or the name of a dialect or a release.
pub(crate) fn dialect_or_auto() -> impl TypedValueParser<Value = DialectArg> {
    let auto = PossibleValue::new("auto").help("Godot 4 or Godot 3, found out");
    let any = PossibleValue::new("any").help("Any engine, found out");
    let names = [auto, any].into_iter().chain(dialects()).chain(engines());
    PossibleValuesParser::new(names).map(|name| match (Engine::from_name(&name), named(&name)) {
        (Some(engine), _) => DialectArg::Release(engine),
        (None, Some(dialect)) => DialectArg::One(dialect),
        (None, None) if name == "any" => DialectArg::Any,
        (None, None) => DialectArg::Auto,
    })
}

/// Parses the name of a dialect.
pub(crate) fn dialect() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(dialects())
        .try_map(|name| named(&name).ok_or(gdvar_view::UnknownDialect))
}

/// Finds a dialect by its name; `4` is short for `godot4`.
fn named(name: &str) -> Option<Dialect> {
    let is_short = name.len() == 1;
    Dialect::ALL.into_iter().find(|dialect| {
        dialect.name() == name || is_short && dialect.name().strip_prefix("godot") == Some(name)
    })
}

fn dialects() -> impl Iterator<Item = PossibleValue> {
    Dialect::ALL.into_iter().map(|dialect| {
        let value = PossibleValue::new(dialect.name()).help(dialect.title());
        match dialect.name().strip_prefix("godot") {
            Some(short) if short.len() == 1 => value.alias(short),
            _ => value,
        }
    })
}

/// Returns the names of the releases. A release also sets the deepest nesting and the text of `--format godot`.
fn engines() -> impl Iterator<Item = PossibleValue> {
    Engine::ALL
        .into_iter()
        .map(|engine| PossibleValue::new(engine.name()).help(engine.title()))
}

/// Parses the name of an engine that can encrypt files.
pub(crate) fn engine() -> impl TypedValueParser<Value = Dialect> {
    let engines = dialects().filter(|value| matches!(value.get_name(), "godot3" | "godot4"));
    PossibleValuesParser::new(engines)
        .try_map(|name| named(&name).ok_or(gdvar_view::UnknownDialect))
}
