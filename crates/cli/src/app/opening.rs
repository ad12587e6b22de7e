//! Opens a file, takes off its layers, and finds its engine.

use std::{io, path::Path};

use gdvar_file::{
    Certainty, Decision, Hints, KnownFormat, Layer, LayerKind, PeelError, Undecided, decide,
    detect::{first_bytes, without_doubt},
    records::{Framing, Record},
};
use gdvar_io::replace::Snapshot;
use gdvar_view::Objects;

use super::{App, files};
use crate::{
    diagnose::{
        ambiguous::{
            self, dialects_report, framings_report, header_report, names, rest_report,
            unreadable_report,
        },
        ambiguous_json,
        diagnosis::{Reason, conversion_before_header},
        report::{Note, Report},
    },
    input::{bytes::Input, header, layers, package::Holder, unopened::Unopened},
    terminal::{exit::Exit, words::plural},
};

/// A large file's engine is decided from this many bytes at its start.
const GLANCE: usize = 16 << 20;

/// Returns advice about a file without values. For a package or an archive, returns what is in it.
fn known_notes(input: &Input, known: &KnownFormat) -> Vec<Note> {
    let Ok(holder) = Holder::open(input) else {
        let help = match input.peeled.layers.is_empty() {
            true => Note::help(known.help),
            // Other programs cannot see a file inside another one, so the advice about its format does not apply.
            false => Note::Help(format!(
                "it is inside another file, {}: gdvar unpack takes it out, and gdvar pack puts it back",
                layers::describe_all(&input.peeled.layers)
            )),
        };
        return vec![help];
    };
    let mut notes = vec![Note::fact(holder.contents())];
    if let Some(path) = holder.example() {
        let name = format!("{}!{path}", input.name);
        notes.push(Note::help(format!(
            "name a file in it: gdvar view '{name}'; gdvar info lists all of them"
        )));
    }
    notes
}

impl App {
    /// Opens a file and takes off its layers, such as compression and encryption, or reports why that fails.
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<Option<Input>> {
        let Some(input) = self.open_as_it_is(path)? else {
            return Ok(None);
        };
        let name = input.name.clone();
        match self.contents(input)? {
            Ok(input) => Ok(Some(input)),
            Err(unopened) => {
                self.unopened(&name, &unopened)?;
                Ok(None)
            }
        }
    }

    /// Removes the layers of a file, and the game's own header and trailer. Prints notes about what was found.
    pub(crate) fn contents(&mut self, input: Input) -> io::Result<Result<Input, Unopened>> {
        let peeled = match layers::peel(&self.global, &input) {
            Ok(peeled) => peeled,
            Err(unopened) => return Ok(Err(unopened)),
        };
        let is_lost = peeled.layers.iter().any(layers::is_lost_text);
        if is_lost && self.replaces(Path::new(&input.name)) {
            return Ok(Err(Unopened::Usage(
                "is text that shows bytes, and would be replaced by these: write the values to another file with -o"
                    .to_owned(),
            )));
        }
        let name = input.short_name();
        for layer in &peeled.layers {
            if let (LayerKind::Text { encoding, .. }, None) = (&layer.kind, self.global.encoding())
            {
                let encoding = encoding.name();
                self.note(&format!("{name}: read as text of --encoding {encoding}"))?;
            }
        }
        if let Some(missing) = layers::missing(&peeled.layers) {
            self.exit.merge(Exit::Findings);
            self.note(&format!("{}: {missing}", input.name))?;
        }
        let contents = peeled.unpacked.as_deref().unwrap_or(&input);
        let own = &contents[contents.len() - peeled.trailer_len..];
        let trailers = { peeled.layers.iter() }.map(|layer| (&layer.trailer[..], "container"));
        let trailers = trailers.chain([(own, header::RECORDS)]);
        for (bytes, what) in trailers.filter(|(bytes, _)| !bytes.is_empty()) {
            let trailer = header::describe_trailer(bytes, what);
            self.note(&format!("{name}: {trailer}"))?;
        }
        if self.global.skip == 0 {
            let headers = peeled.layers.iter().map(|layer| (layer.header.len(), None));
            let last = (peeled.header_len, peeled.framing_after_header);
            for (len, framing) in headers.chain([last]).filter(|(len, _)| *len > 0) {
                self.note(&format!("{name}: {}", header::describe(len, framing)))?;
            }
            let is_file = peeled.layers.is_empty() && peeled.header_len > 0;
            let cause = is_file.then(|| conversion_before_header(&input)).flatten();
            if let Some(cause) = cause {
                let cause = cause.message();
                self.note(&format!(
                    "{name}: these bytes may be none of the game's: {cause}; gdvar recover undoes it"
                ))?;
            }
        }
        Ok(Ok(input.peeled(peeled)))
    }

