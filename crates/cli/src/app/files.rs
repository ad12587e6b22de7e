//! Finds the files that are named on the command line or lie in named folders, and runs a command on them on all cores.

use std::{
    fs::{self, FileType},
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_io::replace::is_temporary;
use ignore::WalkBuilder;
use rayon::prelude::*;

use crate::{
    app::App,
    input::package,
    terminal::{exit::Exit, progress::Progress, stream::Log, threads},
};

/// The number of files that are processed before their output is printed in order.
const WINDOW: usize = 256;

/// The number of files in one unit of work for a thread.
const PIECE: usize = 16;

/// Splits arguments into files and the path of a value. The last argument is a path if it is not `-` and no file has
/// that name.
pub(crate) fn and_path<'a>(first: &Path, more: &'a [String]) -> (Vec<PathBuf>, Option<&'a str>) {
    let (files, path) = match more.split_last() {
        Some((last, files)) if last != "-" && !is_file(Path::new(last)) => (files, Some(last)),
        _ => (more, None),
    };
    let files = files.iter().map(PathBuf::from);
    let files = std::iter::once(first.to_owned()).chain(files);
    (files.collect(), path.map(String::as_str))
}

/// Returns `true` if `path` is a file or folder, or an entry of a package (`game.pck!res/a.res`).
pub(crate) fn is_file(path: &Path) -> bool {
    path.exists() || package::is_entry(path)
}

/// Which files of a folder are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rules {
    /// Hidden files, and what `.gitignore` and `.ignore` name: the rules of ripgrep.
    Ripgrep,
    /// Nothing is left out, because the author of a hostile folder could hide files with `.gitignore`.
    None,
}

/// The files that commands such as `check` leave out.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct RulesArg {
    /// Leave out hidden files and those that .gitignore and .ignore name, as ripgrep does
    #[arg(long)]
    git_ignore: bool,
}

impl RulesArg {
    /// Returns the rules that the command line asks for.
    pub(crate) fn rules(self) -> Rules {
        if self.git_ignore {
            Rules::Ripgrep
        } else {
            Rules::None
        }
    }
}

/// An entry of a folder that is not read: a link, a pipe, a device, what a killed program left.
pub(crate) struct NoFile {
    pub(crate) path: PathBuf,
    /// What kind of file it is, in words.
    pub(crate) what: String,
}

impl NoFile {
    fn new(path: PathBuf, kind: Option<FileType>) -> NoFile {
        let what = match kind.is_some_and(|kind| kind.is_symlink()) {
            true => match fs::read_link(&path) {
                Ok(target) => format!("a symbolic link to {}, not followed", target.display()),
                Err(_) => "a symbolic link, not followed".to_owned(),
            },
            false => "a pipe or a device, not a file".to_owned(),
        };
        NoFile { path, what }
    }
}

/// Returns advice if a missing file looks like the path of a value, as in `cat x | gdvar view day`. Returns `None` for
/// any other name, and if standard input is a terminal.
pub(crate) fn meant_path(name: &Path) -> Option<String> {
    const VERBS: [&str; 5] = ["view", "get", "gron", "hex", "explain"];
    let name = name.to_string_lossy();
    let is_path = !name.contains(['/', '\\']) && (!name.contains('.') || name.contains('['));
    let verb = std::env::args_os().nth(1)?;
    let takes_paths = VERBS.iter().any(|one| verb == *one);
    let is_piped = !io::stdin().is_terminal();
    (is_path && takes_paths && is_piped)
        .then(|| format!("; for that value of standard input, write - {name}"))
}

impl App {
    /// Returns the named files, and the files in named folders by the rules of ripgrep. Returns standard input (`-`) if
    /// none is named. Reports folders without files.
    pub(crate) fn files(&mut self, named: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
        let (files, _) = self.files_by(named, Rules::Ripgrep)?;
        Ok(files)
    }

    /// Returns the named files, and the files in named folders by the given rules. For commands that must not miss a
    /// file: links, pipes and devices in folders are reported, unless `rules` are the rules of ripgrep.
    pub(crate) fn every_file(
        &mut self,
        named: &[PathBuf],
        rules: RulesArg,
    ) -> io::Result<Vec<PathBuf>> {
        let (files, others) = self.files_by(named, rules.rules())?;
        for NoFile { path, what } in others {
            self.fail(Exit::Findings, &format!("{}: {what}", path.display()))?;
        }
        Ok(files)
    }

    /// Returns the files, and the entries of folders that are not regular files, or not complete. With [`Rules::Ripgrep`] the second
    /// list is empty.
    pub(crate) fn files_by(
        &mut self,
        named: &[PathBuf],
        rules: Rules,
    ) -> io::Result<(Vec<PathBuf>, Vec<NoFile>)> {
        if named.is_empty() {
            if io::stdin().is_terminal() {
                self.usage("name a file, or send one to standard input")?;
                return Ok((Vec::new(), Vec::new()));
            }
            return Ok((vec![PathBuf::from("-")], Vec::new()));
        }
        let (mut files, mut others) = (Vec::new(), Vec::new());
        for path in named {
            if path == Path::new("-") || !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let before = files.len() + others.len();
            let walk = WalkBuilder::new(path)
                .standard_filters(rules == Rules::Ripgrep)
                .sort_by_file_path(|a, b| a.cmp(b))
                .build();
            for entry in walk {
                match entry {
                    Ok(entry) if rules == Rules::None && is_temporary(entry.path()) => {
                        others.push(NoFile {
                            path: entry.into_path(),
                            what: "left by a gdvar that was stopped while it wrote; it is not complete, delete it"
                                .to_owned(),
                        });
                    }
                    Ok(entry) => match entry.file_type() {
                        Some(kind) if kind.is_file() => files.push(entry.into_path()),
                        Some(kind) if kind.is_dir() => {}
                        kind if rules == Rules::None => {
                            others.push(NoFile::new(entry.into_path(), kind));
                        }
                        _ => {}
                    },
                    Err(error) => {
                        self.fail(Exit::Io, &error.to_string())?;
                    }
                }
            }
            if before == files.len() + others.len() {
                let left_out = match rules {
                    Rules::Ripgrep => {
                        " (hidden files and those that .gitignore names are left out)"
                    }
                    Rules::None => "",
                };
                self.fail(
                    Exit::Findings,
                    &format!("no files in {}{left_out}", path.display()),
                )?;
            }
        }
        Ok((files, others))
    }

    /// Calls `one` with each file, on all cores if there are several files. The output is printed in the order of the
    /// files.
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
