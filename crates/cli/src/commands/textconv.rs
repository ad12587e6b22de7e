//! `textconv`: prints a file as lines for git, whether it is damaged or not.

use std::{
    io,
    path::{Path as FilePath, PathBuf},
};

use clap::Args;
use gdvar_view::{Document, Path};

use crate::{
    app::{App, records::Stop},
    commands::gron,
    diagnose::{ambiguous, fault, whole_record},
    input::bytes::Input,
    terminal::{exit::Exit, safe_text, words::plural},
};

#[derive(Args, Debug)]
#[command(after_help = "\
Prints `path = value;` lines as `gdvar gron` does, for `git diff` and `git log -p`. A file that cannot be read, or \
not all of it, gets lines with # that say why, its size and a checksum, so that a change in it is still seen. \
The exit code is 0 whatever the file is: git stops at the first file whose textconv fails. Never asks for a \
password: encrypted saves need GDVAR_PASSWORD or --key-file.

`gdvar git-setup` tells git to use it.")]
pub(crate) struct TextconvArgs {
    /// A file
    file: PathBuf,
}

pub(crate) fn run(app: &mut App, args: &TextconvArgs) -> io::Result<()> {
    // Messages are printed as comments, without the file's name, because git passes a different name each time.
    let mut quiet = App::held(&app.settings());
    quiet.global.quiet = true;
    quiet.global.never_ask = true;
    let is_whole = match Input::open(&args.file) {
        Ok(input) => values(app, &mut quiet, input)?,
        Err(error) => {
            comment(app, &format!("cannot be read: {error}"))?;
            return Ok(());
        }
    };
    if !is_whole {
        size(app, &args.file)?;
    }
    app.exit = Exit::Fine;
    Ok(())
}

/// Prints the values. Returns `true` if all bytes of all records could be read; otherwise prints comments that say why
/// not.
fn values(app: &mut App, quiet: &mut App, input: Input) -> io::Result<bool> {
    let input = match quiet.contents(input)? {
        Ok(input) => input,
        Err(unopened) => {
            comment(app, &unopened.words())?;
            return Ok(false);
        }
    };
    let decision = match quiet.decide(&input) {
        Ok(decision) => decision,
        Err(undecided) => {
            comment(app, &ambiguous::words(&undecided))?;
            return Ok(false);
        }
    };
    let mut is_whole = true;
    let root = Path::default();
    for record in input.records(decision.framing) {
        if record.index > 0 {
            comment(app, &format!("record {}", record.index))?;
        }
        let options = quiet.showing(decision.dialect, &record.bytes);
        let document = Document::with_options(&record.bytes, options);
        let result = match whole_record::root(&record, options) {
            Ok(value) => gron::lines(app, value, &root, ""),
            Err(fault) => Err(fault.into()),
        };
        let end = document.validate().unwrap_or_default();
        if let Err(Stop::Output(error)) = result {
            return Err(error);
        }
        if let Err(Stop::Fault(fault)) = result {
            let place = format!(
                "at byte {:#x}, {}",
                fault.offset(&record),
                fault.path(document)
            );
            comment(app, &format!("damaged {place}: {}", fault::words(fault)))?;
            is_whole = false;
        } else if end < record.bytes.len() || record.cut.is_some() {
            let left = plural((record.bytes.len() - end) as u64, "byte");
            comment(app, &format!("{left} after the value are not read"))?;
            is_whole = false;
        }
    }
    Ok(is_whole)
}

fn comment(app: &mut App, text: &str) -> io::Result<()> {
    app.raw(format!("# {}\n", safe_text::safe_line(text)).as_bytes())
}

/// Prints the size and a checksum of a file, which show changes in bytes that were not read.
fn size(app: &mut App, path: &FilePath) -> io::Result<()> {
    let Ok(input) = Input::open(path) else {
        return Ok(());
    };
    let mut checksum = flate2::Crc::new();
    input
        .chunks(1 << 20)
        .for_each(|chunk| checksum.update(chunk));
    let len = plural(input.len() as u64, "byte");
    comment(app, &format!("{len}, CRC-32 {:08x}", checksum.sum()))
}
