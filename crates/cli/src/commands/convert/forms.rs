//! Converts a resource, a scene or the settings of a game from text to binary or back, as the extension of the output asks.

use std::{io, path::Path};

use gdvar_file::{LayerKind, forms, layers::Form, settings};

use super::{
    ConvertArgs,
    made::{Made, MadeChange},
};
use crate::{app::App, input::bytes::Input, terminal::exit::Exit};

/// The form of a resource, a scene or the settings of a game that a file extension asks for.
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
    /// `.godot`
    TextSettings,
    /// `.binary`
    BinarySettings,
}

impl Wanted {
    /// Returns the form that the extension of `path` asks for; `None` for all other extensions.
    pub(super) fn of(path: Option<&Path>) -> Option<Wanted> {
        Some(match path?.extension()?.to_str()? {
            "tres" => Wanted::TextResource,
            "tscn" => Wanted::TextScene,
            "res" => Wanted::Binary,
            "scn" => Wanted::BinaryScene,
            "godot" => Wanted::TextSettings,
            "binary" => Wanted::BinarySettings,
            _ => return None,
        })
    }

    /// Returns the name of the form: `text` or `binary`.
    fn name(self) -> &'static str {
        match self {
            Wanted::TextResource | Wanted::TextScene | Wanted::TextSettings => "text",
            Wanted::Binary | Wanted::BinaryScene | Wanted::BinarySettings => "binary",
        }
    }

    fn is_of_settings(self) -> bool {
        matches!(self, Wanted::TextSettings | Wanted::BinarySettings)
    }

    /// Returns `true` if `input` is a resource, a scene or settings in the form that is not wanted: binary if text is wanted,
    /// and text if binary is wanted.
    pub(super) fn is_other_form_of(self, input: &Input) -> bool {
        match input.peeled.layers.last().map(|layer| &layer.kind) {
            Some(LayerKind::Resource(_)) => {
                matches!(self, Wanted::TextResource | Wanted::TextScene)
            }
            Some(LayerKind::Project(_)) => self == Wanted::TextSettings,
            Some(LayerKind::Document(file)) => match file.form {
                Form::Resource | Form::Scene => {
                    matches!(self, Wanted::Binary | Wanted::BinaryScene)
                }
                Form::ConfigFile => self == Wanted::BinarySettings,
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the extension to use instead if `self` fits only scenes and `is_scene` is `false`, or the other way
    /// round. An engine chooses the loader by the extension. `None` if `self` fits; `.res` fits both.
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
        "expected --to with an engine such as godot4, or -o with the ending of another form: .tres, .tscn, .res or .scn for a resource or scene, .godot or .binary for the settings of a game; {found}"
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
        Some(LayerKind::Project(_)) => format!(
            "{name}: it is binary already: choose -o with the ending .godot for text, or copy the file"
        ),
        _ => format!(
            "{name}: expected a resource or a scene, or for .godot and .binary the settings of a game, found another file: choose another ending, and add --to with an engine such as godot4"
        ),
    }
}

/// Writes a file in the form that the extension of the output asks for.
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
        LayerKind::Project(project) => (project.dialect, false),
        _ => return Ok(()),
    };
    if let Some(ending) = wanted.right_ending(is_scene) {
        let what = if is_scene { "a scene" } else { "not a scene" };
        let name = &input.name;
        return app.usage(&format!(
            "{name}: it is {what}, and Godot goes by the ending: choose -o with {ending}"
        ));
    }
    let what = match wanted.is_of_settings() {
        true => "the settings of a game",
        false => "a resource",
    };
    if let Some(to) = args.to.filter(|to| *to != dialect) {
        return app.usage(&format!(
            "{}: it is for {}, and --to asks for {}: the other form of {what} is for the same engine, leave --to out",
            input.name,
            dialect.title(),
            to.title()
        ));
    }
    if args.out_framing.is_some() {
        return app.usage("the result has nothing around it: leave --out-framing out");
    }
    if input.peeled.layers.len() > 1 && !args.plain {
        let text = "the result would not be compressed or encrypted as the file is: add --plain";
        return app.usage(text);
    }
    let made = match &layer.kind {
        LayerKind::Resource(resource) => of_resource(forms::to_text(resource, &input)),
        LayerKind::Document(file) if wanted.is_of_settings() => {
            of_settings(settings::to_binary(file, &input))
        }
        LayerKind::Document(file) => of_resource(forms::to_binary(file, input.to_vec())),
        LayerKind::Project(project) => of_settings(settings::to_text(project, &input)),
        _ => return Ok(()),
    };
    let (file, changes) = match made {
        Ok(made) => made,
        Err(error) => {
            let text = format!("{}: nothing was written: {error}", input.name);
            return app.fail(Exit::Findings, &text);
        }
    };
    let form = wanted.name();
    let made = Made {
        from: dialect,
        to: dialect,
        form,
        title: form.to_owned(),
        file,
        layers: Vec::new(),
        changes,
    };
    made.write(app, args, input)
}

/// A converted file and its changes, or the message why it cannot be converted.
type FormResult = Result<(Vec<u8>, Vec<MadeChange>), String>;

fn of_resource(made: Result<forms::OtherForm, forms::FormError>) -> FormResult {
    let made = made.map_err(|error| error.to_string())?;
    let losses = made.losses.iter();
    let changes = losses.map(|loss| change(loss.name(), loss, loss.is_lost(), loss.count()));
    Ok((made.file, changes.collect()))
}

fn of_settings(made: Result<settings::SettingsFile, settings::SettingsError>) -> FormResult {
    let made = made.map_err(|error| error.to_string())?;
    let losses = made.losses.iter();
    let changes = losses.map(|loss| change(loss.name(), loss, true, loss.count()));
    Ok((made.file, changes.collect()))
}

/// Returns a change of the file as a whole, which has no place.
fn change(kind: &'static str, words: &impl ToString, lost: bool, count: u64) -> MadeChange {
    MadeChange {
        kind,
        change: words.to_string(),
        lost,
        count,
        place: None,
    }
}
