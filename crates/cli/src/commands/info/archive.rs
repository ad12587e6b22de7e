//! `info` of a zip archive: lists its files.

use std::io::{self, Write};

use serde::Serialize;

use super::listing::{self, example, refused};
use crate::{
    app::App,
    input::{archive::Archive, bytes::Input, package::Holder},
    show::json_lines,
    terminal::{
        style::{self, paint},
        words::plural,
    },
};

/// The line that `--json` prints.
#[derive(Serialize)]
struct ArchiveLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    size: usize,
    archive: &'static str,
    files: Vec<FileLine<'a>>,
}

/// A file in the archive.
#[derive(Serialize)]
struct FileLine<'a> {
    path: &'a str,
    size: u64,
    encrypted: bool,
}

/// Lists the files in an archive.
pub(super) fn list(app: &mut App, input: &Input) -> io::Result<()> {
    let opened = match Archive::open(input) {
        Ok(opened) => opened,
        Err(error) => {
            let about = (error.name(), error.to_string(), input.name.clone());
            return refused(app, input, about, "this begins as a zip archive");
        }
    };
    if app.global.json {
        let files = opened.entries().iter().map(|entry| FileLine {
            path: &entry.path,
            size: entry.size,
            encrypted: entry.is_encrypted,
        });
        let line = ArchiveLine {
            schema: 1,
            file: &input.name,
            ok: true,
            size: input.file_len(),
            archive: "zip",
            files: files.collect(),
        };
        return json_lines::line(&mut app.out, &line);
    }
    let name = paint(style::HEAD, input.shown());
    let files = plural(opened.entries().len() as u64, "file");
    let size = plural(input.file_len() as u64, "byte");
    writeln!(app.out, "{name}  {size}: a zip archive with {files}")?;
    for entry in opened.entries() {
        let what = if entry.is_encrypted {
            "  (encrypted)"
        } else {
            ""
        };
        listing::entry(app, &entry.path, entry.size, what)?;
    }
    let holder = Holder::Archive {
        archive: opened,
        len: input.len(),
    };
    example(app, input, &holder)
}