    /// Prints a note if the result lacks the game's own bytes before and after the values, because it has another form
    /// than the file.
    pub(crate) fn note_left_out(&mut self, input: &Input) -> io::Result<()> {
        let peeled = &input.peeled;
        match header::left_out(&peeled.layers, peeled.header_len, peeled.trailer_len) {
            Some(left_out) => self.note(&format!("{}: {left_out}", input.short_name())),
            None => Ok(()),
        }
    }

    /// Prints a note that the bytes after the values of `records` records are left out. Prints nothing if `records` is
    /// 0.
    pub(crate) fn note_left_out_after(&mut self, records: u64) -> io::Result<()> {
        if records == 0 {
            return Ok(());
        }
        let who = plural(records, "record");
        self.note(&format!(
            "bytes after the value of {who}, which engines ignore, are left out"
        ))
    }

    /// Prints a note that `count` numbers are `null` in JSON, where a missing value is `null` too. `instead` says what
    /// keeps them. Prints nothing if `count` is 0.
    pub(crate) fn note_not_finite(&mut self, count: u64, instead: &str) -> io::Result<()> {
        let what = match count {
            0 => return Ok(()),
            1 => "1 number that is not finite is null".to_owned(),
            count => format!("{count} numbers that are not finite are null"),
        };
        self.note(&format!("{what}, which JSON has no word for: {instead}"))
    }

    /// Opens a file without removing its layers, or reports why it cannot be opened.
    pub(crate) fn open_as_it_is(&mut self, path: &Path) -> io::Result<Option<Input>> {
        self.hinted.set(false);
        self.problems = 0;
        // Opens the file that the link pointed to when the command began, because that file will be replaced.
        let target = self.target.as_ref().filter(|old| old.given() == path);
        match Input::open_at(path, target.map_or(path, Snapshot::path)) {
            Ok(input) => Ok(Some(input)),
            Err(error) => {
                self.exit.merge(Exit::Io);
                let missing = error.kind() == io::ErrorKind::NotFound;
                let hint = files::meant_path(path)
                    .filter(|_| missing)
                    .unwrap_or_default();
                let name = path.display().to_string();
                self.unread(&name, &format!("{name}: {error}{hint}"))?;
                Ok(None)
            }
        }
    }

    /// Collects what the command line says about reading values.
    fn hints<'h>(&self) -> Hints<'h> {
        let hints = Hints::new().with_engines(self.global.dialect.engines());
        match self.global.framing.get() {
            Some(framing) => hints.with_framing(framing),
            None => hints,
        }
    }

    /// Returns how the engine treats objects in this kind of file, or `usual` if the kind does not decide it.
    pub(crate) fn policy(input: &Input, usual: Objects) -> Objects {
        let layer = input.peeled.layers.last();
        layer.and_then(Layer::objects).unwrap_or(usual)
    }

    /// Finds the dialect and the framing of a file.
    pub(crate) fn decide(&self, input: &Input) -> Result<Decision, Box<Undecided>> {
        let progress = self.progress("looking at", input);
        let report = |position| progress.at(position);
        let mut hints = self.hints();
        hints.progress = Some(&report);
        decide(input.contents(), &input.peeled, &hints)
    }

    /// Finds the dialect and the framing of a file in a quarter of the time that [`App::decide`] takes. Returns `None`
    /// if there is any doubt.
    pub(crate) fn decide_without_doubt(&self, input: &Input) -> Option<Decision> {
        match input.peeled.doubt {
            Some(_) => None,
            None => without_doubt(input, &input.peeled.hints(&self.hints())),
        }
    }

