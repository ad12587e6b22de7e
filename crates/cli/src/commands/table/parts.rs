//! Writes a table as a folder of files, its parts. An interrupted run can be resumed.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use gdvar_columns::{Query, Schema};

use crate::{
    app::App,
    commands::table::{
        RowTally, TableArgs, failed,
        plan::{PART, Plan, part_name},
        rows::{self, RowReader, TableFiles},
        sheet::{Format, Sheet},
        tell,
    },
};

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
    let mut plan = Plan::new(app, source, args, format);
    let old = match Plan::read(folder) {
        Ok(old) => old,
        Err(text) => return app.usage(&text),
    };
    if let Err(text) = plan.may_replace(folder, old.as_ref(), &source.files) {
        return app.usage(&text);
    }
    if let Err(error) = fs::create_dir_all(folder) {
        return app.cannot_write(folder, &error);
    }
    let mut keeps = args.resume;
    let mut schema = match (&old, args.resume) {
        (Some(old), true) => {
            if !plan.continues(old) {
                return app.usage(&format!(
                    "{}: these parts were made of other files or other columns, or with other options; without --resume they are made again",
                    Plan::path(folder).display()
                ));
            }
            old.types(rows::sample(app, source, query, 0)?.schema)
        }
        _ => {
            let schema = rows::sample(app, source, query, args.sample)?.schema;
            if let Err((path, error)) = plan.begin(app, folder, old.as_ref(), &schema) {
                return failed(app, Some(&path), &error);
            }
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
        if let Err((path, error)) = plan.begin(app, folder, None, &schema) {
            return failed(app, Some(&path), &error);
        }
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
            let path = self.folder.join(part_name(n, self.format));
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
