//! `merge`: brings two changes of one file together.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_edit::merge;

use crate::{
    app::App,
    args::OutputArg,
    commands::{
        diff::{File, Own, comments, two_engines},
        notations::frame,
    },
    input::layers,
    save::{
        change,
        output::{Output, TO_FILE},
    },
    terminal::{
        exit::Exit,
        safe_text,
        words::{plural, record_label},
    },
};

#[derive(Args, Debug)]
#[command(after_help = "\
Each change that only one side made is taken, and so is one that both made. If they changed the \
same value in different ways, ours is kept, a line says where, and the exit code is 1. It is also 1 if \
theirs has new comments in a text such as a ConfigFile: these are left out.

As git's merge driver:
  git config merge.gdvar.driver 'gdvar -q merge %O %A %B -o %A'
  echo '*.sav merge=gdvar diff=gdvar' >> .gitattributes

Examples:
  gdvar merge base.dat mine.dat yours.dat -o both.dat")]
pub(crate) struct MergeArgs {
    /// The file that both began with
    base: PathBuf,
    /// Our file
    ours: PathBuf,
    /// Theirs
    theirs: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
}

pub(crate) fn run(app: &mut App, args: &MergeArgs) -> io::Result<()> {
    let mut files = Vec::new();
    // Git gives the files temporary names, which say nothing.
    let told =
        ["base", "ours", "theirs"].map(|side| format!("nothing was merged: {side} cannot be read"));
    let paths = [&args.base, &args.ours, &args.theirs];
    for (path, told) in paths.into_iter().zip(&told) {
        match File::open(app, path)? {
            Some(file) => files.push(file),
            None => return app.error(told),
        }
    }
    let [base, ours, theirs] = &files[..] else {
        return Ok(());
    };
    let all = [base.records(), ours.records(), theirs.records()];
    let decided = ours.decision.as_ref();
    let Some((framing, dialect)) = decided.map(|decision| (decision.framing, decision.dialect))
    else {
        return app.usage("an empty file cannot be merged");
    };
    if framing.is_text() || all[0].len() > all[1].len().min(all[2].len()) {
        return app.usage("records were removed, or are lines of text: that cannot be merged");
    }
    for other in [base, theirs] {
        if let Some(text) = two_engines(ours, other) {
            return app.usage(&format!("files of one engine can be merged, and {text}"));
        }
    }
    let mut out = Vec::new();
    let mut conflicts = 0;
    // The header and the trailer are each of one file: of theirs if only they changed it.
    let mut from = [ours, ours];
    for (own, from) in Own::ALL.into_iter().zip(&mut from) {
        let is_new = |file: &File| !own.is_same(&base.input, &file.input);
        match (is_new(ours), is_new(theirs)) {
            (false, true) => *from = theirs,
            (true, true) if !own.is_same(&ours.input, &theirs.input) => {
                conflicts += 1;
                let name = own.name();
                app.warn(&format!("conflict in the game's own {name}: ours is kept"))?;
            }
            _ => {}
        }
    }
    let [header_from, trailer_from] = from;
    for n in 0..all[1].len().max(all[2].len()) {
        let mut documents = Vec::new();
        let mut rests: Vec<&[u8]> = Vec::new();
        for ((file, records), told) in files.iter().zip(&all).zip(&told) {
            match records.get(n) {
                Some(record) => match file.document(app, record)? {
                    Some((document, rest)) => {
                        documents.push(Some(document));
                        rests.push(rest);
                    }
                    None => return app.error(told),
                },
                None => documents.push(None),
            }
        }
        if rests.iter().any(|rest| *rest != rests[0]) {
            return app.usage(&format!(
                "{}the bytes after the value differ, and that cannot be merged",
                record_label(n as u64, all[1].len() > 1)
            ));
        }
        let bytes = match documents[..] {
            [Some(base), Some(ours), Some(theirs)] => match merge(base, ours, theirs) {
                Ok(merged) => {
                    for conflict in merged.conflicts() {
                        conflicts += 1;
                        let record = record_label(n as u64, all[1].len() > 1);
                        let ours = safe_text::safe_line(&conflict.path);
                        let theirs = safe_text::safe_line(&conflict.theirs);
                        let also = match ours == theirs {
                            true => String::new(),
                            false => format!(", and theirs at {theirs} is left out"),
                        };
                        app.warn(&format!("{record}conflict at {ours}: ours is kept{also}"))?;
                    }
                    match merged.edit().plan() {
                        Ok(plan) => [&plan.to_vec(), rests[0]].concat(),
                        Err(error) => return change::refuse(app, "merge", &error.into()),
                    }
                }
                Err(error) => return change::refuse(app, "merge", &error.into()),
            },
            [_, Some(ours), Some(theirs)] => {
                if ours.bytes() != theirs.bytes() {
                    conflicts += 1;
                    app.warn(&format!("record {n}: both sides added one; ours is kept"))?;
                }
                [ours.bytes(), rests[0]].concat()
            }
            [_, one, other] => one
                .or(other)
                .map_or_else(Vec::new, |one| [one.bytes(), rests[0]].concat()),
            _ => Vec::new(),
        };
        frame(framing, &bytes, &mut out);
    }
    if conflicts > 0 {
        app.exit.merge(Exit::Findings);
    }
    comments::report(app, [&base.input, &ours.input, &theirs.input])?;
    let layers = match layers::to_write(&ours.input.peeled.layers, dialect) {
        Ok(layers) => layers,
        Err(text) => return change::refuse(app, &ours.input.name.clone(), &text.into()),
    };
    let path = args.output.path();
    let is_text = framing.is_text() && layers.is_empty();
    if !is_text && app.refuses_bytes(path, TO_FILE)? {
        return Ok(());
    }
    let mut output = match Output::new(app, path, layers) {
        Ok(output) => output,
        Err(error) => return app.cannot_write(path.unwrap_or(Path::new("-")), &error),
    };
    output.put_header(app, &header_from.input)?;
    output.put(app, &out)?;
    output.put(app, trailer_from.input.trailer())?;
    let finished = output.finish(app);
    let conflicts = plural(conflicts, "conflict");
    app.report_written(path, finished, &format!("merged, {conflicts}"))
}
