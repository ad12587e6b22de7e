//! [`Scene`]: the nodes of a `.tscn` file, their scripts, and what they replicate.

use std::{
    borrow::ToOwned,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::node_replication::{NodeReplication, ReplicatedProperty};

/// The nodes of a scene, and the scripts inside its file.
#[derive(Debug, Default)]
pub(super) struct Scene {
    /// `uid://…`, if the file has one.
    pub(super) uid: Option<String>,
    nodes: Vec<SceneNode>,
    /// The scripts inside the file: id and code.
    pub(super) scripts: Vec<(String, String)>,
}

#[derive(Debug, Default)]
struct SceneNode {
    /// Relative to the scene's root, whose path is empty.
    path: String,
    name: String,
    /// The scene that the node is an instance of.
    instance: Option<String>,
    script: Option<String>,
    replication: NodeReplication,
}

/// Limits for a scene with the scenes that it instances: how deep they nest, and how many nodes
/// there are in all.
const DEPTH: usize = 16;
const NODES: usize = 100_000;

impl Scene {
    pub(super) fn read(text: &str, name: &str) -> Scene {
        let mut scene = Scene::default();
        let mut resources = BTreeMap::new();
        let mut built_in = None;
        // The properties of each SceneReplicationConfig, by `SubResource("id")`.
        let mut configs: BTreeMap<String, Vec<ReplicatedProperty>> = BTreeMap::new();
        let mut config = None;
        let mut rest = text;
        while let Some(line) = rest.split('\n').next().filter(|_| !rest.is_empty()) {
            let mut len = line.len() + 1;
            let line = line.trim_end();
            if let Some(heading) = line.strip_prefix('[') {
                (built_in, config) = (None, None);
                match heading.split([' ', ']']).next() {
                    Some("ext_resource") => {
                        if let (Some(id), Some(path)) =
                            (field(heading, "id"), field(heading, "path"))
                        {
                            resources.insert(format!("ExtResource({id})"), unquote(path));
                        }
                    }
                    Some("sub_resource") => {
                        if let Some(id) = field(heading, "id") {
                            let path = format!("{name}::{}", unquote(id));
                            let resource = format!("SubResource({id})");
                            if field(heading, "type") == Some("\"SceneReplicationConfig\"") {
                                config = Some(resource.clone());
                            }
                            resources.insert(resource, path);
                            built_in = Some(unquote(id));
                        }
                    }
                    Some("gd_scene") => scene.uid = field(heading, "uid").map(unquote),
                    Some("node") => scene.nodes.push(node(heading, &resources)),
                    _ => {}
                }
            } else if let Some(value) = line.strip_prefix("script = ") {
                if let Some(node) = scene.nodes.last_mut() {
                    node.script = resources.get(&without_spaces(value)).cloned();
                }
            } else if let Some(config) = config.as_ref().filter(|_| line.starts_with("properties/"))
            {
                ReplicatedProperty::read(line, configs.entry(config.clone()).or_default());
            } else if let (Some(node), None) = (scene.nodes.last_mut(), &built_in) {
                let config = |value: &str| configs.get(&without_spaces(value)).cloned();
                node.replication.read(line, config);
            } else if let (Some(id), Some(_)) = (&built_in, line.strip_prefix("script/source = \""))
            {
                let start = rest.find('"').unwrap_or(0);
                let (code, end) = quoted(&rest[start..]);
                scene.scripts.push((id.clone(), code));
                len = start + end;
            }
            rest = rest.get(len..).unwrap_or_default();
        }
        scene
    }

    /// The name of the root node. Empty if the scene has no nodes.
    pub(super) fn root(&self) -> &str {
        self.nodes.first().map_or("", |node| node.name.as_str())
    }

    /// Calls `each` with the path and script of every node that has a script, in instances too. The
    /// path includes the name of the root. A node below the root is reported a second time without
    /// the root's name, because an instance may have another name.
    pub(super) fn nodes_with_scripts(
        &self,
        scenes: &BTreeMap<String, Scene>,
        each: &mut impl FnMut(&str, &str),
    ) {
        let root = self.root();
        let mut left = NODES;
        self.walk("", scenes, DEPTH, &mut left, &mut |path, node| {
            let Some(script) = &node.script else {
                return;
            };
            if path.is_empty() {
                each(root, script);
            } else {
                each(&format!("{root}/{path}"), script);
                each(path, script);
            }
        });
    }

    /// Calls `each` with the path of every spawner and synchronizer below the root, in instances
    /// too. The path of the root itself is its name.
    pub(super) fn replicated_nodes(
        &self,
        scenes: &BTreeMap<String, Scene>,
        each: &mut impl FnMut(&str, &NodeReplication),
    ) {
        let root = self.root();
        let mut left = NODES;
        self.walk("", scenes, DEPTH, &mut left, &mut |path, node| {
            let path = if path.is_empty() { root } else { path };
            if node.replication.is_any() {
                each(path, &node.replication);
            }
        });
    }

    fn walk(
        &self,
        prefix: &str,
        scenes: &BTreeMap<String, Scene>,
        depth: usize,
        left: &mut usize,
        each: &mut dyn FnMut(&str, &SceneNode),
    ) {
        for node in &self.nodes {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let path = join(prefix, &node.path);
            let instance = node.instance.as_ref().filter(|_| depth > 0);
            each(&path, node);
            if node.script.is_some() {
                continue;
            }
            if let Some(instance) = instance.and_then(|name| scenes.get(name)) {
                instance.walk(&path, scenes, depth - 1, left, each);
            }
        }
    }
}

fn join(prefix: &str, path: &str) -> String {
    match (prefix, path) {
        ("", path) | (path, "") => path.to_owned(),
        (prefix, path) => format!("{prefix}/{path}"),
    }
}

fn node(heading: &str, resources: &BTreeMap<String, String>) -> SceneNode {
    let text = |name| field(heading, name).map(unquote);
    let name = text("name").unwrap_or_default();
    let path = match text("parent") {
        None => String::new(),
        Some(parent) if parent == "." => name.clone(),
        Some(parent) => format!("{parent}/{name}"),
    };
    let instance = field(heading, "instance").map(without_spaces);
    SceneNode {
        path,
        name,
        instance: instance.and_then(|instance| resources.get(&instance).cloned()),
        script: None,
        replication: NodeReplication::default(),
    }
}

/// Returns the unparsed value of the field `name` in a heading: `"text"` or `ExtResource("1")`.
fn field<'t>(heading: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = heading;
    while let Some((word, tail)) = rest.split_once('=') {
        let key = word.rsplit([' ', '[']).next().unwrap_or_default();
        let mut quotes = false;
        let end = tail
            .find(|c| {
                quotes ^= c == '"';
                !quotes && (c == ' ' || c == ']')
            })
            .unwrap_or(tail.len());
        let value = &tail[..end];
        if key == name {
            return Some(value);
        }
        rest = &tail[end..];
    }
    None
}

fn unquote(text: &str) -> String {
    text.trim_matches('"').to_owned()
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Unescapes the string at the start. Returns its text, and its length including quotes.
fn quoted(text: &str) -> (String, usize) {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (out, at + 1),
            '\\' => match chars.next() {
                Some((_, 'n')) => out.push('\n'),
                Some((_, 't')) => out.push('\t'),
                Some((_, c)) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    (out.to_string(), text.len())
}
