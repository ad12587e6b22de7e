//! `info` of a package: lists its files.

use std::io::{self, Write};

use gdvar_resource::Package;
use serde::Serialize;

use super::listing::{self, example, refused};
use crate::{
    app::App,
    input::{bytes::Input, package::Holder},
    show::json_lines,
    terminal::{
        style::{self, paint},
        words::plural,
    },
};

/// The line that `--json` prints.
#[derive(Serialize)]
struct PackageLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    size: usize,
    /// The version of the package's format.
    package: u32,
    /// The version of the engine that wrote the package.
    engine: String,
    files: Vec<FileLine<'a>>,
}

/// A file in the package.
#[derive(Serialize)]
struct FileLine<'a> {
    path: &'a str,
    size: u64,
    encrypted: bool,
    /// `true` if the entry only removes a file of an earlier package.
    removed: bool,
}

/// Lists the files in a package.
pub(super) fn list(app: &mut App, input: &Input) -> io::Result<()> {
    let opened = match Package::open(input) {
        Ok(opened) => opened,
        Err(error) => {
            let kind = error.kind();
            let place = format!("{}:{:#x}", input.name, error.offset());
            let about = (kind.name(), kind.to_string(), place);
            return refused(
                app,
                input,
                about,
                "this is a pack of an exported game (.pck)",
            );
        }
    };
    let engine = opened.engine().map(|number| number.to_string()).join(".");
    if app.global.json {
        let files = opened.entries().iter().map(|entry| FileLine {
            path: entry.path,
            size: entry.size,
            encrypted: entry.is_encrypted,
            removed: entry.is_removed,
        });
        let line = PackageLine {
            schema: 1,
            file: &input.name,
            ok: true,
            size: input.file_len(),
            package: opened.version(),
            engine,
            files: files.collect(),
        };
        return json_lines::line(&mut app.out, &line);
    }
    let name = paint(style::HEAD, input.shown());
    let files = plural(opened.entries().len() as u64, "file");
    writeln!(
        app.out,
        "{name}  {}: a package (version {} of Godot {engine}) with {files}",
        plural(input.file_len() as u64, "byte"),
        opened.version()
    )?;
    for entry in opened.entries() {
        let what = match (entry.is_removed, entry.is_encrypted) {
            (true, _) => "  (hides this file of another package)",
            (_, true) => "  (encrypted)",
            _ => "",
        };
        listing::entry(app, entry.path, entry.size, what)?;
    }
    example(app, input, &Holder::Package(opened))
}
