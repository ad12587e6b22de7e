//! The names of Godot 4's methods (feature `names`). Packets contain only the numbers of methods.
//!
//! A CALL of Godot 4 contains the number of its method, not the name. But before a sender uses the
//! id of a node, it sends the MD5 of the names of the node's remote methods. [`Names::scan`] finds
//! those names in the scripts of a project, and the MD5 proves that they are the right ones.
//! Nothing is guessed. See [`docs/PACKETS.md` §2].
//!
//! [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4

#[cfg(feature = "compression")]
mod compiled;
mod csharp;
mod node_replication;
mod remote_method;
mod replication;
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

use crate::{
    method_digest::method_digest,
    replication::{SpawnedScene, Synchronizer},
    traffic::{Named, NodePath, SessionEvent},
};
pub use remote_method::{BadArguments, RemoteMethod, RpcMode};
use replication::ReplicatedScenes;
pub use replication::SynchronizerConfig;
use scene::Scene;
use script::ScriptSource;

/// The scripts of a project that have remote methods, and the nodes in its scenes that have these
/// scripts.
#[derive(Clone, Debug, Default)]
pub struct Names {
    scripts: Vec<Script>,
    by_md5: BTreeMap<[u8; 32], usize>,
    /// The path of each node with a script, below the root of its scene, and the index of the
    /// script.
    nodes: Vec<(String, usize)>,
    replicated: ReplicatedScenes,
}

/// A script and its remote methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    path: String,
    configured: Vec<String>,
    annotated: Vec<String>,
    methods: Vec<RemoteMethod>,
    md5: [u8; 32],
}

impl Script {
    /// The path in the project: `res://player.gd`. For a script inside a scene, the scene's path,
    /// `::` and the script's id.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The methods that `rpc_config()` makes remote, in the order of their numbers.
    #[must_use]
    pub fn configured(&self) -> &[String] {
        &self.configured
    }

    /// The methods that `@rpc` or C#'s `[Rpc]` makes remote, inherited ones included, in the order
    /// of their numbers.
    #[must_use]
    pub fn annotated(&self) -> &[String] {
        &self.annotated
    }

    /// The MD5 in the SIMPLIFY_PATH of a node with this script.
    #[must_use]
    pub fn md5(&self) -> &[u8; 32] {
        &self.md5
    }

    /// The declaration of the remote method with this name, or `None` if the script declares no
    /// such method.
    #[must_use]
    pub fn declaration(&self, name: &str) -> Option<&RemoteMethod> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// The name of the method with this number
    /// ([`Call::method_id`](crate::godot4::Call::method_id)), or `None` if there is none.
    #[must_use]
    pub fn method(&self, id: u16) -> Option<&str> {
        let (names, place) = match id & 0x8000 {
            0 => (&self.annotated, id),
            _ => (&self.configured, id & 0x7fff),
        };
        names.get(usize::from(place)).map(String::as_str)
    }
}

