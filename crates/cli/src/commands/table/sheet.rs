//! Writes rows as lines of text, an Arrow file or a Parquet file.

use std::{io, path::Path};

use clap::ValueEnum;
use gdvar_columns::{Batch, Schema};

use crate::{app::App, commands::table::cells, save::output::Output, show::rows::RowFormat};

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Lines between commas
    Csv,
    /// CSV with ' in front of every text that a spreadsheet would take for a formula
    SafeCsv,
    /// Lines between tabs
    Tsv,
    /// A JSON object a line
    JsonLines,
    /// An Arrow file, which Polars, pandas and `DuckDB` map into memory
    Arrow,
    /// A Parquet file, compressed
    Parquet,
}

impl Format {
    /// Returns the format that the file extension of `path` names. `None` for every other extension.
    pub(crate) fn of_name(path: &Path) -> Option<Format> {
        Some(match path.extension()?.to_str()? {
            "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            "jsonl" | "ndjson" => Format::JsonLines,
            "arrow" | "feather" | "ipc" => Format::Arrow,
            "parquet" => Format::Parquet,
            _ => return None,
        })
    }

    /// Returns the name of the format as `--format` accepts it.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the file extension of the format, without a dot.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Csv | Format::SafeCsv => "csv",
            Format::Tsv => "tsv",
            Format::JsonLines => "jsonl",
            Format::Arrow => "arrow",
            Format::Parquet => "parquet",
        }
    }
}

/// A table that is being written.
pub(crate) enum Sheet {
    /// A text file or standard output, and the number of floats that became `null` in it.
    Lines(RowFormat, Box<Output>, u64),
    /// An Arrow or Parquet file.
    #[cfg(feature = "tables")]
    File(Box<super::file::File>),
}

impl Sheet {
    /// Starts the table. `path` is `None` for standard output, which only formats of text can be written to.
    pub(crate) fn new(
        app: &mut App,
        format: Format,
        path: Option<&Path>,
        schema: &Schema,
    ) -> io::Result<Sheet> {
        let form = match format {
            Format::Csv => RowFormat::Csv,
            Format::SafeCsv => RowFormat::SafeCsv,
            Format::Tsv => RowFormat::Tsv,
            Format::JsonLines => RowFormat::JsonLines,
            Format::Arrow | Format::Parquet => return Sheet::file(app, format, path, schema),
        };
        let mut output = Output::new(app, path, Vec::new())?;
        let mut line = Vec::new();
        cells::head(&mut line, form, schema)?;
        output.put(app, &line)?;
        Ok(Sheet::Lines(form, Box::new(output), 0))
    }

    #[cfg(feature = "tables")]
    fn file(app: &App, format: Format, path: Option<&Path>, schema: &Schema) -> io::Result<Sheet> {
        let Some(path) = path else {
            return Err(io::Error::other(format!(
                "a table of the format {} needs a file: name one with --out table.{}",
                format.extension(),
                format.extension()
            )));
        };
        Ok(Sheet::File(Box::new(super::file::File::new(
            format,
            app.replacement(path)?,
            schema,
        )?)))
    }

    #[cfg(not(feature = "tables"))]
    fn file(_: &App, format: Format, _: Option<&Path>, _: &Schema) -> io::Result<Sheet> {
        Err(io::Error::other(format!(
            "this gdvar was built without {}: cargo install gdvar-cli --features tables; or write --out table.csv",
            format.extension()
        )))
    }

    /// Writes a batch of rows.
    pub(crate) fn put(&mut self, app: &mut App, batch: Batch) -> io::Result<()> {
        match self {
            Sheet::Lines(form, output, nulls) => {
                let mut lines = Vec::new();
                cells::lines(&mut lines, *form, &batch, nulls)?;
                output.put(app, &lines)
            }
            #[cfg(feature = "tables")]
            Sheet::File(file) => file.put(batch),
        }
    }

    /// Completes the table, and gives the file its name.
    pub(crate) fn finish(self, app: &mut App) -> io::Result<()> {
        match self {
            Sheet::Lines(form, output, nulls) => {
                output.finish(app)?;
                // In CSV only the numbers of a list are JSON.
                let instead = match form {
                    RowFormat::JsonLines => "csv, arrow and parquet keep them",
                    _ => "in lists; arrow and parquet keep them",
                };
                app.note_not_finite(nulls, instead)
            }
            #[cfg(feature = "tables")]
            Sheet::File(file) => file.finish(),
        }
    }
}
