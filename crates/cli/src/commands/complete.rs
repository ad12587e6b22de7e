//! `complete-path`: prints the paths that a shell proposes while the user types one.

use std::{io, path::PathBuf};

use clap::Args;
use gdvar_view::{Document, Objects, Path, VariantRef};

use crate::{
    app::App,
    locate::paths::{key_step, name_step},
    terminal::safe_text,
};

#[derive(Args, Debug)]
pub(crate) struct CompleteArgs {
    /// A file
    file: PathBuf,
    /// The path so far
    #[arg(default_value = "", allow_hyphen_values = true)]
    typed: String,
}

/// The largest number of proposals; nobody reads more.
const MOST: usize = 200;

/// Prints the proposals. Errors in the file are not printed, because the user is typing.
pub(crate) fn run(app: &mut App, args: &CompleteArgs) -> io::Result<()> {
    let mut held = App::held(&app.settings());
    held.global.quiet = true;
    let Some(input) = held.open(&args.file)? else {
        return Ok(());
    };
    let decision = match held.glance(&input) {
        Some(decision) => decision,
        None => match held.decision(&input)? {
            Some(decision) => decision,
            None => return Ok(()),
        },
    };
    let Some(record) = input.records(decision.framing).next() else {
        return Ok(());
    };
    let options = held.options(decision.dialect, Objects::Inert);
    let Ok(root) = Document::with_options(&record.bytes, options).root() else {
        return Ok(());
    };
    for path in paths(root, &args.typed) {
        if safe_text::safe_line(&path) == path {
            app.raw(format!("{path}\n").as_bytes())?;
        }
    }
    Ok(())
}

/// Completes `typed`, a path whose last step is not finished. Finds the container to which the other steps lead, and
/// returns the paths of its children that begin with `typed`, at most [`MOST`] of them.
fn paths(root: VariantRef<'_>, typed: &str) -> Vec<String> {
    let end = typed.rfind(['.', '[']).unwrap_or(0);
    let before = typed[..end].trim_end_matches('.');
    let before = if before.is_empty() { "$" } else { before };
    let Ok(path) = Path::parse(before) else {
        return Vec::new();
    };
    let Ok(Some(inside)) = root.get_path(&path) else {
        return Vec::new();
    };
    let lead = if before == "$" { "" } else { before };
    let whole = |step: String| match step.strip_prefix('.') {
        Some(name) if lead.is_empty() => name.to_owned(),
        _ => format!("{lead}{step}"),
    };
    steps(inside)
        .map(whole)
        .filter(|path| path.starts_with(typed))
        .take(MOST)
        .collect()
}

/// Returns, for each child of `value`, the step that leads to it, such as `.name` or `[0]`.
fn steps<'a>(value: VariantRef<'a>) -> Box<dyn Iterator<Item = String> + 'a> {
    if let Some(dict) = value.as_dict() {
        let pairs = dict.iter().map_while(Result::ok).zip(0..);
        return Box::new(pairs.map(|((key, _), n)| key_step(key, n)));
    }
    if let Some(object) = value.as_object() {
        let properties = object.iter().map_while(Result::ok);
        return Box::new(properties.map(|(name, _)| name_step(name)));
    }
    let array = value.as_array().map(|array| array.len());
    let len = array.or(value.packed_len()).unwrap_or(0);
    Box::new((0..len).map(|n| format!("[{n}]")))
}
