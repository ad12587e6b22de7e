//! `table`: makes a table from many files, as CSV, JSON, Arrow or Parquet. Paths name its columns.

mod cells;
mod columns;
#[cfg(feature = "tables")]
mod file;
mod parts;
mod plan;
mod rows;
mod sheet;

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_columns::{Batch, Query, Sample, Schema, Type};
use rows::{RowReader, TableFiles};
use sheet::{Format, Sheet};

use crate::{
    app::App,
    save::same_file,
    terminal::{exit::Exit, words::plural},
};

#[derive(Args, Debug)]
#[command(after_help = "\
A row for every record of every file, or with --each for every child of what that path leads to. The
first columns say where a row comes from: file, record, element. The last one, error, says why a row
has nothing: a damaged file is a row, and so is a value that does not fit its column's type.

A column is a path, or NAME=PATH. A path with [*], .. or a slice gives a list:
  gold,name=player.name,levels=party[*].level,x=pos.x

A column has the type that holds the most of its rows, in whatever order they come: int64, float64,
bool, text, binary, float32[3] and other vectors, and lists of these. A column of ints and floats is
float64, and a note says so, with the counts of a sample. --type sets one. A sample says with which
types to begin; where the rows need others, and before anything is printed, all of them are read
once more.

Infinity and NaN are null in JSON, as a missing value is; a note counts them. The other formats keep them.

The exit code is 0 if any row has values: files that are damaged or missing are rows. It is 3 if the
length of a record takes in all that comes after it, because those rows are missing, and 1 if --strict
refuses a value.

Only what the paths lead to is read; `gdvar check` looks at everything. A row that ends in damage has
no values, not even those in front of it, so that no sum takes in half a file; `gdvar get` prints them.

If --out is a folder, the table becomes parts of 10 000 files each. Only parts of an earlier run are
replaced, as table.json in the folder names them, and never a file that is read. --resume leaves parts alone that
are complete, so a run that was stopped continues where it was.

Examples:
  gdvar table saves/ --columns gold,level=player.level > players.csv
  gdvar table saves/ --each party --columns name,hp --out heroes.parquet
  gdvar table replay.log --columns 't=time,pos' --out replay.arrow
  gdvar table bucket/ --columns gold --out parts/ --format parquet --resume")]
pub(crate) struct TableArgs {
    /// Files and folders; - is standard input
    #[arg(value_name = "FILE")]
    named: Vec<PathBuf>,
    /// Paths between commas, each perhaps with a name: gold,hp=player.hp; can be given again
    #[arg(
        long,
        value_name = "COLUMNS",
        required = true,
        allow_hyphen_values = true
    )]
    columns: Vec<String>,
    /// A row for every child of what this path leads to
    #[arg(long, value_name = "PATH")]
    each: Option<String>,
    /// The type of a column, whatever the sample has: gold=float64
    #[arg(long = "type", value_name = "NAME=TYPE")]
    types: Vec<String>,
    /// A file, whose name says the format, or a folder for parts; else standard output
    #[arg(short, long, value_name = "PATH", visible_alias = "output")]
    pub(crate) out: Option<PathBuf>,
    /// The format, where no name says it; else csv
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The same as --format safe-csv
    #[arg(long, conflicts_with = "format")]
    safe_csv: bool,
    /// Leave out the columns file, record and element
    #[arg(long)]
    no_origin: bool,
    /// How many rows to look at for the types to begin with
    #[arg(long, value_name = "ROWS", default_value_t = Sample::ROWS)]
    sample: u64,
    /// Leave parts alone that an earlier run has completed
    #[arg(long)]
    resume: bool,
}

/// The number of rows and errors of a table.
#[derive(Default)]
struct RowTally {
    rows: u64,
    errors: u64,
    /// The highest exit code of files that could not be opened.
    unopened: Exit,
}

impl RowTally {
    fn count(&mut self, batch: &Batch) {
        self.rows += batch.rows() as u64;
        let errors = batch.columns().last().map(|column| column.array());
        self.errors += errors.map_or(0, |errors| (errors.len() - errors.nulls()) as u64);
    }
}

