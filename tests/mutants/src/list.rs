//! Which changes there are: what `cargo mutants --list` says.

use std::{collections::HashMap, fs, process::Command};

use serde_json::Value;

use crate::{Options, Result};

/// A line and a column as cargo-mutants and `proc_macro2` count: lines from 1; columns of characters, from 0.
pub type Place = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Genre {
    /// A function gives this value instead of running its body.
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

#[derive(Clone, Debug)]
pub struct Mutant {
    /// The number that switches it on.
    pub number: u16,
    pub package: String,
    pub file: String,
    pub genre: Genre,
    /// The place where the changed text begins.
    pub start: Place,
    /// The text that stands there instead.
    pub replacement: String,
    /// As cargo-mutants calls it: file, line, column, what is done.
    pub name: String,
    /// The change without numbers of lines: file, what is done, the text of the line, which of several
    /// alike.
    pub key: String,
}

/// All changes asked for. Their numbers are places in the list.
pub fn mutants(options: &Options) -> Result<Vec<Mutant>> {
    let mut list = Vec::new();
    for package in &options.packages {
        let mut command = Command::new("cargo");
        command.args(["mutants", "--list", "--json", "--package", package]);
        let output = command.current_dir(&options.root).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let json: Value = serde_json::from_slice(&output.stdout)?;
        let json = json.as_array().ok_or("the list of cargo mutants is none")?;
        for mutant in json {
            list.push(read(mutant).ok_or_else(|| format!("not understood: {mutant}"))?);
        }
    }
    name_apart(&mut list, options)?;
    if !options.files.is_empty() {
        list.retain(|mutant| options.files.contains(&mutant.file));
    }
    for (number, mutant) in list.iter_mut().enumerate() {
        mutant.number = u16::try_from(number)?;
    }
    Ok(list)
}

fn read(json: &Value) -> Option<Mutant> {
    let text = |name: &str| Some(json.get(name)?.as_str()?.to_owned());
    let start = json.get("span")?.get("start")?;
    let number = |name: &str| usize::try_from(start.get(name)?.as_u64()?).ok();
    Some(Mutant {
        number: 0,
        package: text("package")?,
        file: text("file")?,
        genre: match text("genre")?.as_str() {
            "FnValue" => Genre::FnValue,
            "BinaryOperator" => Genre::BinaryOperator,
            "UnaryOperator" => Genre::UnaryOperator,
            "MatchArm" => Genre::MatchArm,
            "MatchArmGuard" => Genre::MatchArmGuard,
            "StructField" => Genre::StructField,
            _ => return None,
        },
        start: (number("line")?, number("column")? - 1),
        replacement: text("replacement")?,
        name: text("name")?,
        key: String::new(),
    })
}

/// Gives each a key that outlives lines added elsewhere.
fn name_apart(list: &mut [Mutant], options: &Options) -> Result<()> {
    let mut lines = HashMap::<String, Vec<String>>::new();
    let mut alike = HashMap::<String, usize>::new();
    for mutant in list {
        if !lines.contains_key(&mutant.file) {
            let text = fs::read_to_string(options.root.join(&mutant.file))?;
            lines.insert(
                mutant.file.clone(),
                text.lines().map(str::to_owned).collect(),
            );
        }
        let line = lines[&mutant.file]
            .get(mutant.start.0 - 1)
            .map_or("", |line| line.trim());
        let what = mutant.name.split_once(": ").map_or("", |(_, what)| what);
        let key = format!("{} | {what} | {line}", mutant.file);
        let count = alike.entry(key.clone()).or_default();
        *count += 1;
        mutant.key = format!("{key} | {count}");
    }
    Ok(())
}
