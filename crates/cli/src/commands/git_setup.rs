//! `git-setup`: tells git how to show and merge saves.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use clap::Args;

use crate::{app::App, terminal::exit::Exit};

#[derive(Args, Debug)]
#[command(after_help = "\
`git diff`, `git log -p` and `git show` then print saves as lines, and `git merge` merges them by value. \
Commit .gitattributes; everybody who clones the repository runs the command once, as git takes no commands from \
a repository. Running it again changes nothing.

Examples:
  gdvar git-setup                     *.sav in this repository
  gdvar git-setup '*.save' '*.dat'
  gdvar git-setup --global            in every repository of this user")]
pub(crate) struct GitSetupArgs {
    /// Which files are saves, as .gitattributes names them
    #[arg(value_name = "PATTERN", default_value = "*.sav")]
    patterns: Vec<String>,
    /// For all repositories of this user
    #[arg(long)]
    global: bool,
}

/// The settings that git gets.
const SETTINGS: [(&str, &str); 3] = [
    ("diff.gdvar.textconv", "gdvar textconv"),
    ("merge.gdvar.name", "Godot saves by value"),
    ("merge.gdvar.driver", "gdvar -q merge %O %A %B -o %A"),
];

pub(crate) fn run(app: &mut App, args: &GitSetupArgs) -> io::Result<()> {
    // Git would read such a line as a comment, as quoted, or as its opposite, or end the pattern at the space.
    let is_plain = |pattern: &&String| {
        !pattern.is_empty()
            && !["#", "!", "\"", "[attr]"]
                .iter()
                .any(|mark| pattern.starts_with(mark))
            && !pattern.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    if let Some(pattern) = args.patterns.iter().find(|pattern| !is_plain(pattern)) {
        return app.usage(&format!(
            "{pattern:?} is not a pattern that .gitattributes can name unquoted; write ? for a space or another such character"
        ));
    }
    match set_up(args) {
        Ok((attributes, added)) => {
            let attributes = attributes.display();
            let whose = if args.global {
                "of this user"
            } else {
                "of this repository"
            };
            app.note(&format!(
                "settings {whose}: diff.gdvar.textconv, merge.gdvar.name, merge.gdvar.driver"
            ))?;
            for line in &added {
                app.note(&format!("{attributes}: added {line}"))?;
            }
            if added.is_empty() {
                app.note(&format!("{attributes}: nothing to add"))?;
            }
            Ok(())
        }
        Err(why) => app.fail(Exit::Io, &why),
    }
}

/// Changes git's settings. Returns the attributes file and the lines that were added to it.
fn set_up(args: &GitSetupArgs) -> Result<(PathBuf, Vec<String>), String> {
    let attributes = if args.global {
        global_attributes()?
    } else {
        // The first option prints the way up to the top folder: `` or `../`. The second makes git fail if there is no
        // work tree.
        let both = git(&["rev-parse", "--show-cdup", "--show-toplevel"]).map_err(|error| {
            format!("{error}; run it in a repository, or with --global for all of them")
        })?;
        Path::new(both.split('\n').next().unwrap_or_default()).join(".gitattributes")
    };
    let scope = if args.global { "--global" } else { "--local" };
    for (name, value) in SETTINGS {
        git(&["config", scope, "--replace-all", name, value])?;
    }
    let lines = args
        .patterns
        .iter()
        .map(|pattern| format!("{pattern} diff=gdvar merge=gdvar"));
    let added = add_lines(&attributes, lines.collect())
        .map_err(|error| format!("{}: {error}", attributes.display()))?;
    Ok((attributes, added))
}

/// Appends to a text file those `lines` that it does not have yet, and returns them. The file is created if it does not
/// exist.
fn add_lines(path: &Path, lines: Vec<String>) -> io::Result<Vec<String>> {
    let old = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        other => other?,
    };
    let has = |line: &String| {
        old.split(|&b| b == b'\n')
            .any(|one| one.trim_ascii() == line.as_bytes())
    };
    let missing: Vec<_> = lines.into_iter().filter(|line| !has(line)).collect();
    if missing.is_empty() {
        return Ok(missing);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut text = missing.join("\n") + "\n";
    if old.last().is_some_and(|&b| b != b'\n') {
        text.insert(0, '\n');
    }
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    Ok(missing)
}

/// Returns the file where git looks for the attributes of this user.
fn global_attributes() -> Result<PathBuf, String> {
    // Git fails if there is no such setting.
    if let Ok(path) = git(&["config", "--global", "--type=path", "core.attributesFile"]) {
        return Ok(path.into());
    }
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let configuration = folder("XDG_CONFIG_HOME").or_else(|| {
        Some(
            folder("HOME")
                .or_else(|| folder("USERPROFILE"))?
                .join(".config"),
        )
    });
    configuration
        .map(|folder| folder.join("git").join("attributes"))
        .ok_or_else(|| "neither XDG_CONFIG_HOME nor HOME is set".to_owned())
}

/// Runs git. Returns its output without the line end.
fn git<S: AsRef<OsStr>>(args: &[S]) -> Result<String, String> {
    let output = Command::new("git")
        .args(args)
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("git: {}", said.trim()));
    }
    let text = String::from_utf8(output.stdout)
        .map_err(|_| "git printed a name that is not UTF-8".to_owned())?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
