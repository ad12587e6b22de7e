//! A table in parts: a folder of files that can be completed later.

use std::{fs, io, path::Path};

use gdvar_columns::{Query, Schema};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    commands::table::{
        TableArgs, Tally, columns, failed,
        rows::{self, Reader, Source},
        sheet::{Format, Sheet},
        tell, usage,
    },
    output::Output,
};

/// So many files make a part.
const PART: usize = 10_000;

/// The file in the folder that says how the parts were made.
const PLAN: &str = "table.json";

/// How the parts were made: what is not equal cannot be resumed.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct Plan {
    schema: u32,
    columns: Vec<(String, String)>,
    asked: Vec<String>,
    each: Option<String>,
    format: String,
    /// The number of files, and of the bytes of their names, in order.
    files: (usize, u64),
}

impl Plan {
    fn new(source: &Source, args: &TableArgs, format: Format) -> Plan {
        // FNV-1a: the plan tells mistakes of people apart, not attacks.
        let names = source
            .files
            .iter()
            .flat_map(|file| file.as_os_str().as_encoded_bytes().iter().chain(&[0]));
        let hash = names.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Plan {
            schema: 1,
            columns: Vec::new(),
            asked: args.columns.iter().chain(&args.types).cloned().collect(),
            each: args.each.clone(),
            format: format.extension().to_owned(),
            files: (source.files.len(), hash),
        }
    }

    /// The types that an earlier run has found, for those columns that the sample decides.
    fn types(&self) -> Vec<String> {
        let fixed = ["file", "record", "element"];
        let found = self
            .columns
            .iter()
            .filter(|(name, _)| !fixed.contains(&name.as_str()));
        let found = found.filter(|(name, _)| name != "error");
        found.map(|(name, ty)| format!("{name}={ty}")).collect()
    }
}

/// Writes them.
pub(crate) fn write(
    app: &mut App,
    source: &Source,
    query: Query,
    args: &TableArgs,
    folder: &Path,
    format: Format,
    tally: &mut Tally,
) -> io::Result<()> {
    if let Err(error) = fs::create_dir_all(folder) {
        return app.cannot_write(folder, &error);
    }
    let path = folder.join(PLAN);
    let mut plan = Plan::new(source, args, format);
    let old: Option<Plan> = match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).ok(),
        Err(_) => None,
    };
    let part = |n: usize| folder.join(format!("part-{n:05}.{}", format.extension()));
    let schema = match (old, args.resume) {
        (Some(mut old), true) => {
            std::mem::swap(&mut plan.columns, &mut old.columns);
            let same =
                plan.asked == old.asked && plan.each == old.each && plan.format == old.format;
            if !same || plan.files != old.files {
                return usage(
                    app,
                    &format!(
                        "{}: these parts were made of other files or other columns; without --resume they are made anew",
                        path.display()
                    ),
                );
            }
            match columns::query(
                &args.columns,
                &plan.types(),
                args.each.as_deref(),
                !args.no_origin,
            ) {
                Ok(query) => rows::sample(app, source, query, 1)?,
                Err(text) => return usage(app, &text),
            }
        }
        _ => {
            let schema = rows::sample(app, source, query, args.sample)?;
            tell(app, &schema)?;
            // Parts of an earlier run, which would be taken for complete.
            for entry in fs::read_dir(folder)?.flatten() {
                let name = entry.file_name();
                if name.to_string_lossy().starts_with("part-") {
                    fs::remove_file(entry.path())?;
                }
            }
            schema
        }
    };
    if plan.columns.is_empty() {
        plan.columns = named(&schema);
        let mut output = Output::new(Some(&path), None)?;
        output.put(app, &serde_json::to_vec_pretty(&plan)?)?;
        output.finish(app)?;
    }
    let mut reader = Reader::new(app, source, &schema);
    let mut kept = 0;
    for (n, files) in source.files.chunks(PART).enumerate() {
        let path = part(n);
        if args.resume && path.exists() {
            kept += 1;
            continue;
        }
        let mut sheet = match Sheet::new(app, format, Some(&path), &schema) {
            Ok(sheet) => sheet,
            Err(error) => return failed(app, Some(&path), &error),
        };
        let written = reader.read(app, files, &mut |app, batch| {
            tally.count(&batch);
            sheet.put(app, batch)
        });
        if let Err(error) = written.and_then(|()| sheet.finish(app)) {
            return failed(app, Some(&path), &error);
        }
    }
    drop(reader);
    if kept > 0 {
        app.note(&format!(
            "{}: {kept} complete parts were left alone",
            folder.display()
        ))?;
    }
    Ok(())
}

fn named(schema: &Schema) -> Vec<(String, String)> {
    let fields = schema.fields().iter();
    fields
        .map(|field| (field.name().to_owned(), field.ty().to_string()))
        .collect()
}
