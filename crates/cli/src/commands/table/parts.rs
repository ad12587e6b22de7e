//! Writes a table as a folder of files, its parts. An interrupted run can be resumed.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use gdvar_columns::{Query, Schema};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    commands::{
        fnv::fnv,
        table::{
            RowTally, TableArgs, failed,
            rows::{self, RowReader, TableFiles},
            sheet::{Format, Sheet},
            tell,
        },
    },
    save::output::Output,
};

/// The number of input files for one part.
const PART: usize = 10_000;

/// The file in the folder that describes how the parts were made.
const PLAN: &str = "table.json";

/// Describes how the parts were made. An earlier run can be resumed only if its files, columns and format are the same.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct Plan {
    schema: u32,
    columns: Vec<(String, String)>,
    asked: Vec<String>,
    each: Option<String>,
    format: String,
    /// The number of files, and a hash of their names in order.
    files: (usize, u64),
}

impl Plan {
    fn new(source: &TableFiles, args: &TableArgs, format: Format) -> Plan {
        // The hash catches mistakes, not attacks.
        let names = source
            .files
            .iter()
            .flat_map(|file| file.as_os_str().as_encoded_bytes().iter().chain(&[0]));
        Plan {
            schema: 1,
            columns: Vec::new(),
            asked: args.columns.iter().chain(&args.types).cloned().collect(),
            each: args.each.clone(),
            format: format.name(),
            files: (source.files.len(), fnv(names)),
        }
    }

    /// Sets the types that an earlier run has found.
    fn types(&self, schema: Schema) -> Schema {
        let found = self.columns.iter();
        let found = found.filter_map(|(name, ty)| Some((name, ty.parse().ok()?)));
        found.fold(schema, |schema, (name, ty)| schema.assume(name, ty))
    }

    /// Removes all parts from the folder, and writes the plan with the types of `schema`.
    fn begin(&mut self, app: &mut App, folder: &Path, schema: &Schema) -> io::Result<()> {
        // Removes the parts of an earlier run, which would be taken for complete.
        for entry in fs::read_dir(folder)?.flatten() {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with("part-") {
                fs::remove_file(entry.path())?;
            }
        }
        let fields = schema.fields().iter();
        self.columns = fields
            .map(|field| (field.name().to_owned(), field.ty().to_string()))
            .collect();
        let mut output = Output::new(app, Some(&folder.join(PLAN)), Vec::new())?;
        output.put(app, &serde_json::to_vec_pretty(self)?)?;
        output.finish(app)
    }
}

/// Writes a table in parts, each made from many files. With `--resume`, complete parts are kept.
pub(crate) fn write(
    app: &mut App,
    source: &TableFiles,
    query: Query,
    args: &TableArgs,
    folder: &Path,
    format: Format,
    tally: &mut RowTally,
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
    let mut keeps = args.resume;
    let mut schema = match (old, args.resume) {
        (Some(old), true) => {
            let same =
                plan.asked == old.asked && plan.each == old.each && plan.format == old.format;
            if !same || plan.files != old.files {
                return app.usage(&format!(
                        "{}: these parts were made of other files or other columns; without --resume they are made again",
                        path.display()
                    ));
            }
            old.types(rows::sample(app, source, query, 0)?.schema)
        }
        _ => {
            let schema = rows::sample(app, source, query, args.sample)?.schema;
            plan.begin(app, folder, &schema)?;
            schema
        }
    };
    // Runs a second time if the rows need wider types than the sample. A resumed run may need a third time, to read the
    // rows of kept parts too.
    for _ in 0..3 {
        *tally = RowTally::default();
        let mut parts = PartFiles {
            source,
            folder,
            format,
            schema: &schema,
            kept: 0,
        };
        let found = match parts.write(app, keeps, tally) {
            Ok(found) => found,
            Err((path, error)) => return failed(app, Some(&path), &error),
        };
        if found.has_types_of(&schema) {
            let kept = parts.kept;
            tell(app, &found)?;
            if kept > 0 {
                let folder = folder.display();
                app.note(&format!("{folder}: {kept} complete parts were left alone"))?;
            }
            break;
        }
        schema = found;
        keeps = false;
        plan.begin(app, folder, &schema)?;
    }
    Ok(())
}

/// Writes the parts of a table whose column types are fixed.
struct PartFiles<'p> {
    source: &'p TableFiles,
    folder: &'p Path,
    format: Format,
    schema: &'p Schema,
    /// The number of complete parts that were kept.
    kept: usize,
}

impl PartFiles<'_> {
    /// Writes all parts. If `keeps` is `true`, skips the files that exist. Returns the types of the rows that were
    /// read.
    fn write(
        &mut self,
        app: &mut App,
        keeps: bool,
        tally: &mut RowTally,
    ) -> Result<Schema, (PathBuf, io::Error)> {
        let mut reader = RowReader::new(app, self.source, self.schema);
        for (n, files) in self.source.files.chunks(PART).enumerate() {
            let name = format!("part-{n:05}.{}", self.format.extension());
            let path = self.folder.join(name);
            if keeps && path.exists() {
                self.kept += 1;
                continue;
            }
            let written = Sheet::new(app, self.format, Some(&path), self.schema);
            let written = written.and_then(|mut sheet| {
                super::write(app, &mut reader, files, &mut sheet, tally)?;
                sheet.finish(app)
            });
            written.map_err(|error| (path, error))?;
        }
        Ok(reader.found())
    }
}
