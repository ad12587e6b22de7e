//! How the bytes of a damaged file are read: in which dialect, and what surrounds the values.

use std::io;

use gdvar_edit::{Segment, recover, recover_records};
use gdvar_file::{Certainty, Undecided, records::Framing};
use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{
    app::App,
    diagnose::report::{Note, Report},
    input::bytes::Input,
    terminal::exit::Exit,
};

/// Finds the framing of the contents and the options for reading them. `None`, after a message, if they are not clear.
///
/// If no engine reads all of the contents, the one that gets furthest may have found a number there by chance. Then
/// the reading that keeps the most values counts.
pub(super) fn reading(
    app: &mut App,
    name: &str,
    bytes: &[u8],
) -> io::Result<Option<(Framing, ReadOptions)>> {
    let dialect = app.global.dialect.given();
    let known = dialect.zip(app.global.framing.get());
    let (dialect, framing) = match known {
        Some(known) => known,
        None => {
            let input = Input::of(name, bytes.to_vec());
            let decided = app.decide(&input);
            let (is_certain, guess) = match &decided {
                Ok(found) => (
                    found.certainty != Certainty::Furthest,
                    Some((found.dialect, found.framing)),
                ),
                Err(undecided) => {
                    let is_noise = matches!(
                        **undecided,
                        Undecided::Rest { .. } | Undecided::Unreadable(_)
                    );
                    (!is_noise, None)
                }
            };
            let better = match is_certain {
                true => None,
                false => records_anywhere(app, bytes, guess),
            };
            match (better, decided) {
                (Some((dialect, framing)), _) => {
                    app.note(&format!(
                        "{name}: taken as {} of {dialect}, with other bytes between the records",
                        framing.name()
                    ))?;
                    (dialect, framing)
                }
                (None, Ok(decision)) => {
                    app.note_decision(&input, &decision)?;
                    (decision.dialect, decision.framing)
                }
                (None, Err(undecided)) => {
                    not_recovered(app, &input, &undecided)?;
                    return Ok(None);
                }
            }
        }
    };
    let options = app.options(dialect, Objects::Inert);
    Ok(Some((framing, options)))
}

/// Returns how to read records that lie anywhere in the contents, if this keeps more values than the `guess` does.
fn records_anywhere(
    app: &App,
    bytes: &[u8],
    guess: Option<(Dialect, Framing)>,
) -> Option<(Dialect, Framing)> {
    let kept = |dialect: Dialect, framing: Framing| {
        let options = app.options(dialect, Objects::Inert);
        let Some(order) = framing.order() else {
            return recover(Document::with_options(bytes, options)).kept(options);
        };
        let found = recover_records(&[Segment::from(bytes)], order, options);
        let records = found.records().iter();
        records.map(|record| record.found.kept(options)).sum()
    };
    let mut best = guess;
    // An empty container alone is no evidence of another reading.
    let mut most = guess
        .map_or(0, |(dialect, framing)| kept(dialect, framing))
        .max(1);
    let given = app.global.framing.get();
    for framing in [Framing::Len32, Framing::Len32Be] {
        for dialect in app.global.dialect.candidates() {
            let other = (dialect, framing);
            if given.is_some_and(|given| given != framing) || guess == Some(other) {
                continue;
            }
            let kept = kept(dialect, framing);
            if kept > most {
                (best, most) = (Some(other), kept);
            }
        }
    }
    best.filter(|best| guess.as_ref() != Some(best))
}

/// Reports why the contents cannot be recovered, and what may help.
fn not_recovered(app: &mut App, input: &Input, undecided: &Undecided) -> io::Result<()> {
    let known = match undecided {
        Undecided::Known(known) if known.name != "Blank" => known,
        Undecided::Known(_) | Undecided::Empty => return app.undecided(input, undecided),
        _ => {
            app.undecided(input, undecided)?;
            return app.warn("  = help: say what it was, for instance -d godot4 -f len32");
        }
    };
    if app.global.json {
        return app.undecided(input, undecided);
    }
    app.exit.merge(Exit::Malformed);
    app.flush()?;
    let help = match known.name {
        "ConfigFile" | "TextResource" | "VarToStr" => {
            "gdvar check says in which line the mistake is; a text editor mends it"
        }
        "Resource" => "take an older copy, or export it again",
        _ => known.help,
    };
    let notes = vec![
        Note::fact("gdvar recover repairs values, as store_var and var_to_bytes write them"),
        Note::help(help),
    ];
    let what = format!("this is {}", known.what);
    Report::of_file(known.name, what, &input.name, notes).print(&mut app.err)
}