pub(crate) fn run(app: &mut App, args: &TableArgs) -> io::Result<()> {
    let query = columns::query(
        &args.columns,
        &args.types,
        args.each.as_deref(),
        !args.no_origin,
    );
    let query = match query {
        Ok(query) => query,
        Err(text) => return app.usage(&text),
    };
    let out = args.out.as_deref().filter(|path| path.as_os_str() != "-");
    let folder =
        out.filter(|path| path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/"));
    if args.resume && folder.is_none() {
        return app.usage("--resume goes with parts: name a folder with --out parts/");
    }
    let named = out.and_then(Format::of_name);
    if args.safe_csv && !matches!(named, None | Some(Format::Csv)) {
        return app.usage("--safe-csv writes CSV: name the file .csv");
    }
    let safe = args.safe_csv.then_some(Format::SafeCsv);
    let format = safe.or(args.format).or(named);
    let Some(format) = format.or(out.is_none().then_some(Format::Csv)) else {
        return app.usage(
            "which format? Name the file .csv, .tsv, .jsonl, .arrow or .parquet, or give --format",
        );
    };
    let source = TableFiles::new(app, &args.named)?;
    if source.files.is_empty() {
        return Ok(());
    }
    if let (Some(out), None) = (out, folder) {
        if let Some(input) = same_file::first(&source.files, &[out.to_owned()]) {
            return app.usage(&format!(
                "{}: is one of the files to read, and would be replaced by the table: give -o another name",
                input.display()
            ));
        }
    }
    let mut tally = RowTally::default();
    if let Some(folder) = folder {
        parts::write(app, &source, query, args, folder, format, &mut tally)?;
    } else {
        let written = whole(app, &source, query, args.sample, format, out, &mut tally);
        if let Err(error) = written {
            return failed(app, out, &error);
        }
    }
    if tally.errors == tally.rows {
        // There is not a single value, so the files that could not be opened decide the exit code.
        app.exit.merge(tally.unopened);
    }
    if tally.errors > 0 {
        let (rows, errors) = (plural(tally.rows, "row"), tally.errors);
        app.note(&format!(
            "{rows}, {errors} with a reason in the column error"
        ))?;
    }
    Ok(())
}

/// Writes a table to one file, or prints it.
fn whole(
    app: &mut App,
    source: &TableFiles,
    query: Query,
    sample: u64,
    format: Format,
    out: Option<&Path>,
    tally: &mut RowTally,
) -> io::Result<()> {
    let guess = rows::sample(app, source, query, sample)?;
    let mut schema = guess.schema;
    if out.is_none() && !guess.is_sure {
        // Rows cannot be taken back once they are printed, so the types are found from all rows first.
        let mut reader = RowReader::new(app, source, &schema);
        reader.read(app, &source.files, &mut |_, _| Ok(()))?;
        schema = reader.found();
    }
    let mut sheet = Sheet::new(app, format, out, &schema)?;
    let mut reader = RowReader::new(app, source, &schema);
    let mut found = write(app, &mut reader, &source.files, &mut sheet, tally)?;
    if out.is_some() && !found.has_types_of(&schema) {
        // Reads the rows again, with the types of all rows. The unfinished file is removed.
        drop((reader, sheet));
        schema = found;
        sheet = Sheet::new(app, format, out, &schema)?;
        reader = RowReader::new(app, source, &schema);
        *tally = RowTally::default();
        found = write(app, &mut reader, &source.files, &mut sheet, tally)?;
    }
    drop(reader);
    tell(app, &found)?;
    sheet.finish(app)
}

/// Writes the rows of files to a sheet. Returns the types that the rows need.
fn write(
    app: &mut App,
    reader: &mut RowReader<'_>,
    files: &[PathBuf],
    sheet: &mut Sheet,
    tally: &mut RowTally,
) -> io::Result<Schema> {
    reader.read(app, files, &mut |app, batch| {
        tally.count(&batch);
        sheet.put(app, batch)
    })?;
    tally.unopened.merge(reader.unopened);
    Ok(reader.found())
}

/// Reports why the table could not be written. Passes on an error of standard output.
fn failed(app: &mut App, out: Option<&Path>, error: &io::Error) -> io::Result<()> {
    match out {
        Some(path) => app.cannot_write(path, error),
        None if error.kind() == io::ErrorKind::Other => app.usage(&error.to_string()),
        None => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// Prints a note about each column that has no values, or values of several types.
fn tell(app: &mut App, schema: &Schema) -> io::Result<()> {
    for field in schema.fields() {
        if field.ty() == Type::Null {
            let name = field.name();
            app.note(&match field.seen() {
                [] => format!("column {name}: the sample has no such value"),
                _ => format!(
                    "column {field}: no column holds these; name what is in them, or use --each"
                ),
            })?;
        } else if field.is_widened() || field.seen().len() > 1 {
            app.note(&format!("column {field}"))?;
        }
    }
    Ok(())
}
