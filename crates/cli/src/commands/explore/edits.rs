//! Replaces the selected value: shows what would change, and writes the file.

use std::{
    io,
    path::{Path as FilePath, PathBuf},
};

use gdvar_edit::Edit;
use gdvar_view::{Document, Found, Path};

use crate::{
    app::App,
    commands::{
        explore::{record_source::RecordSource, state::NewValue},
        set::assigned,
    },
    save::change::{self, ChangeArgs},
    show::{notation, value},
    terminal::{exit::Exit, words},
};

/// The largest number of characters of a value in the question.
const WIDTH: usize = 200;

/// Returns the question to the user, which lists what a new value would change.
pub(crate) fn lines(
    app: &App,
    source: &RecordSource<'_>,
    change: &NewValue,
) -> Result<Vec<String>, String> {
    let record = source.record(change.record);
    let record = record.ok_or("the record is gone")?;
    let document = Document::with_options(&record.bytes, source.options);
    let mut edit = Edit::new(document);
    let new = assigned(app, &edit, &change.exact_path, &change.text).map_err(|why| why.message)?;
    edit.set(&new.path, &new.bytes);
    let plan = edit.plan().map_err(|error| error.kind().to_string())?;
    if plan.is_empty() {
        return Err("it is so already".to_owned());
    }
    let show = |document: Document<'_>, path: &str| {
        let path = Path::parse(path).ok()?;
        Some(match document.root().ok()?.find_path(&path).ok()?? {
            Found::Value(value) => notation::start(value, WIDTH),
            part => String::from_utf8_lossy(&value::notation(part).ok()?).into_owned(),
        })
    };
    let old = show(document, &new.path).unwrap_or_default();
    let new_document = Document::with_options(&new.bytes, source.options);
    let shown = show(new_document, "$").unwrap_or_default();
    let (old_len, new_len) = (document.bytes().len() as u64, plan.len() as u64);
    let length = match new_len.abs_diff(old_len) {
        0 => "the file keeps its length".to_owned(),
        more if new_len > old_len => format!("{} more in the file", words::plural(more, "byte")),
        less => format!("{} less in the file", words::plural(less, "byte")),
    };
    let types = { new.types }.map(|(from, to)| format!("its type changes from {from} to {to}"));
    let lines = [
        Some(change.path.clone()),
        Some(format!("- {old}")),
        Some(format!("+ {shown}")),
        Some(String::new()),
        types,
        Some(length),
    ];
    Ok(lines.into_iter().flatten().collect())
}

/// Replaces the file with one that has the new value. The inner error is a message for the last line of the screen.
pub(crate) fn write(
    app: &App,
    source: &RecordSource<'_>,
    change: &NewValue,
    file: &FilePath,
    backup: bool,
) -> io::Result<Result<(), String>> {
    let Some(old) = app.target.as_ref().filter(|old| old.is_file()) else {
        return Ok(Err("there is no file to write to".to_owned()));
    };
    if let Err(error) = old.check() {
        return Ok(Err(format!("{error}: R reads it again")));
    }
    let args = ChangeArgs {
        file: PathBuf::from(file),
        in_place: true,
        output: None,
        dry_run: false,
        backup,
        record: Some(i64::try_from(change.record).unwrap_or(i64::MAX)),
        only_check: false,
    };
    let mut held = App::held(&app.settings());
    change::change_opened(
        &mut held,
        &args,
        source.input,
        source.decision,
        |app, edit| {
            let new = assigned(app, edit, &change.exact_path, &change.text)?;
            edit.set(&new.path, &new.bytes);
            Ok(change::Notes::new())
        },
    )?;
    let exit = held.exit;
    let log = held.into_log()?;
    if exit == Exit::Fine {
        return Ok(Ok(()));
    }
    let said: Vec<u8> = log.into_iter().flat_map(|(_, bytes)| bytes).collect();
    let said = String::from_utf8_lossy(&said);
    let said = anstream::adapter::strip_str(&said).to_string();
    let first = said.lines().next().unwrap_or("it could not be written");
    Ok(Err(first.trim_start_matches("error: ").to_owned()))
}
