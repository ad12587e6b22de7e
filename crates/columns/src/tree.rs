//! [`Tree`]: the paths of all columns merged, so that one walk over a value finds everything.

use gdvar_view::OwnedStep;

/// The nodes; the first is the row itself.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

/// A position that paths lead to or through.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The number of steps from the outermost value.
    pub(crate) depth: usize,
    /// The steps that lead on, each with its node.
    pub(crate) steps: Vec<(OwnedStep, usize)>,
    /// `true` if all steps are plain names.
    pub(crate) only_names: bool,
    /// The columns whose path ends here.
    pub(crate) ends: Vec<usize>,
    /// The columns whose pattern begins here.
    pub(crate) patterns: Vec<usize>,
    /// The columns whose paths lead on from here.
    pub(crate) below: Vec<usize>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            nodes: vec![Node {
                only_names: true,
                ..Node::default()
            }],
        }
    }
}

impl Tree {
    pub(crate) fn add(&mut self, column: usize, (steps, pattern): &(Vec<OwnedStep>, String)) {
        let mut at = 0;
        for (taken, step) in steps.iter().enumerate() {
            let new = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else {
                return;
            };
            node.below.push(column);
            at = match node.steps.iter().find(|(own, _)| own == step) {
                Some((_, next)) => *next,
                None => {
                    node.steps.push((step.clone(), new));
                    node.only_names &= is_plain(step);
                    self.nodes.push(Node {
                        depth: taken + 1,
                        only_names: true,
                        ..Node::default()
                    });
                    new
                }
            };
        }
        if let Some(node) = self.nodes.get_mut(at) {
            let columns = match pattern.is_empty() {
                true => &mut node.ends,
                false => &mut node.patterns,
            };
            columns.push(column);
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }
}

/// Returns `true` for a name without a backslash, which needs no unescaping.
fn is_plain(step: &OwnedStep) -> bool {
    matches!(step, OwnedStep::Name(name) if !name.contains('\\'))
}
