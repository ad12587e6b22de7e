//! The names behind the numbers of Godot 4's methods (feature `names`).
//!
//! A CALL of Godot 4 has the number of a method and not its name. But before a node's id is used, the
//! sender tells the MD5 of the names of its remote methods. [`Names::scan`] finds those names in the
//! scripts of a project, and the MD5 proves that they are the right ones: no guess is made.

mod scene;
mod script;

use std::{
    borrow::ToOwned,
    collections::BTreeMap,
    format, fs, io,
    path::{Path, PathBuf},
    string::String,
    vec::Vec,
};

use md5::{Digest, Md5};

use crate::{Item, Named, NodePath};
use scene::Scene;
use script::Source;

/// The scripts of a project that have remote methods, and the nodes of its scenes that have scripts.
#[derive(Clone, Debug, Default)]
pub struct Names {
    scripts: Vec<Script>,
    by_md5: BTreeMap<[u8; 32], usize>,
    /// Paths of nodes below the root of their scene, and their scripts.
    nodes: Vec<(String, usize)>,
}

/// A script, and its remote methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    path: String,
    configured: Vec<String>,
    annotated: Vec<String>,
    md5: [u8; 32],
}

impl Script {
    /// Its place in the project: `res://player.gd`; for one that is in a scene the scene's, `::` and its id.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The methods that `rpc_config()` makes remote, in the order of their numbers.
    #[must_use]
    pub fn configured(&self) -> &[String] {
        &self.configured
    }

    /// The methods that `@rpc` makes remote, those of the scripts that it extends included, in the order of
    /// their numbers.
    #[must_use]
    pub fn annotated(&self) -> &[String] {
        &self.annotated
    }

    /// The MD5 that a SIMPLIFY_PATH of a node with this script has.
    #[must_use]
    pub fn md5(&self) -> &[u8; 32] {
        &self.md5
    }

    /// The name behind a number: [`Call::method_id`](crate::godot4::Call::method_id).
    #[must_use]
    pub fn method(&self, id: u16) -> Option<&str> {
        let (names, place) = match id & 0x8000 {
            0 => (&self.annotated, id),
            _ => (&self.configured, id & 0x7fff),
        };
        names.get(usize::from(place)).map(String::as_str)
    }
}

