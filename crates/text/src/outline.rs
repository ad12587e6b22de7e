//! [`Outline`]: the positions of children, so that printing takes linear time.
//!
//! Containers do not store their length in bytes, so finding a container's end means walking over
//! it (`docs/FORMAT.md` §4.1). A program that follows a tree by its handles walks each subtree once
//! per level. An outline stores the positions instead. If all children of a container are leaves,
//! it stores nothing for them: an array of a million numbers is one node.

use std::collections::HashMap;

use gdvar_view::{
    ArrayIter, DictIter, Document, Error, Event, Kind, ObjectRef, PropertyIter, Role, StrRef,
    VariantRef,
};

/// The tree of one value, in wire order.
pub(crate) struct Outline<'a> {
    nodes: Vec<Node<'a>>,
    names: Vec<StrRef<'a>>,
    /// Dictionaries that are keys or lie inside keys, outermost first. Merging their repeated keys
    /// affects how the outer keys compare.
    key_dicts: Vec<usize>,
    /// For dictionaries with repeated keys, the merged keys and values.
    replaced: HashMap<usize, Vec<Item<'a>>>,
}

#[derive(Clone, Copy)]
struct Node<'a> {
    value: VariantRef<'a>,
    /// The index of the first node after the subtree. If it is the very next node, all children are
    /// leaves and have no nodes.
    next: usize,
    /// If the value is a property of an object, the index of its name in `names`.
    name: Option<u32>,
}

/// A value and its node in the outline.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) value: VariantRef<'a>,
    node: usize,
}

/// The value of [`Item::node`] for a leaf that is not stored in [`Outline::nodes`].
const LEAF: usize = usize::MAX;

struct OpenNode {
    node: usize,
    leaves: usize,
    flat: bool,
    in_key: bool,
}