    /// Returns the records of a file, or only record number `record`. Returns `None`, after a message, if there is no
    /// such record.
    pub(crate) fn chosen<'a>(
        &mut self,
        input: &'a Input,
        decision: &Decision,
        record: Option<i64>,
    ) -> io::Result<Option<impl Iterator<Item = Record<'a>> + use<'a>>> {
        match input.chosen(decision.framing, record) {
            Ok(records) => Ok(Some(records)),
            Err(text) => {
                self.fail(Exit::Findings, &text)?;
                Ok(None)
            }
        }
    }

    /// Finds the dialect and the framing of a file, or reports why they are not clear.
    pub(crate) fn decision(&mut self, input: &Input) -> io::Result<Option<Decision>> {
        match self.decide(input) {
            Ok(decision) => {
                self.note_decision(input, &decision)?;
                Ok(Some(decision))
            }
            Err(undecided) => {
                self.undecided(input, &undecided)?;
                Ok(None)
            }
        }
    }

    /// Opens a file and finds its dialect and framing, or reports why that fails.
    pub(crate) fn open_decided(&mut self, path: &Path) -> io::Result<Option<(Input, Decision)>> {
        let Some(input) = self.open(path)? else {
            return Ok(None);
        };
        let decision = self.decision(&input)?;
        Ok(decision.map(|decision| (input, decision)))
    }

    /// Prints a note about each guess in a decision.
    pub(crate) fn note_decision(&mut self, input: &Input, decision: &Decision) -> io::Result<()> {
        let name = input.short_name();
        match decision.certainty {
            // No note is needed: the text means the same to both engines.
            Certainty::Same if input.peeled.layers.last().is_some_and(layers::is_document) => {}
            Certainty::Same => {
                let all = names(&decision.same).join(", ");
                self.note(&format!(
                    "{name}: the same values in {all}; read as {}",
                    decision.dialect
                ))?;
            }
            Certainty::Likely => self.note(&format!(
                "{name}: read as {}; another engine could read it too, but not as well",
                decision.dialect
            ))?,
            Certainty::Given | Certainty::Certain | Certainty::Furthest => {}
        }
        if self.global.framing.get().is_none() && decision.is_damaged {
            self.note(&format!(
                "{name}: taken as {} ({})",
                decision.framing.name(),
                decision.framing.meaning()
            ))?;
        }
        Ok(())
    }

    /// Reports why the dialect or the framing is not clear.
    pub(crate) fn undecided(&mut self, input: &Input, undecided: &Undecided) -> io::Result<()> {
        self.exit.merge(ambiguous::of_undecided(undecided));
        if self.global.json {
            return self.undecided_json(input, undecided);
        }
        self.flush()?;
        let report = match undecided {
            Undecided::Empty => Report::of_file(
                "Empty",
                "the file is empty",
                &input.name,
                vec![Note::help(
                    "saves end up like this when the game or the machine stopped while writing",
                )],
            ),
            Undecided::Known(known) => Report::of_file(
                known.name,
                format!("this is {}", known.what),
                &input.name,
                known_notes(input, known),
            ),
            Undecided::Framings(choices) => framings_report(input, choices),
            Undecided::Header(found) => header_report(input, *found),
            Undecided::Dialects(framing, choices) => dialects_report(input, *framing, choices),
            Undecided::Unreadable(framing) => unreadable_report(input, *framing),
            Undecided::Rest { read, dialect } => rest_report(input, *read, *dialect),
            _ => unreadable_report(input, Framing::Bare),
        };
        report.print(&mut self.err)
    }

    fn undecided_json(&mut self, input: &Input, undecided: &Undecided) -> io::Result<()> {
        let mut line = ambiguous_json::UndecidedLine::new(input, undecided);
        if let Undecided::Unreadable(framing) = undecided {
            line.cause = Reason::of_unreadable(input, *framing).map(|reason| reason.name);
        }
        self.error_line(&line)
    }

    /// Decides how to read a large file from its first 16 MiB. Returns `None` if these bytes leave a doubt, or if the
    /// file is smaller than 64 MiB; [`App::decision`] then reads everything.
    pub(crate) fn glance(&self, input: &Input) -> Option<Decision> {
        if input.len() < 4 * GLANCE || input.peeled.doubt.is_some() {
            return None;
        }
        first_bytes(input, &input.peeled.hints(&self.hints()), GLANCE)
    }

    /// Reports why the contents of a file cannot be opened.
    pub(crate) fn unopened(&mut self, name: &str, unopened: &Unopened) -> io::Result<()> {
        let (exit, code) = unopened.exit_and_name();
        self.exit.merge(exit);
        let (message, place) = match unopened {
            Unopened::Secret(..) | Unopened::BadKey(_) => return self.error(&unopened.words()),
            Unopened::Usage(text) => return self.unread(name, &format!("{name}: {text}")),
            Unopened::Layer(error) => match error {
                PeelError::NotEncoded(..) => {
                    return self.unread(name, &format!("{name}, {}", unopened.words()));
                }
                PeelError::Locked => (
                    "this is an encrypted file, as FileAccess.open_encrypted or \
                     open_encrypted_with_pass writes it"
                        .to_owned(),
                    name.to_owned(),
                ),
                PeelError::Bytes(error) => {
                    (unopened.words(), format!("{name}:{:#x}", error.offset()))
                }
                PeelError::Constant(_, error) => {
                    (unopened.words(), format!("{name}:{:#x}", error.offset()))
                }
                PeelError::Resource(error) => {
                    (unopened.words(), format!("{name}:{:#x}", error.offset()))
                }
                PeelError::Document(_, error) => {
                    (unopened.words(), format!("{name}:{:#x}", error.offset()))
                }
                _ => return self.unread(name, &format!("{name}: {}", unopened.words())),
            },
        };
        if self.global.json {
            let mut line = ambiguous_json::UndecidedLine::bare(name, code);
            // The message has the line and the column of the mistake.
            line.message = Some(&*message).filter(|_| code == "BadText");
            return self.error_line(&line);
        }
        self.flush()?;
        let help = unopened.help().map(Note::Help);
        let report = Report {
            code: code.to_owned(),
            message,
            place,
            notes: help.into_iter().collect(),
            ..Report::default()
        };
        report.print(&mut self.err)
    }
}