/// The knowledge of a node's remote methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof<'n> {
    /// They are those of this script: the MD5 says so.
    Proven(&'n Script),
    /// The node has none.
    None,
    /// The project's scenes have this script there, but its MD5 is another: whoever sent the packet has
    /// another version of the game than the folder.
    Differs(&'n Script),
    /// No script of the project has such methods.
    Unknown,
}

/// The MD5 of no names at all.
const NOTHING: &[u8; 32] = b"d41d8cd98f00b204e9800998ecf8427e";
/// The largest script or scene that is read.
const FILE: u64 = 16 << 20;
/// How deep folders, and scripts that extend scripts, may be nested.
const DEPTH: usize = 64;

impl Names {
    /// Reads all `.gd` and `.tscn` of a project's folder. Links are not followed, `.godot` and folders with a
    /// `.gdignore` are passed over, as are files above 16 MiB.
    ///
    /// # Errors
    /// If the folder or a file in it cannot be read.
    pub fn scan(folder: impl AsRef<Path>) -> io::Result<Names> {
        let mut files = Vec::new();
        list(folder.as_ref(), "res://", DEPTH, &mut files)?;
        let mut sources = BTreeMap::new();
        let mut scenes = BTreeMap::new();
        for (file, name) in files {
            let text = fs::read(&file)?;
            let text = String::from_utf8_lossy(&text);
            if name.ends_with(".gd") {
                sources.insert(name, Source::read(&text));
            } else {
                let scene = Scene::read(&text, &name);
                for (id, code) in &scene.scripts {
                    sources.insert(format!("{name}::{id}"), Source::read(code));
                }
                scenes.insert(name, scene);
            }
        }
        let mut names = Names::put_together(&sources, &scenes);
        let project = fs::read(folder.as_ref().join("project.godot")).unwrap_or_default();
        names.add_autoloads(&String::from_utf8_lossy(&project));
        Ok(names)
    }

    /// Notes the scripts that the project puts below the root by itself: lines such as
    /// `Net="*res://net.gd"`.
    fn add_autoloads(&mut self, project: &str) {
        let section = project
            .lines()
            .skip_while(|line| line.trim() != "[autoload]");
        for line in section.skip(1).take_while(|line| !line.starts_with('[')) {
            let Some((name, path)) = line.split_once('=') else {
                continue;
            };
            let path = path.trim().trim_matches('"').trim_start_matches('*');
            let script = self.scripts.iter().position(|script| script.path == path);
            if let Some(script) = script {
                self.nodes.push((name.trim().to_owned(), script));
            }
        }
    }

    fn put_together(sources: &BTreeMap<String, Source>, scenes: &BTreeMap<String, Scene>) -> Names {
        let classes: BTreeMap<&str, &str> = sources
            .iter()
            .filter_map(|(path, source)| Some((source.class.as_deref()?, path.as_str())))
            .collect();
        let mut names = Names::default();
        let mut places = BTreeMap::new();
        for path in sources.keys() {
            let mut script = Script {
                path: path.clone(),
                configured: Vec::new(),
                annotated: Vec::new(),
                md5: [0; 32],
            };
            // A script has the remote methods of those that it extends, too.
            let mut next = Some(path.as_str());
            for _ in 0..DEPTH {
                let Some((path, source)) = next.and_then(|path| sources.get_key_value(path)) else {
                    break;
                };
                script.annotated.extend(source.annotated.iter().cloned());
                script.configured.extend(source.configured.iter().cloned());
                next = source
                    .extends
                    .as_deref()
                    .and_then(|base| match classes.get(base) {
                        Some(path) => Some(*path),
                        None => sources
                            .get_key_value(&*beside(path, base))
                            .map(|(path, _)| path.as_str()),
                    });
            }
            for list in [&mut script.annotated, &mut script.configured] {
                list.sort();
                list.dedup();
            }
            if script.annotated.is_empty() && script.configured.is_empty() {
                continue;
            }
            script.md5 = digest(script.configured.iter().chain(&script.annotated));
            places.insert(path.clone(), names.scripts.len());
            // `rpc_config()` may stand in a branch that was not run.
            let bare = digest(&script.annotated);
            names.by_md5.entry(bare).or_insert(names.scripts.len());
            names.scripts.push(script);
        }
        for (place, script) in names.scripts.iter().enumerate() {
            names.by_md5.insert(script.md5, place);
        }
        for scene in scenes.values() {
            scene.nodes_with_scripts(scenes, &mut |node, script| {
                if let Some(&place) = places.get(script) {
                    names.nodes.push((node.to_owned(), place));
                }
            });
        }
        names
    }

    /// The scripts with remote methods, by their paths.
    #[must_use]
    pub fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// The remote methods of a node, by its path and the MD5 that its peer told.
    #[must_use]
    pub fn prove(&self, path: &str, md5: &[u8; 32]) -> Proof<'_> {
        if md5 == NOTHING {
            return Proof::None;
        }
        if let Some(&place) = self.by_md5.get(md5) {
            return Proof::Proven(&self.scripts[place]);
        }
        match self.expected(path) {
            Some(script) => Proof::Differs(script),
            None => Proof::Unknown,
        }
    }

    /// The script that the project's scenes have at a path: of the node whose path has most in common with it,
    /// from its end on. A guess, where several scenes have such a node.
    #[must_use]
    pub fn expected(&self, path: &str) -> Option<&Script> {
        let (_, script) = self.at(path).max_by_key(|(len, _)| *len)?;
        self.scripts.get(script)
    }

    /// The name of the method that the receiver of a call executes, for a rule that nobody should get around; `None` if
    /// it cannot be told. What the sender says of its own methods proves nothing: it counts once the receiver has
    /// confirmed it. Until then the project's scenes must have a script at the path, in one way, and the sender must
    /// not have told of another.
    #[must_use]
    pub fn executed<'a>(&'a self, item: &Item<'a>) -> Option<&'a str> {
        let id = match item.message.method()? {
            Named::Name(name) => return name.to_str(),
            Named::Number(id) => id,
        };
        let told = item.node();
        let said = told.and_then(|node| self.by_md5.get(node.md5()?));
        let said = said.and_then(|place| self.scripts.get(*place)?.method(id));
        let here = self.only(item.node_path()?, id);
        match (told.and_then(NodePath::matches), said, here) {
            // The receiver has the sender's methods.
            (Some(true), Some(said), Some(here)) => (said == here).then_some(said),
            (Some(true), Some(said), None) => Some(said),
            // It has others: those of the project, if anybody's.
            (Some(false), _, here) => here,
            (_, Some(said), here) => here.filter(|here| *here == said),
            (_, None, here) => here,
        }
    }

    /// The name behind a number at a path, if all scripts that the scenes may have there agree.
    fn only(&self, path: &str, id: u16) -> Option<&str> {
        let mut names = self
            .at(path)
            .map(|(_, script)| self.scripts[script].method(id));
        let first = names.next()??;
        names.all(|name| name == Some(first)).then_some(first)
    }

    /// The scripts that the scenes have at a path, and how much of it each one's node has.
    fn at(&self, path: &str) -> impl Iterator<Item = (usize, usize)> {
        let path = path.trim_start_matches("/root/");
        let ends_with = move |node: &str| {
            let before = path.strip_suffix(node)?;
            (before.is_empty() || before.ends_with('/')).then_some(node.len())
        };
        let nodes = self.nodes.iter();
        nodes.filter_map(move |(node, script)| Some((ends_with(node)?, *script)))
    }

    /// The name of the method of a call, or of the property that is set: from the packet itself in Godot 3; in
    /// Godot 4 if the node's MD5 was heard and is proven.
    #[must_use]
    pub fn method<'a>(&'a self, item: &Item<'a>) -> Option<&'a str> {
        match item.message.method()? {
            Named::Name(name) => name.to_str(),
            Named::Number(id) => {
                // Without a project's scripts nobody looks for the node.
                if self.by_md5.is_empty() {
                    return None;
                }
                let script = self.by_md5.get(item.node()?.md5()?)?;
                self.scripts.get(*script)?.method(id)
            }
        }
    }
}