impl<'a> Outline<'a> {
    /// Walks the whole value, which also validates it.
    pub(crate) fn of(value: VariantRef<'a>) -> Result<Outline<'a>, Error> {
        // A walk takes much stack, and finding the value's end needs another walk. They are in two
        // functions, so that they do not share a stack frame.
        let document = Document::with_options(value.raw()?, value.options());
        Outline::walk(document).map_err(|error| error.at(value.offset()))
    }

    #[inline(never)]
    fn walk(document: Document<'a>) -> Result<Outline<'a>, Error> {
        let mut outline = Outline {
            nodes: Vec::new(),
            names: Vec::new(),
            key_dicts: Vec::new(),
            replaced: HashMap::new(),
        };
        let mut events = document.events();
        let mut open: Vec<OpenNode> = Vec::new();
        let mut name = None;
        while let Some(event) = events.try_next()? {
            match event {
                Event::Property(text) => name = Some(text),
                Event::Value(value) => match open.last_mut() {
                    Some(parent) if parent.flat => parent.leaves += 1,
                    _ => outline.push(value, name.take()),
                },
                Event::Begin(value) => {
                    if let Some(parent) = open.last_mut() {
                        if parent.flat {
                            parent.flat = false;
                            outline.unfold(parent.node, parent.leaves);
                        }
                    }
                    let node = outline.nodes.len();
                    let in_key = events.role() == Role::Key
                        || open.last().is_some_and(|parent| parent.in_key);
                    if in_key && value.kind() == Kind::Dictionary {
                        outline.key_dicts.push(node);
                    }
                    open.push(OpenNode {
                        node,
                        leaves: 0,
                        flat: true,
                        in_key,
                    });
                    outline.push(value, name.take());
                }
                Event::End => {
                    let next = outline.nodes.len();
                    if let Some(closed) = open.pop() {
                        outline.nodes[closed.node].next = next;
                    }
                }
            }
        }
        Ok(outline)
    }

    /// Merges repeated keys in dictionaries that lie inside keys, innermost first. `merge` gets a
    /// dictionary and returns its merged keys and values, or `None` if no key is repeated.
    pub(crate) fn merge_keys(
        &mut self,
        merge: impl Fn(&Outline<'a>, Item<'a>) -> Option<Vec<Item<'a>>>,
    ) {
        while let Some(node) = self.key_dicts.pop() {
            let item = Item {
                value: self.nodes[node].value,
                node,
            };
            if let Some(merged) = merge(self, item) {
                self.replaced.insert(node, merged);
            }
        }
    }

    pub(crate) fn root(&self) -> Option<Item<'a>> {
        self.nodes.first().map(|node| Item {
            value: node.value,
            node: 0,
        })
    }

    fn push(&mut self, value: VariantRef<'a>, name: Option<StrRef<'a>>) {
        let name = name.map(|name| {
            self.names.push(name);
            (self.names.len() - 1) as u32
        });
        self.nodes.push(Node {
            value,
            next: self.nodes.len() + 1,
            name,
        });
    }

    /// Adds nodes for the first `leaves` children of a container, which are all leaves. Needed as
    /// soon as a child with children follows them.
    fn unfold(&mut self, node: usize, leaves: usize) {
        let Some(mut children) = Children::leaves(self.nodes[node].value) else {
            return;
        };
        for _ in 0..leaves {
            if let Some((name, leaf)) = children.next_property() {
                self.push(leaf.value, name);
            }
        }
    }

    /// Iterates over the children: elements, alternating keys and values, or properties.
    pub(crate) fn children(&self, item: Item<'a>) -> Children<'_, 'a> {
        if let Some(items) = self.replaced.get(&item.node) {
            return Children::Items(items.iter());
        }
        match self.nodes.get(item.node) {
            Some(node) if node.next > item.node + 1 => Children::Nodes {
                outline: self,
                at: item.node + 1,
                end: node.next,
            },
            _ => Children::leaves(item.value).unwrap_or(Children::Nodes {
                outline: self,
                at: 0,
                end: 0,
            }),
        }
    }
}

/// The children of an [`Item`].
pub(crate) enum Children<'o, 'a> {
    Nodes {
        outline: &'o Outline<'a>,
        at: usize,
        end: usize,
    },
    Items(std::slice::Iter<'o, Item<'a>>),
    Elements(ArrayIter<'a>),
    Pairs(DictIter<'a>, Option<VariantRef<'a>>),
    Properties(PropertyIter<'a>),
}

impl<'a> Children<'_, 'a> {
    fn leaves(value: VariantRef<'a>) -> Option<Self> {
        if let Some(array) = value.as_array() {
            Some(Children::Elements(array.iter()))
        } else if let Some(dict) = value.as_dict() {
            Some(Children::Pairs(dict.iter(), None))
        } else {
            value
                .as_object()
                .map(|object: ObjectRef<'a>| Children::Properties(object.iter()))
        }
    }

    /// Returns the next child. Reading it cannot fail, because the outline has already walked over
    /// it.
    pub(crate) fn next(&mut self) -> Option<Item<'a>> {
        let value = match self {
            Children::Nodes { outline, at, end } => {
                let node = *at;
                if node >= *end {
                    return None;
                }
                let Node { value, next, .. } = outline.nodes[node];
                *at = next;
                return Some(Item { value, node });
            }
            Children::Items(items) => return items.next().copied(),
            Children::Elements(elements) => elements.try_next().ok()??,
            Children::Pairs(pairs, second) => match second.take() {
                Some(value) => value,
                None => {
                    let (key, value) = pairs.try_next().ok()??;
                    *second = Some(value);
                    key
                }
            },
            Children::Properties(properties) => properties.try_next().ok()??.1,
        };
        Some(Item { value, node: LEAF })
    }

    /// Returns the next child. If it is a property, returns its name as well.
    pub(crate) fn next_property(&mut self) -> Option<(Option<StrRef<'a>>, Item<'a>)> {
        match self {
            Children::Properties(properties) => {
                let (name, value) = properties.try_next().ok()??;
                Some((Some(name), Item { value, node: LEAF }))
            }
            Children::Nodes { outline, .. } => {
                let outline = *outline;
                let item = self.next()?;
                let name = outline.nodes[item.node].name;
                let name = name.and_then(|name| outline.names.get(name as usize));
                Some((name.copied(), item))
            }
            _ => Some((None, self.next()?)),
        }
    }
}
