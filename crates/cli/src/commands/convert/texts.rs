//! `convert` of a ConfigFile, resource, scene or value as text for another engine: it stays text.

use std::io;

use gdvar_file::{LayerKind, layers::TextChange};
use gdvar_view::Dialect;

use super::{
    ConvertArgs,
    made::{ChangePlace, Made, MadeChange},
};
use crate::{
    app::App,
    input::{bytes::Input, layers},
    save::output::TO_FILE,
    terminal::exit::Exit,
};

/// Returns `true` if the contents are a text document.
pub(super) fn is_text(input: &Input) -> bool {
    input.peeled.layers.last().is_some_and(layers::is_document)
}

/// Writes the text for another engine.
pub(super) fn run(app: &mut App, args: &ConvertArgs, input: Input, to: Dialect) -> io::Result<()> {
    if args.out_framing.is_some() {
        let text = "a text has nothing around it: leave --out-framing out, or add --plain for its values as binary data";
        return app.usage(text);
    }
    let Some((layer, around)) = input.peeled.layers.split_last() else {
        return Ok(());
    };
    let LayerKind::Document(file) = &layer.kind else {
        return Ok(());
    };
    let outer = match layers::to_write(around, to) {
        Ok(outer) => outer.into_iter().map(|layer| layer.for_engine(to)),
        Err(text) => return app.usage(&format!("{}: {text}", input.name)),
    };
    let outer: Vec<_> = outer.collect();
    if !outer.is_empty() && app.refuses_bytes(args.output.path(), TO_FILE)? {
        return Ok(());
    }
    let converted = match file.for_engine(to) {
        Ok(converted) => converted,
        Err(error) => {
            let text = format!("{}: nothing was written: {error}", input.name);
            return app.fail(Exit::Findings, &text);
        }
    };
    let made = Made {
        from: file.dialect,
        to,
        form: file.form.name(),
        title: format!("{} for {}", file.form.title(), to.title()),
        file: converted.text.into_bytes(),
        layers: outer,
        changes: converted.changes.into_iter().map(change).collect(),
    };
    made.write(app, args, input)
}

fn change(change: TextChange) -> MadeChange {
    MadeChange {
        kind: change.kind.name(),
        change: change.kind.to_string(),
        lost: change.kind.is_lost(),
        count: change.count,
        place: Some(ChangePlace {
            line: change.line,
            name: change.name,
        }),
    }
}
