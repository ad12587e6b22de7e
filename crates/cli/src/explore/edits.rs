//! A new value for the selection: what it would change, and the file with it.

use std::{
    fs,
    io::{self},
    path::{Path, PathBuf},
    time::SystemTime,
};

use gdvar_edit::Edit;
use gdvar_view::Document;

use crate::{
    app::App,
    brief,
    commands::set::assigned,
    edited::{self, ChangeArgs},
    exit::Exit,
    explore::{source::Source, state::Change},
    notation,
};

/// How a value is shown in the question.
const WIDTH: usize = 200;

/// The marks by which a file is known as the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp(Option<(u64, SystemTime)>);

impl Stamp {
    /// Of a file now.
    pub(crate) fn of(file: &Path) -> Stamp {
        let metadata = fs::metadata(file);
        Stamp(
            metadata
                .ok()
                .and_then(|all| Some((all.len(), all.modified().ok()?))),
        )
    }
}

/// The changes that a new value would make, in lines.
pub(crate) fn lines(
    app: &App,
    source: &Source<'_>,
    change: &Change,
) -> Result<Vec<String>, String> {
    let record = source.record(change.record);
    let record = record.ok_or("the record is gone")?;
    let document = Document::with_options(&record.bytes, source.options);
    let mut edit = Edit::new(document);
    let new = assigned(app, &edit, &change.place, &change.text).map_err(|why| why.message)?;
    edit.set(&new.path, &new.bytes);
    let plan = edit.plan().map_err(|error| error.kind().to_string())?;
    if plan.is_empty() {
        return Err("it is so already".to_owned());
    }
    let show = |document: Document<'_>, path: &str| match document.get(path) {
        Ok(Some(value)) => notation::start(value, WIDTH),
        _ => String::new(),
    };
    let old = show(document, &new.path);
    let shown = show(Document::with_options(&new.bytes, source.options), "$");
    let (old_len, new_len) = (document.bytes().len() as u64, plan.len() as u64);
    let length = match new_len.abs_diff(old_len) {
        0 => "the file keeps its length".to_owned(),
        more if new_len > old_len => format!("{} more in the file", brief::plural(more, "byte")),
        less => format!("{} less in the file", brief::plural(less, "byte")),
    };
    let types = new
        .types
        .map(|(from, to)| format!("its type changes from {from} to {to}"));
    let mut lines = vec![change.path.clone()];
    lines.push(format!("- {old}"));
    lines.push(format!("+ {shown}"));
    lines.push(String::new());
    lines.extend(types);
    lines.push(length);
    Ok(lines)
}

/// Puts the file with the new value in the old one's place.
pub(crate) fn write(
    app: &App,
    source: &Source<'_>,
    change: &Change,
    file: &Path,
    backup: bool,
    stamp: Stamp,
) -> io::Result<Result<(), String>> {
    if file == Path::new("-") || Stamp::of(file) == Stamp(None) {
        return Ok(Err("there is no file to write to".to_owned()));
    }
    if Stamp::of(file) != stamp {
        let why = "another program changed the file meanwhile: R reads it again";
        return Ok(Err(why.to_owned()));
    }
    let args = ChangeArgs {
        file: PathBuf::from(file),
        in_place: true,
        output: None,
        dry_run: false,
        backup,
        record: i64::try_from(change.record).unwrap_or(i64::MAX),
    };
    let mut held = App::held(&app.settings());
    edited::change_opened(&mut held, &args, source.input, source.plan, |app, edit| {
        let new = assigned(app, edit, &change.place, &change.text)?;
        edit.set(&new.path, &new.bytes);
        Ok(edited::Notes::new())
    })?;
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