/// The files of a folder that are scripts or scenes, with their names in the project.
fn list(
    folder: &Path,
    name: &str,
    depth: usize,
    files: &mut Vec<(PathBuf, String)>,
) -> io::Result<()> {
    if depth == 0 || folder.join(".gdignore").exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let file = entry.file_name();
        let Some(file) = file.to_str().filter(|file| !file.starts_with('.')) else {
            continue;
        };
        let path = entry.path();
        if kind.is_dir() {
            list(&path, &format!("{name}{file}/"), depth - 1, files)?;
        } else if kind.is_file()
            && (file.ends_with(".gd") || file.ends_with(".tscn"))
            && entry.metadata()?.len() <= FILE
        {
            files.push((path, format!("{name}{file}")));
        }
    }
    Ok(())
}

/// The path that a script names, which may be relative to its own folder.
fn beside(script: &str, path: &str) -> String {
    if path.starts_with("res://") {
        return path.to_owned();
    }
    let folder = script.rfind('/').map_or("", |end| &script[..=end]);
    format!("{folder}{path}")
}

/// The MD5 of names one behind the other, in hexadecimal digits.
fn digest<'n>(names: impl IntoIterator<Item = &'n String>) -> [u8; 32] {
    let mut md5 = Md5::new();
    names.into_iter().for_each(|name| md5.update(name));
    let mut digits = [0; 32];
    for (two, byte) in digits.chunks_exact_mut(2).zip(md5.finalize()) {
        two[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
        two[1] = b"0123456789abcdef"[usize::from(byte & 15)];
    }
    digits
}
