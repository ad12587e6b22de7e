//! `edit`: opens a part of a file as text in the user's editor, and writes the result back.

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    path::Path,
    process::Command,
};

use clap::Args;
use gdvar_edit::{Edit, Patch};
use gdvar_text::{parse_godot, wrapped, write_exact};
use gdvar_view::{Document, VariantRef};

use crate::{
    app::App,
    commands::set::{fitted, notation},
    save::{
        change::{ChangeArgs, Notes, Refusal, change, show_below},
        widths,
    },
    show::notation::exact,
    terminal::exit::Exit,
};

#[derive(Args, Debug)]
#[command(after_help = "\
The selection is opened as text in Godot's notation with $VISUAL or $EDITOR. When the editor ends, what \
changed is shown, and the file is replaced in one step. If the text has a mistake, it is opened again with \
the mistake in its first lines; a text that is left empty changes nothing. All other bytes of the file stay.

Examples:
  gdvar edit slot1.dat
  gdvar edit slot1.dat 'party[0]'
  EDITOR='code --wait' gdvar edit slot1.dat player --backup")]
pub(crate) struct EditArgs {
    #[command(flatten)]
    change: ChangeArgs,
    /// Which part
    path: Option<String>,
}

impl EditArgs {
    /// Returns the options for the change. The file itself is replaced, unless an option names another output.
    pub(crate) fn change(&self) -> ChangeArgs {
        let mut change = self.change.clone();
        change.in_place |= change.output.is_none() && !change.dry_run;
        change
    }

    /// Returns the file that will be written.
    pub(crate) fn target(&self) -> Option<&Path> {
        match &self.change.output {
            None if !self.change.dry_run => Some(&self.change.file),
            _ => self.change.target(),
        }
    }
}

/// A value longer than this is wrapped into several lines.
const WIDTH: usize = 100;

/// The start of the line above the value that tells the user about a mistake. In the notation, this line is a comment.
const MARK: &str = "; ";

pub(crate) fn run(app: &mut App, args: &EditArgs) -> io::Result<()> {
    let path = args.path.as_deref().unwrap_or("$");
    // The text that the user typed. It is saved if it does not get into the file.
    let mut typed = None;
    change(app, &args.change(), |app, edit| {
        let new = session(app, edit, path, &mut typed)?;
        if let Some(new) = new {
            edit.set(path, &new);
        }
        Ok(Notes::new())
    })?;
    match typed {
        Some(text) if app.exit != Exit::Fine => keep(app, &text),
        _ => Ok(()),
    }
}

/// Saves a text that could not be written to the file, and prints where.
fn keep(app: &mut App, text: &str) -> io::Result<()> {
    let kept = tempfile::Builder::new()
        .prefix("gdvar-")
        .suffix(".gd.txt")
        .tempfile()
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.flush()?;
            file.into_temp_path().keep().map_err(|error| error.error)
        });
    match kept {
        Ok(path) => app.warn(&format!(
            "  = note: your text is kept in {}",
            path.display()
        )),
        Err(error) => app.error(&format!("your text cannot be kept: {error}")),
    }
}

/// Lets the user edit the value at `path` as text until the text can be parsed. Returns the new value, or `None` if the
/// user left the text unchanged or empty. Puts what the user wrote into `typed`.
fn session(
    app: &mut App,
    edit: &Edit<'_>,
    path: &str,
    typed: &mut Option<String>,
) -> Result<Option<Vec<u8>>, Refusal> {
    let document = edit.document();
    let found = document
        .get(path)
        .map_err(|error| format!("{path}: {error}"))?;
    let value = found.ok_or_else(|| format!("{path}: there is no such value"))?;
    let mut text = String::new();
    write_exact(&mut text, value).map_err(|error| error.to_string())?;
    text = wrapped(&text, WIDTH);
    let first = text.clone();
    let mut mistake: Option<String> = None;
    loop {
        let shown = match &mistake {
            Some(mistake) => format!("{MARK}{mistake}\n{text}\n"),
            None => format!("{text}\n"),
        };
        let edited = open(&shown).map_err(|error| error.to_string())?;
        let own = edited
            .lines()
            .skip_while(|line| line.starts_with(MARK.trim_end()));
        let own: Vec<_> = own.collect();
        let own = own.join("\n");
        if own.trim().is_empty() || own.trim() == first.trim() {
            let _ = app.note("nothing was changed");
            *typed = None;
            return Ok(None);
        }
        *typed = Some(own.clone());
        match parse(app, &own, value, document, path) {
            Ok(new) => {
                let unchanged = parse(app, &first, value, document, path).ok();
                let kept = unchanged.and_then(|unchanged| kept(value, &unchanged, &new));
                if kept.is_none() {
                    let _ = app.note(REWRITTEN);
                }
                let new = kept.unwrap_or(new);
                review(app, value, &new, path)?;
                return Ok(Some(new));
            }
            // Stops here: without a change the same mistake would be shown again and again.
            Err(error) if mistake.as_ref() == Some(&error) && own == text => {
                return Err(format!("{error}; nothing was changed").into());
            }
            Err(error) => {
                mistake = Some(error);
                text = own;
            }
        }
    }
}

