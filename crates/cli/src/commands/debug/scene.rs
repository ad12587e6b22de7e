//! [`SceneNodes`]: the scene tree of the game, and the search for a node by name.

use gdvar_packet::debugger::RemoteNode;

use crate::terminal::nearest::nearest;

/// A node of the running game.
#[derive(Debug)]
pub(super) struct SceneNode {
    pub(super) name: String,
    pub(super) class: String,
    pub(super) id: i64,
    pub(super) scene: String,
    pub(super) depth: usize,
    parent: Option<usize>,
}

/// The scene tree, each node before its children.
#[derive(Debug)]
pub(super) struct SceneNodes(pub(super) Vec<SceneNode>);

/// Nodes deeper than this are treated as if they were at this depth, so that a game cannot make paths arbitrarily long.
const DEEPEST: usize = 200;

impl SceneNodes {
    pub(super) fn new(nodes: &[RemoteNode<'_>]) -> SceneNodes {
        // The open parents, each with the number of children that follow.
        let mut open: Vec<(usize, i64)> = Vec::new();
        let mut all = Vec::new();
        for node in nodes {
            while open.last().is_some_and(|(_, left)| *left <= 0) {
                open.pop();
            }
            if let Some((_, left)) = open.last_mut() {
                *left -= 1;
            }
            let own = all.len();
            all.push(SceneNode {
                name: node.name.to_owned(),
                class: node.class.to_owned(),
                id: node.id,
                scene: node.scene.to_owned(),
                depth: open.len(),
                parent: open.last().map(|(parent, _)| *parent),
            });
            if open.len() < DEEPEST {
                open.push((own, node.children));
            }
        }
        SceneNodes(all)
    }

    /// Returns the path of a node: `/root/Main/Player`.
    pub(super) fn path(&self, node: usize) -> String {
        let mut names = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.and_then(|at| self.0.get(at)) {
            names.push(node.name.as_str());
            next = node.parent;
        }
        names.push("");
        names.reverse();
        names.join("/")
    }

    /// Finds a node by its name, by the end of its path, by its path from `/root`, or by `#ID`.
    ///
    /// # Errors
    /// Fails if there is no such node, or there are several. The message names some candidates.
    pub(super) fn find(&self, text: &str) -> Result<usize, String> {
        if let Some(id) = text.strip_prefix('#') {
            let id: Option<i64> = id.parse().ok();
            let found = self.0.iter().position(|node| Some(node.id) == id);
            return found.ok_or_else(|| format!("no node has the id {text}"));
        }
        let end = format!("/{}", text.trim_start_matches('/'));
        let last = text.rsplit('/').next().unwrap_or_default();
        let matches: Vec<_> = (0..self.0.len())
            .filter(|&at| self.0[at].name == last)
            .map(|at| (at, self.path(at)))
            .filter(|(_, path)| match text.starts_with('/') {
                true => path == text,
                false => path.ends_with(&end),
            })
            .collect();
        match &matches[..] {
            [(one, _)] => Ok(*one),
            [] => {
                let names = self.0.iter().map(|node| &*node.name);
                Err(match nearest(last, names) {
                    Some(name) => format!("there is no node {text}; is it {name}?"),
                    None => format!("there is no node {text}; `tree` shows them all"),
                })
            }
            several => {
                let paths: Vec<_> = several
                    .iter()
                    .take(5)
                    .map(|(_, path)| path.as_str())
                    .collect();
                Err(format!(
                    "{} nodes are called {text}: {}{}; write a longer path",
                    several.len(),
                    paths.join(", "),
                    if several.len() > 5 { " …" } else { "" },
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes() -> SceneNodes {
        let node = |children, name, id| RemoteNode {
            children,
            name,
            class: "Node",
            id,
            scene: "",
        };
        SceneNodes::new(&[
            node(2, "root", 1),
            node(1, "Main", 2),
            node(0, "Gun", 3),
            node(1, "Enemy", 4),
            node(0, "Gun", 5),
        ])
    }

    #[test]
    fn nodes_are_found_by_name_path_and_id() {
        let nodes = nodes();
        for (text, id) in [
            ("Main", 2),
            ("/root", 1),
            ("Enemy/Gun", 5),
            ("/root/Main/Gun", 3),
            ("#4", 4),
        ] {
            assert_eq!(nodes.0[nodes.find(text).expect("one")].id, id, "{text}");
        }
        for (text, word) in [
            ("Gun", "/root/Enemy/Gun"),
            ("Mian", "is it Main?"),
            ("/Main", "no node"),
            ("#9", "no node"),
        ] {
            let error = nodes.find(text).expect_err("none, or several");
            assert!(error.contains(word), "{error}");
        }
    }
}
