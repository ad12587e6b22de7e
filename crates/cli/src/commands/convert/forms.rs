//! Converts a resource or scene from text to binary or back, as the extension of the output asks.

use std::{
    io::{self, Write},
    path::Path,
};

use gdvar_file::{
    LayerKind,
    forms::{FormError, FormLoss, OtherForm, to_binary, to_text},
    layers::Form,
};
use gdvar_view::Dialect;
use serde::Serialize;

use super::{ConvertArgs, OnLossArg};
use crate::{
    app::{App, size},
    input::bytes::Input,
    save::output::Output,
    show::json_lines,
    terminal::{
        exit::Exit,
        style::{self, paint},
    },
};

/// The form of a resource or scene that a file extension asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// `.tres`
    TextResource,
    /// `.tscn`
    TextScene,
    /// `.res`
    Binary,
    /// `.scn`
    BinaryScene,
}

impl Wanted {
    /// Returns the form that the extension of `path` asks for; `None` for all other extensions.
    pub(super) fn of(path: Option<&Path>) -> Option<Wanted> {
        Some(match path?.extension()?.to_str()? {
            "tres" => Wanted::TextResource,
            "tscn" => Wanted::TextScene,
            "res" => Wanted::Binary,
            "scn" => Wanted::BinaryScene,
            _ => return None,
        })
    }

    fn is_text(self) -> bool {
        matches!(self, Wanted::TextResource | Wanted::TextScene)
    }

    /// Returns `true` if `input` is a resource or scene in the form that is not wanted: binary if text is wanted, and
    /// text if binary is wanted.
    pub(super) fn is_other_form_of(self, input: &Input) -> bool {
        match input.peeled.layers.last().map(|layer| &layer.kind) {
            Some(LayerKind::Resource(_)) => self.is_text(),
            Some(LayerKind::Document(file)) => {
                matches!(file.form, Form::Resource | Form::Scene) && !self.is_text()
            }
            _ => false,
        }
    }

    /// Returns the right extension if this one does not fit: scenes and other resources have different extensions, by
    /// which an engine chooses the loader.
    fn right_ending(self, is_scene: bool) -> Option<&'static str> {
        match (self, is_scene) {
            (Wanted::TextResource, true) => Some(".tscn"),
            (Wanted::TextScene, false) => Some(".tres"),
            (Wanted::BinaryScene, false) => Some(".res"),
            _ => None,
        }
    }
}

/// Returns the error message if neither `--to` nor an extension says what to write.
pub(super) fn without_an_aim(path: Option<&Path>) -> String {
    let found = match path {
        Some(path) => format!("found {}", path.display()),
        None => "found neither".to_owned(),
    };
    format!(
        "expected --to with an engine such as godot4, or for a resource or scene -o with the ending .tres, .tscn, .res or .scn; {found}"
    )
}

/// Returns the error message if the file cannot be written in the form that the extension asks for.
pub(super) fn without_another_form(input: &Input) -> String {
    let name = &input.name;
    match input.peeled.layers.last().map(|layer| &layer.kind) {
        Some(LayerKind::Resource(_)) => format!(
            "{name}: it is binary already: choose -o with the ending .tres or .tscn for text, or copy the file"
        ),
        Some(LayerKind::Document(file)) if matches!(file.form, Form::Resource | Form::Scene) => {
            format!(
                "{name}: it is text already: choose -o with the ending .res or .scn for a binary file, or copy the file"
            )
        }
        _ => format!(
            "{name}: expected a resource or a scene for this ending of -o, found another file: choose another ending, and add --to with an engine such as godot4"
        ),
    }
}

/// The line that `--json` prints.
#[derive(Serialize)]
struct FormLine<'a> {
    schema: u32,
    file: &'a str,
    from: &'a str,
    to: &'a str,
    form: &'static str,
    written: bool,
    changes: Vec<LossLine>,
}

#[derive(Serialize)]
struct LossLine {
    kind: &'static str,
    change: String,
    lost: bool,
    count: u64,
}

