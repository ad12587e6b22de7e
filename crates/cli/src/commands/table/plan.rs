//! Describes the parts of a table in a file beside them, and finds out which files of a folder are such parts.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use gdvar_columns::Schema;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    commands::{
        fnv::fnv,
        table::{TableArgs, rows::TableFiles, sheet::Format},
    },
    save::{output::Output, same_file},
};

/// The number of input files for one part.
pub(crate) const PART: usize = 10_000;

/// The file in the folder that describes how the parts were made.
const PLAN: &str = "table.json";

/// Returns the file name of part number `n`.
pub(crate) fn part_name(n: usize, format: Format) -> String {
    format!("part-{n:05}.{}", format.extension())
}

/// Describes how the parts were made. An earlier run can be resumed only if its files, columns, format and options are
/// the same. Unknown fields are refused, because a file with others was not written by this command.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    schema: u32,
    columns: Vec<(String, String)>,
    asked: Vec<String>,
    each: Option<String>,
    format: String,
    /// The number of files, and a hash of their names in order.
    files: (usize, u64),
    /// The options that decide which values are read and how. Earlier versions did not write them.
    #[serde(default)]
    options: Vec<String>,
}

impl Plan {
    /// Describes a run that has not begun. Its types are set by [`Plan::begin`].
    pub(crate) fn new(app: &App, source: &TableFiles, args: &TableArgs, format: Format) -> Plan {
        // The hash catches mistakes, not attacks.
        let names = source
            .files
            .iter()
            .flat_map(|file| file.as_os_str().as_encoded_bytes().iter().chain(&[0]));
        let global = &app.global;
        Plan {
            schema: 1,
            columns: Vec::new(),
            asked: args.columns.iter().chain(&args.types).cloned().collect(),
            each: args.each.clone(),
            format: format.name(),
            files: (source.files.len(), fnv(names)),
            options: vec![
                format!("no-origin {}", args.no_origin),
                format!("dialect {:?}", global.dialect),
                format!("framing {:?}", global.framing),
                format!("encoding {:?}", global.encoding),
                format!("skip {}", global.skip),
                format!("strict {}", global.strict),
                format!("objects {:?}", global.objects),
                format!("max-depth {:?}", global.max_depth),
                format!("max-unpacked {:?}", global.max_unpacked),
            ],
        }
    }

    /// Returns the path of the description in a folder.
    pub(crate) fn path(folder: &Path) -> PathBuf {
        folder.join(PLAN)
    }

    /// Reads the description of the parts in a folder. Returns `None` if there is none, and a message if the file of
    /// that name is something else.
    pub(crate) fn read(folder: &Path) -> Result<Option<Plan>, String> {
        let path = Plan::path(folder);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let plan = serde_json::from_slice::<Plan>(&bytes).ok();
        let known = plan.filter(|plan| plan.schema == 1 && plan.format().is_some());
        known.map(Some).ok_or_else(|| {
            format!(
                "{}: expected the description of parts of a table, found another file, which is left alone: name a new folder",
                path.display()
            )
        })
    }

    fn format(&self) -> Option<Format> {
        Format::from_str(&self.format, false).ok()
    }

    /// Returns `true` if the parts of `old` can be kept.
    pub(crate) fn continues(&self, old: &Plan) -> bool {
        let Plan {
            asked,
            each,
            format,
            files,
            options,
            ..
        } = self;
        (asked, each, format) == (&old.asked, &old.each, &old.format)
            && (files, options) == (&old.files, &old.options)
    }

    /// Returns `true` if this is the name of one of the described parts.
    fn is_part(&self, name: &str) -> bool {
        let digits = name
            .strip_prefix("part-")
            .and_then(|name| name.split('.').next());
        let number = digits.and_then(|digits| digits.parse::<usize>().ok());
        let parts = self.files.0.div_ceil(PART);
        number
            .filter(|n| *n < parts)
            .zip(self.format())
            .is_some_and(|(n, format)| part_name(n, format) == name)
    }

    /// Checks that the run may write its parts to a folder in which `old` describes the parts. Returns a message if a
    /// file would be lost that no earlier run wrote, or that is one of `inputs`. Changes nothing.
    pub(crate) fn may_replace(
        &self,
        folder: &Path,
        old: Option<&Plan>,
        inputs: &[PathBuf],
    ) -> Result<(), String> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(format!("{}: {error}", folder.display())),
        };
        let mut replaced = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let (name, path) = (name.to_string_lossy(), entry.path());
            let is_old = old.is_some_and(|old| old.is_part(&name) || name == PLAN);
            let is_written = self.is_part(&name) || name == PLAN;
            if is_written && !is_old {
                return Err(format!(
                    "{}: exists, and {PLAN} does not name it as a part of an earlier run; it is left alone: name a new folder",
                    path.display()
                ));
            }
            if is_old || is_written {
                if path.is_dir() {
                    return Err(format!(
                        "{}: expected a part of an earlier run, found a folder: name a new folder with --out",
                        path.display()
                    ));
                }
                replaced.push(path);
            }
        }
        match same_file::first(inputs, &replaced) {
            Some(input) => Err(format!(
                "{}: is one of the files to read, and would be replaced: name another folder with --out",
                input.display()
            )),
            None => Ok(()),
        }
    }

    /// Sets the types that an earlier run has found.
    pub(crate) fn types(&self, schema: Schema) -> Schema {
        let found = self.columns.iter();
        let found = found.filter_map(|(name, ty)| Some((name, ty.parse().ok()?)));
        found.fold(schema, |schema, (name, ty)| schema.assume(name, ty))
    }

    /// Removes the parts of this run and of the earlier run `old` from the folder, and writes the description with the
    /// types of `schema`. Call it only after [`Plan::may_replace`]. If it fails, returns the path too.
    pub(crate) fn begin(
        &mut self,
        app: &mut App,
        folder: &Path,
        old: Option<&Plan>,
        schema: &Schema,
    ) -> Result<(), (PathBuf, io::Error)> {
        let entries = fs::read_dir(folder).map_err(|error| (folder.to_owned(), error))?;
        // Removes the parts of an earlier run, which would be taken for complete.
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if self.is_part(&name) || old.is_some_and(|old| old.is_part(&name)) {
                fs::remove_file(entry.path()).map_err(|error| (entry.path(), error))?;
            }
        }
        let fields = schema.fields().iter();
        self.columns = fields
            .map(|field| (field.name().to_owned(), field.ty().to_string()))
            .collect();
        let path = Plan::path(folder);
        let json = serde_json::to_vec_pretty(self).map_err(io::Error::from);
        let written = json.and_then(|json| Output::write(app, Some(&path), Vec::new(), &json));
        written.map_err(|error| (path, error))
    }
}
