//! The copy of the repository that is changed: its files, all tests as one program, the switch as a crate.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::Result;

/// The crates that are changed. The tests inside of these crates are asked as well.
pub const CRATES: [&str; 3] = ["wire", "write", "view"];

/// The packages whose tests become one program.
const TESTED: [&str; 3] = ["crates/conformance", "crates/write", "tests/oracle"];

const PROFILE: &str = "
[profile.mutants]
inherits = \"dev\"
opt-level = 2
debug = false
incremental = true
";

const SWITCH: &str = "[package]
name = \"mutant-switch\"
version = \"0.0.0\"
edition = \"2024\"
";

/// The dependencies of the tests' program besides those of gdvar-conformance.
const MORE: &str = "[dependencies]
gdvar-conformance = { path = \"../conformance\" }
gdvar-oracle = { path = \"../../tests/oracle\" }
gdvar-view = { workspace = true, features = [\"ascii\"] }
gdvar-wire = { workspace = true }
gdvar-write = { workspace = true, features = [\"std\", \"transcode\"] }
";

/// Tests may ask for the features of the crate they are from.
const FEATURES: &str = "
[features]
default = [\"std\", \"alloc\", \"transcode\"]
std = []
alloc = []
transcode = []
";

pub struct Copy {
    pub folder: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Tests of memory, stack and time, which changes that are switched at run time have other figures of.
const MEASURED: &str = "hostile";

/// The name of a test in that folder: of `name.rs`, or of `name/main.rs`.
fn test_name<'f>(file: &'f Path, folder: &str) -> Option<&'f str> {
    let inside = file.strip_prefix(folder).ok()?.to_str()?;
    let name = inside
        .strip_suffix("/main.rs")
        .or_else(|| inside.strip_suffix(".rs"))?;
    (!name.contains('/') && name != MEASURED).then_some(name)
}

impl Copy {
    /// The files that git has of the repository, with the tests as one program, still unwritten.
    pub fn of(root: &Path, folder: PathBuf) -> Result<Copy> {
        let listed = Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(root)
            .output()?;
        let listed = String::from_utf8(listed.stdout)?;
        let mut files = BTreeMap::new();
        for name in listed.split_terminator('\0') {
            match fs::read(root.join(name)) {
                Ok(bytes) => files.insert(PathBuf::from(name), bytes),
                // Deleted, but not yet for git.
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(format!("{name}: {error}").into()),
            };
        }
        let mut copy = Copy { folder, files };
        copy.one_program()?;
        Ok(copy)
    }

    /// A number for all code and test data: the same for the same files.
    pub fn fingerprint(&self) -> String {
        let mut hasher = DefaultHasher::new();
        for (name, bytes) in &self.files {
            if ["crates", "testdata", "tests/oracle"]
                .iter()
                .any(|top| name.starts_with(top))
            {
                (name, bytes).hash(&mut hasher);
            }
        }
        format!("{:016x}", hasher.finish())
    }

    pub fn text(&self, name: &str) -> Result<String> {
        let bytes = self
            .files
            .get(Path::new(name))
            .ok_or_else(|| format!("no file {name}"))?;
        Ok(String::from_utf8(bytes.clone())?)
    }

    pub fn put(&mut self, name: &str, text: String) {
        self.files.insert(PathBuf::from(name), text.into_bytes());
    }

    fn one_program(&mut self) -> Result<()> {
        let manifest = self.text("crates/conformance/Cargo.toml")?;
        let manifest = manifest.split("[lints]").next().unwrap_or_default();
        let manifest = manifest.replace("\"gdvar-conformance\"", "\"gdvar-mutants\"");
        let manifest = manifest.replacen("[dependencies]\n", MORE, 1) + FEATURES;
        self.put("crates/mutants/Cargo.toml", manifest);
        self.put("crates/mutants/src/lib.rs", String::new());
        let mut program = String::new();
        for package in TESTED {
            let folder = format!("{package}/tests");
            let short = package.rsplit('/').next().unwrap_or(package);
            for file in self.files.keys() {
                if let Some(name) = test_name(file, &folder) {
                    let file = file.display();
                    program += &format!("#[path = \"../../../{file}\"]\nmod {short}_{name};\n");
                }
            }
        }
        self.put("crates/mutants/tests/all.rs", program);
        let manifest = self.text("Cargo.toml")? + PROFILE;
        self.put("Cargo.toml", manifest);
        Ok(())
    }

    /// Adds the switch, and the crates that ask it.
    pub fn add_switch(&mut self) -> Result<()> {
        self.put("crates/mutant-switch/Cargo.toml", SWITCH.to_owned());
        self.put(
            "crates/mutant-switch/src/lib.rs",
            include_str!("../switch.rs").to_owned(),
        );
        let switch = "[dependencies]\nmutant-switch = { path = \"../mutant-switch\" }\n";
        for krate in CRATES.into_iter().chain(["mutants"]) {
            let name = format!("crates/{krate}/Cargo.toml");
            let manifest = self.text(&name)?.replacen("[dependencies]\n", switch, 1);
            self.put(&name, manifest);
        }
        // It comes first in the order of names.
        let first = format!(
            "#[test]\nfn {}() {{ mutant_switch::start(); }}\n",
            crate::suite::FIRST
        );
        let libraries = CRATES.map(|krate| format!("crates/{krate}/src/lib.rs"));
        for file in libraries
            .iter()
            .map(String::as_str)
            .chain(["crates/mutants/tests/all.rs"])
        {
            // Behind all else, so that the places of the changes stay.
            let text = self.text(file)? + "\n#[cfg(test)]\n" + &first;
            self.put(file, text);
        }
        Ok(())
    }

    /// Writes what is not there yet, and removes what no longer is. Cargo takes the rest for unchanged.
    pub fn write(&self) -> Result<()> {
        for (name, bytes) in &self.files {
            let path = self.folder.join(name);
            if fs::read(&path).is_ok_and(|there| there == *bytes) {
                continue;
            }
            fs::create_dir_all(path.parent().ok_or("no folder")?)?;
            fs::write(&path, bytes)?;
        }
        let names = self.files.keys().map(PathBuf::as_path).collect();
        clean(&self.folder, Path::new(""), &names)
    }
}

fn clean(folder: &Path, below: &Path, names: &BTreeSet<&Path>) -> Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            clean(folder, &name, names)?;
        } else if !names.contains(name.as_path()) && name != Path::new("Cargo.lock") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
