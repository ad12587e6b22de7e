//! What an engine demands of a document beyond values that it can read (`docs/RESOURCES.md`, §2.2).

use gdvar_text::Notation;
use gdvar_view::{Dialect, Document};

use crate::{
    error::{DocumentError, DocumentErrorKind},
    links::missing,
    references::references,
    scanner::read_options,
    section::{Entry, Section},
    tags::required,
    text_document::Form,
};

type Result<T> = std::result::Result<T, DocumentError>;

/// A text whose values can all be read.
pub(crate) struct Loading<'s, 'a> {
    pub(crate) text: &'a str,
    pub(crate) form: Form,
    pub(crate) sections: &'s [Section<'a>],
    pub(crate) dialect: Dialect,
}

impl Loading<'_, '_> {
    /// Finds the first reason why no engine makes anything of the text. The engines do not load such a file. A scene
    /// with a wrong root is loaded, and nothing is instantiated. Takes linear time.
    ///
    /// Broken links to nodes do less harm: the engine moves or renames nodes, and leaves out connections.
    pub(crate) fn check(&self) -> Result<()> {
        match self.form {
            Form::ConfigFile | Form::Value => self.references(),
            Form::Resource | Form::Scene => {
                self.format()?;
                self.tags()?;
                self.resources()?;
                self.roots()
            }
        }
    }

    fn is_godot_4(&self) -> bool {
        self.dialect.notation() == Notation::Godot4
    }

    /// A ConfigFile has no resources of its own, so that nothing can refer to one.
    fn references(&self) -> Result<()> {
        let mut entries = self.sections.iter().flat_map(|section| &section.entries);
        let first = entries.find_map(|entry| {
            let one = references(&entry.value, self.dialect)
                .ok()?
                .into_iter()
                .next()?;
            Some((entry, one.own.class()))
        });
        let found = match first {
            None => return Ok(()),
            Some((entry, "SubResource")) => (entry, "SubResource, of which a ConfigFile has none"),
            Some((entry, _)) => (entry, "ExtResource, of which a ConfigFile has none"),
        };
        Err(self.expected(found.0.value_at.start, "a value", found.1))
    }

    /// Newer formats are refused. The dialect is of Godot 3 only if the caller says so, or the format is at most 2.
    fn format(&self) -> Result<()> {
        let Some(format) = self
            .sections
            .first()
            .and_then(|first| first.attribute("format"))
        else {
            return Ok(());
        };
        let document = Document::with_options(&format.value, read_options(self.dialect));
        let number = document.root().ok().and_then(|root| root.as_i64());
        let at = format.value_at.start;
        match (number, self.is_godot_4()) {
            (Some(5..), true) => Err(self.expected(at, "a format up to 4", "a newer format")),
            (Some(3..), false) => Err(self.expected(at, "a format up to 2", "a newer format")),
            _ => Ok(()),
        }
    }

    /// Each tag has its attributes and its place, and only some have entries.
    fn tags(&self) -> Result<()> {
        let (mut has_node, mut has_internal) = (false, false);
        for section in self.sections {
            let name = &*section.name;
            for attribute in required(name) {
                // Godot 4 invents a name, Godot 3 ends.
                let is_invented = name == "node" && self.is_godot_4();
                if !is_invented && section.attribute(attribute).is_none() {
                    let at = section.header.start;
                    let expected = "an attribute of this tag without which no engine loads it";
                    return Err(self.expected(at, expected, lacking(attribute)));
                }
            }
            let is_resource = matches!(name, "ext_resource" | "sub_resource");
            if is_resource && has_node {
                let found = "a resource after a node";
                return Err(self.expected(section.header.start, "another tag", found));
            }
            if name == "ext_resource" && has_internal && self.is_godot_4() {
                let found =
                    "an external resource after an internal one, which Godot 4 does not load";
                return Err(self.expected(section.header.start, "another tag", found));
            }
            if matches!(name, "connection" | "editable") && !has_node {
                let found = "this one before the first node";
                return Err(self.expected(section.header.start, "a node", found));
            }
            has_node |= name == "node";
            has_internal |= name == "sub_resource";
            let has_entries = matches!(name, "resource" | "sub_resource" | "node");
            if let (false, Some(entry)) = (has_entries, section.entries.first()) {
                let found = "a setting below a tag that has none";
                return Err(self.expected(entry.name_at.start, "a tag", found));
            }
        }
        Ok(())
    }

    fn resources(&self) -> Result<()> {
        // All values were read, so none of them is damaged.
        let missing = missing(self.sections, self.dialect).unwrap_or_default();
        match missing.into_iter().next() {
            Some((entry, name)) => {
                let kind = DocumentErrorKind::NoSuchResource { name };
                Err(self.error(entry.value_at.start, kind))
            }
            None => Ok(()),
        }
    }

    /// A scene has one node without a parent, the first. It has a type, or the nodes of another scene.
    fn roots(&self) -> Result<()> {
        let mut nodes = self
            .sections
            .iter()
            .filter(|section| section.name == "node");
        let Some(root) = nodes.next() else {
            if self.form == Form::Scene {
                return Err(self.expected(self.text.len(), "a node", "the end of the text"));
            }
            return Ok(());
        };
        if root.attribute("parent").is_some() {
            let found = "the attribute parent in the first one";
            return Err(self.expected(root.header.start, "a node without a parent", found));
        }
        let kinds = ["type", "instance", "instance_placeholder"];
        if kinds.iter().all(|kind| root.attribute(kind).is_none()) {
            let expected = "the attribute type or instance of the first node";
            return Err(self.expected(root.header.start, expected, "neither"));
        }
        if let Some(second) = nodes.find(|node| node.attribute("parent").is_none()) {
            let expected = "the attribute parent, which each node but the first has";
            return Err(self.expected(second.header.start, expected, "a second node without it"));
        }
        Ok(())
    }

    fn expected(&self, at: usize, expected: &'static str, found: &'static str) -> DocumentError {
        self.error(at, DocumentErrorKind::Expected { expected, found })
    }

    fn error(&self, offset: usize, kind: DocumentErrorKind) -> DocumentError {
        let mut error = DocumentError::new(self.text, offset, kind);
        let entries = self.sections.iter().flat_map(|section| &section.entries);
        let is_before = |entry: &&Entry<'_>| entry.value_at.end <= offset;
        error.entries_before = entries.filter(is_before).count();
        error
    }
}

/// Says that a tag lacks an attribute.
fn lacking(attribute: &str) -> &'static str {
    match attribute {
        "type" => "a tag without type",
        "path" => "a tag without path",
        "id" => "a tag without id",
        "signal" => "a tag without signal",
        "from" => "a tag without from",
        "to" => "a tag without to",
        "method" => "a tag without method",
        _ => "a tag without name",
    }
}
