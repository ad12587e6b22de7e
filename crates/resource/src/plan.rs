//! Decides where each resource is written in the one value that a file becomes.
//!
//! ```text
//! the main resource                        is the value itself
//! a resource at the first mention of it    is nested there
//! its other mentions, and cycles           are an Object of class SubResource with its id
//! a resource that nothing mentions         is a property SubResource("id") of the main resource
//! a resource nested deeper than 256        is such a property too, and mentioned by its id
//! a resource in another file that nothing  is a property ExtResource("number") of the main resource, because
//! mentions                                 engines load it
//! ```

use crate::{Body, Event, Value, reader::Result};

/// The greatest depth of nested resources. It keeps chains of resources from making a value too deep for
/// readers: 256, the 512 levels inside a resource, and the object of a mention are together below 1024.
const DEEPEST: usize = 256;

/// The resources that each resource mentions, in file order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    all: Vec<Mention>,
    /// For each resource, the end of its mentions in `all`.
    ends: Vec<usize>,
    /// For each resource in another file, `true` if it is mentioned. Resources beyond the end of
    /// the list are not mentioned.
    externals: Vec<bool>,
}

/// A mention of a resource.
#[derive(Clone, Copy, Debug)]
struct Mention {
    target: u32,
    /// The number of containers that enclose the mention in its resource.
    depth: u32,
}

impl Mentions {
    /// Reads the next resource to its end, and stores its mentions.
    pub(crate) fn read(&mut self, body: &mut Body<'_>) -> Result<()> {
        while let Some(event) = body.try_next()? {
            match event {
                Event::Value(Value::Internal(target)) => self.all.push(Mention {
                    target: target as u32,
                    depth: body.depth() as u32,
                }),
                Event::Value(Value::External(index)) => {
                    if self.externals.len() <= index {
                        self.externals.resize(index + 1, false);
                    }
                    self.externals[index] = true;
                }
                _ => {}
            }
        }
        self.ends.push(self.all.len());
        Ok(())
    }

    /// Returns `true` if any resource mentions the resource `index` in another file.
    pub(crate) fn has_external(&self, index: usize) -> bool {
        self.externals.get(index) == Some(&true)
    }

    fn of(&self, index: usize) -> &[Mention] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[index]]
    }
}

/// The place where a resource is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Unknown,
    /// Nested at its first mention.
    Nested,
    /// The value itself, or a property of the main resource.
    Root,
}

/// The places where all resources are written.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    homes: Vec<Home>,
    /// The resources that become properties of the main resource, in the order in which they are written.
    pub(crate) roots: Vec<usize>,
}

impl Plan {
    /// Decides the place of every resource. The last one is the main resource. The time is linear
    /// in the number of resources and mentions.
    pub(crate) fn new(mentions: &Mentions) -> Plan {
        let count = mentions.ends.len();
        let mut plan = Plan {
            homes: vec![Home::Unknown; count],
            roots: Vec::new(),
        };
        let Some(main) = count.checked_sub(1) else {
            return plan;
        };
        plan.homes[main] = Home::Root;
        plan.visit(mentions, main, 1);
        let mut next = plan.finish_roots(mentions, 0);
        let mut is_mentioned = vec![false; count];
        for index in 0..count {
            for mention in mentions.of(index) {
                is_mentioned[mention.target as usize] |= mention.target as usize != index;
            }
        }
        // Resources that only mention each other come last.
        for wants_mentioned in [false, true] {
            for (index, &is_mentioned) in is_mentioned.iter().enumerate() {
                if plan.homes[index] == Home::Unknown && is_mentioned == wants_mentioned {
                    plan.homes[index] = Home::Root;
                    plan.roots.push(index);
                    next = plan.finish_roots(mentions, next);
                }
            }
        }
        plan
    }

    /// Returns `true` if the resource is nested at its first mention.
    pub(crate) fn is_nested(&self, index: usize) -> bool {
        self.homes[index] == Home::Nested
    }

    /// Visits the roots from index `next` on, including those that are added meanwhile. Returns their number.
    fn finish_roots(&mut self, mentions: &Mentions, mut next: usize) -> usize {
        while let Some(&root) = self.roots.get(next) {
            self.visit(mentions, root, 2);
            next += 1;
        }
        next
    }

    /// Visits the resources that a resource mentions, in the order of writing. `depth` is the depth of the
    /// resource.
    fn visit(&mut self, mentions: &Mentions, index: usize, depth: usize) {
        let mut open = vec![(mentions.of(index).iter(), depth)];
        while let Some((left, depth)) = open.last_mut() {
            let Some(mention) = left.next() else {
                open.pop();
                continue;
            };
            let target = mention.target as usize;
            if self.homes[target] != Home::Unknown {
                continue;
            }
            let depth = *depth + mention.depth as usize + 1;
            if depth > DEEPEST {
                self.homes[target] = Home::Root;
                self.roots.push(target);
            } else {
                self.homes[target] = Home::Nested;
                open.push((mentions.of(target).iter(), depth));
            }
        }
    }
}
