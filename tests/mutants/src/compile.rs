//! Compiles the copy with all changes in it. A change that the compiler refuses is given up, until it refuses
//! nothing.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{
    Result,
    copy::{CRATES, Copy},
    plan::Plan,
    render::{Rendered, render},
};

/// The changes that were given up, and the programs of the tests.
pub struct Compiled {
    pub dropped: HashSet<u16>,
    pub programs: Vec<PathBuf>,
}

/// Writes the copy and compiles it.
pub fn compile(copy: &mut Copy, plans: &BTreeMap<String, Plan>, target: &Path) -> Result<Compiled> {
    let sources = plans
        .keys()
        .map(|file| Ok((file.clone(), copy.text(file)?)));
    let sources: BTreeMap<String, String> = sources.collect::<Result<_>>()?;
    let mut dropped = HashSet::new();
    let mut only_check = true;
    loop {
        let mut rendered = BTreeMap::new();
        for (file, plan) in plans {
            let with = render(&sources[file], &plan.edits, &dropped);
            copy.put(file, with.text.clone());
            rendered.insert(file.clone(), with);
        }
        copy.write()?;
        let said = cargo(copy, target, only_check)?;
        if said.succeeded {
            if only_check {
                only_check = false;
                continue;
            }
            if said.programs.len() != 1 + CRATES.len() {
                return Err(format!("programs of the tests: {:?}", said.programs).into());
            }
            let programs = said.programs;
            return Ok(Compiled { dropped, programs });
        }
        let before = dropped.len();
        for error in &said.errors {
            dropped.extend(error.blamed(&rendered));
        }
        println!("{} do not compile like this", dropped.len());
        if dropped.len() == before {
            let errors = said.errors.iter().map(|error| error.rendered.as_str());
            let errors: String = errors.collect();
            return Err(format!("errors that no change explains:\n{errors}{}", said.stderr).into());
        }
    }
}

struct Said {
    succeeded: bool,
    errors: Vec<Error>,
    programs: Vec<PathBuf>,
    stderr: String,
}

struct Error {
    rendered: String,
    /// The place the error is about, and others that explain it.
    primary: Vec<(String, Range<usize>)>,
    others: Vec<(String, Range<usize>)>,
}

impl Error {
    fn blamed(&self, rendered: &BTreeMap<String, Rendered>) -> BTreeSet<u16> {
        for places in [&self.primary, &self.others] {
            let blamed = places
                .iter()
                .filter_map(|(file, range)| Some(rendered.get(file)?.blamed(range)));
            let blamed: BTreeSet<u16> = blamed.flatten().collect();
            if !blamed.is_empty() {
                return blamed;
            }
        }
        BTreeSet::new()
    }
}

fn cargo(copy: &Copy, target: &Path, only_check: bool) -> Result<Said> {
    let mut command = Command::new("cargo");
    command.args(if only_check {
        &["check"][..]
    } else {
        &["test", "--no-run"]
    });
    command.args(["--package", "gdvar-mutants", "--lib", "--test", "all"]);
    for krate in CRATES {
        command.args(["--package", &format!("gdvar-{krate}")]);
    }
    command.args(["--profile", "mutants"]);
    command.args(["--message-format", "json", "--offline"]);
    command
        .current_dir(&copy.folder)
        .env("CARGO_TARGET_DIR", target);
    // The switch alone uses what is not stable.
    command
        .env("RUSTC_BOOTSTRAP", "mutant_switch")
        .env("RUSTFLAGS", "--cap-lints allow");
    command.stdin(Stdio::null());
    let output = command.output()?;
    let mut said = Said {
        succeeded: output.status.success(),
        errors: Vec::new(),
        programs: Vec::new(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(json) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        if let Some(message) = json
            .get("message")
            .filter(|message| message["level"] == "error")
        {
            said.errors.push(error(message));
        }
        // The package of all tests has nothing in its library.
        if let (Some(program), Some(name)) =
            (json["executable"].as_str(), json["target"]["name"].as_str())
        {
            if name != "gdvar_mutants" {
                said.programs.push(PathBuf::from(program));
            }
        }
    }
    Ok(said)
}

fn error(message: &Value) -> Error {
    let mut error = Error {
        rendered: message["rendered"].as_str().unwrap_or_default().to_owned(),
        primary: Vec::new(),
        others: Vec::new(),
    };
    let children = message["children"].as_array().into_iter().flatten();
    for (own, part) in std::iter::once((true, message)).chain(children.map(|child| (false, child)))
    {
        for span in part["spans"].as_array().into_iter().flatten() {
            let number = |name: &str| span[name].as_u64().and_then(|at| usize::try_from(at).ok());
            let (Some(file), Some(start), Some(end)) = (
                span["file_name"].as_str(),
                number("byte_start"),
                number("byte_end"),
            ) else {
                continue;
            };
            let place = (file.to_owned(), start..end.max(start + 1));
            if own && span["is_primary"] == true {
                error.primary.push(place);
            } else {
                error.others.push(place);
            }
        }
    }
    error
}
