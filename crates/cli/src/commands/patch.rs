//! `patch`: applies the changes that `diff --format patch` printed, or reverts them.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_edit::{EditErrorKind, Patch};

use crate::{
    app::App,
    save::change::{self, ChangeArgs, Notes, Refusal},
    terminal::exit::Exit,
};

#[derive(Args, Debug)]
#[command(after_help = "\
A patch has the old values in it. Where the file has others, or was patched already, nothing is changed; \
--force makes the changes all the same. The patch of a file with several records names the record of each \
change.

Examples:
  gdvar diff --format patch slot1.dat slot2.dat > changes.txt
  gdvar patch slot1.dat changes.txt -o slot2.dat
  gdvar patch slot1.dat changes.txt --check            can it be applied? 0 if so, else 1
  gdvar patch slot2.dat changes.txt --reverse -i       slot1.dat again")]
pub(crate) struct PatchArgs {
    #[command(flatten)]
    change: ChangeArgs,
    /// The output of `diff --format patch`
    patch: PathBuf,
    /// Only find out whether the patch can be applied
    #[arg(long, conflicts_with_all = ["in_place", "output", "dry_run"])]
    check: bool,
    /// Take the changes back
    #[arg(short = 'R', long)]
    reverse: bool,
    /// Make the changes whatever the file has at their places
    #[arg(long)]
    force: bool,
}

impl PatchArgs {
    fn change(&self) -> ChangeArgs {
        ChangeArgs {
            dry_run: self.change.dry_run || self.check,
            only_check: self.check,
            ..self.change.clone()
        }
    }

    /// Returns the file that will be written.
    pub(crate) fn target(&self) -> Option<&Path> {
        self.change.target()
    }
}

pub(crate) fn run(app: &mut App, args: &PatchArgs) -> io::Result<()> {
    let Some(text) = app.open_as_it_is(&args.patch)? else {
        return Ok(());
    };
    let parsed = std::str::from_utf8(&text).map_err(|error| error.to_string());
    let parsed = parsed.and_then(|text| Patch::of_records(text).map_err(|error| error.to_string()));
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            return app.fail(
                Exit::Malformed,
                &format!("{}: {error}", args.patch.display()),
            );
        }
    };
    let change = args.change();
    let Some((input, decision)) = change::open(app, &change)? else {
        return Ok(());
    };
    let wanted = change.record;
    let number = |record| input.record_number(decision.framing, record);
    // The record of a patch that names none. Looked up once: a negative number needs a walk over all records.
    let unnamed = wanted.map_or(Some(0), number);
    let mut records: Vec<i64> = Vec::new();
    let mut numbers = HashSet::new();
    let mut patches = Vec::new();
    for (record, patch) in parsed {
        let record = record.map(|record| i64::try_from(record).unwrap_or(i64::MAX));
        let own = record.map_or(unnamed, number);
        if wanted.is_some() && own != unnamed {
            continue;
        }
        let record = record.or(wanted).unwrap_or(0);
        let refusal = if !numbers.insert(own) {
            Some(format!("the patch has record {record} twice"))
        } else if patch.dialect() != decision.dialect {
            let (of, is) = (patch.dialect(), decision.dialect);
            Some(format!("the patch is for {of}, the file is of {is}"))
        } else {
            None
        };
        if let Some(refusal) = refusal {
            return change::refuse(app, &input.name, &refusal.into());
        }
        records.push(record);
        patches.push(match args.reverse {
            true => patch.reversed(),
            false => patch,
        });
    }
    change::change_records(
        app,
        &change,
        (&input, &decision),
        &records,
        |_, edit, nth| {
            let Some(patch) = patches.get(nth) else {
                return Ok(Notes::new());
            };
            let document = edit.document();
            *edit = match args.force {
                true => patch.edit_unchecked(document),
                false => patch.edit(document),
            };
            let refused = edit.plan().is_err_and(|error| {
                let kind = error.kind();
                !matches!(kind, EditErrorKind::Path(_) | EditErrorKind::Read(_))
            });
            if !args.force && refused && patch.reversed().edit(document).plan().is_ok() {
                return Err(Refusal {
                    message: match args.reverse {
                        true => "the changes were taken back already".to_owned(),
                        false => "the patch was applied already".to_owned(),
                    },
                    help: Some("nothing is left to do; gdvar diff compares files".to_owned()),
                });
            }
            Ok(Notes::new())
        },
    )?;
    if change.only_check && app.exit == Exit::Fine {
        app.note(&format!("{}: the patch can be applied", input.short_name()))?;
    }
    Ok(())
}