fn parse(
    app: &App,
    text: &str,
    old: VariantRef<'_>,
    document: Document<'_>,
    path: &str,
) -> Result<Vec<u8>, String> {
    let options = notation(
        app,
        document,
        widths::as_in(old, widths::is_double(document)),
    );
    let parsed = parse_godot(text, &options).map_err(|error| error.to_string())?;
    fitted(document, path, &parsed.bytes).map_err(|refusal| refusal.message)
}

/// The note about a value that is written again from its text.
const REWRITTEN: &str = "the text does not hold all of the value, such as repeated keys or the bits of a NaN: what was \
    not edited is written again, too; gdvar set changes only what it names";

/// Returns `new` with the bytes of `old` in all places that the user did not edit. `unchanged` is what the text of `old`
/// is read as. It differs from `old` in what the text does not hold, such as the bits of a NaN and the widths of numbers.
/// `None` if a change of the text cannot be made in the same place of `old`.
fn kept(old: VariantRef<'_>, unchanged: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let document = |bytes| Document::with_options(bytes, old.options());
    let raw = old.raw().ok()?;
    if raw == unchanged {
        return Some(new.to_vec());
    }
    let patch = Patch::between(document(unchanged), document(new)).ok()?;
    let done = patch.edit_unchecked(document(raw)).plan().ok()?.to_vec();
    let text = |bytes| exact(document(bytes).root().ok()?).ok();
    (text(&done)? == text(new)?).then_some(done)
}

/// Shows what the edit changes.
fn review(app: &mut App, old: VariantRef<'_>, new: &[u8], path: &str) -> Result<(), Refusal> {
    if let Ok(new) = Document::with_options(new, old.options()).root() {
        show_below(app, old, new, "", path).map_err(|error| error.to_string())?;
        app.flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Opens a text in the editor and returns the edited text.
fn open(text: &str) -> io::Result<String> {
    let mut file = tempfile::Builder::new()
        .prefix("gdvar-")
        .suffix(".gd.txt")
        .tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    run_editor(file.path())?;
    fs::read_to_string(file.path()).map_err(|error| {
        let text = file.path().display();
        let why = format!("the editor left no text in {text} ({error}); nothing was changed");
        io::Error::other(why)
    })
}

/// Runs the editor in a shell, because `$VISUAL` and `$EDITOR` may contain options.
fn run_editor(path: &Path) -> io::Result<()> {
    let named = env::var_os("VISUAL").or_else(|| env::var_os("EDITOR"));
    let named = named.filter(|name| !name.is_empty());
    if named.is_none() && !io::stdin().is_terminal() {
        return Err(io::Error::other(
            "there is no terminal: name an editor in EDITOR",
        ));
    }
    let status = if cfg!(windows) {
        Command::new(named.unwrap_or_else(|| "notepad".into()))
            .arg(path)
            .status()?
    } else {
        let mut line = named.unwrap_or_else(|| "vi".into());
        line.push(" \"$1\"");
        Command::new("sh")
            .arg("-c")
            .arg(line)
            .arg("gdvar")
            .arg(path)
            .status()?
    };
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "the editor failed ({status}); nothing was changed"
        ))),
    }
}