/// Writes a resource or scene in the form that the extension of the output asks for.
pub(super) fn run(
    app: &mut App,
    args: &ConvertArgs,
    input: Input,
    wanted: Wanted,
) -> io::Result<()> {
    let Some(layer) = input.peeled.layers.last() else {
        return Ok(());
    };
    let (dialect, is_scene) = match &layer.kind {
        LayerKind::Resource(resource) => (resource.dialect, resource.header.class == "PackedScene"),
        LayerKind::Document(file) => (file.dialect, file.form == Form::Scene),
        _ => return Ok(()),
    };
    if let Some(ending) = wanted.right_ending(is_scene) {
        let what = if is_scene { "a scene" } else { "not a scene" };
        let name = &input.name;
        return app.usage(&format!(
            "{name}: it is {what}, and Godot goes by the ending: choose -o with {ending}"
        ));
    }
    if let Some(to) = args.to.filter(|to| *to != dialect) {
        return app.usage(&format!(
            "{}: it is for {}, and --to asks for {}: a resource stays with its engine in its other form, leave --to out",
            input.name,
            dialect.title(),
            to.title()
        ));
    }
    if args.out_framing.is_some() {
        let text = "a resource has nothing around it: leave --out-framing out";
        return app.usage(text);
    }
    if input.peeled.layers.len() > 1 && !args.plain {
        let text = "the result would not be compressed or encrypted as the file is: add --plain";
        return app.usage(text);
    }
    let made = match &layer.kind {
        LayerKind::Resource(resource) => to_text(resource, &input),
        LayerKind::Document(file) => to_binary(file, input.to_vec()),
        _ => Err(FormError::OtherKind),
    };
    let made = match made {
        Ok(made) => made,
        Err(error) => {
            let text = format!("{}: nothing was written: {error}", input.name);
            return app.fail(Exit::Findings, &text);
        }
    };
    if app.was_cut(&input)? {
        return Ok(());
    }
    let is_lost = made.losses.iter().any(FormLoss::is_lost);
    if is_lost {
        app.exit.merge(Exit::Findings);
    }
    let written = !(is_lost && args.on_loss == OnLossArg::Fail);
    report(app, &input.name, &made, dialect, wanted, written)?;
    if !written {
        let text = format!(
            "{}: nothing was written, the other form cannot have all of it (--on-loss fail)",
            input.name
        );
        return app.error(&text);
    }
    let path = args.output.path();
    // The input may be the very file that is replaced.
    drop(input);
    let result = Output::write(app, path, Vec::new(), &made.file);
    if app.global.json {
        return match (path, result) {
            (Some(path), Err(error)) => app.cannot_write(path, &error),
            (_, result) => result,
        };
    }
    let form = form_name(wanted);
    app.report_written(path, result, &format!("{}, {form}", size(made.file.len())))
}

fn form_name(wanted: Wanted) -> &'static str {
    if wanted.is_text() { "text" } else { "binary" }
}

/// Prints what the other form cannot express.
fn report(
    app: &mut App,
    name: &str,
    made: &OtherForm,
    dialect: Dialect,
    wanted: Wanted,
    written: bool,
) -> io::Result<()> {
    if app.global.json {
        let changes = made.losses.iter().map(|loss| LossLine {
            kind: loss.name(),
            change: loss.to_string(),
            lost: loss.is_lost(),
            count: loss.count(),
        });
        let line = FormLine {
            schema: 1,
            file: name,
            from: dialect.name(),
            to: dialect.name(),
            form: form_name(wanted),
            written,
            changes: changes.collect(),
        };
        return json_lines::line(&mut app.out, &line);
    }
    for loss in &made.losses {
        if !loss.is_lost() && app.global.quiet {
            continue;
        }
        let (label, style) = match loss.is_lost() {
            true => ("warning", style::WARNING),
            false => ("note", style::HEAD),
        };
        writeln!(app.err, "{}: {loss}", paint(style, label))?;
    }
    Ok(())
}