/// The script of a node, found by the MD5 of its remote methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptMatch<'n> {
    /// The node has this script: the MD5 is equal.
    Proven(&'n Script),
    /// The node has no remote methods.
    None,
    /// The project's scenes have this script at the node's path, but with another MD5: the sender's
    /// version of the game is not the version of the project.
    Differs(&'n Script),
    /// No script of the project matches.
    Unknown,
}

/// The MD5 of a node without remote methods.
const NOTHING: &[u8; 32] = b"d41d8cd98f00b204e9800998ecf8427e";
/// The file with the settings.
const PROJECT: &str = "res://project.godot";
/// The size limit of scripts and scenes, in bytes.
const FILE: u64 = 16 << 20;
/// The nesting limit of folders, and of scripts that extend scripts.
const DEPTH: usize = 64;

impl Names {
    /// Reads all `.gd`, `.gdc`, `.cs` and `.tscn` files in a project's folder. Skips links, `.godot`, folders
    /// with a `.gdignore`, and files above 16 MiB.
    ///
    /// # Errors
    /// Fails if the folder or a file in it cannot be read.
    pub fn scan(folder: impl AsRef<Path>) -> io::Result<Names> {
        let mut files = Vec::new();
        list(folder.as_ref(), "res://", DEPTH, &mut files)?;
        let mut read = Vec::new();
        for (file, name) in files {
            read.push((name, fs::read(&file)?));
        }
        Ok(Names::of_files(read, []))
    }

    /// Reads the files of a project, for example from the package of an exported game. `files` are
    /// their paths (`res://player.gd`) and their bytes. [`Names::reads`] says which paths are read.
    ///
    /// In an exported game, other files replace some of these: `player.gd.remap` says that
    /// `player.gdc` replaces `player.gd`. A `.gdc` file is read with the feature `compression`, if
    /// Godot 4.5 or later compiled it. The bytes of a scene must be text, even if its path ends
    /// with `.scn`: `gdvar-file` converts binary scenes to text, and `project.binary` to
    /// `project.godot`. The scenes of an exported game do not contain their unique ids. So `uids`
    /// gives the path and the id of each scene, as in `.godot/uid_cache.bin`.
    #[must_use]
    pub fn of_files(
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        uids: impl IntoIterator<Item = (String, String)>,
    ) -> Names {
        let mut remaps = BTreeMap::new();
        let mut others = Vec::new();
        for (path, bytes) in files {
            match path.strip_suffix(".remap") {
                Some(old) => {
                    if let Some(new) = remapped(&String::from_utf8_lossy(&bytes)) {
                        remaps.insert(new, old.to_owned());
                    }
                }
                None => others.push((path, bytes)),
            }
        }
        let mut sources = BTreeMap::new();
        let mut scenes = BTreeMap::new();
        let mut project = String::new();
        for (path, bytes) in others {
            let name = remaps.remove(&path).unwrap_or(path.clone());
            let text = String::from_utf8_lossy(&bytes);
            match path.rsplit('.').next().unwrap_or_default() {
                "gd" => {
                    sources.insert(name, ScriptSource::read(&text));
                }
                #[cfg(feature = "compression")]
                "gdc" => {
                    let name = match name.strip_suffix(".gdc") {
                        Some(stem) => format!("{stem}.gd"),
                        None => name,
                    };
                    sources.extend(compiled::read(&bytes).map(|source| (name, source)));
                }
                "cs" => {
                    sources.insert(name, csharp::read(&text));
                }
                "tscn" | "scn" if text.trim_start().starts_with('[') => {
                    let scene = Scene::read(&text, &name);
                    for (id, code) in &scene.scripts {
                        sources.insert(format!("{name}::{id}"), ScriptSource::read(code));
                    }
                    scenes.insert(name, scene);
                }
                "godot" if path == PROJECT => project = text.into_owned(),
                _ => {}
            }
        }
        let mut uids: BTreeMap<String, String> = uids.into_iter().collect();
        for (name, scene) in &mut scenes {
            if scene.uid.is_none() {
                scene.uid = uids.remove(name);
            }
        }
        let mut names = Names::put_together(&sources, &scenes);
        names.add_autoloads(&project);
        names
    }

    /// Returns `true` for the path of a file that [`Names::of_files`] reads.
    #[must_use]
    pub fn reads(path: &str) -> bool {
        let path = path.strip_suffix(".remap").unwrap_or(path);
        let end = path.rsplit(['.', '/']).next().unwrap_or_default();
        ["gd", "gdc", "cs", "tscn", "scn"].contains(&end)
            || path == PROJECT
            || path == "project.godot"
    }

    /// Adds the autoloads, which the project puts below the root: lines such as
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

    fn put_together(
        sources: &BTreeMap<String, ScriptSource>,
        scenes: &BTreeMap<String, Scene>,
    ) -> Names {
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
                methods: Vec::new(),
                md5: [0; 32],
            };
            // A script inherits the remote methods of the scripts that it extends.
            let mut next = Some(path.as_str());
            for _ in 0..DEPTH {
                let Some((path, source)) = next.and_then(|path| sources.get_key_value(path)) else {
                    break;
                };
                script.annotated.extend(source.annotated.iter().cloned());
                script.configured.extend(source.configured.iter().cloned());
                // The nearest declaration comes first.
                script.methods.extend(source.methods.iter().cloned());
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
            script.md5 = method_digest(script.configured.iter().chain(&script.annotated));
            places.insert(path.clone(), names.scripts.len());
            // Also accept the MD5 without the methods of `rpc_config()`: its call may be in a
            // branch that does not run.
            let bare = method_digest(&script.annotated);
            names.by_md5.entry(bare).or_insert(names.scripts.len());
            names.scripts.push(script);
        }
        for (place, script) in names.scripts.iter().enumerate() {
            names.by_md5.insert(script.md5, place);
        }
        names.replicated = ReplicatedScenes::read(scenes);
        for scene in scenes.values() {
            scene.nodes_with_scripts(scenes, &mut |node, script| {
                if let Some(&place) = places.get(script) {
                    names.nodes.push((node.to_owned(), place));
                }
            });
        }
        names
    }

    /// The scripts with remote methods, in the order of their paths.
    #[must_use]
    pub fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// Finds the script of the node at `path` by the MD5 that its peer sent.
    #[must_use]
    pub fn script_match(&self, path: &str, md5: &[u8; 32]) -> ScriptMatch<'_> {
        if md5 == NOTHING {
            return ScriptMatch::None;
        }
        if let Some(&place) = self.by_md5.get(md5) {
            return ScriptMatch::Proven(&self.scripts[place]);
        }
        match self.expected(path) {
            Some(script) => ScriptMatch::Differs(script),
            None => ScriptMatch::Unknown,
        }
    }

    /// Returns the script that the project's scenes have at `path`. This is the script of the node
    /// whose own path is the longest end of `path`. The result is a guess if nodes of several
    /// scenes match.
    #[must_use]
    pub fn expected(&self, path: &str) -> Option<&Script> {
        let (_, script) = self.at(path).max_by_key(|(len, _)| *len)?;
        self.scripts.get(script)
    }

    /// Finds the declaration of the method that a call of Godot 4 invokes, and the script of the
    /// node. The script is found by the MD5 that the sender announced. If there is no known MD5, it
    /// is the script at the node's path, provided that all scripts that the scenes may have there
    /// have the same method with this number. Returns `None` for other messages, and if the method
    /// cannot be determined.
    #[must_use]
    pub fn declaration(&self, event: &SessionEvent<'_>) -> Option<(&Script, &RemoteMethod)> {
        let Named::Number(id) = event.message.method()? else {
            return None;
        };
        if self.scripts.is_empty() {
            return None;
        }
        let said = event.node().and_then(NodePath::md5);
        let said = said.and_then(|md5| self.by_md5.get(md5)).copied();
        let script = match said {
            Some(script) => self.scripts.get(script)?,
            None => {
                let path = event.node_path()?;
                self.only(path, id)?;
                self.expected(path)?
            }
        };
        Some((script, script.declaration(script.method(id)?)?))
    }

    /// Returns the path of `scene` in the list of the spawner at the path `spawner`. Returns `None`
    /// if the project's scenes have no such spawner, if they disagree about the scene, or if a
    /// spawn function made the node.
    #[must_use]
    pub fn spawned_scene(&self, spawner: &str, scene: SpawnedScene) -> Option<&str> {
        self.replicated.spawned_scene(spawner, scene)
    }

    /// Finds the synchronizer in the project's scenes that sent the packets of `seen`. The place of
    /// the synchronizer must match: the scene of a spawned node, or the path of any other node. The
    /// numbers of its properties must match, too. `None` if no synchronizer matches, or if several
    /// match and differ.
    #[must_use]
    pub fn synchronizer(&self, seen: &Synchronizer) -> Option<&SynchronizerConfig> {
        self.replicated.synchronizer(seen)
    }

    /// The name of the method that the receiver of a call executes, for rules that must not be
    /// bypassed. `None` if it cannot be known. What the sender announces about its own methods
    /// counts only after the receiver has confirmed it. Until then, the project's scenes must have
    /// exactly one method with this number at the path, and the sender must not have announced
    /// another.
    #[must_use]
    pub fn executed<'a>(&'a self, event: &SessionEvent<'a>) -> Option<&'a str> {
        let id = match event.message.method()? {
            Named::Name(name) => return name.to_str(),
            Named::Number(id) => id,
        };
        let told = event.node();
        let said = told.and_then(|node| self.by_md5.get(node.md5()?));
        let said = said.and_then(|place| self.scripts.get(*place)?.method(id));
        let here = self.only(event.node_path()?, id);
        match (told.and_then(NodePath::matches), said, here) {
            // The receiver's methods are the same as the sender's.
            (Some(true), Some(said), Some(here)) => (said == here).then_some(said),
            (Some(true), Some(said), None) => Some(said),
            // The receiver's methods differ from the sender's. Use the project's, if it has any.
            (Some(false), _, here) => here,
            (_, Some(said), here) => here.filter(|here| *here == said),
            (_, None, here) => here,
        }
    }

    /// Returns the name of the method `id` at `path`, if all scripts that the scenes may have there
    /// agree.
    fn only(&self, path: &str, id: u16) -> Option<&str> {
        let mut names = self
            .at(path)
            .map(|(_, script)| self.scripts[script].method(id));
        let first = names.next()??;
        names.all(|name| name == Some(first)).then_some(first)
    }

    /// Returns the scripts that the scenes may have at `path`. For each: the length in bytes of its
    /// node's own path, which is the end of `path`, and the index of the script.
    fn at(&self, path: &str) -> impl Iterator<Item = (usize, usize)> {
        let path = path.trim_start_matches("/root/");
        let ends_with = move |node: &str| {
            let before = path.strip_suffix(node)?;
            (before.is_empty() || before.ends_with('/')).then_some(node.len())
        };
        let nodes = self.nodes.iter();
        nodes.filter_map(move |(node, script)| Some((ends_with(node)?, *script)))
    }

    /// The name of the method of a call, or of the property that is set. Packets of Godot 3 contain
    /// the name. For Godot 4, the name is known if the MD5 of the node was received and a script
    /// matches.
    #[must_use]
    pub fn method<'a>(&'a self, event: &SessionEvent<'a>) -> Option<&'a str> {
        match event.message.method()? {
            Named::Name(name) => name.to_str(),
            Named::Number(id) => {
                // Without scripts, do not search for the node.
                if self.by_md5.is_empty() {
                    return None;
                }
                let script = self.by_md5.get(event.node()?.md5()?)?;
                self.scripts.get(*script)?.method(id)
            }
        }
    }
}

/// Lists the scripts and scenes of a folder with their names in the project.
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
        } else if kind.is_file() && Names::reads(file) && entry.metadata()?.len() <= FILE {
            files.push((path, format!("{name}{file}")));
        }
    }
    Ok(())
}

/// Returns the path in the text of a `.remap` file, from its line `path="res://player.gdc"`.
fn remapped(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let path = lines.find_map(|line| line.trim().strip_prefix("path="))?;
    Some(path.trim_matches('"').to_owned())
}

/// Returns the project path of `path`, which the script `script` names. `path` may be relative to
/// the folder of `script`.
fn beside(script: &str, path: &str) -> String {
    if path.starts_with("res://") {
        return path.to_owned();
    }
    let folder = script.rfind('/').map_or("", |end| &script[..=end]);
    format!("{folder}{path}")
}
