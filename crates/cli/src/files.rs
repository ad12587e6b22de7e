//! Many files: named one by one, or found in folders, and looked at on all cores.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use ignore::WalkBuilder;
use rayon::prelude::*;

use crate::{app::App, exit::Exit, progress::Progress, stream::Log, threads};

/// So many files are looked at before what they gave is printed.
const WINDOW: usize = 256;

/// So many files are one piece of work.
const PIECE: usize = 16;

/// Several files, and behind them perhaps the path of a value: a last argument that is no file is one.
pub(crate) fn and_path<'a>(first: &Path, more: &'a [String]) -> (Vec<PathBuf>, Option<&'a str>) {
    let (files, path) = match more.split_last() {
        Some((last, files)) if last != "-" && !Path::new(last).exists() => (files, Some(last)),
        _ => (more, None),
    };
    let files = files.iter().map(PathBuf::from);
    let files = std::iter::once(first.to_owned()).chain(files);
    (files.collect(), path.map(String::as_str))
}

impl App {
    /// The files that are named, and for a folder those in it by the rules of ripgrep: hidden ones and what
    /// `.gitignore` names are left out. Standard input if none is named.
    pub(crate) fn files(&mut self, named: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
        if named.is_empty() {
            if io::stdin().is_terminal() {
                self.exit.merge(Exit::Usage);
                self.error("name a file, or send one to standard input")?;
                return Ok(Vec::new());
            }
            return Ok(vec![PathBuf::from("-")]);
        }
        let mut files = Vec::new();
        for path in named {
            if path == Path::new("-") || !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let walk = WalkBuilder::new(path)
                .sort_by_file_path(|a, b| a.cmp(b))
                .build();
            for entry in walk {
                match entry {
                    Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                        files.push(entry.into_path());
                    }
                    Ok(_) => {}
                    Err(error) => {
                        self.exit.merge(Exit::Io);
                        self.error(&error.to_string())?;
                    }
                }
            }
        }
        Ok(files)
    }

    /// Does the same with each file, on all cores where there are several files. Output comes in the
    /// order of the files.
    pub(crate) fn each<T: Send>(
        &mut self,
        files: &[PathBuf],
        one: impl Fn(&mut App, &Path) -> io::Result<T> + Sync,
    ) -> io::Result<Vec<T>> {
        if files.len() < 2 || !threads::are_there() {
            return files.iter().map(|file| one(self, file)).collect();
        }
        let quiet = self.global.quiet || self.global.json;
        let progress = Progress::of_files(files.len(), quiet);
        let mut results = Vec::with_capacity(files.len());
        let settings = self.settings();
        for window in files.chunks(WINDOW) {
            let pieces: Vec<_> = window
                .par_chunks(PIECE)
                .map(|files| {
                    let mut app = App::held(&settings);
                    let results = files.iter().map(|file| one(&mut app, file));
                    let results = results.collect::<io::Result<Vec<T>>>()?;
                    Ok((results, app.exit, app.into_log()?))
                })
                .collect::<io::Result<_>>()?;
            for (values, exit, log) in pieces {
                results.extend(values);
                self.exit.merge(exit);
                progress.hide();
                self.print(log)?;
            }
            progress.show_at(results.len());
        }
        Ok(results)
    }

    fn print(&mut self, log: Log) -> io::Result<()> {
        log.into_iter()
            .try_for_each(|(way, bytes)| self.put(way, &bytes))
    }
}
